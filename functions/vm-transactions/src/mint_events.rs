//! `GET /api/vm-transactions/mints/{id}/events`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use chain::{keys, models::mint::MintId};
use http::{HeaderValue, header};
use outbox::events::{self, EventItem, EventsMeta, EventsQuery};
use shared::http::{OkWith, Query, Result, Segment};

use crate::{app::App, error::VmError};

/// How long caches may keep the answer: no longer than until a reader asks again.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=5");

/// Lists the changes to the virtual blocks and the state of a mint, oldest first. Events are numbered 1, 2, 3
/// without gaps and kept for 90 days.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/mints/{id}/events",
    tag = "vm-transactions",
    params(("id" = MintId, Path, description = "The mint"), EventsQuery),
    responses((status = 200, description = "Events", body = OkWith<Vec<EventItem>, EventsMeta>))
)]
pub async fn list_mint_events(
    State(app): State<App>,
    Segment(id): Segment<MintId>,
    Query(query): Query<EventsQuery>,
) -> Result<Response> {
    // Its first event is that it was created.
    let found = events::answer(&app, &keys::mint_events(id), &query).await?;
    let mut answer = found.ok_or(VmError::MintNotFound)?.into_response();
    answer.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    Ok(answer)
}
