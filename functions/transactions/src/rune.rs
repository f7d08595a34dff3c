//! `GET /api/runes/{runeId}`.

use axum::{Extension, extract::State};
use chain::models::amount::Units;
use serde::Serialize;
use shared::{
    auth::limits::{self, RUNE_BY_SOURCE},
    http::{Error, Problem, RequestContext, Result, Segment, Single, WaitsFor},
    models::bitcoin::{EtchedRune, RuneName},
};
use utoipa::ToSchema;

use crate::app::App;

/// A rune.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuneInfo {
    /// Block and index of its etching.
    rune_id: EtchedRune,
    /// The name with spacers.
    #[schema(value_type = String)]
    name: RuneName,
    /// Null if it has none.
    #[schema(required = true, value_type = Option<String>)]
    symbol: Option<char>,
    /// Decimals of displayed amounts.
    divisibility: u8,
    /// Premine and mints so far in the smallest unit, including amounts burned since then.
    supply: Units,
    /// Whether the next Bitcoin block can mint it, by the terms of its etching.
    mintable: bool,
}

/// Returns what a client needs to display amounts of a rune.
#[utoipa::path(
    get,
    path = "/api/runes/{runeId}",
    tag = "bitcoin",
    params(("runeId" = EtchedRune, Path, description = "The rune")),
    responses((status = 200, description = "The rune", body = Single<RuneInfo>))
)]
pub async fn get_rune(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    Segment(id): Segment<EtchedRune>,
) -> Result<Single<RuneInfo>> {
    limits::hit_source(&app, RUNE_BY_SOURCE, context.source_ip).await?;
    let rune = app.ord.rune(id.0).await?.filter(|rune| rune.id == id.0);
    let rune = rune.ok_or(Error::new(Problem::NoSuchRune))?;
    let supply = rune.entry.supply();
    let supply = supply
        .ok_or_else(|| Error::new(Problem::Internal).caused_by("the supply of a rune overflows"))?;
    let waits_for = rune.mintable.then_some(WaitsFor::Block);
    let info = RuneInfo {
        rune_id: id,
        name: rune.entry.spaced_rune,
        symbol: rune.entry.symbol,
        divisibility: rune.entry.divisibility,
        supply: Units(supply),
        mintable: rune.mintable,
    };
    Ok(Single::waiting(info, waits_for))
}
