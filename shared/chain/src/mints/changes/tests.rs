#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use base::clock::Timestamp;
use bitcoin::{Txid, hashes::Hash};
use ordinals::RuneId;
use proptest::{collection::vec, prelude::*, sample::Index};
use shared::models::bitcoin::OutPoint;

use super::*;
use crate::{
    keys,
    mints::{Confirmation, Settlement, TakenBlocks, Tier},
    models::vm_transaction::VmState,
};

/// The mints of these tests, each with its rune.
const MINTS: [(&str, RuneId); 3] = [
    ("018bcfe5-6800-7000-8000-000000000001", RuneId { block: 840_000, tx: 3 }),
    ("018bcfe5-6800-7000-8000-000000000002", RuneId { block: 840_000, tx: 3 }),
    ("018bcfe5-6800-7000-8000-000000000003", RuneId { block: 840_000, tx: 4 }),
];
const ADDRESSES: [&str; 2] = ["bcrt1qone", "bcrt1qother"];

fn row(number: u8, mint: usize, address: usize, counts: &[u64]) -> VmTransaction {
    let txid = Txid::from_byte_array([number; 32]);
    let (mint, rune_id) = MINTS[mint];
    let tier = |count: &u64| Tier { count: *count, sats_per_request: 600 + count, in_blocks: 0 };
    VmTransaction {
        txid,
        version: 1,
        created_at: Timestamp(0),
        account_id: "018bcfe5-6800-7000-8000-000000000009".parse().unwrap(),
        mint_id: mint.parse().unwrap(),
        rune_id,
        user_address: ADDRESSES[address].to_owned(),
        trading_address: "bcrt1qtrading".to_owned(),
        anchor: OutPoint(bitcoin::OutPoint { txid, vout: 7 }),
        replaces: None,
        replaced_by: None,
        state: VmState::Unsigned,
        tiers: counts.iter().map(tier).collect(),
        output: OutPoint(bitcoin::OutPoint { txid, vout: 0 }),
        blocks: TakenBlocks::default(),
        confirmation: None,
        is_final: false,
        settlement: None,
        refund_state: RefundState::None,
        refund_txid: None,
        refund_source: None,
        transfer: None,
        distribution: None,
        state_key: String::new(),
        state_at: String::new(),
        state_price: None,
        expires_at: None,
    }
}

/// A change of one row, if it is allowed.
#[derive(Clone, Debug)]
struct Step {
    which: Index,
    state: Index,
    refund_state: Index,
    parts: Vec<Index>,
    confirmed: bool,
    settled: bool,
}

prop_compose! {
    fn step()(
        which in any::<Index>(),
        state in any::<Index>(),
        refund_state in any::<Index>(),
        parts in vec(any::<Index>(), 3),
        confirmed in any::<bool>(),
        settled in any::<bool>(),
    ) -> Step {
        Step { which, state, refund_state, parts, confirmed, settled }
    }
}

/// Changes that are committed together: new rows, and changes of existing ones.
#[derive(Clone, Debug)]
struct Together {
    new: Vec<(usize, usize, Vec<u64>)>,
    steps: Vec<Step>,
}

fn walk() -> impl Strategy<Value = Vec<Together>> {
    let new = vec((0..MINTS.len(), 0..ADDRESSES.len(), vec(1u64..40, 1..4)), 0..2);
    let together = (new, vec(step(), 0..4)).prop_map(|(new, steps)| Together { new, steps });
    vec(together, 1..40)
}

/// A row after a step: its states change as allowed, and only states that allow it have requests in blocks.
fn stepped(before: &VmTransaction, step: &Step) -> VmTransaction {
    let mut after = before.clone();
    // A row in a final state stays there.
    let next: Vec<_> =
        VmState::ALL.into_iter().filter(|next| before.state.may_become(*next)).collect();
    let stays = next.is_empty() || step.state.index(4) == 0;
    after.state = if stays { before.state } else { next[step.state.index(next.len())] };
    let refunds =
        [RefundState::None, RefundState::Open, RefundState::Broadcast, RefundState::Refunded];
    let refund_state = refunds[step.refund_state.index(4)];
    if before.refund_state.may_become(refund_state) && before.settlement.is_some() {
        after.refund_state = refund_state;
    }
    let has_blocks = matches!(
        after.state,
        VmState::PartiallyInBlock
            | VmState::AllInBlock
            | VmState::Distributing
            | VmState::Distributed
    );
    if before.settlement.is_none() {
        for (tier, part) in after.tiers.iter_mut().zip(&step.parts) {
            let part = part.index(usize::try_from(tier.count).unwrap() + 1) as u64;
            tier.in_blocks = match after.state {
                VmState::AllInBlock => tier.count,
                _ if has_blocks => part,
                _ => 0,
            };
        }
    }
    let place = Confirmation { height: 1, position: 1 };
    after.confirmation = (after.state.takes_part() && step.confirmed).then_some(place);
    if step.settled && after.state.takes_part() && before.settlement.is_none() {
        let distributable_requests = after.requests_in_blocks();
        after.settlement = Some(Settlement {
            distributable_requests,
            refundable_requests: after.requests() - distributable_requests,
            refundable_sats: after.sats() - after.sats_in_blocks(),
        });
    }
    after
}

/// The counters as counted from the rows, without zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counters {
    counts: BTreeMap<Key, i64>,
    sums: BTreeMap<(RuneId, MintId, VmSum), i64>,
}

impl Counters {
    fn add(&mut self, changes: &Changes) {
        for (key, difference) in changes.counts() {
            *self.counts.entry(key).or_default() += difference;
        }
        for (sum, difference) in
            changes.sums().into_iter().filter(|((.., sum), _)| sum.field().is_some())
        {
            *self.sums.entry(sum).or_default() += difference;
        }
        self.retain();
    }

    fn retain(&mut self) {
        self.counts.retain(|_, count| *count != 0);
        self.sums.retain(|_, sum| *sum != 0);
    }

    /// Counts by the meaning of the states, independent of the code under test.
    fn from_rows(rows: &[VmTransaction]) -> Self {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, Expired, Failed,
            NotTaken, PartiallyInBlock, Replaced, Unsigned,
        };
        let mut counters = Self::default();
        for row in rows {
            let all: u64 = row.tiers.iter().map(|tier| tier.count).sum();
            let taken: u64 = row.tiers.iter().map(|tier| tier.in_blocks).sum();
            let (waiting, taken) = match row.state {
                AllInMempool | PartiallyInBlock | AllInBlock | Distributing | Distributed => {
                    ((all - taken) as i64, taken as i64)
                }
                NotTaken => (0, taken as i64),
                Unsigned | Broadcasting | Expired | Replaced | Failed => (0, 0),
            };
            // A settled row no longer waits.
            let waiting = if row.settlement.is_none() { waiting } else { 0 };
            let mut sum = |sum, figure| {
                *counters.sums.entry((row.rune_id, row.mint_id, sum)).or_default() += figure;
            };
            sum(VmSum::InMempool, waiting);
            sum(VmSum::InBlocks, taken);
            if !matches!(row.state, Unsigned | Expired | Replaced | Failed) {
                sum(VmSum::Bids, row.tiers.len() as i64);
            }
            if !matches!(row.state, Unsigned | Expired) {
                sum(VmSum::InState(row.state), 1);
            }
            let mut count = |key, figure| *counters.counts.entry(key).or_default() += figure;
            count(keys::vm_waiting(&row.user_address, row.rune_id), waiting);
            let refundable = row.settlement.map_or(0, |settlement| settlement.refundable_sats);
            let distributable =
                row.settlement.map_or(0, |settlement| settlement.distributable_requests);
            let owed = refundable > 0 && row.refund_state != RefundState::Refunded;
            let is_open = match row.state {
                Expired | Replaced | Failed => false,
                Distributed => owed,
                _ => row.settlement.is_none() || distributable > 0 || owed,
            };
            count(keys::vm_open(&row.user_address), i64::from(is_open));
        }
        counters.retain();
        counters
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn after_any_changes_the_counters_equal_the_sums_over_the_rows(walk in walk()) {
        let (mut rows, mut counters): (Vec<VmTransaction>, _) = (Vec::new(), Counters::default());
        for Together { new, steps } in walk {
            let mut changes = Changes::new();
            let there = rows.len();
            for (mint, address, counts) in new {
                let number = u8::try_from(rows.len()).unwrap();
                let row = row(number, mint, address, &counts);
                changes = changes.insert(row.clone());
                rows.push(row);
            }
            let mut changed = Vec::new();
            for step in steps.iter().filter(|_| there > 0) {
                let which = step.which.index(there);
                if changed.contains(&which) {
                    continue;
                }
                changed.push(which);
                let after = stepped(&rows[which], step);
                changes = changes.replace(rows[which].clone(), after.clone());
                rows[which] = after;
            }
            prop_assert!(changes.are_allowed());
            counters.add(&changes);
            prop_assert_eq!(&counters, &Counters::from_rows(&rows));
        }
    }
}

#[test]
fn a_change_outside_the_state_diagrams_is_not_allowed() {
    let row = row(1, 0, 0, &[3]);
    let in_state = |state| VmTransaction { state, ..row.clone() };
    for from in VmState::ALL {
        for to in VmState::ALL {
            let changes = Changes::new().replace(in_state(from), in_state(to));
            assert_eq!(changes.are_allowed(), from == to || from.may_become(to), "{from} {to}");
            // One forbidden change among several is enough.
            let others = Changes::new().insert(row.clone()).replace(row.clone(), row.clone());
            let changes = others.replace(in_state(from), in_state(to));
            assert_eq!(changes.are_allowed(), from == to || from.may_become(to), "{from} {to}");
        }
    }
    let refund = |refund_state| VmTransaction { refund_state, ..row.clone() };
    for (from, to) in [
        (RefundState::Refunded, RefundState::None),
        (RefundState::Broadcast, RefundState::Open),
        (RefundState::None, RefundState::Refunded),
    ] {
        assert!(!Changes::new().replace(refund(from), refund(to)).are_allowed());
    }
}

#[test]
fn custody_05_only_what_blocks_contain_changes_the_mint() {
    let unsigned = row(1, 0, 0, &[3]);
    let expired = VmTransaction { state: VmState::Expired, ..unsigned.clone() };
    assert!(Changes::new().insert(unsigned.clone()).of_mints().is_empty());
    assert!(Changes::new().replace(unsigned.clone(), expired).of_mints().is_empty());
    let signed = VmTransaction { state: VmState::Broadcasting, ..unsigned.clone() };
    assert!(Changes::new().replace(unsigned, signed.clone()).of_mints().is_empty());
    let waiting = VmTransaction { state: VmState::AllInMempool, ..signed.clone() };
    assert!(Changes::new().replace(signed, waiting.clone()).of_mints().is_empty());
    let confirmation = Some(Confirmation { height: 1, position: 1 });
    let signed = VmTransaction { confirmation, ..waiting.clone() };
    assert_eq!(Changes::new().replace(waiting.clone(), signed.clone()).of_mints().len(), 1);
    assert_eq!(Changes::new().replace(signed.clone(), waiting.clone()).of_mints().len(), 1);
    // The worker schedules the mints of a block itself.
    let changes = Changes::new().replace(waiting.clone(), signed.clone()).of_worker();
    assert!(changes.of_mints().is_empty());
    // Nor does a change of a refund.
    let refund_txid = Some(signed.txid);
    let open = VmTransaction { refund_state: RefundState::Open, refund_txid, ..signed.clone() };
    assert!(Changes::new().replace(signed.clone(), open).of_mints().is_empty());
    // One relevant change among several is enough.
    let row = row(2, 0, 0, &[3]);
    assert_eq!(Changes::new().insert(row).replace(signed, waiting).of_mints().len(), 1);
}
