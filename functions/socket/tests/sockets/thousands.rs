//! Thousands of readers of one mint: `make readers`. The clients are in a process of their own, so that the memory of this one is
//! the server's.
#![allow(clippy::print_stdout, reason = "what is measured is printed")]

use std::{env, fs, net::Ipv4Addr, process::Stdio, time::Duration};

use futures_util::future::join_all;
use local::{SocketClient, mints::MintWorld};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{ChildStdout, Command},
    time::{Instant, sleep},
};

/// Readers, unless the environment says how many.
const READERS: usize = 10_000;
/// Readers that subscribe at the same time.
const AT_ONCE: usize = 50;
/// Blocks that are measured. Each has a request, so it fills a virtual block.
const BLOCKS: usize = 5;

/// Memory of this process in MB (Linux manual, `proc_pid_status`, `VmRSS`).
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() / 1_024
}

fn count() -> usize {
    env::var("READERS").ok().and_then(|count| count.parse().ok()).unwrap_or(READERS)
}

async fn said(lines: &mut Lines<BufReader<ChildStdout>>, what: &str) -> String {
    loop {
        let line = lines.next_line().await.unwrap().expect("the clients go on");
        if let Some((_, rest)) = line.split_once(what) {
            return rest.trim().to_owned();
        }
    }
}

/// How many virtual blocks the mint has by now, if a message says so.
fn filled(message: &Value) -> Option<u64> {
    let lists = message["lists"].as_array()?;
    let mut events = lists.iter().flat_map(|list| list["events"].as_array().into_iter().flatten());
    events.find(|event| event["type"] == "vmBlock.filled")?["data"]["after"].as_u64()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: make readers"]
async fn readers_of_one_mint() {
    let world = MintWorld::start(1_000).await;
    let sizes = json!({ "totalRequests": 100, "requestsPerBlock": 1 });
    let mint = format!("mint:{}", world.mint(&sizes).await);
    let trader = world.trader(1, &[50_000; BLOCKS]).await;
    let url = world.stack.settings()["SOCKET_URL"].clone();
    let _workers = world.stack.workers();
    let before = memory();
    let mut clients = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "thousands::clients_of_another_process"])
        .envs([("SOCKET_URL", &url), ("MINT", &mint)])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let began = Instant::now();
    let mut lines = BufReader::new(clients.stdout.take().unwrap()).lines();
    said(&mut lines, "all read").await;
    let (open, after) = (world.stack.sockets().open(), memory());
    assert_eq!(open, count());
    println!(
        "{open} readers subscribed within {:.0} s; memory of the server {before} MB, then {after} MB: {} kB a reader",
        began.elapsed().as_secs_f64(),
        after.saturating_sub(before) * 1_024 / u64::try_from(open).unwrap(),
    );
    for block in 1..=BLOCKS {
        world.bid(&trader, 1, 1_000).await;
        // The sweep looks once a second, so the moment within it counts.
        sleep(Duration::from_millis(1_370)).await;
        let began = Instant::now();
        world.stack.bitcoin().mine(1).await.unwrap();
        let mined = began.elapsed();
        world.stack.tick("chain-watcher").await.unwrap();
        let applied = began.elapsed();
        said(&mut lines, &format!("first {block}")).await;
        let first = began.elapsed();
        said(&mut lines, &format!("last {block}")).await;
        let last = began.elapsed();
        println!(
            "block {block}: mined and indexed by ord after {} ms, applied after {} ms, the first reader after {} ms, the last after {} ms; memory {} MB",
            mined.as_millis(),
            applied.as_millis(),
            first.as_millis(),
            last.as_millis(),
            memory(),
        );
        // After the last block the clients end.
        if block < BLOCKS {
            assert_eq!(world.stack.sockets().open(), count(), "nobody was left out");
        }
    }
}

/// The other side of the above.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by readers_of_one_mint"]
async fn clients_of_another_process() {
    let Ok(url) = env::var("SOCKET_URL") else { return };
    let mint = env::var("MINT").unwrap();
    let ask = json!({ "subscribe": [mint] });
    let mut sockets = Vec::new();
    let all: Vec<_> = (0..count()).collect();
    for part in all.chunks(AT_ONCE) {
        let opened = join_all(part.iter().map(|number| {
            let [_, _, high, low] = u32::try_from(number / 100).unwrap().to_be_bytes();
            let (url, ask) = (&url, &ask);
            async move {
                let source = Ipv4Addr::new(127, 1, high, low);
                let mut socket = SocketClient::open_from(source, url, None).await.unwrap();
                socket.ask(ask).await.unwrap().unwrap();
                socket
            }
        }));
        sockets.extend(opened.await);
    }
    println!("all read");
    for block in 1..=BLOCKS {
        let (first, others) = sockets.split_first_mut().unwrap();
        // The mint's list has other events, too. Nothing comes before the next one.
        let wait = async |socket: &mut SocketClient| loop {
            if let Ok(message) = socket.next().await
                && let Some(filled) = filled(&message.unwrap())
            {
                return filled;
            }
        };
        let blocks = wait(first).await;
        println!("first {block}");
        let of_others = join_all(others.iter_mut().map(wait)).await;
        assert!(of_others.iter().all(|of_one| *of_one == blocks), "all are told the same");
        println!("last {block}");
    }
}
