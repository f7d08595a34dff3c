//! What an operator asks for.

use std::collections::BTreeSet;

use bitcoin::{Address, FeeRate};
use shared::models::bitcoin::RuneName;

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
