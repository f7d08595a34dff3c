//! The sweep: finds the webhooks that have something to send, and queues them.

use std::time::Duration;

use futures_util::future::try_join_all;
use shared::{
    models::{account::AccountId, watch::Watch},
    store::{CommitError, Key, Update, Writes, events, keys::EventList},
    webhooks::{self, Webhook, WebhookMessage},
};
use tokio::time::{Instant, sleep};

use crate::{app::App, error::RunError};

/// Rows of one look.
const PAGE: i32 = 100;
/// Rows that are looked at concurrently.
const CONCURRENT: usize = 20;
/// The time between two looks that found nothing.
const BETWEEN_LOOKS: Duration = Duration::from_secs(3);
/// Time that a sweep must have left to look again.
const RESERVE: Duration = Duration::from_secs(10);
/// How long the sweep leaves a webhook alone after it has queued it.
const NEXT_LOOK: Duration = Duration::from_secs(2 * 60);

/// Looks every few seconds until `deadline`; returns the number of rows.
///
/// # Errors
/// Rows it failed to handle stay due.
pub(crate) async fn sweep(app: &App, deadline: Instant) -> Result<usize, RunError> {
    let mut all = 0_usize;
    loop {
        let found = look(app).await?;
        all = all.saturating_add(found);
        if deadline.saturating_duration_since(Instant::now()) < RESERVE {
            return Ok(all);
        }
        if found == 0 {
            sleep(BETWEEN_LOOKS).await;
        }
    }
}

/// Wakes the webhooks of the lists that have new events, and queues the webhooks that are due.
///
/// # Errors
/// Rows it failed to handle stay due.
pub(crate) async fn look(app: &App) -> Result<usize, RunError> {
    let due = app.store.due(Watch::Webhook, PAGE).await?;
    for keys in due.chunks(CONCURRENT) {
        let messages = try_join_all(keys.iter().map(|key| handle_due_row(app, key))).await?;
        let messages: Vec<_> = messages.into_iter().flatten().collect();
        app.queue.send_all(&messages).await?;
    }
    Ok(due.len())
}

async fn handle_due_row(app: &App, key: &Key) -> Result<Option<WebhookMessage>, RunError> {
    if let Some(account) = EventList::account_of(key) {
        wake_webhooks(app, account).await?;
        return Ok(None);
    }
    let Some((account, id)) = key.as_webhook() else {
        tracing::error!(row = key.pk(), "a row of another kind is in the queue of webhooks");
        return Ok(None);
    };
    let Some(webhook) = app.store.get::<Webhook>(key).await? else { return Ok(None) };
    let now = app.clock.now();
    // The index lags: another run has handled the row.
    let Some(due_at) = webhook.due_at.filter(|due_at| *due_at <= now) else { return Ok(None) };
    // First the row, then the queue: one that dies in between is followed by a later look.
    let later = Update::new().set(Webhook::DUE_AT, now.plus(NEXT_LOOK));
    let later = later.if_equal(Webhook::DUE_AT, due_at);
    match app.store.commit(Writes::new().update(key, later, ())).await {
        Ok(()) => Ok(Some(WebhookMessage::Webhook { account, id })),
        Err(CommitError::Condition(())) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Wakes the webhooks of an account, and then takes its list of events out of the queue.
async fn wake_webhooks(app: &App, account: AccountId) -> Result<(), RunError> {
    let list = &EventList::of_account(account);
    let head = events::head(&app.store, list).await?;
    if head.due_at.is_none() {
        return Ok(());
    }
    let now = app.clock.now();
    for webhook in webhooks::of_account(&app.store, account).await? {
        if webhook.off.is_some() || webhook.delivered >= head.newest {
            continue;
        }
        let is_busy = webhook.lease_until.is_some_and(|until| until > now)
            || webhook.failing.as_ref().is_some_and(|failing| failing.next_at > now);
        let woken = webhooks::wake(Update::new(), now, is_busy);
        let woken = woken.if_equal(Webhook::ACCOUNT_ID, account);
        match app.store.commit(Writes::new().update(&webhook.key(), woken, ())).await {
            // Its owner has removed it.
            Ok(()) | Err(CommitError::Condition(())) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match app.store.commit(Writes::new().told_up_to(list, &head, ())).await {
        // Another event came; the next look wakes the webhooks again.
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
