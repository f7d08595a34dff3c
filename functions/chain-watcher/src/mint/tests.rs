#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use chain::{mints::TakenBlocks, models::vm_transaction::VmState};
use local::LocalStack;
use proptest::{option, prelude::*};

use super::*;
use crate::{
    fixture::{self, AFTER, FIRST, confirmed},
    virtual_blocks::Share,
};

/// The virtual blocks up to a tip; a mint with a last block ends there.
fn filled_at(mint: &Mint, rows: &[VmTransaction], tip: u32) -> Filled<Txid> {
    blocks(mint, &fixture::batches(rows), mint.last_block.unwrap_or(u32::MAX).min(tip))
}

/// How the mint has ended at a tip, given the confirmations up to it.
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
fn rows_that_do_not_know_their_block_are_left_alone() {
    let known = confirmed(fixture::row(1, &[(2, 700)]), FIRST, 3);
    let elsewhere = confirmed(fixture::row(2, &[(2, 700)]), FIRST, 4);
    let unconfirmed = fixture::row(3, &[(2, 700)]);
    let replaced = confirmed(fixture::row(4, &[(2, 700)]), FIRST, 6);
    let replaced = VmTransaction { state: VmState::Replaced, ..replaced };
    let rows = [known.clone(), elsewhere, unconfirmed, replaced];
    let txids: Vec<_> = rows.iter().map(|row| row.txid).collect();
    let places = txids
        .iter()
        .zip([3, 5, 5, 6])
        .map(|(txid, position)| (*txid, Place { height: FIRST, position }));
    let places = places.collect();
    let missing = [Some(rows[0].clone()), Some(rows[1].clone()), Some(rows[2].clone()), None];
    for rows in [rows.map(Some), missing] {
        let (there, behind) = knowing_their_block(&txids, rows.to_vec(), &places);
        assert_eq!(there, std::slice::from_ref(&known));
        assert_eq!(behind, txids[1..]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_row_that_cannot_be_changed_holds_up_no_other_row_of_an_open_mint() {
    let stack = LocalStack::start().await;
    let app = stack.app().function::<App>();
    let row = |number: u8, address: &str| {
        confirmed(fixture::stored_row(number, &[(2, 700)], address), FIRST, number.into())
    };
    let rows = [row(1, "bcrt1qalice"), row(2, "bcrt1qbob"), row(3, "bcrt1qcarol")];
    for row in &rows {
        app.store.put(&keys::vm_transaction(row.key()), row).await.unwrap();
    }
    let count = keys::vm_waiting("bcrt1qbob", rows[1].rune_id);
    app.store.put(&count, &fixture::Miscounted::default()).await.unwrap();
    let (mint, batches) = (mint_of((10, 10), None), fixture::batches(&rows));
    let blocks = filled_at(&mint, &rows, FIRST);
    let mut looked = Looked::at(&mint, &fixture::tip(FIRST));
    let suspects: BTreeSet<_> = rows.iter().map(|row| row.txid).collect();
    let of_all = (&*batches, &blocks);
    assert!(bring_up(&app, &mint, of_all, suspects.clone(), &mut looked).await.unwrap());
    assert!(looked.sets_aside);
    assert_eq!(looked.behind, [rows[1].txid].into());
    let in_blocks = async || {
        let keys: Vec<_> = rows.iter().map(|row| keys::vm_transaction(row.key())).collect();
        let found = app.store.get_many::<VmTransaction>(&keys).await.unwrap();
        found.into_iter().map(|row| row.unwrap().requests_in_blocks()).collect::<Vec<_>>()
    };
    assert_eq!(in_blocks().await, [2, 0, 2]);

    app.store.delete(&count).await.unwrap();
    let mut looked = Looked::at(&mint, &fixture::tip(FIRST));
    assert!(bring_up(&app, &mint, of_all, suspects, &mut looked).await.unwrap());
    assert!(!looked.sets_aside && looked.behind.is_empty());
    assert_eq!(in_blocks().await, [2, 2, 2]);
}

#[test]
fn a_look_goes_on_only_where_blocks_were_added() {
    let mint = fixture::mint(10, 10);
    let hash = |byte: u8| bitcoin::hashes::Hash::from_byte_array([byte; 32]);
    let block = |height: u32, id: u8, below: u8| chain::bitcoin::esplora::Block {
        id: hash(id),
        height,
        previousblockhash: Some(hash(below)),
        merkle_root: bitcoin::hashes::Hash::all_zeros(),
    };
    let first = Tip::new(&[block(FIRST, 1, 0)]).unwrap();
    let before = Looked::at(&mint, &first);
    assert!(before.is_same(&mint, &first) && goes_on(&before, &mint, &first));
    let next = first.with(&block(FIRST + 1, 2, 1));
    assert!(!before.is_same(&mint, &next) && goes_on(&before, &mint, &next));
    // A block was taken back, and another has taken its place.
    let replaced = next.taken_back().unwrap().with(&block(FIRST + 1, 3, 1));
    assert!(!goes_on(&before, &mint, &replaced));
    let back = next.taken_back().unwrap();
    assert_eq!(back.hash, first.hash);
    assert!(!before.is_same(&mint, &back) && !goes_on(&before, &mint, &back));
    // Something other than a block has changed a row.
    let changed = Mint { revision: mint.revision + 1, ..mint.clone() };
    assert!(!before.is_same(&changed, &first) && !goes_on(&before, &changed, &next));
    // Every row is compared from time to time.
    let mut tip = first;
    for height in 1..COMPARED_EVERY {
        tip = tip.with(&block(FIRST + height, 9, 9));
        assert!(goes_on(&before, &mint, &tip), "{height}");
    }
    assert!(!goes_on(&before, &mint, &tip.with(&block(FIRST + COMPARED_EVERY, 9, 9))));
    // A batch whose row lagged is visited again.
    let behind = [fixture::row(1, &[]).txid].into();
    assert!(!Looked { behind, ..before }.is_same(&mint, &Tip::new(&[block(FIRST, 1, 0)]).unwrap()));
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
            // The mint waits for those seven blocks, or has no end yet.
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
        // Commitments that confirm after the end do not change it, and neither does a reorganisation of six
        // blocks.
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
        let blocks = blocks(&mint, &fixture::batches(&rows), last_block);
        let changes = changed(&rows, &blocks);
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
        prop_assert_eq!(changed(&now, &blocks), vec![]);
        prop_assert_eq!(&super::blocks(&mint, &fixture::batches(&now), last_block), &blocks);
        for row in &now {
            let in_blocks: Vec<_> = row.tiers.iter().map(|tier| tier.in_blocks).collect();
            match blocks.by_batch.get(&row.txid) {
                Some(filled) => prop_assert_eq!(&in_blocks, filled),
                None => prop_assert!(row.confirmation.is_none() || !row.state.takes_part()),
            }
            if row.state.takes_part() && row.confirmation.is_some() {
                let held = blocks.blocks.get(&row.txid).cloned().unwrap_or_default();
                prop_assert_eq!(&row.blocks, &held);
                let of_blocks: u64 = held.newest(100).iter().map(|(_, requests)| requests).sum();
                prop_assert!(of_blocks <= row.requests_in_blocks());
                prop_assert!(held.newest(1).iter().all(|(height, _)| *height <= last_block));
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

    /// A look compares only the rows of batches whose requests in blocks have changed; the others are right
    /// already.
    #[test]
    fn custody_05_blocks_that_are_added_change_no_other_rows(
        rules in fixture::rules(),
        rows in fixture::rows(),
        (before, added) in (FIRST..AFTER + 4, 0u32..6),
    ) {
        let mint = mint_of(rules, None);
        let batches = fixture::batches(&rows);
        let filled_before = blocks(&mint, &batches, before);
        // The batches of later blocks are not confirmed yet.
        let mut rows: Vec<_> = rows
            .iter()
            .map(|row| match row.confirmation.filter(|place| place.height > before) {
                Some(_) => row.outside_of_blocks(row.state),
                None => row.clone(),
            })
            .collect();
        for (was, is) in changed(&rows.clone(), &filled_before) {
            *rows.iter_mut().find(|row| row.txid == was.txid).unwrap() = is;
        }
        let filled = blocks(&mint, &batches, before + added);
        let suspects = differing(&filled_before.by_batch, &filled.by_batch);
        for (row, _) in changed(&rows, &filled) {
            let is_new = row.confirmation.is_some_and(|place| place.height > before);
            prop_assert!(suspects.contains(&row.txid) || is_new, "{}", row.txid);
        }
        for row in &rows {
            if !suspects.contains(&row.txid) && let Some(share) = filled.of(&row.txid) {
                let held: Vec<_> = row.tiers.iter().map(|tier| tier.in_blocks).collect();
                prop_assert_eq!(&held[..], share.by_bid);
                let takes_part = row.state.takes_part() && row.confirmation.is_some();
                prop_assert!(!takes_part || row.blocks == share.blocks.cloned().unwrap_or_default());
            }
        }
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
            let mut blocks = TakenBlocks::default();
            blocks.add(FIRST, 0, held.iter().sum(), 3);
            let share = Share { by_bid: &held, blocks: Some(&blocks) };
            let after = filled(row, Some(share));
            prop_assert_eq!(&filled(&after, Some(share)), &after);
            prop_assert_eq!(&after.blocks, &blocks);
            prop_assert_eq!(after.requests_in_blocks() + after.requests_in_mempool(), row.requests());
            let none = filled(&after, None);
            prop_assert_eq!((none.state, none.requests_in_blocks()), (VmState::AllInMempool, 0));
            prop_assert!(none.blocks.is_empty());
        }
    }
}
