//! Virtual mints from the first batch to delivered runes or refunds: through HTTP, on a real node and a real
//! ord, with the watcher.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

mod checked;
mod crash;
mod crowd;
mod journey;
mod ownership;
mod payouts;
mod poisoned;
mod pool;
mod readers;
mod reorganisation;
mod ways_out;

use bitcoin::{Address, Txid};
use chain::models::{
    mint::{MintId, MintState},
    vm_transaction::VmState,
};
use local::{
    client::events_of,
    mints::{MintWorld, Trader, txid_of},
};
use serde_json::{Value, json};

/// Balance of the rune at an address, in its smallest unit.
async fn runes_of(world: &MintWorld, address: &Address) -> u128 {
    let runes = world.stack.bitcoin().runes_of(address).await.unwrap();
    runes.values().sum()
}

/// Balance of an address in sats, over all its outputs.
async fn sats_of(world: &MintWorld, address: &Address) -> u64 {
    let coins = world.stack.bitcoin().coins(address).await.unwrap();
    coins.iter().map(|coin| coin.output.value.to_sat()).sum()
}
