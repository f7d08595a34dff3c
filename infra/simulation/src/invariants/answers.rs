//! S13: 2xx is in the database (the people look at once), 4xx changed nothing but limits and what was used up,
//! 5xx only where the request met a fault.

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
            // The venue may say so, faultlessly.
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
        // A spent refresh token ends its session, which is in the audit trail and told as an event.
        if invocation.what.ends_with("/auth/refresh-token")
            && (change.key.1.starts_with("session#") && change.after.is_none()
                || change.key.0.starts_with("list#activity#")
                || change.key.0.starts_with("events#account#"))
        {
            continue;
        }
        // A transaction that came back wrongly signed is over, and its coins are free.
        // A request for another one than the unsigned one ends that one, too.
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
        // The account that stands in for unknown names is made when the first one is asked for.
        if change.key.0.contains("00000000-0000") {
            continue;
        }
        // The blocks are followed from the first creation of a mint on, be it refused after that.
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
