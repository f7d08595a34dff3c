//! The local stack: the emulators, the stand-ins, and the application on top of them.

pub mod admins;
mod local_stack;
pub(crate) mod parameters;
pub mod trading_wallets;
pub mod watching;

pub use local_stack::{Builder, LocalStack};
pub use parameters::treasury;
