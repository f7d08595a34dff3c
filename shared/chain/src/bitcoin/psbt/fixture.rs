//! A transaction with an input of each kind, and its keys.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{
    Amount, CompressedPublicKey, EcdsaSighashType, OutPoint, Psbt, PublicKey, ScriptBuf, Sequence,
    Transaction, TxIn, TxOut, Witness,
    absolute::LockTime,
    ecdsa,
    hashes::Hash,
    secp256k1::{self, Message, Secp256k1, SecretKey},
    sighash::SighashCache,
    transaction::Version,
};
use shared::models::trading_wallet::{TradingDescriptor, UserKey};

use super::{InputOwner, IssuedPsbt, Signatures, Spent, digests, issue};

pub(crate) const USER: u8 = 1;
pub(crate) const PLATFORM: u8 = 2;
pub(crate) const TREASURY: u8 = 3;
pub(crate) const POOL: u8 = 4;
pub(crate) const STRANGER: u8 = 5;
/// Secrets of users whose keys were proved by Taproot: the first has an even point, the second an odd one.
pub(crate) const EVEN: u8 = 7;
pub(crate) const ODD: u8 = 6;

/// The indexes of the user's inputs.
pub(crate) const TRADING: [usize; 2] = [0, 2];

pub(crate) fn secret(n: u8) -> SecretKey {
    SecretKey::from_slice(&[n; 32]).unwrap()
}

pub(crate) fn public(n: u8) -> PublicKey {
    PublicKey::new(secret(n).public_key(&Secp256k1::signing_only()))
}

fn compressed(n: u8) -> CompressedPublicKey {
    public(n).try_into().unwrap()
}

pub(crate) fn wallet() -> TradingDescriptor {
    TradingDescriptor::new(UserKey::Compressed(public(USER)), public(PLATFORM)).unwrap()
}

/// The wallet of a key that was proved without its parity.
pub(crate) fn taproot_wallet(user: u8) -> TradingDescriptor {
    let user = UserKey::EitherParity(public(user).into());
    TradingDescriptor::new(user, public(PLATFORM)).unwrap()
}

pub(crate) fn owners() -> Vec<InputOwner> {
    vec![
        InputOwner::Platform(compressed(POOL)),
        InputOwner::Platform(compressed(TREASURY)),
        InputOwner::Trading(wallet()),
    ]
}

/// The transaction that created a coin as its output 1.
pub(crate) fn funding(input: usize) -> Transaction {
    let owner = match input {
        0 | 2 => &owners()[2],
        1 => &owners()[1],
        _ => &owners()[0],
    };
    let sats = 100_000 + 7 * u64::try_from(input).unwrap();
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![txin(OutPoint::null(), Sequence::MAX)],
        output: vec![
            txout(1_000, ScriptBuf::new_op_return([9])),
            txout(sats, owner.script_pubkey()),
        ],
    }
}

pub(crate) fn txin(previous_output: OutPoint, sequence: Sequence) -> TxIn {
    TxIn { previous_output, sequence, script_sig: ScriptBuf::new(), witness: Witness::new() }
}

pub(crate) fn txout(sats: u64, script_pubkey: ScriptBuf) -> TxOut {
    TxOut { value: Amount::from_sat(sats), script_pubkey }
}

pub(crate) fn unsigned() -> Transaction {
    let coin = |input| OutPoint::new(funding(input).compute_txid(), 1);
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: (0..4).map(|i| txin(coin(i), Sequence::ENABLE_RBF_NO_LOCKTIME)).collect(),
        output: vec![
            txout(0, ScriptBuf::new_op_return([7; 32])),
            txout(150_000, ScriptBuf::new_p2wpkh(&compressed(STRANGER).wpubkey_hash())),
            txout(240_000, wallet().script_pubkey()),
        ],
    }
}

pub(crate) fn spent() -> Vec<Spent> {
    let spent = |input| {
        let txout = funding(input).output[1].clone();
        let owner = owners().into_iter().find(|o| o.script_pubkey() == txout.script_pubkey);
        Spent { txout, owner: owner.unwrap() }
    };
    (0..4).map(spent).collect()
}

pub(crate) fn issued() -> IssuedPsbt {
    issue(&unsigned(), &spent()).unwrap()
}

pub(crate) fn sign(digest: [u8; 32], n: u8) -> secp256k1::ecdsa::Signature {
    Secp256k1::signing_only().sign_ecdsa(&Message::from_digest(digest), &secret(n))
}

/// A key's signature of a trading input, with any sighash type.
pub(crate) fn sign_input(input: usize, n: u8, sighash_type: EcdsaSighashType) -> ecdsa::Signature {
    let transaction = unsigned();
    let sighash = SighashCache::new(&transaction)
        .p2wsh_signature_hash(
            input,
            &wallet().witness_script(),
            spent()[input].txout.value,
            sighash_type,
        )
        .unwrap();
    ecdsa::Signature { signature: sign(sighash.to_byte_array(), n), sighash_type }
}

/// The answer of the user's wallet.
pub(crate) fn returned() -> Psbt {
    let mut psbt = issued().psbt().clone();
    for input in TRADING {
        let signature = sign_input(input, USER, EcdsaSighashType::All);
        psbt.inputs[input].partial_sigs.insert(public(USER), signature);
    }
    psbt
}

/// The answer of the platform's signer.
pub(crate) fn platform_signatures(issued: &IssuedPsbt) -> Signatures {
    let secret_of = |key: PublicKey| {
        [PLATFORM, TREASURY, POOL].into_iter().find(|n| public(*n) == key).unwrap()
    };
    let sign = |due: super::ToSign| {
        let signature = sign(due.digest, secret_of(due.key));
        (due.input, ecdsa::Signature::sighash_all(signature))
    };
    digests(issued).into_iter().map(sign).collect()
}

/// The equivalent signature with the same r and s replaced by the order minus s.
pub(crate) fn other_s(signature: &secp256k1::ecdsa::Signature) -> secp256k1::ecdsa::Signature {
    let mut compact = signature.serialize_compact();
    let s = SecretKey::from_slice(&compact[32..]).unwrap().negate();
    compact[32..].copy_from_slice(s.as_ref());
    secp256k1::ecdsa::Signature::from_compact(&compact).unwrap()
}
