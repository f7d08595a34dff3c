//! Devices that an account knows: those that it has signed in on.
//!
//! A device is known by a token that a sign-in answers and that the client sends back. A stranger
//! cannot claim one: 256 random bits, of which the service keeps a hash. It proves nothing about an
//! account, and opens none; guesses of others do not lock its holder out.

use std::time::Duration;

use aws_lc_rs::constant_time;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderName};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::AuthError;
use crate::{
    app::App,
    models::account::{Account, AccountId},
    store::{CommitError, Key, Update, Writes, accounts::KnownDevice},
};

/// The header that carries a device's token.
pub const HEADER: HeaderName = HeaderName::from_static("device-token");

/// How long a device stays known after a sign-in.
const KNOWN: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// A device that stays known for less than this is noted again at its next sign-in.
const RENEWED: Duration = Duration::from_secs(60 * 24 * 60 * 60);
const RANDOM_LEN: usize = 32;
const TAG_LEN: usize = 16;
/// Characters of a token.
pub const TOKEN_LEN: usize = 64;

/// A device's token: 32 random bytes, and 16 that show that this service made them, base64url.
#[derive(Clone, Debug)]
pub struct DeviceToken(SecretString);

/// The header of a device that an account may know.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)]
pub struct DeviceHeader {
    /// `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
    /// locked out on it by the guesses of others.
    #[param(rename = "Device-Token", required = false, max_length = 64)]
    device_token: Option<String>,
}

impl DeviceToken {
    /// The token that a client sent, if it has the form of one.
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(HEADER)?.to_str().ok()?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (text.len() == TOKEN_LEN && bytes.len() == RANDOM_LEN.saturating_add(TAG_LEN))
            .then(|| Self(text.to_owned().into()))
    }

    /// The token that a client sent, where this service made it; else a new one. A client that has
    /// signed in to several accounts needs no more than one.
    ///
    /// # Errors
    /// [`AuthError::Vault`].
    pub async fn keep_or_make(app: &App, sent: Option<&Self>) -> Result<Self, AuthError> {
        if let Some(sent) = sent
            && sent.is_made_here(app).await?
        {
            return Ok(sent.clone());
        }
        let random = app.random.bytes::<RANDOM_LEN>();
        let bytes = [random.as_slice(), &tag(app, &random).await?].concat();
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes).into()))
    }

    /// Without this, clients could choose tokens that others can guess.
    async fn is_made_here(&self, app: &App) -> Result<bool, AuthError> {
        let Ok(bytes) = BASE64_URL_SAFE_NO_PAD.decode(self.0.expose_secret()) else {
            return Ok(false);
        };
        let Some((random, sent)) = bytes.split_at_checked(RANDOM_LEN) else { return Ok(false) };
        let own = tag(app, random).await?;
        Ok(constant_time::verify_slices_are_equal(&own, sent).is_ok())
    }

    /// What an account knows it by: SHA-256 of both, hex. Rows of two accounts do not show that
    /// they share a device.
    pub fn hash(&self, account: AccountId) -> String {
        hex::encode(Sha256::digest(format!("{account}\0{}", self.0.expose_secret())))
    }

    /// The token, for the answer of a sign-in.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

async fn tag(app: &App, random: &[u8]) -> Result<[u8; TAG_LEN], AuthError> {
    let hash = app.vault.keyed_hash("device", &hex::encode(random)).await?;
    let mut tag = [0; TAG_LEN];
    tag.iter_mut().zip(hash).for_each(|(place, byte)| *place = byte);
    Ok(tag)
}

/// The hash of the device that a request comes from, if the account knows it: one round trip where
/// a token was sent, else none.
///
/// # Errors
/// [`AuthError::Store`].
pub async fn known_to(
    app: &App,
    account: &Account,
    sent: Option<&DeviceToken>,
) -> Result<Option<String>, AuthError> {
    let Some(hash) = sent.map(|sent| sent.hash(account.id)) else { return Ok(None) };
    let known = app.store.get::<KnownDevice>(&Key::known_device(account.id, &hash)).await?;
    let now = app.clock.now().past_seconds();
    let is_known = |known: &KnownDevice| known.expires_at > now && known.epoch == account.epoch;
    Ok(known.filter(is_known).map(|_| hash))
}

/// Keeps the device known on which a credential was changed; all others have to sign in again. The
/// account is as it was before the change.
///
/// The change is done, so a failure is no failure of the request.
pub async fn carry_over(app: &App, account: &Account, sent: Option<&DeviceToken>) {
    let Some(sent) = sent else { return };
    let key = Key::known_device(account.id, &sent.hash(account.id));
    let update = Update::new()
        .set("epoch", account.epoch.saturating_add(1))
        .if_equal("epoch", account.epoch);
    match app.store.commit(Writes::new().update(&key, update, ())).await {
        // It was not known before either.
        Ok(()) | Err(CommitError::Condition(())) => {}
        Err(CommitError::Contended) => {
            tracing::warn!(account = %account.id, "known device not carried over");
        }
        Err(CommitError::Store(error)) => {
            tracing::warn!(account = %account.id, %error, "known device not carried over");
        }
    }
}

/// Notes that the account has signed in on a device. `known_until` is what it knew before; nothing
/// is written while that is long enough.
///
/// The sign-in is done, so a failure is no failure of the request.
pub async fn remember(
    app: &App,
    account: &Account,
    device: &DeviceToken,
    known_until: Option<crate::clock::Timestamp>,
) {
    let now = app.clock.now();
    if known_until.is_some_and(|until| until > now.plus(RENEWED)) {
        return;
    }
    let known = KnownDevice { expires_at: now.plus(KNOWN).seconds(), epoch: account.epoch };
    let key = Key::known_device(account.id, &device.hash(account.id));
    if let Err(error) = app.store.put(&key, &known).await {
        tracing::warn!(account = %account.id, %error, "known device not noted");
    }
}
