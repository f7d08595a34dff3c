//! Why a sweep ends early.

use shared::{
    queue::QueueError,
    store::{CommitError, StoreError},
};

/// Why a sweep ends before its work is done.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Each attempt to write met a concurrent write.
    #[error("writes of a row kept conflicting")]
    Contended,
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue has a row that no code puts into it.
    #[error("a row of another kind is in the queue of webhooks")]
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
