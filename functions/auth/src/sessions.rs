//! `GET /auth/sessions` and `DELETE /auth/sessions/{id}`.

use std::net::IpAddr;

use axum::extract::State;
use base::clock::Timestamp;
use identity::activity::{self, Entry};
use serde::Serialize;
use shared::{
    auth::AuthError,
    events::EventWrites,
    http::{Envelope, LiveCaller, Nothing, Result, Segment},
    keys::{self, EventList},
    models::{
        account::AccountId,
        change,
        event::{EventState, EventType, StateChange},
        session::{Session, SessionId},
    },
};
use store::{Update, Writes};
use utoipa::ToSchema;

use crate::app::App;

/// The most sessions listed.
const MOST_LISTED: usize = 100;
/// The most rows read for the list. Expired rows remain until DynamoDB deletes them.
const MOST_READ: usize = 1_000;

/// A valid session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveSession {
    /// Session id.
    id: SessionId,
    /// Whether it is the session of this request.
    current: bool,
    /// The client software, as reported at sign-in.
    #[schema(required = true)]
    user_agent: Option<String>,
    /// The source address of the sign-in.
    #[schema(required = true, value_type = Option<String>, example = "192.0.2.1")]
    source_ip: Option<IpAddr>,
    /// When it was opened, ms since the epoch.
    created_at: Timestamp,
    /// When it was last refreshed, ms since the epoch.
    last_used_at: Timestamp,
    /// When it expires unless refreshed, ms since the epoch.
    expires_at: Timestamp,
}

/// Lists the caller's valid sessions, newest first; at most 100.
#[utoipa::path(
    get,
    path = "/auth/sessions",
    tag = "auth",
    security(("bearer" = [])),
    responses((status = 200, description = "The sessions", body = Envelope<Vec<LiveSession>>))
)]
pub async fn list_sessions(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<Vec<LiveSession>>> {
    let (low, high) = keys::sessions(caller.account.id);
    let sessions: Vec<Session> = app.store.range((&low, &high), false, Some(MOST_READ)).await?;
    let now = app.clock.now();
    let alive = |session: &Session| session.is_alive(&caller.account, now);
    let listed = sessions.into_iter().filter(alive).take(MOST_LISTED).map(|session| LiveSession {
        current: session.id == caller.session.id,
        id: session.id,
        user_agent: session.user_agent,
        source_ip: session.source_ip,
        created_at: session.created_at,
        last_used_at: session.last_used_at,
        expires_at: Timestamp::from_seconds(session.expires_at),
    });
    Ok(Envelope::ok(listed.collect()))
}

/// Ends one of the caller's sessions.
#[utoipa::path(
    delete,
    path = "/auth/sessions/{id}",
    tag = "auth",
    security(("bearer" = [])),
    params(("id" = SessionId, Path, description = "Session id")),
    responses((status = 200, description = "The session has ended", body = Envelope<Nothing>))
)]
pub async fn revoke_session(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(id): Segment<SessionId>,
) -> Result<Envelope<Nothing>> {
    let entry = Entry::by_caller(&app, &caller, change::AccountChange::SessionRevoked).await?;
    let committed = activity::commit(&app, &caller.account, entry, || {
        let there = Update::new().if_equal(Session::ID, id);
        let key = keys::session(caller.account.id, id);
        let rows = Writes::new().delete(&key, there, AuthError::SessionNotFound);
        rows.and(tell(caller.account.id, id, SessionEnd::Revoked))
    });
    committed.await?;
    Ok(Envelope::ok(Nothing))
}

/// How a session ends before its time.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SessionEnd {
    LoggedOut,
    Revoked,
    RefreshTokenReused,
}

/// Adds the event that one of an account's sessions has ended to the writes that end it.
pub(crate) fn tell<E>(account: AccountId, session: SessionId, how: SessionEnd) -> Writes<E> {
    let change = StateChange {
        kind: EventType::SessionEnded,
        subject: session.to_string(),
        before: Some(EventState::Name("open".to_owned())),
        after: EventState::named(how),
    };
    Writes::new().tell(EventList::of_account(account), change)
}
