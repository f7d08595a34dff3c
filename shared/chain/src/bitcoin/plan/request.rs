//! What a transaction has to do, and its limits.

use bitcoin::{Amount, FeeRate, OutPoint, ScriptBuf, Weight};

use crate::bitcoin::runes::Rune;

/// Least sats of an output with runes.
pub const LEAST_RUNE_OUTPUT: Amount = Amount::from_sat(546);

/// Sats of the pool's own outputs with runes. If only the most valuable coins of an address can be read, an
/// attacker has to spend more than this on each coin with which to hide one of these (custody rule 29).
pub const OWN_RUNE_OUTPUT: Amount = Amount::from_sat(2_000);

/// Most sats of an output with runes.
pub const MOST_RUNE_OUTPUT: Amount = Amount::from_sat(10_000);

/// A payment of sats or runes, in an output of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Bitcoin.
    Btc {
        /// At least the script's dust limit.
        sats: Amount,
        /// The recipient's script.
        to: ScriptBuf,
    },
    /// A rune, with [`Limits::rune_output`] sats, or [`Limits::own_rune_output`] if it pays the change script.
    Rune {
        /// The rune.
        rune: Rune,
        /// In its smallest unit; at least 1.
        amount: u128,
        /// The recipient's script.
        to: ScriptBuf,
    },
}

/// The mempool transaction that a plan replaces. If there are several: the sum of their fees and the weight
/// of the lightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Its fee.
    pub fee: Amount,
    /// Weight once signed.
    pub weight: Weight,
    /// Total fee of its descendants in the mempool.
    pub descendants_fee: Amount,
}

/// The fee of a weight at this rate, but at least enough to replace earlier versions (BIP 125, rules 3 and 4,
/// and the higher rate that nodes require).
pub fn fee_to_replace(replaced: Option<Replaced>, weight: Weight, rate: FeeRate) -> Amount {
    let weight = weight.to_wu();
    let asked = rate.to_sat_per_kwu().saturating_mul(weight).div_ceil(1_000);
    let Some(old) = replaced else { return Amount::from_sat(asked) };
    let old_fee = old.fee.to_sat().saturating_add(old.descendants_fee.to_sat());
    let old_weight = old.weight.to_wu().max(1);
    let relayed = old_fee.saturating_add(weight.div_ceil(4)).saturating_add(1);
    let dearer = old_fee.saturating_mul(weight).div_ceil(old_weight).saturating_add(1);
    Amount::from_sat(asked.max(relayed).max(dearer))
}

/// Limits of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The highest fee.
    pub fee_cap: Amount,
    /// Sats of an output with runes that pays others, clamped to [`LEAST_RUNE_OUTPUT`] and
    /// [`MOST_RUNE_OUTPUT`].
    pub rune_output: Amount,
    /// The same for an output that pays the change script.
    pub own_rune_output: Amount,
    /// Change below this goes to the miner; at least the dust limit of its script.
    pub least_change: Amount,
    /// Most inputs.
    pub most_inputs: usize,
    /// How many inputs may be added to the necessary ones if that saves fees later.
    pub consolidate: usize,
    /// The fee rate of calm times: below it coins are merged, above it as few as possible are spent.
    pub long_term_fee_rate: FeeRate,
    /// The longest runestone script in bytes; nodes before Core 30 relay 83. `None`: no limit.
    pub most_runestone_bytes: Option<usize>,
    /// The plan does not use coins that the user alone can spend in fewer blocks than this.
    pub least_blocks_left: u32,
    /// Whether one edict may give the same amount of a rune to every output if the runestone would otherwise
    /// be too long. Only for a transaction that a platform wallet pays alone: change gets that amount too
    /// (custody rule 10).
    pub one_edict_for_all: bool,
    /// Whether coins that must be spent may hold runes that are not paid. Such runes go to rune change.
    pub unpaid_runes: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fee_cap: Amount::from_sat(100_000),
            rune_output: LEAST_RUNE_OUTPUT,
            own_rune_output: LEAST_RUNE_OUTPUT,
            least_change: Amount::from_sat(546),
            most_inputs: 100,
            consolidate: 8,
            long_term_fee_rate: FeeRate::from_sat_per_vb_u32(10),
            most_runestone_bytes: None,
            least_blocks_left: 0,
            one_edict_for_all: false,
            unpaid_runes: false,
        }
    }
}

/// What a transaction has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The payments; empty if everything goes to change.
    pub payments: Vec<Payment>,
    /// Bytes to commit to in an `OP_RETURN`.
    pub data: Option<[u8; 32]>,
    /// The script that receives change of runes and bitcoin.
    pub change: ScriptBuf,
    /// The least fee rate.
    pub fee_rate: FeeRate,
    /// Coins that must be spent: anchors. They come first, in this order.
    pub must_spend: Vec<OutPoint>,
    /// The transaction to replace. Its coins are among the given ones.
    pub replaces: Option<Replaced>,
    /// The limits.
    pub limits: Limits,
}
