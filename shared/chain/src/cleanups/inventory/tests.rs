#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use base::clock::Timestamp;
use bitcoin::{OutPoint, ScriptBuf, Weight, hashes::Hash};

use super::*;
use crate::{
    bitcoin::{
        coins::{Contents, RuneAmounts},
        runes::Rune,
    },
    cleanups::{
        Purpose,
        choice::{MOST_COINS, batches},
    },
    mints::Gates,
    models::amount::Units,
};

const NEEDED: &str = "RUNE•OF•A•MINT";
const KEY: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

fn name(text: &str) -> RuneName {
    text.parse().unwrap()
}

fn txid(number: u32) -> Txid {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    Txid::from_byte_array(bytes)
}

fn coin(number: u32, sats: u64, runes: &[(&str, u128)]) -> Coin {
    Coin {
        outpoint: OutPoint { txid: txid(number), vout: 0 },
        value: Amount::from_sat(sats),
        script_pubkey: ScriptBuf::new(),
        contents: Contents::Known {
            inscribed: false,
            runes: runes.iter().map(|(text, amount)| (name(text), *amount)).collect(),
        },
        confirmations: 3,
        is_immature: false,
        expires_in: None,
        satisfaction_weight: Weight::from_wu(107),
    }
}

/// A pool with one mint of `total_requests` requests for ten units each.
fn pool(state: MintState, total_requests: u64) -> Pool {
    let network = bitcoin::Network::Regtest;
    let wallet = PlatformWallet::new(KEY.parse().unwrap(), "key".to_owned(), network);
    let mint_id = MintId(uuid::Uuid::from_u128(1));
    let mint = Mint {
        id: mint_id,
        created_at: Timestamp(0),
        state,
        rune: Rune { id: "100:1".parse().unwrap(), name: name(NEEDED) },
        treasury: wallet.clone(),
        pool: wallet.clone(),
        proceeds_address: String::new(),
        tokens_per_request: Units(10),
        total_requests,
        requests_per_block: 1,
        min_sats_per_request: 1,
        opens_at: Timestamp(0),
        closes_at: Timestamp(0),
        gates: Gates::default(),
        revision: 0,
        last_block: None,
        minted_out_at: None,
        payouts_planned: false,
        pool_split: None,
        pool_split_up_to: None,
        watch: None,
        failing: None,
        due_at: Timestamp(0),
    };
    Pool { wallet, treasuries: BTreeSet::new(), mint_id, unfinished: vec![mint] }
}

fn sorted(pool: &Pool, coins: Vec<Coin>, of_payouts: &[u32]) -> Inventory {
    let of_payouts = of_payouts.iter().map(|number| txid(*number)).collect();
    let rate = FeeRate::from_sat_per_vb_u32(2);
    sort(pool, &[name(NEEDED)].into(), coins, &of_payouts, rate)
}

fn numbers(coins: &[Coin]) -> Vec<u32> {
    let number = |coin: &Coin| {
        let bytes = coin.outpoint.txid.to_byte_array();
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    coins.iter().map(number).collect()
}

#[test]
fn custody_29_only_coins_that_may_be_spent_are_sorted() {
    let mut unconfirmed = coin(1, 600, &[]);
    unconfirmed.confirmations = 0;
    let mut young = coin(2, 600, &[]);
    young.is_immature = true;
    let mut inscribed = coin(3, 600, &[("JUNK•OF•A•STRANGER", 1)]);
    inscribed.contents = Contents::Known { inscribed: true, runes: RuneAmounts::new() };
    let mut unknown = coin(4, 600, &[]);
    unknown.contents = Contents::Unknown;
    let pool = pool(MintState::Open, 1);
    let found = sorted(&pool, vec![unconfirmed, young, inscribed, unknown], &[]);
    assert_eq!((found.plain.coins, found.runes.len(), found.needed.coins), (0, 0, 0));
    assert!(found.dust.is_empty() && found.junk.is_empty() && found.scattered.is_empty());
}

#[test]
fn custody_29_the_most_valuable_plain_coins_stay_and_dust_below_its_fee_does() {
    let pool = pool(MintState::Open, 1);
    let mut coins: Vec<_> = (1..=24).map(|number| coin(number, 9_000, &[])).collect();
    // At 2 sat/vB an input costs 136 sats.
    coins.extend([coin(30, 600, &[]), coin(31, 137, &[]), coin(32, 136, &[])]);
    assert_eq!(numbers(&sorted(&pool, coins, &[]).dust), [30, 31]);
    let large = (1..=30).map(|number| coin(number, 10_000, &[])).collect();
    assert!(sorted(&pool, large, &[]).dust.is_empty());
}

#[test]
fn custody_29_coins_that_hold_what_a_mint_promises_stay() {
    let pool = pool(MintState::MintedOut, 10);
    let runic = |number, amount| coin(number, 546, &[(NEEDED, amount)]);
    let mut coins = vec![runic(1, 70), runic(2, 30)];
    coins.extend((10..30).map(|number| runic(number, 1)));
    let found = sorted(&pool, coins.clone(), &[]);
    assert_eq!(found.needed.coins, 2);
    assert_eq!(found.scattered[&name(NEEDED)].len(), 20);
    // Coins that a division or a payout has made stay as well.
    let found = sorted(&pool, coins, &[10, 11]);
    assert_eq!(found.needed.coins, 4);
    // No distribution could spend so many together: they are merged.
    let many: Vec<_> = (100..142).map(|number| runic(number, 2)).collect();
    let found = sorted(&pool, many, &[]);
    assert_eq!((found.needed.coins, found.scattered[&name(NEEDED)].len()), (0, 42));
}

#[test]
fn custody_29_a_coin_with_a_rune_of_a_mint_and_another_one_is_no_junk() {
    let pool = pool(MintState::Open, 1);
    let junk = ("JUNK•OF•A•STRANGER", 1);
    let coins = vec![
        coin(1, 546, &[(NEEDED, 100)]),
        coin(2, 546, &[(NEEDED, 1), junk]),
        coin(3, 546, &[junk]),
        coin(4, 546, &[junk]),
    ];
    let found = sorted(&pool, coins, &[]);
    assert_eq!(numbers(&found.junk), [3, 4]);
    assert_eq!(numbers(&found.scattered[&name(NEEDED)]), [2]);
    assert!(!found.runes[&name(junk.0)].stays && found.runes[&name(NEEDED)].stays);
    assert_eq!(found.runes[&name(junk.0)].coins.coins, 3);
    // Few coins are not merged, and without an address nothing is swept.
    assert!(batches(&found, false).is_empty());
    let swept = batches(&found, true);
    assert_eq!((swept.len(), swept[0].purpose), (1, Purpose::Sweep));
}

#[test]
fn custody_29_a_transaction_has_so_many_coins_and_different_runes_at_most() {
    let pool = pool(MintState::Open, 1);
    let alike = (0..200).map(|number| coin(number, 546, &[("JUNK•OF•A•STRANGER", 1)])).collect();
    let sizes = |found: &Inventory| {
        batches(found, true).iter().map(|batch| batch.coins.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&sorted(&pool, alike, &[])), [MOST_COINS, MOST_COINS, 20]);
    let other = |number: u32| {
        let letters =
            [number / 26, number % 26].map(|it| char::from(b'A' + u8::try_from(it).unwrap()));
        let [one, two] = letters.map(String::from);
        let [first, second] = ["A", "B"].map(|last| format!("JUNK{one}{two}OFSTRANGERS{last}"));
        coin(number, 546, &[(&first, 1), (&second, 1)])
    };
    let different = (0..70).map(other).collect();
    assert_eq!(sizes(&sorted(&pool, different, &[])), [50, 20]);
}
