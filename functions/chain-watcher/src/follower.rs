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

use bitcoin::{BlockHash, Txid};
use chain::{
    bitcoin::esplora::{Block, BlockId},
    blocks::{Tip, tip_or_start},
    keys,
    mints::{self, Mint, VmTransaction},
    models::{
        mint::{MintId, MintState},
        transaction::{TransactionState, Work},
        vm_transaction::VmTransactionKey,
    },
    transactions::{self, ChainError, IssuedTransaction, Sighting},
};
use serde::{Deserialize, Serialize};
use shared::{
    span::{self, Context, carried},
    store::{Claimed, CommitError, Entity, Writes},
};
use tokio::{
    task::{JoinError, JoinSet},
    time::{Instant, timeout},
};

use crate::{
    app::App,
    applied::AppliedBlock,
    bids, deposits,
    read_many::{read_each, read_many, read_readable},
};

/// Rows of a block that are written concurrently.
const ROWS_AT_ONCE: usize = 64;
/// A row that takes longer is left to the rounds of its queue.
const ROW_TIMEOUT: Duration = Duration::from_secs(24);
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
    let Ours { places, rows, works } = ours_in(app, block).await?;
    let id = BlockId { height: block.height, hash: block.id };
    // A run that died may have written the row already.
    if !places.is_empty() && applied(app, block.id).await?.is_empty() {
        let applied = AppliedBlock::new(places.iter().copied(), app.clock.now().plus(KEPT));
        app.store.put(&keys::chain_block(block.id), &applied).await?;
        let rows = places.len();
        tracing::info!(height = block.height, rows, "a block contains our transactions");
    }
    let batches = batches_of(&places, &works);
    let confirming = for_each(app, rows, move |app, (row, position)| async move {
        confirm(&app, row, Sighting { block: id, position: Some(position) }).await
    });
    let ((), deposited) = tokio::join!(Box::pin(confirming), Box::pin(deposits::apply(app, block)));
    let noted = deposited?;
    let above = tip.with(block);
    let mut concerned: BTreeSet<_> = batches.keys().copied().collect();
    if let Some((height, hash)) = above.newly_final() {
        let deep = BlockId { height, hash };
        let (places, works) = applied_works(app, hash).await?;
        concerned.extend(batches_of(&places, &works).into_keys());
        for_each(app, places, move |app, (txid, position)| async move {
            finalise(&app, txid, Sighting { block: deep, position: Some(position) }).await
        })
        .await;
    }
    let open = look_at_ended(app, concerned).await?;
    let (mut bids, mut missing) = (BTreeMap::new(), BTreeMap::new());
    for (mint, batches) in batches.into_iter().filter(|(mint, _)| open.contains(mint)) {
        let key = |(txid, _): &(Txid, u32)| {
            keys::vm_transaction(VmTransactionKey { mint_id: mint, txid: *txid })
        };
        let keys = batches.iter().map(key).collect();
        let found = read_readable::<VmTransaction>(app, keys).await?;
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
    let (places, works) = applied_works(app, hash).await?;
    let mints: BTreeSet<_> = batches_of(&places, &works).into_keys().collect();
    for_each(app, places, move |app, (txid, _)| async move {
        match transactions::load(&app, txid).await? {
            Some(row) if is_in(&row, hash) => transactions::advance(&app, &row).await,
            _ => Ok(()),
        }
    })
    .await;
    look_at_ended(app, mints.clone()).await?;
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

/// The service's transactions in a block.
struct Ours {
    /// All of them, each with its position.
    places: Vec<(Txid, u32)>,
    /// Those whose rows can be read.
    rows: Vec<(IssuedTransaction, u32)>,
    /// The work of each, in the order of the places.
    works: Vec<Work>,
}

/// The work of a transaction, of whose row nothing else may be readable.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WorkOfRow {
    work: Work,
}

impl Entity for WorkOfRow {
    const ENTITY: &'static str = "issuedTransaction";
}

/// The service's transactions in a block.
async fn ours_in(app: &App, block: &Block) -> Result<Ours, ChainError> {
    let txids = app.esplora.txids(block).await?;
    let keys = txids.iter().copied().map(keys::transaction).collect();
    let found = read_each::<IssuedTransaction>(app, keys).await?;
    let (mut places, mut rows) = (Vec::new(), Vec::new());
    for ((txid, position), row) in txids.into_iter().zip(0_u32..).zip(found) {
        match row {
            None => continue,
            Some(Ok(row)) => rows.push((row, position)),
            Some(Err(error)) => {
                tracing::error!(%txid, %error, "a transaction of a block cannot be read; the others go on");
            }
        }
        places.push((txid, position));
    }
    let works = match places.len() == rows.len() {
        true => rows.iter().map(|(row, _)| row.work.clone()).collect(),
        false => works_of(app, &places).await?,
    };
    Ok(Ours { places, rows, works })
}

/// Reads the work of these transactions, and no other field of their rows, which may be malformed.
async fn works_of(app: &App, places: &[(Txid, u32)]) -> Result<Vec<Work>, ChainError> {
    let keys = places.iter().map(|(txid, _)| keys::transaction(*txid)).collect();
    let works = read_many::<WorkOfRow>(app, keys).await?.into_iter();
    let works = works.map(|row| row.map(|row| row.work)).collect::<Option<_>>();
    works.ok_or(ChainError::Damaged("a transaction of an applied block is missing"))
}

/// The commitments among these transactions, by mint, each with its position.
fn batches_of(places: &[(Txid, u32)], works: &[Work]) -> BTreeMap<MintId, Vec<(Txid, u32)>> {
    let mut batches: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (place, work) in places.iter().zip(works) {
        if let Work::VmCommitment(commitment) = work {
            batches.entry(commitment.mint_id).or_default().push(*place);
        }
    }
    batches
}

/// Reschedules the mints that have ended: the worker visits them only to settle late transactions. Returns
/// the open mints, which it visits with each block.
async fn look_at_ended(app: &App, mints: BTreeSet<MintId>) -> Result<BTreeSet<MintId>, ChainError> {
    let mints: Vec<_> = mints.into_iter().collect();
    let keys = mints.iter().copied().map(keys::mint).collect();
    let mut open = BTreeSet::new();
    for (id, mint) in mints.into_iter().zip(read_readable::<Mint>(app, keys).await?) {
        // Unneeded bids are harmless, so a mint whose row cannot be read counts as open.
        if mint.is_none_or(|mint| mint.state == MintState::Open) {
            open.insert(id);
        } else {
            let look = mints::look_again(app.clock.now());
            app.store.update(&keys::mint(id), look).await?;
        }
    }
    Ok(open)
}

/// The service's transactions in an applied block, each with its position.
async fn applied(app: &App, block: BlockHash) -> Result<Vec<(Txid, u32)>, ChainError> {
    let applied = app.store.get::<AppliedBlock>(&keys::chain_block(block)).await?;
    Ok(applied.map(|applied| applied.places().collect()).unwrap_or_default())
}

/// The service's transactions in an applied block, and the work of each.
async fn applied_works(
    app: &App,
    block: BlockHash,
) -> Result<(Vec<(Txid, u32)>, Vec<Work>), ChainError> {
    let places = applied(app, block).await?;
    let works = works_of(app, &places).await?;
    Ok((places, works))
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

/// Runs `work` for every item, `ROWS_AT_ONCE` at a time. The next round of a queue retries the rows that
/// fail.
async fn for_each<T, F, W>(app: &App, items: Vec<T>, work: F)
where
    T: Send + 'static,
    F: Fn(App, T) -> W,
    W: Future<Output = Result<(), ChainError>> + Send + 'static,
{
    let mut running = JoinSet::new();
    for item in items {
        while running.len() >= ROWS_AT_ONCE {
            report(running.join_next().await);
        }
        let work = Box::pin(work(app.clone(), item));
        let outbound = app.outbound.clone();
        let work = async move {
            match timeout(outbound.stretched(ROW_TIMEOUT), outbound.within_budget(work)).await {
                Ok(done) => done.map_err(|error| error.to_string()),
                Err(_elapsed) => Err("not done in time".to_owned()),
            }
        };
        running.spawn(carried(Context::current(), span::within("row of a block", work)));
    }
    while !running.is_empty() {
        report(running.join_next().await);
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
