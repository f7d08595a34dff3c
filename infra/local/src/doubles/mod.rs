//! Stand-ins for other parties: a collector of traces, the hub, ord, the venue and its EVM chain.

pub mod collector;
pub mod evm;
pub mod hub;
pub mod ord_double;
pub mod venue;
