//! The names of the tables.

base::section! {
    /// Names of the three tables.
    pub struct Tables {
        /// DynamoDB table of accounts, uniqueness records, sessions
        pub accounts: String = "ACCOUNTS_TABLE",
        /// DynamoDB table of the activity of accounts, and of the lists
        pub activity: String = "ACTIVITY_TABLE",
        /// DynamoDB table of rows that expire: challenges, spent tokens, idempotency answers
        pub ephemeral: String = "EPHEMERAL_TABLE",
    }
}
