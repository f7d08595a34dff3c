//! Shrinks a failing run: to a shorter storm, then to as few faults as still break the same invariant (ddmin;
//! Zeller and Hildebrandt, 2002).

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use crate::{
    choice::{Allowed, Choice},
    plan::Plan,
    run::{Report, run},
};

/// The name of the invariant that a failure breaks.
pub fn invariant(failure: &str) -> &str {
    failure.split(':').next().unwrap_or_default()
}

fn breaks(report: &Report, wanted: &str) -> bool {
    report.broken.iter().any(|failure| invariant(failure) == wanted)
}

/// The smallest run found within `limit` that breaks the same invariant, and the number of trials.
pub fn shrink(failed: Report, limit: Duration) -> (Report, u32) {
    let wanted = invariant(failed.broken.first().map_or("", String::as_str)).to_owned();
    let (begun, mut trials, mut best) = (Instant::now(), 0, failed);
    let mut attempt = |plan: &Plan| {
        if begun.elapsed() > limit {
            return None;
        }
        trials += 1;
        Some(run(plan)).filter(|report| breaks(report, &wanted))
    };
    for part in [8, 4, 2] {
        let storm = best.plan.storm / part;
        if let Some(shorter) = attempt(&Plan { storm, ..best.plan.clone() }) {
            best = shorter;
            break;
        }
    }
    if let Some(alone) = attempt(&Plan { people: 1, ..best.plan.clone() }) {
        best = alone;
    }
    let mut kept: Vec<Choice> = best.faults.clone();
    let mut parts = 2_usize;
    while !kept.is_empty() && parts <= kept.len() * 2 {
        let size = kept.len().div_ceil(parts);
        let smaller = kept.chunks(size).map(<[Choice]>::len).collect::<Vec<_>>();
        let mut found = false;
        let mut start = 0;
        for length in smaller {
            let rest: Vec<_> = [&kept[..start], &kept[(start + length).min(kept.len())..]].concat();
            let only = Allowed::Only(rest.iter().cloned().collect::<BTreeSet<_>>());
            let report = attempt(&Plan { allowed: only, ..best.plan.clone() });
            if let Some(report) = report {
                (kept, best, found) = (rest, report, true);
                break;
            }
            start += length;
        }
        if found {
            parts = parts.saturating_sub(1).max(2);
        } else if size == 1 {
            break;
        } else {
            parts = (parts * 2).min(kept.len().max(2));
        }
    }
    (best, trials)
}
