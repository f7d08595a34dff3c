//! S14: no person acts on another's account, session, credential, export or swap (custody rules 13 to 15).

use std::collections::BTreeMap;

use super::view::View;
use crate::aws::dynamodb::{Change, text};

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for change in &view.changes {
        let Some(invocation) = view.invocation(change) else { continue };
        // Workers act for every account.
        if invocation.person.is_empty() {
            continue;
        }
        let Some(account) = account_of(change) else { continue };
        if account.starts_with("00000000-0000") {
            continue;
        }
        let is_account = change.key.1 == "account" && change.before.is_none();
        let person = invocation.person.as_str();
        if is_account {
            owners.insert(account, person);
            continue;
        }
        // The rows of one batch are in any order, so an account's first rows may come before it.
        match owners.get(&account) {
            Some(owner) if *owner != person => {
                // The account that loses an unproved address gets an entry in its audit trail (custody rule
                // 20).
                let told = change.key.0.starts_with("list#activity#");
                let moves = ["verify-email", "change-email/verify"];
                if told && moves.iter().any(|way| invocation.what.ends_with(way)) {
                    continue;
                }
                // Any user may ask for a swap's status, and the hub's answer is written to the row of its
                // owner.
                let keeps_owner = |row| text(row, "accountId") == Some(account.as_str());
                let refreshed = change.before.as_ref().is_some_and(keeps_owner);
                if refreshed && invocation.what.ends_with("/status") {
                    continue;
                }
                let (what, key) = (&invocation.what, &change.key);
                broken.push(format!(
                    "S14: {what} of {person} changed {}/{} of {owner}",
                    key.0, key.1
                ));
            }
            _ => {}
        }
    }
    broken
}

/// The account that a row belongs to.
fn account_of(change: &Change) -> Option<String> {
    let (pk, sk) = (change.key.0.as_str(), change.key.1.as_str());
    let after = |prefix: &str| pk.strip_prefix(prefix).map(str::to_owned);
    if let Some(account) = after("account#")
        .or(after("credential#"))
        .or(after("list#activity#"))
        .or(after("list#exports#"))
    {
        return Some(account);
    }
    if pk.starts_with("export#") || pk.starts_with("xchain#intent#") && sk != "verified" {
        return change.text("accountId").map(str::to_owned);
    }
    if pk.starts_with("wallet#") || pk.starts_with("trading") {
        let row = change.before.as_ref()?;
        return text(row, "accountId").map(str::to_owned);
    }
    None
}
