#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{
    Amount, OutPoint, ScriptBuf, Sequence, TapSighashType, Witness,
    absolute::LockTime,
    consensus::encode::deserialize_hex,
    hashes::Hash,
    key::{Keypair, TapTweak},
    secp256k1::{Message, Secp256k1},
    sighash::{Prevouts, SighashCache},
    taproot,
    transaction::Version,
};
use serde::Deserialize;

use super::*;
use crate::bitcoin::psbt::fixture::{USER, secret, txin, txout};

#[derive(Deserialize)]
struct Vectors {
    transaction: Transactions,
}

#[derive(Deserialize)]
struct Transactions {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    transaction: String,
    prevouts: Vec<Prevout>,
}

#[derive(Deserialize)]
struct Prevout {
    value: u64,
    script_pubkey: ScriptBuf,
}

fn cases() -> Vec<(String, Transaction, Vec<TxOut>)> {
    let vectors: Vectors = serde_json::from_str(include_str!("../vectors.json")).unwrap();
    let case = |case: Case| {
        let prevout = |prevout: Prevout| txout(prevout.value, prevout.script_pubkey);
        let prevouts = case.prevouts.into_iter().map(prevout).collect();
        (case.case, deserialize_hex(&case.transaction).unwrap(), prevouts)
    };
    vectors.transaction.cases.into_iter().map(case).collect()
}

/// A key-path spend of a Taproot output, with a valid or an invalid signature.
fn taproot_spend(valid: bool) -> (Transaction, Vec<TxOut>) {
    let secp = Secp256k1::new();
    let pair = Keypair::from_secret_key(&secp, &secret(USER));
    let script = ScriptBuf::new_p2tr(&secp, pair.x_only_public_key().0, None);
    let prevouts = vec![txout(10_000, script)];
    let mut transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![txin(OutPoint::null(), Sequence::MAX)],
        output: vec![txout(9_000, ScriptBuf::new_op_return([1]))],
    };
    let sighash_type = TapSighashType::Default;
    let sighash = SighashCache::new(&transaction)
        .taproot_key_spend_signature_hash(0, &Prevouts::All(&prevouts), sighash_type)
        .unwrap();
    let digest = if valid { sighash.to_byte_array() } else { [0; 32] };
    let tweaked = pair.tap_tweak(&secp, None).to_keypair();
    let signature = secp.sign_schnorr_no_aux_rand(&Message::from_digest(digest), &tweaked);
    let signature = taproot::Signature { signature, sighash_type };
    transaction.input[0].witness = Witness::p2tr_key_spend(&signature);
    (transaction, prevouts)
}

#[test]
fn signed_transactions_of_bip_143_are_valid() {
    assert_eq!(cases().len(), 3);
    for (case, transaction, prevouts) in cases() {
        assert_eq!(verify(&transaction, &prevouts), Ok(()), "{case}");
    }
}

#[test]
fn a_witness_signature_covers_the_spent_value() {
    for (case, transaction, mut prevouts) in cases() {
        let input = prevouts.len() - 1;
        prevouts[input].value += Amount::ONE_SAT;
        let refused = Err(ConsensusError::Script { input });
        assert_eq!(verify(&transaction, &prevouts), refused, "{case}");
    }
}

#[test]
fn the_script_of_every_input_is_run() {
    for (case, transaction, prevouts) in cases() {
        for input in 0..prevouts.len() {
            let mut transaction = transaction.clone();
            transaction.input[input].script_sig = ScriptBuf::new();
            transaction.input[input].witness.clear();
            let refused = Err(ConsensusError::Script { input });
            assert_eq!(verify(&transaction, &prevouts), refused, "{case}");
        }
    }
}

#[test]
fn taproot_is_enforced() {
    let (transaction, prevouts) = taproot_spend(true);
    assert_eq!(verify(&transaction, &prevouts), Ok(()));
    let (transaction, prevouts) = taproot_spend(false);
    assert_eq!(verify(&transaction, &prevouts), Err(ConsensusError::Script { input: 0 }));
}

#[test]
fn each_input_needs_one_spent_output() {
    let (transaction, prevouts) = taproot_spend(true);
    let refused = |inputs, prevouts| Err(ConsensusError::PrevoutCount { inputs, prevouts });
    assert_eq!(verify(&transaction, &[]), refused(1, 0));
    assert_eq!(verify(&transaction, &[prevouts.clone(), prevouts].concat()), refused(1, 2));
    let empty = Transaction { input: vec![], ..transaction };
    assert_eq!(verify(&empty, &[]), refused(0, 0));
}

#[test]
fn no_more_is_paid_than_spent() {
    let overspent = Err(ConsensusError::Overspent);
    for sats in [10_001, Amount::MAX_MONEY.to_sat() + 1, u64::MAX] {
        let (mut transaction, prevouts) = taproot_spend(true);
        transaction.output[0].value = Amount::from_sat(sats);
        assert_eq!(verify(&transaction, &prevouts), overspent);
        transaction.output.push(transaction.output[0].clone());
        assert_eq!(verify(&transaction, &prevouts), overspent);
    }
    let (transaction, mut prevouts) = taproot_spend(true);
    prevouts[0].value = Amount::MAX;
    assert_eq!(verify(&transaction, &prevouts), overspent);
}
