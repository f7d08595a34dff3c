//! What two or more functions of Runeport need: models, store, HTTP, auth, and the clients of
//! parties outside. Below it is the crate `base`, which names nothing of the product. Above it are
//! `identity` (proofs and credentials), `outbox` (what leaves the service) and `chain` (Bitcoin).

pub mod auth;
pub mod core;
pub mod deployment;
pub mod evm_rpc;
pub mod fees;
pub mod http;
pub mod input;
pub mod keys;
pub mod lambda;
pub mod mail;
pub mod models;
pub mod network;
pub mod ord;
pub mod party;
pub mod problem;
pub mod source;
pub mod store;
pub mod stuck;
pub mod venue;
