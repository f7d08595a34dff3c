//! `DELETE /api/transactions/{txId}`.

use axum::extract::State;
use bitcoin::Txid;
use chain::transactions::{self, TransactionStatus};
use shared::http::{Envelope, LiveCaller, Result, Segment};

use crate::app::App;

/// Ends an unsigned transaction of the caller, of any kind, so that its coins are free again immediately. An
/// ended refund counts as a refund that was not signed in time.
///
/// If the transaction has already ended, the response is the same. Repeating the request that created it with
/// the same idempotency key then fails with 2015.
#[utoipa::path(
    delete,
    path = "/api/transactions/{txId}",
    tag = "transactions",
    security(("bearer" = [])),
    params(("txId" = String, Path, description = "The transaction", pattern = "^[0-9a-fA-F]{64}$")),
    responses((
        status = 200,
        description = "The transaction, `expired`",
        body = Envelope<TransactionStatus>
    ))
)]
pub async fn release_bitcoin_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(txid): Segment<Txid>,
) -> Result<Envelope<TransactionStatus>> {
    let ended = transactions::cancel(&app, caller.account.id, txid).await?;
    Ok(Envelope::ok(TransactionStatus::from(ended)))
}
