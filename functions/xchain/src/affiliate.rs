//! `GET /api/xchain/affiliate`.

use axum::extract::State;
use shared::{
    deployment::Affiliate,
    http::{Caller, Envelope, Result},
};

use crate::app::App;

/// Returns the affiliate fee of cross-chain swaps and the address that earns it.
#[utoipa::path(
    get,
    path = "/api/xchain/affiliate",
    tag = "xchain",
    security(("bearer" = [])),
    responses((status = 200, description = "The fee", body = Envelope<Affiliate>))
)]
pub async fn get_affiliate(State(app): State<App>, _caller: Caller) -> Result<Envelope<Affiliate>> {
    Ok(Envelope::ok(Affiliate::of(&app.affiliate)?))
}
