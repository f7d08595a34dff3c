//! The menu of faults. Each seed draws its own weights; half of them are zero.

use std::collections::BTreeMap;

use crate::{choice::hash, model::Model};

/// What happens to one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It is not sent, and the caller learns that.
    NotSent,
    /// It is executed; the connection breaks before the answer.
    AnswerLost,
    /// It never arrives, and no answer comes.
    Silent,
    /// It is executed, and no answer comes.
    SilentDone,
    /// It takes seconds.
    Slow,
    /// It arrives long after the caller has given up.
    Late,
    /// It is executed, and again some time later.
    Twice,
    /// Not executed, answered by 500.
    Error,
    /// Executed, answered by 500.
    ErrorDone,
    /// Executed, answered by a text of another form.
    Garbled,
    /// Executed, answered by only the first half of the answer.
    Cut,
    /// Not executed: too many requests.
    Throttled,
    /// The instance ends before it is sent.
    KillBefore,
    /// It is executed; the instance ends before it has the answer.
    KillAfter,
    /// The instance stops for up to 20 s, as if it had no processor.
    Freeze,
}

/// The faults with their highest weights in 100,000 calls.
const MENU: [(Fault, u64); 15] = [
    (Fault::NotSent, 2_500),
    (Fault::AnswerLost, 2_500),
    (Fault::Silent, 600),
    (Fault::SilentDone, 600),
    (Fault::Slow, 2_000),
    (Fault::Late, 1_200),
    (Fault::Twice, 1_500),
    (Fault::Error, 2_500),
    (Fault::ErrorDone, 1_500),
    (Fault::Garbled, 800),
    (Fault::Cut, 800),
    (Fault::Throttled, 2_500),
    (Fault::KillBefore, 500),
    (Fault::KillAfter, 700),
    (Fault::Freeze, 500),
];

/// Difficulties of the database: per mille of the cases, unless stated otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difficulty {
    /// A transaction holds its rows.
    pub held: u64,
    /// How long it holds them, in ms: lowest and highest.
    pub hold_ms: (u64, u64),
    /// A key of a batch is not processed.
    pub unprocessed: u64,
    /// A page is short.
    pub short_page: u64,
    /// An index shows a change up to two minutes late.
    pub late_index: u64,
    /// The write units per second of one partition, which has three times as many read units; 0 for no limit.
    pub partition: u64,
}

/// Difficulties of the chain. All but `vanishing` are weights in 100,000: of a block, except the last three,
/// which are of a broadcast.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChainMenu {
    /// The last one to six blocks are replaced.
    pub reorganised: u64,
    /// In a reorganisation, a coin that somebody received is taken back: per mille.
    pub vanishing: u64,
    /// A server does not learn of the next one to ten blocks.
    pub stays_behind: u64,
    /// Rates rise up to fifty times, or fall again.
    pub rates: u64,
    /// The block is empty.
    pub empty: u64,
    /// Servers forget a part of their mempools.
    pub evicted: u64,
    /// An old version of a transaction reaches the miner.
    pub old_versions: u64,
    /// The coinbase also pays a user and the pool.
    pub coinbases: u64,
    /// A stranger sends a user or the pool hundreds or thousands of outputs with a rune.
    pub dust: u64,
    /// ord indexes a block with a division of the pool only once the next block arrives.
    pub behind_divisions: u64,
    /// A broadcast is accepted and forgotten.
    pub forgotten: u64,
    /// A broadcast is refused and relayed all the same.
    pub refused: u64,
    /// When the pool begins to pay out, fee rates rise for some blocks above what any payout may cost.
    pub spikes: u64,
}

/// How a server of the venue answers wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whim {
    /// It knows only the state of some seconds ago.
    Behind,
    /// It leaves out one answer of a batch.
    Missing,
    /// It refuses the batch.
    NoBatch,
    /// It answers in another form.
    Odd,
}

/// How long calls travel, in ms: lowest and highest.
#[derive(Clone, Copy, Debug)]
pub struct Latency {
    /// To the host.
    pub there: (u64, u64),
    /// Back to the caller.
    pub back: (u64, u64),
}

impl Default for Latency {
    fn default() -> Self {
        Self { there: (1, 12), back: (1, 6) }
    }
}

/// The difficulties of a seed.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// Weights of faults in 100,000 calls.
    pub faults: Vec<(Fault, u64)>,
    /// How long calls without a fault take.
    pub latency: Latency,
    /// How long they take on AWS, and how long computing and starting takes, instead of `latency`.
    pub model: Option<Model>,
    /// How long they take to hosts that are slower than the others, by name.
    pub slow_hosts: BTreeMap<&'static str, Latency>,
    /// Difficulties of DynamoDB.
    pub difficulty: Difficulty,
    /// How far clocks of instances may be off in either direction, in ms.
    pub skew_ms: u64,
    /// A message of a queue is delivered twice: per mille.
    pub repeated_messages: u64,
    /// A scheduled run is skipped: per mille.
    pub missed_runs: u64,
    /// A scheduled run is started twice: per mille.
    pub doubled_runs: u64,
    /// A client sends a request twice concurrently: per mille.
    pub doubled_requests: u64,
    /// What happens to the chain, and to the servers that report it.
    pub chain: ChainMenu,
    /// How servers of the perpetuals venue answer: weights in 100,000 calls.
    pub venue: Vec<(Whim, u64)>,
}

impl Menu {
    /// The menu of a seed.
    pub fn of(seed: u64) -> Self {
        // Half of all weights are zero; the others are spread over the whole range.
        let weight = |name: &str, most: u64| {
            let drawn = hash(seed, &format!("menu/{name}"));
            if drawn.is_multiple_of(2) { 0 } else { 1 + (drawn >> 8) % most }
        };
        let faults = MENU.map(|(fault, most)| (fault, weight(&format!("{fault:?}"), most)));
        Self {
            faults: faults.into_iter().filter(|(_, weight)| *weight > 0).collect(),
            latency: Latency::default(),
            model: None,
            slow_hosts: BTreeMap::new(),
            difficulty: Difficulty {
                held: weight("held", 300),
                hold_ms: (1, 80),
                unprocessed: weight("unprocessed", 150),
                short_page: weight("short page", 300),
                late_index: weight("late index", 500),
                partition: weight("partition", 100),
            },
            skew_ms: weight("skew", 5_000),
            repeated_messages: weight("repeated messages", 200),
            missed_runs: weight("missed runs", 300),
            doubled_runs: weight("doubled runs", 300),
            doubled_requests: weight("doubled requests", 200),
            chain: ChainMenu {
                reorganised: weight("reorganised", 20_000),
                vanishing: weight("vanishing", 300),
                stays_behind: weight("stays behind", 25_000),
                rates: weight("rates", 12_000),
                empty: weight("empty", 12_000),
                evicted: weight("evicted", 12_000),
                old_versions: weight("old versions", 18_000),
                coinbases: weight("coinbases", 20_000),
                dust: weight("dust", 4_000),
                behind_divisions: weight("behind divisions", 60_000),
                forgotten: weight("forgotten", 10_000),
                refused: weight("refused", 10_000),
                spikes: weight("spikes", 10_000),
            },
            venue: vec![
                (Whim::Behind, weight("venue behind", 30_000)),
                (Whim::Missing, weight("venue missing", 15_000)),
                (Whim::NoBatch, weight("venue no batch", 5_000)),
                (Whim::Odd, weight("venue odd", 10_000)),
            ],
        }
    }

    /// A menu with only these faults.
    pub fn only(faults: &[(Fault, u64)]) -> Self {
        Self { faults: faults.to_vec(), ..Self::default() }
    }
}
