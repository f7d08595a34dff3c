//! The largest payment, and coins that return to the wallet with their runes.

use proptest::{collection::vec, prelude::*};

use super::*;

fn most_btc(seed: u8) -> Largest {
    Largest::Btc { to: to(seed) }
}

fn most_of(index: usize, seed: u8) -> Largest {
    Largest::Rune { rune: rune(index), to: to(seed) }
}

fn largest(coins: &[Coin], what: &Largest, limits: Limits) -> Result<(Plan, u128), PlanError> {
    let request = Request { limits, ..request(Vec::new()) };
    let planned = plan_largest(coins, what, &request);
    if let Ok((plan, units)) = &planned {
        let payments = match what {
            Largest::Btc { to } => vec![Payment::Btc {
                sats: Amount::from_sat(u64::try_from(*units).unwrap()),
                to: to.clone(),
            }],
            Largest::Rune { rune, to } => {
                vec![Payment::Rune { rune: *rune, amount: *units, to: to.clone() }]
            }
        };
        check(coins, &Request { payments, ..request }, plan);
    }
    planned
}

#[test]
fn all_plain_coins_pay_without_change() {
    let coins = [coin(1, 50_000), coin(2, 30_000), runic(3, 546, &[(0, 5)]), coin(4, 1_000)];
    let (plan, units) = largest(&coins, &most_btc(0), Limits::default()).unwrap();
    // At 20 sat/vB the coin of 1,000 sats costs more than it is worth.
    assert_eq!(plan.outputs, [Role::Recipient(0)]);
    assert_eq!(
        plan.inputs.iter().map(|coin| coin.outpoint).collect::<Vec<_>>(),
        [outpoint(1), outpoint(2)]
    );
    assert_eq!(units, u128::from(80_000 - plan.fee.to_sat()));
    let one_more = Request { ..request(vec![btc(u64::try_from(units).unwrap() + 1, 0)]) };
    assert!(matches!(super::plan(&coins, &one_more), Err(PlanError::InsufficientBtc { .. })));
}

#[test]
fn the_largest_payment_keeps_the_limits() {
    let coins: Vec<_> = (1..=60).map(|seed| coin(seed, 10_000 + u64::from(seed))).collect();
    let most_inputs = Limits { most_inputs: 40, ..Limits::default() };
    let (plan, _) = largest(&coins, &most_btc(0), most_inputs).unwrap();
    assert_eq!(plan.inputs.len(), 40);
    assert!(plan.inputs.iter().all(|coin| coin.value > Amount::from_sat(10_020)));
    let cap = Limits { fee_cap: Amount::from_sat(9_000), ..Limits::default() };
    let (plan, _) = largest(&coins, &most_btc(0), cap).unwrap();
    assert!(plan.inputs.len() < 40 && plan.fee <= Amount::from_sat(9_000), "{}", plan.fee);
    let none = Limits { fee_cap: Amount::from_sat(900), ..Limits::default() };
    assert!(matches!(largest(&coins, &most_btc(0), none), Err(PlanError::FeeTooHigh { .. })));
    let lasting = Limits { least_blocks_left: 12_955, ..Limits::default() };
    assert!(matches!(
        largest(&coins, &most_btc(0), lasting),
        Err(PlanError::InsufficientBtc { .. })
    ));
}

#[test]
fn too_little_for_a_payment_is_named() {
    for coins in [vec![], vec![coin(1, 3_000)], vec![runic(1, 90_000, &[(0, 5)])]] {
        let error = largest(&coins, &most_btc(1), Limits::default()).unwrap_err();
        assert!(matches!(error, PlanError::InsufficientBtc { .. }), "{error:?}");
        let error = largest(&coins, &most_of(1, 1), Limits::default()).unwrap_err();
        assert!(matches!(error, PlanError::InsufficientRune { .. }), "{error:?}");
    }
    // Without plain coins nothing can pay the fee of a rune payment.
    let coins = [runic(1, 546, &[(0, 5)])];
    let error = largest(&coins, &most_of(0, 1), Limits::default()).unwrap_err();
    assert!(matches!(error, PlanError::InsufficientBtc { .. }), "{error:?}");
}

#[test]
fn a_rune_is_paid_from_as_many_coins_as_one_transaction_spends() {
    let mut coins: Vec<_> =
        (1..=60).map(|seed| runic(seed, 546, &[(0, u128::from(seed)), (3, 7)])).collect();
    coins.push(coin(100, 1_000_000));
    let limits = Limits { most_inputs: 40, ..Limits::default() };
    let (plan, units) = largest(&coins, &most_of(0, 2), limits.clone()).unwrap();
    assert_eq!(plan.inputs.len(), 40);
    assert_eq!(units, (22..=60).sum::<u128>());
    // A fee that is nearly too high leaves fewer coins.
    let low_cap = Limits { fee_cap: Amount::from_sat(25_000), ..limits };
    let (plan, fewer) = largest(&coins, &most_of(0, 2), low_cap).unwrap();
    assert!(fewer < units && plan.fee <= Amount::from_sat(25_000));
}

#[test]
fn coins_return_to_the_wallet_with_all_their_runes() {
    let coins = [
        runic(1, 546, &[(0, 100), (3, 7)]),
        runic(2, 10_000, &[(0, 5)]),
        coin(3, 50_000),
        coin(4, 40_000),
    ];
    let mut wanted = request(Vec::new());
    wanted.must_spend = [1, 2, 3].map(outpoint).to_vec();
    assert_eq!(super::plan(&coins, &wanted), Err(PlanError::CannotSpend(outpoint(1))));
    wanted.limits.unpaid_runes = true;
    let plan = super::plan(&coins, &wanted).unwrap();
    check(&coins, &wanted, &plan);
    assert_eq!(plan.outputs, [Role::RuneChange, Role::Change]);
    assert_eq!(plan.inputs.len(), 3);
    let runes = &plan.promised.outputs[0].runes;
    assert_eq!((runes[&name(0)], runes[&name(3)]), (105, 7));
    assert!(plan.transaction.output.iter().all(|output| output.script_pubkey == wallet_script()));
    // No runestone is needed, so none can be wrong.
    assert_eq!(Runestone::decipher(&plan.transaction), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// No larger payment is possible from these coins, and each rule of plans holds.
    #[test]
    fn nothing_larger_can_be_paid(
        sats in vec(0u64..40_000, 0..10),
        seed in any::<u8>(),
    ) {
        let coins: Vec<_> = (1..).zip(&sats).map(|(seed, sats)| coin(seed, *sats)).collect();
        match largest(&coins, &most_btc(seed), Limits::default()) {
            Ok((_, units)) => {
                let more = btc(u64::try_from(units).unwrap() + 1, seed);
                prop_assert!(super::plan(&coins, &request(vec![more])).is_err());
            }
            Err(error) => {
                prop_assert!(matches!(error, PlanError::InsufficientBtc { .. }), "{error:?}");
                let least = to(seed).minimal_non_dust().to_sat();
                prop_assert!(super::plan(&coins, &request(vec![btc(least, seed)])).is_err());
            }
        }
    }
}
