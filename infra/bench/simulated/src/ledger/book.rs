//! The cost of the steps of an event.

use std::{collections::BTreeMap, time::Duration};

use simulation::{
    aws::{
        capacity::{Bill, Partition, PartitionLimits, Units},
        dynamodb::DynamoDb,
    },
    setup::Stage,
};
use tokio::time::sleep;

/// The chain watcher's runs.
const WATCHER: &str = "run chain-watcher";
/// Runs of the watcher that find nothing, in the measurement of one.
const IDLE_RUNS: u32 = 30;
/// Time from one block to the next.
const BLOCK_TIME: Duration = Duration::from_secs(600);

/// The head of the table.
pub(crate) const HEAD: &str = "| Event | Step | Write units | Read units |\n|---|---|---|---|";

fn total(bills: &[Bill]) -> Units {
    bills.iter().map(|bill| bill.units).sum()
}

/// Rounds to tenths.
fn of_one(units: u64, times: u32) -> f64 {
    (units as f64 * 10.0 / f64::from(times)).round() / 10.0
}

fn print((event, step): (&str, &str), units: Units, times: u32) {
    let (writes, reads) = (of_one(units.writes, times), of_one(units.half_reads, 2 * times));
    println!("| {event} | {step} | {writes} | {reads} |");
}

/// A place in the list of all calls.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

/// The world, and the costs measured in it.
pub(crate) struct Book {
    pub(crate) stage: Stage,
    /// The calls of a run of the watcher that finds nothing.
    idle: BTreeMap<(String, Option<Partition>), Units>,
    steps: Vec<(String, Units)>,
}

impl Book {
    /// Measures the costs of a world in which nothing happens.
    pub(crate) async fn open(stage: Stage) -> Self {
        let limits = Some(PartitionLimits::PUBLISHED);
        stage.net.world().host::<DynamoDb>("dynamodb").measure(limits);
        let mut book = Self { stage, idle: BTreeMap::new(), steps: Vec::new() };
        // Begin between two runs; the first run starts to follow the chain.
        sleep(Duration::from_secs(90)).await;
        let mark = book.mark();
        sleep(Duration::from_secs(60) * IDLE_RUNS).await;
        let bills = book.since(mark, WATCHER);
        println!("{HEAD}");
        print(
            ("A minute without anything", "a run of the chain watcher"),
            total(&bills),
            IDLE_RUNS,
        );
        book.idle = bills.into_iter().map(|it| ((it.operation, it.partition), it.units)).collect();
        book
    }

    /// The present end of the list of calls.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.stage.net.world().host::<DynamoDb>("dynamodb").bills().len())
    }

    /// The bills since a mark, for one kind of requests or messages.
    fn since(&self, Mark(from): Mark, kind: &str) -> Vec<Bill> {
        self.stage.bills_of(kind, from)
    }

    /// Records the cost of one kind of requests or messages, such as `POST /api/refund` or `message
    /// mail-worker`.
    pub(crate) fn enter(&mut self, step: &str, mark: Mark, kind: &str) {
        let bills = self.since(mark, kind);
        assert!(!bills.is_empty(), "no {kind}");
        self.steps.push((step.to_owned(), total(&bills)));
    }

    /// Records the cost of the watcher, beyond that of a run that finds nothing.
    pub(crate) fn enter_watched(&mut self, step: &str, mark: Mark) {
        let mut bills = self.since(mark, WATCHER);
        for bill in &mut bills {
            let idle = self.idle.get(&(bill.operation.clone(), bill.partition.clone()));
            bill.units = bill.units - idle.copied().unwrap_or_default();
        }
        self.steps.push((step.to_owned(), total(&bills)));
    }

    /// How many calls of the watcher have written something, beyond those of a run that finds nothing.
    pub(crate) fn writes_watched(&self, mark: Mark) -> usize {
        let bills = self.since(mark, WATCHER).into_iter();
        let known = |bill: &Bill| (bill.operation.clone(), bill.partition.clone());
        let written = bills.filter(|bill| bill.units.writes > 0);
        written.filter(|bill| !self.idle.contains_key(&known(bill))).count()
    }

    /// Prints the steps of an event that happened `times` times; returns the write units of one.
    pub(crate) fn close(&mut self, event: &str, times: u32) -> f64 {
        let steps = std::mem::take(&mut self.steps);
        for (step, units) in &steps {
            print((event, step), *units, times);
        }
        let all = steps.iter().map(|(_, units)| *units).sum();
        print((event, "in all"), all, times);
        of_one(all.writes, times)
    }

    /// Mines a block, and lets the watcher run until the next one is due.
    pub(crate) async fn block(&self) {
        self.stage.find_block();
        sleep(BLOCK_TIME).await;
    }

    /// Mines a block without payments, and lets the watcher run until the next one is due.
    pub(crate) async fn empty_block(&self) {
        self.stage.find_empty_block();
        sleep(BLOCK_TIME).await;
    }

    /// Mines blocks until `is_so` holds.
    pub(crate) async fn blocks_until(&self, what: &str, is_so: impl Fn(&Stage) -> bool) {
        for _block in 0..60 {
            if is_so(&self.stage) {
                return;
            }
            self.block().await;
        }
        panic!("after sixty blocks: not yet {what}");
    }
}
