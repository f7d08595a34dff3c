//! The sweep: queues abandoned exports again, and deletes expired files.

use std::time::Duration;

use outbox::exports::{Export, PATIENCE};
use shared::models::{export::ExportStatus, watch::Watch};
use store::{CommitError, Key, Update, Writes};
use tokio::time::Instant;

use crate::{
    app::App,
    error::{NOT_MADE, SweepError, WorkError},
    lease::{failed, give_up_upload, if_as_read, tell},
};

/// The most due rows that one query returns.
const PAGE: i32 = 100;
/// How often in a row an abandoned export is queued again.
const MOST_REQUEUES: u32 = 5;
/// How long after queuing an export the sweep does not touch it.
const NEXT_LOOK: Duration = Duration::from_secs(10 * 60);
/// Time that a run must have left to begin another page.
const RESERVE: Duration = Duration::from_secs(20);

/// Queues abandoned exports again, gives up those that were abandoned too often, and deletes expired files,
/// until `deadline`. Returns the number of due rows that it handled.
///
/// # Errors
/// [`SweepError`] if a row failed. Failed rows are due again in ten minutes.
pub async fn sweep(app: &App, deadline: Instant) -> Result<usize, SweepError> {
    let (mut looked_at, mut left) = (0_usize, 0_usize);
    loop {
        let due = app.store.due(Watch::Export, PAGE).await?;
        for key in &due {
            if let Err(error) = handle_due_export(app, key).await {
                tracing::error!(export = key.pk(), %error, "the sweep failed for an export");
                left = left.saturating_add(1);
                app.store.postpone(key, postponed(app, key)).await;
            }
        }
        looked_at = looked_at.saturating_add(due.len());
        let last = usize::try_from(PAGE).is_ok_and(|page| due.len() < page);
        let late = deadline.saturating_duration_since(Instant::now()) < RESERVE;
        if last || late {
            return if left > 0 { Err(SweepError::Some(left)) } else { Ok(looked_at) };
        }
    }
}

/// The writes that postpone an export.
fn postponed(app: &App, key: &Key) -> Writes<()> {
    let later = app.clock.now().plus(NEXT_LOOK);
    let update = Update::<Export>::new().set(Export::DUE_AT, later).if_below(Export::DUE_AT, later);
    Writes::new().update(key, update, ())
}

async fn handle_due_export(app: &App, key: &Key) -> Result<(), WorkError> {
    let Some(export) = app.store.get::<Export>(key).await? else { return Ok(()) };
    let now = app.clock.now();
    // The index lags: another run has handled the row.
    if export.due_at > now || export.watch.is_none() {
        return Ok(());
    }
    let again = Update::new()
        .set(Export::DUE_AT, now.plus(NEXT_LOOK))
        .if_equal(Export::DUE_AT, export.due_at);
    match export.status {
        ExportStatus::Pending => queue(app, &export, again).await,
        ExportStatus::Processing => match export.lease_until {
            Some(until) if until > now => {
                let later = Update::new().set(Export::DUE_AT, until.plus(PATIENCE));
                change(app, &export, later).await.map(drop)
            }
            // A run released the export on purpose; it waits for its turn.
            None => queue(app, &export, again).await,
            Some(_) if export.requeues >= MOST_REQUEUES => {
                let told =
                    tell((export.account_id, export.id), export.status, ExportStatus::Failed);
                if change_and_tell(app, &export, failed(NOT_MADE), told).await? {
                    give_up_upload(app, &export.file(), export.cursor.as_ref()).await;
                }
                Ok(())
            }
            Some(_) => queue(app, &export, again.add(Export::REQUEUES, 1)).await,
        },
        ExportStatus::Completed => match export.expires_at() {
            Some(end) if end > now => {
                change(app, &export, Update::new().set(Export::DUE_AT, end)).await.map(drop)
            }
            _ => remove_file(app, &export).await,
        },
        ExportStatus::Expired => remove_file(app, &export).await,
        ExportStatus::Failed => {
            change(app, &export, Update::new().remove(Export::WATCH)).await.map(drop)
        }
    }
}

/// Deletes the file of an export and the parts that a run has uploaded so far. The row records the deletion
/// last, so the next sweep repeats a failed one.
pub(crate) async fn remove_file(app: &App, export: &Export) -> Result<(), WorkError> {
    // Abort the upload first: if it is completed at the last moment, it becomes the file.
    give_up_upload(app, &export.file(), export.cursor.as_ref()).await;
    if let Some(cursor) = export.cursor.as_ref().filter(|cursor| cursor.has_rest) {
        app.export_files.delete(&export.rest(cursor.n)).await?;
    }
    app.export_files.delete(&export.file()).await?;
    let removed = Update::new()
        .set(Export::STATUS, ExportStatus::Expired)
        .remove(Export::WATCH)
        .remove(Export::CURSOR);
    change(app, export, removed).await.map(drop)
}

/// Records in the row that the export is queued, then queues it. Of two concurrent sweeps, only one does so.
async fn queue(app: &App, export: &Export, update: Update<Export>) -> Result<(), WorkError> {
    if change(app, export, update).await? {
        app.export_queue.send(export.id).await?;
    }
    Ok(())
}

/// Changes an export if it is unchanged since it was read; returns whether it was.
async fn change(app: &App, export: &Export, update: Update<Export>) -> Result<bool, WorkError> {
    change_and_tell(app, export, update, Writes::new()).await
}

async fn change_and_tell(
    app: &App,
    export: &Export,
    update: Update<Export>,
    told: Writes<()>,
) -> Result<bool, WorkError> {
    let writes = told.update(&export.key(), if_as_read(update, export), ());
    match app.store.commit(writes).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
