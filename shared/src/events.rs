//! Lists of events, numbered from 1 without gaps in the order of their writes. An event is appended in the
//! same write batch as the change that it reports.
//!
//! The newest events of a list are in its *open* row, together with the number of all its events.
//! [`EventWrites::tell`] appends to that row without a condition, so any number of writers can append concurrently:
//! DynamoDB serialises the updates and thereby assigns the numbers. A commit that finds eight events there
//! moves them to a *closed* row, on the condition that the count is unchanged. If that fails because another
//! writer appended, the commit only appends, and a later one closes the row.
//!
//! A list that webhooks or sockets read says so in its open row, which every commit reads anyway. A commit
//! that appends to such a list also puts the open row into the queue of `event-worker`, in the same update,
//! so no event is missed; other lists cost nothing more. Webhooks are counted. Sockets are not counted: a
//! reader only extends the time until which the row is marked as read, so thousands of readers cost one write
//! an hour.
//!
//! Invariant: the closed rows and the open row hold the events `1..=count`, each exactly once, except those
//! that have expired. A closed row never changes. The open row does not expire, because it holds the number
//! of the newest event.

mod deployment_hooks;

use std::{collections::BTreeMap, time::Duration};

use base::clock::Timestamp;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use store::{
    Announcement, Announcer, Entity, Key, Notice, Store, StoreError, Update, Writes, fields,
};

use crate::{
    keys::EventList,
    models::{
        event::{EventType, StateChange},
        watch::Watch,
    },
};
use deployment_hooks::DeploymentHooks;

/// How long events are kept.
pub const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// Events that the open row holds before it is closed. With this many it stays below a kilobyte, the size of
/// one write unit of DynamoDB.
const MOST_OPEN: usize = 8;
/// The most rows that one answer reads if it is filtered by type.
const MOST_ROWS: usize = 64;
/// Nearly every row has at least this many events. If an answer meets too many smaller rows, it is shorter.
const FEWEST: usize = 4;

/// An event as stored. Its number follows from its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredEvent {
    at: Timestamp,
    #[serde(flatten)]
    change: StateChange,
}

/// A row of events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventRow {
    /// The number of its last event.
    #[serde(default)]
    count: u64,
    /// Oldest first.
    #[serde(default)]
    events: Vec<StoredEvent>,
    /// When a closed row is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    /// In the open row: how many webhooks read the list; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hooks: Option<u32>,
    /// In the open row: the time until which sockets may read the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_until: Option<Timestamp>,
    /// In the open row: the number of the last event that was pushed to sockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pushed: Option<u64>,
    /// In the open row: marks events of which the list's webhooks and sockets have not been notified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watch: Option<Watch>,
    /// When the list is due: when the first of those events was appended, or later if it was postponed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<Timestamp>,
    /// Whether deployment-wide webhooks read the list. Not stored, since it is the same for all accounts.
    #[serde(skip)]
    is_read_by_deployment: bool,
}

impl Entity for EventRow {
    const ENTITY: &'static str = "events";
}

fields!(EventRow {
    COUNT: u64 = count,
    EVENTS: Vec<StoredEvent> = events,
    HOOKS: Option<u32> = hooks,
    READ_UNTIL: Option<Timestamp> = read_until,
    PUSHED: Option<u64> = pushed,
    WATCH: Option<Watch> = watch,
    DUE_AT: Option<Timestamp> = due_at,
});

impl EventRow {
    /// The number of its first event; for an empty row, the number after its last.
    fn first(&self) -> u64 {
        let length = u64::try_from(self.events.len()).unwrap_or(u64::MAX);
        self.count.saturating_sub(length).saturating_add(1)
    }

    fn into_events(self) -> impl Iterator<Item = Event> {
        let first = self.first();
        (first..).zip(self.events).map(|(sequence, StoredEvent { at, change })| Event {
            sequence,
            at,
            change,
        })
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in its list, from 1.
    pub sequence: u64,
    /// When it was written, by its writer's clock. Events written at almost the same time may have times that
    /// differ from their order by some milliseconds.
    pub at: Timestamp,
    /// The change that it reports.
    pub change: StateChange,
}

/// The events that a commit appends to each list, and the list's open row.
#[derive(Default)]
struct NewEvents(BTreeMap<EventList, (EventRow, Vec<StoredEvent>)>);

/// Appends the events of a commit to their lists, in the same commit.
#[derive(Debug, Default)]
pub struct EventAnnouncer {
    deployment_hooks: DeploymentHooks,
}

/// An event that a commit appends.
struct NewEvent {
    list: EventList,
    change: StateChange,
}

impl Announcer for EventAnnouncer {
    fn announce<'a>(
        &'a self,
        store: &'a Store,
        notices: &'a [Notice],
    ) -> BoxFuture<'a, Result<Box<dyn Announcement>, StoreError>> {
        Box::pin(async move {
            let events: Box<dyn Announcement> = Box::new(self.read(store, notices).await?);
            Ok(events)
        })
    }
}

impl Announcement for NewEvents {
    fn writes(&self, room: usize, is_moved: bool) -> Writes<()> {
        appends(self, room, !is_moved).into_iter().fold(Writes::new(), |writes, append| {
            let (open, update) = append.open;
            let writes = writes.update(&open, update, ());
            match append.closed {
                Some((key, row)) => writes.put(&key, &row, ()),
                None => writes,
            }
        })
    }
}

impl EventAnnouncer {
    /// Reads the open rows of the lists to which events are appended, in one read.
    async fn read(&self, store: &Store, notices: &[Notice]) -> Result<NewEvents, StoreError> {
        let at = store.now();
        let mut new = NewEvents::default();
        for NewEvent { list, change } in notices.iter().filter_map(Notice::content) {
            let (_, of_list) = new.0.entry(list.clone()).or_default();
            of_list.push(StoredEvent { at, change: change.clone() });
        }
        let keys: Vec<_> = new.0.keys().map(EventList::open).collect();
        let rows = match keys.as_slice() {
            [] => Vec::new(),
            [one] => vec![store.get::<EventRow>(one).await?],
            several => store.get_many(several).await?,
        };
        let has_hooks = match new.0.keys().any(|list| list.account().is_some()) {
            true => self.deployment_has_hooks(store).await?,
            false => false,
        };
        for ((list, (open, _)), row) in new.0.iter_mut().zip(rows) {
            *open = row.unwrap_or_default();
            open.is_read_by_deployment = has_hooks && list.account().is_some();
        }
        Ok(new)
    }

    /// Whether there are deployment-wide webhooks, as of a few seconds ago.
    async fn deployment_has_hooks(&self, store: &Store) -> Result<bool, StoreError> {
        let now = store.now();
        if let Some(has) = self.deployment_hooks.known(now) {
            return Ok(has);
        }
        let row = store.get::<EventRow>(&EventList::of_deployment().open()).await?;
        let has = row.is_some_and(|row| row.hooks.is_some());
        self.deployment_hooks.remember(now, has);
        Ok(has)
    }
}

/// Writes of lists of events.
pub trait EventWrites<E>: Sized {
    /// Appends an event about a change that these writes make; it gets the next number of its list. That
    /// costs one or two more actions for each list.
    #[must_use]
    fn tell(self, list: EventList, change: StateChange) -> Self;

    /// Sets how many webhooks read a list of events; fails with `otherwise` if one was added or removed since
    /// its head was read.
    #[must_use]
    fn set_hooks(self, list: &EventList, head: &EventHead, hooks: u32, otherwise: E) -> Self;

    /// Takes a list of events out of the worker's queue; fails with `otherwise` if an event was appended
    /// since its head was read.
    #[must_use]
    fn told_up_to(self, list: &EventList, head: &EventHead, otherwise: E) -> Self;

    /// Records the last event of a list that was pushed to sockets; fails with `otherwise` if a later one is
    /// recorded already.
    #[must_use]
    fn pushed_up_to(self, list: &EventList, newest: u64, otherwise: E) -> Self;

    /// Makes a list of events due at `at`; fails with `otherwise` unless it is due earlier.
    #[must_use]
    fn postpone_list(self, list: &EventList, at: Timestamp, otherwise: E) -> Self;

    /// Marks a list of events as read by sockets, from the first of two times until the second; fails with
    /// `otherwise` if another reader has changed the mark since the head was read.
    #[must_use]
    fn read_until(
        self,
        list: &EventList,
        head: &EventHead,
        now_and_end: (Timestamp, Timestamp),
        otherwise: E,
    ) -> Self;
}

impl<E> EventWrites<E> for Writes<E> {
    fn tell(self, list: EventList, change: StateChange) -> Self {
        self.with_notice(Notice::new(NewEvent { list, change }))
    }

    fn set_hooks(self, list: &EventList, head: &EventHead, hooks: u32, otherwise: E) -> Self {
        self.update(&list.open(), with_hooks(head, hooks), otherwise)
    }

    fn told_up_to(self, list: &EventList, head: &EventHead, otherwise: E) -> Self {
        self.update(&list.open(), told_up_to(head), otherwise)
    }

    fn pushed_up_to(self, list: &EventList, newest: u64, otherwise: E) -> Self {
        self.update(&list.open(), pushed_up_to(newest), otherwise)
    }

    fn postpone_list(self, list: &EventList, at: Timestamp, otherwise: E) -> Self {
        self.update(&list.open(), postponed(at), otherwise)
    }

    fn read_until(
        self,
        list: &EventList,
        head: &EventHead,
        (now, until): (Timestamp, Timestamp),
        otherwise: E,
    ) -> Self {
        self.update(&list.open(), read_until(head, now, until), otherwise)
    }
}

/// What a commit does to one list: an update of its open row, and, if that is full, the closed row that takes
/// its events.
struct Append {
    open: (Key, Update<EventRow>),
    closed: Option<(Key, EventRow)>,
}

/// Plans how events are appended. Full open rows are closed as long as the commit has room for the actions, of
/// which it takes at most `room` more; without `closes` none is closed.
fn appends(new: &NewEvents, room: usize, closes: bool) -> Vec<Append> {
    let mut room = room.saturating_sub(new.0.len());
    let append = |(list, (open, events)): (&EventList, &(EventRow, Vec<StoredEvent>))| {
        let length = open.events.len().saturating_add(events.len());
        let added = i64::try_from(events.len()).unwrap_or(i64::MAX);
        let update = Update::new().create_or_change().add(EventRow::COUNT, added);
        let is_read = |at: Timestamp| {
            open.is_read_by_deployment || open.hooks.is_some() || open.read_until > Some(at)
        };
        let update = match events.last().filter(|event| is_read(event.at)) {
            Some(event) => update
                .set(EventRow::WATCH, Watch::Webhook)
                .set_if_absent(EventRow::DUE_AT, event.at),
            None => update,
        };
        let is_full = length > MOST_OPEN && !open.events.is_empty();
        let Some(less) = room.checked_sub(1).filter(|_| closes && is_full) else {
            let update = update.append(EventRow::EVENTS, events);
            return Append { open: (list.open(), update), closed: None };
        };
        room = less;
        let newest = open.events.iter().map(|event| event.at).max().unwrap_or_default();
        let expires_at = Some(newest.plus(KEPT).seconds());
        let (count, events_before) = (open.count, open.events.clone());
        let closed = EventRow { count, events: events_before, expires_at, ..EventRow::default() };
        let update = update.set(EventRow::EVENTS, events).if_equal(EventRow::COUNT, open.count);
        Append { open: (list.open(), update), closed: Some((list.closed(open.count), closed)) }
    };
    new.0.iter().map(append).collect()
}

/// The state of a list that its webhooks and sockets depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventHead {
    /// The number of the newest event; 0 if there has been none.
    pub newest: u64,
    /// How many webhooks read the list; `None` for none.
    pub hooks: Option<u32>,
    /// The time until which sockets may read the list.
    pub read_until: Option<Timestamp>,
    /// The number of the last event that was pushed to sockets.
    pub pushed: Option<u64>,
    /// When the list is due; `None` if the webhooks and sockets were notified of every event.
    pub due_at: Option<Timestamp>,
}

impl EventHead {
    fn of(EventRow { count: newest, hooks, read_until, pushed, due_at, .. }: EventRow) -> Self {
        Self { newest, hooks, read_until, pushed, due_at }
    }

    /// Whether a commit at `now` has to notify sockets.
    pub fn is_read(&self, now: Timestamp) -> bool {
        self.read_until > Some(now)
    }
}

/// Reads the head of a list. One round trip.
pub async fn head(store: &Store, list: &EventList) -> Result<EventHead, StoreError> {
    let row = store.get::<EventRow>(&list.open()).await?.unwrap_or_default();
    Ok(EventHead::of(row))
}

/// Reads the heads of lists, in their order; `None` for a list that has never had an event. One round trip.
pub async fn heads(
    store: &Store,
    lists: &[EventList],
) -> Result<Vec<Option<EventHead>>, StoreError> {
    let keys: Vec<_> = lists.iter().map(EventList::open).collect();
    let rows = store.get_many::<EventRow>(&keys).await?;
    Ok(rows.into_iter().map(|row| row.map(EventHead::of)).collect())
}

/// Sets how many webhooks read a list, if none was added or removed since its head was read.
fn with_hooks(before: &EventHead, hooks: u32) -> Update<EventRow> {
    let update = Update::new().create_or_change();
    let update = match before.hooks {
        Some(before) => update.if_equal(EventRow::HOOKS, before),
        None => update.if_absent(EventRow::HOOKS),
    };
    match hooks {
        // If the list is in the queue, the worker has to visit it once more for its sockets.
        0 if before.read_until.is_some() => update.remove(EventRow::HOOKS),
        0 => update.remove(EventRow::HOOKS).remove(EventRow::WATCH).remove(EventRow::DUE_AT),
        hooks => update.set(EventRow::HOOKS, hooks),
    }
}

/// Marks a list as read by sockets until `until`, if that mark has not changed since the head was read. If no
/// socket reads the list yet, pushing begins after its newest event.
fn read_until(head: &EventHead, now: Timestamp, until: Timestamp) -> Update<EventRow> {
    let update = Update::new().create_or_change().set(EventRow::READ_UNTIL, until);
    let update = match head.is_read(now) {
        true => update,
        false => update.set(EventRow::PUSHED, head.newest),
    };
    match head.read_until {
        Some(before) => update.if_equal(EventRow::READ_UNTIL, before),
        None => update.if_absent(EventRow::READ_UNTIL),
    }
}

/// Takes a list out of the worker's queue, unless an event was appended since its head was read.
fn told_up_to(head: &EventHead) -> Update<EventRow> {
    let told = Update::new().remove(EventRow::WATCH).remove(EventRow::DUE_AT);
    let told =
        if head.read_until.is_some() { told.set(EventRow::PUSHED, head.newest) } else { told };
    told.if_equal(EventRow::COUNT, head.newest)
}

/// Records the last event that was pushed to sockets, unless a later one is recorded already.
fn pushed_up_to(newest: u64) -> Update<EventRow> {
    Update::new().set(EventRow::PUSHED, newest).if_below(EventRow::PUSHED, newest)
}

/// Makes a list due at `at`, unless it is due later already.
fn postponed(at: Timestamp) -> Update<EventRow> {
    Update::new().set(EventRow::DUE_AT, at).if_below(EventRow::DUE_AT, at)
}

/// Some events of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPage {
    /// Oldest first.
    pub events: Vec<Event>,
    /// The number up to which the list has been read: the next page begins after it.
    pub next: u64,
    /// The number of the newest event; 0 if there has been none.
    pub newest: u64,
    /// The number of the oldest event that is kept; one more than `newest` if no event is kept.
    pub oldest: u64,
}

/// Why events cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EventsError {
    /// Events after that number have expired.
    #[error("Event {wanted} is no longer kept. The oldest one is {oldest}: read again what has changed, then go on after {}.", .oldest.saturating_sub(1))]
    TooOld {
        /// The number of the first event that was asked for.
        wanted: u64,
        /// The number of the oldest event that is kept, or else of the next one.
        oldest: u64,
    },
    /// No event has that number yet.
    #[error("must not be above {newest}, the number of the newest event")]
    NotYet {
        /// The number of the newest event.
        newest: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads at most `limit` events after a number, or from the oldest one on; only those of `types`, unless that
/// is empty. An answer may be shorter although there are more: the end of the list is reached once
/// [`EventPage::next`] equals [`EventPage::newest`]. `None` if the list has never had an event. Two round
/// trips, or three to begin with the oldest event.
pub async fn read(
    store: &Store,
    list: &EventList,
    after: Option<u64>,
    limit: usize,
    types: &[EventType],
) -> Result<Option<EventPage>, EventsError> {
    let most_rows = match types {
        [] => limit.div_ceil(FEWEST).saturating_add(1),
        _ => MOST_ROWS,
    };
    // The open row is read first, so an event in it cannot also be in the closed rows that are read up to its
    // first event.
    let Some(open) = store.get::<EventRow>(&list.open()).await? else { return Ok(None) };
    let (newest, first_open) = (open.count, open.first());
    let since = store.now().minus(KEPT);
    let last_closed = first_open.saturating_sub(1);
    let from_number = |after: u64| async move {
        match after.saturating_add(1) {
            first if first > last_closed => Ok(Vec::new()),
            first => {
                let ends = (&list.closed(first), &list.closed(last_closed));
                store.range::<EventRow>(ends, true, Some(most_rows)).await
            }
        }
    };
    let (oldest, closed) = match after {
        Some(after) if after > newest => return Err(EventsError::NotYet { newest }),
        Some(after) => {
            let oldest = oldest_closed(store, list, last_closed, since);
            let (oldest, closed) = tokio::try_join!(oldest, from_number(after))?;
            (oldest, closed)
        }
        None => {
            let oldest = oldest_closed(store, list, last_closed, since).await?;
            let closed = match oldest {
                Some(oldest) => from_number(oldest.saturating_sub(1)).await?,
                None => Vec::new(),
            };
            (oldest, closed)
        }
    };
    let oldest = oldest.unwrap_or_else(|| {
        let kept = (first_open..).zip(&open.events).find(|(_, event)| event.at >= since);
        kept.map_or(newest.saturating_add(1), |(sequence, _)| sequence)
    });
    let after = after.unwrap_or_else(|| oldest.saturating_sub(1));
    let wanted = after.saturating_add(1);
    if wanted < oldest {
        return Err(EventsError::TooOld { wanted, oldest });
    }
    let are_all = wanted >= first_open || closed.last().is_some_and(|row| row.count == last_closed);
    let rows = closed.into_iter().chain(are_all.then_some(open));
    let (mut events, mut next) = (Vec::new(), after);
    for event in rows.flat_map(EventRow::into_events).filter(|event| event.sequence > after) {
        if events.len() >= limit {
            break;
        }
        next = event.sequence;
        if types.is_empty() || types.contains(&event.change.kind) {
            events.push(event);
        }
    }
    Ok(Some(EventPage { events, next, newest, oldest }))
}

/// The number of the last event of a list that was written before `since` or has expired; reading continues
/// after it. Reads the newest rows only, as many as hold events since then.
pub async fn number_before(
    store: &Store,
    list: &EventList,
    since: Timestamp,
) -> Result<u64, StoreError> {
    let Some(open) = store.get::<EventRow>(&list.open()).await? else { return Ok(0) };
    let since = since.max(store.now().minus(KEPT));
    let mut last = open.first().saturating_sub(1);
    let before = |row: EventRow| {
        row.into_events().filter(|event| event.at < since).last().map(|event| event.sequence)
    };
    if let Some(number) = before(open) {
        return Ok(number);
    }
    while last > 0 {
        let ends = (&list.closed(1), &list.closed(last));
        let rows = store.range::<EventRow>(ends, false, Some(MOST_ROWS)).await?;
        let Some(first) = rows.last().map(EventRow::first) else { break };
        if let Some(number) = rows.into_iter().find_map(before) {
            return Ok(number);
        }
        last = first.saturating_sub(1);
    }
    Ok(last)
}

/// The number of the oldest event in closed rows that is kept. DynamoDB deletes rows some days after their
/// expiry, so the first rows it finds may have expired.
async fn oldest_closed(
    store: &Store,
    list: &EventList,
    last: u64,
    since: Timestamp,
) -> Result<Option<u64>, StoreError> {
    let (mut from, mut most) = (1_u64, 1_usize);
    while from <= last {
        let ends: (&Key, &Key) = (&list.closed(from), &list.closed(last));
        let rows = store.range::<EventRow>(ends, true, Some(most)).await?;
        let Some(end) = rows.last().map(|row| row.count) else { return Ok(None) };
        let mut events = rows.into_iter().flat_map(EventRow::into_events);
        if let Some(kept) = events.find(|event| event.at >= since) {
            return Ok(Some(kept.sequence));
        }
        from = end.saturating_add(1);
        most = most.saturating_mul(8).min(1_000);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(n: usize) -> Vec<StoredEvent> {
        let change = |n: usize| StateChange::of_state(EventType::Refund, n, None, "new");
        let event = |n: usize| StoredEvent {
            at: Timestamp(i64::try_from(n).unwrap_or_default()),
            change: change(n),
        };
        (1..=n).map(event).collect()
    }

    fn new_events(open: usize, new: usize) -> NewEvents {
        let row = EventRow { count: 20, events: stored(open), ..EventRow::default() };
        NewEvents([(EventList::scratch("some"), (row, stored(new)))].into())
    }

    #[test]
    fn a_row_is_closed_once_it_is_full_and_the_commit_has_room() {
        let closes = |open, new, actions: usize, may| {
            let appends = appends(&new_events(open, new), 100 - actions, may);
            appends.into_iter().filter_map(|append| append.closed).collect::<Vec<_>>()
        };
        for (open, new, actions, may) in
            [(0, 1, 0, true), (7, 1, 0, true), (0, 30, 0, true), (8, 1, 99, true), (8, 1, 0, false)]
        {
            assert!(closes(open, new, actions, may).is_empty(), "{open} {new} {actions} {may}");
        }
        for (open, new, actions) in [(8, 1, 98), (6, 3, 0), (1, 24, 0)] {
            let expires_at = Some(Timestamp(0).plus(KEPT).seconds().saturating_add(1));
            let row =
                EventRow { count: 20, events: stored(open), expires_at, ..EventRow::default() };
            let expected = (EventList::scratch("some").closed(20), row);
            assert_eq!(closes(open, new, actions, true), [expected], "{open} {new} {actions}");
        }
    }

    #[test]
    fn a_list_is_in_the_queue_if_somebody_reads_it_when_an_event_comes() {
        let is_watched = |row: EventRow| {
            let events = NewEvents([(EventList::scratch("some"), (row, stored(5)))].into());
            let appends = appends(&events, 100, true);
            assert_eq!(appends.len(), 1);
            appends.iter().any(|append| format!("{:?}", append.open.1).contains("#watch"))
        };
        let of = |hooks, read_until: Option<i64>| EventRow {
            hooks,
            read_until: read_until.map(Timestamp),
            ..EventRow::default()
        };
        for (hooks, read_until, watched) in [
            (None, None, false),
            (None, Some(5), false),
            (None, Some(6), true),
            (Some(1), None, true),
            (Some(1), Some(5), true),
        ] {
            assert_eq!(is_watched(of(hooks, read_until)), watched, "{hooks:?} {read_until:?}");
        }
    }

    #[test]
    fn the_place_of_an_event_is_its_number() {
        let row = EventRow { count: 20, events: stored(3), ..EventRow::default() };
        let numbers: Vec<_> = row.into_events().map(|event| event.sequence).collect();
        assert_eq!(numbers, [18, 19, 20]);
        assert_eq!(EventRow::default().first(), 1);
    }
}
