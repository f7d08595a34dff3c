//! Attacks by strangers, each through HTTP: what they leave the owner with.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod lapsed_email;
mod locked_out_owner;
mod stolen_session;
