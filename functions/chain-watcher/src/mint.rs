//! A mint: its virtual blocks, its end, and the consequences.
//!
//! Virtual blocks are a function of the chain as the rows record it, and are recomputed whenever that changes
//! (custody rule 5), up to the newest block that the worker has applied. Irreversible steps rest on blocks that are seven
//! deep.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::Txid;
use chain::{
    mints::{self, Mint, Searched, VmTransaction},
    models::{mint::MintState, vm_transaction::VmState},
    transactions::{ChainError, FINAL},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use shared::{
    clock::Timestamp,
    store::{Key, Update},
};

use crate::{
    app::{App, Computed},
    mint_rows::{NextLook, blocks, change, filled, final_height, signed_rows, update_mint},
    payouts,
    row_outcome::RowOutcome,
    settlement,
    tip::Tip,
    virtual_blocks::Filled,
};

/// Lists of ten blocks that one look at a mint's end searches.
const MOST_LISTS: usize = 2;
/// Blocks whose transactions are read concurrently.
const BLOCKS_AT_ONCE: usize = 4;

/// Advances a mint. It is looked at in every run until nothing is left to do.
pub(crate) async fn process_row(app: App, key: Key, tip: &Tip) -> Result<RowOutcome, ChainError> {
    let Some(mint) = app.store.get::<Mint>(&key).await? else { return Ok(RowOutcome::default()) };
    if mint.state != MintState::Open {
        app.forget(mint.id);
    }
    let left = advance(&app, &mint, tip).await?;
    if left == NextLook::Nothing {
        // A mint that has changed since it was read is looked at again.
        let over = Update::new().if_equal(Mint::REVISION, mint.revision).remove(Mint::WATCH);
        update_mint(&app, &mint, over).await?;
    }
    Ok(RowOutcome { failing: mint.failing, waits: None })
}

async fn advance(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    match mint.state {
        MintState::Open => advance_open(app, mint, tip).await,
        MintState::MintedOut => {
            let rows = signed_rows(app, mint).await?;
            match settlement::settle(app, mint, &rows, tip.height).await? {
                NextLook::More => Ok(NextLook::More),
                left => Ok(match payouts::advance(app, mint, &rows).await? {
                    NextLook::Nothing => left,
                    more => more,
                }),
            }
        }
        MintState::Failed | MintState::Distributed => {
            let rows = signed_rows(app, mint).await?;
            settlement::settle(app, mint, &rows, tip.height).await
        }
    }
}

/// Fills the blocks of an open mint, and ends the mint once its end is final.
async fn advance_open(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    let Some(mint) = &close(app, mint, tip.height, app.clock.now()).await? else {
        return Ok(NextLook::More);
    };
    let computed = Computed { tip: tip.hash, revision: mint.revision };
    if app.computed(mint.id) == Some(computed) && mint.searched.is_none() {
        return Ok(NextLook::Wait);
    }
    let rows = signed_rows(app, mint).await?;
    let blocks = blocks(mint, &rows, mint.last_block.unwrap_or(u32::MAX).min(tip.height));
    let Some(mint) = &move_gates(app, mint, &blocks).await? else { return Ok(NextLook::More) };
    let changed = changed(&rows, &blocks.by_batch);
    if !changed.is_empty() {
        change(app, changed).await?;
        return Ok(NextLook::More);
    }
    if let Some((block, state)) = end(mint, &blocks, final_height(tip.height)) {
        match check(app, mint, &rows, block).await? {
            NextLook::Nothing => {}
            left => return Ok(left),
        }
        let ended = Update::new()
            .set(Mint::STATE, state)
            .remove(Mint::SEARCHED)
            .if_equal(Mint::STATE, MintState::Open)
            .if_equal(Mint::TURN, mint.gates.turn)
            .if_equal(Mint::REVISION, mint.revision);
        let ended = match state {
            MintState::MintedOut => ended.set(Mint::MINTED_OUT_AT, block),
            _ => ended,
        };
        update_mint(app, mint, ended).await?;
        return Ok(NextLook::More);
    }
    app.remember(mint.id, computed);
    Ok(NextLook::Wait)
}

/// Shuts the gates of a mint whose blocks are full, and opens them if a reorganisation has made room again. `None`:
/// somebody else moves them.
async fn move_gates(
    app: &App,
    mint: &Mint,
    blocks: &Filled<Txid>,
) -> Result<Option<Mint>, ChainError> {
    let is_over = mint.last_block.is_some() || mint.closes_at <= app.clock.now();
    Ok(match blocks.minted_out_at.is_some() || is_over {
        true => mints::shut_gates(&app.store, mint).await?,
        false => mints::open_gates(&app.store, mint).await?,
    })
}

/// Fixes the last block of a mint that has reached its closing time: the newest block that any source
/// reports. A lagging chain server must not cut off existing blocks. `None`: somebody else changes it.
async fn close(
    app: &App,
    mint: &Mint,
    tip: u32,
    now: Timestamp,
) -> Result<Option<Mint>, ChainError> {
    if mint.last_block.is_some() || now < mint.closes_at {
        return Ok(Some(mint.clone()));
    }
    let Some(mint) = &mints::shut_gates(&app.store, mint).await? else { return Ok(None) };
    let tip = tip.max(app.esplora.tip_height().await?).max(app.ord.height().await?);
    let closing = Update::new()
        .set(Mint::LAST_BLOCK, tip)
        .if_equal(Mint::STATE, MintState::Open)
        .if_equal(Mint::CLOSES_AT, mint.closes_at)
        .if_equal(Mint::TURN, mint.gates.turn)
        .if_absent(Mint::LAST_BLOCK);
    let is_closed = update_mint(app, mint, closing).await?;
    Ok(is_closed.then(|| Mint { last_block: Some(tip), ..mint.clone() }))
}

/// The rows whose requests in blocks differ from the computed blocks.
fn changed(
    rows: &[VmTransaction],
    by_batch: &BTreeMap<Txid, Vec<u64>>,
) -> Vec<(VmTransaction, VmTransaction)> {
    let placed = rows.iter().filter(|row| row.state.takes_part() && row.confirmation.is_some());
    placed
        .map(|row| (row.clone(), filled(row, by_batch.get(&row.txid))))
        .filter(|(row, filled)| row != filled)
        .collect()
}

/// How and at which block a mint has ended; `None` while that can still change.
fn end(mint: &Mint, blocks: &Filled<Txid>, final_height: u32) -> Option<(u32, MintState)> {
    let minted_out = blocks.minted_out_at.filter(|height| *height <= final_height);
    let failed =
        mint.last_block.filter(|height| *height <= final_height && blocks.minted_out_at.is_none());
    minted_out
        .map(|height| (height, MintState::MintedOut))
        .or(failed.map(|height| (height, MintState::Failed)))
}

/// Checks that the rows, which may lag, agree with the chain up to this block: every confirmation they record
/// there must be final, and the blocks must contain no other transaction of the mint.
async fn check(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    block: u32,
) -> Result<NextLook, ChainError> {
    let is_there =
        |row: &&VmTransaction| row.confirmation.is_some_and(|place| place.height <= block);
    if !rows.iter().filter(is_there).all(|row| row.is_final) {
        return Ok(NextLook::Wait);
    }
    let missing = missing(rows, block);
    match missing.values().min() {
        Some(issued_at) => {
            let first = first_possible(mint, *issued_at);
            search(app, mint, &missing, first, block).await
        }
        None => Ok(NextLook::Nothing),
    }
}

/// The transactions that a block up to this height could contain unknown to their rows, each with the height
/// at which it was issued.
fn missing(rows: &[VmTransaction], block: u32) -> BTreeMap<Txid, u32> {
    let is_there =
        |row: &&VmTransaction| row.confirmation.is_some_and(|place| place.height <= block);
    // Only one member of a chain of replacements can confirm.
    let decided: BTreeSet<_> = rows.iter().filter(is_there).map(|row| row.anchor).collect();
    rows.iter()
        .filter(|row| !row.is_final && !decided.contains(&row.anchor))
        // A failed transaction has permanently lost a coin.
        .filter(|row| row.state != VmState::Failed && row.issued_at_height < block)
        .map(|row| (row.txid, row.issued_at_height))
        .collect()
}

/// The first block that could contain a transaction issued at this height. A server that lags far behind, or
/// whose answer was cut, gives a height that is much too low; but no transaction of a mint is older than its
/// rune.
fn first_possible(mint: &Mint, issued_at: u32) -> u32 {
    let etched_at = u32::try_from(mint.rune.id.block).unwrap_or(u32::MAX);
    issued_at.max(etched_at).saturating_add(1)
}

/// Reads the blocks of a mint from its end down to the one after its oldest `missing` transaction was issued,
/// a few per look. A server that does not know a transaction proves nothing, since it may lag. Block contents
/// are the same everywhere: each block is read by the hash that the block above names, starting from one that
/// is seven deep.
async fn search(
    app: &App,
    mint: &Mint,
    missing: &BTreeMap<Txid, u32>,
    first: u32,
    end: u32,
) -> Result<NextLook, ChainError> {
    let mut at = match mint.searched.filter(|searched| searched.end == end) {
        Some(searched) => searched,
        None => {
            let above =
                app.esplora.linked_blocks(end.saturating_add(FINAL).saturating_sub(1)).await?;
            match above.iter().find(|block| block.height == end) {
                Some(block) => Searched { end, next: end, hash: block.id },
                // This server lags.
                None => return Ok(NextLook::Wait),
            }
        }
    };
    for _list in 0..MOST_LISTS {
        if at.next < first {
            return Ok(NextLook::Nothing);
        }
        let blocks = app.esplora.linked_blocks(at.next).await?;
        if blocks.first().is_none_or(|block| block.id != at.hash) {
            return Ok(NextLook::Wait);
        }
        let Some(lowest) = blocks.last().cloned() else { return Ok(NextLook::Wait) };
        let due = blocks.into_iter().filter(|block| block.height >= first);
        let read = stream::iter(due.map(|block| async move { app.esplora.txids(&block).await }));
        let mut read = read.buffer_unordered(BLOCKS_AT_ONCE);
        while let Some(txids) = read.try_next().await? {
            if let Some(found) = txids.iter().find(|txid| missing.contains_key(*txid)) {
                tracing::info!(mint = %mint.id, %found, "a block contains a transaction whose row is behind");
                return Ok(NextLook::Wait);
            }
        }
        let Some(next) = lowest.height.checked_sub(1) else {
            // The chain has no block below.
            return Ok(NextLook::Nothing);
        };
        let hash = lowest.previousblockhash.ok_or(ChainError::ChainMoved)?;
        at = Searched { end, next, hash };
    }
    let searched = Update::new().set(Mint::SEARCHED, at).if_equal(Mint::STATE, MintState::Open);
    update_mint(app, mint, searched).await?;
    Ok(NextLook::More)
}

#[cfg(test)]
mod tests;
