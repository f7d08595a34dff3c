//! Tracking: what has become of an issued transaction, until the chain has decided for good.

use std::time::Duration;

use super::{
    CosigningError, IssuedTransaction,
    cosign::cosign,
    effects::{self, Step},
    outcome,
    row::Hold,
    sign::load,
};
use crate::{
    app::App,
    auth::rate_limit::{self, REFUND_EXPIRY_BY_ACCOUNT},
    bitcoin::esplora::{BlockId, Broadcast},
    http::AreaError,
    models::{
        bitcoin::OutPoint,
        transaction::{TransactionState, Work},
    },
    outbound::{remaining, within_budget},
    store::{Key, Transaction, Update},
};

/// When the worker first looks at what a request may have left half done.
pub(super) const FIRST_LOOK: Duration = Duration::from_secs(30);
/// Between looks at a transaction that waits for a block.
pub(super) const WAITING: Duration = Duration::from_secs(60);
/// The longest time between looks, where looking changes nothing.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Blocks, its own included, that make a confirmation final: a reorganisation of six undoes nothing
/// that rests on it.
pub const FINAL: u32 = 7;
/// Attempts at a step that other rows have a part in.
const ATTEMPTS: u32 = 4;
/// What must be left of a request's time for a broadcast: an answer that comes too late would leave
/// nobody to write it down.
const BROADCAST_NEEDS: Duration = Duration::from_secs(8);

/// Looks at a row, and does what there is to do. Safe to be run twice at once, and to be killed
/// anywhere.
///
/// # Errors
/// [`CosigningError`]; the row is looked at again, later each time.
pub async fn track(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let looked = match row.state {
        TransactionState::Unsigned => expire(app, row).await,
        TransactionState::Signing => match cosign(app, row).await {
            Ok(row) => broadcast(app, &row).await,
            Err(error) => Err(error),
        },
        TransactionState::Broadcasting
        | TransactionState::InMempool
        | TransactionState::Confirmed => follow(app, row).await,
        TransactionState::Replaced => follow_replaced(app, row).await,
        TransactionState::Expired | TransactionState::Failed => Ok(()),
    };
    if let Err(error) = looked {
        tracing::warn!(txid = %row.txid, state = ?row.state, error = error.internal(), "not done");
        // What is due longest comes first: a row that could not be put off would stay there.
        within_budget(later(app, row)).await?;
        return Err(error);
    }
    Ok(())
}

/// Notes that a transaction was not signed in time. Its reservations have ended by themselves.
async fn expire(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    if row.reserved_until > app.clock.now() {
        return later(app, row).await;
    }
    let expired = row.expired(app.clock.now())?;
    if step(app, row, expired, Step::Expired).await? {
        count_unsigned(app, row).await?;
    }
    Ok(())
}

/// Counts a refund that was created for nothing (custody rule 9).
///
/// # Errors
/// [`CosigningError::Store`].
pub(super) async fn count_unsigned(
    app: &App,
    row: &IssuedTransaction,
) -> Result<(), CosigningError> {
    if let (Work::Refund(_), Some(account)) = (&row.work, row.account_id) {
        rate_limit::count(app, REFUND_EXPIRY_BY_ACCOUNT, &account.to_string()).await?;
    }
    Ok(())
}

/// Gives the transaction to the network, and notes that the network has it. Where nobody says so,
/// or the node refuses, the row stays `broadcasting`, and its coins stay its own.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn broadcast(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    if row.state != TransactionState::Broadcasting {
        return Ok(());
    }
    if remaining() < BROADCAST_NEEDS {
        return later(app, row).await;
    }
    match app.esplora.broadcast(&row.transaction()?).await? {
        Broadcast::Accepted => accepted(app, row).await,
        Broadcast::InBlock => later(app, row).await,
        Broadcast::Refused(why) => {
            tracing::warn!(txid = %row.txid, why, "the node refuses a signed transaction");
            give_up_if_spent(app, row).await
        }
    }
}

/// Notes that the network has it.
async fn accepted(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let accepted = row.transition(TransactionState::InMempool)?;
    let accepted = accepted.set("dueAt", app.clock.now().plus(WAITING));
    step(app, row, accepted, Step::Accepted).await.map(drop)
}

/// Compares a transaction that gave its place to another one with the chain: it is not sent any
/// more, but somebody may have kept it.
async fn follow_replaced(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let status = app.esplora.status(row.txid).await?;
    match status.map(|status| status.block()) {
        Some(Some(block)) => confirmed(app, row, block).await,
        Some(None) => later(app, row).await,
        None => give_up_if_spent(app, row).await,
    }
}

/// Compares the row with the chain.
async fn follow(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let status = app.esplora.status(row.txid).await?;
    match (status.map(|status| status.block()), row.state) {
        (Some(Some(block)), _) => confirmed(app, row, block).await,
        (Some(None), TransactionState::InMempool) => later(app, row).await,
        (Some(None), TransactionState::Broadcasting) => accepted(app, row).await,
        (Some(None), _) => {
            let waiting = out_of_block(row, TransactionState::InMempool)?;
            let waiting = waiting.set("dueAt", app.clock.now().plus(WAITING));
            step(app, row, waiting, Step::Waiting).await.map(drop)
        }
        (None, TransactionState::Broadcasting) => broadcast(app, row).await,
        (None, _) => {
            // The mempool dropped it, or a block is no more that had it.
            let lost = out_of_block(row, TransactionState::Broadcasting)?;
            step(app, row, lost.set("dueAt", app.clock.now()), Step::Lost).await.map(drop)
        }
    }
}

/// No block has it any more.
fn out_of_block(
    row: &IssuedTransaction,
    state: TransactionState,
) -> Result<Update, CosigningError> {
    Ok(row.transition(state)?.remove("blockHeight").remove("blockHash"))
}

/// Notes the block that has the transaction, and ends the watch once enough blocks rest on it, in one
/// view of the chain: the height of one server and the tip of another make no depth.
async fn confirmed(
    app: &App,
    row: &IssuedTransaction,
    block: BlockId,
) -> Result<(), CosigningError> {
    let is_final = app.esplora.is_buried(block, FINAL).await?;
    let is_new = row.state != TransactionState::Confirmed || row.block_hash != Some(block.hash);
    let update = if row.state == TransactionState::Confirmed {
        if !is_final && !is_new {
            return later(app, row).await;
        }
        Update::new().if_version(row.version)
    } else {
        row.transition(TransactionState::Confirmed)?
    };
    let update = update.set("blockHeight", block.height).set("blockHash", block.hash);
    // What rests on a confirmation is noted before what rests on its depth.
    if !is_final || is_new {
        let next = if is_final { app.clock.now() } else { app.clock.now().plus(WAITING) };
        return step(app, row, update.set("dueAt", next), Step::Confirmed(block)).await.map(drop);
    }
    step(app, row, update.remove("watch"), Step::Final(block)).await.map(drop)
}

/// Where a final transaction spent one of the coins, this one can never confirm: it has failed, and
/// lets its coins go (custody rule 7).
async fn give_up_if_spent(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    for &coin in &row.inputs {
        let outspend = app.esplora.outspend(coin).await?;
        let Some(spender) = outspend.filter(|outspend| outspend.spent) else { continue };
        let is_other = spender.txid.is_some_and(|txid| txid != row.txid);
        let Some(block) = spender.status.and_then(|status| status.block()) else { continue };
        if is_other && app.esplora.is_buried(block, FINAL).await? {
            return fail(app, row).await;
        }
    }
    later(app, row).await
}

async fn fail(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let failed = row.transition(TransactionState::Failed)?.remove("watch");
    let also = effects::of(app, row, Step::Failed).await?;
    // Those that a replacement spends are held by that.
    let keys: Vec<_> = row.inputs.iter().map(|&coin: &OutPoint| Key::spend(coin)).collect();
    let holds = app.store.get_many::<Hold>(&keys).await?;
    let is_own = |hold: &Option<Hold>| hold.as_ref().is_some_and(|hold| hold.txid == row.txid);
    let own: Vec<_> = keys.iter().zip(&holds).filter(|(_, hold)| is_own(hold)).collect();
    let draft = || {
        let rows = Transaction::new(&app.store)
            .update(&Key::transaction(row.txid), failed.clone(), ())
            .and(also());
        own.iter().fold(rows, |rows, (key, _)| {
            rows.delete(key, Update::new().if_equal("txid", row.txid), ())
        })
    };
    match outcome(app.store.commit(draft).await)? {
        Ok(()) => Ok(()),
        Err(()) => later(app, row).await,
    }
}

/// Another look, later each time.
async fn later(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let doubled = 1_u32.checked_shl(row.looks.min(8)).unwrap_or(u32::MAX);
    let pause = FIRST_LOOK.saturating_mul(doubled).min(LONGEST);
    // One that was replaced can confirm as well, and takes its place back then (custody rule 3).
    let pause = match row.state {
        TransactionState::InMempool | TransactionState::Confirmed | TransactionState::Replaced => {
            WAITING
        }
        _ => pause,
    };
    let update = Update::new()
        .set("dueAt", app.clock.now().plus(pause))
        .set("looks", row.looks.saturating_add(1))
        .if_version(row.version);
    commit(app, row, update).await
}

/// Changes the row, and what the step means to other rows; whether it did. Another worker may have
/// been first.
async fn step(
    app: &App,
    row: &IssuedTransaction,
    update: Update,
    step: Step,
) -> Result<bool, CosigningError> {
    let key = Key::transaction(row.txid);
    for _attempt in 0..ATTEMPTS {
        let also = effects::of(app, row, step).await?;
        let draft = || Transaction::new(&app.store).update(&key, update.clone(), ()).and(also());
        if outcome(app.store.commit(draft).await)?.is_ok() {
            return Ok(true);
        }
        // Or another row has changed meanwhile, such as that of the transaction which gives way.
        if load(app, row.txid).await?.is_none_or(|moved| moved.version != row.version) {
            return Ok(false);
        }
    }
    later(app, row).await.map(|()| false)
}

/// Changes the row, unless another worker did meanwhile.
async fn commit(app: &App, row: &IssuedTransaction, update: Update) -> Result<(), CosigningError> {
    let key = Key::transaction(row.txid);
    let draft = || Transaction::new(&app.store).update(&key, update.clone(), ());
    let _done = outcome(app.store.commit(draft).await)?;
    Ok(())
}
