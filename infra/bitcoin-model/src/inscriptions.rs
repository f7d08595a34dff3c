//! Where inscriptions are: they follow their sats, which go from inputs to outputs first in, first out. Sats of fees
//! go to the coinbase (<https://docs.ordinals.com/overview.html>).

use std::{collections::BTreeMap, fmt, str::FromStr};

use bitcoin::{Amount, Block, Network, OutPoint, ScriptBuf, Transaction, Txid, hashes::Hash};
use ordinals::{Height, SatPoint};

use crate::{
    envelope::{Envelope, envelopes},
    journal::Journal,
};

/// Identifies an inscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InscriptionId {
    /// The transaction that reveals it.
    pub txid: Txid,
    /// Its index in that transaction.
    pub index: u32,
}

impl fmt::Display for InscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}i{}", self.txid, self.index)
    }
}

/// The text is not `<txid>i<index>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an inscription id is <txid>i<index>")]
pub struct InvalidId;

impl FromStr for InscriptionId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (txid, index) = text.split_once('i').ok_or(InvalidId)?;
        let txid = txid.parse().map_err(|_| InvalidId)?;
        Ok(Self { txid, index: index.parse().map_err(|_| InvalidId)? })
    }
}

/// An unspent output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// In sats.
    pub value: u64,
    /// The script that locks it.
    pub script: ScriptBuf,
    /// Height of its block.
    pub height: u32,
    /// Inscriptions by their sequence number, and their offsets in sats.
    pub inscribed: Vec<(u32, u64)>,
}

/// An inscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inscription {
    /// Its id.
    pub id: InscriptionId,
    /// Its number; negative if it is cursed.
    pub number: i64,
    /// Height of its block.
    pub height: u32,
    /// Time of its block.
    pub timestamp: u32,
    /// Fee of its transaction, divided by the number of inscriptions in it.
    pub fee: u64,
    /// MIME type.
    pub content_type: Option<String>,
    /// Where it is. Lost ones are in the null outpoint, unbound ones in output 0 of the transaction of zeros.
    pub satpoint: SatPoint,
    /// Whether its form was cursed before ord stopped to curse.
    is_odd: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    blessed: i64,
    cursed: i64,
    unbound: u64,
    lost_sats: u64,
    next: u32,
}

/// All inscriptions, and all unspent outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inscriptions {
    outputs: Journal<OutPoint, Output>,
    by_script: Journal<(ScriptBuf, OutPoint), ()>,
    inscriptions: Journal<u32, Inscription>,
    by_id: Journal<InscriptionId, u32>,
    counts: Counts,
    earlier: Vec<Counts>,
}

/// An inscription on its way through a transaction or block.
struct Flotsam {
    offset: u64,
    origin: Origin,
}

enum Origin {
    Old(u32),
    New(Box<Inscription>, bool),
}

/// A block that is being read.
struct Reading {
    height: u32,
    time: u32,
    is_jubilant: bool,
    /// Subsidy and fees so far; fees follow the subsidy.
    reward: u64,
    to_coinbase: Vec<Flotsam>,
}

impl Inscriptions {
    /// Marks a state to return to.
    pub fn mark(&mut self) {
        self.outputs.mark();
        self.by_script.mark();
        self.inscriptions.mark();
        self.by_id.mark();
        self.earlier.push(self.counts);
    }

    /// Returns to the last mark.
    pub fn undo(&mut self) {
        self.outputs.undo();
        self.by_script.undo();
        self.inscriptions.undo();
        self.by_id.undo();
        self.counts = self.earlier.pop().unwrap_or_default();
    }

    /// An unspent output.
    pub fn output(&self, outpoint: &OutPoint) -> Option<&Output> {
        self.outputs.get(outpoint)
    }

    /// All unspent outputs.
    pub fn outputs(&self) -> impl Iterator<Item = (&OutPoint, &Output)> {
        self.outputs.iter()
    }

    /// The unspent outputs of a script.
    pub fn outputs_of<'a>(&'a self, script: &'a ScriptBuf) -> impl Iterator<Item = OutPoint> + 'a {
        let first = OutPoint { txid: Txid::all_zeros(), vout: 0 };
        let from = self.by_script.from((script.clone(), first));
        from.map(|((script, outpoint), ())| (script, outpoint))
            .take_while(move |(other, _)| *other == script)
            .map(|(_, outpoint)| *outpoint)
    }

    /// The inscriptions in an unspent output, the oldest first.
    pub fn inscriptions_in(&self, outpoint: &OutPoint) -> Vec<InscriptionId> {
        let mut inscribed: Vec<u32> = self
            .output(outpoint)
            .map(|output| output.inscribed.iter().map(|(number, _)| *number).collect())
            .unwrap_or_default();
        inscribed.sort_unstable();
        let ids = inscribed.iter().filter_map(|number| self.inscriptions.get(number));
        ids.map(|inscription| inscription.id).collect()
    }

    /// An inscription by its id.
    pub fn inscription(&self, id: &InscriptionId) -> Option<&Inscription> {
        self.inscriptions.get(self.by_id.get(id)?)
    }

    /// All inscriptions in the order of their blocks.
    pub fn inscriptions(&self) -> impl Iterator<Item = &Inscription> {
        self.inscriptions.iter().map(|(_, inscription)| inscription)
    }

    /// Reads a block: its coinbase after all others, since it receives their fees.
    pub fn read(&mut self, network: Network, height: u32, block: &Block) {
        let mut reading = Reading {
            height,
            time: block.header.time,
            is_jubilant: height >= jubilee(network),
            // ord counts with the main network's halvings on every network.
            reward: Height(height).subsidy(),
            to_coinbase: Vec::new(),
        };
        let others = block.txdata.iter().skip(1);
        for transaction in others.chain(block.txdata.first()) {
            self.read_transaction(&mut reading, transaction);
        }
    }

    fn read_transaction(&mut self, block: &mut Reading, transaction: &Transaction) {
        let (mut floating, sats_in) = self.lift(block, transaction);
        let is_coinbase = transaction.is_coinbase();
        if is_coinbase {
            floating.append(&mut block.to_coinbase);
        }
        floating.sort_by_key(|flotsam| flotsam.offset);
        let txid = transaction.compute_txid();
        let mut floating = floating.into_iter().peekable();
        let mut start = 0_u64;
        for (vout, output) in (0..).zip(&transaction.output) {
            let outpoint = OutPoint { txid, vout };
            let (value, script) = (output.value.to_sat(), output.script_pubkey.clone());
            self.by_script.insert((script.clone(), outpoint), ());
            let created = Output { value, script, height: block.height, inscribed: Vec::new() };
            self.outputs.insert(outpoint, created);
            let end = start.saturating_add(value);
            while let Some(flotsam) = floating.next_if(|flotsam| flotsam.offset < end) {
                let offset = flotsam.offset.saturating_sub(start);
                self.set_down(flotsam.origin, SatPoint { outpoint, offset });
            }
            start = end;
        }
        let rest = |base: u64, offset: u64| base.saturating_add(offset).saturating_sub(start);
        if is_coinbase {
            let lost = self.counts.lost_sats;
            for flotsam in floating {
                let offset = rest(lost, flotsam.offset);
                self.set_down(flotsam.origin, SatPoint { outpoint: OutPoint::null(), offset });
            }
            self.counts.lost_sats = lost.saturating_add(block.reward.saturating_sub(start));
        } else {
            let reward = block.reward;
            block.to_coinbase.extend(floating.map(|flotsam| Flotsam {
                offset: rest(reward, flotsam.offset),
                origin: flotsam.origin,
            }));
            block.reward = reward.saturating_add(sats_in.saturating_sub(start));
        }
    }

    /// Removes the spent outputs. Returns the inscriptions of the transaction, old and new, and its sats.
    fn lift(&mut self, block: &Reading, transaction: &Transaction) -> (Vec<Flotsam>, u64) {
        let (mut floating, mut sats) = (Vec::new(), 0_u64);
        // The first inscription at each offset, and how many are there.
        let mut at: BTreeMap<u64, (bool, u32)> = BTreeMap::new();
        let mut envelopes = envelopes(transaction).into_iter().peekable();
        let mut count = 0_u32;
        for (index, input) in transaction.input.iter().enumerate() {
            let Some(spent) = self.spend(&input.previous_output) else {
                // Only a coinbase spends nothing.
                sats = sats.saturating_add(Height(block.height).subsidy());
                continue;
            };
            let mut inscribed = spent.inscribed;
            inscribed.sort_unstable_by_key(|(number, _)| *number);
            for (number, offset) in inscribed {
                let offset = sats.saturating_add(offset);
                let is_odd = self.inscriptions.get(&number).is_some_and(|one| one.is_odd);
                count_at(&mut at, offset, is_odd);
                floating.push(Flotsam { offset, origin: Origin::Old(number) });
            }
            let start = sats;
            sats = sats.saturating_add(spent.value);
            while let Some(envelope) = envelopes.next_if(|envelope| envelope.input == index) {
                let id = InscriptionId { txid: transaction.compute_txid(), index: count };
                count = count.saturating_add(1);
                let is_again = at.get(&start).is_some_and(|(is_odd, count)| *count > 1 || !is_odd);
                let is_odd = envelope.is_cursed || is_again;
                let is_unbound = spent.value == 0 || envelope.is_unbound;
                let paid = transaction.output.iter().map(|output| output.value);
                let paid = paid.map(Amount::to_sat).fold(0, u64::saturating_add);
                let wanted = envelope.pointer.filter(|pointer| *pointer < paid);
                let offset = wanted.unwrap_or(start);
                count_at(&mut at, offset, is_odd);
                let new = new_inscription(block, id, envelope, is_odd);
                floating.push(Flotsam { offset, origin: Origin::New(Box::new(new), is_unbound) });
            }
        }
        let paid = transaction.output.iter().map(|output| output.value.to_sat());
        let fee = sats.saturating_sub(paid.fold(0, u64::saturating_add));
        for flotsam in &mut floating {
            if let Origin::New(inscription, _) = &mut flotsam.origin {
                inscription.fee = fee.checked_div(count.into()).unwrap_or_default();
            }
        }
        (floating, sats)
    }

    fn spend(&mut self, outpoint: &OutPoint) -> Option<Output> {
        let output = self.outputs.remove(outpoint)?;
        self.by_script.remove(&(output.script.clone(), *outpoint));
        Some(output)
    }

    fn set_down(&mut self, origin: Origin, satpoint: SatPoint) {
        let (number, satpoint) = match origin {
            Origin::Old(number) => (number, satpoint),
            Origin::New(mut inscription, is_unbound) => {
                let counts = &mut self.counts;
                let count =
                    if inscription.number < 0 { &mut counts.cursed } else { &mut counts.blessed };
                let of_kind = *count;
                *count = count.saturating_add(1);
                let is_cursed = inscription.number < 0;
                inscription.number =
                    if is_cursed { of_kind.saturating_add(1).saturating_neg() } else { of_kind };
                let number = counts.next;
                counts.next = number.saturating_add(1);
                self.by_id.insert(inscription.id, number);
                let satpoint = if is_unbound {
                    let outpoint = OutPoint { txid: Txid::all_zeros(), vout: 0 };
                    let offset = counts.unbound;
                    counts.unbound = offset.saturating_add(1);
                    SatPoint { outpoint, offset }
                } else {
                    satpoint
                };
                self.inscriptions.insert(number, *inscription);
                (number, satpoint)
            }
        };
        self.inscriptions.change(&number, |inscription| inscription.satpoint = satpoint);
        self.outputs.change(&satpoint.outpoint, |output| {
            output.inscribed.push((number, satpoint.offset));
        });
    }
}

fn count_at(at: &mut BTreeMap<u64, (bool, u32)>, offset: u64, is_odd: bool) {
    let (_, count) = at.entry(offset).or_insert((is_odd, 0));
    *count = count.saturating_add(1);
}

/// Its number is a sign until it is set down.
fn new_inscription(
    block: &Reading,
    id: InscriptionId,
    envelope: Envelope,
    is_odd: bool,
) -> Inscription {
    Inscription {
        id,
        number: if is_odd && !block.is_jubilant { -1 } else { 0 },
        height: block.height,
        timestamp: block.time,
        fee: 0,
        content_type: envelope.content_type,
        satpoint: SatPoint::default(),
        is_odd,
    }
}

/// The height from which on no inscription is cursed.
fn jubilee(network: Network) -> u32 {
    match network {
        Network::Bitcoin => 824_544,
        Network::Regtest => 110,
        Network::Signet => 175_392,
        Network::Testnet => 2_544_192,
        _ => 0,
    }
}
