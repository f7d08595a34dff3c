//! Building, signing and following Bitcoin transactions: the life of a transaction, virtual mints, and
//! cross-chain transactions.

pub mod bitcoin;
pub mod blocks;
mod chain;
pub mod cleanups;
pub mod deposits;
pub mod hub;
pub mod keys;
pub mod mints;
pub mod models;
pub mod progress;
pub mod settings;
pub mod trading;
pub mod transactions;
pub mod views;
pub mod xchain;

pub use self::chain::{BitcoinContext, ChainConfig};
