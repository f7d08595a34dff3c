//! Authentication: who the caller is, and how they prove it.

pub mod activity;
pub mod challenge;
pub mod device;
pub mod email_proof;
mod error;
pub mod failed_proofs;
pub mod guess;
pub mod handshake;
pub mod keys;
pub mod keystore;
pub mod passkey;
pub mod rate_limit;
pub mod second_factor;
pub mod srp;
pub mod token;
pub mod trading_wallet;
pub mod vault;
pub mod wallet;

pub use error::{AuthError, outcome};
