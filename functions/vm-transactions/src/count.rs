//! `GET /api/vm-transactions/count-unconfirmed-requests`.

use axum::extract::State;
use chain::keys;
use serde::Serialize;
use shared::{
    http::{Envelope, Fields, Input, Query, Result},
    models::{bitcoin::EtchedRune, wallet::AddressText},
    store::Count,
};
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
    let address = query.user_address.as_ref().map(AddressText::as_str);
    let counts = match query.rune_id {
        Some(EtchedRune(rune)) => {
            app.store.get::<Count>(&keys::vm_waiting(address, rune)).await?.into_iter().collect()
        }
        None => {
            let (low, high) = keys::vm_waiting_runes(address);
            app.store.range::<Count>((&low, &high), true, None).await?
        }
    };
    let of_rune = |Count { count, of }| UnconfirmedOfRune { rune_id: of, count };
    let mut by_rune: Vec<_> = counts.into_iter().map(of_rune).collect();
    by_rune.retain(|rune| rune.count > 0);
    let count = by_rune.iter().fold(0_u64, |sum, rune| sum.saturating_add(rune.count));
    Ok(Envelope::ok(UnconfirmedRequests { count, by_rune }))
}
