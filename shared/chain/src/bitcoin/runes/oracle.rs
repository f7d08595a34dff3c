//! A second implementation of the protocol from its prose, for comparison: it decodes the script by itself
//! and keeps a ledger of transfers instead of balances by output.

use std::collections::BTreeMap;

use bitcoin::{Script, Transaction};
use ordinals::RuneId;

const BODY: u128 = 0;
const FLAGS: u128 = 2;
const MINT: u128 = 20;
const POINTER: u128 = 22;

/// The message of a transaction.
pub(super) enum Message {
    Silent,
    Malformed,
    /// An etching or a mint, which the oracle does not parse.
    Other,
    Moves {
        edicts: Vec<(RuneId, u128, usize)>,
        pointer: Option<usize>,
    },
}

/// Transfers to an output, or `None` if burnt.
pub(super) type Ledger = Vec<(RuneId, Option<usize>, u128)>;

pub(super) fn decipher(transaction: &Transaction) -> Message {
    let starts = |script: &&Script| script.as_bytes().starts_with(&[0x6a, 0x5d]);
    let scripts = transaction.output.iter().map(|output| output.script_pubkey.as_script());
    let Some(script) = scripts.clone().find(starts) else { return Message::Silent };
    message(&script.as_bytes()[2..], transaction.output.len()).unwrap_or(Message::Malformed)
}

fn message(mut script: &[u8], outputs: usize) -> Option<Message> {
    let mut payload = Vec::new();
    while let Some((&opcode, rest)) = script.split_first() {
        let width = match opcode {
            0..=75 => 0,
            76 => 1,
            77 => 2,
            78 => 4,
            _ => return None,
        };
        let mut length = usize::from(opcode);
        if width > 0 {
            let bytes = rest.get(..width)?;
            length = bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        }
        let data = rest.get(width..)?;
        payload.extend_from_slice(data.get(..length)?);
        script = &data[length..];
    }
    let mut integers = integers(&payload)?.into_iter();

    let mut fields: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
    let mut edicts = Vec::new();
    while let Some(tag) = integers.next() {
        if tag != BODY {
            fields.entry(tag).or_default().push(integers.next()?);
            continue;
        }
        let (mut block, mut index) = (0u64, 0u32);
        let body: Vec<u128> = integers.by_ref().collect();
        for edict in body.chunks(4) {
            let [block_delta, tx, amount, output] = edict.try_into().ok()?;
            if block_delta == 0 {
                index = index.checked_add(u32::try_from(tx).ok()?)?;
            } else {
                block = block.checked_add(u64::try_from(block_delta).ok()?)?;
                index = u32::try_from(tx).ok()?;
            }
            let output = usize::try_from(output).ok().filter(|output| *output <= outputs)?;
            if block == 0 && index > 0 {
                return None;
            }
            edicts.push((RuneId { block, tx: index }, amount, output));
        }
    }
    if fields.contains_key(&FLAGS) || fields.contains_key(&MINT) {
        return Some(Message::Other);
    }
    let pointer = fields.remove(&POINTER);
    if fields.keys().any(|tag| tag % 2 == 0) {
        return None;
    }
    let pointer = match pointer.as_deref() {
        None => None,
        Some([pointer]) => {
            Some(usize::try_from(*pointer).ok().filter(|pointer| *pointer < outputs)?)
        }
        Some(_) => return None,
    };
    Some(Message::Moves { edicts, pointer })
}

fn integers(mut payload: &[u8]) -> Option<Vec<u128>> {
    let mut integers = Vec::new();
    while !payload.is_empty() {
        let last = payload.iter().position(|byte| byte & 0x80 == 0)?;
        // Eighteen bytes hold 126 bits, a nineteenth two more.
        if last > 18 || (last == 18 && payload[last] > 3) {
            return None;
        }
        let (varint, rest) = payload.split_at(last + 1);
        integers.push(varint.iter().rev().fold(0, |sum, byte| sum << 7 | u128::from(byte & 0x7f)));
        payload = rest;
    }
    Some(integers)
}

/// Distributes the balances according to a well-formed message.
pub(super) fn execute(
    transaction: &Transaction,
    edicts: &[(RuneId, u128, usize)],
    pointer: Option<usize>,
    balances: &BTreeMap<RuneId, u128>,
) -> Ledger {
    let burns = |output: &usize| transaction.output[*output].script_pubkey.is_op_return();
    let safe: Vec<usize> = (0..transaction.output.len()).filter(|output| !burns(output)).collect();
    let mut ledger = Ledger::new();
    for (id, total) in balances {
        let mut left = *total;
        for (_, amount, output) in edicts.iter().filter(|(edict, ..)| edict == id) {
            let to = if *output < transaction.output.len() { vec![*output] } else { safe.clone() };
            for (done, output) in to.iter().enumerate() {
                let share = match amount {
                    0 => left.div_ceil((to.len() - done) as u128),
                    amount => left.min(*amount),
                };
                left -= share;
                ledger.push((*id, Some(*output), share));
            }
        }
        ledger.push((*id, pointer.or(safe.first().copied()), left));
    }
    // The share of an OP_RETURN is burnt.
    for (_, output, _) in &mut ledger {
        *output = output.filter(|output| !burns(output));
    }
    ledger
}
