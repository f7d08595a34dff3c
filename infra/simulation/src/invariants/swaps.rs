//! S16: a swap has one owner, and its status only moves forward (custody rule 15).

use std::collections::BTreeMap;

use serde_json::Value;

use super::view::View;
use crate::aws::dynamodb::text;

fn rank(status: &str) -> u8 {
    match status {
        "registered" => 0,
        "pending" => 1,
        "relaying" => 2,
        "relayed" => 3,
        "solving" => 4,
        _ => 5,
    }
}

/// The account that a confirmed registration belongs to.
fn owner_of(view: &View, key: &Value) -> String {
    let of_withdrawal = key["M"]["withdrawal"]["S"].as_str().and_then(|txid| {
        let key = (format!("xchain#withdrawal#{txid}"), "xchain".to_owned());
        text(view.rows.get(&key)?, "accountId").map(str::to_owned)
    });
    of_withdrawal.unwrap_or_else(|| serde_json::to_string(key).unwrap_or_default())
}

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    let mut confirmed: BTreeMap<&str, String> = BTreeMap::new();
    for change in view.changes.iter().filter(|change| change.key.0.starts_with("xchain#intent#")) {
        let (intent, sk) = (change.key.0.as_str(), change.key.1.as_str());
        let Some(after) = &change.after else {
            broken.push(format!("S16: {intent}/{sk} was deleted"));
            continue;
        };
        if sk == "verified" {
            // A withdrawal and its replacement have one intent and one owner.
            let owner = owner_of(view, &after["key"]);
            if let Some(other) = confirmed.insert(intent, owner.clone()).filter(|it| *it != owner) {
                broken.push(format!("S16: {intent} belonged to {other}, and then to {owner}"));
            }
            continue;
        }
        let Some(before) = &change.before else { continue };
        let status = |row| text(row, "status").unwrap_or_default().to_owned();
        let (old, new) = (status(before), status(after));
        let reopened = old == "failed"
            && new == "registered"
            && before.get("verified").and_then(|it| it.get("BOOL")?.as_bool()) == Some(false);
        let goes_on = old == new || rank(&old) < 5 && rank(&new) > rank(&old);
        if !goes_on && !reopened {
            broken.push(format!("S16: {intent}/{sk} went from {old} to {new}"));
        }
        if text(before, "accountId") != text(after, "accountId") {
            broken.push(format!("S16: {intent}/{sk} changed its account"));
        }
    }
    // Only the confirmed registration counts as confirmed.
    for (key, row) in view.rows_of("xchain#intent#").filter(|(key, _)| key.1 != "verified") {
        let is_verified =
            row.get("verified").and_then(|it| it.get("BOOL")?.as_bool()) == Some(true);
        let pointer = view.rows.get(&(key.0.clone(), "verified".to_owned()));
        let account = text(row, "accountId").unwrap_or_default();
        let points = pointer
            .is_some_and(|row| serde_json::to_string(row).is_ok_and(|text| text.contains(account)));
        if is_verified && !points {
            broken.push(format!("S16: {}/{} counts as confirmed without its record", key.0, key.1));
        }
    }
    broken
}
