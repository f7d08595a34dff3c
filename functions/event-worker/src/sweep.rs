//! The sweep: finds the webhooks that have something to send and the lists with new events, and queues them.
//!
//! Each row is a task of its own, and each part of its work has a time limit. A sweep reads the queue once a
//! second; each reading is a *look*. A look waits for slow rows only for a moment, and a slow row gives up
//! its place. So a row that fails or hangs delays no other row, and a part that hangs delays no other part
//! (custody rule 32).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use base::{
    clock::Timestamp,
    span::{Context, carried},
};
use futures_util::future::join_all;
use outbox::{
    sockets::{Push, SocketMessage},
    webhooks::{self, LanePending, Webhook, WebhookLane, WebhookMessage, WebhookPace},
};
use shared::{
    events::{self, EventHead, EventWrites},
    keys::{self, EventList},
    models::{account::AccountId, watch::Watch, webhook::WebhookId},
};
use store::{CommitError, Key, StoreError, Update, Writes};
use tokio::{
    sync::Semaphore,
    task::{Id, JoinSet},
    time::{Instant, sleep_until, timeout, timeout_at},
};

use crate::{app::App, error::SweepError};

/// The most rows that one look reads, not counting those that it leaves out.
const PAGE: usize = 100;
/// The most rows that are being handled, slow ones included: as many as fit into the function's memory.
const MOST_UNDER_WAY: usize = 400;
/// Rows that are handled concurrently, not counting slow ones.
const CONCURRENT: usize = 20;
/// The most messages that one call of the queue takes.
const TOGETHER: usize = 10;
/// The pause after a look that found nothing.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// How long a look waits for its rows before the next look begins, and how long a row holds its place.
const PATIENCE: Duration = Duration::from_secs(1);
/// A part of a row's work that takes longer counts as failed. One attempt of a call to DynamoDB or SQS may
/// take five seconds, so there is time for a second attempt if an answer is lost.
const PART_TIMEOUT: Duration = Duration::from_secs(7);
/// How long after its last look a sweep waits for rows that are being handled; it leaves the others to the next sweep.
const FINISHING: Duration = Duration::from_secs(10);
/// How long after queuing a webhook the sweep finds it again.
const NEXT_LOOK: Duration = Duration::from_secs(2 * 60);

/// Looks every second until `until`, and at least once; returns the number of rows.
///
/// # Errors
/// The last failure. Failed rows are due again in two minutes; they do not end the sweep.
pub(crate) async fn sweep(app: &App, until: Instant) -> Result<usize, SweepError> {
    let (mut looks, mut all) = (Looks::new(app), 0_usize);
    loop {
        looks.look(Some(PATIENCE)).await;
        let is_over = until <= Instant::now();
        if is_over {
            looks.finish(until.checked_add(app.outbound.stretched(FINISHING))).await;
        }
        let done = std::mem::take(&mut looks.done);
        all = all.saturating_add(done);
        if is_over {
            return looks.failure.take().map_or(Ok(all), Err);
        }
        if done == 0 {
            looks.rest().await;
        }
    }
}

/// Handles the rows that are due, each independently. For a list with new events, wakes the webhooks and
/// queues a push to its sockets; queues a webhook or lane that is due.
///
/// # Errors
/// A failure, after all rows were handled. Failed rows are due again in two minutes.
pub async fn look(app: &App) -> Result<usize, SweepError> {
    let mut looks = Looks::new(app);
    looks.look(None).await;
    looks.finish(None).await;
    looks.failure.take().map_or(Ok(looks.done), Err)
}

/// A lane of a deployment-wide webhook.
type Lane = (WebhookId, u8);

/// The result of a task.
enum Step {
    /// The first part of a row's work is done.
    Handled(Key, Result<Option<Found>, SweepError>),
    /// The lanes of these lists were woken, except those that could not be.
    Woken(Vec<(Key, NotifiedList)>, BTreeSet<Lane>, Option<SweepError>),
    /// A row is done or, if it failed, postponed. `Some` holds the error of a malformed webhook, which only
    /// an operator can mend.
    Ended(Key, Result<Option<StoreError>, SweepError>),
    /// Messages were sent. If that failed, the rows that they concern are due again anyway.
    Sent(Result<(), SweepError>),
}

/// What is left to do for a row that is due.
enum Found {
    Message(WebhookPace, WebhookMessage),
    List(NotifiedList),
}

/// A list whose readers were notified, apart from lanes, which are woken for several lists at a time.
struct NotifiedList {
    list: EventList,
    head: EventHead,
    is_pushed: bool,
    /// The lanes to wake.
    lanes: BTreeSet<Lane>,
    /// Why some readers could not be notified.
    failure: Option<SweepError>,
    /// Why a webhook of the account could not be read, so that it was not woken.
    malformed: Option<StoreError>,
}

/// The looks of a sweep, and the rows that are being handled.
struct Looks<'a> {
    app: &'a App,
    places: Arc<Semaphore>,
    running: JoinSet<Step>,
    /// The rows of each task.
    rows: BTreeMap<Id, Vec<Key>>,
    under_way: BTreeSet<Key>,
    /// Rows that have failed in this sweep. Those that could not be postponed would come first in every look.
    failed: BTreeSet<Key>,
    /// Rows that are done since the caller last asked.
    done: usize,
    failure: Option<SweepError>,
}

impl<'a> Looks<'a> {
    fn new(app: &'a App) -> Self {
        Self {
            app,
            places: Arc::new(Semaphore::new(CONCURRENT)),
            running: JoinSet::new(),
            rows: BTreeMap::new(),
            under_way: BTreeSet::new(),
            failed: BTreeSet::new(),
            done: 0,
            failure: None,
        }
    }

    /// Begins to handle the rows that are due, and waits for them for `patience`.
    async fn look(&mut self, patience: Option<Duration>) {
        let mut begun = match self.begin().await {
            Ok(begun) => begun,
            Err(error) => return self.fail("failed to find the rows that are due", error),
        };
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        while !begun.is_empty() {
            let Some(until) = until else { return };
            if timeout_at(until, self.next()).await.is_err() {
                return;
            }
            begun.retain(|key| self.under_way.contains(key));
        }
    }

    /// Pauses until the next look. When a task ends in the meantime, its next step begins.
    async fn rest(&mut self) {
        let now = Instant::now();
        let until = now.checked_add(BETWEEN_LOOKS).unwrap_or(now);
        while !self.running.is_empty() {
            if timeout_at(until, self.next()).await.is_err() {
                return;
            }
        }
        sleep_until(until).await;
    }

    /// Waits for the rows that are being handled, until `until`. Unfinished rows are still due then.
    async fn finish(&mut self, until: Option<Instant>) {
        while !self.running.is_empty() {
            let Some(until) = until else {
                self.next().await;
                continue;
            };
            if timeout_at(until, self.next()).await.is_err() {
                let rows = self.under_way.len();
                tracing::error!(rows, "rows wait for the next sweep");
                self.failure = Some(SweepError::Slow);
                return;
            }
        }
    }

    /// Begins to handle the rows that are due, except those that are being handled or have failed in this sweep.
    async fn begin(&mut self) -> Result<Vec<Key>, SweepError> {
        let page = PAGE.min(MOST_UNDER_WAY.saturating_sub(self.under_way.len()));
        if page == 0 {
            return Ok(Vec::new());
        }
        let left_out = self.under_way.union(&self.failed).count();
        let most = i32::try_from(page.saturating_add(left_out)).unwrap_or(i32::MAX);
        let (store, under_way, failed) = (&self.app.store, &self.under_way, &self.failed);
        let read = async {
            let mut due = store.due(Watch::Webhook, most).await?;
            due.retain(|key| !under_way.contains(key) && !failed.contains(key));
            due.truncate(page);
            let has_lists = due.iter().any(|key| EventList::at(key).is_some());
            let has_lanes = due.iter().any(|key| keys::as_webhook_lane(key).is_some());
            let (readable, malformed) = match has_lists || has_lanes {
                true => webhooks::readable_of_deployment(store).await?,
                false => (Vec::new(), None),
            };
            Ok::<_, StoreError>((due, readable, malformed.filter(|_| has_lists)))
        };
        let (due, of_deployment, malformed) = in_time(self.app, Box::pin(read)).await?;
        if let Some(error) = malformed {
            self.fail("a webhook of the deployment is malformed", error.into());
        }
        let of_deployment: Arc<[Webhook]> = of_deployment.into();
        for key in &due {
            let (app, places) = (self.app.clone(), self.places.clone());
            let (row, of_deployment) = (key.clone(), of_deployment.clone());
            self.under_way.insert(key.clone());
            self.spawn(vec![key.clone()], async move {
                let work = Box::pin(handle_due_row(&app, &row, &of_deployment));
                let found = in_place(&places, work).await;
                Step::Handled(row, found)
            });
        }
        Ok(due)
    }

    fn spawn(&mut self, rows: Vec<Key>, work: impl Future<Output = Step> + Send + 'static) {
        let task = self.running.spawn(carried(Context::current(), Box::pin(work)));
        self.rows.insert(task.id(), rows);
    }

    fn fail(&mut self, what: &'static str, error: SweepError) {
        tracing::error!(%error, "{what}");
        self.failure = Some(error);
    }

    /// Waits for a task, and begins what follows from all that have ended.
    async fn next(&mut self) {
        let mut ended: Vec<_> = self.running.join_next_with_id().await.into_iter().collect();
        while let Some(more) = self.running.try_join_next_with_id() {
            ended.push(more);
        }
        let (mut messages, mut lists) = (Vec::new(), Vec::new());
        for task in ended {
            let (id, step) = match task {
                Ok((id, step)) => (id, Some(step)),
                Err(error) => (error.id(), None),
            };
            let rows = self.rows.remove(&id).unwrap_or_default();
            match step {
                Some(Step::Handled(key, Ok(Some(Found::Message(pace, message))))) => {
                    messages.push((pace, message));
                    self.end(&key);
                }
                Some(Step::Handled(key, Ok(Some(Found::List(notified))))) => {
                    lists.push((key, notified))
                }
                Some(Step::Handled(key, Ok(None))) => self.end(&key),
                Some(Step::Ended(key, Ok(malformed))) => {
                    if let Some(error) = malformed {
                        self.fail("a malformed webhook was not woken", error.into());
                    }
                    self.end(&key);
                }
                Some(Step::Handled(key, Err(error))) => self.postpone(key, error),
                Some(Step::Ended(key, Err(error))) => {
                    tracing::error!(row = key.pk(), %error, "row failed; postponed");
                    self.failure = Some(error);
                    self.under_way.remove(&key);
                    self.failed.insert(key);
                }
                Some(Step::Woken(lists, asleep, error)) => {
                    if let Some(error) = error {
                        self.fail("failed to wake lanes; their accounts are due again", error);
                    }
                    self.leave(lists, &asleep);
                }
                Some(Step::Sent(Err(error))) => self.fail("failed to queue messages", error),
                Some(Step::Sent(Ok(()))) => {}
                None => rows.into_iter().for_each(|key| self.postpone(key, SweepError::Panicked)),
            }
        }
        self.send(messages);
        self.wake(lists);
    }

    fn end(&mut self, key: &Key) {
        self.under_way.remove(key);
        self.done = self.done.saturating_add(1);
    }

    /// Queues messages. Their rows are due again in two minutes, whether or not this succeeds.
    fn send(&mut self, messages: Vec<(WebhookPace, WebhookMessage)>) {
        for pace in [WebhookPace::Prompt, WebhookPace::Slow] {
            let of_pace = messages.iter().filter(|(other, _)| *other == pace);
            let of_pace: Vec<_> = of_pace.map(|(_, message)| *message).collect();
            for some in of_pace.chunks(TOGETHER) {
                let (app, some) = (self.app.clone(), some.to_vec());
                self.spawn(Vec::new(), async move {
                    Step::Sent(in_time(&app, app.webhooks.send_all(pace, &some)).await)
                });
            }
        }
    }

    /// Wakes the lanes of lists, each once.
    fn wake(&mut self, lists: Vec<(Key, NotifiedList)>) {
        let lanes: BTreeSet<_> =
            lists.iter().flat_map(|(_, notified)| notified.lanes.clone()).collect();
        if lanes.is_empty() {
            return self.leave(lists, &lanes);
        }
        let (app, rows) = (self.app.clone(), lists.iter().map(|(key, _)| key.clone()).collect());
        self.spawn(rows, async move {
            let wakes = lanes.iter().map(|(id, lane)| in_time(&app, wake_lane(&app, *id, *lane)));
            let (mut asleep, mut failure) = (BTreeSet::new(), None);
            for (lane, woken) in lanes.iter().zip(join_all(wakes).await) {
                if let Err(error) = woken {
                    asleep.insert(*lane);
                    failure = Some(error);
                }
            }
            Step::Woken(lists, asleep, failure)
        });
    }

    /// Takes lists out of the queue. If lanes could not be woken (`asleep`), the marks of their accounts
    /// enter the queue instead.
    fn leave(&mut self, lists: Vec<(Key, NotifiedList)>, asleep: &BTreeSet<Lane>) {
        for (key, notified) in lists {
            let (app, places) = (self.app.clone(), self.places.clone());
            let asleep: Vec<_> = notified.lanes.intersection(asleep).copied().collect();
            self.spawn(vec![key.clone()], async move {
                let work = Box::pin(in_time(&app, leave_queue(&app, notified, &asleep)));
                let left = in_place(&places, work).await;
                if left.is_err() {
                    postpone(&app, &key).await;
                }
                Step::Ended(key, left)
            });
        }
    }

    /// Makes a failed row due later.
    fn postpone(&mut self, key: Key, error: SweepError) {
        let app = self.app.clone();
        self.spawn(vec![key.clone()], async move {
            postpone(&app, &key).await;
            Step::Ended(key, Err(error))
        });
    }
}

/// Does a part of a row's work within the time for a part.
async fn in_time<T, E: Into<SweepError>>(
    app: &App,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, SweepError> {
    match timeout(app.outbound.stretched(PART_TIMEOUT), work).await {
        Ok(done) => done.map_err(Into::into),
        Err(_elapsed) => Err(SweepError::Slow),
    }
}

/// Does work that occupies one of the `places`. Slow work gives up its place and continues, so that it keeps
/// no other row waiting.
async fn in_place<T>(places: &Semaphore, mut work: impl Future<Output = T> + Unpin) -> T {
    let place = places.acquire().await;
    if let Ok(done) = timeout(PATIENCE, &mut work).await {
        return done;
    }
    drop(place);
    work.await
}

async fn postpone(app: &App, key: &Key) {
    let work = app.store.postpone(key, postponed(app, key));
    if timeout(app.outbound.stretched(PART_TIMEOUT), work).await.is_err() {
        tracing::error!(row = key.pk(), "a failed row could not be postponed in time");
    }
}

/// The writes that make a row of the queue due later.
fn postponed(app: &App, key: &Key) -> Writes<()> {
    let later = app.clock.now().plus(NEXT_LOOK);
    let writes = Writes::new();
    if let Some(list) = EventList::at(key) {
        writes.postpone_list(&list, later, ())
    } else if keys::as_webhook_lane(key).is_some() {
        let update = Update::new().set(WebhookLane::DUE_AT, later);
        writes.update(key, update.if_below(WebhookLane::DUE_AT, later), ())
    } else if keys::as_lane_pending(key).is_some() {
        let update = Update::new().set(LanePending::DUE_AT, later);
        writes.update(key, update.if_below(LanePending::DUE_AT, later), ())
    } else {
        let update = Update::new().set(Webhook::DUE_AT, later);
        writes.update(key, update.if_below(Webhook::DUE_AT, later), ())
    }
}

async fn handle_due_row(
    app: &App,
    key: &Key,
    of_deployment: &[Webhook],
) -> Result<Option<Found>, SweepError> {
    if let Some(list) = EventList::at(key) {
        return Ok(tell(app, list, of_deployment).await?.map(Found::List));
    }
    in_time(app, handle_due_webhook(app, key, of_deployment)).await
}

/// Handles a webhook or a lane that is due, or an account whose lane could not be woken.
async fn handle_due_webhook(
    app: &App,
    key: &Key,
    of_deployment: &[Webhook],
) -> Result<Option<Found>, SweepError> {
    let now = app.clock.now();
    // The index lags: another run may have handled the row already.
    let is_due = |due_at: &Timestamp| *due_at <= now;
    // Write the row first and queue the message second: if the run dies in between, a later look finds the
    // row again.
    let later = now.plus(NEXT_LOOK);
    let (pace, message, writes) = if let Some((account, id)) = keys::as_webhook(key) {
        let Some(webhook) = app.store.get::<Webhook>(key).await? else { return Ok(None) };
        let Some(due_at) = webhook.due_at.filter(is_due) else { return Ok(None) };
        let later = Update::new().set(Webhook::DUE_AT, later).if_equal(Webhook::DUE_AT, due_at);
        let message = match account {
            Some(account) => WebhookMessage::Webhook { account, id },
            None => WebhookMessage::Deployment { id },
        };
        (webhook.pace(now), message, Writes::new().update(key, later, ()))
    } else if let Some((id, lane)) = keys::as_webhook_lane(key) {
        let row = app.store.get::<WebhookLane>(key).await?;
        let Some(due_at) = row.and_then(|row| row.due_at).filter(is_due) else { return Ok(None) };
        let later =
            Update::new().set(WebhookLane::DUE_AT, later).if_equal(WebhookLane::DUE_AT, due_at);
        let message = WebhookMessage::Lane { id, lane };
        // Lanes of a slow receiver go to a queue of their own, so that they do not delay prompt receivers.
        let webhook = of_deployment.iter().find(|webhook| webhook.id == id);
        let pace = webhook.map_or(WebhookPace::Prompt, |webhook| webhook.pace(now));
        (pace, message, Writes::new().update(key, later, ()))
    } else if let Some((id, lane, account)) = keys::as_lane_pending(key) {
        let row = app.store.get::<LanePending>(key).await?;
        let Some(pending) = row.filter(|row| row.due_at.as_ref().is_some_and(is_due)) else {
            return Ok(None);
        };
        tracing::info!(%account, "waking a lane that could not be woken earlier");
        wake_lane(app, id, lane).await?;
        let done = Update::new().remove(LanePending::WATCH).remove(LanePending::DUE_AT);
        app.store.update(key, done.if_equal(LanePending::STAMP, &pending.stamp)).await?;
        return Ok(None);
    } else {
        return Err(SweepError::Stranger);
    };
    match app.store.commit(writes).await {
        Ok(()) => Ok(Some(Found::Message(pace, message))),
        Err(CommitError::Condition(())) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Notifies the readers of a list of its new events: wakes the account's webhooks, marks the account for the
/// lanes, and queues a push to sockets. If one of the three fails or hangs, the others are done all the same.
async fn tell(
    app: &App,
    list: EventList,
    of_deployment: &[Webhook],
) -> Result<Option<NotifiedList>, SweepError> {
    let head = in_time(app, events::head(&app.store, &list)).await?;
    if head.due_at.is_none() {
        return Ok(None);
    }
    let account = list.account();
    let own = async {
        match account.filter(|_| head.hooks.is_some()) {
            Some(account) => wake_webhooks(app, account, &head).await,
            None => (None, Ok(())),
        }
    };
    let marks = async {
        let Some(account) = account else { return (BTreeSet::new(), Ok(())) };
        mark(app, account, of_deployment).await
    };
    let pushed = in_time(app, push(app, &list, &head));
    let ((malformed, own), (lanes, marked), pushed) =
        tokio::join!(Box::pin(own), Box::pin(marks), Box::pin(pushed));
    let (is_pushed, pushed) = match pushed {
        Ok(is_pushed) => (is_pushed, Ok(())),
        Err(error) => (false, Err(error)),
    };
    let failure = own.and(marked).and(pushed).err();
    Ok(Some(NotifiedList { list, head, is_pushed, lanes, failure, malformed }))
}

/// Queues a push of a list's new events to its sockets; returns whether there was one.
async fn push(app: &App, list: &EventList, head: &EventHead) -> Result<bool, SweepError> {
    // If `pushed` is above the newest event, that push happened before the table was restored.
    let pushed = head.pushed.filter(|pushed| *pushed < head.newest);
    let Some(after) = pushed.filter(|_| head.is_read(app.clock.now())) else {
        return Ok(pushed.is_some());
    };
    let (list, up_to) = (list.name().to_owned(), Some(head.newest));
    let push = Push { list, after, up_to, from: None, to: None };
    app.sockets.send_all(&[SocketMessage::Push(push)]).await?;
    Ok(true)
}

/// Marks an account for the lanes of the deployment's webhooks; returns the lanes to wake.
async fn mark(
    app: &App,
    account: AccountId,
    of_deployment: &[Webhook],
) -> (BTreeSet<Lane>, Result<(), SweepError>) {
    let marks = of_deployment.iter().map(|webhook| async move {
        let pending = LanePending::new(&app.store, account);
        in_time(app, app.store.put(&pending.key(webhook.id), &pending)).await?;
        Ok::<_, SweepError>((webhook.id, webhooks::lane_of(account)))
    });
    let (mut lanes, mut failure) = (BTreeSet::new(), Ok(()));
    for marked in join_all(marks).await {
        match marked {
            Ok(lane) => drop(lanes.insert(lane)),
            Err(error) => failure = Err(error),
        }
    }
    (lanes, failure)
}

/// Takes a list out of the queue once its readers are notified.
///
/// # Errors
/// The list stays, because some of its readers were not notified or it could not be taken out. Events that
/// were pushed to sockets are not pushed again.
async fn leave_queue(
    app: &App,
    notified: NotifiedList,
    asleep: &[Lane],
) -> Result<Option<StoreError>, SweepError> {
    let NotifiedList { list, head, is_pushed, mut failure, malformed, .. } = notified;
    for (id, _) in asleep {
        let Some(account) = list.account() else { continue };
        let due_at = app.clock.now().plus(NEXT_LOOK);
        let mark = LanePending::new(&app.store, account).due(due_at);
        if let Err(error) = app.store.put(&mark.key(*id), &mark).await {
            failure.get_or_insert(error.into());
        }
    }
    if failure.is_none() {
        match app.store.commit(Writes::new().told_up_to(&list, &head, ())).await {
            Ok(()) => return Ok(malformed),
            // Another event was appended; the next look notifies the readers again.
            Err(CommitError::Condition(())) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let noted = match is_pushed {
        true => app.store.commit(Writes::new().pushed_up_to(&list, head.newest, ())).await,
        false => Ok(()),
    };
    match (failure, noted) {
        (Some(failure), _) => Err(failure),
        // Another sweep has pushed further.
        (None, Ok(()) | Err(CommitError::Condition(()))) => Ok(malformed),
        (None, Err(error)) => Err(error.into()),
    }
}

async fn wake_lane(app: &App, id: WebhookId, lane: u8) -> Result<(), SweepError> {
    let woken = webhooks::wake_lane(app.clock.now());
    Ok(app.store.update(&keys::webhook_lane(id, lane), woken).await?)
}

/// Wakes the webhooks of an account, each whether or not others can be woken; returns the error of one that
/// could not be read, and whether the others were woken.
async fn wake_webhooks(
    app: &App,
    account: AccountId,
    head: &EventHead,
) -> (Option<StoreError>, Result<(), SweepError>) {
    let now = app.clock.now();
    let read = in_time(app, webhooks::readable_of_account(&app.store, account));
    let (webhooks, malformed) = match read.await {
        Ok(found) => found,
        Err(error) => return (None, Err(error)),
    };
    let wakes = webhooks.iter().filter_map(|webhook| {
        // An idle webhook need not be woken: after it is enabled or confirmed, it reads its list anyway.
        let is_idle = webhook.off.is_some() || webhook.challenge.is_some();
        if is_idle || webhook.delivered >= head.newest {
            return None;
        }
        let is_busy = webhook.lease_until.is_some_and(|until| until > now)
            || webhook.waits_until().is_some_and(|until| until > now);
        let woken = webhooks::wake(Update::new(), now, is_busy);
        // If its owner has removed the webhook, nothing is written.
        let woken = woken.if_equal(Webhook::ACCOUNT_ID, account);
        Some(async move { in_time(app, app.store.update(&webhook.key(), woken)).await })
    });
    let woken = join_all(wakes).await.into_iter().collect::<Result<Vec<()>, SweepError>>();
    (malformed, woken.map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn custody_32_rows_that_hang_give_their_places_to_others() {
        let places = Semaphore::new(CONCURRENT);
        let hang = || in_place(&places, Box::pin(std::future::pending::<()>()));
        let hanging = join_all(std::iter::repeat_with(hang).take(CONCURRENT));
        let other = in_place(&places, Box::pin(std::future::ready(())));
        let is_done = tokio::select! {
            biased;
            _ = hanging => false,
            done = timeout(Duration::from_secs(600), other) => done.is_ok(),
        };
        assert!(is_done);
    }

    /// The function may run for 80 s (`Timeout` in `template.yaml`).
    #[test]
    fn custody_32_a_sweep_whose_calls_hang_ends_before_lambda_ends_it() {
        let last_look = crate::LOOKING.saturating_add(PART_TIMEOUT).saturating_add(PATIENCE);
        let end = last_look.max(crate::LOOKING.saturating_add(FINISHING));
        assert!(end <= Duration::from_secs(75), "{end:?}");
    }
}
