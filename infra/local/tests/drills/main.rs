//! Drills: an outside party is down for an hour, or fees rise a hundredfold, while mints, refunds,
//! withdrawals and swaps are in progress. Afterwards everything has ended, and every sum is exact.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

mod fee_spike;
mod outages;
mod town;
