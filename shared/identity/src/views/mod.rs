//! Rows of an account as answers show them: to the account itself, and to admins.

pub mod activity;
