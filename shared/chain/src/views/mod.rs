//! Rows of an account as answers show them: to the account itself, and to admins.

pub mod batches;
pub mod deposits;
pub mod transactions;
pub mod xchain;
