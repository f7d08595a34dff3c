//! One edict that gives to every output, in transactions that the pool pays alone (custody rule 10).

use super::*;
use crate::bitcoin::plan::{self, Limits, Payment, Plan, Request, Role};

/// A plan that pays these amounts of the second rune, from coins that hold `left` more than needed.
fn planned(amounts: &[u128], left: u128) -> Plan {
    let least = amounts.iter().min().unwrap();
    let held = amounts.iter().sum::<u128>() + least + left;
    let coins = [
        coin(1, &[(1, held), (2, 7)]),
        Coin { value: Amount::from_sat(50_000_000), ..coin(2, &[]) },
    ];
    plan::plan(&coins, &request(amounts)).unwrap()
}

fn request(amounts: &[u128]) -> Request {
    let rune = runes()[1];
    let payment = |(&amount, number): (&u128, u32)| {
        let mut program = [9; 32];
        program[..4].copy_from_slice(&number.to_le_bytes());
        let to = Builder::new().push_int(0).push_slice(program).into_script();
        Payment::Rune { rune, amount, to }
    };
    Request {
        payments: amounts.iter().zip(1..).map(payment).collect(),
        data: None,
        change: to(0),
        fee_rate: bitcoin::FeeRate::from_sat_per_vb_u32(2),
        must_spend: Vec::new(),
        replaces: None,
        limits: Limits {
            fee_cap: Amount::from_sat(10_000_000),
            most_runestone_bytes: Some(83),
            consolidate: 0,
            one_edict_for_all: true,
            ..Limits::default()
        },
    }
}

fn stone(transaction: &Transaction) -> Runestone {
    match Runestone::decipher(transaction) {
        Some(Artifact::Runestone(stone)) => stone,
        other => panic!("{other:?}"),
    }
}

/// The transaction with another runestone.
fn with_stone(transaction: &Transaction, edicts: Vec<Edict>, pointer: u32) -> Transaction {
    let mut changed = transaction.clone();
    changed.output[0].script_pubkey = runestone_script(edicts, pointer);
    changed
}

/// Whether a platform wallet that pays alone may sign this transaction for that promise.
fn may_be_signed(transaction: &Transaction, plan: &Plan) -> bool {
    check_edicts(transaction, &plan.promised, &runes(), true).is_ok()
        && flow(transaction, &plan.inputs, &runes())
            .is_ok_and(|flow| flow.keeps(&plan.promised).is_ok())
}

/// Enough payments to fill a transaction, or a few, with amounts of which some are larger.
fn amounts() -> impl Strategy<Value = Vec<u128>> {
    let size = prop_oneof![20usize..60, 2_000usize..2_200];
    let base = prop_oneof![1u128..1_000, 1u128..(1 << 90)];
    (size, base, prop::collection::vec((any::<prop::sample::Index>(), 1u128..50_000), 0..6))
        .prop_map(|(size, base, larger)| {
            let mut amounts = vec![base; size];
            for (index, more) in larger {
                *index.get_mut(&mut amounts) = base + more;
            }
            amounts
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn custody_10_one_edict_gives_each_recipient_its_amount_and_any_other_one_is_refused(
        amounts in amounts(),
        left in prop_oneof![Just(0u128), 1u128..1_000],
        at in any::<prop::sample::Index>(),
    ) {
        let plan = planned(&amounts, left);
        let transaction = &plan.transaction;
        prop_assert!(transaction.output[0].script_pubkey.len() <= 83);
        prop_assert!(plan.weight.to_wu() <= 400_000);
        check_against_oracle(transaction, &plan.inputs)?;
        prop_assert!(may_be_signed(transaction, &plan));
        // A transaction that a user signs may not do that.
        let refused = check_edicts(transaction, &plan.promised, &runes(), false);
        prop_assert_eq!(refused, Err(FlowError::UnsoundEdict));
        let recipients = plan.outputs.iter().zip(&plan.promised.outputs);
        let recipients = recipients.filter(|(role, _)| matches!(role, Role::Recipient(_)));
        let got: Vec<_> = recipients.map(|(_, output)| output.runes[&name(1)]).collect();
        prop_assert_eq!(&got, &amounts);
        prop_assert_eq!(plan.outputs.last(), Some(&Role::Change));
        let least = amounts.iter().min().unwrap();
        prop_assert_eq!(plan.promised.outputs.last().unwrap().runes[&name(1)], least + left);

        let Runestone { edicts, pointer, .. } = stone(transaction);
        let (pointer, count) = (pointer.unwrap(), u32::try_from(transaction.output.len()).unwrap());
        prop_assert_eq!(pointer, count - 1);
        // Every mutation of an amount, an output or the pointer is refused.
        for (index, edict) in edicts.iter().enumerate() {
            let changed = |changed: Edict| {
                let mut edicts = edicts.clone();
                edicts[index] = changed;
                with_stone(transaction, edicts, pointer)
            };
            for amount in [edict.amount + 1, edict.amount - 1] {
                let other = changed(Edict { amount, ..*edict });
                prop_assert!(!may_be_signed(&other, &plan), "{edict:?} with {amount}");
            }
            let other = changed(Edict { output: edict.output - 1, ..*edict });
            prop_assert!(!may_be_signed(&other, &plan), "{edict:?} elsewhere");
            let mut fewer = edicts.clone();
            fewer.remove(index);
            prop_assert!(!may_be_signed(&with_stone(transaction, fewer, pointer), &plan));
        }
        let twice = [edicts.clone(), edicts.clone()].concat();
        prop_assert!(!may_be_signed(&with_stone(transaction, twice, pointer), &plan));
        prop_assert!(!may_be_signed(&with_stone(transaction, edicts, 1), &plan));
        // An extra output, a missing one, and two swapped ones are refused too.
        let place = 1 + at.index(amounts.len());
        let mut more = transaction.clone();
        more.output.insert(place, more.output[place].clone());
        prop_assert!(!may_be_signed(&more, &plan));
        let mut fewer = transaction.clone();
        fewer.output.remove(place);
        prop_assert!(!may_be_signed(&fewer, &plan));
        let mut swapped = transaction.clone();
        swapped.output.swap(place, transaction.output.len() - 1);
        prop_assert!(!may_be_signed(&swapped, &plan));
    }

    #[test]
    fn a_promise_is_stored_whole(amounts in amounts()) {
        let plan = planned(&amounts, 3);
        let promise = Promise::of(&plan.promised);
        prop_assert_eq!(&promise.flow(&plan.transaction), &plan.promised);
        let text = serde_json::to_string(&promise).unwrap();
        prop_assert!(text.len() < 2_500, "{}", text.len());
        prop_assert_eq!(&serde_json::from_str::<Promise>(&text).unwrap(), &promise);
        let mut fewer = plan.transaction.clone();
        fewer.output.pop();
        prop_assert!(plan.promised.keeps(&promise.flow(&fewer)).is_err());
        let mut more = plan.transaction.clone();
        more.output.push(more.output[1].clone());
        prop_assert!(plan.promised.keeps(&promise.flow(&more)).is_err());
    }
}

#[test]
fn custody_10_one_edict_needs_runes_for_change_too() {
    let amounts = [5; 40];
    let coins = |held| {
        [coin(1, &[(1, held)]), Coin { value: Amount::from_sat(50_000_000), ..coin(2, &[]) }]
    };
    let short = plan::plan(&coins(5 * 41 - 1), &request(&amounts)).unwrap_err();
    let needed = 5 * 41;
    let expected =
        plan::PlanError::InsufficientRune { rune: name(1), needed, available: needed - 1 };
    assert_eq!(short, expected);
    assert!(plan::plan(&coins(5 * 41), &request(&amounts)).is_ok());
    // Without the permission, the runestone is too long.
    let mut request = request(&amounts);
    request.limits.one_edict_for_all = false;
    let refused = plan::plan(&coins(1_000), &request).unwrap_err();
    assert!(matches!(refused, plan::PlanError::RunestoneTooLong { .. }), "{refused:?}");
}

#[test]
fn custody_10_an_edict_gives_an_amount_to_an_output() {
    let inputs = [coin(1, &[(0, 50)])];
    let check = |edict: Edict| {
        let transaction =
            transaction(&inputs, vec![runestone_script(vec![edict], 1), to(1), to(2)]);
        let promised = flow(&transaction, &inputs, &runes()).unwrap();
        [false, true].map(|alone| check_edicts(&transaction, &promised, &runes(), alone).is_ok())
    };
    assert_eq!(check(edict(0, 1, 2)), [true, true]);
    assert_eq!(check(edict(0, 25, 3)), [false, true]);
    // The last one would get less.
    assert_eq!(check(edict(0, 26, 3)), [false, false]);
    // Everything, and equal parts.
    assert_eq!(check(edict(0, 0, 2)), [false, false]);
    assert_eq!(check(edict(0, 0, 3)), [false, false]);
}
