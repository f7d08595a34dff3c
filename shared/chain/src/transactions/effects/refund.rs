//! Refunds: their events change the refund state of each VM transaction they include.

use std::collections::{BTreeMap, BTreeSet};

use store::Writes;

use super::{
    event::{Event, Permission},
    payout,
    rows::{earlier_give_way, enter_lists, vm_transactions},
};
use crate::{
    BitcoinContext,
    bitcoin::{address, psbt::IssuedPsbt},
    keys,
    mints::{self, Changes, Released, VmTransaction},
    models::{
        mint::MintId,
        platform_wallet::PlatformWallet,
        transaction::{Refund, TransactionState},
        vm_transaction::RefundState,
    },
    transactions::{
        ChainError, FullTransaction, IssuedTransaction, Proven, Refusal, prove_commitments,
    },
};

async fn rows_of(app: &BitcoinContext, work: &Refund) -> Result<Vec<VmTransaction>, ChainError> {
    vm_transactions(app, work.transactions.iter().copied()).await
}

/// The changes that `change` makes to the VM transactions of the refund.
fn changed(
    app: &BitcoinContext,
    rows: Vec<VmTransaction>,
    change: impl Fn(&VmTransaction) -> Option<VmTransaction>,
) -> Result<Writes<Refusal>, ChainError> {
    let changed = rows.into_iter().filter_map(|row| change(&row).map(|after| (row, after)));
    let changes = changed.collect::<Changes>().allowed()?;
    Ok(changes.writes(app.clock.now(), Refusal::Changed))
}

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted => earlier_give_way(app, issued).await,
        Event::Expired => when_expired(app, issued, work).await,
        Event::Confirmed(_) => when_confirmed(app, issued, work).await,
        Event::Final(_) => when_final(app, issued, work).await,
        Event::Failed { heir } => when_failed(app, issued, work, heir).await,
        Event::Reorganised | Event::Dropped => Ok(Writes::new()),
    }
}

/// Frees its payments, so another refund can include them.
async fn when_expired(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
) -> Result<Writes<Refusal>, ChainError> {
    changed(app, rows_of(app, work).await?, |row| {
        let is_its = row.refund_state == RefundState::Open && row.refund_txid == Some(issued.txid);
        is_its.then(|| VmTransaction {
            refund_state: RefundState::None,
            refund_txid: None,
            ..row.clone()
        })
    })
}

/// Makes the rows name the confirmed version if a refund has several. A failed refund may confirm after all:
/// its rows, which had become free, are included in it again.
async fn when_confirmed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
) -> Result<Writes<Refusal>, ChainError> {
    changed(app, rows_of(app, work).await?, |row| {
        let is_its = match row.refund_state {
            RefundState::Broadcast => row.refund_txid != Some(issued.txid),
            RefundState::None | RefundState::Open => issued.state == TransactionState::Failed,
            RefundState::Refunded => false,
        };
        is_its.then(|| VmTransaction {
            refund_state: RefundState::Broadcast,
            refund_txid: Some(issued.txid),
            ..row.clone()
        })
    })
}

/// Records that the money has arrived.
async fn when_final(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
) -> Result<Writes<Refusal>, ChainError> {
    changed(app, rows_of(app, work).await?, |row| {
        (row.refund_state == RefundState::Broadcast).then(|| VmTransaction {
            refund_state: RefundState::Refunded,
            refund_txid: Some(issued.txid),
            ..row.clone()
        })
    })
}

/// Frees the payments that no other version of the refund spends.
async fn when_failed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
    heir: Option<&FullTransaction>,
) -> Result<Writes<Refusal>, ChainError> {
    let mut again = Changes::new();
    for row in rows_of(app, work).await? {
        let its = row.refund_txid == Some(issued.txid);
        let Some(source) = row.refund_source.filter(|_| its) else { continue };
        if row.refund_state != RefundState::Broadcast {
            continue;
        }
        let other = match heir.filter(|heir| heir.body.inputs.contains(&source)) {
            Some(heir) => Some(heir.row.txid),
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
    Ok(again.writes(app.clock.now(), Refusal::Moved))
}

/// A refund may pay only the trading address that paid, and every platform coin it spends must be the refund
/// source of one of its transactions (custody rules 9 and 13). The chain and the payouts prove both, since any
/// function that ends drafts may write the rows (custody rule 33).
pub(super) async fn may_cosign(
    app: &BitcoinContext,
    FullTransaction { row: issued, body }: &FullTransaction,
    work: &Refund,
    psbt: &IssuedPsbt,
) -> Result<Permission, ChainError> {
    let rows = rows_of(app, work).await?;
    if !rows.iter().all(|row| row.refund_txid == Some(issued.txid)) {
        return Ok(Permission::GaveWay);
    }
    let to: BTreeSet<_> = rows.iter().map(|row| row.trading_address.as_str()).collect();
    let Some(to) = to.first().filter(|_| to.len() == 1) else { return Ok(Permission::Refused) };
    let to = address::parse_recipient(to, app.network);
    let to = to.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey();
    let sources: BTreeSet<_> = rows.iter().filter_map(|row| row.refund_source).collect();
    let platform: BTreeSet<_> = body.platform.iter().map(PlatformWallet::script_pubkey).collect();
    let mut spent = body.spent()?.into_iter();
    let spends_its_own = spent
        .all(|(coin, output)| sources.contains(&coin) || !platform.contains(&output.script_pubkey));
    let is_of_account = rows.iter().all(|row| Some(row.account_id) == issued.account_id);
    let mut paid = psbt.transaction().output.iter();
    let is_allowed = spends_its_own
        && is_of_account
        && psbt.fee() <= app.fees.cap
        && paid.all(|output| output.script_pubkey == to);
    Ok(Permission::only_if(is_allowed && own_their_sources(app, &rows).await?))
}

/// Whether each VM transaction belongs to its owner, and its refund source is its own: either its whole
/// payment, if the worker has found that the blocks of its mint took none of it, or the remainder of that
/// payment.
async fn own_their_sources(
    app: &BitcoinContext,
    rows: &[VmTransaction],
) -> Result<bool, ChainError> {
    let mut by_mint: BTreeMap<MintId, Vec<VmTransaction>> = BTreeMap::new();
    for row in rows {
        by_mint.entry(row.mint_id).or_default().push(row.clone());
    }
    for (mint, rows) in by_mint {
        let kept = mints::kept_mint(&app.store, mint).await?;
        let Some(kept) = kept else { return Ok(false) };
        let treasury = kept.treasury.script_pubkey();
        prove_commitments(app, &treasury, &rows, &Proven::default()).await?;
        let released: Vec<_> = rows.iter().map(|row| keys::released(row.key())).collect();
        let released = app.store.get_many::<Released>(&released).await?;
        for (row, released) in rows.iter().zip(released) {
            let is_own = match row.refund_source {
                None => false,
                Some(source) if source == row.output => {
                    released.is_some_and(|released| released.sats == row.refundable_sats())
                }
                source => source == payout::remainder_of(app, &treasury, row).await?,
            };
            if !is_own {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Requires that each VM transaction is in this refund and no other (custody rule 9).
pub(super) async fn when_claimed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Refund,
) -> Result<Writes<Refusal>, ChainError> {
    let rows = rows_of(app, work).await?;
    let is_its = |row: &VmTransaction| match row.refund_state {
        RefundState::Open => row.refund_txid == Some(issued.txid),
        RefundState::Broadcast => {
            row.refund_txid.is_some_and(|txid| issued.earlier.contains(&txid))
        }
        RefundState::None | RefundState::Refunded => false,
    };
    if !rows.iter().all(is_its) {
        // The same refund may have been signed concurrently.
        return Err(ChainError::CoinsChanged);
    }
    changed(app, rows, |row| {
        Some(VmTransaction {
            refund_state: RefundState::Broadcast,
            refund_txid: Some(issued.txid),
            ..row.clone()
        })
    })
}

/// Adds a signed refund to its account's list, and likewise each version that replaces one.
pub(super) async fn when_signed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    rows: &Writes<Refusal>,
) -> Result<bool, ChainError> {
    let account = issued.account_id.ok_or(ChainError::Damaged("a refund has no account"))?;
    let lists = [keys::lists::refunds_by_account(account), keys::lists::transactions(account)];
    enter_lists(app, &lists, |_| (rows.clone(), issued.txid)).await
}
