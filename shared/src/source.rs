//! Chain sources: the servers that are asked what is in the Bitcoin chain and what its outputs hold.

use base::outbound::OutboundError;

use crate::problem::{AsProblem, Problem};

/// A chain source did not answer, or answered with an error.
#[derive(Debug, thiserror::Error)]
#[error("a chain source failed or gave an unexpected answer")]
pub struct SourceError(#[from] OutboundError);

impl SourceError {
    /// Whether the source answered with more than is read, and will do so again.
    pub fn is_too_long(&self) -> bool {
        matches!(self.0, OutboundError::TooLong)
    }
}

impl AsProblem for SourceError {
    fn problem(&self) -> Problem {
        match self.0 {
            OutboundError::Busy { .. } => Problem::ChainBusy,
            // A fault of this deployment's, not of the source.
            OutboundError::NotStored { .. } => Problem::Unavailable,
            _ => Problem::ChainUnavailable,
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self.0 {
            OutboundError::Busy { retry_after } => Some(retry_after),
            _ => None,
        }
    }
}
