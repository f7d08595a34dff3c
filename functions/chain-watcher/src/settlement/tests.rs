#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;

use chain::{
    keys,
    mints::{Changes, Tier},
    models::vm_transaction::VmState,
};
use local::LocalStack;
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, AFTER, FIRST, confirmed};

/// A mint after its end: minted out if its blocks took every request, failed at `last_block` otherwise.
fn ended(rules: (u64, u64), rows: &[VmTransaction], last_block: u32) -> Mint {
    let mut mint = fixture::mint(rules.0, rules.1);
    mint.last_block = Some(last_block);
    mint.minted_out_at = blocks(&mint, &fixture::batches(rows), last_block).minted_out_at;
    mint.state = match mint.minted_out_at {
        Some(_) => MintState::MintedOut,
        None => MintState::Failed,
    };
    mint
}

fn failed() -> Mint {
    Mint { state: MintState::Failed, last_block: Some(FIRST), ..fixture::mint(10, 10) }
}

/// The amounts that a transaction's commitment paid the treasury.
fn paid(row: &VmTransaction) -> u64 {
    row.tiers.iter().map(|tier| tier.count * tier.sats_per_request).sum()
}

fn requests(tiers: &[Tier]) -> u64 {
    tiers.iter().map(|tier| tier.count).sum()
}

fn ids(rows: &[VmTransaction]) -> BTreeSet<Txid> {
    rows.iter().map(|row| row.txid).collect()
}

/// The transactions that can be settled, each before and after.
fn settled(
    mint: &Mint,
    rows: &[VmTransaction],
    final_height: u32,
) -> Result<Vec<(VmTransaction, VmTransaction)>, ChainError> {
    let blocks = taken(mint, &fixture::batches(rows));
    let (mut decided, damaged) = decided(rows, (blocks.as_ref(), &ids(rows)), final_height);
    decided.retain(|(_, after)| after.settlement.is_some());
    match damaged {
        0 => Ok(decided),
        _ => Err(ChainError::Damaged("a row cannot be settled")),
    }
}

/// The transactions, with the settled ones in their places.
fn after(mint: &Mint, rows: &[VmTransaction], final_height: u32) -> Vec<VmTransaction> {
    let settled = settled(mint, rows, final_height).unwrap();
    let settled: BTreeMap<_, _> =
        settled.into_iter().map(|(before, after)| (before.txid, after)).collect();
    let now = |row: &VmTransaction| settled.get(&row.txid).unwrap_or(row).clone();
    rows.iter().map(now).collect()
}

#[test]
fn custody_06_a_partly_taken_batch_is_distributed_and_refunded_by_its_own_prices() {
    // Five requests: three at 900, and two of the four at 700.
    let row = confirmed(fixture::row(1, &[(4, 700), (3, 900)]), FIRST, 0);
    let mint = ended((5, 5), std::slice::from_ref(&row), FIRST);
    assert_eq!((mint.state, mint.minted_out_at), (MintState::MintedOut, Some(FIRST)));
    let settled = after(&mint, &[row], FIRST).remove(0);
    let expected =
        Settlement { distributable_requests: 5, refundable_requests: 2, refundable_sats: 1_400 };
    assert_eq!(settled.settlement, Some(expected));
    assert_eq!((settled.state, settled.refund_source), (VmState::PartiallyInBlock, None));
    assert_eq!(settled.sats_in_blocks(), 3 * 900 + 2 * 700);
}

#[test]
fn custody_06_a_batch_after_the_last_request_is_refunded_from_its_own_output() {
    let rows = [
        confirmed(fixture::row(1, &[(5, 700)]), FIRST, 0),
        confirmed(fixture::row(2, &[(2, 9_000)]), FIRST + 1, 0),
    ];
    let mint = ended((5, 5), &rows, FIRST + 5);
    let settled = after(&mint, &rows, FIRST + 5).remove(1);
    let expected =
        Settlement { distributable_requests: 0, refundable_requests: 2, refundable_sats: 18_000 };
    assert_eq!(settled.settlement, Some(expected));
    assert_eq!((settled.state, settled.refund_source), (VmState::NotTaken, Some(rows[1].output)));
}

#[test]
fn custody_06_six_blocks_settle_nothing_and_seven_do() {
    let row = confirmed(fixture::row(1, &[(2, 700)]), FIRST, 0);
    for (tip, is_settled) in [(FIRST, false), (FIRST + 5, false), (FIRST + 6, true)] {
        let settled = after(&failed(), std::slice::from_ref(&row), final_height(tip)).remove(0);
        assert_eq!(settled.settlement.is_some(), is_settled, "{tip}");
    }
}

#[test]
fn custody_05_a_commitment_not_seen_final_is_not_settled() {
    let row = confirmed(fixture::row(1, &[(2, 700)]), FIRST, 0);
    let lags = VmTransaction { is_final: false, ..row };
    assert_eq!(settled(&failed(), &[lags], u32::MAX).unwrap(), []);
}

#[test]
fn custody_03_replaced_or_unconfirmed_transactions_are_never_settled() {
    for state in VmState::ALL {
        let row = VmTransaction { state, is_final: true, ..fixture::row(1, &[(2, 700)]) };
        assert_eq!(settled(&failed(), std::slice::from_ref(&row), u32::MAX).unwrap(), []);
        let row = confirmed(row, FIRST, 0);
        let settled = settled(&failed(), std::slice::from_ref(&row), u32::MAX).unwrap();
        assert_eq!(settled.len(), usize::from(state.takes_part()), "{state}");
    }
}

/// A transaction that still waits when its mint ends is not taken, whether its commitment is final, confirmed
/// or in the mempool.
#[test]
fn custody_06_what_an_ended_mint_has_not_taken_leaves_the_mempool() {
    let in_mempool = fixture::row(1, &[(2, 700)]);
    let broadcasting =
        VmTransaction { state: VmState::Broadcasting, ..fixture::row(2, &[(1, 700)]) };
    let late =
        VmTransaction { is_final: false, ..confirmed(fixture::row(3, &[(3, 700)]), FIRST, 0) };
    let rows = [in_mempool, broadcasting, late];
    let first = |rows: &[VmTransaction]| {
        let (decided, damaged) = decided(rows, (None, &ids(rows)), FIRST);
        assert_eq!(damaged, 0);
        decided
    };
    let changed = first(&rows);
    assert_eq!(changed.len(), 3);
    for (before, after) in &changed {
        assert_eq!((after.state, after.requests_in_mempool()), (VmState::NotTaken, 0));
        assert_eq!((after.settlement, after.confirmation), (None, before.confirmation));
        assert!(before.state.may_become(after.state));
    }
    // A second look has nothing to decide until the chain changes.
    let after: Vec<_> = changed.into_iter().map(|(_, after)| after).collect();
    assert_eq!(first(&after), []);
    let confirmed: Vec<_> = after.into_iter().map(|row| confirmed(row, FIRST, 1)).collect();
    let seen: Vec<_> =
        confirmed.into_iter().map(|row| VmTransaction { is_final: true, ..row }).collect();
    for (_, after) in first(&seen) {
        assert_eq!((after.state, after.refund_source), (VmState::NotTaken, Some(after.output)));
        assert_eq!(after.refundable_sats(), after.sats());
    }
}

/// A row that has fewer requests than the blocks have taken from its batch is damaged; the others are
/// settled.
#[test]
fn custody_26_a_row_that_cannot_be_settled_holds_up_no_other() {
    let taken_row = confirmed(fixture::row(1, &[(5, 700)]), FIRST, 0);
    let other = confirmed(fixture::row(2, &[(1, 600)]), FIRST, 1);
    let rows = [taken_row.clone(), other.clone()];
    let mint = ended((5, 5), &rows, FIRST);
    let blocks = taken(&mint, &fixture::batches(&rows)).unwrap();
    let fewer = fixture::row(1, &[(3, 700)]);
    let damaged = VmTransaction { tiers: fewer.tiers, ..taken_row };
    let own = ids(&rows);
    let (changed, damaged) = decided(&[damaged, other.clone()], (Some(&blocks), &own), FIRST);
    assert_eq!(damaged, 1);
    let changed: Vec<_> = changed.iter().map(|(_, after)| (after.txid, after.state)).collect();
    assert_eq!(changed, [(other.txid, VmState::NotTaken)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_batch_that_cannot_be_written_is_set_aside_with_an_alarm() {
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
    let mint = failed();
    let placed = (0..).zip(&rows).map(|(position, row)| (row.clone(), position)).collect();
    let bids = bids::writes(FIRST, &BTreeMap::from([(mint.id, placed)]), &BTreeMap::new());
    app.store.commit(bids.unwrap()).await.unwrap();
    let settled = async || {
        let mut settled = Vec::new();
        for row in &rows {
            let row: Option<VmTransaction> =
                app.store.get(&keys::vm_transaction(row.key())).await.unwrap();
            settled.push(row.unwrap().settlement.is_some());
        }
        settled
    };
    let alarm = || with_alarm(&app, mint.id, RowOutcome::default()).waits;
    assert_eq!(settle(&app, &mint, &fixture::tip(FIRST + 6)).await.unwrap(), NextLook::Wait);
    assert_eq!(settled().await, [true, false, true]);
    // The alarm rings until the row can be written, also after looks that have nothing new to try.
    assert!(alarm().is_some());
    assert_eq!(settle(&app, &mint, &fixture::tip(FIRST + 6)).await.unwrap(), NextLook::Wait);
    assert!(alarm().is_some());

    app.store.delete(&count).await.unwrap();
    assert_eq!(settle(&app, &mint, &fixture::tip(FIRST + 7)).await.unwrap(), NextLook::Nothing);
    assert_eq!(settled().await, [true, true, true]);
    assert_eq!(alarm(), None);
}

/// A function that may write rows could give a batch other prices. The blocks would then seem to have taken
/// nothing, and the whole batch would be refunded in addition to its runes.
#[test]
fn custody_33_a_row_with_other_prices_than_its_bids_is_not_settled() {
    let row = confirmed(fixture::row(1, &[(1, 700), (5, 9_000)]), FIRST, 0);
    let rows = [row.clone()];
    let mint = ended((5, 5), &rows, FIRST);
    let blocks = taken(&mint, &fixture::batches(&rows)).unwrap();
    assert_eq!(blocks.of(&row.txid).unwrap().by_bid.iter().sum::<u64>(), 5);
    let tier = |count, sats_per_request| Tier { count, sats_per_request, in_blocks: 0 };
    for tiers in [vec![tier(1, paid(&row))], vec![tier(45_700, 1)], vec![tier(0, 1), tier(1, 1)]] {
        let forged = VmTransaction { tiers, ..row.clone() };
        let (changed, damaged) = decided(&[forged], (Some(&blocks), &ids(&rows)), FIRST);
        assert_eq!((changed.len(), damaged), (0, 1));
    }
    let (changed, damaged) = decided(&rows, (Some(&blocks), &ids(&rows)), FIRST);
    assert_eq!((changed.len(), damaged), (1, 0));
}

/// A function that may write rows could add a batch of another mint to a failed mint, and so have it
/// refunded.
#[test]
fn custody_33_only_a_batch_that_the_blocks_have_for_the_mint_is_settled() {
    let own = confirmed(fixture::row(1, &[(5, 700)]), FIRST, 0);
    let foreign = confirmed(fixture::row(2, &[(5, 700)]), FIRST, 1);
    let rows = [foreign, own.clone()];
    let (changed, damaged) = decided(&rows, (None, &ids(std::slice::from_ref(&own))), FIRST);
    assert_eq!(damaged, 1);
    let changed: Vec<_> = changed.iter().map(|(_, after)| after.txid).collect();
    assert_eq!(changed, [own.txid]);
}

/// A row that does not know its block yet may hold requests that are paid out.
#[test]
fn custody_06_what_the_blocks_of_a_full_mint_hold_is_left_to_its_payout() {
    let taken_row = confirmed(fixture::row(1, &[(5, 700)]), FIRST, 0);
    let mint = ended((5, 5), std::slice::from_ref(&taken_row), FIRST);
    let blocks = taken(&mint, &fixture::batches(std::slice::from_ref(&taken_row))).unwrap();
    let behind = VmTransaction {
        confirmation: None,
        is_final: false,
        ..taken_row.outside_of_blocks(VmState::AllInMempool)
    };
    let waiting = fixture::row(2, &[(1, 9_000)]);
    let own = ids(&[taken_row]);
    let (changed, _) = decided(&[behind, waiting.clone()], (Some(&blocks), &own), FIRST);
    let changed: Vec<_> = changed.iter().map(|(_, after)| (after.txid, after.state)).collect();
    assert_eq!(changed, [(waiting.txid, VmState::NotTaken)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn custody_06_kept_and_refundable_sats_add_up_to_the_confirmed_payments(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in FIRST..AFTER + 8,
        later in 0u32..20,
    ) {
        let mint = ended(rules, &rows, last_block);
        let final_height = mint.minted_out_at.unwrap_or(last_block) + later;
        for (before, after) in settled(&mint, &rows, final_height).unwrap() {
            let settlement = after.settlement.unwrap();
            let kept: u64 =
                after.tiers.iter().map(|tier| tier.in_blocks * tier.sats_per_request).sum();
            prop_assert_eq!(kept + settlement.refundable_sats, paid(&before));
            let both = settlement.distributable_requests + settlement.refundable_requests;
            prop_assert_eq!(both, requests(&before.tiers));
            let in_blocks: u64 = after.tiers.iter().map(|tier| tier.in_blocks).sum();
            prop_assert_eq!(settlement.distributable_requests, in_blocks);
            // The output is refunded whole, or the transfer divides it.
            let whole = (in_blocks == 0).then_some(before.output);
            prop_assert_eq!(after.refund_source, whole);
        }
    }

    #[test]
    fn custody_06_a_full_mint_distributes_exactly_its_requests_and_others_no_more(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in FIRST..AFTER + 8,
        final_height in FIRST..AFTER + 30,
    ) {
        let mint = ended(rules, &rows, last_block);
        let end = mint.minted_out_at.unwrap_or(last_block);
        let mut rows = after(&mint, &rows, final_height.max(end));
        let sum = |rows: &[VmTransaction]| -> u64 {
            let settled = rows.iter().filter_map(|row| row.settlement);
            settled.map(|settlement| settlement.distributable_requests).sum()
        };
        let at_first = sum(&rows);
        prop_assert!(at_first <= mint.total_requests);
        // Once the rows are up to date.
        for row in rows.iter_mut().filter(|row| row.confirmation.is_some()) {
            row.is_final = true;
        }
        let rows = after(&mint, &rows, final_height.max(end));
        let distributed = sum(&rows);
        prop_assert!(at_first <= distributed);
        match mint.state {
            MintState::MintedOut => prop_assert_eq!(distributed, mint.total_requests),
            _ => prop_assert_eq!(distributed, 0),
        }
    }

    #[test]
    fn custody_06_a_failed_mint_refunds_every_payment(
        rules in fixture::rules(),
        rows in fixture::rows(),
        stale in proptest::option::of(FIRST..AFTER),
    ) {
        // Regardless of the row's other fields.
        let mint = Mint { minted_out_at: stale, ..failed() };
        let mint = Mint { requests_per_block: rules.0, total_requests: rules.1, ..mint };
        let rows = after(&mint, &rows, AFTER);
        let owed: u64 = rows.iter().map(VmTransaction::refundable_sats).sum();
        let is_paid = |row: &&VmTransaction| row.state.takes_part() && row.is_final;
        prop_assert_eq!(owed, rows.iter().filter(is_paid).map(paid).sum::<u64>());
        for row in rows.iter().filter(is_paid) {
            prop_assert_eq!((row.state, row.refund_source), (VmState::NotTaken, Some(row.output)));
            prop_assert!(row.is_refundable() && row.requests_in_blocks() == 0);
            prop_assert_eq!(row.requests_in_mempool(), 0);
        }
    }

    #[test]
    fn custody_06_only_final_unsettled_transactions_are_settled(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in FIRST..AFTER,
        (early, late) in (FIRST..AFTER, 0u32..12),
    ) {
        let mint = ended(rules, &rows, last_block);
        let early = early.max(mint.minted_out_at.unwrap_or(last_block));
        let late = early + late;
        let once = after(&mint, &rows, early);
        for (row, settled) in rows.iter().zip(&once) {
            let is_final = row.confirmation.is_some_and(|place| place.height <= early);
            let ready = is_final && row.is_final && row.state.takes_part();
            prop_assert_eq!(settled.settlement.is_some(), ready);
            prop_assert!(ready || row == settled);
        }
        prop_assert_eq!(settled(&mint, &once, early).unwrap(), []);
        // Settling step by step, with payouts in between, gives the same result as settling everything
        // together.
        let paid_out = |row: &VmTransaction| match row.settlement {
            Some(settlement) if settlement.distributable_requests > 0 => {
                VmTransaction { state: VmState::Distributing, ..row.clone() }
            }
            _ => row.clone(),
        };
        let between: Vec<_> = once.iter().map(paid_out).collect();
        let figures = |rows: &[VmTransaction]| -> Vec<_> {
            rows.iter().map(|row| (row.settlement, row.tiers.clone(), row.refund_source)).collect()
        };
        let stepwise = figures(&after(&mint, &between, late));
        prop_assert_eq!(stepwise, figures(&after(&mint, &rows, late)));
    }

    #[test]
    fn custody_06_a_settlement_makes_allowed_state_changes_and_leaves_payments_unchanged(
        rules in fixture::rules(),
        rows in fixture::rows(),
        last_block in FIRST..AFTER + 8,
        final_height in FIRST..AFTER + 8,
    ) {
        let mint = ended(rules, &rows, last_block);
        let end = mint.minted_out_at.unwrap_or(last_block);
        for (before, after) in settled(&mint, &rows, final_height.max(end)).unwrap() {
            let (from, to) = (before.state, after.state);
            prop_assert!(from == to || from.may_become(to), "{} {}", from, to);
            prop_assert!(Changes::new().replace(before.clone(), after.clone()).allowed().is_ok());
            let in_blocks = |row: &VmTransaction, of: &VmTransaction| {
                let mut row = VmTransaction {
                    state: of.state,
                    settlement: of.settlement,
                    refund_source: of.refund_source,
                    blocks: of.blocks.clone(),
                    ..row.clone()
                };
                for (tier, of) in row.tiers.iter_mut().zip(&of.tiers) {
                    tier.in_blocks = of.in_blocks;
                }
                row
            };
            prop_assert_eq!(in_blocks(&before, &after), after);
        }
    }
}
