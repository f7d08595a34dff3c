//! Proofs that failed, as the account's owner is told of them: counted by hour, one row each, so
//! that strangers can neither make the audit trail longer nor get in the way of its owner's writes.
//! No sign-in reads these rows.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::AuthError;
use crate::{
    app::App,
    clock::Timestamp,
    models::account::AccountId,
    store::{Entity, Key, Update},
};

/// Hours that the owner is told of.
const MOST_HOURS: i32 = 100;
/// How long an hour is kept.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
const HOUR_SECONDS: i64 = 60 * 60;

/// What failed to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The password.
    Password,
    /// A code of the second factor, or a recovery code.
    SecondFactor,
    /// A passkey of the account.
    Passkey,
    /// The sign-in wallet.
    Wallet,
    /// A mailed token.
    EmailToken,
}

impl Proof {
    fn field(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::SecondFactor => "secondFactor",
            Self::Passkey => "passkey",
            Self::Wallet => "wallet",
            Self::EmailToken => "emailToken",
        }
    }
}

/// Failed proofs of one hour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FailedProofs {
    /// When the hour began, ms since the epoch.
    pub hour: Timestamp,
    /// When the last one failed, ms since the epoch.
    pub last_at: Timestamp,
    /// Wrong passwords.
    pub password: u32,
    /// Wrong codes of the second factor.
    pub second_factor: u32,
    /// Wrong answers of passkeys.
    pub passkey: u32,
    /// Wrong signatures of the sign-in wallet.
    pub wallet: u32,
    /// Wrong mailed tokens.
    pub email_token: u32,
}

impl Entity for FailedProofs {
    const ENTITY: &'static str = "failedProofs";
}

/// Counts a failed proof: one write. `subject` is the account, or what stands for it where there is
/// none, so that the work is the same. The proof is refused either way, so a failure is no failure
/// of the request.
pub async fn note(app: &App, subject: &str, proof: Proof) {
    let now = app.clock.now();
    let seconds = now.past_seconds();
    let hour = seconds.saturating_sub(seconds.rem_euclid(HOUR_SECONDS));
    let update = Update::new()
        .add(proof.field(), 1)
        .set("hour", Timestamp::from_seconds(hour))
        .set("lastAt", now)
        .set("expiresAt", now.plus(KEPT).seconds())
        .set("entity", FailedProofs::ENTITY);
    if let Err(error) = app.store.update(&Key::failed_proofs(subject, hour), update).await {
        tracing::warn!(subject, ?proof, %error, "failed proof not counted");
    }
}

/// The newest hours in which proofs of an account failed, newest first.
///
/// # Errors
/// [`AuthError::Store`].
pub async fn newest(app: &App, account: AccountId) -> Result<Vec<FailedProofs>, AuthError> {
    let (low, high) = Key::failed_proofs_of(&account.to_string());
    let mut hours: Vec<FailedProofs> =
        app.store.range((&low, &high), false, Some(MOST_HOURS)).await?;
    // DynamoDB deletes late.
    let now = app.clock.now();
    hours.retain(|hour| hour.last_at.plus(KEPT) > now);
    Ok(hours)
}
