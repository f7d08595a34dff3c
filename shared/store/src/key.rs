//! Tables, and the keys of rows.

use std::fmt;

/// A table, by the name that the code uses; each deployment has names of its own ([`Tables`](crate::Tables)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table(&'static str);

impl Table {
    /// The table with this name.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name that the code uses.
    pub const fn plain_name(self) -> &'static str {
        self.0
    }
}

/// The key of one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    table: Table,
    pk: String,
    sk: String,
}

impl Key {
    /// The key of a row. Only the files that list the keys of rows call this.
    pub fn new(table: Table, pk: impl fmt::Display, sk: impl fmt::Display) -> Self {
        let key = Self { table, pk: pk.to_string(), sk: sk.to_string() };
        // DynamoDB refuses an empty key, even as the end of a range; the local database does not.
        debug_assert!(!key.pk.is_empty() && !key.sk.is_empty(), "an empty key: {key:?}");
        key
    }

    /// The key of a row as read from the table.
    pub(crate) fn stored(table: Table, pk: String, sk: String) -> Self {
        Self { table, pk, sk }
    }

    /// The row's table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// Partition key.
    pub fn pk(&self) -> &str {
        &self.pk
    }

    /// Sort key.
    pub fn sk(&self) -> &str {
        &self.sk
    }

    /// A row that never exists; reading it shows whether the table responds.
    pub fn ping(table: Table) -> Self {
        Self::new(table, "ping", "ping")
    }
}
