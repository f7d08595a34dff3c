//! What a step of an issued transaction means to the rows of what it is for: written with the step,
//! all or none.

mod commitment;
mod payout;
mod refund;
mod xchain;

use futures_util::future::try_join_all;

use self::payout::Leg;
pub use self::xchain::{blocks_left_to_replace, may_replace_withdrawal};
use super::{
    CosigningError, IssuedTransaction,
    sign::{Refusal, load},
};
use crate::{
    app::App,
    bitcoin::{esplora::BlockId, psbt::Issued},
    minting::{self, VmTransaction},
    models::{
        transaction::{TransactionState, Work},
        vm_transaction::VmTransactionKey,
    },
    store::{Key, Transaction, Update},
};

/// A step of an issued transaction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'v> {
    /// It was not signed in time, or not as it must be.
    Expired,
    /// The network has it.
    Accepted,
    /// A block has it; which one.
    Confirmed(BlockId),
    /// No block has it any more; the network does.
    Waiting,
    /// The network has it no more.
    Lost,
    /// It can never confirm.
    Failed {
        /// The version of the same work that takes its place again.
        heir: Option<&'v IssuedTransaction>,
    },
    /// It is final; in which block.
    Final(BlockId),
}

/// Writes, as often as an attempt to commit them wants them.
pub(super) type Writes<'a, E = ()> = Box<dyn Fn() -> Transaction<'a, E> + Send + Sync + 'a>;

fn nothing<E: 'static>(app: &App) -> Writes<'_, E> {
    Box::new(|| Transaction::new(&app.store))
}

/// What a step means.
///
/// # Errors
/// [`CosigningError`]: what it rests on could not be read.
pub(super) async fn of<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    step: Step<'_>,
) -> Result<Writes<'a>, CosigningError> {
    match &row.work {
        Work::XchainWithdraw(_) => xchain::of(app, row, step).await,
        Work::VmCommitment(work) => commitment::of(app, row, work, step).await,
        Work::Refund(work) => refund::of(app, row, work, step).await,
        Work::VmTransfer(work) => payout::of(app, row, *work, Leg::Transfer, step).await,
        Work::VmDistribution(work) => payout::of(app, row, *work, Leg::Distribution, step).await,
        Work::PoolSplit(work) => match step {
            // Payouts wait for these coins.
            Step::Confirmed(_) => {
                let key = Key::mint(work.mint_id);
                let look = Update::new().set("dueAt", app.clock.now()).add("revision", 1);
                Ok(Box::new(move || Transaction::new(&app.store).update(&key, look.clone(), ())))
            }
            Step::Accepted => {
                let gave_way = replaced(app, row).await?;
                Ok(Box::new(move || given_way(Transaction::new(&app.store), &gave_way)))
            }
            Step::Failed { heir: Some(heir) } => {
                let mint = minting::mint(&app.store, work.mint_id).await?;
                if mint.and_then(|mint| mint.pool_split) != Some(row.txid) {
                    return Ok(nothing(app));
                }
                let update =
                    Update::new().set("poolSplit", heir.txid).set("dueAt", app.clock.now());
                let update = update.add("revision", 1).if_equal("poolSplit", row.txid);
                let key = Key::mint(work.mint_id);
                Ok(Box::new(move || Transaction::new(&app.store).update(&key, update.clone(), ())))
            }
            _ => Ok(nothing(app)),
        },
    }
}

/// What it means that the owner has signed.
///
/// # Errors
/// As [`of`].
pub(super) async fn of_claim<'a>(
    app: &'a App,
    row: &IssuedTransaction,
) -> Result<Writes<'a, Refusal>, CosigningError> {
    match &row.work {
        Work::VmCommitment(work) => commitment::of_claim(app, row, work).await,
        Work::Refund(work) => refund::of_claim(app, row, work).await,
        Work::XchainWithdraw(work) => xchain::of_claim(app, row, work).await,
        Work::VmTransfer(_) | Work::VmDistribution(_) | Work::PoolSplit(_) => Ok(nothing(app)),
    }
}

/// Writes that all have signed, with what it means; whether this call was the first.
///
/// # Errors
/// As [`of`].
pub(super) async fn announce(
    app: &App,
    row: &IssuedTransaction,
    update: &Update,
) -> Result<bool, CosigningError> {
    match &row.work {
        Work::XchainWithdraw(work) => xchain::announce(app, row, work, update).await,
        Work::VmCommitment(work) => commitment::announce(app, row, work, update).await,
        Work::Refund(_) => refund::announce(app, row, update).await,
        Work::VmTransfer(_) | Work::VmDistribution(_) | Work::PoolSplit(_) => {
            let write = || {
                let key = Key::transaction(row.txid);
                Transaction::new(&app.store).update(&key, update.clone(), ())
            };
            Ok(super::outcome(app.store.commit(write).await)?.is_ok())
        }
    }
}

/// Whether the platform may sign a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    /// It may.
    Granted,
    /// It may not: the work is another version's, which has its place.
    GaveWay,
    /// It may not.
    Refused,
}

impl Permission {
    fn only_if(granted: bool) -> Self {
        if granted { Self::Granted } else { Self::Refused }
    }
}

/// Whether the platform may sign a transaction for what it says that it is for (custody rule 11): its
/// own coins are spent by refunds, to the trading addresses that paid, and by the transactions that a
/// mint and its payouts name.
///
/// # Errors
/// As [`of`].
pub(super) async fn may_sign(
    app: &App,
    row: &IssuedTransaction,
    issued: &Issued,
) -> Result<Permission, CosigningError> {
    match &row.work {
        Work::XchainWithdraw(_) | Work::VmCommitment(_) => {
            Ok(Permission::only_if(row.wallet.is_some() && row.platform.is_empty()))
        }
        Work::Refund(work) => refund::may_sign(app, row, work, issued).await,
        Work::VmTransfer(work) => payout::may_sign(app, row, *work, Leg::Transfer).await,
        Work::VmDistribution(work) => payout::may_sign(app, row, *work, Leg::Distribution).await,
        Work::PoolSplit(work) => {
            let mint = minting::mint(&app.store, work.mint_id).await?;
            let pool = mint.map(|mint| mint.pool.script_pubkey());
            // A transaction of runes has an OP_RETURN beside what goes back to the pool.
            let mut outputs = issued.transaction().output.iter();
            Ok(Permission::only_if(outputs.all(|output| {
                output.script_pubkey.is_op_return() || Some(&output.script_pubkey) == pool.as_ref()
            })))
        }
    }
}

/// The VM transactions of these keys, in their order.
async fn vm_transactions(
    app: &App,
    keys: impl IntoIterator<Item = VmTransactionKey>,
) -> Result<Vec<VmTransaction>, CosigningError> {
    let found = minting::vm_transactions(&app.store, keys).await?;
    let found: Option<Vec<_>> = found.into_iter().collect();
    found.ok_or(CosigningError::Damaged("no VM transaction"))
}

/// The writes by which earlier versions give way to one that the network has accepted.
async fn replaced(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Vec<(Key, Update)>, CosigningError> {
    let earlier = try_join_all(issued.earlier.iter().map(|txid| load(app, *txid))).await?;
    let updates = earlier.into_iter().flatten().map(|version| {
        let update = give_way(app, &version)?;
        Ok(update.map(|update| (Key::transaction(version.txid), update)))
    });
    updates.filter_map(Result::transpose).collect()
}

/// Adds writes by which others give way.
fn given_way<'a>(rows: Transaction<'a, ()>, others: &[(Key, Update)]) -> Transaction<'a, ()> {
    others.iter().fold(rows, |rows, (key, update)| rows.update(key, update.clone(), ()))
}

/// The write by which a transaction gives its place to another one.
fn give_way(app: &App, row: &IssuedTransaction) -> Result<Option<Update>, CosigningError> {
    if !row.state.may_become(TransactionState::Replaced) {
        return Ok(None);
    }
    let update =
        row.transition(TransactionState::Replaced)?.remove("blockHeight").remove("blockHash");
    Ok(Some(update.set("dueAt", app.clock.now().plus(super::track::WAITING))))
}
