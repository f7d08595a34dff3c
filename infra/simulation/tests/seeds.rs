//! Fixed seeds hold, a seed repeats itself, and mistakes are found.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::time::Duration;

use simulation::{
    mistakes::Mistake,
    plan::{Plan, Scenario},
    run::{run, run_all},
    shrink::invariant,
};

/// Seeds of each scenario.
const FIXED: u64 = 1;
/// Seeds within which a mistake is found.
const MOST: u64 = 200;

fn fixed(n: u64) -> Option<Plan> {
    let scenarios = Scenario::ALL;
    let place = usize::try_from(n).unwrap() % scenarios.len();
    let seed = 1 + n / u64::try_from(scenarios.len()).unwrap();
    let storm = Duration::from_secs(240);
    (seed <= FIXED).then(|| Plan { storm, ..Plan::of(seed, Some(scenarios[place])) })
}

#[test]
fn fixed_seeds_hold() {
    let mut seeds = 0;
    run_all(fixed, |report| {
        let Plan { seed, scenario, .. } = report.plan;
        assert!(report.broken.is_empty(), "SEED={seed} SCENARIO={scenario}: {:#?}", report.broken);
        assert!(report.calls > 100, "seed {seed} does nothing: {} calls", report.calls);
        seeds += 1;
        true
    });
    assert_eq!(seeds, FIXED * 4);
}

#[test]
fn a_seed_repeats_itself() {
    for n in [0, 3] {
        let plan = Plan { storm: Duration::from_secs(120), ..fixed(n).unwrap() };
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

fn seeds_until_found(mistake: Mistake) -> Option<(u64, String)> {
    let (mut seeds, mut found) = (0, None);
    let plans =
        |n: u64| (n < MOST).then(|| Plan { mistake: Some(mistake), ..Plan::of(1_000 + n, None) });
    run_all(plans, |report| {
        seeds += 1;
        let invariant = |failure: &&String| mistake.breaks().contains(&invariant(failure));
        found = report.broken.iter().find(invariant).cloned();
        found.is_none()
    });
    found.map(|failure| (seeds, failure))
}

#[test]
fn mistakes_are_found() {
    for mistake in Mistake::ALL {
        let Some((seeds, failure)) = seeds_until_found(mistake) else {
            panic!("{mistake:?} was not found by {MOST} seeds")
        };
        println!("{mistake:?}: seed {seeds}: {failure}");
    }
}
