//! The rows of a mint: how its blocks fill them, and how they are changed.

use bitcoin::Txid;
use chain::{
    keys,
    mints::{Changes, Mint, VmTransaction},
    models::vm_transaction::VmState,
    transactions::{ChainError, FINAL},
};
use futures_util::future::try_join_all;
use shared::store::{CommitError, Update, Writes, lists};

use crate::{
    app::App,
    virtual_blocks::{Batch, Bid, Filled, Place, Rules, fill},
};

/// Transactions changed in one write batch: with all their counts, it stays far below a hundred writes.
const TOGETHER: usize = 12;
/// Most write batches of one look.
pub(crate) const MOST_WRITES: usize = 50;

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

/// Writes changes in small batches, conditioned on the mint's state. Rows that changed concurrently are left
/// to the next look.
pub(crate) async fn change(
    app: &App,
    mint: &Mint,
    changed: Vec<(VmTransaction, VmTransaction)>,
) -> Result<NextLook, ChainError> {
    let mut left = NextLook::Nothing;
    for (number, together) in changed.chunks(TOGETHER).enumerate() {
        if number >= MOST_WRITES {
            return Ok(NextLook::More);
        }
        let changes = together.iter().cloned().collect::<Changes>().allowed()?;
        let as_read = Update::new().if_equal(Mint::STATE, mint.state);
        let writes = changes.writes(app.clock.now(), Some(&as_read), ());
        match Box::pin(lists::commit(&app.store, keys::lists::VM, writes)).await {
            Ok(()) => {}
            Err(CommitError::Condition(()) | CommitError::Contended) => left = NextLook::More,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    Ok(left)
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
