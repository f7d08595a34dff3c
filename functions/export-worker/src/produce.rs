//! Turns the rows of a history into a file: each part of the upload is recorded once it is sent.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use base::blob::{BlobError, LEAST_PART, MOST_PARTS};
use outbox::exports::{Cursor, Export};
use tokio::time::Instant;

use crate::{
    app::App,
    error::WorkError,
    history::History,
    lease::{Lease, give_up_upload},
    sheet::Sheet,
};

/// Members that one step reads.
const BATCH: u64 = 100;
/// Time that a run must have left to begin a step: more than sending a part, or completing the upload, may
/// take.
const RESERVE: Duration = Duration::from_secs(40);
/// How often a run restarts an upload that S3 has lost, or that has another state there.
const MOST_RESTARTS: u32 = 3;
const CONTENT_TYPE: &str = "text/csv; charset=utf-8; header=present";

/// The result of a run.
pub(crate) enum Produced {
    /// The file; the export's row records it.
    File,
    /// Some parts; the run reached its deadline.
    Parts,
}

/// Makes the file, from where the previous run left off.
///
/// # Errors
/// [`WorkError`], also if S3 lost the upload more often than it may be restarted.
pub(crate) async fn produce(
    app: &App,
    lease: &Lease<'_>,
    export: &Export,
    deadline: Instant,
    progress: &AtomicU64,
) -> Result<Produced, WorkError> {
    let history = History::open(app, export).await?;
    let (before, last) = (0, history.len());
    let file = export.file();
    let run = Run { app, lease, export, history, file, last, deadline, progress };
    let mut restarts = export.restarts;
    let mut cursor = match &export.cursor {
        Some(cursor) => cursor.clone(),
        None => run.begin(before, restarts).await?,
    };
    loop {
        match run.send_and_complete(&mut cursor).await {
            Err(WorkError::Blob(error @ (BlobError::NoSuchUpload | BlobError::WrongParts(_))))
                if restarts < MOST_RESTARTS =>
            {
                tracing::warn!(export_id = %export.id, %error, "restarting an upload");
                give_up_upload(app, &run.file, Some(&cursor)).await;
                restarts = restarts.saturating_add(1);
                cursor = run.begin(before, restarts).await?;
            }
            outcome => return outcome,
        }
    }
}

struct Run<'a> {
    app: &'a App,
    lease: &'a Lease<'a>,
    export: &'a Export,
    history: History<'a>,
    file: String,
    /// Number of the last member that the export includes.
    last: u64,
    deadline: Instant,
    progress: &'a AtomicU64,
}

impl Run<'_> {
    /// Begins an upload after the member `before`. The row records it before anything is sent.
    async fn begin(&self, before: u64, restarts: u32) -> Result<Cursor, WorkError> {
        let upload = self.app.export_files.begin(&self.file, CONTENT_TYPE).await?;
        let cursor =
            Cursor { n: before, rows: 0, bytes: 0, has_rest: false, upload, etags: Vec::new() };
        self.lease.begin(&cursor, restarts).await?;
        Ok(cursor)
    }

    /// Sends everything after the cursor, and completes the file.
    async fn send_and_complete(&self, cursor: &mut Cursor) -> Result<Produced, WorkError> {
        let before = (cursor.n, cursor.etags.len());
        if self.send_all(cursor).await?.is_continue() && !self.is_late() {
            self.complete(cursor).await?;
            return Ok(Produced::File);
        }
        let is_further = (cursor.n, cursor.etags.len()) != before;
        if is_further { Ok(Produced::Parts) } else { Err(WorkError::NoProgress) }
    }

    /// Sends parts until all rows are sent, or the deadline is near.
    async fn send_all(&self, cursor: &mut Cursor) -> Result<ControlFlow<()>, WorkError> {
        let mut sheet = self.begun(cursor).await?;
        let (mut n, mut rows) = (cursor.n, cursor.rows);
        while n < self.last {
            if self.is_late() {
                self.keep_rest(cursor, &mut sheet, n, rows).await?;
                return Ok(ControlFlow::Break(()));
            }
            let low = n.saturating_add(1);
            let high = n.saturating_add(BATCH).min(self.last);
            for (member, row) in self.history.read(low, high).await? {
                match self.history.has_movements() {
                    true => row.write_movement(&mut sheet)?,
                    false => row.write(&mut sheet)?,
                }
                rows = rows.saturating_add(1);
                // The boundary depends only on the content, so every run cuts the file the same way.
                if sheet.len()? >= LEAST_PART {
                    self.send(cursor, &mut sheet, member, rows).await?;
                }
            }
            self.progress.store(rows, Ordering::Relaxed);
            n = high;
        }
        if sheet.len()? > 0 {
            if self.is_late() {
                self.keep_rest(cursor, &mut sheet, n, rows).await?;
                return Ok(ControlFlow::Break(()));
            }
            self.send(cursor, &mut sheet, self.last, rows).await?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Content that is not in a part yet: the header row, or the remainder that the previous run stored.
    async fn begun(&self, cursor: &Cursor) -> Result<Sheet, WorkError> {
        if cursor.has_rest {
            let rest = self.app.export_files.get(&self.export.rest(cursor.n)).await?;
            return Ok(Sheet::behind(rest));
        }
        let mut sheet = Sheet::new();
        if cursor.etags.is_empty() {
            sheet.head(self.history.columns())?;
        }
        Ok(sheet)
    }

    /// Stores the content that does not fill a part yet, up to the member `n`, and records that. Without it,
    /// an export with few matches among many rows would never reach their end. Each remainder has its own
    /// key, so the row and the stored content agree even if the run is killed in between.
    async fn keep_rest(
        &self,
        cursor: &mut Cursor,
        sheet: &mut Sheet,
        n: u64,
        rows: u64,
    ) -> Result<(), WorkError> {
        if n == cursor.n {
            return Ok(());
        }
        self.app.export_files.put(&self.export.rest(n), sheet.take()?).await?;
        let before = cursor.clone();
        (cursor.n, cursor.rows, cursor.has_rest) = (n, rows, true);
        self.lease.checkpoint(cursor).await?;
        self.drop_rest(&before).await;
        Ok(())
    }

    /// Deletes a remainder that is no longer needed. If this fails, the bucket deletes it after some time.
    async fn drop_rest(&self, cursor: &Cursor) {
        if cursor.has_rest
            && let Err(error) = self.app.export_files.delete(&self.export.rest(cursor.n)).await
        {
            tracing::warn!(%error, "failed to delete leftover export data");
        }
    }

    /// Sends the buffered rows as the next part, which reaches up to the member `n`, and records it.
    async fn send(
        &self,
        cursor: &mut Cursor,
        sheet: &mut Sheet,
        n: u64,
        rows: u64,
    ) -> Result<(), WorkError> {
        let part = sheet.take()?;
        let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
        let number = cursor.etags.len().saturating_add(1);
        if number > MOST_PARTS {
            return Err(WorkError::TooLarge);
        }
        let files = &self.app.export_files;
        let etag = files.send_part(&self.file, &cursor.upload, number, part).await?;
        let before = cursor.clone();
        cursor.etags.push(etag);
        (cursor.n, cursor.rows, cursor.has_rest) = (n, rows, false);
        cursor.bytes = cursor.bytes.saturating_add(length);
        self.lease.checkpoint(cursor).await?;
        self.drop_rest(&before).await;
        Ok(())
    }

    /// Completes the upload. If S3 no longer knows the upload, a run may have completed it and died before it
    /// could record that; the existing file counts if it has the size of the parts.
    async fn complete(&self, cursor: &Cursor) -> Result<(), WorkError> {
        let files = &self.app.export_files;
        match files.complete(&self.file, &cursor.upload, &cursor.etags).await {
            Err(BlobError::NoSuchUpload) if files.size(&self.file).await? == Some(cursor.bytes) => {
            }
            outcome => outcome?,
        }
        self.lease.complete(cursor).await
    }

    fn is_late(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < RESERVE
    }
}
