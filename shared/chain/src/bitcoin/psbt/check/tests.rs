#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::sync::LazyLock;

use bitcoin::{
    Amount, OutPoint, ScriptBuf, Sequence, Witness,
    absolute::LockTime,
    bip32::{DerivationPath, Fingerprint, Xpriv},
    hashes::{Hash, hash160, ripemd160, sha256, sha256d},
    psbt::PsbtSighashType,
    taproot::{self, LeafVersion, TapLeafHash, TapNodeHash, TaprootBuilder},
    transaction::Version,
};
use shared::models::trading_wallet::UserKey;

use super::*;
use crate::bitcoin::psbt::{fixture::*, issue, parse};

mod mutations;

const SIGHASHES: [EcdsaSighashType; 5] = [
    EcdsaSighashType::None,
    EcdsaSighashType::Single,
    EcdsaSighashType::AllPlusAnyoneCanPay,
    EcdsaSighashType::NonePlusAnyoneCanPay,
    EcdsaSighashType::SinglePlusAnyoneCanPay,
];

static ISSUED: LazyLock<IssuedPsbt> = LazyLock::new(issued);
static VERIFIED: LazyLock<Verified> = LazyLock::new(|| checked(&returned()).unwrap());

fn checked(psbt: &Psbt) -> Result<Verified, PsbtMismatch> {
    check(&ISSUED, psbt, &wallet())
}

/// The result of checking the answer after a change to it.
fn changed(change: impl FnOnce(&mut Psbt)) -> Result<Verified, PsbtMismatch> {
    let mut psbt = returned();
    change(&mut psbt);
    checked(&psbt)
}

fn with_signature(input: usize, key: PublicKey, signature: ecdsa::Signature) -> Psbt {
    let mut psbt = returned();
    psbt.inputs[input].partial_sigs = BTreeMap::from([(key, signature)]);
    psbt
}

#[test]
fn the_users_signatures_are_kept_and_nothing_else() {
    let verified = &*VERIFIED;
    let all = EcdsaSighashType::All;
    let expected = TRADING.map(|input| (input, sign_input(input, USER, all)));
    assert_eq!(*verified.signatures(), BTreeMap::from(expected));
    assert_eq!(*verified.issued(), issued());
    assert_eq!(verified.to_psbt(), returned());
}

#[test]
fn a_stored_psbt_passes_the_check_again_with_the_same_result() {
    let stored = parse(&VERIFIED.to_base64()).unwrap();
    let issued = IssuedPsbt::restore(&stored, &owners()).unwrap();
    assert_eq!(check(&issued, &stored, &wallet()).as_ref(), Ok(&*VERIFIED));
}

#[test]
fn missing_fields_are_filled_from_the_issued_psbt() {
    let verified = changed(|psbt| {
        for fields in &mut psbt.inputs {
            let partial_sigs = std::mem::take(&mut fields.partial_sigs);
            *fields = psbt::Input { partial_sigs, ..Default::default() };
        }
    });
    assert_eq!(verified.as_ref(), Ok(&*VERIFIED));
}

#[test]
fn irrelevant_fields_are_dropped() {
    let xpriv = Xpriv::new_master(bitcoin::Network::Regtest, &[1; 32]).unwrap();
    let secp = Secp256k1::new();
    let origin = (Fingerprint::from([1, 2, 3, 4]), DerivationPath::master());
    let proprietary = raw::ProprietaryKey { prefix: b"wallet".to_vec(), subtype: 1, key: vec![] };
    let unknown = |type_value| (raw::Key { type_value, key: vec![1] }, vec![2]);
    let verified = changed(|psbt| {
        psbt.xpub.insert(bitcoin::bip32::Xpub::from_priv(&secp, &xpriv), origin.clone());
        psbt.proprietary.insert(proprietary.clone(), vec![1]);
        psbt.unknown.extend([unknown(0x07), unknown(0xf0)]);
        for (input, fields) in psbt.inputs.iter_mut().enumerate() {
            fields.non_witness_utxo = Some(funding(input));
            fields.bip32_derivation.insert(public(USER).inner, origin.clone());
            fields.proprietary.insert(proprietary.clone(), vec![1]);
            fields.unknown.extend([unknown(0x09), unknown(0x1a), unknown(0xf0)]);
        }
        for fields in &mut psbt.outputs {
            fields.witness_script = Some(wallet().witness_script());
            fields.redeem_script = Some(ScriptBuf::new());
            fields.bip32_derivation.insert(public(USER).inner, origin.clone());
            fields.proprietary.insert(proprietary.clone(), vec![1]);
            fields.unknown.extend([unknown(0x08), unknown(0xf0)]);
        }
    });
    assert_eq!(verified.as_ref(), Ok(&*VERIFIED));
}

#[test]
fn a_different_transaction_is_refused_with_the_difference() {
    type Change = fn(&mut Psbt);
    let cases: &[(Change, PsbtMismatch)] = &[
        (|psbt| psbt.unsigned_tx.version = Version::ONE, PsbtMismatch::VersionChanged),
        (
            |psbt| psbt.unsigned_tx.lock_time = LockTime::from_consensus(1),
            PsbtMismatch::LockTimeChanged,
        ),
        (
            |psbt| {
                psbt.unsigned_tx.input.push(txin(OutPoint::null(), Sequence::MAX));
                psbt.inputs.push(psbt::Input::default());
            },
            PsbtMismatch::InputAdded,
        ),
        (
            |psbt| {
                psbt.unsigned_tx.input.pop();
                psbt.inputs.pop();
            },
            PsbtMismatch::InputRemoved,
        ),
        (
            |psbt| {
                psbt.unsigned_tx.input.swap(0, 2);
                psbt.inputs.swap(0, 2);
            },
            PsbtMismatch::InputSwapped { input: 0 },
        ),
        (
            |psbt| psbt.unsigned_tx.input[2].previous_output.vout = 0,
            PsbtMismatch::InputSwapped { input: 2 },
        ),
        (
            |psbt| psbt.unsigned_tx.input[1].sequence = Sequence::MAX,
            PsbtMismatch::SequenceChanged { input: 1 },
        ),
        (
            |psbt| {
                psbt.unsigned_tx.output.push(txout(1_000, ScriptBuf::new()));
                psbt.outputs.push(psbt::Output::default());
            },
            PsbtMismatch::OutputAdded,
        ),
        (
            |psbt| {
                psbt.unsigned_tx.output.pop();
                psbt.outputs.pop();
            },
            PsbtMismatch::OutputRemoved,
        ),
        (
            |psbt| psbt.unsigned_tx.output[2].value -= Amount::ONE_SAT,
            PsbtMismatch::OutputChanged { output: 2 },
        ),
        (
            |psbt| psbt.unsigned_tx.output[1].script_pubkey = ScriptBuf::new_op_return([1]),
            PsbtMismatch::OutputChanged { output: 1 },
        ),
        (|psbt| psbt.unsigned_tx.output.swap(1, 2), PsbtMismatch::OutputChanged { output: 1 }),
        (
            |psbt| psbt.unsigned_tx.input[0].witness = Witness::from_slice(&[[1]]),
            PsbtMismatch::Finalised { input: 0 },
        ),
        (
            |psbt| psbt.unsigned_tx.input[0].script_sig = ScriptBuf::from(vec![1]),
            PsbtMismatch::Finalised { input: 0 },
        ),
        (|psbt| drop(psbt.inputs.pop()), PsbtMismatch::InputRemoved),
    ];
    for (change, refusal) in cases {
        assert_eq!(changed(change), Err(refusal.clone()));
    }
}

#[test]
fn an_input_that_contradicts_the_issued_one_is_refused() {
    type Change = fn(&mut psbt::Input);
    let cases: [(Change, PsbtMismatch); 7] = [
        (
            |fields| fields.witness_utxo = Some(txout(1, wallet().script_pubkey())),
            PsbtMismatch::PrevoutContradicted { input: 0 },
        ),
        (
            |fields| fields.witness_utxo.as_mut().unwrap().script_pubkey = ScriptBuf::new(),
            PsbtMismatch::PrevoutContradicted { input: 0 },
        ),
        // A different transaction with the same output at the same index.
        (
            |fields| {
                let mut previous = funding(0);
                previous.lock_time = LockTime::from_consensus(1);
                fields.non_witness_utxo = Some(previous);
            },
            PsbtMismatch::PrevoutContradicted { input: 0 },
        ),
        (
            |fields| fields.non_witness_utxo = Some(funding(2)),
            PsbtMismatch::PrevoutContradicted { input: 0 },
        ),
        (
            |fields| {
                let mut previous = funding(0);
                previous.output.pop();
                fields.non_witness_utxo = Some(previous);
            },
            PsbtMismatch::PrevoutContradicted { input: 0 },
        ),
        (
            |fields| fields.witness_script = Some(ScriptBuf::new()),
            PsbtMismatch::ScriptContradicted { input: 0 },
        ),
        (
            |fields| {
                let user = UserKey::Compressed(public(PLATFORM));
                let swapped = TradingDescriptor::new(user, public(USER)).unwrap();
                fields.witness_script = Some(swapped.witness_script());
            },
            PsbtMismatch::ScriptContradicted { input: 0 },
        ),
    ];
    for (change, refusal) in cases {
        assert_eq!(changed(|psbt| change(&mut psbt.inputs[0])), Err(refusal));
    }
    // P2WPKH has no witness script.
    let script = Some(wallet().witness_script());
    let refused = changed(|psbt| psbt.inputs[1].witness_script = script);
    assert_eq!(refused, Err(PsbtMismatch::ScriptContradicted { input: 1 }));
}

#[test]
fn a_previous_transaction_that_contradicts_the_issued_value_is_refused() {
    let mut spent = spent();
    spent[0].txout.value += Amount::ONE_SAT;
    let issued = issue(&unsigned(), &spent).unwrap();
    let mut psbt = issued.psbt().clone();
    psbt.inputs[0].non_witness_utxo = Some(funding(0));
    let refused = check(&issued, &psbt, &wallet());
    assert_eq!(refused, Err(PsbtMismatch::PrevoutContradicted { input: 0 }));
}

#[test]
fn a_finalised_input_is_refused() {
    for input in 0..4 {
        let witness = Witness::from_slice(&[[1]]);
        for final_script_witness in [Witness::new(), witness] {
            let fields = final_script_witness;
            let refused = changed(|psbt| psbt.inputs[input].final_script_witness = Some(fields));
            assert_eq!(refused, Err(PsbtMismatch::Finalised { input }));
        }
        let refused = changed(|psbt| psbt.inputs[input].final_script_sig = Some(ScriptBuf::new()));
        assert_eq!(refused, Err(PsbtMismatch::Finalised { input }));
    }
}

#[test]
fn a_field_of_another_kind_of_input_is_refused() {
    let secp = Secp256k1::new();
    let pair = bitcoin::key::Keypair::from_secret_key(&secp, &secret(USER));
    let (x_only, _) = pair.x_only_public_key();
    let schnorr = taproot::Signature {
        signature: secp.sign_schnorr_no_aux_rand(&Message::from_digest([1; 32]), &pair),
        sighash_type: bitcoin::TapSighashType::Default,
    };
    let leaf = TapLeafHash::all_zeros();
    let script = wallet().witness_script();
    let tree = TaprootBuilder::new().add_leaf(0, script.clone()).unwrap();
    let tree = tree.finalize(&secp, x_only).unwrap();
    let leaf_version = LeafVersion::TapScript;
    let control = tree.control_block(&(script.clone(), leaf_version)).unwrap();
    let origin = (Fingerprint::default(), DerivationPath::master());
    let preimage = b"preimage".to_vec();

    type Change<'a> = Box<dyn Fn(&mut psbt::Input) + 'a>;
    let cases: Vec<(&str, Change<'_>)> = vec![
        ("PSBT_IN_REDEEM_SCRIPT", Box::new(|f| f.redeem_script = Some(script.clone()))),
        (
            "PSBT_IN_RIPEMD160",
            Box::new(|f| {
                f.ripemd160_preimages.insert(ripemd160::Hash::hash(&preimage), preimage.clone());
            }),
        ),
        (
            "PSBT_IN_SHA256",
            Box::new(|f| {
                f.sha256_preimages.insert(sha256::Hash::hash(&preimage), preimage.clone());
            }),
        ),
        (
            "PSBT_IN_HASH160",
            Box::new(|f| {
                f.hash160_preimages.insert(hash160::Hash::hash(&preimage), preimage.clone());
            }),
        ),
        (
            "PSBT_IN_HASH256",
            Box::new(|f| {
                f.hash256_preimages.insert(sha256d::Hash::hash(&preimage), preimage.clone());
            }),
        ),
        ("PSBT_IN_TAP_KEY_SIG", Box::new(|f| f.tap_key_sig = Some(schnorr))),
        (
            "PSBT_IN_TAP_SCRIPT_SIG",
            Box::new(|f| {
                f.tap_script_sigs.insert((x_only, leaf), schnorr);
            }),
        ),
        (
            "PSBT_IN_TAP_LEAF_SCRIPT",
            Box::new(|f| {
                f.tap_scripts.insert(control.clone(), (script.clone(), leaf_version));
            }),
        ),
        (
            "PSBT_IN_TAP_BIP32_DERIVATION",
            Box::new(|f| {
                f.tap_key_origins.insert(x_only, (vec![leaf], origin.clone()));
            }),
        ),
        ("PSBT_IN_TAP_INTERNAL_KEY", Box::new(|f| f.tap_internal_key = Some(x_only))),
        (
            "PSBT_IN_TAP_MERKLE_ROOT",
            Box::new(|f| f.tap_merkle_root = Some(TapNodeHash::all_zeros())),
        ),
    ];
    for (field, change) in &cases {
        for input in 0..4 {
            let refused = changed(|psbt| change(&mut psbt.inputs[input]));
            assert_eq!(refused, Err(PsbtMismatch::SurprisingField { field }));
        }
    }
}

#[test]
fn a_field_of_psbt_version_2_is_refused() {
    let key = |type_value| raw::Key { type_value, key: vec![] };
    let surprising = |refused| matches!(refused, Err(PsbtMismatch::SurprisingField { .. }));
    for type_value in 0x02..=0x06 {
        let refused = changed(|psbt| drop(psbt.unknown.insert(key(type_value), vec![0; 4])));
        assert!(surprising(refused), "{type_value}");
    }
    for type_value in 0x0e..=0x12 {
        let insert = |psbt: &mut Psbt| psbt.inputs[1].unknown.insert(key(type_value), vec![0; 4]);
        assert!(surprising(changed(|psbt| drop(insert(psbt)))), "{type_value}");
    }
    for type_value in 0x03..=0x04 {
        let insert = |psbt: &mut Psbt| psbt.outputs[1].unknown.insert(key(type_value), vec![0; 8]);
        assert!(surprising(changed(|psbt| drop(insert(psbt)))), "{type_value}");
    }
}

#[test]
fn a_sighash_type_other_than_all_is_refused() {
    for sighash in SIGHASHES {
        let signature = sign_input(2, USER, sighash);
        let psbt = with_signature(2, public(USER), signature);
        assert_eq!(checked(&psbt), Err(PsbtMismatch::WrongSighash { input: 2 }), "{sighash}");
        // The same signature, declared as ALL.
        let renamed = ecdsa::Signature::sighash_all(signature.signature);
        let psbt = with_signature(2, public(USER), renamed);
        assert_eq!(checked(&psbt), Err(PsbtMismatch::BadSignature { input: 2 }), "{sighash}");
    }
    for field in SIGHASHES.map(|sighash| sighash as u32).into_iter().chain([0, 4, 0x80, 0x101]) {
        for input in 0..4 {
            let field = Some(PsbtSighashType::from_u32(field));
            let refused = changed(|psbt| psbt.inputs[input].sighash_type = field);
            assert_eq!(refused, Err(PsbtMismatch::WrongSighash { input }), "{field:?}");
        }
    }
}

#[test]
fn a_missing_signature_is_named() {
    for input in TRADING {
        let refused = changed(|psbt| psbt.inputs[input].partial_sigs.clear());
        assert_eq!(refused, Err(PsbtMismatch::MissingSignature { input }));
    }
    assert_eq!(checked(issued().psbt()), Err(PsbtMismatch::MissingSignature { input: 0 }));
}

#[test]
fn the_signature_of_another_key_is_refused() {
    let wrong = Err(PsbtMismatch::WrongKey { input: 0 });
    let all = EcdsaSighashType::All;
    let users = sign_input(0, USER, all);
    let strangers = sign_input(0, STRANGER, all);
    assert_eq!(checked(&with_signature(0, public(STRANGER), strangers)), wrong);
    // Also in addition to the user's, and also the platform's.
    for other in [STRANGER, PLATFORM] {
        let signature = sign_input(0, other, all);
        let refused = changed(|psbt| {
            psbt.inputs[0].partial_sigs.insert(public(other), signature);
        });
        assert_eq!(refused, wrong);
    }
    // The same point uncompressed, and the point of the other parity.
    let uncompressed = PublicKey::new_uncompressed(public(USER).inner);
    let negated = PublicKey::new(public(USER).inner.negate(&Secp256k1::new()));
    for key in [uncompressed, negated] {
        assert_eq!(checked(&with_signature(0, key, users)), wrong);
    }
    let refused = Err(PsbtMismatch::BadSignature { input: 0 });
    assert_eq!(checked(&with_signature(0, public(USER), strangers)), refused);
}

#[test]
fn the_signature_of_another_input_is_refused() {
    let signature = sign_input(2, USER, EcdsaSighashType::All);
    let psbt = with_signature(0, public(USER), signature);
    assert_eq!(checked(&psbt), Err(PsbtMismatch::BadSignature { input: 0 }));
}

#[test]
fn signatures_on_the_platforms_inputs_are_dropped() {
    for key in [USER, STRANGER, PLATFORM] {
        let signed = changed(|psbt| {
            for input in [1, 3] {
                let signature = sign_input(0, key, EcdsaSighashType::None);
                psbt.inputs[input].partial_sigs.insert(public(key), signature);
            }
        });
        assert_eq!(signed.as_ref(), Ok(&*VERIFIED));
    }
}

#[test]
fn a_user_cannot_sign_another_users_inputs() {
    let stranger = UserKey::Compressed(public(STRANGER));
    let other = TradingDescriptor::new(stranger, public(PLATFORM)).unwrap();
    let check = |psbt: &Psbt| check(&issued(), psbt, &other);
    for psbt in [&returned(), issued().psbt()] {
        assert_eq!(check(psbt), Err(PsbtMismatch::NothingToSign));
    }
}

#[test]
fn a_high_s_is_normalised() {
    let low = sign_input(0, USER, EcdsaSighashType::All);
    let high = ecdsa::Signature::sighash_all(other_s(&low.signature));
    assert_ne!(low, high);
    let psbt = with_signature(0, public(USER), high);
    assert_eq!(checked(&psbt).as_ref(), Ok(&*VERIFIED));
    assert_eq!(VERIFIED.to_psbt(), returned());
}
