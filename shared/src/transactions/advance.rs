//! The driver of the life cycle: which step comes next.

use super::{CosigningError, IssuedTransaction, issued::load, record::look_again_later, steps};
use crate::{
    app::App, models::transaction::TransactionState, outbound::within_budget, problem::AreaError,
    store::Update,
};

/// Takes a transaction one step further, as the worker does. Safe to run twice concurrently, and to be
/// killed anywhere.
///
/// # Errors
/// [`CosigningError`]; the worker looks at the row again, later each time.
pub async fn advance(app: &App, issued: &IssuedTransaction) -> Result<(), CosigningError> {
    let advanced = match issued.state {
        TransactionState::Unsigned => steps::expire(app, issued).await,
        TransactionState::Signing => match steps::cosign(app, issued).await {
            Ok(signed) => steps::broadcast(app, &signed).await,
            Err(error) => steps::not_signed(app, issued, error).await,
        },
        TransactionState::Broadcasting
        | TransactionState::InMempool
        | TransactionState::Confirmed
        | TransactionState::Replaced => steps::follow(app, issued).await,
        TransactionState::Expired | TransactionState::Failed => Ok(()),
    };
    if let Err(error) = advanced {
        let (txid, state) = (issued.txid, issued.state);
        tracing::warn!(%txid, ?state, error = error.internal(), "step failed; retrying later");
        // What is due longest comes first: a row that could not be put off would stay there.
        within_budget(look_again_later(app, issued, Update::new())).await?;
        return Err(error);
    }
    Ok(())
}

/// Takes a transaction that is `signing` to the network, as a request does, and answers its row as it
/// stands then. What could not be done is left to the worker.
///
/// # Errors
/// [`CosigningError::Store`]: the row itself is out of reach.
pub(super) async fn advance_now(
    app: &App,
    issued: IssuedTransaction,
) -> Result<IssuedTransaction, CosigningError> {
    let txid = issued.txid;
    // Of many signings at once one goes on; the others answer how far it came.
    if issued.state != TransactionState::Signing {
        return Ok(issued);
    }
    let advanced = match steps::cosign(app, &issued).await {
        Ok(signed) => steps::broadcast(app, &signed).await,
        Err(error) => Err(error),
    };
    if let Err(error) = advanced {
        tracing::error!(%txid, error = error.internal(), "step failed; the worker retries");
    }
    load(app, txid).await?.ok_or(CosigningError::Damaged("no row"))
}
