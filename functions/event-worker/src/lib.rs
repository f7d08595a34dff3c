//! Finds new events, and webhooks that have something to send.
//!
//! A list of events says that its readers have not been told of the newest ones, in the update that appends them. A webhook
//! says when it has something to send. The sweep finds both by the index `watch`, wakes webhooks, and queues messages for the
//! workers of webhooks and sockets; each message is only a hint that may be lost or doubled
//! (`docs/decisions/0031-webhooks.md`).

mod app;
mod error;
mod sweep;

use shared::{lambda::Start, traces};
use tokio::time::{Duration, Instant};

pub use app::App;
pub use error::SweepError;
pub use sweep::look;

/// How long a run looks. It ends a few seconds after the next one has begun.
const LOOKING: Duration = Duration::from_secs(65);

/// Looks every second for a minute, or once; returns the number of rows.
///
/// # Errors
/// [`SweepError`]: rows it failed to handle stay due, and the next run finds them.
pub async fn run(app: App, start: Start) -> Result<usize, SweepError> {
    let now = Instant::now();
    let until = if start.once { now } else { now.checked_add(LOOKING).unwrap_or(now) };
    let work = Box::pin(sweep::sweep(&app, until));
    let looked_at = traces::on_schedule(app.tracer.as_ref(), "event-worker", work).await?;
    tracing::info!(looked_at, "sweep of events");
    Ok(looked_at)
}
