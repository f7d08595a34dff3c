//! Cross-chain transactions: withdrawals are relayed to the hub, and what it has not decided is asked for.

use shared::{
    app::App,
    http::AreaError,
    models::xchain::XchainRecord,
    store::Key,
    xchain::{Asker, Refreshed, refresh},
};

use crate::Looked;

/// Looks at one.
///
/// # Errors
/// The store or the hub failed; the text is for the log.
pub(crate) async fn look(app: App, key: Key) -> Result<Looked, String> {
    let record = app.store.get::<XchainRecord>(&key).await.map_err(|error| error.internal())?;
    // The index behind the keys may lag.
    let Some(record) =
        record.filter(|record| record.watch.is_some() && record.due_at <= app.clock.now())
    else {
        return Ok(Looked::default());
    };
    let failing = record.failing.clone();
    let refreshed = refresh(&app, record, Asker::Worker).await;
    match refreshed.map_err(|error| error.internal())? {
        Refreshed { failure: Some(cause), .. } => Err(cause),
        // The hub is left alone for now: a row that failed still fails, and of others nothing is known.
        Refreshed { stale: true, .. } => match failing {
            Some(failing) => Err(failing.cause),
            None => Ok(Looked::default()),
        },
        Refreshed { .. } => Ok(Looked { failing, waits: None }),
    }
}
