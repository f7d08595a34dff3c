//! Stand-ins for other parties: the hub, ord, the venue and its EVM chain.

pub mod evm;
pub mod hub;
pub mod ord_double;
pub mod venue;
