//! `POST /api/transactions`.

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

/// Creates a transaction of the caller's trading wallet. The transaction is a withdrawal through the hub or to
/// a Bitcoin address, or a renewal of coins. The caller has ten minutes to sign it.
///
/// The transaction spends no inscription. Runes that it does not pay to the recipient return to the trading
/// address.
///
/// - `xchain-withdraw` is the withdrawal of `POST /api/xchain/transaction`.
/// - `withdraw` pays any Bitcoin address. Its only OP_RETURN is the runestone of a rune payment. The hub is not
///   notified, and it appears in no public list. `amount: "max"` pays as much as one transaction can; the
///   service calculates the amount and reserves the coins in one step.
/// - `renew-utxo` returns coins to the trading address, so that their delay of 90 days begins again. Plain
///   coins merge into one coin, and all their runes into another coin.
#[utoipa::path(
    post,
    path = "/api/transactions",
    tag = "transactions",
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
pub async fn create_bitcoin_transaction(
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
