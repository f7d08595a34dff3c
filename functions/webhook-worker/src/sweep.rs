//! The sweep: finds the webhooks that have something to send and the lists whose readers are to be told, and queues them.

use std::time::Duration;

use futures_util::future::try_join_all;
use shared::{
    models::{account::AccountId, watch::Watch},
    sockets::{Push, SocketMessage},
    store::{
        CommitError, Key, Update, Writes,
        events::{self, EventHead},
        keys::EventList,
    },
    webhooks::{self, Webhook, WebhookMessage},
};
use tokio::time::{Instant, sleep};

use crate::{app::App, error::RunError};

/// Rows of one look.
const PAGE: i32 = 100;
/// Rows that are looked at concurrently.
const CONCURRENT: usize = 20;
/// The time between two looks that found nothing.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// Time that a sweep must have left to look again. It ends a few seconds after the next one has begun.
const RESERVE: Duration = Duration::from_secs(15);
/// How long the sweep leaves a webhook alone after it has queued it.
const NEXT_LOOK: Duration = Duration::from_secs(2 * 60);

/// Looks every second until `deadline`; returns the number of rows.
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

/// Wakes the webhooks and queues the sockets of the lists that have new events, and queues the webhooks that are due.
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
    if let Some(list) = EventList::at(key) {
        tell(app, &list).await?;
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

/// Wakes who reads a list of events, and then takes it out of the queue.
async fn tell(app: &App, list: &EventList) -> Result<(), RunError> {
    let head = events::head(&app.store, list).await?;
    if head.due_at.is_none() {
        return Ok(());
    }
    if let Some(account) = list.account().filter(|_| head.hooks.is_some()) {
        wake_webhooks(app, account, &head).await?;
    }
    // What is above the newest event was pushed before the table was restored.
    let pushed = head.pushed.filter(|pushed| *pushed < head.newest);
    if let Some(after) = pushed.filter(|_| head.is_read(app.clock.now())) {
        let (list, up_to) = (list.name().to_owned(), Some(head.newest));
        let push = Push { list, after, up_to, from: None, to: None };
        app.sockets.send_all(&[SocketMessage::Push(push)]).await?;
    }
    match app.store.commit(Writes::new().told_up_to(list, &head, ())).await {
        Ok(()) => return Ok(()),
        // Another event came; the next look wakes them again.
        Err(CommitError::Condition(())) => {}
        Err(error) => return Err(error.into()),
    }
    if pushed.is_none() {
        return Ok(());
    }
    match app.store.commit(Writes::new().pushed_up_to(list, head.newest, ())).await {
        // Another sweep has told of more.
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Wakes the webhooks of an account.
async fn wake_webhooks(app: &App, account: AccountId, head: &EventHead) -> Result<(), RunError> {
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
    Ok(())
}
