//! How long calls, starts and computing take on AWS, for measurements of rates. Runs that look for faults do
//! not use it: their calls take any time.
//!
//! A call has a median and a 99th percentile by its kind, and more for each action or key. Where AWS publishes
//! no figure, the table says what the design of the service assumes; a deployment can be compared with it by
//! its metrics `SuccessfulRequestLatency` and its traces.

use std::time::Duration;

use crate::choice::Choices;

/// Memory of a whole processor, in MB: "At 1,769 MB, a function has the equivalent of one vCPU" (AWS Lambda
/// Developer Guide, "Configure Lambda function memory").
const MEMORY_OF_A_CORE: u64 = 1_769;
/// Processor time of a request without calls, in µs: `GET /api/health` in `docs/benchmarks.md`.
const REQUEST_CPU: u64 = 100;
/// Processor time of a call, in µs: the difference between a request with one call (`GET /api/account/me`,
/// 0.41 ms) and one without.
const CALL_CPU: u64 = 310;
/// Processor time of each kilobyte that is sent or received, in µs: signing, JSON, hashing. The difference
/// that large commits make in the same table.
const KILOBYTE_CPU: u64 = 25;
/// Processor time of a TLS handshake, in µs: two key exchanges and the check of a chain of certificates.
const HANDSHAKE_CPU: u64 = 1_500;
/// Round trips of a TCP and TLS 1.3 connection within a region.
const HANDSHAKE: Duration = Duration::from_millis(3);
/// Half a round trip within a region, in ms: the time from sending a call to its execution.
const THERE_MS: u64 = 1;
/// Invocations of all functions that run at the same time: the default quota of an account.
pub const MOST_RUNNING: usize = 1_000;

/// How long a kind of call takes.
#[derive(Clone, Copy, Debug)]
struct CallTime {
    host: &'static str,
    /// The operation; empty for all others of the host.
    operation: &'static str,
    median_us: u64,
    p99_us: u64,
    /// Additional time for each action of a transaction, or key of a batch.
    action_us: u64,
}

const fn call(
    host: &'static str,
    operation: &'static str,
    (median_ms, p99_ms): (u64, u64),
    action_us: u64,
) -> CallTime {
    CallTime { host, operation, median_us: median_ms * 1_000, p99_us: p99_ms * 1_000, action_us }
}

/// The calls of the service. "Single-digit millisecond" is what DynamoDB publishes for reads and writes of one
/// item; a commit of 90 actions takes 30 to 45 ms by the design of lists.
const CALLS: [CallTime; 15] = [
    call("dynamodb", "GetItem", (4, 20), 0),
    call("dynamodb", "BatchGetItem", (6, 40), 60),
    call("dynamodb", "Query", (5, 40), 0),
    call("dynamodb", "TransactWriteItems", (11, 80), 350),
    call("dynamodb", "", (5, 30), 0),
    call("sqs", "", (12, 80), 0),
    call("kms", "", (15, 100), 0),
    call("ssm", "", (10, 60), 0),
    call("secrets", "", (10, 60), 0),
    call("s3", "", (30, 200), 0),
    call("ses", "", (60, 300), 0),
    call("sockets", "", (8, 60), 0),
    call("hub", "", (60, 500), 0),
    call("esplora", "", (25, 150), 0),
    call("ord", "", (30, 200), 0),
];
/// Calls to hosts that the table does not name.
const OTHERS: CallTime = call("", "", (50, 400), 0);
/// Additional time for each kilobyte of a partner's answer, in µs: 10 MB/s.
const KILOBYTE: u64 = 100;

/// The time of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Until it is executed.
    pub there: Duration,
    /// From its execution until its answer is back. A transaction holds its rows for this long.
    pub back: Duration,
}

/// The model of a deployment.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Memory of functions for which the template sets none, in MB.
    pub memory_mb: u64,
}

impl Model {
    /// The parameters' defaults.
    pub const DEFAULT: Self = Self { memory_mb: 512 };

    /// Processor time on a whole core, converted to this function's share of a core.
    fn stretched(&self, function: &str, cpu_us: u64) -> Duration {
        // As in template.yaml.
        let memory = match function {
            "event-worker" | "webhook-worker" => 128,
            _ => self.memory_mb,
        };
        Duration::from_micros(cpu_us * MEMORY_OF_A_CORE.max(memory) / memory)
    }

    /// How long a function computes for a request or message, apart from its calls.
    pub fn request(&self, function: &str) -> Duration {
        self.stretched(function, REQUEST_CPU)
    }

    /// How long a function computes for a call that sends this many bytes, including the handshake if it is
    /// the first call to its host.
    pub fn computing(&self, function: &str, bytes: usize, is_first: bool) -> Duration {
        let kilobytes = u64::try_from(bytes).unwrap_or(u64::MAX) / 1_024;
        let handshake = if is_first { HANDSHAKE_CPU } else { 0 };
        self.stretched(function, CALL_CPU + kilobytes * KILOBYTE_CPU + handshake)
    }

    /// How long connecting to a host takes on the network.
    pub fn connecting(&self, is_first: bool) -> Duration {
        if is_first { HANDSHAKE } else { Duration::ZERO }
    }

    /// How long an answer of this many bytes travels and is read.
    pub fn reading(&self, function: &str, bytes: usize) -> Duration {
        let kilobytes = u64::try_from(bytes).unwrap_or(u64::MAX) / 1_024;
        let computing = self.stretched(function, kilobytes * KILOBYTE_CPU);
        computing + Duration::from_micros(kilobytes * KILOBYTE)
    }

    /// How long a call with this many actions or keys takes.
    pub fn call(
        &self,
        choices: &mut Choices,
        actor: &str,
        (host, operation): (&str, &str),
        actions: usize,
    ) -> Times {
        let is_meant =
            |call: &&CallTime| call.host == host && [operation, ""].contains(&call.operation);
        let kind = CALLS.iter().find(is_meant).unwrap_or(&OTHERS);
        let drawn = drawn(choices, actor, (kind.median_us, kind.p99_us));
        let more = kind.action_us * u64::try_from(actions).unwrap_or(0);
        let there = Duration::from_millis(THERE_MS);
        Times { there, back: Duration::from_micros(drawn + more).saturating_sub(there) }
    }

    /// How long a new instance takes until it serves: Lambda's own part, and the start of the program.
    pub fn start(&self, choices: &mut Choices, actor: &str) -> Duration {
        Duration::from_micros(drawn(choices, actor, (180_000, 500_000)))
    }
}

/// Draws a time with this median and 99th percentile. It lies between half of the median and three times the
/// percentile, and its logarithm is evenly distributed between these points.
fn drawn(choices: &mut Choices, actor: &str, (median, p99): (u64, u64)) -> u64 {
    const PARTS: u64 = 10_000;
    let part = choices.below(actor, PARTS);
    let between = |low: u64, high: u64, part: u64, of: u64| grown(low, high, part * 64 / of);
    match part {
        0..5_000 => between(median / 2, median, part, 5_000),
        5_000..9_900 => between(median, p99, part - 5_000, 4_900),
        _ => between(p99, p99 * 3, part - 9_900, 100),
    }
}

/// `low * (high / low)^(steps / 64)` in whole numbers, by halving the interval six times at its geometric
/// mean.
fn grown(low: u64, high: u64, steps: u64) -> u64 {
    let (mut low, mut high) = (low, high);
    for bit in (0..6).rev() {
        let middle = (low * high).isqrt();
        match (steps >> bit) & 1 {
            1 => low = middle,
            _ => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Allowed;

    #[test]
    fn calls_take_as_long_as_the_table_says() {
        let mut choices = Choices::new(1, Allowed::default());
        for (median, p99) in [(4_000, 20_000), (11_000, 80_000), (180_000, 500_000)] {
            let mut times: Vec<_> =
                (0..20_000).map(|_| drawn(&mut choices, "a", (median, p99))).collect();
            times.sort_unstable();
            let near = |place: usize, expected: u64| {
                let time = times[place];
                assert!(
                    (expected * 9 / 10..=expected * 11 / 10).contains(&time),
                    "{time} {expected}"
                );
            };
            near(10_000, median);
            near(19_800, p99);
            assert!(times[0] >= median / 2 && times[19_999] <= p99 * 3);
        }
    }

    #[test]
    fn a_commit_of_90_actions_takes_30_to_45_ms() {
        let mut choices = Choices::new(1, Allowed::default());
        let call = ("dynamodb", "TransactWriteItems");
        let mut times: Vec<_> =
            (0..999).map(|_| Model::DEFAULT.call(&mut choices, "a", call, 90).back).collect();
        times.sort_unstable();
        assert!((30..=45).contains(&times[499].as_millis()), "{:?}", times[499]);
    }

    #[test]
    fn a_function_has_the_processor_that_its_memory_gives_it() {
        let whole = Model { memory_mb: 1_769 };
        assert_eq!(whole.computing("auth", 0, false), Duration::from_micros(310));
        let half = Model::DEFAULT.computing("auth", 0, false);
        assert!((Duration::from_micros(1_060)..Duration::from_micros(1_080)).contains(&half));
        assert!(Model::DEFAULT.computing("event-worker", 0, false) > half * 3);
        assert!(Model::DEFAULT.computing("auth", 0, true) > half * 5);
    }
}
