//! The outcome of processing a row.

use shared::{models::watch::Failing, stuck::Trouble};

/// Outcome of processing a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOutcome {
    /// The failure that an earlier run noted on the row.
    pub(crate) failing: Option<Failing>,
    /// An overdue event that the row waits for.
    pub(crate) waits: Option<Trouble>,
}
