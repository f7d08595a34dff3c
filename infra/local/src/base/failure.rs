//! Failures of the local stack: one line for the person who started it.

use std::fmt::Display;

/// One line that says what was tried and how it failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

/// Result of the local stack's functions.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Adds to an error the action that failed.
pub trait Context<T> {
    /// Puts `doing` in front of the error's text.
    ///
    /// # Errors
    /// [`Failure`], if the value is an error.
    fn context(self, doing: impl Display) -> Result<T>;
}

impl<T, E: Display> Context<T> for std::result::Result<T, E> {
    fn context(self, doing: impl Display) -> Result<T> {
        self.map_err(|error| Failure(format!("{doing}: {error}")))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, doing: impl Display) -> Result<T> {
        self.ok_or_else(|| Failure(doing.to_string()))
    }
}
