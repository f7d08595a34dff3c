#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Amount, ScriptBuf, Txid, Weight, hashes::Hash as _};
use proptest::{collection::vec, prelude::*};

use super::*;
use crate::bitcoin::coins::Contents;

fn coin(seed: u8, sats: u64, satisfaction: u64) -> Coin {
    Coin {
        outpoint: OutPoint::new(Txid::from_byte_array([seed; 32]), 0),
        value: Amount::from_sat(sats),
        script_pubkey: ScriptBuf::new(),
        contents: Contents::plain(),
        confirmations: 1,
        is_immature: false,
        expires_in: None,
        satisfaction_weight: Weight::from_wu(satisfaction),
    }
}

fn bill(value: i128, rate: i128, long_term_rate: i128) -> Bill {
    Bill {
        value,
        weight: 124,
        outputs: 1,
        change_weight: 172,
        change_spend_weight: 392,
        least_change: 546,
        change_required: false,
        rate,
        long_term_rate,
        replaced: None,
        fee_cap: 1_000_000,
        most_inputs: 100,
        consolidate: 100,
    }
}

/// The least waste over every subset of the coins.
fn least_waste(bill: &Bill, coins: &[&Coin]) -> Option<i128> {
    let sets = 0u32..1 << coins.len();
    let waste = |set: u32| {
        let members = coins.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        let inputs = Inputs::of(members.map(|(_, coin)| *coin));
        let settlement = bill.settle(inputs)?;
        (inputs.count <= bill.most_inputs && settlement.fee <= bill.fee_cap)
            .then(|| bill.waste(inputs, settlement, bill.premium()))
    };
    sets.filter_map(waste).min()
}

fn waste_of(bill: &Bill, coins: &[&Coin]) -> i128 {
    let inputs = sum(Inputs::default(), coins);
    bill.waste(inputs, bill.settle(inputs).unwrap(), bill.premium())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn above_the_long_term_rate_no_set_of_coins_wastes_less(
        coins in vec((1_000u64..60_000, prop_oneof![3 => Just(227u64), 1 => 60u64..250]), 1..9),
        value in 1_000i128..150_000,
        rate in 2_600i128..20_000,
        change_required in any::<bool>(),
        replaced in prop::option::weighted(0.2, (100i128..9_000, 500i128..900)),
    ) {
        let coins: Vec<Coin> =
            (1..).zip(coins).map(|(seed, (sats, weight))| coin(seed, sats, weight)).collect();
        let bill = Bill { change_required, replaced, ..bill(value, rate, 2_500) };
        let coins = bill.worth_their_fee(&coins.iter().collect::<Vec<_>>());
        let least = least_waste(&bill, &coins);
        match select_plain(&bill, Inputs::default(), &coins) {
            Ok(selected) => {
                // The search compares in `f32`, with 24 bits.
                let (least, found) = (least.unwrap(), waste_of(&bill, &selected));
                prop_assert!(found - least <= least.abs() >> 20, "{found} and not {least}");
            }
            Err(shortage) => prop_assert_eq!(least, None, "{:?}", shortage),
        }
    }

    #[test]
    fn at_any_rate_the_waste_is_at_most_that_of_the_fewest_coins(
        coins in vec(1_000u64..60_000, 1..30),
        value in 1_000i128..300_000,
        rate in 100i128..20_000,
        consolidate in 0usize..9,
    ) {
        let coins: Vec<Coin> = (1..).zip(coins).map(|(seed, sats)| coin(seed, sats, 227)).collect();
        let coins: Vec<&Coin> = coins.iter().collect();
        let bill = Bill { consolidate, ..bill(value, rate, 2_500) };
        let Ok(selected) = select_plain(&bill, Inputs::default(), &coins) else { return Ok(()) };
        let mut largest = bill.worth_their_fee(&coins);
        largest.sort_by_key(|coin| Reverse(coin.value));
        let fewest = fewest(&bill, Inputs::default(), &largest).unwrap();
        prop_assert!(waste_of(&bill, &selected) <= waste_of(&bill, &fewest));
        prop_assert!(selected.len() <= fewest.len() + consolidate);
    }
}

#[test]
fn a_search_among_many_coins_ends() {
    let coins: Vec<Coin> =
        (0..=255).map(|seed| coin(seed, 5_000 + u64::from(seed) * 37 % 4_000, 227)).collect();
    let coins: Vec<&Coin> = coins.iter().collect();
    for rate in [500, 2_500, 2_600] {
        let selected = select_plain(&bill(300_000, rate, 2_500), Inputs::default(), &coins);
        assert!(selected.is_ok_and(|selected| selected.len() <= 100));
    }
}

#[test]
fn large_sums_do_not_break_the_search() {
    // Amounts at which `f32` cannot represent the fee.
    let hundred = 10_000_000_000;
    let coins = [coin(1, hundred, 227), coin(2, hundred + 3, 227), coin(3, 2 * hundred, 227)];
    let coins: Vec<&Coin> = coins.iter().collect();
    for short in [0, 1, 3_000, 5_000, 9_000] {
        let bill = bill(2 * i128::from(hundred) - short, 5_000, 2_500);
        let selected = select_plain(&bill, Inputs::default(), &coins).unwrap();
        assert!(bill.settle(sum(Inputs::default(), &selected)).is_some());
    }
}

#[test]
fn custody_24_dust_is_not_merged_at_a_low_rate() {
    let own = coin(1, 100_000, 227);
    let dust: Vec<Coin> = (2..50).map(|seed| coin(seed, 600, 227)).collect();
    let small: Vec<Coin> = (50..54).map(|seed| coin(seed, 2_000, 227)).collect();
    let coins: Vec<&Coin> = [&own].into_iter().chain(&dust).chain(&small).collect();
    let selected = select_plain(&bill(50_000, 300, 2_500), Inputs::default(), &coins).unwrap();
    let mut values: Vec<_> = selected.iter().map(|coin| coin.value.to_sat()).collect();
    values.sort_unstable();
    assert_eq!(values, [2_000, 2_000, 2_000, 2_000, 100_000]);
}
