//! Follows the chain block by block, and records what each block has of ours.
//!
//! The worker asks the table about each block, not the chain about each row. A block is applied once the block that it
//! rests on has been; blocks that are no more are taken back first, newest first. What a block misses keeps its place in
//! its queue, whose rounds ask the chain about each row: a row that fails, one that was signed a moment too late, and
//! everything below a reorganisation deeper than remembered.

use std::{collections::BTreeSet, time::Duration};

use bitcoin::{BlockHash, Txid};
use chain::{
    bitcoin::esplora::{Block, BlockId},
    keys, mints,
    models::{
        mint::MintId,
        transaction::{TransactionState, Work},
    },
    transactions::{self, ChainError, IssuedTransaction, Sighting},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use shared::{
    outbound,
    store::{Claimed, CommitError, Key, Update, Writes},
};
use tokio::{
    task::{JoinError, JoinSet},
    time::{Instant, timeout},
};

use crate::{
    app::App,
    tip::{AppliedBlock, MOST_LISTED, Tip},
};

/// Rows of a block that are written concurrently.
const ROWS_AT_ONCE: usize = 64;
/// A row that takes longer is left to the rounds.
const ROW_TIMEOUT: Duration = Duration::from_secs(24);
/// Rows that one call reads, and such calls at once.
const READ: usize = 100;
const READS_AT_ONCE: usize = 8;
/// Attempts at a row that changes meanwhile.
const ATTEMPTS: u32 = 4;
/// A run starts no further block after this time.
const LAST_START: Duration = Duration::from_secs(20);
/// Mints that are scheduled in the write that moves the tip, which has 100 actions at most.
const MOST_MINTS: usize = 90;
/// How long it is remembered what an applied block has of ours.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The newest block that the worker has applied; `None` if it has never seen one.
///
/// # Errors
/// [`ChainError::Store`].
pub(crate) async fn tip(app: &App) -> Result<Option<Tip>, ChainError> {
    Ok(app.store.get(&keys::chain_tip()).await?)
}

/// How far a run has followed the chain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Followed {
    /// Blocks that it applied or took back.
    pub(crate) blocks: usize,
    /// Blocks that Esplora has above the tip.
    pub(crate) left: u32,
}

/// Applies the blocks that are new, and takes back those that are no more.
///
/// A server with fewer blocks than the tip, or as many, changes nothing: it may lag, and of two blocks at one height the
/// next one decides. Safe to run twice concurrently and to kill at any point: the tip moves last.
///
/// # Errors
/// [`ChainError`]; the blocks applied so far stay applied.
pub(crate) async fn follow(app: &App, begun: Instant) -> Result<Followed, ChainError> {
    let newest = app.esplora.tip_height().await?;
    let Some(mut tip) = (match tip(app).await? {
        Some(tip) => Some(tip),
        None => start(app, None, newest).await?,
    }) else {
        return Ok(Followed::default());
    };
    let mut followed = Followed::default();
    let mut blocks: Vec<Block> = Vec::new();
    while tip.height < newest && begun.elapsed() < LAST_START {
        let next_height = tip.height.saturating_add(1);
        let at =
            |blocks: &[Block], height| blocks.iter().find(|block| block.height == height).copied();
        if at(&blocks, tip.height).and(at(&blocks, next_height)).is_none() {
            let top = tip.height.saturating_add(MOST_LISTED).saturating_sub(1);
            blocks = app.esplora.linked_blocks(newest.min(top)).await?;
        }
        // Another server may have answered, with fewer blocks.
        let (Some(same), Some(next)) = (at(&blocks, tip.height), at(&blocks, next_height)) else {
            break;
        };
        let moved = match same.id == tip.hash {
            true => Box::pin(apply(app, &tip, &next)).await?,
            false => Box::pin(take_back(app, &tip, newest)).await?,
        };
        let Some(moved) = moved else { break };
        tip = moved;
        followed.blocks = followed.blocks.saturating_add(1);
    }
    followed.left = newest.saturating_sub(tip.height);
    Ok(followed)
}

/// Begins at the newest block; what earlier blocks have is found by the rounds. `None`: another run was first.
async fn start(app: &App, from: Option<&Tip>, newest: u32) -> Result<Option<Tip>, ChainError> {
    let blocks = app.esplora.linked_blocks(newest).await?;
    match Tip::new(&blocks) {
        Some(tip) => move_tip(app, from, tip, BTreeSet::new()).await,
        None => Ok(None),
    }
}

/// Records what a block has of ours, and what has become final with it.
async fn apply(app: &App, tip: &Tip, block: &Block) -> Result<Option<Tip>, ChainError> {
    let ours = ours_in(app, block).await?;
    let id = BlockId { height: block.height, hash: block.id };
    // A run that died may have noted them.
    if !ours.is_empty() && applied(app, block.id).await?.is_empty() {
        let places = ours.iter().map(|(row, position)| (row.txid, *position));
        let applied = AppliedBlock::new(places, app.clock.now().plus(KEPT));
        app.store.put(&keys::chain_block(block.id), &applied).await?;
        tracing::info!(
            height = block.height,
            rows = ours.len(),
            "a block has transactions of ours"
        );
    }
    let mints = mints_of(&ours);
    for_each(app, ours, move |app, (row, position)| async move {
        confirm(&app, row, Sighting { block: id, position: Some(position) }).await
    })
    .await;
    let above = tip.with(block);
    if let Some((height, hash)) = above.newly_final() {
        let deep = BlockId { height, hash };
        for_each(app, applied(app, hash).await?, move |app, (txid, position)| async move {
            finalise(&app, txid, Sighting { block: deep, position: Some(position) }).await
        })
        .await;
    }
    move_tip(app, Some(tip), above, mints).await
}

/// Looks again at what the newest applied block had of ours, because it is no longer in the chain.
async fn take_back(app: &App, tip: &Tip, newest: u32) -> Result<Option<Tip>, ChainError> {
    let (height, hash) = (tip.height, tip.hash);
    tracing::warn!(height, %hash, "a block is no longer in the chain");
    for_each(app, applied(app, hash).await?, move |app, (txid, _)| async move {
        match transactions::load(&app, txid).await? {
            Some(row) if is_in(&row, hash) => transactions::advance(&app, &row).await,
            _ => Ok(()),
        }
    })
    .await;
    match tip.taken_back() {
        Some(below) => move_tip(app, Some(tip), below, BTreeSet::new()).await,
        // Deeper than remembered.
        None => start(app, Some(tip), newest).await,
    }
}

/// The rows of ours in a block, each with its position there.
async fn ours_in(app: &App, block: &Block) -> Result<Vec<(IssuedTransaction, u32)>, ChainError> {
    let txids = app.esplora.txids(block).await?;
    let keys: Vec<Vec<Key>> = txids
        .chunks(READ)
        .map(|some| some.iter().copied().map(keys::transaction).collect())
        .collect();
    let reads = keys
        .into_iter()
        .map(|keys| async move { app.store.get_many::<IssuedTransaction>(&keys).await });
    let found: Vec<_> = stream::iter(reads).buffered(READS_AT_ONCE).try_collect().await?;
    let found = found.into_iter().flatten().zip(0_u32..);
    Ok(found.filter_map(|(row, position)| Some((row?, position))).collect())
}

/// The mints that rows belong to.
fn mints_of(rows: &[(IssuedTransaction, u32)]) -> BTreeSet<MintId> {
    let mint = |(row, _): &(IssuedTransaction, u32)| match &row.work {
        Work::VmCommitment(commitment) => Some(commitment.mint_id),
        _ => None,
    };
    rows.iter().filter_map(mint).collect()
}

/// What an applied block has of ours.
async fn applied(app: &App, block: BlockHash) -> Result<Vec<(Txid, u32)>, ChainError> {
    let applied = app.store.get::<AppliedBlock>(&keys::chain_block(block)).await?;
    Ok(applied.map(|applied| applied.places().collect()).unwrap_or_default())
}

/// Records that a block has a transaction.
async fn confirm(
    app: &App,
    mut row: IssuedTransaction,
    sighting: Sighting,
) -> Result<(), ChainError> {
    for _attempt in 0..ATTEMPTS {
        if transactions::record_in_block(app, &row, sighting, false).await? {
            return Ok(());
        }
        // It has changed meanwhile.
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

/// Whether a row says that this block has its transaction.
fn is_in(row: &IssuedTransaction, block: BlockHash) -> bool {
    row.state == TransactionState::Confirmed && row.block_hash == Some(block)
}

/// Does this for each of these, several concurrently. One that fails is left to the rounds.
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
        running.spawn(async move {
            match timeout(ROW_TIMEOUT, outbound::within_budget(work)).await {
                Ok(done) => done.map_err(|error| error.to_string()),
                Err(_elapsed) => Err("not done in time".to_owned()),
            }
        });
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
    tracing::error!(error = failure, "a row of a block failed; its queue comes to it");
}

/// Moves the tip, and lets the worker look at these mints, even at those that have ended. `None`: another run was first.
async fn move_tip(
    app: &App,
    from: Option<&Tip>,
    to: Tip,
    mut mints: BTreeSet<MintId>,
) -> Result<Option<Tip>, ChainError> {
    let look = |mint: &MintId| (keys::mint(*mint), mints::look_again(app.clock.now()));
    while mints.len() > MOST_MINTS
        && let Some(mint) = mints.pop_first()
    {
        let (key, look) = look(&mint);
        app.store.update(&key, look).await?;
    }
    let key = keys::chain_tip();
    let as_read = from.map(|from| Update::new().if_equal(Tip::HASH, from.hash));
    let Some(as_read) = as_read.clone().filter(|_| !mints.is_empty()) else {
        // Half the price of a transaction.
        let claimed = app.store.claim(&key, &to, as_read).await?;
        return Ok((claimed == Claimed::New).then_some(to));
    };
    let mut moved = Writes::new().replace(&key, &to, as_read, ());
    for (key, look) in mints.iter().map(look) {
        moved = moved.update(&key, look, ());
    }
    match app.store.commit(moved).await {
        Ok(()) => Ok(Some(to)),
        Err(CommitError::Condition(())) => Ok(None),
        Err(CommitError::Contended) => Err(ChainError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}
