//! `POST /auth/logout`.

use axum::extract::State;
use shared::{
    http::{Caller, Envelope, Error, Nothing, Problem, Result},
    keys,
    models::session::Session,
};
use store::{CommitError, Update, Writes};

use crate::{
    app::App,
    sessions::{SessionEnd, tell},
};

/// Ends the caller's session. Its refresh token becomes invalid immediately, and so does its access token for
/// sensitive endpoints; elsewhere the access token expires within 10 minutes.
#[utoipa::path(
    post,
    path = "/auth/logout",
    tag = "auth",
    security(("bearer" = [])),
    responses((status = 200, description = "The session has ended", body = Envelope<Nothing>))
)]
pub async fn log_out(State(app): State<App>, caller: Caller) -> Result<Envelope<Nothing>> {
    let key = keys::session(caller.account, caller.session);
    let there = Update::new().if_equal(Session::ID, caller.session);
    let rows = Writes::new().delete(&key, there, ());
    let rows = rows.and(tell(caller.account, caller.session, SessionEnd::LoggedOut));
    match app.store.commit(rows).await {
        // It has ended already.
        Ok(()) | Err(CommitError::Condition(())) => Ok(Envelope::ok(Nothing)),
        Err(CommitError::Contended) => Err(Error::new(Problem::Unavailable)),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}
