//! Lists: append-only collections of which any page costs what the first one costs.
//!
//! A list is a *head* row that counts its members, and one row per member, numbered densely from
//! one. Page `p` of size `s`, newest first, is the range `count - p*s + 1 ..= count - (p-1)*s`: one
//! read of the head and one query, whatever `p` is; the total is the head.
//!
//! Invariant: the members of a list are `1..=count`, each exactly once, in the order of their
//! `createdAt`. The head is advanced, and the members are written, in the writes that writes
//! what the members stand for.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{CommitError, Entity, Key, Store, StoreError, Update, Writes, keys::List};
use crate::{clock::Timestamp, outbound::remaining};

/// Attempts to append to a busy list before giving up.
const ATTEMPTS: u32 = 40;

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    count: u64,
    /// `createdAt` of the newest member: the next one is not older, whatever its writer's clock says.
    last_at: Timestamp,
}

impl Entity for Head {
    const ENTITY: &'static str = "listHead";
}

/// A member: its number, and what was appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member<T> {
    /// Its place in the list, from 1.
    pub n: u64,
    /// What was appended.
    pub value: T,
    /// When: `at` of the call of [`append`].
    pub created_at: Timestamp,
    /// Which call of [`append`] wrote it, 16 random bytes in hex.
    #[serde(default)]
    appended_by: String,
}

impl<T: Serialize + DeserializeOwned> Entity for Member<T> {
    const ENTITY: &'static str = MEMBER;
}

const MEMBER: &str = "listMember";

/// Of a member, which call of [`append`] wrote it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Author {
    #[serde(default)]
    appended_by: String,
}

impl Entity for Author {
    const ENTITY: &'static str = MEMBER;
}

/// Of a member, when it was appended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    created_at: Timestamp,
}

impl Entity for Written {
    const ENTITY: &'static str = MEMBER;
}

/// The direction in which a list is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// First appended, first read.
    OldestFirst,
    /// Last appended, first read.
    NewestFirst,
}

/// A page, from 1, and how many members it has at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// From 1.
    pub page: u64,
    /// At least 1.
    pub size: u64,
}

impl Window {
    /// The first and last number of this page of a list of `count`, if it is not past the end.
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

/// Some members of a list, and how many it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice<T> {
    /// In the order asked for.
    pub members: Vec<Member<T>>,
    /// How many the list has.
    pub total: u64,
}

/// Writes something new and its place in lists, all or none.
///
/// `draft` makes the writes and what the lists shall carry; it gets the moment that the new thing
/// is created at: the present, or the list's newest `createdAt` where that is later, so that
/// numbers and times agree. It is called again for every attempt. Contention on a head is
/// answered with another attempt after a random pause.
///
/// # Errors
/// [`CommitError::Condition`] where a condition of the draft fails: nothing was written.
/// [`CommitError::Contended`] when every attempt met another writer, or the request's time is
/// over: nothing was written.
/// [`CommitError::Store`]: it is unknown whether all or nothing was written; a draft with a
/// uniqueness condition can be appended again safely.
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

/// As [`append`], where the lists do not carry the same: the draft says what each of them gets, by
/// its place in `lists`, in the order in which they get it.
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
                    writes.insert(&list.head(), &Head { count: n, last_at: at }, Failure::Moved)
                }
                Some(_) => {
                    let advance =
                        Update::new().set("count", n).set("lastAt", at).if_equal("count", before);
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

/// Adds the first member of a list that nobody else can have begun yet: that of something which the
/// writes makes.
#[must_use]
pub fn start<E: Clone, M>(
    writes: Writes<E>,
    list: &List,
    value: M,
    at: Timestamp,
    begun: E,
) -> Writes<E>
where
    M: Serialize + DeserializeOwned,
{
    let member = Member { n: 1, value, created_at: at, appended_by: String::new() };
    writes.insert(&list.head(), &Head { count: 1, last_at: at }, begun.clone()).insert(
        &list.member(1),
        &member,
        begun,
    )
}

async fn counts(store: &Store, heads: &[Key]) -> Result<Vec<Option<Head>>, StoreError> {
    match heads {
        [head] => Ok(vec![store.get(head).await?]),
        heads => store.get_many(heads).await,
    }
}

/// When the attempt before was made, if it was made after all: a commit whose answer is lost may
/// be repeated, and refused, although it was done.
async fn written_by(
    store: &Store,
    author: &str,
    tried: Option<(Key, Timestamp)>,
) -> Result<Option<Timestamp>, StoreError> {
    let Some((member, at)) = tried else { return Ok(None) };
    let written = store.get::<Author>(&member).await?;
    Ok(written.filter(|member| member.appended_by == author).map(|_| at))
}

enum Failure<E> {
    /// A condition of the caller's own.
    Draft(E),
    /// Another writer was first.
    Moved,
}

/// Reads one page: two round trips, the second only where there is something to read.
///
/// # Errors
/// [`StoreError`].
pub async fn page<T>(
    store: &Store,
    list: &List,
    window: Window,
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

/// Reads every member, oldest first; `None` where there are more than `most`.
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

/// How many members a list has: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn total(store: &Store, list: &List) -> Result<u64, StoreError> {
    Ok(store.get::<Head>(&list.head()).await?.unwrap_or_default().count)
}

/// The members between two numbers, ends included, oldest first: one round trip for each MB.
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

/// The number of the first of the members `1..=up_to` that was appended at `at` or later, else the
/// one after them: a round trip for each halving.
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
        let member = store.get::<Written>(&list.member(middle)).await?;
        let member = member.ok_or_else(|| StoreError::Dynamo("a list has a hole".to_owned()))?;
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
        /// Pages neither overlap nor leave a member out, and each end of the list is where it belongs.
        #[test]
        fn pages_tile_the_list(count in 0_u64..500, size in 1_u64..=100) {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let mut seen = Vec::new();
                for page in 1.. {
                    let Some((low, high)) = (Window { page, size }).range(count, order) else { break };
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
                let _ = Window { page, size }.range(count, order);
            }
        }
    }
}
