//! The sweep: finds the webhooks that have something to send and the lists with new events, and queues them.

use std::time::Duration;

use futures_util::future::join_all;
use shared::{
    clock::Timestamp,
    models::{account::AccountId, watch::Watch, webhook::WebhookId},
    sockets::{Push, SocketMessage},
    store::{
        CommitError, Key, StoreError, Update, Writes,
        events::{self, EventHead},
        keys::EventList,
    },
    webhooks::{self, LanePending, Webhook, WebhookLane, WebhookMessage, WebhookPace},
};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{app::App, error::SweepError};

/// The most rows that one look reads.
const PAGE: i32 = 100;
/// Rows that are handled concurrently.
const CONCURRENT: usize = 20;
/// The pause after a look that found nothing.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// How long after queuing a webhook the sweep finds it again.
const NEXT_LOOK: Duration = Duration::from_secs(2 * 60);

/// Looks every second until `until`, and at least once; returns the number of rows.
///
/// # Errors
/// The last failure. Failed rows are due again in two minutes; they do not end the sweep.
pub(crate) async fn sweep(app: &App, until: Instant) -> Result<usize, SweepError> {
    let (mut all, mut failure) = (0_usize, None);
    loop {
        let found = match look(app).await {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(%error, "some rows of a look failed");
                failure = Some(error);
                0
            }
        };
        all = all.saturating_add(found);
        if until <= Instant::now() {
            return failure.map_or(Ok(all), Err);
        }
        if found == 0 {
            sleep(BETWEEN_LOOKS).await;
        }
    }
}

/// Handles the rows that are due, each independently: for a list with new events it wakes the webhooks and
/// queues a push to its sockets; a webhook or lane that is due is queued.
///
/// # Errors
/// The first failure, after all rows were handled. Failed rows are due again in two minutes.
pub async fn look(app: &App) -> Result<usize, SweepError> {
    let due = app.store.due(Watch::Webhook, PAGE).await?;
    let (of_deployment, malformed) = match due.iter().any(|key| EventList::at(key).is_some()) {
        true => webhooks::readable_of_deployment(&app.store).await?,
        false => (Vec::new(), None),
    };
    let mut failure = malformed.map(SweepError::from);
    for keys in due.chunks(CONCURRENT) {
        for (key, error) in look_at(app, keys, &of_deployment).await {
            match key {
                Some(key) => {
                    tracing::error!(row = key.pk(), %error, "row failed; postponed");
                    app.store.postpone(key, postponed(app, key)).await;
                }
                None => tracing::error!(%error, "failed to queue messages"),
            }
            failure.get_or_insert(error);
        }
    }
    failure.map_or(Ok(due.len()), Err)
}

/// Handles some rows; returns the failures, each with its row. A failure without a row needs no postponing:
/// the rows it concerns are due again anyway.
async fn look_at<'a>(
    app: &App,
    keys: &'a [Key],
    of_deployment: &[Webhook],
) -> Vec<(Option<&'a Key>, SweepError)> {
    let handled = keys.iter().map(|key| handle_due_row(app, key, of_deployment));
    let (mut messages, mut lists, mut failures) =
        (Vec::new(), Vec::<(_, ToldList)>::new(), Vec::new());
    for (key, found) in keys.iter().zip(join_all(handled).await) {
        match found {
            Ok(Some(Found::Message(pace, message))) => messages.push((pace, message)),
            Ok(Some(Found::List(told))) => lists.push((key, told)),
            Ok(None) => {}
            Err(error) => failures.push((Some(key), error)),
        }
    }
    for pace in [WebhookPace::Prompt, WebhookPace::Slow] {
        let of_pace = messages.iter().filter(|(other, _)| *other == pace);
        let of_pace: Vec<_> = of_pace.map(|(_, message)| *message).collect();
        if let Err(error) = app.webhooks.send_all(pace, &of_pace).await {
            failures.push((None, error.into()));
        }
    }
    let mut lanes: Vec<_> = lists.iter().flat_map(|(_, told)| told.lanes.clone()).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let wakes = lanes.iter().map(|(id, lane)| wake_lane(app, WebhookId(*id), *lane));
    let woken = join_all(wakes).await;
    let asleep: Vec<_> = lanes.iter().zip(&woken).filter(|(_, woken)| woken.is_err()).collect();
    for (_, told) in &mut lists {
        failures.extend(told.malformed.take().map(|error| (None, error.into())));
    }
    // Lists whose readers have all been woken can leave the queue.
    let leaves = |told: &ToldList| !asleep.iter().any(|(lane, _)| told.lanes.contains(lane));
    let leaving: Vec<_> = lists.iter().filter(|(_, told)| leaves(told)).collect();
    let left = join_all(leaving.iter().map(|(_, told)| leave_queue(app, told))).await;
    for ((key, _), left) in leaving.into_iter().zip(left) {
        if let Err(error) = left {
            failures.push((Some(*key), error));
        }
    }
    failures.extend(woken.into_iter().filter_map(|woken| Some((None, woken.err()?))));
    failures
}

/// The writes that make a row of the queue due later.
fn postponed(app: &App, key: &Key) -> Writes<()> {
    let later = app.clock.now().plus(NEXT_LOOK);
    let writes = Writes::new();
    if let Some(list) = EventList::at(key) {
        writes.postpone_list(&list, later, ())
    } else if key.as_webhook_lane().is_some() {
        let update = Update::new().set(WebhookLane::DUE_AT, later);
        writes.update(key, update.if_below(WebhookLane::DUE_AT, later), ())
    } else {
        let update = Update::new().set(Webhook::DUE_AT, later);
        writes.update(key, update.if_below(Webhook::DUE_AT, later), ())
    }
}

/// What has to be done for a row that is due.
enum Found {
    Message(WebhookPace, WebhookMessage),
    List(ToldList),
}

/// A list whose readers were notified.
struct ToldList {
    list: EventList,
    head: EventHead,
    is_pushed: bool,
    /// The lanes to wake.
    lanes: Vec<(Uuid, u8)>,
    /// Why a webhook of the account could not be read, so that it was not woken.
    malformed: Option<StoreError>,
}

async fn handle_due_row(
    app: &App,
    key: &Key,
    of_deployment: &[Webhook],
) -> Result<Option<Found>, SweepError> {
    if let Some(list) = EventList::at(key) {
        return Ok(tell(app, list, of_deployment).await?.map(Found::List));
    }
    let now = app.clock.now();
    // The index lags: another run may have handled the row already.
    let is_due = |due_at: &Timestamp| *due_at <= now;
    // Write the row first and queue the message second: if the run dies in between, a later look finds the
    // row again.
    let later = now.plus(NEXT_LOOK);
    let (pace, message, writes) = if let Some((account, id)) = key.as_webhook() {
        let Some(webhook) = app.store.get::<Webhook>(key).await? else { return Ok(None) };
        let Some(due_at) = webhook.due_at.filter(is_due) else { return Ok(None) };
        let pace = if webhook.is_slow(now) { WebhookPace::Slow } else { WebhookPace::Prompt };
        let later = Update::new().set(Webhook::DUE_AT, later).if_equal(Webhook::DUE_AT, due_at);
        let message = match account {
            Some(account) => WebhookMessage::Webhook { account, id },
            None => WebhookMessage::Deployment { id },
        };
        (pace, message, Writes::new().update(key, later, ()))
    } else if let Some((id, lane)) = key.as_webhook_lane() {
        let row = app.store.get::<WebhookLane>(key).await?;
        let Some(due_at) = row.and_then(|row| row.due_at).filter(is_due) else { return Ok(None) };
        let later =
            Update::new().set(WebhookLane::DUE_AT, later).if_equal(WebhookLane::DUE_AT, due_at);
        let message = WebhookMessage::Lane { id, lane };
        (WebhookPace::Prompt, message, Writes::new().update(key, later, ()))
    } else {
        return Err(SweepError::Stranger);
    };
    match app.store.commit(writes).await {
        Ok(()) => Ok(Some(Found::Message(pace, message))),
        Err(CommitError::Condition(())) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Notifies the readers of a list of its new events: wakes webhooks and lanes, and queues a push to sockets.
async fn tell(
    app: &App,
    list: EventList,
    of_deployment: &[Webhook],
) -> Result<Option<ToldList>, SweepError> {
    let head = events::head(&app.store, &list).await?;
    if head.due_at.is_none() {
        return Ok(None);
    }
    let (mut lanes, mut malformed) = (Vec::new(), None);
    if let Some(account) = list.account() {
        if head.hooks.is_some() {
            malformed = wake_webhooks(app, account, &head).await?;
        }
        for webhook in of_deployment {
            let pending = LanePending::new(&app.store, account);
            app.store.put(&pending.key(webhook.id), &pending).await?;
            lanes.push((webhook.id.0, webhooks::lane_of(account)));
        }
    }
    // If `pushed` is above the newest event, that push happened before the table was restored.
    let pushed = head.pushed.filter(|pushed| *pushed < head.newest);
    if let Some(after) = pushed.filter(|_| head.is_read(app.clock.now())) {
        let (list, up_to) = (list.name().to_owned(), Some(head.newest));
        let push = Push { list, after, up_to, from: None, to: None };
        app.sockets.send_all(&[SocketMessage::Push(push)]).await?;
    }
    Ok(Some(ToldList { list, head, is_pushed: pushed.is_some(), lanes, malformed }))
}

/// Takes a list out of the queue once its readers are notified.
async fn leave_queue(app: &App, told: &ToldList) -> Result<(), SweepError> {
    let ToldList { list, head, is_pushed, .. } = told;
    match app.store.commit(Writes::new().told_up_to(list, head, ())).await {
        Ok(()) => return Ok(()),
        // Another event was appended; the next look notifies the readers again.
        Err(CommitError::Condition(())) => {}
        Err(error) => return Err(error.into()),
    }
    if !is_pushed {
        return Ok(());
    }
    match app.store.commit(Writes::new().pushed_up_to(list, head.newest, ())).await {
        // Another sweep has pushed further.
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn wake_lane(app: &App, id: WebhookId, lane: u8) -> Result<(), SweepError> {
    let woken = webhooks::wake_lane(app.clock.now());
    Ok(app.store.commit(Writes::new().update(&Key::webhook_lane(id, lane), woken, ())).await?)
}

/// Wakes the webhooks of an account; returns the error of one that could not be read.
async fn wake_webhooks(
    app: &App,
    account: AccountId,
    head: &EventHead,
) -> Result<Option<StoreError>, SweepError> {
    let now = app.clock.now();
    let (webhooks, malformed) = webhooks::readable_of_account(&app.store, account).await?;
    for webhook in webhooks {
        // An idle webhook need not be woken: after it is enabled or confirmed, it reads its list anyway.
        let is_idle = webhook.off.is_some() || webhook.challenge.is_some();
        if is_idle || webhook.delivered >= head.newest {
            continue;
        }
        let is_busy = webhook.lease_until.is_some_and(|until| until > now)
            || webhook.waits_until().is_some_and(|until| until > now);
        let woken = webhooks::wake(Update::new(), now, is_busy);
        let woken = woken.if_equal(Webhook::ACCOUNT_ID, account);
        match app.store.commit(Writes::new().update(&webhook.key(), woken, ())).await {
            // Its owner has removed the webhook.
            Ok(()) | Err(CommitError::Condition(())) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(malformed)
}
