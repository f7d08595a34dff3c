#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Txid, hashes::Hash};
use chain::bitcoin::coins::{Contents, RuneAmounts};

use super::*;
use crate::fixture;

const RATE: FeeRate = FeeRate::from_sat_per_kwu(1_250);
/// What a payout needs in these tests, in sats.
const SATS: u64 = 20_000;

fn need(tokens: u128, spare: u128) -> Need {
    Need { tokens, spare, sats: Amount::from_sat(SATS) }
}

fn needs(tokens: &[u128]) -> Vec<Need> {
    tokens.iter().map(|&tokens| need(tokens, 0)).collect()
}

/// Identical coins of the pool, numbered from `first`.
fn coins(first: u16, count: u16, sats: u64, tokens: u128) -> Vec<Coin> {
    let mint = fixture::mint(1, 1);
    let runes: RuneAmounts = (tokens > 0).then_some((mint.rune.name, tokens)).into_iter().collect();
    let coin = |number: u16| {
        let mut bytes = [7; 32];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        Coin {
            outpoint: bitcoin::OutPoint { txid: Txid::from_byte_array(bytes), vout: 0 },
            value: Amount::from_sat(sats),
            script_pubkey: mint.pool.script_pubkey(),
            contents: Contents::Known { inscribed: false, runes: runes.clone() },
            confirmations: 10,
            is_immature: false,
            expires_in: None,
            satisfaction_weight: bitcoin::Weight::from_wu(107),
        }
    };
    (first..first + count).map(coin).collect()
}

fn tokens(payments: &[Payment]) -> Vec<u128> {
    let amount = |payment: &Payment| match payment {
        Payment::Rune { amount, .. } => Some(*amount),
        Payment::Btc { .. } => None,
    };
    payments.iter().filter_map(amount).collect()
}

fn plain(payments: &[Payment]) -> Vec<u64> {
    let sats = |payment: &Payment| match payment {
        Payment::Btc { sats, .. } => Some(sats.to_sat()),
        Payment::Rune { .. } => None,
    };
    payments.iter().filter_map(sats).collect()
}

#[test]
fn custody_09_dust_coins_do_not_count() {
    let mint = fixture::mint(1, 1);
    let wanted = needs(&[400, 300, 200]);
    let supply = [coins(1, 1, 546, 100_000), coins(2, 1, 1_000_000, 0)].concat();
    // A stranger's flood: thousands of coins of one rune unit each, and thousands of dust coins.
    let dust = [coins(1_000, 3_000, 546, 1), coins(5_000, 5_000, 600, 0)].concat();
    let alone = division(&supply, &mint, &wanted, (RATE, 7), false);
    let Division::Into(payments) = &alone else { panic!("{alone:?}") };
    assert_eq!(tokens(payments), [400, 300, 200]);
    assert_eq!(plain(payments).len(), 3);
    assert!(plain(payments).iter().all(|sats| (SATS..=2 * SATS).contains(sats)));
    let flooded = division(&[supply, dust.clone()].concat(), &mint, &wanted, (RATE, 7), false);
    let Division::Into(flooded) = flooded else { panic!("{flooded:?}") };
    assert_eq!(flooded.len(), payments.len());
    assert_eq!(division(&dust, &mint, &wanted, (RATE, 7), false), Division::TooLittle);
}

#[test]
fn custody_09_coins_are_not_divided_if_each_payout_has_its_own() {
    let mint = fixture::mint(1, 1);
    let runic = [coins(1, 1, 546, 450), coins(2, 1, 546, 300), coins(3, 1, 546, 200)].concat();
    let ready = [runic.clone(), coins(10, 4, SATS, 0)].concat();
    // A transfer needs no runes.
    let wanted = needs(&[200, 400, 300, 0]);
    assert_eq!(division(&ready, &mint, &wanted, (RATE, 7), false), Division::Unneeded);
    // A coin that is one sat or one unit of the rune too small does not count.
    let poor = [runic, coins(10, 3, SATS, 0), coins(20, 1, SATS - 1, 0)].concat();
    assert!(division(&poor, &mint, &wanted, (RATE, 7), false) != Division::Unneeded);
    let more = needs(&[200, 451, 300, 0]);
    assert!(matches!(division(&ready, &mint, &more, (RATE, 7), false), Division::Into(_)));
    // A division that replaces another one pays the runes again.
    let Division::Into(again) = division(&ready, &mint, &wanted, (RATE, 7), true) else { panic!() };
    assert_eq!(again.len(), 3);
}

#[test]
fn custody_09_a_division_serves_as_many_payouts_as_the_value_covers() {
    let mint = fixture::mint(1, 1);
    let of = |count: usize, sats| {
        let pool = [coins(1, 1, 546, 100_000), coins(2, 1, sats, 0)].concat();
        division(&pool, &mint, &needs(&vec![1; count]), (RATE, 7), false)
    };
    let enough = |count: usize| {
        let above = SATS * count as u64;
        (above..).find(|sats| matches!(of(count, *sats), Division::Into(_))).unwrap()
    };
    let mut before = 0;
    for count in 2..=7 {
        let enough = enough(count);
        assert_eq!(of(count, enough - 1), Division::TooLittle, "{count}");
        // Its own fee and outputs are small compared with what it divides. The sats next to the runes stay in
        // the pool.
        let own = OWN_RUNE_OUTPUT.to_sat() * (count as u64 + 1);
        let most = SATS * count as u64 + own + 15_000;
        assert!(enough > before && enough < most, "{count}: {enough}");
        before = enough;
    }
    let Division::Into(payments) = of(7, 100_000_000) else { panic!() };
    assert_eq!(plain(&payments), [2 * SATS; 7]);
}

/// The coins that a division leaves: its payments, and the remaining runes and sats.
fn divided(pool: &[Coin], payments: &[Payment]) -> Vec<Coin> {
    let paid: u128 = tokens(payments).iter().sum();
    let held: u128 = pool.iter().map(|coin| coin.amount_of(&fixture::mint(1, 1).rune.name)).sum();
    let plain_coins = pool.iter().filter(|coin| coin.is_plain());
    let sats: u64 = plain_coins.map(|coin| coin.value.to_sat()).sum();
    let left = sats - plain(payments).iter().sum::<u64>() - 5_000;
    let mut number = 100;
    let mut coin = |sats, tokens| {
        number += 1;
        coins(number, 1, sats, tokens).remove(0)
    };
    let mut found = vec![coin(546, held - paid), coin(left, 0)];
    found.extend(tokens(payments).into_iter().map(|tokens| coin(546, tokens)));
    found.extend(plain(payments).into_iter().map(|sats| coin(sats, 0)));
    found
}

#[test]
fn custody_09_one_division_is_enough_however_many_distributions_there_are() {
    let mint = fixture::mint(1, 1);
    let many = [vec![4_402; 22], vec![2_201; 22], vec![1_601, 900]].concat();
    for wanted in [(80..=87).collect::<Vec<u128>>(), many, vec![5; 3]] {
        let wanted: Vec<_> = wanted.into_iter().map(|tokens| need(tokens, 2)).collect();
        let total: u128 = wanted.iter().map(|need| need.tokens).sum();
        let pool = [coins(1, 1, 546, total + 100), coins(2, 1, 10_000_000, 0)].concat();
        let division = |coins: &[Coin]| super::division(coins, &mint, &wanted, (RATE, 7), false);
        let Division::Into(payments) = division(&pool) else { panic!("{wanted:?}") };
        let lanes = wanted.len().min(7);
        assert_eq!(tokens(&payments).len(), lanes);
        assert_eq!(tokens(&payments).iter().sum::<u128>(), total + 2 * lanes as u128);
        assert_eq!(plain(&payments).len(), wanted.len());
        assert_eq!(division(&divided(&pool, &payments)), Division::Unneeded);
    }
}

#[test]
fn custody_09_a_distribution_to_many_takes_no_large_plain_coin() {
    let mint = fixture::mint(1, 1);
    let large = [coins(1, 1, 546, 500), coins(2, 2, 100 * SATS, 0)].concat();
    let needs = [need(100, 5), need(0, 0)];
    let divided = division(&large, &mint, &needs, (RATE, 7), false);
    assert!(matches!(divided, Division::Into(_)), "{divided:?}");
    let others = [need(100, 0), need(0, 0)];
    assert_eq!(division(&large, &mint, &others, (RATE, 7), false), Division::Unneeded);
    let fitting = [large, coins(9, 1, 2 * SATS, 0)].concat();
    assert_eq!(division(&fitting, &mint, &needs, (RATE, 7), false), Division::Unneeded);

    let payout = Payout {
        mint_id: mint.id,
        number: 1,
        leg: Leg::Distribution,
        version: 1,
        created_at: base::clock::Timestamp(0),
        size: 20,
        requests: 20,
        spare_requests: 1,
        transaction: None,
        sent: None,
        is_final: false,
        is_noted: false,
    };
    let chosen = modest(&mint, &payout, RATE, &fitting).unwrap().unwrap();
    let chosen: Vec<_> = chosen.iter().map(|coin| coin.value.to_sat()).collect();
    assert_eq!(chosen, [546, 2 * SATS]);
    // Without a coin that fits, any may be taken.
    assert_eq!(modest(&mint, &payout, RATE, &fitting[..3]).unwrap(), None);
}

#[test]
fn each_amount_has_a_coin_of_its_own() {
    assert!(suffice(vec![5, 1, 3], vec![3, 5]));
    assert!(suffice(vec![5, 1, 3], vec![1, 3, 5]));
    assert!(!suffice(vec![5, 1, 3], vec![4, 4]));
    assert!(!suffice(vec![9], vec![1, 1]));
    assert!(suffice::<u64>(vec![], vec![]));
}
