//! Virtual mints: their rows, and counters that always equal the sums over the rows.
//!
//! A VM transaction consists of two rows: its public row, here, and its commitment, the Bitcoin transaction
//! that [`crate::transactions`] follows from coins to confirmations. A step of the commitment that affects
//! the public row is a single write batch.

mod changes;
mod gates;
mod kept;
mod mint;
mod outlook;
mod payout;
mod places;
mod sums;
mod taken_blocks;
mod transaction;

pub use changes::{Changes, NoSuchChange, look_again};
pub use gates::{enter, new_gates, open_gates, shut_gates};
pub use kept::{KeptEnd, KeptMint, Released, keep_mint, kept_mint};
pub use mint::{GatePosition, Gates, Mint, MintOfRune};
pub use outlook::{
    BLOCKS_OF_A_ROW, MintOutlook, NextBlock, PriceLevel, VirtualBlock, VirtualBlocks, outlook,
    virtual_blocks,
};
pub use payout::{Payout, PayoutMembers, SentIn, SentPayouts, Taken};
pub use places::{MOST_BIDS, price_of_place};
pub use sums::{VmSum, VmSums, vm_sums, waiting_requests};
pub use taken_blocks::TakenBlocks;
pub use transaction::{
    Confirmation, Refundable, Settlement, Tier, VmAccount, VmChain, VmTransaction,
    private_state_key, state_keys,
};

use std::collections::BTreeSet;

use ordinals::RuneId;
use shared::models::{bitcoin::RuneName, watch::Watch};
use store::{Store, StoreError};

use crate::{
    keys,
    models::{mint::MintId, transaction::FINAL, vm_transaction::VmTransactionKey},
};

/// The most batches of a mint, approximately: each has at least one bid, so there are as many as
/// [bids](MOST_BIDS).
pub const MOST_BATCHES: u32 = 200_000;

/// The most prices of a batch, with those of the batches that it has replaced.
pub const MOST_TIERS: usize = 20;

/// At most this many mints are read from a queue.
const MOST_QUEUED: i32 = 1_000;

/// The number of blocks until a reorganisation of six blocks can no longer change a rune's id (custody rule
/// 10). The id consists of the height and index of the rune's etching.
pub fn blocks_until_final(rune: RuneId, tip: u32) -> u32 {
    let depth = u64::from(tip).saturating_add(1).saturating_sub(rune.block);
    FINAL.saturating_sub(u32::try_from(depth).unwrap_or(u32::MAX))
}

/// Reads a mint.
pub async fn mint(store: &Store, id: MintId) -> Result<Option<Mint>, StoreError> {
    store.get(&keys::mint(id)).await
}

/// The runes of mints that are open or still have to pay out.
pub fn runes_of_unfinished<'a>(mints: impl IntoIterator<Item = &'a Mint>) -> BTreeSet<RuneName> {
    mints.into_iter().filter(|mint| mint.is_unfinished()).map(|mint| mint.rune.name).collect()
}

/// The mints in the worker's queues, which the functions that sign are allowed to read; `None` if there are very
/// many. The queues may lag, but orders have already been compared with the list of all mints.
pub async fn queued_mints(store: &Store) -> Result<Option<Vec<Mint>>, StoreError> {
    let mut keys = Vec::new();
    for queue in [Watch::Mint, Watch::Mint.stuck()] {
        let found = store.waiting(queue, MOST_QUEUED).await?;
        if i32::try_from(found.len()).is_ok_and(|found| found >= MOST_QUEUED) {
            return Ok(None);
        }
        keys.extend(found);
    }
    let mints = store.get_many::<Mint>(&keys).await?;
    Ok(Some(mints.into_iter().flatten().collect()))
}

/// Reads the newest mint of a rune.
pub async fn mint_of_rune(store: &Store, rune: RuneId) -> Result<Option<Mint>, StoreError> {
    match store.get::<MintOfRune>(&keys::mint_of_rune(rune)).await? {
        Some(newest) => mint(store, newest.mint_id).await,
        None => Ok(None),
    }
}

/// Reads a VM transaction, signed or not.
pub async fn vm_transaction(
    store: &Store,
    key: VmTransactionKey,
) -> Result<Option<VmTransaction>, StoreError> {
    let keys = [keys::vm_transaction(key), keys::vm_draft(key)];
    let found = store.get_many(&keys).await?.into_iter().flatten().next();
    if found.is_some() {
        return Ok(found);
    }
    // A signature may have moved it from one key to the other while both were being read.
    Ok(store.get_many(&keys).await?.into_iter().flatten().next())
}

/// Reads signed VM transactions in one batch, in the order of `keys`.
pub async fn vm_transactions(
    store: &Store,
    keys: impl IntoIterator<Item = VmTransactionKey>,
) -> Result<Vec<Option<VmTransaction>>, StoreError> {
    let keys: Vec<_> = keys.into_iter().map(keys::vm_transaction).collect();
    store.get_many(&keys).await
}
