//! Finds lists with new events and webhooks with something to send, and queues them.
//!
//! A commit that appends events to a list puts the list into the index `watch` in the same update; a webhook
//! that has something to send is in that index too. The sweep reads the index, wakes webhooks, and queues
//! messages for `webhook-worker` and `socket-worker`. Each message is only a hint, which may be lost or
//! duplicated (`docs/decisions/0031-webhooks.md`).

mod app;
mod error;
mod sweep;

use base::traces;
use shared::lambda::Start;
use tokio::time::{Duration, Instant};

pub use app::App;
pub use error::SweepError;
pub use sweep::look;

/// How long a run goes on: it ends a few seconds after the next one has begun.
const LOOKING: Duration = Duration::from_secs(65);

/// Sweeps every second for about a minute, or once; returns the number of rows that it handled.
///
/// # Errors
/// [`SweepError`] if a row or a read failed. Rows that failed stay due, and the next run finds them.
pub async fn run(app: App, start: Start) -> Result<usize, SweepError> {
    let now = Instant::now();
    let until = if start.once { now } else { now.checked_add(LOOKING).unwrap_or(now) };
    let work = Box::pin(sweep::sweep(&app, until));
    let looked_at = traces::on_schedule(app.tracer.as_ref(), "event-worker", work).await?;
    tracing::info!(looked_at, "sweep of events");
    Ok(looked_at)
}
