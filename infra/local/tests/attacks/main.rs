//! What strangers try against the whole service, through HTTP, with free accounts and small coins.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

mod pool_dust;
