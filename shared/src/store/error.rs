//! What failures of the store are to clients.

use super::{CommitError, StoreError};
use crate::problem::{AsProblem, Problem};

impl AsProblem for StoreError {
    fn problem(&self) -> Problem {
        match self {
            Self::Unavailable(_) => Problem::Unavailable,
            Self::Dynamo(_) | Self::Row(_) => Problem::Internal,
        }
    }
}

impl<E: AsProblem> AsProblem for CommitError<E> {
    fn problem(&self) -> Problem {
        match self {
            Self::Condition(error) => error.problem(),
            Self::Contended => Problem::Unavailable,
            Self::Store(error) => error.problem(),
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Condition(error) => error.internal(),
            Self::Contended => self.to_string(),
            Self::Store(error) => error.internal(),
        }
    }
}
