//! Exports of an account.

use std::time::Duration;

use base::{
    blob::{BlobError, Bucket},
    clock::Timestamp,
};
use serde::Serialize;
use shared::{
    http::{
        ListQuery, Result,
        list::{Field, Filter, ListPage, Resource},
    },
    keys,
    models::{
        account::AccountId,
        export::{ExportFormat, ExportId, ExportStatus, HistoryFilter},
    },
};
use store::{Store, lists::Member};
use utoipa::{IntoParams, ToSchema};

use crate::exports::Export;

/// How long a link works at most (`docs/decisions/0009-exports.md`).
const LINK: Duration = Duration::from_secs(15 * 60);
/// How long requests get the same link, ms: an unchanged export then has an unchanged `ETag`.
const SAME_LINK: i64 = 5 * 60 * 1_000;

/// An export of a history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadHistory {
    /// Id of the export.
    id: ExportId,
    /// Format of the file.
    format: ExportFormat,
    /// Which part of the history, with the defaults filled in.
    filter: HistoryFilter,
    /// State of the export.
    status: ExportStatus,
    /// Number of rows written so far.
    row_count: u64,
    /// Size of the file in bytes; 0 until the file is complete.
    size_bytes: u64,
    /// Download link of the file; present while `status` is `completed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// When the link expires, ms since the epoch. A request returns a link that works for at least ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    url_expires_at: Option<Timestamp>,
    /// Why the export has no file, if `status` is `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// When the export was requested, ms since the epoch.
    created_at: Timestamp,
    /// When the file was completed, ms since the epoch. It is deleted seven days later.
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<Timestamp>,
    /// The file that the link downloads.
    #[serde(skip)]
    file: Option<File>,
}

/// A completed file.
#[derive(Debug)]
struct File {
    key: String,
    name: String,
    until: Timestamp,
}

impl Resource for DownloadHistory {
    const FIELDS: &'static [Field] = &[
        Field::visible("format"),
        Field::visible("filter").unsorted(),
        Field::visible("status"),
        Field::visible("rowCount"),
        Field::visible("sizeBytes"),
        Field::visible("url").unsorted(),
        Field::visible("urlExpiresAt").unsorted(),
        Field::visible("error"),
        Field::visible("createdAt"),
        Field::visible("completedAt"),
    ];
    const FILTERS: &'static [Filter] = &[Filter::of_rows::<ExportStatus>("status", "status")];
}

impl DownloadHistory {
    /// The export as of `now`, without a link.
    pub fn of(export: &Export, now: Timestamp) -> Self {
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

    /// Adds a link if the export has a file. The link never outlives the file.
    ///
    /// # Errors
    /// [`BlobError`]: none that a client can cause.
    pub async fn link(&mut self, files: &Bucket, now: Timestamp) -> Result<(), BlobError> {
        let Some(File { key, name, until }) = &self.file else { return Ok(()) };
        let from = Timestamp(now.0.saturating_sub(now.0.rem_euclid(SAME_LINK)));
        let left = u64::try_from(until.0.saturating_sub(from.0)).unwrap_or_default();
        // Signatures are valid for whole seconds, at least one.
        let left = Duration::from_secs(LINK.as_secs().min(left.div_euclid(1000)).max(1));
        self.url = Some(files.download_url(key, name, (from, left)).await?);
        self.url_expires_at = Some(from.plus(left));
        Ok(())
    }
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct DownloadFilters {
    /// Only exports with one of these statuses.
    #[param(rename = "status_eq", style = Form, explode = false)]
    status: Option<Vec<ExportStatus>>,
}

/// Reads the exports on a page, without links.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn read_exports(
    store: &Store,
    account: AccountId,
    query: &ListQuery<DownloadHistory>,
) -> Result<ListPage<DownloadHistory>> {
    let now = store.now();
    let load = async |members: Vec<Member<ExportId>>| {
        let keys: Vec<_> = members.into_iter().map(|member| keys::export(member.value)).collect();
        let exports = store.get_many::<Export>(&keys).await?.into_iter().flatten();
        // Custody rule 13: the list belongs to the account, and so must every row.
        let own = exports.filter(|export| export.account_id == account);
        Ok(own.map(|export| DownloadHistory::of(&export, now)).collect())
    };
    query.read(store, &keys::lists::exports(account), load).await
}
