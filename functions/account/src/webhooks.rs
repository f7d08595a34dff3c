//! `/api/webhooks`: URLs to which the service sends the events of the caller's account or, for admins, of all
//! accounts.

use std::time::Duration;

use axum::{extract::State, response::Response};
use base::{clock::Timestamp, secret::reveal_optional};
use identity::activity::{self, Entry};
use outbox::{
    events::{self as told, EventItem},
    views::webhooks::{
        DeliveriesMeta, DeliveriesQuery, WebhookDelivery, WebhookFailures, WebhookState,
        list_deliveries,
    },
    webhooks::{
        self, EarlierSecret, LaneCursor, LanePending, MOST, MOST_OF_DEPLOYMENT, ROTATION, Webhook,
        WebhookAsk,
        address::{LONGEST, UrlRefused, WebhookUrl, host_of},
    },
};
use secrecy::SecretString;
use serde::Serialize;
use shared::{
    auth::{
        AuthError,
        limits::{
            self, WEBHOOK_BY_ACCOUNT, WEBHOOK_REPLAY_BY_ACCOUNT, WEBHOOK_SECRET_BY_ACCOUNT,
            WEBHOOK_TEST_BY_ACCOUNT, WEBHOOK_VERIFICATION_BY_HOST,
        },
        refused,
    },
    events::{self, Event, EventWrites, EventsError},
    http::{
        Created, Envelope, Error, Fields, FreshCaller, IdempotencyHeader, Idempotent, Input,
        LiveCaller, Nothing, OkWith, Problem, Query, Result, Segment, Segments, Valid,
    },
    keys::{self, EventList},
    models::{
        account::{Account, AccountId, Role},
        change::AccountChange,
        event::{AccountEventType, EventType},
        watch::Watch,
        webhook::{WebhookId, WebhookOff, WebhookScope},
    },
};
use store::{Update, Writes};
use tokio::time::{Instant, sleep};
use utoipa::{IntoParams, ToSchema};

use crate::{AccountError, app::App};

/// Attempts while others add or remove webhooks of the same account.
const ATTEMPTS: u32 = 8;
/// The longest note, in characters.
const LONGEST_NOTE: usize = 100;
/// How long the answer to a test waits for its outcome, which another function writes.
const TEST_WAIT: Duration = Duration::from_secs(8);
/// The pause between two reads of the log of deliveries.
const TEST_PAUSE: Duration = Duration::from_millis(400);
/// The most deliveries that one such read returns.
const TEST_READ: usize = 20;
/// The most events that a replay sends again. Older events are in `GET /api/events`.
const MOST_REPLAYED: u64 = 1_000;

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRow {
    /// Webhook id.
    id: WebhookId,
    /// Whose events the webhook sends.
    scope: WebhookScope,
    /// The URL that receives the events.
    #[schema(max_length = 500)]
    url: String,
    /// The types of events that the webhook sends; empty means all, including types added in later versions.
    #[schema(value_type = Vec<AccountEventType>)]
    types: Vec<EventType>,
    /// The owner's note.
    #[schema(required = true, max_length = 100)]
    note: Option<String>,
    /// When it was added, ms since the epoch.
    created_at: Timestamp,
    /// Whether the webhook sends events.
    state: WebhookState,
    /// Why the webhook is off; null if it is on.
    #[schema(required = true)]
    off_reason: Option<WebhookOff>,
    /// The number of the last event that the webhook delivered or gave up; all events up to it are done. Null
    /// if the scope is `deployment`, because each account has its own numbers.
    #[schema(required = true)]
    delivered: Option<u64>,
    /// Failures since the last delivered event; null if the last attempt succeeded.
    #[schema(required = true)]
    failures: Option<WebhookFailures>,
    /// The end of the period in which the secret before the last rotation also signs, ms since the epoch; null
    /// if only the current secret signs.
    #[schema(required = true)]
    earlier_secret_until: Option<Timestamp>,
    /// The secret that verifies the webhook's requests (Standard Webhooks): `whsec_` and base64 of 32 bytes.
    /// Shown only once, when it is created.
    #[serde(serialize_with = "reveal_optional", skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    secret: Option<SecretString>,
}

impl WebhookRow {
    fn of(webhook: Webhook, now: Timestamp, secret: Option<SecretString>) -> Self {
        let state = WebhookState::of(&webhook);
        let earlier = webhook.earlier_secret.filter(|earlier| earlier.until > now);
        Self {
            id: webhook.id,
            scope: webhook.scope,
            url: webhook.url,
            types: webhook.types,
            note: webhook.note,
            created_at: webhook.created_at,
            state,
            off_reason: webhook.off,
            delivered: (webhook.scope == WebhookScope::Account).then_some(webhook.delivered),
            failures: webhook.failing.map(WebhookFailures::from),
            earlier_secret_until: earlier.map(|earlier| earlier.until),
            secret,
        }
    }
}

/// Query of the list of webhooks.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct WebhooksQuery {
    /// `account` for the caller's own webhooks, or `deployment`, which requires the role admin.
    #[param(value_type = Option<WebhookScope>)]
    scope: WebhookScope,
}

impl Input for WebhooksQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let scope = fields.optional::<WebhookScope>("scope");
        Some(Self { scope: scope?.unwrap_or_default() })
    }
}

fn needs_admin(caller: &LiveCaller) -> Result<()> {
    match caller.account.role {
        Role::Admin => Ok(()),
        Role::User => Err(Error::with_details(
            Problem::Forbidden,
            "Webhooks of the deployment need the role admin.",
        )),
    }
}

/// Adds a condition to a write for a deployment-wide webhook: its author is still an admin. The condition
/// updates the account's row, so it conflicts with an operator's command that takes the role away. That
/// command also switches off the admin's webhooks, and thus misses no change that is being written.
fn as_admin(
    writes: Writes<AuthError>,
    caller: &LiveCaller,
    scope: WebhookScope,
) -> Writes<AuthError> {
    match scope {
        WebhookScope::Account => writes,
        WebhookScope::Deployment => {
            let is_admin =
                caller.update_beside_others().if_equal(Account::ROLE, Role::Admin).next_version();
            writes.update(&keys::account(caller.account.id), is_admin, AuthError::Changed)
        }
    }
}

/// Lists the caller's webhooks, or those of the deployment, oldest first.
#[utoipa::path(
    get,
    path = "/api/webhooks",
    tag = "webhooks",
    security(("bearer" = [])),
    params(WebhooksQuery),
    responses((status = 200, description = "The webhooks", body = Envelope<Vec<WebhookRow>>))
)]
pub async fn list_webhooks(
    State(app): State<App>,
    caller: LiveCaller,
    Query(query): Query<WebhooksQuery>,
) -> Result<Envelope<Vec<WebhookRow>>> {
    let now = app.clock.now();
    let webhooks = match query.scope {
        WebhookScope::Account => webhooks::of_account(&app.store, caller.account.id).await?,
        WebhookScope::Deployment => {
            needs_admin(&caller)?;
            webhooks::of_deployment(&app.store).await?
        }
    };
    let rows = webhooks.into_iter().map(|webhook| WebhookRow::of(webhook, now, None));
    Ok(Envelope::ok(rows.collect()))
}

/// Returns one of the caller's webhooks, or one of the deployment.
#[utoipa::path(
    get,
    path = "/api/webhooks/{id}",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook", body = Envelope<WebhookRow>))
)]
pub async fn get_webhook(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(id): Segment<WebhookId>,
) -> Result<Envelope<WebhookRow>> {
    row(&app, &caller, id).await
}

async fn row(app: &App, caller: &LiveCaller, id: WebhookId) -> Result<Envelope<WebhookRow>> {
    let webhook = known_webhook(app, caller, id).await?;
    Ok(Envelope::ok(WebhookRow::of(webhook, app.clock.now(), None)))
}

/// A webhook of the caller or, for an admin, of the deployment.
async fn known_webhook(app: &App, caller: &LiveCaller, id: WebhookId) -> Result<Webhook> {
    let mut webhook = app.store.get(&keys::webhook(caller.account.id, id)).await?;
    if webhook.is_none() && caller.account.role == Role::Admin {
        webhook = app.store.get(&keys::deployment_webhook(id)).await?;
    }
    webhook.ok_or(Error::new(Problem::WebhookNotFound))
}

/// A webhook to add.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct AddWebhook {
    /// The URL that receives the events: https, port 443, a host name whose addresses are public.
    #[schema(max_length = 500, example = "https://example.com/hooks/runeport")]
    url: String,
    /// The types of events that the webhook sends; all if missing or empty.
    #[schema(required = false, value_type = Option<Vec<AccountEventType>>)]
    types: Vec<EventType>,
    /// Whose events the webhook sends: `account` for the caller's, or `deployment` for those of all accounts,
    /// which requires the role admin. If missing, `account`.
    #[schema(required = false, value_type = Option<WebhookScope>)]
    scope: WebhookScope,
    /// A note, at most 100 characters.
    #[schema(required = false, max_length = 100)]
    note: Option<String>,
}

impl Input for AddWebhook {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let url = fields.text("url", LONGEST);
        let types = types(fields);
        let scope = fields.optional::<WebhookScope>("scope");
        let note = fields.optional_name("note", LONGEST_NOTE);
        let (types, scope) = (types?.unwrap_or_default(), scope?.unwrap_or_default());
        Some(Self { url: url?, types, scope, note: note? })
    }
}

/// Reads event types of accounts, each once.
#[allow(clippy::option_option, reason = "as the other readers of fields")]
fn types(fields: &mut Fields<'_>) -> Option<Option<Vec<EventType>>> {
    let Some(mut types) = fields.optional::<Vec<EventType>>("types")? else { return Some(None) };
    types.sort_unstable();
    types.dedup();
    match types.iter().all(|kind| EventType::OF_ACCOUNTS.contains(kind)) {
        true => Some(Some(types)),
        false => fields.wrong("types", "must be types of an account's events"),
    }
}

fn url_refused(error: UrlRefused) -> Error {
    Error::with_details(Problem::WebhookUrlRefused, error.to_string()).naming("url")
}

async fn checked_url(app: &App, url: &str) -> Result<WebhookUrl> {
    let url = WebhookUrl::parse(url, app.webhook_targets.is_local).map_err(url_refused)?;
    url.check_host(app.webhook_targets.is_local).await.map_err(url_refused)?;
    Ok(url)
}

/// Counts a request that asks a host to confirm a URL.
async fn count_verification(app: &App, url: &str) -> Result<()> {
    let host = limits::subject_of_name(&host_of(url));
    Ok(limits::hit(app, WEBHOOK_VERIFICATION_BY_HOST, &host).await?)
}

/// Adds a webhook. The response shows its secret once.
///
/// The service sends the receiver a `webhook.verification`, and the receiver must answer with its `challenge`.
/// Once it has confirmed, the webhook sends the events from now on. An account may have 3 webhooks. A webhook
/// of the deployment, which requires the role admin, sends the events of all accounts, beginning half a minute
/// later; the deployment may have 5. Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/webhooks",
    tag = "webhooks",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = AddWebhook,
    responses((status = 201, description = "The webhook, with its secret", body = Envelope<WebhookRow>))
)]
pub async fn create_webhook(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    request: Idempotent<AddWebhook>,
) -> Result<Response> {
    if request.body.scope == WebhookScope::Deployment {
        needs_admin(&caller)?;
    }
    let work = async |body| add(&app, &caller, body).await.map(Created);
    // The stored answer is encrypted because it contains the secret, whose own row is encrypted too.
    request.personal(&app.vault).once(&app, caller.account.id, work).await
}

async fn add(app: &App, caller: &LiveCaller, body: AddWebhook) -> Result<WebhookRow> {
    let account = caller.account.id;
    let (most, list) = match body.scope {
        WebhookScope::Account => (MOST, EventList::of_account(account)),
        WebhookScope::Deployment => (MOST_OF_DEPLOYMENT, EventList::of_deployment()),
    };
    limits::hit(app, WEBHOOK_BY_ACCOUNT, &account.to_string()).await?;
    let url = checked_url(app, &body.url).await?;
    count_verification(app, url.as_str()).await?;
    let now = app.clock.now();
    let (challenge, ask) = (webhooks::new_challenge(&*app.random), WebhookAsk::new(app, None));
    let id = WebhookId(app.random.id(now));
    let (secret, shown) = webhooks::new_secret(&app.webhook_vault, &*app.random, id)
        .await
        .map_err(AuthError::from)?;
    for _attempt in 0..ATTEMPTS {
        let head = events::head(&app.store, &list).await?;
        let others = head.hooks.unwrap_or_default();
        if usize::try_from(others).is_ok_and(|others| others >= most) {
            return Err(AccountError::TooMany(most).into());
        }
        let webhook = Webhook {
            id,
            account_id: account,
            scope: body.scope,
            created_at: now,
            url: url.as_str().to_owned(),
            challenge: Some(challenge.clone()),
            types: body.types.clone(),
            note: body.note.clone(),
            secret: secret.clone(),
            earlier_secret: None,
            off: None,
            delivered: head.newest,
            failing: None,
            rests_until: None,
            slow_until: None,
            owner: None,
            lease_until: None,
            pokes: 0,
            watch: Some(Watch::Webhook),
            due_at: Some(now),
        };
        let entry = Entry::by_caller(app, caller, AccountChange::WebhookAdded).await?;
        let committed = activity::commit(app, &caller.account, entry, || {
            let added = Writes::new()
                .insert(&webhook.key(), &webhook, AuthError::Changed)
                .insert(&ask.key(id), &ask, AuthError::Changed)
                .set_hooks(&list, &head, others.saturating_add(1), AuthError::Changed);
            as_admin(added, caller, body.scope)
        });
        match committed.await {
            Ok(()) => return Ok(WebhookRow::of(webhook, now, Some(shown))),
            Err(AuthError::Changed) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::new(Problem::Changed))
}

/// Changes to a webhook; missing fields keep their values.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChangeWebhook {
    /// The new URL, used once the receiver there has confirmed.
    #[schema(required = false, max_length = 500)]
    url: Option<String>,
    /// The types of events that the webhook sends from now on; empty means all.
    #[schema(required = false, value_type = Option<Vec<AccountEventType>>)]
    types: Option<Vec<EventType>>,
    /// The new note; empty removes the note.
    #[schema(required = false, max_length = 100)]
    note: Option<String>,
    /// Whether the webhook is on. A webhook that is switched on continues with the event after the last one
    /// that was delivered.
    #[schema(required = false)]
    enabled: Option<bool>,
}

impl Input for ChangeWebhook {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let url = match fields.has("url") {
            true => fields.text("url", LONGEST).map(Some),
            false => Some(None),
        };
        let types = types(fields);
        let note = fields.optional_line("note", LONGEST_NOTE);
        let enabled = fields.optional("enabled");
        Some(Self { url: url?, types: types?, note: note?, enabled: enabled? })
    }
}

/// Changes a webhook, or switches it on or off. If the URL changes, events wait until the receiver at the new
/// URL has confirmed. If the request changes nothing, nothing is recorded or mailed. Requires a sign-in within
/// the last 15 minutes.
#[utoipa::path(
    patch,
    path = "/api/webhooks/{id}",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    request_body = ChangeWebhook,
    responses((status = 200, description = "The webhook", body = Envelope<WebhookRow>))
)]
pub async fn update_webhook(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<WebhookId>,
    Valid(body): Valid<ChangeWebhook>,
) -> Result<Envelope<WebhookRow>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    limits::hit(&app, WEBHOOK_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let url = match &body.url {
        Some(url) => Some(checked_url(&app, url).await?),
        None => None,
    };
    match change_of(&webhook, &body, url.as_ref()) {
        Some(update) => {
            // The admin who enables a deployment-wide webhook runs it from then on.
            let is_taken_over =
                goes_on(&webhook, &body) && webhook.scope == WebhookScope::Deployment;
            let update = match is_taken_over {
                true => update.set(Webhook::ACCOUNT_ID, caller.account.id),
                false => update,
            };
            let other_url = url.filter(|url| url.as_str() != webhook.url);
            let (update, ask) = match &other_url {
                Some(url) => {
                    count_verification(&app, url.as_str()).await?;
                    let challenge = webhooks::new_challenge(&*app.random);
                    let update = update.set(Webhook::CHALLENGE, challenge);
                    (update, Some(WebhookAsk::new(&app, None)))
                }
                None => (update, None),
            };
            commit_change(&app, &caller, &webhook, update, ask.as_ref()).await?;
            row(&app, &caller, id).await
        }
        None => Ok(Envelope::ok(WebhookRow::of(webhook, app.clock.now(), None))),
    }
}

/// Whether a change makes a webhook go on that is off, or that pauses after a failure.
fn goes_on(webhook: &Webhook, body: &ChangeWebhook) -> bool {
    let is_stopped = webhook.off.is_some() || webhook.failing.is_some();
    body.enabled == Some(true) && is_stopped
}

/// The update that a change makes; `None` if nothing changes.
fn change_of(
    webhook: &Webhook,
    body: &ChangeWebhook,
    url: Option<&WebhookUrl>,
) -> Option<Update<Webhook>> {
    let url = url.map(WebhookUrl::as_str).filter(|url| *url != webhook.url);
    let types = body.types.as_ref().filter(|types| **types != webhook.types);
    let note = body.note.as_deref();
    let note = note.filter(|note| *note != webhook.note.as_deref().unwrap_or_default());
    let goes_on = goes_on(webhook, body);
    let stops = body.enabled == Some(false) && webhook.off.is_none();
    if url.is_none() && types.is_none() && note.is_none() && !goes_on && !stops {
        return None;
    }
    let mut update = Update::new();
    if let Some(url) = url {
        update = update.set(Webhook::URL, url);
    }
    if let Some(types) = types {
        update = update.set(Webhook::TYPES, types);
    }
    update = match note {
        Some("") => update.remove(Webhook::NOTE),
        Some(note) => update.set(Webhook::NOTE, note),
        None => update,
    };
    if goes_on {
        update = update.remove(Webhook::OFF);
    }
    if stops {
        update = update.set(Webhook::OFF, WebhookOff::Owner);
    }
    if url.is_some() || goes_on {
        update = update.remove(Webhook::FAILING);
    }
    Some(update)
}

/// Commits a change of a webhook and the verification to send, if any. Takes the lease from a run that holds
/// the webhook, and wakes the webhook.
async fn commit_change(
    app: &App,
    caller: &LiveCaller,
    webhook: &Webhook,
    update: Update<Webhook>,
    ask: Option<&WebhookAsk>,
) -> Result<()> {
    let now = app.clock.now();
    let update = webhooks::wake(webhooks::interrupt(update), now, false)
        .if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
    let entry = Entry::by_caller(app, caller, AccountChange::WebhookChanged).await?;
    let committed = activity::commit(app, &caller.account, entry, || {
        let changed = Writes::new().update(&webhook.key(), update.clone(), AuthError::Changed);
        let changed = match ask {
            Some(ask) => changed.insert(&ask.key(webhook.id), ask, AuthError::Changed),
            None => changed,
        };
        as_admin(changed, caller, webhook.scope)
    });
    Ok(committed.await?)
}

/// Removes a webhook. Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    delete,
    path = "/api/webhooks/{id}",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook is removed", body = Envelope<Nothing>))
)]
pub async fn delete_webhook(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<WebhookId>,
) -> Result<Envelope<Nothing>> {
    for _attempt in 0..ATTEMPTS {
        let webhook = known_webhook(&app, &caller, id).await?;
        let list = webhook.counted_in();
        let head = events::head(&app.store, &list).await?;
        let others = head.hooks.unwrap_or_default().saturating_sub(1);
        let entry = Entry::by_caller(&app, &caller, AccountChange::WebhookRemoved).await?;
        let committed = activity::commit(&app, &caller.account, entry, || {
            let own = Update::new().if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
            let removed = Writes::new().delete(&webhook.key(), own, AuthError::Changed);
            let removed = removed.set_hooks(&list, &head, others, AuthError::Changed);
            as_admin(removed, &caller, webhook.scope)
        });
        match committed.await {
            Ok(()) => return Ok(Envelope::ok(Nothing)),
            Err(AuthError::Changed) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::new(Problem::Changed))
}

/// Replaces the secret of a webhook; the response shows the new secret once. For 24 hours, each request has two
/// signatures, one by each secret; secrets replaced earlier no longer sign. Requires a sign-in within the last
/// 15 minutes.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/rotate-secret",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook, with its secret", body = Envelope<WebhookRow>))
)]
pub async fn rotate_webhook_secret(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<WebhookId>,
) -> Result<Envelope<WebhookRow>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    limits::hit(&app, WEBHOOK_SECRET_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let now = app.clock.now();
    let (secret, shown) = webhooks::new_secret(&app.webhook_vault, &*app.random, id)
        .await
        .map_err(AuthError::from)?;
    let earlier = EarlierSecret { secret: webhook.secret.clone(), until: now.plus(ROTATION) };
    let update = Update::new()
        .set(Webhook::SECRET, &secret)
        .set(Webhook::EARLIER_SECRET, &earlier)
        .if_equal(Webhook::SECRET, &webhook.secret);
    commit_change(&app, &caller, &webhook, update, None).await?;
    let webhook = Webhook { secret, earlier_secret: Some(earlier), ..webhook };
    Ok(Envelope::ok(WebhookRow::of(webhook, now, Some(shown))))
}

/// A delivery that was requested.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedDelivery {
    /// The `webhook-id` of the delivery. Its outcome appears in the list of deliveries, usually within seconds.
    event_id: String,
}

/// The result of a test.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    /// The `webhook-id` of the test.
    event_id: String,
    /// Whether the outcome is known. If not, it appears in the list of deliveries later.
    done: bool,
    /// The HTTP status of the receiver's response; null if there was none, or none yet.
    #[schema(required = true, minimum = 100, maximum = 999)]
    status: Option<u16>,
    /// How long the test took, in ms; null if that is not known yet.
    #[schema(required = true)]
    duration_ms: Option<u64>,
    /// Why the test failed; null if it was delivered, or if its outcome is not known yet.
    #[schema(required = true)]
    error: Option<String>,
}

/// Sends a `webhook.test` to a webhook once, even if it is off, and waits up to 8 seconds for the outcome. If
/// the receiver has not confirmed yet, the service sends another `webhook.verification` instead. Requires a
/// sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/test",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The outcome", body = Envelope<WebhookTest>))
)]
pub async fn test_webhook(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<WebhookId>,
) -> Result<Envelope<WebhookTest>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    limits::hit(&app, WEBHOOK_TEST_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let ask = ask(&app, &caller, &webhook, None).await?;
    let event_ids = [ask.test_id(id), ask.verification_id(id)];
    let begun = Instant::now();
    while begun.elapsed() < TEST_WAIT {
        sleep(TEST_PAUSE).await;
        let newest = webhooks::sent(&app.store, id, None, TEST_READ).await?;
        if let Some(sent) = newest.into_iter().find(|sent| event_ids.contains(&sent.event_id)) {
            return Ok(Envelope::ok(WebhookTest {
                event_id: sent.event_id,
                done: true,
                status: sent.status,
                duration_ms: Some(sent.duration_ms),
                error: sent.error,
            }));
        }
    }
    let [test, verification] = event_ids;
    let event_id = if webhook.challenge.is_some() { verification } else { test };
    Ok(Envelope::ok(WebhookTest { event_id, ..WebhookTest::default() }))
}

/// Stores a request of the owner, for a test or for an event to send again, and wakes the webhook.
async fn ask(
    app: &App,
    caller: &LiveCaller,
    webhook: &Webhook,
    event: Option<(AccountId, u64)>,
) -> Result<WebhookAsk> {
    limits::hit(app, WEBHOOK_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    // Hit this limit last: all accounts share it, so requests that the account's own limits refuse must not
    // use it up.
    if webhook.challenge.is_some() {
        count_verification(app, &webhook.url).await?;
    }
    let ask = WebhookAsk::new(app, event);
    let woken = webhooks::wake(Update::new(), ask.asked_at, false)
        .if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
    let writes = Writes::new().insert(&ask.key(webhook.id), &ask, AuthError::Changed).update(
        &webhook.key(),
        woken,
        AuthError::Changed,
    );
    app.store.commit(as_admin(writes, caller, webhook.scope)).await.map_err(refused)?;
    Ok(ask)
}

/// Lists the delivery attempts of a webhook, newest first. Attempts are kept for 30 days. If the scope is
/// `deployment`, events that were delivered at the first attempt are not listed.
#[utoipa::path(
    get,
    path = "/api/webhooks/{id}/deliveries",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook"), DeliveriesQuery),
    responses((status = 200, description = "Deliveries", body = OkWith<Vec<WebhookDelivery>, DeliveriesMeta>))
)]
pub async fn list_webhook_deliveries(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(id): Segment<WebhookId>,
    Query(query): Query<DeliveriesQuery>,
) -> Result<OkWith<Vec<WebhookDelivery>, DeliveriesMeta>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    list_deliveries(&app.store, webhook.id, query).await
}

/// The account whose event to send.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct RedeliverQuery {
    /// The account, required if the scope of the webhook is `deployment`; otherwise it is the caller's.
    #[param(value_type = Option<AccountId>)]
    account_id: Option<AccountId>,
}

impl Input for RedeliverQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { account_id: fields.optional_parsed("accountId", 36)? })
    }
}

/// The account whose events a request refers to.
///
/// # Errors
/// [`Problem::Validation`] of `accountId` if it is missing, or is not the webhook's own account.
fn meant(webhook: &Webhook, named: Option<AccountId>) -> Result<AccountId> {
    match (webhook.scope, named) {
        (WebhookScope::Account, None) => Ok(webhook.account_id),
        (WebhookScope::Account, Some(named)) if named == webhook.account_id => Ok(named),
        (WebhookScope::Account, Some(_)) => {
            Err(Error::field("accountId", "must be the account of the webhook"))
        }
        (WebhookScope::Deployment, Some(named)) => Ok(named),
        (WebhookScope::Deployment, None) => {
            Err(Error::field("accountId", "must name the account of the event"))
        }
    }
}

/// Sends one event to a webhook again, even if the webhook does not send events of that type. The webhook's
/// position in the list of events does not change. Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/deliveries/{sequence}/redeliver",
    tag = "webhooks",
    security(("bearer" = [])),
    params(
        ("id" = WebhookId, Path, description = "The webhook"),
        ("sequence" = u64, Path, description = "The number of the event", minimum = 1),
        RedeliverQuery
    ),
    responses((status = 200, description = "The requested delivery", body = Envelope<AskedDelivery>))
)]
pub async fn redeliver_event(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segments(id, sequence): Segments<WebhookId, u64>,
    Query(query): Query<RedeliverQuery>,
) -> Result<Envelope<AskedDelivery>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    let account = meant(&webhook, query.account_id)?;
    let before =
        sequence.checked_sub(1).ok_or_else(|| Error::field("sequence", "must be at least 1"))?;
    let event = event_after(&app, account, before, "sequence").await?;
    let event = event.ok_or_else(|| Error::field("sequence", "must be the number of an event"))?;
    if webhook.challenge.is_some() {
        return Err(Error::new(Problem::WebhookUnverified));
    }
    ask(&app, &caller, &webhook, Some((account, sequence))).await?;
    let item = EventItem::of(&EventList::of_account(account), event);
    Ok(Envelope::ok(AskedDelivery { event_id: item.id().to_owned() }))
}

/// The position at which a webhook continues.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ReplayWebhook {
    /// The number of the event after which the webhook continues.
    #[schema(value_type = u64, minimum = 0)]
    after: u64,
    /// The account, required if the scope of the webhook is `deployment`; otherwise it is the caller's.
    #[schema(required = false)]
    account_id: Option<AccountId>,
}

impl Input for ReplayWebhook {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let after = fields.required("after");
        let account_id = fields.optional("accountId");
        Some(Self { after: after?, account_id: account_id? })
    }
}

/// Sends all events after a given one again, in order, at most 1,000; or skips events, with a number above
/// `delivered`. Older events are in `GET /api/events`. If the scope is `deployment`, the number is not limited.
/// Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/replay",
    tag = "webhooks",
    security(("bearer" = [])),
    params(("id" = WebhookId, Path, description = "The webhook")),
    request_body = ReplayWebhook,
    responses((status = 200, description = "The webhook", body = Envelope<WebhookRow>))
)]
pub async fn replay_webhook(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<WebhookId>,
    Valid(body): Valid<ReplayWebhook>,
) -> Result<Envelope<WebhookRow>> {
    let webhook = known_webhook(&app, &caller, id).await?;
    let account = meant(&webhook, body.account_id)?;
    event_after(&app, account, body.after, "after").await?;
    let own = caller.account.id.to_string();
    limits::hit(&app, WEBHOOK_BY_ACCOUNT, &own).await?;
    if webhook.scope == WebhookScope::Account && body.after < webhook.delivered {
        if webhook.delivered.saturating_sub(body.after) > MOST_REPLAYED {
            let most =
                format!("must be at most {MOST_REPLAYED} events before the last one delivered");
            return Err(Error::field("after", most));
        }
        limits::hit(&app, WEBHOOK_REPLAY_BY_ACCOUNT, &own).await?;
    }
    let (update, now) = (Update::new().remove(Webhook::FAILING), app.clock.now());
    let update = match webhook.scope {
        WebhookScope::Account => update.set(Webhook::DELIVERED, body.after),
        WebhookScope::Deployment => update,
    };
    let update = webhooks::wake(webhooks::interrupt(update), now, false)
        .if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
    let writes = Writes::new().update(&webhook.key(), update, AuthError::Changed);
    let writes = match webhook.scope {
        WebhookScope::Account => writes,
        WebhookScope::Deployment => {
            let pending = LanePending::new(&app.store, account);
            let lane = webhooks::lane_of(account);
            let (cursor, lane) =
                (keys::lane_cursor(id, lane, account), keys::webhook_lane(id, lane));
            writes
                .put(&cursor, &LaneCursor::after(body.after, now), AuthError::Changed)
                .put(&pending.key(id), &pending, AuthError::Changed)
                .update(&lane, webhooks::wake_lane(now), AuthError::Changed)
        }
    };
    let writes = as_admin(writes, &caller, webhook.scope);
    app.store.commit(writes).await.map_err(refused)?;
    row(&app, &caller, id).await
}

/// The event that follows a number, if it exists yet.
///
/// # Errors
/// [`Problem::EventsTooOld`] if that event has been deleted; [`Problem::Validation`] of `field` if no event
/// has had that number.
async fn event_after(
    app: &App,
    account: AccountId,
    after: u64,
    field: &str,
) -> Result<Option<Event>> {
    let list = EventList::of_account(account);
    match events::read(&app.store, &list, Some(after), 1, &[]).await {
        Ok(Some(page)) => Ok(page.events.into_iter().next()),
        Ok(None) if after == 0 => Ok(None),
        Ok(None) => Err(told::refused(EventsError::NotYet { newest: 0 }, field)),
        Err(error) => Err(told::refused(error, field)),
    }
}
