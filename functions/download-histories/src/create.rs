//! `POST /api/download-histories`.

use std::time::Duration;

use axum::{extract::State, response::Response};
use base::clock::Timestamp;
use outbox::{
    exports::{Export, totals},
    views::exports::DownloadHistory,
};
use shared::{
    auth::limits::{self, EXPORT_BY_ACCOUNT},
    http::{
        AsProblem, Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input,
        LiveCaller, Problem, Result, idempotency::KEPT,
    },
    keys,
    models::{
        account::AccountId,
        export::{ExportFormat, ExportId, HistoryChain, HistoryFilter, HistoryType, Moment},
    },
};
use store::{CommitError, StoreError, Writes, lists};
use utoipa::ToSchema;

use crate::{app::App, record::own_export};

/// The longest time range of a file.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A request for an export.
#[derive(Debug, ToSchema)]
pub struct CreateDownloadHistory {
    /// Format of the file.
    format: ExportFormat,
    /// Which part of the history; if missing, all swaps of the last 366 days.
    #[schema(required = false, nullable)]
    filter: Filter,
}

/// Part of a history. Mints, refunds, withdrawals and deposits happen on Bitcoin only, so for another chain the
/// file has no rows of them.
#[derive(Debug, Default, ToSchema)]
#[schema(as = DownloadHistoryFilter)]
pub struct Filter {
    /// Only entries on this chain; if missing, on any chain.
    chain: Option<HistoryChain>,
    /// Type of the rows; if missing, `swap`.
    r#type: Option<HistoryType>,
    /// Only entries created at this moment or later: RFC 3339, a date (in UTC), or milliseconds since the epoch
    /// as a number or a string of digits. If missing: 366 days before `to`.
    #[schema(value_type = Option<String>, example = "2026-01-01T00:00:00Z")]
    from: Option<Moment>,
    /// Only entries created at this moment or earlier (on this date or earlier), at most 366 days after `from`.
    /// If missing: now.
    #[schema(value_type = Option<String>, example = "1767225600000")]
    to: Option<Moment>,
}

impl Input for CreateDownloadHistory {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let format = fields.required("format");
        let given = fields.has("filter");
        let filter = if given { fields.object("filter") } else { Some(Filter::default()) };
        Some(Self { format: format?, filter: filter? })
    }
}

impl Input for Filter {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let chain = fields.optional_parsed("chain", 20);
        let r#type = fields.optional_unless_empty("type");
        let (from, to) = (fields.optional_unless_empty("from"), fields.optional_unless_empty("to"));
        Some(Self { chain: chain?, r#type: r#type?, from: from?, to: to? })
    }
}

impl Filter {
    /// The filter, with defaults for the missing fields.
    fn at(&self, now: Timestamp) -> Result<HistoryFilter, Error> {
        let to = self.to.map_or(now, Moment::end);
        let earliest = to.minus(LONGEST).max(Timestamp(0));
        let from = self.from.map_or(earliest, Moment::begin);
        if from > to {
            Err(Error::field("filter.from", "must not be later than to"))
        } else if from < earliest {
            Err(Error::field("filter.from", "must be at most 366 days before to"))
        } else {
            let kind = self.r#type.unwrap_or_default();
            Ok(HistoryFilter { chain: self.chain, kind, from, to })
        }
    }
}

/// The id drawn for this export is taken.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("Try again.")]
struct IdTaken;

impl AsProblem for IdTaken {
    fn problem(&self) -> Problem {
        Problem::Changed
    }
}

/// Requests a file of the caller's history. A background worker writes the file. It contains the rows that the
/// history has at the time of the request, in their state at the time of writing. The list shows the progress
/// and, once the file is complete, a download link.
#[utoipa::path(
    post,
    path = "/api/download-histories",
    tag = "download-histories",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = CreateDownloadHistory,
    responses((
        status = 201,
        description = "The export, pending",
        body = Envelope<DownloadHistory>
    ))
)]
pub async fn create_download_history(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<CreateDownloadHistory>,
) -> Result<Response> {
    let id = request.created_id(caller.account.id).map(ExportId);
    let work = async |body| create(&app, &caller, body, id).await.map(Created);
    request.once(&app, caller.account.id, work).await
}

async fn create(
    app: &App,
    caller: &LiveCaller,
    body: CreateDownloadHistory,
    repeated_id: Option<ExportId>,
) -> Result<DownloadHistory> {
    let account = caller.account.id;
    let filter = body.filter.at(app.clock.now())?;
    limits::hit(app, EXPORT_BY_ACCOUNT, &account.to_string()).await?;
    let up_to = totals(&app.store, account, &filter).await?;
    let insert = async |id| {
        let up_to = up_to.clone();
        let asked_for =
            move |at| Export::asked_for(id, account, body.format, filter, up_to.clone(), at);
        let lists = [keys::lists::exports(account)];
        let appended = lists::append(&app.store, &lists, |at| {
            let rows = Writes::new();
            (rows.insert(&keys::export(id), &asked_for(at), IdTaken), id)
        });
        appended.await.map(&asked_for)
    };
    let fresh_id = || ExportId(app.random.id(app.clock.now()));
    let export = match insert(repeated_id.unwrap_or_else(fresh_id)).await {
        Err(CommitError::Condition(taken)) => {
            let id = repeated_id.ok_or(taken)?;
            match earlier_attempt(app, id, account).await? {
                Some(export) => export,
                None => insert(fresh_id()).await?,
            }
        }
        inserted => inserted?,
    };
    let id = export.id;
    if let Err(error) = app.export_queue.send(id).await {
        // The sweep will queue it.
        tracing::error!(export_id = %id, %error, "failed to queue an export; the sweep will queue it");
    }
    Ok(DownloadHistory::of(&export, app.clock.now()))
}

/// The export that an earlier attempt with the same idempotency key created, although its outcome stayed
/// unknown. `None` if the key has been forgotten in the meantime, so that the request is a new one.
async fn earlier_attempt(
    app: &App,
    id: ExportId,
    account: AccountId,
) -> Result<Option<Export>, StoreError> {
    let now = app.clock.now();
    let own = own_export(app, account, id).await?;
    Ok(own.filter(|export| export.created_at.plus(KEPT) > now))
}
