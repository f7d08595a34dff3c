//! Two programs recompute a mint from what a node's Esplora and the service say of it: `runeport-verify`, and one in
//! Python that shares only the rules with it. Both agree with an honest world, and name the same transaction where
//! something has been changed.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    process::{Output, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, extract::State};
use bitcoin::{
    Amount, OutPoint, ScriptBuf, Sequence, Transaction, TxIn, TxOut, absolute::LockTime,
    transaction::Version,
};
use http::{
    StatusCode, Uri,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, HeaderName},
};
use local::{Client, server::Server, workspace};
use ordinals::{Artifact, Edict, Runestone};
use tokio::{process::Command, time::Instant};

use super::*;

/// What was answered to each path.
type Answers = BTreeMap<String, String>;

/// Esplora under `/esplora`, and the service's own paths.
#[derive(Clone)]
struct Sources {
    esplora: Client,
    service: Client,
    /// How many requests there were to each of them, and the last answer to each request.
    seen: Arc<Mutex<([usize; 2], Answers)>>,
}

/// An answer that pages from a disk may read.
type Open = (StatusCode, [(HeaderName, &'static str); 1], String);

fn open(status: u16, text: String) -> Open {
    (StatusCode::from_u16(status).unwrap(), [(ACCESS_CONTROL_ALLOW_ORIGIN, "*")], text)
}

/// Asks the sources, and records their answers.
async fn ask(State(sources): State<Sources>, uri: Uri) -> Open {
    let path = uri.path_and_query().unwrap().to_string();
    let answer = match path.strip_prefix("/esplora") {
        Some(path) => sources.esplora.get(path).send().await,
        None => sources.service.get(&path).send().await,
    };
    let mut seen = sources.seen.lock().unwrap();
    seen.0[usize::from(!path.starts_with("/esplora"))] += 1;
    if answer.status == 200 {
        seen.1.insert(path, answer.text.clone());
    }
    open(answer.status, answer.text)
}

/// Repeats recorded answers; nothing else exists.
async fn repeat(State(answers): State<Arc<Answers>>, uri: Uri) -> Open {
    let answer = answers.get(&uri.path_and_query().unwrap().to_string());
    answer.map_or_else(|| open(404, String::new()), |text| open(200, text.clone()))
}

/// What both programs say.
#[derive(Debug)]
struct Verdict {
    /// How long each took: that in Python, then the other one.
    took: [Duration; 2],
    /// What virtual blocks took of each price, by batch.
    fills: Value,
    blocks: Value,
    /// The transaction and the block of the first difference; an item without one is null.
    difference: Option<(Value, Value)>,
    /// What is said of it.
    text: String,
}

async fn run(program: &str, script: PathBuf, arguments: &[String]) -> Output {
    assert!(script.exists(), "{} is missing: run `make frontend`", script.display());
    let command = Command::new(program)
        .arg(script)
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    command.await.unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Runs both programs on these sources.
async fn verdict(base: &str, mint: MintId, compares_blocks: bool) -> Verdict {
    let address = format!("{base}/api/vm-transactions/mints/{mint}");
    let mut arguments = vec![address.clone(), format!("{base}/esplora")];
    if compares_blocks {
        arguments.extend(["--claims".to_owned(), format!("{address}/blocks")]);
    }
    verdict_on(arguments).await
}

/// Runs both programs, which say the same.
async fn verdict_on(mut arguments: Vec<String>) -> Verdict {
    let root = workspace::root();
    let python = root.join("infra/local/tests/verify_mint/verify_mint.py");
    let began = Instant::now();
    let python = run("python3", python, &arguments).await;
    let in_python = began.elapsed();
    arguments.push("--json".to_owned());
    let node = root.join("infra/frontend/verify/dist/runeport-verify.mjs");
    let began = Instant::now();
    let node = run("node", node, &arguments).await;
    let took = [in_python, began.elapsed()];
    let text = String::from_utf8(node.stdout).unwrap();
    let said: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&node.stderr)));
    let foreign = String::from_utf8([python.stdout, python.stderr].concat()).unwrap();
    assert_eq!(node.status.code(), python.status.code(), "{text}\n{foreign}");
    let difference = &said["difference"];
    if difference.is_null() {
        assert_eq!(node.status.code(), Some(0), "{text}");
        let foreign: Value = serde_json::from_str(&foreign).unwrap();
        assert_eq!((&foreign["fills"], &foreign["blocks"]), (&said["fills"], &said["blocks"]));
    } else {
        assert_eq!(node.status.code(), Some(1), "{text}");
        let none = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let place = |value: &Value| if value.is_null() { "None".to_owned() } else { none(value) };
        let named = format!(
            "DIFFERENCE in transaction {}, block {}:",
            place(&difference["txid"]),
            place(&difference["block"])
        );
        assert!(foreign.starts_with(&named), "{named}\n{foreign}\n{text}");
    }
    let place = (difference["txid"].clone(), difference["block"].clone());
    Verdict {
        took,
        fills: said["fills"].clone(),
        blocks: said["blocks"].clone(),
        difference: (!difference.is_null()).then_some(place),
        text,
    }
}

/// An honest mint as the programs have seen it.
pub(crate) struct Checked {
    answers: Answers,
    /// Requests to Esplora and to the service, of both programs together.
    requests: [usize; 2],
    took: [Duration; 2],
}

impl Checked {
    /// What the check of one program costs.
    pub(crate) fn words(&self) -> String {
        let [esplora, service] = self.requests.map(|requests| requests / 2);
        let [python, node] = self.took;
        format!(
            "{esplora} requests to Esplora, {service} to the service; {python:.1?} in Python, {node:.1?} in Node"
        )
    }
}

/// Checks a mint of a world, which agrees with the rules.
pub(crate) async fn agrees(world: &MintWorld, mint: MintId) -> Checked {
    let sources = Sources {
        esplora: Client::new(world.stack.bitcoin().esplora_url()),
        service: world.client.clone(),
        seen: Arc::default(),
    };
    let router = Router::new().fallback(ask).with_state(sources.clone());
    let server = Server::start(router).await.unwrap();
    let verdict = verdict(server.url(), mint, true).await;
    assert_eq!(verdict.difference, None, "{}", verdict.text);
    assert_ne!(verdict.blocks, json!([]));
    // The rows of a mint that has failed no longer say what its blocks took.
    let has_failed = world.mint_row(mint).await.state == MintState::Failed;
    let rows = if has_failed { Vec::new() } else { world.vms(mint).await };
    for row in rows.iter().filter(|row| row.confirmation.is_some()) {
        let taken: Vec<_> = row.tiers.iter().map(|tier| tier.in_blocks).collect();
        assert_eq!(verdict.fills[row.txid.to_string()], json!(taken), "{}", row.txid);
    }
    let (requests, answers) = sources.seen.lock().unwrap().clone();
    Checked { answers, requests, took: verdict.took }
}

/// What the page in Chromium says of recorded answers, and its line of a batch.
async fn on_the_page(answers: &Answers, mint: MintId, batch: Txid) -> Value {
    let router = Router::new().fallback(repeat).with_state(Arc::new(answers.clone()));
    let server = Server::start(router).await.unwrap();
    let root = workspace::root();
    let output = Command::new("node")
        .arg(root.join("infra/local/tests/browser/verify-mint.mjs"))
        .env("BASE", server.url())
        .env("MINT", format!("{}/api/vm-transactions/mints/{mint}", server.url()))
        .env("OWN", batch.to_string())
        .env("PAGE", root.join("infra/frontend/verify/dist/runeport-verify.html"))
        .env("TOOLS", workspace::local_dir().join("node"))
        .env("CHROMIUM", workspace::local_dir().join("chromium"))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("node runs");
    let said = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)))
}

/// The verdict on changed answers.
async fn judged(answers: Answers, mint: MintId, compares_blocks: bool) -> Verdict {
    let router = Router::new().fallback(repeat).with_state(Arc::new(answers));
    let server = Server::start(router).await.unwrap();
    verdict(server.url(), mint, compares_blocks).await
}

/// What blocks took, by the answers of the service as files.
async fn from_files(world: &MintWorld, mint: MintId, answers: &Answers) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, path: &str| {
        let (_, text) = answers.iter().find(|(at, _)| at.starts_with(path)).unwrap();
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let path = format!("/api/vm-transactions/mints/{mint}");
    // The treasury has also received a batch of another mint.
    let all = world.client.get("/api/vm-transactions?pageSize=100").send().await.expect(200);
    let batches = folder.path().join("batches.json");
    fs::write(&batches, all.text).unwrap();
    let arguments = [
        save("mint.json", &path),
        world.stack.bitcoin().esplora_url().to_owned(),
        "--bids".to_owned(),
        batches.to_str().unwrap().to_owned(),
        "--claims".to_owned(),
        save("blocks.json", &format!("{path}/blocks")),
    ];
    let verdict = verdict_on(arguments.to_vec()).await;
    assert_eq!(verdict.difference, None, "{}", verdict.text);
    verdict.fills
}

/// Changes the rows in answers whose paths contain a text.
fn with_rows(answers: &Answers, path: &str, mut change: impl FnMut(&mut Vec<Value>)) -> Answers {
    let mut answers = answers.clone();
    let mut changed = 0;
    for (_, text) in answers.iter_mut().filter(|(at, _)| at.contains(path)) {
        let mut answer: Value = serde_json::from_str(text).unwrap();
        let rows = if answer.is_array() { &mut answer } else { &mut answer["data"] };
        let mut list = rows.as_array().unwrap().clone();
        change(&mut list);
        changed += usize::from(list != *rows.as_array().unwrap());
        *rows = list.into();
        *text = answer.to_string();
    }
    assert!(changed > 0, "nothing has changed in {path}");
    answers
}

/// The id that the content of a transaction in Esplora's format has.
fn txid_of_json(listed: &Value) -> Txid {
    let script = |value: &Value| ScriptBuf::from_hex(value.as_str().unwrap()).unwrap();
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let input = listed["vin"].as_array().unwrap().iter().map(|input| TxIn {
        previous_output: OutPoint {
            txid: input["txid"].as_str().unwrap().parse().unwrap(),
            vout: number(&input["vout"]),
        },
        script_sig: script(&input["scriptsig"]),
        sequence: Sequence(number(&input["sequence"])),
        ..TxIn::default()
    });
    let output = listed["vout"].as_array().unwrap().iter().map(|output| TxOut {
        value: Amount::from_sat(output["value"].as_u64().unwrap()),
        script_pubkey: script(&output["scriptpubkey"]),
    });
    let transaction = Transaction {
        version: Version(i32::try_from(listed["version"].as_i64().unwrap()).unwrap()),
        lock_time: LockTime::from_consensus(number(&listed["locktime"])),
        input: input.collect(),
        output: output.collect(),
    };
    transaction.compute_txid()
}

/// Another chain: a transaction has another content, so it and those that spend its outputs have other ids. Returns the
/// transaction's new id too.
fn with_transaction(
    answers: &Answers,
    txid: &str,
    change: impl Fn(&mut Value),
) -> (Answers, String) {
    let mut answers = with_rows(answers, "/txs/chain", |page| {
        for listed in page.iter_mut().filter(|listed| listed["txid"] == txid) {
            change(listed);
        }
    });
    let mut new = txid.to_owned();
    loop {
        let wrong = answers.iter().filter(|(path, _)| path.contains("/txs/chain"));
        let wrong = wrong.flat_map(|(_, text)| serde_json::from_str::<Vec<Value>>(text).unwrap());
        let mut wrong = wrong.map(|listed| {
            (listed["txid"].as_str().unwrap().to_owned(), txid_of_json(&listed).to_string())
        });
        let Some((old, own)) = wrong.find(|(told, own)| told != own) else { return (answers, new) };
        if old == new {
            new.clone_from(&own);
        }
        let renamed = |text: String| text.replace(&old, &own);
        answers = answers.into_iter().map(|(path, text)| (renamed(path), renamed(text))).collect();
    }
}

/// A world in which a mint has paid out everything, and a later one of the same rune has failed. In the first one, a batch
/// replaced another one, and one request of it was taken of ten at the lowest price; strangers have paid the treasury.
struct Paid {
    world: MintWorld,
    mint: MintId,
    failed: MintId,
    /// Twelve requests at 2,000 sats.
    alice: Txid,
    /// Eight requests at 3,000 sats.
    bob: Txid,
    /// Ten requests at 1,500 sats and five at 2,500.
    carol: Txid,
}

async fn paid_out() -> Paid {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    let alice = world.trader(1, &[200_000, 200_000]).await;
    let bob = world.trader_with(local::wallets::Wallet::p2tr(2), &[200_000, 200_000]).await;
    let carol = world.trader(3, &[200_000, 200_000]).await;
    let a = world.bid(&alice, 12, 2_000).await;
    let b = world.bid(&bob, 8, 3_000).await;
    world.bid(&carol, 10, 1_500).await;
    let c = world.bid(&carol, 5, 2_500).await;
    // More payments than Esplora lists on a page.
    let treasury = world.treasury.address(local::wallets::NETWORK);
    for _stranger in 0..26 {
        world.stack.bitcoin().fund(&treasury, 6_000).await.unwrap();
    }
    world.mine(1).await;
    world.bid(&bob, 4, 4_000).await;
    let mut states = Vec::new();
    for _block in 0..20 {
        world.mine(1).await;
        let state = world.mint_row(mint).await.state;
        if !states.contains(&state) {
            states.push(state);
            agrees(&world, mint).await;
        }
    }
    assert_eq!(states, [MintState::Open, MintState::MintedOut, MintState::Distributed]);
    refund(&world, &carol).await;

    let failed = world.mint(&json!({})).await;
    world.bid(&alice, 3, 2_000).await;
    world.mine(1).await;
    world.close(failed).await;
    world.watch().await;
    world.mine(7).await;
    assert_eq!(world.mint_row(failed).await.state, MintState::Failed);
    refund(&world, &alice).await;
    Paid { world, mint, failed, alice: a, bob: b, carol: c }
}

async fn refund(world: &MintWorld, trader: &Trader) {
    let created = world.create_refund(trader).await.expect(201);
    let signed = trader.signed(created.text_of("base64Psbt"));
    world.sign_refund(trader, &signed).await.expect(201);
    world.mine(7).await;
}

const BIDS: &str = "/api/vm-transactions?mintId_eq=";

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_agree_with_a_mint_and_name_what_was_changed() {
    let Paid { world, mint, failed, alice, bob, carol } = paid_out().await;
    agrees(&world, failed).await;
    let honest = agrees(&world, mint).await.answers;
    let at = async |txid: Txid| json!(world.vm(mint, txid).await.confirmation.unwrap().height);
    let in_block = |txid: &str, height: Value| Some((json!(txid), height));
    // The recorded answers say the same as the servers, and saved as files too.
    let repeated = judged(honest.clone(), mint, true).await;
    assert_eq!(repeated.difference, None);
    assert_eq!(from_files(&world, mint, &honest).await, repeated.fills);

    // So does the page, which shows what each batch has bid and received.
    let shown = on_the_page(&honest, mint, carol).await;
    assert!(shown["said"].as_str().unwrap().starts_with("Everything agrees"), "{shown}");
    let line = shown["lines"][0].as_str().unwrap();
    for part in ["10 at 1,500 sats, 5 at 2,500 sats", "1, 5", "14,000, 13,500 sats"] {
        assert!(line.contains(part), "{shown}");
    }

    // A batch is left out that the service has signed. It names no other mint that has it.
    let left_out = with_rows(&honest, BIDS, |rows| rows.retain(|row| row["txId"] != json!(bob)));
    let shown = on_the_page(&left_out, mint, bob).await;
    let named = format!("A difference. In transaction {bob} (block {})", at(bob).await);
    assert!(shown["said"].as_str().unwrap().starts_with(&named), "{shown}");
    let found = judged(left_out, mint, false).await;
    assert_eq!(found.difference, in_block(&bob.to_string(), at(bob).await), "{}", found.text);
    // The payment is there, and the chain has none.
    let invented = with_rows(&honest, BIDS, |rows| {
        let mut row = rows[0].clone();
        row["txId"] = json!("11".repeat(32));
        row["paidSats"] = json!(1_000);
        rows.push(row);
    });
    let found = judged(invented, mint, false).await;
    assert_eq!(found.difference, in_block(&"11".repeat(32), Value::Null), "{}", found.text);

    // A price that the payment does not fit.
    let price = |txid: Txid, change: fn(&mut Value)| {
        with_rows(&honest, BIDS, |rows| {
            rows.iter_mut().filter(|row| row["txId"] == json!(txid)).for_each(change);
        })
    };
    let wrong_sum = price(alice, |row| row["satsNewRequests"] = json!(24_012));
    let found = judged(wrong_sum, mint, false).await;
    assert_eq!(found.difference, in_block(&alice.to_string(), at(alice).await), "{}", found.text);
    // Eight at 3,000 instead of twelve at 2,000, which is the same sum: the blocks of the service are others, ...
    let changed = price(alice, |row| row["satsPerNewRequest"] = json!(3_000));
    let found = judged(changed.clone(), mint, true).await;
    assert_eq!(found.difference, Some((Value::Null, at(alice).await)), "{}", found.text);
    // ... so are its counts, ...
    let found = judged(changed.clone(), mint, false).await;
    assert!(found.text.contains("of its requests in virtual blocks"), "{}", found.text);
    // ... and if it has changed these too, the payouts are.
    let fills = found.fills;
    let consistent = with_rows(&changed, BIDS, |rows| {
        for row in rows {
            let taken = fills[row["txId"].as_str().unwrap()].as_array().cloned();
            let taken: u64 = taken.unwrap_or_default().iter().map(|n| n.as_u64().unwrap()).sum();
            row["requestsInBlocksCount"] = json!(taken);
        }
    });
    let found = judged(consistent, mint, false).await;
    let transfer = world.listed(carol).await["transferBtcTxId"].clone();
    assert_eq!(found.difference.unwrap().0, transfer, "{}", found.text);

    payouts_that_are_short(&world, mint, carol, &honest).await;
}

/// Other chains, in which one payout is another.
async fn payouts_that_are_short(world: &MintWorld, mint: MintId, carol: Txid, honest: &Answers) {
    let row = world.listed(carol).await;
    let text = |field: &str| row[field].as_str().unwrap().to_owned();
    let height = async |txid: &str| {
        let path = format!("/tx/{txid}/status");
        let esplora = Client::new(world.stack.bitcoin().esplora_url());
        esplora.get(path).send().await.expect(200).body["block_height"].clone()
    };
    // A unit less of the rune to the first recipient.
    let distribution = text("distributeRuneTxId");
    let (answers, new) = with_transaction(honest, &distribution, |listed| {
        let sent = listed["vout"].as_array().unwrap().clone();
        let output = sent.iter().map(|output| TxOut {
            value: Amount::from_sat(output["value"].as_u64().unwrap()),
            script_pubkey: ScriptBuf::from_hex(output["scriptpubkey"].as_str().unwrap()).unwrap(),
        });
        let transaction = Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: Vec::new(),
            output: output.collect(),
        };
        let Some(Artifact::Runestone(stone)) = Runestone::decipher(&transaction) else { panic!() };
        let edicts = stone.edicts.iter().enumerate().map(|(place, edict)| Edict {
            amount: edict.amount - u128::from(place == 0),
            ..*edict
        });
        let script =
            Runestone { edicts: edicts.collect(), pointer: stone.pointer, ..Runestone::default() }
                .encipher();
        let vout = transaction.output.iter().position(|one| one.script_pubkey.is_op_return());
        listed["vout"][vout.unwrap()]["scriptpubkey"] = json!(script.to_hex_string());
    });
    let found = judged(answers, mint, false).await;
    let place = (json!(new), height(&distribution).await);
    assert_eq!(found.difference, Some(place), "{}", found.text);

    // A thousand sats less of the proceeds, and of what is returned to the treasury.
    let transfer = text("transferBtcTxId");
    for address in [&world.proceeds, &world.treasury.address(local::wallets::NETWORK)] {
        let (answers, new) = with_transaction(honest, &transfer, |listed| {
            let mut outputs = listed["vout"].as_array_mut().unwrap().iter_mut();
            let paid =
                outputs.rfind(|output| output["scriptpubkey_address"] == address.to_string());
            let paid = paid.unwrap();
            paid["value"] = json!(paid["value"].as_u64().unwrap() - 1_000);
        });
        let found = judged(answers, mint, false).await;
        let place = (json!(new), height(&transfer).await);
        assert_eq!(found.difference, Some(place), "{}", found.text);
    }

    // A refund to somebody else.
    let refund = text("refundTxId");
    let (answers, new) = with_transaction(honest, &refund, |listed| {
        let output = &mut listed["vout"][0];
        output["scriptpubkey"] = json!(world.proceeds.script_pubkey().to_hex_string());
        output["scriptpubkey_address"] = json!(world.proceeds.to_string());
    });
    let found = judged(answers, mint, false).await;
    let place = (json!(new), height(&refund).await);
    assert_eq!(found.difference, Some(place), "{}", found.text);

    // No distribution at all.
    let withheld = with_rows(honest, "/txs/chain", |page| {
        page.retain(|listed| listed["txid"] != json!(distribution));
    });
    let found = judged(withheld, mint, false).await;
    assert!(found.text.contains("a distribution of"), "{}", found.text);
}
