//! Partially signed transactions (BIP 174, version 0): issued to the user, checked when they come
//! back, co-signed and finalised.
//!
//! What counts is what was issued: the unsigned transaction and the outputs that it spends. Of
//! what comes back, only the user's signatures are kept.

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

use std::collections::{BTreeMap, HashSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{
    Amount, CompressedPublicKey, EcdsaSighashType, Psbt, PublicKey, Script, ScriptBuf, Transaction,
    TxOut, ecdsa, hashes::Hash, script::Builder, sighash::SighashCache,
};

pub use self::{
    check::{Refused, Verified, check},
    finalise::{
        BadPlatformSignature, FinaliseError, Role, ToSign, digests, finalise, platform_signature,
    },
    parse::{MAX_BYTES, NotAPsbt, parse},
};
use crate::{bitcoin::consensus, models::trading_wallet::TradingDescriptor};

/// Signatures by input: ECDSA, SIGHASH_ALL.
pub type Signatures = BTreeMap<usize, ecdsa::Signature>;

/// An output of the platform's treasury, which the platform spends alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treasury {
    /// Pay to witness public key hash (BIP 141).
    P2wpkh(CompressedPublicKey),
    /// `wsh(pk(KEY))`.
    P2wsh(CompressedPublicKey),
}

impl Treasury {
    /// The key that signs for it.
    pub fn key(&self) -> CompressedPublicKey {
        match self {
            Self::P2wpkh(key) | Self::P2wsh(key) => *key,
        }
    }

    /// What a payment to it pays to.
    pub fn script_pubkey(&self) -> ScriptBuf {
        match self {
            Self::P2wpkh(key) => ScriptBuf::new_p2wpkh(&key.wpubkey_hash()),
            Self::P2wsh(key) => pay_to_key(key).to_p2wsh(),
        }
    }

    /// The script behind the hash, where it pays to one.
    pub fn witness_script(&self) -> Option<ScriptBuf> {
        match self {
            Self::P2wpkh(_) => None,
            Self::P2wsh(key) => Some(pay_to_key(key)),
        }
    }
}

fn pay_to_key(key: &CompressedPublicKey) -> ScriptBuf {
    Builder::new()
        .push_slice(key.to_bytes())
        .push_opcode(bitcoin::opcodes::all::OP_CHECKSIG)
        .into_script()
}

/// Who signs for a coin.
// A handful of them exist at once.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The user and the platform.
    Trading(TradingDescriptor),
    /// The platform alone.
    Platform(Treasury),
}

impl Owner {
    /// What a payment to the owner pays to.
    pub fn script_pubkey(&self) -> ScriptBuf {
        match self {
            Self::Trading(wallet) => wallet.script_pubkey(),
            Self::Platform(treasury) => treasury.script_pubkey(),
        }
    }

    /// The script behind the hash, where it pays to one.
    pub fn witness_script(&self) -> Option<ScriptBuf> {
        match self {
            Self::Trading(wallet) => Some(wallet.witness_script()),
            Self::Platform(treasury) => treasury.witness_script(),
        }
    }

    /// The key that the platform signs with.
    pub fn platform_key(&self) -> PublicKey {
        match self {
            Self::Trading(wallet) => wallet.platform(),
            Self::Platform(treasury) => treasury.key().into(),
        }
    }
}

/// An output that a transaction spends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Its value and script, as the chain has them.
    pub txout: TxOut,
    /// Who signs for it.
    pub owner: Owner,
}

/// A PSBT as this service issues it, with what it knows of each input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
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
    /// It has no inputs, or there is not one spent output for each.
    #[error("{inputs} inputs, {spent} spent outputs")]
    InputCount {
        /// Inputs of the transaction.
        inputs: usize,
        /// Spent outputs given.
        spent: usize,
    },
    /// The output of an input is not known, or does not pay to its owner.
    #[error("input {input} spends an output of nobody known")]
    UnknownOwner {
        /// Position of the input.
        input: usize,
    },
    /// An input spends what an earlier one spends.
    #[error("input {input} spends the same output again")]
    SpentTwice {
        /// Position of the input.
        input: usize,
    },
    /// An input carries a script or a witness already.
    #[error("the transaction is not unsigned")]
    NotUnsigned,
    /// Its outputs are worth more than what it spends.
    #[error("it pays out more than it spends")]
    Overspent,
}

/// Makes the PSBT of an unsigned transaction; `spent` are the outputs that it spends, in input
/// order. Equal arguments give equal bytes.
///
/// An input states its output (`witness_utxo`), its witness script and SIGHASH_ALL. The previous
/// transaction is left out: the signature covers the value of each input (BIP 143), and this
/// service signs only its own values. There are no BIP 32 paths, for a trading address is made of
/// bare keys; so outputs carry nothing, since wallets know their change by its path.
///
/// # Errors
/// [`IssueError`].
pub fn issue(unsigned: &Transaction, spent: &[Spent]) -> Result<Issued, IssueError> {
    let inputs = unsigned.input.len();
    if inputs == 0 || inputs != spent.len() {
        return Err(IssueError::InputCount { inputs, spent: spent.len() });
    }
    let mut seen = HashSet::new();
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
    Ok(Issued { psbt, inputs, fee })
}

/// BIP 143's digest for SIGHASH_ALL; `None` where there is no such input, or a script that is
/// neither P2WPKH nor P2WSH.
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

impl Issued {
    /// The PSBT of a row of ours, with or without signatures; `owners` are those whose coins it
    /// may spend. Its outputs are believed: never one that came from outside.
    ///
    /// # Errors
    /// [`IssueError`].
    pub fn restore(stored: &Psbt, owners: &[Owner]) -> Result<Self, IssueError> {
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

    /// The unsigned transaction. Its txid is that of the signed one.
    pub fn transaction(&self) -> &Transaction {
        &self.psbt.unsigned_tx
    }

    /// The outputs that it spends, in input order.
    pub fn prevouts(&self) -> Vec<TxOut> {
        self.inputs.iter().map(|input| input.spent.txout.clone()).collect()
    }

    /// What it leaves to the miner.
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
