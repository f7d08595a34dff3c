//! The tail of a log: members that wait for their lists.
//!
//! A list is appended to under the condition that its head is unchanged, so of many concurrent writers only
//! one succeeds. Under such contention a writer leaves a *ticket* among its own rows, which names the lists
//! and the values to append. One of the waiting writers holds the *baton* and appends the tickets of all,
//! many in one commit. Each ticket is deleted by the commit that appends it, so none is appended twice even
//! if several writers do this concurrently; the baton only spares them the attempt. If a writer dies, the
//! next writer or the chain watcher ([`catch_up`]) appends its ticket.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use base::{clock::Timestamp, outbound::remaining};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::{By, Entry, List, ListHead, Log, SEGMENT, extended};
use crate::{
    Claimed, CommitError, Entity, Key, MOST_ACTIONS, Store, StoreError, UntypedRow, Update, Writes,
    fields,
    tally::{Sum, Tally},
};

/// Partitions of a tail: each takes 1,000 write units a second.
const SHARDS: u8 = 4;
/// For how long a writer that holds the baton appends the tickets of others.
const TURN: Duration = Duration::from_millis(100);
/// A baton that has not changed hands for this long may be taken by another writer.
const DEAD: Duration = Duration::from_millis(600);
/// The longest that a request waits for its ticket.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The pause between two checks, in ms: shortest and longest.
const PAUSE: (u64, u64) = (15, 45);
/// Tickets that are read from each shard of a tail: more than one commit can append.
const MOST_READ: usize = 60;
/// Attempts to append the same tickets.
const ATTEMPTS: u32 = 8;

/// Members that wait for their lists, and additions that wait for their sums.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ticket {
    at: Timestamp,
    shares: Vec<TicketShare>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sums: Vec<Addition>,
}

/// A number to add to a sum.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Addition {
    sum: Sum,
    by: i64,
}

/// A value, and the names of the lists to which it is appended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TicketShare {
    value: Value,
    lists: Vec<String>,
}

impl Entity for Ticket {
    const ENTITY: &'static str = TICKET;
}

const TICKET: &str = "ticket";

fields!(Ticket { AT: Timestamp = at });

impl Ticket {
    /// An empty ticket.
    pub(super) fn new(at: Timestamp) -> Self {
        Self { at, shares: Vec::new(), sums: Vec::new() }
    }

    /// Whether it has neither members nor additions.
    pub(super) fn is_empty(&self) -> bool {
        self.shares.is_empty() && self.sums.is_empty()
    }

    /// Adds the additions of a tally.
    pub(super) fn add_sums(&mut self, tally: Tally) {
        self.sums.extend(tally.into_sums().map(|(sum, by)| Addition { sum, by }));
    }

    /// The additions to sums.
    fn tally(&self, log: Log) -> Tally {
        let mut tally = Tally::default();
        for Addition { sum, by } in &self.sums {
            tally.add(log.table(), sum.clone(), *by);
        }
        tally
    }

    /// Adds a member of a list.
    ///
    /// # Errors
    /// [`StoreError::Dynamo`] if it cannot be written as JSON.
    pub(super) fn add(&mut self, list: &List, value: impl Serialize) -> Result<(), StoreError> {
        let value = serde_json::to_value(value);
        let value = value.map_err(|error| StoreError::Dynamo(error.to_string()))?;
        let list = list.name().to_owned();
        match self.shares.last_mut() {
            Some(share) if share.value == value => share.lists.push(list),
            _ => self.shares.push(TicketShare { value, lists: vec![list] }),
        }
        Ok(())
    }

    /// The lists that it names, each as often as it is named.
    fn lists(&self, log: Log) -> Vec<List> {
        let names = self.shares.iter().flat_map(|share| &share.lists);
        names.map(|name| log.list(name)).collect()
    }

    /// A random key for it in the tail.
    pub(super) fn key(&self, store: &Store, log: Log) -> Key {
        let id = store.random.bytes::<8>();
        let shard = id.last().map_or(0, |byte| byte % SHARDS);
        log.ticket(shard, self.at, &hex::encode(id))
    }
}

/// A ticket as read. Its writer may be a newer version of the service, so its content is parsed later.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredTicket {
    pk: String,
    sk: String,
    at: Timestamp,
    #[serde(default)]
    shares: Value,
    #[serde(default)]
    sums: Option<Value>,
}

impl Entity for StoredTicket {
    const ENTITY: &'static str = TICKET;
}

/// The right to append the tickets of a log, held by one writer at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Baton {
    /// How often it was taken.
    turn: u64,
    /// Whether a writer holds it.
    held: bool,
}

impl Baton {
    /// Whether a writer is appending tickets.
    pub(super) fn is_held(self) -> bool {
        self.held
    }
}

impl Entity for Baton {
    const ENTITY: &'static str = "baton";
}

fields!(Baton { TURN: u64 = turn, HELD: bool = held });

/// Waits until a ticket is in its lists, at most two seconds, and takes turns at appending the tickets of
/// others.
pub(super) async fn wait(store: &Store, log: Log, key: &Key, ticket: &Ticket) {
    let mut turn = Turn { store, log, key, ticket, seen: None };
    let begun = Instant::now();
    while begun.elapsed() < LONGEST_WAIT && !remaining().is_zero() {
        match turn.go_on().await {
            Ok(Waiting::Done) => return,
            Ok(Waiting::Still) => {}
            Err(error) => tracing::warn!(%error, "failed to check on a ticket"),
        }
        pause(store).await;
    }
    tracing::warn!(ticket = key.sk(), tail = key.pk(), "a ticket still waits for its lists");
}

async fn pause(store: &Store) {
    let (shortest, longest) = PAUSE;
    let pause = shortest.saturating_add(store.random.up_to(longest.saturating_sub(shortest)));
    sleep(Duration::from_millis(pause)).await;
}

/// Whether a ticket still waits for its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Still,
    Done,
}

/// A writer that waits for its ticket.
struct Turn<'a> {
    store: &'a Store,
    log: Log,
    key: &'a Key,
    ticket: &'a Ticket,
    /// The turn of another writer, and since when this one has seen it.
    seen: Option<(u64, Instant)>,
}

impl Turn<'_> {
    /// Checks the ticket and the baton, and takes the baton if it is free or its holder seems to be dead.
    async fn go_on(&mut self) -> Result<Waiting, StoreError> {
        let rows = self.store.get_all(&[self.key.clone(), self.log.baton()]).await?;
        let [Some(_), baton] = rows.as_slice() else { return Ok(Waiting::Done) };
        let baton = baton.clone().map(UntypedRow::read::<Baton>).transpose()?.unwrap_or_default();
        let since = match self.seen {
            Some((turn, since)) if turn == baton.turn => since,
            _ => Instant::now(),
        };
        self.seen = Some((baton.turn, since));
        if baton.held && since.elapsed() < DEAD {
            return Ok(Waiting::Still);
        }
        self.take(baton.turn).await
    }

    /// Takes the baton after turn `last`, unless another writer does, and appends the tickets.
    async fn take(&self, last: u64) -> Result<Waiting, StoreError> {
        let (store, log, turn) = (self.store, self.log, last.saturating_add(1));
        let (baton, taken) = (log.baton(), Baton { turn, held: true });
        let unchanged = Update::new().if_equal(Baton::TURN, last);
        let (claimed, tickets, heads) = tokio::join!(
            store.claim(&baton, &taken, Some(unchanged)),
            Tickets::read(store, log),
            heads(store, self.ticket.lists(log)),
        );
        if matches!(claimed, Ok(Claimed::Existing(_))) {
            return Ok(Waiting::Still);
        }
        let done = async {
            claimed?;
            let (tickets, heads) = (tickets?, heads?);
            Drain { store, log, tickets, heads }.run(Some(self.key), TURN).await
        };
        let done = done.await;
        // Also if it is unknown whether the baton was taken: the condition names this turn.
        let free = Update::new().set(Baton::HELD, false).if_equal(Baton::TURN, turn);
        store.update(&baton, free).await?;
        done
    }
}

/// Appends tickets whose writers no longer wait for them. Returns how long the oldest ticket has waited.
///
/// # Errors
/// [`StoreError`]: the tail cannot be read.
pub async fn catch_up(store: &Store, log: Log) -> Result<Duration, StoreError> {
    let tickets = Tickets::read(store, log).await?;
    let Some(oldest) = tickets.oldest else { return Ok(Duration::ZERO) };
    let waited = store.now().0.saturating_sub(oldest.0);
    let waited = Duration::from_millis(u64::try_from(waited).unwrap_or_default());
    if waited > LONGEST_WAIT {
        let mut drain = Drain { store, log, tickets, heads: Heads::new() };
        if let Err(error) = drain.run(None, LONGEST_WAIT).await {
            tracing::error!(?log, %error, "failed to append the waiting list entries");
        }
    }
    Ok(waited)
}

/// Tickets of a tail, oldest first.
struct Tickets {
    waiting: VecDeque<(Key, Ticket)>,
    /// When the oldest was written, including tickets that cannot be read.
    oldest: Option<Timestamp>,
    /// Whether the tail has no further tickets.
    is_all: bool,
}

impl Tickets {
    /// Reads the tickets. Those that this version of the service cannot read are left to another version.
    async fn read(store: &Store, log: Log) -> Result<Self, StoreError> {
        let ranges: Vec<_> = (0..SHARDS).map(|shard| log.tickets(shard)).collect();
        let parts =
            ranges.iter().map(|(low, high)| store.range((low, high), true, Some(MOST_READ)));
        let parts: Vec<Vec<StoredTicket>> = try_join_all(parts).await?;
        let is_all = parts.iter().all(|part| part.len() < MOST_READ);
        let found: Vec<_> = parts.into_iter().flatten().collect();
        let oldest = found.iter().map(|found| found.at).min();
        let mut waiting = Vec::new();
        for StoredTicket { pk, sk, at, shares, sums } in found {
            let sums = sums.map_or(Ok(Vec::new()), serde_json::from_value);
            let ticket = sums
                .and_then(|sums| Ok(Ticket { at, shares: serde_json::from_value(shares)?, sums }));
            match ticket {
                Ok(ticket) => waiting.push((log.stored(pk, sk), ticket)),
                Err(error) => tracing::error!(%error, pk, sk, "a ticket cannot be read"),
            }
        }
        waiting.sort_by(|(one, _), (other, _)| one.sk().cmp(other.sk()));
        Ok(Self { waiting: waiting.into(), oldest, is_all })
    }

    fn hold(&self, key: &Key) -> bool {
        self.waiting.iter().any(|(other, _)| other == key)
    }
}

async fn heads(store: &Store, lists: Vec<List>) -> Result<Heads, StoreError> {
    let keys: Vec<_> = lists.iter().map(List::head).collect();
    Ok(lists.into_iter().zip(store.get_many(&keys).await?).collect())
}

/// Heads of lists, as they were last read or written; `None` for an empty list.
type Heads = BTreeMap<List, Option<ListHead>>;

/// Appends the tickets of a tail.
struct Drain<'a> {
    store: &'a Store,
    log: Log,
    tickets: Tickets,
    heads: Heads,
}

impl Drain<'_> {
    /// Appends tickets, oldest first, for `longest`. Returns whether the ticket `own` is appended.
    async fn run(&mut self, own: Option<&Key>, longest: Duration) -> Result<Waiting, StoreError> {
        let begun = Instant::now();
        let (mut attempt, mut has_seen_own) = (0, false);
        loop {
            // Another writer may have appended it.
            let holds_own = own.is_some_and(|own| self.tickets.hold(own));
            let is_own_done = !holds_own && (has_seen_own || self.tickets.is_all || own.is_none());
            has_seen_own |= holds_own;
            let is_over = begun.elapsed() >= longest || remaining().is_zero();
            if self.tickets.waiting.is_empty() || is_over {
                return Ok(if is_own_done { Waiting::Done } else { Waiting::Still });
            }
            match self.append_some().await {
                Ok(()) => attempt = 0,
                Err(CommitError::Condition(()) | CommitError::Contended) if attempt < ATTEMPTS => {
                    self.store.pause(attempt).await;
                    attempt = attempt.saturating_add(1);
                    self.heads.clear();
                    self.tickets = Tickets::read(self.store, self.log).await?;
                }
                Err(CommitError::Store(error)) => return Err(error),
                Err(_) => return Err(StoreError::Unavailable("a tail is contended".to_owned())),
            }
        }
    }

    /// Makes one commit, and reads the remaining tickets in the meantime.
    async fn append_some(&mut self) -> Result<(), CommitError<()>> {
        let batch = Batch::of(self.log, &self.tickets.waiting);
        let lists = batch.entries.keys().filter(|list| !self.heads.contains_key(*list));
        let unknown: Vec<_> = lists.cloned().collect();
        if !unknown.is_empty() {
            self.heads.extend(heads(self.store, unknown).await?);
        }
        let (writes, after) = batch.writes(&self.tickets.waiting, &self.heads);
        let reading = async { Ok(Tickets::read(self.store, self.log).await?) };
        let ((), mut found) = tokio::try_join!(self.store.try_commit(writes), reading)?;
        self.heads.extend(after);
        let done: BTreeSet<_> =
            self.tickets.waiting.drain(..batch.tickets).map(|(key, _)| key).collect();
        found.waiting.retain(|(key, _)| !done.contains(key));
        self.tickets = found;
        Ok(())
    }
}

/// The first tickets of a tail, as many as fit into one commit.
struct Batch {
    tickets: usize,
    entries: BTreeMap<List, Vec<Entry<Value>>>,
    tally: Tally,
}

impl Batch {
    fn of(log: Log, tickets: &VecDeque<(Key, Ticket)>) -> Self {
        let mut batch = Self { tickets: 0, entries: BTreeMap::new(), tally: Tally::default() };
        let mut actions = 0_usize;
        for (_, ticket) in tickets {
            let shares = ticket.shares.iter().flat_map(|TicketShare { value, lists }| {
                lists.iter().map(move |name| (log.list(name), value))
            });
            // The deletion of the ticket, the head of each new list, and the rows for which the last ones
            // have no room.
            let rows = shares.clone().map(|(list, _)| match batch.entries.get(&list) {
                None => 2,
                Some(entries) => usize::from(entries.len().is_multiple_of(SEGMENT)),
            });
            actions = actions.saturating_add(1).saturating_add(rows.sum());
            let mut tally = batch.tally.clone();
            tally.join(ticket.tally(log));
            if actions.saturating_add(tally.rows()) > MOST_ACTIONS && batch.tickets > 0 {
                break;
            }
            batch.tally = tally;
            batch.tickets = batch.tickets.saturating_add(1);
            for (list, value) in shares {
                let entry = Entry { value: value.clone(), created_at: ticket.at };
                batch.entries.entry(list).or_default().push(entry);
            }
        }
        batch
    }

    /// The commit, and the heads after it.
    fn writes(&self, tickets: &VecDeque<(Key, Ticket)>, heads: &Heads) -> (Writes<()>, Heads) {
        let mut writes = Writes::new().with_tally(self.tally.clone());
        for (key, ticket) in tickets.iter().take(self.tickets) {
            writes = writes.delete(key, Update::new().if_equal(Ticket::AT, ticket.at), ());
        }
        let mut after = BTreeMap::new();
        for (list, entries) in &self.entries {
            let head = heads.get(list).copied().flatten();
            let moved;
            (writes, moved) = extended(writes, list, head, entries.clone(), By::Ticket, || ());
            after.insert(list.clone(), moved);
        }
        (writes, after)
    }
}
