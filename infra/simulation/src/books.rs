//! What people were told, kept outside of the service's rows.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Address, Txid};

/// A batch of requests, as its owner was told of it.
#[derive(Clone, Debug)]
pub struct Bid {
    /// Who pays for it: the trading address.
    pub trading: Address,
    /// Number of requests.
    pub requests: u64,
    /// Sats of each.
    pub price: u64,
}

/// The books of all people.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// Batches, by the txid of their commitment.
    pub bids: BTreeMap<Txid, Bid>,
    /// All trading addresses.
    pub trading: BTreeSet<Address>,
}
