//! The ids of runes by their names: ord's outputs name runes, but requests take ids.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::clock::Timestamp;
use futures_util::{StreamExt, stream};
use shared::{
    models::bitcoin::{EtchedRune, RuneName},
    ord::OrdClient,
};

/// How long an id is remembered: a reorganisation may give a young rune another one.
const REMEMBERED: Duration = Duration::from_secs(10 * 60);
/// The most ids that are remembered.
const MOST: usize = 10_000;
/// The most ids that one request looks up; further runes have none in its answer.
const MOST_ASKED: usize = 40;
/// Concurrent calls of ord.
const AT_ONCE: usize = 8;

/// The ids that one instance of the function remembers. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct RuneIds(Arc<Mutex<BTreeMap<RuneName, (EtchedRune, Timestamp)>>>);

impl RuneIds {
    /// The ids of these runes. A rune whose id cannot be read is left out.
    pub async fn of(
        &self,
        ord: &OrdClient,
        now: Timestamp,
        names: impl Iterator<Item = RuneName>,
    ) -> BTreeMap<RuneName, EtchedRune> {
        let mut known = BTreeMap::new();
        let mut unknown = Vec::new();
        {
            let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            remembered.retain(|_, (_, at)| at.plus(REMEMBERED) > now);
            for name in names {
                match remembered.get(&name) {
                    Some((id, _)) => drop(known.insert(name, *id)),
                    None if !unknown.contains(&name) => unknown.push(name),
                    None => {}
                }
            }
        }
        let found: Vec<_> = stream::iter(unknown.into_iter().take(MOST_ASKED))
            .map(async |name| (name, ord.rune_named(name).await))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, rune) in found {
            // Ignore an answer about another rune.
            let rune = rune.ok().flatten().filter(|rune| rune.entry.spaced_rune == name);
            if let Some(rune) = rune {
                let id = EtchedRune(rune.id);
                known.insert(name, id);
                if remembered.len() < MOST {
                    remembered.insert(name, (id, now));
                }
            }
        }
        known
    }
}
