//! What the service reported to its users, kept outside its rows.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Address, Txid};

/// A batch of requests, as the service reported it to its owner.
#[derive(Clone, Debug)]
pub struct Bid {
    /// The trading address that pays for it.
    pub trading: Address,
    /// Number of requests.
    pub requests: u64,
    /// Sats per request.
    pub price: u64,
}

/// How the service answered a request about the perpetuals venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// With something to sign, after all checks and without a warning that it may fail.
    Checked,
    /// With something to sign that the venue may refuse.
    Unchecked,
    /// With a refusal, because it would fail.
    Refused,
}

/// An answer of the service about the venue, and the venue's own view.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The request, the person and the time.
    pub what: String,
    /// The answer.
    pub answered: Answered,
    /// Whether nothing that concerns the wallet had changed at the venue shortly before.
    pub is_steady: bool,
    /// Whether the venue would accept it without a loss.
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
