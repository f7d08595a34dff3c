//! Transactions that the service issued.

use std::time::Duration;

use shared::{
    app::App,
    models::transaction::TransactionState,
    store::Key,
    stuck::Trouble,
    transactions::{self, CosigningError, IssuedTransaction},
};

use crate::Looked;

/// How long the network may take to accept a transaction before its row is stuck.
const PATIENCE: Duration = Duration::from_secs(3 * 60);

/// Looks at one.
pub(crate) async fn look(app: App, key: Key) -> Result<Looked, CosigningError> {
    let Some(row) = app.store.get::<IssuedTransaction>(&key).await? else {
        return Ok(Looked::default());
    };
    transactions::advance(&app, &row).await?;
    transactions::bump_refund(&app, &row).await?;
    // Of a row that is well nothing more is read.
    let waits = match row.state {
        TransactionState::Signing | TransactionState::Broadcasting => is_unsent(&app, &key).await?,
        _ => false,
    };
    let cause = "the network does not take the transaction";
    let waits = waits.then_some(Trouble::Waits { cause, patience: PATIENCE });
    Ok(Looked { failing: row.failing, waits })
}

/// Whether the network still has not accepted a transaction.
async fn is_unsent(app: &App, key: &Key) -> Result<bool, CosigningError> {
    let row = app.store.get::<IssuedTransaction>(key).await?;
    let is_unsent = |row: IssuedTransaction| {
        matches!(row.state, TransactionState::Signing | TransactionState::Broadcasting)
    };
    Ok(row.is_some_and(is_unsent))
}
