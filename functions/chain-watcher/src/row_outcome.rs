//! What a look at a row came to.

use shared::{models::watch::Failing, stuck::Trouble};

/// Outcome of processing a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOutcome {
    /// The failure noted on the row before this run.
    pub(crate) failing: Option<Failing>,
    /// An overdue event that the row waits for.
    pub(crate) waits: Option<Trouble>,
}
