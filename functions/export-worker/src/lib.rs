//! Makes the files of exports: streams the rows of a history, however many, into a multipart upload.
//!
//! A run may be killed at any moment, and two runs may work on the same message concurrently. A run holds the
//! export by a lease that it renews. The export's row records the uploaded parts and how far they reach, so
//! the next run continues after them. Part boundaries depend only on the rows. The sweep queues abandoned
//! exports again and eventually gives them up, so every export ends with one complete file, or with a reason
//! why it has none.

mod app;
mod error;
mod history;
mod lease;
mod produce;
mod sheet;
mod sweep;

use std::sync::atomic::AtomicU64;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use base::traces;
use outbox::exports::{Export, ExportMessage};
use shared::{
    keys,
    models::export::{ExportId, ExportStatus},
};
use tokio::time::Instant;

pub use crate::{error::SweepError, sweep::sweep};
use crate::{
    error::WorkError,
    lease::{Lease, RHYTHM, Receipt},
    produce::Produced,
    sweep::remove_file,
};
pub use app::App;

/// How often the queue delivers a message before it moves it to the dead letters (`maxReceiveCount` in
/// `template.yaml`).
const ATTEMPTS: u32 = 5;

/// Handles the messages of a batch, one after another, until `deadline`, when Lambda would end the function.
/// Returns the messages to retry. Unreadable messages are retried too, until the queue moves them to the dead
/// letters.
pub async fn handle(app: App, event: SqsEvent, deadline: Instant) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let id = message.message_id.clone().unwrap_or_default();
        let work = Box::pin(handle_message(&app, &id, &message, deadline));
        if !traces::on_message(app.tracer.as_ref(), "export", &message, work).await {
            response.add_failure(id);
        }
    }
    response
}

/// Handles one message and writes its log line.
async fn handle_message(app: &App, id: &str, message: &SqsMessage, deadline: Instant) -> bool {
    let body = message.body.as_deref().unwrap_or_default();
    match serde_json::from_str(body) {
        Ok(ExportMessage::Export(export_id)) => {
            match make(app, export_id, message, deadline).await {
                Ok(outcome) => {
                    tracing::info!(message_id = id, %export_id, outcome = outcome.name(), "export");
                    true
                }
                Err(error) => {
                    tracing::error!(message_id = id, %export_id, %error, "export");
                    false
                }
            }
        }
        Ok(ExportMessage::Sweep(_)) => match sweep(app, deadline).await {
            Ok(looked_at) => {
                tracing::info!(message_id = id, looked_at, "sweep of exports");
                true
            }
            // The next scheduled sweep finds the same rows, so a retry of this message gains nothing.
            Err(error) => {
                tracing::error!(message_id = id, %error, "sweep of exports failed");
                true
            }
        },
        Err(error) => {
            tracing::error!(message_id = id, %error, "malformed message");
            false
        }
    }
}

/// Outcome of a message that needs no retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The file is complete.
    Completed,
    /// The export has failed, and its row says why.
    Failed,
    /// The run reached its deadline, and queued another message to continue.
    Requeued,
    /// Another run holds the export. If that run dies, the sweep queues the export again.
    Held,
    /// The export was completed or given up earlier.
    Over,
    /// Its owner deleted the export; its file is deleted.
    Removed,
    /// The export does not exist.
    Unknown,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Requeued => "requeued",
            Self::Held => "held",
            Self::Over => "over",
            Self::Removed => "removed",
            Self::Unknown => "unknown",
        }
    }
}

async fn make(
    app: &App,
    id: ExportId,
    message: &SqsMessage,
    deadline: Instant,
) -> Result<Outcome, WorkError> {
    let Some(export) = app.store.get::<Export>(&keys::export(id)).await? else {
        return Ok(Outcome::Unknown);
    };
    if export.status == ExportStatus::Expired && export.watch.is_some() {
        remove_file(app, &export).await?;
        return Ok(Outcome::Removed);
    }
    if export.status.is_over() {
        return Ok(Outcome::Over);
    }
    let Some(lease) = Lease::take(app, &export).await? else {
        return Ok(Outcome::Held);
    };
    let receipt = Receipt(message.receipt_handle.as_deref());
    let progress = AtomicU64::new(export.row_count);
    let produced = tokio::select! {
        biased;
        produced = produce::produce(app, &lease, &export, deadline, &progress) => produced,
        lost = lease.keep(receipt, &progress, RHYTHM) => Err(lost),
    };
    match produced {
        Ok(Produced::File) => Ok(Outcome::Completed),
        Ok(Produced::Parts) => {
            lease.release().await?;
            app.export_queue.send(id).await?;
            Ok(Outcome::Requeued)
        }
        Err(WorkError::Lost) => Ok(Outcome::Held),
        Err(error @ WorkError::TooLarge) => {
            tracing::warn!(export_id = %id, %error, "export given up");
            lease.fail(&export.file(), error.reason()).await?;
            Ok(Outcome::Failed)
        }
        Err(error) => {
            let ended = if attempt(message) >= ATTEMPTS {
                lease.fail(&export.file(), error.reason()).await
            } else {
                lease.release().await
            };
            // The sweep queues the export once the lease has expired.
            if let Err(error) = ended {
                tracing::error!(export_id = %id, %error, "failed to release an export");
            }
            Err(error)
        }
    }
}

/// How often this message has been received, this time included.
fn attempt(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}
