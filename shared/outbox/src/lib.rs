//! What leaves the service: pages of events, webhooks, sockets and exports.

pub mod events;
pub mod exports;
pub mod sockets;
pub mod views;
pub mod webhooks;
