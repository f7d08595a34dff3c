//! Deposits: found in blocks, taken back with them, and watched while they wait for a block.
//!
//! The cost grows with blocks, not with accounts: the worker reads the block, and looks up which of the
//! addresses that it pays are trading addresses. Work that fails or takes too long moves to a queue of its
//! own, so that a stranger's deposits cannot delay the chain's other work (custody rule 24).

use std::{collections::BTreeMap, time::Duration};

use base::clock::Timestamp;
use bitcoin::{Address, BlockHash, ScriptBuf, Txid};
use chain::{
    bitcoin::esplora::{Block, BlockId},
    blocks,
    deposits::{self, Announced, AppliedDeposits, Deposit, DepositState, FoundDeposit},
    keys,
    transactions::{ChainError, IssuedTransaction},
};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use shared::{
    accounts::UniqueOwner,
    http::AsProblem,
    models::{
        account::AccountId,
        watch::{Failing, Watch},
    },
};
use store::{CommitError, Entity, Key, StoreError, Update, Writes, fields};
use tokio::time::timeout;

use crate::{app::App, read_many::read_each, renewals, row_outcome::RowOutcome};

/// How long the deposits of a block may delay applying it. After that they wait in their queue.
const PATIENCE: Duration = Duration::from_secs(10);
/// Accounts whose deposits are written concurrently.
const ACCOUNTS_AT_ONCE: usize = 32;
/// How long a deposit may wait for a block: as long as the mempool of Bitcoin Core keeps a transaction.
const SEEN_FOR: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// How long a block whose deposits are written may wait for the tip to move over it. After that its queue
/// checks it.
const UNTIL_APPLIED: Duration = Duration::from_secs(5 * 60);
/// How long the row of a block with late deposits is kept.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Index and sats of an output.
type Output = (u32, u64);

/// A block whose deposits are not all written or not all taken back, or that the tip has not moved over yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DepositBlock {
    /// Its height.
    height: u32,
    /// The worker's queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watch: Option<Watch>,
    /// When the worker next processes the row.
    due_at: Timestamp,
    /// The worker's note while it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing: Option<Failing>,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for DepositBlock {
    const ENTITY: &'static str = "depositBlock";
}

fields!(DepositBlock { WATCH: Option<Watch> = watch, DUE_AT: Timestamp = due_at });

/// A block whose deposits are written while the tip is still below it, or taken back once it is. If the worker
/// dies in between, the queue brings the deposits to where the tip is.
#[must_use]
pub(crate) struct NotedBlock {
    hash: BlockHash,
    due_at: Timestamp,
}

/// Records the deposits in a block. Those that cannot be recorded soon are queued.
///
/// # Errors
/// [`ChainError::Store`] if the deposits cannot be recorded and the block cannot be queued either.
pub(crate) async fn apply(app: &App, block: &Block) -> Result<Option<NotedBlock>, ChainError> {
    let id = BlockId { height: block.height, hash: block.id };
    let mut noted = None;
    let work = async {
        let (found, unread) = found_in(app, block).await?;
        if !found.is_empty() {
            noted = Some(note(app, id).await?);
        }
        record_found(app, block, (found, unread)).await
    };
    match or_queue(app, id, Box::pin(work)).await? {
        Written::Now => Ok(noted),
        Written::Later => Ok(None),
    }
}

/// Queues a block before its deposits are written. If a worker that died has queued it already, nothing is
/// written, so that each attempt gets further.
async fn note(app: &App, block: BlockId) -> Result<NotedBlock, ChainError> {
    let known = app.store.get::<DepositBlock>(&keys::chain_deposit_block(block.hash)).await?;
    let due_at = match known.filter(|known| known.watch.is_some()) {
        Some(known) => known.due_at,
        None => {
            let due_at = app.clock.now().plus(UNTIL_APPLIED);
            queue(app, block, due_at).await?;
            due_at
        }
    };
    Ok(NotedBlock { hash: block.hash, due_at })
}

/// Takes a block out of the queue once the tip has moved over it.
///
/// # Errors
/// [`ChainError::Contended`] if concurrent writes prevented every attempt; [`ChainError::Store`] if the store
/// fails.
pub(crate) async fn forget(app: &App, noted: &NotedBlock) -> Result<(), ChainError> {
    let done = Update::new().remove(DepositBlock::WATCH);
    let done = done.if_equal(DepositBlock::DUE_AT, noted.due_at);
    let writes = Writes::new().update(&keys::chain_deposit_block(noted.hash), done, ());
    match app.store.commit(writes).await {
        // The queue has processed it already.
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(CommitError::Contended) => Err(ChainError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

/// Takes back the deposits of a block that the tip has left. Those that cannot be taken back soon are queued.
///
/// # Errors
/// [`ChainError::Store`] if the deposits cannot be taken back and the block cannot be queued either.
pub(crate) async fn take_back(app: &App, block: BlockId) -> Result<(), ChainError> {
    or_queue(app, block, Box::pin(take_back_block(app, block))).await.map(drop)
}

/// Queues a block that the tip is about to leave, for a time when no run records deposits in it any more. An
/// existing mark is replaced, because the run that made it may clear it.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub(crate) async fn note_leaving(app: &App, block: BlockId) -> Result<(), ChainError> {
    let known = match app.store.get(&keys::chain_deposit_block(block.hash)).await {
        // A mark that cannot be read is replaced too. Otherwise no block below this one could be taken back.
        Err(StoreError::Row(_)) => None,
        known => known?,
    };
    let due_at = app.clock.now().plus(UNTIL_APPLIED);
    let after_known = known.map(|known: DepositBlock| known.due_at.plus(Duration::from_millis(1)));
    queue(app, block, after_known.map_or(due_at, |after| after.max(due_at))).await
}

/// When the deposits of a block are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Now,
    Later,
}

async fn or_queue(
    app: &App,
    block: BlockId,
    work: impl Future<Output = Result<(), ChainError>>,
) -> Result<Written, ChainError> {
    let cause = match timeout(PATIENCE, app.outbound.within_budget(work)).await {
        Ok(Ok(())) => return Ok(Written::Now),
        Ok(Err(error)) => error.internal(),
        Err(_elapsed) => "not done in time".to_owned(),
    };
    tracing::warn!(height = block.height, cause, "the deposits of a block wait in their queue");
    queue(app, block, app.clock.now()).await?;
    Ok(Written::Later)
}

async fn queue(app: &App, block: BlockId, due_at: Timestamp) -> Result<(), ChainError> {
    let queued = DepositBlock {
        height: block.height,
        watch: Some(Watch::DepositBlock),
        due_at,
        failing: None,
        expires_at: app.clock.now().plus(KEPT).seconds(),
    };
    Ok(app.store.put(&keys::chain_deposit_block(block.hash), &queued).await?)
}

/// Records the deposits in a block, several accounts concurrently. An account whose deposits are recorded
/// already costs one read.
async fn record_block(app: &App, block: &Block) -> Result<(), ChainError> {
    record_found(app, block, found_in(app, block).await?).await
}

async fn record_found(
    app: &App,
    block: &Block,
    (found, unread): (BTreeMap<AccountId, Paid>, Option<ChainError>),
) -> Result<(), ChainError> {
    if found.is_empty() {
        return unread.map_or(Ok(()), Err);
    }
    tracing::info!(height = block.height, accounts = found.len(), "a block pays accounts");
    let id = BlockId { height: block.height, hash: block.id };
    let records = found.into_iter().map(|(account, paid)| async move {
        if !paid.deposits.is_empty() {
            deposits::record(&app.store, account, paid.deposits, id).await?;
        }
        renewals::arrived(app, (account, &paid.address), block.id).await
    });
    all_of(records).await?;
    unread.map_or(Ok(()), Err)
}

async fn take_back_block(app: &App, block: BlockId) -> Result<(), ChainError> {
    let mut failure = None;
    for (low, high) in keys::chain_block_deposits_of_all(block.hash) {
        let range = app.store.readable_range((&low, &high), None).await?;
        let (rows, malformed): (Vec<AppliedDeposits>, _) = range;
        let taken = rows.into_iter().map(|applied| async move {
            deposits::take_back(&app.store, &applied, block.hash).await
        });
        // A row that fails does not keep the others from being taken back.
        let done = all_of(taken).await;
        failure = failure.or(done.err()).or(malformed.map(Into::into));
    }
    failure.map_or(Ok(()), Err)
}

/// Runs all of the work, several items concurrently, whether or not others fail.
///
/// # Errors
/// The first failure.
async fn all_of(
    work: impl Iterator<Item = impl Future<Output = Result<(), ChainError>>>,
) -> Result<(), ChainError> {
    let done: Vec<_> = stream::iter(work).buffer_unordered(ACCOUNTS_AT_ONCE).collect().await;
    done.into_iter().collect()
}

/// What a block pays to an account.
#[derive(Debug, Default)]
struct Paid {
    /// The trading address.
    address: String,
    /// Without change from the account's own transactions and payouts of mints, which have events of their
    /// own.
    deposits: Vec<FoundDeposit>,
}

/// The accounts that a block pays, and the error of a row that hides a payment: the block stays in its queue until the
/// row can be read.
async fn found_in(
    app: &App,
    block: &Block,
) -> Result<(BTreeMap<AccountId, Paid>, Option<ChainError>), ChainError> {
    let outputs = app.esplora.script_hash_outputs(block).await?;
    let scripts = outputs.iter().flat_map(|(_, outputs)| outputs).map(|output| &output.script);
    let (owners, mut unread) = owners_of(app, scripts).await?;
    if owners.is_empty() {
        return Ok((BTreeMap::new(), unread));
    }
    // The outputs to one address in one transaction, in the order of the block.
    let mut paid: Vec<(Txid, ScriptBuf, Vec<Output>)> = Vec::new();
    for (txid, outputs) in outputs {
        let mut by_script: BTreeMap<ScriptBuf, Vec<Output>> = BTreeMap::new();
        for output in outputs.into_iter().filter(|output| owners.contains_key(&output.script)) {
            by_script.entry(output.script).or_default().push((output.vout, output.sats));
        }
        paid.extend(by_script.into_iter().map(|(script, outputs)| (txid, script, outputs)));
    }
    let rows = paid.iter().map(|(txid, ..)| keys::transaction(*txid)).collect();
    let rows = read_each::<IssuedTransaction>(app, rows).await?;
    let mut found: BTreeMap<AccountId, Paid> = BTreeMap::new();
    for ((txid, script, outputs), own) in paid.into_iter().zip(rows) {
        let Some((account, address)) = owners.get(&script) else { continue };
        let of_account = found.entry(*account).or_default();
        of_account.address.clone_from(address);
        let may_pay = match own.transpose() {
            Ok(row) => row.is_none_or(|row| deposits::may_pay(&row, *account)),
            Err(error) => {
                // It is most likely the change of the account's own transaction.
                tracing::error!(%txid, %error, "a transaction of the service cannot be read; its payment waits");
                unread = Some(error.into());
                false
            }
        };
        if may_pay {
            of_account.deposits.extend(FoundDeposit::in_transaction(txid, outputs));
        }
    }
    Ok((found, unread))
}

/// The accounts whose trading addresses these scripts are, and the addresses; and the error of an owner that cannot be
/// read.
async fn owners_of<'a>(
    app: &App,
    scripts: impl Iterator<Item = &'a ScriptBuf>,
) -> Result<(BTreeMap<ScriptBuf, (AccountId, String)>, Option<ChainError>), ChainError> {
    let address = |script: &ScriptBuf| Address::from_script(script, app.network).ok();
    let addresses: BTreeMap<_, _> =
        scripts.filter_map(|script| Some((script, address(script)?.to_string()))).collect();
    let keys = addresses.values().map(|address| keys::trading_address(address)).collect();
    let (mut owners, mut unread) = (BTreeMap::new(), None);
    for ((script, address), owner) in
        addresses.into_iter().zip(read_each::<UniqueOwner>(app, keys).await?)
    {
        match owner.transpose() {
            Ok(Some(owner)) => {
                owners.insert(script.clone(), (owner.account_id, address));
            }
            Ok(None) => {}
            Err(error) => {
                tracing::error!(address, %error, "the owner of a trading address cannot be read");
                unread = Some(error.into());
            }
        }
    }
    Ok((owners, unread))
}

/// Records the deposits of a queued block, or takes them back if it is no longer in the chain.
pub(crate) async fn process_block(app: App, key: Key) -> Result<RowOutcome, ChainError> {
    let row = app.store.get::<DepositBlock>(&key).await?.filter(|row| row.watch.is_some());
    let hash = key.pk().strip_prefix("chain#").and_then(|hash| hash.parse().ok());
    let Some((row, hash)) = row.zip(hash) else { return Ok(RowOutcome::default()) };
    let id = BlockId { height: row.height, hash };
    let Some(is_applied) = is_applied(&app, id).await? else {
        // The next block at its height decides.
        return Ok(RowOutcome { failing: row.failing, waits: None });
    };
    if is_applied {
        let blocks = app.esplora.linked_blocks(row.height).await?;
        let block = blocks.first().filter(|block| block.id == hash);
        Box::pin(record_block(&app, block.ok_or(ChainError::ChainMoved)?)).await?;
    }
    // The block may have been taken back in the meantime.
    if self::is_applied(&app, id).await? != Some(true) {
        take_back_block(&app, id).await?;
    }
    let done = Update::new().remove(DepositBlock::WATCH);
    app.store.update(&key, done.if_equal(DepositBlock::DUE_AT, row.due_at)).await?;
    Ok(RowOutcome { failing: row.failing, waits: None })
}

/// Whether a block is among those that the worker has applied; `None` if no block of its height is.
async fn is_applied(app: &App, block: BlockId) -> Result<Option<bool>, ChainError> {
    let tip = blocks::tip(&app.store).await?.filter(|tip| tip.height >= block.height);
    // A block that is not remembered is too deep to be replaced.
    Ok(tip.map(|tip| tip.hash_at(block.height).is_none_or(|hash| hash == block.hash)))
}

/// Checks a deposit that was announced, or whose block is no longer in the chain.
pub(crate) async fn process_row(app: App, key: Key) -> Result<RowOutcome, ChainError> {
    let now = app.clock.now();
    let row = app.store.get::<Deposit>(&key).await?;
    // The index lags behind the rows.
    let Some(row) = row.filter(|row| row.watch.is_some() && row.due_at <= now) else {
        return Ok(RowOutcome::default());
    };
    let failing = row.failing.clone();
    match row.state {
        DepositState::Awaited => look_for(&app, &row, now).await?,
        DepositState::Seen => look_after(&app, &row, now).await?,
        DepositState::Confirmed | DepositState::Final | DepositState::Gone => {}
    }
    Ok(RowOutcome { failing, waits: None })
}

/// Looks for a transaction that was announced.
async fn look_for(app: &App, row: &Deposit, now: Timestamp) -> Result<(), ChainError> {
    let Some(awaits) = row.awaits.as_ref().filter(|awaits| awaits.until > now) else {
        return deposits::end(&app.store, row).await;
    };
    let address = awaits.address.parse::<Address<_>>();
    let address = address.map(Address::assume_checked);
    let address = address.map_err(|_| ChainError::Damaged("a deposit has no address"))?;
    let script = address.script_pubkey();
    match deposits::look_up(app, row.account_id, row.txid, &script).await? {
        Announced::Unknown => deposits::look_later(&app.store, row, true).await,
        Announced::PaysNothing | Announced::Own => deposits::end(&app.store, row).await,
        Announced::Pays(found, block) => {
            deposits::record_announced(&app.store, row.account_id, found, block).await.map(drop)
        }
    }
}

/// Checks a deposit that waits for a block. A single answer that its transaction is unknown does not end it,
/// since a server may lag.
async fn look_after(app: &App, row: &Deposit, now: Timestamp) -> Result<(), ChainError> {
    let status = app.esplora.status(row.txid).await?;
    let block = status.and_then(|status| status.block());
    if let (Some(block), Some((vout, sats))) = (block, row.vout.zip(row.sats)) {
        let found = FoundDeposit { txid: row.txid, number: row.number, vout, sats, more: row.more };
        let account = row.account_id;
        let rows =
            deposits::record_announced(&app.store, account, vec![found], Some(block)).await?;
        if rows.iter().all(|row| row.state == DepositState::Confirmed) {
            return Ok(());
        }
    }
    let is_old = row.seen_at.is_none_or(|at| at.plus(SEEN_FOR) <= now);
    match status {
        None if row.missed || is_old => deposits::end(&app.store, row).await,
        status => deposits::look_later(&app.store, row, status.is_none()).await,
    }
}
