//! S2, S4, L1 to L4: where the money is at the end, by independent accounting (custody rules 4 to 6, 10 and
//! 25).

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{OutPoint, ScriptBuf};
use chain::{
    mints::{Mint, VmTransaction},
    models::{mint::MintState, transaction::TransactionState},
};

use super::{
    issued::script_of,
    view::{View, entity},
};
use crate::aws::dynamodb::{figure, text};

/// The most sats of a trader that may stay in the treasury, because a refund would cost more.
const CRUMBS: u64 = 3_000;
/// How long after its closing time a mint has finished, in ms without faults.
const OVER_AFTER: i64 = 80 * 60 * 1_000;

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    runes_stay_with_their_owners(view, &mut broken);
    if view.has_healed {
        mints_are_paid_out(view, &mut broken);
        nothing_waits(view, &mut broken);
    }
    broken
}

/// S2: no rune is burnt, and none belongs to a stranger.
fn runes_stay_with_their_owners(view: &View, broken: &mut Vec<String>) {
    let (runes, rune) = (&view.chain.truth().runes, view.chain.rune());
    let burned = runes.entry(&rune).map_or(0, |entry| entry.burned);
    if burned > 0 {
        broken.push(format!("S2: {burned} runes are burnt"));
    }
    let mut owners: BTreeSet<ScriptBuf> =
        view.books.trading.iter().map(bitcoin::Address::script_pubkey).collect();
    owners.extend([view.pool.clone(), view.chain.sprinkler().clone()]);
    let holders = runes.holders().filter(|(_, held)| held.keys().any(|id| *id == rune));
    for (outpoint, _) in holders {
        let owner = view.chain.chain().output(outpoint).map(|output| &output.script_pubkey);
        if owner.is_none_or(|owner| !owners.contains(owner)) {
            broken
                .push(format!("S2: {outpoint} holds runes, and belongs to a stranger: {owner:?}"));
        }
    }
}

/// A bid in the chain: price, place, and the requests left of it.
struct Waiting {
    place: (u32, u32),
    price: u64,
    left: u64,
    row: usize,
}

/// How many requests the blocks take from each row, and their value, by the rules: highest price first, then
/// the earlier place. It computes block by block, which is slow but simple.
fn fill(mint: &Mint, rows: &[(VmTransaction, (u32, u32))], last: u32) -> (u64, Vec<(u64, u64)>) {
    let mut waiting: Vec<Waiting> = Vec::new();
    for (row, (vm, place)) in rows.iter().enumerate() {
        let tiers = vm.tiers.iter().map(|tier| Waiting {
            place: *place,
            price: tier.sats_per_request,
            left: tier.count,
            row,
        });
        waiting.extend(tiers);
    }
    // A stable sort: the tiers of one batch keep their order.
    waiting.sort_by_key(|bid| (std::cmp::Reverse(bid.price), bid.place));
    let first = waiting.iter().map(|bid| bid.place.0).min().unwrap_or(last);
    let (mut taken, mut by_row) = (0, vec![(0, 0); rows.len()]);
    for height in first..=last {
        let mut room = mint.requests_per_block.min(mint.total_requests - taken);
        for bid in waiting.iter_mut().filter(|bid| bid.place.0 <= height) {
            let some = bid.left.min(room);
            (bid.left, room, taken) = (bid.left - some, room - some, taken + some);
            by_row[bid.row].0 += some;
            by_row[bid.row].1 += some * bid.price;
        }
    }
    (taken, by_row)
}

/// S4, L2 and L3: each mint has finished, and every sat and rune is where it belongs.
fn mints_are_paid_out(view: &View, broken: &mut Vec<String>) {
    let chain = view.chain.chain();
    let mut runes_owed: BTreeMap<ScriptBuf, u128> = BTreeMap::new();
    let mut proceeds_owed: BTreeMap<String, u64> = BTreeMap::new();
    let mut crumbs: BTreeMap<String, u64> = BTreeMap::new();
    for (_, row) in view.rows_of("mint#").filter(|(key, _)| key.1 == "mint") {
        let Some(mint) = entity::<Mint>(row) else { continue };
        if mint.state == MintState::Open || mint.state == MintState::MintedOut {
            if view.now - mint.closes_at.0 > OVER_AFTER {
                broken.push(format!("L2: {} is {:?} long after its end", mint.id, mint.state));
            }
            continue;
        }
        let of_mint = format!("vm#transaction#{}#", mint.id);
        let rows = view.rows_of(&of_mint);
        let rows = rows.filter_map(|(_, row)| entity::<VmTransaction>(row));
        let in_chain = rows.filter_map(|vm| {
            let (height, link) = chain.block_of(&vm.txid)?;
            let place = link.txids.iter().position(|txid| *txid == vm.txid)?;
            Some((vm, (height, u32::try_from(place).ok()?)))
        });
        let rows: Vec<_> = in_chain.collect();
        for (vm, _) in &rows {
            let paid = chain.output(&vm.output.0).map_or(0, |output| output.value.to_sat());
            if paid != vm.sats() {
                broken.push(format!("S4: {} paid {paid}, its row says {}", vm.txid, vm.sats()));
            }
            if let Some(bid) = view.books.bids.get(&vm.txid) {
                let told = (bid.requests, bid.price);
                let newest = vm.tiers.last().map(|tier| (tier.count, tier.sats_per_request));
                if newest != Some(told) || bid.trading.to_string() != vm.trading_address {
                    broken.push(format!("S4: {} is not what its owner was told", vm.txid));
                }
            }
        }
        let last = mint.minted_out_at.or(mint.last_block).unwrap_or(chain.height());
        let (taken, filled) = fill(&mint, &rows, last);
        let is_out = taken == mint.total_requests;
        if is_out != (mint.state == MintState::Distributed) {
            let (id, total, state) = (mint.id, mint.total_requests, mint.state);
            broken.push(format!("S4: {id} took {taken} of {total} requests, and is {state:?}"));
            continue;
        }
        for ((vm, _), (requests, sats)) in rows.iter().zip(filled) {
            let (requests, sats) = if is_out { (requests, sats) } else { (0, 0) };
            let runes = u128::from(requests) * mint.tokens_per_request.0;
            *runes_owed.entry(script_of(&vm.trading_address)).or_default() += runes;
            *proceeds_owed.entry(mint.proceeds_address.clone()).or_default() += sats;
            let left = unspent_of(view, vm.output.0, &script_of(&mint.treasury.address));
            *crumbs.entry(vm.trading_address.clone()).or_default() += left;
        }
    }
    for (script, owed) in runes_owed {
        let held = chain.unspent(&script).into_iter();
        let held = held.filter_map(|coin| view.chain.truth().runes.balances(&coin.outpoint));
        let held = held.flatten().filter(|(id, _)| **id == view.chain.rune());
        let held: u128 = held.map(|(_, amount)| amount).sum();
        let owed = owed + view.chain.sprinkled_on(&script);
        if held != owed {
            broken.push(format!("L3: {script} holds {held} runes, and is owed {owed}"));
        }
    }
    for (address, owed) in proceeds_owed {
        let held = chain.unspent(&script_of(&address)).into_iter();
        let held: u64 = held.map(|coin| coin.output.value.to_sat()).sum();
        if held != owed {
            broken.push(format!("L3: {address} got {held} sats of proceeds, and is owed {owed}"));
        }
    }
    for (address, sats) in crumbs.into_iter().filter(|(_, sats)| *sats > CRUMBS) {
        broken.push(format!("L3: {sats} sats of {address} are still in the treasury"));
    }
}

/// The sats of a payment that are still in the treasury: in the output itself, or in what a transfer returned
/// of it.
fn unspent_of(view: &View, output: OutPoint, treasury: &ScriptBuf) -> u64 {
    let chain = view.chain.chain();
    let Some((by, _)) = chain.spender(&output) else {
        return chain.output(&output).map_or(0, |output| output.value.to_sat());
    };
    // A transfer returns the rest of each input in an output of its own, which only a refund spends.
    let Some(spender) = chain.transaction(&by) else { return 0 };
    let rests = (0..).zip(&spender.output).filter(|(_, output)| output.script_pubkey == *treasury);
    let rests =
        rests.filter(|(vout, _)| chain.spender(&OutPoint { txid: by, vout: *vout }).is_none());
    let rests: u64 = rests.map(|(_, output)| output.value.to_sat()).sum();
    let inputs = u64::try_from(spender.input.len()).unwrap_or(1);
    rests / inputs
}

/// L1 and L4: no row waits for the chain, and no coin is held for finished work.
fn nothing_waits(view: &View, broken: &mut Vec<String>) {
    for (key, row) in &view.rows {
        // Coins are renewed months later, if at all.
        let is_over = |watch: &&str| !["export", "renewal"].contains(watch);
        let Some(watch) = text(row, "watch").filter(is_over) else { continue };
        let open_until = figure(row, "closesAt").map(|at| at + OVER_AFTER);
        let is_open = open_until.is_some_and(|until| until > view.now);
        if !is_open {
            let state = text(row, "state").or(text(row, "status")).unwrap_or_default();
            broken.push(format!("L1: {}/{} ({state}) still waits in {watch}", key.0, key.1));
        }
    }
    for (key, row) in view.rows_of("spend#") {
        let holder = text(row, "txid").unwrap_or_default();
        let row = view.rows.get(&(format!("transaction#{holder}"), "transaction".to_owned()));
        let state = row.and_then(|row| text(row, "state")).unwrap_or_default();
        let over = [TransactionState::Failed, TransactionState::Expired];
        let is_over = over.iter().any(|over| serde_json::json!(over) == state);
        if is_over || row.is_none() {
            broken.push(format!("L4: {} is held for {holder}, which is {state}", key.0));
        }
    }
}
