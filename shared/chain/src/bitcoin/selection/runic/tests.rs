#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Amount, OutPoint, ScriptBuf, Txid, Weight, hashes::Hash as _};
use proptest::{collection::btree_map, prelude::*};

use super::*;
use crate::bitcoin::coins::Contents;

const NAMES: [&str; 8] = ["AAAAAAA", "BBBBBBB", "CCCCCCC", "DDDDDDD", "E", "F", "G", "H"];

fn name(index: usize) -> RuneName {
    NAMES[index].parse().unwrap()
}

fn coin(seed: u8, runes: impl IntoIterator<Item = (usize, u128)>) -> Coin {
    let runes = runes.into_iter().map(|(index, amount)| (name(index), amount)).collect();
    Coin {
        outpoint: OutPoint::new(Txid::from_byte_array([seed; 32]), 0),
        value: Amount::from_sat(546),
        script_pubkey: ScriptBuf::new(),
        contents: Contents::Known { inscribed: false, runes },
        confirmations: 1,
        is_immature: false,
        expires_in: None,
        satisfaction_weight: Weight::from_wu(227),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn custody_25_coins_spent_together_hold_no_more_runes_than_one_coin_may(
        coins in prop::collection::vec(btree_map(0usize..8, 1u128..50, 1..5), 1..9),
        amounts in btree_map(0usize..3, 1u128..120, 1..3),
        most in 4usize..9,
    ) {
        let coins: Vec<Coin> =
            (1..).zip(coins).map(|(seed, runes)| coin(seed, runes)).collect();
        let coins: Vec<&Coin> = coins.iter().collect();
        let needed: RuneAmounts =
            amounts.into_iter().map(|(index, amount)| (name(index), amount)).collect();
        match select_runic(&needed, &[], &coins, most) {
            Ok(chosen) => {
                prop_assert!(kinds(chosen.iter().copied()) <= most);
                for (rune, amount) in &needed {
                    prop_assert!(held(rune, chosen.iter()) >= *amount);
                }
            }
            Err(missing) => {
                let wanted = needed[&missing.rune];
                prop_assert!(missing.at_once < wanted && missing.at_once <= missing.available);
                // A single coin can always be spent, and so can all coins that fit together.
                if needed.len() == 1 {
                    let largest = coins.iter().map(|coin| coin.amount_of(&missing.rune)).max();
                    prop_assert!(missing.at_once >= largest.unwrap_or_default());
                    prop_assert!(
                        missing.available < wanted || kinds(coins.iter().copied()) > most
                    );
                }
            }
        }
    }
}

#[test]
fn several_coins_are_taken_if_the_largest_leaves_no_room_for_another() {
    let mixed = coin(1, [(0, 10), (1, 1), (2, 1), (3, 1)]);
    let (one, other) = (coin(2, [(0, 9), (4, 1)]), coin(3, [(0, 9), (4, 1)]));
    let needed = RuneAmounts::from([(name(0), 18)]);
    let chosen = select_runic(&needed, &[], &[&mixed, &one, &other], 4).unwrap();
    assert_eq!(held(&name(0), chosen.iter()), 18);
    let needed = RuneAmounts::from([(name(0), 19)]);
    let missing = select_runic(&needed, &[], &[&mixed, &one, &other], 4).unwrap_err();
    assert_eq!((missing.available, missing.at_once), (28, 18));
}
