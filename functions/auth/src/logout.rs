//! `POST /auth/logout`.

use axum::extract::State;
use shared::{
    app::App,
    http::{Caller, Envelope, Nothing, Result},
    store::Key,
};

/// Ends the caller's session: its refresh token is dead at once, and so is its access token for
/// whatever is sensitive; for the rest that ends within 10 minutes.
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
