//! DynamoDB: typed keys and rows, write batches with typed errors, lists, and numbered events.

#![allow(clippy::disallowed_types, reason = "rows of the AWS SDK are hash tables")]

pub mod accounts;
mod count;
mod deployment_hooks;
mod error;
pub mod events;
mod fields;
pub mod keys;
pub mod lists;
mod row;
mod spans;
mod table;
mod tables;
mod tally;
mod tokens;
mod update;
mod writes;

pub use crate::fields;
pub use count::Count;
pub use error::{CommitError, StoreError};
pub use fields::{Field, Fits, Number, attributes_at};
pub use keys::{Key, Table};
pub use row::{Entity, UntypedRow};
pub use table::{Attempt, Claimed, DuePage, Hit, QueuePlace, StateOrder, Store};
pub use tables::Tables;
pub use update::Update;
pub use writes::Writes;
