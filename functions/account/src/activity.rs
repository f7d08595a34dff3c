//! `GET /api/account/activity`: the audit trail and failed proofs of identity.

use axum::extract::State;
use identity::views::activity::{self, ActivityMeta, ActivityRow};
use serde_json::Value;
use shared::http::{
    ListQuery, LiveCaller, OkWith, Result,
    list::{AsOf, ListParameters},
};

use crate::app::App;

/// Lists the changes to the caller's account, newest first: what changed, when and from where. Sign-ins are
/// included. Failed proofs of identity are counted by hour in `metaData.failedProofs`.
#[utoipa::path(
    get,
    path = "/api/account/activity",
    tag = "account",
    security(("bearer" = [])),
    params(ListParameters, AsOf),
    responses((status = 200, description = "A page of changes", body = OkWith<Vec<ActivityRow>, ActivityMeta>))
)]
pub async fn list_activity(
    State(app): State<App>,
    caller: LiveCaller,
    query: ListQuery<ActivityRow>,
) -> Result<OkWith<Vec<Value>, ActivityMeta>> {
    activity::list_activity(&app, &caller.account, &query).await
}
