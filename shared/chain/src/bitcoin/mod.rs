//! Bitcoin: chain sources, and transactions that never lose funds.

pub mod address;
pub mod coins;
pub mod consensus;
pub mod esplora;
pub mod plan;
pub mod psbt;
pub mod runes;
mod selection;
