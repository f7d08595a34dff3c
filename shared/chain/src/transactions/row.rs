//! Writes that change only a transaction's row, and when the worker checks it next.

use std::time::Duration;

use store::{CommitError, Update, Writes, lists};

use super::{ChainError, IssuedTransaction, Refusal};
use crate::{BitcoinContext, keys};

/// When the worker first checks a row that a request may have left unfinished.
pub(super) const FIRST_LOOK: Duration = Duration::from_secs(30);
/// When the worker first checks a transaction that waits for a block.
pub(super) const WAITING: Duration = Duration::from_secs(60);
/// The longest pause between checks that change nothing.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Commits these writes; returns false if another request or worker was faster.
///
/// # Errors
/// [`ChainError::Contended`] if concurrent writes prevented every attempt; [`ChainError::Store`] if the store
/// fails.
pub(super) async fn commit(
    app: &BitcoinContext,
    writes: Writes<Refusal>,
) -> Result<bool, ChainError> {
    let committed = match writes.adds_to_sums() {
        true => Box::pin(lists::commit(&app.store, keys::lists::VM, writes)).await,
        false => app.store.commit(writes).await,
    };
    match committed {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Updates only the row of a transaction, unless another worker has changed it.
///
/// # Errors
/// As [`commit`].
pub(super) async fn note(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    change: Update<IssuedTransaction>,
) -> Result<(), ChainError> {
    let key = keys::transaction(issued.txid);
    commit(app, Writes::new().update(&key, change, Refusal::Moved)).await.map(drop)
}

/// Postpones the next check, longer each time, and writes `noted` with it. The worker checks transactions
/// that are in the mempool or a block in turn, so those are not written if there is nothing to note.
///
/// # Errors
/// As [`commit`].
pub(super) async fn look_again_later(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    noted: Update<IssuedTransaction>,
) -> Result<(), ChainError> {
    let is_swept = issued.watch.is_some_and(|queue| queue.kind().is_swept());
    if is_swept && noted.is_empty() {
        return Ok(());
    }
    let noted = noted.if_version(issued.version);
    if is_swept {
        return note(app, issued, noted).await;
    }
    let doubled = 1_u32.checked_shl(issued.looks.min(8)).unwrap_or(u32::MAX);
    let pause = FIRST_LOOK.saturating_mul(doubled).min(LONGEST);
    let postponed = noted
        .set(IssuedTransaction::DUE_AT, app.clock.now().plus(pause))
        .set(IssuedTransaction::LOOKS, issued.looks.saturating_add(1));
    note(app, issued, postponed).await
}
