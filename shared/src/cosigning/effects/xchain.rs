//! Cross-chain withdrawals.
//!
//! The hub hears of one version of a withdrawal and of no other. Where the wallet's user could not
//! spend the coins alone, it hears of it as soon as the network has it; a later version is then the
//! same withdrawal at a higher fee, and goes by the name that the hub knows. Otherwise it hears of the
//! version that a block has.

use super::{
    CosigningError, IssuedTransaction, Refusal, Step, Writes, given_way, nothing, replaced,
};
use crate::{
    app::App,
    cosigning::sign::load,
    models::{
        bitcoin::BitcoinToken,
        transaction::{TransactionState, Watch, Work},
        xchain::{Withdrawal, XchainRecord, XchainStatus},
    },
    store::{Key, Transaction, Update, lists},
    xchain::lists_of,
};

/// Blocks before the end of a coin's delay at which its user is taken to be able to spend it alone:
/// a day.
const ALONE_WITHIN: u32 = 144;

async fn record_of(app: &App, row: &IssuedTransaction) -> Result<XchainRecord, CosigningError> {
    let record = app.store.get::<XchainRecord>(&Key::xchain_withdrawal(row.txid)).await?;
    record.ok_or(CosigningError::Damaged("no record of a withdrawal"))
}

pub(super) async fn of<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    step: Step<'_>,
) -> Result<Writes<'a>, CosigningError> {
    if !matches!(step, Step::Accepted | Step::Confirmed(_) | Step::Failed { .. }) {
        return Ok(nothing(app));
    }
    let record = record_of(app, row).await?;
    let (now, version) = (app.clock.now(), record.version);
    let gave_way = match step {
        Step::Accepted => replaced(app, row).await?,
        _ => Vec::new(),
    };
    let is_untold = record.status == XchainStatus::Pending && record.watch.is_none();
    let record = match step {
        Step::Failed { .. } if !record.status.is_final() => {
            let reason = match row.replaced_by {
                Some(next) => format!("Bitcoin transaction {next} has replaced it."),
                None => "The Bitcoin transaction can never confirm.".to_owned(),
            };
            Some(record.failed("bitcoin", reason, now))
        }
        Step::Accepted if is_untold && tells_at_once(app, row, &record).await? => {
            Some(XchainRecord { watch: Some(Watch::Withdrawal), due_at: now, ..record })
        }
        Step::Confirmed(_) if is_untold => {
            Some(XchainRecord { watch: Some(Watch::Withdrawal), due_at: now, ..record })
        }
        _ => None,
    };
    let record = record.map(|record| {
        let version = version.saturating_add(1);
        (Key::xchain_withdrawal(row.txid), XchainRecord { version, ..record })
    });
    let mut records: Vec<_> =
        record.map(|(key, record)| (key, record, version)).into_iter().collect();
    if let Step::Failed { heir: Some(heir) } = step {
        let record = record_of(app, heir).await?;
        let (key, version) = (Key::xchain_withdrawal(heir.txid), record.version);
        let again =
            XchainRecord { replaced_by_tx_id: None, version: version.saturating_add(1), ..record };
        records.push((key, again, version));
    }
    Ok(Box::new(move || {
        let rows = given_way(Transaction::new(&app.store), &gave_way);
        records.iter().fold(rows, |rows, (key, record, version)| {
            rows.replace(key, record, Update::new().if_equal("version", *version), ())
        })
    }))
}

/// Whether the hub may hear of a withdrawal that no block has.
async fn tells_at_once(
    app: &App,
    row: &IssuedTransaction,
    record: &XchainRecord,
) -> Result<bool, CosigningError> {
    // It knows this withdrawal already, by its first version.
    if record.hub_tx_id.is_some() {
        return Ok(true);
    }
    // One of several versions: the one that a block has is meant.
    if row.replaces.is_some() || record.replaced_by_tx_id.is_some() {
        return Ok(false);
    }
    rests_from_its_user(app, row).await
}

/// Whether the platform has a say in each coin of a withdrawal for a day at least.
async fn rests_from_its_user(app: &App, row: &IssuedTransaction) -> Result<bool, CosigningError> {
    let Some(alone_from) = row.user_only_from else { return Ok(true) };
    let tip = app.esplora.tip_height().await?;
    Ok(tip.saturating_add(ALONE_WITHIN) < alone_from)
}

/// Whether the hub may have heard of a withdrawal.
fn is_told(record: &XchainRecord) -> bool {
    record.watch.is_some()
        || record.status != XchainStatus::Pending
        || record.intent_tx_hash.is_some()
        || record.hub_tx_id.is_some()
}

/// Whether a withdrawal of this account's can be replaced by this one now: the network has it, or does
/// not take it, no block has it, and the hub does not count on another one.
///
/// # Errors
/// [`CosigningError::Store`], [`CosigningError::Damaged`].
pub async fn may_replace_withdrawal(
    app: &App,
    before: &IssuedTransaction,
    by: &Withdrawal,
) -> Result<bool, CosigningError> {
    let waits = match before.state {
        TransactionState::InMempool => true,
        TransactionState::Broadcasting => before.can_be_replaced(),
        _ => false,
    };
    Ok(waits && may_give_way(app, before, &record_of(app, before).await?, by))
}

/// Blocks that each coin must rest from its user alone in a withdrawal that replaces this one: the hub
/// counts on a withdrawal that it has heard of before a block has it.
///
/// # Errors
/// As [`may_replace_withdrawal`].
pub async fn blocks_left_to_replace(
    app: &App,
    before: &IssuedTransaction,
) -> Result<u32, CosigningError> {
    let is_told = is_told(&record_of(app, before).await?);
    Ok(if is_told { ALONE_WITHIN.saturating_add(1) } else { 0 })
}

/// Whether the hub does not mind that another withdrawal takes the place of this one.
fn may_give_way(
    app: &App,
    before: &IssuedTransaction,
    record: &XchainRecord,
    by: &Withdrawal,
) -> bool {
    // The hash of its data, by which the hub finds the same withdrawal in another transaction.
    let has_commitment = by.token_id == BitcoinToken::Btc || app.config.second_op_return;
    let is_same = before.work == Work::XchainWithdraw(by.clone()) && has_commitment;
    is_same || !is_told(record)
}

/// A withdrawal that the hub may have heard of is replaced by the same one alone, by which the hub
/// finds its data in the chain. From the signature on, the hub hears of no version that no block has.
pub(super) async fn of_claim<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    work: &Withdrawal,
) -> Result<Writes<'a, Refusal>, CosigningError> {
    let Some(replaced) = row.replaces else { return Ok(nothing(app)) };
    let before = load(app, replaced).await?;
    let before = before.ok_or(CosigningError::Damaged("no earlier version"))?;
    let record = record_of(app, &before).await?;
    if !may_give_way(app, &before, &record, work) {
        return Err(CosigningError::CoinsChanged);
    }
    // By a coin that its user can spend alone he could end what the hub counts on.
    if is_told(&record) && !rests_from_its_user(app, row).await? {
        return Err(CosigningError::CoinsChanged);
    }
    let (key, as_read) =
        (Key::xchain_withdrawal(replaced), Update::new().if_equal("version", record.version));
    let version = record.version.saturating_add(1);
    let record = XchainRecord { replaced_by_tx_id: Some(row.txid), version, ..record };
    Ok(Box::new(move || {
        let rows = Transaction::new(&app.store);
        rows.replace(&key, &record, as_read.clone(), Refusal::Changed)
    }))
}

/// A withdrawal enters the lists once it is signed.
pub(super) async fn announce(
    app: &App,
    row: &IssuedTransaction,
    withdrawal: &Withdrawal,
    update: &Update,
) -> Result<bool, CosigningError> {
    let (Some(account), Some(wallet)) = (row.account_id, &row.wallet) else {
        return Err(CosigningError::Damaged("a withdrawal of nobody"));
    };
    let record = XchainRecord::of_withdrawal(account, row.txid, wallet.address.clone(), withdrawal);
    let mut record = record.map_err(CosigningError::Damaged)?;
    if let Some(replaced) = row.replaces {
        let before = load(app, replaced).await?;
        let before = before.ok_or(CosigningError::Damaged("no earlier version"))?;
        let before = record_of(app, &before).await?;
        record.hub_tx_id = is_told(&before).then(|| before.hub_tx_id.unwrap_or(replaced));
        record.replace_tx_id = Some(replaced);
    }
    let key = Key::transaction(row.txid);
    let member = record.key().map_err(CosigningError::Damaged)?;
    let lists = lists_of(&record);
    let appended = lists::append(&app.store, &lists, |at| {
        let record = record.clone().begun(at);
        let rows = Transaction::new(&app.store).update(&key, update.clone(), ()).insert(
            &Key::xchain(member),
            &record,
            (),
        );
        (rows, member)
    });
    Ok(crate::cosigning::outcome(appended.await)?.is_ok())
}
