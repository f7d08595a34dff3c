#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeSet;

use bitcoin::{
    Address, Amount, OutPoint, ScriptBuf, Transaction, TxOut, address::NetworkUnchecked,
    consensus::encode::deserialize_hex,
};
use serde::Deserialize;

use super::{fixture::*, *};

#[derive(Deserialize)]
struct Vectors {
    address: Addresses,
    signature_hash: SignatureHashes,
}

#[derive(Deserialize)]
struct Addresses {
    valid: Vec<AddressCase>,
    invalid: Vec<String>,
}

#[derive(Deserialize)]
struct AddressCase {
    address: String,
    script_pubkey: ScriptBuf,
}

#[derive(Deserialize)]
struct SignatureHashes {
    cases: Vec<SignatureHashCase>,
}

#[derive(Deserialize)]
struct SignatureHashCase {
    case: String,
    transaction: String,
    input: usize,
    script_pubkey: ScriptBuf,
    witness_script: Option<ScriptBuf>,
    value: u64,
    digest: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors.json")).unwrap()
}

#[test]
fn digests_are_those_of_bip_143() {
    for case in vectors().signature_hash.cases {
        let transaction: Transaction = deserialize_hex(&case.transaction).unwrap();
        let digest = signature_hash(
            &mut SighashCache::new(&transaction),
            case.input,
            &txout(case.value, case.script_pubkey),
            case.witness_script.as_deref(),
        );
        assert_eq!(hex::encode(digest.unwrap()), case.digest, "{}", case.case);
    }
}

#[test]
fn addresses_are_those_of_bip_173_and_bip_350() {
    let Addresses { valid, invalid } = vectors().address;
    assert!(valid.len() == 8 && invalid.len() > 15);
    for case in valid {
        let address: Address<NetworkUnchecked> = case.address.parse().unwrap();
        let address = address.assume_checked();
        assert_eq!(address.script_pubkey(), case.script_pubkey, "{address}");
        assert_eq!(address.to_string(), case.address.to_lowercase());
    }
    for address in invalid {
        assert!(address.parse::<Address<NetworkUnchecked>>().is_err(), "{address}");
    }
}

#[test]
fn an_issued_psbt_states_output_script_and_sighash_and_nothing_else() {
    let issued = issued();
    for (spent, fields) in spent().into_iter().zip(&issued.psbt().inputs) {
        let stated = bitcoin::psbt::Input {
            witness_script: spent.owner.witness_script(),
            witness_utxo: Some(spent.txout),
            sighash_type: Some(EcdsaSighashType::All.into()),
            ..Default::default()
        };
        assert_eq!(*fields, stated);
    }
    for fields in &issued.psbt().outputs {
        assert_eq!(*fields, bitcoin::psbt::Output::default());
    }
    assert_eq!(*issued.transaction(), unsigned());
    let spent_sats: u64 = spent().iter().map(|s| s.txout.value.to_sat()).sum();
    assert_eq!(issued.fee(), Amount::from_sat(spent_sats - 390_000));
}

#[test]
fn an_issued_psbt_is_deterministic_and_survives_its_base64() {
    let text = issued().to_base64();
    assert!(text.starts_with("cHNidP8BA"));
    assert_eq!(text, issued().to_base64());
    assert_eq!(parse(&text).unwrap(), *issued().psbt());
}

#[test]
fn each_input_has_its_own_digest_and_its_platform_key() {
    let due = digests(&issued());
    assert_eq!(due.iter().map(|due| due.input).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let keys = [PLATFORM, TREASURY, PLATFORM, POOL].map(public);
    assert_eq!(due.iter().map(|due| due.key).collect::<Vec<_>>(), keys);
    assert_eq!(due.iter().map(|due| due.digest).collect::<BTreeSet<_>>().len(), 4);
}

#[test]
fn a_stored_psbt_is_restored_with_its_owners() {
    for stored in [issued().psbt().clone(), returned()] {
        assert_eq!(IssuedPsbt::restore(&stored, &owners()).unwrap(), issued());
    }
    let without_wallet = &owners()[..2];
    let unknown = Err(IssueError::UnknownOwner { input: 0 });
    assert_eq!(IssuedPsbt::restore(issued().psbt(), without_wallet), unknown);
    let mut stored = returned();
    stored.inputs[3].witness_utxo = None;
    let unknown = Err(IssueError::UnknownOwner { input: 3 });
    assert_eq!(IssuedPsbt::restore(&stored, &owners()), unknown);
}

#[test]
fn inconsistent_arguments_are_not_issued() {
    type Change = fn(&mut Transaction, &mut Vec<Spent>);
    let cases: [(Change, IssueError); 8] = [
        (|_, spent| spent.truncate(3), IssueError::InputCount { inputs: 4, spent: 3 }),
        (
            |transaction, spent| {
                transaction.input.clear();
                spent.clear();
            },
            IssueError::InputCount { inputs: 0, spent: 0 },
        ),
        (|_, spent| spent[0].owner = spent[1].owner.clone(), IssueError::UnknownOwner { input: 0 }),
        (
            |_, spent| spent[2].txout.script_pubkey = ScriptBuf::new(),
            IssueError::UnknownOwner { input: 2 },
        ),
        (
            |transaction, _| {
                transaction.input[2].previous_output = transaction.input[0].previous_output
            },
            IssueError::SpentTwice { input: 2 },
        ),
        (
            |transaction, _| transaction.input[1].script_sig = ScriptBuf::from(vec![0]),
            IssueError::NotUnsigned,
        ),
        (
            |transaction, _| transaction.output[1].value = Amount::from_sat(200_000),
            IssueError::Overspent,
        ),
        (|transaction, _| transaction.output[1].value = Amount::MAX, IssueError::Overspent),
    ];
    for (change, error) in cases {
        let (mut transaction, mut spent) = (unsigned(), spent());
        change(&mut transaction, &mut spent);
        assert_eq!(issue(&transaction, &spent), Err(error));
    }
}

#[test]
fn an_inputs_previous_output_matches_its_funding() {
    for (input, prevout) in issued().prevouts().into_iter().enumerate() {
        let OutPoint { txid, vout } = unsigned().input[input].previous_output;
        assert_eq!(txid, funding(input).compute_txid());
        let paid: &TxOut = &funding(input).output[usize::try_from(vout).unwrap()];
        assert_eq!(prevout, *paid);
    }
}
