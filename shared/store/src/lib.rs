//! DynamoDB: typed keys and rows, write batches with typed errors, queues, indexes and lists.

#![allow(clippy::disallowed_types, reason = "rows of the AWS SDK are hash tables")]

mod commit;
mod count;
mod error;
mod fields;
mod index;
mod key;
pub mod lists;
mod notice;
mod queue;
mod row;
mod spans;
mod store;
mod table;
mod tables;
mod tally;
mod update;
mod writes;

pub use count::Count;
pub use error::{CommitError, StoreError};
pub use fields::{Field, Fits, Number, attributes_at};
pub use index::Index;
pub use key::{Key, Table};
pub use notice::Notice;
pub use queue::{DuePage, Queue, QueuePlace};
pub use row::{Entity, UntypedRow};
pub use store::{Announcement, Announcer, Store};
pub use table::{Attempt, Claimed, Hit};
pub use tables::Tables;
pub use update::Update;
pub use writes::Writes;

/// The most actions in a transaction of DynamoDB.
const MOST_ACTIONS: usize = 100;
