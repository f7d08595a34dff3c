//! `runeport-simulation`: runs seeds, replays one, shrinks a failure.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "it is a program for a terminal, on the machine's clock"
)]

use std::{
    process::ExitCode,
    sync::atomic::Ordering,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use simulation::{
    choice::{Allowed, hash},
    mistakes::Mistake,
    plan::{Plan, Scenario},
    run::{Report, run, run_all},
    shrink::shrink,
    wire::PRINTS_TRACE,
};

/// How long a failure is shrunk.
const SHRINKING: Duration = Duration::from_secs(120);
/// Lines of the trace that are printed for a failure.
const LINES: usize = 40;

struct Asked {
    seed: Option<u64>,
    seeds: u64,
    until: Option<Instant>,
    scenario: Option<Scenario>,
    only: Option<Allowed>,
    storm: Option<Duration>,
    people: Option<u8>,
    mistake: Option<Mistake>,
    shrink: bool,
    trace: bool,
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

fn number<T: std::str::FromStr>(name: &str) -> Result<Option<T>, String> {
    let text = setting(name);
    text.map(|text| text.parse().map_err(|_| format!("{name} is a number, not {text}"))).transpose()
}

fn asked() -> Result<Asked, String> {
    let hours = number::<f64>("HOURS")?;
    let seed = number("SEED")?;
    let only = setting("ONLY").map(|text| text.split_whitespace().map(str::parse).collect());
    Ok(Asked {
        seed,
        seeds: number("SEEDS")?.unwrap_or(if hours.is_some() { u64::MAX } else { 20 }),
        until: hours.map(|hours| Instant::now() + Duration::from_secs_f64(hours * 3_600.0)),
        scenario: setting("SCENARIO").map(|text| text.parse()).transpose()?,
        only: only.transpose()?.map(Allowed::Only),
        storm: number("STORM")?.map(Duration::from_secs),
        people: number("PEOPLE")?,
        mistake: setting("MISTAKE").map(|text| text.parse()).transpose()?,
        shrink: setting("SHRINK").is_some_and(|text| text == "yes"),
        trace: setting("TRACE").is_some_and(|text| text == "yes"),
    })
}

/// The line that runs a plan again.
fn again(plan: &Plan) -> String {
    let mut line = format!("make simulate SEED={} SCENARIO={}", plan.seed, plan.scenario);
    let whole = Plan::of(plan.seed, Some(plan.scenario));
    if plan.storm != whole.storm {
        line += &format!(" STORM={}", plan.storm.as_secs());
    }
    if plan.people != whole.people {
        line += &format!(" PEOPLE={}", plan.people);
    }
    if let Allowed::Only(kept) = &plan.allowed {
        let kept: Vec<_> = kept.iter().map(ToString::to_string).collect();
        line += &format!(" ONLY='{}'", kept.join(" "));
    }
    line
}

fn show(report: &Report) {
    for line in report.trace.iter().rev().take(LINES).rev() {
        println!("{line}");
    }
    for failure in &report.broken {
        println!("{failure}");
    }
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    PRINTS_TRACE.store(asked.trace, Ordering::Relaxed);
    // Fresh seeds each time, unless one is named.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let first = u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default();
    let plan = |n: u64| {
        if n >= asked.seed.map_or(asked.seeds, |_| 1)
            || asked.until.is_some_and(|end| Instant::now() > end)
        {
            return None;
        }
        let seed = asked.seed.unwrap_or_else(|| hash(first, &n.to_string()) >> 16);
        let plan = Plan::of(seed, asked.scenario);
        Some(Plan {
            allowed: asked.only.clone().unwrap_or(plan.allowed),
            storm: asked.storm.unwrap_or(plan.storm),
            people: asked.people.unwrap_or(plan.people),
            mistake: asked.mistake,
            ..plan
        })
    };
    let (mut seeds, mut calls, mut faults, mut hash_of_all) = (0_u64, 0_u64, 0_usize, 0_u64);
    let mut failed = None;
    run_all(plan, |report| {
        (seeds, calls, faults) = (seeds + 1, calls + report.calls, faults + report.faults.len());
        hash_of_all ^= report.trace_hash;
        if report.broken.is_empty() {
            return true;
        }
        failed = Some(report);
        false
    });
    let Some(mut failed) = failed else {
        println!(
            "{seeds} seeds, {calls} calls, {faults} faults, 0 blocks: held {hash_of_all:016x}"
        );
        return ExitCode::SUCCESS;
    };
    show(&failed);
    if asked.shrink {
        let (smaller, trials) = shrink(&failed, SHRINKING);
        println!("shrunk to {} faults in {trials} trials", smaller.faults.len());
        failed = run(&smaller.plan);
        show(&failed);
    }
    let first = failed.broken.first().map_or("", String::as_str);
    println!("{first}\n{}", again(&failed.plan));
    ExitCode::FAILURE
}
