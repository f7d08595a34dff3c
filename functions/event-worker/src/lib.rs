//! Finds events that nobody was told of yet, and what is due for webhooks.
//!
//! A list says that it has events of which its readers were not told, in the update that appends them, and each webhook says
//! when it has something to send. The sweep finds both by the index `watch`. It wakes webhooks, and queues what the workers of
//! webhooks and sockets do; each message is only a hint that may be lost or doubled (`docs/decisions/0031-webhooks.md`). It
//! connects to nobody outside, so that the function that sends to receivers has no right to find or tell anything else.

mod app;
mod error;
mod sweep;

use serde::Deserialize;
use tokio::time::{Duration, Instant};

pub use app::App;
pub use error::SweepError;
pub use sweep::look;

/// How long a run looks. It ends a few seconds after the next one has begun.
const LOOKING: Duration = Duration::from_secs(65);

/// How often a run looks: the schedule's own event asks for a whole minute.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// One look instead of a minute.
    once: bool,
}

/// Looks every second for a minute, or once; returns the number of rows.
///
/// # Errors
/// [`SweepError`]: rows it failed to handle stay due, and the next run finds them.
pub async fn run(app: App, asked: Asked) -> Result<usize, SweepError> {
    let now = Instant::now();
    let until = if asked.once { now } else { now.checked_add(LOOKING).unwrap_or(now) };
    let looked_at = sweep::sweep(&app, until).await?;
    tracing::info!(looked_at, "sweep of events");
    Ok(looked_at)
}
