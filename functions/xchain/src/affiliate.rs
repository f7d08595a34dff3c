//! `GET /api/xchain/affiliate`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Number;
use shared::http::{Caller, Envelope, Error, Problem, Result};
use utoipa::ToSchema;

use crate::app::App;

/// The affiliate fee of cross-chain swaps.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Affiliate {
    /// The address that earns it.
    affiliate_address: String,
    /// Basis points: 100 is 1%.
    #[schema(maximum = 10000)]
    fee_bps: u16,
    /// The same in percent.
    #[schema(value_type = f64, example = 0.25)]
    fee_percent: Number,
}

/// Returns the affiliate fee of cross-chain swaps and the address that earns it.
#[utoipa::path(
    get,
    path = "/api/xchain/affiliate",
    tag = "xchain",
    security(("bearer" = [])),
    responses((status = 200, description = "The fee", body = Envelope<Affiliate>))
)]
pub async fn affiliate(State(app): State<App>, _caller: Caller) -> Result<Envelope<Affiliate>> {
    let fee = &app.affiliate;
    let percent = percent(fee.fee_bps)
        .ok_or_else(|| Error::new(Problem::Internal).caused_by("the percentage is not a number"))?;
    Ok(Envelope::ok(Affiliate {
        affiliate_address: fee.address.clone(),
        fee_bps: fee.fee_bps,
        fee_percent: percent,
    }))
}

fn percent(bps: u16) -> Option<Number> {
    let (whole, hundredths) = (bps.div_euclid(100), bps.rem_euclid(100));
    let text = if hundredths == 0 { whole.to_string() } else { format!("{whole}.{hundredths:02}") };
    text.parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_basis_points_are_one_percent() {
        for (bps, text) in
            [(0, "0"), (1, "0.01"), (25, "0.25"), (50, "0.5"), (100, "1"), (10_000, "100")]
        {
            assert_eq!(percent(bps).unwrap().to_string(), text);
        }
    }
}
