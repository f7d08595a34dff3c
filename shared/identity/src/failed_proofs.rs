//! Failed proofs of identity, as shown to the account's owner. They are counted in one row per hour, so
//! strangers can neither lengthen the audit trail nor contend with the owner's writes. Sign-in never reads
//! these rows.

use std::time::Duration;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::{auth::AuthError, core::Core, keys, models::account::AccountId};
use store::{Entity, Field, Update, fields};
use utoipa::ToSchema;

/// The most hours shown to the owner.
const MOST_HOURS: usize = 100;
/// How long a row is kept.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
const HOUR_SECONDS: i64 = 60 * 60;

/// Which proof failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The password.
    Password,
    /// A TOTP code or a recovery code.
    SecondFactor,
    /// A passkey of the account.
    Passkey,
    /// The sign-in wallet.
    Wallet,
    /// A token from a mail.
    EmailToken,
}

impl Proof {
    fn field(self) -> Field<FailedProofs, u32> {
        match self {
            Self::Password => FailedProofs::PASSWORD,
            Self::SecondFactor => FailedProofs::SECOND_FACTOR,
            Self::Passkey => FailedProofs::PASSKEY,
            Self::Wallet => FailedProofs::WALLET,
            Self::EmailToken => FailedProofs::EMAIL_TOKEN,
        }
    }
}

/// Failed proofs of one hour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FailedProofs {
    /// When the hour began, ms since the epoch.
    pub hour: Timestamp,
    /// When the last proof failed, ms since the epoch.
    pub last_at: Timestamp,
    /// Wrong passwords.
    pub password: u32,
    /// Wrong codes of the second factor.
    pub second_factor: u32,
    /// Refused passkey responses.
    pub passkey: u32,
    /// Wrong signatures of the sign-in wallet.
    pub wallet: u32,
    /// Wrong tokens from mails.
    pub email_token: u32,
}

impl Entity for FailedProofs {
    const ENTITY: &'static str = "failedProofs";
}

fields!(FailedProofs {
    HOUR: Timestamp = hour,
    LAST_AT: Timestamp = last_at,
    PASSWORD: u32 = password,
    SECOND_FACTOR: u32 = second_factor,
    PASSKEY: u32 = passkey,
    WALLET: u32 = wallet,
    EMAIL_TOKEN: u32 = email_token,
});

/// Counts a failed proof in one write. `subject` is the account, or its placeholder if there is none, so that
/// the work is identical. The proof is refused either way, so a failed write does not fail the request.
pub async fn record(app: &Core, subject: &str, proof: Proof) {
    let now = app.clock.now();
    let seconds = now.past_seconds();
    let hour = seconds.saturating_sub(seconds.rem_euclid(HOUR_SECONDS));
    let update = Update::new()
        .add(proof.field(), 1)
        .set(FailedProofs::HOUR, Timestamp::from_seconds(hour))
        .set(FailedProofs::LAST_AT, now)
        .expire_at(now.plus(KEPT).seconds())
        .create_or_change();
    if let Err(error) = app.store.update(&keys::failed_proofs(subject, hour), update).await {
        tracing::warn!(subject, ?proof, %error, "failed to count a failed proof");
    }
}

/// The latest hours in which proofs failed for an account, newest first.
///
/// # Errors
/// [`AuthError::Store`] if the store fails.
pub async fn newest(app: &Core, account: AccountId) -> Result<Vec<FailedProofs>, AuthError> {
    let (low, high) = keys::failed_proofs_of(&account.to_string());
    let mut hours: Vec<FailedProofs> =
        app.store.range((&low, &high), false, Some(MOST_HOURS)).await?;
    // DynamoDB deletes expired rows late.
    let now = app.clock.now();
    hours.retain(|hour| hour.last_at.plus(KEPT) > now);
    Ok(hours)
}
