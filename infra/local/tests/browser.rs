//! Frontends built with npm packages and Chromium, against the local world: the scripts in `browser/`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
};

use base::random::{Random, SystemSource};
use base64::{Engine, prelude::BASE64_STANDARD};
use identity::srp::{ClientProof, Ephemeral, Group, Verifier};
use local::{LocalStack, functions, levers, server::Server, workspace};
use serde_json::{Value, json};

/// Path of a script, which needs what `make setup` installs.
fn script(name: &str) -> PathBuf {
    for path in [workspace::node_modules(), workspace::local_dir().join("chromium")] {
        assert!(path.exists(), "{} is missing: run `make setup`", path.display());
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(name)
}

/// Runs a script against its own world, served as the dev server does.
async fn run(name: &str) {
    run_in(LocalStack::start().await, name).await;
}

async fn run_in(world: LocalStack, name: &str) {
    let world = Arc::new(world);
    let _workers = world.workers();
    let routes = world.service(functions::routes());
    let router = levers::router(world.clone()).fallback_service(routes);
    let server = Server::start(router).await.unwrap();
    let output = tokio::process::Command::new("node")
        .arg(script(name))
        .env("BASE", server.url())
        .env("CHROMIUM", workspace::local_dir().join("chromium"))
        .kill_on_drop(true)
        .output()
        .await
        .expect("node runs");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_work_with_npm_packages() {
    run("accounts.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_work_with_ws() {
    run("socket.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_reach_a_server_of_node() {
    run("webhooks.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_work_in_chromium() {
    run("passkeys.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swap_works_with_viem() {
    run("swap.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_works_with_bitcoinjs_lib() {
    run_in(LocalStack::builder().bitcoin().build().await, "withdrawal.mjs").await;
}

/// The script of `make prove-aws` succeeds on a new world except for the signed withdrawal, which needs coins. With coins,
/// the same wallet signs it.
#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_is_proved_up_to_a_signed_withdrawal() {
    let world = Arc::new(LocalStack::builder().bitcoin().stores_addresses().build().await);
    let _workers = world.workers();
    let routes = world.service(functions::routes());
    let router = levers::router(world.clone()).fallback_service(routes);
    let server = Server::start(router).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let prove = async || {
        let output = tokio::process::Command::new("node")
            .arg(workspace::root().join("infra/tools/prove_aws.mjs"))
            .env("BASE", server.url())
            .env("KEY", folder.path().join("wallet.wif"))
            .kill_on_drop(true)
            .output();
        let output = output.await.expect("node runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), text.clone() + &error, text.lines().count())
    };
    let (held, said, lines) = prove().await;
    let wanting: Vec<_> = said.lines().filter(|line| !line.starts_with("ok  ")).collect();
    assert_eq!((held, lines, wanting.len()), (false, 10, 1), "{said}");
    let (_, address) = wanting[0].split_once("send 10000 sats to ").expect("coins are wanted");
    let (address, _) = address.split_once(',').unwrap();
    let address: bitcoin::Address<_> = address.parse().unwrap();
    world.bitcoin().fund(&address.assume_checked(), 10_000).await.unwrap();
    world.bitcoin().mine(1).await.unwrap();
    let (held, said, lines) = prove().await;
    assert_eq!((held, lines), (true, 10), "{said}");
    assert!(said.contains(" is inMempool"), "{said}");
}

/// The check of infra/synthetic.yaml, which runs on Lambda with the SDK that is there; SSM is a stub of it.
#[tokio::test(flavor = "multi_thread")]
async fn the_synthetic_check_signs_in_and_notices_what_fails() {
    let world = LocalStack::start().await;
    let client = world.serve(functions::routes()).await;
    let folder = tempfile::tempdir().unwrap();
    let template = std::fs::read_to_string(workspace::root().join("infra/synthetic.yaml")).unwrap();
    let template: yaml_serde::Value = yaml_serde::from_str(&template).unwrap();
    let code = &template["Resources"]["Check"]["Properties"]["Code"]["ZipFile"];
    std::fs::write(folder.path().join("index.js"), code.as_str().unwrap()).unwrap();
    let sdk = folder.path().join("node_modules/@aws-sdk/client-ssm");
    std::fs::create_dir_all(&sdk).unwrap();
    let stub = "exports.GetParameterCommand = class { constructor(input) { this.input = input; } };
        exports.SSMClient = class { async send({ input }) {
          if (input.Name !== '/runeport/dev/synthetic-key' || !input.WithDecryption) throw new Error('denied');
          return { Parameter: { Value: Buffer.alloc(32, 7).toString('base64') } };
        } };";
    std::fs::write(sdk.join("index.js"), stub).unwrap();
    let check = async |url: &str| {
        let output = tokio::process::Command::new("node")
            .args(["-e", "require('./index.js').handler()"])
            .current_dir(folder.path())
            .env("URL", url)
            .env("KEY", "/runeport/dev/synthetic-key")
            .kill_on_drop(true)
            .output();
        let output = output.await.expect("node runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    for _run in 0..2 {
        let (held, said) = check(client.base()).await;
        assert!(held && said.starts_with("health, and a sign-in of "), "{said}");
    }
    let (held, said) = check(&format!("{}/nowhere", client.base())).await;
    assert!(!held && said.contains("GET /api/health?deep=1: 404"), "{said}");
    let (held, _) = check("http://127.0.0.1:1").await;
    assert!(!held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trading_wallet_works_with_bitcoinjs_lib() {
    run_in(LocalStack::builder().bitcoin().build().await, "trading.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_published_client_work_unchanged() {
    run_in(LocalStack::builder().bitcoin().build().await, "published.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_virtual_mint_works_with_bitcoinjs_lib() {
    run_in(LocalStack::builder().bitcoin().build().await, "mint.mjs").await;
}

/// SRP against fast-srp-hap as the client: 500 handshakes in the group of new accounts where all cases are
/// checked, otherwise 10, and a few in the other groups. Two processes, because each handshake takes the script
/// a tenth of a second.
#[test]
fn srp_handshakes_work_with_fast_srp_hap() {
    let (rounds, others) = (workspace::cases(5, 250), workspace::cases(5, 10));
    thread::scope(|scope| {
        for plan in [[(3072, rounds), (2048, others)], [(3072, rounds), (4096, others)]] {
            scope.spawn(move || plan.iter().for_each(|(bits, rounds)| handshakes(*bits, *rounds)));
        }
    });
}

/// The service's side of `srp-interop.mjs`, which describes the protocol.
fn handshakes(bits: u16, rounds: usize) {
    let mut child = Command::new("node")
        .arg(script("srp-interop.mjs"))
        .args([bits.to_string(), rounds.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = |body: Value| writeln!(input, "{body}");
    let group: Group = serde_json::from_value(json!(bits)).unwrap();
    let random: &dyn Random = &SystemSource;
    let mut accepted = 0;
    while let Some(line) = lines.next() {
        let hello: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let verifier = Verifier::parse(group, &bytes(&hello["verifier"])).unwrap();
        let ephemeral = Ephemeral::new(&verifier, random.bytes()).unwrap();
        answer(json!({ "serverPublic": BASE64_STANDARD.encode(ephemeral.public()) })).unwrap();
        // The script reports why it ended.
        let Some(line) = lines.next() else { break };
        let proof: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let proof = ClientProof::parse(
            group,
            &bytes(&hello["clientPublic"]),
            &bytes(&proof["clientProof"]),
        );
        let (identity, salt) = (bytes(&hello["identity"]), bytes(&hello["salt"]));
        let identity = String::from_utf8(identity).unwrap();
        let proved = proof.unwrap().check(&identity, &salt, &verifier, &ephemeral).ok();
        accepted += usize::from(proved.is_some());
        let text = proved.map(|proof| BASE64_STANDARD.encode(proof));
        if answer(json!({ "serverProof": text })).is_err() {
            break;
        }
    }
    assert!(child.wait().unwrap().success(), "{bits} bits, after {accepted} handshakes");
    // Every fifth round proves a wrong password.
    assert_eq!(accepted, rounds - rounds / 5, "{bits} bits");
}

fn bytes(text: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap()
}
