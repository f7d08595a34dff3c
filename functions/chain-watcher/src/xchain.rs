//! Cross-chain transactions: withdrawals are relayed to the hub, and what it has not decided is asked for.

use shared::{
    app::App,
    cosigning::CosigningError,
    models::xchain::XchainRecord,
    store::Key,
    xchain::{Asker, refresh},
};

/// Looks at one.
pub(crate) async fn look(app: App, key: Key) -> Result<(), CosigningError> {
    match app.store.get::<XchainRecord>(&key).await? {
        // The index behind the keys may lag.
        Some(record) if record.watch.is_some() && record.due_at <= app.clock.now() => {
            refresh(&app, record, Asker::Worker).await?;
            Ok(())
        }
        _ => Ok(()),
    }
}
