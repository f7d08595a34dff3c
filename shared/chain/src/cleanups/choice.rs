//! Chooses the coins that clean-ups spend together.

use std::collections::BTreeSet;

use shared::models::bitcoin::RuneName;

use super::inventory::Inventory;
use crate::bitcoin::coins::{Coin, MOST_RUNES};

/// Most coins of one transaction: the write batch that stores it, or frees its coins, has one write for each.
pub(super) const MOST_COINS: usize = 90;
/// Fewer coins than this are not merged.
const MANY: usize = 10;

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Many coins with a rune of a mint become one.
    MergeRune(RuneName),
    /// Many small plain coins become one.
    MergePlain,
    /// Coins with runes that no mint needs leave the pool.
    Sweep,
}

/// Coins that one transaction spends.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Why they are spent.
    pub purpose: Purpose,
    /// The coins.
    pub coins: Vec<Coin>,
}

/// All clean-ups that the coins of a pool call for.
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

/// Groups coins in their order, up to the limits of a transaction's coins and of an output's runes. A coin that would be alone
/// in its group is left out.
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
