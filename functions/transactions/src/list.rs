//! `GET /api/transactions` and `GET /api/transactions/{txId}`.

use axum::extract::State;
use bitcoin::Txid;
use chain::{
    progress::Progress,
    transactions::{self, ChainError},
    views::transactions::{self as views, TransactionFilters, TransactionRow},
};
use serde::Serialize;
use serde_json::Value;
use shared::http::{
    Caller, Envelope, ListQuery, Result, Segment, Single,
    list::{AsOf, ListParameters},
};
use utoipa::ToSchema;

use crate::app::App;

/// Lists the caller's signed Bitcoin transactions of every kind, newest first. Filters work on up to 5,000
/// transactions.
///
/// With `state_eq=unsigned`, the list contains the transactions that wait for the caller's signature. They hold
/// coins until they are signed or end.
#[utoipa::path(
    get,
    path = "/api/transactions",
    tag = "transactions",
    security(("bearer" = [])),
    params(ListParameters, AsOf, TransactionFilters),
    responses((
        status = 200,
        description = "A page of transactions",
        body = Envelope<Vec<TransactionRow>>
    ))
)]
pub async fn list_bitcoin_transactions(
    State(app): State<App>,
    caller: Caller,
    query: ListQuery<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    views::list_transactions(&app, caller.account, &query).await
}

/// One transaction of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneTransaction {
    #[serde(flatten)]
    row: TransactionRow,
    #[serde(flatten)]
    progress: Progress,
}

/// Returns one transaction of the caller, signed or not.
#[utoipa::path(
    get,
    path = "/api/transactions/{txId}",
    tag = "transactions",
    security(("bearer" = [])),
    params(("txId" = String, Path, description = "The transaction", pattern = "^[0-9a-fA-F]{64}$")),
    responses((status = 200, description = "The transaction", body = Single<OneTransaction>))
)]
pub async fn get_bitcoin_transaction(
    State(app): State<App>,
    caller: Caller,
    Segment(txid): Segment<Txid>,
) -> Result<Single<OneTransaction>> {
    let mut issued = transactions::load_own(&app, caller.account, txid).await?;
    let (progress, waits_for) = Progress::of(&app, &mut issued).await?;
    let row = TransactionRow::of(&issued, issued.created_at).ok_or(ChainError::NotFound)?;
    Ok(Single::waiting(OneTransaction { row, progress }, waits_for))
}
