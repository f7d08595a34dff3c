//! DynamoDB: typed keys, single rows, writes with typed errors, and lists.

pub mod accounts;
mod count;
pub mod credentials;
pub mod keys;
pub mod lists;
pub mod operator;
mod table;
pub mod tokens;
mod writes;

pub use count::Count;
pub use keys::{Key, Table};
pub use table::{Entity, Store, StoreError};
pub use writes::{CommitError, Update, Writes};
