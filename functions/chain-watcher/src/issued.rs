//! Transactions that the service issued.

use std::time::Duration;

use chain::{
    blocks::Tip,
    cleanups,
    models::transaction::TransactionState,
    transactions::{self, ChainError, IssuedTransaction},
};
use shared::stuck::Trouble;
use store::Key;

use crate::{app::App, bump::bump_refund, row_outcome::RowOutcome};

/// How long the network may take to accept a transaction before its row counts as stuck.
const PATIENCE: Duration = Duration::from_secs(3 * 60);

/// Advances one issued transaction.
pub(crate) async fn process_row(
    app: App,
    key: Key,
    tip: Option<&Tip>,
) -> Result<RowOutcome, ChainError> {
    let Some(row) = app.store.get::<IssuedTransaction>(&key).await? else {
        return Ok(RowOutcome::default());
    };
    if is_followed(&row, tip) {
        return Ok(RowOutcome { failing: row.failing, waits: None });
    }
    transactions::advance(&app, &row).await?;
    bump_refund(&app, &row).await?;
    cleanups::send_next_version(&app, &row).await?;
    // A healthy row needs no further reads.
    let waits = match row.state {
        TransactionState::Signing | TransactionState::Broadcasting => is_unsent(&app, &key).await?,
        _ => false,
    };
    let cause = "the network does not take the transaction";
    let waits = waits.then_some(Trouble::Waits { cause, patience: PATIENCE });
    Ok(RowOutcome { failing: row.failing, waits })
}

/// Whether later blocks will decide about the transaction, because the tip was applied on top of its block.
fn is_followed(row: &IssuedTransaction, tip: Option<&Tip>) -> bool {
    let block = row.block_hash.filter(|_| row.state == TransactionState::Confirmed);
    tip.zip(block).is_some_and(|(tip, block)| tip.waits(block))
}

/// Whether the network has not accepted a transaction yet.
async fn is_unsent(app: &App, key: &Key) -> Result<bool, ChainError> {
    let row = app.store.get::<IssuedTransaction>(key).await?;
    let is_unsent = |row: IssuedTransaction| {
        matches!(row.state, TransactionState::Signing | TransactionState::Broadcasting)
    };
    Ok(row.is_some_and(is_unsent))
}
