//! What a transaction is to do, and within which bounds.

use bitcoin::{Amount, FeeRate, OutPoint, ScriptBuf, Weight};

use crate::bitcoin::runes::Rune;

/// The sats that an output with runes carries at least.
pub const LEAST_RUNE_OUTPUT: Amount = Amount::from_sat(546);

/// The sats that an output with runes carries at most.
pub const MOST_RUNE_OUTPUT: Amount = Amount::from_sat(10_000);

/// Sats or runes to someone, in an output of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Bitcoin.
    Btc {
        /// How much; at least what is not dust for the script.
        sats: Amount,
        /// Who receives.
        to: ScriptBuf,
    },
    /// A rune, with [`Limits::rune_output`] sats.
    Rune {
        /// Which.
        rune: Rune,
        /// In its smallest unit; at least 1.
        amount: u128,
        /// Who receives.
        to: ScriptBuf,
    },
}

/// The transaction in the mempool that a plan replaces. For several of them: the sum of their
/// fees and the weight of the lightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// What it pays.
    pub fee: Amount,
    /// Its weight, signed.
    pub weight: Weight,
    /// What its descendants in the mempool pay together.
    pub descendants_fee: Amount,
}

/// Bounds of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most that the fee may be.
    pub fee_cap: Amount,
    /// What an output with runes carries, kept within [`LEAST_RUNE_OUTPUT`] and
    /// [`MOST_RUNE_OUTPUT`].
    pub rune_output: Amount,
    /// Change below this goes to the miner; never less than what is dust for its script.
    pub least_change: Amount,
    /// The most inputs.
    pub most_inputs: usize,
    /// How many inputs more than needed may be spent, where that saves fees later.
    pub consolidate: usize,
    /// What a weight unit costs at calm times: below it coins are merged, above it few are
    /// spent.
    pub long_term_fee_rate: FeeRate,
    /// The longest runestone script in bytes; nodes before Core 30 relay 83. `None`: any.
    pub most_runestone_bytes: Option<usize>,
    /// Coins that the user alone can spend in fewer blocks are left alone.
    pub least_blocks_left: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fee_cap: Amount::from_sat(100_000),
            rune_output: LEAST_RUNE_OUTPUT,
            least_change: Amount::from_sat(546),
            most_inputs: 100,
            consolidate: 8,
            long_term_fee_rate: FeeRate::from_sat_per_vb_u32(10),
            most_runestone_bytes: None,
            least_blocks_left: 0,
        }
    }
}

/// What a transaction is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who gets what; empty when everything goes to change.
    pub payments: Vec<Payment>,
    /// Bytes to commit to in an `OP_RETURN`.
    pub data: Option<[u8; 32]>,
    /// Who receives change, of runes and of bitcoin.
    pub change: ScriptBuf,
    /// The least fee rate.
    pub fee_rate: FeeRate,
    /// Coins to spend whatever else is spent: anchors. They come first, in this order.
    pub must_spend: Vec<OutPoint>,
    /// What the transaction replaces. Its coins are still among those given.
    pub replaces: Option<Replaced>,
    /// Bounds.
    pub limits: Limits,
}
