//! The rows of a mint: how its blocks fill them, and how they are changed.

use bitcoin::Txid;
use chain::{
    keys,
    mints::{Changes, Mint, VmTransaction},
    models::vm_transaction::VmState,
    transactions::{ChainError, FINAL},
};
use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use shared::store::{CommitError, Update, Writes, lists};

use crate::{
    app::App,
    virtual_blocks::{Batch, Bid, Filled, Place, Rules, fill},
};

/// Transactions changed in one write batch: with all their counts, it stays below a hundred writes.
const TOGETHER: usize = 24;
/// Such write batches at once.
const WRITES_AT_ONCE: usize = 8;
/// Most of them in one look.
const MOST_WRITES: usize = 250;

/// What remains to be done after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextLook {
    /// More work is ready now.
    More,
    /// The next step depends on the chain.
    Wait,
    /// No work until a transaction changes.
    Nothing,
}

/// The signed transactions of a mint, by txid.
pub(crate) async fn signed_rows(app: &App, mint: &Mint) -> Result<Vec<VmTransaction>, ChainError> {
    let parts = keys::vm_transactions(mint.id);
    let parts = parts.iter().map(|(low, high)| app.store.range((low, high), true, None));
    let mut rows: Vec<VmTransaction> = try_join_all(parts).await?.into_iter().flatten().collect();
    rows.sort_unstable_by_key(|row| row.txid);
    Ok(rows)
}

/// The height of the newest block that a reorganisation of six blocks cannot undo.
pub(crate) fn final_height(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(FINAL)
}

/// The virtual blocks of a mint up to and including this height.
pub(crate) fn blocks(mint: &Mint, rows: &[VmTransaction], last_block: u32) -> Filled<Txid> {
    let rules =
        Rules { requests_per_block: mint.requests_per_block, total_requests: mint.total_requests };
    let batch = |row: &VmTransaction| {
        let place = row.confirmation.filter(|_| row.state.takes_part())?;
        let bids = row.tiers.iter();
        Some(Batch {
            id: row.txid,
            place: Place { height: place.height, position: place.position },
            bids: bids
                .map(|tier| Bid { count: tier.count, sats_per_request: tier.sats_per_request })
                .collect(),
        })
    };
    fill(rules, &rows.iter().filter_map(batch).collect::<Vec<_>>(), last_block)
}

/// A transaction with its requests in blocks updated.
pub(crate) fn filled(row: &VmTransaction, in_blocks: Option<&Vec<u64>>) -> VmTransaction {
    let mut filled = row.outside_of_blocks(row.state);
    for (tier, in_blocks) in filled.tiers.iter_mut().zip(in_blocks.into_iter().flatten()) {
        tier.in_blocks = *in_blocks;
    }
    filled.state = match filled.requests_in_blocks() {
        0 => VmState::AllInMempool,
        all if all == filled.requests() => VmState::AllInBlock,
        _ => VmState::PartiallyInBlock,
    };
    filled
}

/// Writes changes of an open mint, or of one that has ended, in small batches, several concurrently. Rows that changed since
/// they were read are left to the next look: whatever a look that is behind writes of an ended mint, its settlement is
/// computed anew.
pub(crate) async fn change(
    app: &App,
    changed: Vec<(VmTransaction, VmTransaction)>,
) -> Result<(), ChainError> {
    let batches: Vec<_> = changed.chunks(TOGETHER).take(MOST_WRITES).map(<[_]>::to_vec).collect();
    let write = |together: Vec<_>| async move {
        let changes = together.into_iter().collect::<Changes>().of_worker().allowed()?;
        let writes = changes.writes(app.clock.now(), ());
        match Box::pin(lists::commit(&app.store, keys::lists::VM, writes)).await {
            Ok(()) | Err(CommitError::Condition(()) | CommitError::Contended) => Ok(()),
            Err(CommitError::Store(error)) => Err(ChainError::from(error)),
        }
    };
    stream::iter(batches.into_iter().map(write))
        .buffer_unordered(WRITES_AT_ONCE)
        .try_collect()
        .await
}

/// Updates the worker's notes on a mint; returns whether the condition held.
pub(crate) async fn update_mint(
    app: &App,
    mint: &Mint,
    update: Update<Mint>,
) -> Result<bool, ChainError> {
    let key = keys::mint(mint.id);
    match app.store.commit(Writes::new().update(&key, update, ())).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(CommitError::Contended) => Err(ChainError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}
