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

/// How the service answered a request about the perpetuals venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// With something to sign, after all checks, and without a warning that it may fail.
    Checked,
    /// With something to sign that the venue may refuse.
    Unchecked,
    /// It would fail.
    Refused,
}

/// What the service answered about the venue, and what the venue makes of it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// What was asked for, by whom and when.
    pub what: String,
    /// The answer.
    pub answered: Answered,
    /// Whether nothing had changed at the venue just before.
    pub is_steady: bool,
    /// Whether the venue would take it, and lose nothing of it.
    pub verdict: Result<(), String>,
}

/// The books of all people.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// Batches, by the txid of their commitment.
    pub bids: BTreeMap<Txid, Bid>,
    /// All trading addresses.
    pub trading: BTreeSet<Address>,
    /// Answers about the perpetuals venue.
    pub advice: Vec<Advice>,
}
