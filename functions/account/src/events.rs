//! `GET /api/events`, and the ticket that opens a socket for the same events.

use axum::extract::State;
use base::clock::Timestamp;
use outbox::{
    events::{self, EventItem, EventsAnswer, EventsMeta, EventsQuery},
    sockets::{SocketTicket, TICKET_LIFETIME},
};
use serde::Serialize;
use shared::{
    auth::limits::{self, TICKET_BY_ACCOUNT},
    http::{Caller, Envelope, LiveCaller, OkWith, Query, Result},
    keys::EventList,
};
use utoipa::ToSchema;

use crate::app::App;

/// Lists the changes to the caller's transactions, swaps, batches, refunds, exports and sessions, oldest first.
/// Events are numbered 1, 2, 3 without gaps and kept for 90 days.
#[utoipa::path(
    get,
    path = "/api/events",
    tag = "events",
    security(("bearer" = [])),
    params(EventsQuery),
    responses((status = 200, description = "Events", body = OkWith<Vec<EventItem>, EventsMeta>))
)]
pub async fn list_events(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<EventsQuery>,
) -> Result<EventsAnswer> {
    let found = events::answer(&app, &EventList::of_account(caller.account), &query).await?;
    found.map_or_else(|| events::none_yet(&query), Ok)
}

/// A ticket that opens a socket.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// The ticket, which opens one socket: `<url>?ticket=<ticket>`.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    ticket: String,
    /// The URL at which clients open sockets.
    #[schema(example = "wss://abc123.execute-api.eu-central-1.amazonaws.com/live")]
    url: String,
    /// When the ticket expires, ms since the epoch: 60 seconds after it was issued.
    expires_at: Timestamp,
}

/// Issues a ticket, which opens one socket for the events of the account. The socket closes when the caller's
/// session ends.
#[utoipa::path(
    post,
    path = "/api/events/ticket",
    tag = "events",
    security(("bearer" = [])),
    responses((status = 200, description = "A ticket", body = Envelope<Ticket>))
)]
pub async fn create_socket_ticket(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<Ticket>> {
    let (account_id, session_id) = (caller.account.id, caller.session.id);
    limits::hit(&app, TICKET_BY_ACCOUNT, &account_id.to_string()).await?;
    let ticket = hex::encode(app.random.bytes::<32>());
    let expires_at = app.clock.now().plus(TICKET_LIFETIME).seconds();
    let row = SocketTicket { account_id, session_id, expires_at };
    app.store.issue(&SocketTicket::key(&ticket), &row).await?;
    let (url, expires_at) = (app.sockets.url.clone(), Timestamp::from_seconds(expires_at));
    Ok(Envelope::ok(Ticket { ticket, url, expires_at }))
}
