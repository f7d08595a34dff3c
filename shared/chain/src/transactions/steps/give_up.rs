//! Ends a transaction that can never confirm.

use std::collections::BTreeSet;

use futures_util::{StreamExt, TryStreamExt, stream};
use store::{Update, Writes};

use crate::{
    BitcoinContext, keys,
    models::transaction::{FINAL, TransactionState},
    transactions::{
        ChainError, FullTransaction, IssuedTransaction, Refusal, TransactionBody,
        body::body,
        effects::{self, Event},
        holds,
        issued::Orphaned,
        row::{commit, look_again_later},
        versions::other_versions,
    },
};

/// For how many blocks a coin must be gone before its transaction fails: a day.
const ORPHANED_FOR: u32 = 144;
/// How many checks in a row must have missed the coin in that time.
const ORPHANED_LOOKS: u32 = 12;
/// About how many coins Esplora is asked concurrently.
const AT_ONCE: usize = 16;

/// Ends a transaction that can never confirm, and releases its coins (custody rule 7): a final transaction
/// spends one of them, or one has been gone for a day. Otherwise it postpones the next check and writes
/// `noted` with it.
///
/// A coin is gone if the transaction that created it is no longer in any block or mempool, because a
/// reorganisation removed it and another transaction spends its inputs. Esplora still reports such a coin as
/// unspent, so this function looks up the transaction that created it. If any server sees that transaction
/// once, the day starts again, so a lagging server ends nothing.
///
/// Releasing a user's other coins is safe, although the lost transaction could return and this one with it:
/// only the user would then pay twice, by sending both. A transaction that the platform pays alone keeps its
/// remaining coins: its next version takes them over and conflicts with it.
pub(super) async fn give_up_if_spent(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    noted: Update<IssuedTransaction>,
) -> Result<(), ChainError> {
    let (mut parents, mut is_orphaned, mut has_coins) = (BTreeSet::new(), false, false);
    let body = body(app, issued.txid).await?;
    // A transfer may have dozens of coins.
    let outspends = body.inputs.clone().into_iter();
    let outspends = outspends.map(|coin| async move { app.esplora.outspend(coin).await });
    let outspends: Vec<_> = stream::iter(outspends).buffered(AT_ONCE).try_collect().await?;
    for (coin, outspend) in body.inputs.iter().zip(outspends) {
        let Some(spender) = outspend.filter(|outspend| outspend.spent) else {
            parents.insert(coin.0.txid);
            continue;
        };
        has_coins = true;
        let is_other = spender.txid.is_some_and(|txid| txid != issued.txid);
        let Some(block) = spender.status.and_then(|status| status.block()) else { continue };
        if is_other && app.esplora.is_buried(block, FINAL).await? {
            return fail(app, issued, &body, noted).await;
        }
    }
    let statuses = parents.into_iter();
    let statuses = statuses.map(|parent| async move { app.esplora.status(parent).await });
    let statuses: Vec<_> = stream::iter(statuses).buffered(AT_ONCE).try_collect().await?;
    for status in statuses {
        let is_gone = status.is_none();
        (is_orphaned, has_coins) = (is_orphaned || is_gone, has_coins || !is_gone);
    }
    if !is_orphaned {
        let noted = match issued.orphaned {
            Some(_) => noted.remove(IssuedTransaction::ORPHANED),
            None => noted,
        };
        return look_again_later(app, issued, noted).await;
    }
    let tip = app.esplora.tip_height().await?;
    let mut orphaned = match issued.orphaned {
        Some(orphaned) => orphaned,
        // A server that lags far behind must not let the day begin too early.
        None => Orphaned { since: tip.max(app.ord.height().await?), looks: 0 },
    };
    orphaned.looks = orphaned.looks.saturating_add(1);
    let noted = noted.set(IssuedTransaction::ORPHANED, orphaned);
    let missed_for = tip.saturating_sub(orphaned.since);
    let keeps_coins = issued.account_id.is_none() && has_coins;
    if missed_for >= ORPHANED_FOR && orphaned.looks >= ORPHANED_LOOKS && !keeps_coins {
        return fail(app, issued, &body, noted).await;
    }
    tracing::warn!(txid = %issued.txid, blocks = missed_for, "a coin of a transaction is missing");
    look_again_later(app, issued, noted).await
}

/// Ends a transaction that only the platform signs and that it has never signed, and releases its coins.
///
/// # Errors
/// [`ChainError::AlreadySigned`] if it is signed, or if an account has to sign it; otherwise the error of the
/// write that ends it.
pub async fn end_unsigned(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    let is_unsigned = issued.state == TransactionState::Signing && issued.signed_weight.is_none();
    if issued.account_id.is_some() || !is_unsigned {
        return Err(ChainError::AlreadySigned);
    }
    let body = body(app, issued.txid).await?;
    fail(app, issued, &body, Update::new()).await
}

/// Records that a transaction can never confirm. Another version of the work that still can confirm becomes
/// active again (custody rule 25) and takes over the coins that it spends; the other coins are released
/// (custody rule 7).
async fn fail(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    body: &TransactionBody,
    noted: Update<IssuedTransaction>,
) -> Result<(), ChainError> {
    let now = app.clock.now();
    let failed = issued.transition_with(noted, TransactionState::Failed, now)?;
    let failed = failed.remove(IssuedTransaction::WATCH);
    let failed = match issued.replaced_by {
        Some(_) => failed,
        None => failed.if_absent(IssuedTransaction::REPLACED_BY),
    };
    let others = other_versions(app, issued).await?;
    let heir = heir(issued, &others);
    let key = keys::transaction(issued.txid);
    let mut rows = Writes::new()
        .update(&key, failed, Refusal::Moved)
        .and(issued.tell(TransactionState::Failed))
        .and(effects::writes_for(app, issued, Event::Failed { heir }).await?)
        .and(holds::hand_over(app, body, &others, heir.map(|heir| heir.row.txid)).await?);
    if let Some(heir) = heir {
        let key = keys::transaction(heir.row.txid);
        let (update, next) = reactivate(app, &heir.row)?;
        rows = rows.update(&key, update, Refusal::Moved);
        if next != heir.row.state {
            rows = rows.and(heir.row.tell(next));
        }
    }
    match commit(app, rows).await? {
        true => Ok(()),
        false => look_again_later(app, issued, Update::new()).await,
    }
}

/// The version that becomes active when one fails: the newest that can still confirm, if the failed one was
/// the newest or the active one. `others` begins with the newest.
fn heir<'a>(
    failed: &IssuedTransaction,
    others: &'a [FullTransaction],
) -> Option<&'a FullTransaction> {
    let was_newest = failed.replaced_by.is_none();
    let had_the_place = failed.state != TransactionState::Replaced
        && others.iter().all(|version| version.row.state == TransactionState::Replaced);
    others.first().filter(|_| was_newest || had_the_place)
}

/// The update that makes a version active again, with its new state. A replaced version is signed or
/// broadcast again, and the row no longer names a replacement.
fn reactivate(
    app: &BitcoinContext,
    heir: &IssuedTransaction,
) -> Result<(Update<IssuedTransaction>, TransactionState), ChainError> {
    let now = app.clock.now();
    let (update, next) = match heir.state {
        TransactionState::Replaced => {
            let next = match heir.signed_weight {
                Some(_) => TransactionState::Broadcasting,
                None => TransactionState::Signing,
            };
            (heir.transition(next, now)?.set(IssuedTransaction::DUE_AT, now), next)
        }
        state => (Update::new().if_version(heir.version), state),
    };
    Ok((update.remove(IssuedTransaction::REPLACED_BY), next))
}
