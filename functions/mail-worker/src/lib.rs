//! Sends the mails that other functions queue.
//!
//! A mail is sent at least once. Of several messages with one mail id, one is sent and the others are
//! dropped. However, if SES accepts a mail but its answer is lost, or the function ends before it has
//! recorded the mail as sent, the mail is sent again after its claim has expired.

mod app;
mod delivery;
pub mod letters;
pub mod settings;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use base::{
    metrics::{Metric, Unit},
    traces,
};
use shared::mail::Mail;

use delivery::Delivery;

pub use app::App;

/// Sends the mails of a batch one after another, because SES limits mails per second. Returns the messages to
/// retry. Malformed messages are retried too, until the queue moves them to the dead letters.
pub async fn handle(app: App, event: SqsEvent) -> SqsBatchResponse {
    let delivery = Delivery::new(&app);
    let mut response = SqsBatchResponse::default();
    let work = async {
        for message in event.records {
            let id = message.message_id.clone().unwrap_or_default();
            let body = message.body.as_deref().unwrap_or_default();
            // The SDK's future is large, and each caller would hold it in its own.
            let work = Box::pin(handle_message(&delivery, &id, body));
            if !traces::on_message(app.tracer.as_ref(), "mail", &message, work).await {
                response.add_failure(id);
            }
        }
    };
    app.outbound.within_budget(work).await;
    let failed = u64::try_from(response.batch_item_failures.len()).unwrap_or(u64::MAX);
    app.emit(&[Metric { name: "MailsFailed", unit: Unit::Count, value: failed }]);
    response
}

/// Sends the mail of one message, and writes the message's log line.
async fn handle_message(delivery: &Delivery<'_>, message_id: &str, body: &str) -> bool {
    // A serde error may quote the message body, so it is not logged.
    let Ok(mail) = serde_json::from_str::<Mail>(body) else {
        tracing::error!(message_id, outcome = "malformed", "mail");
        return false;
    };
    let (id, letter) = (mail.id, mail.letter.kind());
    match delivery.send(&mail).await {
        Ok(outcome) => {
            tracing::info!(message_id, mail_id = %id, letter, outcome = outcome.name(), "mail");
            true
        }
        Err(error) => {
            tracing::error!(message_id, mail_id = %id, letter, outcome = "failed", %error, "mail");
            false
        }
    }
}
