//! Which coins are spent together.

use std::collections::BTreeSet;

use shared::models::bitcoin::RuneName;

use super::inventory::Inventory;
use crate::bitcoin::coins::{Coin, MOST_RUNES};

/// Most coins of one transaction: each is a write of the batch that stores it, or that frees its coins.
pub(super) const MOST_COINS: usize = 90;
/// Fewer coins are few already: they are not merged.
const MANY: usize = 10;

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Many coins with a rune of a mint become one.
    MergeRune(RuneName),
    /// Many small plain coins become one.
    MergePlain,
    /// Runes that do not stay leave the pool.
    Sweep,
}

/// Coins that one transaction spends.
#[derive(Clone, Debug)]
pub struct Batch {
    /// What for.
    pub purpose: Purpose,
    /// The coins.
    pub coins: Vec<Coin>,
}

/// All transactions that the coins of a pool give reason to.
pub(super) fn batches(inventory: &Inventory, sweeps: bool) -> Vec<Batch> {
    let mut batches = Vec::new();
    for (rune, coins) in &inventory.scattered {
        if coins.len() >= MANY {
            batches.extend(together(Purpose::MergeRune(*rune), coins));
        }
    }
    if inventory.dust.len() >= MANY {
        batches.extend(together(Purpose::MergePlain, &inventory.dust));
    }
    if sweeps {
        batches.extend(together(Purpose::Sweep, &inventory.junk));
    }
    batches
}

/// Coins in their order, as many together as a transaction may spend and an output can hold runes of. One alone stays.
fn together(purpose: Purpose, coins: &[Coin]) -> Vec<Batch> {
    let mut batches: Vec<(Batch, BTreeSet<RuneName>)> = Vec::new();
    for coin in coins {
        let own: BTreeSet<_> =
            coin.runes().into_iter().flat_map(|runes| runes.keys().copied()).collect();
        let fits = |(batch, runes): &&mut (Batch, BTreeSet<RuneName>)| {
            batch.coins.len() < MOST_COINS && runes.union(&own).count() <= MOST_RUNES
        };
        match batches.last_mut().filter(fits) {
            Some((batch, runes)) => {
                batch.coins.push(coin.clone());
                runes.extend(own);
            }
            None => batches.push((Batch { purpose, coins: vec![coin.clone()] }, own)),
        }
    }
    batches.into_iter().map(|(batch, _)| batch).filter(|batch| batch.coins.len() > 1).collect()
}
