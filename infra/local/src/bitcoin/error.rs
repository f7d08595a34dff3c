//! Why a lever of the Bitcoin world had no effect.

use std::fmt;

use super::rpc::RpcError;
use crate::base::failure::Failure;

/// Why a lever had no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// The input is invalid here; the sentence says why.
    #[error("{0}")]
    Wrong(String),
    /// The programs have not started yet.
    #[error("the Bitcoin world has not started yet")]
    NotThere,
    /// A program failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl WorldError {
    pub(crate) fn wrong(sentence: impl fmt::Display) -> Self {
        Self::Wrong(sentence.to_string())
    }
}

/// The node's refusals count as invalid input, because the caller chose the input.
impl From<RpcError> for WorldError {
    fn from(error: RpcError) -> Self {
        match error {
            RpcError::Refused { .. } => Self::Wrong(error.to_string()),
            RpcError::Failed(failure) => Self::Failed(failure),
        }
    }
}
