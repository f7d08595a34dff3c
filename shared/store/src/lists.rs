//! Append-only lists in which every page costs as much to read as the first one.
//!
//! A list has a *head* row that counts its members, which are numbered from 1 without gaps. A row holds one
//! member, or several that were appended together; its key is the number of the last of them. Page `p` of
//! size `s`, newest first, is the range `count - p*s + 1 ..= count - (p-1)*s`. So any page takes one read of
//! the head and one query, and the head gives the total.
//!
//! Invariant: the members of a list are `1..=count`, each exactly once, in the order of their `createdAt`.
//! The head and the members are written in the same [`Writes`] as the rows that the members refer to, or
//! together with the deletion of the tickets that those writes left (see `tail.rs`).

mod append;
mod names;
mod tail;

use std::time::Duration;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Entity, Store, StoreError, Update, Writes, fields};

pub use append::{append, append_each, commit, start};
pub use names::{List, Log};
pub use tail::catch_up;

/// The most members in one row.
const SEGMENT: usize = 40;
/// [`SEGMENT`], as a number of members.
const LONGEST: u64 = 40;

/// The head of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListHead {
    count: u64,
    /// `createdAt` of the newest member. The next member is never older, even if its writer's clock is slow.
    last_at: Timestamp,
    /// The most members in any row; if missing, each row has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    longest: Option<u64>,
    /// When a writer last left a ticket because of contention, or several members were appended from tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shared_at: Option<Timestamp>,
}

impl Entity for ListHead {
    const ENTITY: &'static str = "listHead";
}

fields!(ListHead {
    pub COUNT: u64 = count,
    LAST_AT: Timestamp = last_at,
    LONGEST: Option<u64> = longest,
    SHARED_AT: Option<Timestamp> = shared_at,
});

/// For how long after contention the next writers leave tickets too, instead of competing for the head.
const SHARED: Duration = Duration::from_secs(3);

impl ListHead {
    /// The length of the list, or `length` if that is shorter.
    fn as_of(&self, length: Option<u64>) -> u64 {
        length.map_or(self.count, |length| length.min(self.count))
    }

    /// Whether several writers have appended concurrently within the last seconds.
    fn is_shared(&self, now: Timestamp) -> bool {
        self.shared_at.is_some_and(|at| at.plus(SHARED) > now)
    }
}

/// A member with its number and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<T> {
    /// Number in the list, from 1.
    pub n: u64,
    /// The appended value.
    pub value: T,
    /// When it was appended.
    pub created_at: Timestamp,
}

/// A row of members.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow<T> {
    /// The number of its last member.
    n: u64,
    /// The value of the last member.
    value: T,
    /// `createdAt` of the last member.
    created_at: Timestamp,
    /// The call of [`append`] that wrote it: 16 random bytes in hex.
    #[serde(default)]
    appended_by: String,
    /// The members before the last one, oldest first.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Entry<T>>,
}

/// A value to append, and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<T> {
    value: T,
    created_at: Timestamp,
}

impl<T: Serialize + DeserializeOwned> Entity for MemberRow<T> {
    const ENTITY: &'static str = MEMBER;
}

const MEMBER: &str = "listMember";

impl<T> MemberRow<T> {
    /// Its members, oldest first.
    fn members(self) -> impl DoubleEndedIterator<Item = Member<T>> {
        let before = u64::try_from(self.earlier.len()).unwrap_or(u64::MAX);
        let last = Entry { value: self.value, created_at: self.created_at };
        let entries = self.earlier.into_iter().chain([last]).collect::<Vec<_>>();
        let first = self.n.saturating_sub(before);
        entries.into_iter().enumerate().map(move |(place, Entry { value, created_at })| {
            let n = first.saturating_add(u64::try_from(place).unwrap_or(u64::MAX));
            Member { n, value, created_at }
        })
    }
}

/// The times at which the members of a row were appended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RowTimes {
    n: u64,
    created_at: Timestamp,
    #[serde(default)]
    earlier: Vec<EntryTime>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryTime {
    created_at: Timestamp,
}

impl Entity for RowTimes {
    const ENTITY: &'static str = MEMBER;
}

impl RowTimes {
    /// When member `n` was appended; `None` if the row does not have it.
    fn of(&self, n: u64) -> Option<Timestamp> {
        let back = usize::try_from(self.n.checked_sub(n)?).ok()?;
        match self.earlier.len().checked_sub(back) {
            Some(place) if back > 0 => self.earlier.get(place).map(|entry| entry.created_at),
            Some(_) => Some(self.created_at),
            None => None,
        }
    }
}

/// How members get into a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By<'a> {
    /// Directly, by the call of [`append`] with this id.
    Author(&'a str),
    /// From a ticket.
    Ticket,
}

/// Adds members, oldest first, after a list's head as it was read. Also returns the new head. `moved` is the
/// error if another writer was faster.
fn extended<E, T>(
    mut writes: Writes<E>,
    list: &List,
    head: Option<ListHead>,
    entries: Vec<Entry<T>>,
    by: By<'_>,
    moved: impl Fn() -> E,
) -> (Writes<E>, Option<ListHead>)
where
    T: Serialize + DeserializeOwned + Clone,
{
    let before = head.unwrap_or_default();
    let mut after = before;
    for row in entries.chunks(SEGMENT) {
        // A slow clock must not make a member older than the one before it.
        let mut dated = Vec::new();
        for Entry { value, created_at } in row {
            after.last_at = after.last_at.max(*created_at);
            dated.push(Entry { value: value.clone(), created_at: after.last_at });
        }
        let length = u64::try_from(dated.len()).unwrap_or(u64::MAX);
        after.count = after.count.saturating_add(length);
        if length > after.longest.unwrap_or(1) {
            after.longest = Some(length);
        }
        let Some(Entry { value, created_at }) = dated.pop() else { continue };
        let appended_by = match by {
            By::Author(author) => author.to_owned(),
            By::Ticket => String::new(),
        };
        let row = MemberRow { n: after.count, value, created_at, appended_by, earlier: dated };
        writes = writes.insert(&list.member(after.count), &row, moved());
    }
    if after.count == before.count {
        return (writes, None);
    }
    // A single ticket is no sign of contention, so it does not make the next writers leave tickets.
    if by == By::Ticket && entries.len() > 1 {
        after.shared_at = Some(after.last_at);
    }
    let writes = match head {
        None => writes.insert(&list.head(), &after, moved()),
        Some(_) => {
            let advance = Update::new()
                .set(ListHead::COUNT, after.count)
                .set(ListHead::LAST_AT, after.last_at)
                .if_equal(ListHead::COUNT, before.count);
            let advance = match after.longest {
                longest if longest == before.longest => advance,
                longest => advance.set(ListHead::LONGEST, longest),
            };
            let advance = match after.shared_at {
                shared_at if shared_at == before.shared_at => advance,
                shared_at => advance.set(ListHead::SHARED_AT, shared_at),
            };
            writes.update(&list.head(), advance, moved())
        }
    };
    (writes, Some(after))
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
    pub fn range(self, count: u64, order: Order) -> Option<(u64, u64)> {
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

/// Reads one page: two round trips, or one if the page is empty. With `as_of` it reads the list as it was
/// when it had that many members.
pub async fn page<T>(
    store: &Store,
    list: &List,
    window: PageWindow,
    order: Order,
    as_of: Option<u64>,
) -> Result<Slice<T>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    let head = store.get::<ListHead>(&list.head()).await?.unwrap_or_default();
    let (total, longest) = (head.as_of(as_of), head.longest.unwrap_or(1));
    let Some(range) = window.range(total, order) else {
        return Ok(Slice { members: Vec::new(), total });
    };
    let mut page = members(store, list, range, longest, order).await?;
    let (low, high) = range;
    if u64::try_from(page.len()).is_ok_and(|length| length <= high.saturating_sub(low)) {
        // The rows of one commit do not become visible at the same instant, so read once more.
        page = members(store, list, range, longest, order).await?;
    }
    Ok(Slice { members: page, total })
}

/// Reads all members, oldest first; `None` if there are more than `most` now. With `as_of` it reads the list
/// as it was when it had that many members.
pub async fn all<T>(
    store: &Store,
    list: &List,
    most: u64,
    as_of: Option<u64>,
) -> Result<Option<Vec<Member<T>>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    let head = store.get::<ListHead>(&list.head()).await?.unwrap_or_default();
    // `as_of` does not make a long list cheap: sorting its oldest members would be wasted work.
    if head.count > most {
        return Ok(None);
    }
    match head.as_of(as_of) {
        0 => Ok(Some(Vec::new())),
        total => between(store, list, (1, total)).await.map(Some),
    }
}

/// The number of members, in one round trip.
pub async fn total(store: &Store, list: &List) -> Result<u64, StoreError> {
    Ok(store.get::<ListHead>(&list.head()).await?.unwrap_or_default().count)
}

/// The numbers of members of several lists, in one batch for each of their tables.
pub async fn totals<const N: usize>(
    store: &Store,
    lists: &[List; N],
) -> Result<[u64; N], StoreError> {
    let keys: Vec<_> = lists.iter().map(List::head).collect();
    let mut totals = [0; N];
    let heads = store.get_many::<ListHead>(&keys).await?;
    for (total, head) in totals.iter_mut().zip(heads) {
        *total = head.unwrap_or_default().count;
    }
    Ok(totals)
}

/// The members between two numbers, inclusive, oldest first: one round trip per MB.
pub async fn between<T>(
    store: &Store,
    list: &List,
    (low, high): (u64, u64),
) -> Result<Vec<Member<T>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    // Each row has at least one of the members, so `most` rows are enough.
    let most = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX).saturating_add(1);
    let ends = (&list.member(low), &list.member(high.saturating_add(LONGEST)));
    let rows = store.range::<MemberRow<T>>(ends, true, Some(most)).await?;
    let members = rows.into_iter().flat_map(MemberRow::members);
    Ok(members.filter(|member| (low..=high).contains(&member.n)).collect())
}

/// The number of the first member in `1..=up_to` that was appended at `at` or later; `up_to + 1` if there is
/// none. A binary search with one round trip per step.
pub async fn first_from(
    store: &Store,
    list: &List,
    up_to: u64,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let (mut low, mut high) = (1, up_to.saturating_add(1));
    while low < high {
        let middle = low.midpoint(high);
        let ends = (&list.member(middle), &list.member(middle.saturating_add(LONGEST)));
        let rows = store.range::<RowTimes>(ends, true, Some(1)).await?;
        let appended_at = rows.first().and_then(|row| row.of(middle));
        let gap = || StoreError::Dynamo("a list has a gap".to_owned());
        if appended_at.ok_or_else(gap)? < at {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// The members of a range. The last one may be in a row with up to `longest` members.
async fn members<T>(
    store: &Store,
    list: &List,
    (low, high): (u64, u64),
    longest: u64,
    order: Order,
) -> Result<Vec<Member<T>>, StoreError>
where
    T: Serialize + DeserializeOwned,
{
    let last = high.saturating_add(longest).saturating_sub(1);
    let forward = order == Order::OldestFirst;
    let ends = (&list.member(low), &list.member(last));
    let rows = store.range::<MemberRow<T>>(ends, forward, None).await?;
    let mut members = Vec::new();
    for row in rows {
        let row = row.members().filter(|member| (low..=high).contains(&member.n));
        match order {
            Order::OldestFirst => members.extend(row),
            Order::NewestFirst => members.extend(row.rev()),
        }
    }
    Ok(members)
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
