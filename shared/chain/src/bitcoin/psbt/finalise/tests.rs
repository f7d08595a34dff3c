#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;

use bitcoin::{EcdsaSighashType, TxIn, TxOut};
use miniscript::Descriptor;

use super::*;
use crate::bitcoin::psbt::{check, fixture::*};

fn user_signatures() -> Signatures {
    check(&issued(), &returned(), &wallet()).unwrap().signatures().clone()
}

fn finalised(
    change: impl FnOnce(&mut Signatures, &mut Signatures),
) -> Result<Transaction, FinaliseError> {
    let (mut user, mut platform) = (user_signatures(), platform_signatures(&issued()));
    change(&mut user, &mut platform);
    finalise(&issued(), &user, &platform)
}

#[test]
fn a_finalised_transaction_is_the_issued_one_with_witnesses() {
    let mut transaction = finalised(|_, _| {}).unwrap();
    assert_eq!(transaction.compute_txid(), unsigned().compute_txid());
    assert_eq!(transaction.input.iter().map(|i| i.witness.len()).collect::<Vec<_>>(), [3, 2, 3, 2]);
    for txin in &mut transaction.input {
        txin.witness.clear();
    }
    assert_eq!(transaction, unsigned());
}

#[test]
fn witnesses_match_miniscripts() {
    let transaction = finalised(|_, _| {}).unwrap();
    let (users, platforms) = (user_signatures(), platform_signatures(&issued()));
    let descriptors = [
        format!("wsh(and_v(v:pk({}),or_d(pk({}),older(12960))))", public(USER), public(PLATFORM)),
        format!("wpkh({})", public(TREASURY)),
        format!("wpkh({})", public(POOL)),
    ];
    for (input, descriptor) in [0, 1, 0, 2].map(|n| &descriptors[n]).into_iter().enumerate() {
        let descriptor: Descriptor<PublicKey> = descriptor.parse().unwrap();
        assert_eq!(descriptor.script_pubkey(), spent()[input].txout.script_pubkey);
        let key = digests(&issued())[input].key;
        let mut signatures = BTreeMap::from([(key, platforms[&input])]);
        if let Some(signature) = users.get(&input) {
            signatures.insert(public(USER), *signature);
        }
        let mut txin = TxIn::default();
        descriptor.satisfy(&mut txin, signatures).unwrap();
        assert_eq!(transaction.input[input].witness, txin.witness, "input {input}");
    }
}

#[test]
fn a_platform_alone_needs_no_user() {
    let spent = &spent()[1..2];
    let mut unsigned = unsigned();
    unsigned.input = vec![unsigned.input[1].clone()];
    unsigned.output.truncate(1);
    let issued = crate::bitcoin::psbt::issue(&unsigned, spent).unwrap();
    let transaction = finalise(&issued, &Signatures::new(), &platform_signatures(&issued));
    assert_eq!(transaction.unwrap().input[0].witness.len(), 2);
}

#[test]
fn a_missing_signature_is_named() {
    for input in 0..4 {
        let error = FinaliseError::Missing { input, role: Role::Platform };
        assert_eq!(finalised(|_, platform| assert!(platform.remove(&input).is_some())), Err(error));
    }
    for input in TRADING {
        let error = FinaliseError::Missing { input, role: Role::User };
        assert_eq!(finalised(|user, _| assert!(user.remove(&input).is_some())), Err(error));
    }
}

#[test]
fn a_signature_that_no_input_needs_is_named() {
    let signature = platform_signatures(&issued())[&0];
    for input in [1, 3, 4] {
        let error = FinaliseError::Surplus { input, role: Role::User };
        assert_eq!(finalised(|user, _| user.extend([(input, signature)])), Err(error));
    }
    let error = FinaliseError::Surplus { input: 4, role: Role::Platform };
    assert_eq!(finalised(|_, platform| platform.extend([(4, signature)])), Err(error));
}

#[test]
fn a_signature_is_not_used_unless_it_is_valid_has_low_s_and_is_for_all() {
    let bad = [
        |signature: ecdsa::Signature| ecdsa::Signature::sighash_all(other_s(&signature.signature)),
        |signature| ecdsa::Signature { sighash_type: EcdsaSighashType::None, ..signature },
        |_| ecdsa::Signature::sighash_all(sign([1; 32], PLATFORM)),
        |_| sign_input(0, STRANGER, EcdsaSighashType::All),
    ];
    for bad in bad {
        for input in 0..4 {
            let error = FinaliseError::Invalid { input, role: Role::Platform };
            let change = |_: &mut Signatures, platform: &mut Signatures| {
                platform.entry(input).and_modify(|signature| *signature = bad(*signature));
            };
            assert_eq!(finalised(change), Err(error));
        }
        for input in TRADING {
            let error = FinaliseError::Invalid { input, role: Role::User };
            let change = |user: &mut Signatures, _: &mut Signatures| {
                user.entry(input).and_modify(|signature| *signature = bad(*signature));
            };
            assert_eq!(finalised(change), Err(error));
        }
    }
}

#[test]
fn the_users_and_the_platforms_signatures_are_not_interchangeable() {
    let swapped = finalised(|user, platform| {
        for input in TRADING {
            let (users, platforms) = (user[&input], platform[&input]);
            user.insert(input, platforms);
            platform.insert(input, users);
        }
    });
    assert_eq!(swapped, Err(FinaliseError::Invalid { input: 0, role: Role::Platform }));

    let mut transaction = finalised(|_, _| {}).unwrap();
    let mut stack = transaction.input[2].witness.to_vec();
    stack.swap(0, 1);
    transaction.input[2].witness = Witness::from_slice(&stack);
    let prevouts: Vec<TxOut> = issued().prevouts();
    assert_eq!(
        consensus::verify(&transaction, &prevouts),
        Err(ConsensusError::Script { input: 2 })
    );
}
