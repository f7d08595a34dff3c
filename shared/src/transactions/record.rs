//! The writes of the life cycle: a step of a transaction with all that it means, and the next look.

use std::time::Duration;

use super::{
    CosigningError, IssuedTransaction, Refusal,
    effects::{self, Event},
    issued::load,
};
use crate::{
    app::App,
    models::transaction::TransactionState,
    store::{CommitError, Key, Update, Writes},
};

/// When the worker first looks at what a request may have left half done.
pub(super) const FIRST_LOOK: Duration = Duration::from_secs(30);
/// Between looks at a transaction that waits for a block.
pub(super) const WAITING: Duration = Duration::from_secs(60);
/// The longest time between looks, where looking changes nothing.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Attempts at a step that other rows have a part in.
const ATTEMPTS: u32 = 4;

/// Makes these writes; whether it did. Otherwise another request or worker was first.
///
/// # Errors
/// [`CosigningError::Contended`], [`CosigningError::Store`].
pub(super) async fn commit(app: &App, writes: Writes<Refusal>) -> Result<bool, CosigningError> {
    match app.store.commit(writes).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Changes the row of a transaction, with what the event means to other rows; whether it did.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn record(
    app: &App,
    issued: &IssuedTransaction,
    change: Update,
    event: Event<'_>,
) -> Result<bool, CosigningError> {
    let key = Key::transaction(issued.txid);
    for _attempt in 0..ATTEMPTS {
        let row = Writes::new().update(&key, change.clone(), Refusal::Moved);
        if commit(app, row.and(effects::writes_for(app, issued, event).await?)).await? {
            return Ok(true);
        }
        // Or another row has changed in the meantime, such as that of the version which gives way.
        if load(app, issued.txid).await?.is_none_or(|moved| moved.version != issued.version) {
            return Ok(false);
        }
    }
    look_again_later(app, issued, Update::new()).await.map(|()| false)
}

/// Changes the row of a transaction alone, unless another worker has changed it.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn note(
    app: &App,
    issued: &IssuedTransaction,
    change: Update,
) -> Result<(), CosigningError> {
    let key = Key::transaction(issued.txid);
    commit(app, Writes::new().update(&key, change, Refusal::Moved)).await.map(drop)
}

/// Puts the next look off, longer each time, with a note.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn look_again_later(
    app: &App,
    issued: &IssuedTransaction,
    noted: Update,
) -> Result<(), CosigningError> {
    let doubled = 1_u32.checked_shl(issued.looks.min(8)).unwrap_or(u32::MAX);
    let pause = match issued.state {
        // One that was replaced can confirm as well, and takes its place back then (custody rule 3).
        TransactionState::InMempool | TransactionState::Confirmed | TransactionState::Replaced => {
            WAITING
        }
        _ => FIRST_LOOK.saturating_mul(doubled).min(LONGEST),
    };
    let noted = noted
        .set("dueAt", app.clock.now().plus(pause))
        .set("looks", issued.looks.saturating_add(1))
        .if_version(issued.version);
    note(app, issued, noted).await
}
