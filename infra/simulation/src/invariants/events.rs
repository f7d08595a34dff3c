//! S18: the events of a list are numbered without gaps, and report each change of a state once and in order.

use std::collections::BTreeMap;

use serde_json::Value;

use super::view::View;
use crate::aws::{
    dynamodb::{Change, figure, text},
    expression::Row,
};

/// An item that changes: the short name of its type, and its id.
type Thing = (&'static str, String);
/// The states of an item before and after each change.
type Steps = Vec<(Option<String>, String)>;
/// The changes of each list.
type Told = BTreeMap<String, BTreeMap<Thing, Steps>>;

const TYPES: [&str; 11] = [
    "tx",
    "xchain",
    "vm",
    "refund",
    "exported",
    "notExported",
    "session",
    "vmBlock",
    "mint",
    "deposit",
    "deposited",
];

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    let mut told = told(view, &mut broken);
    // Sessions have no state: their rows are deleted.
    told.values_mut().for_each(|list| list.retain(|(kind, _), _| *kind != "session"));
    let expected = expected(view);
    let all =
        expected.keys().chain(told.keys()).cloned().collect::<std::collections::BTreeSet<_>>();
    for list in all {
        let (expected, told) = (expected.get(&list), told.get(&list));
        let things = expected.into_iter().chain(told).flat_map(BTreeMap::keys);
        for thing in things.collect::<std::collections::BTreeSet<_>>() {
            let of = |steps: Option<&BTreeMap<Thing, Steps>>| {
                steps.and_then(|steps| steps.get(thing)).cloned().unwrap_or_default()
            };
            let (expected, told) = (of(expected), of(told));
            if expected != told {
                broken.push(format!("S18: {list} tells of {thing:?} {told:?}, not {expected:?}"));
            }
        }
    }
    broken
}

/// The changes that the events report; their numbers must be `1..=count`.
fn told(view: &View, broken: &mut Vec<String>) -> Told {
    let (mut told, mut last) = (Told::new(), BTreeMap::<&str, i64>::new());
    // The open row sorts after the closed ones, which are in order.
    for (key, row) in view.rows_of("events#") {
        let events = row.get("events").and_then(|events| events["L"].as_array());
        let events = events.cloned().unwrap_or_default();
        let before = last.entry(key.0.as_str()).or_default();
        *before += i64::try_from(events.len()).unwrap_or(0);
        if figure(row, "count") != Some(*before)
            || key.1 != "open" && key.1 != format!("{before:012}")
        {
            let count = figure(row, "count");
            broken.push(format!("S18: {}/{} ends at {count:?}, not at {before}", key.0, key.1));
        }
        for event in events {
            let state = |name: &str| {
                let state = &event["M"][name];
                state["S"].as_str().or(state["N"].as_str()).map(str::to_owned)
            };
            let kind = TYPES.into_iter().find(|kind| state("t").as_deref() == Some(kind));
            match (kind, state("of"), state("a")) {
                (Some(kind), Some(subject), Some(after)) => {
                    let list = told.entry(key.0.clone()).or_default();
                    list.entry((kind, subject)).or_default().push((state("b"), after));
                }
                _ => broken.push(format!("S18: {} has the event {event}", key.0)),
            }
        }
    }
    told
}

/// The changes of the rows, in order.
fn expected(view: &View) -> Told {
    let (mut expected, mut states) = (Told::new(), BTreeMap::<(String, Thing), String>::new());
    for change in &view.changes {
        let Some((list, thing, after)) = state(change) else { continue };
        let place = (list.clone(), thing.clone());
        let before = states.insert(place, after.clone());
        // A page that was never written shows no blocks.
        let before = before.or((thing.0 == "vmBlock").then(|| "0".to_owned()));
        if before.as_ref() == Some(&after) || is_untold(thing.0, &after) {
            continue;
        }
        expected.entry(list).or_default().entry(thing).or_default().push((before, after));
    }
    // Both types of export events are about one item with one state. The same holds for deposits.
    for list in expected.values_mut() {
        let is_double = |kind: &str| ["exported", "deposit"].contains(&kind);
        let ids: Vec<_> = list.keys().filter(|(kind, _)| is_double(kind)).cloned().collect();
        for thing in ids {
            let steps = list.remove(&thing).unwrap_or_default();
            for (before, after) in steps {
                let kind = match after.as_str() {
                    "failed" => "notExported",
                    "confirmed" => "deposited",
                    _ => thing.0,
                };
                list.entry((kind, thing.1.clone())).or_default().push((before, after));
            }
        }
        list.retain(|_, steps| !steps.is_empty());
    }
    expected
}

/// Whether this change has no event: drafts and unfinished exports have none.
fn is_untold(kind: &str, after: &str) -> bool {
    match kind {
        "tx" | "refund" | "vm" => after == "unsigned",
        "exported" => !["completed", "failed"].contains(&after),
        _ => false,
    }
}

/// The list, the item, and its state after a change; `None` if the row has no state that events report.
fn state(change: &Change) -> Option<(String, Thing, String)> {
    let row = change.after.as_ref()?;
    let (pk, sk) = (change.key.0.as_str(), change.key.1.as_str());
    let of_account = |row: &Row| Some(format!("events#account#{}", text(row, "accountId")?));
    let named = |name: &str| text(row, name).map(str::to_owned);
    match sk {
        "transaction" => {
            let is_refund =
                row.get("work").map(|work| &work["M"]["type"]["S"]) == Some(&Value::from("refund"));
            let kind = if is_refund { "refund" } else { "tx" };
            Some((of_account(row)?, (kind, named("txid")?), named("state")?))
        }
        sk if sk.starts_with("vm#") || sk == "vmDraft" => {
            Some((of_account(row)?, ("vm", named("txid")?), named("state")?))
        }
        "export" => Some((of_account(row)?, ("exported", named("id")?), named("status")?)),
        "mint" if !pk.starts_with("mint#rune#") => {
            let id = named("id")?;
            Some((format!("events#mint#{id}"), ("mint", id), named("state")?))
        }
        "outlook" => {
            let id = pk.strip_prefix("mint#")?.strip_suffix("#page")?;
            let blocks = figure(row, "blocks")?.to_string();
            Some((format!("events#mint#{id}"), ("vmBlock", id.to_owned()), blocks))
        }
        _ if pk.starts_with("deposits#") => {
            let id = format!("{}:{}", text(row, "txid")?, figure(row, "vout")?);
            Some((of_account(row)?, ("deposit", id), named("state")?))
        }
        _ if pk.starts_with("xchain#withdrawal#") || pk.starts_with("xchain#intent#") => {
            Some((of_account(row)?, ("xchain", named("txId")?), named("status")?))
        }
        _ => None,
    }
}
