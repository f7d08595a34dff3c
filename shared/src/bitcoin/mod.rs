//! Bitcoin: chain sources, and transactions that lose nothing.

pub mod address;
pub mod coins;
pub mod consensus;
pub mod esplora;
pub mod ord;
pub mod plan;
pub mod psbt;
pub mod runes;
mod selection;
pub mod settings;
pub mod signer;

use crate::{
    outbound::OutboundError,
    problem::{AsProblem, Problem},
};

/// A chain source did not answer, or answered with an error.
#[derive(Debug, thiserror::Error)]
#[error("a chain source failed or gave an unexpected answer")]
pub struct SourceError(#[from] OutboundError);

impl AsProblem for SourceError {
    fn problem(&self) -> Problem {
        match self.0 {
            OutboundError::Busy { .. } => Problem::Unavailable,
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
