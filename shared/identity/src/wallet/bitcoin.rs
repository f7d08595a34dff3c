//! Bitcoin: BIP-322 for every address type, and, except for P2TR, the signed message of Bitcoin Core with the
//! headers of BIP-137.

use std::ops::RangeInclusive;

use ::bitcoin::absolute::LockTime;
use ::bitcoin::consensus::{Decodable, deserialize};
use ::bitcoin::secp256k1::Secp256k1;
use ::bitcoin::sign_message::{MessageSignature, signed_msg_hash};
use ::bitcoin::{
    Address, AddressType, CompressedPublicKey, Network, ScriptBuf, Sequence, Transaction, Witness,
    XOnlyPublicKey,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bip322::{FULL_SIGNATURE_PREFIX, SIMPLE_SIGNATURE_PREFIX, Verification};

use super::proof::{Proof, WalletError};

/// Header bytes of a P2PKH signature: 27 to 30 for an uncompressed key, 31 to 34 for a compressed one.
const P2PKH_HEADERS: RangeInclusive<u8> = 27..=34;

/// Header bytes of a P2SH-P2WPKH signature: 31 to 34 by Electrum, 35 to 38 by BIP-137.
const P2SH_P2WPKH_HEADERS: RangeInclusive<u8> = 31..=38;

/// Header bytes of a P2WPKH signature: 39 to 42 by BIP-137; wallets also use those of a compressed key
/// (Electrum) and of P2SH-P2WPKH.
const P2WPKH_HEADERS: RangeInclusive<u8> = 31..=42;

/// Bytes of a signed message's signature: header, r, s. BIP-322 signatures of these address types are all
/// longer.
const SIGNED_MESSAGE_LEN: usize = 65;

/// Checks a proof for an address and returns the public key in hex.
pub(super) fn verify(
    address: &Address,
    network: Network,
    proof: &Proof<'_>,
) -> Result<String, WalletError> {
    if !address.as_unchecked().is_valid_for_network(network) {
        return Err(WalletError::WrongNetwork);
    }
    let key = GivenKey::parse(proof.given_key().ok_or(WalletError::PublicKeyRequired)?)
        .ok_or(WalletError::MalformedPublicKey)?;
    match address.address_type() {
        Some(AddressType::P2wpkh) => {
            let script = ScriptBuf::new_p2wpkh(&key.compressed()?.wpubkey_hash());
            check_script(&script, address)?;
            check_either(P2WPKH_HEADERS, key.compressed()?, address, proof)?;
        }
        Some(AddressType::P2tr) => {
            // BIP-86: only the key, without a script tree. The signature is by the x-only key, so a parity
            // that the client sends is not proved.
            let secp = Secp256k1::verification_only();
            check_script(&ScriptBuf::new_p2tr(&secp, key.x_only(), None), address)?;
            check_bip322(address, proof)?;
        }
        Some(AddressType::P2pkh) => {
            let key = key.compressed()?;
            check_script(&ScriptBuf::new_p2pkh(&key.pubkey_hash()), address)?;
            check_either(P2PKH_HEADERS, key, address, proof)?;
        }
        Some(AddressType::P2sh) => {
            let key = key.compressed()?;
            let redeem_script = ScriptBuf::new_p2wpkh(&key.wpubkey_hash());
            check_script(&ScriptBuf::new_p2sh(&redeem_script.script_hash()), address)?;
            check_either(P2SH_P2WPKH_HEADERS, key, address, proof)?;
        }
        _ => return Err(WalletError::UnsupportedAddressType),
    }
    Ok(key.to_hex())
}

/// The public key as the client sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenKey {
    /// 33 bytes.
    Compressed(CompressedPublicKey),
    /// 32 bytes, as Taproot wallets give it.
    XOnly(XOnlyPublicKey),
}

impl GivenKey {
    /// Parses a key in hex.
    pub fn parse(text: &str) -> Option<Self> {
        match text.len() {
            66 => {
                let mut bytes = [0; 33];
                hex::decode_to_slice(text, &mut bytes).ok()?;
                CompressedPublicKey::from_slice(&bytes).ok().map(Self::Compressed)
            }
            64 => {
                let mut bytes = [0; 32];
                hex::decode_to_slice(text, &mut bytes).ok()?;
                XOnlyPublicKey::from_slice(&bytes).ok().map(Self::XOnly)
            }
            _ => None,
        }
    }

    /// The key for address types that hash all its 33 bytes.
    fn compressed(&self) -> Result<&CompressedPublicKey, WalletError> {
        match self {
            Self::Compressed(key) => Ok(key),
            Self::XOnly(_) => Err(WalletError::MalformedPublicKey),
        }
    }

    /// The key without its parity.
    pub fn x_only(&self) -> XOnlyPublicKey {
        match self {
            Self::Compressed(key) => key.0.x_only_public_key().0,
            Self::XOnly(key) => *key,
        }
    }

    fn to_hex(&self) -> String {
        match self {
            Self::Compressed(key) => hex::encode(key.to_bytes()),
            Self::XOnly(key) => hex::encode(key.serialize()),
        }
    }
}

/// Checks that the key's script is the script of the address.
fn check_script(script: &ScriptBuf, address: &Address) -> Result<(), WalletError> {
    if *script == address.script_pubkey() { Ok(()) } else { Err(WalletError::PublicKeyMismatch) }
}

/// Checks a signed message or a BIP-322 signature, depending on the length.
fn check_either(
    headers: RangeInclusive<u8>,
    key: &CompressedPublicKey,
    address: &Address,
    proof: &Proof<'_>,
) -> Result<(), WalletError> {
    match STANDARD.decode(proof.signature) {
        Ok(bytes) if bytes.len() == SIGNED_MESSAGE_LEN => {
            check_legacy(headers, key, &bytes, proof.message)
        }
        _ => check_bip322(address, proof),
    }
}

/// Checks a BIP-322 signature, "simple" or "full". The BIP's variant prefixes are optional, because most
/// wallets follow drafts without them; the two encodings cannot be confused.
fn check_bip322(address: &Address, proof: &Proof<'_>) -> Result<(), WalletError> {
    let simple = |text| {
        let witness: Witness = decode_base64(text)?;
        if has_explicit_default(address, &witness) {
            return None;
        }
        bip322::verify_simple(address, proof.message, witness).ok()
    };
    let full = |text| {
        let to_sign: Transaction = decode_base64(text)?;
        let input = to_sign.input.first()?;
        // The library also accepts a P2SH input that does not reveal its script, which no node would.
        let reveals_script =
            address.address_type() != Some(AddressType::P2sh) || !input.script_sig.is_empty();
        if !reveals_script || has_explicit_default(address, &input.witness) {
            return None;
        }
        bip322::verify_full(address, proof.message, to_sign).ok()
    };
    let text = proof.signature;
    let verdict = if let Some(text) = text.strip_prefix(SIMPLE_SIGNATURE_PREFIX) {
        simple(text)
    } else if let Some(text) = text.strip_prefix(FULL_SIGNATURE_PREFIX) {
        full(text)
    } else {
        simple(text).or_else(|| full(text))
    };
    match verdict {
        // A signature valid "at time T and age S" proves nothing about the present, and an inconclusive one
        // proves nothing.
        Some(Verification::Valid { time: LockTime::ZERO, age: Sequence::ZERO }) => Ok(()),
        _ => Err(WalletError::InvalidSignature),
    }
}

/// Whether a Taproot signature of 65 bytes ends in the byte of SIGHASH_DEFAULT, which BIP-341 forbids: with
/// that sighash type a signature has 64 bytes. The library accepts both.
fn has_explicit_default(address: &Address, witness: &Witness) -> bool {
    let is_explicit = |signature: &[u8]| signature.len() == 65 && signature.last() == Some(&0x00);
    address.address_type() == Some(AddressType::P2tr) && witness.nth(0).is_some_and(is_explicit)
}

/// Decodes exactly one value in consensus encoding, without trailing bytes.
fn decode_base64<T: Decodable>(text: &str) -> Option<T> {
    deserialize(&STANDARD.decode(text).ok()?).ok()
}

/// Checks the signed message of Bitcoin Core's `signmessage`, with the headers of BIP-137.
///
/// The header's claim about address type and compression is ignored: it is not signed, wallets disagree about
/// it, and the full key is compared anyway. As in Bitcoin Core, s may be high.
fn check_legacy(
    headers: RangeInclusive<u8>,
    key: &CompressedPublicKey,
    signature: &[u8],
    message: &str,
) -> Result<(), WalletError> {
    let recovered = || {
        if !headers.contains(signature.first()?) {
            return None;
        }
        MessageSignature::from_slice(signature)
            .ok()?
            .recover_pubkey(&Secp256k1::verification_only(), signed_msg_hash(message))
            .ok()
    };
    match recovered() {
        Some(recovered) if recovered.inner == key.0 => Ok(()),
        _ => Err(WalletError::InvalidSignature),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use ::bitcoin::PrivateKey;
    use ::bitcoin::address::NetworkUnchecked;
    use ::bitcoin::consensus::serialize;
    use bip322::LockParams;
    use proptest::prelude::*;
    use shared::models::wallet::{AddressForm, Chain, WalletAddress};

    use super::*;

    const P2WPKH: &str = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
    const P2TR: &str = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3";
    const WIF: &str = "L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k";
    const PUBLIC_KEY: &str = "02c7f12003196442943d8588e01aee840423cc54fc1521526a3b85c2b0cbd58872";

    // BIP-322, bip-0322/basic-test-vectors.json, "simple": message, and P2WPKH signatures by the key WIF.
    const SIMPLE_P2WPKH: [(&str, [&str; 2]); 2] = [
        (
            "",
            [
                "smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
                "smpAkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy",
            ],
        ),
        (
            "Hello World",
            [
                "smpAkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
                "smpAkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy",
            ],
        ),
    ];

    // The same for P2TR, with the private key. The first was printed in earlier versions of BIP-322 (also in
    // Bitcoin Core's util_tests.cpp and the tests of the bip322 crate), the second is from
    // basic-test-vectors.json, the third from generated-test-vectors.json.
    const SIMPLE_P2TR: [(&str, &str, &str, &str); 3] = [
        (
            P2TR,
            WIF,
            "Hello World",
            "AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==",
        ),
        (
            "bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler",
            "KyrSGCFPhqZMjCe5fNTYddiLMp4tMj4gLKuJ26TsB2rvr1VJGPbt",
            "No prefix fallback",
            "AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R",
        ),
        (
            "bc1p9cyuceaazr8cz46mvgkzl94wy397mwpqsrk84su37t72jvkg6wzqv52nfp",
            "L1rPtXzPkeCuXArPk5QKfaU4PCx16S2zCXnYtFSMGHiDkQyWw5fv",
            "TPIZPITUIHEUHO5ACOL6W6MBVD",
            "AUBay6NwR4LEYedkTG+vE9F7C0RTOCB5NH6ZAqf+3hudjHIkOzSZk1jW/5Kt0wRKX3llJ25os+0qktdou4/Y8516",
        ),
    ];

    // generated-test-vectors.json, "full": lock time 2016, sequence 2016.
    const FULL_WITH_LOCKS: [(&str, &str, &str, &str); 4] = [
        (
            "164P4mbDkPcyvRnFGAZd1ThjxSj7Fbsywz",
            "L2m4Wo96ZaFFd7cGFiv6SnCr1ntYEa6PVbfg6Z6gFCMW76ysZ6AT",
            "GI2SVNWVCWTEEIMFZFFZYAQNSA",
            "AgAAAAGEmHuloQANVIqnpMegGLNFKwAGE0Urv0a/uMiHnJ+FQwAAAABrSDBFAiEAr8VdqPCZU/oVqKKj2WwHfeCX/lzp+Rfk8d59cS9xdGECIAar0nievDdeVstmIgjfM7kzMepL6HrecBuJtgEitFxBASECzgU8WF30ffzpbdClcw/0NBkTCkuRbiEzr+CTXePjiPfgBwAAAQAAAAAAAAAAAWrgBwAA",
        ),
        (
            "37HVPoc7ZsU5C9Z2VKcCkSLzEknYXCzm3s",
            "KyS1o2pNNmd5bfw4cnhVZLJus7CFLgbYBKB3GY2KQKuWKT8remsc",
            "OQXDXSR5SN5N7WRXSPTI462HKH",
            "AgAAAAABAbtjBsUTHnoyuNG4NGbx6cI1Z01QLlfGHJX/WIRCAU6/AAAAABcWABTGXFmsgRqCkic6D+eE4AKm1iyVhuAHAAABAAAAAAAAAAABagJHMEQCIBp/IMJTnnhI6YrHJwIQbfucoizq0esZ35QRxtpXuk7fAiAGx6kSd9BuPDY+R0sHTJU0ZFtScJI8ASojEHwrClKxDQEhAl3boe/68fHvtuYzRkaS3GOSxnUTJwejjrubm+czK+Yi4AcAAA==",
        ),
        (
            "bc1qkwzsslep5elkuat4608v7tpntpr3d9n7w5cwwq",
            "KyAbLfXdznrXRfeaCQTXPzqT5k12FHwKBLKE8fk8KZ9ye7nQf1TA",
            "YGIAANMREUXLFRI4HIEOCE4T23",
            "AgAAAAABAaVatLF3wpACTG5XowFYPJPv65lgTlZypjUV9d1DNduCAAAAAADgBwAAAQAAAAAAAAAAAWoCRzBEAiB+SJdR6bVLpv5+kK8pOXSUDS24rU53YkTQEvelQJ22uwIgEfqM8eYTupu4LtA0Tz7z1LIbhpP2PrUxWEt9osnrxFEBIQMasC7JaIHbbAUt1kU81yx7S4QHScnEDBs4GsdHDPMPSuAHAAA=",
        ),
        (
            "bc1psmjelwjtg7lz26jhd4kkf35v0xp3u7ffc6p4n4869s0hxkrrrtkqkpqvmg",
            "KyU8wJ8ARQruQikto4GksjPKmgh8pKF5GsZVB78JPbYgPDQSQzgw",
            "K276VUM3MXP56DGNVICQR5XWRT",
            "AgAAAAABAY+B3hhlrps+S2YaxSvL3HxZKdfT+8XCCtZ4KQc5N+AaAAAAAADgBwAAAQAAAAAAAAAAAWoBQEHQoT3HfPKw4WNiQySblfcRX2gnha/mrpFxUoYlkJxuQFXNN3sS+XbJsNAoXRlvQitk0tVEFpsUGRcCdZ7bWPHgBwAA",
        ),
    ];

    // The public key of private key 1: the generator of secp256k1.
    const GENERATOR: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

    // bitcoinjs-message, test/fixtures.json, "verify", compressed. The fixture does not name the key, which
    // is the one of the Bitcoin wiki, page "Technical background of version 1 Bitcoin addresses".
    const LEGACY_MESSAGE: &str = "vires is numeris";
    const LEGACY_KEY: &str = "0250863ad64a87ae8a2fe83c1af1a8403cb53f53e486d8511dad8a04887e5b2352";
    const LEGACY_P2PKH: &str = "1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs";
    const LEGACY_SIGNATURE: &str =
        "H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=";

    fn try_check(
        network: Network,
        address: &str,
        public_key: Option<&str>,
        message: &str,
        signature: &str,
    ) -> Result<String, WalletError> {
        let address = WalletAddress::parse(Chain::Bitcoin, address, network).unwrap();
        let AddressForm::Bitcoin(parsed) = address.form() else { panic!("not Bitcoin") };
        verify(parsed, network, &Proof { address: &address, public_key, message, signature })
    }

    fn check(
        address: &str,
        public_key: &str,
        message: &str,
        signature: &str,
    ) -> Result<String, WalletError> {
        try_check(Network::Bitcoin, address, Some(public_key), message, signature)
    }

    fn parsed(address: &str) -> Address {
        address.parse::<Address<NetworkUnchecked>>().unwrap().assume_checked()
    }

    fn public_key(wif: &str) -> String {
        PrivateKey::from_wif(wif).unwrap().public_key(&Secp256k1::new()).to_string()
    }

    #[test]
    fn bip_322_simple_p2wpkh_vectors_verify() {
        assert_eq!(public_key(WIF), PUBLIC_KEY);
        for (message, signatures) in SIMPLE_P2WPKH {
            for signature in signatures {
                for text in [signature, signature.trim_start_matches("smp")] {
                    assert_eq!(check(P2WPKH, PUBLIC_KEY, message, text).unwrap(), PUBLIC_KEY);
                    assert_eq!(
                        check(P2WPKH, PUBLIC_KEY, "another message", text),
                        Err(WalletError::InvalidSignature)
                    );
                }
            }
        }
    }

    #[test]
    fn bip_322_simple_p2tr_vectors_verify() {
        for (address, wif, message, signature) in SIMPLE_P2TR {
            let compressed = public_key(wif);
            for key in [compressed.as_str(), &compressed[2..]] {
                for text in [signature, &format!("smp{signature}")] {
                    assert_eq!(check(address, key, message, text).unwrap(), key);
                }
                assert_eq!(check(address, &key.to_uppercase(), message, signature).unwrap(), key);
                assert_eq!(
                    check(address, key, "another message", signature),
                    Err(WalletError::InvalidSignature)
                );
            }
            assert_eq!(
                check(address, GENERATOR, message, signature),
                Err(WalletError::PublicKeyMismatch)
            );
        }
    }

    #[test]
    fn bip_322_full_verifies_for_every_address_type() {
        let key = PrivateKey::from_wif(WIF).unwrap().public_key(&Secp256k1::new());
        let compressed = CompressedPublicKey(key.inner);
        let p2pkh = Address::p2pkh(key, Network::Bitcoin).to_string();
        let nested = Address::p2shwpkh(&compressed, Network::Bitcoin).to_string();
        for address in [P2WPKH, P2TR, &p2pkh, &nested] {
            let signature =
                bip322::sign_full_encoded(address, "m", &[WIF], None, LockParams::default())
                    .unwrap();
            for text in [signature.as_str(), signature.trim_start_matches("ful")] {
                assert_eq!(check(address, PUBLIC_KEY, "m", text).unwrap(), PUBLIC_KEY);
                assert_eq!(
                    check(address, PUBLIC_KEY, "n", text),
                    Err(WalletError::InvalidSignature)
                );
            }
        }
    }

    /// For P2SH-P2WPKH, too, wallets send only the witness: its script follows from the key.
    #[test]
    fn bip_322_simple_verifies_for_p2sh_p2wpkh() {
        let key = PrivateKey::from_wif(WIF).unwrap().public_key(&Secp256k1::new());
        let nested = Address::p2shwpkh(&CompressedPublicKey(key.inner), Network::Bitcoin);
        let nested = nested.to_string();
        let full = bip322::sign_full_encoded(&nested, "m", &[WIF], None, LockParams::default());
        let to_sign: Transaction = decode_base64(&full.unwrap()[3..]).unwrap();
        let witness = STANDARD.encode(serialize(&to_sign.input[0].witness));
        for text in [witness.clone(), format!("smp{witness}")] {
            assert_eq!(check(&nested, PUBLIC_KEY, "m", &text).unwrap(), PUBLIC_KEY);
            assert_eq!(check(&nested, PUBLIC_KEY, "n", &text), Err(WalletError::InvalidSignature));
        }
        // A transaction must reveal the script.
        let mut hidden = to_sign;
        hidden.input[0].script_sig = ScriptBuf::new();
        assert!(bip322::verify_full(&parsed(&nested), "m", hidden.clone()).is_ok());
        let hidden = STANDARD.encode(serialize(&hidden));
        assert_eq!(check(&nested, PUBLIC_KEY, "m", &hidden), Err(WalletError::InvalidSignature));
    }

    #[test]
    fn a_schnorr_signature_with_an_explicit_default_sighash_is_refused() {
        // BIP-341: 65 bytes whose last is 00 are invalid. The library takes them for SIGHASH_DEFAULT.
        for (address, wif, message, signature) in &SIMPLE_P2TR[1..] {
            let witness: Witness = decode_base64(signature).unwrap();
            assert_eq!(witness.nth(0).unwrap().len(), 64);
            let explicit = [witness.nth(0).unwrap(), &[0]].concat();
            let witness = Witness::from_slice(&[explicit.as_slice()]);
            assert!(bip322::verify_simple(&parsed(address), message, witness.clone()).is_ok());
            let text = STANDARD.encode(serialize(&witness));
            let refused = Err(WalletError::InvalidSignature);
            assert_eq!(check(address, &public_key(wif), message, &text), refused);
            let full =
                bip322::sign_full_encoded(address, message, &[wif], None, LockParams::default());
            let mut to_sign: Transaction = decode_base64(&full.unwrap()[3..]).unwrap();
            to_sign.input[0].witness = witness;
            let text = STANDARD.encode(serialize(&to_sign));
            assert_eq!(check(address, &public_key(wif), message, &text), refused);
        }
    }

    #[test]
    fn bip_322_full_with_lock_time_or_age_is_refused() {
        for (address, wif, message, signature) in FULL_WITH_LOCKS {
            assert_eq!(
                bip322::verify_full_encoded(address, message, signature).unwrap(),
                Verification::Valid { time: LockTime::from_consensus(2016), age: Sequence(2016) }
            );
            assert_eq!(
                check(address, &public_key(wif), message, signature),
                Err(WalletError::InvalidSignature)
            );
        }
        for (time, age) in [(1, 0), (0, 1)] {
            let locks =
                LockParams { lock_time: LockTime::from_consensus(time), sequence: Sequence(age) };
            let signature = bip322::sign_full_encoded(P2WPKH, "m", &[WIF], None, locks).unwrap();
            assert_eq!(
                check(P2WPKH, PUBLIC_KEY, "m", &signature),
                Err(WalletError::InvalidSignature)
            );
        }
    }

    #[test]
    fn bip_322_inconclusive_is_refused() {
        // By the BIP's rules for upgrades, an unknown transaction version is "inconclusive".
        let signature =
            bip322::sign_full_encoded(P2WPKH, "m", &[WIF], None, LockParams::default()).unwrap();
        let mut bytes = STANDARD.decode(signature.trim_start_matches("ful")).unwrap();
        bytes[0] = 3;
        let text = STANDARD.encode(bytes);
        assert_eq!(
            bip322::verify_full_encoded(P2WPKH, "m", &text).unwrap(),
            Verification::Inconclusive
        );
        assert_eq!(check(P2WPKH, PUBLIC_KEY, "m", &text), Err(WalletError::InvalidSignature));
    }

    #[test]
    fn bip_322_error_vectors_are_refused() {
        // basic-test-vectors.json, "error", for P2WPKH and P2TR.
        let signature = SIMPLE_P2WPKH[0].1[0];
        for (message, text) in [
            ("", "not-valid-base64!!!"),
            ("", ""),
            ("Wrong message that was not signed", signature),
            ("", "smpAA=="),
            ("", "fooAA=="),
        ] {
            assert_eq!(
                check(P2WPKH, PUBLIC_KEY, message, text),
                Err(WalletError::InvalidSignature),
                "{text}"
            );
        }
        let with_prefix = |prefix: &str| format!("{prefix}{}", SIMPLE_P2TR[0].3);
        for prefix in ["ful", "pof"] {
            assert_eq!(
                check(P2TR, PUBLIC_KEY, "Hello World", &with_prefix(prefix)),
                Err(WalletError::InvalidSignature)
            );
        }
    }

    #[test]
    fn trailing_bytes_are_refused() {
        let mut bytes = STANDARD.decode(SIMPLE_P2TR[0].3).unwrap();
        bytes.push(0);
        assert_eq!(
            check(P2TR, PUBLIC_KEY, "Hello World", &STANDARD.encode(bytes)),
            Err(WalletError::InvalidSignature)
        );
    }

    #[test]
    fn legacy_p2pkh_vectors_verify() {
        assert_eq!(
            check(LEGACY_P2PKH, LEGACY_KEY, LEGACY_MESSAGE, LEGACY_SIGNATURE).unwrap(),
            LEGACY_KEY
        );
        assert_eq!(
            check(LEGACY_P2PKH, LEGACY_KEY, "foobar", LEGACY_SIGNATURE),
            Err(WalletError::InvalidSignature)
        );
        // "sign", compressed, by private key 1: a signature by another key, and its own.
        let other = "IF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=";
        assert_eq!(
            check(LEGACY_P2PKH, LEGACY_KEY, LEGACY_MESSAGE, other),
            Err(WalletError::InvalidSignature)
        );
        let address = "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH";
        assert_eq!(check(address, GENERATOR, LEGACY_MESSAGE, other).unwrap(), GENERATOR);
        // The same signature flagged as uncompressed.
        let uncompressed = format!("G{}", &LEGACY_SIGNATURE[1..]);
        assert_eq!(
            check(LEGACY_P2PKH, LEGACY_KEY, LEGACY_MESSAGE, &uncompressed).unwrap(),
            LEGACY_KEY
        );
    }

    #[test]
    fn legacy_p2pkh_vector_of_bitcoin_core_verifies() {
        // Bitcoin Core, test/functional/rpc_signmessagewithprivkey.py.
        let wif = "cUeKHd5orzT3mz8P9pxyREHfsWtVfgsfDjiZZBcjUBAaGk1BTj7N";
        let address = "mpLQjfK79b7CCV4VMJWEWAj5Mpx8Up5zxB";
        let message = "This is just a test message";
        let signature = "INbVnW4e6PeRmsv2Qgu8NuopvrVjkcxob+sX8OcZG0SALhWybUjzMLPdAsXI46YZGb0KQTRii+wWIQzRpG/U+S0=";
        let key = public_key(wif);
        assert_eq!(
            try_check(Network::Regtest, address, Some(&key), message, signature).unwrap(),
            key
        );
    }

    #[test]
    fn legacy_p2sh_p2wpkh_vectors_verify() {
        // bitcoinjs-message, test/fixtures.json, "sign" and "verify" by private key 1: the segwit signature
        // with the headers of BIP-137 and of Electrum.
        let address = "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN";
        let bip_137 = "JF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=";
        let electrum = "IF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=";
        for signature in [bip_137, electrum] {
            assert_eq!(check(address, GENERATOR, LEGACY_MESSAGE, signature).unwrap(), GENERATOR);
            assert_eq!(
                check(address, GENERATOR, "foobar", signature),
                Err(WalletError::InvalidSignature)
            );
        }
        // The headers for uncompressed keys and for P2WPKH.
        for header in ["H", "K"] {
            assert_eq!(
                check(address, GENERATOR, LEGACY_MESSAGE, &format!("{header}{}", &bip_137[1..])),
                Err(WalletError::InvalidSignature),
                "{header}"
            );
        }
    }

    /// The signature of [`legacy_p2sh_p2wpkh_vectors_verify`] for the P2WPKH address of the same key.
    #[test]
    fn bip_137_p2wpkh_signatures_verify() {
        let p2wpkh = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        let bip_137 = "KF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=";
        let mut bytes = STANDARD.decode(bip_137).unwrap();
        for header in 0..=u8::MAX {
            bytes[0] = header;
            let answer = check(p2wpkh, GENERATOR, LEGACY_MESSAGE, &STANDARD.encode(&bytes));
            // The recovery id of this signature is 1.
            assert_eq!(answer.is_ok(), matches!(header, 32 | 36 | 40), "{header}");
        }
        assert_eq!(STANDARD.decode(bip_137).unwrap()[0], 40);
        let invalid = Err(WalletError::InvalidSignature);
        assert_eq!(check(p2wpkh, GENERATOR, "foobar", bip_137), invalid);
        // The recovered key must be the one of the address.
        assert_eq!(check(P2WPKH, PUBLIC_KEY, LEGACY_MESSAGE, bip_137), invalid);
        // Taproot addresses have no such form.
        let p2tr = "bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9";
        assert_eq!(check(p2tr, GENERATOR, LEGACY_MESSAGE, bip_137), invalid);
    }

    #[test]
    fn only_headers_of_the_address_type_are_accepted() {
        let bytes = STANDARD.decode(LEGACY_SIGNATURE).unwrap();
        for header in 0..=u8::MAX {
            let mut bytes = bytes.clone();
            bytes[0] = header;
            let answer = check(LEGACY_P2PKH, LEGACY_KEY, LEGACY_MESSAGE, &STANDARD.encode(bytes));
            // The vector's recovery id is 0.
            assert_eq!(answer.is_ok(), matches!(header, 27 | 31), "{header}");
        }
    }

    #[test]
    fn the_wrong_kind_of_signature_is_refused() {
        let invalid = Err(WalletError::InvalidSignature);
        let p2wpkh = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        assert_eq!(check(p2wpkh, GENERATOR, LEGACY_MESSAGE, LEGACY_SIGNATURE), invalid);
        let key = PrivateKey::from_wif(WIF).unwrap().public_key(&Secp256k1::new());
        let p2pkh = Address::p2pkh(key, Network::Bitcoin).to_string();
        let (message, [signature, _]) = SIMPLE_P2WPKH[1];
        assert_eq!(check(&p2pkh, PUBLIC_KEY, message, signature), invalid);
    }

    #[test]
    fn custody_12_the_public_key_must_match_the_address() {
        let (message, [signature, _]) = SIMPLE_P2WPKH[1];
        let with_key =
            |key| try_check(Network::Bitcoin, P2WPKH, key, message, signature).unwrap_err();
        assert_eq!(with_key(None), WalletError::PublicKeyRequired);
        assert_eq!(with_key(Some("")), WalletError::PublicKeyRequired);
        assert_eq!(with_key(Some(GENERATOR)), WalletError::PublicKeyMismatch);
        let prefixed = format!("0x{PUBLIC_KEY}");
        let other_parity = format!("03{}", &PUBLIC_KEY[2..]);
        assert_eq!(with_key(Some(&other_parity)), WalletError::PublicKeyMismatch);
        let off_curve = "02".to_owned() + &"ff".repeat(32);
        for key in ["02", &PUBLIC_KEY[2..], &prefixed, &off_curve, &"zz".repeat(33), "é"] {
            assert_eq!(with_key(Some(key)), WalletError::MalformedPublicKey, "{key}");
        }
        for address in [LEGACY_P2PKH, "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN"] {
            assert_eq!(
                check(address, PUBLIC_KEY, LEGACY_MESSAGE, LEGACY_SIGNATURE),
                Err(WalletError::PublicKeyMismatch)
            );
        }
    }

    #[test]
    fn an_address_of_another_network_is_refused() {
        let address = WalletAddress::parse(Chain::Bitcoin, P2WPKH, Network::Bitcoin).unwrap();
        let AddressForm::Bitcoin(parsed) = address.form() else { panic!("not Bitcoin") };
        let (message, [signature, _]) = SIMPLE_P2WPKH[1];
        let proof = Proof { address: &address, public_key: Some(PUBLIC_KEY), message, signature };
        assert_eq!(verify(parsed, Network::Regtest, &proof), Err(WalletError::WrongNetwork));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_cut_or_flipped_signature_is_refused(cut in any::<prop::sample::Index>(), bit in any::<prop::sample::Index>()) {
            let (message, [p2wpkh, _]) = SIMPLE_P2WPKH[1];
            let full = bip322::sign_full_encoded(P2TR, message, &[WIF], None, LockParams::default()).unwrap();
            for (address, key, message, text) in [
                (P2WPKH, PUBLIC_KEY, message, &p2wpkh[3..]),
                (P2TR, PUBLIC_KEY, message, &full[3..]),
                (LEGACY_P2PKH, LEGACY_KEY, LEGACY_MESSAGE, LEGACY_SIGNATURE),
            ] {
                prop_assert!(check(address, key, message, &text[..cut.index(text.len())]).is_err());
                let mut bytes = STANDARD.decode(text).unwrap();
                let bytes_cut = STANDARD.encode(&bytes[..cut.index(bytes.len())]);
                prop_assert!(check(address, key, message, &bytes_cut).is_err());
                let bit = bit.index(bytes.len() * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
                // Only the compression flag of the legacy header may change.
                if address != LEGACY_P2PKH || bit != 2 {
                    prop_assert!(check(address, key, message, &STANDARD.encode(bytes)).is_err());
                }
            }
        }
    }
}
