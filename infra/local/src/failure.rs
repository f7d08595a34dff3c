//! Why something of the local stack did not work: one line for whoever started it.

use std::fmt::Display;

/// A line that says what was tried and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

/// What the local stack answers.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure in its own words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Names what was tried where something fails.
pub trait Context<T> {
    /// The same, its error introduced by `doing`.
    ///
    /// # Errors
    /// [`Failure`], where it is one.
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
