//! Rows that the chain watcher cannot advance: noted on the row, moved to a separate queue, measured, and
//! listed for an operator (custody rule 26).

use std::time::Duration;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use store::{CommitError, Entity, Field, Key, Store, StoreError, Update, Writes, fields};

use crate::models::{
    account::AccountId,
    watch::{Failing, Watch},
};

/// Consecutive failures after which a row is stuck.
pub const STUCK_AFTER: u32 = 3;
/// Pause before the next look at a row with fewer failures.
const SOON: Duration = Duration::from_secs(30);
/// Pause before the next look at a row that has just become stuck; doubles with each failure up to
/// [`LATEST`].
const LATER: Duration = Duration::from_secs(5 * 60);
/// The longest pause between looks at a stuck row.
const LATEST: Duration = Duration::from_secs(15 * 60);
/// How long a row counts as newly stuck: long enough for the worker to miss some runs, and short enough that
/// a row that becomes stuck during an alarm is reported within 15 minutes, by the end of the alarm (custody
/// rule 25).
pub const NEWLY: Duration = Duration::from_secs(8 * 60);
/// Most stuck rows of one kind that are read.
const MOST: i32 = 1_000;
/// Most rows read in one batch.
const BATCH: usize = 100;
/// Most characters of a cause that are stored.
const LONGEST_CAUSE: usize = 200;

/// Why a row made no progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The look failed.
    Failed(String),
    /// The look succeeded, but the row waits for an overdue event.
    Waits {
        /// The event that it waits for.
        cause: &'static str,
        /// How long the event may take before the row is stuck.
        patience: Duration,
    },
}

/// Attributes of every row that waits for the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Watched {
    #[serde(default)]
    watch: Option<Watch>,
    #[serde(default)]
    failing: Option<Failing>,
    #[serde(default)]
    due_at: Timestamp,
    /// The owner; `None` for rows of the platform.
    #[serde(default)]
    account_id: Option<AccountId>,
    /// Of transactions and mints.
    #[serde(default)]
    state: Option<String>,
    /// Of cross-chain records.
    #[serde(default)]
    status: Option<String>,
}

impl Entity for Watched {
    const ENTITY: &'static str = "watched";
}

fields!(Watched {
    WATCH: Option<Watch> = watch,
    FAILING: Option<Failing> = failing,
    DUE_AT: Timestamp = due_at,
});

/// The note of a row whose other fields may be unreadable.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Noted {
    #[serde(default)]
    failing: Option<Failing>,
}

impl Entity for Noted {
    const ENTITY: &'static str = "watched";
}

impl Watched {
    /// [`Failing::times`], as a number with a sign: above -1 means that the row is failing.
    const TIMES: Field<Self, i64> = Field::new(&["failing", "times"], |_| &-1);
}

/// A stuck row.
#[derive(Clone, Debug)]
pub struct StuckRow {
    /// The kind of work.
    pub kind: Watch,
    /// The key of the row.
    pub key: Key,
    /// Whose row it is; `None` for rows of the platform.
    pub account: Option<AccountId>,
    /// The row's state or status.
    pub state: String,
    /// Since when and how often it has failed, and why.
    pub failing: Failing,
}

impl StuckRow {
    /// Whether it became stuck within the last [`NEWLY`].
    pub fn is_new(&self, now: Timestamp) -> bool {
        self.failing.stuck_at.is_some_and(|since| since.plus(NEWLY) > now)
    }
}

/// Notes that a row of `found_in` made no progress. Once it is stuck, it moves to the queue of stuck rows. A
/// row that has ended in the meantime or has no queue is not changed.
///
/// # Errors
/// [`StoreError`].
pub async fn note(
    store: &Store,
    key: &Key,
    found_in: Watch,
    trouble: &Trouble,
) -> Result<(), StoreError> {
    let row = match store.get::<Watched>(key).await {
        Err(StoreError::Row(_)) => {
            let cause = match trouble {
                Trouble::Failed(cause) => cause.as_str(),
                Trouble::Waits { cause, .. } => cause,
            };
            return set_aside(store, key, found_in, cause).await;
        }
        row => row?,
    };
    let Some(row) = row else { return Ok(()) };
    let Some(queue) = row.watch else { return Ok(()) };
    let now = store.now();
    let before = row.failing.as_ref();
    let since = before.map_or(now, |before| before.since);
    let (times, cause, is_stuck) = match trouble {
        Trouble::Failed(cause) => {
            let times = before.map_or(0, |before| before.times).saturating_add(1);
            (times, cause.chars().take(LONGEST_CAUSE).collect(), times >= STUCK_AFTER)
        }
        Trouble::Waits { cause, patience } => {
            (0, (*cause).to_owned(), since.plus(*patience) <= now)
        }
    };
    let stuck_at = before.and_then(|before| before.stuck_at).unwrap_or(now);
    let failing = Failing { times, since, stuck_at: is_stuck.then_some(stuck_at), cause };
    let home = if is_stuck { queue.stuck() } else { queue };
    if row.failing.as_ref() == Some(&failing) && home == queue {
        return Ok(());
    }
    let update = Update::new().set(Watched::FAILING, &failing).set(Watched::WATCH, home);
    let update = update.next_version().if_equal(Watched::WATCH, queue);
    let update = match trouble {
        Trouble::Failed(_) => update.set(Watched::DUE_AT, now.plus(pause(failing.times))),
        // The pause between looks stays the same.
        Trouble::Waits { .. } => update,
    };
    write(store, key, &update).await.map(drop)
}

/// Moves a row that [`note`] cannot read from `queue` to the queue of stuck rows. It counts on from the
/// failures of the row's old note, if that can be read.
///
/// # Errors
/// [`StoreError`].
pub async fn set_aside(
    store: &Store,
    key: &Key,
    queue: Watch,
    cause: &str,
) -> Result<(), StoreError> {
    let now = store.now();
    let before = match store.get::<Noted>(key).await {
        Ok(row) => row.and_then(|row| row.failing),
        Err(StoreError::Row(_)) => None,
        Err(error) => return Err(error),
    };
    let times = before.as_ref().map_or(0, |before| before.times).saturating_add(1);
    let failing = Failing {
        times: times.max(STUCK_AFTER),
        since: before.as_ref().map_or(now, |before| before.since),
        stuck_at: before.and_then(|before| before.stuck_at).or(Some(now)),
        cause: cause.chars().take(LONGEST_CAUSE).collect(),
    };
    let due_at = now.plus(pause(failing.times));
    let update = Update::new().set(Watched::FAILING, &failing).set(Watched::WATCH, queue.stuck());
    let update = update.set(Watched::DUE_AT, due_at).if_equal(Watched::WATCH, queue);
    write(store, key, &update).await.map(drop)
}

/// Notes that a row made progress, so it is no longer stuck.
pub async fn recovered(store: &Store, key: &Key) -> Result<(), StoreError> {
    let Some(row) = store.get::<Watched>(key).await? else { return Ok(()) };
    if row.failing.is_none() {
        return Ok(());
    }
    let update = Update::new().remove(Watched::FAILING).next_version();
    let update = match row.watch {
        Some(queue) => update.set(Watched::WATCH, queue.kind()).if_equal(Watched::WATCH, queue),
        None => update.if_absent(Watched::WATCH).if_above(Watched::TIMES, -1),
    };
    write(store, key, &update).await.map(drop)
}

/// The stuck rows of every kind, longest stuck first. If a kind has more than a thousand, those with the
/// earliest next look are returned.
pub async fn list(store: &Store) -> Result<Vec<StuckRow>, StoreError> {
    let mut stuck = Vec::new();
    for kind in Watch::OF_CHAIN_WATCHER {
        let keys = store.waiting(kind.stuck(), MOST).await?;
        let mut rows = Vec::new();
        for keys in keys.chunks(BATCH) {
            rows.extend(store.get_each::<Watched>(keys).await?);
        }
        for (key, row) in keys.into_iter().zip(rows) {
            let row = match row.transpose() {
                Ok(row) => row,
                Err(error) => {
                    // Its note may still be readable.
                    let noted = store.get::<Noted>(&key).await;
                    let failing = noted.ok().flatten().and_then(|row| row.failing);
                    let failing = failing.unwrap_or_else(|| unreadable(store.now(), &error));
                    let state = "unreadable".to_owned();
                    stuck.push(StuckRow { kind, key, account: None, state, failing });
                    continue;
                }
            };
            // The index behind the keys may lag.
            let Some(row) = row.filter(|row| row.watch == Some(kind.stuck())) else { continue };
            let Some(failing) = row.failing else { continue };
            let state = row.state.or(row.status).unwrap_or_default();
            stuck.push(StuckRow { kind, key, account: row.account_id, state, failing });
        }
    }
    stuck.sort_by_key(|row| row.failing.since);
    Ok(stuck)
}

/// The note of a stuck row that says nothing about itself.
fn unreadable(now: Timestamp, error: &StoreError) -> Failing {
    let cause = error.to_string().chars().take(LONGEST_CAUSE).collect();
    Failing { times: 0, since: now, stuck_at: None, cause }
}

/// Counts the rows that wait, due or not, by kind. Stuck rows are not counted.
///
/// # Errors
/// [`StoreError`].
pub async fn count_waiting(store: &Store) -> Result<Vec<(Watch, u64)>, StoreError> {
    let counts =
        Watch::OF_CHAIN_WATCHER.map(|kind| async move { Ok((kind, store.watched(kind).await?)) });
    futures_util::future::try_join_all(counts).await
}

/// Counts the stuck rows of each kind.
pub async fn count(store: &Store) -> Result<Vec<(Watch, u64)>, StoreError> {
    let counts = Watch::OF_CHAIN_WATCHER
        .map(|kind| async move { Ok((kind, store.watched(kind.stuck()).await?)) });
    futures_util::future::try_join_all(counts).await
}

/// Pause before the next look after this many consecutive failures.
fn pause(times: u32) -> Duration {
    match times.checked_sub(STUCK_AFTER) {
        None => SOON,
        Some(more) => {
            let doubled = 1_u32.checked_shl(more).unwrap_or(u32::MAX);
            LATER.saturating_mul(doubled).min(LATEST)
        }
    }
}

/// Updates a row if it is as it was read; returns whether it was.
async fn write(store: &Store, key: &Key, update: &Update<Watched>) -> Result<bool, StoreError> {
    match store.commit(Writes::new().update(key, update.clone(), ())).await {
        Ok(()) => Ok(true),
        // The row changed in the meantime: the next look reads its new state.
        Err(CommitError::Condition(()) | CommitError::Contended) => Ok(false),
        Err(CommitError::Store(error)) => Err(error),
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use store::attributes_at;

    use super::*;

    #[test]
    fn a_failing_row_counts_its_failures() {
        let names: Vec<_> = Watched::TIMES.attributes().collect();
        assert!(attributes_at(|row: &Watched| row).contains(&names[0].as_str()));
        assert!(attributes_at(|failing: &Failing| failing).contains(&names[1].as_str()));
    }

    #[test]
    fn custody_26_stuck_rows_are_retried_every_five_to_fifteen_minutes() {
        let pauses: Vec<_> = (1..8).map(|times| pause(times).as_secs()).collect();
        assert_eq!(pauses, [30, 30, 300, 600, 900, 900, 900]);
        assert_eq!(pause(u32::MAX), LATEST);
    }
}
