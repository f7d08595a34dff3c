//! Pushes events to sockets.
//!
//! A message names a list and a range of its events. The worker reads the events once and posts them to each
//! reader of the list, with one call of the gateway that may take two seconds. A run makes its calls at a pace,
//! since requests to the API share the account's rate with them. It writes nothing for an event or a reader: a
//! reader that misses a push sees the gap in the numbers. Readers beyond the first hundred are handed to other
//! runs (`docs/decisions/0032-sockets.md`).

mod app;
mod pace;
mod push;
pub mod settings;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use base::traces;
use futures_util::future::join_all;
use outbox::sockets::SocketMessage;

pub use app::App;

/// Handles the messages of a batch concurrently. Returns the messages to retry. Unreadable messages are
/// retried too, until the queue moves them to the dead letters.
pub async fn handle(app: App, event: SqsEvent) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let handled = event.records.iter().map(|message| {
        // Futures of the SDK are large, and each caller would hold them in its own future.
        let work = Box::pin(handle_message(&app, message));
        traces::on_message(app.tracer.as_ref(), "push", message, work)
    });
    for (message, is_handled) in event.records.iter().zip(join_all(handled).await) {
        if !is_handled {
            response.add_failure(message.message_id.clone().unwrap_or_default());
        }
    }
    response
}

/// Handles one message and writes its log line.
async fn handle_message(app: &App, message: &SqsMessage) -> bool {
    let message_id = message.message_id.as_deref().unwrap_or_default();
    match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
        Ok(SocketMessage::Push(asked)) => match push::push(app, &asked).await {
            Ok(counts) => {
                let push::PushCounts { sent, gone, ended, left_out } = counts;
                let list = asked.list.as_str();
                tracing::info!(message_id, list, sent, gone, ended, left_out, "push");
                true
            }
            Err(error) => {
                tracing::error!(message_id, list = asked.list, %error, "push");
                false
            }
        },
        Err(error) => {
            tracing::error!(message_id, %error, "malformed message");
            false
        }
    }
}
