//! How an account gets its trading wallet: once, by a key that its own signature has proved, and a
//! co-signing key of the platform (custody rules 11 and 12).

use bitcoin::{AddressType, CompressedPublicKey, ScriptBuf, XOnlyPublicKey, secp256k1::Secp256k1};
use uuid::Uuid;

use super::{
    AuthError,
    challenge::{self, Purpose, Signed},
    wallet::GivenKey,
};
use crate::{
    app::App,
    bitcoin::signer::SignerError,
    config::Config,
    models::{
        account::AccountId,
        trading_wallet::{TradingDescriptor, TradingDescriptorError, TradingWallet, UserKey},
        wallet::{AddressForm, Chain, WalletAddress},
    },
    store::Key,
};

/// Longest text that is looked at as a public key, in characters: that of an uncompressed one, so
/// that it can be told what is wrong with it.
pub const LONGEST_KEY: usize = 130;

/// Why a key cannot be the user's in a trading wallet. The texts are safe to show to a client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TradingKeyError {
    /// Uncompressed, no key at all, or x-only where the proof is not of Taproot.
    #[error(
        "The public key must be compressed: 33 bytes, 66 hex digits. Of a Taproot address, 32 bytes \
         do too."
    )]
    NotCompressed,
    /// A co-signing key, or one that the treasury is paid by.
    #[error("The public key is the platform's.")]
    Platform,
    /// The key of another trading wallet.
    #[error("The public key is taken.")]
    Taken,
}

/// Reads a key that may become the user's in a trading wallet, in hex: compressed, or x-only.
///
/// # Errors
/// [`TradingKeyError::NotCompressed`].
fn read_key(text: &str) -> Result<GivenKey, TradingKeyError> {
    GivenKey::parse(text).ok_or(TradingKeyError::NotCompressed)
}

/// How far a signature for an address proves the key behind it: a Schnorr signature (P2TR) leaves
/// its parity open, whatever the client told; an ECDSA signature proves all 33 bytes.
///
/// # Errors
/// [`TradingKeyError::NotCompressed`], also where the address is not of Bitcoin.
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

/// A key that shall become the user's, and its own signature of a challenge.
#[derive(Clone, Copy, Debug)]
pub struct TradingKeyProof<'a> {
    /// The key, hex: 33 bytes, or 32 where the challenge is for a Taproot address.
    pub public_key: &'a str,
    /// The challenge.
    pub challenge_id: Uuid,
    /// Its signature, base64: by BIP-322 for P2WPKH and P2TR, the legacy signed message for P2PKH
    /// and P2SH-P2WPKH.
    pub signature: &'a str,
}

impl TradingKeyProof<'_> {
    /// Uses the challenge up and checks the signature: the challenge is one for any Bitcoin address
    /// of the key, of this purpose, and asked for by `account` (`None`: by nobody).
    ///
    /// # Errors
    /// [`AuthError::TradingKey`], with nothing used up where the text is no key of either length;
    /// [`AuthError::Challenge`], [`AuthError::Wallet`], [`AuthError::Store`].
    pub async fn prove(
        self,
        app: &App,
        purpose: Purpose,
        account: Option<AccountId>,
    ) -> Result<UserKey, AuthError> {
        read_key(self.public_key)?;
        let challenge = challenge::consume(app, self.challenge_id, purpose).await?;
        if challenge.account != account || challenge.address.chain() != Chain::Bitcoin {
            return Err(AuthError::Challenge);
        }
        let key = proved_key(&challenge.address, self.public_key)?;
        let by = Signed { public_key: Some(self.public_key), signature: self.signature };
        challenge.verify(app, by).await?;
        Ok(key)
    }
}

/// Makes the trading wallet of an account; it is written by whoever asks, together with
/// [`Key::trading_key`].
///
/// Which of the co-signing keys it gets is chosen by the account's id. What it answers is stored:
/// nothing of it is worked out again, so that settings may name other keys later.
///
/// # Errors
/// [`AuthError::TradingKey`], [`AuthError::Signer`].
pub async fn make(app: &App, account: AccountId, key: UserKey) -> Result<TradingWallet, AuthError> {
    let named = &app.config.chain.cosigning_keys;
    let mut platform = Vec::with_capacity(named.len());
    for id in named {
        platform.push(app.signer.key(id).await?);
    }
    let x_only = key.x_only();
    if is_treasury(&app.config, x_only) {
        return Err(TradingKeyError::Platform.into());
    }
    if platform.iter().any(|other| XOnlyPublicKey::from(other.public_key) == x_only) {
        return Err(TradingKeyError::Platform.into());
    }
    let chosen = place(account, platform.len()).and_then(|place| platform.into_iter().nth(place));
    let chosen = chosen.ok_or(SignerError::NoSuchKey)?;
    let descriptor =
        TradingDescriptor::new(key, chosen.public_key).map_err(|error| match error {
            TradingDescriptorError::SameKey => TradingKeyError::Platform,
            _ => TradingKeyError::NotCompressed,
        })?;
    Ok(TradingWallet::new(descriptor, chosen.id, app.config.network, app.clock.now()))
}

/// The uniqueness record of a trading wallet's key.
pub fn key_of(wallet: &TradingWallet) -> Key {
    Key::trading_key(wallet.descriptor.user().x_only())
}

/// Which of `count` keys an account gets. The last bits of its id are random.
fn place(account: AccountId, count: usize) -> Option<usize> {
    let count = u128::try_from(count).ok()?;
    usize::try_from(account.0.as_u128().checked_rem(count)?).ok()
}

/// Whether a key of either parity spends what the treasury's address is paid.
fn is_treasury(config: &Config, key: XOnlyPublicKey) -> bool {
    let treasury = config.treasury.script_pubkey();
    let both = UserKey::EitherParity(key).keys();
    both.into_iter().any(|key| scripts(CompressedPublicKey(key.inner)).contains(&treasury))
}

/// What outputs to the addresses of a key have: P2WPKH, P2TR by BIP 86, P2PKH, P2SH-P2WPKH.
fn scripts(key: CompressedPublicKey) -> [ScriptBuf; 4] {
    let nested = ScriptBuf::new_p2wpkh(&key.wpubkey_hash());
    let (x_only, _) = key.0.x_only_public_key();
    [
        ScriptBuf::new_p2tr(&Secp256k1::verification_only(), x_only, None),
        ScriptBuf::new_p2pkh(&key.pubkey_hash()),
        ScriptBuf::new_p2sh(&nested.script_hash()),
        nested,
    ]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KEY: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

    /// The addresses of private key 1, as BIP 173 and others have them; the first is of Taproot.
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
    fn custody_12_taproot_proves_a_key_without_its_parity() {
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
    fn rule_12_a_trading_key_is_a_compressed_point() {
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

    #[test]
    fn the_scripts_are_those_of_the_addresses_of_the_key() {
        let key = KEY.parse().unwrap();
        let expected = ADDRESSES.map(|text| {
            let address: bitcoin::Address<_> = text.parse().unwrap();
            address.assume_checked().script_pubkey()
        });
        assert_eq!(scripts(key), expected);
    }

    #[test]
    fn accounts_are_spread_over_the_keys() {
        let account = |n: u128| AccountId(Uuid::from_u128(n));
        let places: Vec<_> = (0..4).map(|n| place(account(n), 2)).collect();
        assert_eq!(places, [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(place(account(7), 1), Some(0));
        assert_eq!(place(account(7), 0), None);
    }
}
