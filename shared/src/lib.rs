//! What two or more functions of Runeport need: models, store, HTTP, auth, and the clients of
//! parties outside.
//!
//! Floors: `http` and `store` stand on `models`, and `models` on nothing of ours but the clock.

pub mod auth;
pub mod aws;
pub mod bitcoin;
pub mod blob;
pub mod breaker;
pub mod chain;
pub mod clock;
pub mod core;
pub mod evm_rpc;
pub mod exports;
pub mod http;
pub mod hub;
pub mod input;
pub mod keys;
pub mod lambda;
pub mod log;
pub mod mail;
pub mod metrics;
pub mod mints;
pub mod models;
pub mod outbound;
pub mod problem;
pub mod queue;
pub mod random;
pub mod secret;
pub mod settings;
pub mod store;
pub mod stuck;
pub mod transactions;
pub mod xchain;
