//! Advances a mint: fills its virtual blocks, ends it, and handles the consequences.
//!
//! Virtual blocks are a function of the chain up to the newest applied block, and are recomputed whenever it
//! changes (custody rule 5). Irreversible steps rest on blocks that are seven deep. The bids from which
//! virtual blocks are computed have rows of their own ([`bids`]), which change with the blocks as a whole, so
//! a VM transaction takes part even if its own row lags.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    blocks::Tip,
    keys,
    mints::{self, KeptEnd, Mint, VmTransaction},
    models::{mint::MintState, vm_transaction::VmTransactionKey},
    transactions::ChainError,
};
use shared::stuck::Trouble;
use store::{Key, Update};
use tokio::time::{Instant, timeout};

use crate::{
    app::{App, Looked, Pass},
    bids, follower,
    mint_rows::{
        self, NextLook, blocks, change_each, end_mint, filled, final_height, place_of, update_mint,
    },
    outlook, payouts,
    read_many::read_readable,
    row_outcome::RowOutcome,
    settlement,
    virtual_blocks::{Batch, Filled, Place},
};

/// Blocks after which every row of an open mint is compared with the virtual blocks again.
const COMPARED_EVERY: u32 = 12;
/// Rows that are compared before the differing ones are written.
const TOGETHER: usize = 2_400;
/// A look compares no further rows after this time.
const LAST_COMPARISON: Duration = Duration::from_secs(14);
/// How far above the newest applied block the last block of a mint can be. A server that reports more is
/// wrong, and would keep the mint open for long.
const FARTHEST_LAST_BLOCK: u32 = 144;

/// How long a check waits for another part of the run that checks the same mint.
const TURN: Duration = Duration::from_secs(10);

/// How often a mint is read before its rows count as contradicting each other.
const READINGS: u32 = 2;

/// How long the payouts of a mint may wait for rows that do not know their block before the mint counts as
/// stuck (custody rule 31).
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// Advances a mint. Every run visits it until nothing is left to do. The mint and the tip are read in its turn: another part
/// of the run may have checked the mint after a newer block.
pub(crate) async fn process_row(app: App, key: Key) -> Result<RowOutcome, ChainError> {
    let read = || read_as_kept(&app, &key);
    let id = key.pk().strip_prefix("mint#").and_then(|id| id.parse().ok());
    let id = id.ok_or(ChainError::Damaged("no id of a mint"))?;
    let turn = timeout(app.outbound.stretched(TURN), app.turn_of(id).lock_owned()).await;
    let Ok(_turn) = turn else { return Ok(RowOutcome::default()) };
    let (mint, tip) = tokio::try_join!(read(), follower::tip(&app))?;
    let (Some(mut mint), Some(tip)) = (mint, tip) else { return Ok(RowOutcome::default()) };
    let tip = &tip;
    let mut left = advance(&app, &mint, tip).await?;
    // The consequences of the end of a mint do not wait for the next run.
    if mint.state == MintState::Open
        && left == NextLook::More
        && let Some(ended) = read().await?.filter(|now| now.state != MintState::Open)
    {
        left = advance(&app, &ended, tip).await?;
        mint = ended;
    }
    if left == NextLook::Nothing {
        app.forget(mint.id);
        // A mint that has changed since it was read stays in the queue.
        let over = Update::new().if_equal(Mint::REVISION, mint.revision).remove(Mint::WATCH);
        update_mint(&app, &mint, over).await?;
    }
    let is_behind = mint.state == MintState::MintedOut
        && !mint.payouts_planned
        && app.looked(mint.id, Pass::Plan).is_some_and(|looked| !looked.behind.is_empty());
    let cause = "payouts wait for rows that do not know their block";
    let waits = is_behind.then_some(Trouble::Waits { cause, patience: PATIENCE });
    Ok(RowOutcome { failing: mint.failing, waits })
}

/// Reads a mint, and checks its row against the worker's own record of its terms and its end: other functions
/// may write the row, but not that record (custody rule 33).
///
/// # Errors
/// [`ChainError::Damaged`] if the two differ.
async fn read_as_kept(app: &App, key: &Key) -> Result<Option<Mint>, ChainError> {
    // The two rows are read one after the other, and another process may end the mint in between.
    for _reading in 0..READINGS {
        let Some(mint) = app.store.get::<Mint>(key).await? else { return Ok(None) };
        if mints::keep_mint(&app.store, &mint).await?.agrees(&mint) {
            return Ok(Some(mint));
        }
    }
    Err(ChainError::Damaged("the row of a mint contradicts what the worker has kept of it"))
}

async fn advance(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    match mint.state {
        MintState::Open => advance_open(app, mint, tip).await,
        MintState::MintedOut => {
            // A plan that fails sends nothing: it may contradict what was paid out (custody rule 9).
            if !mint.payouts_planned && payouts::plan_all(app, mint, tip).await? == NextLook::More {
                return Ok(NextLook::More);
            }
            // Payouts whose rows are ready, and refunds, do not wait for a row that lags or cannot be read.
            let settled = settlement::settle(app, mint, tip).await;
            match (settled, payouts::advance(app, mint).await?) {
                (left, NextLook::Nothing) => left,
                (settled, more) => settled.map(|_| more),
            }
        }
        MintState::Failed | MintState::Distributed => settlement::settle(app, mint, tip).await,
    }
}

/// Fills the blocks of an open mint, and ends the mint once its end is final.
async fn advance_open(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    let Some(mint) = &close(app, mint, tip.height, app.clock.now()).await? else {
        return Ok(NextLook::More);
    };
    let before = app.looked(mint.id, Pass::Fill);
    if before.as_ref().is_some_and(|before| before.is_same(mint, tip)) {
        show(app, mint, None, tip).await;
        return Ok(NextLook::Wait);
    }
    let last_block = mint.last_block.unwrap_or(u32::MAX);
    let batches = bids::read(app, mint, tip.height).await?;
    show(app, mint, Some(&*batches), tip).await;
    let blocks = blocks(mint, &batches, last_block.min(tip.height));
    let Some(mint) = &move_gates(app, mint, &blocks).await? else { return Ok(NextLook::More) };
    // Rows of an ended mint that do not know their blocks yet are brought up to date when it is paid out.
    if let Some((block, state)) = end(mint, &blocks, final_height(tip.height)) {
        let ended = Update::new()
            .if_equal(Mint::TURN, mint.gates.turn)
            .if_equal(Mint::REVISION, mint.revision);
        let ended = match state {
            MintState::MintedOut => ended.set(Mint::MINTED_OUT_AT, block),
            _ => ended,
        };
        end_mint(app, mint, (state, Some(KeptEnd { state, block })), ended).await?;
        return Ok(NextLook::More);
    }
    let begun = before.clone().filter(|it| it.up_to.is_some() && it.is_current(mint, tip));
    let goes_on = before.filter(|it| it.up_to.is_none() && goes_on(it, mint, tip));
    let (mut looked, suspects) = match (begun, goes_on) {
        (Some(begun), _) => (begun, blocks.by_batch.keys().copied().collect()),
        (None, Some(before)) => {
            let filled = mint_rows::blocks(mint, &batches, last_block.min(before.height));
            let mut suspects = differing(&filled.by_batch, &blocks.by_batch);
            suspects.extend(before.behind);
            let compared_at = before.compared_at;
            (Looked { compared_at, ..Looked::at(mint, tip) }, suspects)
        }
        (None, None) => (Looked::at(mint, tip), blocks.by_batch.keys().copied().collect()),
    };
    if !bring_up(app, mint, (&batches, &blocks), suspects, &mut looked).await? {
        // Only a pass over all rows continues where it stopped.
        if looked.compared_at == tip.height && looked.up_to.is_some() {
            app.remember(mint.id, Pass::Fill, looked);
        }
        return Ok(NextLook::More);
    }
    app.remember(mint.id, Pass::Fill, Looked { up_to: None, ..looked });
    Ok(NextLook::Wait)
}

/// Updates what the mint's page shows. A failure does not delay the mint; the next look tries again.
async fn show(app: &App, mint: &Mint, batches: Option<&[Batch<Txid>]>, tip: &Tip) {
    let shown = async {
        let read;
        let batches = match batches {
            Some(batches) => batches,
            None if outlook::refresh(app, mint, tip).await? => return Ok(()),
            None => {
                read = bids::read(app, mint, tip.height).await?;
                &*read
            }
        };
        outlook::show(app, mint, batches, tip).await
    };
    let shown: Result<(), ChainError> = shown.await;
    if let Err(error) = shown {
        tracing::warn!(mint = %mint.id, %error, "the page of a mint is behind");
    }
}

/// Whether only blocks were added since a look, so that rows need a change only where the virtual blocks
/// changed. All rows are still compared from time to time, because a look that another one overtook may have
/// written a row late.
fn goes_on(before: &Looked, mint: &Mint, tip: &Tip) -> bool {
    before.taken_back == tip.taken_back
        && before.revision == mint.revision
        && before.height <= tip.height
        && tip.height < before.compared_at.saturating_add(COMPARED_EVERY)
}

/// The batches whose requests in blocks differ between `before` and `now`.
fn differing(before: &BTreeMap<Txid, Vec<u64>>, now: &BTreeMap<Txid, Vec<u64>>) -> BTreeSet<Txid> {
    let is_same = |(txid, filled): &(&Txid, &Vec<u64>)| match before.get(*txid) {
        Some(before) => before == *filled,
        None => filled.iter().all(|requests| *requests == 0),
    };
    now.iter().filter(|batch| !is_same(batch)).map(|(txid, _)| *txid).collect()
}

/// Updates the rows of these batches to what the virtual blocks hold, starting after the last batch that was
/// `looked` at, and notes the batches whose rows do not know their block yet or cannot be changed. Returns
/// whether it has reached all of them.
async fn bring_up(
    app: &App,
    mint: &Mint,
    (batches, blocks): (&[Batch<Txid>], &Filled<Txid>),
    suspects: BTreeSet<Txid>,
    looked: &mut Looked,
) -> Result<bool, ChainError> {
    let begun = Instant::now();
    let places: BTreeMap<_, _> = batches.iter().map(|batch| (batch.id, batch.place)).collect();
    let left = suspects.into_iter().filter(|txid| looked.up_to.is_none_or(|last| *txid > last));
    let left: Vec<_> = left.collect();
    for some in left.chunks(TOGETHER) {
        if begun.elapsed() >= LAST_COMPARISON {
            return Ok(false);
        }
        let key = |&txid: &Txid| keys::vm_transaction(VmTransactionKey { mint_id: mint.id, txid });
        // A row that cannot be read counts as one that does not know its block.
        let rows = read_readable(app, some.iter().map(key).collect()).await?;
        let (there, behind) = knowing_their_block(some, rows, &places);
        let changed = change_each(app, changed(&there, blocks)).await?;
        if !changed.are_written {
            return Ok(false);
        }
        looked.sets_aside = looked.sets_aside || !changed.refused.is_empty();
        // The next look tries rows again that cannot be changed.
        looked.behind.extend(changed.refused.into_iter().map(|(txid, _)| txid).chain(behind));
        looked.up_to = some.last().copied();
    }
    Ok(true)
}

/// The rows that know where the chain has their batches, and the batches of the other rows.
fn knowing_their_block(
    txids: &[Txid],
    rows: Vec<Option<VmTransaction>>,
    places: &BTreeMap<Txid, Place>,
) -> (Vec<VmTransaction>, Vec<Txid>) {
    let (mut there, mut behind) = (Vec::new(), Vec::new());
    for (txid, row) in txids.iter().zip(rows) {
        match row.filter(|row| place_of(row).as_ref() == places.get(txid)) {
            Some(row) => there.push(row),
            None => behind.push(*txid),
        }
    }
    (there, behind)
}

/// Shuts the gates of a mint whose blocks are full, and opens them if a reorganisation has made room again.
/// `None`: another process is moving them.
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
/// reports, so that a lagging chain server does not cut off existing blocks. `None`: another process is
/// changing the mint.
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
    let farthest = tip.saturating_add(FARTHEST_LAST_BLOCK);
    let tip = tip.max(app.esplora.tip_height().await?).max(app.ord.height().await?);
    if tip > farthest {
        // The mint takes no requests in the meantime, and counts as failing.
        return Err(ChainError::CoinsNotReady);
    }
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
fn changed(rows: &[VmTransaction], blocks: &Filled<Txid>) -> Vec<(VmTransaction, VmTransaction)> {
    let placed = rows.iter().filter(|row| row.state.takes_part() && row.confirmation.is_some());
    placed
        .map(|row| (row.clone(), filled(row, blocks.of(&row.txid))))
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

#[cfg(test)]
mod tests;
