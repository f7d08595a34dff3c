//! Webhooks of an account, and what they sent.

use std::collections::BTreeSet;

use axum::extract::State;
use base::clock::Timestamp;
use outbox::{
    views::webhooks::{
        DeliveriesMeta, DeliveriesQuery, WebhookDelivery, WebhookFailures, WebhookState,
        list_deliveries,
    },
    webhooks::{self, Webhook, address::host_of},
};
use serde::Serialize;
use shared::{
    http::{Envelope, Error, OkWith, Problem, Query, Result, Segment, Segments},
    keys,
    models::{
        account::AccountId,
        event::{AccountEventType, EventType},
        webhook::{WebhookId, WebhookOff},
    },
};
use utoipa::ToSchema;

use crate::{
    app::App,
    reader::{Reader, SupportReadKind},
};

/// A webhook as admins see it: without its secret, and without the path of its URL, which may contain one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportWebhook {
    /// Webhook id.
    id: WebhookId,
    /// The host that receives the events.
    host: String,
    /// The types of events that the webhook sends; empty means all.
    #[schema(value_type = Vec<AccountEventType>)]
    types: Vec<EventType>,
    /// The owner's note.
    #[schema(required = true)]
    note: Option<String>,
    /// When it was added, ms since the epoch.
    created_at: Timestamp,
    /// Whether the webhook sends events.
    state: WebhookState,
    /// Why the webhook is off; null if it is on.
    #[schema(required = true)]
    off_reason: Option<WebhookOff>,
    /// The number of the last event that the webhook delivered or gave up.
    delivered: u64,
    /// Failures since the last delivered event; null if the last attempt succeeded.
    #[schema(required = true)]
    failures: Option<WebhookFailures>,
}

impl From<Webhook> for SupportWebhook {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            host: host_of(&webhook.url),
            state: WebhookState::of(&webhook),
            types: webhook.types,
            note: webhook.note,
            created_at: webhook.created_at,
            off_reason: webhook.off,
            delivered: webhook.delivered,
            failures: webhook.failing.map(WebhookFailures::from),
        }
    }
}

/// Lists the webhooks of an account, oldest first. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/webhooks",
    tag = "support",
    security(("bearer" = [])),
    params(("accountId" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The webhooks", body = Envelope<Vec<SupportWebhook>>))
)]
pub async fn list_support_webhooks(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
) -> Result<Envelope<Vec<SupportWebhook>>> {
    let account = reader.account(&app, id).await?;
    let webhooks = webhooks::of_account(&app.store, account.id).await?;
    reader.record(&app, SupportReadKind::Webhooks, id).await?;
    Ok(Envelope::ok(webhooks.into_iter().map(SupportWebhook::from).collect()))
}

/// Lists the delivery attempts of an account's webhook, newest first. Admins only.
///
/// Attempts are kept for 30 days. `answer` is always null: only the owner sees what the receiver said.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ("webhookId" = WebhookId, Path, description = "The webhook"),
        DeliveriesQuery
    ),
    responses((status = 200, description = "Deliveries", body = OkWith<Vec<WebhookDelivery>, DeliveriesMeta>))
)]
pub async fn list_support_deliveries(
    State(app): State<App>,
    reader: Reader,
    Segments(account, webhook): Segments<AccountId, WebhookId>,
    Query(query): Query<DeliveriesQuery>,
) -> Result<OkWith<Vec<WebhookDelivery>, DeliveriesMeta>> {
    let account = reader.account(&app, account).await?.id;
    let found = app.store.get::<Webhook>(&keys::webhook(account, webhook)).await?;
    let found = found.ok_or(Error::new(Problem::WebhookNotFound))?;
    let page = list_deliveries(&app.store, found.id, query).await?;
    let (kind, accounts) = (SupportReadKind::Deliveries, BTreeSet::from([account]));
    reader.record_with(&app, kind, accounts, Some(webhook.to_string())).await?;
    Ok(page.map(WebhookDelivery::without_answer))
}
