//! `DELETE /api/download-histories/{id}`.

use axum::extract::State;
use outbox::{exports::Export, views::exports::DownloadHistory};
use shared::{
    http::{Envelope, Error, LiveCaller, Problem, Result, Segment},
    models::{
        export::{ExportId, ExportStatus},
        watch::Watch,
    },
};
use store::{CommitError, Update, Writes};

use crate::{app::App, record::own_export};

/// Attempts while a worker changes the export.
const ATTEMPTS: u32 = 5;

/// Deletes the file of one of the caller's exports, or stops the export if there is no file yet. The row stays
/// in the list as `expired`; a failed export stays `failed`. A worker deletes the file within seconds, and
/// links to it stop working.
#[utoipa::path(
    delete,
    path = "/api/download-histories/{id}",
    tag = "download-histories",
    security(("bearer" = [])),
    params(("id" = ExportId, Path, description = "The export")),
    responses((status = 200, description = "The export", body = Envelope<DownloadHistory>))
)]
pub async fn delete_download_history(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(id): Segment<ExportId>,
) -> Result<Envelope<DownloadHistory>> {
    for _attempt in 0..ATTEMPTS {
        let export = own_export(&app, caller.account.id, id).await?;
        let export = export.ok_or(Error::new(Problem::ExportNotFound))?;
        let now = app.clock.now();
        if matches!(export.status, ExportStatus::Failed | ExportStatus::Expired) {
            return Ok(Envelope::ok(DownloadHistory::of(&export, now)));
        }
        // A run of the worker loses its lease with this write.
        let expired = Update::new()
            .set(Export::STATUS, ExportStatus::Expired)
            .set(Export::WATCH, Watch::Export)
            .set(Export::DUE_AT, now)
            .remove(Export::OWNER)
            .remove(Export::LEASE_UNTIL)
            .if_equal(Export::STATUS, export.status);
        match app.store.commit(Writes::new().update(&export.key(), expired, ())).await {
            Ok(()) => {}
            Err(CommitError::Condition(()) | CommitError::Contended) => continue,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
        if let Err(error) = app.export_queue.send(id).await {
            // The sweep will delete the file.
            tracing::error!(export_id = %id, %error, "failed to queue a deletion; the sweep will delete the file");
        }
        let export = Export { status: ExportStatus::Expired, ..export };
        return Ok(Envelope::ok(DownloadHistory::of(&export, now)));
    }
    Err(Error::new(Problem::Changed))
}
