//! Thousands of readers of one mint, who hear of each block: `make readers`. The clients are in a process of their
//! own, so that the memory of this one is the server's.
#![allow(clippy::print_stdout, reason = "what is measured is printed")]

use std::{env, fs, net::Ipv4Addr, process::Stdio, time::Duration};

use futures_util::future::join_all;
use local::SocketClient;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{ChildStdout, Command},
    time::{Instant, sleep, timeout},
};

use super::*;

/// Readers, unless the environment says how many.
const READERS: usize = 10_000;
/// Readers that subscribe at the same time.
const AT_ONCE: usize = 50;
/// How long anything takes at most.
const LONGEST: Duration = Duration::from_secs(240);
/// Blocks that are measured. The first event of a mint's list says that it is open, and each block fills one block
/// of the mint: one event more.
const BLOCKS: u64 = 5;

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
        let line = timeout(LONGEST, lines.next_line()).await.expect("the clients say something");
        let line = line.unwrap().expect("the clients go on");
        if let Some((_, rest)) = line.split_once(what) {
            return rest.trim().to_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: make readers"]
async fn readers_of_one_mint() {
    let world = MintWorld::start(1_000_000).await;
    let requests = 10 * (BLOCKS + 1);
    let mint = world.mint(&json!({ "totalRequests": requests })).await;
    let trader = world.trader(1, &[400_000, 400_000]).await;
    world.bid(&trader, requests, 2_000).await;
    let _workers = world.stack.workers();
    let before = memory();
    let mut clients = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "readers::clients_of_another_process"])
        .env("SOCKET_URL", &world.stack.settings()["SOCKET_URL"])
        .env("LIST", format!("mint:{mint}"))
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
        // The watcher looks every five seconds, so the moment between two looks counts.
        sleep(Duration::from_millis(5_000 + 900 * block)).await;
        let began = Instant::now();
        world.stack.bitcoin().mine(1).await.unwrap();
        let mined = began.elapsed();
        said(&mut lines, &format!("first {block}")).await;
        let first = began.elapsed();
        said(&mut lines, &format!("last {block}")).await;
        let last = began.elapsed();
        println!(
            "block {block}: mined after {} ms, the first reader after {} ms, the last after {} ms; memory {} MB",
            mined.as_millis(),
            first.as_millis(),
            last.as_millis(),
            memory(),
        );
        // After the last event the clients end.
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
    let list = env::var("LIST").unwrap();
    let ask = json!({ "subscribe": [list] });
    let mut sockets = Vec::new();
    let all: Vec<_> = (0..count()).collect();
    for part in all.chunks(AT_ONCE) {
        let opened = join_all(part.iter().map(|number| {
            let [_, _, high, low] = u32::try_from(number / 100).unwrap().to_be_bytes();
            let (url, ask) = (&url, &ask);
            async move {
                let source = Ipv4Addr::new(127, 1, high, low);
                let mut socket = SocketClient::open_from(source, url, None).await.unwrap();
                let answer = socket.ask(ask).await.unwrap().unwrap();
                assert_eq!(answer["lists"][0]["newest"], 1, "{answer}");
                socket
            }
        }));
        sockets.extend(opened.await);
    }
    println!("all read");
    for block in 1..=BLOCKS {
        let (first, others) = sockets.split_first_mut().unwrap();
        let wait = async |socket: &mut SocketClient| loop {
            let Ok(message) = socket.next().await else { continue };
            let numbers = numbers(&message.unwrap());
            assert!(numbers.iter().all(|number| *number <= block + 1), "{numbers:?}");
            // Half a minute after the first reader came, the events since then are pushed once more.
            if numbers.contains(&(block + 1)) {
                return;
            }
        };
        wait(first).await;
        println!("first {block}");
        join_all(others.iter_mut().map(wait)).await;
        println!("last {block}");
    }
}

/// The numbers of the events of a message.
fn numbers(message: &Value) -> Vec<u64> {
    let lists = message["lists"].as_array().unwrap_or_else(|| panic!("{message}"));
    let events = lists.iter().flat_map(|list| list["events"].as_array().into_iter().flatten());
    events.map(|event| event["sequence"].as_u64().unwrap()).collect()
}
