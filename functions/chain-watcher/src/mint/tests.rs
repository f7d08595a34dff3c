#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use proptest::{option, prelude::*};

use super::*;
use crate::fixture::{self, AFTER, FIRST, confirmed};

/// The virtual blocks up to a tip; a mint with a last block ends there.
fn filled_at(mint: &Mint, rows: &[VmTransaction], tip: u32) -> Filled<Txid> {
    blocks(mint, rows, mint.last_block.unwrap_or(u32::MAX).min(tip))
}

/// How the mint has ended at a tip, given the confirmations by then.
fn end_at(mint: &Mint, rows: &[VmTransaction], tip: u32) -> Option<(u32, MintState)> {
    let by_then = |row: &&VmTransaction| row.confirmation.is_none_or(|place| place.height <= tip);
    let rows: Vec<_> = rows.iter().filter(by_then).cloned().collect();
    end(mint, &filled_at(mint, &rows, tip), final_height(tip))
}

fn mint_of((requests_per_block, total_requests): (u64, u64), last_block: Option<u32>) -> Mint {
    Mint { last_block, ..fixture::mint(requests_per_block, total_requests) }
}

/// Number of blocks from one up to the tip, both included.
fn depth(tip: u32, block: u32) -> u32 {
    (tip + 1).saturating_sub(block)
}

#[test]
fn custody_05_a_mint_ends_with_the_seventh_block_not_with_the_sixth() {
    let full = [confirmed(fixture::row(1, &[(4, 700)]), FIRST, 0)];
    let open = mint_of((10, 4), None);
    let closed = mint_of((10, 5), Some(FIRST + 2));
    for depth in 1..7 {
        assert_eq!(end_at(&open, &full, FIRST + depth - 1), None, "{depth}");
        assert_eq!(end_at(&closed, &full, FIRST + 2 + depth - 1), None, "{depth}");
    }
    assert_eq!(end_at(&open, &full, FIRST + 6), Some((FIRST, MintState::MintedOut)));
    assert_eq!(end_at(&closed, &full, FIRST + 8), Some((FIRST + 2, MintState::Failed)));
}

#[test]
fn custody_05_the_request_that_fills_a_mint_in_its_last_block_counts() {
    let rows = [
        confirmed(fixture::row(1, &[(3, 700)]), FIRST, 0),
        confirmed(fixture::row(2, &[(1, 900)]), FIRST + 2, 0),
    ];
    let in_time = mint_of((10, 4), Some(FIRST + 2));
    assert_eq!(end_at(&in_time, &rows, FIRST + 8), Some((FIRST + 2, MintState::MintedOut)));
    let late = mint_of((10, 4), Some(FIRST + 1));
    assert_eq!(end_at(&late, &rows, FIRST + 7), Some((FIRST + 1, MintState::Failed)));
}

#[test]
fn a_mint_without_an_end_stays_open() {
    let rows = [confirmed(fixture::row(1, &[(3, 700)]), FIRST, 0)];
    for tip in [FIRST, FIRST + 6, FIRST + 100_000] {
        assert_eq!(end_at(&mint_of((10, 4), None), &rows, tip), None);
    }
}

#[test]
fn custody_05_a_mints_end_searches_for_transactions_that_no_row_accounts_for() {
    let end = FIRST + 3;
    let known = confirmed(fixture::row(1, &[(2, 700)]), FIRST, 0);
    let later = confirmed(fixture::row(2, &[(2, 700)]), end + 1, 0);
    let waiting = VmTransaction { issued_at_height: FIRST - 9, ..fixture::row(3, &[(2, 700)]) };
    let replaced = VmTransaction {
        state: VmState::Replaced,
        anchor: known.anchor,
        ..fixture::row(4, &[(2, 700)])
    };
    let failed = VmTransaction { state: VmState::Failed, ..fixture::row(5, &[(2, 700)]) };
    let young = VmTransaction { issued_at_height: end, ..fixture::row(6, &[(2, 700)]) };
    let shallow =
        VmTransaction { is_final: false, ..confirmed(fixture::row(7, &[(2, 7)]), end + 2, 1) };
    let rows = [known, later, waiting.clone(), replaced, failed, young, shallow.clone()];
    let expected = [&waiting, &shallow].map(|row| (row.txid, row.issued_at_height));
    assert_eq!(missing(&rows, end), BTreeMap::from(expected));
}

#[test]
fn custody_05_the_search_ends_where_the_rune_begins() {
    let mint = mint_of((10, 4), None);
    let etched_at = u32::try_from(mint.rune.id.block).unwrap();
    for issued_at in [0, 1, etched_at] {
        assert_eq!(first_possible(&mint, issued_at), etched_at + 1);
    }
    assert_eq!(first_possible(&mint, etched_at + 40), etched_at + 41);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn custody_05_nothing_ends_on_fewer_than_seven_blocks(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in option::of(FIRST..AFTER + 4),
        tip in FIRST..AFTER + 20,
    ) {
        let mint = mint_of(rules, last_block);
        let filled = filled_at(&mint, &rows, tip);
        match end(&mint, &filled, final_height(tip)) {
            Some((block, state)) => {
                prop_assert!(depth(tip, block) >= 7);
                let (expected, of) = match filled.minted_out_at {
                    Some(height) => (MintState::MintedOut, Some(height)),
                    None => (MintState::Failed, last_block),
                };
                prop_assert_eq!((state, Some(block)), (expected, of));
                prop_assert!(MintState::Open.may_become(state));
            }
            // It waits for those seven blocks, or has no end yet.
            None => {
                let block = filled.minted_out_at.or(last_block);
                prop_assert!(block.is_none_or(|block| depth(tip, block) < 7));
            }
        }
    }

    #[test]
    fn custody_05_a_final_end_never_changes(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in option::of(FIRST..AFTER + 4),
        (tip, later) in (FIRST..AFTER + 20, 0u32..20),
    ) {
        // Commitments that confirm after an end do not change it, nor do the blocks by which a reorganisation
        // of six replaces others.
        let mint = mint_of(rules, last_block);
        if let Some(ended) = end_at(&mint, &rows, tip) {
            prop_assert_eq!(end_at(&mint, &rows, tip + later), Some(ended));
            let before = |row: &&VmTransaction| {
                row.confirmation.is_none_or(|place| place.height + 6 <= tip)
            };
            let kept: Vec<_> = rows.iter().filter(before).cloned().collect();
            prop_assert_eq!(end_at(&mint, &kept, tip + later), Some(ended));
        }
    }

    #[test]
    fn custody_05_the_changed_rows_are_those_that_differ_from_the_blocks(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in FIRST..AFTER + 8,
    ) {
        let mint = mint_of(rules, None);
        let blocks = blocks(&mint, &rows, last_block);
        let changes = changed(&rows, &blocks.by_batch);
        let mut now = rows.clone();
        for (before, after) in &changes {
            prop_assert!(before.state.takes_part() && before.confirmation.is_some());
            prop_assert!(before.state == after.state || before.state.may_become(after.state));
            prop_assert_eq!(before.paid_sats(), after.paid_sats());
            let row = now.iter_mut().find(|row| row.txid == before.txid).unwrap();
            prop_assert_eq!(&*row, before);
            *row = after.clone();
        }
        // After the write nothing is left to write, and the blocks are the same.
        prop_assert_eq!(changed(&now, &blocks.by_batch), vec![]);
        prop_assert_eq!(&super::blocks(&mint, &now, last_block), &blocks);
        for row in &now {
            let in_blocks: Vec<_> = row.tiers.iter().map(|tier| tier.in_blocks).collect();
            match blocks.by_batch.get(&row.txid) {
                Some(filled) => prop_assert_eq!(&in_blocks, filled),
                None => prop_assert!(row.confirmation.is_none() || !row.state.takes_part()),
            }
        }
        let sum: u64 = now
            .iter()
            .filter(|row| row.state.takes_part())
            .map(VmTransaction::requests_in_blocks)
            .sum();
        prop_assert_eq!(sum, blocks.filled);
        prop_assert!(sum <= mint.total_requests);
    }

    #[test]
    fn refilling_a_row_ignores_its_earlier_state(
        rows in fixture::rows(),
        parts in proptest::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        for row in rows.iter().filter(|row| row.confirmation.is_some()) {
            let tiers = row.tiers.iter().zip(&parts);
            let held: Vec<_> = tiers
                .map(|(tier, part)| part.index(usize::try_from(tier.count).unwrap() + 1) as u64)
                .collect();
            let after = filled(row, Some(&held));
            prop_assert_eq!(&filled(&after, Some(&held)), &after);
            prop_assert_eq!(after.requests_in_blocks() + after.requests_in_mempool(), row.requests());
            let none = filled(&after, None);
            prop_assert_eq!((none.state, none.requests_in_blocks()), (VmState::AllInMempool, 0));
        }
    }
}
