//! `GET /.well-known/jwks.json`.

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use shared::{auth::AuthError, crypto::signing::Jwks, http::Result};

use crate::app::App;

/// Returns the public keys of access tokens (RFC 7517). The response has no envelope, so that libraries can
/// read it directly.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "service",
    responses((status = 200, description = "The keys", body = Jwks))
)]
pub async fn get_jwks(State(app): State<App>) -> Result<impl IntoResponse> {
    let jwks: Jwks = app.gate.tokens.jwks().await.map_err(AuthError::from)?;
    Ok(([(header::CACHE_CONTROL, "public, max-age=300")], Json(jwks)))
}
