//! The model without the real programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod chain;
mod diagram;
mod faces;
mod mempool;
mod runes;
mod town;
mod worlds;
