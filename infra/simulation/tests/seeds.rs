//! Fixed seeds hold, a seed repeats itself, and mistakes are found.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::{collections::BTreeSet, time::Duration};

use simulation::{
    mistakes::Mistake,
    plan::{Plan, Scenario},
    run::{run, run_all},
    shrink::invariant,
};

/// The most seeds that may be needed to find a mistake.
const MOST: u64 = 200;
/// Mistakes that are found within seconds.
const SOON: [Mistake; 2] = [Mistake::DeleteUsedRows, Mistake::OwnClock];

/// A seed of each scenario.
fn fixed(n: u64) -> Option<Plan> {
    let scenario = *Scenario::ALL.get(usize::try_from(n).unwrap())?;
    let minutes = if scenario.has_mints() || scenario == Scenario::Venue { 25 } else { 4 };
    Some(Plan { storm: Duration::from_secs(minutes * 60), ..Plan::of(1, Some(scenario)) })
}

#[test]
fn fixed_seeds_hold() {
    let (mut seeds, mut reached) = (0, BTreeSet::new());
    run_all(fixed, |report| {
        let Plan { seed, scenario, .. } = report.plan;
        assert!(report.broken.is_empty(), "SEED={seed} SCENARIO={scenario}: {:#?}", report.broken);
        assert!(report.calls > 100, "seed {seed} does nothing: {} calls", report.calls);
        reached.extend(report.reached.into_keys());
        seeds += 1;
        true
    });
    assert_eq!(seeds, Scenario::ALL.len());
    for state in [
        "vm-commitment confirmed",
        "vm-commitment replaced",
        "vm-transfer confirmed",
        "vm-distribution confirmed",
        "refund confirmed",
        "xchain-withdraw confirmed",
        "withdraw confirmed",
        "mint distributed",
        "mint failed",
        "vm refunded",
        "advice checked",
        "advice refused",
    ] {
        assert!(reached.contains(state), "no seed came to {state}: {reached:?}");
    }
}

#[test]
fn a_seed_repeats_itself() {
    let short = |n: u64| Plan { storm: Duration::from_secs(120), ..fixed(n).unwrap() };
    // In a long run, mints are paid out and coins vanish.
    let long = Plan { storm: Duration::from_secs(1_800), ..Plan::of(1, Some(Scenario::Parents)) };
    for plan in [short(0), short(3), short(4), long] {
        let (one, other) = (run(&plan), run(&plan));
        for (line, again) in one.trace.iter().zip(&other.trace) {
            assert_eq!(line, again, "{plan:?}");
        }
        assert_eq!(
            (one.trace_hash, one.rows_hash, one.faults),
            (other.trace_hash, other.rows_hash, other.faults),
            "{plan:?}"
        );
    }
}

/// The scenario that shows a mistake soonest; `None` for any.
fn scenario_of(mistake: Mistake) -> Option<Scenario> {
    match mistake {
        Mistake::DeleteUsedRows | Mistake::OwnClock => None,
        Mistake::MailsForgotten => Some(Scenario::Accounts),
        Mistake::BlindToTransferFees => Some(Scenario::Venue),
        Mistake::ShallowFinality => Some(Scenario::Reorganisations),
        Mistake::NoConditions => Some(Scenario::Watchers),
        Mistake::HoldsExpire | Mistake::OneMissIsEnough => Some(Scenario::Parents),
        _ => Some(Scenario::Mints),
    }
}

fn seeds_until_found(mistake: Mistake) -> Option<(u64, String)> {
    let (mut seeds, mut found) = (0, None);
    let plan = |n| Plan { mistake: Some(mistake), ..Plan::of(1_000 + n, scenario_of(mistake)) };
    let plans = |n: u64| (n < MOST).then(|| plan(n));
    run_all(plans, |report| {
        seeds += 1;
        let invariant = |failure: &&String| mistake.breaks().contains(&invariant(failure));
        found = report.broken.iter().find(invariant).cloned();
        found.is_none()
    });
    found.map(|failure| (seeds, failure))
}

fn are_found(mistakes: impl IntoIterator<Item = Mistake>) {
    for mistake in mistakes {
        let Some((seeds, failure)) = seeds_until_found(mistake) else {
            panic!("{mistake:?} was not found by {MOST} seeds")
        };
        println!("{mistake:?}: seed {seeds}: {failure}");
    }
}

#[test]
fn some_mistakes_are_found_soon() {
    are_found(SOON);
}

#[test]
#[ignore = "minutes: the nightly run looks for every mistake"]
fn every_mistake_is_found() {
    are_found(Mistake::ALL);
}
