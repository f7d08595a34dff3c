//! `GET /api/bitcoin/fee-rates`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use base::clock::Timestamp;
use chain::transactions;
use http::{HeaderValue, header};
use serde::Serialize;
use serde_json::Number;
use shared::{
    fees::number_in_sat_per_vb,
    http::{Envelope, Error, Problem, Result},
};
use utoipa::ToSchema;

use crate::app::App;

/// How long caches may keep the answer.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=30");

/// The fee rates of the service's transactions, in sat/vB.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeRates {
    /// The rate of `feeTarget: "economy"`, for confirmation within a few hours.
    #[schema(value_type = f64, example = 1.5)]
    economy: Number,
    /// The rate of `feeTarget: "normal"`, the default.
    #[schema(value_type = f64, example = 4)]
    normal: Number,
    /// The rate of `feeTarget: "fast"`, for the next block.
    #[schema(value_type = f64, example = 6.25)]
    fast: Number,
    /// The lowest rate that the service uses.
    #[schema(value_type = f64, example = 1)]
    minimum: Number,
    /// The height of the chain when the rates were read.
    height: u32,
    /// When the rates were read, ms since the epoch.
    updated_at: Timestamp,
}

/// Returns the fee rates that the service read last: at most six hours ago, and usually within the last ten
/// minutes.
#[utoipa::path(
    get,
    path = "/api/bitcoin/fee-rates",
    tag = "bitcoin",
    responses((status = 200, description = "The rates", body = Envelope<FeeRates>))
)]
pub async fn get_fee_rates(State(app): State<App>) -> Result<Response> {
    let known = transactions::known_fee_rates(&app).await?;
    let known = known.ok_or(Error::new(Problem::ChainUnavailable))?;
    let rates = FeeRates {
        economy: number_in_sat_per_vb(known.rates.economy)?,
        normal: number_in_sat_per_vb(known.rates.normal)?,
        fast: number_in_sat_per_vb(known.rates.fast)?,
        minimum: number_in_sat_per_vb(app.fees.rates.lowest)?,
        height: known.height,
        updated_at: known.read_at,
    };
    let mut answer = Envelope::ok(rates).into_response();
    answer.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    Ok(answer)
}
