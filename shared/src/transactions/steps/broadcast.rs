//! A signed transaction goes to the network.

use std::time::Duration;

use super::give_up::give_up_if_spent;
use crate::{
    app::App,
    bitcoin::esplora::Broadcast,
    models::transaction::TransactionState,
    outbound::remaining,
    store::Update,
    transactions::{
        CosigningError, IssuedTransaction,
        effects::Event,
        record::{WAITING, look_again_later, record},
    },
};

/// What must be left of a request's time for a broadcast: no request is left to record an answer that
/// comes later.
const BROADCAST_NEEDS: Duration = Duration::from_secs(8);

/// Sends the transaction to the network, and records that the network has it. Where no node says so,
/// or one refuses it, the row stays `broadcasting` and keeps its coins.
///
/// # Errors
/// [`CosigningError`].
pub(in crate::transactions) async fn broadcast(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<(), CosigningError> {
    if issued.state != TransactionState::Broadcasting {
        return Ok(());
    }
    if remaining() < BROADCAST_NEEDS {
        return look_again_later(app, issued, Update::new()).await;
    }
    match app.esplora.broadcast(&issued.transaction()?).await? {
        Broadcast::Accepted => accepted(app, issued).await,
        Broadcast::InBlock => look_again_later(app, issued, Update::new()).await,
        Broadcast::Refused(why) => {
            tracing::warn!(txid = %issued.txid, why, "the node refuses a signed transaction");
            give_up_if_spent(app, issued, Update::new()).await
        }
    }
}

/// Records that the network has it.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn accepted(app: &App, issued: &IssuedTransaction) -> Result<(), CosigningError> {
    let now = app.clock.now();
    let accepted = issued
        .transition(TransactionState::InMempool)?
        .set("dueAt", now.plus(WAITING))
        .set("waitsSince", issued.waits_since.unwrap_or(now))
        .remove("blocked")
        .remove("orphaned");
    record(app, issued, accepted, Event::Accepted).await.map(drop)
}
