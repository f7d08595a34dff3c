//! The development server from a developer's point of view: one command, its announcement, Ctrl-C; what the guides
//! say, what the client does, and every panel of the playground. The suite runs this program alone, so that its
//! browsers do not compete with other programs.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod frontend;
mod guides;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use local::{
    client::Client,
    patience::{block_until, wait_until},
    wallets::{Wallet, register, sign_in},
    workspace,
};
use percent_encoding::percent_decode_str;
use serde_json::json;
use shared::problem::Problem;

/// A running `runeport-local dev`, and its announcement.
struct DevServer {
    child: Child,
    url: String,
    announcement: Vec<String>,
}

impl DevServer {
    fn start(data: Option<&Path>) -> Self {
        let mut command = Self::command(data);
        command.env("RUST_LOG", "error");
        Self::run(command)
    }

    fn command(data: Option<&Path>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runeport-local"));
        command
            .args(["dev", "--port", "0"])
            .env_remove(local::ministack::SHARED)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if let Some(folder) = data {
            command.arg("--data").arg(folder);
        }
        command
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut announcement = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            let last = line.starts_with("Ctrl-C");
            announcement.push(line);
            if last {
                break;
            }
        }
        let url = announcement.iter().find_map(|line| line.strip_prefix("Runeport is at "));
        let url = url.expect("the server announces its address").to_owned();
        Self { child, url, announcement }
    }

    fn client(&self) -> Client {
        Client::new(&self.url)
    }

    /// The demo admin's token, from the announced calls.
    fn token(&self) -> String {
        let line = self.announcement.iter().find(|line| line.contains("Bearer ")).unwrap();
        let (_, rest) = line.split_once("Bearer ").unwrap();
        rest.trim_end_matches('\'').to_owned()
    }

    /// Waits until the Bitcoin world is ready and the prizes are registered.
    async fn bitcoin(&self) {
        let is_ready = async || {
            let bitcoin = self.client().get("/_local/bitcoin").send().await.expect(200).body;
            assert!(bitcoin["error"].is_null(), "{bitcoin}");
            bitcoin["state"] == "ready"
        };
        wait_until("the Bitcoin world", is_ready).await;
    }

    /// When each process started, by its id: the server's, its children's and theirs in turn.
    fn processes(&self) -> BTreeMap<u32, u64> {
        let all = processes();
        let mut ours = BTreeSet::from([self.child.id()]);
        loop {
            let children = all.iter().filter(|(_, (parent, _))| ours.contains(parent));
            let family: BTreeSet<_> = children.map(|(id, _)| *id).chain(ours.clone()).collect();
            if family == ours {
                return all
                    .into_iter()
                    .filter(|(id, _)| ours.contains(id))
                    .map(|(id, (_, started))| (id, started))
                    .collect();
            }
            ours = family;
        }
    }

    fn interrupt(mut self) -> i32 {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let mut status = None;
        block_until("the end of the server", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap().code().unwrap_or(-1)
    }
}

/// Parent and start of every process that has not ended, by its id (Linux manual, `proc_pid_stat`).
fn processes() -> BTreeMap<u32, (u32, u64)> {
    let stats = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let stat = fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        let id = stat.split(' ').next()?.parse().ok()?;
        // The name, in parentheses, may have spaces.
        let fields: Vec<_> = stat.rsplit_once(") ")?.1.split(' ').collect();
        // One whose parent does not ask for its end remains as a `Z`.
        let goes_on = *fields.first()? != "Z";
        goes_on.then_some((id, (fields.get(1)?.parse().ok()?, fields.get(19)?.parse().ok()?)))
    });
    stats.collect()
}

/// A failing test leaves no server behind.
impl Drop for DevServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn the_announced_calls_work_and_ctrl_c_stops_the_server() {
    let server = DevServer::start(None);
    let client = server.client();
    let calls: Vec<_> =
        server.announcement.iter().filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(calls.len(), 3);
    for call in calls {
        let output = Command::new("sh").args(["-c", call]).output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["code"], "1", "{call}: {answer}");
    }
    client.get("/api/health?deep=1").send().await.expect(200);
    let page = client.get("/api/docs").send().await.expect(200).text;
    assert!(page.contains("<code>/api/prizes</code>"));
    let document = client.get("/api/openapi.json").send().await.expect(200);
    assert!(document.body["paths"]["/api/prizes"].is_object());
    client.get("/api/nothing").send().await.expect_error(Problem::NotFound);
    server.bitcoin().await;
    let services =
        server.announcement.iter().filter_map(|line| line.split("  ").last().map(str::trim));
    let services: Vec<_> =
        services.filter(|word| word.starts_with("http://")).map(str::to_owned).collect();
    assert!(services.len() >= 8, "{services:?}");
    for service in services {
        Client::new(&service).get("/").try_send().await.unwrap();
    }
    let ours = server.processes();
    assert!(ours.len() > 5, "the server, ministack, and guards with their programs: {ours:?}");
    assert_eq!(server.interrupt(), 0);
    // Compare processes, not ports: another program may already listen at one of them.
    block_until("the end of all processes", || {
        let left = processes();
        !ours.iter().any(|(id, started)| left.get(id).is_some_and(|(_, at)| at == started))
    });
}

/// All log lines of the start come before the announcement, and looks that find nothing to do log nothing.
#[tokio::test]
async fn the_announcement_stays_in_sight() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut command = DevServer::command(None);
    command.env_remove("RUST_LOG").stderr(log.reopen().unwrap());
    let server = DevServer::run(command);
    let place = |start: &str| server.announcement.iter().position(|line| line.starts_with(start));
    let (ready, announced) = (place("The Bitcoin world is ready"), place("Runeport is at "));
    assert!(ready.is_some() && ready < announced, "{:?}", server.announcement);
    for _run in 0..2 {
        let client = server.client();
        let tick = client.post("/_local/tick");
        tick.json(&json!({ "worker": "chain-watcher" })).send().await.expect(200);
    }
    let logged = fs::read_to_string(log.path()).unwrap();
    assert!(logged.contains("shared::http::routes"), "{logged}");
    for look in ["processed the due rows", "processed a queue"] {
        assert!(!logged.contains(look), "{logged}");
    }
    assert_eq!(server.interrupt(), 0);
}

#[tokio::test]
async fn the_front_page_leads_to_all_pages() {
    let server = DevServer::start(None);
    let client = server.client();
    let page = client.get("/").send().await.expect(200);
    assert!(page.header("content-type").starts_with("text/html"), "{page}");
    let links: Vec<_> = page.text.split("href=\"").skip(1).collect();
    let links: Vec<_> = links.into_iter().filter_map(|rest| rest.split('"').next()).collect();
    for path in [
        "/playground/",
        "/api/docs",
        "/api/openapi.json",
        "/api/openapi-3.0.json",
        "/_local/mail",
        "/_local/hooks",
        "/_local",
    ] {
        let link =
            links.iter().find(|link| link.ends_with(path)).unwrap_or_else(|| panic!("{path}"));
        let (_, port) = server.url.rsplit_once(':').unwrap();
        assert!(link.contains(&format!(":{port}/")), "{link}");
        client.get(path).header("accept", "text/html").send().await.expect(200);
    }
    let media = server.announcement.iter().find(|line| line.trim().starts_with("media ")).unwrap();
    let media = media.split_whitespace().last().unwrap();
    assert!(page.text.contains(media), "{page}");
    assert_eq!(server.interrupt(), 0);
}

/// The local world has no frontend of its own, so the playground has the pages of mailed links.
#[tokio::test]
async fn links_of_mails_lead_into_the_playground() {
    let server = DevServer::start(None);
    let client = server.client();
    let (_, port) = server.url.rsplit_once(':').unwrap();
    let app = format!("http://localhost:{port}");
    let config = client.get("/api/config").send().await.expect(200);
    assert_eq!(config.data()["appUrl"], app.as_str());
    let mailed = async |to: &str, page: &str| {
        let path = format!("/_local/mail?to={}", to.replace('+', "%2B"));
        let start = format!("{app}{page}?token=");
        let mut link = None;
        wait_until("the mail", async || {
            let mails = client.get(&path).header("accept", "application/json").send().await;
            let mails = mails.expect(200).body;
            let texts = mails.as_array().unwrap().iter().filter_map(|mail| mail["text"].as_str());
            let mut lines = texts.flat_map(str::lines);
            link = lines.find(|line| line.starts_with(&start)).map(str::to_owned);
            link.is_some()
        })
        .await;
        link.unwrap().strip_prefix(&app).unwrap().to_owned()
    };
    let extras = json!({ "encryptedBlob": "AAECAw==", "email": "a+b@example.com" });
    let user = register(&client, &Wallet::p2wpkh(91), &extras).await;
    let link = mailed("a+b@example.com", "/verify-email").await;
    let opened = client.get(&link).send().await.expect(303);
    let (_, token) = link.split_once("token=").unwrap();
    let shown = |location: &str| percent_decode_str(location).decode_utf8().unwrap().into_owned();
    let expected = format!("/playground/#/security/e-mail?verify={}", shown(token));
    assert_eq!(shown(opened.header("location")), expected);

    let asked = client.post("/api/account/change-email/init").bearer(&user.access_token);
    asked.json(&json!({ "newEmail": "c+d@example.com" })).send().await.expect(200);
    let link = mailed("c+d@example.com", "/change-email").await;
    let opened = client.get(&link).send().await.expect(303);
    let location = opened.header("location");
    assert!(location.starts_with("/playground/#/security/e-mail?token="), "{location}");
    assert!(location.ends_with("&email=c%2Bd%40example%2Ecom"), "{location}");
    for page in ["/verify-email", "/change-email?email=a"] {
        client.get(page).send().await.expect(400);
    }
    assert_eq!(server.interrupt(), 0);
}

#[tokio::test]
async fn the_clock_can_be_moved_and_roles_set() {
    let server = DevServer::start(None);
    let (client, token) = (server.client(), server.token());
    let admin = local::wallets::admin_wallet();
    let role = |role: &str| {
        client
            .post("/_local/role")
            .json(&json!({ "address": admin.address(), "role": role }))
            .send()
    };
    role("user").await.expect(200);
    client.get("/api/account").bearer(&token).send().await.expect_error(Problem::Forbidden);
    role("admin").await.expect(200);
    client.get("/api/account").bearer(&token).send().await.expect(200);
    role("king").await.expect(400);
    client.post("/_local/clock").json(&json!({ "advanceMs": 601_000 })).send().await.expect(200);
    client.get("/api/account/me").bearer(&token).send().await.expect_error(Problem::TokenExpired);
    assert_eq!(server.interrupt(), 0);
}

#[tokio::test]
async fn data_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let first = DevServer::start(Some(folder.path()));
    let token = first.token();
    first.bitcoin().await;
    let funded = json!({ "address": Wallet::p2wpkh(79).address(), "sats": 5_000 });
    let funded = first.client().post("/_local/bitcoin/fund").json(&funded).send().await.expect(200);
    first
        .client()
        .post("/_local/bitcoin/mine")
        .json(&json!({ "blocks": 1 }))
        .send()
        .await
        .expect(200);
    let chain = first.client().get("/_local/bitcoin").send().await.expect(200).body;
    let before =
        first.client().get("/api/prizes?pageSize=100").bearer(&token).send().await.expect(200);
    let me = first.client().get("/api/account/me").bearer(&token).send().await.expect(200);
    let wallet = Wallet::evm(77);
    register(&first.client(), &wallet, &json!({ "encryptedBlob": "AAECAw==" })).await;
    assert_eq!(first.interrupt(), 0);

    let second = DevServer::start(Some(folder.path()));
    let again = second.client().get("/api/account/me").bearer(&token).send().await.expect(200);
    assert_eq!(again.data(), me.data(), "the session and its key are still valid");
    let after =
        second.client().get("/api/prizes?pageSize=100").bearer(&token).send().await.expect(200);
    assert_eq!(after.body, before.body);
    second.bitcoin().await;
    let kept = second.client().get("/_local/bitcoin").send().await.expect(200).body;
    assert_eq!(kept["height"], chain["height"]);
    let address = Wallet::p2wpkh(79).address().to_owned();
    let esplora = Client::new(kept["esplora"].as_str().unwrap());
    let unspent = esplora.get(format!("/address/{address}/utxo")).send().await.expect(200).body;
    let txid = funded.body["outpoint"].as_str().unwrap().split(':').next().unwrap();
    assert_eq!(unspent[0]["txid"], txid);
    let prizes =
        second.client().get("/api/prizes?pageSize=100").bearer(&token).send().await.expect(200);
    assert_eq!(prizes.body, before.body, "no prize is planted twice");
    // Encrypted values still decrypt, although KMS has lost its keys.
    let back = sign_in(&second.client(), &wallet).await;
    assert_eq!(back.data["encryptedBlob"], "AAECAw==");
    sign_in(&second.client(), &Wallet::evm(78)).await;
    assert_eq!(second.interrupt(), 0);
}

/// A frontend with a third-party wallet library.
#[test]
fn a_javascript_wallet_signs_in_and_an_admin_registers_a_prize() {
    assert!(workspace::node_modules().is_dir(), "the Node packages are missing: run `make setup`");
    let server = DevServer::start(None);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wallets/sign-in.mjs");
    let output =
        Command::new("node").arg(script).env("BASE", &server.url).output().expect("node runs");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.contains("page 2 of the prizes"), "{out}");
    assert_eq!(server.interrupt(), 0);
}
