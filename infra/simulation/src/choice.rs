//! Random choices: each belongs to an actor, and is the n-th choice of that actor.
//!
//! A choice depends only on the seed, its actor and its number. If one is struck out, all others stay the
//! same, so a failing run can be shrunk choice by choice.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use base::random::Random;

/// The n-th choice of an actor, starting at 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The actor, for example `wire/auth-3`.
    pub actor: String,
    /// The number of the choice.
    pub n: u64,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.actor, self.n)
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (actor, n) = text.rsplit_once('@').ok_or("a choice is <actor>@<n>")?;
        let n = n.parse().map_err(|_| "a choice is <actor>@<n>")?;
        Ok(Self { actor: actor.to_owned(), n })
    }
}

/// The next value of a stream (SplitMix64; Steele, Lea and Flood, 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A hash of texts and a seed (FNV-1a, then mixed).
pub fn hash(seed: u64, text: &str) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325 ^ seed;
    for byte in text.bytes() {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    split_mix(&mut state)
}

/// Which faults a run may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// All except these.
    AllBut(BTreeSet<Choice>),
    /// Only these.
    Only(BTreeSet<Choice>),
}

impl Default for Allowed {
    fn default() -> Self {
        Self::AllBut(BTreeSet::new())
    }
}

impl Allowed {
    fn allows(&self, choice: &Choice) -> bool {
        match self {
            Self::AllBut(struck) => !struck.contains(choice),
            Self::Only(kept) => kept.contains(choice),
        }
    }
}

/// All random choices of a run.
#[derive(Debug)]
pub struct Choices {
    seed: u64,
    counts: BTreeMap<String, u64>,
    allowed: Allowed,
    made: Vec<Choice>,
    quiet: bool,
}

impl Choices {
    /// The choices of a seed.
    pub fn new(seed: u64, allowed: Allowed) -> Self {
        Self { seed, counts: BTreeMap::new(), allowed, made: Vec::new(), quiet: false }
    }

    /// From now on no fault is chosen.
    pub fn heal(&mut self) {
        self.quiet = true;
    }

    /// Whether faults are no longer chosen.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The faults that were chosen, in order.
    pub fn made(&self) -> &[Choice] {
        &self.made
    }

    fn next(&mut self, actor: &str) -> (u64, u64) {
        let n = match self.counts.get_mut(actor) {
            Some(n) => {
                *n += 1;
                *n
            }
            None => {
                self.counts.insert(actor.to_owned(), 1);
                1
            }
        };
        (n, hash(self.seed ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15), actor))
    }

    /// A number in `0..limit`. It is not a fault, so it cannot be struck out.
    pub fn below(&mut self, actor: &str, limit: u64) -> u64 {
        self.next(actor).1 % limit.max(1)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, actor: &str, low: u64, high: u64) -> u64 {
        low + self.below(actor, high.saturating_sub(low) + 1)
    }

    /// Whether something happens that has a chance of `per_mille` in 1,000. It is not a fault.
    pub fn happens(&mut self, actor: &str, per_mille: u64) -> bool {
        self.below(actor, 1000) < per_mille
    }

    /// A fault by its weight in 100,000, or none. It can be struck out.
    pub fn fault<T: Copy>(&mut self, actor: &str, weights: &[(T, u64)]) -> Option<T> {
        let (n, bits) = self.next(actor);
        let mut place = bits % 100_000;
        let fault = weights.iter().find_map(|(fault, weight)| {
            let hit = place < *weight;
            place = place.saturating_sub(*weight);
            hit.then_some(*fault)
        })?;
        let choice = Choice { actor: actor.to_owned(), n };
        if self.quiet || !self.allowed.allows(&choice) {
            return None;
        }
        self.made.push(choice);
        Some(fault)
    }
}

/// Randomness of one instance: a stream of its own.
#[derive(Debug)]
pub struct Stream(Mutex<u64>);

impl Stream {
    /// The stream of a name.
    pub fn new(seed: u64, name: &str) -> Self {
        Self(Mutex::new(hash(seed, name)))
    }
}

impl Random for Stream {
    fn fill(&self, bytes: &mut [u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for chunk in bytes.chunks_mut(8) {
            let word = split_mix(&mut state).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(allowed: Allowed) -> (Vec<Option<u8>>, Vec<Choice>) {
        let mut choices = Choices::new(7, allowed);
        let drawn = (0..50).map(|n| {
            let actor = if n % 3 == 0 { "a" } else { "b" };
            choices.fault(actor, &[(1, 20_000), (2, 20_000)])
        });
        (drawn.collect(), choices.made)
    }

    #[test]
    fn a_struck_choice_moves_no_other() {
        let (all, made) = faults(Allowed::default());
        assert!(made.len() > 5, "{made:?}");
        for choice in &made {
            let struck = BTreeSet::from([choice.clone()]);
            let (less, left) = faults(Allowed::AllBut(struck.clone()));
            assert_eq!(all.iter().zip(&less).filter(|(one, other)| one != other).count(), 1);
            assert_eq!(left.len() + 1, made.len());
            assert_eq!(faults(Allowed::Only(struck)).1, std::slice::from_ref(choice));
            assert_eq!(choice.to_string().parse(), Ok(choice.clone()));
        }
    }

    #[test]
    fn streams_differ_by_name_and_repeat_by_seed() {
        let bytes = |seed, name| <dyn Random>::bytes::<24>(&Stream::new(seed, name));
        assert_eq!(bytes(1, "a"), bytes(1, "a"));
        assert_ne!(bytes(1, "a"), bytes(2, "a"));
        assert_ne!(bytes(1, "a"), bytes(1, "b"));
    }
}
