//! `GET /api/vm-transactions/mints/{id}/events`.

use axum::extract::State;
use chain::{keys, models::mint::MintId};
use shared::{
    events::{self, EventItem, EventsAnswer, EventsMeta, EventsQuery},
    http::{OkWith, Query, Result, Segment},
};

use crate::{app::App, error::VmError};

/// Lists what has changed of a mint, oldest first: its virtual blocks, and its state. Events are numbered 1, 2, 3 without gaps
/// and kept for 90 days.
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
) -> Result<EventsAnswer> {
    // Its first event is that it was created.
    let found = events::answer(&app, &keys::mint_events(id), &query).await?;
    found.ok_or_else(|| VmError::MintNotFound.into())
}
