//! One run over a webhook: sends what its owner asked for, and then its events, one after the other.
//!
//! The row records a delivery only after the receiver has answered, so a run that is killed repeats at most
//! one request.

use std::time::Duration;

use outbox::webhooks::{self, Webhook, WebhookAsk, WebhookFailing, WebhookSent};
use secrecy::SecretSlice;
use shared::{
    events::{self, EventPage, EventsError},
    keys::{self, EventList},
    models::{
        event::EventType,
        webhook::{DeliveryCause, WebhookId, WebhookOff, WebhookScope},
    },
};
use store::{Key, Update, Writes};
use tokio::time::Instant;

use crate::{
    app::App,
    error::RunError,
    lane,
    lease::Lease,
    outcome::Outcome,
    pace::{is_slow, note_pace, pause},
    parcel::{Parcel, confirms, note_given_up, send, switched_off},
    send::Answer,
};

/// The time a run must have left before it begins another request.
const RESERVE: Duration = Duration::from_secs(20);
/// Events that are read together.
const PAGE: usize = 20;
/// The error of a verification whose answer does not confirm the URL.
const UNCONFIRMED: &str = "The receiver did not confirm: its answer must be a JSON object with the field challenge that was sent.";
/// Requests of the owner that are read together.
const ASKS: usize = 10;

/// Sends everything that a webhook has to send, until `deadline`.
///
/// # Errors
/// [`RunError`] if the webhook's rows could not be read or written. The sweep queues the webhook again once
/// the lease ends.
pub(crate) async fn run(app: &App, key: Key, deadline: Instant) -> Result<Outcome, RunError> {
    let Some(webhook) = app.store.get::<Webhook>(&key).await? else { return Ok(Outcome::Unknown) };
    let same = Update::new().if_equal(Webhook::ACCOUNT_ID, webhook.account_id);
    let Some(lease) = Lease::take(app, webhook.key(), &webhook, same).await? else {
        return Ok(Outcome::Held);
    };
    let list = EventList::of_account(webhook.account_id);
    match (Run { app, lease, id: webhook.id, list, deadline }).work().await {
        Err(RunError::Lost) => Ok(Outcome::Held),
        outcome => outcome,
    }
}

/// The result of a request of the owner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// With its answer, the receiver has confirmed that it wants events.
    Confirmed,
    /// Sent, but the receiver was slow.
    Slow,
    /// Sent, or not needed any more.
    Other,
}

struct Run<'a> {
    app: &'a App,
    lease: Lease<'a, Webhook>,
    id: WebhookId,
    list: EventList,
    deadline: Instant,
}

impl Run<'_> {
    async fn work(&self) -> Result<Outcome, RunError> {
        loop {
            let webhook = self.lease.row().await?;
            let secrets = webhook.secrets(&self.app.vault, self.app.clock.now()).await?;
            let asks = self.asks().await?;
            let mut asked = Asked::Other;
            for ask in &asks {
                if self.is_late() {
                    return self.come_again().await;
                }
                asked = self.answer_ask(&webhook, &secrets, ask).await?;
                if asked != Asked::Other {
                    break;
                }
            }
            match asked {
                Asked::Confirmed => continue,
                // Another run, one for slow receivers, sends the rest.
                Asked::Slow => return self.come_again().await,
                Asked::Other => {}
            }
            let now = self.app.clock.now();
            let waits_until = webhook.waits_until();
            let is_of_account = webhook.scope == WebhookScope::Account;
            let rest = match waits_until.filter(|at| *at > now && is_of_account) {
                _ if webhook.off.is_some() => Some((None, Outcome::Off)),
                _ if webhook.challenge.is_some() => Some((None, Outcome::Unverified)),
                Some(at) => Some((Some(at), Outcome::Waiting)),
                None if !is_of_account => {
                    lane::wake_all(self.app, self.id).await?;
                    Some((webhook.first_look(now), Outcome::Done))
                }
                None if self.send_events(&webhook, &secrets).await? => {
                    Some((webhook.first_look(now), Outcome::Done))
                }
                None => None,
            };
            // After a full page of requests there may be more.
            let rest = rest.filter(|_| asks.len() < ASKS);
            if let Some((until, outcome)) = rest
                && self.lease.release(Some(webhook.pokes), until).await?
            {
                return Ok(outcome);
            }
            if self.is_late() {
                return self.come_again().await;
            }
        }
    }

    fn is_late(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < RESERVE
    }

    async fn asks(&self) -> Result<Vec<WebhookAsk>, RunError> {
        let (low, high) = keys::webhook_asks(self.id);
        Ok(self.app.store.range((&low, &high), true, Some(ASKS)).await?)
    }

    /// Sends one request of the owner: a test, a verification or a redelivery.
    async fn answer_ask(
        &self,
        webhook: &Webhook,
        secrets: &[SecretSlice<u8>],
        ask: &WebhookAsk,
    ) -> Result<Asked, RunError> {
        let parcel = match (ask.sequence, &webhook.challenge) {
            // The person who asked may not use the webhook any more.
            _ if webhook.off == Some(WebhookOff::Disabled) => None,
            (None, None) => Some(Parcel::test(ask, self.id)?),
            (None, Some(challenge)) => Some(Parcel::verification(ask, self.id, challenge)?),
            // The URL has changed since the redelivery was asked for.
            (Some(_), Some(_)) => None,
            (Some(sequence), None) => {
                let account = ask.account_id.unwrap_or(webhook.account_id);
                let list = EventList::of_account(account);
                let (store, before) = (&self.app.store, sequence.saturating_sub(1));
                match events::read(store, &list, Some(before), 1, &[]).await {
                    Ok(page) => {
                        let event = page.and_then(|page| page.events.into_iter().next());
                        let again = DeliveryCause::Redelivery;
                        let parcel = |event| match webhook.scope {
                            WebhookScope::Account => Parcel::of_event(&list, event, again, 1),
                            WebhookScope::Deployment => {
                                Parcel::of_account(&list, account, event, again, 1)
                            }
                        };
                        event.map(parcel).transpose()?
                    }
                    Err(EventsError::Store(error)) => return Err(error.into()),
                    // The event has expired in the meantime.
                    Err(EventsError::TooOld { .. } | EventsError::NotYet { .. }) => None,
                }
            }
        };
        let writes = Writes::new().delete(&ask.key(self.id), Update::<WebhookAsk>::new(), ());
        let Some(parcel) = parcel else {
            self.commit(Update::new(), writes, None).await?;
            return Ok(Asked::Other);
        };
        let (mut sent, answer) = send(self.app, webhook, secrets, parcel).await;
        let update = note_pace(Update::new(), answer.took, self.app.clock.now());
        let (update, is_confirmed) = match &webhook.challenge {
            Some(challenge) if confirms(&answer, challenge) => {
                let update = update.remove(Webhook::CHALLENGE);
                (update.if_equal(Webhook::CHALLENGE, challenge), true)
            }
            Some(_) => {
                sent.error = sent.error.or_else(|| Some(UNCONFIRMED.to_owned()));
                (update, false)
            }
            None => (update, false),
        };
        let asked = match is_confirmed {
            _ if is_slow(answer.took) => Asked::Slow,
            true => Asked::Confirmed,
            false => Asked::Other,
        };
        self.commit(update, writes, Some(&sent)).await?;
        Ok(asked)
    }

    async fn read(
        &self,
        after: u64,
        most: usize,
        types: &[EventType],
    ) -> Result<Option<EventPage>, EventsError> {
        events::read(&self.app.store, &self.list, Some(after), most, types).await
    }

    /// Sends the next events; returns whether there are none left, as far as it has read.
    async fn send_events(
        &self,
        webhook: &Webhook,
        secrets: &[SecretSlice<u8>],
    ) -> Result<bool, RunError> {
        let page = match self.read(webhook.delivered, PAGE, &webhook.types).await {
            Ok(Some(page)) => page,
            Ok(None) => return Ok(true),
            Err(EventsError::Store(error)) => return Err(error.into()),
            Err(EventsError::TooOld { oldest, .. }) => {
                tracing::warn!(webhook = %self.id, "events expired before they were delivered");
                self.skip_to(oldest.saturating_sub(1)).await?;
                return Ok(false);
            }
            // The table was restored.
            Err(EventsError::NotYet { newest }) => {
                tracing::warn!(webhook = %self.id, "the webhook was ahead of its list");
                self.skip_to(newest).await?;
                return Ok(false);
            }
        };
        let mut failing = webhook.failing.clone();
        let mut delivered = webhook.delivered;
        for event in page.events {
            if self.is_late() {
                return Ok(false);
            }
            let sequence = event.sequence;
            let tries = failing.as_ref().map_or(0, |failing| failing.tries).saturating_add(1);
            let parcel = Parcel::of_event(&self.list, event, DeliveryCause::Event, tries)?;
            let (sent, answer) = send(self.app, webhook, secrets, parcel).await;
            match &answer.error {
                None => {
                    let mut update = Update::new().set(Webhook::DELIVERED, sequence);
                    if failing.take().is_some() {
                        update = update.remove(Webhook::FAILING);
                    }
                    update = note_pace(update, answer.took, self.app.clock.now());
                    self.commit(update, Writes::new(), Some(&sent)).await?;
                    if is_slow(answer.took) {
                        return Ok(false);
                    }
                    delivered = sequence;
                }
                Some(error) => {
                    self.note_failure(webhook, (failing, tries, sequence), (error, &answer), &sent)
                        .await?;
                    return Ok(false);
                }
            }
        }
        // The remaining events up to `page.next` are of types that the webhook does not send.
        if page.next > delivered {
            self.skip_to(page.next).await?;
        }
        Ok(page.next == page.newest)
    }

    /// Moves the cursor over events that are not sent.
    async fn skip_to(&self, sequence: u64) -> Result<(), RunError> {
        let update = Update::new().set(Webhook::DELIVERED, sequence);
        self.commit(update, Writes::new(), None).await
    }

    /// Records a failure: the event is retried later or given up, or the webhook is switched off.
    async fn note_failure(
        &self,
        webhook: &Webhook,
        (failing, tries, sequence): (Option<WebhookFailing>, u32, u64),
        (error, answer): (&str, &Answer),
        sent: &WebhookSent,
    ) -> Result<(), RunError> {
        let now = self.app.clock.now();
        let since = failing.map_or(sent.at, |failing| failing.since);
        let is_gone = answer.status == Some(410);
        let mut update = note_pace(Update::new(), answer.took, now);
        let next_at = match pause(tries, answer.retry_after, &*self.app.random) {
            _ if is_gone => now,
            Some(pause) => now.plus(pause),
            None => now,
        };
        let is_given_up = next_at == now && !is_gone;
        if is_given_up {
            note_given_up(self.app, self.id, webhook.account_id, sequence);
            update = update.set(Webhook::DELIVERED, sequence);
        }
        let tries = if is_given_up { 0 } else { tries };
        let failing = WebhookFailing { since, tries, next_at, cause: error.to_owned() };
        update = update.set(Webhook::FAILING, &failing);
        // Mail before the write: however often the write is retried, the owner gets one mail.
        if let Some(off) = switched_off(self.app, webhook, (since, now), is_gone).await? {
            update = update.set(Webhook::OFF, off);
        }
        self.commit(update, Writes::new(), Some(sent)).await
    }

    /// Commits changes of the webhook, with a log entry for what was sent.
    async fn commit(
        &self,
        update: Update<Webhook>,
        writes: Writes<()>,
        sent: Option<&WebhookSent>,
    ) -> Result<(), RunError> {
        let writes = match sent {
            Some(sent) => webhooks::log(writes, self.id, sent, ()),
            None => writes,
        };
        self.lease.commit(update, writes).await
    }

    /// Ends the run before its work is done: the webhook is due again now, whether or not it was woken in the
    /// meantime.
    async fn come_again(&self) -> Result<Outcome, RunError> {
        let now = self.app.clock.now();
        self.lease.release(None, Some(now)).await?;
        Ok(Outcome::Late)
    }
}
