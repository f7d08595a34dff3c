//! Which of several related transactions a miner takes first: the clusters of a mempool, in chunks by rate.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::Txid;

/// Clusters up to this size are ordered by looking at every set of transactions; larger ones by the best ancestor
/// set, which is the same in all but rare cases.
const EXACT_UP_TO: usize = 12;

/// A transaction, as its fee and weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Fee in sats.
    pub fee: u64,
    /// Weight units that the fee is paid for.
    pub weight: u64,
    /// The parents; those that are not among the items are ignored.
    pub parents: BTreeSet<Txid>,
}

/// Transactions that are mined together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Sum of their fees.
    pub fee: u64,
    /// Sum of their weights.
    pub weight: u64,
    /// The transactions, each after its parents.
    pub txids: Vec<Txid>,
}

impl Chunk {
    /// Whether it pays more for its weight than another.
    pub fn is_better_than(&self, other: &Self) -> bool {
        is_steeper((self.fee, self.weight), (other.fee, other.weight))
    }
}

/// Whether one fee for a weight is more than another.
fn is_steeper(one: (u64, u64), other: (u64, u64)) -> bool {
    let product = |fee: u64, weight: u64| u128::from(fee).saturating_mul(u128::from(weight));
    product(one.0, other.1) > product(other.0, one.1)
}

/// The items that are connected to some of them, those included.
pub fn cluster_of(
    items: &BTreeMap<Txid, Item>,
    children: &BTreeMap<Txid, BTreeSet<Txid>>,
    from: impl IntoIterator<Item = Txid>,
) -> BTreeSet<Txid> {
    let (mut open, mut found): (Vec<Txid>, _) = (from.into_iter().collect(), BTreeSet::new());
    while let Some(txid) = open.pop() {
        let Some(item) = items.get(&txid) else { continue };
        if found.insert(txid) {
            open.extend(&item.parents);
            open.extend(children.get(&txid).into_iter().flatten());
        }
    }
    found
}

/// The children of each item.
pub fn children_of(items: &BTreeMap<Txid, Item>) -> BTreeMap<Txid, BTreeSet<Txid>> {
    let mut children: BTreeMap<Txid, BTreeSet<Txid>> = BTreeMap::new();
    for (txid, item) in items {
        for parent in item.parents.iter().filter(|parent| items.contains_key(*parent)) {
            children.entry(*parent).or_default().insert(*txid);
        }
    }
    children
}

/// The separate clusters of the items.
pub fn clusters(items: &BTreeMap<Txid, Item>) -> Vec<BTreeSet<Txid>> {
    let children = children_of(items);
    let (mut seen, mut clusters) = (BTreeSet::<Txid>::new(), Vec::new());
    for txid in items.keys() {
        if !seen.contains(txid) {
            let cluster = cluster_of(items, &children, [*txid]);
            seen.extend(&cluster);
            clusters.push(cluster);
        }
    }
    clusters
}

/// The chunks of all items, the best first; of one cluster each after those that it needs.
pub fn chunks(items: &BTreeMap<Txid, Item>) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for cluster in clusters(items) {
        chunks.extend(chunks_of_cluster(items, cluster));
    }
    // Stable, so that chunks of one cluster with the same rate keep their order.
    chunks.sort_by(|one, other| other.is_better_than(one).cmp(&one.is_better_than(other)));
    chunks
}

fn chunks_of_cluster(items: &BTreeMap<Txid, Item>, mut left: BTreeSet<Txid>) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    while !left.is_empty() {
        let ordered = in_order(items, &left);
        let chunk = if ordered.len() <= EXACT_UP_TO {
            best_set(items, &ordered)
        } else {
            best_ancestor_set(items, &ordered)
        };
        left.retain(|txid| !chunk.txids.contains(txid));
        chunks.push(chunk);
    }
    // A later chunk may be better than an earlier one if they were not found exactly: they are one, then.
    let mut merged: Vec<Chunk> = Vec::with_capacity(chunks.len());
    for mut chunk in chunks {
        while let Some(last) = merged.pop_if(|last| chunk.is_better_than(last)) {
            chunk = join(last, chunk);
        }
        merged.push(chunk);
    }
    merged
}

fn join(mut first: Chunk, second: Chunk) -> Chunk {
    first.fee = first.fee.saturating_add(second.fee);
    first.weight = first.weight.saturating_add(second.weight);
    first.txids.extend(second.txids);
    first
}

/// Some of the items, each after its parents.
pub fn in_order(items: &BTreeMap<Txid, Item>, some: &BTreeSet<Txid>) -> Vec<Txid> {
    let (mut left, mut ordered) = (some.clone(), Vec::with_capacity(some.len()));
    while !left.is_empty() {
        let is_free =
            |txid: &&Txid| items.get(*txid).is_none_or(|item| item.parents.is_disjoint(&left));
        let free: Vec<Txid> = left.iter().filter(is_free).copied().collect();
        if free.is_empty() {
            break;
        }
        left.retain(|txid| !free.contains(txid));
        ordered.extend(free);
    }
    ordered
}

fn sum_up<'a>(items: &BTreeMap<Txid, Item>, txids: impl IntoIterator<Item = &'a Txid>) -> Chunk {
    let mut chunk = Chunk::default();
    for txid in txids {
        if let Some(item) = items.get(txid) {
            let one = Chunk { fee: item.fee, weight: item.weight, txids: vec![*txid] };
            chunk = join(chunk, one);
        }
    }
    chunk
}

/// The set with the highest rate among those that contain all their parents.
fn best_set(items: &BTreeMap<Txid, Item>, ordered: &[Txid]) -> Chunk {
    let needs: Vec<u32> = ordered
        .iter()
        .map(|txid| {
            let parents = items.get(txid).map(|item| &item.parents);
            let places = (0_u32..).zip(ordered);
            places
                .filter(|(_, other)| parents.is_some_and(|parents| parents.contains(*other)))
                .fold(0, |mask, (place, _)| mask | bit(place))
        })
        .collect();
    let all = bit(u32::try_from(ordered.len()).unwrap_or(u32::MAX));
    let mut best = Chunk::default();
    for set in 1..all {
        let chosen = (0_u32..).zip(&needs).filter(|(place, _)| set & bit(*place) != 0);
        if chosen.clone().all(|(_, needed)| needed & !set == 0) {
            let mut rate = (0_u64, 0_u64);
            for (place, _) in chosen {
                let txid = usize::try_from(place).ok().and_then(|place| ordered.get(place));
                if let Some(item) = txid.and_then(|txid| items.get(txid)) {
                    rate = (rate.0.saturating_add(item.fee), rate.1.saturating_add(item.weight));
                }
            }
            if best.txids.is_empty() || is_steeper(rate, (best.fee, best.weight)) {
                let txids = (0_u32..).zip(ordered).filter(|(place, _)| set & bit(*place) != 0);
                let txids = txids.map(|(_, txid)| *txid).collect();
                best = Chunk { fee: rate.0, weight: rate.1, txids };
            }
        }
    }
    best
}

fn bit(place: u32) -> u32 {
    1_u32.checked_shl(place).unwrap_or_default()
}

/// The transaction whose ancestors and itself have the highest rate, with those.
fn best_ancestor_set(items: &BTreeMap<Txid, Item>, ordered: &[Txid]) -> Chunk {
    let left: BTreeSet<Txid> = ordered.iter().copied().collect();
    let mut best = Chunk::default();
    for txid in ordered {
        let (mut open, mut set) = (vec![*txid], BTreeSet::new());
        while let Some(txid) = open.pop() {
            if left.contains(&txid) && set.insert(txid) {
                open.extend(items.get(&txid).into_iter().flat_map(|item| &item.parents));
            }
        }
        let chunk = sum_up(items, ordered.iter().filter(|txid| set.contains(*txid)));
        if best.txids.is_empty() || chunk.is_better_than(&best) {
            best = chunk;
        }
    }
    best
}

/// Whether one diagram of fees by weight is nowhere below another, and somewhere above it. Chunks are ordered by
/// rate.
pub fn is_improved(before: &[Chunk], after: &[Chunk]) -> bool {
    let (mut is_above, mut is_below) = (false, false);
    for weight in corners(before).chain(corners(after)) {
        // Compared as fractions with a common denominator.
        let (old, new) = (height_at(before, weight), height_at(after, weight));
        let (old, new) = (old.0.saturating_mul(new.1), new.0.saturating_mul(old.1));
        is_above |= new > old;
        is_below |= new < old;
    }
    is_above && !is_below
}

fn corners(chunks: &[Chunk]) -> impl Iterator<Item = u64> + '_ {
    chunks.iter().scan(0_u64, |sum, chunk| {
        *sum = sum.saturating_add(chunk.weight);
        Some(*sum)
    })
}

/// The fees of the first `weight` units, as a fraction.
fn height_at(chunks: &[Chunk], weight: u64) -> (u128, u128) {
    let (mut fee, mut left) = (0_u128, weight);
    for chunk in chunks {
        match left.checked_sub(chunk.weight) {
            Some(rest) => {
                left = rest;
                fee = fee.saturating_add(chunk.fee.into());
            }
            None => {
                let part = u128::from(chunk.fee).saturating_mul(left.into());
                let size = u128::from(chunk.weight).max(1);
                return (fee.saturating_mul(size).saturating_add(part), size);
            }
        }
    }
    (fee, 1)
}
