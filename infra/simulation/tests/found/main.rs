//! Faults that the simulation found, each as the smallest run that showed it. Each run failed before the
//! fault was repaired.

#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use simulation::{
    choice::Allowed,
    plan::{Plan, Scenario},
    run::run,
};

/// Checks a run with only these faults.
fn holds(seed: u64, scenario: Scenario, storm_seconds: u64, faults: &[&str]) {
    let faults = faults.iter().map(|fault| fault.parse().unwrap());
    let plan = Plan {
        allowed: Allowed::Only(faults.collect()),
        storm: Duration::from_secs(storm_seconds),
        ..Plan::of(seed, Some(scenario))
    };
    let report = run(&plan);
    assert!(!report.faults.is_empty(), "the faults did not happen");
    assert!(report.broken.is_empty(), "{:#?}", report.broken);
}

/// The answer to the commit was cut off: the request failed and released its idempotency key, and its
/// repetition made a second export.
#[test]
fn a_repeated_request_makes_one_export() {
    holds(4, Scenario::Accounts, 90, &["wire/download-histories-1@7"]);
}
