//! Why a proof of identity is refused.

use super::{
    passkey::PasskeyError, rate_limit, srp::SrpError, trading_wallet::TradingKeyError,
    wallet::WalletError,
};
use crate::{
    bitcoin::signer::SignerError,
    clock::Timestamp,
    keys::{signing::KeyError, vault::VaultError},
    models::sign_in_message::SignInMessageError,
    problem::{AreaError, Problem},
    queue::QueueError,
    store::{CommitError, StoreError},
};

/// Why a proof of identity is refused, or what it would open.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The wallet did not prove itself.
    #[error(transparent)]
    Wallet(#[from] WalletError),
    /// The signed message is not one to sign in with.
    #[error(transparent)]
    Message(#[from] SignInMessageError),
    /// The signed message has signed somebody in already.
    #[error("The message was used before.")]
    MessageUsed,
    /// No such challenge, or not for this.
    #[error("The challenge is unknown, used, expired, or of another wallet or purpose.")]
    Challenge,
    /// The wallet is linked to an account, and does not sign in.
    #[error("The address is linked to an account, and does not sign in.")]
    AddressLinked,
    /// The wallet was rotated away.
    #[error("The address was replaced by another one, and does not sign in.")]
    AddressRetired,
    /// The wallet is an account's already.
    #[error("The address belongs to an account.")]
    AddressTaken,
    /// The e-mail address is an account's already.
    #[error("The e-mail address belongs to an account.")]
    EmailTaken,
    /// The key cannot be the user's in a trading wallet.
    #[error(transparent)]
    TradingKey(#[from] TradingKeyError),
    /// The platform's half of a trading wallet could not be asked for.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// No account has this referral code.
    #[error("There is no such referral code.")]
    ReferralCode,
    /// No such handshake, or not for this.
    #[error("The session of the handshake is unknown, used, expired, or of another purpose.")]
    Handshake,
    /// A value of SRP that cannot be one.
    #[error("No value of SRP: {0}.")]
    Srp(#[from] SrpError),
    /// The proof is wrong, or there is no such account: nobody shall tell the two apart.
    #[error("The e-mail address or the password is wrong.")]
    Credentials,
    /// A passkey's answer is malformed, or refused.
    #[error(transparent)]
    Passkey(#[from] PasskeyError),
    /// No account has this passkey, or its answer is not the account's.
    #[error("The passkey is not known.")]
    PasskeyUnknown,
    /// The passkey is an account's already.
    #[error("The passkey belongs to an account.")]
    PasskeyTaken,
    /// The second factor is missing.
    #[error("The account asks for a code: send otpCode.")]
    OtpRequired,
    /// The code is wrong, or was used before.
    #[error("The code is wrong.")]
    Otp,
    /// Too many wrong codes.
    #[error("Too many wrong codes. Try again in {seconds} s.")]
    OtpLocked {
        /// Until the next try.
        seconds: u64,
    },
    /// Too many requests.
    #[error("Too many requests. Try again in {seconds} s.")]
    RateLimited {
        /// Until the next try.
        seconds: u64,
    },
    /// The mailed token is not good.
    #[error("The token is unknown, used or expired.")]
    EmailToken,
    /// The account may not be used.
    #[error("The account is disabled.")]
    AccountDisabled,
    /// No such refresh token, or a spent one.
    #[error("The refresh token is not valid.")]
    RefreshToken,
    /// There is no such session.
    #[error("There is no such session.")]
    SessionNotFound,
    /// Something else changed the account meanwhile.
    #[error("The account was changed meanwhile. Try again.")]
    Changed,
    /// Another write was in the way, again and again.
    #[error("contended")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing can be encrypted or decrypted.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The mail queue does not answer.
    #[error(transparent)]
    Mail(#[from] QueueError),
    /// No key to sign tokens with.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

impl AuthError {
    /// Refused until a moment.
    pub fn limited_until(until: Timestamp, now: Timestamp) -> Self {
        Self::RateLimited { seconds: rate_limit::retry_after(until, now) }
    }
}

/// What became of a commit: done, or the condition that failed.
///
/// # Errors
/// [`AuthError::Contended`], [`AuthError::Store`].
pub fn outcome<T, E>(committed: Result<T, CommitError<E>>) -> Result<Result<T, E>, AuthError> {
    match committed {
        Ok(done) => Ok(Ok(done)),
        Err(CommitError::Condition(failed)) => Ok(Err(failed)),
        Err(CommitError::Contended) => Err(AuthError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

impl AreaError for AuthError {
    fn problem(&self) -> Problem {
        match self {
            Self::Wallet(WalletError::RpcUnavailable(_)) => Problem::ContractWalletUnavailable,
            Self::Wallet(_) => Problem::SignatureInvalid,
            Self::Message(_) | Self::MessageUsed => Problem::SignInMessageInvalid,
            Self::Challenge => Problem::ChallengeInvalid,
            Self::AddressLinked => Problem::AddressLinked,
            Self::AddressRetired => Problem::AddressRetired,
            Self::AddressTaken => Problem::AddressTaken,
            Self::EmailTaken => Problem::EmailTaken,
            Self::TradingKey(_) => Problem::TradingWallet,
            Self::Signer(error) => error.problem(),
            Self::ReferralCode => Problem::ReferralCodeUnknown,
            Self::Handshake => Problem::HandshakeInvalid,
            Self::Srp(_) => Problem::SrpValueInvalid,
            Self::Credentials => Problem::InvalidCredentials,
            Self::Passkey(PasskeyError::Malformed(_)) => Problem::PasskeyMalformed,
            Self::Passkey(_) | Self::PasskeyUnknown => Problem::PasskeyRefused,
            Self::PasskeyTaken => Problem::PasskeyTaken,
            Self::OtpRequired => Problem::OtpRequired,
            Self::Otp => Problem::OtpInvalid,
            Self::OtpLocked { .. } => Problem::OtpLocked,
            Self::RateLimited { .. } => Problem::RateLimited,
            Self::EmailToken => Problem::EmailTokenInvalid,
            Self::AccountDisabled => Problem::AccountDisabled,
            Self::RefreshToken => Problem::InvalidRefreshToken,
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

    fn internal(&self) -> String {
        match self {
            Self::Wallet(WalletError::RpcUnavailable(why)) => format!("{self} {why}"),
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
