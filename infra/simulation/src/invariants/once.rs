//! S12: challenges, handshakes, tokens, codes, refresh tokens and idempotency keys have their effect at most
//! once (custody rules 16, 17, 20 and 21).

use std::collections::{BTreeMap, BTreeSet};

use super::view::View;
use crate::aws::dynamodb::{Change, figure, text};

/// Single-use rows, by the beginning of their key.
const SINGLE_USE: [&str; 5] =
    ["challenge#", "handshake#", "emailToken#", "signInMessage#", "refresh#"];

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    stay_used(view, &mut broken);
    stay_gone(view, &mut broken);
    one_effect(view, &mut broken);
    broken
}

/// A used row stays used until it expires, and no secret is put back into it.
fn stay_used(view: &View, broken: &mut Vec<String>) {
    let is_single = |change: &&Change| SINGLE_USE.iter().any(|kind| change.key.0.starts_with(kind));
    for change in view.changes.iter().filter(is_single) {
        let Some(before) = &change.before else { continue };
        let marked = figure(before, "usedAt");
        // Rows of other kinds mark a value as used by their existence.
        let is_mark =
            ["signInMessage#", "refresh#"].iter().any(|kind| change.key.0.starts_with(kind));
        if marked.is_none() && !is_mark {
            continue;
        }
        let expired = figure(before, "expiresAt")
            .is_some_and(|expires_at| expires_at <= change.at.div_euclid(1000) + 5);
        let is_kept = match &change.after {
            Some(after) => after.iter().all(|(name, value)| before.get(name) == Some(value)),
            None => change.by.is_none(),
        };
        if !is_kept && !expired {
            let by = view.invocation(change).map(|invocation| invocation.what.as_str());
            broken.push(format!("S12: {} was used, and changed again by {by:?}", change.key.0));
        }
    }
}

/// A single-use row is written once; nothing brings it back.
fn stay_gone(view: &View, broken: &mut Vec<String>) {
    let mut written = BTreeSet::new();
    let is_single = |change: &&Change| SINGLE_USE.iter().any(|kind| change.key.0.starts_with(kind));
    for change in view.changes.iter().filter(is_single) {
        let Some(after) = change.after.as_ref().filter(|_| change.before.is_none()) else {
            continue;
        };
        let alive = figure(after, "expiresAt").is_some_and(|end| end > change.at.div_euclid(1000));
        if !written.insert(&change.key) && alive {
            broken.push(format!("S12: {} was gone, and came back", change.key.0));
        }
    }
}

/// What counts as the effect of each kind of single-use value.
fn effect(kind: &str, change: &Change) -> Option<String> {
    let (pk, sk) = (&change.key.0, &change.key.1);
    let is_new = change.before.is_none();
    let differs = |name: &str| {
        let of = |row: &Option<_>| row.as_ref().and_then(|row| text(row, name).map(str::to_owned));
        !is_new && change.after.is_some() && of(&change.before) != of(&change.after)
    };
    let is_effect = match kind {
        "challenge" | "message" | "handshake" => {
            (pk.starts_with("account#") && sk.starts_with("session#") && is_new)
                || (pk.starts_with("wallet#") && is_new)
                || (pk.starts_with("credential#") && sk == "srp" && differs("verifier"))
        }
        "refresh" => sk.starts_with("session#") && differs("refreshHash"),
        "idempotency" => pk.starts_with("export#") && is_new,
        "emailToken" => pk.starts_with("email#") && change.after.is_some(),
        "code" => pk.starts_with("credential#") && sk == "totp" && differs("secret"),
        _ => false,
    };
    is_effect.then(|| format!("{pk}/{sk}"))
}

/// Of all requests with one value, only one has the effect.
fn one_effect(view: &View, broken: &mut Vec<String>) {
    let mut effects: BTreeMap<&str, BTreeSet<(u64, String)>> = BTreeMap::new();
    for change in &view.changes {
        let Some(by) = change.by else { continue };
        let once = view.invocations.get(&by).and_then(|invocation| invocation.once.as_deref());
        let Some(once) = once else { continue };
        let kind = once.split(':').next().unwrap_or_default();
        if let Some(effect) = effect(kind, change) {
            effects.entry(once).or_default().insert((by, effect));
        }
    }
    for (once, effects) in effects {
        let invocations: BTreeSet<_> = effects.iter().map(|(by, _)| by).collect();
        if invocations.len() > 1 {
            let once: String = once.chars().take(80).collect();
            broken.push(format!("S12: {once} had its effect more than once: {effects:?}"));
        }
    }
}
