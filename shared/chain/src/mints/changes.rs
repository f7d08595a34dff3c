//! Changes of VM transactions, committed together with their counters in one write batch.

use std::collections::{BTreeMap, BTreeSet};

use base::clock::Timestamp;
use shared::{
    events::EventWrites,
    keys::EventList,
    models::{
        event::{EventType, StateChange},
        watch::Watch,
    },
};
use store::{Key, Update, Writes};

use ordinals::RuneId;

use super::{Mint, Refundable, VmSum, VmTransaction};
use crate::{
    keys,
    models::{mint::MintId, vm_transaction::RefundState},
};

/// Changes of VM transactions that are committed together.
///
/// A change that affects what blocks contain schedules the mint for another check.
///
/// Counters change only by the difference between a row before and after, so they cannot diverge from the
/// rows.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    rows: Vec<(Option<VmTransaction>, VmTransaction)>,
    /// Whether the worker makes them during a check of the mint, or before a check that follows anyway.
    of_worker: bool,
}

/// A change that the state diagrams do not allow: a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such change of a VM transaction")]
pub struct NoSuchChange;

/// Pairs of a row as read and its new version.
impl FromIterator<(VmTransaction, VmTransaction)> for Changes {
    fn from_iter<T: IntoIterator<Item = (VmTransaction, VmTransaction)>>(changed: T) -> Self {
        let rows = changed.into_iter().map(|(before, after)| (Some(before), after)).collect();
        Self { rows, of_worker: false }
    }
}

impl Changes {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same changes, made by the worker while it applies a whole block or checks the mint. The worker
    /// schedules the mint once, so the changes do not: thousands that did would contend for the mint's row.
    #[must_use]
    pub fn of_worker(self) -> Self {
        Self { of_worker: true, ..self }
    }

    /// Adds a new row.
    #[must_use]
    pub fn insert(mut self, row: VmTransaction) -> Self {
        self.rows.push((None, row));
        self
    }

    /// Adds the change of a row that was read, and increments the row's version.
    #[must_use]
    pub fn replace(mut self, before: VmTransaction, after: VmTransaction) -> Self {
        self.rows.push((Some(before), after));
        self
    }

    /// The changes, if the state diagrams allow each change of state and refund state.
    pub fn allowed(self) -> Result<Self, NoSuchChange> {
        if self.are_allowed() { Ok(self) } else { Err(NoSuchChange) }
    }

    fn are_allowed(&self) -> bool {
        self.rows.iter().all(|(before, after)| {
            before.as_ref().is_none_or(|before| {
                (before.state == after.state || before.state.may_become(after.state))
                    && (before.refund_state == after.refund_state
                        || before.refund_state.may_become(after.refund_state))
            })
        })
    }

    /// The writes of these changes. `otherwise` is the error if a row changed since it was read.
    pub fn writes<E: Clone>(&self, now: Timestamp, otherwise: E) -> Writes<E> {
        let mut rows = Writes::new();
        for (before, after) in &self.rows {
            let mut row = after.clone();
            row.state_key = row.key_of_state();
            row.state_at = row.place_in_state();
            row.state_price = row.place_by_price();
            rows = match before {
                Some(before) => {
                    row.version = before.version.saturating_add(1);
                    let as_read = Update::new().if_equal(VmTransaction::VERSION, before.version);
                    if key_of(before) == key_of(&row) {
                        rows.replace(&key_of(&row), &row, as_read, otherwise.clone())
                    } else {
                        rows.delete(&key_of(before), as_read, otherwise.clone()).put(
                            &key_of(&row),
                            &row,
                            otherwise.clone(),
                        )
                    }
                }
                // The same transaction may have been issued earlier and have expired.
                None => rows.put(&key_of(&row), &row, otherwise.clone()),
            };
            rows = refundable(rows, before.as_ref(), after, otherwise.clone());
            rows = told(rows, before.as_ref(), after);
        }
        for (key, difference) in self.counts() {
            rows = rows.count(&key, difference, otherwise.clone());
        }
        for ((rune, mint, sum), difference) in self.sums() {
            if let Some(field) = sum.field() {
                rows = rows.tally(&keys::vm_sums(rune, mint), field, difference);
            }
        }
        for mint in self.of_mints() {
            rows = rows.update(&keys::mint(mint), look_again(now), otherwise.clone());
        }
        rows
    }

    /// By how much each count changes.
    fn counts(&self) -> BTreeMap<Key, i64> {
        let mut counts: BTreeMap<Key, i64> = BTreeMap::new();
        let mut move_by = |key: Key, difference: i64| {
            let count = counts.entry(key).or_default();
            *count = count.saturating_add(difference);
        };
        for (row, sign) in self.signed() {
            let waiting = signed(row.requests_in_mempool(), sign);
            move_by(keys::vm_waiting(&row.user_address, row.rune_id), waiting);
            move_by(keys::vm_open(&row.user_address), if row.is_open() { sign } else { 0 });
        }
        counts.retain(|_, difference| *difference != 0);
        counts
    }

    /// By how much each sum of each mint changes.
    fn sums(&self) -> BTreeMap<(RuneId, MintId, VmSum), i64> {
        let mut sums: BTreeMap<_, i64> = BTreeMap::new();
        for (row, sign) in self.signed() {
            for (sum, difference) in [
                (VmSum::InState(row.state), sign),
                (VmSum::InBlocks, signed(in_blocks(row), sign)),
                (VmSum::InMempool, signed(row.requests_in_mempool(), sign)),
                (VmSum::Bids, signed(row.bids(), sign)),
            ] {
                let sum = sums.entry((row.rune_id, row.mint_id, sum)).or_default();
                *sum = sum.saturating_add(difference);
            }
        }
        sums.retain(|_, difference| *difference != 0);
        sums
    }

    /// The mints that the worker has to check again.
    fn of_mints(&self) -> BTreeSet<MintId> {
        let concerns =
            |(before, after): &&(Option<_>, _)| concerns_the_mint(before.as_ref(), after);
        let concerned = self.rows.iter().filter(|_| !self.of_worker).filter(concerns);
        concerned.map(|(_, after)| after.mint_id).collect()
    }

    /// Rows before the changes (-1) and after them (1).
    fn signed(&self) -> impl Iterator<Item = (&VmTransaction, i64)> {
        self.rows.iter().flat_map(|(before, after)| {
            before.iter().map(|before| (before, -1)).chain([(after, 1)])
        })
    }
}

/// The update that makes the worker check a mint again.
pub fn look_again(now: Timestamp) -> Update<Mint> {
    Update::new()
        .add(Mint::REVISION, 1)
        // A stuck mint stays in the queue of stuck rows.
        .set_if_absent(Mint::WATCH, Watch::Mint)
        // Mints are checked in turn: a later time would only move the mint in the index.
        .set_if_absent(Mint::DUE_AT, now)
}

/// The key of a row: unsigned and expired rows are not among the mint's own rows.
fn key_of(row: &VmTransaction) -> Key {
    if row.state.is_private() { keys::vm_draft(row.key()) } else { keys::vm_transaction(row.key()) }
}

/// Whether the mint depends on a change. Virtual blocks and the mint's end follow only from confirmed
/// transactions, and a refund of a confirmed transaction changes neither.
fn concerns_the_mint(before: Option<&VmTransaction>, after: &VmTransaction) -> bool {
    let of_a_refund = before.is_some_and(|before| {
        let (refund_state, refund_txid) = (after.refund_state, after.refund_txid);
        VmTransaction { refund_state, refund_txid, ..before.clone() } == *after
    });
    let was_confirmed = before.is_some_and(|before| before.confirmation.is_some());
    (was_confirmed || after.confirmation.is_some()) && !of_a_refund
}

fn in_blocks(row: &VmTransaction) -> u64 {
    if row.state.takes_part() { row.requests_in_blocks() } else { 0 }
}

fn signed(figure: u64, sign: i64) -> i64 {
    i64::try_from(figure).unwrap_or(i64::MAX).saturating_mul(sign)
}

/// Reports a new state to the transaction's owner. A new draft is not reported: its owner has just received
/// it.
fn told<E>(rows: Writes<E>, before: Option<&VmTransaction>, after: &VmTransaction) -> Writes<E> {
    let before = before.map(|before| before.state).filter(|state| *state != after.state);
    if before.is_none() {
        return rows;
    }
    let change = StateChange::of_state(EventType::VmTransaction, after.txid, before, after.state);
    rows.tell(EventList::of_account(after.account_id), change)
}

/// The row that marks a transaction as refundable, from its settlement until its refund is final.
fn refundable<E>(
    rows: Writes<E>,
    before: Option<&VmTransaction>,
    after: &VmTransaction,
    otherwise: E,
) -> Writes<E> {
    let owed = |row: &VmTransaction| {
        row.refund_source.is_some()
            && row.refundable_sats() > 0
            && row.refund_state != RefundState::Refunded
    };
    let key = keys::vm_refundable(&after.user_address, after.rune_id, after.txid);
    match (before.is_some_and(owed), owed(after)) {
        (false, true) => {
            let (mint_id, txid, sats) = (after.mint_id, after.txid, after.refundable_sats());
            rows.put(&key, &Refundable { mint_id, txid, sats }, otherwise)
        }
        (true, false) => {
            let there = Update::new().if_equal(Refundable::TXID, after.txid);
            rows.delete(&key, there, otherwise)
        }
        _ => rows,
    }
}

#[cfg(test)]
mod tests;
