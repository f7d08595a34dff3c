//! Sends the mails that other functions put into the queue.
//!
//! A mail is sent at least once. Of messages with one id one is sent, and the others are dropped;
//! but where SES accepts a mail and its answer is lost, or the function ends before it has noted
//! the mail as sent, the mail is sent again when its lease is over.

mod delivery;
pub mod letters;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use shared::{
    app::App,
    mail::Mail,
    metrics::{self, Metric, Unit},
    outbound::within_budget,
};

use delivery::Delivery;

/// Sends the mails of a batch, one after another, since SES counts mails a second; answers which
/// messages are to come again. One that is no mail comes again as well, until the queue gives it to
/// the dead letters.
pub async fn handle(app: App, event: SqsEvent) -> SqsBatchResponse {
    let delivery = Delivery::new(&app);
    let mut response = SqsBatchResponse::default();
    within_budget(async {
        for message in event.records {
            let id = message.message_id.unwrap_or_default();
            if !is_dealt_with(&delivery, &id, message.body.as_deref().unwrap_or_default()).await {
                response.add_failure(id);
            }
        }
    })
    .await;
    let failed = u64::try_from(response.batch_item_failures.len()).unwrap_or(u64::MAX);
    metrics::emit(&app, &[Metric { name: "MailsFailed", unit: Unit::Count, value: failed }]);
    response
}

/// Sends the mail of one message; writes the message's line in the log.
async fn is_dealt_with(delivery: &Delivery<'_>, message_id: &str, body: &str) -> bool {
    // What serde says of a body may repeat what is in it.
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
