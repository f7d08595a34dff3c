//! The user's key of a trading wallet: what a signature proves about it (custody rule 12).

use bitcoin::AddressType;
use shared::{
    auth::{AuthError, RefusedProof},
    models::{
        trading_wallet::UserKey,
        wallet::{AddressForm, WalletAddress},
    },
    problem::Problem,
};

use crate::wallet::GivenKey;

/// The longest public key text accepted, in characters: that of an uncompressed key, so that the error can
/// say what is wrong with it.
pub const LONGEST_KEY: usize = 130;

/// Why a key cannot be the user's key in a trading wallet. The texts are safe to show to a client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TradingKeyError {
    /// Uncompressed, not a key, or x-only although the proof is not by Taproot.
    #[error(
        "The public key must be compressed: 33 bytes, 66 hex digits. For a Taproot address, 32 \
         bytes also work."
    )]
    NotCompressed,
    /// A co-signing key of the platform, or the key of the treasury's address.
    #[error("This public key belongs to the platform. Use another key.")]
    Platform,
}

impl From<TradingKeyError> for AuthError {
    fn from(error: TradingKeyError) -> Self {
        RefusedProof::new(Problem::TradingWallet, &error).into()
    }
}

/// Parses a hex key that may become the user's key in a trading wallet: compressed or x-only.
///
/// # Errors
/// [`TradingKeyError::NotCompressed`] if the text is neither.
pub(super) fn read_key(text: &str) -> Result<GivenKey, TradingKeyError> {
    GivenKey::parse(text).ok_or(TradingKeyError::NotCompressed)
}

/// What a signature for an address proves about the key behind it. An ECDSA signature proves all 33 bytes. A
/// Schnorr signature (P2TR) does not prove the parity that the client claims.
///
/// # Errors
/// [`TradingKeyError::NotCompressed`] if the key is not compressed, or the address is not a Bitcoin address.
pub fn proved_key(address: &WalletAddress, public_key: &str) -> Result<UserKey, TradingKeyError> {
    let AddressForm::Bitcoin(address) = address.form() else {
        return Err(TradingKeyError::NotCompressed);
    };
    match (address.address_type(), read_key(public_key)?) {
        (Some(AddressType::P2tr), key) => Ok(UserKey::EitherParity(key.x_only())),
        (_, GivenKey::Compressed(key)) => Ok(UserKey::Compressed(key.into())),
        (_, GivenKey::XOnly(_)) => Err(TradingKeyError::NotCompressed),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KEY: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

    /// The addresses of private key 1, as published in BIP 173 and elsewhere; the first one is Taproot.
    const ADDRESSES: [&str; 4] = [
        "bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9",
        "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
        "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    ];

    fn proved(address: &str, key: &str) -> Result<UserKey, TradingKeyError> {
        proved_key(&WalletAddress::infer(address, bitcoin::Network::Bitcoin).unwrap(), key)
    }

    #[test]
    fn custody_12_a_taproot_signature_leaves_the_parity_open() {
        let [taproot, others @ ..] = ADDRESSES;
        let (x_only, odd) = (KEY.get(2..).unwrap(), KEY.replacen("02", "03", 1));
        let either = Ok(UserKey::EitherParity(x_only.parse().unwrap()));
        for key in [KEY, x_only, &odd, &KEY.to_uppercase(), &x_only.to_uppercase()] {
            assert_eq!(proved(taproot, key), either, "{key}");
        }
        for address in others {
            for key in [KEY, &KEY.to_uppercase()] {
                let whole = Ok(UserKey::Compressed(KEY.parse().unwrap()));
                assert_eq!(proved(address, key), whole, "{address}");
            }
            assert_eq!(proved(address, x_only), Err(TradingKeyError::NotCompressed), "{address}");
        }
        let evm = "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf";
        assert_eq!(proved(evm, KEY), Err(TradingKeyError::NotCompressed));
    }

    #[test]
    fn custody_12_a_trading_key_is_a_compressed_point() {
        let uncompressed = KEY.parse::<bitcoin::PublicKey>().unwrap().inner;
        for other in [
            "",
            "zz",
            &hex::encode(uncompressed.serialize_uncompressed()),
            &KEY.replacen("02", "04", 1),
            &"02".repeat(34),
            &format!("0x{KEY}"),
            &format!("02{}", "f".repeat(64)),
            &"f".repeat(64),
        ] {
            assert_eq!(read_key(other), Err(TradingKeyError::NotCompressed), "{other}");
        }
    }
}
