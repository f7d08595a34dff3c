//! Computes where a transaction's runes and sats go, by the runes protocol.
//!
//! The protocol is defined by ord: <https://docs.ordinals.com/runes/specification.html>.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Amount, OutPoint, ScriptBuf, Transaction};
use ordinals::{Artifact, Edict, Flaw, RuneId, Runestone};
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::RuneName;

use crate::bitcoin::coins::{Coin, Contents, RuneAmounts};

/// A rune. ord identifies the runes of an output by name, and edicts identify theirs by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rune {
    /// Block and index of the etching, `<block>:<tx>`.
    pub id: RuneId,
    /// The name in letters.
    pub name: RuneName,
}

/// The amounts that one output receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Received {
    /// The recipient's script.
    pub script_pubkey: ScriptBuf,
    /// In sats.
    #[serde(with = "bitcoin::amount::serde::as_sat")]
    pub value: Amount,
    /// Runes, each at least 1 of its smallest unit.
    #[serde(with = "as_digits")]
    pub runes: RuneAmounts,
}

/// Where the sats and runes of a transaction go. Two flows are equal if every output receives the same and
/// the fees are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Flow {
    /// The amounts that each output receives, in order.
    pub outputs: Vec<Received>,
    /// The fee.
    #[serde(with = "bitcoin::amount::serde::as_sat")]
    pub fee: Amount,
}

impl Flow {
    /// Checks that this flow of a transaction matches the promised one.
    ///
    /// # Errors
    /// [`FlowError::OutputDiffers`] with the index of the first output that differs;
    /// [`FlowError::FeeDiffers`] if all outputs match and the fee does not.
    pub fn keeps(&self, promised: &Self) -> Result<(), FlowError> {
        let mut pairs = self.outputs.iter().zip(&promised.outputs);
        if let Some(output) = pairs.position(|(actual, promised)| actual != promised) {
            return Err(FlowError::OutputDiffers { output });
        }
        if self.outputs.len() != promised.outputs.len() {
            let output = self.outputs.len().min(promised.outputs.len());
            return Err(FlowError::OutputDiffers { output });
        }
        if self.fee == promised.fee { Ok(()) } else { Err(FlowError::FeeDiffers) }
    }
}

/// Why a transaction must not be signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// The coins are not exactly the transaction's inputs in order.
    #[error("the coins are not the inputs of the transaction")]
    Inputs,
    /// The contents of an input are unknown.
    #[error("the contents of {0} are unknown")]
    Unknown(OutPoint),
    /// An input holds an inscription.
    #[error("{0} holds an inscription")]
    Inscribed(OutPoint),
    /// Outputs exceed inputs, or sums of sats or runes overflow.
    #[error("outputs exceed inputs")]
    Overspent,
    /// The runestone is malformed, which burns every rune of the inputs.
    #[error("the runestone is a cenotaph: {0:?}")]
    Cenotaph(Option<Flaw>),
    /// The runestone etches or mints.
    #[error("the runestone creates runes")]
    Creates,
    /// An edict moves a rune that is not among the given ones.
    #[error("an edict moves {0}, which must not move")]
    UnknownRune(RuneId),
    /// Two of the given runes share an id or a name, or an id is not an etched rune's.
    #[error("{0} does not identify a single rune")]
    BadRune(RuneName),
    /// An edict moves nothing or everything, names no output, or gives to every output without permission.
    #[error("an edict does not give an amount to an output")]
    UnsoundEdict,
    /// Runes would be burnt.
    #[error("{amount} of {rune} would be burnt")]
    Burnt {
        /// The rune.
        rune: RuneName,
        /// In its smallest unit.
        amount: u128,
    },
    /// An output receives something other than promised.
    #[error("output {output} differs from the promised one")]
    OutputDiffers {
        /// Index of the first such output; one past the end if outputs are missing or added.
        output: usize,
    },
    /// The fee differs from the promised one.
    #[error("the fee differs from the promised one")]
    FeeDiffers,
}

/// Computes where the sats and runes of a transaction go, from its own runestone.
///
/// `inputs` are the spent coins, in order. `moved` are the runes that its edicts may name; the other runes of
/// its inputs go to the output of the runestone's pointer.
///
/// # Errors
/// Every [`FlowError`] except the two of [`Flow::keeps`].
pub fn flow(transaction: &Transaction, inputs: &[Coin], moved: &[Rune]) -> Result<Flow, FlowError> {
    let unallocated = balances(transaction, inputs)?;
    let names = names_by_id(moved)?;
    let runestone = match Runestone::decipher(transaction) {
        None => Runestone::default(),
        Some(Artifact::Runestone(Runestone { etching: None, mint: None, edicts, pointer })) => {
            Runestone { edicts, pointer, ..Runestone::default() }
        }
        Some(Artifact::Runestone(_)) => return Err(FlowError::Creates),
        Some(Artifact::Cenotaph(cenotaph)) => return Err(FlowError::Cenotaph(cenotaph.flaw)),
    };
    let allocation = allocate(transaction, &runestone, unallocated, &names)?;
    if let Some((&rune, &amount)) = allocation.burnt.iter().next() {
        return Err(FlowError::Burnt { rune, amount });
    }
    let received = |(output, runes): (&bitcoin::TxOut, RuneAmounts)| Received {
        script_pubkey: output.script_pubkey.clone(),
        value: output.value,
        runes,
    };
    Ok(Flow {
        outputs: transaction.output.iter().zip(allocation.outputs).map(received).collect(),
        fee: fee(transaction, inputs).ok_or(FlowError::Overspent)?,
    })
}

/// Checks that each edict gives an amount of at least 1 to one output. If a platform wallet pays alone, an
/// edict may also give the amount to every output other than `OP_RETURN`, provided that at least as much is
/// promised to each of them (custody rule 10).
///
/// # Errors
/// [`FlowError::UnsoundEdict`] if an edict gives nothing, or gives to an output that does not exist or was
/// not promised it.
pub fn check_edicts(
    transaction: &Transaction,
    promised: &Flow,
    moved: &[Rune],
    may_share: bool,
) -> Result<(), FlowError> {
    let Some(Artifact::Runestone(runestone)) = Runestone::decipher(transaction) else {
        return Ok(());
    };
    let names = names_by_id(moved)?;
    let outputs = transaction.output.len();
    let is_sound = |edict: &Edict| {
        let gives_to_all = || {
            let mut keeping =
                promised.outputs.iter().filter(|output| !output.script_pubkey.is_op_return());
            let got = |output: &Received| {
                names.get(&edict.id).and_then(|name| output.runes.get(name)).copied()
            };
            keeping.all(|output| got(output).is_some_and(|amount| amount >= edict.amount))
        };
        let output = usize::try_from(edict.output).unwrap_or(usize::MAX);
        edict.amount > 0 && (output < outputs || may_share && output == outputs && gives_to_all())
    };
    if runestone.edicts.iter().all(is_sound) { Ok(()) } else { Err(FlowError::UnsoundEdict) }
}

/// The runestone of a transaction that moves runes, as its output script.
pub fn runestone_script(edicts: Vec<Edict>, pointer: u32) -> ScriptBuf {
    Runestone { edicts, pointer: Some(pointer), ..Runestone::default() }.encipher()
}

/// The names of runes by id; ids and names must be unique. Block 0 has no runes: in an edict, 0:0 is the rune
/// that the transaction itself etches, and among this service's tokens it is bitcoin.
pub(crate) fn names_by_id(runes: &[Rune]) -> Result<BTreeMap<RuneId, RuneName>, FlowError> {
    let mut names = BTreeMap::new();
    let mut ids = BTreeMap::new();
    for rune in runes {
        let same_name = *names.entry(rune.id).or_insert(rune.name) == rune.name;
        let same_id = *ids.entry(rune.name).or_insert(rune.id) == rune.id;
        if !same_name || !same_id || rune.id.block == 0 {
            return Err(FlowError::BadRune(rune.name));
        }
    }
    Ok(names)
}

fn fee(transaction: &Transaction, inputs: &[Coin]) -> Option<Amount> {
    let mut held = inputs.iter().map(|coin| coin.value);
    let spent = held.try_fold(Amount::ZERO, Amount::checked_add)?;
    let mut paid = transaction.output.iter().map(|output| output.value);
    spent.checked_sub(paid.try_fold(Amount::ZERO, Amount::checked_add)?)
}

/// The runes of all inputs together.
fn balances(transaction: &Transaction, inputs: &[Coin]) -> Result<RuneAmounts, FlowError> {
    let spent = transaction.input.iter().map(|input| input.previous_output);
    let distinct: BTreeSet<_> = inputs.iter().map(|coin| coin.outpoint).collect();
    if distinct.len() != inputs.len() || !spent.eq(inputs.iter().map(|coin| coin.outpoint)) {
        return Err(FlowError::Inputs);
    }
    let mut sums = RuneAmounts::new();
    for coin in inputs {
        let runes = match &coin.contents {
            Contents::Unknown | Contents::Unreadable => {
                return Err(FlowError::Unknown(coin.outpoint));
            }
            Contents::Known { inscribed: true, .. } => {
                return Err(FlowError::Inscribed(coin.outpoint));
            }
            Contents::Known { inscribed: false, runes } => runes,
        };
        for (name, amount) in runes {
            let sum = sums.entry(*name).or_default();
            *sum = sum.checked_add(*amount).ok_or(FlowError::Overspent)?;
        }
    }
    Ok(sums)
}

/// The destinations of runes.
struct Allocation {
    /// By output; an `OP_RETURN` has none.
    outputs: Vec<RuneAmounts>,
    /// Runes of `OP_RETURN` outputs, and those without an output.
    burnt: RuneAmounts,
}

/// Applies the edicts in order, then the pointer.
fn allocate(
    transaction: &Transaction,
    runestone: &Runestone,
    mut unallocated: RuneAmounts,
    names: &BTreeMap<RuneId, RuneName>,
) -> Result<Allocation, FlowError> {
    let burns: Vec<bool> =
        transaction.output.iter().map(|output| output.script_pubkey.is_op_return()).collect();
    let keeping: Vec<usize> =
        burns.iter().enumerate().filter_map(|(i, burns)| (!burns).then_some(i)).collect();
    let mut outputs = vec![RuneAmounts::new(); burns.len()];

    for edict in &runestone.edicts {
        let name = names.get(&edict.id).ok_or(FlowError::UnknownRune(edict.id))?;
        let Some(balance) = unallocated.get_mut(name) else { continue };
        for (output, amount) in shares(edict, *balance, &keeping, burns.len()) {
            // A share never exceeds what earlier shares left.
            let amount = amount.min(*balance);
            *balance = balance.saturating_sub(amount);
            give(&mut outputs, output, *name, amount);
        }
    }

    let mut burnt = RuneAmounts::new();
    let pointer = runestone.pointer.and_then(|pointer| usize::try_from(pointer).ok());
    match pointer.or_else(|| keeping.first().copied()) {
        Some(pointer) => {
            for (name, amount) in unallocated {
                give(&mut outputs, pointer, name, amount);
            }
        }
        None => burnt = unallocated,
    }
    for (runes, burns) in outputs.iter_mut().zip(burns) {
        if burns {
            for (name, amount) in std::mem::take(runes) {
                let sum = burnt.entry(name).or_default();
                *sum = sum.saturating_add(amount);
            }
        }
    }
    burnt.retain(|_, amount| *amount > 0);
    Ok(Allocation { outputs, burnt })
}

/// How an edict distributes a rune among outputs, given the remaining balance.
///
/// Amount 0 means the whole balance. An output index equal to the number of outputs means every output other
/// than `OP_RETURN`: each in turn receives the amount. With amount 0 each receives an equal part, and the
/// first ones receive one unit more if the balance does not divide evenly.
fn shares(edict: &Edict, balance: u128, keeping: &[usize], outputs: usize) -> Vec<(usize, u128)> {
    let output = usize::try_from(edict.output).unwrap_or(usize::MAX);
    if output != outputs {
        return vec![(output, if edict.amount == 0 { balance } else { edict.amount })];
    }
    if edict.amount > 0 {
        return keeping.iter().map(|output| (*output, edict.amount)).collect();
    }
    let parts = keeping.len() as u128;
    let (Some(part), Some(larger)) = (balance.checked_div(parts), balance.checked_rem(parts))
    else {
        return Vec::new();
    };
    let share = |(output, i)| (output, part.saturating_add(u128::from(i < larger)));
    keeping.iter().copied().zip(0..).map(share).collect()
}

fn give(outputs: &mut [RuneAmounts], output: usize, name: RuneName, amount: u128) {
    if let Some(runes) = outputs.get_mut(output)
        && amount > 0
    {
        let sum = runes.entry(name).or_default();
        *sum = sum.saturating_add(amount);
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod oracle;
mod promise;

pub use promise::Promise;

/// Amounts as decimal strings, since they can exceed DynamoDB's numbers.
mod as_digits {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{RuneAmounts, RuneName};
    use crate::models::amount::Units;

    pub(super) fn serialize<S: Serializer>(
        amounts: &RuneAmounts,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let digits: BTreeMap<_, _> =
            amounts.iter().map(|(name, amount)| (*name, Units(*amount))).collect();
        digits.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<RuneAmounts, D::Error> {
        let digits = BTreeMap::<RuneName, Units>::deserialize(deserializer)?;
        Ok(digits.into_iter().map(|(name, Units(amount))| (name, amount)).collect())
    }
}

#[cfg(test)]
mod tests;
