//! L5 and L6: after healing, queues become empty and due rows are processed (custody rules 25 and 26). The
//! people themselves check that every request succeeds by its third try.

use super::view::View;
use crate::aws::dynamodb::{figure, text};

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    let [mails, exports] = view.left;
    if mails > 0 {
        broken.push(format!("L6: {mails} mails are still queued"));
    }
    // One message may be a sweep that was just queued.
    if exports > 1 {
        broken.push(format!("L6: {exports} messages for exports are still queued"));
    }
    for (key, _) in view.rows_of("tail#").filter(|(key, _)| key.1 != "baton") {
        broken.push(format!("L5: {}/{} still waits for its lists", key.0, key.1));
    }
    for (key, row) in &view.rows {
        let (Some(watch), Some(due_at)) = (text(row, "watch"), figure(row, "dueAt")) else {
            continue;
        };
        // The sweep of exports runs every five minutes, the watcher every minute.
        let patience_ms = if watch == "export" { 7 * 60_000 } else { 2 * 60_000 };
        if view.now - due_at > patience_ms {
            let late = (view.now - due_at) / 1000;
            broken.push(format!("L5: {}/{} in {watch} has been due for {late} s", key.0, key.1));
        }
    }
    broken
}
