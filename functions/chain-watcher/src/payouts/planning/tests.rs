#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Amount, FeeRate, ScriptBuf, hashes::Hash};
use chain::{
    bitcoin::{
        coins::{Coin, Contents, RuneAmounts},
        plan::{self, Limits, Payment, Plan, Request, Role},
        runes::Rune,
    },
    models::amount::Units,
};
use ordinals::{Artifact, RuneId, Runestone};
use proptest::{collection::vec, prelude::*};
use shared::models::bitcoin::RuneName;

use super::*;
use crate::fixture;

const RUNE: RuneId = RuneId { block: 840_000, tx: 3 };

fn mint_of(rune: RuneId, tokens_per_request: u128) -> Mint {
    let mint = fixture::mint(1, 1);
    Mint {
        rune: Rune { id: rune, ..mint.rune },
        tokens_per_request: Units(tokens_per_request),
        ..mint
    }
}

fn txid(number: usize) -> Txid {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
    Txid::from_byte_array(bytes)
}

/// VM transactions with these numbers of distributed requests.
fn shares_of(requests: &[u64]) -> Vec<PayoutShare> {
    let share = |(number, &requests)| PayoutShare {
        txid: txid(number),
        requests,
        sats: requests * 1_000,
        rest: 0,
    };
    requests.iter().enumerate().map(share).collect()
}

fn coin(number: usize, sats: u64, runes: &[(RuneName, u128)]) -> Coin {
    let runes: RuneAmounts = runes.iter().copied().collect();
    Coin {
        outpoint: bitcoin::OutPoint { txid: txid(number), vout: 0 },
        value: Amount::from_sat(sats),
        script_pubkey: fixture::mint(1, 1).pool.script_pubkey(),
        contents: Contents::Known { inscribed: false, runes },
        confirmations: 10,
        is_immature: false,
        expires_in: None,
        satisfaction_weight: bitcoin::Weight::from_wu(107),
    }
}

/// The distribution of a payout, planned as the worker does, from a pool that holds the payout's runes,
/// `left` more of the rune, and some of another rune.
fn planned(mint: &Mint, payout: &[PayoutShare], left: u128) -> Result<Plan, plan::PlanError> {
    let row = new_payout(mint, (Leg::Distribution, 1), payout, Timestamp(0)).unwrap();
    let held = tokens(mint, row.requests + row.spare_requests).unwrap() + left;
    let other = "ANOTHER•RUNE•ALTOGETHER".parse().unwrap();
    let coins = [coin(1, 546, &[(mint.rune.name, held), (other, 7)]), coin(2, 100_000_000, &[])];
    let to = |number: u32| {
        let mut hash = [7; 32];
        hash[..4].copy_from_slice(&number.to_le_bytes());
        ScriptBuf::new_p2wsh(&bitcoin::WScriptHash::from_byte_array(hash))
    };
    let payment = |(share, number): (&PayoutShare, u32)| {
        let amount = tokens(mint, share.requests).unwrap();
        Payment::Rune { rune: mint.rune, amount, to: to(number) }
    };
    let request = Request {
        payments: payout.iter().zip(1..).map(payment).collect(),
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate: FeeRate::from_sat_per_vb_u32(5),
        must_spend: Vec::new(),
        replaces: None,
        limits: Limits {
            fee_cap: Amount::from_sat(50_000_000),
            most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
            consolidate: 0,
            one_edict_for_all: true,
            ..Limits::default()
        },
    };
    plan::plan(&coins, &request)
}

fn sizes(payouts: &[Vec<PayoutShare>]) -> Vec<usize> {
    payouts.iter().map(Vec::len).collect()
}

#[test]
fn custody_10_payouts_of_equal_amounts_fill_transactions_and_others_the_runestone() {
    let mint = mint_of(RUNE, 100);
    let alike = shares_of(&[1; 5_000]);
    assert_eq!(sizes(&distributions(&mint, &alike).unwrap()), [2_200, 2_200, 600]);
    // One edict for all, and one more for each of the few that get more.
    let few = [[1; 40].as_slice(), &[2; 3]].concat();
    assert_eq!(sizes(&distributions(&mint, &shares_of(&few)).unwrap()), [43]);
    let many = [[1; 40].as_slice(), &[2; 40]].concat();
    let payouts = distributions(&mint, &shares_of(&many)).unwrap();
    assert_eq!(payouts.len(), 2);
    assert!(payouts[0].len() > 40 && payouts[1].iter().all(|share| share.requests == 2));
    // Amounts of 18 or 19 bytes.
    let long = distributions(&mint_of(RUNE, u128::MAX / 5_000), &alike).unwrap();
    assert_eq!(sizes(&long), [2_200, 2_200, 600]);
}

#[test]
fn a_hundred_thousand_batches_are_paid_out_by_fewer_than_a_hundred_distributions() {
    let mint = mint_of(RUNE, 1_000);
    let alike = shares_of(&vec![1; 100_000]);
    assert_eq!(distributions(&mint, &alike).unwrap().len(), 46);
    // Most people ask for one request, others for up to twelve.
    let mixed: Vec<_> = (0..100_000_u64).map(|number| 1 + (number % 97) / 8).collect();
    assert!(distributions(&mint, &shares_of(&mixed)).unwrap().len() < 100);
    assert_eq!(transfers(&alike).len(), 1_191);
}

#[test]
fn custody_10_edicts_of_zero_or_overflowing_amounts_are_never_made() {
    let mint = mint_of(RUNE, u128::MAX / 2);
    for requests in [0, 3] {
        let found = distributions(&mint, &shares_of(&[requests]));
        assert!(matches!(found, Err(ChainError::Damaged(_))), "{requests}");
    }
    assert!(distributions(&mint, &[]).unwrap().is_empty());
}

#[test]
fn a_transfer_has_room_for_84_and_for_fewer_that_are_partly_refunded() {
    let partial = |share: PayoutShare| PayoutShare { rest: 600, ..share };
    let all = shares_of(&[1; 169]);
    assert_eq!(sizes(&transfers(&all)), [84, 84, 1]);
    let partials: Vec<_> = all.into_iter().map(partial).collect();
    assert!(sizes(&transfers(&partials)).iter().all(|size| *size <= 21));
}

/// Any valid rune id, often a long one.
fn rune() -> impl Strategy<Value = RuneId> {
    let block = prop_oneof![1u64..5_000_000, any::<u64>().prop_map(|block| block.max(1))];
    (block, prop_oneof![0u32..5_000, any::<u32>()]).prop_map(|(block, tx)| RuneId { block, tx })
}

/// Tokens per request of any length, and the requests of transactions. Their product fits, which a mint's
/// creation requires.
fn amounts() -> impl Strategy<Value = (u128, Vec<u64>)> {
    let tokens = (0u32..107).prop_flat_map(|bits| 1..=(1u128 << bits));
    prop_oneof![
        (tokens, vec(1u64..=100_000, 1..=10)),
        (1u128..1_000, vec(1u64..=9, 1..=40)),
        (1u128..1_000_000, vec(1u64..=3, 1..=300)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn custody_10_every_transaction_is_in_one_payout_with_a_relayable_runestone(
        rune in rune(),
        (tokens_per_request, requests) in amounts(),
        left in prop_oneof![Just(0u128), 1u128..1_000_000],
    ) {
        let mint = mint_of(rune, tokens_per_request);
        let shares = shares_of(&requests);
        let payouts = distributions(&mint, &shares).unwrap();
        let mut flat: Vec<_> = payouts.iter().flatten().map(|share| share.txid).collect();
        flat.sort_unstable();
        let mut expected: Vec<_> = shares.iter().map(|share| share.txid).collect();
        expected.sort_unstable();
        prop_assert_eq!(flat, expected);
        // Their order makes no difference.
        let mut reversed = shares.clone();
        reversed.reverse();
        prop_assert_eq!(&distributions(&mint, &reversed).unwrap(), &payouts);
        for payout in &payouts {
            let plan = planned(&mint, payout, left).unwrap();
            let outputs = &plan.transaction.output;
            let script = outputs.iter().find(|output| output.script_pubkey.is_op_return()).unwrap();
            prop_assert!(script.script_pubkey.len() <= 83);
            let Some(Artifact::Runestone(stone)) = Runestone::decipher(&plan.transaction) else {
                return Err(TestCaseError::fail("no runestone"));
            };
            prop_assert!((stone.pointer.unwrap() as usize) < outputs.len());
            let spare = new_payout(&mint, (Leg::Distribution, 1), payout, Timestamp(0)).unwrap().spare_requests;
            let for_all = stone.edicts.iter().filter(|edict| edict.output as usize == outputs.len());
            prop_assert_eq!(for_all.count(), usize::from(spare > 0));
            prop_assert!(stone.edicts.iter().all(|edict| edict.amount >= 1 && edict.id == rune));
            let owed = payout.iter().map(|share| tokens(&mint, share.requests).unwrap());
            let recipients = plan.outputs.iter().zip(&plan.promised.outputs);
            let recipients = recipients.filter(|(role, _)| matches!(role, Role::Recipient(_)));
            let got = recipients.map(|(_, output)| output.runes[&mint.rune.name]);
            prop_assert_eq!(got.collect::<Vec<_>>(), owed.collect::<Vec<_>>());
        }
    }

    #[test]
    fn custody_09_every_transaction_is_in_one_transfer_that_one_write_batch_can_finish(
        partial in vec(prop::bool::weighted(0.2), 0..400),
    ) {
        let shares = shares_of(&vec![1; partial.len()]);
        let shares: Vec<_> = shares
            .into_iter()
            .zip(partial)
            .map(|(share, is_partial)| PayoutShare { rest: u64::from(is_partial), ..share })
            .collect();
        let transfers = transfers(&shares);
        let flat: Vec<_> = transfers.iter().flatten().copied().collect();
        let mut expected = shares;
        expected.sort_unstable_by_key(|share| share.txid);
        prop_assert_eq!(flat, expected);
        for transfer in transfers {
            let partial = transfer.iter().filter(|share| share.rest > 0).count();
            // The row, the refundable row, and two counts of each.
            prop_assert!(transfer.len() <= 84 && 4 * partial + 2 <= 100);
        }
    }
}
