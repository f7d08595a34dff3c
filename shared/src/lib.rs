//! What two or more functions of Runeport need: models, store, HTTP, auth, and the clients of
//! parties outside. What only the functions of the Bitcoin chain need is the crate `chain`.

pub mod auth;
pub mod aws;
pub mod blob;
pub mod breaker;
pub mod cached;
pub mod clock;
pub mod core;
pub mod events;
pub mod evm_rpc;
pub mod exports;
pub mod http;
pub mod input;
pub mod keys;
pub mod lambda;
pub mod log;
pub mod mail;
pub mod metrics;
pub mod models;
pub mod network;
pub mod ord;
pub mod outbound;
pub mod problem;
pub mod provider;
pub mod queue;
pub mod random;
pub mod secret;
pub mod settings;
pub mod signer;
pub mod sockets;
pub mod source;
pub mod span;
pub mod store;
pub mod stuck;
pub mod traces;
pub mod webhooks;
