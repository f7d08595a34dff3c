//! S13: after a 2xx answer the change is in the database (people check that themselves), a 4xx answer changed
//! nothing but limits and single-use values, and a 5xx answer is given only if the request met a fault.

use super::view::View;
use crate::people::PAUSED;

/// Rows that a refused request may write, by the beginning of their key.
const ALLOWED: [&str; 9] = [
    "limit#",
    "challenge#",
    "handshake#",
    "signInMessage#",
    "failedProofs#",
    "idempotency#",
    "dataKey#",
    "emailChange#",
    "device#",
];

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    for (number, invocation) in &view.invocations {
        if invocation.status.is_some_and(|status| status >= 500)
            && invocation.faults == 0
            && !invocation.person.is_empty()
            // The venue may refuse this without a fault.
            && invocation.code != PAUSED
        {
            let (status, what) = (invocation.status.unwrap_or_default(), &invocation.what);
            broken
                .push(format!("S13: #{number} {what} met no fault, and was answered by {status}"));
        }
    }
    for change in &view.changes {
        let (Some(by), Some(invocation)) = (change.by, view.invocation(change)) else { continue };
        let refused = invocation.status.is_some_and(|status| (400..500).contains(&status));
        if !refused || ALLOWED.iter().any(|kind| change.key.0.starts_with(kind)) {
            continue;
        }
        // A spent refresh token ends its session, which adds an entry to the audit trail and an event.
        if invocation.what.ends_with("/auth/refresh-token")
            && (change.key.1.starts_with("session#") && change.after.is_none()
                || change.key.0.starts_with("list#activity#")
                || change.key.0.starts_with("events#account#"))
        {
            continue;
        }
        // A transaction that came back wrongly signed ends and its coins are released. A request for another
        // transaction than the unsigned one ends the unsigned one as well.
        let kinds = ["transaction#", "reservation#", "vm#", "refund#", "mint#", "events#account#"];
        let of_transaction = kinds.iter().any(|kind| change.key.0.starts_with(kind));
        let ends_drafts = [
            "/sign",
            "/api/vm-transactions",
            "/api/refund",
            "/api/xchain/transaction",
            "/api/transactions",
            "/replace",
        ];
        if of_transaction && ends_drafts.iter().any(|end| invocation.what.ends_with(end)) {
            continue;
        }
        // The placeholder account for unknown names is created when the first one is asked for.
        if change.key.0.contains("00000000-0000") {
            continue;
        }
        // The blocks are followed from the first attempt to create a mint on, even if it is refused later.
        let begins = change.before.is_none() && invocation.what.ends_with("/vm-transactions/mints");
        if begins && (change.key.0.as_str(), change.key.1.as_str()) == ("chain", "tip") {
            continue;
        }
        let (what, code) = (&invocation.what, &invocation.code);
        broken.push(format!(
            "S13: #{by} {what} was refused ({code}), and changed {}/{}{}",
            change.key.0,
            change.key.1,
            if change.is_late { " late" } else { "" }
        ));
    }
    broken
}
