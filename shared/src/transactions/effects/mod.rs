//! Effects of a transaction's events on the work behind it: a withdrawal, a batch of requests, a refund, a
//! payout, a division of the pool. Each kind of work has a file with one function per event. Its writes are
//! committed in the same write batch as the event.

mod commitment;
mod payout;
mod pool_split;
mod refund;
mod withdrawal;

use futures_util::future::try_join_all;
use serde::{Serialize, de::DeserializeOwned};

use self::payout::Leg;
pub use self::withdrawal::{blocks_left_to_replace, may_replace_withdrawal};
use super::{
    ChainError, IssuedTransaction, Refusal,
    issued::load,
    record::{WAITING, commit},
};
use crate::{
    bitcoin::{esplora::BlockId, psbt::IssuedPsbt},
    chain::Chain,
    clock::Timestamp,
    mints::{self, VmTransaction},
    models::{
        transaction::{TransactionState, Work},
        vm_transaction::VmTransactionKey,
    },
    store::{CommitError, Key, Update, Writes, keys::List, lists},
};

/// An event of an issued transaction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event<'v> {
    /// It was not signed in time, or not as required.
    Expired,
    /// The network accepted it.
    Accepted,
    /// A block contains it.
    Confirmed(BlockId),
    /// Its block was reorganised away; the network still has it.
    Reorganised,
    /// The network no longer has it.
    Dropped,
    /// It can never confirm.
    Failed {
        /// The version of the same work that becomes the active one again.
        heir: Option<&'v IssuedTransaction>,
    },
    /// It is final in this block.
    Final(BlockId),
}

/// The writes of an event on other rows.
///
/// # Errors
/// [`ChainError`] if a row or a source could not be read.
pub(super) async fn writes_for(
    app: &Chain,
    issued: &IssuedTransaction,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match &issued.work {
        Work::XchainWithdraw(_) => withdrawal::writes_for(app, issued, event).await,
        Work::VmCommitment(work) => commitment::writes_for(app, issued, work, event).await,
        Work::Refund(work) => refund::writes_for(app, issued, work, event).await,
        Work::VmTransfer(key) => payout::writes_for(app, issued, *key, Leg::Transfer, event).await,
        Work::VmDistribution(key) => {
            payout::writes_for(app, issued, *key, Leg::Distribution, event).await
        }
        Work::PoolSplit(work) => pool_split::writes_for(app, issued, *work, event).await,
    }
}

/// The writes of the owner's signature on other rows.
///
/// # Errors
/// As [`writes_for`]; [`ChainError::CoinsChanged`] if the work no longer needs the transaction.
pub(super) async fn writes_for_claim(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    match &issued.work {
        Work::XchainWithdraw(work) => withdrawal::when_claimed(app, issued, work).await,
        Work::VmCommitment(work) => commitment::when_claimed(app, issued, work).await,
        Work::Refund(work) => refund::when_claimed(app, issued, work).await,
        Work::VmTransfer(_) | Work::VmDistribution(_) | Work::PoolSplit(_) => Ok(Writes::new()),
    }
}

/// Records that every signature is present, with this change of the row and its effects; returns whether this
/// call was the first.
///
/// # Errors
/// As [`writes_for`].
pub(super) async fn record_signed(
    app: &Chain,
    issued: &IssuedTransaction,
    change: &Update<IssuedTransaction>,
) -> Result<bool, ChainError> {
    match &issued.work {
        Work::XchainWithdraw(work) => withdrawal::when_signed(app, issued, work, change).await,
        Work::VmCommitment(work) => commitment::when_signed(app, issued, work, change).await,
        Work::Refund(_) => refund::when_signed(app, issued, change).await,
        Work::VmTransfer(_) | Work::VmDistribution(_) | Work::PoolSplit(_) => {
            let key = Key::transaction(issued.txid);
            commit(app, Writes::new().update(&key, change.clone(), Refusal::Moved)).await
        }
    }
}

/// Commits `draft` with entries in these lists; returns whether this call was the first.
async fn enter_lists<M: Serialize + DeserializeOwned + Clone>(
    app: &Chain,
    lists: &[List],
    draft: impl Fn(Timestamp) -> (Writes<Refusal>, M),
) -> Result<bool, ChainError> {
    match lists::append(&app.store, lists, draft).await {
        Ok(_) => Ok(true),
        Err(CommitError::Condition(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether the platform may sign a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    Granted,
    /// No: another version of the work is the active one.
    GaveWay,
    /// No.
    Refused,
}

impl Permission {
    fn only_if(granted: bool) -> Self {
        if granted { Self::Granted } else { Self::Refused }
    }
}

/// Whether the platform may sign a transaction for its work (custody rule 11). Only refunds to the paying
/// trading addresses, and the transactions that a mint and its payouts name, spend the platform's own coins.
///
/// # Errors
/// As [`writes_for`].
pub(super) async fn may_cosign(
    app: &Chain,
    issued: &IssuedTransaction,
    psbt: &IssuedPsbt,
) -> Result<Permission, ChainError> {
    match &issued.work {
        Work::XchainWithdraw(_) | Work::VmCommitment(_) => {
            Ok(Permission::only_if(issued.wallet.is_some() && issued.platform.is_empty()))
        }
        Work::Refund(work) => refund::may_cosign(app, issued, work, psbt).await,
        Work::VmTransfer(work) => payout::may_cosign(app, issued, *work, Leg::Transfer).await,
        Work::VmDistribution(work) => {
            payout::may_cosign(app, issued, *work, Leg::Distribution).await
        }
        Work::PoolSplit(work) => pool_split::may_cosign(app, *work, psbt).await,
    }
}

/// The VM transactions of these keys, in their order.
async fn vm_transactions(
    app: &Chain,
    keys: impl IntoIterator<Item = VmTransactionKey>,
) -> Result<Vec<VmTransaction>, ChainError> {
    let found = mints::vm_transactions(&app.store, keys).await?;
    let found: Option<Vec<_>> = found.into_iter().collect();
    found.ok_or(ChainError::Damaged("a VM transaction is missing"))
}

/// The writes that replace earlier versions once the network has accepted this one.
async fn earlier_give_way(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let earlier = try_join_all(issued.earlier.iter().map(|txid| load(app, *txid))).await?;
    earlier
        .into_iter()
        .flatten()
        .try_fold(Writes::new(), |rows, version| Ok(rows.and(give_way(app, &version)?)))
}

/// The write that marks a transaction as replaced, if its state allows that.
fn give_way(app: &Chain, issued: &IssuedTransaction) -> Result<Writes<Refusal>, ChainError> {
    if !issued.state.may_become(TransactionState::Replaced) {
        return Ok(Writes::new());
    }
    let update = issued
        .transition(TransactionState::Replaced)?
        .remove(IssuedTransaction::BLOCK_HEIGHT)
        .remove(IssuedTransaction::BLOCK_HASH)
        .set(IssuedTransaction::DUE_AT, app.clock.now().plus(WAITING));
    Ok(Writes::new().update(&Key::transaction(issued.txid), update, Refusal::Moved))
}
