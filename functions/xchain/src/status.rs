//! `GET /api/xchain/transactions/{txId}/status`.

use std::time::Duration;

use axum::extract::State;
use bitcoin::Txid;
use chain::{
    hub::HubError,
    keys,
    models::xchain::{
        IntentHash, StatusChange, TxHash, XchainKey, XchainRecord, XchainStatus, XchainType,
    },
    xchain::{AskError, XchainPointer, ask_hub, write_record},
};
use serde::Serialize;
use shared::{
    clock::Timestamp,
    http::{Caller, Envelope, Error, Fields, Input, Problem, Query, Result, Segment},
    models::account::AccountId,
    store::{Store, StoreError},
};
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, register::LAST_CHAIN};

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
    /// True if the hub could not be reached: the answer is the last known state.
    stale: bool,
}

/// Selects one of several transactions with the same hash.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfChain {
    /// The hub's id of the source chain, if `txId` is a transaction on it.
    #[param(rename = "srcChain", minimum = 1, maximum = 9007199254740991_u64)]
    src_chain: Option<u64>,
}

impl Input for OfChain {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        match fields.optional_parsed("srcChain", 16)? {
            Some(id) if !(1..=LAST_CHAIN).contains(&id) => {
                fields.wrong("srcChain", format!("must be 1 to {LAST_CHAIN}"))
            }
            src_chain => Some(Self { src_chain }),
        }
    }
}

/// Returns the status of a cross-chain transaction. It is found by the hash of its intent, by its transaction on
/// the source chain, or by the Bitcoin transaction of a withdrawal.
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
pub async fn status(
    State(app): State<App>,
    caller: Caller,
    Segment(hash): Segment<TxHash>,
    Query(of): Query<OfChain>,
) -> Result<Envelope<SwapStatus>> {
    let found = match by_own_hash(&app.store, &hash, caller.account).await? {
        Some(found) => Some(found),
        None => by_spoke(&app.store, &hash, caller.account, of.src_chain).await?,
    };
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

/// A record, as current as possible, and whether the hub could not be reached. A failed poll is the worker's to
/// repeat.
async fn refreshed(app: &App, record: XchainRecord) -> Result<(XchainRecord, bool), StoreError> {
    let now = app.clock.now();
    let is_fresh = record.asked_at.is_some_and(|asked| asked.plus(FRESH) > now);
    // Until the worker has relayed a withdrawal, the hub knows nothing of it.
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

/// Finds a swap by its intent, or a withdrawal by its Bitcoin transaction.
async fn by_own_hash(
    store: &Store,
    hash: &TxHash,
    account: AccountId,
) -> Result<Option<XchainRecord>, StoreError> {
    let (Ok(intent), Ok(txid)) =
        (hash.digits().parse::<IntentHash>(), hash.digits().parse::<Txid>())
    else {
        return Ok(None);
    };
    let (verified, own) = (keys::xchain_verified(intent), keys::xchain_swap(intent, account));
    let withdrawal = keys::xchain_withdrawal(txid);
    let (verified, own, withdrawal) = tokio::try_join!(
        store.get::<XchainPointer>(&verified),
        store.get::<XchainRecord>(&own),
        store.get::<XchainRecord>(&withdrawal),
    )?;
    let own_key = XchainKey::Swap { intent, account };
    match verified.filter(|verified| verified.key != own_key) {
        Some(verified) => store.get(&keys::xchain(verified.key)).await,
        None => Ok(own.or(withdrawal)),
    }
}

/// Finds a swap by its transaction on the source chain.
async fn by_spoke(
    store: &Store,
    hash: &TxHash,
    account: AccountId,
    chain: Option<u64>,
) -> Result<Option<XchainRecord>, StoreError> {
    let keys = |account| match chain {
        Some(chain) => {
            let key = keys::xchain_spoke(hash, account, chain);
            (key.clone(), key)
        }
        None => keys::xchain_spokes(hash, account),
    };
    let (verified, own) = (keys(None), keys(Some(account)));
    let (verified, own) = tokio::try_join!(
        store.range::<XchainPointer>((&verified.0, &verified.1), true, Some(1)),
        store.range::<XchainPointer>((&own.0, &own.1), true, Some(1)),
    )?;
    match verified.into_iter().chain(own).next() {
        Some(pointer) => store.get(&keys::xchain(pointer.key)).await,
        None => Ok(None),
    }
}
