//! Solana: Ed25519 (RFC 8032) over the UTF-8 bytes of the message, as produced by wallets' `signMessage`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};

use super::proof::{Proof, WalletError};

/// The longest of the three encodings of 64 bytes: hex with `0x`.
const LONGEST: usize = 130;

/// Checks a proof against the address, which is the public key, and returns it in base58.
pub(super) fn verify(key: &[u8; 32], proof: &Proof<'_>) -> Result<String, WalletError> {
    // Text that is no key is ignored.
    if proof.given_key().and_then(decode_key).is_some_and(|given| given != *key) {
        return Err(WalletError::PublicKeyMismatch);
    }
    let verifying_key = VerifyingKey::from_bytes(key).map_err(|_| WalletError::InvalidSignature)?;
    // `verify_strict` also refuses small-order keys, for which one signature fits every message.
    let valid = decode_signature(proof.signature)
        .any(|signature| verifying_key.verify_strict(proof.message.as_bytes(), &signature).is_ok());
    if !valid {
        return Err(WalletError::InvalidSignature);
    }
    Ok(proof.address.as_str().to_owned())
}

/// Parses base58, as Solana writes keys, or hex.
fn decode_key(text: &str) -> Option<[u8; 32]> {
    if text.len() > LONGEST {
        return None;
    }
    [decode_hex(text), bs58::decode(text).into_vec().ok()]
        .into_iter()
        .flatten()
        .find_map(|bytes| bytes.try_into().ok())
}

/// All readings of the text that give 64 bytes. Wallets use different encodings, and in theory a text is
/// valid in two of them.
fn decode_signature(text: &str) -> impl Iterator<Item = Signature> {
    let readings = if text.len() > LONGEST {
        [None, None, None]
    } else {
        [decode_hex(text), bs58::decode(text).into_vec().ok(), STANDARD.decode(text).ok()]
    };
    readings.into_iter().flatten().filter_map(|bytes| Signature::from_slice(&bytes).ok())
}

fn decode_hex(text: &str) -> Option<Vec<u8>> {
    hex::decode(text.strip_prefix("0x").unwrap_or(text)).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use bitcoin::Network;
    use ed25519_dalek::Verifier as _;
    use proptest::prelude::*;

    use super::*;
    use crate::models::wallet::{AddressForm, Chain, WalletAddress};

    // RFC 8032, section 7.1, TEST 1 (empty message) and TEST 2 (one byte, 0x72).
    const RFC_8032: [(&str, &str, &str); 2] = [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "r",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ];

    fn address(key: &str) -> WalletAddress {
        let text = bs58::encode(hex::decode(key).unwrap()).into_string();
        WalletAddress::parse(Chain::Solana, &text, Network::Bitcoin).unwrap()
    }

    fn check(
        address: &WalletAddress,
        public_key: Option<&str>,
        message: &str,
        signature: &str,
    ) -> Result<String, WalletError> {
        let AddressForm::Solana(key) = address.form() else { panic!("not a Solana address") };
        verify(key, &Proof { address, public_key, message, signature })
    }

    #[test]
    fn rfc_8032_vectors_verify_in_every_encoding() {
        for (key, message, signature) in RFC_8032 {
            let address = address(key);
            let bytes = hex::decode(signature).unwrap();
            for text in [
                signature.to_owned(),
                format!("0x{signature}"),
                bs58::encode(&bytes).into_string(),
                STANDARD.encode(&bytes),
            ] {
                let proved = Ok(address.as_str().to_owned());
                assert_eq!(check(&address, None, message, &text), proved);
                assert_eq!(check(&address, Some(""), message, &text), proved);
                assert_eq!(check(&address, Some(address.as_str()), message, &text), proved);
                assert_eq!(check(&address, Some(key), message, &text), proved);
            }
        }
    }

    #[test]
    fn wrong_message_and_wrong_key_are_refused() {
        let [(first, _, _), (key, message, signature)] = RFC_8032;
        let invalid = Err(WalletError::InvalidSignature);
        assert_eq!(check(&address(key), None, "s", signature), invalid);
        assert_eq!(check(&address(first), None, message, signature), invalid);
        assert_eq!(
            check(&address(key), Some(first), message, signature),
            Err(WalletError::PublicKeyMismatch)
        );
        // Text that is no key is ignored.
        let proved = Ok(address(key).as_str().to_owned());
        assert_eq!(check(&address(key), Some("0OIl"), message, signature), proved);
    }

    #[test]
    fn small_order_keys_are_refused() {
        // The neutral element as key and as R, with S = 0: plain verification accepts it for any message.
        let mut key = [0; 32];
        key[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        assert!(
            VerifyingKey::from_bytes(&key)
                .unwrap()
                .verify(b"anything", &Signature::from_bytes(&signature))
                .is_ok()
        );
        assert_eq!(
            check(&address(&hex::encode(key)), None, "anything", &hex::encode(signature)),
            Err(WalletError::InvalidSignature)
        );
    }

    #[test]
    fn non_canonical_s_is_refused() {
        // S + L is congruent to S, which RFC 8032, section 5.1.7 forbids.
        const L: [u8; 32] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9,
            0xde, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let (key, message, signature) = RFC_8032[1];
        let mut bytes = hex::decode(signature).unwrap();
        let mut carry = 0_u16;
        for (digit, add) in bytes[32..].iter_mut().zip(L) {
            let sum = u16::from(*digit) + u16::from(add) + carry;
            *digit = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert_eq!(
            check(&address(key), None, message, &hex::encode(bytes)),
            Err(WalletError::InvalidSignature)
        );
    }

    #[test]
    fn an_address_off_the_curve_has_no_valid_signature() {
        let off_curve = format!("02{}", "00".repeat(31));
        assert!(
            VerifyingKey::from_bytes(&hex::decode(&off_curve).unwrap().try_into().unwrap())
                .is_err()
        );
        assert_eq!(
            check(&address(&off_curve), None, "r", RFC_8032[1].2),
            Err(WalletError::InvalidSignature)
        );
    }

    proptest! {
        #[test]
        fn a_cut_or_flipped_signature_is_refused(cut in 0_usize..128, bit in 0_usize..512) {
            let (key, message, signature) = RFC_8032[1];
            prop_assert!(check(&address(key), None, message, &signature[..cut]).is_err());
            let mut bytes = hex::decode(signature).unwrap();
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(check(&address(key), None, message, &hex::encode(bytes)).is_err());
        }
    }
}
