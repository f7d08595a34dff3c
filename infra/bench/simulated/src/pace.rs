//! Whether the work that follows requests keeps pace with them: swaps whose clients never ask for their
//! status, events on their way to sockets, and blocks found at any second of a minute.

use std::{collections::BTreeMap, time::Duration};

use local::app::App;
use serde_json::json;
use shared::{
    events::EventWrites,
    http::Routes,
    keys::{self, EventList},
    models::event::{EventType, StateChange},
};
use simulation::{
    aws::{
        capacity::TableLimits,
        dynamodb::{DynamoDb, text},
        sockets::{Post, Sockets},
    },
    hub::Hub,
    instances::Function,
    people::Call,
    run::in_simulated_time,
    setup::Stage,
    wire::Invocation,
};
use store::Writes;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    blocks, gateway,
    scale::{diverse, hook, import, owner, stage},
};

/// Swaps that are registered, at the gateway's rate.
const SWAPS: u64 = 6_000;
/// Swaps of each account.
const SWAPS_OF_ACCOUNT: u64 = 20;
/// How long a swap stays at each of its four steps at the hub, in ms.
const STEP_MS: i64 = 10_000;
/// How long to wait for the swaps after the last one was registered.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Sockets that read a list.
const SOCKETS: usize = 50;
/// Events of that list, each next to a swap of an account with a webhook.
const EVENTS: u64 = 200;
/// The pause between two of them, which shares no divisor with the pauses of the sweep.
const BETWEEN_EVENTS: Duration = Duration::from_millis(613);
/// The seconds of a minute at which blocks are found.
const SECONDS: [u64; 6] = [2, 12, 22, 32, 42, 52];

/// Measures the pace, and prints the results.
pub(crate) fn measure() {
    let (over, seconds) = in_simulated_time(1, swap_lives());
    println!("| Swaps registered | Over | After, s |");
    println!("|---|---|---|");
    println!("| {SWAPS} | {over} | {seconds:.0} |");
    let lives = over as f64 / seconds;
    let mut delays = in_simulated_time(1, events_to_sockets());
    delays.sort_unstable();
    let [p50, p99] = [delays.len() / 2, delays.len() * 99 / 100].map(|place| delays[place]);
    println!("\n| Events | To a socket, p50 | p99 |\n|---|---|---|");
    println!("| {} | {p50} ms | {p99} ms |", delays.len());
    println!("\n| Second of the minute | From the block to the last row and the page, s |");
    println!("|---|---|");
    let mut waits: Vec<_> = SECONDS
        .into_iter()
        .map(|second| {
            let waited = in_simulated_time(1, blocks::block_found_at(second));
            println!("| {second} | {:.1} |", waited.as_secs_f64());
            waited.as_millis()
        })
        .collect();
    waits.sort_unstable();
    println!("\nfigure swap_lives_per_second {lives:.1}");
    println!("figure event_to_socket_p50_ms {p50}\nfigure event_to_socket_p99_ms {p99}");
    println!("figure block_to_page_p50_ms {}", waits[waits.len() / 2]);
    // With so few values, the longest stands for the 99th percentile.
    println!("figure block_to_page_p99_ms {}", waits[waits.len() - 1]);
}

/// How many swaps the hub has filled according to their rows.
fn filled(stage: &Stage) -> u64 {
    let mut world = stage.net.world();
    let rows = world.host::<DynamoDb>("dynamodb").rows();
    let is_filled = |status| status == Some("filled");
    let filled = rows.filter(|(_, _, row)| {
        text(row, "entity") == Some("xchainRecord") && is_filled(text(row, "status"))
    });
    u64::try_from(filled.count()).expect("a number")
}

/// Registers swaps at the rate of the gateway, and waits until all are finished; returns how many are, and
/// how many seconds the last one took.
async fn swap_lives() -> (u64, f64) {
    let stage = stage(TableLimits::QUOTA);
    let mut owners = Vec::new();
    for number in 0..SWAPS / SWAPS_OF_ACCOUNT {
        owners.push(owner(&stage, number).await);
    }
    let _workers = stage.work();
    let rate = u32::try_from(gateway::rate_of("ANY /api/xchain/{proxy+}")).expect("a rate");
    let begun = Instant::now();
    let requests = (0_u32..).zip(0..SWAPS).map(|(place, n)| {
        let owner = usize::try_from(n).expect("a number") % owners.len();
        let (client, wallet, session) = &owners[owner];
        let body = diverse(wallet, n);
        let (mut client, net) = (client.clone(), stage.net.clone());
        async move {
            sleep_until(begun + Duration::from_secs(1) * place / rate).await;
            net.world().host::<Hub>("hub").begin(&body, net.now(), STEP_MS);
            let call = Call::post("/api/xchain/transactions/register", body);
            client.send(&call.bearer(&session.access)).await
        }
    });
    let answers = futures_util::future::join_all(requests).await;
    let registered = answers.iter().filter(|answer| (200..300).contains(&answer.status)).count();
    assert_eq!(u64::try_from(registered).expect("a number"), SWAPS, "all are registered");
    let (mut over, mut last, until) = (0, begun.elapsed(), Instant::now() + LONGEST);
    while over < SWAPS && Instant::now() < until {
        sleep(Duration::from_secs(1)).await;
        let now = filled(&stage);
        if now > over {
            (over, last) = (now, begun.elapsed());
        }
    }
    (over, last.as_secs_f64())
}

/// Writes events of a list that sockets read, while swaps of accounts with webhooks are registered; returns how long
/// each event takes from its commit to the last socket, in ms.
async fn events_to_sockets() -> Vec<i64> {
    let stage = stage(TableLimits::QUOTA);
    let list = EventList::named("mint#018bcfe5-6800-7000-8000-000000000002");
    let number = |number: i64| json!({ "N": number.to_string() });
    let later = stage.net.now() + 24 * 60 * 60 * 1_000;
    let read = json!({
        "count": number(0), "events": { "L": [] }, "readUntil": number(later), "pushed": number(0),
    });
    import(&stage, &list.open(), "events", read);
    for socket in 0..SOCKETS {
        let place = format!("socket{socket:03}");
        let reader = json!({
            "place": { "S": place }, "socket": { "S": place }, "expiresAt": number(later / 1_000),
        });
        import(&stage, &keys::reader(&list, &place), "reader", reader);
    }
    let mut owners = Vec::new();
    for number in 0..EVENTS {
        let owner = owner(&stage, number).await;
        hook(&stage, &owner.2);
        owners.push(owner);
    }
    let _workers = stage.work();
    sleep(Duration::from_secs(61)).await;
    let mut written = Vec::new();
    for (n, (client, wallet, session)) in (0..).zip(&mut owners) {
        let call = Call::post("/api/xchain/transactions/register", diverse(wallet, n));
        client.send(&call.bearer(&session.access)).await;
        commit_event(&stage, &list).await;
        written.push(stage.net.now());
        sleep(BETWEEN_EVENTS).await;
    }
    sleep(Duration::from_secs(120)).await;
    let posts = stage.net.world().host::<Sockets>("sockets").posts.clone();
    let last_post = |(sequence, at): (u64, i64)| {
        let tells = |post: &&Post| {
            let newest = post.body["lists"][0]["newest"].as_u64();
            newest.is_some_and(|newest| newest >= sequence)
        };
        // The first post of each socket that has the event.
        let mut first = BTreeMap::new();
        for post in posts.iter().filter(tells) {
            first.entry(&post.connection).or_insert(post.at);
        }
        assert_eq!(first.len(), SOCKETS, "event {sequence} reaches every socket");
        first.into_values().max().expect("a socket") - at
    };
    (1..).zip(written).map(last_post).collect()
}

/// Appends an event to a list, as a function does.
async fn commit_event(stage: &Stage, list: &EventList) {
    let change = StateChange::of_state(EventType::VmBlock, "mint", None, "block");
    let told = Writes::<()>::new().tell(list.clone(), change);
    let function =
        Function { name: "bench", routes: |_| Routes::new(), limit: Duration::from_secs(30) };
    let number = stage.net.begin(Invocation { what: "event".to_owned(), ..Invocation::default() });
    let work = |app: App, _| async move { app.store.commit(told).await.is_ok() };
    let done = stage.lambda.invoke(function, number, work).await;
    stage.net.end(number, Some(200), "");
    assert_eq!(done, Some(true), "the event is written");
}
