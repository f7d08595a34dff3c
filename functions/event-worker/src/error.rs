//! Errors that end a sweep early.

use shared::{
    queue::QueueError,
    store::{CommitError, StoreError},
};

/// Why a sweep ends before all rows are handled.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Every attempt to write met a concurrent write.
    #[error("writes of a row kept conflicting")]
    Contended,
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index holds a row of a kind that no code puts there.
    #[error("unexpected row in the queue of webhooks")]
    Stranger,
    /// A queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl From<CommitError<()>> for SweepError {
    fn from(error: CommitError<()>) -> Self {
        match error {
            CommitError::Condition(()) | CommitError::Contended => Self::Contended,
            CommitError::Store(error) => error.into(),
        }
    }
}
