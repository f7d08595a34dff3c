//! Known devices: those an account has signed in on.
//!
//! A device is known by its [token](DeviceToken), of which the service stores only a hash.

use std::time::Duration;

use aws_lc_rs::constant_time;
use base::clock::Timestamp;
use shared::{
    accounts::KnownDevice,
    auth::{
        AuthError,
        device_token::{DeviceToken, RANDOM_LEN, TAG_LEN},
    },
    keys,
    models::account::Account,
};
use store::{CommitError, Update, Writes};

use crate::Identity;

/// How long a device stays known after a sign-in.
const KNOWN: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// A sign-in renews a device that has less than this left.
const RENEWED: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// Returns the token that the client sent if this service issued it, otherwise a new one. A client that signs
/// in to several accounts needs only one token.
///
/// # Errors
/// [`AuthError::Vault`] if the tag of a token cannot be computed.
pub async fn keep_or_make_token(
    app: &Identity,
    sent: Option<&DeviceToken>,
) -> Result<DeviceToken, AuthError> {
    if let Some(sent) = sent
        && is_issued_here(app, sent).await?
    {
        return Ok(sent.clone());
    }
    let random = app.random.bytes::<RANDOM_LEN>();
    Ok(DeviceToken::new(&random, &tag(app, &random).await?))
}

/// Without this check, clients could choose tokens that others can guess.
async fn is_issued_here(app: &Identity, token: &DeviceToken) -> Result<bool, AuthError> {
    let Some((random, sent)) = token.parts() else { return Ok(false) };
    let own = tag(app, &random).await?;
    Ok(constant_time::verify_slices_are_equal(&own, &sent).is_ok())
}

async fn tag(app: &Identity, random: &[u8; RANDOM_LEN]) -> Result<[u8; TAG_LEN], AuthError> {
    let hash = app.vault.keyed_hash("device", &hex::encode(random)).await?;
    let mut tag = [0; TAG_LEN];
    tag.iter_mut().zip(hash).for_each(|(place, byte)| *place = byte);
    Ok(tag)
}

/// The hash of the request's device if the account knows it. Takes one round trip if the client sent a token,
/// otherwise none.
///
/// # Errors
/// [`AuthError::Store`] if the store fails.
pub async fn known_to(
    app: &Identity,
    account: &Account,
    sent: Option<&DeviceToken>,
) -> Result<Option<String>, AuthError> {
    let Some(hash) = sent.map(|sent| sent.hash(account.id)) else { return Ok(None) };
    let known = app.store.get::<KnownDevice>(&keys::known_device(account.id, &hash)).await?;
    let now = app.clock.now().past_seconds();
    let is_known = |known: &KnownDevice| known.expires_at > now && known.epoch == account.epoch;
    Ok(known.filter(is_known).map(|_| hash))
}

/// Keeps a device known if a credential was changed on it; all other devices become unknown. `account` is the
/// account before the change.
///
/// The change is already committed, so a failure here does not fail the request.
pub async fn carry_over(app: &Identity, account: &Account, sent: Option<&DeviceToken>) {
    let Some(sent) = sent else { return };
    let key = keys::known_device(account.id, &sent.hash(account.id));
    let update = Update::new()
        .set(KnownDevice::EPOCH, account.epoch.saturating_add(1))
        .if_equal(KnownDevice::EPOCH, account.epoch);
    match app.store.commit(Writes::new().update(&key, update, ())).await {
        // The device was not known before the change either.
        Ok(()) | Err(CommitError::Condition(())) => {}
        Err(CommitError::Contended) => {
            tracing::warn!(account = %account.id, "known device not kept after a change of credentials");
        }
        Err(CommitError::Store(error)) => {
            tracing::warn!(account = %account.id, %error, "known device not kept after a change of credentials");
        }
    }
}

fn known_from(account: &Account, now: Timestamp) -> KnownDevice {
    KnownDevice { expires_at: now.plus(KNOWN).seconds(), epoch: account.epoch }
}

/// Adds to the writes of a registration the row by which the new account knows the device.
pub fn with_known_device<E>(
    rows: Writes<E>,
    account: &Account,
    device: &DeviceToken,
    now: Timestamp,
    otherwise: E,
) -> Writes<E> {
    let key = keys::known_device(account.id, &device.hash(account.id));
    rows.put(&key, &known_from(account, now), otherwise)
}

/// Records that the account signed in on a device. `known_until` is the stored expiry, if any; nothing is
/// written while it is far enough ahead.
///
/// The sign-in has succeeded, so a failure here does not fail the request.
pub async fn remember(
    app: &Identity,
    account: &Account,
    device: &DeviceToken,
    known_until: Option<Timestamp>,
) {
    let now = app.clock.now();
    if known_until.is_some_and(|until| until > now.plus(RENEWED)) {
        return;
    }
    let key = keys::known_device(account.id, &device.hash(account.id));
    if let Err(error) = app.store.put(&key, &known_from(account, now)).await {
        tracing::warn!(account = %account.id, %error, "failed to record a known device");
    }
}
