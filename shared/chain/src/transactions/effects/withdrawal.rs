//! Cross-chain withdrawals.
//!
//! The hub learns of exactly one version of a withdrawal. If the user cannot spend the coins alone yet, the
//! hub learns of it as soon as it is in the mempool; a later version is then the same withdrawal at a higher
//! fee, under the id that the hub knows. Otherwise the hub learns of the confirmed version.

use base::span::Context;
use bitcoin::Txid;
use shared::models::{bitcoin::BitcoinToken, watch::Watch};
use store::{Update, Writes};

use super::{
    event::Event,
    rows::{earlier_give_way, enter_lists},
};
use crate::{
    BitcoinContext, keys,
    models::{
        transaction::{TransactionState, Work},
        xchain::{Withdrawal, XchainRecord, XchainStatus},
    },
    transactions::{ChainError, FullTransaction, IssuedTransaction, Refusal, issued::load},
    xchain::lists_of,
};

/// A user counts as able to spend a coin alone from this many blocks before the end of its delay: a day.
const ALONE_WITHIN: u32 = 144;

async fn record_of(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<XchainRecord, ChainError> {
    let record = app.store.get::<XchainRecord>(&keys::xchain_withdrawal(issued.txid)).await?;
    record.ok_or(ChainError::Damaged("a withdrawal's record is missing"))
}

/// Replaces the record as it was read.
fn change_record(before: &XchainRecord, txid: Txid, after: XchainRecord) -> Writes<Refusal> {
    let after = XchainRecord { version: before.version.saturating_add(1), ..after };
    let as_read = Update::new().if_equal(XchainRecord::VERSION, before.version);
    let rows =
        Writes::new().replace(&keys::xchain_withdrawal(txid), &after, as_read, Refusal::Changed);
    rows.and(after.tell(Some(before.status)))
}

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted => when_accepted(app, issued).await,
        Event::Confirmed(_) => when_confirmed(app, issued).await,
        Event::Failed { heir } => when_failed(app, issued, heir).await,
        Event::Expired | Event::Reorganised | Event::Dropped | Event::Final(_) => Ok(Writes::new()),
    }
}

/// Relays an unconfirmed withdrawal if its user cannot take the coins back.
async fn when_accepted(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let record = record_of(app, issued).await?;
    let rows = earlier_give_way(app, issued).await?;
    Ok(match is_untold(&record) && may_relay_unconfirmed(app, issued, &record).await? {
        true => rows.and(schedule_relay(app, issued, &record)),
        false => rows,
    })
}

/// The step at which a withdrawal fails if its Bitcoin transaction can never confirm.
const ON_BITCOIN: &str = "bitcoin";

/// Relays the withdrawal when it confirms, at the latest, even if its record had already failed on Bitcoin.
async fn when_confirmed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let record = record_of(app, issued).await?;
    let has_failed = record.status == XchainStatus::Failed;
    if has_failed && record.failed_at_step.as_deref() == Some(ON_BITCOIN) {
        let revived = record.clone().revived(app.clock.now());
        return Ok(change_record(&record, issued.txid, revived));
    }
    Ok(if is_untold(&record) { schedule_relay(app, issued, &record) } else { Writes::new() })
}

fn is_untold(record: &XchainRecord) -> bool {
    record.status == XchainStatus::Pending && record.watch.is_none()
}

/// Schedules the relay as the worker's next step.
fn schedule_relay(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    record: &XchainRecord,
) -> Writes<Refusal> {
    let (watch, due_at) = (Some(Watch::Withdrawal), app.clock.now());
    change_record(record, issued.txid, XchainRecord { watch, due_at, ..record.clone() })
}

/// Marks this version's record as failed. If another version becomes active again, that record no longer
/// names a replacement.
async fn when_failed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    heir: Option<&FullTransaction>,
) -> Result<Writes<Refusal>, ChainError> {
    let record = record_of(app, issued).await?;
    let mut rows = Writes::new();
    if !record.status.is_final() {
        let reason = match issued.replaced_by {
            Some(next) => format!("Bitcoin transaction {next} has replaced it."),
            None => "The Bitcoin transaction can never confirm.".to_owned(),
        };
        let failed = record.clone().failed(ON_BITCOIN, reason, app.clock.now());
        rows = rows.and(change_record(&record, issued.txid, failed));
    }
    if let Some(heir) = heir {
        let record = record_of(app, &heir.row).await?;
        let again = XchainRecord { replaced_by_tx_id: None, ..record.clone() };
        rows = rows.and(change_record(&record, heir.row.txid, again));
    }
    Ok(rows)
}

/// Whether an unconfirmed withdrawal may be relayed.
async fn may_relay_unconfirmed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    record: &XchainRecord,
) -> Result<bool, ChainError> {
    // The hub already knows this withdrawal by its first version.
    if record.hub_tx_id.is_some() {
        return Ok(true);
    }
    // If there are several versions, only the confirmed one is relayed.
    if issued.replaces.is_some() || record.replaced_by_tx_id.is_some() {
        return Ok(false);
    }
    coins_need_platform_for_a_day(app, issued).await
}

/// Whether every coin of a withdrawal needs the platform's signature for at least another day.
async fn coins_need_platform_for_a_day(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<bool, ChainError> {
    let Some(alone_from) = issued.user_only_from else { return Ok(true) };
    let tip = app.esplora.tip_height().await?;
    Ok(tip.saturating_add(ALONE_WITHIN) < alone_from)
}

/// Whether the hub may know a withdrawal.
fn may_be_known_to_hub(record: &XchainRecord) -> bool {
    record.watch.is_some()
        || record.status != XchainStatus::Pending
        || record.intent_tx_hash.is_some()
        || record.hub_tx_id.is_some()
}

/// Whether this request can replace the account's withdrawal now: it is in the mempool or refused by the
/// network, it is unconfirmed, and the hub does not rely on different parameters.
///
/// # Errors
/// [`ChainError::Damaged`] if the withdrawal's record is missing; [`ChainError::Store`] if the store fails.
pub async fn may_replace_withdrawal(
    app: &BitcoinContext,
    before: &IssuedTransaction,
    by: &Withdrawal,
) -> Result<bool, ChainError> {
    let waits = match before.state {
        TransactionState::InMempool => true,
        TransactionState::Broadcasting => before.can_be_replaced(),
        _ => false,
    };
    Ok(waits && may_give_way(app, before, &record_of(app, before).await?, by))
}

/// Blocks for which the coins of a replacement must still need the platform's signature, since the hub relies
/// on a withdrawal relayed before its confirmation.
///
/// # Errors
/// As [`may_replace_withdrawal`].
pub async fn blocks_left_to_replace(
    app: &BitcoinContext,
    before: &IssuedTransaction,
) -> Result<u32, ChainError> {
    let is_told = may_be_known_to_hub(&record_of(app, before).await?);
    Ok(if is_told { ALONE_WITHIN.saturating_add(1) } else { 0 })
}

/// Whether the hub allows that another withdrawal replaces this one.
fn may_give_way(
    app: &BitcoinContext,
    before: &IssuedTransaction,
    record: &XchainRecord,
    by: &Withdrawal,
) -> bool {
    // The commitment is the hash of the data by which the hub recognises the withdrawal in another
    // transaction.
    let has_commitment = by.token_id == BitcoinToken::Btc || app.second_op_return;
    let is_same = matches!(&before.work, Work::XchainWithdraw(before) if before.asks_the_same(by));
    is_same && has_commitment || !may_be_known_to_hub(record)
}

/// If the hub may know a withdrawal, only an identical one may replace it, so that the hub finds its data in
/// the chain. From this signature on, no unconfirmed version is relayed.
pub(super) async fn when_claimed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Withdrawal,
) -> Result<Writes<Refusal>, ChainError> {
    let Some(replaced) = issued.replaces else { return Ok(Writes::new()) };
    let before = load(app, replaced).await?;
    let before = before.ok_or(ChainError::Damaged("the earlier version is missing"))?;
    let record = record_of(app, &before).await?;
    if !may_give_way(app, &before, &record, work) {
        return Err(ChainError::CoinsChanged);
    }
    // With a coin that the user can spend alone, the user could cancel the withdrawal that the hub relies on.
    if may_be_known_to_hub(&record) && !coins_need_platform_for_a_day(app, issued).await? {
        return Err(ChainError::CoinsChanged);
    }
    let named = XchainRecord { replaced_by_tx_id: Some(issued.txid), ..record.clone() };
    Ok(change_record(&record, replaced, named))
}

/// Adds a withdrawal to the lists once it is signed.
pub(super) async fn when_signed(
    app: &BitcoinContext,
    FullTransaction { row: issued, body }: &FullTransaction,
    withdrawal: &Withdrawal,
    rows: &Writes<Refusal>,
) -> Result<bool, ChainError> {
    let (Some(account), Some(wallet)) = (issued.account_id, &body.wallet) else {
        return Err(ChainError::Damaged("a withdrawal has no account"));
    };
    let trading_address = wallet.address.clone();
    let record = XchainRecord::of_withdrawal(account, issued.txid, trading_address, withdrawal);
    let mut record = record.map_err(ChainError::Damaged)?;
    record.trace_parent = Context::current_parent();
    if let Some(replaced) = issued.replaces {
        let before = load(app, replaced).await?;
        let before = before.ok_or(ChainError::Damaged("the earlier version is missing"))?;
        let before = record_of(app, &before).await?;
        record.hub_tx_id =
            may_be_known_to_hub(&before).then(|| before.hub_tx_id.unwrap_or(replaced));
        record.replace_tx_id = Some(replaced);
    }
    let member = record.key().map_err(ChainError::Damaged)?;
    let mut lists = lists_of(&record);
    lists.push(keys::lists::transactions(account));
    enter_lists(app, &lists, |at| {
        let record = record.clone().begun(at);
        let rows = rows.clone();
        let rows = rows.insert(&keys::xchain(member), &record, Refusal::Moved);
        (rows.and(record.tell(None)), member)
    })
    .await
}
