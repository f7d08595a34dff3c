//! `GET /api/xchain/transactions/{txId}/status`.

use std::time::Duration;

use axum::extract::State;
use base::clock::Timestamp;
use chain::{
    hub::HubError,
    models::xchain::{StatusChange, TxHash, XchainRecord, XchainStatus, XchainType},
    xchain::{AskError, ask_hub, write_record},
};
use serde::Serialize;
use shared::http::{Caller, Envelope, Error, Problem, Query, Result, Segment};
use store::StoreError;
use utoipa::ToSchema;

use crate::{
    app::App,
    find::{OfChain, find},
};

/// A client's request does not poll the hub again within this time.
const FRESH: Duration = Duration::from_secs(5);

/// Status and history of a cross-chain transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwapStatus {
    /// Swap: the hash of the intent. Withdrawal: the Bitcoin transaction id.
    tx_id: String,
    status: XchainStatus,
    /// Whether the status is final.
    is_final: bool,
    /// The step that failed, in the hub's words; `verification` if the hub's record of the intent differs
    /// from the registration, `bitcoin` if the Bitcoin transaction cannot confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_at_step: Option<String>,
    /// The reason of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_reason: Option<String>,
    /// The transaction on the destination chain that filled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill_tx_hash: Option<String>,
    /// The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
    #[schema(required = true)]
    src_chain: Option<u64>,
    /// The hub's id of the destination chain; null if the service does not know it.
    #[schema(required = true)]
    dst_chain: Option<u64>,
    /// Whether the hub confirms the registration.
    verified: bool,
    /// All statuses so far, oldest first, including the current one.
    history: Vec<StatusChange>,
    /// When it last changed, ms since the epoch.
    updated_at: Timestamp,
    /// True if the hub could not be reached; the status is then the last known one.
    stale: bool,
}

/// Returns the status of a cross-chain transaction. `txId` is the hash of its intent, of its transaction on the
/// source chain or, for a withdrawal, of the Bitcoin transaction.
///
/// If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
/// caller's own.
#[utoipa::path(
    get,
    path = "/api/xchain/transactions/{txId}/status",
    tag = "xchain",
    security(("bearer" = [])),
    params(
        ("txId" = TxHash, Path, description = "The hash: 32 bytes in hex, or 32 or 64 in base58"),
        OfChain
    ),
    responses((status = 200, description = "Status of the transaction", body = Envelope<SwapStatus>))
)]
pub async fn get_swap_status(
    State(app): State<App>,
    caller: Caller,
    Segment(hash): Segment<TxHash>,
    Query(of): Query<OfChain>,
) -> Result<Envelope<SwapStatus>> {
    let found = find(&app.store, &hash, Some(caller.account), of.src_chain).await?;
    let found = found.ok_or(Error::new(Problem::XchainNotFound))?;
    let (record, stale) = refreshed(&app, found).await?;
    Ok(Envelope::ok(SwapStatus {
        tx_id: record.tx_id,
        status: record.status,
        is_final: record.status.is_final(),
        failed_at_step: record.failed_at_step,
        failure_reason: record.failure_reason,
        fill_tx_hash: record.fill_tx_hash,
        src_chain: record.src_chain,
        dst_chain: record.dst_chain,
        verified: record.verified,
        history: record.history,
        updated_at: record.updated_at,
        stale,
    }))
}

/// Returns the record, updated from the hub unless it is recent, and whether the hub could not be reached.
/// The worker repeats a failed poll.
async fn refreshed(app: &App, record: XchainRecord) -> Result<(XchainRecord, bool), StoreError> {
    let now = app.clock.now();
    let is_fresh = record.asked_at.is_some_and(|asked| asked.plus(FRESH) > now);
    // Until the worker has relayed a withdrawal, the hub does not know it.
    let is_relayed = record.kind == XchainType::Swap || record.intent_tx_hash.is_some();
    if record.status.is_final() || is_fresh || !is_relayed {
        return Ok((record, false));
    }
    match ask_hub(app, &app.hub, &record).await {
        Ok(news) => {
            let news = XchainRecord { asked_at: Some(app.clock.now()), ..news };
            Ok((write_record(app, &record, news).await?, false))
        }
        Err(AskError::Store(error)) => Err(error),
        Err(AskError::Hub(HubError::Open(_))) => Ok((record, true)),
        Err(AskError::Hub(error)) => {
            tracing::warn!(txid = record.tx_id, %error, "nothing new");
            Ok((record, true))
        }
    }
}
