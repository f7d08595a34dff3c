//! What a client submits, and why it is refused.

use shared::{
    auth::{AuthError, RefusedProof},
    models::wallet::WalletAddress,
    problem::Problem,
};

/// What a client submits to prove that it holds an address.
#[derive(Debug, Clone, Copy)]
pub struct Proof<'a> {
    /// The claimed address.
    pub address: &'a WalletAddress,
    /// The public key that the client claims is behind the address. Required for Bitcoin, optional for other
    /// chains. Empty text counts as missing.
    pub public_key: Option<&'a str>,
    /// The text that was signed, byte for byte.
    pub message: &'a str,
    /// The signature as the wallet encodes it: hex for EVM, base64 for Bitcoin, base58,
    /// base64 or hex for Solana.
    pub signature: &'a str,
}

impl<'a> Proof<'a> {
    /// The public key, unless it is missing or empty.
    pub(super) fn given_key(&self) -> Option<&'a str> {
        self.public_key.filter(|key| !key.is_empty())
    }
}

/// Why a proof is refused. The texts are safe to show to a client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalletError {
    /// Malformed, or not a signature of this message by the key of this address.
    #[error("The signature is not valid for this message and address.")]
    InvalidSignature,
    /// Longer than any valid signature; it was not decoded.
    #[error("The signature is too long.")]
    SignatureTooLong,
    /// A contract wallet's signature for an address that its account proved by a key or by a contract on
    /// another chain.
    #[error(
        "The address was not proved by a contract wallet on this chain. Sign with the address's key."
    )]
    ContractProvesLess,
    /// Bitcoin addresses require the public key.
    #[error("The public key is required for this address.")]
    PublicKeyRequired,
    /// Not a public key in any encoding of the chain.
    #[error("The public key is malformed.")]
    MalformedPublicKey,
    /// A valid public key, but not that of the address or the signature.
    #[error("The public key does not belong to the address.")]
    PublicKeyMismatch,
    /// Signatures of this address type cannot be checked.
    #[error("Signatures of this address type are not supported.")]
    UnsupportedAddressType,
    /// A Bitcoin address of a network other than the deployment's.
    #[error("The address belongs to another Bitcoin network.")]
    WrongNetwork,
    /// This may be a contract wallet's signature, but no RPC endpoint is configured.
    #[error(
        "The signature is not by the address's own key. This service cannot check contract wallets, because it has no EVM \
         node (EVM_RPC_URL). Sign with the address's own key."
    )]
    ContractWalletsUnavailable,
    /// A signature for a contract to which the account has not delegated yet (ERC-8010).
    #[error(
        "The signature is for a contract to which the account has not delegated yet. Sign with the account's own key, or \
         delegate first."
    )]
    NotDelegated,
    /// This may be a contract wallet's signature, but the RPC endpoint failed. The reason is logged and is
    /// not part of the text.
    #[error("The wallet contract cannot be reached right now. Try again later.")]
    RpcUnavailable(String),
}

impl From<WalletError> for AuthError {
    fn from(error: WalletError) -> Self {
        let refused = RefusedProof::new(Problem::SignatureInvalid, &error);
        Self::Proof(match error {
            WalletError::RpcUnavailable(why) => RefusedProof {
                problem: Problem::ContractWalletUnavailable,
                internal: Some(why),
                ..refused
            },
            _ => refused,
        })
    }
}
