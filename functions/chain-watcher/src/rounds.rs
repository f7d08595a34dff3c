//! Rounds through the queues whose rows wait for a block.
//!
//! Such a row does not know when it is due. Each run visits the next rows, from where the last run stopped,
//! and a visit that finds nothing new writes nothing. A queue that fits into one run does not even record
//! where it stopped.

use base::clock::Timestamp;
use chain::keys;
use serde::{Deserialize, Serialize};
use shared::models::watch::Watch;
use store::{DuePage, Entity, Key, QueuePlace, Store, StoreError};

/// A round through a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Round {
    /// The last row that was visited; `None` if the next round has not begun.
    after: Option<QueuePlace>,
    /// Rows that were due by this time belong to the round; later ones belong to the next.
    begun_at: Timestamp,
    /// How long the previous round took, in ms; 0 if it fitted into one run.
    took: i64,
}

impl Entity for Round {
    const ENTITY: &'static str = "round";
}

/// The next rows of a round.
pub(crate) struct Part {
    queue: Watch,
    /// The round as stored.
    before: Round,
    begun_at: Timestamp,
    rows: Vec<QueuePlace>,
    malformed: Vec<Key>,
    is_last: bool,
}

impl Part {
    /// Reads the next rows of a queue, at most `most`.
    pub(crate) async fn next(store: &Store, queue: Watch, most: i32) -> Result<Self, StoreError> {
        let before = store.get::<Round>(&keys::round(queue)).await?.unwrap_or_default();
        let begun_at = match before.after {
            Some(_) => before.begun_at,
            None => store.now(),
        };
        let page = store.due_after(queue, before.after.as_ref(), begun_at, most).await?;
        let DuePage { places: rows, malformed, are_more } = page;
        Ok(Self { queue, before, begun_at, rows, malformed, is_last: !are_more })
    }

    /// The keys of its rows.
    pub(crate) fn keys(&self) -> Vec<Key> {
        self.rows.iter().map(QueuePlace::key::<Watch>).collect()
    }

    /// Rows that have no place in the round, because their due time cannot be read.
    pub(crate) fn malformed(&self) -> &[Key] {
        &self.malformed
    }

    /// Records that the first `started` rows are being visited.
    pub(crate) async fn note(self, store: &Store, started: usize) -> Result<(), StoreError> {
        let Self { queue, before, begun_at, rows, is_last, .. } = self;
        let round = if is_last && started == rows.len() {
            let took = match before.after {
                Some(_) => store.now().0.saturating_sub(begun_at.0),
                None => 0,
            };
            Round { after: None, begun_at, took }
        } else {
            let last = started.checked_sub(1).and_then(|last| rows.get(last));
            let after = last.or(before.after.as_ref()).cloned();
            Round { after, begun_at, took: before.took }
        };
        if round.after == before.after && round.took == before.took {
            return Ok(());
        }
        store.put(&keys::round(queue), &round).await
    }
}

/// Since when some row of the queue may have waited for its visit; `None` if every run visits all rows.
pub(crate) async fn waits_since(
    store: &Store,
    queue: Watch,
) -> Result<Option<Timestamp>, StoreError> {
    let round = store.get::<Round>(&keys::round(queue)).await?.unwrap_or_default();
    let now = store.now().0;
    let longest = match round.after {
        Some(_) => now.saturating_sub(round.begun_at.0).max(round.took),
        None => round.took,
    };
    Ok((longest > 0).then_some(Timestamp(now.saturating_sub(longest))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use std::time::Duration;

    use bitcoin::{Txid, hashes::Hash};
    use local::LocalStack;
    use serde_json::json;

    use super::*;

    const QUEUE: Watch = Watch::SentTransaction;

    fn key(n: u8) -> Key {
        keys::transaction(Txid::from_byte_array([n; 32]))
    }

    /// Reads the next rows, at most three, and visits the first `time_for` of them.
    async fn look(store: &Store, time_for: usize) -> Vec<Key> {
        let part = Part::next(store, QUEUE, 3).await.unwrap();
        let keys = part.keys();
        part.note(store, time_for.min(keys.len())).await.unwrap();
        keys
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_round_comes_to_every_row_and_begins_again() {
        let stack = LocalStack::start().await;
        let store = &stack.app().store;
        let row = |n: u8| {
            // Two rows are due at the same time.
            let fields = json!({ "watch": QUEUE, "dueAt": 1_000 + u32::from(n / 2) });
            (key(n), "issuedTransaction", fields)
        };
        stack.import(&(0..2).map(row).collect::<Vec<_>>()).unwrap();
        assert_eq!(look(store, 3).await, [key(0), key(1)]);
        assert!(store.get::<Round>(&keys::round(QUEUE)).await.unwrap().is_none());

        stack.import(&(2..7).map(row).collect::<Vec<_>>()).unwrap();
        let minute = || stack.clock().advance(Duration::from_secs(60));
        let lag = async || {
            let since = waits_since(store, QUEUE).await.unwrap();
            since.map(|since| (store.now().0 - since.0) / 60_000)
        };
        assert_eq!(look(store, 3).await, [key(0), key(1), key(2)]);
        minute();
        assert_eq!(lag().await, Some(1));
        // Rows that the run had no time for come next.
        assert_eq!(look(store, 1).await, [key(3), key(4), key(5)]);
        minute();
        assert_eq!(look(store, 0).await, [key(4), key(5), key(6)]);
        // Rows that are due later belong to the next round.
        let later = json!({ "watch": QUEUE, "dueAt": store.now() });
        stack.import(&[(key(9), "issuedTransaction", later)]).unwrap();
        minute();
        assert_eq!(look(store, 3).await, [key(4), key(5), key(6)]);
        minute();
        assert_eq!(lag().await, Some(4));
        assert!(look(store, 3).await.is_empty());
        // The next round is expected to take as long.
        assert_eq!(lag().await, Some(4));
        minute();
        assert_eq!(look(store, 3).await, [key(0), key(1), key(2)]);
        assert_eq!(lag().await, Some(4));
        assert_eq!(look(store, 3).await, [key(3), key(4), key(5)]);
        assert_eq!(look(store, 3).await, [key(6), key(9)]);
        assert_eq!(lag().await.unwrap_or_default(), 0);
    }
}
