//! The states that a transaction has had, and since when. They are written with each change of state, so they
//! are short: one letter per state, and the time since the transaction was created.

use std::{fmt, str::FromStr};

use base::clock::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

use crate::models::transaction::TransactionState;

/// How many changes of state are kept, so that a row stays small however often reorganisations move the
/// transaction.
const MOST_KEPT: usize = 16;

/// A state of a transaction, and when the transaction entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StateSince {
    /// The state.
    pub state: TransactionState,
    /// When the service recorded it, ms since the epoch.
    pub at: Timestamp,
}

/// The newest changes of state, oldest first: the state, and ms since the transaction was created.
///
/// As text, `s3500m4100` is `signing` after 3,500 ms, and `inMempool` after 4,100.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(Vec<(TransactionState, u64)>);

impl History {
    /// Whether nothing has changed yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// This history with one more change. If it becomes too long, the oldest change is dropped.
    #[must_use]
    pub(super) fn and(
        &self,
        state: TransactionState,
        created_at: Timestamp,
        at: Timestamp,
    ) -> Self {
        let age = u64::try_from(at.0.saturating_sub(created_at.0)).unwrap_or_default();
        let forgotten = self.0.len().saturating_add(1).saturating_sub(MOST_KEPT);
        let kept = self.0.iter().skip(forgotten).copied();
        Self(kept.chain([(state, age)]).collect())
    }

    /// The states since its creation, oldest first.
    pub fn states(&self, created_at: Timestamp) -> Vec<StateSince> {
        let created = StateSince { state: TransactionState::Unsigned, at: created_at };
        let changes = self.0.iter().map(|(state, age)| StateSince {
            state: *state,
            at: Timestamp(created_at.0.saturating_add(i64::try_from(*age).unwrap_or(i64::MAX))),
        });
        [created].into_iter().chain(changes).collect()
    }
}

fn letter(state: TransactionState) -> char {
    match state {
        TransactionState::Unsigned => 'u',
        TransactionState::Signing => 's',
        TransactionState::Broadcasting => 'b',
        TransactionState::InMempool => 'm',
        TransactionState::Confirmed => 'c',
        TransactionState::Expired => 'x',
        TransactionState::Replaced => 'r',
        TransactionState::Failed => 'f',
    }
}

fn state_of(letter: char) -> Option<TransactionState> {
    Some(match letter {
        'u' => TransactionState::Unsigned,
        's' => TransactionState::Signing,
        'b' => TransactionState::Broadcasting,
        'm' => TransactionState::InMempool,
        'c' => TransactionState::Confirmed,
        'x' => TransactionState::Expired,
        'r' => TransactionState::Replaced,
        'f' => TransactionState::Failed,
        _ => return None,
    })
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(state, age)| write!(f, "{}{age}", letter(*state)))
    }
}

impl FromStr for History {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "must be letters of states, each with a number of ms";
        let mut changes = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let state = state_of(first).ok_or(WRONG)?;
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            let (digits, next) = after.split_at(end);
            changes.push((state, digits.parse().map_err(|_| WRONG)?));
            rest = next;
        }
        Ok(Self(changes))
    }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const ALL: [TransactionState; 8] = [
        TransactionState::Unsigned,
        TransactionState::Signing,
        TransactionState::Broadcasting,
        TransactionState::InMempool,
        TransactionState::Confirmed,
        TransactionState::Expired,
        TransactionState::Replaced,
        TransactionState::Failed,
    ];

    #[test]
    fn a_history_is_read_as_it_was_written() {
        let created = Timestamp(1_700_000_000_000);
        let mut history = History::default();
        assert!(history.is_empty());
        for (state, ms) in ALL.into_iter().zip([0, 1, 20, 300, 4_000, 50_000, 600_000, 7_000_000]) {
            history = history.and(state, created, Timestamp(created.0 + ms));
            assert_eq!(history.to_string().parse::<History>().unwrap(), history);
        }
        assert_eq!(history.to_string(), "u0s1b20m300c4000x50000r600000f7000000");
        let states = history.states(created);
        assert_eq!(states.len(), 9);
        assert_eq!(states[0], StateSince { state: TransactionState::Unsigned, at: created });
        let failed =
            StateSince { state: TransactionState::Failed, at: Timestamp(created.0 + 7_000_000) };
        assert_eq!(states[8], failed);
        for text in ["s", "z1", "s-1", "1", "s1 m2", "é3", "s99999999999999999999"] {
            assert!(text.parse::<History>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_newest_changes_are_kept() {
        let created = Timestamp(1_700_000_000_000);
        let year = 365 * 24 * 60 * 60 * 1_000;
        let states = [TransactionState::Confirmed, TransactionState::InMempool];
        let history = (0..100).fold(History::default(), |history, n: i64| {
            let state = states[usize::try_from(n).unwrap() % 2];
            history.and(state, created, Timestamp(created.0 + year + n))
        });
        let kept = history.states(created);
        assert_eq!(kept.len(), MOST_KEPT + 1);
        assert_eq!((kept[0].at, kept[16].at.0), (created, created.0 + year + 99));
        assert!(history.to_string().len() <= MOST_KEPT * 12, "{history}");
    }

    /// The clocks of two machines may differ.
    #[test]
    fn a_change_before_the_creation_counts_as_then() {
        let created = Timestamp(1_700_000_000_000);
        let history = History::default().and(TransactionState::Signing, created, Timestamp(5));
        assert_eq!(history.states(created)[1].at, created);
    }
}
