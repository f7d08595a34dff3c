//! Broadcasts a signed transaction.

use std::time::Duration;

use base::outbound::remaining;
use bitcoin::Transaction;
use store::Update;

use super::give_up::give_up_if_spent;
use crate::{
    BitcoinContext,
    bitcoin::esplora::Broadcast,
    models::transaction::TransactionState,
    transactions::{
        ChainError, IssuedTransaction,
        effects::Event,
        record::record,
        row::{WAITING, look_again_later},
    },
};

/// The time that a request must have left for a broadcast. If it had less, the answer could arrive too late
/// to be recorded.
const BROADCAST_NEEDS: Duration = Duration::from_secs(8);

/// Sends the transaction to the network and records its acceptance. If no node accepts it, the row stays
/// `broadcasting` and keeps its coins.
///
/// # Errors
/// [`ChainError::Source`] if it is unknown whether the node accepted the transaction; otherwise the error of
/// the write that records the answer.
pub(in crate::transactions) async fn broadcast(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    signed: &Transaction,
) -> Result<(), ChainError> {
    if issued.state != TransactionState::Broadcasting {
        return Ok(());
    }
    if remaining() < BROADCAST_NEEDS {
        return look_again_later(app, issued, Update::new()).await;
    }
    match app.esplora.broadcast(signed).await? {
        Broadcast::Accepted => record_accepted(app, issued).await,
        Broadcast::InBlock => look_again_later(app, issued, Update::new()).await,
        Broadcast::Refused(why) => {
            tracing::warn!(txid = %issued.txid, why, "the node refuses a signed transaction");
            give_up_if_spent(app, issued, Update::new()).await
        }
    }
}

/// Records that the network has accepted it.
///
/// # Errors
/// [`ChainError::Damaged`] if the row's state cannot become [`TransactionState::InMempool`]; otherwise as
/// [`record`].
pub(super) async fn record_accepted(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    let now = app.clock.now();
    let accepted = issued
        .transition(TransactionState::InMempool, now)?
        .set(IssuedTransaction::DUE_AT, now.plus(WAITING))
        .set(IssuedTransaction::WAITS_SINCE, issued.waits_since.unwrap_or(now))
        .remove(IssuedTransaction::BLOCKED)
        .remove(IssuedTransaction::ORPHANED);
    record(app, issued, accepted, Event::Accepted).await.map(drop)
}
