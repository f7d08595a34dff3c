//! The requests to receivers, and what is recorded about each.

use base::{
    clock::Timestamp,
    metrics::{Metric, Unit},
};
use outbox::{
    events::EventItem,
    webhooks::{LOG_KEPT, SentId, Webhook, WebhookAsk, WebhookSent, signing},
};
use secrecy::SecretSlice;
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    events::Event,
    keys::EventList,
    mail::{Letter, Mail, Recipient},
    models::{
        account::AccountId,
        change::AccountChange,
        webhook::{DeliveryCause, WebhookId, WebhookOff},
    },
};
use uuid::Uuid;

use crate::{
    app::App,
    error::RunError,
    pace::PATIENCE,
    send::{Answer, Message},
};

/// A request to a receiver, ready to be sent.
pub(crate) struct Parcel {
    event_id: String,
    sequence: Option<u64>,
    account_id: Option<AccountId>,
    kind: String,
    cause: DeliveryCause,
    attempt: u32,
    body: Vec<u8>,
}

impl Parcel {
    /// An event as the account itself would read it.
    pub(crate) fn of_event(
        list: &EventList,
        event: Event,
        cause: DeliveryCause,
        attempt: u32,
    ) -> Result<Self, RunError> {
        let item = EventItem::of(list, event);
        Ok(Self {
            event_id: item.id().to_owned(),
            sequence: Some(item.sequence()),
            account_id: list.account(),
            kind: item.kind().name().to_owned(),
            cause,
            attempt,
            body: serde_json::to_vec(&item)?,
        })
    }

    /// An event together with its account, for a deployment-wide webhook.
    pub(crate) fn of_account(
        list: &EventList,
        account_id: AccountId,
        event: Event,
        cause: DeliveryCause,
        attempt: u32,
    ) -> Result<Self, RunError> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct AccountEvent {
            #[serde(flatten)]
            event: EventItem,
            account_id: AccountId,
        }
        let event_of_account =
            AccountEvent { event: EventItem::of(list, event.clone()), account_id };
        let body = serde_json::to_vec(&event_of_account)?;
        Ok(Self { body, ..Self::of_event(list, event, cause, attempt)? })
    }

    /// A test that the owner asked for.
    pub(crate) fn test(ask: &WebhookAsk, webhook: WebhookId) -> Result<Self, RunError> {
        let data = json!({ "webhookId": webhook });
        let about = (DeliveryCause::Test, "webhook.test");
        Self::of_no_event(ask.test_id(webhook), about, ask.asked_at, &data)
    }

    /// A verification: the receiver must answer with the challenge.
    pub(crate) fn verification(
        ask: &WebhookAsk,
        webhook: WebhookId,
        challenge: &str,
    ) -> Result<Self, RunError> {
        let data = json!({ "webhookId": webhook, "challenge": challenge });
        let about = (DeliveryCause::Verification, "webhook.verification");
        Self::of_no_event(ask.verification_id(webhook), about, ask.asked_at, &data)
    }

    fn of_no_event(
        id: String,
        (cause, kind): (DeliveryCause, &str),
        at: Timestamp,
        data: &Value,
    ) -> Result<Self, RunError> {
        let body = json!({
            "id": id, "sequence": 0, "type": kind, "timestamp": at, "data": data,
        });
        let body = serde_json::to_vec(&body)?;
        Ok(Self {
            event_id: id,
            sequence: None,
            account_id: None,
            kind: kind.to_owned(),
            cause,
            attempt: 1,
            body,
        })
    }
}

/// Logs and counts that an event will not be retried.
pub(crate) fn note_given_up(app: &App, webhook: WebhookId, account: AccountId, sequence: u64) {
    tracing::warn!(%webhook, %account, sequence, "an event was given up");
    app.emit(&[Metric { name: "WebhookEventsGivenUp", unit: Unit::Count, value: 1 }]);
}

/// Whether a webhook that has been failing since `since` is switched off now, and why. If it is, the account
/// that added it gets a mail.
pub(crate) async fn switched_off(
    app: &App,
    webhook: &Webhook,
    (since, now): (Timestamp, Timestamp),
    is_gone: bool,
) -> Result<Option<WebhookOff>, RunError> {
    let off = match is_gone {
        true => Some(WebhookOff::Gone),
        false => (since.plus(PATIENCE) <= now).then_some(WebhookOff::Failing),
    };
    if let Some(off) = off {
        tracing::warn!(webhook = %webhook.id, reason = ?off, "a webhook was switched off");
        mail_owner(app, webhook, since).await?;
    }
    Ok(off)
}

/// Mails the account that added a webhook that the webhook is off; `since` is when it began to fail.
async fn mail_owner(app: &App, webhook: &Webhook, since: Timestamp) -> Result<(), RunError> {
    let since = u128::try_from(since.0).unwrap_or_default();
    let mail = Mail {
        id: Uuid::from_u128(webhook.id.0.as_u128() ^ since),
        to: Recipient::Owner { account: webhook.account_id },
        letter: Letter::Notice { change: AccountChange::WebhookFailed },
        at: app.clock.now(),
    };
    Ok(app.mail.send(&mail).await?)
}

/// Whether a receiver has confirmed that it wants events: it answered 200 to 299, and the body is a JSON
/// object whose own field `challenge` equals the challenge that was sent. A server that only echoes the
/// request does not confirm.
pub(crate) fn confirms(answer: &Answer, challenge: &str) -> bool {
    let body = answer.body.as_deref().filter(|_| answer.error.is_none()).unwrap_or_default();
    let body = serde_json::from_str::<Value>(body).unwrap_or_default();
    body.get("challenge").and_then(Value::as_str) == Some(challenge)
}

/// Sends a parcel to a webhook's receiver once; returns the log entry and the answer.
pub(crate) async fn send(
    app: &App,
    webhook: &Webhook,
    secrets: &[SecretSlice<u8>],
    parcel: Parcel,
) -> (WebhookSent, Answer) {
    let at = app.clock.now();
    let Parcel { event_id, sequence, account_id, kind, cause, attempt, body } = parcel;
    let signature = signing::sign(secrets, &event_id, at.past_seconds(), &body);
    let message = Message { id: &event_id, at, signature: &signature, body: &body };
    let answer = app.sender.send(&webhook.url, message).await;
    let duration_ms = u64::try_from(answer.took.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        webhook = %webhook.id, event_id, attempt, status = answer.status, duration_ms,
        delivered = answer.error.is_none(), "sent"
    );
    let sent = WebhookSent {
        id: SentId::new(at, &*app.random),
        event_id,
        sequence,
        account_id,
        kind,
        cause,
        attempt,
        at,
        duration_ms,
        status: answer.status,
        error: answer.error.clone(),
        answer: answer.body.clone(),
        expires_at: at.plus(LOG_KEPT).seconds(),
    };
    (sent, answer)
}
