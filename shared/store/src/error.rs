//! Why the store fails.

use aws_sdk_dynamodb::error::{BuildError, DisplayErrorContext, ProvideErrorMetadata, SdkError};

/// Why the store could not read or write a row.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// DynamoDB timed out or is throttling.
    #[error("DynamoDB is unavailable: {0}")]
    Unavailable(String),
    /// DynamoDB refused the request.
    #[error("DynamoDB: {0}")]
    Dynamo(String),
    /// A row does not match the type it is read as.
    #[error("a row is malformed")]
    Row(#[from] serde_dynamo::Error),
}

/// The SDK refuses to build a request that lacks a required field.
impl From<BuildError> for StoreError {
    fn from(error: BuildError) -> Self {
        Self::Dynamo(error.to_string())
    }
}

impl<E, R> From<SdkError<E, R>> for StoreError
where
    SdkError<E, R>: std::error::Error + ProvideErrorMetadata,
{
    fn from(error: SdkError<E, R>) -> Self {
        const BUSY: &[&str] = &[
            "InternalServerError",
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            CONFLICT,
            IN_PROGRESS,
        ];
        let text = DisplayErrorContext(&error).to_string();
        let unanswered = matches!(
            error,
            SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_)
        );
        if unanswered || error.code().is_some_and(|code| BUSY.contains(&code)) {
            Self::Unavailable(text)
        } else {
            Self::Dynamo(text)
        }
    }
}

/// A single write conflicted with a DynamoDB transaction on the same row. Nothing was written.
pub(super) const CONFLICT: &str = "TransactionConflictException";
/// The SDK repeated a DynamoDB transaction whose response was lost while the first attempt is still running.
pub(super) const IN_PROGRESS: &str = "TransactionInProgressException";

/// Why writes were not made.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<E> {
    /// A condition failed; nothing was written.
    #[error("{0}")]
    Condition(E),
    /// A concurrent write conflicted; nothing was written.
    #[error("contended")]
    Contended,
    /// The store failed. Either all or nothing was written; it is unknown which.
    #[error(transparent)]
    Store(#[from] StoreError),
}
