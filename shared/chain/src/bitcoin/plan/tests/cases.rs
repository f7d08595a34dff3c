//! Single plans with exact figures.

use super::*;

fn planned(coins: &[Coin], request: &Request) -> Plan {
    let plan = plan(coins, request).unwrap();
    check(coins, request, &plan);
    plan
}

fn spends(plan: &Plan) -> Vec<OutPoint> {
    plan.inputs.iter().map(|coin| coin.outpoint).collect()
}

fn expiring(coin: Coin) -> Coin {
    Coin { expires_in: Some(1_007), ..coin }
}

#[test]
fn a_payment_leaves_its_change() {
    let coins = [coin(1, 50_000)];
    let plan = planned(&coins, &request(vec![btc(20_000, 0)]));
    assert_eq!(plan.outputs, [Role::Recipient(0), Role::Change]);
    // The frame, one input, one P2WPKH output and one P2WSH output.
    assert_eq!(plan.weight, Weight::from_wu(42 + 392 + 124 + 172));
    assert_eq!(plan.fee, Amount::from_sat(183 * 20));
    assert_eq!(plan.transaction.output[1].value, Amount::from_sat(30_000 - 3_660));
}

#[test]
fn change_that_is_not_worth_an_output_goes_to_the_miner() {
    let without_change = 140 * 20;
    for (extra, outputs) in [(0, 1), (43 * 20 + 545, 1), (43 * 20 + 546, 2)] {
        let coins = [coin(1, 20_000 + without_change + extra)];
        let plan = planned(&coins, &request(vec![btc(20_000, 0)]));
        assert_eq!(plan.outputs.len(), outputs, "{extra}");
    }
    for (extra, outputs) in [(43 * 20 + 329, 1), (43 * 20 + 330, 2)] {
        let coins = [coin(1, 20_000 + without_change + extra)];
        let mut request = request(vec![btc(20_000, 0)]);
        request.limits.least_change = Amount::ZERO;
        assert_eq!(planned(&coins, &request).outputs.len(), outputs, "{extra}");
    }
    let coins = [coin(1, 20_000 + without_change - 1)];
    assert_eq!(
        plan(&coins, &request(vec![btc(20_000, 0)])),
        Err(PlanError::InsufficientBtc {
            needed: Amount::from_sat(22_800),
            available: Amount::from_sat(22_799),
        })
    );
}

#[test]
fn a_rune_payment_separates_leftover_runes_from_bitcoin() {
    let coins = [runic(1, 546, &[(0, 100), (3, 7)]), coin(2, 50_000), runic(3, 546, &[(0, 50)])];
    let mut request = request(vec![of_rune(0, 60, 0), btc(1_000, 1), of_rune(0, 30, 2)]);
    request.data = Some([9; 32]);
    let plan = planned(&coins, &request);
    assert_eq!(spends(&plan), [outpoint(1), outpoint(2)]);
    assert_eq!(
        plan.outputs,
        [
            Role::Runestone,
            Role::RuneChange,
            Role::Recipient(0),
            Role::Recipient(1),
            Role::Recipient(2),
            Role::Data,
            Role::Change
        ]
    );
    let runestone = &plan.transaction.output[0].script_pubkey;
    assert_eq!(runestone.to_hex_string(), "6a5d0b1601000100 3c02 00001e04".replace(' ', ""));
    let left = [(name(0), 10), (name(3), 7)].into();
    assert_eq!(plan.promised.outputs[1].runes, left);
    assert_eq!(plan.promised.outputs[6].runes, RuneAmounts::new());
}

#[test]
fn without_rune_change_the_pointer_requires_bitcoin_change() {
    let coins = [runic(1, 546, &[(0, 100)]), coin(2, 50_000)];
    let request = request(vec![of_rune(0, 100, 0)]);
    let made = planned(&coins, &request);
    assert_eq!(made.outputs, [Role::Runestone, Role::Recipient(0), Role::Change]);
    let Some(Artifact::Runestone(runestone)) = Runestone::decipher(&made.transaction) else {
        panic!("no runestone");
    };
    assert_eq!(runestone.pointer, Some(2));

    let fee = made.fee.to_sat();
    let coins = [coins[0].clone(), coin(2, fee + 546)];
    assert_eq!(planned(&coins, &request).outputs.len(), 3);
    let coins = [coins[0].clone(), coin(2, fee + 545)];
    assert!(matches!(plan(&coins, &request), Err(PlanError::InsufficientBtc { .. })));
}

#[test]
fn the_smallest_sufficient_coins_pay_the_runes() {
    let amounts = [1_000, 40, 30, 20, 11, 10];
    let runes = (1..).zip(amounts).map(|(seed, amount)| runic(seed, 546, &[(0, amount)]));
    let mut coins: Vec<_> = runes.collect();
    coins.push(coin(99, 500_000));
    for (amount, expected) in [
        (10, vec![6]),
        (11, vec![5]),
        (12, vec![4]),
        (41, vec![1]),
        (1_000, vec![1]),
        (1_001, vec![1, 6]),
        (1_011, vec![1, 5]),
        (1_041, vec![1, 2, 6]),
    ] {
        let plan = planned(&coins, &request(vec![of_rune(0, amount, 0)]));
        let expected: Vec<_> = expected.into_iter().chain([99]).map(outpoint).collect();
        assert_eq!(spends(&plan), expected, "{amount}");
    }
    let too_much = plan(&coins, &request(vec![of_rune(0, 1_000, 0), of_rune(0, 112, 1)]));
    let (rune, needed, available) = (name(0), 1_112, 1_111);
    assert_eq!(too_much, Err(PlanError::InsufficientRune { rune, needed, available }));
    let endless = vec![of_rune(0, u128::MAX, 0), of_rune(0, u128::MAX, 1)];
    assert!(matches!(
        plan(&coins, &request(endless)),
        Err(PlanError::InsufficientRune { needed: u128::MAX, .. })
    ));
}

#[test]
fn one_coin_pays_two_runes_if_it_holds_both() {
    let coins = [runic(1, 546, &[(0, 5)]), runic(2, 546, &[(0, 5), (1, 5)]), coin(3, 50_000)];
    let plan = planned(&coins, &request(vec![of_rune(0, 5, 0), of_rune(1, 5, 0)]));
    assert_eq!(spends(&plan), [outpoint(2), outpoint(3)]);
}

#[test]
fn names_are_equal_regardless_of_spacers() {
    let mut runes = RuneAmounts::new();
    runes.insert("UNC•OMMONGOODS".parse().unwrap(), 5);
    let contents = Contents::Known { inscribed: false, runes };
    let coins = [Coin { contents, ..coin(1, 546) }, coin(2, 50_000)];
    planned(&coins, &request(vec![of_rune(0, 5, 0)]));
    for wrong in ["", "•A", "A•", "A••B", "a", "A B", &"A".repeat(29), &"Z".repeat(28)] {
        assert!(wrong.parse::<RuneName>().is_err(), "{wrong:?}");
    }
    assert_eq!(name(0).to_string(), "UNCOMMON•GOODS");
    assert_eq!("BCGDENLQRQWDSLRUGSNLBTMFIJAV".parse::<RuneName>().map(|_| ()), Ok(()));
}

#[test]
fn coins_about_to_expire_are_spent_first() {
    // The first is nearest to the amount, but does not expire.
    let coins = [coin(1, 24_000), expiring(coin(2, 90_000)), expiring(coin(3, 60_000))];
    let of = |sats| spends(&planned(&coins, &request(vec![btc(sats, 0)])));
    assert!(!of(20_000).contains(&outpoint(1)));
    assert!(!of(100_000).contains(&outpoint(1)));
    assert_eq!(of(160_000), [outpoint(1), outpoint(2), outpoint(3)]);

    // Unless that would take more inputs than allowed.
    let mut coins: Vec<_> = (1..=4).map(|seed| expiring(coin(seed, 10_000))).collect();
    coins.push(coin(9, 100_000));
    let mut request = request(vec![btc(50_000, 0)]);
    assert_eq!(spends(&planned(&coins, &request)).len(), 5);
    request.limits.most_inputs = 4;
    request.limits.consolidate = 0;
    assert_eq!(spends(&planned(&coins, &request)), [outpoint(9)]);
}

#[test]
fn coins_with_too_little_delay_are_not_spent() {
    let coins =
        [expiring(coin(1, 50_000)), coin(2, 50_000), Coin { expires_in: None, ..coin(3, 50_000) }];
    let mut request = request(vec![btc(60_000, 0)]);
    assert_eq!(spends(&planned(&coins, &request)).len(), 2);
    request.limits.least_blocks_left = 1_152;
    assert_eq!(spends(&planned(&coins, &request)), [outpoint(2), outpoint(3)]);
    request.must_spend = vec![outpoint(1)];
    assert_eq!(plan(&coins, &request), Err(PlanError::CannotSpend(outpoint(1))));
}

#[test]
fn high_rates_spend_few_coins_and_low_rates_merge_small_ones() {
    let mut coins: Vec<_> = (1..=20).map(|seed| coin(seed, 6_000 + u64::from(seed))).collect();
    coins.push(coin(99, 500_000));
    let mut request = request(vec![btc(60_000, 0)]);
    request.fee_rate = FeeRate::from_sat_per_vb_u32(50);
    assert_eq!(spends(&planned(&coins, &request)), [outpoint(99)]);
    request.fee_rate = FeeRate::from_sat_per_vb_u32(2);
    let merged = planned(&coins, &request);
    assert_eq!(spends(&merged), [1, 2, 3, 4, 5, 6, 7, 8, 99].map(outpoint));
    request.limits.consolidate = 0;
    assert_eq!(spends(&planned(&coins, &request)), [outpoint(99)]);
    // Merging never raises the fee above the cap.
    request.limits.consolidate = 8;
    request.limits.fee_cap = merged.fee - Amount::from_sat(1);
    assert_eq!(spends(&planned(&coins, &request)), [outpoint(99)]);
}

#[test]
fn coins_that_fit_save_the_change() {
    let coins = [coin(1, 100_000), coin(2, 12_100), coin(3, 12_000)];
    // Two inputs and one output at 20 sat/vB.
    let fee = (42 + 2 + 2 * 392 + 124_u64).div_ceil(4) * 20;
    let plan = planned(&coins, &request(vec![btc(24_100 - fee, 0)]));
    assert_eq!(spends(&plan), [outpoint(2), outpoint(3)]);
    assert_eq!(plan.outputs, [Role::Recipient(0)]);
}

#[test]
fn too_many_inputs_and_too_high_fees_differ_from_a_shortage() {
    let coins: Vec<_> = (1..=9).map(|seed| coin(seed, 10_000)).collect();
    let mut request = request(vec![btc(50_000, 0)]);
    request.limits.most_inputs = 5;
    assert_eq!(plan(&coins, &request), Err(PlanError::TooManyInputs { most: 5 }));
    request.limits.most_inputs = 9;
    let fee = planned(&coins, &request).fee;
    request.limits.fee_cap = fee - Amount::from_sat(1);
    let cap = request.limits.fee_cap;
    assert_eq!(plan(&coins, &request), Err(PlanError::FeeTooHigh { fee, cap }));
    request.payments = vec![btc(90_000, 0)];
    let refused = plan(&coins, &request);
    let Err(PlanError::InsufficientBtc { needed, available }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(available, Amount::from_sat(90_000));
    // A frame of 42 + 2, nine inputs, one output.
    assert_eq!(needed, Amount::from_sat(90_000 + (44 + 9 * 392 + 124_u64).div_ceil(4) * 20));
}

#[test]
fn coins_that_must_not_be_touched_are_neither_spent_nor_counted() {
    let inscribed = Contents::Known { inscribed: true, runes: RuneAmounts::new() };
    let coins = [
        Coin { contents: Contents::Unknown, ..coin(1, 90_000) },
        Coin { contents: inscribed, ..coin(2, 90_000) },
        runic(3, 90_000, &[(0, 5)]),
        Coin { confirmations: 0, ..coin(4, 90_000) },
    ];
    let needed = Amount::from_sat(20_000 + (42 + 124_u64).div_ceil(4) * 20);
    assert_eq!(
        plan(&coins, &request(vec![btc(20_000, 0)])),
        Err(PlanError::InsufficientBtc { needed, available: Amount::ZERO })
    );
    for seed in 1..=5 {
        let must_spend = vec![outpoint(seed)];
        let request = Request { must_spend, ..request(vec![btc(20_000, 0)]) };
        assert_eq!(plan(&coins, &request), Err(PlanError::CannotSpend(outpoint(seed))));
    }
}

#[test]
fn an_anchor_may_be_a_coin_with_the_rune_that_moves() {
    let coins = [runic(1, 546, &[(0, 5)]), runic(2, 546, &[(0, 9), (4, 1)]), coin(3, 50_000)];
    let mut request = request(vec![of_rune(0, 5, 0)]);
    request.must_spend = vec![outpoint(3), outpoint(2), outpoint(2)];
    let plan = plan(&coins, &request).unwrap();
    assert_eq!(spends(&plan), [outpoint(3), outpoint(2)]);
}

#[test]
fn without_payments_everything_returns() {
    let coins = [coin(1, 50_000), coin(2, 50_000)];
    let must_spend = vec![outpoint(2)];
    let made = planned(&coins, &Request { must_spend: must_spend.clone(), ..request(Vec::new()) });
    assert_eq!((spends(&made), &made.outputs[..]), (must_spend.clone(), &[Role::Change][..]));
    let coins = [coin(2, 3_000)];
    let refused = plan(&coins, &Request { must_spend, ..request(Vec::new()) });
    assert!(matches!(refused, Err(PlanError::InsufficientBtc { .. })));
}

#[test]
fn a_replacement_pays_for_everything_it_evicts() {
    let coins = [coin(1, 500_000)];
    let first = planned(&coins, &request(vec![btc(20_000, 0)]));
    let replaced = |descendants_fee| Replaced {
        fee: first.fee,
        weight: first.weight,
        descendants_fee: Amount::from_sat(descendants_fee),
    };
    let mut again = request(vec![btc(20_000, 0)]);
    again.must_spend = vec![outpoint(1)];
    // 183 vB at 1 sat/vB more; then with the descendants' fees added.
    for (descendants, fee) in [(0, 3_660 + 183), (1_000, 4_660 + 183)] {
        again.replaces = Some(replaced(descendants));
        assert_eq!(planned(&coins, &again).fee, Amount::from_sat(fee));
    }
    // A larger replacement pays the higher rate for all of its weight.
    again.payments.push(btc(20_000, 1));
    again.replaces = Some(replaced(1_000));
    let plan = planned(&coins, &again);
    assert_eq!(plan.weight, Weight::from_wu(730 + 172));
    assert_eq!(plan.fee, Amount::from_sat(4_660 * 902 / 730 + 1));
}

#[test]
fn custody_10_payments_that_cannot_arrive_are_refused() {
    let coins = [runic(1, 546, &[(0, 5)]), coin(2, 50_000)];
    let refuse = |payments| plan(&coins, &request(payments)).unwrap_err();
    for (seed, least) in [(0, 294), (1, 330), (2, 330), (3, 546), (4, 540)] {
        let payments = vec![btc(1_000, 0), btc(least - 1, seed)];
        assert_eq!(
            refuse(payments),
            PlanError::AmountBelowDust { payment: 1, least, is_rune: false }
        );
        planned(&coins, &request(vec![btc(least, seed)]));
    }
    let error = refuse(vec![of_rune(0, 0, 0)]);
    assert_eq!(error, PlanError::AmountBelowDust { payment: 0, least: 1, is_rune: true });

    let burn = ScriptBuf::new_op_return([1; 4]);
    let sats = Amount::from_sat(1_000);
    let error = refuse(vec![Payment::Btc { sats, to: burn.clone() }]);
    assert_eq!(error, PlanError::Unpayable { payment: Some(0) });
    let change = Request { change: burn, ..request(vec![btc(1_000, 0)]) };
    assert_eq!(plan(&coins, &change), Err(PlanError::Unpayable { payment: None }));

    let etched = Rune { id: RuneId { block: 0, tx: 0 }, name: name(0) };
    let error = refuse(vec![Payment::Rune { rune: etched, amount: 1, to: to(0) }]);
    assert_eq!(error, PlanError::BadRune(name(0)));
    let twin = Rune { id: rune(1).id, name: name(0) };
    let error = refuse(vec![of_rune(0, 1, 0), Payment::Rune { rune: twin, amount: 1, to: to(0) }]);
    assert_eq!(error, PlanError::BadRune(name(0)));
}

#[test]
fn a_runestone_stays_within_its_limit() {
    let coins = [runic(1, 546, &[(1, 1_000_000)]), coin(2, 500_000)];
    let payments = |count: u8| (0..count).map(|seed| of_rune(1, 20_000, seed)).collect();
    let mut request = request(payments(12));
    request.limits.most_runestone_bytes = Some(83);
    let made = planned(&coins, &request);
    assert!(made.transaction.output[0].script_pubkey.len() <= 83);
    request.payments = payments(16);
    let refused = plan(&coins, &request);
    assert!(
        matches!(refused, Err(PlanError::RunestoneTooLong { most: 83, bytes: 84.. })),
        "{refused:?}"
    );
    request.limits.most_runestone_bytes = None;
    planned(&coins, &request);
}

#[test]
fn absurd_figures_are_refused_without_overflow() {
    let coins = [coin(1, u64::MAX), coin(2, u64::MAX), coin(3, 50_000)];
    let mut wild = request(vec![btc(u64::MAX, 0), btc(u64::MAX, 0)]);
    wild.fee_rate = FeeRate::from_sat_per_kwu(u64::MAX);
    wild.replaces =
        Some(Replaced { fee: Amount::MAX, weight: Weight::ZERO, descendants_fee: Amount::MAX });
    assert!(plan(&coins, &wild).is_err());
    wild.fee_rate = FeeRate::ZERO;
    wild.replaces = None;
    assert!(plan(&coins, &wild).is_err());
    let heavy = Coin { satisfaction_weight: Weight::MAX, ..coin(1, 50_000) };
    assert!(plan(&[heavy], &request(vec![btc(20_000, 0)])).is_err());
}

#[test]
fn a_transaction_too_heavy_to_relay_is_refused() {
    let coins = [coin(1, 10_000_000_000)];
    let payments = (0..4_000).map(|_| btc(1_000, 0)).collect();
    let mut request = request(payments);
    request.limits.fee_cap = Amount::from_sat(100_000_000);
    assert!(matches!(plan(&coins, &request), Err(PlanError::TooHeavy { .. })));
}

#[test]
fn rune_outputs_hold_the_requested_sats_within_limits_and_above_dust() {
    let coins = [runic(1, 546, &[(0, 9)]), coin(2, 100_000)];
    let multisig = ScriptBuf::from_bytes([&[0x51], &[0x21; 103][..], &[0xae]].concat());
    let dust = multisig.minimal_non_dust().to_sat();
    assert!(dust > 546);
    for (asked, to, sats) in
        [(0, to(0), 546), (2_000, to(0), 2_000), (99_000, to(0), 10_000), (0, multisig, dust)]
    {
        let mut request = request(vec![Payment::Rune { rune: rune(0), amount: 4, to }]);
        request.limits.rune_output = Amount::from_sat(asked);
        request.limits.own_rune_output = Amount::from_sat(3_000);
        let plan = planned(&coins, &request);
        assert_eq!(plan.outputs[1..3], [Role::RuneChange, Role::Recipient(0)]);
        assert_eq!(plan.transaction.output[1].value, Amount::from_sat(3_000));
        assert_eq!(plan.transaction.output[2].value, Amount::from_sat(sats));
    }
}
