//! `POST /api/transactions/sign`.

use axum::{extract::State, response::Response};
use chain::{
    trading::{self, SignTransaction},
    transactions::TransactionStatus,
};
use shared::http::{Envelope, IdempotencyHeader, Idempotent, LiveCaller, Result};

use crate::app::App;

/// Accepts the user's signatures of a withdrawal or renewal, adds the platform's and broadcasts the
/// transaction.
///
/// A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
/// returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
/// it without another request.
#[utoipa::path(
    post,
    path = "/api/transactions/sign",
    tag = "transactions",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = SignTransaction,
    responses((status = 201, description = "Status of the transaction", body = Envelope<TransactionStatus>))
)]
pub async fn sign_bitcoin_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<SignTransaction>,
) -> Result<Response> {
    let work = async |body| trading::sign(&app, &caller, body).await;
    request.once(&app, caller.account.id, work).await
}
