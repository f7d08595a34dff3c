//! What a mint's page shows: the virtual blocks so far, and the requests that wait for the next one. No step
//! of a mint depends on these rows.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bitcoin::Txid;
use chain::{
    blocks::Tip,
    keys,
    mints::{
        BLOCKS_OF_A_ROW, Mint, MintOutlook, PriceLevel, VirtualBlock, VirtualBlocks, VmSums,
        VmTransaction, outlook, state_keys,
    },
    models::vm_transaction::VmState,
    transactions::ChainError,
};
use shared::{
    events::EventWrites,
    models::event::{EventState, EventType, StateChange},
};
use store::{CommitError, Update, Writes};

use crate::{
    app::{App, Shown},
    mint_rows::rules,
    read_many::{read_many, read_readable},
    virtual_blocks::{Batch, Unfolded, unfold},
};

/// The most price levels in a row; 2,000 of them take about 50 kB.
const MOST_LEVELS: usize = 2_000;
/// How many batches, those with the highest prices, are searched for unconfirmed ones.
const HIGHEST: usize = 1_000;
/// The most rows of virtual blocks that one look writes. The next look continues.
const MOST_ROWS: usize = 80;

/// Writes the changes of the page after a look at the chain.
pub(crate) async fn show(
    app: &App,
    mint: &Mint,
    batches: &[Batch<Txid>],
    tip: &Tip,
) -> Result<(), ChainError> {
    let last_block = mint.last_block.unwrap_or(u32::MAX);
    let Unfolded { blocks, waiting } = unfold(rules(mint), batches, last_block.min(tip.height));
    let filled = blocks.iter().map(|block| block.requests).fold(0, u64::saturating_add);
    let left = mint.total_requests.saturating_sub(filled);
    let before = outlook(&app.store, mint.id).await?;
    let (writes, blocks) = block_writes(app, mint, &blocks, before.as_ref()).await?;
    let outlook = MintOutlook {
        room: mint.requests_per_block.min(left),
        blocks,
        requests: 0,
        sats: 0,
        by_price: Vec::new(),
        revision: before.as_ref().map_or(0, |before| before.revision),
    };
    let in_blocks = Arc::new(batches.iter().map(|batch| batch.id).collect());
    let sums = sums_of(app, mint).await?;
    let shown = Shown { in_blocks, confirmed: waiting, sums, outlook };
    write(app, (mint, tip), shown, before.as_ref(), writes).await
}

/// Writes the waiting requests again if batches have come or gone since the last look. Returns false if this
/// instance does not know which batches are in blocks.
pub(crate) async fn refresh(app: &App, mint: &Mint, tip: &Tip) -> Result<bool, ChainError> {
    let Some(shown) = app.shown(mint.id) else { return Ok(false) };
    let sums = sums_of(app, mint).await?;
    if sums != shown.sums {
        let before = shown.outlook.clone();
        write(app, (mint, tip), Shown { sums, ..shown }, Some(&before), Writes::new()).await?;
    }
    Ok(true)
}

/// The sums of a mint's batches. They are read before the batches, so that the next look notices a later
/// change.
async fn sums_of(app: &App, mint: &Mint) -> Result<Option<VmSums>, ChainError> {
    Ok(app.store.get(&keys::vm_sums(mint.rune.id, mint.id)).await?)
}

/// Adds the batches in the mempool to the requests that wait in blocks, and writes the outlook if it differs
/// from `before`.
async fn write(
    app: &App,
    (mint, tip): (&Mint, &Tip),
    shown: Shown,
    before: Option<&MintOutlook>,
    writes: Writes<()>,
) -> Result<(), ChainError> {
    // If the write fails, the next look computes everything again.
    app.forget_shown(mint.id);
    let has_next = shown.outlook.room > 0 && tip.next_for(mint).is_some();
    let unconfirmed = match has_next {
        true => unconfirmed(app, mint, &shown.in_blocks).await?,
        false => BTreeMap::new(),
    };
    let mut outlook = with_waiting(shown.outlook, &shown.confirmed, &unconfirmed);
    if before != Some(&outlook) || !writes.is_empty() {
        outlook.revision = outlook.revision.saturating_add(1);
        let key = keys::mint_outlook(mint.id);
        let writes = match before {
            None => writes.insert(&key, &outlook, ()),
            Some(before) => {
                let unchanged = Update::new().if_equal(MintOutlook::REVISION, before.revision);
                writes.replace(&key, &outlook, unchanged, ())
            }
        };
        let blocks = [before.map_or(0, |before| before.blocks), outlook.blocks];
        let writes = match blocks {
            [before, after] if before == after => writes,
            [before, after] => writes.tell(
                keys::mint_events(mint.id),
                StateChange {
                    kind: EventType::VmBlock,
                    subject: mint.id.to_string(),
                    before: Some(EventState::Count(before)),
                    after: EventState::Count(after),
                },
            ),
        };
        match app.store.commit(writes).await {
            Ok(()) => {}
            // Another run of the worker was faster.
            Err(CommitError::Condition(()) | CommitError::Contended) => return Ok(()),
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    app.remember_shown(mint.id, Shown { outlook, ..shown });
    Ok(())
}

/// An outlook together with the waiting requests in blocks and in the mempool, by price.
fn with_waiting(
    bare: MintOutlook,
    confirmed: &BTreeMap<u64, u64>,
    unconfirmed: &BTreeMap<u64, u64>,
) -> MintOutlook {
    let mut levels: BTreeMap<u64, PriceLevel> = BTreeMap::new();
    for (prices, is_confirmed) in [(confirmed, true), (unconfirmed, false)] {
        for (&sats_per_request, &requests) in prices {
            let level = levels.entry(sats_per_request).or_insert(PriceLevel {
                sats_per_request,
                requests: 0,
                confirmed: 0,
            });
            level.requests = level.requests.saturating_add(requests);
            if is_confirmed {
                level.confirmed = level.confirmed.saturating_add(requests);
            }
        }
    }
    let sum = |of: fn(&PriceLevel) -> u64| levels.values().map(of).fold(0, u64::saturating_add);
    let requests = sum(|level| level.requests);
    let sats = sum(|level| level.requests.saturating_mul(level.sats_per_request));
    let by_price = levels.into_values().rev().take(MOST_LEVELS).collect();
    MintOutlook { requests, sats, by_price, ..bare }
}

/// The requests of the mint's unconfirmed batches by price. Only the batches of the rune with the highest
/// prices are searched.
async fn unconfirmed(
    app: &App,
    mint: &Mint,
    in_blocks: &BTreeSet<Txid>,
) -> Result<BTreeMap<u64, u64>, ChainError> {
    let index = state_keys(VmState::AllInMempool, mint.rune.id);
    let keys = app.store.indexed((keys::VM_BY_PRICE, false), &index, (0, HIGHEST)).await?;
    let rows: Vec<Option<VmTransaction>> = read_readable(app, keys).await?;
    let is_unconfirmed = |row: &VmTransaction| {
        let is_waiting = row.mint_id == mint.id && row.state == VmState::AllInMempool;
        // A row may not know its block yet.
        is_waiting && row.confirmation.is_none() && !in_blocks.contains(&row.txid)
    };
    let mut prices = BTreeMap::new();
    for row in rows.into_iter().flatten().filter(is_unconfirmed) {
        for tier in &row.tiers {
            let requests: &mut u64 = prices.entry(tier.sats_per_request).or_default();
            *requests = requests.saturating_add(tier.count);
        }
    }
    Ok(prices)
}

/// The writes for the rows of virtual blocks that differ from the stored ones, and how many blocks the rows
/// hold after them.
async fn block_writes(
    app: &App,
    mint: &Mint,
    blocks: &[VirtualBlock],
    before: Option<&MintOutlook>,
) -> Result<(Writes<()>, u64), ChainError> {
    let size = usize::try_from(BLOCKS_OF_A_ROW).unwrap_or(usize::MAX);
    let rows = before.map_or(0, |before| before.blocks.div_ceil(BLOCKS_OF_A_ROW));
    let keys = (0..rows).map(|number| keys::virtual_blocks(mint.id, number)).collect();
    let stored = read_many::<VirtualBlocks>(app, keys).await?;
    let (mut writes, mut count, mut left) = (Writes::new(), 0_u64, MOST_ROWS);
    for (number, chunk) in (0_u64..).zip(blocks.chunks(size)) {
        let stored = usize::try_from(number).ok().and_then(|number| stored.get(number));
        if stored.and_then(Option::as_ref).is_none_or(|row| row.blocks != chunk) {
            let Some(fewer) = left.checked_sub(1) else { break };
            left = fewer;
            let row = VirtualBlocks { blocks: chunk.to_vec() };
            writes = writes.put(&keys::virtual_blocks(mint.id, number), &row, ());
        }
        count = count.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
    }
    // After a reorganisation further rows may be left; the count hides them.
    Ok((writes, count))
}
