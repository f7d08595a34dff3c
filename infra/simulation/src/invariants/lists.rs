//! S9: lists are dense, ordered, and name rows that exist; counters equal what they count.

use std::collections::BTreeMap;

use chain::{
    mints::{VmSum, VmSums, VmTransaction},
    models::vm_transaction::VmState,
};
use serde_json::Value;

use super::view::{View, entity};
use crate::aws::{
    dynamodb::{RowKey, figure, text},
    expression::Row,
};

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    dense(view, &mut broken);
    named(view, &mut broken);
    entered_once(view, &mut broken);
    open_swaps(view, &mut broken);
    sums_of_mints(view, &mut broken);
    broken
}

/// The members in a row, oldest first: number, value and time.
fn members(key: &RowKey, row: &Row) -> Vec<(i64, Value, i64)> {
    let earlier = row.get("earlier").and_then(|earlier| earlier["L"].as_array());
    let earlier = earlier.into_iter().flatten().filter_map(|entry| entry["M"].as_object());
    let time = |entry: &serde_json::Map<String, Value>| {
        entry["createdAt"]["N"].as_str().and_then(|at| at.parse().ok()).unwrap_or(-1)
    };
    let mut entries: Vec<_> = earlier.map(|one| (one["value"].clone(), time(one))).collect();
    let last = row.get("value").cloned().unwrap_or_default();
    entries.push((last, figure(row, "createdAt").unwrap_or(-1)));
    let last = key.1.parse::<i64>().unwrap_or(-1);
    let first = last + 1 - i64::try_from(entries.len()).unwrap_or(0);
    (first..).zip(entries).map(|(n, (value, at))| (n, value, at)).collect()
}

/// The members of a list are `1..=count`, each once, in the order of `createdAt`.
fn dense(view: &View, broken: &mut Vec<String>) {
    let mut all: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (key, row) in view.rows_of("list#").filter(|(key, _)| key.1 != "head") {
        let members = members(key, row).into_iter().map(|(n, _, at)| (n, at));
        all.entry(key.0.as_str()).or_default().extend(members);
    }
    for (key, head) in view.rows_of("list#").filter(|(key, _)| key.1 == "head") {
        let list = &key.0;
        let count = figure(head, "count").unwrap_or(-1);
        let members = all.remove(list.as_str()).unwrap_or_default();
        let numbers: Vec<i64> = members.iter().map(|(n, _)| *n).collect();
        if numbers != (1..=count).collect::<Vec<_>>() {
            broken.push(format!("S9: {list} has count {count} and the members {numbers:?}"));
        }
        if members.windows(2).any(|pair| pair[0].1 > pair[1].1) {
            broken.push(format!("S9: the times of {list} go back: {members:?}"));
        }
        if members.last().map(|(_, at)| *at) != figure(head, "lastAt") {
            broken
                .push(format!("S9: the head of {list} does not name the time of its last member"));
        }
    }
    broken.extend(all.into_keys().map(|list| format!("S9: {list} has members and no head")));
}

/// Members that are ids name rows, and no row is listed twice.
fn named(view: &View, broken: &mut Vec<String>) {
    let mut seen = BTreeMap::new();
    let rows = view.rows_of("list#").filter(|(key, _)| key.1 != "head");
    let all = rows.flat_map(|(key, row)| members(key, row).into_iter().map(move |one| (key, one)));
    for (key, (n, value, _)) in all {
        let Some(value) = value["S"].as_str().map(str::to_owned) else { continue };
        if let Some(other) = seen.insert((&key.0, value.clone()), n) {
            broken.push(format!("S9: {} names {value} as {other} and as {n}", key.0));
        }
        let there = match key.0.as_str() {
            "list#accounts" => {
                view.rows.contains_key(&(format!("account#{value}"), "account".to_owned()))
            }
            list if list.starts_with("list#exports#") => {
                view.rows.contains_key(&(format!("export#{value}"), "export".to_owned()))
            }
            _ => true,
        };
        if !there {
            broken.push(format!("S9: {} names {value}, which does not exist", key.0));
        }
    }
    let all = ["account#", "export#"].into_iter().flat_map(|prefix| view.rows_of(prefix));
    for (key, _) in all.filter(|(key, _)| key.1 == "account" || key.1 == "export") {
        let id = key.0.split('#').nth(1).unwrap_or_default();
        let listed = seen.keys().any(|(list, value)| {
            value == id && (*list == "list#accounts" || list.starts_with("list#exports#"))
        });
        // The placeholder account for unknown names is in no list.
        if !listed && !id.starts_with("00000000-0000") {
            broken.push(format!("S9: {} is in no list", key.0));
        }
    }
}

/// Each entry of an audit trail is in it once (custody rule 18).
fn entered_once(view: &View, broken: &mut Vec<String>) {
    let mut seen = BTreeMap::new();
    let rows = view.rows_of("list#activity#").filter(|(key, _)| key.1 != "head");
    let all = rows.flat_map(|(key, row)| members(key, row).into_iter().map(move |one| (key, one)));
    for (key, (n, value, _)) in all {
        let id = value["M"]["id"]["S"].as_str().map(str::to_owned);
        if let Some(other) = seen.insert((&key.0, id.clone()), n) {
            broken.push(format!("S9: {} has the entry {id:?} as {other} and as {n}", key.0));
        }
    }
}

/// The sums of a mint equal those over its VM transactions, once no addition waits.
fn sums_of_mints(view: &View, broken: &mut Vec<String>) {
    if view.rows_of("tail#vm#").next().is_some() {
        return;
    }
    let mut sums: BTreeMap<String, BTreeMap<VmSum, u64>> = BTreeMap::new();
    for (_, row) in view.rows_of("vm#transaction#") {
        let Some(vm) = entity::<VmTransaction>(row) else { continue };
        let mint = sums.entry(format!("{}#{}", vm.rune_id, vm.mint_id)).or_default();
        *mint.entry(VmSum::InState(vm.state)).or_default() += 1;
        *mint.entry(VmSum::InMempool).or_default() += vm.requests_in_mempool();
        let in_blocks = if vm.state.takes_part() { vm.requests_in_blocks() } else { 0 };
        *mint.entry(VmSum::InBlocks).or_default() += in_blocks;
        *mint.entry(VmSum::Bids).or_default() += vm.bids();
    }
    let mut counted: BTreeMap<&str, VmSums> = view
        .rows_of("vm#sums")
        .filter_map(|(key, row)| Some((key.1.as_str(), entity::<VmSums>(row)?)))
        .collect();
    for (mint, sums) in sums {
        let counted = counted.remove(mint.as_str()).unwrap_or_default();
        let states = VmState::ALL.into_iter().map(VmSum::InState);
        for sum in states.chain([VmSum::InMempool, VmSum::InBlocks, VmSum::Bids]) {
            let (there, counted) = (sums.get(&sum).copied().unwrap_or_default(), counted.get(sum));
            if there != counted {
                broken.push(format!("S9: {mint} has {there} of {sum:?}, counted as {counted}"));
            }
        }
    }
}

/// The counter of an address's open swaps equals their number.
fn open_swaps(view: &View, broken: &mut Vec<String>) {
    let mut open: BTreeMap<String, i64> = BTreeMap::new();
    for (_, row) in view.rows_of("xchain#intent#").filter(|(key, _)| key.1.starts_with("account#"))
    {
        let status = text(row, "status").unwrap_or_default();
        let account = text(row, "accountId").unwrap_or_default();
        if ["filled", "failed", "refunded"].contains(&status) {
            continue;
        }
        let mut addresses: Vec<_> =
            ["userAddress", "tradingAddress"].iter().filter_map(|name| text(row, name)).collect();
        addresses.dedup();
        for address in addresses {
            *open.entry(format!("{account}#{address}")).or_default() += 1;
        }
    }
    for (key, row) in view.rows_of("xchain#open#") {
        let address = key.0.trim_start_matches("xchain#open#");
        let (counted, there) = (figure(row, "count"), open.remove(address).unwrap_or_default());
        if counted != Some(there) {
            broken.push(format!("S9: {address} has {there} open swaps, counted as {counted:?}"));
        }
    }
    broken
        .extend(open.keys().map(|address| format!("S9: open swaps of {address} are not counted")));
}
