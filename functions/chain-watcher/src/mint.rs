//! A mint: its virtual blocks, its end, and what follows from that.
//!
//! Virtual blocks are a function of what the rows say of the chain, worked out anew whenever that
//! changes (custody rule 5). What cannot be undone rests on blocks that are seven deep.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use bitcoin::Txid;
use shared::{
    app::App,
    bitcoin::esplora::Status,
    clock::Timestamp,
    cosigning::{CosigningError, FINAL},
    minting::{Changes, Checked, Computed, Mint, VmTransaction},
    models::{mint::MintState, vm_transaction::VmState},
    store::{CommitError, Key, Transaction, Update},
    stuck::Trouble,
};

use crate::{
    Looked, payouts, settlement,
    virtual_blocks::{Batch, Bid, Filled, Place, Rules, fill},
};

/// Between looks at a mint of which nothing has changed.
const PAUSE: Duration = Duration::from_secs(30);
/// How long payouts may wait for coins of the pool before their mint is stuck.
const POOL_PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Transactions that are changed in one write: with all that they count it stays far below the
/// hundred actions of one.
const TOGETHER: usize = 12;
/// Writes of one look.
pub(crate) const MOST_WRITES: usize = 50;
/// Commitments that one look asks the chain about.
const MOST_CHECKS: usize = 100;

/// What a look has left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// More, at once.
    More,
    /// To wait for the chain.
    Wait,
    /// To wait for coins of the pool.
    WaitForPool,
    /// Nothing, unless a transaction changes.
    Nothing,
}

/// Looks at a mint, does what there is to do, and says when to look next.
pub(crate) async fn look(app: App, key: Key) -> Result<Looked, CosigningError> {
    let Some(mint) = app.store.get::<Mint>(&key).await? else { return Ok(Looked::default()) };
    let looked = advance(&app, &mint).await;
    let next = app.clock.now().plus(PAUSE);
    // A change since the mint was read is looked at again, and at once.
    let as_read = Update::new().if_equal("revision", mint.revision);
    let update = match looked {
        Ok(Left::More) => Update::new().set("dueAt", app.clock.now()),
        Ok(Left::Nothing) => as_read.remove("watch"),
        Ok(Left::Wait | Left::WaitForPool) => as_read.set("dueAt", next),
        Err(_) => Update::new().set("dueAt", next),
    };
    let _later = write(&app, &mint, update).await?;
    let waits = (looked? == Left::WaitForPool).then_some(Trouble::Waits {
        cause: "a payout waits for coins of the pool",
        patience: POOL_PATIENCE,
    });
    Ok(Looked { failing: mint.failing, waits })
}

async fn advance(app: &App, mint: &Mint) -> Result<Left, CosigningError> {
    let tip = app.esplora.tip_height().await?;
    match mint.state {
        MintState::Open => open(app, mint, tip).await,
        MintState::MintedOut => {
            let rows = rows(app, mint).await?;
            match settlement::settle(app, mint, &rows, tip).await? {
                Left::More => Ok(Left::More),
                left => Ok(match payouts::advance(app, mint, &rows).await? {
                    Left::Nothing => left,
                    more => more,
                }),
            }
        }
        MintState::Failed | MintState::Distributed => {
            let rows = rows(app, mint).await?;
            settlement::settle(app, mint, &rows, tip).await
        }
    }
}

/// The transactions of a mint that were signed, by txid.
pub(crate) async fn rows(app: &App, mint: &Mint) -> Result<Vec<VmTransaction>, CosigningError> {
    let (low, high) = Key::vm_transactions(mint.id);
    Ok(app.store.range((&low, &high), true, None).await?)
}

/// The height of the newest block that no reorganisation of six undoes.
pub(crate) fn final_height(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(FINAL)
}

/// What the blocks of a mint hold, up to and with this one.
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

/// A transaction as blocks that hold so many of its requests make it.
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

/// Writes changes, a few together, on the condition that the mint is in its state. What has changed
/// meanwhile is left to the next look.
pub(crate) async fn change(
    app: &App,
    mint: &Mint,
    changed: Vec<(VmTransaction, VmTransaction)>,
) -> Result<Left, CosigningError> {
    let mut left = Left::Nothing;
    for (number, together) in changed.chunks(TOGETHER).enumerate() {
        if number >= MOST_WRITES {
            return Ok(Left::More);
        }
        let changes = together.iter().cloned().collect::<Changes>().allowed()?;
        let as_read = Update::new().if_equal("state", mint.state);
        let write = || changes.write(&app.store, Some(&as_read), ());
        match app.store.commit(write).await {
            Ok(()) => {}
            Err(CommitError::Condition(()) | CommitError::Contended) => left = Left::More,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    Ok(left)
}

/// Changes what the worker notes of a mint; whether it could.
pub(crate) async fn write(app: &App, mint: &Mint, update: Update) -> Result<bool, CosigningError> {
    let key = Key::mint(mint.id);
    let write = || Transaction::new(&app.store).update(&key, update.clone(), ());
    match app.store.commit(write).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(CommitError::Contended) => Err(CosigningError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

/// Fills the blocks of a mint that is open, and ends it once its end is final.
async fn open(app: &App, mint: &Mint, tip: u32) -> Result<Left, CosigningError> {
    let mint = &close(app, mint, tip, app.clock.now()).await?;
    let computed = Computed { tip, revision: mint.revision };
    if mint.computed == Some(computed) && mint.checked.is_none() {
        return Ok(Left::Wait);
    }
    let rows = rows(app, mint).await?;
    let blocks = blocks(mint, &rows, mint.last_block.unwrap_or(u32::MAX).min(tip));
    let changed = changed(&rows, &blocks.by_batch);
    if !changed.is_empty() {
        change(app, mint, changed).await?;
        return Ok(Left::More);
    }
    if let Some((block, state)) = end(mint, &blocks, final_height(tip)) {
        match check(app, mint, &rows, block).await? {
            Left::Nothing => {}
            left => return Ok(left),
        }
        let ended = Update::new()
            .set("state", state)
            .remove("checked")
            .if_equal("state", MintState::Open)
            .if_equal("revision", mint.revision);
        let ended = match state {
            MintState::MintedOut => ended.set("mintedOutAt", block),
            _ => ended,
        };
        write(app, mint, ended).await?;
        return Ok(Left::More);
    }
    let noted = Update::new().set("computed", computed).if_equal("state", MintState::Open);
    write(app, mint, noted).await?;
    Ok(Left::Wait)
}

/// Fixes the last block of a mint whose time is over.
async fn close(app: &App, mint: &Mint, tip: u32, now: Timestamp) -> Result<Mint, CosigningError> {
    if mint.last_block.is_some() || now < mint.closes_at {
        return Ok(mint.clone());
    }
    let closing = Update::new()
        .set("lastBlock", tip)
        .if_equal("state", MintState::Open)
        .if_equal("closesAt", mint.closes_at)
        .if_absent("lastBlock");
    if write(app, mint, closing).await? {
        return Ok(Mint { last_block: Some(tip), ..mint.clone() });
    }
    // Another worker was first.
    let mint = app.store.get::<Mint>(&Key::mint(mint.id)).await?;
    mint.ok_or(CosigningError::Damaged("no mint"))
}

/// The rows whose requests in blocks are not those that the blocks hold.
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

/// How a mint has ended, and by which block; `None` as long as that can change.
fn end(mint: &Mint, blocks: &Filled<Txid>, final_height: u32) -> Option<(u32, MintState)> {
    let minted_out = blocks.minted_out_at.filter(|height| *height <= final_height);
    let failed =
        mint.last_block.filter(|height| *height <= final_height && blocks.minted_out_at.is_none());
    minted_out
        .map(|height| (height, MintState::MintedOut))
        .or(failed.map(|height| (height, MintState::Failed)))
}

/// Whether the rows say of this block, and those before it, what the chain does: they may lag behind
/// it. What they have there has to be final, and nothing else may be there. The chain is asked about
/// some of them each time.
async fn check(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    block: u32,
) -> Result<Left, CosigningError> {
    let is_there =
        |row: &&VmTransaction| row.confirmation.is_some_and(|place| place.height <= block);
    if !rows.iter().filter(is_there).all(|row| row.is_final) {
        return Ok(Left::Wait);
    }
    let done = mint.checked.filter(|checked| checked.block == block);
    let decided: HashSet<_> = rows.iter().filter(is_there).map(|row| row.anchor).collect();
    // Of a chain of replacements one member can be in the chain.
    let unknown = rows
        .iter()
        .filter(|row| !row.is_final && !decided.contains(&row.anchor))
        .filter(|row| done.is_none_or(|done| row.txid > done.up_to));
    let mut unknown: Vec<_> = unknown.collect();
    unknown.sort_by_key(|row| row.txid);
    let (now, rest) = unknown.split_at(unknown.len().min(MOST_CHECKS));
    let looks = now.iter().map(|row| app.esplora.status(row.txid));
    let places = futures_util::future::try_join_all(looks).await?;
    let is_noted = |status: &Option<Status>| {
        !status.is_some_and(|status| {
            status.confirmed && status.block_height.is_none_or(|height| height <= block)
        })
    };
    if !places.iter().all(is_noted) {
        return Ok(Left::Wait);
    }
    match now.last().filter(|_| !rest.is_empty()) {
        Some(last) => {
            let checked = Update::new().set("checked", Checked { block, up_to: last.txid });
            write(app, mint, checked.if_equal("state", MintState::Open)).await?;
            Ok(Left::More)
        }
        None => Ok(Left::Nothing),
    }
}

#[cfg(test)]
mod tests;
