//! Operators' commands, on the AWS account and the tables that the environment names.
//!
//! What only an operator may do lives here, out of reach of the functions.

pub mod accounts;
pub mod cli;
pub mod commands;
mod error;
pub mod options;
pub mod pool;
pub mod signing_keys;
pub mod stuck;
pub mod tokens;

pub use error::CommandError;
pub use signing_keys::SigningKeys;
