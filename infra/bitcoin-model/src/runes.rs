//! The accounts of runes (<https://docs.ordinals.com/runes/specification.html>): etching, mints, transfer and
//! burning.

use std::collections::BTreeMap;

use bitcoin::{OutPoint, Transaction, Txid};
use ordinals::{Artifact, Edict, Height, Rune, RuneId, Runestone, SpacedRune, Terms};
use serde::Serialize;

use crate::{inscriptions::Inscriptions, journal::Journal, tree::Rules};

/// A rune, as ord describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Height of its etching.
    pub block: u64,
    /// Burned units.
    pub burned: u128,
    /// Decimals of displayed amounts.
    pub divisibility: u8,
    /// The transaction that etched it.
    pub etching: Txid,
    /// Number of mints.
    pub mints: u128,
    /// Number of runes before it.
    pub number: u64,
    /// Units that its etching created.
    pub premine: u128,
    /// Its name with spacers.
    pub spaced_rune: SpacedRune,
    /// Its currency sign.
    pub symbol: Option<char>,
    /// The terms of its mint.
    pub terms: Option<Terms>,
    /// Time of its block.
    pub timestamp: u64,
    /// Whether it opts in to later changes of the protocol.
    pub turbo: bool,
}

impl Entry {
    /// The units that a mint in a block creates; `None` if there is no open mint.
    pub fn mintable(&self, height: u64) -> Option<u128> {
        let terms = self.terms?;
        let after = |offset: Option<u64>| offset.map(|offset| self.block.saturating_add(offset));
        let start = after(terms.offset.0).max(terms.height.0);
        let ends = [after(terms.offset.1), terms.height.1];
        let is_open = start.is_none_or(|start| height >= start)
            && ends.into_iter().flatten().all(|end| height < end)
            && self.mints < terms.cap.unwrap_or_default();
        is_open.then(|| terms.amount.unwrap_or_default())
    }

    /// All units that exist or were burned.
    pub fn supply(&self) -> u128 {
        let amount = self.terms.and_then(|terms| terms.amount).unwrap_or_default();
        self.premine.saturating_add(self.mints.saturating_mul(amount))
    }
}

/// Amounts by rune.
pub type Balances = BTreeMap<RuneId, u128>;

/// A block that is being read.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its height.
    pub height: u32,
    /// Its time.
    pub time: u32,
}

/// Runes, and the outputs that hold them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runes {
    entries: Journal<RuneId, Entry>,
    ids: Journal<Rune, RuneId>,
    balances: Journal<OutPoint, Balances>,
    numbers: Journal<u64, RuneId>,
}

impl Runes {
    /// Marks a state to return to.
    pub fn mark(&mut self) {
        self.entries.mark();
        self.ids.mark();
        self.balances.mark();
        self.numbers.mark();
    }

    /// Returns to the last mark.
    pub fn undo(&mut self) {
        self.entries.undo();
        self.ids.undo();
        self.balances.undo();
        self.numbers.undo();
    }

    /// A rune by its id.
    pub fn entry(&self, id: &RuneId) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// The id of a name.
    pub fn id_of(&self, rune: &Rune) -> Option<RuneId> {
        self.ids.get(rune).copied()
    }

    /// The id of the rune with a number.
    pub fn id_at(&self, number: u64) -> Option<RuneId> {
        self.numbers.get(&number).copied()
    }

    /// All runes.
    pub fn entries(&self) -> impl Iterator<Item = (&RuneId, &Entry)> {
        self.entries.iter()
    }

    /// The runes in an unspent output.
    pub fn balances(&self, outpoint: &OutPoint) -> Option<&Balances> {
        self.balances.get(outpoint)
    }

    /// All outputs that hold runes.
    pub fn holders(&self) -> impl Iterator<Item = (&OutPoint, &Balances)> {
        self.balances.iter()
    }

    /// Reads a transaction. `outputs` are the unspent outputs before its block: a name is etched only if a tapscript
    /// commits to it that spends an output of six confirmations.
    pub fn read(
        &mut self,
        rules: &Rules,
        place: Place,
        index: u32,
        transaction: &Transaction,
        outputs: &Inscriptions,
    ) {
        let txid = transaction.compute_txid();
        let mut free = Balances::new();
        for input in &transaction.input {
            for (id, amount) in self.balances.remove(&input.previous_output).unwrap_or_default() {
                add(&mut free, id, amount);
            }
        }
        let artifact = Runestone::decipher(transaction);
        let mut sorted = Sorted::new(transaction);
        if let Some(artifact) = &artifact {
            if let Some(id) = artifact.mint()
                && let Some(amount) = self.mint(&id, place.height)
            {
                add(&mut free, id, amount);
            }
            let etched = self.etched(rules, place, index, transaction, artifact, outputs);
            if let Artifact::Runestone(stone) = artifact {
                if let (Some((id, _)), Some(etching)) = (etched, stone.etching) {
                    add(&mut free, id, etching.premine.unwrap_or_default());
                }
                for edict in &stone.edicts {
                    let etched = etched.map(|(id, _)| id);
                    let id = if edict.id == RuneId::default() { etched } else { Some(edict.id) };
                    if let Some((id, left)) = id.and_then(|id| Some((id, free.get_mut(&id)?))) {
                        sorted.place_edict(id, left, edict);
                    }
                }
            }
            if let Some((id, rune)) = etched {
                self.etch(place, txid, artifact, id, rune);
            }
        }
        let rest = match &artifact {
            Some(Artifact::Cenotaph(_)) => None,
            Some(Artifact::Runestone(stone)) => stone.pointer.or(sorted.first()),
            None => sorted.first(),
        };
        for (id, amount) in free {
            sorted.give(rest, id, amount);
        }
        for (id, amount) in sorted.burned {
            self.entries.change(&id, |entry| entry.burned = entry.burned.saturating_add(amount));
        }
        for (vout, balances) in sorted.held {
            self.balances.insert(OutPoint { txid, vout }, balances);
        }
    }

    fn mint(&mut self, id: &RuneId, height: u32) -> Option<u128> {
        let amount = self.entries.get(id)?.mintable(height.into())?;
        self.entries.change(id, |entry| entry.mints = entry.mints.saturating_add(1));
        Some(amount)
    }

    fn etched(
        &self,
        rules: &Rules,
        place: Place,
        index: u32,
        transaction: &Transaction,
        artifact: &Artifact,
        outputs: &Inscriptions,
    ) -> Option<(RuneId, Rune)> {
        let block = u64::from(place.height);
        let wanted = match artifact {
            Artifact::Runestone(stone) => stone.etching?.rune,
            Artifact::Cenotaph(cenotaph) => Some(cenotaph.etching?),
        };
        let rune = match wanted {
            None => Rune::reserved(block, index),
            Some(rune) => {
                let minimum = Rune::minimum_at_height(rules.network, Height(place.height));
                let is_free = rune >= minimum
                    && !rune.is_reserved()
                    && self.ids.get(&rune).is_none()
                    && commits(transaction, rune, place.height, outputs);
                is_free.then_some(rune)?
            }
        };
        Some((RuneId { block, tx: index }, rune))
    }

    fn etch(&mut self, place: Place, txid: Txid, artifact: &Artifact, id: RuneId, rune: Rune) {
        let etching = match artifact {
            Artifact::Runestone(stone) => stone.etching.unwrap_or_default(),
            Artifact::Cenotaph(_) => ordinals::Etching::default(),
        };
        let number = self.numbers.iter().next_back().map_or(0, |(last, _)| last.saturating_add(1));
        let spacers = etching.spacers.unwrap_or_default();
        let entry = Entry {
            block: id.block,
            burned: 0,
            divisibility: etching.divisibility.unwrap_or_default(),
            etching: txid,
            mints: 0,
            number,
            premine: etching.premine.unwrap_or_default(),
            spaced_rune: SpacedRune { rune, spacers },
            symbol: etching.symbol,
            terms: etching.terms,
            timestamp: place.time.into(),
            turbo: etching.turbo,
        };
        self.ids.insert(rune, id);
        self.numbers.insert(number, id);
        self.entries.insert(id, entry);
    }
}

fn add(balances: &mut Balances, id: RuneId, amount: u128) {
    let balance = balances.entry(id).or_default();
    *balance = balance.saturating_add(amount);
}

/// The runes of a transaction, by output.
struct Sorted {
    held: BTreeMap<u32, Balances>,
    burned: Balances,
    /// Whether each output burns what it receives.
    burns: Vec<bool>,
}

impl Sorted {
    fn new(transaction: &Transaction) -> Self {
        let burns = transaction.output.iter().map(|output| output.script_pubkey.is_op_return());
        Self { held: BTreeMap::new(), burned: Balances::new(), burns: burns.collect() }
    }

    /// Outputs that can hold runes.
    fn places(&self) -> Vec<u32> {
        let places = (0_u32..).zip(&self.burns);
        places.filter(|(_, burns)| !**burns).map(|(vout, _)| vout).collect()
    }

    fn first(&self) -> Option<u32> {
        self.places().first().copied()
    }

    /// Gives units to an output; they burn without one, or if it cannot hold them.
    fn give(&mut self, vout: Option<u32>, id: RuneId, amount: u128) {
        if amount == 0 {
            return;
        }
        let burns = |vout: &u32| {
            let place = usize::try_from(*vout).ok();
            place.and_then(|place| self.burns.get(place)).copied().unwrap_or(true)
        };
        match vout.filter(|vout| !burns(vout)) {
            Some(vout) => add(self.held.entry(vout).or_default(), id, amount),
            None => add(&mut self.burned, id, amount),
        }
    }

    fn place_edict(&mut self, id: RuneId, left: &mut u128, edict: &Edict) {
        let mut take = |wanted: u128| {
            let amount = wanted.min(*left);
            *left = left.saturating_sub(amount);
            amount
        };
        let everyone = u32::try_from(self.burns.len()).unwrap_or(u32::MAX);
        if edict.output != everyone {
            let amount = take(if edict.amount == 0 { u128::MAX } else { edict.amount });
            return self.give(Some(edict.output), id, amount);
        }
        let places = self.places();
        let count = u128::try_from(places.len()).unwrap_or(u128::MAX);
        if edict.amount == 0 {
            // Divided; the first outputs receive one more.
            let all = if count == 0 { 0 } else { take(u128::MAX) };
            let (share, more) = (all.checked_div(count), all.checked_rem(count));
            for (place, vout) in (0_u128..).zip(places) {
                let extra = u128::from(more.is_some_and(|more| place < more));
                let amount = share.unwrap_or_default().saturating_add(extra);
                self.give(Some(vout), id, amount);
            }
        } else {
            for vout in places {
                let amount = take(edict.amount);
                self.give(Some(vout), id, amount);
            }
        }
    }
}

/// Whether a tapscript of the transaction holds the name, and spends a Taproot output that is old enough.
fn commits(transaction: &Transaction, rune: Rune, height: u32, outputs: &Inscriptions) -> bool {
    let commitment = rune.commitment();
    transaction.input.iter().any(|input| {
        #[allow(deprecated)]
        let script = input.witness.tapscript();
        let holds = script.is_some_and(|script| {
            let valid = script.instructions().map_while(Result::ok);
            let mut pushes = valid.filter_map(|instruction| {
                instruction.push_bytes().map(|push| push.as_bytes().to_vec())
            });
            pushes.any(|push| push == commitment)
        });
        let is_old = |output: &crate::inscriptions::Output| {
            let depth = height.saturating_sub(output.height).saturating_add(1);
            output.script.is_p2tr() && depth >= u32::from(Runestone::COMMIT_CONFIRMATIONS)
        };
        holds && outputs.output(&input.previous_output).is_some_and(is_old)
    })
}
