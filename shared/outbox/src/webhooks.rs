//! Webhooks: their rows, the messages to their worker, and what both the endpoints and the worker need.
//!
//! A webhook reads its account's list of events by a cursor, [`Webhook::delivered`], which only the worker
//! moves, apart from a replay (`docs/decisions/0031-webhooks.md`).

pub mod address;
mod deployment;
pub mod signing;

use std::{fmt, time::Duration};

use base::{
    clock::Timestamp,
    queue::{Queue, QueueError},
    random::Random,
};
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use serde::{Deserialize, Serialize};
use shared::{
    core::Core,
    crypto::vault::{SealScope, Sealed, Vault, VaultError},
    keys::{self, EventList},
    models::{
        account::AccountId,
        event::EventType,
        watch::Watch,
        webhook::{DeliveryCause, WebhookId, WebhookOff, WebhookScope},
    },
};
use store::{Entity, Key, Store, StoreError, Update, Writes, fields};

pub use deployment::{
    LANES, LaneCursor, LaneLater, LanePending, SETTLED, WebhookLane, cursor_of, lane_of, wake_lane,
};

/// The most webhooks of an account.
pub const MOST: usize = 3;
/// The most deployment-wide webhooks.
pub const MOST_OF_DEPLOYMENT: usize = 5;
/// How long the replaced secret still signs after a rotation.
pub const ROTATION: Duration = Duration::from_secs(24 * 60 * 60);
/// How long after it was added the worker visits a webhook even without an event. By then, every commit that
/// read the list's row before the webhook existed has ended.
pub const FIRST_LOOK: Duration = Duration::from_secs(2 * 60);
/// How long the log of deliveries is kept.
pub const LOG_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A webhook, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The account that added it. For a deployment-wide webhook: the admin who runs it, that is, who added or
    /// last enabled it. An account's webhook sends the events of this account.
    pub account_id: AccountId,
    /// Whose events it sends.
    #[serde(default)]
    pub scope: WebhookScope,
    /// When it was added.
    pub created_at: Timestamp,
    /// The URL of its receiver.
    pub url: String,
    /// The challenge that the receiver has to answer before it gets anything else; `None` once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// The types of events that it sends; if empty, all, including those of later versions.
    #[serde(default)]
    pub types: Vec<EventType>,
    /// Its owner's note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The current signing secret, 32 bytes.
    pub secret: Sealed,
    /// The secret before the last rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_secret: Option<EarlierSecret>,
    /// Why it is off, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<WebhookOff>,
    /// The number of the last event that was delivered, given up, or skipped because of its type. Unused by
    /// deployment-wide webhooks, which have a [`LaneCursor`] for each account.
    pub delivered: u64,
    /// The failures since the last success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<WebhookFailing>,
    /// While this time is ahead, it sends no event, because its receiver answered slowly. Unused by
    /// deployment-wide webhooks, whose lanes rest by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_until: Option<Timestamp>,
    /// While this time is ahead, its receiver counts as slow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_until: Option<Timestamp>,
    /// The run of the worker that holds it: random, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When the lease ends unless the run renews it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_until: Option<Timestamp>,
    /// How often it was woken. A run that finds nothing more to do ends only if this has not changed.
    #[serde(default)]
    pub pokes: u64,
    /// The worker's queue, while there is something to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the sweep queues it next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
}

impl Entity for Webhook {
    const ENTITY: &'static str = "webhook";
}

fields!(Webhook {
    pub ACCOUNT_ID: AccountId = account_id,
    pub URL: String = url,
    pub CHALLENGE: Option<String> = challenge,
    pub TYPES: Vec<EventType> = types,
    pub NOTE: Option<String> = note,
    pub SECRET: Sealed = secret,
    pub EARLIER_SECRET: Option<EarlierSecret> = earlier_secret,
    pub OFF: Option<WebhookOff> = off,
    pub DELIVERED: u64 = delivered,
    pub FAILING: Option<WebhookFailing> = failing,
    pub RESTS_UNTIL: Option<Timestamp> = rests_until,
    pub SLOW_UNTIL: Option<Timestamp> = slow_until,
    pub OWNER: Option<String> = owner,
    pub LEASE_UNTIL: Option<Timestamp> = lease_until,
    pub POKES: u64 = pokes,
    pub WATCH: Option<Watch> = watch,
    pub DUE_AT: Option<Timestamp> = due_at,
});

/// A replaced secret, which signs next to its successor until its time is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierSecret {
    /// The secret.
    pub secret: Sealed,
    /// When it stops signing.
    pub until: Timestamp,
}

/// Failures since the last success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookFailing {
    /// When the first of them happened.
    pub since: Timestamp,
    /// How often the next event was tried.
    pub tries: u32,
    /// When the next event is tried again.
    pub next_at: Timestamp,
    /// Why the last attempt failed.
    pub cause: String,
}

impl Webhook {
    /// The key of its row.
    pub fn key(&self) -> Key {
        match self.scope {
            WebhookScope::Account => keys::webhook(self.account_id, self.id),
            WebhookScope::Deployment => keys::deployment_webhook(self.id),
        }
    }

    /// The list whose open row counts it.
    pub fn counted_in(&self) -> EventList {
        match self.scope {
            WebhookScope::Account => EventList::of_account(self.account_id),
            WebhookScope::Deployment => EventList::of_deployment(),
        }
    }

    /// When the worker visits it even without an event, because a commit that read the list's row before the
    /// webhook existed does not wake it; `None` after that time.
    pub fn first_look(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.created_at.plus(FIRST_LOOK)).filter(|at| *at > now)
    }

    /// The time before which it sends no event, because it waits after a failure or a slow answer.
    pub fn waits_until(&self) -> Option<Timestamp> {
        let retry = self.failing.as_ref().map(|failing| failing.next_at);
        retry.max(self.rests_until)
    }

    /// The runs that serve it and its lanes: those for slow receivers if it was slow recently, or if it has
    /// not confirmed yet and its speed is unknown.
    pub fn pace(&self, now: Timestamp) -> WebhookPace {
        let is_slow = self.challenge.is_some() || self.slow_until.is_some_and(|until| until > now);
        if is_slow { WebhookPace::Slow } else { WebhookPace::Prompt }
    }

    /// Whether it sends events of this type.
    pub fn sends(&self, kind: EventType) -> bool {
        self.types.is_empty() || self.types.contains(&kind)
    }

    /// The secrets that sign at `now`, the current one first.
    pub async fn secrets(
        &self,
        vault: &Vault,
        now: Timestamp,
    ) -> Result<Vec<SecretSlice<u8>>, VaultError> {
        let mut secrets = vec![vault.open(scope(self.id), &self.secret).await?];
        if let Some(earlier) = self.earlier_secret.as_ref().filter(|earlier| earlier.until > now) {
            secrets.push(vault.open(scope(self.id), &earlier.secret).await?);
        }
        Ok(secrets)
    }
}

fn scope(id: WebhookId) -> SealScope {
    SealScope { what: "webhook", whose: id.0 }
}

/// Draws a secret; returns it as it is stored, and as its owner sees it once.
pub async fn new_secret(
    vault: &Vault,
    random: &dyn Random,
    id: WebhookId,
) -> Result<(Sealed, SecretString), VaultError> {
    let bytes = SecretSlice::from(random.bytes::<32>().to_vec());
    let sealed = vault.seal(scope(id), bytes.expose_secret()).await?;
    Ok((sealed, signing::shown(&bytes)))
}

/// Draws a challenge.
pub fn new_challenge(random: &dyn Random) -> String {
    hex::encode(random.bytes::<32>())
}

/// The changes that wake a webhook: now, or when it is due anyway if `at_its_time`.
#[must_use]
pub fn wake(update: Update<Webhook>, now: Timestamp, at_its_time: bool) -> Update<Webhook> {
    let update = update.add(Webhook::POKES, 1).set(Webhook::WATCH, Watch::Webhook);
    match at_its_time {
        true => update.set_if_absent(Webhook::DUE_AT, now),
        false => update.set(Webhook::DUE_AT, now),
    }
}

/// The changes that take a webhook from the run that holds it.
#[must_use]
pub fn interrupt(update: Update<Webhook>) -> Update<Webhook> {
    update.remove(Webhook::OWNER).remove(Webhook::LEASE_UNTIL)
}

/// The webhooks of an account, oldest first.
pub async fn of_account(store: &Store, account: AccountId) -> Result<Vec<Webhook>, StoreError> {
    let (low, high) = keys::webhooks(account);
    store.range((&low, &high), true, None).await
}

/// The readable webhooks of an account, oldest first, and the error of one that cannot be read.
///
/// # Errors
/// [`StoreError`] if the query itself fails.
pub async fn readable_of_account(
    store: &Store,
    account: AccountId,
) -> Result<(Vec<Webhook>, Option<StoreError>), StoreError> {
    let (low, high) = keys::webhooks(account);
    store.readable_range((&low, &high), None).await
}

/// The readable deployment-wide webhooks, oldest first, and the error of one that cannot be read.
///
/// # Errors
/// [`StoreError`] if the query itself fails.
pub async fn readable_of_deployment(
    store: &Store,
) -> Result<(Vec<Webhook>, Option<StoreError>), StoreError> {
    let (low, high) = keys::deployment_webhooks();
    store.readable_range((&low, &high), None).await
}

/// The deployment-wide webhooks, oldest first.
pub async fn of_deployment(store: &Store) -> Result<Vec<Webhook>, StoreError> {
    let (low, high) = keys::deployment_webhooks();
    store.range((&low, &high), true, None).await
}

/// A request of a webhook's owner, as a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookAsk {
    /// When it was made; with `random`, the end of its key.
    pub asked_at: Timestamp,
    /// Distinguishes requests of the same moment: 8 random bytes, in hex.
    pub random: String,
    /// The number of the event to send again; `None` for a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The account of that event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// When the row is deleted if its webhook no longer exists, in seconds since the epoch (DynamoDB's TTL
    /// attribute).
    pub expires_at: i64,
}

impl Entity for WebhookAsk {
    const ENTITY: &'static str = "webhookAsk";
}

impl WebhookAsk {
    /// Asks for a test, or for an event to be sent again.
    pub fn new(core: &Core, event: Option<(AccountId, u64)>) -> Self {
        let asked_at = core.clock.now();
        let random = hex::encode(core.random.bytes::<8>());
        let (account_id, sequence) = event.unzip();
        let expires_at = asked_at.plus(LOG_KEPT).seconds();
        Self { asked_at, random, sequence, account_id, expires_at }
    }

    /// The `webhook-id` of the test.
    pub fn test_id(&self, webhook: WebhookId) -> String {
        format!("test-{webhook}-{}", self.random)
    }

    /// The `webhook-id` of the verification that is sent instead of a test until the receiver has confirmed.
    pub fn verification_id(&self, webhook: WebhookId) -> String {
        format!("verification-{webhook}-{}", self.random)
    }

    /// The key of its row.
    pub fn key(&self, webhook: WebhookId) -> Key {
        keys::webhook_ask(webhook, self.asked_at, &self.random)
    }
}

/// One delivery attempt, as a row of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSent {
    /// Its place in the log.
    pub id: SentId,
    /// The `webhook-id` that was sent.
    pub event_id: String,
    /// The number of the event; `None` for a test or a verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The account of the event; `None` for a test or a verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// The name of the event's type.
    pub kind: String,
    /// Why it was sent.
    pub cause: DeliveryCause,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in ms.
    pub duration_ms: u64,
    /// The status of the answer, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The first kilobyte of the answer's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// When the row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for WebhookSent {
    const ENTITY: &'static str = "webhookSent";
}

/// A position in the log of a webhook: a time in ms, and a number that distinguishes attempts of the same
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentId {
    at: Timestamp,
    number: u64,
}

impl SentId {
    /// An attempt that began at `at`.
    pub fn new(at: Timestamp, random: &dyn Random) -> Self {
        let [a, b, c, d] = random.bytes::<4>();
        Self { at, number: u32::from_be_bytes([a, b, c, d]).into() }
    }

    /// The end of the key, which sorts in the order of the attempts.
    fn place(self) -> String {
        format!("{:015}#{:012}", self.at.0, self.number)
    }

    /// The key of its row.
    pub fn key(self, webhook: WebhookId) -> Key {
        keys::webhook_sent(webhook, &self.place())
    }

    /// The last possible position before this one.
    fn before(self) -> Self {
        match self.number.checked_sub(1) {
            Some(number) => Self { number, ..self },
            None => Self { at: Timestamp(self.at.0.saturating_sub(1)), number: u32::MAX.into() },
        }
    }
}

impl fmt::Display for SentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.0, self.number)
    }
}

impl std::str::FromStr for SentId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('-').and_then(|(at, number)| {
            let (at, number) = (at.parse::<i64>().ok()?, number.parse::<u32>().ok()?);
            (0..1_000_000_000_000_000).contains(&at).then_some((at, number))
        });
        let (at, number) = parts.ok_or("must be the id of a delivery")?;
        Ok(Self { at: Timestamp(at), number: number.into() })
    }
}

shared::as_text!(SentId, "^[0-9]{1,15}-[0-9]{1,10}$", "1795244700000-2813546912");

/// The newest attempts of a webhook, newest first; with `before`, those before that one.
pub async fn sent(
    store: &Store,
    webhook: WebhookId,
    before: Option<SentId>,
    most: usize,
) -> Result<Vec<WebhookSent>, StoreError> {
    let low = keys::webhook_sent(webhook, "0");
    let high = match before {
        Some(before) => before.before().key(webhook),
        None => keys::webhook_sent(webhook, "~"),
    };
    store.range((&low, &high), false, Some(most)).await
}

/// A message to the worker: the body in the queue, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WebhookMessage {
    /// Send what is waiting for this webhook: `{"webhook": {"account": "<id>", "id": "<id>"}}`.
    Webhook {
        /// The account of the webhook.
        account: AccountId,
        /// The webhook.
        id: WebhookId,
    },
    /// Send what an admin asked of this deployment-wide webhook: `{"deployment": {"id": "<id>"}}`.
    Deployment {
        /// The webhook.
        id: WebhookId,
    },
    /// Send the events of this lane: `{"lane": {"id": "<id>", "lane": 3}}`.
    Lane {
        /// The deployment-wide webhook.
        id: WebhookId,
        /// The lane.
        lane: u8,
    },
}

base::section! {
    /// Where webhooks are queued that have something to send.
    pub struct WebhookQueueConfig {
        /// URL of the queue of webhooks that have something to send; those with slow receivers go to the queue with this URL and `-slow` at its end
        pub url: String = "WEBHOOK_QUEUE_URL",
    }
}

impl WebhookQueueConfig {
    /// URL of the queue of webhooks with slow receivers.
    pub fn slow_url(&self) -> String {
        format!("{}-slow", self.url)
    }
}

base::section! {
    /// Where webhooks may send to.
    #[derive(Copy)]
    pub struct WebhookTargetConfig {
        /// Whether webhooks may also send to this machine, over plain http: `yes` in tests and the local world
        /// only
        pub is_local: bool = "WEBHOOKS_TO_LOOPBACK" or "no" via base::settings::yes_or_no,
    }
}

/// Which runs of the worker take a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookPace {
    /// Runs for receivers that answer promptly.
    Prompt,
    /// Runs for receivers that answer slowly.
    Slow,
}

/// The queues of webhooks that have something to send. Slow receivers have a queue and runs of their own, so
/// that other webhooks never wait for them.
#[derive(Debug)]
pub struct WebhookQueue {
    prompt: Queue,
    slow: Queue,
}

impl WebhookQueue {
    /// The queues of the settings; connects only to send.
    pub fn new(core: &Core, config: WebhookQueueConfig) -> Self {
        let queue = |url| Queue::new(core.aws.clone(), url, core.outbound.clone());
        Self { slow: queue(config.slow_url()), prompt: queue(config.url) }
    }

    /// Queues webhooks. A webhook that is queued twice is served once.
    pub async fn send_all(
        &self,
        pace: WebhookPace,
        messages: &[WebhookMessage],
    ) -> Result<(), QueueError> {
        match pace {
            WebhookPace::Prompt => self.prompt.send_all(messages).await,
            WebhookPace::Slow => self.slow.send_all(messages).await,
        }
    }
}

/// Adds a write of a log entry.
pub fn log<E>(
    writes: Writes<E>,
    webhook: WebhookId,
    sent: &WebhookSent,
    otherwise: E,
) -> Writes<E> {
    writes.put(&sent.id.key(webhook), sent, otherwise)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_as_the_queue_and_the_schedule_write_them() {
        let id = "0197d3f0-0000-7000-8000-000000000000";
        let webhook =
            WebhookMessage::Webhook { account: id.parse().unwrap(), id: id.parse().unwrap() };
        for (message, body) in [
            (webhook, json!({ "webhook": { "account": id, "id": id } })),
            (
                WebhookMessage::Deployment { id: id.parse().unwrap() },
                json!({ "deployment": { "id": id } }),
            ),
            (
                WebhookMessage::Lane { id: id.parse().unwrap(), lane: 3 },
                json!({ "lane": { "id": id, "lane": 3 } }),
            ),
        ] {
            assert_eq!(serde_json::to_value(message).unwrap(), body);
            assert_eq!(serde_json::from_value::<WebhookMessage>(body).unwrap(), message);
        }
        for body in [json!({}), json!([]), json!({ "webhook": id }), json!({ "export": id })] {
            assert!(serde_json::from_value::<WebhookMessage>(body).is_err());
        }
    }

    #[test]
    fn places_in_the_log_are_read_as_they_are_shown() {
        let place = SentId { at: Timestamp(1_795_244_700_000), number: 7 };
        assert_eq!(place.to_string().parse(), Ok(place));
        assert_eq!(place.place(), "001795244700000#000000000007");
        assert_eq!(place.before().number, 6);
        let first = SentId { number: 0, ..place };
        assert!(first.before().place() < first.place());
        for wrong in ["", "-", "1", "1-", "-1-2", "1-2-3", "1-4294967296", "1000000000000000-1"] {
            assert!(wrong.parse::<SentId>().is_err(), "{wrong}");
        }
    }
}
