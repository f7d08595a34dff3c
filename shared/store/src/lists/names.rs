//! Lists and logs by their names, and the keys of their rows.

use std::fmt;

use base::clock::Timestamp;

use crate::{Key, Table};

/// Lists that many writers append to concurrently, and the tail in which members wait for them: see
/// [`lists`](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Log {
    table: Table,
    name: &'static str,
}

impl Log {
    /// A log. Only the files that list the keys of rows call this.
    pub const fn new(table: Table, name: &'static str) -> Self {
        Self { table, name }
    }

    /// A list of the log.
    pub fn list(self, name: impl fmt::Display) -> List {
        List { table: self.table, name: name.to_string(), log: Some(self) }
    }

    /// The table of its lists, its tail, and the sums to which its tickets add.
    pub(super) fn table(self) -> Table {
        self.table
    }

    /// The right to append the tickets of the tail.
    pub(super) fn baton(self) -> Key {
        Key::new(self.table, format_args!("tail#{}", self.name), "baton")
    }

    fn part(self, part: u8, sk: impl fmt::Display) -> Key {
        Key::new(self.table, format_args!("tail#{}#{part}", self.name), sk)
    }

    /// A ticket in a part of the tail, written at `at`; `id` is hex.
    pub(super) fn ticket(self, part: u8, at: Timestamp, id: &str) -> Key {
        self.part(part, format_args!("{:015}#{id}", at.0))
    }

    /// The first and last possible key of such tickets.
    pub(super) fn tickets(self, part: u8) -> (Key, Key) {
        (self.part(part, "0"), self.part(part, "~"))
    }

    /// The key of a ticket as read from the table.
    pub(super) fn stored(self, pk: String, sk: String) -> Key {
        Key::stored(self.table, pk, sk)
    }
}

/// A list: see [`lists`](super).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct List {
    table: Table,
    name: String,
    log: Option<Log>,
}

impl List {
    /// A list without a log. Only the files that list the keys of rows call this.
    pub fn new(table: Table, name: impl fmt::Display) -> Self {
        Self { table, name: name.to_string(), log: None }
    }

    /// The name, which no other list of its table has.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The log, if many writers append to the list concurrently.
    pub fn log(&self) -> Option<Log> {
        self.log
    }

    /// The row with the number of members.
    pub fn head(&self) -> Key {
        Key::new(self.table, format_args!("list#{}", self.name), "head")
    }

    /// The row whose last member is the `n`-th, starting at 1.
    pub fn member(&self, n: u64) -> Key {
        Key::new(self.table, format_args!("list#{}", self.name), format_args!("{n:012}"))
    }
}
