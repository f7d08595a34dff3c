//! `GET /api/vm-transactions/count-unconfirmed-requests`.

use std::collections::BTreeMap;

use axum::extract::State;
use chain::{keys, mints};
use ordinals::RuneId;
use serde::Serialize;
use shared::{
    http::{Envelope, Fields, Input, Query, Result},
    models::{bitcoin::EtchedRune, wallet::AddressText},
};
use store::{Count, Store, StoreError};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;

/// Query of the count.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct CountQuery {
    /// Only requests for this rune.
    #[param(value_type = Option<EtchedRune>)]
    rune_id: Option<EtchedRune>,
    /// Only requests that this address created.
    #[param(value_type = Option<String>)]
    user_address: Option<AddressText>,
}

impl Input for CountQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let rune_id = fields.optional_parsed("runeId", 31);
        let user_address = fields.optional_parsed("userAddress", 128);
        Some(Self { rune_id: rune_id?, user_address: user_address? })
    }
}

/// Requests that wait for a virtual block.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnconfirmedRequests {
    /// Number of requests.
    count: u64,
    /// The same by rune; runes without requests are omitted.
    by_rune: Vec<UnconfirmedOfRune>,
}

/// Requests for one rune that wait for a virtual block.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnconfirmedOfRune {
    rune_id: String,
    /// Number of requests.
    count: u64,
}

/// Counts the requests of open mints that the network has accepted and no virtual block has taken.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/count-unconfirmed-requests",
    tag = "vm-transactions",
    params(CountQuery),
    responses((status = 200, description = "The count", body = Envelope<UnconfirmedRequests>))
)]
pub async fn count_unconfirmed_requests(
    State(app): State<App>,
    Query(query): Query<CountQuery>,
) -> Result<Envelope<UnconfirmedRequests>> {
    let rune = query.rune_id.map(|EtchedRune(rune)| rune);
    let counts = match query.user_address.as_ref().map(AddressText::as_str) {
        Some(address) => waiting_of(&app.store, address, rune).await?,
        None => mints::waiting_requests(&app.store, rune).await?.into_iter().collect(),
    };
    let mut by_rune: BTreeMap<String, u64> = BTreeMap::new();
    for (rune, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let sum = by_rune.entry(rune).or_default();
        *sum = sum.saturating_add(count);
    }
    let count = by_rune.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let of_rune = |(rune_id, count)| UnconfirmedOfRune { rune_id, count };
    let by_rune = by_rune.into_iter().map(of_rune).collect();
    Ok(Envelope::ok(UnconfirmedRequests { count, by_rune }))
}

/// How many requests of an address wait, by rune.
async fn waiting_of(
    store: &Store,
    address: &str,
    rune: Option<RuneId>,
) -> Result<Vec<(String, u64)>, StoreError> {
    let counts: Vec<Count> = match rune {
        Some(rune) => store.get(&keys::vm_waiting(address, rune)).await?.into_iter().collect(),
        None => {
            let (low, high) = keys::vm_waiting_runes(address);
            store.range((&low, &high), true, None).await?
        }
    };
    Ok(counts.into_iter().map(|Count { count, of }| (of, count)).collect())
}
