//! Why an export is not made, or the sweep does not end.

use shared::{
    blob::BlobError,
    queue::QueueError,
    store::{CommitError, StoreError},
    transactions::CosigningError,
};

/// Why an attempt at an export ends.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    /// Another run has the export, or the sweep has ended it.
    #[error("the export is another's")]
    Lost,
    /// A row could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another write was in the way each time.
    #[error("the export's row is contended")]
    Contended,
    /// S3 does not take the file.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The queue does not take a message.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A row of the history is damaged.
    #[error("a row of the history: {0}")]
    Row(#[from] CosigningError),
    /// A row of the file could not be written.
    #[error("a row of the file: {0}")]
    Csv(#[from] csv::Error),
    /// The time was over before anything was done.
    #[error("the time was over before anything was done")]
    NoProgress,
    /// No upload has so many parts.
    #[error("the file has more parts than an upload can have")]
    TooLarge,
}

impl From<CommitError<()>> for WorkError {
    /// Every write of a run rests on its lease alone.
    fn from(error: CommitError<()>) -> Self {
        match error {
            CommitError::Condition(()) => Self::Lost,
            CommitError::Contended => Self::Contended,
            CommitError::Store(error) => error.into(),
        }
    }
}

impl WorkError {
    /// What the owner of the export is told.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::TooLarge => "The file would be too large. Ask for a shorter time.",
            _ => NOT_MADE,
        }
    }
}

/// What the owner of an export is told who can do nothing but ask again.
pub(crate) const NOT_MADE: &str = "The file could not be made. Ask for it again.";

/// Rows that the sweep should have dealt with, and did not.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// They could not be found.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some of them failed; the log says why.
    #[error("{0} exports could not be looked after")]
    Some(usize),
}
