//! The three tables of a deployment.

use store::{Queue, Table, Tables};

use crate::models::watch::Watch;

/// Accounts, uniqueness records, credentials, sessions.
pub const ACCOUNTS: Table = Table::new("accounts");
/// Transactions, mints, swaps, prizes and lists: what accounts do.
pub const ACTIVITY: Table = Table::new("activity");
/// Rows that expire within minutes or days.
pub const EPHEMERAL: Table = Table::new("ephemeral");

/// All of them.
pub const ALL: [Table; 3] = [ACCOUNTS, ACTIVITY, EPHEMERAL];

base::section! {
    /// Names of the three tables.
    pub struct TableNames {
        /// DynamoDB table of accounts, uniqueness records, sessions
        pub accounts: String = "ACCOUNTS_TABLE",
        /// DynamoDB table of the activity of accounts, and of the lists
        pub activity: String = "ACTIVITY_TABLE",
        /// DynamoDB table of rows that expire: challenges, spent tokens, idempotency answers
        pub ephemeral: String = "EPHEMERAL_TABLE",
    }
}

impl From<TableNames> for Tables {
    fn from(TableNames { accounts, activity, ephemeral }: TableNames) -> Self {
        [(ACCOUNTS, accounts), (ACTIVITY, activity), (EPHEMERAL, ephemeral)].into_iter().collect()
    }
}

impl Queue for Watch {
    const TABLE: Table = ACTIVITY;
}
