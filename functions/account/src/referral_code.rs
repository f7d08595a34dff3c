//! `GET /api/account/referral-code/{code}/verify`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    accounts,
    http::{Envelope, Result, Segment},
};
use utoipa::ToSchema;

use crate::app::App;

/// Length of a referral code.
const LENGTH: usize = 8;

/// Whether a referral code can be used.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReferralCodeCheck {
    /// Whether the code belongs to an account.
    valid: bool,
}

/// Checks whether a referral code can be used. Case is ignored; an unknown code is not an error.
#[utoipa::path(
    get,
    path = "/api/account/referral-code/{code}/verify",
    tag = "account",
    params(("code" = String, Path, description = "The code", example = "7K3M9QXZ")),
    responses((status = 200, description = "Whether it can be used", body = Envelope<ReferralCodeCheck>))
)]
pub async fn verify_referral_code(
    State(app): State<App>,
    Segment(code): Segment<String>,
) -> Result<Envelope<ReferralCodeCheck>> {
    let possible = code.len() == LENGTH && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let valid =
        possible && accounts::referrer(&app.store, &code.to_ascii_uppercase()).await?.is_some();
    Ok(Envelope::ok(ReferralCodeCheck { valid }))
}
