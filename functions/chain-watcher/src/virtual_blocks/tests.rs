#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use proptest::{collection::vec, prelude::*};

use super::*;

/// A batch of bids (count, sats per request), committed at (height, position).
fn batch<Id>(id: Id, place: (u32, u32), bids: &[(u64, u64)]) -> Batch<Id> {
    let bids =
        bids.iter().map(|&(count, sats_per_request)| Bid { count, sats_per_request }).collect();
    Batch { id, place: Place { height: place.0, position: place.1 }, bids }
}

/// This many requests per block, without a total limit.
fn endless(requests_per_block: u64) -> Rules {
    Rules { requests_per_block, total_requests: u64::MAX }
}

/// The contents of the blocks up to each height, by batch in the order of ids.
fn history(rules: Rules, batches: &[Batch<&str>], heights: &[u32]) -> Vec<Vec<Vec<u64>>> {
    heights
        .iter()
        .map(|height| fill(rules, batches, *height).by_batch.into_values().collect())
        .collect()
}

#[test]
fn the_highest_price_is_first() {
    let batches = [
        batch("a", (100, 1), &[(3, 500)]),
        batch("b", (100, 2), &[(3, 700)]),
        batch("c", (100, 3), &[(3, 600)]),
    ];
    let filled = fill(endless(5), &batches, 100);
    assert_eq!(filled.by_batch, [("a", vec![0]), ("b", vec![3]), ("c", vec![2])].into());
    assert_eq!((filled.filled, filled.minted_out_at), (5, None));
}

#[test]
fn custody_04_ties_are_broken_by_height_then_position() {
    // The ids have the opposite order, so they do not decide.
    let batches = [
        batch("a", (101, 7), &[(1, 500)]),
        batch("b", (101, 2), &[(1, 500)]),
        batch("c", (100, 9), &[(1, 500)]),
        batch("d", (100, 8), &[(1, 500)]),
    ];
    let turns = [
        vec![vec![0], vec![0], vec![0], vec![1]],
        vec![vec![0], vec![0], vec![1], vec![1]],
        vec![vec![0], vec![1], vec![1], vec![1]],
        vec![vec![1], vec![1], vec![1], vec![1]],
    ];
    assert_eq!(history(endless(1), &batches, &[100, 101, 102, 103]), turns);
}

#[test]
fn ties_at_one_place_are_broken_by_id_then_bid_order() {
    let batches = [
        batch("b", (100, 1), &[(1, 500), (1, 500)]),
        batch("a", (100, 1), &[(1, 400), (1, 500), (1, 500)]),
    ];
    let turns = [
        vec![vec![0, 1, 0], vec![0, 0]],
        vec![vec![0, 1, 1], vec![0, 0]],
        vec![vec![0, 1, 1], vec![1, 0]],
        vec![vec![0, 1, 1], vec![1, 1]],
        vec![vec![1, 1, 1], vec![1, 1]],
    ];
    assert_eq!(history(endless(1), &batches, &[100, 101, 102, 103, 104]), turns);
}

#[test]
fn custody_04_each_bid_of_a_merged_batch_keeps_its_price() {
    // `a` asked for 4 at 500, then for 2 more at 900; `b` bids in between.
    let batches = [batch("a", (100, 1), &[(4, 500), (2, 900)]), batch("b", (100, 2), &[(3, 700)])];
    let turns = [
        vec![vec![0, 2], vec![1]],
        vec![vec![1, 2], vec![3]],
        vec![vec![4, 2], vec![3]],
        vec![vec![4, 2], vec![3]],
    ];
    assert_eq!(history(endless(3), &batches, &[100, 101, 102, 103]), turns);
}

#[test]
fn a_batch_is_split_across_blocks() {
    let batches = [batch("a", (100, 1), &[(10, 500)])];
    let turns = [vec![vec![0]], vec![vec![4]], vec![vec![8]], vec![vec![10]], vec![vec![10]]];
    assert_eq!(history(endless(4), &batches, &[99, 100, 101, 102, 103]), turns);
}

#[test]
fn custody_05_a_block_takes_only_bids_confirmed_by_then() {
    // However much the later batch pays, it gets no room in earlier blocks.
    let batches = [batch("a", (100, 5), &[(4, 1)]), batch("b", (103, 0), &[(4, 1_000_000)])];
    let turns = [
        vec![vec![0], vec![0]],
        vec![vec![1], vec![0]],
        vec![vec![3], vec![0]],
        vec![vec![3], vec![1]],
        vec![vec![3], vec![4]],
        vec![vec![4], vec![4]],
    ];
    assert_eq!(history(endless(1), &batches, &[99, 100, 102, 103, 106, 107]), turns);
}

#[test]
fn custody_05_a_higher_bid_overtakes_waiting_bids_but_no_block_contents() {
    let early = batch("a", (100, 1), &[(5, 500)]);
    let late = batch("b", (101, 1), &[(3, 600)]);
    let alone = [vec![vec![2]], vec![vec![4]], vec![vec![5]]];
    assert_eq!(history(endless(2), std::slice::from_ref(&early), &[100, 101, 102]), alone);
    let turns = [
        vec![vec![2], vec![0]],
        vec![vec![2], vec![2]],
        vec![vec![3], vec![3]],
        vec![vec![5], vec![3]],
    ];
    assert_eq!(history(endless(2), &[early, late], &[100, 101, 102, 103]), turns);
}

#[test]
fn requests_beyond_the_mints_total_are_not_taken() {
    let rules = Rules { requests_per_block: 4, total_requests: 6 };
    let batches = [
        batch("a", (100, 1), &[(3, 600)]),
        batch("b", (100, 2), &[(4, 500)]),
        batch("c", (100, 3), &[(1, 400)]),
        batch("d", (102, 0), &[(1, 9_000)]),
    ];
    assert_eq!(fill(rules, &batches, 100).minted_out_at, None);
    for height in [101, 102, 500] {
        let filled = fill(rules, &batches, height);
        let by_batch = [("a", vec![3]), ("b", vec![3]), ("c", vec![0]), ("d", vec![0])];
        assert_eq!(filled.by_batch, by_batch.into());
        assert_eq!((filled.filled, filled.minted_out_at), (6, Some(101)));
    }
}

#[test]
fn the_block_of_the_last_request_mints_out_not_the_one_after() {
    let rules = Rules { requests_per_block: 3, total_requests: 6 };
    let batches = [batch("a", (100, 1), &[(6, 500)])];
    assert_eq!(fill(rules, &batches, 100).minted_out_at, None);
    assert_eq!(fill(rules, &batches, 101).minted_out_at, Some(101));
    assert_eq!(fill(rules, &batches, u32::MAX).minted_out_at, Some(101));
}

#[test]
fn the_first_of_batches_with_one_id_counts() {
    let batches = [
        batch("a", (101, 1), &[(2, 500)]),
        batch("a", (100, 1), &[(9, 900), (9, 900)]),
        batch("b", (102, 1), &[(2, 500)]),
    ];
    assert_eq!(fill(endless(10), &batches, 100).filled, 0);
    let filled = fill(endless(10), &batches, 102);
    assert_eq!(filled.by_batch, [("a", vec![2]), ("b", vec![2])].into());
    assert_eq!(filled.filled, 4);
}

#[test]
fn a_mint_without_room_takes_nothing() {
    let batches = [batch("a", (100, 1), &[(2, 500)]), batch("b", (101, 1), &[])];
    for (requests_per_block, total_requests) in [(0, 6), (6, 0), (0, 0)] {
        let filled = fill(Rules { requests_per_block, total_requests }, &batches, u32::MAX);
        assert_eq!(filled.by_batch, [("a", vec![0]), ("b", vec![])].into());
        assert_eq!((filled.filled, filled.minted_out_at), (0, None));
    }
    let empty = fill::<u8>(endless(6), &[], u32::MAX);
    let (by_batch, blocks) = (BTreeMap::new(), BTreeMap::new());
    assert_eq!(empty, Filled { by_batch, blocks, minted_out_at: None, filled: 0 });
}

#[test]
fn filling_the_highest_possible_block_is_fast() {
    let batches = [
        batch("a", (0, 0), &[(u64::MAX, 1), (u64::MAX, u64::MAX)]),
        batch("b", (u32::MAX, u32::MAX), &[(u64::MAX, u64::MAX)]),
    ];
    let blocks = 1 << 32;
    let filled = fill(endless(1), &batches, u32::MAX);
    assert_eq!(filled.by_batch, [("a", vec![0, blocks]), ("b", vec![0])].into());
    let minted_out = fill(Rules { total_requests: blocks, ..endless(1) }, &batches, u32::MAX);
    assert_eq!(minted_out.minted_out_at, Some(u32::MAX));
    let at_once = fill(endless(u64::MAX), &batches, u32::MAX);
    assert_eq!(at_once.by_batch, [("a", vec![0, u64::MAX]), ("b", vec![0])].into());
    assert_eq!((at_once.filled, at_once.minted_out_at), (u64::MAX, Some(0)));
}

/// Heights of the small cases are below this.
const HEIGHTS: u32 = 12;

/// One batch for each id from 0, some in the same block, at the same place or price.
fn small_batches() -> impl Strategy<Value = Vec<Batch<usize>>> {
    let bids = vec((0u64..6, 1u64..5), 0..4);
    vec(((0..HEIGHTS, 0u32..4), bids), 0..8).prop_map(|batches| {
        let numbered = batches.into_iter().enumerate();
        numbered.map(|(id, (place, bids))| batch(id, place, &bids)).collect()
    })
}

fn small_rules() -> impl Strategy<Value = Rules> {
    let total = prop_oneof![0u64..8, 0u64..60];
    (prop_oneof![4 => 1u64..6, 1 => 0u64..20], total).prop_map(
        |(requests_per_block, total_requests)| Rules { requests_per_block, total_requests },
    )
}

/// Any number, with the extremes often.
fn any_u64() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), 0u64..4, u64::MAX - 2..=u64::MAX, (0u32..64).prop_map(|bit| 1 << bit)]
}

fn any_height() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0u32..4, u32::MAX - 2..=u32::MAX]
}

fn any_batches() -> impl Strategy<Value = Vec<Batch<u8>>> {
    let bids = vec((any_u64(), any_u64()), 0..4);
    let one = (any::<u8>(), (any_height(), any_height()), bids);
    vec(one.prop_map(|(id, place, bids)| batch(id, place, &bids)), 0..8)
}

/// The requests of each batch by height.
type ByHeight = BTreeMap<usize, BTreeMap<u32, u64>>;

/// The rules implemented literally: one request at a time, block after block.
fn naive(rules: Rules, batches: &[Batch<usize>], last_block: u32) -> (Filled<usize>, ByHeight) {
    let mut by_height = ByHeight::new();
    let mut by_batch: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    let mut requests = Vec::new();
    for batch in batches {
        by_batch.insert(batch.id, vec![0; batch.bids.len()]);
        for (bid, Bid { count, sats_per_request }) in batch.bids.iter().enumerate() {
            requests.extend((0..*count).map(|_| (*sats_per_request, batch.place, batch.id, bid)));
        }
    }
    requests.sort_by(|(a_sats, a_place, a_id, a_bid), (b_sats, b_place, b_id, b_bid)| {
        (b_sats.cmp(a_sats))
            .then(a_place.height.cmp(&b_place.height))
            .then(a_place.position.cmp(&b_place.position))
            .then(a_id.cmp(b_id))
            .then(a_bid.cmp(b_bid))
    });
    let (mut filled, mut minted_out_at) = (0, None);
    for height in 0..=last_block {
        for _ in 0..rules.requests_per_block {
            let next = requests.iter().position(|(_, place, ..)| place.height <= height);
            let Some(next) = next.filter(|_| filled < rules.total_requests) else { break };
            let (_, _, id, bid) = requests.remove(next);
            by_batch.get_mut(&id).into_iter().for_each(|counts| counts[bid] += 1);
            *by_height.entry(id).or_default().entry(height).or_default() += 1;
            filled += 1;
            if filled == rules.total_requests {
                minted_out_at = Some(height);
            }
        }
    }
    (Filled { by_batch, blocks: BTreeMap::new(), minted_out_at, filled }, by_height)
}

fn sum<Id>(filled: &Filled<Id>) -> u128 {
    filled.by_batch.values().flatten().map(|count| u128::from(*count)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn custody_05_the_result_matches_filling_block_after_block(
        rules in small_rules(),
        batches in small_batches(),
        last_block in 0..HEIGHTS + 8,
        up in prop_oneof![Just(0), Just(840_000), Just(u32::MAX - HEIGHTS - 8)],
        times in prop_oneof![Just(1), Just(1_000_003), Just(u64::MAX / 64)],
    ) {
        // Scaled: n times the requests, in blocks n times as large, n times as high.
        let (mut expected, by_height) = naive(rules, &batches, last_block);
        expected.minted_out_at = expected.minted_out_at.map(|height| height + up);
        expected.by_batch.values_mut().flatten().for_each(|count| *count *= times);
        expected.filled *= times;

        let rules = Rules {
            requests_per_block: rules.requests_per_block * times,
            total_requests: rules.total_requests * times,
        };
        let mut batches = batches;
        for batch in &mut batches {
            batch.place.height += up;
            batch.bids.iter_mut().for_each(|bid| bid.count *= times);
        }
        let filled = fill(rules, &batches, last_block + up);
        // Each batch says its newest blocks, and all of them if they are few runs.
        prop_assert!(filled.blocks.keys().eq(by_height.keys()));
        for (id, blocks) in &filled.blocks {
            let newest = blocks.newest(usize::MAX);
            let all = by_height[id].iter().rev();
            let all: Vec<_> = all.map(|(height, count)| (height + up, count * times)).collect();
            prop_assert_eq!(&newest[..], &all[..newest.len()]);
            prop_assert!(newest.len() == all.len() || newest.len() >= 12);
        }
        prop_assert_eq!(Filled { blocks: BTreeMap::new(), ..filled }, expected);
    }

    #[test]
    fn blocks_one_by_one_take_what_all_of_them_take(
        rules in small_rules(),
        batches in small_batches(),
        last_block in 0..HEIGHTS + 8,
    ) {
        let unfolded = unfold(rules, &batches, last_block);
        let mut before: BTreeMap<usize, Vec<u64>> =
            batches.iter().map(|batch| (batch.id, vec![0; batch.bids.len()])).collect();
        for height in 0..=last_block {
            let after = fill(rules, &batches, height).by_batch;
            let mut expected: Option<VirtualBlock> = None;
            for batch in &batches {
                let taken: Vec<_> = after[&batch.id].iter().zip(&before[&batch.id]).map(|(after, before)| after - before).collect();
                let parts = || taken.iter().zip(&batch.bids).filter(|(taken, _)| **taken > 0);
                for (taken, Bid { sats_per_request: price, .. }) in parts() {
                    let block = expected.get_or_insert(VirtualBlock {
                        height, requests: 0, batches: 0, sats: 0, lowest: *price, highest: *price,
                    });
                    block.requests += taken;
                    block.sats += taken * price;
                    block.lowest = block.lowest.min(*price);
                    block.highest = block.highest.max(*price);
                }
                if parts().next().is_some() {
                    expected.iter_mut().for_each(|block| block.batches += 1);
                }
            }
            let found = unfolded.blocks.iter().find(|block| block.height == height);
            prop_assert_eq!(found.copied(), expected);
            before = after;
        }
        prop_assert!(unfolded.blocks.is_sorted_by_key(|block| block.height));
        let mut waiting: BTreeMap<u64, u64> = BTreeMap::new();
        for batch in batches.iter().filter(|batch| batch.place.height <= last_block) {
            for (bid, taken) in batch.bids.iter().zip(&before[&batch.id]).filter(|(bid, taken)| bid.count > **taken) {
                *waiting.entry(bid.sats_per_request).or_default() += bid.count - taken;
            }
        }
        prop_assert_eq!(unfolded.waiting, waiting);
    }

    #[test]
    fn custody_05_the_order_of_the_batches_does_not_matter(
        rules in small_rules(),
        (batches, shuffled) in small_batches()
            .prop_flat_map(|batches| (Just(batches.clone()), Just(batches).prop_shuffle())),
        last_block in 0..HEIGHTS + 8,
    ) {
        prop_assert_eq!(fill(rules, &batches, last_block), fill(rules, &shuffled, last_block));
    }

    #[test]
    fn custody_05_later_batches_do_not_change_earlier_blocks(
        rules in small_rules(),
        batches in small_batches(),
        last_block in 0..HEIGHTS,
    ) {
        let by_then = |batch: &&Batch<usize>| batch.place.height <= last_block;
        let early: Vec<_> = batches.iter().filter(by_then).cloned().collect();
        let mut filled = fill(rules, &batches, last_block);
        for batch in batches.iter().filter(|batch| !by_then(batch)) {
            prop_assert_eq!(filled.by_batch.remove(&batch.id), Some(vec![0; batch.bids.len()]));
        }
        prop_assert_eq!(filled, fill(rules, &early, last_block));
    }

    #[test]
    fn the_next_block_takes_nothing_back(
        rules in small_rules(),
        batches in small_batches(),
        last_block in 0..HEIGHTS + 8,
    ) {
        let before = fill(rules, &batches, last_block);
        let after = fill(rules, &batches, last_block + 1);
        for (id, counts) in &before.by_batch {
            let pairs = counts.iter().zip(&after.by_batch[id]);
            prop_assert!(pairs.clone().all(|(before, after)| before <= after));
        }
        prop_assert!(after.filled - before.filled <= rules.requests_per_block);
        prop_assert!(before.minted_out_at.is_none() || before == after);
        prop_assert!(after.minted_out_at.is_none_or(|height| height <= last_block + 1));
    }

    #[test]
    fn no_input_breaks_the_limits(
        requests_per_block in any_u64(),
        total_requests in any_u64(),
        batches in any_batches(),
        last_block in any_height(),
    ) {
        let rules = Rules { requests_per_block, total_requests };
        let filled = fill(rules, &batches, last_block);
        let blocks = u128::from(last_block) + 1;
        prop_assert_eq!(sum(&filled), u128::from(filled.filled));
        prop_assert!(filled.filled <= total_requests);
        prop_assert!(sum(&filled) <= u128::from(requests_per_block) * blocks);
        let minted_out = filled.filled == total_requests && total_requests > 0;
        prop_assert_eq!(filled.minted_out_at.is_some(), minted_out);
        prop_assert!(filled.minted_out_at.is_none_or(|height| height <= last_block));
        for (id, counts) in &filled.by_batch {
            let batch = batches.iter().find(|batch| batch.id == *id);
            let bids = batch.map(|batch| &*batch.bids).unwrap_or_default();
            prop_assert_eq!(counts.len(), bids.len());
            let late = batch.is_none_or(|batch| batch.place.height > last_block);
            for (count, bid) in counts.iter().zip(bids) {
                let most = if late { 0 } else { bid.count };
                prop_assert!(*count <= most);
            }
        }
        prop_assert!(batches.iter().all(|batch| filled.by_batch.contains_key(&batch.id)));
    }
}
