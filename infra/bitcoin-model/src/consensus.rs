//! The consensus rules that depend on transactions and on their place in a chain. Scripts run in Bitcoin Core's
//! own code (libbitcoinconsensus).

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::c_uint,
};

use bitcoin::{
    Amount, Block, OutPoint, Transaction, TxOut, Weight, absolute::LockTime, consensus::serialize,
    script::Builder,
};
use bitcoinconsensus::Utxo;

use crate::chain::{Chain, MATURITY};

/// Largest weight of a block.
pub const MOST_WEIGHT: Weight = Weight::MAX_BLOCK;

/// Why a transaction is invalid, in the node's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Invalid {
    /// It has no inputs.
    #[error("bad-txns-vin-empty")]
    NoInputs,
    /// It has no outputs.
    #[error("bad-txns-vout-empty")]
    NoOutputs,
    /// It is larger than a block.
    #[error("bad-txns-oversize")]
    TooLarge,
    /// An output, or their sum, exceeds the money supply.
    #[error("bad-txns-txouttotal-toolarge")]
    TooMuch,
    /// It spends an output twice.
    #[error("bad-txns-inputs-duplicate")]
    DuplicateInputs,
    /// An input spends nothing, as only those of coinbases do.
    #[error("bad-txns-prevout-null")]
    NullInput,
    /// An output that it spends does not exist, or is spent.
    #[error("bad-txns-inputs-missingorspent")]
    MissingInputs,
    /// It spends a coinbase too early.
    #[error("bad-txns-premature-spend-of-coinbase")]
    Immature,
    /// Its outputs exceed its inputs.
    #[error("bad-txns-in-belowout")]
    Overspent,
    /// Its lock time has not passed.
    #[error("non-final")]
    NotFinal,
    /// A relative lock of an input has not passed (BIP 68).
    #[error("non-BIP68-final")]
    SequenceLocked,
    /// The script of a spent output rejects its input.
    #[error("mandatory-script-verify-flag-failed")]
    Script,
}

/// Why a block is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The block below is unknown.
    #[error("the block below is unknown")]
    Orphan,
    /// The header lacks work, or is not later than the median of the blocks below.
    #[error("the header is invalid")]
    Header,
    /// A root does not match the transactions, or the coinbase lacks its form.
    #[error("the block is malformed")]
    Malformed,
    /// The coinbase pays more than subsidy and fees.
    #[error("the coinbase pays too much")]
    Overpaid,
    /// A transaction is invalid.
    #[error("transaction {index}: {source}")]
    Transaction {
        /// Its index in the block.
        index: usize,
        /// The reason.
        source: Invalid,
    },
}

/// Checks what needs no chain.
pub fn check_form(transaction: &Transaction) -> Result<(), Invalid> {
    if transaction.input.is_empty() {
        return Err(Invalid::NoInputs);
    }
    if transaction.output.is_empty() {
        return Err(Invalid::NoOutputs);
    }
    let stripped = u64::try_from(transaction.base_size()).unwrap_or(u64::MAX);
    if stripped.saturating_mul(Weight::WITNESS_SCALE_FACTOR) > MOST_WEIGHT.to_wu() {
        return Err(Invalid::TooLarge);
    }
    sum(&transaction.output).ok_or(Invalid::TooMuch)?;
    let mut seen = BTreeSet::new();
    if !transaction.input.iter().all(|input| seen.insert(input.previous_output)) {
        return Err(Invalid::DuplicateInputs);
    }
    let is_null = transaction.input.iter().any(|input| input.previous_output.is_null());
    if is_null && !transaction.is_coinbase() { Err(Invalid::NullInput) } else { Ok(()) }
}

/// The sum of outputs; `None` if it exceeds the money supply.
pub fn sum<'a>(outputs: impl IntoIterator<Item = &'a TxOut>) -> Option<Amount> {
    outputs.into_iter().try_fold(Amount::ZERO, |sum, output| {
        sum.checked_add(output.value).filter(|sum| *sum <= Amount::MAX_MONEY)
    })
}

/// An output to spend, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spendable {
    /// Value and script.
    pub output: TxOut,
    /// Height of its block; the next block's if it is in none yet.
    pub height: u32,
    /// Whether a coinbase created it.
    pub is_coinbase: bool,
}

/// Checks a transaction that the block on top of a chain may contain, except for its scripts. Returns its fee.
///
/// # Errors
/// [`Invalid::Immature`] if it spends a coinbase too early; [`Invalid::TooMuch`] if a sum overflows;
/// [`Invalid::Overspent`] if it pays more than it spends.
pub fn check_inputs(
    chain: &Chain,
    transaction: &Transaction,
    spent: &[Spendable],
) -> Result<Amount, Invalid> {
    let next = chain.height().saturating_add(1);
    let is_young = |coin: &Spendable| next.saturating_sub(coin.height) < MATURITY;
    if spent.iter().any(|coin| coin.is_coinbase && is_young(coin)) {
        return Err(Invalid::Immature);
    }
    let held = sum(spent.iter().map(|coin| &coin.output)).ok_or(Invalid::TooMuch)?;
    let paid = sum(&transaction.output).ok_or(Invalid::TooMuch)?;
    held.checked_sub(paid).ok_or(Invalid::Overspent)
}

/// Whether the lock time has passed for the block on top of a chain (BIP 113).
pub fn is_final(chain: &Chain, transaction: &Transaction) -> bool {
    let reached = match transaction.lock_time {
        LockTime::Blocks(_) => chain.height().saturating_add(1),
        LockTime::Seconds(_) => chain.median_time(chain.height()),
    };
    transaction.lock_time.to_consensus_u32() < reached
        || transaction.input.iter().all(|input| input.sequence.is_final())
}

/// Whether the relative locks of all inputs have passed for the block on top of a chain (BIP 68).
pub fn is_unlocked(chain: &Chain, transaction: &Transaction, spent: &[Spendable]) -> bool {
    const DISABLED: u32 = 1 << 31;
    const IN_TIME: u32 = 1 << 22;
    const MASK: u32 = 0xffff;
    const GRANULARITY: u32 = 512;
    if transaction.version.0.cast_unsigned() < 2 {
        return true;
    }
    let next = chain.height().saturating_add(1);
    transaction.input.iter().zip(spent).all(|(input, coin)| {
        let sequence = input.sequence.0;
        let wanted = sequence & MASK;
        if sequence & DISABLED != 0 {
            true
        } else if sequence & IN_TIME == 0 {
            coin.height.saturating_add(wanted) <= next
        } else {
            let from = chain.median_time(coin.height.saturating_sub(1));
            let end = from.saturating_add(wanted.saturating_mul(GRANULARITY));
            end <= chain.median_time(chain.height())
        }
    })
}

/// Runs the script of every input. `spent` are the outputs in input order.
///
/// # Errors
/// [`Invalid::Script`] if a script fails.
pub fn run_scripts(transaction: &Transaction, spent: &[Spendable]) -> Result<(), Invalid> {
    let utxo = |coin: &Spendable| {
        let script = coin.output.script_pubkey.as_bytes();
        Some(Utxo {
            script_pubkey: script.as_ptr(),
            script_pubkey_len: c_uint::try_from(script.len()).ok()?,
            value: i64::try_from(coin.output.value.to_sat()).ok()?,
        })
    };
    let utxos = spent.iter().map(utxo).collect::<Option<Vec<_>>>().ok_or(Invalid::Script)?;
    let bytes = serialize(transaction);
    for (index, coin) in spent.iter().enumerate() {
        let (script, value) = (coin.output.script_pubkey.as_bytes(), coin.output.value.to_sat());
        bitcoinconsensus::verify(script, value, &bytes, Some(&utxos), index)
            .map_err(|_| Invalid::Script)?;
    }
    Ok(())
}

/// Checks a block on top of a chain without a mempool; the caller checks the header's work and link. Scripts
/// are run, except those of transactions for which `is_known` is true.
pub fn check_block(
    chain: &Chain,
    block: &Block,
    subsidy: Amount,
    is_known: impl Fn(&Transaction) -> bool,
) -> Result<(), BlockError> {
    let height = chain.height().saturating_add(1);
    let (coinbase, others) = block.txdata.split_first().ok_or(BlockError::Malformed)?;
    let is_well_formed = coinbase.is_coinbase()
        && !others.iter().any(Transaction::is_coinbase)
        && block.weight() <= MOST_WEIGHT
        && block.check_merkle_root()
        && block.check_witness_commitment()
        && names_height(coinbase, height);
    if !is_well_formed {
        return Err(BlockError::Malformed);
    }
    let (mut fees, mut gone) = (Amount::ZERO, BTreeSet::new());
    let mut fresh: BTreeMap<OutPoint, &TxOut> = BTreeMap::new();
    for (index, transaction) in block.txdata.iter().enumerate() {
        let fault = |source| BlockError::Transaction { index, source };
        check_form(transaction).map_err(fault)?;
        if !is_final(chain, transaction) {
            return Err(fault(Invalid::NotFinal));
        }
        if index > 0 {
            let mut spent = Vec::with_capacity(transaction.input.len());
            for input in &transaction.input {
                let outpoint = input.previous_output;
                let coin = match fresh.get(&outpoint) {
                    Some(output) => {
                        Some(Spendable { output: (*output).clone(), height, is_coinbase: false })
                    }
                    None => spendable(chain, &outpoint),
                };
                let coin = coin.filter(|_| gone.insert(outpoint));
                spent.push(coin.ok_or_else(|| fault(Invalid::MissingInputs))?);
            }
            let fee = check_inputs(chain, transaction, &spent).map_err(fault)?;
            fees = fees.checked_add(fee).ok_or(BlockError::Overpaid)?;
            if !is_unlocked(chain, transaction, &spent) {
                return Err(fault(Invalid::SequenceLocked));
            }
            if !is_known(transaction) {
                run_scripts(transaction, &spent).map_err(fault)?;
            }
            let txid = transaction.compute_txid();
            let outputs = (0..).zip(&transaction.output);
            fresh.extend(outputs.map(|(vout, output)| (OutPoint { txid, vout }, output)));
        }
    }
    let paid = sum(&coinbase.output).ok_or(BlockError::Overpaid)?;
    let most = subsidy.checked_add(fees).ok_or(BlockError::Overpaid)?;
    if paid > most { Err(BlockError::Overpaid) } else { Ok(()) }
}

/// Whether a coinbase starts with the height of its block (BIP 34).
fn names_height(coinbase: &Transaction, height: u32) -> bool {
    let height = Builder::new().push_int(i64::from(height)).into_script();
    let mut scripts = coinbase.input.iter().map(|input| input.script_sig.as_bytes());
    scripts.all(|script| script.starts_with(height.as_bytes()))
}

/// The output at an outpoint, if a transaction in the next block may spend it. The mempool may create it, and
/// may spend it as well.
pub fn spendable(chain: &Chain, outpoint: &OutPoint) -> Option<Spendable> {
    let (output, height) = chain.unspent_output(outpoint)?;
    let is_coinbase = chain.transaction(&outpoint.txid)?.is_coinbase();
    let height = height.unwrap_or_else(|| chain.height().saturating_add(1));
    Some(Spendable { output: output.clone(), height, is_coinbase })
}
