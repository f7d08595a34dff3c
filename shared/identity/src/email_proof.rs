//! Proof of access to a mailbox: tokens in mailed links.

use std::time::Duration;

use aws_lc_rs::constant_time;
use base::clock::Timestamp;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared::{
    accounts::{self, EmailOwner},
    auth::{
        AuthError, RequestContext,
        limits::{EMAIL_BY_ADDRESS, hit, subject_of_email},
    },
    input::Fields,
    keys,
    mail::{Letter, Mail},
    models::{
        account::{Account, AccountId},
        change::AccountChange,
        email::EmailAddress,
    },
};
use store::{Entity, Writes, fields};

use crate::{Identity, activity::Entry};

/// How long a token is valid (checklist 14).
pub const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// The longest token accepted, in characters.
const LONGEST_TOKEN: usize = 128;

/// A mailed token: 256 random bits, base64url. Only its SHA-256 is stored.
#[derive(Debug)]
pub struct EmailToken(SecretString);

impl EmailToken {
    /// Draws a new token.
    pub fn new(app: &Identity) -> Self {
        Self(BASE64_URL_SAFE_NO_PAD.encode(app.random.bytes::<32>()).into())
    }

    /// Reads the token that a client sent.
    pub fn read(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        Some(Self(fields.text(name, LONGEST_TOKEN)?.into()))
    }

    /// SHA-256, hex.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.expose_secret()))
    }

    /// Compares its hash with `hash` in constant time.
    pub fn has_hash(&self, hash: &str) -> bool {
        constant_time::verify_slices_are_equal(self.hash().as_bytes(), hash.as_bytes()).is_ok()
    }

    /// The mail that carries the token to the address an account wants to change to.
    pub fn confirmation(self, app: &Identity, to: &EmailAddress, expires_at: Timestamp) -> Mail {
        self.mail(app, to, |token| Letter::ConfirmEmail { token, expires_at })
    }

    fn mail(
        self,
        app: &Identity,
        to: &EmailAddress,
        letter: impl FnOnce(SecretString) -> Letter,
    ) -> Mail {
        let at = app.clock.now();
        Mail { id: app.random.id(at), to: to.to_string().into(), letter: letter(self.0), at }
    }
}

/// A mailed token of a registration, and the account and address it belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// The account that registered.
    pub account_id: AccountId,
    /// The address to verify.
    pub email: EmailAddress,
    /// The account's [`Account::email_releases`] when the token was mailed.
    pub email_releases: u32,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
    /// When the token was used, whole seconds since the epoch. The row stays until its TTL, so a delayed
    /// write of it cannot revive the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<i64>,
}

impl Entity for Verification {
    const ENTITY: &'static str = "emailVerification";
}

fields!(Verification {
    pub ACCOUNT_ID: AccountId = account_id,
});

/// Takes over the record of an address's owner for an account that has proved the address (custody rule 20).
#[derive(Clone, Copy, Debug)]
pub struct EmailClaim {
    /// The record as read.
    found: Option<EmailOwner>,
    to: AccountId,
}

impl EmailClaim {
    /// Reads the record of an address that account `to` is about to prove.
    ///
    /// # Errors
    /// [`AuthError::EmailTaken`] if another account has proved it; [`AuthError::Store`] if the store fails.
    pub async fn read(
        app: &Identity,
        email: &EmailAddress,
        to: AccountId,
    ) -> Result<Self, AuthError> {
        let found = accounts::email_owner(&app.store, email).await?;
        if found.is_some_and(|owner| owner.verified && owner.account_id != to) {
            return Err(AuthError::EmailTaken);
        }
        Ok(Self { found, to })
    }

    /// Adds the record to `writes`. `changed` is the error if the record has changed since it was read.
    #[must_use]
    pub fn write<E>(&self, writes: Writes<E>, email: &EmailAddress, changed: E) -> Writes<E> {
        let yields = self.found.map(|holder| holder.yields());
        let owner = EmailOwner::verified(self.to);
        writes.insert_or(&keys::email(email), &owner, yields, changed)
    }

    /// The account that loses the address, and the entry for its audit trail.
    pub fn previous_owner(
        &self,
        app: &Identity,
        context: &RequestContext,
    ) -> Option<(AccountId, Entry)> {
        let holder = self.found.filter(|holder| holder.account_id != self.to)?;
        let entry = Entry::for_affected_account(app, AccountChange::EmailLost, context);
        Some((holder.account_id, entry))
    }
}

/// Mails an account a token that proves its address.
///
/// Mails are counted per address and account, so no other account can use up an account's mails.
///
/// # Errors
/// [`AuthError::RateLimited`] if the address was mailed too often for this account; [`AuthError::Store`] if
/// the token cannot be stored; [`AuthError::Mail`] if the mail cannot be queued.
pub async fn send_verification(
    app: &Identity,
    account: &Account,
    email: &EmailAddress,
) -> Result<(), AuthError> {
    let subject = format!("{}#{}", subject_of_email(email), account.id);
    hit(app, EMAIL_BY_ADDRESS, &subject).await?;
    let token = EmailToken::new(app);
    let expires_at = app.clock.now().plus(LIFETIME);
    let row = Verification {
        account_id: account.id,
        email: email.clone(),
        email_releases: account.email_releases,
        expires_at: expires_at.seconds(),
        used_at: None,
    };
    app.store.issue(&keys::email_token(&token.hash()), &row).await?;
    let mail = token.mail(app, email, |token| Letter::VerifyEmail { token, expires_at });
    Ok(app.mail.send(&mail).await?)
}

/// The row of a mailed registration token. Reading it does not use it up.
///
/// # Errors
/// [`AuthError::EmailToken`] if the token is unknown, used or expired; [`AuthError::Store`] if the store
/// fails.
pub async fn verification(app: &Identity, token: &EmailToken) -> Result<Verification, AuthError> {
    let row = app.store.get::<Verification>(&keys::email_token(&token.hash())).await?;
    let now = app.clock.now().past_seconds();
    row.filter(|row| row.used_at.is_none() && row.expires_at > now).ok_or(AuthError::EmailToken)
}
