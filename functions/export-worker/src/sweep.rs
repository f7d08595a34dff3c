//! What was left behind: exports that nobody works on, and files past their time.

use std::time::Duration;

use shared::{
    app::App,
    exports::{Export, PATIENCE},
    models::{export::ExportStatus, transaction::Watch},
    store::{CommitError, Key, Update},
};
use tokio::time::Instant;

use crate::{
    error::{NOT_MADE, SweepError, WorkError},
    lease::{as_it_was, failed, give_up_upload, write},
};

/// Rows that are looked up at once.
const PAGE: i32 = 100;
/// How often in a row an export is queued again that nobody works on any more.
const MOST_REQUEUES: u32 = 5;
/// How long an export is left alone once it is queued again.
const NEXT_LOOK: Duration = Duration::from_secs(10 * 60);
/// What has to be left of a run's time to begin with another page.
const RESERVE: Duration = Duration::from_secs(20);

/// Queues exports again that nobody works on, gives up those that ended so too often, and deletes
/// files past their time; until `deadline`. Answers how many rows it looked at.
///
/// # Errors
/// [`SweepError`]: what it did not deal with is due still.
pub async fn sweep(app: &App, deadline: Instant) -> Result<usize, SweepError> {
    let (mut looked_at, mut left) = (0_usize, 0_usize);
    loop {
        let due = app.store.due(Watch::Export, PAGE).await?;
        for key in &due {
            if let Err(error) = look_after(app, key).await {
                tracing::error!(export = key.pk(), %error, "sweep of exports");
                left = left.saturating_add(1);
            }
        }
        looked_at = looked_at.saturating_add(due.len());
        let last = usize::try_from(PAGE).is_ok_and(|page| due.len() < page);
        let late = deadline.saturating_duration_since(Instant::now()) < RESERVE;
        if left > 0 {
            return Err(SweepError::Some(left));
        }
        if last || late {
            return Ok(looked_at);
        }
    }
}

async fn look_after(app: &App, key: &Key) -> Result<(), WorkError> {
    let Some(export) = app.store.get::<Export>(key).await? else { return Ok(()) };
    let now = app.clock.now();
    // The index lags: another run has looked after it.
    if export.due_at > now || export.watch.is_none() {
        return Ok(());
    }
    let again = Update::new().set("dueAt", now.plus(NEXT_LOOK)).if_equal("dueAt", export.due_at);
    match export.status {
        ExportStatus::Pending => queue(app, &export, again).await,
        ExportStatus::Processing => match export.lease_until {
            Some(until) if until > now => {
                let later = Update::new().set("dueAt", until.plus(PATIENCE));
                change(app, &export, later).await.map(drop)
            }
            // It was left on purpose, and waits for its turn.
            None => queue(app, &export, again).await,
            Some(_) if export.requeues >= MOST_REQUEUES => {
                if change(app, &export, failed(NOT_MADE)).await? {
                    give_up_upload(app, &export.file(), export.cursor.as_ref()).await;
                }
                Ok(())
            }
            Some(_) => queue(app, &export, again.add("requeues", 1)).await,
        },
        ExportStatus::Completed => match export.expires_at() {
            Some(end) if end > now => {
                change(app, &export, Update::new().set("dueAt", end)).await.map(drop)
            }
            _ => {
                app.export_files.delete(&export.file()).await?;
                let expired = Update::new().set("status", ExportStatus::Expired).remove("watch");
                change(app, &export, expired).await.map(drop)
            }
        },
        ExportStatus::Failed | ExportStatus::Expired => {
            change(app, &export, Update::new().remove("watch")).await.map(drop)
        }
    }
}

/// Queues an export once its row says so: of two sweeps at once one does.
async fn queue(app: &App, export: &Export, update: Update) -> Result<(), WorkError> {
    if change(app, export, update).await? {
        app.export_queue.send(export.id).await?;
    }
    Ok(())
}

/// Changes an export that is as it was read; whether it was.
async fn change(app: &App, export: &Export, update: Update) -> Result<bool, WorkError> {
    match write(app, &export.key(), &as_it_was(update, export)).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
