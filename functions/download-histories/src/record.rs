//! An export, as its owner sees it.

use std::time::Duration;

use serde::Serialize;
use shared::{
    blob::{BlobError, Bucket},
    clock::Timestamp,
    exports::{Export, LINK},
    http::list::{Field, Resource},
    models::export::{ExportFormat, ExportId, ExportStatus, HistoryFilter},
};
use utoipa::ToSchema;

/// An export of a history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadHistory {
    /// Its id.
    id: ExportId,
    /// The form of the file.
    format: ExportFormat,
    /// Which part of the history, with what was left to the service.
    filter: HistoryFilter,
    /// Where it stands.
    status: ExportStatus,
    /// Rows that were written so far.
    row_count: u64,
    /// Bytes of the file; 0 until it is there.
    size_bytes: u64,
    /// Downloads the file; there while it is `completed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// When that link stops working, ms since the epoch. The next look has another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    url_expires_at: Option<Timestamp>,
    /// Why there will be no file, where it `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// When it was asked for, ms since the epoch.
    created_at: Timestamp,
    /// When the file was there, ms since the epoch. It goes seven days later.
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<Timestamp>,
    /// What the link is of.
    #[serde(skip)]
    file: Option<File>,
}

/// A file that is there.
#[derive(Debug)]
struct File {
    key: String,
    name: String,
    until: Timestamp,
}

impl Resource for DownloadHistory {
    const FIELDS: &'static [Field] = &[
        Field::visible("format"),
        Field::visible("filter"),
        Field::visible("status"),
        Field::visible("rowCount").sortable(),
        Field::visible("sizeBytes").sortable(),
        Field::visible("url"),
        Field::visible("urlExpiresAt"),
        Field::visible("error"),
        Field::visible("createdAt").sortable(),
        Field::visible("completedAt").sortable(),
    ];
}

impl DownloadHistory {
    /// An export as it is at this moment, without a link.
    pub(crate) fn of(export: &Export, now: Timestamp) -> Self {
        let status = export.status_at(now);
        let there = status == ExportStatus::Completed;
        let file = export.expires_at().filter(|_| there).map(|until| File {
            key: export.file(),
            name: export.file_name(),
            until,
        });
        Self {
            id: export.id,
            format: export.format,
            filter: export.filter,
            status,
            row_count: export.row_count,
            size_bytes: export.size_bytes,
            url: None,
            url_expires_at: None,
            error: export.error.clone(),
            created_at: export.created_at,
            completed_at: export.completed_at,
            file,
        }
    }

    /// Adds a link where there is a file: one that ends with it.
    ///
    /// # Errors
    /// [`BlobError`]: none that a client can cause.
    pub(crate) async fn link(&mut self, files: &Bucket, now: Timestamp) -> Result<(), BlobError> {
        let Some(File { key, name, until }) = &self.file else { return Ok(()) };
        let left = u64::try_from(until.0.saturating_sub(now.0)).unwrap_or_default();
        // Signatures last whole seconds, and one at least.
        let left = Duration::from_secs(LINK.as_secs().min(left.div_euclid(1000)).max(1));
        self.url = Some(files.download_url(key, name, left).await?);
        self.url_expires_at = Some(now.plus(left));
        Ok(())
    }
}
