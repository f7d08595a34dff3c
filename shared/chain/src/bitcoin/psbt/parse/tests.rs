#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::sync::LazyLock;

use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use bitcoin::consensus::encode::{serialize, serialize_hex};
use proptest::{collection::vec, prelude::*, sample::Index};
use serde::Deserialize;

use super::*;
use crate::bitcoin::psbt::fixture::{issued, returned, unsigned};

#[derive(Deserialize)]
struct Vectors {
    psbt: Psbts,
    psbt_taproot: TaprootPsbts,
}

#[derive(Deserialize)]
struct Psbts {
    valid: Vec<Case>,
    invalid: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    base64: String,
}

#[derive(Deserialize)]
struct TaprootPsbts {
    valid: Vec<String>,
    invalid: Vec<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../vectors.json")).unwrap()
}

/// Parses the base64 and the hex of the same bytes, which must agree.
fn parse_both(base64: &str) -> Result<Psbt, NotAPsbt> {
    let bytes = BASE64_STANDARD.decode(base64).unwrap();
    let (base64, hex) = (parse(base64), parse(&hex::encode(&bytes)));
    assert_eq!(format!("{base64:?}"), format!("{hex:?}"));
    base64
}

#[test]
fn valid_psbts_of_bip_174_and_bip_371_are_parsed() {
    let Vectors { psbt, psbt_taproot } = vectors();
    assert_eq!((psbt.valid.len(), psbt_taproot.valid.len()), (10, 6));
    for case in psbt.valid {
        let read = parse_both(&case.base64).unwrap();
        assert_eq!(BASE64_STANDARD.encode(read.serialize()), case.base64, "{}", case.case);
    }
    for base64 in psbt_taproot.valid {
        assert!(parse_both(&base64).is_ok(), "{base64}");
    }
}

#[test]
fn invalid_psbts_of_bip_174_and_bip_371_are_refused() {
    let Vectors { psbt, psbt_taproot } = vectors();
    assert_eq!((psbt.invalid.len(), psbt_taproot.invalid.len()), (19, 10));
    for case in psbt.invalid {
        let refusal = parse_both(&case.base64).unwrap_err();
        let is_network = case.case.starts_with("Network transaction");
        assert_eq!(matches!(refusal, NotAPsbt::NetworkTransaction), is_network, "{}", case.case);
    }
    for base64 in psbt_taproot.invalid {
        assert!(parse_both(&base64).is_err(), "{base64}");
    }
}

fn in_lines(text: &str, columns: usize, end: &str) -> String {
    let lines = text.as_bytes().chunks(columns).map(|line| String::from_utf8_lossy(line) + end);
    lines.collect()
}

#[test]
fn base64_is_parsed_with_and_without_padding_and_hex_in_any_case() {
    let psbt = returned();
    let bytes = psbt.serialize();
    for text in [
        BASE64_STANDARD.encode(&bytes),
        BASE64_STANDARD_NO_PAD.encode(&bytes),
        format!(" \r\n{}\n", BASE64_STANDARD.encode(&bytes)),
        in_lines(&BASE64_STANDARD.encode(&bytes), 76, "\r\n"),
        in_lines(&BASE64_STANDARD.encode(&bytes), 64, "\n"),
        in_lines(&hex::encode(&bytes), 40, "\n\t "),
        hex::encode(&bytes),
        hex::encode_upper(&bytes),
    ] {
        assert_eq!(parse(&text).unwrap(), psbt);
    }
}

#[test]
fn a_network_transaction_is_recognised() {
    let signed = vectors().psbt.invalid.remove(0).base64;
    for text in [serialize_hex(&unsigned()), BASE64_STANDARD.encode(serialize(&unsigned())), signed]
    {
        assert!(matches!(parse(&text), Err(NotAPsbt::NetworkTransaction)), "{text}");
    }
}

#[test]
fn invalid_texts_are_refused() {
    let bytes = issued().psbt().serialize();
    let mut version_2 = bytes[..5].to_vec();
    version_2.extend(hex::decode("01fb0402000000").unwrap());
    version_2.extend(&bytes[5..]);
    let followed = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(parse("not a PSBT!"), Err(NotAPsbt::Encoding)));
    assert!(matches!(parse("abc"), Err(NotAPsbt::Encoding)));
    assert!(matches!(parse(&hex::encode(followed)), Err(NotAPsbt::TrailingBytes)));
    for bytes in [&[], b"psbt".as_slice(), b"psbt\xff", &bytes[..bytes.len() - 1], &version_2] {
        assert!(matches!(parse(&hex::encode(bytes)), Err(NotAPsbt::Malformed(_))));
    }
    // The URL alphabet is a different encoding that no wallet uses.
    let urls = BASE64_STANDARD.encode(&bytes).replace('/', "_");
    assert!(urls.contains('_') && matches!(parse(&urls), Err(NotAPsbt::Encoding)));
}

/// A PSBT of exactly this size, padded by a proprietary field.
fn of_size(size: usize) -> Vec<u8> {
    let mut psbt = issued().psbt().clone();
    let key = bitcoin::psbt::raw::ProprietaryKey { prefix: vec![1], subtype: 0, key: vec![] };
    psbt.proprietary.insert(key.clone(), vec![0; 70_000]);
    let rest = psbt.serialize().len() - 70_000;
    psbt.proprietary.insert(key, vec![0; size - rest]);
    let bytes = psbt.serialize();
    assert_eq!(bytes.len(), size);
    bytes
}

#[test]
fn two_hundred_kilobytes_are_parsed_and_one_byte_more_is_not() {
    let (largest, larger) = (of_size(MAX_BYTES), of_size(MAX_BYTES + 1));
    assert!(parse(&hex::encode(&largest)).is_ok());
    assert!(parse(&BASE64_STANDARD.encode(&largest)).is_ok());
    assert!(matches!(parse(&hex::encode(&larger)), Err(NotAPsbt::TooLarge)));
    assert!(matches!(parse(&BASE64_STANDARD.encode(&larger)), Err(NotAPsbt::TooLarge)));
    // Oversized texts are not decoded.
    assert!(matches!(parse(&"!".repeat(2 * MAX_BYTES + 1)), Err(NotAPsbt::TooLarge)));
    let two_megabytes = of_size(2_000_000);
    assert!(matches!(parse(&hex::encode(&two_megabytes)), Err(NotAPsbt::TooLarge)));
    assert!(matches!(parse(&BASE64_STANDARD.encode(&two_megabytes)), Err(NotAPsbt::TooLarge)));
}

#[test]
fn a_signature_without_an_ecdsa_sighash_type_is_refused() {
    let bytes = hex::encode(returned().serialize());
    let signature = returned().inputs[0].partial_sigs.values().next().unwrap().to_vec();
    let der = hex::encode(&signature[..signature.len() - 1]);
    // 0 is Taproot's DEFAULT; 4 and 0x80 are valid by consensus, but refused by every mempool.
    for sighash in [0, 4, 0x80, 0xff] {
        let text = bytes.replace(&format!("{der}01"), &format!("{der}{sighash:02x}"));
        assert_ne!(text, bytes);
        let refused = parse(&text);
        let Err(NotAPsbt::NonStandardSighash(found)) = refused else { panic!("{refused:?}") };
        assert_eq!(found, sighash);
    }
}

#[test]
fn a_length_beyond_the_bytes_is_refused() {
    let bytes = issued().psbt().serialize();
    for position in 5..bytes.len() {
        for claim in ["fdffff", "fe00004000", "feffffffff", "ffffffffffffffffff"] {
            let mut claimed = bytes[..position].to_vec();
            claimed.extend(hex::decode(claim).unwrap());
            claimed.extend(&bytes[position..]);
            // Parsing ends quickly, whatever the claimed length.
            let _ = parse(&hex::encode(&claimed));
            claimed.truncate(position + claim.len() / 2);
            assert!(parse(&hex::encode(claimed)).is_err());
        }
    }
}

/// Valid PSBTs.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let Vectors { psbt, psbt_taproot } = vectors();
    let texts = psbt.valid.into_iter().map(|case| case.base64).chain(psbt_taproot.valid);
    let seeds = texts.map(|text| BASE64_STANDARD.decode(text).unwrap());
    seeds.chain([returned().serialize()]).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_answered(text in ".*") {
        let _ = parse(&text);
    }

    #[test]
    fn any_bytes_are_answered(bytes in vec(any::<u8>(), 0..400)) {
        let after_magic = [b"psbt\xff".as_slice(), &bytes].concat();
        for bytes in [bytes, after_magic] {
            let (hex, base64) = (hex::encode(&bytes), BASE64_STANDARD.encode(&bytes));
            let _ = (parse(&hex), parse(&base64));
        }
    }

    #[test]
    fn any_mutation_of_a_psbt_is_refused_or_survives_serialisation(
        which in any::<Index>(),
        edits in vec((any::<Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let mut bytes = which.get(&SEEDS).clone();
        for (position, byte, edit) in edits {
            let position = position.index(bytes.len());
            match edit {
                0 => bytes[position] = byte,
                1 => bytes.insert(position, byte),
                _ => { bytes.remove(position); }
            }
        }
        if let Ok(psbt) = parse(&hex::encode(&bytes)) {
            prop_assert_eq!(parse(&BASE64_STANDARD.encode(psbt.serialize())).unwrap(), psbt);
        }
    }
}
