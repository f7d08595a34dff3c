//! Keys of the service: those that encrypt at rest, and those that sign access tokens.

pub mod signing;
pub mod token;
pub mod vault;
