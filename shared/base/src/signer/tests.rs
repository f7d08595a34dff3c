use proptest::prelude::*;

use super::*;

const PLATFORM: u8 = 1;
const USER: u8 = 2;

fn secret(n: u8) -> SecretKey {
    SecretKey::from_slice(&[n; 32]).unwrap()
}

fn public(n: u8) -> PublicKey {
    PublicKey::new(secret(n).public_key(&Secp256k1::signing_only()))
}

fn sign(digest: [u8; 32], n: u8) -> Signature {
    Secp256k1::signing_only().sign_ecdsa(&Message::from_digest(digest), &secret(n))
}

/// The equivalent signature with the same r and s replaced by the order minus s.
fn other_s(signature: &Signature) -> Signature {
    let mut compact = signature.serialize_compact();
    let s = SecretKey::from_slice(&compact[32..]).unwrap().negate();
    compact[32..].copy_from_slice(s.as_ref());
    Signature::from_compact(&compact).unwrap()
}

/// Otherwise the copies of the keys in a second region could not serve the rows of the first one.
#[test]
fn keys_are_named_without_a_region_unless_the_settings_name_one() {
    let (id, arn) = ("mrk-1", "arn:aws:kms:eu-central-1:123456789012:key/mrk-1");
    for requested in ["alias/stack-cosigning", id] {
        assert_eq!(lasting_id(requested, arn.to_owned()), id);
    }
    for requested in [arn, "arn:aws:kms:eu-central-1:123456789012:alias/stack-cosigning"] {
        assert_eq!(lasting_id(requested, arn.to_owned()), arn);
    }
}

#[test]
fn signatures_of_kms_are_normalised_and_verified() {
    let key = public(PLATFORM);
    let digest = [9; 32];
    let low = sign(digest, PLATFORM);
    let high = other_s(&low);
    let expected = Ok(low);
    assert_eq!(platform_signature(&low.serialize_der(), digest, &key), expected);
    assert_eq!(platform_signature(&high.serialize_der(), digest, &key), expected);

    let der = low.serialize_der();
    let invalid = Err(BadPlatformSignature::Invalid);
    assert_eq!(platform_signature(&der, [8; 32], &key), invalid);
    assert_eq!(platform_signature(&der, digest, &public(USER)), invalid);
    let encoding = Err(BadPlatformSignature::Encoding);
    let compact = low.serialize_compact();
    let with_sighash = [&der[..], &[1]].concat();
    // A length in BER's long form.
    let mut long_form = der.to_vec();
    long_form.splice(1..2, [0x81, der[1]]);
    for bytes in [&[], &compact[..], &with_sighash, &der[..der.len() - 1], &long_form] {
        assert_eq!(platform_signature(bytes, digest, &key), encoding);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn either_s_of_any_signature_is_normalised_to_the_same_value(digest: [u8; 32], high: bool) {
        let low = sign(digest, PLATFORM);
        let answered = if high { other_s(&low) } else { low };
        let signature = platform_signature(&answered.serialize_der(), digest, &public(PLATFORM));
        prop_assert_eq!(signature, Ok(low));
    }

    #[test]
    fn any_answer_of_a_signer_is_parsed_or_refused(der in proptest::collection::vec(any::<u8>(), 0..80)) {
        prop_assert!(platform_signature(&der, [9; 32], &public(PLATFORM)).is_err());
    }
}
