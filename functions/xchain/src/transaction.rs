//! `POST /api/xchain/transaction`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use chain::{
    trading::{self, CreateTransaction, Notes},
    transactions::{self, TransactionPreview, UnsignedTransaction},
};
use shared::http::{
    CreatedWith, DryRun, IdempotencyHeader, Idempotent, LiveCaller, OkWith, Query, Result,
};

use crate::app::App;

/// Creates a withdrawal from the caller's trading address. The caller has ten minutes to sign it.
///
/// It spends no inscription and no rune other than the one withdrawn; other runes of the same coins return to
/// the trading address. An OP_RETURN holds the SHA-256 of `xchainData`; for runes only if the deployment
/// enables it.
///
/// With `replaceTxId` it replaces a withdrawal that waits in the mempool or that the network has refused for
/// half an hour (BIP 125). It spends a coin of that withdrawal, so only one of the two can confirm.
///
/// The other types are those of `POST /api/transactions`.
#[utoipa::path(
    post,
    path = "/api/xchain/transaction",
    tag = "xchain",
    security(("bearer" = [])),
    params(DryRun, IdempotencyHeader),
    request_body = CreateTransaction,
    responses(
        (
            status = 200,
            description = "With `dryRun`: the transaction that would be created",
            body = OkWith<TransactionPreview, Notes>
        ),
        (
            status = 201,
            description = "The transaction to sign",
            body = CreatedWith<UnsignedTransaction, Notes>
        )
    )
)]
pub async fn create_xchain_withdrawal(
    State(app): State<App>,
    caller: LiveCaller,
    Query(dry_run): Query<DryRun>,
    request: Idempotent<CreateTransaction>,
) -> Result<Response> {
    if dry_run.is_wanted() {
        let preview = trading::preview(&app, &caller, request.body, &app.vault).await?;
        return Ok(preview.into_response());
    }
    let stands = async |answer| Ok(transactions::still_offered(&app, &answer).await?);
    let work = async |body| trading::create(&app, &caller, body, &app.vault).await;
    request.once_while(&app, caller.account.id, stands, work).await
}
