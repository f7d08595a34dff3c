//! Why a client's message is refused or fails.

use std::borrow::Cow;

use base::queue::QueueError;
use serde::Serialize;
use shared::problem::Problem;
use store::StoreError;

/// A failure of the service itself; the gateway reports it to the client.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// Concurrent writes kept changing a row.
    #[error("a row kept changing")]
    Contended,
    /// The gateway's event has no connection id.
    #[error("the event has no connection id")]
    NoConnection,
    /// An answer cannot be written as JSON.
    #[error("failed to write an answer: {0}")]
    Json(#[from] serde_json::Error),
}

impl SocketError {
    /// Whether the same message may succeed a moment later. A single client that sends many messages
    /// concurrently can cause this.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Contended | Self::Store(StoreError::Unavailable(_)))
    }
}

/// Why the handling of a client's message ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The client receives the reason.
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

/// Why a message is refused, in the same shape as the API's errors.
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
