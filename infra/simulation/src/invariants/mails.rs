//! S15: a mail is sent at least once, and exactly once if no call of the mail worker failed; an export has
//! one file with its rows, or a reason why not.

use std::collections::{BTreeMap, BTreeSet};

use super::view::View;
use crate::{
    aws::dynamodb::{figure, text},
    wire::Invocation,
};

/// As in the settings of the run.
const APP_URL: &str = "http://localhost:5173";

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    mails(view, &mut broken);
    exports(view, &mut broken);
    broken
}

fn mails(view: &View, broken: &mut Vec<String>) {
    // Identical mails cannot be distinguished in the mailbox, so they are counted together.
    let mut wanted: BTreeMap<(String, String), (BTreeSet<String>, bool)> = BTreeMap::new();
    for mail in &view.queued {
        let Ok(written) = mail_worker::letters::write(mail, APP_URL) else { continue };
        let Some(to) = mail.to.address() else { continue };
        let place = wanted.entry((to.to_owned(), written.text)).or_default();
        place.0.insert(mail.id.to_string());
        place.1 |= mail.letter.expires_at().is_some();
    }
    let of_worker = |invocation: &&Invocation| invocation.what == "message mail-worker";
    let faults: u32 =
        view.invocations.values().filter(of_worker).map(|invocation| invocation.faults).sum();
    let unanswered = view.invocations.values().filter(of_worker);
    let unanswered = unanswered.filter(|invocation| invocation.status.is_none()).count();
    let mut sent: BTreeMap<(String, String), usize> = BTreeMap::new();
    for mail in &view.sent {
        *sent.entry((mail.to.clone(), mail.text.clone())).or_default() += 1;
    }
    for (mail, (ids, expires)) in &wanted {
        let times = sent.remove(mail).unwrap_or_default();
        let dead = view.dead_letters[0].iter();
        let dead = dead.filter(|body| ids.iter().any(|id| body.contains(id.as_str()))).count();
        // A mail whose link has expired is not sent.
        if times + dead < ids.len() && !(*expires && faults > 0) {
            broken.push(format!("S15: {} mails to {} were sent {times} times", ids.len(), mail.0));
        }
        if times > ids.len() && faults == 0 && unanswered == 0 {
            broken.push(format!("S15: {} mails to {} were sent {times} times", ids.len(), mail.0));
        }
    }
    broken.extend(sent.keys().map(|(to, _)| format!("S15: a mail to {to} was never queued")));
}

fn exports(view: &View, broken: &mut Vec<String>) {
    for (key, row) in view.rows_of("export#") {
        let id = key.0.trim_start_matches("export#");
        let files: Vec<_> = view.files.iter().filter(|(path, _)| path.contains(id)).collect();
        match text(row, "status").unwrap_or_default() {
            "completed" => {
                let [(_, file)] = files.as_slice() else {
                    broken
                        .push(format!("S15: the completed export {id} has {} files", files.len()));
                    continue;
                };
                let lines = String::from_utf8_lossy(file).lines().count();
                let rows = figure(row, "rowCount").and_then(|rows| usize::try_from(rows).ok());
                if rows.map(|rows| rows + 1) != Some(lines) {
                    broken.push(format!(
                        "S15: the export {id} has {lines} lines, and rows: {rows:?}"
                    ));
                }
            }
            "failed" => {
                if text(row, "error").is_none_or(str::is_empty) {
                    broken.push(format!("S15: the export {id} failed without a reason"));
                }
            }
            status => broken.push(format!("S15: the export {id} is still {status} after the rest")),
        }
    }
}
