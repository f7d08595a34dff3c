//! Envelopes in witnesses: the form in which transactions carry inscriptions
//! (<https://docs.ordinals.com/inscriptions.html>).

use std::collections::BTreeMap;

use bitcoin::{
    Transaction,
    opcodes::{
        Opcode,
        all::{OP_ENDIF, OP_IF, OP_PUSHNUM_1, OP_PUSHNUM_16, OP_PUSHNUM_NEG1},
    },
    script::Instruction,
};

const PROTOCOL: &[u8] = b"ord";
const CONTENT_TYPE: &[u8] = &[1];
const POINTER: &[u8] = &[2];

/// A new inscription, as a witness holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Index of the input.
    pub input: usize,
    /// MIME type, if it is UTF-8.
    pub content_type: Option<String>,
    /// The sat that it asks for, counted over all outputs.
    pub pointer: Option<u64>,
    /// Whether a field that must be understood is unknown; it is then not bound to a sat.
    pub is_unbound: bool,
    /// Whether early rules gave it a negative number: it is not the first of the first input, or has an odd form.
    pub is_cursed: bool,
}

/// The envelopes of all inputs, in order.
pub fn envelopes(transaction: &Transaction) -> Vec<Envelope> {
    let mut envelopes = Vec::new();
    for (input, txin) in transaction.input.iter().enumerate() {
        // Like ord, this looks at inputs of any kind; there are envelopes in tapscripts only.
        #[allow(deprecated)]
        let script = txin.witness.tapscript();
        let instructions: Option<Result<Vec<_>, _>> =
            script.map(|script| script.instructions().collect());
        if let Some(Ok(instructions)) = instructions {
            envelopes.extend(Reader { instructions: &instructions, at: 0 }.read_all(input));
        }
    }
    envelopes
}

struct Reader<'a> {
    instructions: &'a [Instruction<'a>],
    at: usize,
}

struct Raw {
    pushes: Vec<Vec<u8>>,
    has_numbers: bool,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Instruction<'a>> {
        self.instructions.get(self.at)
    }

    fn next(&mut self) -> Option<&'a Instruction<'a>> {
        let next = self.peek();
        self.at = self.at.saturating_add(1);
        next
    }

    fn accept(&mut self, is_wanted: impl FnOnce(&Instruction<'_>) -> bool) -> bool {
        let is_there = self.peek().is_some_and(is_wanted);
        if is_there {
            self.at = self.at.saturating_add(1);
        }
        is_there
    }

    fn read_all(mut self, input: usize) -> Vec<Envelope> {
        let (mut found, mut is_stutter) = (Vec::new(), false);
        while let Some(instruction) = self.next() {
            if !is_push_of(instruction, &[]) {
                continue;
            }
            let is_start = self.accept(|next| *next == Instruction::Op(OP_IF))
                && self.accept(|next| is_push_of(next, PROTOCOL));
            if !is_start {
                is_stutter = self.peek().is_some_and(|next| is_push_of(next, &[]));
            } else if let Some(raw) = self.read_one() {
                let is_odd = is_stutter || raw.has_numbers || input > 0 || !found.is_empty();
                found.push(parse(input, &raw.pushes, is_odd));
            } else {
                is_stutter = false;
            }
        }
        found
    }

    fn read_one(&mut self) -> Option<Raw> {
        let mut raw = Raw { pushes: Vec::new(), has_numbers: false };
        loop {
            match self.next()? {
                Instruction::Op(opcode) if *opcode == OP_ENDIF => return Some(raw),
                Instruction::Op(opcode) => {
                    raw.pushes.push(vec![number(*opcode)?]);
                    raw.has_numbers = true;
                }
                Instruction::PushBytes(push) => raw.pushes.push(push.as_bytes().to_vec()),
            }
        }
    }
}

fn is_push_of(instruction: &Instruction<'_>, bytes: &[u8]) -> bool {
    instruction.push_bytes().is_some_and(|push| push.as_bytes() == bytes)
}

fn number(opcode: Opcode) -> Option<u8> {
    if opcode == OP_PUSHNUM_NEG1 {
        return Some(0x81);
    }
    let (first, last) = (OP_PUSHNUM_1.to_u8(), OP_PUSHNUM_16.to_u8());
    let code = opcode.to_u8();
    if code > last {
        return None;
    }
    code.checked_sub(first)?.checked_add(1)
}

fn parse(input: usize, pushes: &[Vec<u8>], is_odd: bool) -> Envelope {
    // The first empty push in the place of a tag starts the body.
    let body = pushes.iter().step_by(2).position(Vec::is_empty);
    let end = body.map_or(pushes.len(), |pair| pair.saturating_mul(2));
    let mut fields: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
    let mut is_incomplete = false;
    for pair in pushes.get(..end).unwrap_or_default().chunks(2) {
        match pair {
            [tag, value] => fields.entry(tag).or_default().push(value),
            _ => is_incomplete = true,
        }
    }
    let first = |tag: &[u8]| fields.get(tag).and_then(|values| values.first().copied());
    let pointer = first(POINTER);
    let has_duplicates = fields.values().any(|values| values.len() > 1);
    let is_unknown = |(tag, values): (&&[u8], &Vec<&[u8]>)| {
        let is_even = tag.first().is_some_and(|first| first & 1 == 0);
        is_even && (*tag != POINTER || values.len() > 1)
    };
    let is_unbound = fields.iter().any(is_unknown);
    Envelope {
        input,
        content_type: first(CONTENT_TYPE).and_then(|text| String::from_utf8(text.to_vec()).ok()),
        pointer: pointer.and_then(little_endian),
        is_unbound,
        is_cursed: is_odd || is_incomplete || has_duplicates || is_unbound || pointer.is_some(),
    }
}

/// A number of any length that fits into 64 bits.
fn little_endian(bytes: &[u8]) -> Option<u64> {
    let mut low = [0; 8];
    for (place, byte) in bytes.iter().enumerate() {
        match low.get_mut(place) {
            Some(slot) => *slot = *byte,
            None if *byte != 0 => return None,
            None => {}
        }
    }
    Some(u64::from_le_bytes(low))
}
