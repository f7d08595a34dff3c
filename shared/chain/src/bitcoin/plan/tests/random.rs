//! Invariants for every wallet and every request.

use proptest::{collection::vec, option, prelude::*};

use super::*;

fn contents() -> impl Strategy<Value = Contents> {
    let holding = (0usize..5, prop_oneof![1u128..50, 1u128..1_000_000]);
    let runes = vec(holding, 1..4).prop_map(|runes| {
        let runes = runes.into_iter().map(|(index, amount)| (name(index), amount)).collect();
        Contents::Known { inscribed: false, runes }
    });
    prop_oneof![
        6 => Just(Contents::plain()),
        5 => runes,
        1 => Just(Contents::Unknown),
        1 => Just(Contents::Known { inscribed: true, runes: RuneAmounts::new() }),
        1 => Just(Contents::Known { inscribed: true, runes: [(name(0), 99)].into() }),
    ]
}

prop_compose! {
    fn any_coin()(
        contents in contents(),
        sats in prop_oneof![
            3 => 330u64..20_000,
            4 => 1_000u64..2_000_000,
            1 => 1_000_000u64..2_000_000_000_000,
        ],
        confirmations in prop_oneof![1 => Just(0u32), 9 => 1u32..14_000],
        is_immature in prop::bool::weighted(0.1),
        delayed in prop::bool::weighted(0.9),
        satisfaction in prop_oneof![3 => Just(227u64), 1 => 60u64..250],
    ) -> Coin {
        Coin {
            value: Amount::from_sat(sats),
            contents,
            confirmations,
            is_immature,
            expires_in: delayed.then(|| 12_960u32.saturating_sub(confirmations)),
            satisfaction_weight: Weight::from_wu(satisfaction),
            ..coin(0, 0)
        }
    }
}

fn wallet(most: usize) -> impl Strategy<Value = Vec<Coin>> {
    vec(any_coin(), 0..most).prop_map(|coins| {
        let numbered = (1..).zip(coins);
        numbered.map(|(seed, coin)| Coin { outpoint: outpoint(seed), ..coin }).collect()
    })
}

fn payment() -> impl Strategy<Value = Payment> {
    let amount = prop_oneof![1u128..60, 1u128..1_000_000];
    let sats = prop_oneof![4 => 546u64..30_000, 2 => 546u64..2_000_000, 1 => 0u64..1_000];
    prop_oneof![
        (sats, any::<u8>()).prop_map(|(sats, to)| btc(sats, to)),
        (0usize..3, amount, any::<u8>()).prop_map(|(rune, amount, to)| of_rune(rune, amount, to)),
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    let blocks = prop_oneof![4 => Just(0u32), 1 => Just(1_152u32)];
    let most_inputs = prop_oneof![1usize..6, Just(100)];
    let cap = prop_oneof![1 => 300u64..20_000, 3 => Just(100_000)];
    (cap, 0u64..12_000, 0u64..2_000, most_inputs, 0usize..6, 1u32..40, blocks).prop_map(
        |(cap, rune, change, most_inputs, consolidate, long_term, least_blocks_left)| Limits {
            fee_cap: Amount::from_sat(cap),
            rune_output: Amount::from_sat(rune),
            own_rune_output: Amount::from_sat(rune.div_euclid(2)),
            least_change: Amount::from_sat(change),
            most_inputs,
            consolidate,
            long_term_fee_rate: FeeRate::from_sat_per_vb_u32(long_term),
            most_runestone_bytes: None,
            least_blocks_left,
            one_edict_for_all: false,
            unpaid_runes: false,
        },
    )
}

prop_compose! {
    fn any_request(coins: usize)(
        payments in vec(payment(), 0..4),
        data in option::of(any::<[u8; 32]>()),
        rate in prop_oneof![100u64..2_000, 250u64..20_000],
        anchors in vec(any::<prop::sample::Index>(), 0..3),
        anchored in prop::bool::weighted(0.3),
        replaces in option::weighted(0.3, (200u64..30_000, 400u64..3_000, 0u64..3_000)),
        limits in limits(),
    ) -> Request {
        let anchors = anchors.into_iter().map(|index| index.index(coins.max(1)) + 1);
        let anchors: BTreeSet<_> = anchors.map(|seed| outpoint(u8::try_from(seed).unwrap())).collect();
        Request {
            data,
            fee_rate: FeeRate::from_sat_per_kwu(rate),
            must_spend: if anchored { anchors.into_iter().collect() } else { Vec::new() },
            replaces: replaces.map(|(fee, weight, descendants)| Replaced {
                fee: Amount::from_sat(fee),
                weight: Weight::from_wu(weight),
                descendants_fee: Amount::from_sat(descendants),
            }),
            limits,
            ..request(payments)
        }
    }
}

fn scene(most: usize) -> impl Strategy<Value = (Vec<Coin>, Request)> {
    wallet(most).prop_flat_map(|coins| {
        let count = coins.len();
        (Just(coins), any_request(count))
    })
}

/// Coins that may be spent under the request's limits.
fn usable<'a>(coins: &'a [Coin], request: &Request) -> Vec<&'a Coin> {
    let least = request.limits.least_blocks_left;
    let left = |coin: &Coin| coin.expires_in.is_none_or(|left| left >= least);
    let safe = |coin: &Coin| {
        let is_clean = matches!(coin.contents, Contents::Known { inscribed: false, .. });
        coin.confirmations > 0 && !coin.is_immature && is_clean
    };
    coins.iter().filter(|coin| safe(coin) && left(coin)).collect()
}

/// Checks that the stated reason of a refusal is true.
fn check_refusal(coins: &[Coin], request: &Request, error: &PlanError) {
    let usable = usable(coins, request);
    let limits = &request.limits;
    match error {
        PlanError::InsufficientRune { rune, needed, available } => {
            assert!(needed > available);
            assert_eq!(*available, usable.iter().map(|coin| coin.amount_of(rune)).sum::<u128>());
        }
        PlanError::InsufficientBtc { needed, available } => {
            assert!(needed > available);
            let plain = usable.iter().filter(|coin| coin.is_plain()).map(|coin| coin.value);
            let runes = usable.iter().filter(|coin| !coin.is_plain()).map(|coin| coin.value);
            assert!(*available <= plain.sum::<Amount>() + runes.sum::<Amount>());
            // The coins suffice for the payments at the highest fee, so this is no shortage.
            let paid = request.payments.iter().map(|payment| match payment {
                Payment::Btc { sats, .. } => *sats,
                Payment::Rune { .. } => Amount::from_sat(10_000),
            });
            let paid: Amount = paid.sum();
            let rate = request.fee_rate.to_sat_per_kwu().max(40_000);
            let fee = FeeRate::from_sat_per_kwu(rate).fee_vb(3_000).unwrap();
            let replaced = request.replaces.map_or(0, |replaced| replaced.fee.to_sat() * 40);
            let largest = usable.iter().filter(|coin| coin.is_plain()).map(|coin| coin.value).max();
            let enough = paid + fee + Amount::from_sat(20_000 + replaced * 3);
            assert!(largest.is_none_or(|largest| largest < enough));
        }
        PlanError::AmountBelowDust { payment, least, .. } => match &request.payments[*payment] {
            Payment::Btc { sats, to } => {
                assert_eq!(to.minimal_non_dust().to_sat(), *least);
                assert!(sats.to_sat() < *least);
            }
            Payment::Rune { .. } => panic!("amounts of runes are at least 1 here"),
        },
        PlanError::FeeTooHigh { fee, cap } => {
            assert_eq!(*cap, limits.fee_cap);
            assert!(fee > cap);
        }
        PlanError::TooManyInputs { most } => {
            assert_eq!(*most, limits.most_inputs);
            assert!(usable.len() > *most);
        }
        PlanError::CannotSpend(outpoint) => {
            assert!(request.must_spend.contains(outpoint));
            let plain = |coin: &&&Coin| coin.outpoint == *outpoint && coin.is_plain();
            assert_eq!(usable.iter().find(plain), None);
        }
        error => panic!("{error:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn every_plan_keeps_every_rule_and_every_refusal_is_true((coins, request) in scene(16)) {
        match plan(&coins, &request) {
            Ok(plan) => check(&coins, &request, &plan),
            Err(error) => check_refusal(&coins, &request, &error),
        }
    }

    #[test]
    fn the_order_of_the_coins_does_not_matter(
        ((coins, request), shuffled) in scene(14).prop_flat_map(|(coins, request)| {
            let shuffled = Just(coins.clone()).prop_shuffle();
            (Just((coins, request)), shuffled)
        })
    ) {
        prop_assert_eq!(plan(&coins, &request), plan(&shuffled, &request));
    }

    #[test]
    fn a_plan_can_be_replaced_by_one_that_pays_more((coins, request) in scene(12)) {
        let Ok(first) = plan(&coins, &request) else { return Ok(()) };
        let replaces =
            Replaced { fee: first.fee, weight: first.weight, descendants_fee: Amount::ZERO };
        let must_spend = vec![first.inputs[0].outpoint];
        let again = Request { replaces: Some(replaces), must_spend, ..request.clone() };
        match plan(&coins, &again) {
            Ok(second) => {
                check(&coins, &again, &second);
                prop_assert!(second.fee > first.fee);
                prop_assert!(second.fee_rate > first.fee_rate);
            }
            Err(error) => check_refusal(&coins, &again, &error),
        }
    }
}
