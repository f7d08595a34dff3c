//! Makes the files of exports: rows of a history, of any number, streamed into a multipart upload.
//!
//! It may be killed at any moment, and run twice at once. A run holds the export by a lease that it
//! renews; the parts that it has sent, and how far they reach, are noted in the export's row, so that
//! the next run goes on behind them. Where a part ends is a matter of its rows alone. What nobody works
//! on any more is queued again by the sweep, and given up in the end: of each export there is one
//! whole file, or a reason why there is none.

mod error;
mod history;
mod lease;
mod produce;
mod sheet;
mod sweep;

use std::sync::atomic::AtomicU64;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use shared::{
    app::App,
    exports::{Export, ExportMessage},
    models::export::ExportId,
    store::Key,
};
use tokio::time::Instant;

pub use crate::{error::SweepError, sweep::sweep};
use crate::{
    error::WorkError,
    lease::{Lease, RHYTHM, Receipt},
    produce::Produced,
};

/// Times that a message is received until it goes to the dead letters (`maxReceiveCount` in
/// `template.yaml`).
const ATTEMPTS: u32 = 3;

/// Works on the messages of a batch, one after another, until `deadline`, at which it would be ended;
/// answers which of them are to come again. One that cannot be read comes again as well, until the
/// queue gives it to the dead letters.
pub async fn handle(app: App, event: SqsEvent, deadline: Instant) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let id = message.message_id.clone().unwrap_or_default();
        if !is_dealt_with(&app, &id, &message, deadline).await {
            response.add_failure(id);
        }
    }
    response
}

/// Does what one message says; writes its line in the log.
async fn is_dealt_with(app: &App, id: &str, message: &SqsMessage, deadline: Instant) -> bool {
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
            // The next one comes by itself, and finds the same: nothing for the dead letters.
            Err(error) => {
                tracing::error!(message_id = id, %error, "sweep of exports");
                true
            }
        },
        Err(error) => {
            tracing::error!(message_id = id, %error, "malformed message");
            false
        }
    }
}

/// What came of a message that needs no further attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// There is a file.
    Completed,
    /// There will be none, and its row says why.
    Failed,
    /// The time was over; another message is queued to go on.
    Requeued,
    /// Another run has it. Should that one end, the sweep looks after it.
    Held,
    /// It was over before.
    Over,
    /// There is no such export.
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
    let Some(export) = app.store.get::<Export>(&Key::export(id)).await? else {
        return Ok(Outcome::Unknown);
    };
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
            tracing::warn!(export_id = %id, %error, "an export is given up");
            lease.fail(&export.file(), error.reason()).await?;
            Ok(Outcome::Failed)
        }
        Err(error) => {
            let ended = if attempt(message) >= ATTEMPTS {
                lease.fail(&export.file(), error.reason()).await
            } else {
                lease.release().await
            };
            // The sweep finds it all the same, when the lease is over.
            if let Err(error) = ended {
                tracing::error!(export_id = %id, %error, "an export is left as it is");
            }
            Err(error)
        }
    }
}

/// Which time this is that a message was received, from 1.
fn attempt(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}
