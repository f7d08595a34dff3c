//! Appends members: directly to lists without contention, and through the tail of their log to the others.
//! Additions to sums take the same way.

use base::{clock::Timestamp, outbound::remaining};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    By, Entry, List, ListHead, Log, MEMBER, extended,
    tail::{self, Baton, Ticket},
};
use crate::{CommitError, Entity, Key, Store, StoreError, UntypedRow, Update, Writes};

/// Attempts to append to a contended list before giving up.
const ATTEMPTS: u32 = 40;

/// The call of [`append`] that wrote a member.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryAuthor {
    #[serde(default)]
    appended_by: String,
}

impl Entity for EntryAuthor {
    const ENTITY: &'static str = MEMBER;
}

/// Writes new rows and appends members to lists, all or nothing.
///
/// `draft` returns the writes and the members to append. Its argument is the creation time: the present, or
/// the list's newest `createdAt` if that is later, so that numbers and times have the same order. Each
/// attempt calls it again, after contention on a head with a random pause before.
///
/// If the lists belong to a log, members for lists with recent contention wait in the log's tail instead, and
/// this call waits for them, at most two seconds. Their `createdAt` may be later than the time that is
/// returned.
///
/// # Errors
/// [`CommitError::Condition`] if a condition of the draft failed; nothing was written.
/// [`CommitError::Contended`] if every attempt conflicted with another writer or the request ran out of time;
/// nothing was written. [`CommitError::Store`] if it is unknown whether all or nothing was written; a draft
/// with a uniqueness condition can safely be appended again.
pub async fn append<E, M>(
    store: &Store,
    lists: &[List],
    draft: impl Fn(Timestamp) -> (Writes<E>, M),
) -> Result<Timestamp, CommitError<E>>
where
    M: Serialize + DeserializeOwned + Clone,
{
    append_each(store, lists, |at| {
        let (drafted, value) = draft(at);
        (drafted, (0..lists.len()).map(|list| (list, value.clone())).collect())
    })
    .await
}

/// Like [`append`], for lists that get different members. The draft assigns each member to an index of
/// `lists`, in the order of appending.
///
/// # Errors
/// As [`append`].
pub async fn append_each<E, M>(
    store: &Store,
    lists: &[List],
    draft: impl Fn(Timestamp) -> (Writes<E>, Vec<(usize, M)>),
) -> Result<Timestamp, CommitError<E>>
where
    M: Serialize + DeserializeOwned + Clone,
{
    let author = hex::encode(store.random.bytes::<16>());
    let log = lists.iter().find_map(List::log);
    let heads_of: Vec<_> = lists.iter().map(List::head).collect();
    let mut ways = vec![Way::Direct; lists.len()];
    let mut earlier: Option<Vec<Option<ListHead>>> = None;
    let mut tried = None;
    for attempt in 0..ATTEMPTS {
        let ((heads, is_busy), done) =
            tokio::try_join!(heads(store, &heads_of, log), written_by(store, &author, tried))?;
        if let Some(at) = done {
            return Ok(at);
        }
        let now = store.now();
        for (place, way) in ways.iter_mut().enumerate().filter(|_| log.is_some()) {
            let (list, head) = (lists.get(place), heads.get(place));
            let earlier = earlier.as_ref().map(|earlier| earlier.get(place));
            let is_shared = head.copied().flatten().is_some_and(|head| head.is_shared(now));
            if is_shared || is_busy && list.is_some_and(|list| list.log().is_some()) {
                *way = Way::Tail;
            } else if earlier.is_some_and(|earlier| earlier != head) {
                *way = Way::NewlyTail;
            }
        }
        let direct = heads.iter().zip(&ways).filter(|(_, way)| **way == Way::Direct);
        let newest = direct.filter_map(|(head, _)| Some(head.as_ref()?.last_at)).max();
        let at = now.max(newest.unwrap_or_default());
        let (drafted, values) = draft(at);
        let mut writes = drafted.map(Failure::Draft);
        let mut ticket = Ticket::new(at);
        let is_direct = attempt == 0 && ways.iter().all(|way| *way == Way::Direct);
        if log.is_some() && (is_busy || !is_direct) {
            ticket.add_sums(writes.take_tally());
        }
        tried = None;
        let places = lists.iter().zip(&heads).zip(&ways).enumerate();
        for (place, ((list, head), way)) in places {
            let values = values.iter().filter(|(list, _)| *list == place).map(|(_, value)| value);
            if *way != Way::Direct {
                if *way == Way::NewlyTail {
                    let shared = Update::new().set(ListHead::SHARED_AT, at);
                    writes = writes.update(&list.head(), shared, Failure::Moved);
                }
                for value in values {
                    ticket.add(list, value)?;
                }
                continue;
            }
            let entries = values.map(|value| Entry { value: value.clone(), created_at: at });
            let (entries, by) = (entries.collect(), By::Author(&author));
            let after;
            (writes, after) = extended(writes, list, *head, entries, by, || Failure::Moved);
            tried = tried.or(after.map(|head| (list.member(head.count), at)));
        }
        let waits = log.filter(|_| !ticket.is_empty()).map(|log| (log, ticket.key(store, log)));
        if let Some((_, key)) = &waits {
            writes = writes.insert(key, &ticket, Failure::Moved);
        }
        match store.commit(writes).await {
            Ok(()) => {
                if let Some((log, key)) = waits {
                    Box::pin(tail::wait(store, log, &key, &ticket)).await;
                }
                return Ok(at);
            }
            Err(CommitError::Condition(Failure::Draft(error))) => {
                return Err(CommitError::Condition(error));
            }
            Err(CommitError::Condition(Failure::Moved) | CommitError::Contended) => {
                if remaining().is_zero() {
                    break;
                }
                earlier = Some(heads);
                store.pause(attempt).await;
            }
            Err(CommitError::Store(error)) => return Err(CommitError::Store(error)),
        }
    }
    Err(CommitError::Contended)
}

/// Commits writes that add to sums to which others may add concurrently. In that case the additions wait in
/// the tail of the log, and this call waits for them, at most two seconds. The writes must have a condition
/// that they themselves make false, so that they cannot be made twice.
///
/// # Errors
/// As [`Store::commit`].
pub async fn commit<E: Clone>(
    store: &Store,
    log: Log,
    writes: Writes<E>,
) -> Result<(), CommitError<E>> {
    let writes = writes.map(Failure::Draft);
    let mut is_busy = baton(store, log).await?.is_held();
    for attempt in 0..ATTEMPTS {
        let mut writes = writes.clone();
        let mut ticket = Ticket::new(store.now());
        if is_busy {
            ticket.add_sums(writes.take_tally());
        }
        let waits = (!ticket.is_empty()).then(|| ticket.key(store, log));
        if let Some(key) = &waits {
            writes = writes.insert(key, &ticket, Failure::Moved);
        }
        // On contention, leave a ticket instead of retrying the same transaction.
        let sent = match waits {
            Some(_) => store.commit(writes).await,
            None => store.try_commit(writes).await,
        };
        match sent {
            Ok(()) => {
                if let Some(key) = waits {
                    Box::pin(tail::wait(store, log, &key, &ticket)).await;
                }
                return Ok(());
            }
            Err(CommitError::Condition(Failure::Draft(error))) => {
                return Err(CommitError::Condition(error));
            }
            Err(CommitError::Condition(Failure::Moved) | CommitError::Contended) => {
                if remaining().is_zero() {
                    break;
                }
                is_busy = true;
                store.pause(attempt).await;
            }
            Err(CommitError::Store(error)) => return Err(CommitError::Store(error)),
        }
    }
    Err(CommitError::Contended)
}

async fn baton(store: &Store, log: Log) -> Result<Baton, StoreError> {
    Ok(store.get(&log.baton()).await?.unwrap_or_default())
}

/// How a member gets into a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Directly, after the head as it was read.
    Direct,
    /// By a ticket, because other writers do so.
    Tail,
    /// By a ticket, because it conflicted with another write; the head then tells the next writers to do the
    /// same.
    NewlyTail,
}

/// Reads heads, and whether a writer is appending the tickets of a log.
async fn heads(
    store: &Store,
    heads: &[Key],
    log: Option<Log>,
) -> Result<(Vec<Option<ListHead>>, bool), StoreError> {
    let Some(log) = log else {
        return match heads {
            [head] => Ok((vec![store.get(head).await?], false)),
            heads => Ok((store.get_many(heads).await?, false)),
        };
    };
    let keys: Vec<_> = heads.iter().cloned().chain([log.baton()]).collect();
    let mut rows = store.get_all(&keys).await?;
    let baton = rows.pop().flatten().map(UntypedRow::read::<Baton>).transpose()?;
    let heads = rows.into_iter().map(|row| row.map(UntypedRow::read).transpose());
    Ok((heads.collect::<Result<_, _>>()?, baton.is_some_and(Baton::is_held)))
}

/// Adds the first member of a list that cannot exist yet, because its owner is created in the same writes.
#[must_use]
pub fn start<E, M>(
    writes: Writes<E>,
    list: &List,
    value: M,
    at: Timestamp,
    begun: impl Fn() -> E,
) -> Writes<E>
where
    M: Serialize + DeserializeOwned + Clone,
{
    extended(writes, list, None, vec![Entry { value, created_at: at }], By::Author(""), begun).0
}

/// The time of the previous attempt, if it was committed. The SDK repeats a commit whose response was lost,
/// and the repetition is refused although the commit succeeded.
async fn written_by(
    store: &Store,
    author: &str,
    tried: Option<(Key, Timestamp)>,
) -> Result<Option<Timestamp>, StoreError> {
    let Some((member, at)) = tried else { return Ok(None) };
    let written = store.get::<EntryAuthor>(&member).await?;
    Ok(written.filter(|member| member.appended_by == author).map(|_| at))
}

#[derive(Clone)]
enum Failure<E> {
    /// A condition of the caller.
    Draft(E),
    /// Another writer changed the head first.
    Moved,
}
