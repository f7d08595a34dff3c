//! Lists of events under concurrency, lost requests, lost answers, delays, crashes and clock skew: events are numbered
//! `1..=count`, and each committed change has exactly one event.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    missing_docs
)]

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use base::random::{Random, SystemSource};
use local::{Fault, FaultyHttp, LocalStack, clock::LocalClock};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde::{Deserialize, Serialize};
use shared::{
    events::{self, Event, EventPage, EventWrites, EventsError},
    keys::EventList,
    models::event::{EventType, StateChange},
    tables,
};
use store::{CommitError, Entity, Key, Store, Writes};
use tokio::task::JoinSet;

/// The row that a writer inserts with each change.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Changed {
    by: String,
}

impl Entity for Changed {
    const ENTITY: &'static str = "changed";
}

/// A writer: the number of its changes, the events that it appends for each change, the faults of its network, the skew of
/// its clock, and the number of requests after which it crashes.
#[derive(Clone, Debug)]
struct Teller {
    changes: u64,
    together: u64,
    faults: Vec<Fault>,
    ahead_ms: i64,
    crash_after: Option<usize>,
}

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

fn teller() -> impl Strategy<Value = Teller> {
    let crash = prop_oneof![2 => Just(None), 1 => (1_usize..16).prop_map(Some)];
    (1_u64..9, 1_u64..12, vec(fault(), 0..12), -5_000_i64..5_000, crash).prop_map(
        |(changes, together, faults, ahead_ms, crash_after)| Teller {
            changes,
            together,
            faults,
            ahead_ms,
            crash_after,
        },
    )
}

fn store(stack: &LocalStack, faults: Vec<Fault>, ahead_ms: i64) -> Store {
    store_over(stack, &FaultyHttp::new(faults), ahead_ms)
}

fn store_over(stack: &LocalStack, network: &FaultyHttp, ahead_ms: i64) -> Store {
    let config = &stack.app().config;
    let (clock, random) = (Arc::new(LocalClock::ahead_by(ahead_ms)), Arc::new(SystemSource));
    shared::core::store(&config.aws, config.tables.clone(), network.outbound(), (clock, random))
}

fn name(stack: &LocalStack) -> String {
    let source: &dyn Random = &SystemSource;
    source.id(stack.app().clock.now()).to_string()
}

fn row(name: &str, subject: &str) -> Key {
    Key::new(tables::ACTIVITY, format_args!("scratch#{name}"), subject)
}

fn change(subject: &str) -> StateChange {
    StateChange::of_state(EventType::Transaction, subject, Some("before"), "after")
}

/// Inserts a row, and appends `together` events to each list in the same commit.
async fn make(
    store: &Store,
    name: &str,
    subject: &str,
    lists: &[EventList],
    together: u64,
) -> Result<(), CommitError<()>> {
    let by = subject.to_owned();
    let mut writes = Writes::new().insert(&row(name, subject), &Changed { by }, ());
    for list in lists {
        for n in 0..together {
            writes = writes.tell(list.clone(), change(&format!("{subject}/{n}")));
        }
    }
    store.commit(writes).await
}

/// All events, read in pages.
async fn all(store: &Store, list: &EventList, limit: usize) -> Vec<Event> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let Some(page) = events::read(store, list, after, limit, &[]).await.unwrap() else {
            return found;
        };
        assert!(page.events.len() <= limit);
        assert!(page.next > after.unwrap_or_default() || page.next == page.newest, "{page:?}");
        found.extend(page.events);
        if page.next == page.newest {
            assert!(found.iter().map(|event| event.sequence).eq(1..=page.newest), "{found:?}");
            assert_eq!(page.oldest, 1);
            return found;
        }
        after = Some(page.next);
    }
}

/// Checks that a list has the events of these changes, each once, and no others.
async fn check(store: &Store, list: &EventList, made: &BTreeSet<(String, u64)>) {
    let told = all(store, list, 7).await;
    let subjects: BTreeSet<_> = told.iter().map(|event| event.change.subject.clone()).collect();
    assert_eq!(subjects.len(), told.len(), "told twice: {told:?}");
    let expected = made
        .iter()
        .flat_map(|(subject, together)| (0..*together).map(move |n| format!("{subject}/{n}")));
    assert_eq!(subjects, expected.collect::<BTreeSet<_>>());
}

async fn interleave(stack: &LocalStack, tellers: &[Teller]) {
    let name = name(stack);
    let lists = [EventList::scratch(&name), EventList::scratch(&format!("{name}-odd"))];
    let acknowledged = Arc::<Mutex<Vec<_>>>::default();
    let (mut tasks, mut networks) = (Vec::new(), Vec::new());
    for (who, teller) in tellers.iter().cloned().enumerate() {
        let network = FaultyHttp::new(teller.faults).outliving_callers();
        let store = store_over(stack, &network, teller.ahead_ms);
        networks.push(network.clone());
        let lists = lists[..=who % 2].to_vec();
        let (name, acknowledged) = (name.clone(), acknowledged.clone());
        let work = async move {
            for n in 0..teller.changes {
                let subject = format!("{who}-{n}");
                if make(&store, &name, &subject, &lists, teller.together).await.is_ok() {
                    acknowledged.lock().unwrap().push(subject);
                }
            }
        };
        tasks.push(tokio::spawn(async move {
            network.run_until_crash(teller.crash_after, work).await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    // Requests sent before a crash still arrive.
    for network in networks {
        network.settle().await;
    }

    let reader = store(stack, Vec::new(), 0);
    let acknowledged = acknowledged.lock().unwrap().clone();
    let (mut made, mut odd) = (BTreeSet::new(), BTreeSet::new());
    for (who, teller) in tellers.iter().enumerate() {
        for n in 0..teller.changes {
            let subject = format!("{who}-{n}");
            let is_made = reader.get::<Changed>(&row(&name, &subject)).await.unwrap().is_some();
            assert!(is_made || !acknowledged.contains(&subject), "lost: {subject}");
            if is_made {
                if who % 2 == 1 {
                    odd.insert((subject.clone(), teller.together));
                }
                made.insert((subject, teller.together));
            }
        }
        // A writer without lost requests or crashes makes every change, however many others write.
        let loses = |fault: &Fault| matches!(fault, Fault::LoseRequest | Fault::LoseAnswer);
        if teller.crash_after.is_none() && !teller.faults.iter().any(loses) {
            let own = made.iter().filter(|(subject, _)| subject.starts_with(&format!("{who}-")));
            assert_eq!(own.count() as u64, teller.changes, "{teller:?}");
        }
    }
    check(&reader, &lists[0], &made).await;
    check(&reader, &lists[1], &odd).await;
}

#[test]
fn a_change_is_told_exactly_if_it_was_made() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let stack = runtime.block_on(LocalStack::start());
    let config =
        Config { cases: 12, max_shrink_iters: 16, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&vec(teller(), 2..7), |tellers| {
        runtime.block_on(interleave(&stack, &tellers));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Each fault hits each request of a writer in turn, including those that close a row.
#[tokio::test]
async fn no_fault_of_any_request_loses_or_doubles_an_event() {
    let stack = LocalStack::start().await;
    let reader = store(&stack, Vec::new(), 0);
    for fault in [Fault::LoseRequest, Fault::LoseAnswer, Fault::Conflict, Fault::InProgress] {
        for place in 0..10 {
            let name = name(&stack);
            let list = EventList::scratch(&name);
            let mut made = BTreeSet::new();
            for n in 0..6 {
                let subject = format!("early-{n}");
                make(&reader, &name, &subject, std::slice::from_ref(&list), 1).await.unwrap();
                made.insert((subject, 1));
            }
            let mut faults = vec![Fault::Pass; place];
            // As many failures as the SDK would retry by itself.
            faults.extend(vec![fault; 3]);
            let writer = store(&stack, faults, 0);
            for n in 0..4 {
                let subject = format!("late-{n}");
                let told = make(&writer, &name, &subject, std::slice::from_ref(&list), 1).await;
                let is_made = reader.get::<Changed>(&row(&name, &subject)).await.unwrap();
                assert!(is_made.is_some() || told.is_err());
                if is_made.is_some() {
                    made.insert((subject, 1));
                }
            }
            check(&reader, &list, &made).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_writers_leave_no_gaps_or_duplicates() {
    let stack = LocalStack::start().await;
    let name = name(&stack);
    let list = EventList::scratch(&name);
    let mut writers = JoinSet::new();
    for who in 0..20 {
        let store = store(&stack, Vec::new(), 0);
        let (name, lists) = (name.clone(), vec![list.clone()]);
        writers.spawn(async move {
            for n in 0..10 {
                make(&store, &name, &format!("{who}-{n}"), &lists, 1).await.unwrap();
            }
        });
    }
    writers.join_all().await;
    let reader = store(&stack, Vec::new(), 0);
    let made = (0..20).flat_map(|who| (0..10).map(move |n| (format!("{who}-{n}"), 1)));
    check(&reader, &list, &made.collect()).await;
    assert_eq!(all(&reader, &list, 100).await.len(), 200);
}

#[tokio::test]
async fn a_change_whose_condition_fails_has_no_event() {
    let stack = LocalStack::start().await;
    let (store, name) = (store(&stack, Vec::new(), 0), name(&stack));
    let lists = [EventList::scratch(&name)];
    for n in 0..20 {
        let subject = format!("{}", n / 2);
        let made = make(&store, &name, &subject, &lists, 1).await;
        match n % 2 {
            0 => made.unwrap(),
            _ => assert!(matches!(made, Err(CommitError::Condition(()))), "{made:?}"),
        }
    }
    check(&store, &lists[0], &(0..10).map(|n| (n.to_string(), 1)).collect()).await;
}

/// A commit with ninety-nine other actions has room for its event only: it appends to a full row without closing it.
#[tokio::test]
async fn a_commit_with_ninety_nine_actions_appends_its_event() {
    let stack = LocalStack::start().await;
    let (store, name) = (store(&stack, Vec::new(), 0), name(&stack));
    let list = EventList::scratch(&name);
    for round in 0..12 {
        let mut writes = Writes::<()>::new().tell(list.clone(), change(&round.to_string()));
        for n in 0..99 {
            let changed = Changed { by: String::new() };
            writes = writes.put(&row(&name, &format!("{round}-{n}")), &changed, ());
        }
        store.commit(writes).await.unwrap();
    }
    // A commit with room closes the long row.
    store.commit(Writes::<()>::new().tell(list.clone(), change("12"))).await.unwrap();
    let told = all(&store, &list, 5).await;
    let subjects: Vec<_> = told.into_iter().map(|event| event.change.subject).collect();
    assert_eq!(subjects, (0..13).map(|n| n.to_string()).collect::<Vec<_>>());
}

async fn page(
    store: &Store,
    list: &EventList,
    after: Option<u64>,
    types: &[EventType],
) -> Result<EventPage, EventsError> {
    Ok(events::read(store, list, after, 100, types).await?.unwrap())
}

#[tokio::test]
async fn events_are_read_by_number_type_and_age() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
    let stack = LocalStack::start().await;
    let list = EventList::scratch(&name(&stack));
    let at = |days: i64| store(&stack, Vec::new(), days * DAY_MS);
    assert!(events::read(&at(0), &list, None, 100, &[]).await.unwrap().is_none());
    // An event a day.
    for day in 0..30 {
        let kind = if day % 3 == 0 { EventType::Refund } else { EventType::Transaction };
        let change = StateChange::of_state(kind, day, None, "new");
        at(day).commit(Writes::<()>::new().tell(list.clone(), change)).await.unwrap();
    }
    let numbers =
        |page: &EventPage| -> Vec<u64> { page.events.iter().map(|event| event.sequence).collect() };
    let some = page(&at(30), &list, Some(12), &[]).await.unwrap();
    assert_eq!((some.next, some.newest, some.oldest), (30, 30, 1));
    assert_eq!(numbers(&some), (13..=30).collect::<Vec<_>>());
    let refunds = page(&at(30), &list, Some(3), &[EventType::Refund]).await.unwrap();
    assert_eq!(refunds.next, 30);
    assert_eq!(numbers(&refunds), (4..=28).step_by(3).collect::<Vec<_>>());
    let few =
        events::read(&at(30), &list, Some(0), 2, &[EventType::Refund]).await.unwrap().unwrap();
    assert_eq!((numbers(&few), few.next), (vec![1, 4], 4));
    let none = page(&at(30), &list, Some(30), &[]).await.unwrap();
    assert_eq!((none.events.len(), none.next), (0, 30));
    let beyond = page(&at(30), &list, Some(31), &[]).await;
    assert!(matches!(beyond, Err(EventsError::NotYet { newest: 30 })), "{beyond:?}");
    // Some have expired, up to the middle of a closed row. Whether DynamoDB has deleted them makes no difference.
    for day in [92_i64, 100, 113] {
        let oldest = u64::try_from(day).unwrap() - 90 + 2;
        let kept = page(&at(day), &list, None, &[]).await.unwrap();
        assert_eq!((kept.oldest, kept.newest), (oldest, 30), "{day}");
        assert_eq!(numbers(&kept), (oldest..=30).collect::<Vec<_>>());
        assert_eq!(page(&at(day), &list, Some(oldest - 1), &[]).await.unwrap(), kept);
        let old = page(&at(day), &list, Some(oldest - 2), &[]).await;
        assert!(
            matches!(old, Err(EventsError::TooOld { oldest: o, .. }) if o == oldest),
            "{old:?}"
        );
    }
    // All have expired, and the next event still gets the next number.
    let empty = page(&at(200), &list, None, &[]).await.unwrap();
    assert_eq!((empty.oldest, empty.newest, empty.events.len(), empty.next), (31, 30, 0, 30));
    let old = page(&at(200), &list, Some(0), &[]).await;
    assert!(matches!(old, Err(EventsError::TooOld { oldest: 31, .. })), "{old:?}");
    let change = StateChange::of_state(EventType::Refund, "late", None, "new");
    at(200).commit(Writes::<()>::new().tell(list.clone(), change)).await.unwrap();
    let last = page(&at(200), &list, Some(30), &[]).await.unwrap();
    assert_eq!((numbers(&last), last.oldest), (vec![31], 31));
}

/// A reader extends the time until which a list is marked as read. Of concurrent readers with the same head, one succeeds. The
/// number of the last pushed event never decreases.
#[tokio::test]
async fn one_concurrent_reader_extends_the_mark_and_pushed_numbers_never_decrease() {
    let stack = LocalStack::start().await;
    let store = &store(&stack, Vec::new(), 0);
    let list = &EventList::scratch(&name(&stack));
    let tell = async || {
        store.commit(Writes::<()>::new().tell(list.clone(), change("a"))).await.unwrap();
        events::head(store, list).await.unwrap()
    };
    let head = tell().await;
    assert_eq!((head.newest, head.read_until, head.pushed, head.due_at), (1, None, None, None));
    let now = store.now();
    let until = now.plus(Duration::from_secs(60));
    let read = |head| Writes::new().read_until(list, head, (now, until), ());
    let at_once = (0..20).map(|_| {
        let (store, writes) = (store.clone(), read(&head));
        async move { store.commit(writes).await }
    });
    let outcomes: Vec<_> = at_once.collect::<JoinSet<_>>().join_all().await;
    let first = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(first, 1, "{outcomes:?}");
    let lost = |outcome: &Result<(), _>| matches!(outcome, Err(CommitError::Condition(())));
    assert_eq!(outcomes.iter().filter(|outcome| lost(outcome)).count(), 19, "{outcomes:?}");

    let head = tell().await;
    assert!(head.is_read(now) && !head.is_read(until) && head.due_at.is_some());
    assert_eq!((head.newest, head.pushed), (2, Some(1)), "the next one to push is the second");
    // The mark is extended, and pushing continues after the same event.
    let longer = until.plus(Duration::from_secs(60));
    let writes = Writes::new().read_until(list, &head, (now, longer), ());
    store.commit(writes).await.unwrap();
    let newer = tell().await;
    assert_eq!((newer.read_until, newer.pushed), (Some(longer), Some(1)));
    // A run with an outdated head records what it pushed, but cannot take the list out of the queue.
    let told = |head| store.commit(Writes::new().told_up_to(list, head, ()));
    assert!(lost(&told(&head).await));
    let pushed = |number| store.commit(Writes::new().pushed_up_to(list, number, ()));
    pushed(2).await.unwrap();
    assert!(lost(&pushed(1).await), "an earlier run that records late is refused");
    let head = events::head(store, list).await.unwrap();
    assert_eq!((head.newest, head.pushed, head.due_at), (3, Some(2), newer.due_at));
    told(&head).await.unwrap();
    let head = events::head(store, list).await.unwrap();
    assert_eq!((head.pushed, head.due_at), (Some(3), None));
    let heads = events::heads(store, &[EventList::scratch("none"), list.clone()]).await.unwrap();
    assert_eq!(heads, [None, Some(head)]);
}
