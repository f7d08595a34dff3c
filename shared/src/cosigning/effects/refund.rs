//! Refunds: what becomes of one becomes of the refund of each VM transaction in it.

use std::collections::HashSet;

use super::{
    CosigningError, IssuedTransaction, Permission, Refusal, Step, Writes, given_way, nothing,
    replaced, vm_transactions,
};
use crate::{
    app::App,
    bitcoin::{address, psbt::Issued},
    cosigning::outcome,
    minting::{Changes, VmTransaction},
    models::{platform_wallet::PlatformWallet, transaction::Refund, vm_transaction::RefundState},
    store::{Key, Transaction, Update, keys::List, lists},
};

async fn rows_of(app: &App, work: &Refund) -> Result<Vec<VmTransaction>, CosigningError> {
    vm_transactions(app, work.transactions.iter().copied()).await
}

/// The changes of those that `change` changes.
fn changes(
    rows: Vec<VmTransaction>,
    change: impl Fn(&VmTransaction) -> Option<VmTransaction>,
) -> Result<Changes, CosigningError> {
    let changed = rows.into_iter().filter_map(|row| change(&row).map(|after| (row, after)));
    Ok(changed.collect::<Changes>().allowed()?)
}

pub(super) async fn of<'a>(
    app: &'a App,
    issued: &IssuedTransaction,
    work: &Refund,
    step: Step<'_>,
) -> Result<Writes<'a>, CosigningError> {
    let txid = issued.txid;
    let is_its =
        |row: &VmTransaction, state| row.refund_state == state && row.refund_txid == Some(txid);
    let changes = match step {
        Step::Accepted => {
            let gave_way = replaced(app, issued).await?;
            return Ok(Box::new(move || given_way(Transaction::new(&app.store), &gave_way)));
        }
        Step::Waiting | Step::Lost => return Ok(nothing(app)),
        Step::Expired => changes(rows_of(app, work).await?, |row| {
            is_its(row, RefundState::Open).then(|| VmTransaction {
                refund_state: RefundState::None,
                refund_txid: None,
                ..row.clone()
            })
        })?,
        // Of several versions of a refund the one in a block is meant.
        Step::Confirmed(_) => changes(rows_of(app, work).await?, |row| {
            let other = row.refund_state == RefundState::Broadcast && row.refund_txid != Some(txid);
            other.then(|| VmTransaction { refund_txid: Some(txid), ..row.clone() })
        })?,
        Step::Final(_) => changes(rows_of(app, work).await?, |row| {
            (row.refund_state == RefundState::Broadcast).then(|| VmTransaction {
                refund_state: RefundState::Refunded,
                refund_txid: Some(txid),
                ..row.clone()
            })
        })?,
        Step::Failed { heir } => failed(app, issued, heir, rows_of(app, work).await?).await?,
    };
    Ok(Box::new(move || changes.write(&app.store, None, ())))
}

/// What can be refunded again: what no other version of the refund spends.
async fn failed(
    app: &App,
    issued: &IssuedTransaction,
    heir: Option<&IssuedTransaction>,
    rows: Vec<VmTransaction>,
) -> Result<Changes, CosigningError> {
    let mut again = Changes::new();
    for row in rows {
        let its = row.refund_txid == Some(issued.txid);
        let Some(source) = row.refund_source.filter(|_| its) else { continue };
        if row.refund_state != RefundState::Broadcast {
            continue;
        }
        let other = match heir.filter(|heir| heir.inputs.contains(&source)) {
            Some(heir) => Some(heir.txid),
            None => {
                let spent = app.esplora.outspend(source).await?.filter(|outspend| outspend.spent);
                spent.and_then(|outspend| outspend.txid)
            }
        };
        let after = match other {
            Some(other) => VmTransaction { refund_txid: Some(other), ..row.clone() },
            None => {
                VmTransaction { refund_state: RefundState::None, refund_txid: None, ..row.clone() }
            }
        };
        again = again.replace(row, after);
    }
    Ok(again)
}

/// A refund pays the trading address that paid for what is refunded, and nobody else; every coin of
/// the platform that it spends is what one of its transactions is refunded from (custody rules 9 and
/// 13).
pub(super) async fn may_sign(
    app: &App,
    issued: &IssuedTransaction,
    work: &Refund,
    psbt: &Issued,
) -> Result<Permission, CosigningError> {
    let rows = rows_of(app, work).await?;
    if !rows.iter().all(|row| row.refund_txid == Some(issued.txid)) {
        return Ok(Permission::GaveWay);
    }
    let network = app.config.network;
    let to = rows.iter().map(|row| address::read(&row.trading_address, network).ok());
    let to: HashSet<_> = to.map(|to| to.map(|to| to.script_pubkey())).collect();
    let sources: HashSet<_> = rows.iter().filter_map(|row| row.refund_source).collect();
    let platform: HashSet<_> = issued.platform.iter().map(PlatformWallet::script_pubkey).collect();
    let mut spent = issued.spent()?.into_iter();
    let spends_its_own = spent
        .all(|(coin, output)| sources.contains(&coin) || !platform.contains(&output.script_pubkey));
    let is_of_account = rows.iter().all(|row| Some(row.account_id) == issued.account_id);
    let mut paid = psbt.transaction().output.iter();
    Ok(Permission::only_if(
        spends_its_own
            && is_of_account
            && paid.all(|output| to.contains(&Some(output.script_pubkey.clone()))),
    ))
}

/// Each of them is in this refund and in no other (custody rule 9).
pub(super) async fn of_claim<'a>(
    app: &'a App,
    issued: &IssuedTransaction,
    work: &Refund,
) -> Result<Writes<'a, Refusal>, CosigningError> {
    let rows = rows_of(app, work).await?;
    let is_its = |row: &VmTransaction| match row.refund_state {
        RefundState::Open => row.refund_txid == Some(issued.txid),
        RefundState::Broadcast => {
            row.refund_txid.is_some_and(|txid| issued.earlier.contains(&txid))
        }
        RefundState::None | RefundState::Refunded => false,
    };
    if !rows.iter().all(is_its) {
        // It may be this very refund that was signed meanwhile.
        return Err(CosigningError::CoinsChanged);
    }
    let changes = changes(rows, |row| {
        Some(VmTransaction {
            refund_state: RefundState::Broadcast,
            refund_txid: Some(issued.txid),
            ..row.clone()
        })
    })?;
    Ok(Box::new(move || changes.write(&app.store, None, Refusal::Changed)))
}

/// A refund enters its account's list once it is signed; so does each version that replaces one.
pub(super) async fn announce(
    app: &App,
    issued: &IssuedTransaction,
    update: &Update,
) -> Result<bool, CosigningError> {
    let account = issued.account_id.ok_or(CosigningError::Damaged("a refund of nobody"))?;
    let key = Key::transaction(issued.txid);
    let lists = [List::refunds_by_account(account)];
    let appended = lists::append(&app.store, &lists, |_| {
        (Transaction::new(&app.store).update(&key, update.clone(), ()), issued.txid)
    });
    Ok(outcome(appended.await)?.is_ok())
}
