//! Why a client's message is not answered as it wishes.

use std::borrow::Cow;

use serde::Serialize;
use shared::{problem::Problem, queue::QueueError, store::StoreError};

/// A failure of the service itself: the gateway tells the client that there was one.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A row could not be written, because others write it all the time.
    #[error("a row kept changing")]
    Contended,
    /// The gateway's event has no id of a connection.
    #[error("the event has no connection")]
    NoConnection,
    /// An answer cannot be written as JSON.
    #[error("failed to write an answer: {0}")]
    Json(#[from] serde_json::Error),
}

impl SocketError {
    /// Whether the same message may be answered a moment later. A client that sends many at once causes this by itself.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Contended | Self::Store(StoreError::Unavailable(_)))
    }
}

/// What ends the handling of a client's message.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The client is told why.
    #[error("{0:?}")]
    Refused(Refusal),
    /// The connection is closed.
    #[error("{0}")]
    Close(&'static str),
    /// The service failed.
    #[error(transparent)]
    Failed(#[from] SocketError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<QueueError> for Stop {
    fn from(error: QueueError) -> Self {
        Self::Failed(error.into())
    }
}

/// Why a message is refused, in the shape of the API's errors.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    /// Digits, stable.
    code: &'static str,
    /// A key for the frontend's own texts, stable.
    message: &'static str,
    /// One English sentence; may change.
    details: Cow<'static, str>,
}

impl Refusal {
    pub(crate) fn new(problem: Problem, details: impl Into<Cow<'static, str>>) -> Self {
        Self { code: problem.code(), message: problem.key(), details: details.into() }
    }
}

impl Stop {
    pub(crate) fn refused(problem: Problem, details: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused(Refusal::new(problem, details))
    }
}
