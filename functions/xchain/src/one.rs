//! `GET /api/xchain/transactions/{txId}`.

use axum::extract::State;
use chain::{
    models::xchain::{StatusChange, TxHash},
    views::xchain::XchainRow,
};
use serde::Serialize;
use shared::http::{Error, MaybeCaller, Problem, Query, Result, Segment, Single, WaitsFor};
use utoipa::ToSchema;

use crate::{
    app::App,
    find::{OfChain, find},
};

/// One cross-chain transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneXchainTransaction {
    #[serde(flatten)]
    row: XchainRow,
    /// All statuses so far, oldest first, including the current one.
    history: Vec<StatusChange>,
}

/// Returns a cross-chain transaction with its history. `txId` is the hash of its intent, of its transaction on
/// the source chain or, for a withdrawal, of the Bitcoin transaction.
///
/// If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
/// caller's own; without a token, none.
#[utoipa::path(
    get,
    path = "/api/xchain/transactions/{txId}",
    tag = "xchain",
    security((), ("bearer" = [])),
    params(
        ("txId" = TxHash, Path, description = "The hash: 32 bytes in hex, or 32 or 64 in base58"),
        OfChain
    ),
    responses((status = 200, description = "The transaction", body = Single<OneXchainTransaction>))
)]
pub async fn get_xchain_transaction(
    State(app): State<App>,
    caller: MaybeCaller,
    Segment(hash): Segment<TxHash>,
    Query(of): Query<OfChain>,
) -> Result<Single<OneXchainTransaction>> {
    let account = caller.if_any().map(|caller| caller.account);
    let found = find(&app.store, &hash, account, of.src_chain).await?;
    let record = found.ok_or(Error::new(Problem::XchainNotFound))?;
    let waits_for = (!record.status.is_final()).then_some(WaitsFor::Partner);
    let history = record.history.clone();
    Ok(Single::waiting(OneXchainTransaction { row: record.into(), history }, waits_for))
}
