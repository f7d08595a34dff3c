//! The whole service in one process and one thread, on a clock that jumps, with a world in memory.
//!
//! A seed decides everything: who does what, how long calls take, which faults they meet. The same seed gives
//! the same run. `docs/simulation.md` says what the simulation covers and how to read a failure.

// A simulation that finds itself wrong should stop immediately.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "it is a tool for tests: it starts tasks on a paused runtime, and stops where it is wrong"
)]

pub mod aws;
pub mod books;
pub mod choice;
pub mod faults;
pub mod hub;
pub mod instance;
pub mod instances;
pub mod invariants;
pub mod mistakes;
pub mod model;
pub mod network;
pub mod people;
pub mod plan;
pub mod run;
pub mod setup;
pub mod shrink;
pub mod venue;
pub mod wire;
mod workers;
