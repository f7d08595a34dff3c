//! What an operator asks for.

use std::collections::BTreeSet;

use bitcoin::{Address, FeeRate};
use serde::{Deserialize, Serialize};
use shared::{clock::Timestamp, models::bitcoin::RuneName, store::Entity};

/// An order of clean-ups.
#[derive(Clone, Debug)]
pub struct Order {
    /// Where runes go that no mint has ever had; `None`: they stay.
    pub sweep_to: Option<Address>,
    /// Runes that stay, although no mint has them yet.
    pub keep: BTreeSet<RuneName>,
    /// Runes that go as well, if all of their mints are over.
    pub also: BTreeSet<RuneName>,
    /// Above this rate nothing is done.
    pub highest_rate: FeeRate,
    /// Most transactions.
    pub most: usize,
}

/// That an operator has ordered sweeps to an address: without it, none is signed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepOrder {
    /// When it was last ordered.
    pub ordered_at: Timestamp,
}

impl Entity for SweepOrder {
    const ENTITY: &'static str = "sweepOrder";
}
