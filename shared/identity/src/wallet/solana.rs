//! Solana: Ed25519 (RFC 8032) over the UTF-8 bytes of the message, as produced by wallets' `signMessage`, or
//! over the message in the off-chain message format, version 0, as hardware wallets sign it
//! (<https://docs.anza.xyz/proposals/off-chain-message-signing>).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{SIGNATURE_LENGTH, Signature, VerifyingKey};

use super::proof::{Proof, WalletError};

/// The longest of the three encodings of 64 bytes: hex with `0x`.
const LONGEST: usize = 130;
/// Texts of at least this length can only be an envelope.
const OF_ENVELOPES: usize = LONGEST + 1;
const LONGEST_ENVELOPE: usize = 4 * 1024;

/// The first bytes of an off-chain message. No transaction begins with them.
const SIGNING_DOMAIN: &[u8; 16] = b"\xffsolana offchain";
/// The version of the header.
const VERSION: u8 = 0;
/// Formats of a message: ASCII, UTF-8 for hardware wallets, UTF-8. Wallets disagree on whether ASCII includes
/// line breaks.
const FORMATS: [u8; 3] = [0, 1, 2];
/// The application that wallets state if they name none.
const NO_APPLICATION: [u8; 32] = [0; 32];

/// Checks a proof against the address, which is the public key, and returns it in base58.
pub(super) fn verify(key: &[u8; 32], proof: &Proof<'_>) -> Result<String, WalletError> {
    // Text that is not a key is ignored.
    if proof.given_key().and_then(decode_key).is_some_and(|given| given != *key) {
        return Err(WalletError::PublicKeyMismatch);
    }
    let verifying_key = VerifyingKey::from_bytes(key).map_err(|_| WalletError::InvalidSignature)?;
    let message = proof.message.as_bytes();
    // `verify_strict` also refuses small-order keys, for which one signature is valid for every message.
    let signs = |signed: &[u8], signature: &Signature| {
        verifying_key.verify_strict(signed, signature).is_ok()
    };
    let valid = decode(proof.signature).any(|bytes| match Signature::from_slice(&bytes) {
        Ok(signature) => {
            signs(message, &signature)
                || off_chain_messages(key, message).any(|signed| signs(&signed, &signature))
        }
        Err(_) => open_envelope(key, message, &bytes)
            .is_some_and(|(signature, signed)| signs(signed, &signature)),
    });
    if !valid {
        return Err(WalletError::InvalidSignature);
    }
    Ok(proof.address.as_str().to_owned())
}

/// The bytes that wallets sign for a message if this key is the only signer: with the header of the
/// specification, and with the shorter one of Solana's own tools and earlier hardware wallets, which names
/// neither application nor signer.
fn off_chain_messages(key: &[u8; 32], message: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    FORMATS.into_iter().flat_map(move |format| {
        let start = [SIGNING_DOMAIN.as_slice(), &[VERSION]].concat();
        let body = body(message);
        [
            [start.as_slice(), &NO_APPLICATION, &[format, 1], key, &body].concat(),
            [start.as_slice(), &[format], &body].concat(),
        ]
    })
}

/// The length of a message, and the message. Lengths have 16 bits; a longer message matches no signature.
fn body(message: &[u8]) -> Vec<u8> {
    let length = u16::try_from(message.len()).unwrap_or_default();
    [&length.to_le_bytes(), message].concat()
}

/// Opens a signed message in the envelope of the specification: one signature, then the signed content. The
/// wallet chooses the application; the signer must be this key, and the content exactly the message.
fn open_envelope<'a>(
    key: &[u8; 32],
    message: &[u8],
    envelope: &'a [u8],
) -> Option<(Signature, &'a [u8])> {
    let rest = envelope.strip_prefix(&[1])?;
    let (signature, signed) = rest.split_at_checked(SIGNATURE_LENGTH)?;
    let rest = signed.strip_prefix(SIGNING_DOMAIN)?.strip_prefix(&[VERSION])?;
    let (_application, rest) = rest.split_at_checked(NO_APPLICATION.len())?;
    let (format, rest) = rest.split_first()?;
    let content = rest.strip_prefix(&[1])?.strip_prefix(key)?;
    let is_same = FORMATS.contains(format) && content == body(message);
    is_same.then_some((Signature::from_slice(signature).ok()?, signed))
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

/// All decodings of the text. Wallets use different encodings, and in theory a text is valid in two of them.
/// Long texts are not decoded as base58, which takes quadratic time.
fn decode(text: &str) -> impl Iterator<Item = Vec<u8>> {
    let readings = match text.len() {
        0..=LONGEST => {
            [decode_hex(text), bs58::decode(text).into_vec().ok(), STANDARD.decode(text).ok()]
        }
        OF_ENVELOPES..=LONGEST_ENVELOPE => [decode_hex(text), None, STANDARD.decode(text).ok()],
        _ => [None, None, None],
    };
    readings.into_iter().flatten()
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
    use shared::models::wallet::{AddressForm, Chain, WalletAddress};

    use super::*;

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

    /// A text like a challenge: several lines, so not all of it is printable.
    const CHALLENGE: &str = "localhost wants you to sign in\n\nNonce: 1";

    fn ledger() -> (ed25519_dalek::SigningKey, WalletAddress) {
        let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
        let address = address(&hex::encode(key.verifying_key().as_bytes()));
        (key, address)
    }

    /// The preamble of the specification's version 0, field by field.
    fn preamble(application: [u8; 32], format: u8, signers: &[[u8; 32]], length: u16) -> Vec<u8> {
        let count = u8::try_from(signers.len()).unwrap();
        let mut bytes = hex::decode("ff736f6c616e61206f6666636861696e").unwrap();
        bytes.push(0);
        bytes.extend(application);
        bytes.extend([format, count]);
        bytes.extend(signers.concat());
        bytes.extend(length.to_le_bytes());
        bytes
    }

    #[test]
    fn off_chain_messages_of_hardware_wallets_verify() {
        use ed25519_dalek::Signer as _;
        let (key, address) = ledger();
        let signer = *key.verifying_key().as_bytes();
        let length = u16::try_from(CHALLENGE.len()).unwrap();
        let signed = |header: Vec<u8>, message: &str| {
            bs58::encode(key.sign(&[&header, message.as_bytes()].concat()).to_bytes()).into_string()
        };
        let invalid = Err(WalletError::InvalidSignature);
        for format in [0, 1, 2] {
            let header = preamble([0; 32], format, &[signer], length);
            let good = signed(header, CHALLENGE);
            assert!(check(&address, None, CHALLENGE, &good).is_ok(), "{format}");
            assert_eq!(check(&address, None, "another", &good), invalid);
            // The shorter header of Solana's tools.
            let start = preamble([0; 32], 0, &[], 0);
            let short = [&start[..17], &[format], &length.to_le_bytes()].concat();
            let good = signed(short, CHALLENGE);
            assert!(check(&address, None, CHALLENGE, &good).is_ok(), "{format}");
        }
        for header in [
            preamble([0; 32], 3, &[signer], length),
            preamble([0; 32], 1, &[[8; 32]], length),
            preamble([0; 32], 1, &[signer, [8; 32]], length),
            preamble([0; 32], 1, &[], length),
            preamble([0; 32], 1, &[signer], length - 1),
        ] {
            let bad = signed(header, CHALLENGE);
            assert_eq!(check(&address, None, CHALLENGE, &bad), invalid);
        }
        let mut other_version = preamble([0; 32], 1, &[signer], length);
        other_version[16] = 1;
        let bad = signed(other_version, CHALLENGE);
        assert_eq!(check(&address, None, CHALLENGE, &bad), invalid);
        // The challenge must be all of the content.
        let longer = format!("{CHALLENGE} ");
        let header = preamble([0; 32], 1, &[signer], length + 1);
        assert_eq!(check(&address, None, CHALLENGE, &signed(header, &longer)), invalid);
    }

    #[test]
    fn off_chain_envelopes_verify() {
        use ed25519_dalek::Signer as _;
        let (key, address) = ledger();
        let signer = *key.verifying_key().as_bytes();
        let length = u16::try_from(CHALLENGE.len()).unwrap();
        let envelope = |count: u8, header: Vec<u8>, message: &str| {
            let signed = [&header, message.as_bytes()].concat();
            [[count].as_slice(), &key.sign(&signed).to_bytes(), &signed].concat()
        };
        let invalid = Err(WalletError::InvalidSignature);
        let good = envelope(1, preamble([9; 32], 1, &[signer], length), CHALLENGE);
        for text in [hex::encode(&good), STANDARD.encode(&good)] {
            assert!(check(&address, None, CHALLENGE, &text).is_ok());
            assert_eq!(check(&address, None, "another", &text), invalid);
        }
        // Without the application, the signature alone does not determine the signed bytes.
        assert_eq!(check(&address, None, CHALLENGE, &hex::encode(&good[1..65])), invalid);
        for bad in [
            envelope(2, preamble([9; 32], 1, &[signer], length), CHALLENGE),
            envelope(1, preamble([9; 32], 3, &[signer], length), CHALLENGE),
            envelope(1, preamble([9; 32], 1, &[[8; 32]], length), CHALLENGE),
            envelope(1, preamble([9; 32], 1, &[signer], length + 1), CHALLENGE),
            [good.as_slice(), b"x"].concat(),
            good[..good.len() - 1].to_vec(),
        ] {
            assert_eq!(check(&address, None, CHALLENGE, &STANDARD.encode(&bad)), invalid);
        }
        let mut flipped = good;
        flipped[40] ^= 1;
        assert_eq!(check(&address, None, CHALLENGE, &STANDARD.encode(&flipped)), invalid);
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
        // Text that is not a key is ignored.
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
