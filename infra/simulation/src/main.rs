//! `runeport-simulation`: runs seeds, replays one, shrinks a failure.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::print_stdout,
    reason = "it is a program for a terminal, on the machine's clock"
)]

use std::{
    fmt,
    process::ExitCode,
    sync::atomic::Ordering,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use simulation::{
    choice::{Allowed, hash},
    mistakes::Mistake,
    plan::{Plan, Scenario},
    run::{Report, run_all},
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
    last_call: Option<u64>,
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
        last_call: number("UNTIL")?,
        shrink: setting("SHRINK").is_some_and(|text| text == "yes"),
        trace: setting("TRACE").is_some_and(|text| text == "yes"),
    })
}

/// The command that repeats a plan.
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

/// The totals of all runs.
#[derive(Default)]
struct Totals {
    seeds: u64,
    calls: u64,
    faults: usize,
    blocks: usize,
    hash: u64,
    first: String,
    last: String,
}

impl Totals {
    fn add(&mut self, report: &Report) {
        self.seeds += 1;
        self.calls += report.calls;
        self.faults += report.faults.len();
        self.blocks += report.blocks;
        self.hash ^= report.trace_hash;
        self.last = format!("SEED={} SCENARIO={}", report.plan.seed, report.plan.scenario);
        if self.seeds == 1 {
            self.first.clone_from(&self.last);
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seeds, calls, faults, blocks, hash, first, last } = self;
        writeln!(f, "from {first} to {last}")?;
        write!(
            f,
            "{seeds} seeds, {calls} calls, {faults} faults, {blocks} blocks: held {hash:016x}"
        )
    }
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
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let drawn_from = setting("SEEDS_OF").unwrap_or_else(|| now.as_nanos().to_string());
    let first = hash(0, &drawn_from);
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
            until: asked.last_call,
            ..plan
        })
    };
    let (mut totals, mut failed) = (Totals::default(), None);
    run_all(plan, |report| {
        totals.add(&report);
        if report.broken.is_empty() {
            return true;
        }
        failed = Some(report);
        false
    });
    let Some(mut failed) = failed else {
        println!("{totals}");
        return ExitCode::SUCCESS;
    };
    show(&failed);
    if asked.shrink {
        let trials;
        (failed, trials) = shrink(failed, SHRINKING);
        println!("shrunk to {} faults in {trials} trials", failed.faults.len());
        show(&failed);
    }
    let first = failed.broken.first().map_or("", String::as_str);
    println!("{first}\n{}", again(&failed.plan));
    ExitCode::FAILURE
}
