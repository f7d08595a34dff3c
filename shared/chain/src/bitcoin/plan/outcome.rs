//! A planned transaction.

use bitcoin::{Amount, FeeRate, Transaction, Weight};

use crate::bitcoin::{coins::Coin, runes::Flow};

/// The purpose of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The runestone.
    Runestone,
    /// Leftover runes; the runestone's pointer points here.
    RuneChange,
    /// The payment with this index in the request.
    Recipient(usize),
    /// The committed data.
    Data,
    /// Leftover bitcoin.
    Change,
}

/// A transaction to sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Unsigned, version 2. The lock time is 0, so the same request and coins give the same txid at any
    /// height. Every input signals replaceability (BIP 125).
    pub transaction: Transaction,
    /// The coins spent, in the order of the inputs.
    pub inputs: Vec<Coin>,
    /// The purpose of each output, in order.
    pub outputs: Vec<Role>,
    /// The fee.
    pub fee: Amount,
    /// The weight of the signed transaction.
    pub weight: Weight,
    /// The fee divided by the weight in whole vbytes, rounded down.
    pub fee_rate: FeeRate,
    /// The amounts that each output receives, which [`flow`](crate::bitcoin::runes::flow) must reproduce
    /// before each signature.
    pub promised: Flow,
}
