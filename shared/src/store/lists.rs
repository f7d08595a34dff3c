//! Append-only lists in which every page costs as much to read as the first.
//!
//! A list has a *head* row that counts its members, and one row per member, numbered from 1 without gaps.
//! Page `p` of size `s`, newest first, is the range `count - p*s + 1 ..= count - (p-1)*s`. Any page takes one
//! read of the head and one query, and the head gives the total.
//!
//! Invariant: the members of a list are `1..=count`, each exactly once, in the order of their `createdAt`.
//! The head and the members are written in the same [`Writes`] as the rows that the members refer to.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{CommitError, Entity, Key, Store, StoreError, Update, Writes, fields, keys::List};
use crate::{clock::Timestamp, outbound::remaining};

/// Attempts to append to a contended list before giving up.
const ATTEMPTS: u32 = 40;

/// The head of a list.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListHead {
    count: u64,
    /// `createdAt` of the newest member. The next member is never older, even if its writer's clock is
    /// behind.
    last_at: Timestamp,
}

impl Entity for ListHead {
    const ENTITY: &'static str = "listHead";
}

fields!(ListHead {
    pub COUNT: u64 = count,
    LAST_AT: Timestamp = last_at,
});

/// A member with its number and value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member<T> {
    /// Number in the list, from 1.
    pub n: u64,
    /// The appended value.
    pub value: T,
    /// The time passed to the draft of [`append`].
    pub created_at: Timestamp,
    /// The call of [`append`] that wrote the member: 16 random bytes in hex.
    #[serde(default)]
    appended_by: String,
}

impl<T: Serialize + DeserializeOwned> Entity for Member<T> {
    const ENTITY: &'static str = MEMBER;
}

const MEMBER: &str = "listMember";

/// The author of a member: the call of [`append`] that wrote it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryAuthor {
    #[serde(default)]
    appended_by: String,
}

impl Entity for EntryAuthor {
    const ENTITY: &'static str = MEMBER;
}

/// When a member was appended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryTime {
    created_at: Timestamp,
}

impl Entity for EntryTime {
    const ENTITY: &'static str = MEMBER;
}

/// The order in which a list is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Oldest member first.
    OldestFirst,
    /// Newest member first.
    NewestFirst,
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageWindow {
    /// Number of the page, from 1.
    pub page: u64,
    /// Members per page, at least 1.
    pub size: u64,
}

impl PageWindow {
    /// The first and last member number of this page in a list of `count`; `None` if the page is past the
    /// end.
    fn range(self, count: u64, order: Order) -> Option<(u64, u64)> {
        let skipped = self.page.checked_sub(1)?.checked_mul(self.size)?;
        let left = count.checked_sub(skipped).filter(|&left| left > 0)?;
        let taken = left.min(self.size);
        match order {
            Order::OldestFirst => Some((skipped.checked_add(1)?, skipped.checked_add(taken)?)),
            Order::NewestFirst => Some((left.checked_sub(taken)?.checked_add(1)?, left)),
        }
    }
}

/// Some members of a list, and the size of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice<T> {
    /// In the requested order.
    pub members: Vec<Member<T>>,
    /// Members in the whole list.
    pub total: u64,
}

/// Writes new rows and appends members to lists, all or none.
///
/// `draft` returns the writes and the members to append. Its argument is the creation time: the present, or
/// the list's newest `createdAt` if that is later, so that numbers and times have the same order. Each
/// attempt calls it again. After contention on a head, the next attempt follows a random pause.
///
/// # Errors
/// [`CommitError::Condition`] if a condition of the draft failed; nothing was written.
/// [`CommitError::Contended`] if every attempt met another writer or the request ran out of time; nothing was
/// written. [`CommitError::Store`] if it is unknown whether all or nothing was written; a draft with a
/// uniqueness condition can safely be appended again.
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
    let heads: Vec<_> = lists.iter().map(List::head).collect();
    let author = hex::encode(store.random.bytes::<16>());
    let mut tried = None;
    for attempt in 0..ATTEMPTS {
        let (counts, done) =
            tokio::try_join!(counts(store, &heads), written_by(store, &author, tried))?;
        if let Some(at) = done {
            return Ok(at);
        }
        let newest = counts.iter().flatten().map(|head| head.last_at).max().unwrap_or_default();
        let at = store.now().max(newest);
        let (drafted, values) = draft(at);
        let mut writes = drafted.map(Failure::Draft);
        tried = None;
        for (place, (list, head)) in lists.iter().zip(counts).enumerate() {
            let before = head.unwrap_or_default().count;
            let mut n = before;
            for (_, value) in values.iter().filter(|(list, _)| *list == place) {
                n = n.saturating_add(1);
                let (value, appended_by) = (value.clone(), author.clone());
                let member = Member { n, value, created_at: at, appended_by };
                tried = tried.or_else(|| Some((list.member(n), at)));
                writes = writes.insert(&list.member(n), &member, Failure::Moved);
            }
            writes = match head {
                _ if n == before => writes,
                None => {
                    writes.insert(&list.head(), &ListHead { count: n, last_at: at }, Failure::Moved)
                }
                Some(_) => {
                    let advance = Update::new()
                        .set(ListHead::COUNT, n)
                        .set(ListHead::LAST_AT, at)
                        .if_equal(ListHead::COUNT, before);
                    writes.update(&list.head(), advance, Failure::Moved)
                }
            };
        }
        match store.try_commit(writes).await {
            Ok(()) => return Ok(at),
            Err(CommitError::Condition(Failure::Draft(error))) => {
                return Err(CommitError::Condition(error));
            }
            Err(CommitError::Condition(Failure::Moved) | CommitError::Contended) => {
                if remaining().is_zero() {
                    break;
                }
                store.pause(attempt).await;
            }
            Err(CommitError::Store(error)) => return Err(CommitError::Store(error)),
        }
    }
    Err(CommitError::Contended)
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
    M: Serialize + DeserializeOwned,
{
    let member = Member { n: 1, value, created_at: at, appended_by: String::new() };
    writes.insert(&list.head(), &ListHead { count: 1, last_at: at }, begun()).insert(
        &list.member(1),
        &member,
        begun(),
    )
}

async fn counts(store: &Store, heads: &[Key]) -> Result<Vec<Option<ListHead>>, StoreError> {
    match heads {
        [head] => Ok(vec![store.get(head).await?]),
        heads => store.get_many(heads).await,
    }
}

/// When the previous attempt was committed, if it was. A commit whose response was lost is repeated and then
/// refused, although it succeeded.
async fn written_by(
    store: &Store,
    author: &str,
    tried: Option<(Key, Timestamp)>,
) -> Result<Option<Timestamp>, StoreError> {
    let Some((member, at)) = tried else { return Ok(None) };
    let written = store.get::<EntryAuthor>(&member).await?;
    Ok(written.filter(|member| member.appended_by == author).map(|_| at))
}

enum Failure<E> {
    /// A condition of the caller.
    Draft(E),
    /// Another writer moved the head first.
    Moved,
}

/// Reads one page: two round trips, or one if the page is empty.
///
/// # Errors
/// [`StoreError`].
pub async fn page<T>(
    store: &Store,
    list: &List,
    window: PageWindow,
    order: Order,
) -> Result<Slice<T>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    let total = total(store, list).await?;
    let members = match window.range(total, order) {
        Some((low, high)) => members(store, list, low, high, order).await?,
        None => Vec::new(),
    };
    Ok(Slice { members, total })
}

/// Reads all members, oldest first; `None` if there are more than `most`.
///
/// # Errors
/// [`StoreError`].
pub async fn all<T>(
    store: &Store,
    list: &List,
    most: u64,
) -> Result<Option<Vec<Member<T>>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    match total(store, list).await? {
        0 => Ok(Some(Vec::new())),
        total if total > most => Ok(None),
        total => members(store, list, 1, total, Order::OldestFirst).await.map(Some),
    }
}

/// The number of members, in one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn total(store: &Store, list: &List) -> Result<u64, StoreError> {
    Ok(store.get::<ListHead>(&list.head()).await?.unwrap_or_default().count)
}

/// The members between two numbers, inclusive, oldest first: one round trip per MB.
///
/// # Errors
/// [`StoreError`].
pub async fn between<T>(
    store: &Store,
    list: &List,
    (low, high): (u64, u64),
) -> Result<Vec<Member<T>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    members(store, list, low, high, Order::OldestFirst).await
}

/// The number of the first member in `1..=up_to` that was appended at `at` or later; `up_to + 1` if there is
/// none. A binary search with one round trip per step.
///
/// # Errors
/// [`StoreError`].
pub async fn first_from(
    store: &Store,
    list: &List,
    up_to: u64,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let (mut low, mut high) = (1, up_to.saturating_add(1));
    while low < high {
        let middle = low.midpoint(high);
        let member = store.get::<EntryTime>(&list.member(middle)).await?;
        let member = member.ok_or_else(|| StoreError::Dynamo("a list has a gap".to_owned()))?;
        if member.created_at < at {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    Ok(low)
}

async fn members<T>(
    store: &Store,
    list: &List,
    low: u64,
    high: u64,
    order: Order,
) -> Result<Vec<Member<T>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    let ends = (&list.member(low), &list.member(high));
    store.range(ends, order == Order::OldestFirst, None).await
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Pages neither overlap nor omit a member, in both orders.
        #[test]
        fn pages_tile_the_list(count in 0_u64..500, size in 1_u64..=100) {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let mut seen = Vec::new();
                for page in 1.. {
                    let Some((low, high)) = (PageWindow { page, size }).range(count, order) else { break };
                    prop_assert!(high - low < size);
                    match order {
                        Order::OldestFirst => seen.extend(low..=high),
                        Order::NewestFirst => seen.extend((low..=high).rev()),
                    }
                }
                if order == Order::NewestFirst {
                    seen.reverse();
                }
                prop_assert_eq!(&seen, &(1..=count).collect::<Vec<_>>());
            }
        }

        #[test]
        fn no_page_number_overflows(page: u64, size in 1_u64.., count: u64) {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let _ = PageWindow { page, size }.range(count, order);
            }
        }
    }
}
