//! What strangers, thieves and a bad network try, through HTTP: one file an attack.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod gas_burning_contract;
mod late_write;
