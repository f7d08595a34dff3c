//! A transaction under construction.

use std::collections::BTreeMap;

use bitcoin::{
    Amount, FeeRate, OutPoint, ScriptBuf, Transaction, TxOut, Weight, absolute::LockTime,
    transaction::Version,
};
use ordinals::Edict;

use super::{
    LEAST_RUNE_OUTPUT, MOST_RUNE_OUTPUT, Payment, Plan, PlanError, Replaced, Request, Role,
};
use crate::bitcoin::{
    coins::{Coin, RuneAmounts},
    runes::{Flow, Received, Rune, runestone_script},
    selection::Bill,
};

/// Relay cost of a replacement, in sats per 1,000 weight units: 1 sat/vB.
const RELAY_RATE: u64 = 250;

const VBYTES_PER_KWU: u64 = 250;

/// An amount of a rune that one edict gives to every output.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvenShare {
    pub(super) rune: Rune,
    pub(super) amount: u128,
}

impl EvenShare {
    /// The share that makes the runestone short enough: the smallest payment, if one edict per payment would
    /// be too long and the request allows one edict for all.
    pub(super) fn of(request: &Request) -> Option<Self> {
        let most =
            request.limits.most_runestone_bytes.filter(|_| request.limits.one_edict_for_all)?;
        let mut edicts = Vec::with_capacity(request.payments.len());
        for (payment, output) in request.payments.iter().zip(FIRST_RECIPIENT..) {
            let Payment::Rune { rune, amount, .. } = payment else { return None };
            edicts.push((*rune, Edict { id: rune.id, amount: *amount, output }));
        }
        let (rune, _) = *edicts.first()?;
        if request.data.is_some() || edicts.iter().any(|(other, _)| *other != rune) {
            return None;
        }
        let amount = edicts.iter().map(|(_, edict)| edict.amount).min()?;
        let pointer = FIRST_RECIPIENT.saturating_add(u32::try_from(edicts.len()).ok()?);
        let edicts = edicts.into_iter().map(|(_, edict)| edict).collect();
        (runestone_script(edicts, pointer).len() > most).then_some(Self { rune, amount })
    }
}

/// The lowest index that the first recipient can have: after the runestone and rune change.
const FIRST_RECIPIENT: u32 = 2;

/// Outputs under construction, each with its promise.
pub(super) struct Draft {
    outputs: Vec<Received>,
    roles: Vec<Role>,
}

impl Draft {
    /// All outputs except change. With a `share`, change takes the leftover runes too.
    pub(super) fn new(
        request: &Request,
        paid: &RuneAmounts,
        leftover: &RuneAmounts,
        share: Option<EvenShare>,
    ) -> Result<Self, PlanError> {
        let mut draft = Self { outputs: Vec::new(), roles: Vec::new() };
        let rune_sats = |to: &ScriptBuf| {
            let asked = match *to == request.change {
                true => request.limits.own_rune_output,
                false => request.limits.rune_output,
            };
            asked.clamp(LEAST_RUNE_OUTPUT, MOST_RUNE_OUTPUT).max(to.minimal_non_dust())
        };
        if !paid.is_empty() {
            draft.push(Role::Runestone, ScriptBuf::new(), Amount::ZERO, RuneAmounts::new());
        }
        if !leftover.is_empty() && share.is_none() {
            let change = request.change.clone();
            let sats = rune_sats(&change);
            draft.push(Role::RuneChange, change, sats, leftover.clone());
        }
        let mut edicts = Vec::new();
        for (index, payment) in request.payments.iter().enumerate() {
            let (to, sats, runes) = match payment {
                Payment::Btc { sats, to } => (to, *sats, RuneAmounts::new()),
                Payment::Rune { rune, amount, to } => {
                    let output = index_of(draft.outputs.len())?;
                    let rest = amount.saturating_sub(share.map_or(0, |share| share.amount));
                    if rest > 0 {
                        edicts.push(Edict { id: rune.id, amount: rest, output });
                    }
                    (to, rune_sats(to), RuneAmounts::from([(rune.name, *amount)]))
                }
            };
            draft.push(Role::Recipient(index), to.clone(), sats, runes);
        }
        if let Some(data) = request.data {
            let script = ScriptBuf::new_op_return(data);
            draft.push(Role::Data, script, Amount::ZERO, RuneAmounts::new());
        }
        if !paid.is_empty() {
            let rune_change = draft.roles.iter().position(|role| *role == Role::RuneChange);
            // Without rune change, the pointer points to change, the next output.
            let pointer = index_of(rune_change.unwrap_or(draft.outputs.len()))?;
            if let Some(EvenShare { rune, amount }) = share {
                // As an edict's output, the number of outputs means every output; change is the last one.
                edicts.push(Edict { id: rune.id, amount, output: pointer.saturating_add(1) });
            }
            let script = runestone_script(edicts, pointer);
            let most = request.limits.most_runestone_bytes;
            if let Some(most) = most.filter(|most| script.len() > *most) {
                return Err(PlanError::RunestoneTooLong { bytes: script.len(), most });
            }
            if let Some(runestone) = draft.outputs.first_mut() {
                runestone.script_pubkey = script;
            }
        }
        Ok(draft)
    }

    pub(super) fn push(
        &mut self,
        role: Role,
        script_pubkey: ScriptBuf,
        value: Amount,
        runes: RuneAmounts,
    ) {
        self.roles.push(role);
        self.outputs.push(Received { script_pubkey, value, runes });
    }

    /// Whether change is mandatory: the runestone points to it, or nothing else is paid.
    fn needs_change(&self) -> bool {
        let pointed =
            self.roles.contains(&Role::Runestone) && !self.roles.contains(&Role::RuneChange);
        pointed || self.outputs.iter().all(|output| output.script_pubkey.is_op_return())
    }

    pub(super) fn bill(&self, request: &Request, coins: &BTreeMap<OutPoint, &Coin>) -> Bill {
        let limits = &request.limits;
        let outputs = || self.outputs.iter().map(tx_out);
        let sum = |figures: &mut dyn Iterator<Item = u64>| {
            figures.fold(0, |sum: i128, figure| sum.saturating_add(figure.into()))
        };
        let change = TxOut { value: Amount::ZERO, script_pubkey: request.change.clone() };
        let dust = request.change.minimal_non_dust();
        // Spending change weighs as much as the heaviest of the wallet's coins.
        let spend_weight = coins.values().map(|coin| coin.input_weight().to_wu()).max();
        Bill {
            value: sum(&mut outputs().map(|output| output.value.to_sat())),
            weight: sum(&mut outputs().map(|output| output.weight().to_wu())),
            outputs: self.outputs.len(),
            change_weight: change.weight().to_wu().into(),
            change_spend_weight: spend_weight.unwrap_or_default().into(),
            least_change: limits.least_change.max(dust).to_sat().into(),
            change_required: self.needs_change(),
            rate: least_rate(request).into(),
            long_term_rate: limits.long_term_fee_rate.to_sat_per_kwu().into(),
            replaced: request.replaces.map(|replaced| {
                let fees = i128::from(fees_of(replaced).to_sat());
                (fees, replaced.weight.to_wu().into())
            }),
            fee_cap: limits.fee_cap.to_sat().into(),
            most_inputs: limits.most_inputs,
            consolidate: limits.consolidate,
        }
    }

    pub(super) fn finish(self, inputs: Vec<&Coin>, fee: Amount) -> Plan {
        let inputs: Vec<Coin> = inputs.into_iter().cloned().collect();
        let transaction = unsigned_transaction(&inputs, self.outputs.iter().map(tx_out).collect());
        let weight = signed_weight(&transaction, &inputs);
        let vsize = weight.to_vbytes_ceil();
        let per_kwu = fee.to_sat().saturating_mul(VBYTES_PER_KWU).checked_div(vsize);
        Plan {
            transaction,
            inputs,
            outputs: self.roles,
            fee,
            weight,
            fee_rate: FeeRate::from_sat_per_kwu(per_kwu.unwrap_or_default()),
            promised: Flow { outputs: self.outputs, fee },
        }
    }
}

fn index_of(output: usize) -> Result<u32, PlanError> {
    u32::try_from(output).map_err(|_| PlanError::TooHeavy { weight: Weight::MAX })
}

fn tx_out(received: &Received) -> TxOut {
    TxOut { value: received.value, script_pubkey: received.script_pubkey.clone() }
}

/// A transaction that spends these coins, unsigned.
pub(crate) fn unsigned_transaction(inputs: &[Coin], output: Vec<TxOut>) -> Transaction {
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: inputs.iter().map(Coin::unsigned_input).collect(),
        output,
    }
}

/// The weight after signing. An unsigned transaction lacks marker, flag and the counts of witness items.
pub(crate) fn signed_weight(transaction: &Transaction, inputs: &[Coin]) -> Weight {
    let satisfactions = inputs.iter().map(|coin| coin.satisfaction_weight.to_wu());
    let marker_and_flag: u64 = 2;
    let witnesses = satisfactions.fold(marker_and_flag, |sum, satisfaction| {
        sum.saturating_add(satisfaction).saturating_add(1)
    });
    Weight::from_wu(transaction.weight().to_wu().saturating_add(witnesses))
}

/// Total fee of a replaced transaction and its descendants.
fn fees_of(replaced: Replaced) -> Amount {
    replaced.fee.checked_add(replaced.descendants_fee).unwrap_or(Amount::MAX)
}

/// The least fee rate, in sats per 1,000 weight units. A replacement must pay a higher rate than what it
/// replaces, and nodes that compare whole sats per 1,000 vbytes must see the difference. Descendants' fees
/// count towards the replaced rate: then no part of the replaced transactions pays a higher rate, and the
/// mempool's fee-rate diagram improves everywhere.
fn least_rate(request: &Request) -> u64 {
    let asked = request.fee_rate.to_sat_per_kwu();
    let Some(replaced) = request.replaces else { return asked };
    let vsize = replaced.weight.to_vbytes_ceil();
    let per_kvb = fees_of(replaced).to_sat().saturating_mul(1_000).checked_div(vsize);
    let above = per_kvb.unwrap_or(u64::MAX).saturating_add(1).div_ceil(4);
    asked.max(above).max(RELAY_RATE)
}
