//! Partially signed transactions (BIP 174, version 0): issued to the user, checked when returned, co-signed
//! and finalised.
//!
//! The issued PSBT is authoritative: its unsigned transaction and the outputs it spends. Only the user's
//! signatures are taken from the returned one.

mod check;
mod finalise;
mod parse;

#[cfg(test)]
mod either_parity;
#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{
    Amount, CompressedPublicKey, EcdsaSighashType, Psbt, PublicKey, Script, ScriptBuf, Transaction,
    TxOut, ecdsa, hashes::Hash, sighash::SighashCache,
};
use shared::models::trading_wallet::TradingDescriptor;

pub use self::{
    check::{PsbtMismatch, Verified, check},
    finalise::{FinaliseError, Role, ToSign, digests, finalise},
    parse::{MAX_BYTES, NotAPsbt, parse},
};
use crate::bitcoin::consensus;

/// ECDSA signatures with SIGHASH_ALL, by input.
pub type Signatures = BTreeMap<usize, ecdsa::Signature>;

/// The signers of a coin.
// Only a handful of these exist at the same time.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOwner {
    /// The user and the platform together.
    Trading(TradingDescriptor),
    /// The platform alone: P2WPKH (BIP 141) of this key.
    Platform(CompressedPublicKey),
}

impl InputOwner {
    /// The script that a payment to the owner uses.
    pub fn script_pubkey(&self) -> ScriptBuf {
        match self {
            Self::Trading(wallet) => wallet.script_pubkey(),
            Self::Platform(key) => ScriptBuf::new_p2wpkh(&key.wpubkey_hash()),
        }
    }

    /// The script behind the hash, if it is P2WSH.
    pub fn witness_script(&self) -> Option<ScriptBuf> {
        match self {
            Self::Trading(wallet) => Some(wallet.witness_script()),
            Self::Platform(_) => None,
        }
    }

    /// The key that the platform signs with.
    pub fn platform_key(&self) -> PublicKey {
        match self {
            Self::Trading(wallet) => wallet.platform(),
            Self::Platform(key) => (*key).into(),
        }
    }
}

/// An output that a transaction spends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Its value and script, as in the chain.
    pub txout: TxOut,
    /// Its signers.
    pub owner: InputOwner,
}

/// An issued PSBT, and the owner of each input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedPsbt {
    psbt: Psbt,
    inputs: Vec<Input>,
    fee: Amount,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Input {
    spent: Spent,
    digest: [u8; 32],
}

/// Why a transaction is not issued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssueError {
    /// It has no inputs, or the number of spent outputs differs.
    #[error("{inputs} inputs, {spent} spent outputs")]
    InputCount {
        /// Number of inputs.
        inputs: usize,
        /// Number of spent outputs.
        spent: usize,
    },
    /// The output of an input is unknown, or does not pay its owner.
    #[error("input {input} spends an output of no known owner")]
    UnknownOwner {
        /// Index of the input.
        input: usize,
    },
    /// Two inputs spend the same output.
    #[error("input {input} spends the same output again")]
    SpentTwice {
        /// Index of the later input.
        input: usize,
    },
    /// An input already carries a script or a witness.
    #[error("the transaction is not unsigned")]
    NotUnsigned,
    /// Its outputs exceed its inputs.
    #[error("the outputs exceed the inputs")]
    Overspent,
}

/// Builds the PSBT of an unsigned transaction; `spent` are the spent outputs in input order. Equal arguments
/// give equal bytes.
///
/// Each input states its output (`witness_utxo`), its witness script and SIGHASH_ALL. It omits the previous
/// transaction: the signature covers the value of each input (BIP 143), and this service signs only values it
/// knows. There are no BIP 32 paths, because a trading address consists of bare keys; outputs therefore carry
/// nothing, since wallets recognise their change by its path.
pub fn issue(unsigned: &Transaction, spent: &[Spent]) -> Result<IssuedPsbt, IssueError> {
    let inputs = unsigned.input.len();
    if inputs == 0 || inputs != spent.len() {
        return Err(IssueError::InputCount { inputs, spent: spent.len() });
    }
    let mut seen = BTreeSet::new();
    for (input, txin) in unsigned.input.iter().enumerate() {
        if !seen.insert(txin.previous_output) {
            return Err(IssueError::SpentTwice { input });
        }
    }
    let mut psbt = Psbt::from_unsigned_tx(unsigned.clone()).map_err(|_| IssueError::NotUnsigned)?;
    let mut cache = SighashCache::new(unsigned);
    let mut inputs = Vec::with_capacity(spent.len());
    for (input, (fields, spent)) in psbt.inputs.iter_mut().zip(spent).enumerate() {
        let unknown = || IssueError::UnknownOwner { input };
        if spent.txout.script_pubkey != spent.owner.script_pubkey() {
            return Err(unknown());
        }
        let witness_script = spent.owner.witness_script();
        let digest = signature_hash(&mut cache, input, &spent.txout, witness_script.as_deref());
        let digest = digest.ok_or_else(unknown)?;
        fields.witness_utxo = Some(spent.txout.clone());
        fields.witness_script = witness_script;
        fields.sighash_type = Some(EcdsaSighashType::All.into());
        inputs.push(Input { spent: spent.clone(), digest });
    }
    let prevouts = spent.iter().map(|spent| &spent.txout);
    let fee = consensus::fee(unsigned, prevouts).ok_or(IssueError::Overspent)?;
    Ok(IssuedPsbt { psbt, inputs, fee })
}

/// BIP 143's digest for SIGHASH_ALL; `None` if there is no such input, or if its script is neither P2WPKH nor
/// P2WSH.
fn signature_hash(
    cache: &mut SighashCache<&Transaction>,
    input: usize,
    txout: &TxOut,
    witness_script: Option<&Script>,
) -> Option<[u8; 32]> {
    let TxOut { value, script_pubkey } = txout;
    let all = EcdsaSighashType::All;
    let sighash = match witness_script {
        Some(script) => cache.p2wsh_signature_hash(input, script, *value, all).ok(),
        None => cache.p2wpkh_signature_hash(input, script_pubkey, *value, all).ok(),
    };
    sighash.map(|sighash| sighash.to_byte_array())
}

impl IssuedPsbt {
    /// Restores the PSBT of a stored row, with or without signatures; `owners` are those whose coins it may
    /// spend. The outputs that it states are trusted, so never call this with a PSBT from outside.
    ///
    /// # Errors
    /// [`IssueError::UnknownOwner`] if an input lacks its output or none of `owners` owns it; otherwise as
    /// [`issue`].
    pub fn restore(stored: &Psbt, owners: &[InputOwner]) -> Result<Self, IssueError> {
        let spent = stored.inputs.iter().enumerate().map(|(input, fields)| {
            let txout = fields.witness_utxo.clone().ok_or(IssueError::UnknownOwner { input })?;
            let owner = owners.iter().find(|owner| owner.script_pubkey() == txout.script_pubkey);
            let owner = owner.ok_or(IssueError::UnknownOwner { input })?.clone();
            Ok(Spent { txout, owner })
        });
        issue(&stored.unsigned_tx, &spent.collect::<Result<Vec<_>, _>>()?)
    }

    /// The PSBT.
    pub fn psbt(&self) -> &Psbt {
        &self.psbt
    }

    /// The unsigned transaction. The signed one has the same txid.
    pub fn transaction(&self) -> &Transaction {
        &self.psbt.unsigned_tx
    }

    /// The outputs that it spends, in input order.
    pub fn prevouts(&self) -> Vec<TxOut> {
        self.inputs.iter().map(|input| input.spent.txout.clone()).collect()
    }

    /// The fee.
    pub fn fee(&self) -> Amount {
        self.fee
    }

    /// BIP 174's base64.
    pub fn to_base64(&self) -> String {
        to_base64(&self.psbt)
    }
}

fn to_base64(psbt: &Psbt) -> String {
    BASE64_STANDARD.encode(psbt.serialize())
}
