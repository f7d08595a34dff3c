//! Deployment-wide webhooks, which send the events of all accounts.
//!
//! Such a webhook has eight lanes, and each account belongs to one of them. A lane sends the events of its
//! accounts: those of one account in order, those of several accounts concurrently. It has a cursor for each
//! account, and a row for each account that has unsent events. There is no row that all accounts write
//! (`docs/decisions/0031-webhooks.md`).

use std::time::Duration;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::{
    events::{self, KEPT},
    keys::{self, EventList},
    models::{account::AccountId, watch::Watch, webhook::WebhookId},
};
use store::{Entity, Key, Store, StoreError, Update, fields};

use super::Webhook;

/// The lanes of a webhook.
pub const LANES: u8 = 8;
/// A new webhook sends only events written at least this long after it was added. By then every process knows
/// it, and commits that began without knowing it have ended.
pub const SETTLED: Duration = Duration::from_secs(30);
/// How long rows of a lane are kept after their last change: longer than events.
const ROWS_KEPT: Duration = KEPT.saturating_add(Duration::from_secs(24 * 60 * 60));

/// The lane that an account is in.
pub fn lane_of(account: AccountId) -> u8 {
    // The end of the id is random.
    let [.., last] = *account.0.as_bytes();
    last.checked_rem(LANES).unwrap_or_default()
}

/// A lane of a webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookLane {
    /// The run of the worker that holds it: random, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When the lease ends unless the run renews it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_until: Option<Timestamp>,
    /// While this time is ahead, it sends nothing, because the receiver answered slowly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_until: Option<Timestamp>,
    /// The last account with new events that a round has served: the next round begins after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_up_to: Option<AccountId>,
    /// How often it was woken.
    #[serde(default)]
    pub pokes: u64,
    /// The worker's queue, while there is something to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the sweep queues it next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// When the row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    #[serde(default)]
    pub expires_at: i64,
}

impl Entity for WebhookLane {
    const ENTITY: &'static str = "webhookLane";
}

fields!(WebhookLane {
    pub OWNER: Option<String> = owner,
    pub LEASE_UNTIL: Option<Timestamp> = lease_until,
    pub RESTS_UNTIL: Option<Timestamp> = rests_until,
    pub SERVED_UP_TO: Option<AccountId> = served_up_to,
    pub POKES: u64 = pokes,
    pub WATCH: Option<Watch> = watch,
    pub DUE_AT: Option<Timestamp> = due_at,
    pub EXPIRES_AT: i64 = expires_at,
});

/// The changes that wake a lane.
#[must_use]
pub fn wake_lane(now: Timestamp) -> Update<WebhookLane> {
    Update::new()
        .create_or_change()
        .add(WebhookLane::POKES, 1)
        .set(WebhookLane::WATCH, Watch::Webhook)
        .set(WebhookLane::DUE_AT, now)
        .set(WebhookLane::EXPIRES_AT, now.plus(ROWS_KEPT).seconds())
}

/// Marks an account with events that the lane has not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanePending {
    /// The account.
    pub account_id: AccountId,
    /// Distinguishes this mark from an earlier one of the same account: random, in hex.
    pub stamp: String,
    /// The sweep's queue, if the lane could not be woken when the account was marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the sweep wakes the lane again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// When the row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for LanePending {
    const ENTITY: &'static str = "lanePending";
}

fields!(LanePending {
    pub STAMP: String = stamp,
    pub WATCH: Option<Watch> = watch,
    pub DUE_AT: Option<Timestamp> = due_at,
});

impl LanePending {
    /// Marks an account.
    pub fn new(store: &Store, account_id: AccountId) -> Self {
        let stamp = hex::encode(store.random().bytes::<8>());
        let expires_at = store.now().plus(ROWS_KEPT).seconds();
        Self { account_id, stamp, watch: None, due_at: None, expires_at }
    }

    /// The same mark for a lane that could not be woken: the sweep wakes it at `due_at`.
    #[must_use]
    pub fn due(self, due_at: Timestamp) -> Self {
        Self { watch: Some(Watch::Webhook), due_at: Some(due_at), ..self }
    }

    /// The key of its row.
    pub fn key(&self, webhook: WebhookId) -> Key {
        keys::lane_pending(webhook, lane_of(self.account_id), self.account_id)
    }
}

/// An account whose next event is tried again later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneLater {
    /// The account.
    pub account_id: AccountId,
    /// When its next event is due.
    pub at: Timestamp,
    /// When the row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for LaneLater {
    const ENTITY: &'static str = "laneLater";
}

impl LaneLater {
    /// The key of its row.
    pub fn key(&self, webhook: WebhookId) -> Key {
        keys::lane_later(webhook, lane_of(self.account_id), self.at, self.account_id)
    }
}

/// How far a webhook has read the events of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneCursor {
    /// The number of the last event that was delivered, given up, or skipped because of its type.
    pub delivered: u64,
    /// How often the event after it was tried.
    #[serde(default)]
    pub tries: u32,
    /// When that event is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// When the row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for LaneCursor {
    const ENTITY: &'static str = "laneCursor";
}

fields!(LaneCursor {
    pub DELIVERED: u64 = delivered,
    pub TRIES: u32 = tries,
});

impl LaneCursor {
    /// A cursor after event `delivered`; the next event was not tried yet.
    pub fn after(delivered: u64, now: Timestamp) -> Self {
        Self { delivered, tries: 0, next_at: None, expires_at: now.plus(ROWS_KEPT).seconds() }
    }
}

/// The cursor of an account, and whether it is stored. Otherwise it begins after the events that are older
/// than the webhook.
pub async fn cursor_of(
    store: &Store,
    webhook: &Webhook,
    account: AccountId,
) -> Result<(LaneCursor, bool), StoreError> {
    let key = keys::lane_cursor(webhook.id, lane_of(account), account);
    if let Some(cursor) = store.get::<LaneCursor>(&key).await? {
        return Ok((cursor, true));
    }
    let since = webhook.created_at.plus(SETTLED);
    let list = EventList::of_account(account);
    let delivered = events::number_before(store, &list, since).await?;
    Ok((LaneCursor::after(delivered, store.now()), false))
}
