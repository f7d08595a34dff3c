#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod cases;
mod largest;
mod random;

use bitcoin::{
    FeeRate, ScriptBuf, Sequence, Txid, Weight, Witness, hashes::Hash as _, script::Builder,
};
use ordinals::{Artifact, RuneId, Runestone};
use shared::models::bitcoin::RuneName;

use super::*;
use crate::bitcoin::coins::Contents;

/// Weight of a trading wallet's witness.
const SATISFACTION: Weight = Weight::from_wu(227);

const NAMES: [&str; 5] = ["UNCOMMON•GOODS", "DOG•GO•TO•THE•MOON", "RSIC", "PUPS", "Z•Z•Z"];

/// Runes with known ids, which can move.
fn rune(index: usize) -> Rune {
    let ids = [(1, 0), (840_000, 3), (840_000, 7)];
    let (block, tx) = ids[index];
    Rune { id: RuneId { block, tx }, name: name(index) }
}

fn name(index: usize) -> RuneName {
    NAMES[index].parse().unwrap()
}

fn outpoint(seed: u8) -> OutPoint {
    OutPoint::new(Txid::from_byte_array([seed; 32]), u32::from(seed % 3))
}

fn wallet_script() -> ScriptBuf {
    Builder::new().push_int(0).push_slice([0xee; 32]).into_script()
}

/// A recipient's script: P2WPKH, P2WSH, P2TR, P2PKH or P2SH.
fn to(seed: u8) -> ScriptBuf {
    use bitcoin::opcodes::all::{OP_CHECKSIG, OP_DUP, OP_EQUAL, OP_EQUALVERIFY, OP_HASH160};
    match seed % 5 {
        0 => Builder::new().push_int(0).push_slice([seed; 20]),
        1 => Builder::new().push_int(0).push_slice([seed; 32]),
        2 => Builder::new().push_int(1).push_slice([seed; 32]),
        3 => Builder::new()
            .push_opcode(OP_DUP)
            .push_opcode(OP_HASH160)
            .push_slice([seed; 20])
            .push_opcode(OP_EQUALVERIFY)
            .push_opcode(OP_CHECKSIG),
        _ => Builder::new().push_opcode(OP_HASH160).push_slice([seed; 20]).push_opcode(OP_EQUAL),
    }
    .into_script()
}

fn coin(seed: u8, sats: u64) -> Coin {
    Coin {
        outpoint: outpoint(seed),
        value: Amount::from_sat(sats),
        script_pubkey: wallet_script(),
        contents: Contents::plain(),
        confirmations: 6,
        is_immature: false,
        expires_in: Some(12_954),
        satisfaction_weight: SATISFACTION,
    }
}

fn runic(seed: u8, sats: u64, runes: &[(usize, u128)]) -> Coin {
    let runes = runes.iter().map(|(index, amount)| (name(*index), *amount)).collect();
    Coin { contents: Contents::Known { inscribed: false, runes }, ..coin(seed, sats) }
}

fn btc(sats: u64, seed: u8) -> Payment {
    Payment::Btc { sats: Amount::from_sat(sats), to: to(seed) }
}

fn of_rune(index: usize, amount: u128, seed: u8) -> Payment {
    Payment::Rune { rune: rune(index), amount, to: to(seed) }
}

fn request(payments: Vec<Payment>) -> Request {
    Request {
        payments,
        data: None,
        change: wallet_script(),
        fee_rate: FeeRate::from_sat_per_vb_u32(20),
        must_spend: Vec::new(),
        replaces: None,
        limits: Limits::default(),
    }
}

/// Checks the invariants of every plan, using only the transaction's own figures.
fn check(coins: &[Coin], request: &Request, plan: &Plan) {
    let Plan { transaction, inputs, outputs: roles, fee, weight, .. } = plan;
    let Request { payments, limits, .. } = request;
    assert_eq!(transaction.version.0, 2);
    assert_eq!(transaction.lock_time.to_consensus_u32(), 0);

    // Inputs: the given coins, each at most once, and none that must not be spent.
    let moved = |coin: &Coin| {
        payments.iter().any(|payment| match payment {
            Payment::Rune { rune, .. } => coin.amount_of(&rune.name) > 0,
            Payment::Btc { .. } => false,
        })
    };
    assert_eq!(transaction.input.len(), inputs.len());
    for (input, coin) in transaction.input.iter().zip(inputs) {
        assert_eq!(input.previous_output, coin.outpoint);
        assert_eq!(input.sequence, Sequence(0xffff_fffd));
        assert!(coins.contains(coin));
        let Contents::Known { inscribed: false, runes } = &coin.contents else {
            panic!("spends {:?}", coin.contents)
        };
        let may_move = moved(coin) || request.limits.unpaid_runes;
        assert!(runes.is_empty() || may_move, "spends runes that do not move");
        assert!(coin.confirmations > 0);
        assert!(coin.expires_in.is_none_or(|left| left >= limits.least_blocks_left));
    }
    let distinct: BTreeSet<_> = inputs.iter().map(|coin| coin.outpoint).collect();
    assert_eq!(distinct.len(), inputs.len());
    assert!(inputs.len() <= limits.most_inputs);
    let anchors = request.must_spend.iter().zip(&transaction.input);
    assert!(anchors.clone().count() == request.must_spend.len());
    for (anchor, input) in anchors {
        assert_eq!(*anchor, input.previous_output);
    }

    // Outputs: in order, each according to its role.
    let rank = |role: &Role| match role {
        Role::Runestone => (0, 0),
        Role::RuneChange => (1, 0),
        Role::Recipient(payment) => (2, *payment),
        Role::Data => (3, 0),
        Role::Change => (4, 0),
    };
    assert!(roles.is_sorted_by(|a, b| rank(a) < rank(b)));
    assert_eq!(roles.len(), transaction.output.len());
    let mut paid = 0;
    for (index, (role, output)) in roles.iter().zip(&transaction.output).enumerate() {
        let script = &output.script_pubkey;
        let runes = &plan.promised.outputs[index].runes;
        assert!(output.value >= script.minimal_non_dust(), "dust");
        match role {
            Role::Runestone | Role::Data => {
                assert!(script.is_op_return());
                assert_eq!(output.value, Amount::ZERO);
                assert!(runes.is_empty());
            }
            Role::RuneChange => {
                assert_eq!(*script, request.change);
                assert!((546..=10_000).contains(&output.value.to_sat()));
            }
            Role::Change => {
                assert_eq!(*script, request.change);
                assert!(output.value >= limits.least_change);
                assert!(runes.is_empty());
            }
            Role::Recipient(payment) => {
                paid += 1;
                let (to, promised) = match &payments[*payment] {
                    Payment::Btc { sats, to } => {
                        assert_eq!(output.value, *sats);
                        (to, RuneAmounts::new())
                    }
                    Payment::Rune { rune, amount, to } => {
                        assert!((546..=10_000).contains(&output.value.to_sat()));
                        (to, RuneAmounts::from([(rune.name, *amount)]))
                    }
                };
                assert_eq!((script, runes), (to, &promised));
            }
        }
    }
    assert_eq!(paid, payments.len());
    let data = transaction.output.iter().filter(|output| match request.data {
        Some(data) => output.script_pubkey == ScriptBuf::new_op_return(data),
        None => false,
    });
    assert_eq!(data.count(), usize::from(request.data.is_some()));

    check_runes(request, plan);

    // Sats and the fee.
    let total: Amount = transaction.output.iter().map(|output| output.value).sum();
    assert_eq!(inputs.iter().map(|coin| coin.value).sum::<Amount>(), total + *fee);
    assert_eq!(plan.promised.fee, *fee);
    assert!(*fee <= limits.fee_cap);
    let mut signed = transaction.clone();
    for (input, coin) in signed.input.iter_mut().zip(inputs) {
        // The unsigned weight includes the count of witness items, but not the length and content of the one
        // item.
        let item = vec![0; usize::try_from(coin.satisfaction_weight.to_wu()).unwrap() - 1];
        input.witness = Witness::from_slice(&[item]);
    }
    assert_eq!(signed.weight(), *weight);
    let least = least_fee(request, signed.weight());
    assert!(fee.to_sat() >= least, "{fee} is less than {least}");
    assert!(plan.fee_rate >= request.fee_rate);
    if roles.contains(&Role::Change) {
        assert_eq!(fee.to_sat(), least);
    } else {
        // Dropped change would have been below the limit.
        let change = bitcoin::TxOut { value: Amount::ZERO, script_pubkey: request.change.clone() };
        signed.output.push(change);
        let with_change = least_fee(request, signed.weight());
        let least_change = limits.least_change.max(request.change.minimal_non_dust()).to_sat();
        assert!(fee.to_sat() < with_change + least_change);
    }
    if let Some(replaced) = request.replaces {
        let fees = replaced.fee + replaced.descendants_fee;
        let vsize = weight.to_vbytes_ceil();
        assert!(*fee >= fees + Amount::from_sat(vsize), "does not pay for its relay");
        // A higher rate, by weight and by whole vbytes.
        let higher = |old: u64, new: u64| {
            u128::from(fee.to_sat()) * u128::from(old) > u128::from(fees.to_sat()) * u128::from(new)
        };
        assert!(higher(replaced.weight.to_wu(), weight.to_wu()));
        assert!(higher(replaced.weight.to_vbytes_ceil(), vsize));
    }
}

/// The total of each rune over outputs equals that over inputs, according to the decoded runestone.
fn check_runes(request: &Request, plan: &Plan) {
    let mut runes = Vec::new();
    for payment in &request.payments {
        if let Payment::Rune { rune, .. } = payment {
            runes.push(*rune);
        }
    }
    let actual = flow(&plan.transaction, &plan.inputs, &runes).unwrap();
    assert_eq!(actual, plan.promised);
    let sums = |amounts: Vec<&RuneAmounts>| {
        let mut sums = RuneAmounts::new();
        for (name, amount) in amounts.into_iter().flatten() {
            *sums.entry(*name).or_default() += amount;
        }
        sums
    };
    let held = sums(plan.inputs.iter().filter_map(Coin::runes).collect());
    assert_eq!(sums(actual.outputs.iter().map(|output| &output.runes).collect()), held);

    let has_runestone = plan.outputs.first() == Some(&Role::Runestone);
    assert_eq!(has_runestone, !runes.is_empty());
    match Runestone::decipher(&plan.transaction) {
        None => assert!(runes.is_empty()),
        Some(Artifact::Cenotaph(cenotaph)) => panic!("{cenotaph:?}"),
        Some(Artifact::Runestone(runestone)) => {
            assert!(runestone.etching.is_none() && runestone.mint.is_none());
            let pointer = usize::try_from(runestone.pointer.unwrap()).unwrap();
            assert!(matches!(plan.outputs[pointer], Role::RuneChange | Role::Change));
            for edict in runestone.edicts {
                assert!(edict.amount > 0);
                let output = usize::try_from(edict.output).unwrap();
                assert!(matches!(plan.outputs[output], Role::Recipient(_)));
            }
        }
    }
}

/// The least fee for a weight, computed independently of the code.
fn least_fee(request: &Request, weight: Weight) -> u64 {
    let vsize = weight.to_vbytes_ceil();
    let asked = request.fee_rate.fee_vb(vsize).unwrap().to_sat();
    let Some(replaced) = request.replaces else { return asked };
    let fees = (replaced.fee + replaced.descendants_fee).to_sat();
    let by_weight = fees * weight.to_wu() / replaced.weight.to_wu() + 1;
    let per_kvb = 1_000 * fees / replaced.weight.to_vbytes_ceil();
    let rate = FeeRate::from_sat_per_kwu((per_kvb + 1).div_ceil(4)).max(FeeRate::BROADCAST_MIN);
    let by_rate = rate.fee_vb(vsize).unwrap().to_sat();
    [asked, fees + vsize, by_weight, by_rate].into_iter().max().unwrap()
}
