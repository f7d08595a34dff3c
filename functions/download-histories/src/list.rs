//! `GET /api/download-histories`.

use axum::extract::State;
use outbox::views::exports::{DownloadFilters, DownloadHistory, read_exports};
use serde_json::Value;
use shared::{
    http::{
        Envelope, Error, ListQuery, LiveCaller, Problem, Result, Segment, Single, WaitsFor,
        list::{AsOf, ListParameters},
        relations::{WALLET, wallet_of},
    },
    models::export::{ExportId, ExportStatus},
};

use crate::{app::App, record::own_export};

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
    let mut found = read_exports(&app.store, caller.account.id, &query).await?;
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
