//! Answers with changed bits and bytes.

use bitcoin::consensus::serialize;
use proptest::{collection::vec, prelude::*, sample::Index};

use super::*;

#[test]
fn no_single_bit_of_the_transaction_can_be_changed() {
    let bytes = returned().serialize();
    let transaction = serialize(&unsigned());
    let start = bytes.windows(transaction.len()).position(|bytes| *bytes == transaction).unwrap();
    for position in start..start + transaction.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[position] ^= 1 << bit;
            if let Ok(psbt) = parse(&hex::encode(bytes)) {
                checked(&psbt).unwrap_err();
            }
        }
    }
}

/// Whether these bytes are refused, or give exactly the result of the unchanged answer.
fn is_refused_or_the_same(bytes: &[u8]) -> bool {
    let result = parse(&hex::encode(bytes)).ok().and_then(|psbt| checked(&psbt).ok());
    result.is_none_or(|verified| verified == *VERIFIED)
}

#[test]
fn any_single_bit_changed_is_refused_or_changes_nothing() {
    let bytes = returned().serialize();
    for position in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[position] ^= 1 << bit;
            assert!(is_refused_or_the_same(&bytes), "byte {position}, bit {bit}");
        }
    }
}

#[test]
fn any_bit_of_a_signature_changed_is_refused() {
    let bytes = returned().serialize();
    for input in TRADING {
        let signature = sign_input(input, USER, EcdsaSighashType::All).to_vec();
        let start = bytes.windows(signature.len()).position(|bytes| *bytes == signature).unwrap();
        for position in start..start + signature.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[position] ^= 1 << bit;
                if let Ok(psbt) = parse(&hex::encode(bytes)) {
                    checked(&psbt).unwrap_err();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_changed_are_refused_or_change_nothing(
        edits in vec((any::<Index>(), any::<u8>(), 0..3_u8), 1..5),
    ) {
        let mut bytes = VERIFIED.to_psbt().serialize();
        for (position, byte, edit) in edits {
            let position = position.index(bytes.len());
            match edit {
                0 => bytes[position] = byte,
                1 => bytes.insert(position, byte),
                _ => { bytes.remove(position); }
            }
        }
        prop_assert!(is_refused_or_the_same(&bytes));
    }
}
