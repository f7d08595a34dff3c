//! What an account's owner proves to be, beside a wallet: verifier, second factor, passkeys; and the
//! keystore that the client alone can read.

use serde::{Deserialize, Serialize};

use crate::{
    auth::{passkey::Passkey, srp::Group},
    clock::Timestamp,
    keys::vault::Sealed,
    models::{
        account::{Account, AccountId},
        passkey::PasskeyId,
    },
    store::{Entity, Key, Store, StoreError, accounts::KnownDevice, from_item},
};

/// An account's SRP verifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SrpCredential {
    /// The group that it was made in.
    pub group: Group,
    /// Salt, base64 of 32 bytes.
    pub salt: String,
    /// The verifier, encrypted. Every write encrypts anew, so that an unchanged text means an
    /// unchanged verifier.
    pub verifier: Sealed,
}

impl Entity for SrpCredential {
    const ENTITY: &'static str = "srpCredential";
}

/// An account's keystore.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Keystore {
    /// The client's blob, encrypted once more.
    pub blob: Sealed,
}

impl Entity for Keystore {
    const ENTITY: &'static str = "keystore";
}

/// An account's second factor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TotpCredential {
    /// The secret that codes are checked with, encrypted; none while it is switched off.
    pub secret: Option<Sealed>,
    /// The secret of a setup that has not been confirmed by a code yet, encrypted.
    pub pending: Option<Sealed>,
    /// The newest time step of which a code was accepted; earlier ones are not accepted any more.
    pub last_step: u64,
    /// SHA-256 of the recovery codes that are left, hex.
    pub recovery: Vec<String>,
}

impl Entity for TotpCredential {
    const ENTITY: &'static str = "totp";
}

/// An account's passkey.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredPasskey {
    /// Its id here.
    pub id: PasskeyId,
    /// Whose it is.
    pub account_id: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it last signed in.
    pub last_used_at: Option<Timestamp>,
    /// The public key and what is known of the authenticator.
    pub credential: Passkey,
}

impl StoredPasskey {
    /// The name of a passkey that nobody named.
    const UNNAMED: &'static str = "Passkey";

    /// A passkey that is being added to the account that it was made for.
    pub fn new(name: Option<String>, credential: Passkey, now: Timestamp) -> Self {
        Self {
            id: PasskeyId::of(&credential.credential_id),
            account_id: AccountId(credential.user_handle),
            name: name.unwrap_or_else(|| Self::UNNAMED.to_owned()),
            created_at: now,
            last_used_at: None,
            credential,
        }
    }
}

impl Entity for StoredPasskey {
    const ENTITY: &'static str = "passkey";
}

/// An account and its credentials.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Its SRP verifier.
    pub srp: Option<SrpCredential>,
    /// Its second factor.
    pub totp: Option<TotpCredential>,
    /// Its keystore, where it was read.
    pub keystore: Option<Keystore>,
    /// Until when it knows the device that was asked about; none where it does not.
    pub device_known_until: Option<Timestamp>,
}

/// Reads an account, its credentials, and whether it knows a device: one round trip. `device` is
/// the hash in the device's key.
///
/// # Errors
/// [`StoreError`].
pub async fn of(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
) -> Result<Option<Credentials>, StoreError> {
    read(store, account, device, true).await
}

/// The same but for the keystore, which is not read: it is by far the longest row.
///
/// # Errors
/// [`StoreError`].
pub async fn without_keystore(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
) -> Result<Option<Credentials>, StoreError> {
    read(store, account, device, false).await
}

async fn read(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
    keystore: bool,
) -> Result<Option<Credentials>, StoreError> {
    let mut keys = vec![Key::account(account), Key::srp(account), Key::totp(account)];
    keys.extend(keystore.then(|| Key::keystore(account)));
    keys.extend(device.map(|device| Key::known_device(account, device)));
    let mut rows = store.get_all(&keys).await?.into_iter().map(Option::unwrap_or_default);
    let mut next = || rows.next().filter(|row| !row.is_empty());
    let Some(account) = next().map(from_item::<Account>).transpose()? else { return Ok(None) };
    let epoch = account.epoch;
    Ok(Some(Credentials {
        account,
        srp: next().map(from_item).transpose()?,
        totp: next().map(from_item).transpose()?,
        keystore: if keystore { next().map(from_item).transpose()? } else { None },
        device_known_until: next()
            .map(from_item::<KnownDevice>)
            .transpose()?
            .filter(|known| known.epoch == epoch)
            .map(|known| Timestamp::from_seconds(known.expires_at))
            .filter(|until| *until > store.now()),
    }))
}

/// Reads an account's passkeys, strongly consistent: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn passkeys(store: &Store, account: AccountId) -> Result<Vec<StoredPasskey>, StoreError> {
    let (low, high) = Key::passkeys(account);
    store.range((&low, &high), true, None).await
}
