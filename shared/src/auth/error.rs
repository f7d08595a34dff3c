//! Why authentication is refused.

use std::fmt;

use base::{clock::Timestamp, queue::QueueError, signer::SignerError};
use store::{CommitError, StoreError};

use crate::{
    crypto::{signing::KeyError, vault::VaultError},
    problem::{AsProblem, Params, Problem},
};

/// Why a signature, a key, a number or a passkey's response is refused or cannot be checked. The code that checks it
/// fills this in.
#[derive(Debug, thiserror::Error)]
#[error("{details}")]
pub struct RefusedProof {
    /// What it is to clients.
    pub problem: Problem,
    /// The sentence for the client.
    pub details: String,
    /// A reason that only the log gets.
    pub internal: Option<String>,
}

impl RefusedProof {
    /// A refusal with nothing more for the log.
    pub fn new(problem: Problem, why: &impl fmt::Display) -> Self {
        Self { problem, details: why.to_string(), internal: None }
    }
}

/// Why a proof of identity, or the request that it authenticates, is refused.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// A proof is refused, or cannot be checked.
    #[error(transparent)]
    Proof(#[from] RefusedProof),
    /// The signed message cannot be used to sign in.
    #[error("{0}")]
    Message(String),
    /// The signed message was already used to sign in.
    #[error("This message was already used. Sign a new one.")]
    MessageUsed,
    /// The challenge does not exist or is for something else.
    #[error(
        "The challenge is unknown, used, expired, or for another wallet or purpose. Request a new one."
    )]
    Challenge,
    /// The wallet is linked to an account but is not its sign-in wallet.
    #[error("This address is linked to an account but cannot sign in.")]
    AddressLinked,
    /// The wallet was replaced in a rotation.
    #[error("This address was replaced by another and can no longer sign in.")]
    AddressRetired,
    /// The address already belongs to an account.
    #[error("This address already belongs to an account.")]
    AddressTaken,
    /// The e-mail address already belongs to an account.
    #[error("This e-mail address already belongs to an account.")]
    EmailTaken,
    /// The key is already the user's key of another trading wallet.
    #[error("This public key already belongs to a trading wallet. Use another key.")]
    TradingKeyTaken,
    /// The signer could not supply the platform's key of a trading wallet.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// No account has this referral code.
    #[error("This referral code does not exist.")]
    ReferralCode,
    /// The handshake does not exist or is for something else.
    #[error(
        "The handshake session is unknown, used, expired, or for another purpose. Start again."
    )]
    Handshake,
    /// The proof is wrong or the account does not exist. The response must not tell the two apart.
    #[error("The e-mail address or the password is wrong.")]
    Credentials,
    /// No account has this passkey, or the passkey names another account.
    #[error("This passkey is not known.")]
    PasskeyUnknown,
    /// The passkey already belongs to an account.
    #[error("This passkey already belongs to an account.")]
    PasskeyTaken,
    /// The request lacks a code of the second factor.
    #[error("This account requires a second factor. Send otpCode.")]
    OtpRequired,
    /// The code is wrong or was already used.
    #[error("The code is wrong.")]
    Otp,
    /// Too many wrong codes.
    #[error("Too many wrong codes. Try again in {seconds} s.")]
    OtpLocked {
        /// Until the next attempt.
        seconds: u64,
    },
    /// Too many requests.
    #[error("Too many requests. Try again in {seconds} s.")]
    RateLimited {
        /// Until the next attempt.
        seconds: u64,
    },
    /// The mailed token cannot be used.
    #[error("The token is unknown, used or expired.")]
    EmailToken,
    /// The account is disabled and cannot be used.
    #[error("The account is disabled.")]
    AccountDisabled,
    /// The refresh token is unknown or spent.
    #[error("The refresh token is invalid. Sign in again.")]
    RefreshToken,
    /// The proof is valid, but belongs to another account than the signed-in one.
    #[error("This proves another account than the one that is signed in.")]
    AnotherAccount,
    /// The account has no such session.
    #[error("This session does not exist.")]
    SessionNotFound,
    /// Another request changed the account.
    #[error("The account was changed by another request. Try again.")]
    Changed,
    /// Concurrent writes won every time until the retries were used up.
    #[error("contended")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The vault could not encrypt or decrypt a value.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The mail queue failed.
    #[error(transparent)]
    Mail(#[from] QueueError),
    /// The keys of access tokens could not be read.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

impl AuthError {
    /// [`Self::RateLimited`] until the given moment.
    pub fn limited_until(until: Timestamp, now: Timestamp) -> Self {
        Self::RateLimited { seconds: seconds_until(until, now) }
    }
}

/// Whole seconds from `now` until a window ends, at least 1, for the headers `Retry-After` and `RateLimit`.
pub(super) fn seconds_until(until: Timestamp, now: Timestamp) -> u64 {
    let left = until.0.saturating_sub(now.0).saturating_add(999).div_euclid(1000);
    u64::try_from(left).unwrap_or(0).max(1)
}

/// The error of a commit: that of its failed condition, [`AuthError::Contended`] or [`AuthError::Store`].
pub fn refused<E: From<AuthError>>(error: CommitError<E>) -> E {
    match error {
        CommitError::Condition(failed) => failed,
        CommitError::Contended => AuthError::Contended.into(),
        CommitError::Store(error) => AuthError::Store(error).into(),
    }
}

impl AsProblem for AuthError {
    fn problem(&self) -> Problem {
        match self {
            Self::Proof(refused) => refused.problem,
            Self::Message(_) | Self::MessageUsed => Problem::SignInMessageInvalid,
            Self::Challenge => Problem::ChallengeInvalid,
            Self::AddressLinked => Problem::AddressLinked,
            Self::AddressRetired => Problem::AddressRetired,
            Self::AddressTaken => Problem::AddressTaken,
            Self::EmailTaken => Problem::EmailTaken,
            Self::TradingKeyTaken => Problem::TradingWallet,
            Self::Signer(error) => error.problem(),
            Self::ReferralCode => Problem::ReferralCodeUnknown,
            Self::Handshake => Problem::HandshakeInvalid,
            Self::Credentials => Problem::InvalidCredentials,
            Self::PasskeyUnknown => Problem::PasskeyRefused,
            Self::PasskeyTaken => Problem::PasskeyTaken,
            Self::OtpRequired => Problem::OtpRequired,
            Self::Otp => Problem::OtpInvalid,
            Self::OtpLocked { .. } => Problem::OtpLocked,
            Self::RateLimited { .. } => Problem::RateLimited,
            Self::EmailToken => Problem::EmailTokenInvalid,
            Self::AccountDisabled => Problem::AccountDisabled,
            Self::RefreshToken => Problem::InvalidRefreshToken,
            Self::AnotherAccount => Problem::Forbidden,
            Self::SessionNotFound => Problem::SessionNotFound,
            Self::Changed => Problem::Changed,
            Self::Contended | Self::Keys(_) => Problem::Unavailable,
            Self::Store(error) => error.problem(),
            Self::Mail(error) => error.problem(),
            Self::Vault(VaultError::Kms(_)) => Problem::Unavailable,
            Self::Vault(VaultError::Store(error)) => error.problem(),
            Self::Vault(VaultError::Damaged) => Problem::Internal,
        }
    }

    fn params(&self) -> Params {
        match self {
            Self::OtpLocked { seconds } | Self::RateLimited { seconds } => {
                Params::new().number("retryAfter", *seconds)
            }
            _ => Params::new(),
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Proof(RefusedProof { internal: Some(why), .. }) => format!("{self} {why}"),
            Self::Store(error) => error.internal(),
            _ => self.to_string(),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::OtpLocked { seconds } | Self::RateLimited { seconds } => Some(*seconds),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_at_least_one_second() {
        assert_eq!(seconds_until(Timestamp(10_500), Timestamp(10_000)), 1);
        assert_eq!(seconds_until(Timestamp(12_001), Timestamp(10_000)), 3);
        assert_eq!(seconds_until(Timestamp(0), Timestamp(10_000)), 1);
    }
}
