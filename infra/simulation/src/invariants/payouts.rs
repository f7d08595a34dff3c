//! S20, S21 and S22: how many transactions pay a mint out, what they cost, and that no coinbase is spent
//! before it is mature (custody rules 28 and 30).

use std::collections::BTreeMap;

use chain::{
    mints::{Payout, VmTransaction},
    models::{
        mint::MintId,
        transaction::{TransactionState, Work},
        vm_transaction::{Leg, PayoutKey},
    },
    transactions::FullTransaction as Whole,
};

use super::{
    issued::{FEE_CAP, FullTransaction},
    view::{View, entity},
};
use crate::aws::dynamodb::{figure, text};

/// Recipients that fit into every runestone of a distribution.
const ROOM_OF_RUNESTONE: usize = 12;
/// Payments that fit into a transfer. The last one may leave some room unused.
const ROOM_OF_TRANSFER: usize = 84;
/// Room in a transfer that a partly refunded payment takes.
const PARTIAL: usize = 4;
/// Recipients of distributions, and payments of transfers, whose fees together may reach [`FEE_CAP`].
const SERVED_FOR_CAP: [u64; 2] = [12, 24];
/// Payouts for which the fee of a division may reach [`FEE_CAP`].
const PROVIDED_FOR_CAP: usize = 12;
/// Depth from which a coinbase may be spent: 100 blocks, minus those that a server on a fork may count in
/// addition.
const MATURE: u32 = 94;

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    let payouts = view.rows.values().filter(|row| text(row, "entity") == Some("payout"));
    let payouts: Vec<Payout> = payouts.filter_map(entity).collect();
    are_whole(view, &mut broken);
    are_few(view, &payouts, &mut broken);
    let issued = FullTransaction::of(view);
    cost_little(view, &issued, &payouts, &mut broken);
    spend_nothing_immature(view, &issued, &mut broken);
    broken
}

/// S20: no payout is divided. In the simulation, the pool always has runes to spare for change, and no payout
/// exceeds the size limit.
fn are_whole(view: &View, broken: &mut Vec<String>) {
    let is_payout = |change: &&crate::aws::dynamodb::Change| {
        change.before.as_ref().is_some_and(|row| text(row, "entity") == Some("payout"))
    };
    for change in view.changes.iter().filter(is_payout) {
        let size = |row: Option<&_>| row.and_then(|row| figure(row, "size"));
        let (before, after) = (size(change.before.as_ref()), size(change.after.as_ref()));
        if before != after {
            let (pk, sk) = (&change.key.0, &change.key.1);
            broken.push(format!("S20: {pk}/{sk} was cut from {before:?} to {after:?}"));
        }
    }
}

/// S20: a mint has no more payouts than its recipients need.
fn are_few(view: &View, payouts: &[Payout], broken: &mut Vec<String>) {
    let mut rooms: BTreeMap<MintId, usize> = BTreeMap::new();
    let rows = view.rows.iter().filter(|(key, _)| key.1.starts_with("vm#"));
    for vm in rows.filter_map(|(_, row)| entity::<VmTransaction>(row)) {
        let Some(settled) = vm.settlement.filter(|it| it.distributable_requests > 0) else {
            continue;
        };
        let room = if settled.refundable_requests > 0 { PARTIAL } else { 1 };
        *rooms.entry(vm.mint_id).or_default() += room;
    }
    let mut mints: BTreeMap<MintId, [Vec<&Payout>; 2]> = BTreeMap::new();
    for payout in payouts {
        let legs = mints.entry(payout.mint_id).or_default();
        legs[usize::from(payout.leg == Leg::Transfer)].push(payout);
    }
    for (mint, [distributions, transfers]) in mints {
        let recipients: usize = distributions.iter().map(|payout| payout.size).sum();
        let room = rooms.get(&mint).copied().unwrap_or_default();
        let least =
            [recipients.div_ceil(ROOM_OF_RUNESTONE), room.div_ceil(ROOM_OF_TRANSFER + 1 - PARTIAL)];
        if distributions.len() > least[0] || transfers.len() > least[1] {
            let counts = (distributions.len(), transfers.len());
            broken.push(format!("S20: {mint} has {counts:?} payouts, and needs {least:?}"));
        }
    }
}

/// The most that the transactions of a payout may cost.
fn cap(leg: Leg, size: usize) -> u64 {
    let [recipients, payments] = SERVED_FOR_CAP;
    let served = u64::try_from(size).unwrap_or(u64::MAX);
    FEE_CAP * served / if leg == Leg::Transfer { payments } else { recipients }
}

/// S21: no version of a payout costs more for each recipient or payment than the rules promise, no division
/// costs more than its payouts, and both limits hold for all payouts of a mint together.
fn cost_little(
    view: &View,
    issued: &FullTransaction,
    payouts: &[Payout],
    broken: &mut Vec<String>,
) {
    let by_key: BTreeMap<PayoutKey, &Payout> =
        payouts.iter().map(|payout| (payout.key(), payout)).collect();
    let mut by_mint: BTreeMap<MintId, (u64, usize)> = BTreeMap::new();
    for payout in payouts {
        let (together, count) = by_mint.entry(payout.mint_id).or_default();
        (*together, *count) = (*together + cap(payout.leg, payout.size), *count + 1);
    }
    let mut paid: BTreeMap<MintId, u64> = BTreeMap::new();
    for (txid, Whole { row, .. }) in &issued.0 {
        let (mint, most) = match &row.work {
            Work::VmDistribution(key) | Work::VmTransfer(key) => {
                let most = by_key.get(key).map_or(0, |payout| cap(payout.leg, payout.size));
                (key.mint_id, most)
            }
            Work::PoolSplit(work) => {
                let (together, count) = by_mint.get(&work.mint_id).copied().unwrap_or_default();
                let dozens = u64::try_from(count.div_ceil(PROVIDED_FOR_CAP)).unwrap_or(u64::MAX);
                (work.mint_id, together.min(FEE_CAP * dozens))
            }
            _ => continue,
        };
        if row.fee > most {
            broken.push(format!("S21: {txid} costs {} sats, and may cost {most}", row.fee));
        }
        if view.chain.chain().block_of(txid).is_some() {
            *paid.entry(mint).or_default() += row.fee;
        }
    }
    for (mint, paid) in paid {
        // The division may cost as much as all payouts together.
        let most = 2 * by_mint.get(&mint).map_or(0, |(together, _)| *together);
        if paid > most {
            broken.push(format!("S21: the payouts of {mint} cost {paid} sats, of {most}"));
        }
    }
}

/// S22: no transaction is signed that spends a coinbase before a block may contain it.
fn spend_nothing_immature(view: &View, issued: &FullTransaction, broken: &mut Vec<String>) {
    for (txid, Whole { row, body }) in &issued.0 {
        if matches!(row.state, TransactionState::Unsigned | TransactionState::Expired) {
            continue;
        }
        for coin in body.inputs.iter().filter(|coin| view.history.is_coinbase(coin.0.txid)) {
            let depth = view.history.depth(&view.chain, coin.0.txid, row.created_at.0);
            if depth < MATURE {
                broken.push(format!("S22: {txid} spends {coin}, a coinbase {depth} blocks deep"));
            }
        }
    }
}
