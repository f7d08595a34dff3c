//! Compares a returned PSBT with the issued one.

use std::collections::BTreeMap;

use bitcoin::{
    EcdsaSighashType, Psbt, PublicKey, Transaction, ecdsa,
    psbt::{self, raw},
    secp256k1::{Message, Secp256k1, Verification},
};
use shared::{models::trading_wallet::TradingDescriptor, problem::Params};

use super::{Input, InputOwner, IssuedPsbt, Signatures, to_base64};

/// Key types of version 2 (BIP 370), which a version 0 PSBT must not have: they restate the transaction.
const GLOBAL_VERSION_2: &[u8] = &[0x02, 0x03, 0x04, 0x05, 0x06];
const INPUT_VERSION_2: &[u8] = &[0x0e, 0x0f, 0x10, 0x11, 0x12];
const OUTPUT_VERSION_2: &[u8] = &[0x03, 0x04];

/// Why a returned PSBT is refused. Indexes count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PsbtMismatch {
    /// No input belongs to this wallet.
    #[error("No input of the transaction belongs to this wallet.")]
    NothingToSign,
    /// The transaction's version differs.
    #[error("The version of the transaction was changed.")]
    VersionChanged,
    /// The lock time differs.
    #[error("The lock time of the transaction was changed.")]
    LockTimeChanged,
    /// There are more inputs than issued.
    #[error("An input was added to the transaction.")]
    InputAdded,
    /// There are fewer inputs than issued.
    #[error("An input was removed from the transaction.")]
    InputRemoved,
    /// An input spends another output.
    #[error("Input {input} spends a different coin than issued.")]
    InputSwapped {
        /// Index of the input.
        input: usize,
    },
    /// An input has another sequence number.
    #[error("The sequence number of input {input} was changed.")]
    SequenceChanged {
        /// Index of the input.
        input: usize,
    },
    /// There are more outputs than issued.
    #[error("An output was added to the transaction.")]
    OutputAdded,
    /// There are fewer outputs than issued.
    #[error("An output was removed from the transaction.")]
    OutputRemoved,
    /// An output has a different value or script.
    #[error("Output {output} was changed.")]
    OutputChanged {
        /// Index of the output.
        output: usize,
    },
    /// An input states a different value or script than the issued one.
    #[error("Input {input} states another value or script than the coin that it spends has.")]
    PrevoutContradicted {
        /// Index of the input.
        input: usize,
    },
    /// An input states a different witness script than the issued one.
    #[error("Input {input} states another witness script than issued.")]
    ScriptContradicted {
        /// Index of the input.
        input: usize,
    },
    /// An input carries a final script or witness. Without the platform's signature it cannot be final.
    #[error("Input {input} is finalised. Return the PSBT with signatures only.")]
    Finalised {
        /// Index of the input.
        input: usize,
    },
    /// A field that this transaction cannot have.
    #[error("The PSBT has the field {field}, which is not allowed in this transaction.")]
    SurprisingField {
        /// Name of the field in its BIP.
        field: &'static str,
    },
    /// A sighash type other than SIGHASH_ALL is requested or signed.
    #[error("The signature of input {input} must use SIGHASH_ALL.")]
    WrongSighash {
        /// Index of the input.
        input: usize,
    },
    /// An input of the user has no signature.
    #[error("Input {input} is not signed.")]
    MissingSignature {
        /// Index of the input.
        input: usize,
    },
    /// An input of the user is signed by both of the user's keys; the script takes only one signature.
    #[error("Input {input} is signed with two keys. Sign it with one.")]
    SignedTwice {
        /// Index of the input.
        input: usize,
    },
    /// An input of the user is signed by another key.
    #[error("Input {input} is signed with another key than the account's.")]
    WrongKey {
        /// Index of the input.
        input: usize,
    },
    /// The signature is not the user's, or not for this transaction.
    #[error("The signature of input {input} is not valid for this transaction.")]
    BadSignature {
        /// Index of the input.
        input: usize,
    },
}

impl PsbtMismatch {
    /// The numbers and names that the sentence mentions.
    pub fn params(&self) -> Params {
        let place = |name: &str, place: usize| {
            Params::new().number(name, u64::try_from(place).unwrap_or(u64::MAX))
        };
        match self {
            Self::InputSwapped { input }
            | Self::SequenceChanged { input }
            | Self::PrevoutContradicted { input }
            | Self::ScriptContradicted { input }
            | Self::Finalised { input }
            | Self::WrongSighash { input }
            | Self::MissingSignature { input }
            | Self::SignedTwice { input }
            | Self::WrongKey { input }
            | Self::BadSignature { input } => place("input", *input),
            Self::OutputChanged { output } => place("output", *output),
            Self::SurprisingField { field } => Params::new().text("field", field),
            Self::NothingToSign
            | Self::VersionChanged
            | Self::LockTimeChanged
            | Self::InputAdded
            | Self::InputRemoved
            | Self::OutputAdded
            | Self::OutputRemoved => Params::new(),
        }
    }
}

/// The issued PSBT with the user's valid signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    issued: IssuedPsbt,
    signatures: Signatures,
}

impl Verified {
    /// The issued PSBT.
    pub fn issued(&self) -> &IssuedPsbt {
        &self.issued
    }

    /// The user's signatures, with low S.
    pub fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// The issued PSBT with the user's signatures and nothing else. [`check`] accepts it again with the same
    /// result.
    pub fn to_psbt(&self) -> Psbt {
        let secp = Secp256k1::verification_only();
        let mut psbt = self.issued.psbt.clone();
        for (input, (fields, ours)) in psbt.inputs.iter_mut().zip(&self.issued.inputs).enumerate() {
            if let (Some(signature), InputOwner::Trading(wallet)) =
                (self.signatures.get(&input), &ours.spent.owner)
                && let Some((_, key)) = signer(&secp, wallet, signature, &ours.digest)
            {
                fields.partial_sigs.insert(key, *signature);
            }
        }
        psbt
    }

    /// [`to_psbt`](Self::to_psbt) in BIP 174's base64.
    pub fn to_base64(&self) -> String {
        to_base64(&self.to_psbt())
    }
}

/// Checks a returned PSBT: the transaction is the issued one, nothing contradicts the issued PSBT, and the
/// user has signed every input of `wallet`, with SIGHASH_ALL, each by exactly one of the user's keys.
///
/// Fields may be missing; the issued ones apply. BIP 32 paths, global xpubs, proprietary and unknown keys,
/// signatures of inputs of other owners, which wallets that sign every input add, and all output fields are
/// silently dropped, because they do not change what is signed. The check refuses
/// final scripts, since the platform has not signed yet, and fields that no input of this service has: redeem
/// scripts, preimages, Taproot fields, fields of PSBT version 2, and signatures of other keys. A high S is
/// normalised, since no mempool accepts it.
pub fn check(
    issued: &IssuedPsbt,
    returned: &Psbt,
    wallet: &TradingDescriptor,
) -> Result<Verified, PsbtMismatch> {
    same_transaction(issued.transaction(), &returned.unsigned_tx)?;
    if returned.inputs.len() != issued.inputs.len() {
        return Err(PsbtMismatch::InputRemoved);
    }
    refuse_keys(&returned.unknown, GLOBAL_VERSION_2, "a global field of PSBT version 2")?;
    for fields in &returned.outputs {
        refuse_keys(&fields.unknown, OUTPUT_VERSION_2, "an output field of PSBT version 2")?;
    }
    let secp = Secp256k1::verification_only();
    let mut signatures = Signatures::new();
    for (input, (ours, fields)) in issued.inputs.iter().zip(&returned.inputs).enumerate() {
        same_prevout(issued, input, ours, fields)?;
        no_surprise(input, fields)?;
        if !matches!(&ours.spent.owner, InputOwner::Trading(owner) if owner == wallet) {
            continue;
        }
        let (key, signature) = single_signature(input, &fields.partial_sigs, wallet)?;
        let signature = low_s(signature);
        if !is_valid(&secp, &signature, &ours.digest, &key) {
            return Err(PsbtMismatch::BadSignature { input });
        }
        signatures.insert(input, signature);
    }
    if signatures.is_empty() {
        return Err(PsbtMismatch::NothingToSign);
    }
    Ok(Verified { issued: issued.clone(), signatures })
}

/// Compares the transactions. If they are equal, so are their bytes: neither has scripts or witnesses, and
/// the rest has a unique encoding.
fn same_transaction(ours: &Transaction, theirs: &Transaction) -> Result<(), PsbtMismatch> {
    if theirs.version != ours.version {
        return Err(PsbtMismatch::VersionChanged);
    }
    if theirs.lock_time != ours.lock_time {
        return Err(PsbtMismatch::LockTimeChanged);
    }
    if theirs.input.len() > ours.input.len() {
        return Err(PsbtMismatch::InputAdded);
    }
    if theirs.input.len() < ours.input.len() {
        return Err(PsbtMismatch::InputRemoved);
    }
    if theirs.output.len() > ours.output.len() {
        return Err(PsbtMismatch::OutputAdded);
    }
    if theirs.output.len() < ours.output.len() {
        return Err(PsbtMismatch::OutputRemoved);
    }
    for (input, (ours, theirs)) in ours.input.iter().zip(&theirs.input).enumerate() {
        if theirs.previous_output != ours.previous_output {
            return Err(PsbtMismatch::InputSwapped { input });
        }
        if theirs.sequence != ours.sequence {
            return Err(PsbtMismatch::SequenceChanged { input });
        }
        if !theirs.script_sig.is_empty() || !theirs.witness.is_empty() {
            return Err(PsbtMismatch::Finalised { input });
        }
    }
    for (output, (ours, theirs)) in ours.output.iter().zip(&theirs.output).enumerate() {
        if theirs != ours {
            return Err(PsbtMismatch::OutputChanged { output });
        }
    }
    Ok(())
}

fn same_prevout(
    issued: &IssuedPsbt,
    input: usize,
    ours: &Input,
    fields: &psbt::Input,
) -> Result<(), PsbtMismatch> {
    let contradicted = PsbtMismatch::PrevoutContradicted { input };
    let txout = &ours.spent.txout;
    if fields.witness_utxo.as_ref().is_some_and(|theirs| theirs != txout) {
        return Err(contradicted);
    }
    if let Some(previous) = &fields.non_witness_utxo {
        let outpoint = issued.transaction().input.get(input).map(|txin| txin.previous_output);
        let is_ours = outpoint.is_some_and(|outpoint| {
            let output = usize::try_from(outpoint.vout).ok().and_then(|n| previous.output.get(n));
            output == Some(txout) && previous.compute_txid() == outpoint.txid
        });
        if !is_ours {
            return Err(contradicted);
        }
    }
    if fields.witness_script.is_some() && fields.witness_script != ours.spent.owner.witness_script()
    {
        return Err(PsbtMismatch::ScriptContradicted { input });
    }
    Ok(())
}

/// Refuses fields that no issued input can have: it is not P2SH, has no hash locks and is not Taproot.
fn no_surprise(input: usize, fields: &psbt::Input) -> Result<(), PsbtMismatch> {
    if fields.final_script_sig.is_some() || fields.final_script_witness.is_some() {
        return Err(PsbtMismatch::Finalised { input });
    }
    if fields.sighash_type.is_some_and(|sighash| sighash != EcdsaSighashType::All.into()) {
        return Err(PsbtMismatch::WrongSighash { input });
    }
    let surprises = [
        (fields.redeem_script.is_some(), "PSBT_IN_REDEEM_SCRIPT"),
        (!fields.ripemd160_preimages.is_empty(), "PSBT_IN_RIPEMD160"),
        (!fields.sha256_preimages.is_empty(), "PSBT_IN_SHA256"),
        (!fields.hash160_preimages.is_empty(), "PSBT_IN_HASH160"),
        (!fields.hash256_preimages.is_empty(), "PSBT_IN_HASH256"),
        (fields.tap_key_sig.is_some(), "PSBT_IN_TAP_KEY_SIG"),
        (!fields.tap_script_sigs.is_empty(), "PSBT_IN_TAP_SCRIPT_SIG"),
        (!fields.tap_scripts.is_empty(), "PSBT_IN_TAP_LEAF_SCRIPT"),
        (!fields.tap_key_origins.is_empty(), "PSBT_IN_TAP_BIP32_DERIVATION"),
        (fields.tap_internal_key.is_some(), "PSBT_IN_TAP_INTERNAL_KEY"),
        (fields.tap_merkle_root.is_some(), "PSBT_IN_TAP_MERKLE_ROOT"),
    ];
    if let Some((_, field)) = surprises.into_iter().find(|(present, _)| *present) {
        return Err(PsbtMismatch::SurprisingField { field });
    }
    refuse_keys(&fields.unknown, INPUT_VERSION_2, "an input field of PSBT version 2")
}

fn refuse_keys(
    unknown: &BTreeMap<raw::Key, Vec<u8>>,
    types: &[u8],
    field: &'static str,
) -> Result<(), PsbtMismatch> {
    if unknown.keys().any(|key| types.contains(&key.type_value)) {
        return Err(PsbtMismatch::SurprisingField { field });
    }
    Ok(())
}

/// The only signature of an input and the user's key that made it.
fn single_signature(
    input: usize,
    signatures: &BTreeMap<PublicKey, ecdsa::Signature>,
    wallet: &TradingDescriptor,
) -> Result<(PublicKey, ecdsa::Signature), PsbtMismatch> {
    let is_users = |key: &PublicKey| wallet.user().keys().any(|own| own == *key);
    if !signatures.keys().all(is_users) {
        return Err(PsbtMismatch::WrongKey { input });
    }
    let mut signatures = signatures.iter();
    let (key, signature) = signatures.next().ok_or(PsbtMismatch::MissingSignature { input })?;
    if signatures.next().is_some() {
        return Err(PsbtMismatch::SignedTwice { input });
    }
    if signature.sighash_type != EcdsaSighashType::All {
        return Err(PsbtMismatch::WrongSighash { input });
    }
    Ok((*key, *signature))
}

/// The user's key that made a signature, and its index among those that the script checks.
pub(super) fn signer<C: Verification>(
    secp: &Secp256k1<C>,
    wallet: &TradingDescriptor,
    signature: &ecdsa::Signature,
    digest: &[u8; 32],
) -> Option<(usize, PublicKey)> {
    let mut keys = wallet.user().keys().enumerate();
    keys.find(|(_, key)| is_valid(secp, signature, digest, key))
}

/// The same signature with the lower value of S (BIP 146; required by every mempool).
pub(super) fn low_s(mut signature: ecdsa::Signature) -> ecdsa::Signature {
    signature.signature.normalize_s();
    signature
}

/// Whether a signature uses SIGHASH_ALL, has low S, and is the key's signature of the digest.
pub(super) fn is_valid<C: Verification>(
    secp: &Secp256k1<C>,
    signature: &ecdsa::Signature,
    digest: &[u8; 32],
    key: &PublicKey,
) -> bool {
    signature.sighash_type == EcdsaSighashType::All
        && secp
            .verify_ecdsa(&Message::from_digest(*digest), &signature.signature, &key.inner)
            .is_ok()
}

#[cfg(test)]
mod tests;
