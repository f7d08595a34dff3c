//! DynamoDB: typed keys, single rows, writes with typed errors, and lists.

pub mod accounts;
mod count;
mod error;
pub mod keys;
pub mod lists;
mod table;
mod tokens;
mod writes;

pub use count::Count;
pub use keys::{Key, Table};
pub(crate) use table::from_item;
pub use table::{Entity, Store, StoreError};
pub use writes::{CommitError, Update, Writes};
