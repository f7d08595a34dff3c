//! `GET /api/events`.

use axum::extract::State;
use shared::{
    events::{self, EventItem, EventsAnswer, EventsMeta, EventsQuery},
    http::{Caller, OkWith, Query, Result},
    store::keys::EventList,
};

use crate::app::App;

/// Lists what has changed of the caller's transactions, swaps, batches, refunds, exports and sessions, oldest first. Events are
/// numbered 1, 2, 3 without gaps and kept for 90 days.
#[utoipa::path(
    get,
    path = "/api/events",
    tag = "account",
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
