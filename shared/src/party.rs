//! The parties outside AWS that functions ask.

use base::outbound::Party;

/// Esplora, which reads Bitcoin's chain.
pub const ESPLORA: Party = Party::new("Esplora").receiving_trace();
/// ord, which says what outputs hold.
pub const ORD: Party = Party::new("ord").receiving_trace();
/// The partner that settles swaps.
pub const HUB: Party = Party::new("hub").receiving_trace();
/// The info API of the perpetuals venue.
pub const VENUE_INFO: Party = Party::new("venue");
/// A node of an EVM chain.
pub const EVM_NODE: Party = Party::new("EVM node");
