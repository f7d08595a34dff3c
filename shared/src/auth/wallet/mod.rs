//! Proof that a client holds the key of a wallet address: one message, one signature.
//!
//! | Address | Signature |
//! |---|---|
//! | EVM account | EIP-191 `personal_sign` |
//! | EVM contract wallet | EIP-1271 where it is deployed, else EIP-6492 |
//! | Solana | Ed25519 over the UTF-8 bytes of the message |
//! | P2WPKH, P2TR | BIP-322, simple or full |
//! | P2PKH, P2SH-P2WPKH | legacy signed message (Bitcoin Core, Electrum, BIP-137) |
//!
//! Nothing here knows whether the message is the right one, or whether it was used
//! before: challenges and single use belong to the caller, and have to be keyed by the
//! message, since one key can sign the same message in many ways.

mod bitcoin;
mod evm;
mod sign_in_text;
mod solana;

pub use self::bitcoin::GivenKey;

pub use self::sign_in_text::SignInText;
use crate::{
    evm_rpc::EvmChain,
    models::wallet::{AddressForm, WalletAddress},
};

/// The longest signature text that is decoded, in bytes.
pub const MAX_SIGNATURE_LEN: usize = 4 * 1024;

/// The same for EVM addresses: a contract wallet's signature can carry those of many
/// owners and, by EIP-6492, the call that deploys the wallet.
pub const MAX_EVM_SIGNATURE_LEN: usize = 16 * 1024;

/// What a client hands in to prove that it holds an address.
#[derive(Debug, Clone, Copy)]
pub struct Proof<'a> {
    /// The address that is claimed.
    pub address: &'a WalletAddress,
    /// The public key that the client says is behind the address: needed for Bitcoin,
    /// optional for the others. An empty text counts as none.
    pub public_key: Option<&'a str>,
    /// The text that was signed, byte for byte.
    pub message: &'a str,
    /// The signature as the wallet encodes it: hex for EVM, base64 for Bitcoin, base58,
    /// base64 or hex for Solana.
    pub signature: &'a str,
}

impl<'a> Proof<'a> {
    /// The public key unless there is none or an empty one.
    fn given_key(&self) -> Option<&'a str> {
        self.public_key.filter(|key| !key.is_empty())
    }
}

/// Why a proof is refused. The texts are safe to show to a client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalletError {
    /// Malformed, or not a signature of this message by the key of this address.
    #[error("The signature is not a valid signature of the message by this address.")]
    InvalidSignature,
    /// More text than any signature needs; nothing was decoded.
    #[error("The signature is too long.")]
    SignatureTooLong,
    /// A contract wallet's signature for an address that was proved by its key, or by a contract on
    /// another chain.
    #[error(
        "The address was not proved by a contract wallet on this chain. Sign with the address's key."
    )]
    ContractProvesLess,
    /// Bitcoin addresses need the public key.
    #[error("The public key is required for this address.")]
    PublicKeyRequired,
    /// Not a public key in an encoding that the chain uses.
    #[error("The public key is malformed.")]
    MalformedPublicKey,
    /// A public key, but not the one behind the address or the signature.
    #[error("The public key does not belong to the address.")]
    PublicKeyMismatch,
    /// No signature of this address type can be checked.
    #[error("Signatures of this address type are not supported.")]
    UnsupportedAddressType,
    /// A Bitcoin address of another network than the deployment's.
    #[error("The address belongs to another Bitcoin network.")]
    WrongNetwork,
    /// It may be a contract wallet's signature, and no RPC endpoint is configured.
    #[error("Contract wallets are not available here.")]
    ContractWalletsUnavailable,
    /// It may be a contract wallet's signature, and the RPC endpoint gave no answer. The
    /// reason is for the log and is not in the text.
    #[error("The wallet contract could not be asked right now, please try again.")]
    RpcUnavailable(String),
}

/// Checks a proof and returns the public key that it proves, in canonical text:
///
/// - EVM: the compressed key, `0x` and 66 hex digits; `None` for a contract wallet;
/// - Solana: base58 (the text of the address);
/// - Bitcoin: lowercase hex of the compressed key; for P2TR the internal key, x-only
///   (64 digits) or compressed (66), as the client gave it: its parity is not proved.
///
/// `network` is the deployment's Bitcoin network. `evm` is asked at most twice, and only
/// when an EVM signature is not an ordinary one of the address.
///
/// # Errors
///
/// [`WalletError`]; never a panic, whatever the texts hold.
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

    use super::*;

    /// The addresses of private key 1 of secp256k1, and for Solana RFC 8032's first key.
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
    fn every_chain_refuses_an_empty_signature() {
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
    fn a_handler_may_move_to_another_thread_while_it_waits() {
        fn assert_send(_: impl Send) {}
        for address in &addresses() {
            let proof = Proof { address, public_key: None, message: "m", signature: "" };
            assert_send(verify(proof, Network::Bitcoin, None));
        }
    }

    #[test]
    fn the_reason_of_rpc_trouble_is_not_shown() {
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
        fn garbage_public_keys_are_answered(key in "\\PC{0,80}|(0x)?[0-9a-f]{64,66}") {
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
