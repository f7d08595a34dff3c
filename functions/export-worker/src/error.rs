//! Why an export or the sweep fails.

use base::{blob::BlobError, queue::QueueError};
use chain::transactions::ChainError;
use store::{CommitError, StoreError};

/// Why an attempt at an export ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    /// Another run holds the export, or the sweep has given it up.
    #[error("another run holds the export")]
    Lost,
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Each attempt to write met a concurrent write.
    #[error("writes of the export's row kept conflicting")]
    Contended,
    /// S3 refused the file, or failed.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A row of the history is damaged.
    #[error("damaged row in the history: {0}")]
    Row(#[from] ChainError),
    /// The CSV writer refused a row.
    #[error("failed to write a row of the file: {0}")]
    Csv(#[from] csv::Error),
    /// The run reached its deadline without any progress.
    #[error("the run reached its deadline without any progress")]
    NoProgress,
    /// The file needs more parts than a multipart upload allows.
    #[error("the file needs more parts than a multipart upload allows")]
    TooLarge,
}

impl From<CommitError<()>> for WorkError {
    /// A run's writes have one condition: that its lease still holds.
    fn from(error: CommitError<()>) -> Self {
        match error {
            CommitError::Condition(()) => Self::Lost,
            CommitError::Contended => Self::Contended,
            CommitError::Store(error) => error.into(),
        }
    }
}

impl WorkError {
    /// The reason that the owner of the export sees.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::TooLarge => "The file would be too large. Export a shorter time range.",
            _ => NOT_MADE,
        }
    }
}

/// The reason that the owner sees if only another request can help.
pub(crate) const NOT_MADE: &str = "The file could not be made. Request the export again.";

/// Why a sweep left due rows behind.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The query for due rows failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some rows failed; the log has one line for each.
    #[error("the sweep failed for {0} exports")]
    Some(usize),
}
