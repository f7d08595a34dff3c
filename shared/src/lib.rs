//! What two or more functions of Runeport need: models, keys of rows, events, HTTP, auth, and the clients of
//! parties outside. Below it are the crates `base` and `store`, which name nothing of the product. Above it are
//! `identity` (proofs and credentials), `outbox` (what leaves the service) and `chain` (Bitcoin).

pub mod accounts;
pub mod auth;
pub mod core;
pub mod crypto;
pub mod deployment;
pub mod events;
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
pub mod stuck;
pub mod tables;
pub mod venue;
