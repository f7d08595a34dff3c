//! Wallets of a key that was proved without its parity (custody rule 12): either key signs, one signature is
//! enough, and the finalised transaction is valid.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;

use bitcoin::{
    EcdsaSighashType, OutPoint, Psbt, PublicKey, ScriptBuf, Sequence, Transaction, TxIn,
    absolute::LockTime,
    ecdsa,
    hashes::Hash,
    secp256k1::{Message, Secp256k1},
    transaction::Version,
};
use miniscript::Descriptor;
use proptest::prelude::*;
use shared::models::trading_wallet::{TradingDescriptor, UserKey};

use super::{fixture::*, *};

/// The inputs that the user signs.
const OWN: [usize; 2] = [0, 2];

/// Two coins of the wallet with one of the platform's between them.
fn issued(user: u8) -> IssuedPsbt {
    let treasury = InputOwner::Platform(public(TREASURY).try_into().unwrap());
    let trading = InputOwner::Trading(taproot_wallet(user));
    let owners = [trading.clone(), treasury, trading];
    let spent = owners.map(|owner| Spent { txout: txout(100_000, owner.script_pubkey()), owner });
    let coin = |n| OutPoint::new(bitcoin::Txid::from_byte_array([n; 32]), u32::from(n));
    let unsigned = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: (0..3).map(|n| txin(coin(n), Sequence::ENABLE_RBF_NO_LOCKTIME)).collect(),
        output: vec![txout(299_000, ScriptBuf::new_op_return([1]))],
    };
    issue(&unsigned, &spent).unwrap()
}

fn key_of(user: u8, parity: Parity) -> PublicKey {
    let mut keys = taproot_wallet(user).user().keys();
    let is_own = |key: &PublicKey| *key == public(user);
    keys.find(|key| is_own(key) == (parity == Parity::Own)).unwrap()
}

/// One of the two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parity {
    /// The key of the user's secret.
    Own,
    /// The key of the negated secret.
    Other,
}

fn signature(issued: &IssuedPsbt, input: usize, user: u8, parity: Parity) -> ecdsa::Signature {
    let secret = match parity {
        Parity::Own => secret(user),
        Parity::Other => secret(user).negate(),
    };
    let message = Message::from_digest(digests(issued)[input].digest);
    ecdsa::Signature::sighash_all(Secp256k1::signing_only().sign_ecdsa(&message, &secret))
}

/// The answer of the user's wallet, with each input signed by one of the keys.
fn returned(issued: &IssuedPsbt, user: u8, by: [Parity; 2]) -> Psbt {
    let mut psbt = issued.psbt().clone();
    for (input, parity) in OWN.into_iter().zip(by) {
        let made = signature(issued, input, user, parity);
        psbt.inputs[input].partial_sigs.insert(key_of(user, parity), made);
    }
    psbt
}

fn finished(issued: &IssuedPsbt, returned: &Psbt, user: u8) -> Transaction {
    let verified = check(issued, returned, &taproot_wallet(user)).unwrap();
    assert_eq!(verified.to_psbt(), *returned);
    // The stored PSBT is checked again before the platform signs.
    let stored = parse(&verified.to_base64()).unwrap();
    assert_eq!(check(issued, &stored, &taproot_wallet(user)).as_ref(), Ok(&verified));
    finalise(issued, verified.signatures(), &platform_signatures(issued)).unwrap()
}

#[test]
fn the_fixtures_have_a_key_of_each_parity() {
    assert_eq!([EVEN, ODD].map(|user| public(user).to_bytes()[0]), [2, 3]);
    assert_ne!(taproot_wallet(EVEN), taproot_wallet(ODD));
}

#[test]
fn custody_12_either_parity_signs_and_the_witness_is_miniscripts() {
    for user in [EVEN, ODD] {
        for by in [Parity::Own, Parity::Other] {
            let issued = issued(user);
            let returned = returned(&issued, user, [by; 2]);
            let transaction = finished(&issued, &returned, user);
            let key = key_of(user, by);
            let is_odd = key.to_bytes()[0] == 3;
            let platforms = platform_signatures(&issued);
            let wallet = taproot_wallet(user);
            let descriptor: Descriptor<PublicKey> = wallet.to_string().parse().unwrap();
            for input in OWN {
                let witness = &transaction.input[input].witness;
                assert_eq!(witness.len(), if is_odd { 4 } else { 3 });
                let users = returned.inputs[input].partial_sigs[&key];
                let signatures =
                    BTreeMap::from([(key, users), (wallet.platform(), platforms[&input])]);
                let mut txin = TxIn::default();
                descriptor.satisfy(&mut txin, signatures).unwrap();
                assert_eq!(*witness, txin.witness);
                let most = wallet.satisfaction_weight().unwrap().to_wu();
                assert!(u64::try_from(witness.size()).unwrap() - 1 <= most);
            }
        }
    }
}

#[test]
fn each_input_may_be_signed_by_either_key() {
    for by in [[Parity::Own, Parity::Other], [Parity::Other, Parity::Own]] {
        let issued = issued(ODD);
        let transaction = finished(&issued, &returned(&issued, ODD, by), ODD);
        let lengths = transaction.input.iter().map(|input| input.witness.len());
        assert_eq!(lengths.collect::<Vec<_>>().iter().sum::<usize>(), 3 + 2 + 4);
    }
}

#[test]
fn anything_but_one_signature_by_one_of_the_two_keys_is_refused() {
    for user in [EVEN, ODD] {
        let issued = issued(user);
        let checked = |change: &dyn Fn(&mut BTreeMap<PublicKey, ecdsa::Signature>)| {
            let mut psbt = returned(&issued, user, [Parity::Own; 2]);
            change(&mut psbt.inputs[2].partial_sigs);
            check(&issued, &psbt, &taproot_wallet(user)).map(|_verified| ())
        };
        assert_eq!(checked(&|_| {}), Ok(()));
        let [own, other] = [Parity::Own, Parity::Other].map(|by| key_of(user, by));
        let of = |by| signature(&issued, 2, user, by);
        let only = |key, made| move |sigs: &mut BTreeMap<_, _>| *sigs = [(key, made)].into();
        // The signature of one key under the other key.
        let bad = Err(PsbtMismatch::BadSignature { input: 2 });
        assert_eq!(checked(&only(other, of(Parity::Own))), bad);
        assert_eq!(checked(&only(own, of(Parity::Other))), bad);
        let foreign = ecdsa::Signature::sighash_all(sign(digests(&issued)[2].digest, STRANGER));
        assert_eq!(checked(&only(own, foreign)), bad);
        assert_eq!(checked(&only(other, signature(&issued, 0, user, Parity::Other))), bad);
        // Both signatures.
        let twice = Err(PsbtMismatch::SignedTwice { input: 2 });
        for made in [of(Parity::Own), of(Parity::Other), foreign] {
            assert_eq!(checked(&|sigs| sigs.extend([(other, made)])), twice);
        }
        // Another user's key, alone or together with the user's own.
        let wrong = Err(PsbtMismatch::WrongKey { input: 2 });
        let uncompressed = PublicKey::new_uncompressed(public(user).inner);
        for key in [public(STRANGER), public(PLATFORM), uncompressed] {
            assert_eq!(checked(&only(key, foreign)), wrong);
            assert_eq!(checked(&|sigs| sigs.extend([(key, foreign)])), wrong);
        }
        assert_eq!(checked(&|sigs| sigs.clear()), Err(PsbtMismatch::MissingSignature { input: 2 }));
        let none = ecdsa::Signature { sighash_type: EcdsaSighashType::None, ..of(Parity::Own) };
        assert_eq!(checked(&only(own, none)), Err(PsbtMismatch::WrongSighash { input: 2 }));
    }
}

#[test]
fn the_script_of_the_other_form_contradicts() {
    let issued = issued(EVEN);
    let plain = TradingDescriptor::new(UserKey::Compressed(public(EVEN)), public(PLATFORM));
    let mut psbt = returned(&issued, EVEN, [Parity::Own; 2]);
    psbt.inputs[0].witness_script = Some(plain.unwrap().witness_script());
    let refused = check(&issued, &psbt, &taproot_wallet(EVEN));
    assert_eq!(refused, Err(PsbtMismatch::ScriptContradicted { input: 0 }));
}

#[test]
fn a_signature_of_neither_key_is_not_finalised() {
    let issued = issued(ODD);
    let verified =
        check(&issued, &returned(&issued, ODD, [Parity::Own; 2]), &taproot_wallet(ODD)).unwrap();
    let platform = platform_signatures(&issued);
    for made in [
        ecdsa::Signature::sighash_all(sign(digests(&issued)[0].digest, STRANGER)),
        platform[&0],
        signature(&issued, 2, ODD, Parity::Own),
    ] {
        let mut user = verified.signatures().clone();
        user.insert(0, made);
        let error = FinaliseError::Invalid { input: 0, role: Role::User };
        assert_eq!(finalise(&issued, &user, &platform), Err(error));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// For any secret of a Taproot wallet and either of its two keys.
    #[test]
    fn custody_12_no_secret_is_locked_out(seed in 6_u8..=254, own: [bool; 2], high: [bool; 2]) {
        let by = own.map(|own| if own { Parity::Own } else { Parity::Other });
        let issued = issued(seed);
        let low = returned(&issued, seed, by);
        let mut answered = low.clone();
        for (input, high) in OWN.into_iter().zip(high) {
            for made in answered.inputs[input].partial_sigs.values_mut().filter(|_| high) {
                *made = ecdsa::Signature::sighash_all(other_s(&made.signature));
            }
        }
        let verified = check(&issued, &answered, &taproot_wallet(seed)).unwrap();
        prop_assert_eq!(verified.to_psbt(), low.clone());
        finished(&issued, &low, seed);
    }
}
