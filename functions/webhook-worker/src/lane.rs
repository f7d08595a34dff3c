//! A run over one lane of a deployment-wide webhook: sends the events of several accounts concurrently, and
//! those of each account in order.
//!
//! A run holds the lane by a lease that is longer than a round may take. A round takes up to sixteen
//! accounts, eight that have new events and eight whose pause may be over, and sends the events of each until
//! its time is up. The next round, also one of another run, begins with the accounts after those eight, so that
//! accounts with many events keep no other one waiting. A cursor moves only from the position that was read, so a
//! run that has lost its lane can repeat events but never skips one. The health of the receiver as a whole is judged by rounds: a round in
//! which several accounts failed and none succeeded pauses all lanes. After a slow answer the lane rests, and runs
//! for slow receivers serve all lanes of the webhook (custody rule 32).

use std::{collections::BTreeMap, time::Duration};

use base::clock::Timestamp;
use futures_util::future::{join_all, try_join_all};
use outbox::webhooks::{
    self, LANES, LaneCursor, LaneLater, LanePending, Webhook, WebhookFailing, WebhookLane,
    WebhookSent, cursor_of, lane_of, wake_lane,
};
use secrecy::SecretSlice;
use shared::{
    events::{self, EventsError},
    keys::{self, EventList},
    models::{
        account::AccountId,
        webhook::{DeliveryCause, WebhookId},
    },
};
use store::{CommitError, Update, Writes};
use tokio::time::Instant;

use crate::{
    app::App,
    error::RunError,
    lease::Lease,
    outcome::Outcome,
    pace::{is_slow, newly_slow, pause, rest},
    parcel::{Parcel, note_given_up, send, switched_off},
};

/// Rows of each kind, [`LanePending`] and [`LaneLater`], that a round reads.
const AT_ONCE: usize = 8;
/// How long after its start a round may begin requests.
const ROUND: Duration = Duration::from_secs(8);
/// The time a run must have left before it begins another round.
const RESERVE: Duration = Duration::from_secs(30);
/// Events of an account that one read returns.
const PAGE: usize = 20;
/// When an account is served again after its rows could not be read or written.
const AFTER_FAULT: Duration = Duration::from_secs(2 * 60);
/// The number of failed rounds after which the pause of a webhook no longer grows.
const MOST_PAUSES: u32 = 9;

/// Sends the events of a lane, until `deadline`.
///
/// # Errors
/// [`RunError`] if the lane's rows could not be read or written. The sweep queues the lane again once the
/// lease ends.
pub(crate) async fn run(
    app: &App,
    id: WebhookId,
    lane: u8,
    deadline: Instant,
) -> Result<Outcome, RunError> {
    let key = keys::webhook_lane(id, lane);
    let Some(row) = app.store.get::<WebhookLane>(&key).await? else { return Ok(Outcome::Unknown) };
    let Some(lease) = Lease::take(app, key, &row, Update::new()).await? else {
        return Ok(Outcome::Held);
    };
    match (Lane { app, lease, id, lane, deadline }).work().await {
        Err(RunError::Lost) => Ok(Outcome::Held),
        outcome => outcome,
    }
}

/// Wakes all lanes of a webhook.
pub(crate) async fn wake_all(app: &App, id: WebhookId) -> Result<(), RunError> {
    let wakes = (0..LANES).map(|lane| {
        let (key, woken) = (keys::webhook_lane(id, lane), wake_lane(app.clock.now()));
        app.store.commit(Writes::new().update(&key, woken, ()))
    });
    try_join_all(wakes).await?;
    Ok(())
}

struct Lane<'a> {
    app: &'a App,
    lease: Lease<'a, WebhookLane>,
    id: WebhookId,
    lane: u8,
    deadline: Instant,
}

/// The rows because of which an account takes part in a round.
#[derive(Clone, Default)]
struct Turn {
    pending: Option<LanePending>,
    laters: Vec<LaneLater>,
}

/// The result of a round for one account.
#[derive(Default)]
struct Done {
    delivered: bool,
    failed: Option<Failed>,
    /// How long the slowest answer took.
    slowest: Duration,
}

struct Failed {
    at: Timestamp,
    cause: String,
    is_gone: bool,
}

impl Lane<'_> {
    async fn work(&self) -> Result<Outcome, RunError> {
        loop {
            let row = self.lease.row().await?;
            if self.deadline.saturating_duration_since(Instant::now()) < RESERVE {
                let now = self.app.clock.now();
                self.lease.release(None, Some(now)).await?;
                return Ok(Outcome::Late);
            }
            let webhook = self.app.store.get::<Webhook>(&keys::deployment_webhook(self.id)).await?;
            let now = self.app.clock.now();
            let is_ahead = |at: &Timestamp| *at > now;
            let waits_until = |webhook: &Webhook| {
                let retry = webhook.failing.as_ref().map(|failing| failing.next_at);
                retry.max(row.rests_until).filter(is_ahead)
            };
            let (until, outcome) = match &webhook {
                None => (None, Outcome::Unknown),
                Some(webhook) if webhook.off.is_some() => (None, Outcome::Off),
                // The run that sees the confirmation wakes the lanes.
                Some(webhook) if webhook.challenge.is_some() => (None, Outcome::Unverified),
                Some(webhook) => match waits_until(webhook) {
                    Some(until) => (Some(until), Outcome::Waiting),
                    None => match self.round(webhook, row.served_up_to, now).await? {
                        Some(rest) => rest,
                        None => continue,
                    },
                },
            };
            if self.lease.release(Some(row.pokes), until).await? {
                return Ok(outcome);
            }
        }
    }

    /// Serves some accounts concurrently, and returns `None`. If nothing can be sent now, returns the time at
    /// which the next account is due, and the outcome of the run.
    async fn round(
        &self,
        webhook: &Webhook,
        served_up_to: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Option<(Option<Timestamp>, Outcome)>, RunError> {
        let (laters, pendings) = tokio::try_join!(self.laters(), self.pendings(served_up_to))?;
        let last_pending = pendings.last().map(|pending| pending.account_id);
        let next_at = laters.iter().map(|later| later.at).find(|at| *at > now);
        let mut turns = BTreeMap::<_, Turn>::new();
        for later in laters.into_iter().filter(|later| later.at <= now) {
            turns.entry(later.account_id.0).or_default().laters.push(later);
        }
        for pending in pendings {
            let turn = turns.entry(pending.account_id.0).or_default();
            turn.pending = Some(pending);
        }
        if turns.is_empty() {
            let outcome = if next_at.is_some() { Outcome::Waiting } else { Outcome::Done };
            return Ok(Some((next_at, outcome)));
        }
        let secrets = webhook.secrets(&self.app.vault, now).await?;
        let until = Instant::now().checked_add(ROUND).unwrap_or(self.deadline);
        let turns: Vec<_> = turns.into_iter().map(|(id, turn)| (AccountId(id), turn)).collect();
        let served = turns.iter().map(|(account, turn)| {
            Box::pin(self.serve(webhook, &secrets, *account, turn.clone(), until))
        });
        let served = join_all(served).await;
        let mut done = Vec::new();
        for ((account, turn), served) in turns.into_iter().zip(served) {
            match served {
                Ok(served) => done.push(served),
                Err(error) => {
                    tracing::error!(webhook = %self.id, %account, %error, "failed to send the events of an account; postponed");
                    self.postpone(account, turn).await?;
                }
            }
        }
        let slowest = done.iter().map(|done| done.slowest).max().unwrap_or_default();
        self.judge(webhook, done, slowest).await?;
        let update = match rest(slowest) {
            Some(rest) => {
                Update::new().set(WebhookLane::RESTS_UNTIL, self.app.clock.now().plus(rest))
            }
            None => Update::new(),
        };
        let update = match last_pending {
            Some(account) => update.set(WebhookLane::SERVED_UP_TO, account),
            None => update,
        };
        self.lease.commit(update, Writes::new()).await?;
        Ok(None)
    }

    /// Postpones an account whose rows could not be read or written, so that it does not hold up the others.
    async fn postpone(&self, account_id: AccountId, turn: Turn) -> Result<(), RunError> {
        let now = self.app.clock.now();
        let at = now.plus(AFTER_FAULT);
        let expires_at = LaneCursor::after(0, now).expires_at;
        let later = LaneLater { account_id, at, expires_at };
        self.app.store.put(&later.key(self.id), &later).await?;
        self.forget(turn).await
    }

    async fn laters(&self) -> Result<Vec<LaneLater>, RunError> {
        let (low, high) = keys::lane_laters(self.id, self.lane);
        Ok(self.app.store.readable_range((&low, &high), Some(AT_ONCE)).await?.0)
    }

    /// The next accounts with new events: those after the account `after`, then those from the first one on.
    async fn pendings(&self, after: Option<AccountId>) -> Result<Vec<LanePending>, RunError> {
        let (low, high) = keys::lane_pendings(self.id, self.lane);
        let from = after.map(|after| keys::lane_pending(self.id, self.lane, after));
        let from = from.as_ref().unwrap_or(&low);
        // One more, because the range begins with the account itself.
        let most = Some(AT_ONCE.saturating_add(1));
        let store = &self.app.store;
        let mut found: Vec<LanePending> = store.readable_range((from, &high), most).await?.0;
        found.retain(|pending| Some(pending.account_id) != after);
        if found.len() < AT_ONCE && after.is_some() {
            found.extend(store.readable_range::<LanePending>((&low, from), most).await?.0);
        }
        found.truncate(AT_ONCE);
        Ok(found)
    }

    /// Sends the next events of one account.
    async fn serve(
        &self,
        webhook: &Webhook,
        secrets: &[SecretSlice<u8>],
        account: AccountId,
        turn: Turn,
        until: Instant,
    ) -> Result<Done, RunError> {
        let list = EventList::of_account(account);
        let mut done = Done::default();
        let (mut cursor, mut is_stored) = cursor_of(&self.app.store, webhook, account).await?;
        if cursor.next_at.is_some_and(|at| at > self.app.clock.now()) {
            // The account is paused. A `LaneLater` in the queue holds the time at which it is due.
            self.forget(turn).await?;
            return Ok(done);
        }
        loop {
            let store = &self.app.store;
            let page = events::read(store, &list, Some(cursor.delivered), PAGE, &webhook.types);
            let (found, next, newest) = match page.await {
                Ok(Some(page)) => (page.events, page.next, page.newest),
                Ok(None) => (Vec::new(), cursor.delivered, cursor.delivered),
                Err(EventsError::Store(error)) => return Err(error.into()),
                Err(EventsError::TooOld { oldest, .. }) => {
                    tracing::warn!(webhook = %self.id, %account, "events expired before they were delivered");
                    (Vec::new(), oldest.saturating_sub(1), u64::MAX)
                }
                // The cursor is ahead of the list, because the table was restored from a backup.
                Err(EventsError::NotYet { newest }) => (Vec::new(), newest, newest),
            };
            for event in found {
                if Instant::now() >= until {
                    return Ok(done);
                }
                let (sequence, tries) = (event.sequence, cursor.tries.saturating_add(1));
                let parcel =
                    Parcel::of_account(&list, account, event, DeliveryCause::Event, tries)?;
                let (sent, answer) = send(self.app, webhook, secrets, parcel).await;
                done.slowest = done.slowest.max(answer.took);
                let (now, Some(cause)) = (self.app.clock.now(), &answer.error) else {
                    done.delivered = true;
                    let after = LaneCursor::after(sequence, self.app.clock.now());
                    let log = (tries > 1).then_some(&sent);
                    if !self
                        .move_on(account, (&cursor, is_stored), &after, Writes::new(), log)
                        .await?
                    {
                        return Ok(done);
                    }
                    if is_slow(answer.took) {
                        return Ok(done);
                    }
                    (cursor, is_stored) = (after, true);
                    continue;
                };
                let is_gone = answer.status == Some(410);
                done.failed = Some(Failed { at: sent.at, cause: cause.clone(), is_gone });
                let pause = pause(tries, answer.retry_after, &*self.app.random);
                let after = match pause {
                    _ if is_gone => cursor.clone(),
                    Some(pause) => {
                        let next_at = Some(now.plus(pause));
                        LaneCursor { tries, next_at, ..LaneCursor::after(cursor.delivered, now) }
                    }
                    None => {
                        note_given_up(self.app, self.id, account, sequence);
                        LaneCursor::after(sequence, now)
                    }
                };
                let at = after.next_at.unwrap_or(now);
                let later = LaneLater { account_id: account, at, expires_at: after.expires_at };
                let writes = Writes::new().put(&later.key(self.id), &later, ());
                if self.move_on(account, (&cursor, is_stored), &after, writes, Some(&sent)).await? {
                    let laters = turn.laters.into_iter().filter(|old| old.at != at).collect();
                    self.forget(Turn { laters, ..turn }).await?;
                }
                return Ok(done);
            }
            // The remaining events up to `next` are of types that the webhook does not send.
            if next != cursor.delivered {
                let after = LaneCursor::after(next, self.app.clock.now());
                if !self.move_on(account, (&cursor, is_stored), &after, Writes::new(), None).await?
                {
                    return Ok(done);
                }
                (cursor, is_stored) = (after, true);
            }
            if next == newest {
                self.forget(turn).await?;
                return Ok(done);
            }
        }
    }

    /// Moves a cursor; returns `false` if another run or a replay has moved it.
    async fn move_on(
        &self,
        account: AccountId,
        (before, is_stored): (&LaneCursor, bool),
        after: &LaneCursor,
        writes: Writes<()>,
        sent: Option<&WebhookSent>,
    ) -> Result<bool, RunError> {
        let key = keys::lane_cursor(self.id, lane_of(account), account);
        let writes = match is_stored {
            true => {
                let same = Update::new()
                    .if_equal(LaneCursor::DELIVERED, before.delivered)
                    .if_equal(LaneCursor::TRIES, before.tries);
                writes.replace(&key, after, same, ())
            }
            false => writes.insert(&key, after, ()),
        };
        let writes = match sent {
            Some(sent) => webhooks::log(writes, self.id, sent, ()),
            None => writes,
        };
        match self.app.store.commit(writes).await {
            Ok(()) => Ok(true),
            Err(CommitError::Condition(())) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes the rows that brought an account into the round; a pending row stays if the account had
    /// another event in the meantime.
    async fn forget(&self, turn: Turn) -> Result<(), RunError> {
        for later in turn.laters {
            self.app.store.delete(&later.key(self.id)).await?;
        }
        let Some(pending) = turn.pending else { return Ok(()) };
        let same = Update::new().if_equal(LanePending::STAMP, &pending.stamp);
        let writes = Writes::new().delete(&pending.key(self.id), same, ());
        match self.app.store.commit(writes).await {
            Ok(()) | Err(CommitError::Condition(())) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Records in the webhook's row whether its receiver answers, and whether its slowest answer was prompt.
    async fn judge(
        &self,
        webhook: &Webhook,
        done: Vec<Done>,
        slowest: Duration,
    ) -> Result<(), RunError> {
        let now = self.app.clock.now();
        let update = newly_slow(webhook, slowest, now)
            .map(|until| Update::new().set(Webhook::SLOW_UNTIL, until));
        let has_delivered = done.iter().any(|done| done.delivered);
        let failed: Vec<_> = done.into_iter().filter_map(|done| done.failed).collect();
        let is_gone = failed.iter().any(|failed| failed.is_gone);
        if has_delivered && !is_gone {
            return self.note_success(webhook, update).await;
        }
        let Some(first) = failed.first() else { return Ok(()) };
        let (since, tries) = match &webhook.failing {
            Some(failing) => (failing.since, failing.tries),
            None => (first.at, 0),
        };
        // If only one account failed, the receiver may reject that one event; the webhook is not paused.
        let tries = if failed.len() > 1 { tries.saturating_add(1) } else { tries };
        let pauses = (failed.len() > 1)
            .then(|| pause(tries.min(MOST_PAUSES), None, &*self.app.random))
            .flatten();
        let next_at = pauses.map_or(now, |pause| now.plus(pause));
        let failing = WebhookFailing { since, tries, next_at, cause: first.cause.clone() };
        let mut update = update.unwrap_or_default().set(Webhook::FAILING, &failing);
        update = match &webhook.failing {
            Some(failing) => update.if_equal(Webhook::FAILING, failing),
            None => update.if_absent(Webhook::FAILING),
        };
        if let Some(off) = switched_off(self.app, webhook, (since, now), is_gone).await? {
            update = update.set(Webhook::OFF, off);
        }
        self.change_webhook(update).await.map(drop)
    }

    /// Records that the receiver answers, together with `update`.
    async fn note_success(
        &self,
        webhook: &Webhook,
        update: Option<Update<Webhook>>,
    ) -> Result<(), RunError> {
        let Some(failing) = &webhook.failing else {
            let Some(update) = update else { return Ok(()) };
            let same = update.if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
            return self.change_webhook(same).await.map(drop);
        };
        let update = update.unwrap_or_default().remove(Webhook::FAILING);
        let update = update.if_equal(Webhook::FAILING, failing);
        if self.change_webhook(update).await? && failing.tries > 0 {
            wake_all(self.app, self.id).await?;
        }
        Ok(())
    }

    /// Changes the webhook; returns `false` if another lane or an admin has changed it.
    async fn change_webhook(&self, update: Update<Webhook>) -> Result<bool, RunError> {
        let writes = Writes::new().update(&keys::deployment_webhook(self.id), update, ());
        match self.app.store.commit(writes).await {
            Ok(()) => Ok(true),
            Err(CommitError::Condition(())) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
