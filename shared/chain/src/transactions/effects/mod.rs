//! Effects of a transaction's events on the work behind it: a withdrawal, a batch of requests, a refund, a
//! payout, a division of the pool, a clean-up. A plain withdrawal and a renewal have no work behind them.
//! Each kind of work has a file with one function per event. The writes are committed in the same write batch
//! as the event.

mod commitment;
mod event;
mod payout;
mod plain;
mod pool_cleanup;
mod pool_split;
mod refund;
mod rows;
mod withdrawal;

use store::Writes;

pub use self::event::Sighting;
pub(super) use self::event::{Event, Permission};
pub use self::{
    pool_cleanup::SweepOrder,
    withdrawal::{blocks_left_to_replace, may_replace_withdrawal},
};
use super::{ChainError, FullTransaction, IssuedTransaction, Refusal, row::commit};
use crate::{
    BitcoinContext,
    bitcoin::psbt::IssuedPsbt,
    mints,
    models::{transaction::Work, vm_transaction::Leg},
};

/// The writes of an event on other rows.
///
/// # Errors
/// [`ChainError`] if a row or a source could not be read.
pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match &issued.work {
        Work::XchainWithdraw(_) => withdrawal::writes_for(app, issued, event).await,
        Work::Withdraw(_) | Work::RenewUtxo => plain::writes_for(app, issued, event).await,
        Work::VmCommitment(work) => commitment::writes_for(app, issued, work, event).await,
        Work::Refund(work) => refund::writes_for(app, issued, work, event).await,
        Work::VmTransfer(key) | Work::VmDistribution(key) => {
            payout::writes_for(app, issued, *key, event).await
        }
        Work::PoolSplit(work) => pool_split::writes_for(app, issued, *work, event).await,
        Work::PoolCleanup(_) => pool_cleanup::writes_for(app, issued, event).await,
    }
}

/// The writes of the owner's signature on other rows.
///
/// # Errors
/// As [`writes_for`]; [`ChainError::CoinsChanged`] if the work no longer needs the transaction.
pub(super) async fn writes_for_claim(
    app: &BitcoinContext,
    issued: &FullTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    match &issued.row.work {
        Work::XchainWithdraw(work) => withdrawal::when_claimed(app, &issued.row, work).await,
        Work::VmCommitment(work) => commitment::when_claimed(app, issued, work).await,
        Work::Refund(work) => refund::when_claimed(app, &issued.row, work).await,
        Work::Withdraw(_)
        | Work::RenewUtxo
        | Work::VmTransfer(_)
        | Work::VmDistribution(_)
        | Work::PoolSplit(_)
        | Work::PoolCleanup(_) => Ok(Writes::new()),
    }
}

/// Why a mint refused the signature of a batch: it is closed, or its gates are being opened.
///
/// # Errors
/// As [`writes_for`].
pub(super) async fn why_closed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<ChainError, ChainError> {
    let Work::VmCommitment(work) = &issued.work else { return Ok(ChainError::MintClosed) };
    let mint = mints::mint(&app.store, work.mint_id).await?;
    let is_open = mint.is_some_and(|mint| mint.takes_requests(app.clock.now()));
    Ok(if is_open { ChainError::Contended } else { ChainError::MintClosed })
}

/// Commits `rows` and their effects, which record that every signature is present; returns whether this call
/// was the first.
///
/// # Errors
/// As [`writes_for`].
pub(super) async fn record_signed(
    app: &BitcoinContext,
    issued: &FullTransaction,
    rows: &Writes<Refusal>,
) -> Result<bool, ChainError> {
    match &issued.row.work {
        Work::XchainWithdraw(work) => withdrawal::when_signed(app, issued, work, rows).await,
        Work::VmCommitment(work) => commitment::when_signed(app, &issued.row, work, rows).await,
        Work::Withdraw(_) | Work::RenewUtxo => plain::when_signed(app, &issued.row, rows).await,
        Work::Refund(_) => refund::when_signed(app, &issued.row, rows).await,
        Work::VmTransfer(_)
        | Work::VmDistribution(_)
        | Work::PoolSplit(_)
        | Work::PoolCleanup(_) => commit(app, rows.clone()).await,
    }
}

/// Whether the platform may sign a transaction for its work (custody rule 11). Only these spend the
/// platform's own coins: refunds to the trading address that paid, transactions that a mint or one of its
/// payouts names, and clean-ups.
///
/// # Errors
/// As [`writes_for`].
pub(super) async fn may_cosign(
    app: &BitcoinContext,
    issued: &FullTransaction,
    psbt: &IssuedPsbt,
) -> Result<Permission, ChainError> {
    let FullTransaction { row, body } = issued;
    match &row.work {
        Work::XchainWithdraw(_) | Work::Withdraw(_) | Work::VmCommitment(_) => {
            Ok(Permission::only_if(body.wallet.is_some() && body.platform.is_empty()))
        }
        Work::RenewUtxo => Ok(Permission::only_if(plain::returns_everything(body, psbt))),
        Work::Refund(work) => refund::may_cosign(app, issued, work, psbt).await,
        Work::VmTransfer(work) => payout::may_cosign(app, row, *work, Leg::Transfer).await,
        Work::VmDistribution(work) => payout::may_cosign(app, row, *work, Leg::Distribution).await,
        Work::PoolSplit(work) => pool_split::may_cosign(app, issued, *work, psbt).await,
        Work::PoolCleanup(work) => pool_cleanup::may_cosign(app, body, work, psbt).await,
    }
}
