//! The write batch of a step: a transaction's row with the effects on other rows.

use store::{Update, Writes};

use super::{
    ChainError, IssuedTransaction, Refusal,
    effects::{self, Event},
    issued::load,
    row::{commit, look_again_later},
};
use crate::{BitcoinContext, keys};

/// How many times a step is tried that also changes other rows.
const ATTEMPTS: u32 = 4;

/// Updates the row of a transaction together with the event's effects on other rows, and reports a new state
/// to the owner; returns whether it committed.
///
/// # Errors
/// As [`record_all`].
pub(super) async fn record(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    change: Update<IssuedTransaction>,
    event: Event<'_>,
) -> Result<bool, ChainError> {
    let key = keys::transaction(issued.txid);
    let rows = Writes::new().update(&key, change, Refusal::Moved);
    let rows = match event.state().filter(|next| *next != issued.state) {
        Some(next) => rows.and(issued.tell(next)),
        None => rows,
    };
    record_all(app, issued, &rows, event).await
}

/// Writes the rows of a transaction together with the event's effects on other rows; returns whether it
/// committed.
///
/// # Errors
/// As [`effects::writes_for`]; [`ChainError::Contended`] if concurrent writes prevented every commit;
/// [`ChainError::Store`] if the store fails.
pub(super) async fn record_all(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    rows: &Writes<Refusal>,
    event: Event<'_>,
) -> Result<bool, ChainError> {
    for _attempt in 0..ATTEMPTS {
        if commit(app, rows.clone().and(effects::writes_for(app, issued, event).await?)).await? {
            return Ok(true);
        }
        // If it is the same version, another row changed, such as that of the replaced version.
        if load(app, issued.txid).await?.is_none_or(|moved| moved.version != issued.version) {
            return Ok(false);
        }
    }
    look_again_later(app, issued, Update::new()).await.map(|()| false)
}
