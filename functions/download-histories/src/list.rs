//! `GET /api/download-histories`.

use axum::extract::State;
use serde_json::Value;
use shared::{
    exports::Export,
    http::{
        Envelope, Error, ListQuery, LiveCaller, Problem, Result, Segment, Single, WaitsFor,
        list::{AsOf, ListParameters},
        relations::{WALLET, wallet_of},
    },
    models::export::{ExportId, ExportStatus},
    store::{Key, keys::List, lists::Member},
};
use utoipa::IntoParams;

use crate::{
    app::App,
    record::{DownloadHistory, own_export},
};

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct DownloadFilters {
    /// Only exports with one of these statuses.
    #[param(rename = "status_eq", style = Form, explode = false)]
    status: Option<Vec<ExportStatus>>,
}

/// Lists the caller's exports, newest first.
#[utoipa::path(
    get,
    path = "/api/download-histories",
    tag = "download-histories",
    security(("bearer" = [])),
    params(ListParameters, AsOf, DownloadFilters),
    responses((
        status = 200,
        description = "A page of exports",
        body = Envelope<Vec<DownloadHistory>>
    ))
)]
pub async fn list_download_histories(
    State(app): State<App>,
    caller: LiveCaller,
    query: ListQuery<DownloadHistory>,
) -> Result<Envelope<Vec<Value>>> {
    let now = app.clock.now();
    let load = async |members: Vec<Member<ExportId>>| {
        let keys: Vec<_> = members.into_iter().map(|member| Key::export(member.value)).collect();
        let exports = app.store.get_many::<Export>(&keys).await?.into_iter().flatten();
        // Custody rule 13: the list belongs to the account, and so must every row.
        let own = exports.filter(|export| export.account_id == caller.account.id);
        Ok(own.map(|export| DownloadHistory::of(&export, now)).collect())
    };
    let mut found = query.read(&app.store, &List::exports(caller.account.id), load).await?;
    for row in &mut found.rows {
        row.link(&app.export_files, now).await?;
    }
    let wallet = if query.populates(WALLET) {
        wallet_of(&app.store, caller.account.id).await?
    } else {
        Value::Null
    };
    query.answer(&found, |relation, _| match relation {
        WALLET => wallet.clone(),
        _ => Value::Null,
    })
}

/// Returns one of the caller's exports.
#[utoipa::path(
    get,
    path = "/api/download-histories/{id}",
    tag = "download-histories",
    security(("bearer" = [])),
    params(("id" = ExportId, Path, description = "The export")),
    responses((status = 200, description = "The export", body = Single<DownloadHistory>))
)]
pub async fn get_download_history(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(id): Segment<ExportId>,
) -> Result<Single<DownloadHistory>> {
    let now = app.clock.now();
    let export = own_export(&app, caller.account.id, id).await?;
    let export = export.ok_or(Error::new(Problem::ExportNotFound))?;
    let waits_for = match export.status_at(now) {
        ExportStatus::Pending | ExportStatus::Processing => Some(WaitsFor::Moment),
        ExportStatus::Completed | ExportStatus::Failed | ExportStatus::Expired => None,
    };
    let mut row = DownloadHistory::of(&export, now);
    row.link(&app.export_files, now).await?;
    Ok(Single::waiting(row, waits_for))
}
