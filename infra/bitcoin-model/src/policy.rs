//! What a node relays: the rules of Bitcoin Core that the mempool adds to those of consensus.
//!
//! The only rule for scripts that is modelled is low S, not those against other wasteful scripts.
//! Transactions of version 3 (TRUC) and packages are not modelled either; both are refused.

use bitcoin::{Amount, FeeRate, Script, Transaction, TxOut, Txid, Weight, ecdsa};

use crate::consensus::{Invalid, Spendable};

const LARGEST: Weight = Weight::from_wu(400_000);
const SMALLEST: usize = 65;
const LONGEST_SCRIPT_SIG: usize = 1_650;
const LONGEST_WITNESS_SCRIPT: usize = 3_600;
const MOST_WITNESS_ITEMS: usize = 100;
const LONGEST_WITNESS_ITEM: usize = 80;
const MOST_SIGOPS: usize = 16_000;
const WEIGHT_OF_SIGOP: u64 = 20;
const ANNEX: u8 = 0x50;
const TAPSCRIPT: u8 = 0xc0;

/// How many unconfirmed relatives a transaction may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relatives {
    /// Ancestors and descendants are counted, itself included (until Bitcoin Core 30). A replacement must have a
    /// higher rate than each transaction that it conflicts with, and no new unconfirmed parents.
    Families {
        /// Most ancestors, and most descendants.
        count: usize,
        /// Most virtual bytes of either.
        vbytes: u64,
    },
    /// All connected transactions are counted (from Bitcoin Core 31 on). A replacement must improve the diagram
    /// of fees by size.
    Clusters {
        /// Most transactions.
        count: usize,
        /// Most virtual bytes.
        vbytes: u64,
    },
}

/// The settings of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Lowest rate of a transaction.
    pub min_relay: FeeRate,
    /// Rate that a replacement pays for its own size, on top of all fees that it replaces.
    pub incremental: FeeRate,
    /// Limits of relatives.
    pub relatives: Relatives,
    /// Most bytes in all scripts with `OP_RETURN` of a transaction.
    pub data_bytes: usize,
    /// Whether a transaction may have only one output with `OP_RETURN`.
    pub is_data_single: bool,
    /// Most virtual bytes in the mempool.
    pub capacity: u64,
    /// Seconds after which a transaction leaves the mempool.
    pub expiry: u32,
}

impl Policy {
    /// Bitcoin Core 29.0.
    pub const fn core_29() -> Self {
        Self {
            min_relay: FeeRate::from_sat_per_kwu(250),
            incremental: FeeRate::from_sat_per_kwu(250),
            data_bytes: 83,
            is_data_single: true,
            ..Self::core_30()
        }
    }

    /// Bitcoin Core 30.
    pub const fn core_30() -> Self {
        Self { relatives: Relatives::Families { count: 25, vbytes: 101_000 }, ..Self::core_31() }
    }

    /// Bitcoin Core 31, which the local world runs.
    pub const fn core_31() -> Self {
        Self {
            min_relay: FeeRate::from_sat_per_kwu(25),
            incremental: FeeRate::from_sat_per_kwu(25),
            relatives: Relatives::Clusters { count: 64, vbytes: 101_000 },
            data_bytes: 100_000,
            is_data_single: false,
            capacity: 100_000_000,
            expiry: 14 * 24 * 3_600,
        }
    }
}

/// Why a node refuses a transaction, in its words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is invalid, or not valid yet.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Only a block may contain a coinbase.
    #[error("coinbase")]
    Coinbase,
    /// Its version is not 1 or 2.
    #[error("version")]
    Version,
    /// It is too heavy to be relayed.
    #[error("tx-size")]
    TooHeavy,
    /// It is so small that it could pass as an inner node of a Merkle tree.
    #[error("tx-size-small")]
    TooSmall,
    /// The unlocking script of an input is too long.
    #[error("scriptsig-size")]
    LongScriptSig,
    /// The unlocking script of an input does more than to push data.
    #[error("scriptsig-not-pushonly")]
    ScriptSigNotPushOnly,
    /// The script of an output has an unknown form.
    #[error("scriptpubkey")]
    OddScript,
    /// It carries too much data.
    #[error("datacarrier")]
    TooMuchData,
    /// More than one output carries data.
    #[error("multi-op-return")]
    SeveralData,
    /// An output is worth less than it costs to spend.
    #[error("dust")]
    Dust,
    /// A spent output has an unknown form.
    #[error("bad-txns-nonstandard-inputs")]
    OddInput,
    /// A witness has an unusual form or size.
    #[error("bad-witness-nonstandard")]
    OddWitness,
    /// It checks too many signatures.
    #[error("bad-txns-too-many-sigops")]
    TooManySigops,
    /// A signature has a high S.
    #[error(
        "mempool-script-verify-flag-failed (Non-canonical signature: S value is unnecessarily high)"
    )]
    HighS,
    /// The very transaction is in the mempool.
    #[error("txn-already-in-mempool")]
    InMempool,
    /// The transaction is in the mempool with another witness.
    #[error("txn-same-nonwitness-data-in-mempool")]
    OtherWitness,
    /// A block contains it, and an output of it is unspent.
    #[error("txn-already-known")]
    AlreadyKnown,
    /// Its fee is below the floor of a mempool that was full.
    #[error("mempool min fee not met, {paid} < {wanted}")]
    BelowFloor {
        /// Its fee in sats.
        paid: u64,
        /// The lowest fee in sats.
        wanted: u64,
    },
    /// Its fee is below the lowest rate.
    #[error("min relay fee not met, {paid} < {wanted}")]
    BelowMinimum {
        /// Its fee in sats.
        paid: u64,
        /// The lowest fee in sats.
        wanted: u64,
    },
    /// It replaces transactions, and pays too little for that.
    #[error("insufficient fee, {0}")]
    InsufficientFee(InsufficientFee),
    /// It would replace too much.
    #[error("too many potential replacements")]
    TooManyReplaced,
    /// It replaces transactions, and spends an unconfirmed output that they do not.
    #[error("replacement-adds-unconfirmed")]
    AddsUnconfirmed,
    /// It replaces transactions without a better diagram of fees.
    #[error("replacement-failed, insufficient feerate: does not improve feerate diagram")]
    NoBetterDiagram,
    /// It spends what it replaces.
    #[error("bad-txns-spends-conflicting-tx")]
    SpendsConflict,
    /// It leaves dust of an unconfirmed parent unspent.
    #[error("missing-ephemeral-spends")]
    LeavesDust,
    /// It has too many unconfirmed relatives (until Bitcoin Core 30).
    #[error("too-long-mempool-chain")]
    LongChain,
    /// It has too many unconfirmed relatives (from Bitcoin Core 31 on).
    #[error("too-large-cluster")]
    LargeCluster,
    /// The mempool is full of better transactions.
    #[error("mempool full")]
    Full,
}

/// What is wrong with the fee of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InsufficientFee {
    /// Its rate is not higher than that of a transaction that it conflicts with.
    #[error("rejecting replacement; new feerate not higher than that of {0}")]
    Rate(Txid),
    /// It pays less than what it replaces.
    #[error("rejecting replacement, less fees than conflicting txs; {paid} < {replaced}")]
    Less {
        /// Its fee.
        paid: Amount,
        /// The fees of all that it replaces.
        replaced: Amount,
    },
    /// It does not pay for its own size.
    #[error("rejecting replacement, not enough additional fees to relay; {more} < {wanted}")]
    NotEnoughMore {
        /// The additional fee that it pays.
        more: Amount,
        /// The additional fee that it would have to pay.
        wanted: Amount,
    },
}

impl Refusal {
    /// The name of the reason, without its details.
    pub fn reason(&self) -> String {
        let text = self.to_string();
        text.split_once(", ").map_or(text.clone(), |(reason, _)| reason.to_owned())
    }

    /// Error code of the node's RPC.
    pub fn code(&self) -> i32 {
        if *self == Self::Invalid(Invalid::MissingInputs) { -25 } else { -26 }
    }
}

/// Checks the form of a transaction without its inputs.
pub fn check_form(policy: &Policy, transaction: &Transaction) -> Result<(), Refusal> {
    if !(1..=2).contains(&transaction.version.0) {
        return Err(Refusal::Version);
    }
    if transaction.weight() > LARGEST {
        return Err(Refusal::TooHeavy);
    }
    for input in &transaction.input {
        if input.script_sig.len() > LONGEST_SCRIPT_SIG {
            return Err(Refusal::LongScriptSig);
        }
        if !input.script_sig.is_push_only() {
            return Err(Refusal::ScriptSigNotPushOnly);
        }
    }
    check_outputs(policy, &transaction.output)?;
    if transaction.base_size() < SMALLEST {
        return Err(Refusal::TooSmall);
    }
    Ok(())
}

fn check_outputs(policy: &Policy, outputs: &[TxOut]) -> Result<(), Refusal> {
    let (mut data, mut left) = (0_usize, policy.data_bytes);
    for output in outputs {
        let script = &output.script_pubkey;
        if is_data(script) {
            data = data.saturating_add(1);
            // If each output has its own limit, a script that is too long counts as one of unknown form.
            let refusal =
                if policy.is_data_single { Refusal::OddScript } else { Refusal::TooMuchData };
            left = if policy.is_data_single { policy.data_bytes } else { left };
            left = left.checked_sub(script.len()).ok_or(refusal)?;
        } else if !is_standard(script) {
            return Err(Refusal::OddScript);
        }
    }
    if outputs.iter().filter(|output| is_dust(output)).count() > 1 {
        return Err(Refusal::Dust);
    }
    if policy.is_data_single && data > 1 { Err(Refusal::SeveralData) } else { Ok(()) }
}

fn is_data(script: &Script) -> bool {
    script.is_op_return()
        && Script::from_bytes(script.as_bytes().get(1..).unwrap_or_default()).is_push_only()
}

fn is_standard(script: &Script) -> bool {
    script.is_p2pkh()
        || script.is_p2sh()
        || script.is_witness_program()
        || script.is_p2pk()
        || is_small_multisig(script)
}

fn is_anchor(script: &Script) -> bool {
    script.as_bytes() == [0x51, 0x02, 0x4e, 0x73]
}

fn is_small_multisig(script: &Script) -> bool {
    const PUSHNUM_1: u8 = 0x51;
    const PUSHNUM_3: u8 = 0x53;
    let mut end = script.as_bytes().iter().rev().skip(1);
    script.is_multisig() && end.next().is_some_and(|keys| (PUSHNUM_1..=PUSHNUM_3).contains(keys))
}

/// Whether an output is worth less than it costs to spend.
pub fn is_dust(output: &TxOut) -> bool {
    !output.script_pubkey.is_op_return() && output.value < output.script_pubkey.minimal_non_dust()
}

/// Checks the inputs of a transaction against the outputs that they spend.
///
/// # Errors
/// [`Refusal::OddInput`] if it spends a nonstandard output; [`Refusal::OddWitness`] if a witness is not the
/// usual one of its output.
pub fn check_inputs(transaction: &Transaction, spent: &[Spendable]) -> Result<(), Refusal> {
    for coin in spent {
        let script = &coin.output.script_pubkey;
        let is_known = script.is_p2wpkh() || script.is_p2wsh() || script.is_p2tr();
        let is_unknown = script.is_witness_program() && !is_known && !is_anchor(script);
        if !is_standard(script) || is_unknown {
            return Err(Refusal::OddInput);
        }
    }
    let is_odd = transaction.input.iter().zip(spent).any(|(input, coin)| {
        let items: Vec<&[u8]> = input.witness.iter().collect();
        !items.is_empty() && !is_usual(&coin.output.script_pubkey, &items)
    });
    if is_odd { Err(Refusal::OddWitness) } else { Ok(()) }
}

/// Whether a witness has the usual form and size. Nested scripts (P2SH) count as usual.
fn is_usual(script: &Script, witness: &[&[u8]]) -> bool {
    let is_short = |items: &[&[u8]]| items.iter().all(|item| item.len() <= LONGEST_WITNESS_ITEM);
    match witness {
        [items @ .., last] if script.is_p2wsh() => {
            last.len() <= LONGEST_WITNESS_SCRIPT
                && items.len() <= MOST_WITNESS_ITEMS
                && is_short(items)
        }
        [_, .., last] if script.is_p2tr() && last.first() == Some(&ANNEX) => false,
        [items @ .., _script, control] if script.is_p2tr() => {
            control.first().is_some_and(|first| first & 0xfe != TAPSCRIPT || is_short(items))
        }
        _ => script.is_witness_program() && !is_anchor(script) || script.is_p2sh(),
    }
}

/// Refuses signatures with a high S, which consensus allows.
///
/// # Errors
/// [`Refusal::HighS`] if there is one.
pub fn check_signatures(transaction: &Transaction, spent: &[Spendable]) -> Result<(), Refusal> {
    let is_high = |bytes: &[u8]| {
        ecdsa::Signature::from_slice(bytes).is_ok_and(|signature| {
            let mut low = signature.signature;
            low.normalize_s();
            low != signature.signature
        })
    };
    let is_any_high = transaction.input.iter().zip(spent).any(|(input, coin)| {
        let mut pushes = input.script_sig.instructions().flatten();
        let is_schnorr = coin.output.script_pubkey.is_p2tr();
        pushes.any(|one| one.push_bytes().is_some_and(|push| is_high(push.as_bytes())))
            || !is_schnorr && input.witness.iter().any(is_high)
    });
    if is_any_high { Err(Refusal::HighS) } else { Ok(()) }
}

/// The weight that fees are paid for: signature checks count as well.
///
/// # Errors
/// [`Refusal::TooManySigops`] if there are more than a standard transaction may have.
pub fn weigh(transaction: &Transaction, spent: &[Spendable]) -> Result<Weight, Refusal> {
    let find = |outpoint: &bitcoin::OutPoint| {
        let mut inputs = transaction.input.iter().zip(spent);
        let found = inputs.find(|(input, _)| input.previous_output == *outpoint);
        found.map(|(_, coin)| coin.output.clone())
    };
    let sigops = transaction.total_sigop_cost(find);
    if sigops > MOST_SIGOPS {
        return Err(Refusal::TooManySigops);
    }
    let least = u64::try_from(sigops).unwrap_or(u64::MAX).saturating_mul(WEIGHT_OF_SIGOP);
    Ok(transaction.weight().max(Weight::from_wu(least)))
}
