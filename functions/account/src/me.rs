//! `GET /api/account/me`.

use axum::extract::State;
use shared::{
    accounts,
    http::{Caller, Envelope, Error, Problem, Result},
    models::account::{Me, Status},
};

use crate::app::App;

/// Returns the caller's account.
#[utoipa::path(
    get,
    path = "/api/account/me",
    tag = "account",
    security(("bearer" = [])),
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn get_me(State(app): State<App>, caller: Caller) -> Result<Envelope<Me>> {
    let account = accounts::get(&app.store, caller.account).await?;
    match account.ok_or(Error::new(Problem::AccountNotFound))? {
        account if account.status == Status::Active => Ok(Envelope::ok(account.into())),
        _ => Err(Error::new(Problem::AccountDisabled)),
    }
}
