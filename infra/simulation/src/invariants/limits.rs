//! S14: limits hold, however many requests arrive concurrently (custody rule 27).

use shared::auth::limits;

use super::view::View;
use crate::aws::dynamodb::figure;

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    for change in view.changes.iter().filter(|change| change.key.0.starts_with("limit#")) {
        let name = change.key.0.split('#').nth(1).unwrap_or_default();
        let limit = limits::ALL.iter().find(|limit| limit.name == name);
        let hits = change.after.as_ref().and_then(|row| figure(row, "hits"));
        if let (Some(limit), Some(hits)) = (limit, hits)
            && hits > i64::from(limit.most)
        {
            broken.push(format!("S14: {} was hit {hits} times", change.key.0));
        }
    }
    broken
}
