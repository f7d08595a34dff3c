//! `POST /api/transactions/{txId}/replace`.

use axum::{extract::State, response::Response};
use bitcoin::Txid;
use chain::{
    trading::{self, Notes, ReplaceTransaction},
    transactions::{self, UnsignedTransaction},
};
use shared::http::{CreatedWith, IdempotencyHeader, Idempotent, LiveCaller, Result, Segment};

use crate::app::App;

/// Creates a replacement of an unconfirmed `withdraw` or `renew-utxo` transaction (BIP 125).
///
/// The transaction to replace waits in the mempool, or the network has refused it for half an hour. Sign the
/// replacement with `POST /api/transactions/sign`.
///
/// `bump` creates the same transaction at a higher fee. `cancel` returns a coin of the transaction to the
/// trading address, so only one of the two can confirm; the network decides which. If the transaction has
/// already been replaced, its newest version is replaced. An earlier unsigned replacement ends. A bump pays the
/// same amount. If a withdrawal of BTC has no change and no other coin is free, the higher fee is taken from
/// its amount: `metaData.amount` is the lower amount, and the response has the warning `amountLowered`.
///
/// A batch whose mint has ended without it (`notTaken`) can be cancelled too, but not bumped. This operation
/// does not replace other transactions: a withdrawal through the hub is replaced by one with `replaceTxId`, a
/// batch of an open mint by a further batch, a refund by the service itself.
#[utoipa::path(
    post,
    path = "/api/transactions/{txId}/replace",
    tag = "transactions",
    security(("bearer" = [])),
    params(
        ("txId" = String, Path, description = "The transaction", pattern = "^[0-9a-fA-F]{64}$"),
        IdempotencyHeader
    ),
    request_body = ReplaceTransaction,
    responses((
        status = 201,
        description = "The transaction to sign",
        body = CreatedWith<UnsignedTransaction, Notes>
    ))
)]
pub async fn replace_bitcoin_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(txid): Segment<Txid>,
    request: Idempotent<ReplaceTransaction>,
) -> Result<Response> {
    let stands = async |answer| Ok(transactions::still_offered(&app, &answer).await?);
    let work = async |body| trading::replace(&app, &caller, txid, body).await;
    request.once_while(&app, caller.account.id, stands, work).await
}
