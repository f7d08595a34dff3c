//! Cross-chain transactions: the worker relays withdrawals to the hub, and polls the hub for undecided ones.

use shared::{
    http::AsProblem,
    models::xchain::XchainRecord,
    store::Key,
    xchain::{RefreshBy, Refreshed, refresh},
};

use crate::{RowOutcome, app::App};

/// Advances one cross-chain transaction.
///
/// # Errors
/// The store or the hub failed; the text is for the log.
pub(crate) async fn process_row(app: App, key: Key) -> Result<RowOutcome, String> {
    let record = app.store.get::<XchainRecord>(&key).await.map_err(|error| error.internal())?;
    // The index behind the keys may lag.
    let Some(record) =
        record.filter(|record| record.watch.is_some() && record.due_at <= app.clock.now())
    else {
        return Ok(RowOutcome::default());
    };
    let failing = record.failing.clone();
    let refreshed = refresh(&app, &app.hub, record, RefreshBy::Worker).await;
    match refreshed.map_err(|error| error.internal())? {
        Refreshed { failure: Some(cause), .. } => Err(cause),
        // The hub is paused for now: a failed row stays failed, and nothing new is known of the others.
        Refreshed { stale: true, .. } => match failing {
            Some(failing) => Err(failing.cause),
            None => Ok(RowOutcome::default()),
        },
        Refreshed { .. } => Ok(RowOutcome { failing, waits: None }),
    }
}
