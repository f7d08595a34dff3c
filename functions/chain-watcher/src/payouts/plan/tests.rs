#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Txid, hashes::Hash};
use ordinals::{Artifact, RuneId, Runestone};
use proptest::{collection::vec, prelude::*};
use shared::{
    bitcoin::coins::{Contents, RuneAmounts, RuneName},
    minting::Settlement,
    models::amount::Units,
};

use super::*;
use crate::fixture;

/// A transaction of which so many requests are distributed.
fn paid_out(number: u8, requests: u64) -> VmTransaction {
    let settlement =
        Settlement { distributable_requests: requests, refundable_requests: 0, refundable_sats: 0 };
    VmTransaction { settlement: Some(settlement), ..fixture::row(number, &[(requests, 546)]) }
}

fn mint_of(rune: RuneId, tokens_per_request: u128) -> Mint {
    let mint = fixture::mint(1, 1);
    Mint {
        rune: Rune { id: rune, ..mint.rune },
        tokens_per_request: Units(tokens_per_request),
        ..mint
    }
}

/// The batches that a mint's transactions are paid out in, as all payouts are planned.
fn payouts<'a>(mint: &Mint, rows: &'a [VmTransaction]) -> Vec<Vec<&'a VmTransaction>> {
    let (mut open, mut payouts) = (rows.iter().collect::<Vec<_>>(), Vec::new());
    while !open.is_empty() {
        let rest = open.split_off(fitting(mint, &open).unwrap());
        payouts.push(std::mem::replace(&mut open, rest));
    }
    payouts
}

fn coin(number: u8, sats: u64, runes: &[(RuneName, u128)]) -> Coin {
    let runes: RuneAmounts = runes.iter().copied().collect();
    Coin {
        outpoint: bitcoin::OutPoint { txid: Txid::from_byte_array([number; 32]), vout: 0 },
        value: Amount::from_sat(sats),
        script_pubkey: fixture::mint(1, 1).pool.script_pubkey(),
        contents: Contents::Known { inscribed: false, runes },
        confirmations: 10,
        expires_in: None,
        satisfaction_weight: bitcoin::Weight::from_wu(107),
    }
}

/// The distribution of a payout, planned as the worker does, out of a pool that holds `left` more of
/// the rune, and another rune.
fn planned(mint: &Mint, rows: &[&VmTransaction], left: u128) -> Result<Plan, plan::PlanError> {
    let amounts: Vec<_> = rows.iter().map(|row| tokens(mint, row).unwrap()).collect();
    let other = "ANOTHER•RUNE•ALTOGETHER".parse().unwrap();
    let held = [(mint.rune.name, amounts.iter().sum::<u128>() + left), (other, 7)];
    let coins = [coin(1, 546, &held), coin(2, 1_000_000, &[])];
    let to = |number: u8| {
        let hash = bitcoin::WScriptHash::from_byte_array([number; 32]);
        ScriptBuf::new_p2wsh(&hash)
    };
    let payments = amounts.iter().zip(1..);
    let request = Request {
        payments: payments
            .map(|(&amount, number)| Payment::Rune { rune: mint.rune, amount, to: to(number) })
            .collect(),
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate: FeeRate::from_sat_per_vb_u32(5),
        must_spend: Vec::new(),
        replaces: None,
        limits: Limits {
            most_inputs: MOST_INPUTS,
            most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
            consolidate: 0,
            ..Limits::default()
        },
    };
    plan::plan(&coins, &request)
}

#[test]
fn rule_10_short_amounts_fill_a_payout_and_long_ones_fill_the_runestone() {
    let rune = RuneId { block: 840_000, tx: 3 };
    let rows: Vec<_> = (1..=40).map(|number| paid_out(number, 1)).collect();
    let sizes = |mint: &Mint| payouts(mint, &rows).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(sizes(&mint_of(rune, 100)), [12, 12, 12, 4]);
    // 18 or 19 bytes for each amount.
    assert!(sizes(&mint_of(rune, u128::MAX / 100)).iter().all(|size| (1..=3).contains(size)));
}

#[test]
fn rule_10_an_edict_of_nothing_or_of_more_than_there_can_be_is_never_made() {
    let mint = mint_of(RuneId { block: 840_000, tx: 3 }, u128::MAX / 2);
    let unsettled = fixture::row(1, &[(1, 546)]);
    for row in [paid_out(1, 0), unsettled, paid_out(1, 3)] {
        assert!(matches!(fitting(&mint, &[&row]), Err(CosigningError::Damaged(_))));
    }
    assert_eq!(fitting(&mint, &[]).unwrap(), 0);
}

/// Any rune id that there can be, often a long one.
fn rune() -> impl Strategy<Value = RuneId> {
    let block = prop_oneof![1u64..5_000_000, any::<u64>().prop_map(|block| block.max(1))];
    (block, prop_oneof![0u32..5_000, any::<u32>()]).prop_map(|(block, tx)| RuneId { block, tx })
}

/// Tokens of a request, of any length, and the requests of transactions: all together fit, as a mint
/// is made on that condition.
fn amounts() -> impl Strategy<Value = (u128, Vec<u64>)> {
    let tokens = (0u32..107).prop_flat_map(|bits| 1..=(1u128 << bits));
    prop_oneof![(tokens, vec(1u64..=100_000, 1..=10)), (1u128..1_000, vec(1u64..=9, 1..=40)),]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn rule_10_every_transaction_is_in_one_payout_whose_runestone_every_node_relays(
        rune in rune(),
        (tokens_per_request, requests) in amounts(),
        left in prop_oneof![Just(0u128), 1u128..1_000_000],
    ) {
        let mint = mint_of(rune, tokens_per_request);
        let rows: Vec<_> =
            requests.iter().zip(1..).map(|(requests, number)| paid_out(number, *requests)).collect();
        let payouts = payouts(&mint, &rows);
        let flat: Vec<_> = payouts.iter().flatten().map(|row| row.txid).collect();
        prop_assert_eq!(flat, rows.iter().map(|row| row.txid).collect::<Vec<_>>());
        for payout in &payouts {
            prop_assert!((1..=MOST_TOGETHER).contains(&payout.len()));
            let plan = planned(&mint, payout, left).unwrap();
            let outputs = &plan.transaction.output;
            let script = outputs.iter().find(|output| output.script_pubkey.is_op_return()).unwrap();
            prop_assert!(script.script_pubkey.len() <= 83);
            let Some(Artifact::Runestone(stone)) = Runestone::decipher(&plan.transaction) else {
                return Err(TestCaseError::fail("no runestone"));
            };
            prop_assert_eq!(stone.edicts.len(), payout.len());
            prop_assert!((stone.pointer.unwrap() as usize) < outputs.len());
            for edict in &stone.edicts {
                prop_assert!(edict.amount >= 1 && (edict.output as usize) < outputs.len());
                prop_assert_eq!(edict.id, rune);
            }
            let mut sent: Vec<_> = stone.edicts.iter().map(|edict| edict.amount).collect();
            let mut owed: Vec<_> =
                payout.iter().map(|row| tokens(&mint, row).unwrap()).collect();
            sent.sort_unstable();
            owed.sort_unstable();
            prop_assert_eq!(sent, owed);
        }
    }
}
