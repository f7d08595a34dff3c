//! Attacks by strangers, and that users still withdraw, mint and get refunds: through HTTP, on a real
//! node and a real ord, with the watcher (custody rules 24 to 27).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

mod dust;
mod fee_estimates;
mod hundred_runes;
mod poison_coin;
mod poison_parent;
mod victim;
