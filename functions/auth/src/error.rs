//! Why a sign-in or a refresh is refused.

use shared::{
    auth::{keys::KeyError, wallet::WalletError},
    http::{AreaError, Problem},
    models::sign_in_message::SignInMessageError,
    store::{CommitError, StoreError},
};

/// Why a sign-in or a refresh is refused.
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
    /// The account may not be used.
    #[error("The account is disabled.")]
    AccountDisabled,
    /// No such refresh token, or a spent one.
    #[error("The refresh token is not valid.")]
    RefreshToken,
    /// There is no such session.
    #[error("There is no such session.")]
    SessionNotFound,
    /// Another write was in the way, again and again.
    #[error("contended")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No key to sign tokens with.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// What became of a commit: done, or the condition that failed.
pub(crate) fn outcome<T, E>(
    committed: Result<T, CommitError<E>>,
) -> Result<Result<T, E>, AuthError> {
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
            Self::AccountDisabled => Problem::AccountDisabled,
            Self::RefreshToken => Problem::InvalidRefreshToken,
            Self::SessionNotFound => Problem::SessionNotFound,
            Self::Contended | Self::Keys(_) => Problem::Unavailable,
            Self::Store(error) => error.problem(),
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Wallet(WalletError::RpcUnavailable(why)) => format!("{self} {why}"),
            Self::Store(error) => error.internal(),
            _ => self.to_string(),
        }
    }
}
