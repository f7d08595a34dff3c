//! `POST /api/transactions`.

use axum::{extract::State, response::Response};
use chain::{
    trading::{self, CreateTransaction, Notes},
    transactions::{self, UnsignedTransaction},
};
use shared::http::{CreatedWith, IdempotencyHeader, Idempotent, LiveCaller, Result};

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
    params(IdempotencyHeader),
    request_body = CreateTransaction,
    responses((
        status = 201,
        description = "The transaction to sign",
        body = CreatedWith<UnsignedTransaction, Notes>
    ))
)]
pub async fn create_bitcoin_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<CreateTransaction>,
) -> Result<Response> {
    let stands = async |answer| Ok(transactions::still_offered(&app, &answer).await?);
    let work = async |body| trading::create(&app, &caller, body, &app.vault).await;
    request.once_while(&app, caller.account.id, stands, work).await
}
