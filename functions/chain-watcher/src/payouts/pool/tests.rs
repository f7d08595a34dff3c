#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Txid, hashes::Hash};
use chain::bitcoin::coins::{Contents, RuneAmounts};

use super::*;
use crate::fixture;

const RATE: FeeRate = FeeRate::from_sat_per_kwu(1_250);
/// What a payout needs here in sats.
const SATS: u64 = 20_000;

fn needs(tokens: &[u128]) -> Vec<Need> {
    tokens.iter().map(|&tokens| Need { tokens, sats: Amount::from_sat(SATS) }).collect()
}

/// Identical coins of the pool; `first` is the number of the first one.
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
    // A stranger's flood: thousands of coins of one unit each, and thousands of dust coins.
    let dust = [coins(1_000, 3_000, 546, 1), coins(5_000, 5_000, 600, 0)].concat();
    let alone = division(&supply, &mint, &wanted, RATE, false);
    let Division::Into(payments) = &alone else { panic!("{alone:?}") };
    assert_eq!(tokens(payments), [400, 300, 200]);
    assert_eq!(plain(payments).len(), 3);
    assert!(plain(payments).iter().all(|sats| (SATS..=4 * SATS).contains(sats)));
    let flooded = division(&[supply, dust.clone()].concat(), &mint, &wanted, RATE, false);
    let Division::Into(flooded) = flooded else { panic!("{flooded:?}") };
    assert_eq!(flooded.len(), payments.len());
    assert_eq!(division(&dust, &mint, &wanted, RATE, false), Division::TooLittle);
}

#[test]
fn custody_09_coins_are_not_divided_if_each_payout_has_its_own() {
    let mint = fixture::mint(1, 1);
    let runic = [coins(1, 1, 546, 450), coins(2, 1, 546, 300), coins(3, 1, 546, 200)].concat();
    let ready = [runic.clone(), coins(10, 4, SATS, 0)].concat();
    // A transfer needs no runes.
    let wanted = needs(&[200, 400, 300, 0]);
    assert_eq!(division(&ready, &mint, &wanted, RATE, false), Division::Unneeded);
    // A coin that is one sat or one unit of the rune too small does not count.
    let poor = [runic, coins(10, 3, SATS, 0), coins(20, 1, SATS - 1, 0)].concat();
    assert!(division(&poor, &mint, &wanted, RATE, false) != Division::Unneeded);
    let more = needs(&[200, 451, 300, 0]);
    assert!(matches!(division(&ready, &mint, &more, RATE, false), Division::Into(_)));
    // A division that replaces another one pays the runes again.
    let Division::Into(again) = division(&ready, &mint, &wanted, RATE, true) else { panic!() };
    assert_eq!(again.len(), 3);
}

#[test]
fn custody_09_a_division_serves_as_many_payouts_as_the_value_covers() {
    let mint = fixture::mint(1, 1);
    let of = |count: usize, sats| {
        let pool = [coins(1, 1, 546, 100_000), coins(2, 1, sats, 0)].concat();
        division(&pool, &mint, &needs(&vec![1; count]), RATE, false)
    };
    let enough = |count: usize| {
        let above = SATS * count as u64;
        (above..).find(|sats| matches!(of(count, *sats), Division::Into(_))).unwrap()
    };
    let mut before = 0;
    for count in 2..=7 {
        let enough = enough(count);
        assert_eq!(of(count, enough - 1), Division::TooLittle, "{count}");
        // Its own fee and outputs are small beside what it divides.
        assert!(enough > before && enough < SATS * count as u64 + 20_000, "{count}: {enough}");
        before = enough;
    }
    let Division::Into(payments) = of(7, 100_000_000) else { panic!() };
    assert_eq!(plain(&payments), [4 * SATS; 7]);
}

#[test]
fn many_coins_with_runes_are_made_by_one_edict_and_before_the_plain_ones() {
    let mint = fixture::mint(1, 1);
    let pool = [coins(1, 1, 546, 100_000), coins(2, 1, 10_000_000, 0)].concat();
    let wanted = [vec![100; 20], vec![40], vec![700; 2]].concat();
    let first = division(&pool, &mint, &needs(&wanted), RATE, false);
    let Division::RunesInto(payments) = first else { panic!("{first:?}") };
    // The smaller one is left to change.
    assert_eq!(tokens(&payments), [vec![100; 20], vec![700; 2]].concat());
    assert!(plain(&payments).is_empty());
    let runic = [coins(1, 21, 546, 100), coins(30, 2, 546, 700)].concat();
    let pool = [runic, coins(60, 1, 10_000_000, 0)].concat();
    let then = division(&pool, &mint, &needs(&wanted), RATE, false);
    let Division::Into(payments) = then else { panic!("{then:?}") };
    assert_eq!((tokens(&payments).len(), plain(&payments).len()), (0, wanted.len()));
}

#[test]
fn each_amount_has_a_coin_of_its_own() {
    assert!(suffice(vec![5, 1, 3], vec![3, 5]));
    assert!(suffice(vec![5, 1, 3], vec![1, 3, 5]));
    assert!(!suffice(vec![5, 1, 3], vec![4, 4]));
    assert!(!suffice(vec![9], vec![1, 1]));
    assert!(suffice::<u64>(vec![], vec![]));
}
