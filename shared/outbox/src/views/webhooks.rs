//! Webhooks, and what they sent.

use base::clock::Timestamp;
use serde::Serialize;
use shared::{
    http::{Fields, Input, OkWith, Result},
    models::{
        account::AccountId,
        webhook::{DeliveryCause, WebhookId},
    },
};
use store::Store;
use utoipa::{IntoParams, ToSchema};

use crate::webhooks::{self, SentId, Webhook, WebhookFailing, WebhookSent};

/// The most deliveries in an answer.
const MOST_DELIVERIES: u32 = 100;

/// Whether a webhook sends events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum WebhookState {
    /// It sends each event.
    On,
    /// The receiver at its URL has not confirmed yet that it wants events. Events wait, and the webhook keeps
    /// its position in the list of events.
    Unverified,
    /// It sends nothing and keeps its position in the list of events.
    Off,
}

/// Failures of a webhook since its last delivered event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookFailures {
    /// When the first failure occurred, ms since the epoch.
    since: Timestamp,
    /// How often the webhook has tried its next event. If the scope is `deployment`, how often the pauses have
    /// grown.
    tries: u32,
    /// When the webhook tries again, ms since the epoch.
    next_at: Timestamp,
    /// Why the last attempt failed.
    cause: String,
}

impl WebhookState {
    /// The state of a webhook.
    pub fn of(webhook: &Webhook) -> Self {
        match (&webhook.off, &webhook.challenge) {
            (Some(_), _) => Self::Off,
            (None, Some(_)) => Self::Unverified,
            (None, None) => Self::On,
        }
    }
}

impl From<WebhookFailing> for WebhookFailures {
    fn from(failing: WebhookFailing) -> Self {
        Self {
            since: failing.since,
            tries: failing.tries,
            next_at: failing.next_at,
            cause: failing.cause,
        }
    }
}

/// A delivery attempt of a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// The attempt's position in the list.
    id: SentId,
    /// The `webhook-id` that was sent, the same in every attempt.
    event_id: String,
    /// The number of the event; null for a test or a verification.
    #[schema(required = true)]
    sequence: Option<u64>,
    /// The account that the event belongs to; null for a test or a verification.
    #[schema(required = true)]
    account_id: Option<AccountId>,
    /// The type that was sent: the event's type, `webhook.test` or `webhook.verification`.
    r#type: String,
    /// Why the delivery was sent.
    cause: DeliveryCause,
    /// The number of the attempt, from 1.
    #[schema(minimum = 1)]
    attempt: u32,
    /// When the attempt began, ms since the epoch.
    at: Timestamp,
    /// How long the attempt took, in ms.
    duration_ms: u64,
    /// Whether the receiver answered with a status from 200 to 299 and, for a verification, with its challenge.
    delivered: bool,
    /// The HTTP status of the receiver's response; null if there was none.
    #[schema(required = true, minimum = 100, maximum = 999)]
    status: Option<u16>,
    /// Why the attempt failed; null if it was delivered.
    #[schema(required = true)]
    error: Option<String>,
    /// The first kilobyte of the response body; null if it was empty.
    #[schema(required = true)]
    answer: Option<String>,
}

impl WebhookDelivery {
    /// The attempt without what the receiver answered.
    #[must_use]
    pub fn without_answer(self) -> Self {
        Self { answer: None, ..self }
    }
}

impl From<WebhookSent> for WebhookDelivery {
    fn from(sent: WebhookSent) -> Self {
        Self {
            id: sent.id,
            event_id: sent.event_id,
            sequence: sent.sequence,
            account_id: sent.account_id,
            r#type: sent.kind,
            cause: sent.cause,
            attempt: sent.attempt,
            at: sent.at,
            duration_ms: sent.duration_ms,
            delivered: sent.error.is_none(),
            status: sent.status,
            error: sent.error,
            answer: sent.answer,
        }
    }
}

/// Query of the deliveries of a webhook.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct DeliveriesQuery {
    /// Only deliveries before the one with this id: `metaData.next` of the previous response.
    #[param(value_type = Option<SentId>)]
    before: Option<SentId>,
    /// The maximum number of deliveries in the response; 20 by default.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: u32,
}

impl Input for DeliveriesQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let before = fields.optional_parsed("before", 30);
        let limit = fields.optional_parsed("limit", 10);
        let limit = fields.in_range("limit", limit, 1..=MOST_DELIVERIES);
        Some(Self { before: before?, limit: limit?.unwrap_or(20) })
    }
}

/// The position in the list of deliveries at which a response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveriesMeta {
    /// Send it as `before` in the next request; null at the end of the list.
    #[schema(required = true)]
    next: Option<SentId>,
}

/// A page of what a webhook sent.
///
/// # Errors
/// Those of the store.
pub async fn list_deliveries(
    store: &Store,
    webhook: WebhookId,
    query: DeliveriesQuery,
) -> Result<OkWith<Vec<WebhookDelivery>, DeliveriesMeta>> {
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let sent = webhooks::sent(store, webhook, query.before, limit).await?;
    let next = sent.last().filter(|_| sent.len() >= limit).map(|sent| sent.id);
    // DynamoDB deletes rows some days after their expiry.
    let now = store.now().past_seconds();
    let kept = sent.into_iter().filter(|sent| sent.expires_at > now);
    Ok(OkWith::all(kept.map(WebhookDelivery::from).collect(), DeliveriesMeta { next }))
}
