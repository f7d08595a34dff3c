#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Txid, hashes::Hash};
use chain::{
    bitcoin::coins::{Contents, RuneAmounts},
    mints::Settlement,
    models::amount::Units,
};
use ordinals::{Artifact, RuneId, Runestone};
use proptest::{collection::vec, prelude::*};
use shared::models::bitcoin::RuneName;

use super::*;
use crate::fixture;

/// A transaction with this many distributed requests.
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

/// The payouts of a mint's transactions, each as its members.
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

/// The distribution of a payout, planned as the worker does, from a pool that holds `left` more of the rune
/// and some of another rune.
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
fn custody_10_short_amounts_fill_a_payout_and_long_ones_fill_the_runestone() {
    let rune = RuneId { block: 840_000, tx: 3 };
    let rows: Vec<_> = (1..=40).map(|number| paid_out(number, 1)).collect();
    let sizes = |mint: &Mint| payouts(mint, &rows).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(sizes(&mint_of(rune, 100)), [12, 12, 12, 4]);
    // 18 or 19 bytes for each amount.
    assert!(sizes(&mint_of(rune, u128::MAX / 100)).iter().all(|size| (1..=3).contains(size)));
}

#[test]
fn custody_10_edicts_of_zero_or_overflowing_amounts_are_never_made() {
    let mint = mint_of(RuneId { block: 840_000, tx: 3 }, u128::MAX / 2);
    let unsettled = fixture::row(1, &[(1, 546)]);
    for row in [paid_out(1, 0), unsettled, paid_out(1, 3)] {
        assert!(matches!(fitting(&mint, &[&row]), Err(ChainError::Damaged(_))));
    }
    assert_eq!(fitting(&mint, &[]).unwrap(), 0);
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
    prop_oneof![(tokens, vec(1u64..=100_000, 1..=10)), (1u128..1_000, vec(1u64..=9, 1..=40)),]
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

/// A rate at which a payout's transaction costs 7,500 sats.
const RATE: FeeRate = FeeRate::from_sat_per_kwu(1_250);

fn needs(tokens: &[u128]) -> Vec<Need> {
    tokens.iter().map(|&tokens| Need { tokens, plain: 2 }).collect()
}

/// Identical coins of the pool; `first` is the number of the first one.
fn coins(first: u16, count: u16, sats: u64, tokens: u128) -> Vec<Coin> {
    let mint = fixture::mint(1, 1);
    let held = if tokens > 0 { vec![(mint.rune.name, tokens)] } else { Vec::new() };
    let alike = coin(1, sats, &held);
    let outpoint = |number: u16| {
        let mut bytes = [7; 32];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        bitcoin::OutPoint { txid: Txid::from_byte_array(bytes), vout: 0 }
    };
    (first..first + count).map(|n| Coin { outpoint: outpoint(n), ..alike.clone() }).collect()
}

#[test]
fn custody_09_dust_coins_do_not_count() {
    let mint = fixture::mint(1, 1);
    let wanted = needs(&[400, 300, 200]);
    let supply = [coins(1, 1, 546, 100_000), coins(2, 1, 1_000_000, 0)].concat();
    // A stranger's flood: thousands of coins of one unit each, and thousands of dust coins.
    let dust = [coins(1_000, 3_000, 546, 1), coins(5_000, 5_000, 600, 0)].concat();
    let alone = division(&supply, &mint, &wanted, RATE, false);
    let Division::Into(payments) = &alone else { panic!("{alone:?}") };
    let tokens = |payment: &Payment| match payment {
        Payment::Rune { amount, .. } => Some(*amount),
        Payment::Btc { .. } => None,
    };
    assert_eq!(payments.iter().filter_map(tokens).collect::<Vec<_>>(), [400, 300, 200]);
    let plain = payments.iter().filter(|payment| tokens(payment).is_none()).count();
    assert_eq!(plain, 6);
    let flooded = division(&[supply, dust.clone()].concat(), &mint, &wanted, RATE, false);
    let Division::Into(flooded) = flooded else { panic!("{flooded:?}") };
    assert_eq!(flooded.len(), payments.len());
    assert_eq!(division(&dust, &mint, &wanted, RATE, false), Division::TooLittle);
}

#[test]
fn custody_09_coins_are_not_divided_if_each_payout_has_its_own() {
    let mint = fixture::mint(1, 1);
    let least = least_plain_coin(RATE).to_sat();
    let runic = [coins(1, 1, 546, 450), coins(2, 1, 546, 300), coins(3, 1, 546, 200)].concat();
    let ready = [runic.clone(), coins(10, 6, least, 0)].concat();
    let wanted = needs(&[200, 400, 300]);
    assert_eq!(division(&ready, &mint, &wanted, RATE, false), Division::Unneeded);
    // A coin that is one sat or one unit of the rune too small does not count.
    let poor = [runic, coins(10, 5, least, 0), coins(20, 1, least - 1, 0)].concat();
    assert!(division(&poor, &mint, &wanted, RATE, false) != Division::Unneeded);
    let more = needs(&[200, 451, 300]);
    assert!(matches!(division(&ready, &mint, &more, RATE, false), Division::Into(_)));
    // A division that replaces another one pays the runes again.
    let Division::Into(again) = division(&ready, &mint, &wanted, RATE, true) else { panic!() };
    assert_eq!(again.len(), 3);
}

#[test]
fn custody_09_a_division_serves_as_many_payouts_as_the_value_covers() {
    let mint = fixture::mint(1, 1);
    let least = least_plain_coin(RATE).to_sat();
    let pool = |sats| [coins(1, 1, 546, 100_000), coins(2, 1, sats, 0)].concat();
    let of =
        |count: usize, sats| division(&pool(sats), &mint, &needs(&vec![1; count]), RATE, false);
    for count in 2..=7 {
        let enough = least * (2 * count as u64 + 1);
        assert!(matches!(of(count, enough), Division::Into(_)), "{count}");
        assert_eq!(of(count, enough - 1), Division::TooLittle, "{count}");
    }
    // Its outputs count afterwards, so the division happens once.
    let Division::Into(payments) = of(7, least * 15) else { panic!() };
    let plain = payments.iter().filter_map(|payment| match payment {
        Payment::Btc { sats, .. } => Some(*sats),
        Payment::Rune { .. } => None,
    });
    assert!(plain.clone().all(|sats| sats.to_sat() >= least) && plain.count() == 14);
}

/// A payout of this many transactions.
fn payout_of(count: u8) -> Payout {
    Payout {
        mint_id: fixture::mint(1, 1).id,
        number: 3,
        version: 9,
        created_at: shared::clock::Timestamp(0),
        transactions: (1..=count).map(|number| Txid::from_byte_array([number; 32])).collect(),
        transfer: None,
        transferred: false,
        distribution: None,
        distributed: false,
    }
}

#[test]
fn custody_25_a_payout_is_halved_while_nothing_of_it_can_still_confirm() {
    let whole = payout_of(5);
    let (kept, rest) = halves(&whole, 8).unwrap();
    assert_eq!((kept.len(), rest.transactions.len(), rest.number), (3, 2, 9));
    assert_eq!([kept, rest.transactions].concat(), whole.transactions);
    assert!(halves(&payout_of(1), 8).is_none());
    let sent = Some(Txid::from_byte_array([77; 32]));
    let under_way = Payout { transfer: sent, ..payout_of(5) };
    assert!(halves(&under_way, 8).is_none());
    let transferred = Payout { transferred: true, ..under_way };
    let (_, rest) = halves(&transferred, 8).unwrap();
    assert_eq!((rest.transfer, rest.transferred), (sent, true));
    let distributing = Payout { distribution: sent, ..transferred };
    assert!(halves(&distributing, 8).is_none());
}
