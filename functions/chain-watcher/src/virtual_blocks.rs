//! Which requests of a mint its virtual blocks hold (custody rules 4 and 5).
//!
//! There is one virtual block for each Bitcoin block. It takes the highest bids that wait, among
//! those whose commitment that Bitcoin block or an earlier one has. What it holds follows from the
//! chain alone, so that after a reorganisation it is computed anew.

use std::{cmp::Reverse, collections::BTreeMap};

/// Where a commitment is in the chain. Ord: lower height first, then position in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The block's height.
    pub(crate) height: u32,
    /// The index of the transaction in the block.
    pub(crate) position: u32,
}

/// Requests of one price within a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bid {
    /// How many requests.
    pub(crate) count: u64,
    /// What each of them pays.
    pub(crate) sats_per_request: u64,
}

/// A batch whose commitment a block has.
#[derive(Clone, Debug)]
pub(crate) struct Batch<Id> {
    /// What the batch is known by, and what decides between batches of the same place.
    pub(crate) id: Id,
    /// Where its commitment is.
    pub(crate) place: Place,
    /// What it asks for. Of bids at the same price the earlier is first.
    pub(crate) bids: Vec<Bid>,
}

/// What a mint says of its blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The most requests of one virtual block.
    pub(crate) requests_per_block: u64,
    /// The most requests of all of them.
    pub(crate) total_requests: u64,
}

/// What the virtual blocks hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled<Id> {
    /// By batch (every batch given is there), how many requests of each bid, in the order of its
    /// bids.
    pub(crate) by_batch: BTreeMap<Id, Vec<u64>>,
    /// The height of the block that took the last request of the mint.
    pub(crate) minted_out_at: Option<u32>,
    /// How many requests in all.
    pub(crate) filled: u64,
}

/// Whose turn it is: the lower is first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Turn<'a, Id> {
    sats_per_request: Reverse<u64>,
    place: Place,
    id: &'a Id,
    bid: usize,
}

/// What is left of a bid, and how many of its requests blocks hold.
struct Waiting<'a> {
    left: u64,
    filled: &'a mut u64,
}

/// Fills the virtual blocks up to the one of height `last_block`.
///
/// Each takes up to `requests_per_block` requests, the highest price first; at the same price those
/// whose commitment was confirmed first, by height, then by position in the block. A bid that does
/// not fit is split across blocks. All blocks together take at most `total_requests`. Of batches
/// with the same id the first counts.
///
/// The time it takes grows with the bids, not with the blocks or the requests.
pub(crate) fn fill<Id: Ord + Clone>(
    rules: Rules,
    batches: &[Batch<Id>],
    last_block: u32,
) -> Filled<Id> {
    let mut distinct: BTreeMap<&Id, &Batch<Id>> = BTreeMap::new();
    for batch in batches {
        distinct.entry(&batch.id).or_insert(batch);
    }
    let mut by_batch: BTreeMap<Id, Vec<u64>> =
        distinct.iter().map(|(id, batch)| ((*id).clone(), vec![0; batch.bids.len()])).collect();

    let mut arrivals: BTreeMap<u32, Vec<(Turn<'_, Id>, Waiting<'_>)>> = BTreeMap::new();
    for ((id, batch), filled) in distinct.into_iter().zip(by_batch.values_mut()) {
        let place = batch.place;
        if place.height > last_block {
            continue;
        }
        let bids = batch.bids.iter().zip(filled).enumerate().map(|(bid, (what, filled))| {
            let sats_per_request = Reverse(what.sats_per_request);
            (Turn { sats_per_request, place, id, bid }, Waiting { left: what.count, filled })
        });
        arrivals.entry(place.height).or_default().extend(bids);
    }

    let (filled, minted_out_at) = fill_arrivals(rules, arrivals, last_block);
    Filled { by_batch, minted_out_at, filled }
}

/// Fills the blocks with the bids that arrive at each height. How many requests the blocks took,
/// and which block took the last of the mint.
fn fill_arrivals<Id: Ord>(
    rules: Rules,
    arrivals: BTreeMap<u32, Vec<(Turn<'_, Id>, Waiting<'_>)>>,
    last_block: u32,
) -> (u64, Option<u32>) {
    let mut waiting = BTreeMap::new();
    let mut filled: u64 = 0;
    let mut arrivals = arrivals.into_iter().peekable();
    while let Some((height, bids)) = arrivals.next() {
        waiting.extend(bids);
        // Until the next arrival nobody's turn changes: these blocks take, one after the other, what
        // a single one with the room of all would take.
        let after_last = u64::from(last_block).saturating_add(1);
        let end = arrivals.peek().map_or(after_last, |(next, _)| u64::from(*next));
        let blocks = end.saturating_sub(u64::from(height));
        let left = rules.total_requests.saturating_sub(filled);
        let room = rules.requests_per_block.saturating_mul(blocks).min(left);
        let taken = take(&mut waiting, room);
        filled = filled.saturating_add(taken);
        if filled == rules.total_requests {
            return (filled, block_of(taken, height, rules.requests_per_block));
        }
    }
    (filled, None)
}

/// Takes up to `room` requests, in their turn. How many it took.
fn take<Id: Ord>(waiting: &mut BTreeMap<Turn<'_, Id>, Waiting<'_>>, room: u64) -> u64 {
    let mut taken: u64 = 0;
    while taken < room
        && let Some(mut next) = waiting.first_entry()
    {
        let bid = next.get_mut();
        let part = bid.left.min(room.saturating_sub(taken));
        bid.left = bid.left.saturating_sub(part);
        *bid.filled = bid.filled.saturating_add(part);
        taken = taken.saturating_add(part);
        if bid.left == 0 {
            next.remove();
        }
    }
    taken
}

/// The block that takes the `nth` request (from 1) where those from `height` on are full. `None`
/// where there is no such request.
fn block_of(nth: u64, height: u32, requests_per_block: u64) -> Option<u32> {
    let full = nth.checked_sub(1)?.checked_div(requests_per_block)?;
    height.checked_add(u32::try_from(full).ok()?)
}

#[cfg(test)]
mod tests;
