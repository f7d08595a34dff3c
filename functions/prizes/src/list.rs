//! `GET /api/prizes`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Caller, Envelope, ListQuery, Result,
        list::{Field, ListParameters, Resource},
    },
    store::{keys::List, lists::Member},
};

use crate::{app::App, prize::Prize};

/// A prize in the list.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct PrizeRow(Prize);

impl Resource for PrizeRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("prizeNumber").sortable(),
        Field::visible("name").sortable(),
        Field::visible("inscriptionId").sortable(),
        Field::visible("controllingUtxo").sortable(),
        Field::visible("createdAt").sortable(),
    ];
}

/// Lists all prizes, newest first; sortable by every field.
#[utoipa::path(
    get,
    path = "/api/prizes",
    tag = "prizes",
    security(("bearer" = [])),
    params(ListParameters),
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
    let found = query.read(&app.store, &List::prizes(), load).await?;
    query.answer(&found, |_, _| Value::Null)
}
