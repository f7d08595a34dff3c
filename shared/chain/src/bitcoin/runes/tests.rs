#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod published;
mod shared;

use bitcoin::{
    TxIn, TxOut, Txid, Weight, absolute::LockTime, hashes::Hash as _, opcodes, script::Builder,
    script::PushBytesBuf, transaction::Version,
};
use ordinals::{Etching, varint};
use proptest::prelude::*;

use super::{
    oracle::{self, Message},
    *,
};

const NAMES: [&str; 4] = ["UNCOMMON•GOODS", "DOG•GO•TO•THE•MOON", "RSIC", "Z•Z•Z"];
const IDS: [RuneId; 4] = [
    RuneId { block: 1, tx: 0 },
    RuneId { block: 840_000, tx: 3 },
    RuneId { block: 840_000, tx: 7 },
    RuneId { block: 840_001, tx: 0 },
];

fn name(index: usize) -> RuneName {
    NAMES[index].parse().unwrap()
}

fn runes() -> Vec<Rune> {
    (0..4).map(|index| Rune { id: IDS[index], name: name(index) }).collect()
}

/// A recipient's script.
fn to(seed: u8) -> ScriptBuf {
    Builder::new().push_int(0).push_slice([seed; 32]).into_script()
}

fn coin(seed: u8, runes: &[(usize, u128)]) -> Coin {
    Coin {
        outpoint: OutPoint::new(Txid::from_byte_array([seed; 32]), 0),
        value: Amount::from_sat(10_000),
        script_pubkey: to(0),
        contents: Contents::Known {
            inscribed: false,
            runes: runes.iter().map(|(index, amount)| (name(*index), *amount)).collect(),
        },
        confirmations: 1,
        is_immature: false,
        expires_in: None,
        satisfaction_weight: Weight::from_wu(220),
    }
}

fn transaction(inputs: &[Coin], scripts: Vec<ScriptBuf>) -> Transaction {
    let input = |coin: &Coin| TxIn { previous_output: coin.outpoint, ..TxIn::default() };
    let output = |script_pubkey| TxOut { value: Amount::from_sat(600), script_pubkey };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: inputs.iter().map(input).collect(),
        output: scripts.into_iter().map(output).collect(),
    }
}

/// A runestone script of these raw integers.
fn script_of(integers: &[u128]) -> ScriptBuf {
    let payload: Vec<u8> = integers.iter().flat_map(|integer| varint::encode(*integer)).collect();
    script_of_bytes(&payload)
}

fn script_of_bytes(payload: &[u8]) -> ScriptBuf {
    Builder::new()
        .push_opcode(opcodes::all::OP_RETURN)
        .push_opcode(Runestone::MAGIC_NUMBER)
        .push_slice(PushBytesBuf::try_from(payload.to_vec()).unwrap())
        .into_script()
}

fn edict(rune: usize, amount: u128, output: u32) -> Edict {
    Edict { id: IDS[rune], amount, output }
}

/// The runes of each output of a flow, as (output, rune, amount).
fn received(flow: &Flow) -> Vec<(usize, RuneName, u128)> {
    let outputs = flow.outputs.iter().enumerate();
    let runes = |(output, received): (usize, &Received)| {
        received.runes.iter().map(|(name, amount)| (output, *name, *amount)).collect::<Vec<_>>()
    };
    outputs.flat_map(runes).collect()
}

fn check_against_oracle(transaction: &Transaction, inputs: &[Coin]) -> Result<(), TestCaseError> {
    let moved = runes();
    let actual = flow(transaction, inputs, &moved);
    let (edicts, pointer) = match oracle::decipher(transaction) {
        Message::Silent => (Vec::new(), None),
        Message::Malformed => {
            prop_assert!(matches!(actual, Err(FlowError::Cenotaph(_))), "{actual:?}");
            return Ok(());
        }
        Message::Other => {
            let refused = matches!(actual, Err(FlowError::Cenotaph(_) | FlowError::Creates));
            prop_assert!(refused, "{actual:?}");
            return Ok(());
        }
        Message::Moves { edicts, pointer } => (edicts, pointer),
    };
    if edicts.iter().any(|(id, ..)| !IDS.contains(id)) {
        prop_assert!(matches!(actual, Err(FlowError::UnknownRune(_))), "{actual:?}");
        return Ok(());
    }
    let sums = balances(transaction, inputs).unwrap();
    let by_id = moved.iter().filter_map(|rune| Some((rune.id, *sums.get(&rune.name)?))).collect();
    let ledger = oracle::execute(transaction, &edicts, pointer, &by_id);
    let total = |name: RuneName, to: Option<usize>| -> u128 {
        let id = moved.iter().find(|rune| rune.name == name).unwrap().id;
        let of = |entry: &&(RuneId, Option<usize>, u128)| entry.0 == id && entry.1 == to;
        ledger.iter().filter(of).map(|entry| entry.2).sum()
    };

    // The allocation agrees, including burnt runes.
    let runestone = match Runestone::decipher(transaction) {
        None => Runestone::default(),
        Some(Artifact::Runestone(runestone)) => runestone,
        Some(Artifact::Cenotaph(cenotaph)) => panic!("{cenotaph:?}"),
    };
    let names = names_by_id(&moved).unwrap();
    let allocation = allocate(transaction, &runestone, sums.clone(), &names).unwrap();
    for (rune, sum) in &sums {
        let mut kept: u128 = 0;
        for (output, runes) in allocation.outputs.iter().enumerate() {
            let amount = runes.get(rune).copied().unwrap_or_default();
            prop_assert_eq!(amount, total(*rune, Some(output)), "{} of output {}", rune, output);
            kept += amount;
        }
        let burnt = allocation.burnt.get(rune).copied().unwrap_or_default();
        prop_assert_eq!(burnt, total(*rune, None));
        prop_assert_eq!(kept + burnt, *sum);
    }
    match actual {
        Err(FlowError::Burnt { rune, amount }) => {
            prop_assert_eq!(amount, total(rune, None));
            prop_assert!(amount > 0);
        }
        Err(FlowError::Overspent) => {
            prop_assert!(transaction.output.len() * 600 > inputs.len() * 10_000);
        }
        Err(error) => prop_assert!(false, "{error}"),
        Ok(flow) => {
            prop_assert!(allocation.burnt.is_empty());
            let runes: Vec<_> = flow.outputs.into_iter().map(|output| output.runes).collect();
            prop_assert_eq!(runes, allocation.outputs);
        }
    }
    Ok(())
}

/// Amounts at the extremes and in between.
fn amounts() -> impl Strategy<Value = u128> {
    prop_oneof![0u128..6, 0u128..2_000, Just(u128::MAX / 9), Just(u128::MAX), any::<u128>()]
}

fn inputs() -> impl Strategy<Value = Vec<Coin>> {
    let holding = prop_oneof![1u128..9, 1u128..2_000, Just(u128::MAX / 9)];
    let coins = prop::collection::vec(prop::collection::vec((0usize..4, holding), 0..4), 1..5);
    coins.prop_map(|coins| (1..).zip(coins).map(|(seed, runes)| coin(seed, &runes)).collect())
}

/// Outputs that keep runes and outputs that burn them.
fn outputs() -> impl Strategy<Value = Vec<ScriptBuf>> {
    let burn = Builder::new().push_opcode(opcodes::all::OP_RETURN).push_slice([7; 32]);
    let output = prop_oneof![
        4 => any::<u8>().prop_map(to),
        1 => Just(burn.into_script()),
    ];
    prop::collection::vec(output, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn flows_match_the_protocol_for_edicts_and_pointers(
        inputs in inputs(),
        mut scripts in outputs(),
        at in any::<prop::sample::Index>(),
        edicts in prop::collection::vec((0usize..4, amounts(), 0u32..9), 0..7),
        pointer in prop::option::of(0u32..8),
    ) {
        let count = u32::try_from(scripts.len() + 1).unwrap();
        // Most edicts and pointers are valid: `count` itself means all outputs; values above it are
        // malformed.
        let edicts = edicts
            .into_iter()
            .map(|(rune, amount, output)| edict(rune, amount, output.min(count)))
            .collect();
        let pointer = pointer.filter(|pointer| *pointer < count);
        let script = Runestone { edicts, pointer, ..Runestone::default() }.encipher();
        let at = at.index(scripts.len() + 1);
        scripts.insert(at, script);
        check_against_oracle(&transaction(&inputs, scripts), &inputs)?;
    }

    #[test]
    fn flows_match_the_protocol_for_any_integers(
        inputs in inputs(),
        mut scripts in outputs(),
        fields in prop::collection::vec(
            (prop_oneof![6 => Just(22u128), 2 => Just(127u128), 1 => Just(126u128)], 0u128..7),
            0..3,
        ),
        body in prop::collection::vec(
            ((0u128..2), (0u128..4), amounts(), 0u128..7),
            0..4,
        ),
        tail in prop::collection::vec(any::<u128>(), 0..2),
        at_known in any::<bool>(),
    ) {
        let mut integers: Vec<u128> =
            fields.into_iter().flat_map(|(tag, value)| [tag, value]).collect();
        if !body.is_empty() {
            integers.push(0);
            for (position, (block, tx, amount, output)) in body.into_iter().enumerate() {
                let block = if position == 0 && at_known { 840_000 } else { block };
                let tx = if position == 0 && at_known { 3 } else { tx };
                integers.extend([block, tx, amount, output]);
            }
        }
        // After a body, a tail leaves an incomplete edict; without one it is a lone tag.
        integers.extend(tail);
        scripts.insert(0, script_of(&integers));
        check_against_oracle(&transaction(&inputs, scripts), &inputs)?;
    }

    #[test]
    fn flows_match_the_protocol_for_any_bytes(
        inputs in inputs(),
        mut scripts in outputs(),
        bytes in prop::collection::vec(any::<u8>(), 0..24),
        pushed in any::<bool>(),
    ) {
        let script = if pushed {
            script_of_bytes(&bytes)
        } else {
            ScriptBuf::from_bytes([&[0x6a, 0x5d], &bytes[..]].concat())
        };
        scripts.insert(0, script);
        check_against_oracle(&transaction(&inputs, scripts), &inputs)?;
    }

    #[test]
    fn a_runestone_decodes_to_its_edicts(
        edicts in prop::collection::vec((0usize..4, 1..=u128::MAX, 0u32..6), 1..8),
        pointer in 0u32..6,
    ) {
        let mut edicts: Vec<Edict> =
            edicts.into_iter().map(|(rune, amount, output)| edict(rune, amount, output)).collect();
        let script = runestone_script(edicts.clone(), pointer);
        let scripts = [vec![script], vec![to(1); 5]].concat();
        let artifact = Runestone::decipher(&transaction(&[], scripts));
        edicts.sort_by_key(|edict| edict.id);
        let meant = Runestone { edicts, pointer: Some(pointer), ..Runestone::default() };
        prop_assert_eq!(artifact, Some(Artifact::Runestone(meant)));
    }
}

#[test]
fn without_a_runestone_runes_go_to_the_first_output_that_keeps_them() {
    let inputs = [coin(1, &[(0, 5), (1, 6)]), coin(2, &[(0, 7)])];
    let burn = ScriptBuf::new_op_return([1; 4]);
    let flow = flow(&transaction(&inputs, vec![burn, to(1), to(2)]), &inputs, &[]).unwrap();
    let mut expected = vec![(1, name(0), 12), (1, name(1), 6)];
    expected.sort();
    assert_eq!(received(&flow), expected);
    assert_eq!(flow.fee, Amount::from_sat(20_000 - 1_800));
}

#[test]
fn custody_10_a_transaction_that_would_burn_runes_is_refused() {
    let inputs = [coin(1, &[(0, 5)])];
    let burnt = Err(FlowError::Burnt { rune: name(0), amount: 5 });
    let script = runestone_script(vec![edict(0, 0, 0)], 1);
    assert_eq!(flow(&transaction(&inputs, vec![script, to(1)]), &inputs, &runes()), burnt);
    let script = runestone_script(Vec::new(), 0);
    assert_eq!(flow(&transaction(&inputs, vec![script, to(1)]), &inputs, &runes()), burnt);
    let burning = vec![ScriptBuf::new_op_return([1; 4])];
    assert_eq!(flow(&transaction(&inputs, burning), &inputs, &runes()), burnt);
}

#[test]
fn a_transaction_not_known_to_be_harmless_is_refused() {
    let plain = coin(1, &[]);
    let outpoint = plain.outpoint;
    let check = |coin: Coin, script: ScriptBuf| {
        flow(&transaction(std::slice::from_ref(&coin), vec![script, to(1)]), &[coin], &runes())
    };
    let unknown = Coin { contents: Contents::Unknown, ..plain.clone() };
    assert_eq!(check(unknown, to(2)), Err(FlowError::Unknown(outpoint)));
    let contents = Contents::Known { inscribed: true, runes: RuneAmounts::new() };
    let inscribed = Coin { contents, ..plain.clone() };
    assert_eq!(check(inscribed, to(2)), Err(FlowError::Inscribed(outpoint)));
    let stranger = RuneId { block: 2, tx: 2 };
    let script = runestone_script(vec![Edict { id: stranger, amount: 1, output: 1 }], 1);
    assert_eq!(check(plain.clone(), script), Err(FlowError::UnknownRune(stranger)));
    let mint = Runestone { mint: Some(IDS[0]), ..Runestone::default() }.encipher();
    assert_eq!(check(plain.clone(), mint), Err(FlowError::Creates));
    let etching = Some(Etching::default());
    let etching = Runestone { etching, ..Runestone::default() }.encipher();
    assert_eq!(check(plain.clone(), etching), Err(FlowError::Creates));
    assert!(matches!(check(plain, script_of_bytes(&[0x80])), Err(FlowError::Cenotaph(_))));
}

#[test]
fn the_coins_must_be_the_inputs_in_order() {
    let coins = [coin(1, &[]), coin(2, &[])];
    let transaction = transaction(&coins, vec![to(1)]);
    assert!(flow(&transaction, &coins, &[]).is_ok());
    let [first, second] = coins;
    for wrong in [
        vec![second.clone(), first.clone()],
        vec![first.clone()],
        vec![first.clone(), first.clone()],
        vec![first.clone(), second, first],
    ] {
        assert_eq!(flow(&transaction, &wrong, &[]), Err(FlowError::Inputs));
    }
}

#[test]
fn one_coin_does_not_count_twice() {
    let twice = [coin(1, &[(0, 5)]), coin(1, &[(0, 5)])];
    let transaction = transaction(&twice, vec![to(1)]);
    assert_eq!(flow(&transaction, &twice, &[]), Err(FlowError::Inputs));
}

#[test]
fn outputs_that_exceed_the_inputs_are_refused() {
    let inputs = [coin(1, &[])];
    let transaction = transaction(&inputs, vec![to(1); 17]);
    assert_eq!(flow(&transaction, &inputs, &[]), Err(FlowError::Overspent));
}

#[test]
fn two_runes_never_share_an_id_or_a_name() {
    let check = |runes: [(u64, &str); 2]| {
        let rune = |(block, name): (u64, &str)| Rune {
            id: RuneId { block, tx: 1 },
            name: name.parse().unwrap(),
        };
        names_by_id(&runes.map(rune)).is_ok()
    };
    assert!(check([(1, "AB"), (2, "ABC")]));
    assert!(check([(1, "AB"), (1, "A•B")]));
    assert!(!check([(1, "AB"), (1, "ABC")]));
    assert!(!check([(1, "AB"), (2, "A•B")]));
    assert!(!check([(1, "AB"), (0, "ABC")]));
}

#[test]
fn only_an_equal_flow_keeps_a_promise() {
    let inputs = [coin(1, &[(0, 5)])];
    let make = |amount| {
        let script = runestone_script(vec![edict(0, amount, 2)], 1);
        flow(&transaction(&inputs, vec![script, to(1), to(2)]), &inputs, &runes()).unwrap()
    };
    let promised = make(4);
    assert_eq!(promised.keeps(&promised), Ok(()));
    let mut other = make(3);
    assert_eq!(other.outputs[1].runes[&name(0)], 2);
    // The runestone differs as well and comes first.
    assert_eq!(other.keeps(&promised), Err(FlowError::OutputDiffers { output: 0 }));
    other.outputs[0] = promised.outputs[0].clone();
    assert_eq!(other.keeps(&promised), Err(FlowError::OutputDiffers { output: 1 }));
    let mut other = promised.clone();
    other.outputs[2].value = Amount::from_sat(599);
    assert_eq!(other.keeps(&promised), Err(FlowError::OutputDiffers { output: 2 }));
    let mut other = promised.clone();
    other.outputs[2].script_pubkey = to(9);
    assert_eq!(other.keeps(&promised), Err(FlowError::OutputDiffers { output: 2 }));
    let mut other = promised.clone();
    other.outputs.pop();
    assert_eq!(other.keeps(&promised), Err(FlowError::OutputDiffers { output: 2 }));
    assert_eq!(promised.keeps(&other), Err(FlowError::OutputDiffers { output: 2 }));
    let other = Flow { fee: Amount::ZERO, ..promised.clone() };
    assert_eq!(other.keeps(&promised), Err(FlowError::FeeDiffers));
}
