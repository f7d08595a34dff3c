//! Attacks that any stranger can mount. They must not stop any other user. The tests run through HTTP, on a
//! real node and a real ord, with the watcher (custody rules 20 and 24 to 31).
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

mod coinbase;
mod draft_flood;
mod dust;
mod fake_swap_flood;
mod fee_estimates;
mod gas_burning_contract;
mod hundred_runes;
mod junk_runes;
mod lapsed_email;
mod late_write;
mod locked_out_owner;
mod poison_coin;
mod poison_parent;
mod pool_dust;
mod stolen_session;
mod victim;
