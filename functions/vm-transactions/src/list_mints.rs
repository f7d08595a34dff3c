//! `GET /api/vm-transactions/mints`, and a mint in its public form.

use axum::extract::State;
use base::clock::Timestamp;
use chain::{
    keys,
    mints::{self, Mint, VmSum, VmSums},
    models::{
        amount::Units,
        mint::{MintId, MintKey, MintState},
    },
    views::batches::runes_of,
};
use ordinals::RuneId;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, ListQuery, Result, Segment, Single, WaitsFor,
        list::{AsOf, Field, Filter, ListParameters, Resource},
        relations::TOKEN,
    },
    models::bitcoin::EtchedRune,
};
use store::lists::Member;
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, error::VmError};

/// A mint as clients see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MintRow {
    id: MintId,
    /// The rune to mint.
    #[schema(value_type = String)]
    rune_id: RuneId,
    /// Name of the rune, with spacers.
    rune_name: String,
    state: MintState,
    /// The address that commitments pay.
    treasury_address: String,
    /// The address that sends the runes.
    pool_address: String,
    /// The Bitcoin address that receives the payments for taken requests.
    proceeds_address: String,
    /// Tokens per request, in the rune's smallest unit.
    tokens_per_request: Units,
    /// Total number of requests.
    total_requests: u64,
    /// The maximum number of requests that one virtual block takes.
    requests_per_block: u64,
    /// The lowest price of a request, in sats.
    min_sats_per_request: u64,
    /// When the mint opens, ms since the epoch.
    opens_at: Timestamp,
    /// When the mint closes, ms since the epoch.
    closes_at: Timestamp,
    /// Number of its requests that wait for a virtual block.
    requests_in_mempool_count: u64,
    /// Number of its requests in virtual blocks.
    requests_in_blocks_count: u64,
    /// When the mint was created, ms since the epoch.
    created_at: Timestamp,
}

impl MintRow {
    /// A mint with its present sums.
    pub(crate) async fn of(app: &App, mint: Mint) -> Result<Self> {
        let sums = app.store.get::<VmSums>(&keys::vm_sums(mint.rune.id, mint.id)).await?;
        Ok(Self::new(mint, &sums.unwrap_or_default()))
    }

    pub(crate) fn new(mint: Mint, sums: &VmSums) -> Self {
        Self {
            id: mint.id,
            rune_id: mint.rune.id,
            rune_name: mint.rune.name.to_string(),
            state: mint.state,
            treasury_address: mint.treasury.address,
            pool_address: mint.pool.address,
            proceeds_address: mint.proceeds_address,
            tokens_per_request: mint.tokens_per_request,
            total_requests: mint.total_requests,
            requests_per_block: mint.requests_per_block,
            min_sats_per_request: mint.min_sats_per_request,
            opens_at: mint.opens_at,
            closes_at: mint.closes_at,
            requests_in_mempool_count: sums.get(VmSum::InMempool),
            requests_in_blocks_count: sums.get(VmSum::InBlocks),
            created_at: mint.created_at,
        }
    }
}

impl Resource for MintRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("runeId").in_digits(),
        Field::visible("runeName"),
        Field::visible("state"),
        Field::visible("treasuryAddress"),
        Field::visible("poolAddress"),
        Field::visible("proceedsAddress"),
        Field::visible("tokensPerRequest").in_digits(),
        Field::visible("totalRequests"),
        Field::visible("requestsPerBlock"),
        Field::visible("minSatsPerRequest"),
        Field::visible("opensAt"),
        Field::visible("closesAt"),
        Field::visible("requestsInMempoolCount"),
        Field::visible("requestsInBlocksCount"),
        Field::visible("createdAt"),
    ];
    const FILTERS: &'static [Filter] =
        &[Filter::of::<EtchedRune>("runeId"), Filter::of_rows::<MintState>("state", "state")];
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct MintFilters {
    /// Only mints of this rune.
    #[param(rename = "runeId_eq")]
    rune_id: Option<EtchedRune>,
    /// Only mints in one of these states.
    #[param(rename = "state_eq", style = Form, explode = false)]
    state: Option<Vec<MintState>>,
}

/// Lists mints, newest first. The filter by state works on up to 5,000 mints.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/mints",
    tag = "vm-transactions",
    params(ListParameters, AsOf, MintFilters),
    responses((status = 200, description = "A page of mints", body = Envelope<Vec<MintRow>>))
)]
pub async fn list_mints(
    State(app): State<App>,
    query: ListQuery<MintRow>,
) -> Result<Envelope<Vec<Value>>> {
    let load = async |members: Vec<Member<MintKey>>| {
        let members = members.into_iter().map(|member| member.value);
        let keys =
            members.map(|of| (keys::mint(of.mint_id), keys::vm_sums(of.rune_id, of.mint_id)));
        let (mints, sums): (Vec<_>, Vec<_>) = keys.unzip();
        let (mints, sums) = tokio::try_join!(
            app.store.get_many::<Mint>(&mints),
            app.store.get_many::<VmSums>(&sums)
        )?;
        let rows = mints.into_iter().zip(sums);
        let row = |(mint, sums): (Option<_>, Option<_>)| {
            Some(MintRow::new(mint?, &sums.unwrap_or_default()))
        };
        Ok(rows.filter_map(row).collect())
    };
    let rune = query.filter("runeId").and_then(|rune| rune.parse::<EtchedRune>().ok());
    let list = rune.map_or_else(keys::lists::mints, |rune| keys::lists::mints_of_rune(rune.0));
    let found = query.read(&app.store, &list, load).await?;
    let runes = found.rows.iter().map(|row| row.rune_id);
    let tokens = runes_of(&app.store, query.populates(TOKEN), runes).await?;
    query.answer(&found, |relation, place| match (relation, found.rows.get(place)) {
        (TOKEN, Some(row)) => tokens.get(&row.rune_id.to_string()).cloned().unwrap_or_default(),
        _ => Value::Null,
    })
}

/// Returns one mint.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/mints/{id}",
    tag = "vm-transactions",
    params(("id" = MintId, Path, description = "The mint")),
    responses((status = 200, description = "The mint", body = Single<MintRow>))
)]
pub async fn get_mint(
    State(app): State<App>,
    Segment(id): Segment<MintId>,
) -> Result<Single<MintRow>> {
    let mint = mints::mint(&app.store, id).await?.ok_or(VmError::MintNotFound)?;
    let waits_for = match mint.state {
        MintState::Open | MintState::MintedOut => Some(WaitsFor::Block),
        MintState::Failed | MintState::Distributed => None,
    };
    Ok(Single::waiting(MintRow::of(&app, mint).await?, waits_for))
}
