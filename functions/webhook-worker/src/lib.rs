//! Sends events to webhooks.
//!
//! A webhook reads its account's list of events by a cursor, so its events arrive in order, each at least
//! once, and a webhook that fails delays no other. `event-worker` finds webhooks that have something to send
//! and queues them. A message in the queue is only a hint, which may be lost or duplicated
//! (`docs/decisions/0031-webhooks.md`).

mod app;
mod error;
mod lane;
mod lease;
mod outcome;
mod pace;
mod parcel;
mod run;
mod send;
pub mod settings;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use base::traces;
use futures_util::future::join_all;
use outbox::webhooks::WebhookMessage;
use shared::{keys, models::webhook::WebhookId};
use tokio::time::Instant;

pub use app::App;
use error::RunError;
use outcome::Outcome;

/// Handles the messages of a batch concurrently, since runs mostly wait for receivers, until `deadline`, when
/// Lambda would end the function. Returns the messages to retry. Unreadable messages are retried too, until
/// the queue moves them to the dead letters.
pub async fn handle(app: App, event: SqsEvent, deadline: Instant) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let handled = event.records.iter().map(|message| {
        // Futures of the SDK are large, and each caller would hold them in its own future.
        let work = Box::pin(handle_message(&app, message, deadline));
        traces::on_message(app.tracer.as_ref(), "webhook", message, work)
    });
    for (message, is_handled) in event.records.iter().zip(join_all(handled).await) {
        if !is_handled {
            response.add_failure(message.message_id.clone().unwrap_or_default());
        }
    }
    response
}

/// Handles one message and writes its log line.
async fn handle_message(app: &App, message: &SqsMessage, deadline: Instant) -> bool {
    let message_id = message.message_id.as_deref().unwrap_or_default();
    match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
        Ok(WebhookMessage::Webhook { account, id }) => {
            let run = run::run(app, keys::webhook(account, id), deadline);
            note_outcome(message_id, id, None, run.await)
        }
        Ok(WebhookMessage::Deployment { id }) => {
            let run = run::run(app, keys::deployment_webhook(id), deadline);
            note_outcome(message_id, id, None, run.await)
        }
        Ok(WebhookMessage::Lane { id, lane }) => {
            note_outcome(message_id, id, Some(lane), lane::run(app, id, lane, deadline).await)
        }
        Err(error) => {
            tracing::error!(message_id, %error, "malformed message");
            false
        }
    }
}

/// Writes the log line of a run; returns whether its message is done.
fn note_outcome(
    message_id: &str,
    webhook: WebhookId,
    lane: Option<u8>,
    outcome: Result<Outcome, RunError>,
) -> bool {
    match outcome {
        Ok(outcome) => {
            tracing::info!(message_id, %webhook, lane, outcome = outcome.name(), "webhook");
            true
        }
        Err(error) => {
            tracing::error!(message_id, %webhook, lane, %error, "webhook");
            false
        }
    }
}
