//! Credentials other than wallets: SRP verifier, second factor, passkeys; and the keystore that only the
//! client can read.

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::{
    accounts::KnownDevice,
    crypto::vault::Sealed,
    keys,
    models::{
        account::{Account, AccountId},
        passkey::PasskeyId,
    },
};
use store::{Entity, Store, StoreError, UntypedRow, fields};

use crate::{passkey::Passkey, srp::Group};

/// An account's SRP verifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SrpCredential {
    /// The SRP group of the verifier.
    pub group: Group,
    /// Salt: 32 bytes in base64.
    pub salt: String,
    /// The encrypted verifier. Every write encrypts it again, so an unchanged ciphertext means an unchanged
    /// verifier.
    pub verifier: Sealed,
}

impl Entity for SrpCredential {
    const ENTITY: &'static str = "srpCredential";
}

fields!(SrpCredential {
    pub GROUP: Group = group,
    pub SALT: String = salt,
    pub VERIFIER: Sealed = verifier,
});

/// An account's keystore.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Keystore {
    /// The client's blob, encrypted again by the service.
    pub blob: Sealed,
}

impl Entity for Keystore {
    const ENTITY: &'static str = "keystore";
}

/// An account's second factor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TotpCredential {
    /// The secret that codes are checked against, encrypted; absent while the second factor is off.
    pub secret: Option<Sealed>,
    /// The secret of a setup not yet confirmed by a code, encrypted.
    pub pending: Option<Sealed>,
    /// The time step of the newest accepted code. Codes of that step and earlier ones are refused.
    pub last_step: u64,
    /// SHA-256 of the remaining recovery codes, hex.
    pub recovery: Vec<String>,
}

impl Entity for TotpCredential {
    const ENTITY: &'static str = "totp";
}

fields!(TotpCredential {
    pub SECRET: Option<Sealed> = secret,
    pub PENDING: Option<Sealed> = pending,
    pub LAST_STEP: u64 = last_step,
    pub RECOVERY: Vec<String> = recovery,
});

/// An account's passkey.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredPasskey {
    /// The id of the passkey in this service.
    pub id: PasskeyId,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// The name given by its owner.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    pub last_used_at: Option<Timestamp>,
    /// The public key and what is known about the authenticator.
    pub credential: Passkey,
}

impl StoredPasskey {
    /// The name of a passkey added without one.
    const UNNAMED: &'static str = "Passkey";

    /// A passkey that is being added to its account.
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

fields!(StoredPasskey {
    pub ACCOUNT_ID: AccountId = account_id,
    pub LAST_USED_AT: Option<Timestamp> = last_used_at,
    pub CREDENTIAL_SIGN_COUNT: u32 = credential.sign_count,
    pub CREDENTIAL_BACKUP_STATE: bool = credential.backup_state,
});

/// An account and its credentials.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Its SRP verifier.
    pub srp: Option<SrpCredential>,
    /// Its second factor.
    pub totp: Option<TotpCredential>,
    /// Its keystore, if read.
    pub keystore: Option<Keystore>,
    /// Until when the account knows the given device; `None` if it does not know it.
    pub device_known_until: Option<Timestamp>,
}

/// Reads an account, its credentials, and whether it knows a device, in one round trip. `device` is the hash
/// in the device's key.
pub async fn find(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
) -> Result<Option<Credentials>, StoreError> {
    read_rows(store, account, device, true).await
}

/// Like [`find`], but without the keystore, by far the longest row.
pub async fn without_keystore(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
) -> Result<Option<Credentials>, StoreError> {
    read_rows(store, account, device, false).await
}

async fn read_rows(
    store: &Store,
    account: AccountId,
    device: Option<&str>,
    keystore: bool,
) -> Result<Option<Credentials>, StoreError> {
    let mut keys = vec![keys::account(account), keys::srp(account), keys::totp(account)];
    keys.extend(keystore.then(|| keys::keystore(account)));
    keys.extend(device.map(|device| keys::known_device(account, device)));
    let mut rows = store.get_all(&keys).await?.into_iter();
    let mut next = || rows.next().flatten();
    let Some(account) = next().map(UntypedRow::read::<Account>).transpose()? else {
        return Ok(None);
    };
    let epoch = account.epoch;
    Ok(Some(Credentials {
        account,
        srp: next().map(UntypedRow::read).transpose()?,
        totp: next().map(UntypedRow::read).transpose()?,
        keystore: if keystore { next().map(UntypedRow::read).transpose()? } else { None },
        device_known_until: next()
            .map(UntypedRow::read::<KnownDevice>)
            .transpose()?
            .filter(|known| known.epoch == epoch)
            .map(|known| Timestamp::from_seconds(known.expires_at))
            .filter(|until| *until > store.now()),
    }))
}

/// Reads an account's passkeys, strongly consistent, in one round trip.
pub async fn passkeys(store: &Store, account: AccountId) -> Result<Vec<StoredPasskey>, StoreError> {
    let (low, high) = keys::passkeys(account);
    store.range((&low, &high), true, None).await
}
