//! DynamoDB: typed keys, single rows, writes with typed errors, and lists.

pub mod accounts;
mod count;
mod error;
mod fields;
pub mod keys;
pub mod lists;
mod table;
mod tables;
mod tokens;
mod writes;

pub use crate::fields;
pub use count::Count;
pub use fields::{Field, Fits, Number, attributes_at};
pub use keys::{Key, Table};
pub(crate) use table::from_item;
pub use table::{Attempt, Claimed, Entity, Store, StoreError};
pub use tables::Tables;
pub use writes::{CommitError, Update, Writes};
