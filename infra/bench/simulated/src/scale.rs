//! How many requests a second the service can serve, and what limits it.
//!
//! Calls, starts and computing take as long as [`simulation::model`] says. DynamoDB has its documented
//! limits: a partition serves 1,000 write and 3,000 read units a second, a new table or index 4,000 and
//! 12,000, and one that has grown 40,000, the quota. While a row is part of one transaction, it refuses
//! another. In the meantime, blocks are mined, the chain watcher and the sweep of events run, and a tenth of
//! the accounts have a webhook. Each kind of request is offered at higher and higher rates until some fail or
//! wait for too long.

use std::{net::IpAddr, time::Duration};

use futures_util::future::join_all;
use local::{Wallet, hub::swap};
use serde_json::{Value, json};
use shared::keys::EventList;
use simulation::{
    aws::{
        capacity::{PartitionLimits, TableLimits},
        dynamodb::DynamoDb,
    },
    faults::Menu,
    instances::Answer,
    model::Model,
    people::{Admin, Bidder, Call, Client, Session, sign_in},
    run::in_simulated_time,
    setup::{Stage, resources},
};
use store::Key;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{gateway, signed_in};

/// How long each rate is offered.
const SECONDS: u64 = 10;
/// The rate that is tried first.
const FIRST_RATE: u64 = 20;
/// No rate above this is tried: its accounts would run out of source addresses.
const LAST_RATE: u64 = 5_000;
/// The longest acceptable wait at the 99th percentile.
const LONGEST_WAIT: Duration = Duration::from_millis(1_500);
/// The longest acceptable wait for both requests of a batch, which also involve KMS, Esplora and ord.
const LONGEST_BATCH: Duration = Duration::from_millis(4_000);
/// Time between two blocks, so that one comes during each rate.
const BETWEEN_BLOCKS: Duration = Duration::from_secs(7);
/// The rate of batches for a mint that already has many.
const LATE_RATE: u64 = 100;
/// The number of batches that such a mint has.
const LATE: usize = 120_000;
/// Scripts that one transaction pays.
const GIFTS: usize = 1_000;
/// Tokens that are swapped.
const TOKENS: u64 = 20;
/// Swaps that most accounts register.
const SWAPS_OF_ACCOUNT: u64 = 5;
/// Swaps of one account that is busier than the others, at most: as many as its limit allows in an hour.
const SWAPS_OF_HOT_ACCOUNT: u64 = 60;
/// One account in this many has a webhook.
const ACCOUNTS_A_HOOK: usize = 10;

/// What is offered.
struct Kind {
    name: &'static str,
    title: &'static str,
    longest: Duration,
    /// The routes of the gateway, each with the number of requests on it.
    routes: &'static [(&'static str, u64)],
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "swaps",
        title: "registrations of swaps",
        longest: LONGEST_WAIT,
        routes: &[("ANY /api/xchain/{proxy+}", 1)],
    },
    Kind {
        name: "signups",
        title: "sign-ups with a wallet",
        longest: LONGEST_WAIT,
        routes: &[("ANY /auth/{proxy+}", 2)],
    },
    Kind {
        name: "batches",
        title: "batches, created and signed",
        longest: LONGEST_BATCH,
        routes: &[("ANY /api/vm-transactions", 1), ("ANY /api/vm-transactions/{proxy+}", 1)],
    },
];

/// The result of a rate.
pub(crate) struct Load {
    requests: usize,
    failed: usize,
    waited: [Duration; 2],
    calls: f64,
    /// Requests that Lambda refused, and instances that it started.
    refused: usize,
    starts: usize,
    /// What refused calls, the most frequent first.
    obstacles: Vec<(String, u64)>,
}

impl Load {
    fn is_served(&self, longest: Duration) -> bool {
        self.failed == 0 && self.waited[1] <= longest
    }

    /// What limits a rate that is not served.
    fn limited_by(&self) -> String {
        if self.refused > 0 {
            return "concurrent runs of the account".to_owned();
        }
        // The SDK repeats a few refused calls without an effect on the rate.
        let least = u64::try_from(self.requests / 20).unwrap_or(0).max(1);
        match self.obstacles.first().filter(|(_, times)| *times >= least) {
            Some((what, times)) => format!("{what} ({times} refusals)"),
            None => format!("the time of its calls ({} ms)", self.waited[1].as_millis()),
        }
    }
}

/// Measures these kinds of requests, and prints the results.
pub(crate) fn measure(kinds: &[&str]) {
    if kinds.is_empty() {
        return;
    }
    println!(
        "| Requests | Tables | Offered a second | Failed | Waited, p50 | p99 | DynamoDB calls a request | Starts |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut figures = Vec::new();
    for kind in KINDS.iter().filter(|kind| kinds.contains(&kind.name)) {
        let Kind { name, routes, .. } = kind;
        let (new, new_by) = limit(kind, "new", TableLimits::NEW);
        let (grown, grown_by) = limit(kind, "grown", TableLimits::QUOTA);
        let of_route =
            routes.iter().map(|(route, requests)| (gateway::rate_of(route) / requests, route));
        let (admitted, route) = of_route.min().expect("a route");
        let (served, by) = match new.min(admitted) == admitted {
            true => (admitted, format!("the gateway's rate of {route}")),
            false => (new, new_by.clone()),
        };
        figures.push(format!(
            "limit {name}: {served} a second, by {by}; behind the gateway {new} on new tables, by {new_by}, and {grown} on grown ones, by {grown_by}\n\
             figure {name}_per_second_limit {served}\n\
             figure {name}_per_second_on_new_tables {new}\n\
             figure {name}_per_second_on_grown_tables {grown}"
        ));
    }
    println!("\n{}", figures.join("\n"));
}

/// The highest rate that is served, and what limits the next one.
fn limit(kind: &Kind, name: &str, tables: TableLimits) -> (u64, String) {
    let (mut highest, mut rate) = (0, FIRST_RATE);
    loop {
        let load = in_simulated_time(1, async move {
            match kind.name {
                "swaps" => swaps(rate, tables).await,
                "signups" => sign_ups(rate, tables).await,
                _ => batches(rate, tables).await,
            }
        });
        let Load { failed, waited: [p50, p99], calls, starts, .. } = &load;
        println!(
            "| {} | {name} | {rate} | {failed} | {} ms | {} ms | {calls:.1} | {starts} |",
            kind.title,
            p50.as_millis(),
            p99.as_millis()
        );
        if !load.is_served(kind.longest) {
            return (highest, load.limited_by());
        }
        highest = rate;
        // Raise the rate by half, so the limit is known to within a third.
        rate += rate / 2;
        if rate > LAST_RATE {
            return (highest, "nothing that was tried".to_owned());
        }
    }
}

/// A world whose calls take as long as on AWS, with DynamoDB's limits.
pub(crate) fn stage(tables: TableLimits) -> Stage {
    let stage = Stage::quiet(Menu { model: Some(Model::DEFAULT), ..Menu::default() });
    {
        let mut world = stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        dynamodb.measure(Some(PartitionLimits::PUBLISHED));
        dynamodb.limit_tables(tables);
        dynamodb.forget_changes();
    }
    stage
}

/// A user with the source address and wallet of this number.
pub(crate) fn person(stage: &Stage, number: u64) -> (Client, Wallet) {
    let [high, low] = u16::try_from(number).unwrap().to_be_bytes();
    let source = IpAddr::from([10, 1, high, low]);
    let client = Client::from_source(&stage.lambda, &format!("person{number}"), source);
    (client, Wallet::evm(10_000 + number))
}

/// Gives an account a webhook, as far as its list of events is concerned.
pub(crate) fn hook(stage: &Stage, session: &Session) {
    let list = EventList::of_account(session.account.parse().expect("an account"));
    let no_events = json!({ "count": { "N": "0" }, "events": { "L": [] }, "hooks": { "N": "1" } });
    import(stage, &list.open(), "events", no_events);
}

/// Adds a row with these attributes.
pub(crate) fn import(stage: &Stage, key: &Key, entity: &str, mut row: Value) {
    let of_table = format!("{:?}", key.table()).to_lowercase();
    let tables = resources().tables;
    let table = tables.iter().find(|table| table.name.to_lowercase().contains(&of_table));
    row["pk"] = json!({ "S": key.pk() });
    row["sk"] = json!({ "S": key.sk() });
    row["entity"] = json!({ "S": entity });
    row["version"] = json!({ "N": "1" });
    let row = serde_json::from_value(row).expect("a row");
    let table = &table.expect("a table").name;
    stage.net.world().host::<DynamoDb>("dynamodb").import(table, row);
}

/// A user who has signed in.
pub(crate) async fn owner(stage: &Stage, number: u64) -> (Client, Wallet, Session) {
    let (mut client, wallet) = person(stage, number);
    let session = signed_in(&mut client, &wallet).await;
    (client, wallet, session)
}

/// Sends requests at a rate, each at its time, whether or not earlier ones are done, while everything else runs.
async fn offer<W: Future<Output = Answer>>(
    stage: &Stage,
    rate: u64,
    requests: impl Iterator<Item = W>,
) -> Load {
    let calls = |stage: &Stage| stage.net.world().host::<DynamoDb>("dynamodb").bills().len();
    let obstacles = |stage: &Stage| stage.net.world().host::<DynamoDb>("dynamodb").obstacles();
    let _workers = stage.work();
    // The first runs of the workers have begun.
    sleep(Duration::from_secs(61)).await;
    stage.lambda.retire();
    let (begun, calls_before) = (Instant::now(), calls(stage));
    let (obstacles_before, before) = (obstacles(stage), stage.lambda.concurrency());
    let answers = join_all(requests.zip(0_u32..).map(|(request, n)| async move {
        sleep_until(begun + Duration::from_secs(1) * n / u32::try_from(rate).unwrap()).await;
        let sent = Instant::now();
        (request.await, sent.elapsed())
    }));
    let blocks = async {
        loop {
            sleep(BETWEEN_BLOCKS).await;
            stage.find_block();
        }
    };
    let answers = tokio::select! {
        answers = answers => answers,
        () = blocks => unreachable!("blocks never end"),
    };
    let failed = answers.iter().filter(|(answer, _)| !(200..300).contains(&answer.status)).count();
    let mut waits: Vec<_> = answers.iter().map(|(_, waited)| *waited).collect();
    waits.sort_unstable();
    let waited = [waits[waits.len() / 2], waits[waits.len() * 99 / 100]];
    let calls = (calls(stage) - calls_before) as f64 / answers.len() as f64;
    let new = |(what, times): (String, u64)| {
        let earlier = obstacles_before.iter().find(|(other, _)| *other == what);
        (what, times - earlier.map_or(0, |(_, times)| *times))
    };
    let mut obstacles: Vec<_> = obstacles(stage).into_iter().map(new).collect();
    obstacles.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let after = stage.lambda.concurrency();
    let (refused, starts) = (after.refused - before.refused, after.starts - before.starts);
    Load { requests: answers.len(), failed, waited, calls, refused, starts, obstacles }
}

/// A swap of one of many pairs of tokens.
pub(crate) fn diverse(wallet: &Wallet, n: u64) -> Value {
    let token = |number: u64| format!("0x{:040x}", 0xaa00 + number % TOKENS);
    let mut body = serde_json::to_value(swap(wallet, n)).expect("a swap is JSON");
    body["inputToken"] = token(n).into();
    body["outputToken"] = token(n / TOKENS + n + 1).into();
    body
}

/// Swaps of many accounts, one of which has more than the others, with many pairs of tokens.
async fn swaps(rate: u64, tables: TableLimits) -> Load {
    let (stage, count) = (stage(tables), rate * SECONDS);
    let of_hot_account = SWAPS_OF_HOT_ACCOUNT.min(count / 10);
    let mut owners = Vec::new();
    for number in 0..=(count - of_hot_account).div_ceil(SWAPS_OF_ACCOUNT) {
        let owner = owner(&stage, number).await;
        if owners.len() % ACCOUNTS_A_HOOK == 0 {
            hook(&stage, &owner.2);
        }
        owners.push(owner);
    }
    let (hot, others) = owners.split_first().expect("accounts");
    let every = count / of_hot_account.max(1);
    let requests = (0..count).map(|n| {
        let is_hot = n % every == 0 && n / every < of_hot_account;
        let of_others = usize::try_from(n).unwrap() % others.len();
        let (client, wallet, session) = if is_hot { hot } else { &others[of_others] };
        let call = Call::post("/api/xchain/transactions/register", diverse(wallet, n));
        let call = call.bearer(&session.access);
        let mut client = client.clone();
        async move { client.send(&call).await }
    });
    offer(&stage, rate, requests).await
}

/// Sign-ups of strangers, each from its own source address.
async fn sign_ups(rate: u64, tables: TableLimits) -> Load {
    let (stage, count) = (stage(tables), rate * SECONDS);
    let requests = (0..count).map(|number| {
        let (mut client, wallet) = person(&stage, number);
        async move {
            match sign_in(&mut client, &wallet, None).await {
                Some(call) => client.send(&call).await,
                None => Answer::NONE,
            }
        }
    });
    offer(&stage, rate, requests).await
}

/// Creates a mint, as the first person.
pub(crate) async fn open_mint(stage: &Stage) {
    let mut admin = Admin::new(person(stage, 0).0, stage.chain.clone());
    let session = admin.sign_in().await.expect("a session");
    admin.promote(&session).await;
    let session = admin.sign_in().await.expect("a session");
    admin.create_mint(&session, 600, 40, 1).await;
}

/// Batches of many accounts in one mint, each with its own coin.
async fn batches(rate: u64, tables: TableLimits) -> Load {
    let stage = stage(tables);
    open_mint(&stage).await;
    offer_batches(&stage, rate, 1).await
}

/// Sends batches at a rate, each of another account with its own coin; `first` is the number of the first
/// account.
async fn offer_batches(stage: &Stage, rate: u64, first: u64) -> Load {
    let mut bidders = Vec::new();
    for number in first..first + rate * SECONDS {
        let (client, _) = person(stage, number);
        let mut bidder = Bidder::new(client, stage.chain.clone(), number);
        let token = bidder.token().await.expect("a session");
        bidders.push((bidder, token));
    }
    let scripts: Vec<_> = bidders.iter().filter_map(|(bidder, _)| bidder.script()).collect();
    for scripts in scripts.chunks(GIFTS) {
        let now = stage.net.now();
        stage.chain.lock().give_all(scripts, 40_000, now).expect("a gift");
    }
    stage.find_block();
    sleep(Duration::from_secs(60)).await;
    let requests = bidders.iter_mut().map(|(bidder, token)| async move {
        match bidder.create_batch(token, 1, 2_000).await {
            Some(psbt) => bidder.sign_batch(token, &psbt).await,
            None => Answer::NONE,
        }
    });
    offer(stage, rate, requests).await
}

/// Measures batches in a mint that already has many, and prints the results.
pub(crate) fn measure_late_batches() {
    println!(
        "| Batches of the mint before | Offered a second | Failed | Waited, p99 | DynamoDB calls a batch |"
    );
    println!("|---|---|---|---|---|");
    for earlier in [0, LATE] {
        let load = in_simulated_time(1, async move {
            let stage = stage(TableLimits::QUOTA);
            crate::blocks::fill_mempool(&stage, earlier).await;
            offer_batches(&stage, LATE_RATE, 2).await
        });
        let Load { failed, waited: [_, p99], calls, .. } = load;
        println!("| {earlier} | {LATE_RATE} | {failed} | {} ms | {calls:.1} |", p99.as_millis());
    }
    println!();
}
