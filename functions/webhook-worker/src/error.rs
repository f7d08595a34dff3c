//! Errors that end a run early.

use base::queue::QueueError;
use shared::crypto::vault::VaultError;
use store::{CommitError, StoreError};

/// Why a run ends before its work is done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// Another run holds the lease, or the owner changed the webhook.
    #[error("another run holds the webhook, or its owner changed it")]
    Lost,
    /// Every attempt to write met a concurrent write.
    #[error("writes of the webhook's row kept conflicting")]
    Contended,
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A secret cannot be decrypted.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// A queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// An event cannot be written as JSON.
    #[error("failed to write an event: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<CommitError<()>> for RunError {
    /// A run's writes have one condition: that the run still holds the lease.
    fn from(error: CommitError<()>) -> Self {
        match error {
            CommitError::Condition(()) => Self::Lost,
            CommitError::Contended => Self::Contended,
            CommitError::Store(error) => error.into(),
        }
    }
}
