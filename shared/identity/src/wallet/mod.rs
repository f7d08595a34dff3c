//! Proof that a client holds the key of a wallet address: one message and its signature.
//!
//! | Address | Signature |
//! |---|---|
//! | EVM account | EIP-191 `personal_sign` |
//! | EVM contract wallet | EIP-1271 if deployed, else EIP-6492 |
//! | EVM account that delegates | ERC-8010 around one of them |
//! | Solana | Ed25519 over the UTF-8 bytes of the message, or over the off-chain message, version 0 |
//! | P2TR | BIP-322, simple or full |
//! | P2WPKH, P2SH-P2WPKH | BIP-322, simple or full; signed message (Bitcoin Core, Electrum, BIP-137) |
//! | P2PKH | BIP-322, full; signed message |
//!
//! This module does not check that the message is the right one or was not used before. Callers issue
//! challenges and enforce single use. They must key single use by the message, since one key can sign the
//! same message in many ways.

mod bitcoin;
mod evm;
mod proof;
mod sign_in_text;
mod solana;

use shared::{evm_rpc::EvmChain, models::wallet::AddressForm};

pub use self::{
    bitcoin::GivenKey,
    proof::{Proof, WalletError},
    sign_in_text::SignInText,
};

/// The longest signature text decoded, in bytes.
pub const MAX_SIGNATURE_LEN: usize = 4 * 1024;

/// The limit for EVM addresses. A contract wallet's signature can hold the signatures of many owners and, by
/// EIP-6492, the call that deploys the wallet.
pub const MAX_EVM_SIGNATURE_LEN: usize = 16 * 1024;

/// Checks a proof and returns the public key it proves, as canonical text:
///
/// - EVM: the compressed key, `0x` and 66 hex digits; `None` for a contract wallet;
/// - Solana: base58, the same text as the address;
/// - Bitcoin: lowercase hex of the compressed key; for P2TR the internal key as the client sent it, x-only
///   (64 digits) or compressed (66), with its parity unproved.
///
/// `network` is the deployment's Bitcoin network. `evm` is queried at most twice, and only if an EVM
/// signature is not an ordinary one by the address.
///
/// # Errors
///
/// [`WalletError`]. No text makes it panic.
pub async fn verify(
    proof: Proof<'_>,
    network: ::bitcoin::Network,
    evm: Option<&dyn EvmChain>,
) -> Result<Option<String>, WalletError> {
    let longest = match proof.address.form() {
        AddressForm::Evm(_) => MAX_EVM_SIGNATURE_LEN,
        AddressForm::Solana(_) | AddressForm::Bitcoin(_) => MAX_SIGNATURE_LEN,
    };
    if proof.signature.len() > longest {
        return Err(WalletError::SignatureTooLong);
    }
    match proof.address.form() {
        AddressForm::Evm(address) => evm::verify(*address, &proof, evm).await,
        AddressForm::Solana(key) => solana::verify(key, &proof).map(Some),
        AddressForm::Bitcoin(address) => bitcoin::verify(address, network, &proof).map(Some),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use ::bitcoin::Network;
    use proptest::prelude::*;
    use shared::models::wallet::WalletAddress;

    use super::*;

    /// The addresses of private key 1 of secp256k1; for Solana, of the first key in RFC 8032.
    const ADDRESSES: [&str; 6] = [
        "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
        "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z",
        "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
        "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9",
    ];
    const GENERATOR: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

    fn key_of(address: &WalletAddress) -> Option<&'static str> {
        matches!(address.form(), AddressForm::Bitcoin(_)).then_some(GENERATOR)
    }

    fn check(address: &WalletAddress, signature: &str) -> Result<Option<String>, WalletError> {
        let proof = Proof { address, public_key: key_of(address), message: "m", signature };
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(verify(
            proof,
            Network::Bitcoin,
            None,
        ))
    }

    fn addresses() -> Vec<WalletAddress> {
        ADDRESSES.map(|text| WalletAddress::infer(text, Network::Bitcoin).unwrap()).to_vec()
    }

    #[test]
    fn empty_signatures_are_refused_on_every_chain() {
        for address in addresses() {
            assert_eq!(check(&address, ""), Err(WalletError::InvalidSignature), "{address}");
        }
    }

    #[test]
    fn long_signatures_are_refused_before_decoding() {
        for address in addresses() {
            let longest = match address.form() {
                AddressForm::Evm(_) => MAX_EVM_SIGNATURE_LEN,
                _ => MAX_SIGNATURE_LEN,
            };
            let text = "1".repeat(longest);
            assert_ne!(check(&address, &text), Err(WalletError::SignatureTooLong));
            assert_eq!(check(&address, &(text + "1")), Err(WalletError::SignatureTooLong));
        }
    }

    #[test]
    fn the_future_of_a_check_is_send() {
        fn assert_send(_: impl Send) {}
        for address in &addresses() {
            let proof = Proof { address, public_key: None, message: "m", signature: "" };
            assert_send(verify(proof, Network::Bitcoin, None));
        }
    }

    #[test]
    fn the_reason_of_an_rpc_failure_is_hidden() {
        let error = WalletError::RpcUnavailable("https://user:secret@rpc.example".to_owned());
        assert!(!error.to_string().contains("secret"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn garbage_text_is_refused(signature in any::<String>()) {
            for address in addresses() {
                prop_assert!(check(&address, &signature).is_err());
            }
        }

        #[test]
        fn garbage_bytes_in_any_encoding_are_refused(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..200),
                prop::collection::vec(any::<u8>(), 64..=66),
                (27_u8..=42, prop::collection::vec(any::<u8>(), 64))
                    .prop_map(|(header, rest)| [vec![header], rest].concat()),
            ]
        ) {
            use base64::Engine as _;
            let base64 = base64::engine::general_purpose::STANDARD.encode(&bytes);
            let texts = [
                hex::encode(&bytes),
                format!("0x{}", hex::encode(&bytes)),
                bs58::encode(&bytes).into_string(),
                format!("smp{base64}"),
                format!("ful{base64}"),
                base64,
            ];
            for address in addresses() {
                for signature in &texts {
                    prop_assert!(check(&address, signature).is_err());
                }
            }
        }

        #[test]
        fn garbage_public_keys_do_not_panic(key in "\\PC{0,80}|(0x)?[0-9a-f]{64,66}") {
            for address in addresses() {
                let proof =
                    Proof { address: &address, public_key: Some(&key), message: "m", signature: "" };
                let answer = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap()
                    .block_on(verify(proof, Network::Bitcoin, None));
                prop_assert!(answer.is_err());
            }
        }
    }
}
