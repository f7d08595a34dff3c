//! `POST /auth/logout`.

use axum::extract::State;
use shared::{
    http::{Caller, Envelope, Nothing, Result},
    store::Key,
};

use crate::app::App;

/// Ends the caller's session. Its refresh token becomes invalid immediately, and so does its access token for
/// sensitive endpoints; elsewhere the access token expires within 10 minutes.
#[utoipa::path(
    post,
    path = "/auth/logout",
    tag = "auth",
    security(("bearer" = [])),
    responses((status = 200, description = "The session has ended", body = Envelope<Nothing>))
)]
pub async fn logout(State(app): State<App>, caller: Caller) -> Result<Envelope<Nothing>> {
    app.store.delete(&Key::session(caller.account, caller.session)).await?;
    Ok(Envelope::ok(Nothing))
}
