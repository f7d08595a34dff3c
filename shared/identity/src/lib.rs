//! How callers prove who they are, and the credentials, devices and audit trail of accounts. Only what
//! creates accounts, signs them in, changes their credentials or shows their audit trail needs it (`deny.toml`).

pub mod activity;
pub mod challenge;
mod context;
pub mod credentials;
pub mod device;
pub mod email_proof;
pub mod failed_proofs;
pub mod guess;
pub mod handshake;
pub mod keystore;
pub mod passkey;
pub mod second_factor;
pub mod srp;
pub mod trading_key;
pub mod trading_wallet;
pub mod views;
pub mod wallet;

pub use context::{EvmConfig, Identity, IdentityConfig, PasskeyConfig, SignInConfig};
