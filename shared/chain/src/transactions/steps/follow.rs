//! Follows a signed transaction in the chain.

use base::clock::Timestamp;
use store::{Update, Writes};

use super::{
    broadcast::{broadcast, record_accepted},
    give_up::give_up_if_spent,
};
use crate::{
    BitcoinContext, keys,
    models::transaction::{FINAL, TransactionState},
    transactions::{
        ChainError, IssuedTransaction, Refusal,
        body::raw,
        effects::{Event, Sighting},
        holds,
        issued::load,
        record::{record, record_all},
        row::{WAITING, look_again_later, note},
    },
};

/// Compares the row of a signed transaction with the chain.
///
/// # Errors
/// [`ChainError::Source`] if Esplora fails; otherwise the error of the write that records what Esplora said.
pub(in crate::transactions) async fn follow(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    use TransactionState::{Broadcasting, Confirmed, Failed, InMempool, Replaced};

    let status = app.esplora.status(issued.txid).await?;
    match (status.map(|status| status.block()), issued.state) {
        (Some(Some(block)), _) => {
            let is_final = app.esplora.is_buried(block, FINAL).await?;
            let sighting = Sighting { block, position: None };
            record_in_block(app, issued, sighting, is_final).await.map(drop)
        }
        // The block that contained it is gone again.
        (Some(None) | None, Failed) => {
            let left_alone = Update::new().remove(IssuedTransaction::WATCH);
            note(app, issued, left_alone.if_version(issued.version)).await
        }
        (Some(None), InMempool | Replaced) => look_again_later(app, issued, Update::new()).await,
        (Some(None), Broadcasting) => record_accepted(app, issued).await,
        (Some(None), _) => {
            let now = app.clock.now();
            let waiting = out_of_block(issued, InMempool, now)?
                .set(IssuedTransaction::DUE_AT, now.plus(WAITING))
                .set(IssuedTransaction::WAITS_SINCE, now);
            record(app, issued, waiting, Event::Reorganised).await.map(drop)
        }
        (None, Broadcasting) => broadcast(app, issued, &raw(app, issued.txid).await?).await,
        // The service no longer sends it, but another party may have kept it.
        (None, Replaced) => give_up_if_spent(app, issued, Update::new()).await,
        (None, InMempool | Confirmed | _) => {
            // The mempool dropped it, or a reorganisation removed its block.
            let now = app.clock.now();
            let dropped =
                out_of_block(issued, Broadcasting, now)?.set(IssuedTransaction::DUE_AT, now);
            record(app, issued, dropped, Event::Dropped).await.map(drop)
        }
    }
}

/// The update for a transaction that is no longer in a block.
fn out_of_block(
    issued: &IssuedTransaction,
    state: TransactionState,
    at: Timestamp,
) -> Result<Update<IssuedTransaction>, ChainError> {
    Ok(issued
        .transition(state, at)?
        .remove(IssuedTransaction::BLOCK_HEIGHT)
        .remove(IssuedTransaction::BLOCK_HASH))
}

/// Puts a failed transaction back into its queue because a block contains it: if its confirmation cannot be
/// recorded now, the next pass over the queue does so. Returns the row.
///
/// # Errors
/// [`ChainError::Contended`] or [`ChainError::Store`] if the row cannot be written; [`ChainError::Damaged`]
/// if it no longer exists.
pub async fn watch_failed(
    app: &BitcoinContext,
    issued: IssuedTransaction,
) -> Result<IssuedTransaction, ChainError> {
    let queue = issued.queue_in(TransactionState::Confirmed);
    let (Some(queue), TransactionState::Failed, None) = (queue, issued.state, issued.watch) else {
        return Ok(issued);
    };
    let watched = Update::new().set(IssuedTransaction::WATCH, queue).if_version(issued.version);
    note(app, &issued, watched).await?;
    load(app, issued.txid).await?.ok_or(ChainError::Damaged("the row is missing"))
}

/// Records the block that contains the transaction, and stops watching the transaction once it is final:
/// [`FINAL`] deep, with the block and the tip read from the same server, since a height and a tip of
/// different servers give no depth. Returns false if the row has changed since it was read. A row whose state
/// cannot become confirmed yet is left unchanged.
///
/// # Errors
/// [`ChainError::Source`] or [`ChainError::Store`] if the rows that change with it cannot be read;
/// [`ChainError::Contended`] if concurrent writes prevented every commit.
pub async fn record_in_block(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    sighting: Sighting,
    is_final: bool,
) -> Result<bool, ChainError> {
    let block = sighting.block;
    let is_known = issued.state == TransactionState::Confirmed;
    let is_new = !is_known || issued.block_hash != Some(block.hash);
    let is_sent = is_known || issued.state.may_become(TransactionState::Confirmed);
    if !is_sent || !is_final && !is_new {
        return Ok(true);
    }
    let change = match is_known {
        true => Update::new().if_version(issued.version),
        false => issued.transition(TransactionState::Confirmed, app.clock.now())?,
    };
    let change = change
        .set(IssuedTransaction::BLOCK_HEIGHT, block.height)
        .set(IssuedTransaction::BLOCK_HASH, block.hash)
        .remove(IssuedTransaction::WAITS_SINCE)
        .remove(IssuedTransaction::ORPHANED);
    if issued.state == TransactionState::Failed {
        let rows = Writes::new()
            .update(&keys::transaction(issued.txid), change, Refusal::Moved)
            .and(issued.tell(TransactionState::Confirmed))
            .and(holds::retake(app, issued).await?);
        return record_all(app, issued, &rows, Event::Confirmed(sighting)).await;
    }
    // The effects of a confirmation are written before those of finality.
    if !is_final || is_new {
        // A final block may be taken back together with all blocks above it. The block that replaces it has
        // to become final, too.
        let queue = issued.queue_in(TransactionState::Confirmed);
        let change = match queue.filter(|_| is_known && issued.watch.is_none()) {
            Some(queue) => change.set(IssuedTransaction::WATCH, queue),
            None => change,
        };
        return record(app, issued, change, Event::Confirmed(sighting)).await;
    }
    record(app, issued, change.remove(IssuedTransaction::WATCH), Event::Final(sighting)).await
}
