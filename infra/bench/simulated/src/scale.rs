//! How many requests a second the service can serve.
//!
//! DynamoDB has its documented limits: a partition serves 1,000 write and 3,000 read units a second, and a
//! row that is part of one transaction refuses another. A call takes 10 to 30 ms; a transaction holds its
//! rows for 9 ms of that.

use std::{net::IpAddr, time::Duration};

use futures_util::future::join_all;
use local::{Wallet, hub::swap};
use simulation::{
    aws::{capacity::PartitionLimits, dynamodb::DynamoDb},
    faults::{Difficulty, Latency, Menu},
    instances::Answer,
    people::{Admin, Bidder, Call, Client, sign_in},
    run::in_simulated_time,
    setup::Stage,
};
use tokio::time::{Instant, sleep, sleep_until};

use crate::signed_in;

/// How many requests each rate sends; a rate lasts at least 10 s and at most 30 s.
const REQUESTS: u64 = 1_200;
/// The longest acceptable wait at the 99th percentile.
const LONGEST_WAIT: Duration = Duration::from_millis(500);
/// The longest acceptable wait for both requests of a batch, which also involve KMS, Esplora and ord.
const LONGEST_BATCH: Duration = Duration::from_millis(2_000);
/// How long each rate of batches lasts.
const SECONDS_OF_BATCHES: u64 = 10;
/// The rate of batches for a mint that already has many.
const LATE_RATE: u64 = 200;
/// The number of batches that such a mint has: as many as that rate makes in ten minutes.
const LATE: usize = 120_000;
/// Scripts that one transaction pays.
const GIFTS: usize = 1_000;
/// The rates that are tried, in requests a second.
const RATES: [u64; 14] = [5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640];
/// Rates of batches. They end earlier, because each user needs a wallet and a coin.
const BATCH_RATES: [u64; 11] = [5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240];
/// Swaps that one account registers.
const SWAPS_OF_ACCOUNT: u64 = 10;

/// The result of a rate.
struct Load {
    failed: usize,
    waited: Duration,
    calls: f64,
}

/// Measures these kinds of requests, and prints the results.
pub(crate) fn measure(kinds: &[&str]) {
    if kinds.is_empty() {
        return;
    }
    println!("| Requests | Offered a second | Failed | Waited, p99 | DynamoDB calls a request |");
    println!("|---|---|---|---|---|");
    let figures = kinds.iter().map(|&kind| {
        let highest = match kind {
            "swaps" => highest("registrations of swaps", &RATES, LONGEST_WAIT, |rate| {
                in_simulated_time(1, swaps(rate))
            }),
            "signups" => highest("sign-ups with a wallet", &RATES, LONGEST_WAIT, |rate| {
                in_simulated_time(1, sign_ups(rate))
            }),
            _ => highest("batches, created and signed", &BATCH_RATES, LONGEST_BATCH, |rate| {
                in_simulated_time(1, batches(rate))
            }),
        };
        format!("figure {kind}_per_second {highest}")
    });
    println!("\n{}", figures.collect::<Vec<_>>().join("\n"));
}

/// The highest rate up to which every request succeeds and hardly any waits long.
fn highest(what: &str, rates: &[u64], longest: Duration, offer: impl Fn(u64) -> Load) -> u64 {
    let mut highest = 0;
    for &rate in rates {
        let Load { failed, waited, calls } = offer(rate);
        println!("| {what} | {rate} | {failed} | {} ms | {calls:.1} |", waited.as_millis());
        if failed > 0 || waited > longest {
            break;
        }
        highest = rate;
    }
    highest
}

/// A world with DynamoDB's limits.
pub(crate) fn stage() -> Stage {
    let difficulty = Difficulty { held: 1_000, hold_ms: (9, 9), ..Difficulty::default() };
    let latency = Latency { there: (1, 15), back: (9, 15) };
    let stage = Stage::quiet(Menu { difficulty, latency, ..Menu::default() });
    {
        let mut world = stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        dynamodb.measure(Some(PartitionLimits::PUBLISHED));
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

/// Sends requests at a rate, each at its time, whether or not earlier ones are done.
async fn offer<W: Future<Output = Answer>>(
    stage: &Stage,
    rate: u64,
    requests: impl Iterator<Item = W>,
) -> Load {
    let calls = |stage: &Stage| stage.net.world().host::<DynamoDb>("dynamodb").bills().len();
    let (begun, before) = (Instant::now(), calls(stage));
    let answers = join_all(requests.zip(0_u32..).map(|(request, n)| async move {
        sleep_until(begun + Duration::from_secs(1) * n / u32::try_from(rate).unwrap()).await;
        let sent = Instant::now();
        (request.await, sent.elapsed())
    }));
    let answers = answers.await;
    let failed = answers.iter().filter(|(answer, _)| !(200..300).contains(&answer.status)).count();
    let mut waits: Vec<_> = answers.iter().map(|(_, waited)| *waited).collect();
    waits.sort_unstable();
    let waited = waits[waits.len() * 99 / 100];
    let calls = (calls(stage) - before) as f64 / answers.len() as f64;
    Load { failed, waited, calls }
}

/// The number of requests that a rate sends.
fn count(rate: u64) -> u64 {
    rate * (REQUESTS / rate).clamp(10, 30)
}

/// Swaps of many accounts with the same pair of tokens, which share lists.
async fn swaps(rate: u64) -> Load {
    let (stage, count) = (stage(), count(rate));
    let mut owners = Vec::new();
    for number in 0..count.div_ceil(SWAPS_OF_ACCOUNT) {
        let (mut client, wallet) = person(&stage, number);
        let session = signed_in(&mut client, &wallet).await;
        owners.push((client, wallet, session));
    }
    let requests = (0..count).map(|n| {
        let owner = usize::try_from(n).unwrap() % owners.len();
        let (client, wallet, session) = &owners[owner];
        let body = serde_json::to_value(swap(wallet, n)).expect("a swap is JSON");
        let call = Call::post("/api/xchain/transactions/register", body).bearer(&session.access);
        let mut client = client.clone();
        async move { client.send(&call).await }
    });
    offer(&stage, rate, requests).await
}

/// Sign-ups of strangers, each from its own source address.
async fn sign_ups(rate: u64) -> Load {
    let (stage, count) = (stage(), count(rate));
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
async fn batches(rate: u64) -> Load {
    let stage = stage();
    open_mint(&stage).await;
    offer_batches(&stage, rate, 1).await
}

/// Sends batches at a rate, each of another account with its own coin; `first` is the number of the first
/// account.
async fn offer_batches(stage: &Stage, rate: u64, first: u64) -> Load {
    let mut bidders = Vec::new();
    for number in first..first + rate * SECONDS_OF_BATCHES {
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
            let stage = stage();
            crate::blocks::fill_mempool(&stage, earlier).await;
            offer_batches(&stage, LATE_RATE, 2).await
        });
        let Load { failed, waited, calls } = load;
        println!("| {earlier} | {LATE_RATE} | {failed} | {} ms | {calls:.1} |", waited.as_millis());
    }
    println!();
}
