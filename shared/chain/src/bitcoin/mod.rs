//! Bitcoin: chain sources, and transactions that lose nothing.

pub mod address;
pub mod coins;
pub mod consensus;
pub mod esplora;
pub mod plan;
pub mod psbt;
pub mod runes;
mod selection;
