//! Lists under concurrency, lost requests, lost answers, delays, crashes and clock skew: the members stay
//! `1..=count`, each exactly once, in the order of their times, whether they were appended directly or waited in
//! the tail of a log.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    missing_docs
)]

use shared::{keys, tables};
use std::{
    collections::BTreeSet,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};
use store::{
    CommitError, Entity, Key, Store, Writes, fields,
    lists::{self, List, Member, Order, PageWindow},
};

use base::{
    clock::Timestamp,
    random::{Random, SystemSource},
};
use local::{Fault, FaultyHttp, LocalStack, clock::LocalClock};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::JoinSet;

/// One writer: the faults of its network, the skew of its clock, and when it crashes.
#[derive(Clone, Debug)]
struct Appender {
    appends: u64,
    faults: Vec<Fault>,
    ahead_ms: i64,
    crash_after: Option<usize>,
}

/// Contents of a member: its writer, and the writer's sequence number.
type Value = (u64, u64);

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        6 => Just(Fault::Pass),
        1 => Just(Fault::LoseRequest),
        1 => Just(Fault::LoseAnswer),
        2 => Just(Fault::Conflict),
        1 => Just(Fault::InProgress),
        2 => (1_u64..30).prop_map(|ms| Fault::Delay(Duration::from_millis(ms))),
    ]
}

fn appender() -> impl Strategy<Value = Appender> {
    let crash = prop_oneof![2 => Just(None), 1 => (1_usize..16).prop_map(Some)];
    (1_u64..5, vec(fault(), 0..8), -5_000_i64..5_000, crash).prop_map(
        |(appends, faults, ahead_ms, crash_after)| Appender {
            appends,
            faults,
            ahead_ms,
            crash_after,
        },
    )
}

/// Appends to every list in turn, and records what was acknowledged.
async fn run(
    store: Store,
    who: u64,
    appends: u64,
    lists: Vec<List>,
    acknowledged: Arc<Mutex<Vec<(u64, u64)>>>,
) {
    for n in 0..appends {
        let draft = |_| (Writes::<Infallible>::new(), (who, n));
        if lists::append(&store, &lists, draft).await.is_ok() {
            acknowledged.lock().unwrap().push((who, n));
        }
    }
}

fn store(stack: &LocalStack, faults: Vec<Fault>, ahead_ms: i64) -> Store {
    store_over(stack, &FaultyHttp::new(faults), ahead_ms)
}

fn store_over(stack: &LocalStack, network: &FaultyHttp, ahead_ms: i64) -> Store {
    let config = &stack.app().config;
    let (clock, random) = (Arc::new(LocalClock::ahead_by(ahead_ms)), Arc::new(SystemSource));
    shared::core::store(&config.aws, config.tables.clone(), network.outbound(), (clock, random))
}

async fn interleave(stack: &LocalStack, appenders: &[Appender]) {
    let source: &dyn Random = &SystemSource;
    let name = source.id(stack.app().clock.now());
    let (all, odd) =
        (keys::lists::SCRATCH.list(name), keys::lists::scratch(&format!("{name}-odd")));
    let acknowledged = Arc::<Mutex<Vec<_>>>::default();
    let (mut tasks, mut networks) = (Vec::new(), Vec::new());
    for (who, appender) in (0_u64..).zip(appenders.iter().cloned()) {
        let network = FaultyHttp::new(appender.faults).outliving_callers();
        let store = store_over(stack, &network, appender.ahead_ms);
        networks.push(network.clone());
        let lists = if who % 2 == 1 { vec![all.clone(), odd.clone()] } else { vec![all.clone()] };
        let work = run(store, who, appender.appends, lists, acknowledged.clone());
        tasks.push(tokio::spawn(async move {
            network.run_until_crash(appender.crash_after, work).await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    // Requests sent before a crash still arrive.
    for network in networks {
        network.settle().await;
    }
    // The worker appends the tickets that crashed writers left in the tail.
    let worker = store(stack, Vec::new(), 60_000);
    lists::catch_up(&worker, keys::lists::SCRATCH).await.unwrap();
    assert_eq!(lists::catch_up(&worker, keys::lists::SCRATCH).await.unwrap(), Duration::ZERO);

    let acknowledged = acknowledged.lock().unwrap().clone();
    for (who, appender) in (0_u64..).zip(appenders) {
        // A writer without lost requests or crashes appends everything, however contended the list is.
        let loses = |fault: &Fault| matches!(fault, Fault::LoseRequest | Fault::LoseAnswer);
        if appender.crash_after.is_none() && !appender.faults.iter().any(loses) {
            let done = acknowledged.iter().filter(|(by, _)| *by == who).count();
            assert_eq!(done as u64, appender.appends, "{appender:?}");
        }
    }
    check(stack, &all, &acknowledged).await;
    let odd_ones: Vec<_> = acknowledged.into_iter().filter(|(who, _)| who % 2 == 1).collect();
    check(stack, &odd, &odd_ones).await;
}

async fn check(stack: &LocalStack, list: &List, acknowledged: &[(u64, u64)]) {
    let store = &stack.app().store;
    let members: Vec<Member<Value>> =
        lists::all(store, list, u64::MAX, None).await.unwrap().unwrap();
    let total = lists::total(store, list).await.unwrap();
    assert_eq!(
        members.iter().map(|member| member.n).collect::<Vec<_>>(),
        (1..=total).collect::<Vec<_>>()
    );
    assert!(
        members.windows(2).all(|pair| pair[0].created_at <= pair[1].created_at),
        "times go back: {members:?}"
    );
    let present: BTreeSet<_> = members.iter().map(|member| member.value).collect();
    assert_eq!(present.len(), members.len(), "appended twice: {members:?}");
    assert!(
        acknowledged.iter().all(|value| present.contains(value)),
        "lost: {acknowledged:?} {members:?}"
    );
}

#[test]
fn members_stay_dense_under_faults_of_the_writers() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let stack = runtime.block_on(LocalStack::start());
    let config =
        Config { cases: 8, max_shrink_iters: 16, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&vec(appender(), 2..7), |appenders| {
        runtime.block_on(interleave(&stack, &appenders));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// A ticket as its writer left it, or one of another version of the service.
#[derive(Serialize, Deserialize)]
struct LeftTicket {
    at: Timestamp,
    shares: serde_json::Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sums: Option<serde_json::Value>,
}

impl Entity for LeftTicket {
    const ENTITY: &'static str = "ticket";
}

/// Sums of this test.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Sums {
    up: i64,
    down: i64,
}

impl Entity for Sums {
    const ENTITY: &'static str = "sums";
}

fields!(Sums { UP: i64 = up, DOWN: i64 = down });

/// The worker appends the tickets of writers that died. A ticket that it cannot read stays where it is, delays no
/// other one, and counts in the age of the tail.
#[tokio::test]
async fn tickets_of_dead_writers_are_appended() {
    let stack = LocalStack::start().await;
    let store = &stack.app().store;
    let source: &dyn Random = &SystemSource;
    let name = source.id(stack.app().clock.now()).to_string();
    let list = keys::lists::SCRATCH.list(&name);
    let leave = async |part: u8, at: i64, shares: serde_json::Value, sums| {
        let (pk, sk) = (format!("tail#scratch#{part}"), format!("{at:015}#0a"));
        let key = Key::new(tables::ACTIVITY, pk, sk);
        store.put(&key, &LeftTicket { at: Timestamp(at), shares, sums }).await.unwrap();
        key
    };
    let summed = Key::new(tables::ACTIVITY, &name, "sums");
    let addition = |attribute: &str, by: i64| {
        let sum = json!({ "pk": name, "sk": "sums", "of": "sums", "attribute": attribute });
        json!({ "sum": sum, "by": by })
    };
    for n in 0..90_u64 {
        let share = json!({ "value": (7_u64, n), "lists": [name] });
        let sums = json!([addition("up", 2), addition("down", -1)]);
        leave((n % 4) as u8, 1_000 + n as i64, json!([share]), (n % 3 == 0).then_some(sums)).await;
    }
    let newer = leave(2, 500, json!({ "a newer": "form" }), None).await;
    let waited = lists::catch_up(store, keys::lists::SCRATCH).await.unwrap();
    assert!(waited > Duration::from_secs(1_000_000), "{waited:?}");
    let members: Vec<Member<Value>> = lists::all(store, &list, 1_000, None).await.unwrap().unwrap();
    let values: Vec<_> = members.into_iter().map(|member| member.value).collect();
    assert_eq!(values, (0..90).map(|n| (7, n)).collect::<Vec<_>>());
    assert_eq!(store.get::<Sums>(&summed).await.unwrap(), Some(Sums { up: 60, down: -30 }));
    assert!(store.get::<LeftTicket>(&newer).await.unwrap().is_some());
    let waited = lists::catch_up(store, keys::lists::SCRATCH).await.unwrap();
    assert!(waited > Duration::from_secs(1_000_000), "its age counts: {waited:?}");
    store.delete(&newer).await.unwrap();
    assert_eq!(lists::catch_up(store, keys::lists::SCRATCH).await.unwrap(), Duration::ZERO);
}

/// Twenty concurrent writers add to the same sum, each with a row of its own: nothing is added twice or lost, and each
/// addition is in the sum once its writer has an answer.
#[tokio::test(flavor = "multi_thread")]
async fn sums_to_which_many_add_are_exact() {
    let stack = LocalStack::start().await;
    let store = &stack.app().store;
    let source: &dyn Random = &SystemSource;
    let name = source.id(stack.app().clock.now()).to_string();
    let key = |sk: &str| Key::new(tables::ACTIVITY, &name, sk);
    let mut writers = JoinSet::new();
    for n in 0..20_i64 {
        let (store, own, summed) = (store.clone(), key(&format!("own{n}")), key("sums"));
        writers.spawn(async move {
            let writes = Writes::<()>::new().insert(&own, &Sums { up: n, down: n }, ());
            let writes = writes.tally(&summed, Sums::UP, n).tally(&summed, Sums::DOWN, -1);
            lists::commit(&store, keys::lists::SCRATCH, writes.clone()).await.unwrap();
            // Its own row is there: the condition holds no more, and nothing is added.
            let again = lists::commit(&store, keys::lists::SCRATCH, writes).await;
            assert!(matches!(again, Err(CommitError::Condition(()))), "{again:?}");
        });
    }
    writers.join_all().await;
    assert_eq!(store.get::<Sums>(&key("sums")).await.unwrap(), Some(Sums { up: 190, down: -20 }));
    assert_eq!(lists::catch_up(store, keys::lists::SCRATCH).await.unwrap(), Duration::ZERO);
}

/// Members that were appended together share a row, and pages, ranges and searches do not show it.
#[test]
fn rows_of_several_members_read_like_rows_of_one() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stack = runtime.block_on(LocalStack::start());
    let config =
        Config { cases: 12, max_shrink_iters: 16, failure_persistence: None, ..Config::default() };
    let rows = vec(1_u64..90, 1..7);
    let outcome = TestRunner::new(config).run(&(rows, 1_u64..60), |(rows, size)| {
        runtime.block_on(read_every_way(&stack, &rows, size));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

async fn read_every_way(stack: &LocalStack, rows: &[u64], size: u64) {
    let (store, source): (_, &dyn Random) = (&stack.app().store, &SystemSource);
    let list = keys::lists::scratch(&source.id(stack.app().clock.now()).to_string());
    for (row, count) in (0_u64..).zip(rows) {
        let draft = |_| {
            let values = (0..*count).map(|n| (0_usize, (row, n))).collect();
            (Writes::<Infallible>::new(), values)
        };
        lists::append_each(store, std::slice::from_ref(&list), draft).await.unwrap();
    }
    let all: Vec<Member<Value>> = lists::all(store, &list, u64::MAX, None).await.unwrap().unwrap();
    let count = all.len() as u64;
    assert_eq!(count, rows.iter().sum::<u64>());
    assert!(all.iter().map(|member| member.n).eq(1..=count));
    assert!(all.windows(2).all(|pair| pair[0].value < pair[1].value), "{all:?}");
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let mut seen = Vec::new();
        for page in 1..=count.div_ceil(size) {
            let window = PageWindow { page, size };
            let slice = lists::page::<Value>(store, &list, window, order, None).await.unwrap();
            assert_eq!(slice.total, count);
            seen.extend(slice.members);
        }
        if order == Order::NewestFirst {
            seen.reverse();
        }
        assert_eq!(seen, all);
    }
    for n in [1, count.div_ceil(3), count] {
        let range = (n, count.min(n + size));
        let part = lists::between::<Value>(store, &list, range).await.unwrap();
        assert_eq!(part, all[n as usize - 1..range.1 as usize]);
        let at = all[n as usize - 1].created_at;
        let first = all.iter().position(|member| member.created_at >= at).unwrap() as u64 + 1;
        assert_eq!(lists::first_from(store, &list, count, at).await.unwrap(), first);
    }
}
