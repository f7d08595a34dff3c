//! Start and end of a world.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use bitcoin::{Network, constants::genesis_block};
use local::{
    BitcoinWorld, Client,
    bitcoin::{State, node::Node, ord::OrdServer, programs::Programs},
    mood::Mood,
    patience::{HANG_LIMIT, block_until},
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::address;

/// An ord whose first start runs another program.
const OTHER_FIRST: &str = r#"#!/bin/sh
[ -e '$OTHER/started' ] && exec '$ORD' "$@"
: >'$OTHER/started'
while [ "$1" != --http-port ]; do shift; done
exec python3 -m http.server --bind 127.0.0.1 --directory '$OTHER' "$2"
"#;

#[tokio::test]
async fn both_faces_answer_503_until_the_programs_run() {
    let world = BitcoinWorld::idle().await.unwrap();
    assert_eq!(world.state(), State::Building);
    for (face, path) in [
        (world.esplora_url(), "/blocks/tip/height"),
        (world.esplora_url(), "/fee-estimates"),
        (world.esplora_url(), "/tx/nonsense/hex"),
        (world.ord_url(), "/blockheight"),
    ] {
        let answer = Client::new(face).get(path).send().await;
        if path.contains("nonsense") {
            answer.expect(400);
        } else {
            assert_eq!(answer.expect(503).header("retry-after"), "15");
        }
    }
    let sent = Client::new(world.esplora_url()).post("/tx").body("00").send().await;
    assert_eq!(sent.expect(503).header("retry-after"), "15");
    world.mine(1).await.unwrap_err();
}

#[tokio::test]
async fn worlds_on_one_machine_are_separate() {
    let (one, other) = tokio::join!(BitcoinWorld::start(), BitcoinWorld::start());
    let (one, other) = (one.unwrap(), other.unwrap());
    one.mine(3).await.unwrap();
    assert_eq!((one.height().await.unwrap(), other.height().await.unwrap()), (113, 110));
    assert_eq!(one.state(), State::Ready);
}

#[tokio::test]
async fn a_face_follows_its_mood() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    ord.get("/blockheight").send().await.expect(200);
    world.set_ord_mood(Mood { down: true, ..Mood::default() });
    assert!(ord.get("/blockheight").try_send().await.is_err());
    world.set_ord_mood(Mood { status: Some(418), ..Mood::default() });
    ord.get("/blockheight").send().await.expect(418);
    world.set_ord_mood(Mood { malformed: true, ..Mood::default() });
    assert!(ord.get("/blockheight").send().await.expect(200).body.is_null());
    world.set_ord_mood(Mood { delay_ms: 300, ..Mood::default() });
    let started = Instant::now();
    ord.get("/blockheight").send().await.expect(200);
    assert!(started.elapsed() >= Duration::from_millis(300));
    world.set_ord_mood(Mood::default());
    ord.get("/blockheight").send().await.expect(200);
}

/// Processes whose command line contains a folder.
fn processes_in(folder: &str) -> Vec<String> {
    let commands = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let bytes = fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&bytes).replace('\0', " "))
    });
    commands.filter(|command| command.contains(folder)).collect()
}

/// A server of ord ends once the block that it indexes is done. If the node is gone, ord asks for that block again and
/// again for over two minutes.
fn wait_until_no_process_is_in(folder: &str) {
    block_until(folder, || processes_in(folder).is_empty());
}

#[tokio::test]
async fn a_dropped_world_leaves_neither_process_nor_file() {
    let world = BitcoinWorld::start().await.unwrap();
    let info = world.rpc("getrpcinfo", serde_json::json!([])).await.unwrap();
    let log = info["logpath"].as_str().unwrap().to_owned();
    let folder = log.split("/node/").next().unwrap().to_owned();
    assert!(folder.contains("runeport-bitcoin-"), "{folder}");
    assert!(processes_in(&folder).len() >= 2);
    drop(world);
    wait_until_no_process_is_in(&folder);
    assert!(!fs::exists(folder).unwrap());
}

/// A dev server, and the folder of its Bitcoin programs.
struct Dev {
    child: Child,
    data: tempfile::TempDir,
}

impl Dev {
    fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_runeport-local"))
            .args(["dev", "--port", "0", "--data"])
            .arg(data.path())
            .env("RUST_LOG", "error")
            .env_remove(local::ministack::SHARED)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready =
            lines.by_ref().map_while(Result::ok).find(|line| line.contains("Bitcoin world"));
        let ready = ready.unwrap();
        let dev = Self { child, data };
        assert!(ready.starts_with("The Bitcoin world is ready"), "{ready}");
        // Keeps reading, so that the server never blocks on a full pipe.
        std::thread::spawn(move || lines.count());
        dev
    }

    fn folder(&self) -> String {
        self.data.path().join("bitcoin").display().to_string()
    }

    fn end(&mut self, signal: Signal) {
        assert!(processes_in(&self.folder()).len() >= 2);
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn ctrl_c_leaves_no_child() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut dev = Dev::start();
        dev.end(signal);
        assert_eq!(processes_in(&dev.folder()), Vec::<String>::new());
    }
}

#[test]
fn a_killed_parent_leaves_no_child() {
    let mut dev = Dev::start();
    dev.end(Signal::KILL);
    wait_until_no_process_is_in(&dev.folder());
}

#[tokio::test]
async fn the_chain_is_kept_with_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let programs = local::bitcoin::programs::Programs::expect().unwrap();
    let first = BitcoinWorld::idle().await.unwrap();
    first.bring_up(&programs, Some(folder.path())).await.unwrap();
    let coin = first.fund(&address(1), 7_000).await.unwrap();
    let height = first.mine(2).await.unwrap();
    let waiting = first.fund(&address(2), 8_000).await.unwrap();
    first.stop();
    assert!(first.height().await.is_err());

    let second = BitcoinWorld::idle().await.unwrap();
    second.bring_up(&programs, Some(folder.path())).await.unwrap();
    assert_eq!(second.height().await.unwrap(), height);
    assert_eq!(second.confirmations(coin.txid).await.unwrap(), Some(2));
    assert_eq!(second.confirmations(waiting.txid).await.unwrap(), Some(0));
    assert_eq!(second.mine(1).await.unwrap(), height + 1);
}

#[tokio::test]
async fn an_ord_that_does_not_catch_up_gives_way_to_a_new_one() {
    let programs = Programs::expect().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (node, index) = (folder.path().join("node"), folder.path().join("ord"));
    let node = Node::start(&programs.bitcoind, &node, None).await.unwrap();
    let nobody = address(7).to_string();
    node.rpc().call::<Value>("generatetoaddress", json!([1, nobody])).await.unwrap();
    // At ord's first start, another program answers at its port, and knows only the first block.
    let (script, other) = (folder.path().join("ord.sh"), folder.path().join("other"));
    fs::create_dir(&other).unwrap();
    fs::write(other.join("blockheight"), "0").unwrap();
    fs::write(other.join("blockhash"), genesis_block(Network::Regtest).block_hash().to_string())
        .unwrap();
    let commands = [&programs.ord, &other].map(|path| path.to_str().unwrap().to_owned());
    let text = OTHER_FIRST.replace("$ORD", &commands[0]).replace("$OTHER", &commands[1]);
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();

    let stuck = OrdServer::start(&script, &index, &node, true).await.unwrap();
    let failure = stuck.catch_up(&node, Duration::from_secs(1)).await.unwrap_err().to_string();
    assert!(failure.contains("does not catch up"), "{failure}");
    stuck.kill();
    fs::remove_file(other.join("started")).unwrap();

    let ord = OrdServer::start_with_new_index(&script, &index, &node, Duration::from_secs(15))
        .await
        .unwrap();
    assert_eq!(ord.tip().await.unwrap(), node.tip().await.unwrap());
    ord.kill();
    let ended = ord.catch_up(&node, HANG_LIMIT).await.unwrap_err().to_string();
    assert!(ended.contains("does not catch up"), "{ended}");
    node.kill();
}
