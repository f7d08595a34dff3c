//! The driver of the life cycle: selects the next step.

use bitcoin::Transaction;
use shared::problem::AsProblem;
use store::Update;

use super::{
    ChainError, FullTransaction, IssuedTransaction,
    body::{ToCosign, body, signed},
    issued::load,
    row::look_again_later,
    steps,
};
use crate::{BitcoinContext, models::transaction::TransactionState};

/// Advances a transaction by one step, as the worker does. It may run twice concurrently and be killed at any
/// point.
///
/// # Errors
/// The error of the step that failed. The worker retries the row, later each time.
pub async fn advance(app: &BitcoinContext, issued: &IssuedTransaction) -> Result<(), ChainError> {
    let advanced = match issued.state {
        TransactionState::Unsigned => steps::expire(app, issued).await,
        TransactionState::Signing => match cosign(app, issued).await {
            Ok((issued, signed)) => steps::broadcast(app, &issued, &signed).await,
            Err(error) => steps::not_signed(app, issued, error).await,
        },
        TransactionState::Broadcasting
        | TransactionState::InMempool
        | TransactionState::Confirmed
        | TransactionState::Replaced
        | TransactionState::Failed => steps::follow(app, issued).await,
        TransactionState::Expired => Ok(()),
    };
    if let Err(error) = advanced {
        let (txid, state) = (issued.txid, issued.state);
        tracing::warn!(%txid, ?state, error = error.internal(), "step failed; retrying later");
        // The row that is due longest comes first, so a row that could not be postponed would block the
        // queue.
        app.outbound.within_budget(look_again_later(app, issued, Update::new())).await?;
        return Err(error);
    }
    Ok(())
}

/// Reads what the platform has to sign, and signs it.
async fn cosign(
    app: &BitcoinContext,
    row: &IssuedTransaction,
) -> Result<(IssuedTransaction, Transaction), ChainError> {
    let body = body(app, row.txid).await?;
    let signed = match body.wallet {
        Some(_) => Some(signed(app, row.txid).await?),
        None => None,
    };
    let issued = FullTransaction { row: row.clone(), body };
    steps::cosign(app, &ToCosign { issued, signed }).await
}

/// Advances a `signing` transaction within a request, up to its broadcast, and returns its row. The worker
/// finishes what the request could not.
///
/// # Errors
/// [`ChainError::Store`] if the row itself cannot be read.
pub(super) async fn advance_now(
    app: &BitcoinContext,
    to_cosign: ToCosign,
) -> Result<IssuedTransaction, ChainError> {
    let txid = to_cosign.issued.row.txid;
    let advanced = match steps::cosign(app, &to_cosign).await {
        Ok((issued, signed)) => steps::broadcast(app, &issued, &signed).await,
        Err(error) => Err(error),
    };
    if let Err(error) = advanced {
        tracing::error!(%txid, error = error.internal(), "step failed; the worker retries");
    }
    load(app, txid).await?.ok_or(ChainError::Damaged("the row is missing"))
}
