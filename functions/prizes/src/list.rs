//! `GET /api/prizes`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Caller, Envelope, Error, ListQuery, Problem, Result, Segment, Single,
        list::{AsOf, Field, ListParameters, Resource},
    },
    keys,
};
use store::lists::{self, Member};

use crate::{
    app::App,
    prize::{Prize, PrizeNumber},
};

/// A prize in the list.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct PrizeRow(Prize);

impl Resource for PrizeRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("prizeNumber"),
        Field::visible("name"),
        Field::visible("inscriptionId"),
        Field::visible("controllingUtxo"),
        Field::visible("createdAt"),
    ];
}

/// Lists all prizes, newest first; sortable by every field.
#[utoipa::path(
    get,
    path = "/api/prizes",
    tag = "prizes",
    security(("bearer" = [])),
    params(ListParameters, AsOf),
    responses((status = 200, description = "A page of prizes", body = Envelope<Vec<Prize>>))
)]
pub async fn list_prizes(
    State(app): State<App>,
    _caller: Caller,
    query: ListQuery<PrizeRow>,
) -> Result<Envelope<Vec<Value>>> {
    // A prize never changes, so its list entry carries the whole prize.
    let load = async |members: Vec<Member<Prize>>| {
        Ok(members.into_iter().map(|member| PrizeRow(member.value)).collect())
    };
    let found = query.read(&app.store, &keys::lists::prizes(), load).await?;
    query.answer(&found, |_, _| Value::Null)
}

/// Returns one prize.
#[utoipa::path(
    get,
    path = "/api/prizes/{prizeNumber}",
    tag = "prizes",
    security(("bearer" = [])),
    params(("prizeNumber" = PrizeNumber, Path, description = "The prize's number")),
    responses((status = 200, description = "The prize", body = Single<Prize>))
)]
pub async fn get_prize(
    State(app): State<App>,
    _caller: Caller,
    Segment(number): Segment<PrizeNumber>,
) -> Result<Single<Prize>> {
    let most = PrizeNumber::HIGHEST.into();
    let all = lists::all::<Prize>(&app.store, &keys::lists::prizes(), most, None).await?;
    let prizes = all.unwrap_or_default().into_iter().map(|member| member.value);
    let found = prizes.into_iter().find(|prize| prize.prize_number == number);
    Ok(Single::of(found.ok_or(Error::new(Problem::PrizeNotFound))?))
}
