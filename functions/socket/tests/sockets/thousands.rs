//! Thousands of readers of one mint: `make readers`. The clients are in a process of their own, so that the memory of this one is
//! the server's.
#![allow(clippy::print_stdout, reason = "what is measured is printed")]

use std::{env, fs, net::Ipv4Addr, process::Stdio, time::Duration};

use futures_util::future::join_all;
use local::SocketClient;
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{ChildStdout, Command},
    time::{Instant, sleep},
};

use crate::{World, numbers};

/// Readers, unless the environment says how many.
const READERS: usize = 10_000;
/// Readers that subscribe at the same time.
const AT_ONCE: usize = 50;
/// Events that are measured.
const EVENTS: u64 = 5;

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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: make readers"]
async fn readers_of_one_mint() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let _workers = world.stack.workers();
    let before = memory();
    let mut clients = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "thousands::clients_of_another_process"])
        .envs([("SOCKET_URL", world.url()), ("MINT", mint.as_str())])
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
    for event in 2..EVENTS + 2 {
        // The sweep looks once a second, so the moment within it counts.
        sleep(Duration::from_millis(1_370)).await;
        let began = Instant::now();
        world.tell_of(&list, 1).await;
        said(&mut lines, &format!("first {event}")).await;
        let first = began.elapsed();
        said(&mut lines, &format!("last {event}")).await;
        let last = began.elapsed();
        println!(
            "event {event}: the first reader after {} ms, the last after {} ms; memory {} MB",
            first.as_millis(),
            last.as_millis(),
            memory(),
        );
        // After the last event the clients end.
        if event <= EVENTS {
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
    for event in 2..EVENTS + 2 {
        let (first, others) = sockets.split_first_mut().unwrap();
        let told = |message: &serde_json::Value| assert_eq!(numbers(message), [event]);
        let wait = async |socket: &mut SocketClient| loop {
            // Nothing comes before the next event.
            if let Ok(message) = socket.next().await {
                told(&message.unwrap());
                return;
            }
        };
        wait(first).await;
        println!("first {event}");
        join_all(others.iter_mut().map(wait)).await;
        println!("last {event}");
    }
}
