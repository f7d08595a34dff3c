//! Follows the chain block by block, and records which transactions of the service each block contains.
//!
//! For each block the worker looks up in the table which transactions are the service's, so the cost does not
//! grow with the number of open rows. A block is applied only after its parent; blocks that are no longer in
//! the chain are taken back first, newest first. A row that a block misses keeps its place in its queue,
//! whose rounds ask the chain about each row. That happens if the row fails, if it was signed a moment too
//! late, or if a reorganisation goes deeper than the remembered blocks.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use base::span::{self, Context, carried};
use bitcoin::{BlockHash, Txid};
use chain::{
    bitcoin::esplora::{Block, BlockId},
    blocks::{Tip, tip_or_start},
    keys,
    mints::{self, KeptMint, Mint},
    models::{
        mint::{MintId, MintState},
        transaction::{TransactionState, Work},
        vm_transaction::VmTransactionKey,
    },
    transactions::{self, ChainError, IssuedTransaction, Sighting},
};
use serde::{Deserialize, Serialize};
use shared::models::watch::Watch;
use store::{Claimed, CommitError, Entity, StoreError, Writes};
use tokio::{
    task::{JoinError, JoinSet},
    time::{Instant, timeout},
};

use crate::{
    app::App,
    applied::AppliedBlock,
    bids, deposits,
    read_many::{read_each, read_readable},
};

/// Rows of a block that are written concurrently.
const ROWS_AT_ONCE: usize = 64;
/// A row that takes longer gives its place to another one, and is left to the rounds of its queue.
const ROW_TIMEOUT: Duration = Duration::from_secs(8);
/// How long the rows of a block may delay applying it: unfinished ones are left to the rounds of their
/// queues. A run begins its last block early enough to apply it even then.
const ROWS_TIMEOUT: Duration = Duration::from_secs(15);
/// The most open mints that are searched for a transaction whose own row does not name its mint.
const MOST_MINTS: i32 = 1_000;
/// Blocks in one answer of Esplora.
const MOST_LISTED: u32 = 10;
/// Attempts to record a row that changes concurrently.
const ATTEMPTS: u32 = 4;
/// A run starts no further block after this time.
const LAST_START: Duration = Duration::from_secs(20);
/// How long the transactions of an applied block are remembered.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The newest block that the worker has applied; `None` if it has never seen one.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub(crate) async fn tip(app: &App) -> Result<Option<Tip>, ChainError> {
    Ok(app.store.get(&keys::chain_tip()).await?)
}

/// Applies new blocks and takes back those that are no longer in the chain; returns how many.
///
/// A server without a block above our tip is ignored: it may lag, and between two blocks of one height only
/// the next block decides. Safe to run twice concurrently and to kill at any point: the tip moves last.
///
/// # Errors
/// The error of the block that could not be read or applied. The blocks applied before it stay applied.
pub(crate) async fn follow(app: &App, begun: Instant) -> Result<usize, ChainError> {
    let newest = app.esplora.tip_height().await?;
    let mut tip = tip_or_start(app).await?;
    let mut moved_over = 0_usize;
    let mut blocks: Vec<Block> = Vec::new();
    while tip.height < newest && begun.elapsed() < LAST_START {
        let next_height = tip.height.saturating_add(1);
        let at =
            |blocks: &[Block], height| blocks.iter().find(|block| block.height == height).copied();
        if at(&blocks, tip.height).and(at(&blocks, next_height)).is_none() {
            let top = tip.height.saturating_add(MOST_LISTED).saturating_sub(1);
            blocks = app.esplora.linked_blocks(newest.min(top)).await?;
        }
        // Another server may have answered this time, one that has fewer blocks.
        let (Some(same), Some(next)) = (at(&blocks, tip.height), at(&blocks, next_height)) else {
            break;
        };
        let moved = match same.id == tip.hash {
            true => Box::pin(apply(app, &tip, &next)).await?,
            false => Box::pin(take_back(app, &tip)).await?,
        };
        let Some(moved) = moved else { break };
        tip = moved;
        moved_over = moved_over.saturating_add(1);
    }
    Ok(moved_over)
}

/// Records the transactions of a block, and those that become final with it.
async fn apply(app: &App, tip: &Tip, block: &Block) -> Result<Option<Tip>, ChainError> {
    let Ours { places, rows, batches } = ours_in(app, block).await?;
    let id = BlockId { height: block.height, hash: block.id };
    // A run that died may have written the row already, perhaps before another transaction was signed.
    if !places.is_empty() && applied(app, block.id).await? != places {
        let applied = AppliedBlock::new(places.iter().copied(), app.clock.now().plus(KEPT));
        app.store.put(&keys::chain_block(block.id), &applied).await?;
        let rows = places.len();
        tracing::info!(height = block.height, rows, "a block contains our transactions");
    }
    let above = tip.with(block);
    let mut concerned: BTreeSet<_> = batches.keys().copied().collect();
    let deep = above.newly_final().map(|(height, hash)| BlockId { height, hash });
    let final_places = match deep {
        Some(deep) => applied(app, deep.hash).await?,
        None => Vec::new(),
    };
    concerned.extend(batches_of(app, &final_places).await?.into_keys());
    // Rows that hang delay neither the other rows nor the block for long.
    let limits = Limits::of_block(app);
    let confirming = for_each(app, rows, limits, move |app, (row, position)| async move {
        confirm(&app, row, Sighting { block: id, position: Some(position) }).await
    });
    let finalising = for_each(app, final_places, limits, move |app, (txid, position)| async move {
        let Some(block) = deep else { return Ok(()) };
        finalise(&app, txid, Sighting { block, position: Some(position) }).await
    });
    let ((), (), deposited) = tokio::join!(
        Box::pin(confirming),
        Box::pin(finalising),
        Box::pin(deposits::apply(app, block))
    );
    let noted = deposited?;
    let rows_of_mints = look_at_ended(app, concerned).await?;
    // An ended mint takes none of its bids. They prove that a batch is its own when the batch is refunded.
    let (mut bids, mut missing) = (BTreeMap::new(), BTreeMap::new());
    for (mint, batches) in batches {
        let txids: Vec<_> = batches.iter().map(|(txid, _)| *txid).collect();
        let found = match terms_of(app, mint, rows_of_mints.get(&mint)).await? {
            Some(terms) => bids::read_fitting(app, (mint, &terms), &txids, false).await?,
            None => vec![None; txids.len()],
        };
        let (mut of_mint, mut unreadable) = (Vec::new(), Vec::new());
        for (row, (txid, position)) in found.into_iter().zip(batches) {
            match row {
                Some(row) => of_mint.push((row, position)),
                None => unreadable.push((txid, position)),
            }
        }
        bids.insert(mint, of_mint);
        if !unreadable.is_empty() {
            missing.insert(mint, unreadable);
        }
    }
    let moved = move_tip(app, tip, above, bids::writes(block.height, &bids, &missing)?).await?;
    if let Some(noted) = noted.filter(|_| moved.is_some()) {
        deposits::forget(app, &noted).await?;
    }
    Ok(moved)
}

/// Checks again the transactions of the newest applied block, which is no longer in the chain.
async fn take_back(app: &App, tip: &Tip) -> Result<Option<Tip>, ChainError> {
    let (height, hash) = (tip.height, tip.hash);
    tracing::warn!(height, %hash, "a block is no longer in the chain");
    let below =
        tip.taken_back().ok_or(ChainError::Damaged("no remembered block is in the chain"))?;
    let places = applied(app, hash).await?;
    let mut mints: BTreeSet<_> = batches_of(app, &places).await?.into_keys().collect();
    for_each(app, places, Limits::of_block(app), move |app, (txid, _)| async move {
        match transactions::load(&app, txid).await? {
            Some(row) if is_in(&row, hash) => transactions::advance(&app, &row).await,
            _ => Ok(()),
        }
    })
    .await;
    look_at_ended(app, mints.clone()).await?;
    // A block may have bids for an open mint although its own row is missing or damaged.
    mints.extend(waiting_mints(app).await?);
    let bids = bids::deletions(app, height, mints).await?;
    let block = BlockId { height, hash };
    deposits::note_leaving(app, block).await?;
    let moved = move_tip(app, tip, below, bids).await?;
    if moved.is_some() {
        // As long as the tip is on the block, an announced deposit may still be recorded in it.
        Box::pin(deposits::take_back(app, block)).await?;
    }
    Ok(moved)
}

/// Transactions, each with its position in their block.
type Places = Vec<(Txid, u32)>;

/// The service's transactions in a block.
struct Ours {
    /// All of them.
    places: Places,
    /// Those whose rows can be read, each with its position.
    rows: Vec<(IssuedTransaction, u32)>,
    /// The commitments among them, by mint.
    batches: BTreeMap<MintId, Places>,
}

/// The work of a transaction, read from a row whose other fields may be damaged.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WorkOfRow {
    work: Work,
}

impl Entity for WorkOfRow {
    const ENTITY: &'static str = "issuedTransaction";
}

/// The row of a batch. Only its existence matters, so no field is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SomeBatch {}

impl Entity for SomeBatch {
    const ENTITY: &'static str = "vmTransaction";
}

/// The service's transactions in a block.
async fn ours_in(app: &App, block: &Block) -> Result<Ours, ChainError> {
    let txids = app.esplora.txids(block).await?;
    let keys = txids.iter().copied().map(keys::transaction).collect();
    let found = read_each::<IssuedTransaction>(app, keys).await?;
    let (mut places, mut rows, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
    let mut batches: BTreeMap<_, Places> = BTreeMap::new();
    for ((txid, position), row) in txids.into_iter().zip(0_u32..).zip(found) {
        match row {
            None => continue,
            Some(Ok(row)) => {
                if let Work::VmCommitment(commitment) = &row.work {
                    batches.entry(commitment.mint_id).or_default().push((txid, position));
                }
                rows.push((row, position));
            }
            Some(Err(error)) => {
                tracing::error!(%txid, %error, "a transaction of a block cannot be read; the others go on");
                damaged.push((txid, position));
            }
        }
        places.push((txid, position));
    }
    for (mint, more) in batches_of(app, &damaged).await? {
        batches.entry(mint).or_default().extend(more);
    }
    Ok(Ours { places, rows, batches })
}

/// The commitments among these transactions, by mint. Only the work of their rows is read. If even that is damaged, or
/// a row is missing, the open mints are searched for a batch with that txid: a batch takes part by its own row.
async fn batches_of(
    app: &App,
    places: &[(Txid, u32)],
) -> Result<BTreeMap<MintId, Places>, ChainError> {
    let keys = places.iter().map(|(txid, _)| keys::transaction(*txid)).collect();
    let (mut batches, mut unknown) = (BTreeMap::<_, Places>::new(), Vec::new());
    for (place, row) in places.iter().zip(read_each::<WorkOfRow>(app, keys).await?) {
        let error = match row {
            Some(Ok(WorkOfRow { work: Work::VmCommitment(commitment) })) => {
                batches.entry(commitment.mint_id).or_default().push(*place);
                continue;
            }
            Some(Ok(_)) => continue,
            Some(Err(error)) => error.to_string(),
            None => "the row is missing".to_owned(),
        };
        tracing::error!(txid = %place.0, error, "the work of a transaction is unknown; open mints are searched for it");
        unknown.push(*place);
    }
    for (mint, place) in found_in_mints(app, &unknown).await? {
        batches.entry(mint).or_default().push(place);
    }
    Ok(batches)
}

/// The transactions among these that are batches of open mints, each with its mint.
async fn found_in_mints(
    app: &App,
    unknown: &[(Txid, u32)],
) -> Result<Vec<(MintId, (Txid, u32))>, ChainError> {
    if unknown.is_empty() {
        return Ok(Vec::new());
    }
    let mints = waiting_mints(app).await?.into_iter();
    let places = mints.flat_map(|mint| unknown.iter().map(move |place| (mint, *place)));
    let places: Vec<_> = places.collect();
    let key = |(mint_id, (txid, _)): &(MintId, (Txid, u32))| {
        keys::vm_transaction(VmTransactionKey { mint_id: *mint_id, txid: *txid })
    };
    let rows = read_each::<SomeBatch>(app, places.iter().map(key).collect()).await?;
    let found = places.into_iter().zip(rows).filter(|(_, row)| row.is_some());
    let found: Vec<_> = found.map(|(place, _)| place).collect();
    Ok(in_one_mint(found))
}

/// Leaves out the batches that several mints claim: one payment must not count twice (custody rule 33).
fn in_one_mint(found: Vec<(MintId, (Txid, u32))>) -> Vec<(MintId, (Txid, u32))> {
    let mut claims = BTreeMap::<Txid, usize>::new();
    for (_, (txid, _)) in &found {
        let claimed = claims.entry(*txid).or_default();
        *claimed = claimed.saturating_add(1);
    }
    let is_of_one = |(_, (txid, _)): &(MintId, (Txid, u32))| claims.get(txid) == Some(&1);
    let (of_one, of_several): (Vec<_>, Vec<_>) = found.into_iter().partition(is_of_one);
    for (mint, (txid, _)) in of_several {
        tracing::error!(%mint, %txid, "several mints claim a transaction whose work is unknown; none gets it");
    }
    of_one
}

/// The mints that wait for the worker, among them every open one.
async fn waiting_mints(app: &App) -> Result<Vec<MintId>, ChainError> {
    let mut mints = Vec::new();
    for queue in [Watch::Mint, Watch::Mint.stuck()] {
        let keys = app.store.waiting(queue, MOST_MINTS).await?;
        let ids =
            keys.iter().filter_map(|key| key.pk().strip_prefix("mint#")?.parse::<MintId>().ok());
        mints.extend(ids);
    }
    Ok(mints)
}

/// Reschedules the mints that have ended: the worker visits them only to settle late transactions. It visits open ones
/// with each block. Returns the rows that can be read.
async fn look_at_ended(
    app: &App,
    mints: BTreeSet<MintId>,
) -> Result<BTreeMap<MintId, Mint>, ChainError> {
    let mints: Vec<_> = mints.into_iter().collect();
    let keys = mints.iter().copied().map(keys::mint).collect();
    let mut found = BTreeMap::new();
    for (id, mint) in mints.into_iter().zip(read_readable::<Mint>(app, keys).await?) {
        let Some(mint) = mint else { continue };
        if mint.state != MintState::Open {
            let look = mints::look_again(app.clock.now());
            app.store.update(&keys::mint(id), look).await?;
        }
        found.insert(id, mint);
    }
    Ok(found)
}

/// The terms of a mint as the worker keeps them; `None` if they cannot be read. If the worker has not seen
/// the mint before, it keeps the terms now.
async fn terms_of(
    app: &App,
    id: MintId,
    mint: Option<&Mint>,
) -> Result<Option<KeptMint>, ChainError> {
    let kept = match mint {
        Some(mint) => mints::keep_mint(&app.store, mint).await.map(Some),
        None => mints::kept_mint(&app.store, id).await,
    };
    match kept {
        Err(StoreError::Row(error)) => {
            tracing::error!(mint = %id, %error, "the terms of a mint cannot be read; the others go on");
            Ok(None)
        }
        kept => Ok(kept?),
    }
}

/// The service's transactions in an applied block. If the row that names them cannot be read, there are none: the
/// rounds of the queues reach them.
async fn applied(app: &App, block: BlockHash) -> Result<Places, ChainError> {
    match app.store.get::<AppliedBlock>(&keys::chain_block(block)).await {
        Ok(applied) => Ok(applied.map(|applied| applied.places().collect()).unwrap_or_default()),
        Err(error @ StoreError::Row(_)) => {
            tracing::error!(%block, %error, "the transactions of an applied block cannot be read; their queues reach them");
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}

/// Records that a block contains a transaction.
async fn confirm(
    app: &App,
    mut row: IssuedTransaction,
    sighting: Sighting,
) -> Result<(), ChainError> {
    for _attempt in 0..ATTEMPTS {
        row = transactions::watch_failed(app, row).await?;
        if transactions::record_in_block(app, &row, sighting, false).await? {
            return Ok(());
        }
        // The row has changed concurrently.
        match transactions::load(app, row.txid).await? {
            Some(changed) => row = changed,
            None => return Ok(()),
        }
    }
    Err(ChainError::Contended)
}

/// Records that the block of a transaction is final.
async fn finalise(app: &App, txid: Txid, sighting: Sighting) -> Result<(), ChainError> {
    for _attempt in 0..ATTEMPTS {
        let Some(row) = transactions::load(app, txid).await? else { return Ok(()) };
        if !is_in(&row, sighting.block.hash)
            || row.watch.is_none()
            || transactions::record_in_block(app, &row, sighting, true).await?
        {
            return Ok(());
        }
    }
    Err(ChainError::Contended)
}

/// Whether a row says that its transaction is in this block.
fn is_in(row: &IssuedTransaction, block: BlockHash) -> bool {
    row.state == TransactionState::Confirmed && row.block_hash == Some(block)
}

/// How long the rows of a block may take.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// One row.
    row: Duration,
    /// All rows together.
    rows: Duration,
}

impl Limits {
    fn of_block(app: &App) -> Self {
        let stretched = |limit| app.outbound.stretched(limit);
        Self { row: stretched(ROW_TIMEOUT), rows: stretched(ROWS_TIMEOUT) }
    }
}

/// Runs `work` for every item, `ROWS_AT_ONCE` at a time. The next round of a queue retries the rows that
/// fail, and those that are not done in time.
async fn for_each<T, F, W>(app: &App, items: Vec<T>, limits: Limits, work: F)
where
    T: Send + 'static,
    F: Fn(App, T) -> W,
    W: Future<Output = Result<(), ChainError>> + Send + 'static,
{
    let work = |item| {
        let (work, outbound) = (Box::pin(work(app.clone(), item)), app.outbound.clone());
        let work = async move { outbound.within_budget(work).await };
        carried(Context::current(), span::within("row of a block", work))
    };
    let left = run_each(items, limits, work).await;
    if left > 0 {
        tracing::error!(rows = left, "rows of a block took too long; their queues retry them");
    }
}

/// Runs `work` for every item, `ROWS_AT_ONCE` at a time; returns how many were not done when the time of all was over.
async fn run_each<T, F, W>(items: Vec<T>, limits: Limits, work: F) -> usize
where
    F: Fn(T) -> W,
    W: Future<Output = Result<(), ChainError>> + Send + 'static,
{
    let (mut items, mut running) = (items.into_iter(), JoinSet::new());
    let all = async {
        while items.len() > 0 {
            while running.len() >= ROWS_AT_ONCE {
                report(running.join_next().await);
            }
            let Some(item) = items.next() else { break };
            let work = Box::pin(work(item));
            running.spawn(async move {
                match timeout(limits.row, work).await {
                    Ok(done) => done.map_err(|error| error.to_string()),
                    Err(_elapsed) => Err("not done in time".to_owned()),
                }
            });
        }
        while !running.is_empty() {
            report(running.join_next().await);
        }
    };
    match timeout(limits.rows, all).await {
        Ok(()) => 0,
        Err(_elapsed) => items.len().saturating_add(running.len()),
    }
}

/// Logs that a row failed.
fn report(done: Option<Result<Result<(), String>, JoinError>>) {
    let failure = match done {
        None | Some(Ok(Ok(()))) => return,
        Some(Ok(Err(error))) => error,
        Some(Err(panicked)) => panicked.to_string(),
    };
    tracing::error!(error = failure, "a row of a block failed; its queue retries it");
}

/// Moves the tip and changes the bids in the same write. `None`: another run was faster.
async fn move_tip(
    app: &App,
    from: &Tip,
    to: Tip,
    bids: Writes<()>,
) -> Result<Option<Tip>, ChainError> {
    let key = keys::chain_tip();
    let as_read = from.as_read();
    if bids.is_empty() {
        // A single write costs half as much as a transaction.
        let claimed = app.store.claim(&key, &to, Some(as_read)).await?;
        return Ok((claimed == Claimed::New).then_some(to));
    }
    match app.store.commit(bids.replace(&key, &to, as_read, ())).await {
        Ok(()) => Ok(Some(to)),
        Err(CommitError::Condition(())) => Ok(None),
        Err(CommitError::Contended) => Err(ChainError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]
mod tests {
    use std::sync::{Arc, Mutex};

    use bitcoin::hashes::Hash;

    use super::*;

    /// Runs rows that hang, and after them one that does not; returns whether that one was done, and how many were not
    /// done when the time was over.
    async fn after_hanging(hanging: usize, limits: Limits) -> (bool, usize) {
        let done = Arc::new(Mutex::new(false));
        let items = (0..hanging).map(|_| true).chain([false]).collect();
        let left = run_each(items, limits, |hangs| {
            let done = done.clone();
            async move {
                if hangs {
                    std::future::pending::<()>().await;
                }
                *done.lock().unwrap() = true;
                Ok(())
            }
        });
        let left = left.await;
        let is_done = *done.lock().unwrap();
        (is_done, left)
    }

    #[tokio::test]
    async fn custody_26_rows_that_hang_give_their_places_to_the_other_rows_of_a_block() {
        let limits = Limits { row: Duration::from_millis(20), rows: Duration::from_secs(600) };
        assert_eq!(after_hanging(ROWS_AT_ONCE * 3, limits).await, (true, 0));
    }

    #[tokio::test]
    async fn custody_26_rows_that_hang_delay_their_block_for_a_limited_time() {
        let limits = Limits { row: Duration::from_secs(600), rows: Duration::from_millis(20) };
        assert_eq!(after_hanging(ROWS_AT_ONCE * 3, limits).await, (false, ROWS_AT_ONCE * 3 + 1));
        assert_eq!(after_hanging(1, limits).await, (true, 1));
    }

    #[test]
    fn custody_33_a_transaction_that_two_mints_claim_is_a_batch_of_neither() {
        let (one, other) = (MintId(uuid::Uuid::from_u128(1)), MintId(uuid::Uuid::from_u128(2)));
        let place = |byte| (Txid::from_byte_array([byte; 32]), 0);
        let found = vec![(one, place(1)), (one, place(2)), (other, place(1))];
        assert_eq!(in_one_mint(found), [(one, place(2))]);
    }

    /// However many blocks have rows that hang, the first part of a run is not cut off in the middle of a
    /// block.
    #[test]
    fn a_block_whose_rows_hang_is_applied_within_its_run() {
        let longest = LAST_START + ROWS_TIMEOUT;
        assert!(longest < crate::FOLLOWING && ROW_TIMEOUT < ROWS_TIMEOUT);
    }
}
