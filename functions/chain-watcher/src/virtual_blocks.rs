//! Which requests of a mint its virtual blocks hold (custody rules 4 and 5).
//!
//! Each Bitcoin block has one virtual block. It takes the highest waiting bids whose commitments are in that
//! Bitcoin block or an earlier one. Its contents depend only on the chain, so they are recomputed after a
//! reorganisation.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use chain::mints::{TakenBlocks, VirtualBlock};

/// A commitment's place in the chain, ordered by height, then position in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) height: u32,
    /// Index of the transaction in the block.
    pub(crate) position: u32,
}

/// Requests of one price within a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bid {
    /// Number of requests.
    pub(crate) count: u64,
    /// Price of each request, in sats.
    pub(crate) sats_per_request: u64,
}

/// A batch whose commitment is confirmed.
#[derive(Clone, Debug)]
pub(crate) struct Batch<Id> {
    /// Identifies the batch and breaks ties between batches at the same place.
    pub(crate) id: Id,
    pub(crate) place: Place,
    /// At the same price, earlier bids come first.
    pub(crate) bids: Vec<Bid>,
}

/// Limits of a mint's virtual blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Most requests per virtual block.
    pub(crate) requests_per_block: u64,
    /// Most requests in total.
    pub(crate) total_requests: u64,
}

/// Contents of the virtual blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled<Id> {
    /// For every given batch, the number of taken requests of each bid, in the order of its bids.
    pub(crate) by_batch: BTreeMap<Id, Vec<u64>>,
    /// For every batch of which a block has taken requests, those blocks.
    pub(crate) blocks: BTreeMap<Id, TakenBlocks>,
    /// Height of the block that took the mint's last request.
    pub(crate) minted_out_at: Option<u32>,
    /// Number of requests taken in total.
    pub(crate) filled: u64,
}

impl<Id: Ord> Filled<Id> {
    /// What the blocks hold of a batch; `None` if the batch was not given.
    pub(crate) fn of(&self, id: &Id) -> Option<Share<'_>> {
        let by_bid = self.by_batch.get(id)?;
        Some(Share { by_bid, blocks: self.blocks.get(id) })
    }
}

/// What the virtual blocks hold of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share<'a> {
    /// The number of taken requests of each bid, in the order of its bids.
    pub(crate) by_bid: &'a [u64],
    /// The blocks that have taken them; `None` if none has.
    pub(crate) blocks: Option<&'a TakenBlocks>,
}

/// Order of taking: lower values come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Turn<'a, Id> {
    sats_per_request: Reverse<u64>,
    place: Place,
    id: &'a Id,
    bid: usize,
}

/// The remaining requests of a bid, and how many of its requests blocks have taken.
struct Waiting<'a> {
    left: u64,
    filled: &'a mut u64,
}

/// Fills the virtual blocks up to height `last_block`.
///
/// Each takes up to `requests_per_block` requests, highest price first. At the same price, the commitment
/// that confirmed first comes first, by height, then by position in the block. A bid that does not fit is
/// split across blocks. All blocks together take at most `total_requests`. If several batches have the same
/// id, the first counts.
///
/// The running time grows with the number of bids, not of blocks or requests.
pub(crate) fn fill<Id: Ord + Clone>(
    rules: Rules,
    batches: &[Batch<Id>],
    last_block: u32,
) -> Filled<Id> {
    let distinct = distinct(batches);
    let mut by_batch = nothing_taken(&distinct);
    let arrivals = arrivals(distinct, &mut by_batch, last_block);
    let (filled, minted_out_at, blocks) = fill_arrivals(rules, arrivals, last_block);
    Filled { by_batch, blocks, minted_out_at, filled }
}

/// The batches by id; the first of an id counts.
fn distinct<Id: Ord>(batches: &[Batch<Id>]) -> BTreeMap<&Id, &Batch<Id>> {
    let mut distinct = BTreeMap::new();
    for batch in batches {
        distinct.entry(&batch.id).or_insert(batch);
    }
    distinct
}

fn nothing_taken<Id: Ord + Clone>(batches: &BTreeMap<&Id, &Batch<Id>>) -> BTreeMap<Id, Vec<u64>> {
    batches.iter().map(|(id, batch)| ((*id).clone(), vec![0; batch.bids.len()])).collect()
}

/// Bids in the order of taking.
type Bids<'a, Id> = Vec<(Turn<'a, Id>, Waiting<'a>)>;

/// The bids that arrive at each height.
fn arrivals<'a, Id: Ord>(
    batches: BTreeMap<&'a Id, &'a Batch<Id>>,
    by_batch: &'a mut BTreeMap<Id, Vec<u64>>,
    last_block: u32,
) -> BTreeMap<u32, Bids<'a, Id>> {
    let mut arrivals: BTreeMap<u32, Bids<'a, Id>> = BTreeMap::new();
    for ((id, batch), filled) in batches.into_iter().zip(by_batch.values_mut()) {
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
    arrivals
}

/// The virtual blocks one by one, and the requests they leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfolded {
    /// Blocks that take requests, by height.
    pub(crate) blocks: Vec<VirtualBlock>,
    /// The requests that wait, by price.
    pub(crate) waiting: BTreeMap<u64, u64>,
}

/// Fills the same virtual blocks as [`fill`], one by one. Here the running time also grows with the number of
/// blocks that take requests.
pub(crate) fn unfold<Id: Ord + Clone>(
    rules: Rules,
    batches: &[Batch<Id>],
    last_block: u32,
) -> Unfolded {
    let distinct = distinct(batches);
    let mut by_batch = nothing_taken(&distinct);
    let mut arrivals = arrivals(distinct, &mut by_batch, last_block).into_iter().peekable();
    let (mut waiting, mut blocks, mut filled) = (BTreeMap::new(), Vec::new(), 0_u64);
    let mut next = arrivals.peek().map(|(height, _)| *height);
    while let Some(height) = next.filter(|height| *height <= last_block) {
        while let Some((_, bids)) = arrivals.next_if(|(at, _)| *at <= height) {
            waiting.extend(bids);
        }
        let room = rules.requests_per_block.min(rules.total_requests.saturating_sub(filled));
        let mut block =
            VirtualBlock { height, requests: 0, batches: 0, sats: 0, lowest: u64::MAX, highest: 0 };
        let mut ids = BTreeSet::new();
        block.requests = take(&mut waiting, room, |turn, requests| {
            let price = turn.sats_per_request.0;
            block.sats = block.sats.saturating_add(requests.saturating_mul(price));
            block.lowest = block.lowest.min(price);
            block.highest = block.highest.max(price);
            ids.insert(turn.id);
        });
        block.batches = u64::try_from(ids.len()).unwrap_or(u64::MAX);
        filled = filled.saturating_add(block.requests);
        if block.requests > 0 {
            blocks.push(block);
        }
        next = match waiting.is_empty() || room == 0 {
            true => arrivals.peek().map(|(height, _)| *height),
            false => height.checked_add(1),
        };
    }
    let mut left = BTreeMap::new();
    for (turn, bid) in waiting.into_iter().filter(|(_, bid)| bid.left > 0) {
        let requests: &mut u64 = left.entry(turn.sats_per_request.0).or_default();
        *requests = requests.saturating_add(bid.left);
    }
    Unfolded { blocks, waiting: left }
}

/// Fills the blocks with the bids that arrive at each height. Returns how many requests the blocks took,
/// which block took the mint's last request, and which blocks took those of each batch.
fn fill_arrivals<Id: Ord + Clone>(
    rules: Rules,
    arrivals: BTreeMap<u32, Vec<(Turn<'_, Id>, Waiting<'_>)>>,
    last_block: u32,
) -> (u64, Option<u32>, BTreeMap<Id, TakenBlocks>) {
    let mut by_batch: BTreeMap<Id, TakenBlocks> = BTreeMap::new();
    let mut waiting = BTreeMap::new();
    let mut filled: u64 = 0;
    let mut arrivals = arrivals.into_iter().peekable();
    while let Some((height, bids)) = arrivals.next() {
        waiting.extend(bids);
        // Until the next arrival the order does not change, so consecutive blocks take the same requests as a
        // single block with their combined room.
        let after_last = u64::from(last_block).saturating_add(1);
        let end = arrivals.peek().map_or(after_last, |(next, _)| u64::from(*next));
        let blocks = end.saturating_sub(u64::from(height));
        let left = rules.total_requests.saturating_sub(filled);
        let room = rules.requests_per_block.saturating_mul(blocks).min(left);
        let mut earlier: u64 = 0;
        let taken = take(&mut waiting, room, |turn: &Turn<'_, Id>, requests| {
            let blocks = match by_batch.get_mut(turn.id) {
                Some(blocks) => blocks,
                None => by_batch.entry(turn.id.clone()).or_default(),
            };
            blocks.add(height, earlier, requests, rules.requests_per_block);
            earlier = earlier.saturating_add(requests);
        });
        filled = filled.saturating_add(taken);
        if filled == rules.total_requests {
            return (filled, block_of(taken, height, rules.requests_per_block), by_batch);
        }
    }
    (filled, None, by_batch)
}

/// Takes up to `room` requests in order and returns how many; `each` receives the number taken from each bid.
fn take<'a, Id: Ord>(
    waiting: &mut BTreeMap<Turn<'a, Id>, Waiting<'a>>,
    room: u64,
    mut each: impl FnMut(&Turn<'a, Id>, u64),
) -> u64 {
    let mut taken: u64 = 0;
    while taken < room
        && let Some(mut next) = waiting.first_entry()
    {
        let bid = next.get_mut();
        let part = bid.left.min(room.saturating_sub(taken));
        bid.left = bid.left.saturating_sub(part);
        *bid.filled = bid.filled.saturating_add(part);
        taken = taken.saturating_add(part);
        let is_empty = bid.left == 0;
        if part > 0 {
            each(next.key(), part);
        }
        if is_empty {
            next.remove();
        }
    }
    taken
}

/// The block that takes the `nth` request (from 1) if blocks are full from `height` on. `None` if that is
/// beyond the highest height.
fn block_of(nth: u64, height: u32, requests_per_block: u64) -> Option<u32> {
    let full = nth.checked_sub(1)?.checked_div(requests_per_block)?;
    height.checked_add(u32::try_from(full).ok()?)
}

#[cfg(test)]
mod tests;
