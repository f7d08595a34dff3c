//! Errors of rows and queues in a sweep.

use base::queue::QueueError;
use store::{CommitError, StoreError};

/// Why a row or a message of a sweep fails. The other rows are handled all the same.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Every attempt to write met a concurrent write.
    #[error("writes of a row kept conflicting")]
    Contended,
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A row was not handled in time.
    #[error("not done in time")]
    Slow,
    /// The code that handles a row panicked.
    #[error("handling panicked")]
    Panicked,
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
