//! The Bitcoin world: the real node and ord, their faces, and their levers.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod esplora;
mod levers;
mod lifecycle;
mod ord;
mod reorg;
mod wallet;

use std::str::FromStr;

use bitcoin::{Address, address::NetworkUnchecked};
use local::Wallet;

/// An address that is unique within the tests.
fn address(seed: u64) -> Address {
    Address::<NetworkUnchecked>::from_str(Wallet::p2tr(seed).address()).unwrap().assume_checked()
}
