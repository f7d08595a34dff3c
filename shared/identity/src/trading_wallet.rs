//! Creates an account's trading wallet, once, from a user key proved by its own signature and a co-signing
//! key of the platform (custody rules 11 and 12).

use base::signer::SignerError;
use bitcoin::{Address, CompressedPublicKey, ScriptBuf, XOnlyPublicKey, secp256k1::Secp256k1};
use shared::{
    accounts::UniqueOwner,
    auth::AuthError,
    keys,
    models::{
        account::AccountId,
        trading_wallet::{TradingDescriptor, TradingDescriptorError, TradingWallet, UserKey},
        wallet::Chain,
    },
};
use store::{Key, Writes};
use uuid::Uuid;

use crate::{
    Identity,
    challenge::{self, ChallengePurpose, Signed},
    trading_key::{TradingKeyError, proved_key, read_key},
};

/// A key to become the user's key in a trading wallet, and its signature of a challenge.
#[derive(Clone, Copy, Debug)]
pub struct TradingKeyProof<'a> {
    /// The key in hex: 33 bytes, or 32 if the challenge is for a Taproot address.
    pub public_key: &'a str,
    /// The id of the challenge.
    pub challenge_id: Uuid,
    /// The signature in base64: BIP-322 for P2WPKH and P2TR, the legacy signed message for P2PKH and
    /// P2SH-P2WPKH.
    pub signature: &'a str,
}

impl TradingKeyProof<'_> {
    /// Consumes the challenge and checks the signature. The challenge may be for any Bitcoin address of the
    /// key. It must have this purpose and have been requested by `account` (`None`: without a token).
    ///
    /// # Errors
    /// [`AuthError::Proof`] if the text is not a key of either length, before anything is consumed;
    /// [`AuthError::Challenge`] if the challenge cannot be used; [`AuthError::Proof`] if the signature
    /// proves nothing; [`AuthError::Store`] if the store fails.
    pub async fn prove(
        self,
        app: &Identity,
        purpose: ChallengePurpose,
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

/// Builds an account's trading wallet. The caller stores it together with [`shared::keys::trading_key`].
///
/// The account's id determines which co-signing key it gets. The result is stored and never derived again, so
/// the settings can list other keys later.
///
/// # Errors
/// [`AuthError::Proof`] if the key belongs to the platform; [`AuthError::Signer`] if the platform's keys
/// cannot be read.
pub async fn make(
    app: &Identity,
    account: AccountId,
    key: UserKey,
) -> Result<TradingWallet, AuthError> {
    let named = &app.cosigning_keys;
    let mut platform = Vec::with_capacity(named.len());
    for id in named {
        platform.push(app.signer.key(id).await?);
    }
    let x_only = key.x_only();
    if is_treasury(&app.treasury, x_only) {
        return Err(TradingKeyError::Platform.into());
    }
    if platform.iter().any(|other| XOnlyPublicKey::from(other.public_key) == x_only) {
        return Err(TradingKeyError::Platform.into());
    }
    let chosen =
        key_index(account, platform.len()).and_then(|index| platform.into_iter().nth(index));
    let chosen = chosen.ok_or(SignerError::NoSuchKey)?;
    let descriptor =
        TradingDescriptor::new(key, chosen.public_key).map_err(|error| match error {
            TradingDescriptorError::SameKey => TradingKeyError::Platform,
            _ => TradingKeyError::NotCompressed,
        })?;
    Ok(TradingWallet::new(descriptor, chosen.id, app.network, app.clock.now()))
}

/// Adds the rows that say which account owns a trading wallet: by its user key, which only one account may
/// have, and by its address.
#[must_use]
pub fn claim<E: From<AuthError>>(
    rows: Writes<E>,
    wallet: &TradingWallet,
    account: AccountId,
) -> Writes<E> {
    let owner = UniqueOwner { account_id: account };
    let taken = || E::from(AuthError::TradingKeyTaken);
    rows.insert(&key_of(wallet), &owner, taken()).insert(
        &keys::trading_address(&wallet.address),
        &owner,
        taken(),
    )
}

/// The key of the row that makes a trading wallet's user key unique.
pub fn key_of(wallet: &TradingWallet) -> Key {
    keys::trading_key(wallet.descriptor.user().x_only())
}

/// The index of the account's key among `count` keys. The last bits of an account id are random.
fn key_index(account: AccountId, count: usize) -> Option<usize> {
    let count = u128::try_from(count).ok()?;
    usize::try_from(account.0.as_u128().checked_rem(count)?).ok()
}

/// Whether the key, with either parity, can spend from the treasury's address.
fn is_treasury(treasury: &Address, key: XOnlyPublicKey) -> bool {
    let treasury = treasury.script_pubkey();
    let both = UserKey::EitherParity(key).keys();
    both.into_iter().any(|key| scripts(CompressedPublicKey(key.inner)).contains(&treasury))
}

/// The output scripts of a key's addresses: P2TR by BIP 86, P2PKH, P2SH-P2WPKH and P2WPKH.
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

    /// The addresses of private key 1, as published in BIP 173 and elsewhere; the first one is Taproot.
    const ADDRESSES: [&str; 4] = [
        "bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9",
        "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
        "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    ];

    #[test]
    fn scripts_match_the_addresses_of_the_key() {
        let key = KEY.parse().unwrap();
        let expected = ADDRESSES.map(|text| {
            let address: bitcoin::Address<_> = text.parse().unwrap();
            address.assume_checked().script_pubkey()
        });
        assert_eq!(scripts(key), expected);
    }

    #[test]
    fn accounts_are_spread_over_the_cosigning_keys() {
        let account = |n: u128| AccountId(Uuid::from_u128(n));
        let places: Vec<_> = (0..4).map(|n| key_index(account(n), 2)).collect();
        assert_eq!(places, [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(key_index(account(7), 1), Some(0));
        assert_eq!(key_index(account(7), 0), None);
    }
}
