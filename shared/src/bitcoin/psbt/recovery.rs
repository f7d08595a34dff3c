//! What the script of a trading wallet lets pass, by consensus code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{
    Amount, EcdsaSighashType, OutPoint, ScriptBuf, Sequence, Transaction, TxOut, Witness,
    absolute::LockTime, ecdsa, hashes::Hash, sighash::SighashCache, transaction::Version,
};

use crate::bitcoin::{
    consensus::{ConsensusError, verify},
    psbt::fixture::{PLATFORM, STRANGER, USER, public, sign, txin, txout, wallet},
};

fn coin() -> TxOut {
    txout(100_000, wallet().script_pubkey())
}

/// A transaction that spends the coin to somebody else.
fn spend(version: Version, sequence: Sequence) -> Transaction {
    Transaction {
        version,
        lock_time: LockTime::ZERO,
        input: vec![txin(OutPoint::null(), sequence)],
        output: vec![TxOut {
            value: Amount::from_sat(99_000),
            script_pubkey: ScriptBuf::new_op_return([1]),
        }],
    }
}

fn signature(transaction: &Transaction, n: u8) -> Vec<u8> {
    let sighash = SighashCache::new(transaction)
        .p2wsh_signature_hash(0, &wallet().witness_script(), coin().value, EcdsaSighashType::All)
        .unwrap();
    ecdsa::Signature::sighash_all(sign(sighash.to_byte_array(), n)).to_vec()
}

/// Whether the coin can be spent with a stack, its top last.
fn accepts(mut transaction: Transaction, stack: &[&[u8]]) -> bool {
    transaction.input[0].witness = Witness::from_slice(stack);
    transaction.input[0].witness.push(wallet().witness_script().as_bytes());
    match verify(&transaction, &[coin()]) {
        Ok(()) => true,
        Err(ConsensusError::Script { input: 0 }) => false,
        Err(error) => panic!("{error}"),
    }
}

/// Whether the user alone can spend the coin.
fn user_recovers(version: Version, sequence: Sequence) -> bool {
    let transaction = spend(version, sequence);
    let signature = signature(&transaction, USER);
    accepts(transaction, &[&[], &signature])
}

/// Whether any stack of up to four of the elements spends the coin.
fn any_stack_spends(transaction: &Transaction, elements: &[&[u8]]) -> bool {
    let mut stacks: Vec<Vec<&[u8]>> = vec![vec![]];
    for _ in 0..4 {
        let shorter = stacks.clone();
        stacks.extend(shorter.iter().flat_map(|stack| {
            elements.iter().map(|element| [stack.as_slice(), &[*element]].concat())
        }));
    }
    stacks.iter().any(|stack| accepts(transaction.clone(), stack))
}

#[test]
fn both_together_spend_at_once() {
    let transaction = spend(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME);
    let [user, platform] = [USER, PLATFORM].map(|n| signature(&transaction, n));
    assert!(accepts(transaction.clone(), &[&platform, &user]));
    assert!(!accepts(transaction, &[&user, &platform]));
}

#[test]
fn the_user_alone_spends_after_12960_blocks_and_not_one_earlier() {
    assert!(user_recovers(Version::TWO, Sequence::from_height(12_960)));
    assert!(user_recovers(Version::TWO, Sequence::from_height(12_961)));
    assert!(!user_recovers(Version::TWO, Sequence::from_height(12_959)));
    assert!(!user_recovers(Version::TWO, Sequence::ZERO));
}

#[test]
fn the_delay_cannot_be_claimed_without_a_relative_lock() {
    // Version 1 and the disable flag switch relative locks off; the other unit is 512 seconds.
    assert!(!user_recovers(Version::ONE, Sequence::from_height(12_960)));
    assert!(!user_recovers(Version::TWO, Sequence::MAX));
    assert!(!user_recovers(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME));
    assert!(!user_recovers(Version::TWO, Sequence::from_512_second_intervals(12_960)));
}

#[test]
fn the_platform_alone_never_spends() {
    for sequence in [Sequence::ENABLE_RBF_NO_LOCKTIME, Sequence::from_height(u16::MAX)] {
        let transaction = spend(Version::TWO, sequence);
        let [platform, stranger] = [PLATFORM, STRANGER].map(|n| signature(&transaction, n));
        let key = public(PLATFORM).to_bytes();
        let elements: [&[u8]; 5] = [&[], &[1], &platform, &stranger, &key];
        assert!(!any_stack_spends(&transaction, &elements));
    }
}

#[test]
fn the_user_alone_never_spends_early() {
    for sequence in [Sequence::ENABLE_RBF_NO_LOCKTIME, Sequence::from_height(12_959)] {
        let transaction = spend(Version::TWO, sequence);
        let [user, stranger] = [USER, STRANGER].map(|n| signature(&transaction, n));
        let key = public(PLATFORM).to_bytes();
        let elements: [&[u8]; 5] = [&[], &[1], &user, &stranger, &key];
        assert!(!any_stack_spends(&transaction, &elements));
    }
    // The same search finds the way that there is.
    let transaction = spend(Version::TWO, Sequence::from_height(12_960));
    let user = signature(&transaction, USER);
    assert!(any_stack_spends(&transaction, &[&[], &user]));
}

#[test]
fn no_witness_weighs_more_than_the_descriptor_says() {
    let most = wallet().satisfaction_weight().unwrap().to_wu();
    let weight = |stack: &[&[u8]]| {
        let mut witness = Witness::from_slice(stack);
        witness.push(wallet().witness_script().as_bytes());
        // An unsigned input has one byte of witness: the count.
        u64::try_from(witness.size()).unwrap() - 1
    };
    // The longest signature with low s: 71 bytes of DER and the sighash type.
    assert_eq!(weight(&[&[0; 72], &[0; 72]]), 1 + 72 + 1 + 72 + 1 + 77);
    assert!(weight(&[&[0; 72], &[0; 72]]) <= most && most <= weight(&[&[0; 73], &[0; 73]]));
    let real = (0..200).map(|sats| {
        let mut transaction = spend(Version::TWO, Sequence::ENABLE_RBF_NO_LOCKTIME);
        transaction.output[0].value = Amount::from_sat(sats);
        let [user, platform] = [USER, PLATFORM].map(|n| signature(&transaction, n));
        weight(&[&platform, &user])
    });
    assert_eq!(real.max(), Some(weight(&[&[0; 72], &[0; 72]])));
}
