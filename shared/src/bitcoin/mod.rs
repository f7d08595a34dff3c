//! The Bitcoin chain, as this service reads it.

pub mod ord;
pub mod signer;
