//! S9: lists are dense, in order, and name what exists; counters are sums.

use std::collections::BTreeMap;

use super::view::View;
use crate::aws::dynamodb::{figure, text};

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    dense(view, &mut broken);
    named(view, &mut broken);
    entered_once(view, &mut broken);
    open_swaps(view, &mut broken);
    broken
}

/// The members of a list are `1..=count`, each once, in the order of `createdAt`.
fn dense(view: &View, broken: &mut Vec<String>) {
    let mut members: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (key, row) in view.rows_of("list#").filter(|(key, _)| key.1 != "head") {
        let n = key.1.parse().unwrap_or(-1);
        let at = figure(row, "createdAt").unwrap_or(-1);
        members.entry(key.0.as_str()).or_default().push((n, at));
    }
    for (key, head) in view.rows_of("list#").filter(|(key, _)| key.1 == "head") {
        let list = &key.0;
        let count = figure(head, "count").unwrap_or(-1);
        let members = members.remove(list.as_str()).unwrap_or_default();
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
    broken.extend(members.into_keys().map(|list| format!("S9: {list} has members and no head")));
}

/// Members that are ids name rows, and no row is listed twice.
fn named(view: &View, broken: &mut Vec<String>) {
    let mut seen = BTreeMap::new();
    for (key, row) in view.rows_of("list#").filter(|(key, _)| key.1 != "head") {
        let Some(value) = row.get("value").and_then(|value| value.get("S")?.as_str()) else {
            continue;
        };
        if let Some(other) = seen.insert((&key.0, value), &key.1) {
            broken.push(format!("S9: {} names {value} as {other} and as {}", key.0, key.1));
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
            *value == id && (*list == "list#accounts" || list.starts_with("list#exports#"))
        });
        // The account that stands in for unknown names is in no list.
        if !listed && !id.starts_with("00000000-0000") {
            broken.push(format!("S9: {} is in no list", key.0));
        }
    }
}

/// An entry of an audit trail is in it once (custody rule 18).
fn entered_once(view: &View, broken: &mut Vec<String>) {
    let mut seen = BTreeMap::new();
    for (key, row) in view.rows_of("list#activity#").filter(|(key, _)| key.1 != "head") {
        let id = row.get("value").and_then(|value| value.get("M")?.get("id")?.get("S")?.as_str());
        if let Some(other) = seen.insert((&key.0, id), &key.1) {
            broken.push(format!("S9: {} has the entry {id:?} as {other} and as {}", key.0, key.1));
        }
    }
}

/// The count of open swaps of an address is their number.
fn open_swaps(view: &View, broken: &mut Vec<String>) {
    let mut open: BTreeMap<String, i64> = BTreeMap::new();
    for (_, row) in view.rows_of("xchain#intent#").filter(|(key, _)| key.1.starts_with("account#"))
    {
        let status = text(row, "status").unwrap_or_default();
        if ["filled", "failed", "refunded"].contains(&status) {
            continue;
        }
        let mut addresses: Vec<_> =
            ["userAddress", "tradingAddress"].iter().filter_map(|name| text(row, name)).collect();
        addresses.dedup();
        for address in addresses {
            *open.entry(address.to_owned()).or_default() += 1;
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
