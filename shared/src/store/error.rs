//! What failures of the store are to clients.

use super::{CommitError, StoreError};
use crate::problem::{AreaError, Problem};

impl AreaError for StoreError {
    fn problem(&self) -> Problem {
        match self {
            Self::Unavailable(_) => Problem::Unavailable,
            Self::Dynamo(_) | Self::Row(_) => Problem::Internal,
        }
    }
}

impl<E: AreaError> AreaError for CommitError<E> {
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
