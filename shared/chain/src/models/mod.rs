//! The domain types of the chain, one noun per file. They depend on no other module of this crate.

pub mod amount;
pub mod fee;
pub mod mint;
pub mod platform_wallet;
pub mod transaction;
pub mod vm_transaction;
pub mod xchain;
