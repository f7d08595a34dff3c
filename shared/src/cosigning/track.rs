//! Tracking: what has become of an issued transaction, until the chain has decided for good.

use std::{collections::HashSet, time::Duration};

use super::{
    CosigningError, IssuedTransaction,
    cosign::cosign,
    effects::{self, Step},
    outcome,
    row::{Blocked, BlockedBy, Hold, Orphaned},
    sign::load,
    versions::other_versions,
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
/// Blocks for which a coin must be gone until its transaction has failed: a day.
const ORPHANED_FOR: u32 = 144;
/// Looks that must have missed it in that time, each of them.
const ORPHANED_LOOKS: u32 = 12;
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
            Err(error) => not_signed(app, row, error).await,
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

/// What follows from it that the platform does not sign: where a service is down, another look; where
/// the transaction is not to be signed, a note that says so, by which the next version of it can take
/// its place. Its coins stay its own until the chain has spent one of them (custody rule 7).
async fn not_signed(
    app: &App,
    row: &IssuedTransaction,
    error: CosigningError,
) -> Result<(), CosigningError> {
    let by = match error {
        CosigningError::GaveWay => {
            let gave_way = row.transition(TransactionState::Replaced)?;
            return commit(app, row, gave_way.set("dueAt", app.clock.now().plus(WAITING))).await;
        }
        CosigningError::NotPermitted => BlockedBy::Permission,
        CosigningError::CoinsChanged
        | CosigningError::CoinsNotReady
        | CosigningError::Unreadable(_) => BlockedBy::Promise,
        // A service is down, or it is a mistake of the code.
        error => return Err(error),
    };
    tracing::error!(txid = %row.txid, ?by, "the platform does not sign a transaction of its own");
    let looks = row.blocked.map_or(0, |blocked| blocked.looks).saturating_add(1);
    give_up_if_spent(app, row, Update::new().set("blocked", Blocked { by, looks })).await
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
            give_up_if_spent(app, row, Update::new()).await
        }
    }
}

/// Notes that the network has it.
async fn accepted(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let accepted = row.transition(TransactionState::InMempool)?;
    let now = app.clock.now();
    let accepted = accepted.set("dueAt", now.plus(WAITING)).remove("blocked").remove("orphaned");
    let accepted = accepted.set("waitsSince", row.waits_since.unwrap_or(now));
    step(app, row, accepted, Step::Accepted).await.map(drop)
}

/// Compares a transaction that gave its place to another one with the chain: it is not sent any
/// more, but somebody may have kept it.
async fn follow_replaced(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    let status = app.esplora.status(row.txid).await?;
    match status.map(|status| status.block()) {
        Some(Some(block)) => confirmed(app, row, block).await,
        Some(None) => later(app, row).await,
        None => give_up_if_spent(app, row, Update::new()).await,
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
            let waiting = waiting.set("waitsSince", app.clock.now());
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
    let update = update.remove("waitsSince").remove("orphaned");
    // What rests on a confirmation is noted before what rests on its depth.
    if !is_final || is_new {
        let next = if is_final { app.clock.now() } else { app.clock.now().plus(WAITING) };
        return step(app, row, update.set("dueAt", next), Step::Confirmed(block)).await.map(drop);
    }
    step(app, row, update.remove("watch"), Step::Final(block)).await.map(drop)
}

/// Ends a transaction that can never confirm, and lets its coins go (custody rule 7): where a final
/// transaction spends one of them, or where one is gone for a day. `noted` is written with the look
/// otherwise.
///
/// A coin is gone where the transaction that made it is in no block and no mempool any more, since a
/// reorganisation took it back and another one spends its inputs. Of such a coin Esplora says that it
/// is unspent, so the transaction is asked for. One sighting of it, on any server, starts the day
/// again, so a server that lags ends nothing.
///
/// Letting a user's other coins go is safe, although the lost transaction could come back, and this one
/// with it: he alone pays twice if he sends both. What the platform pays alone keeps its coins while one
/// of them is there: its next version takes them over, and conflicts with it.
async fn give_up_if_spent(
    app: &App,
    row: &IssuedTransaction,
    noted: Update,
) -> Result<(), CosigningError> {
    let (mut parents, mut is_orphaned, mut has_coins) = (HashSet::new(), false, false);
    for &coin in &row.inputs {
        let outspend = app.esplora.outspend(coin).await?;
        let Some(spender) = outspend.filter(|outspend| outspend.spent) else {
            let parent = coin.0.txid;
            if parents.insert(parent) {
                let is_gone = app.esplora.status(parent).await?.is_none();
                (is_orphaned, has_coins) = (is_orphaned || is_gone, has_coins || !is_gone);
            }
            continue;
        };
        has_coins = true;
        let is_other = spender.txid.is_some_and(|txid| txid != row.txid);
        let Some(block) = spender.status.and_then(|status| status.block()) else { continue };
        if is_other && app.esplora.is_buried(block, FINAL).await? {
            return fail(app, row, noted).await;
        }
    }
    if !is_orphaned {
        return put_off(app, row, noted.remove("orphaned")).await;
    }
    let tip = app.esplora.tip_height().await?;
    let mut orphaned = row.orphaned.unwrap_or(Orphaned { since: tip, looks: 0 });
    orphaned.looks = orphaned.looks.saturating_add(1);
    let noted = noted.set("orphaned", orphaned);
    let missed_for = tip.saturating_sub(orphaned.since);
    let keeps_coins = row.account_id.is_none() && has_coins;
    if missed_for >= ORPHANED_FOR && orphaned.looks >= ORPHANED_LOOKS && !keeps_coins {
        return fail(app, row, noted).await;
    }
    tracing::warn!(txid = %row.txid, blocks = missed_for, "a coin of a transaction is gone");
    put_off(app, row, noted).await
}

/// Notes that a transaction can never confirm. Another version of the work that can takes its place
/// again (custody rule 25), and each coin that another version spends is that one's again; the others
/// are free (custody rule 7).
async fn fail(app: &App, row: &IssuedTransaction, noted: Update) -> Result<(), CosigningError> {
    let failed = row.transition_with(noted, TransactionState::Failed)?.remove("watch");
    let failed = match row.replaced_by {
        Some(_) => failed,
        None => failed.if_absent("replacedBy"),
    };
    let others = other_versions(app, row).await?;
    let heir = heir(row, &others);
    let also = effects::of(app, row, Step::Failed { heir }).await?;
    let succeeds = match heir {
        Some(heir) => Some((Key::transaction(heir.txid), take_place_again(app, heir)?)),
        None => None,
    };
    // Those that a replacement spends are held by that.
    let keys = row.inputs.iter().map(|&coin: &OutPoint| (coin, Key::spend(coin)));
    let (coins, keys): (Vec<_>, Vec<_>) = keys.unzip();
    let holds = app.store.get_many::<Hold>(&keys).await?;
    let is_own = |hold: &Option<Hold>| hold.as_ref().is_some_and(|hold| hold.txid == row.txid);
    let own = coins.iter().zip(&keys).zip(&holds).filter(|(_, hold)| is_own(hold));
    let own: Vec<_> = own
        .map(|((coin, key), _)| {
            let spends = others.iter().find(|version| version.inputs.contains(coin));
            (key, spends.map(|version| Hold { txid: version.txid, expires_at: None }))
        })
        .collect();
    let draft = || {
        let rows = Transaction::new(&app.store)
            .update(&Key::transaction(row.txid), failed.clone(), ())
            .and(also());
        let rows = match &succeeds {
            Some((key, update)) => rows.update(key, update.clone(), ()),
            None => rows,
        };
        own.iter().fold(rows, |rows, (key, hold)| {
            let as_read = Update::new().if_equal("txid", row.txid);
            match hold {
                Some(hold) => rows.replace(key, hold, as_read, ()),
                None => rows.delete(key, as_read, ()),
            }
        })
    };
    match outcome(app.store.commit(draft).await)? {
        Ok(()) => Ok(()),
        Err(()) => later(app, row).await,
    }
}

/// The version that takes the place of one that fails: the newest that can still confirm, where the
/// failed one was the newest, or had the place. `others` begins with the newest.
fn heir<'a>(
    failed: &IssuedTransaction,
    others: &'a [IssuedTransaction],
) -> Option<&'a IssuedTransaction> {
    let was_newest = failed.replaced_by.is_none();
    let had_the_place = failed.state != TransactionState::Replaced
        && others.iter().all(|version| version.state == TransactionState::Replaced);
    others.first().filter(|_| was_newest || had_the_place)
}

/// The change by which a version takes the place of its work again. One that had given way is sent
/// again; no other one replaces it.
fn take_place_again(app: &App, heir: &IssuedTransaction) -> Result<Update, CosigningError> {
    let update = match heir.state {
        TransactionState::Replaced => {
            let next = match heir.raw {
                Some(_) => TransactionState::Broadcasting,
                None => TransactionState::Signing,
            };
            heir.transition(next)?.set("dueAt", app.clock.now())
        }
        _ => Update::new().if_version(heir.version),
    };
    Ok(update.remove("replacedBy"))
}

/// Another look, later each time.
async fn later(app: &App, row: &IssuedTransaction) -> Result<(), CosigningError> {
    put_off(app, row, Update::new()).await
}

/// The same, with a note.
async fn put_off(app: &App, row: &IssuedTransaction, noted: Update) -> Result<(), CosigningError> {
    let doubled = 1_u32.checked_shl(row.looks.min(8)).unwrap_or(u32::MAX);
    let pause = FIRST_LOOK.saturating_mul(doubled).min(LONGEST);
    // One that was replaced can confirm as well, and takes its place back then (custody rule 3).
    let pause = match row.state {
        TransactionState::InMempool | TransactionState::Confirmed | TransactionState::Replaced => {
            WAITING
        }
        _ => pause,
    };
    let update = noted
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
    step: Step<'_>,
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
