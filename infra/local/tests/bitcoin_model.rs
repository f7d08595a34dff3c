//! The model is honest: what happens in random worlds of it happens to Bitcoin Core and ord as well.
//!
//! A failure names its seed; `RUNEPORT_MODEL_SEED=<seed>` plays it alone, and `RUNEPORT_MODEL_SEEDS=<count>` plays
//! more of them.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stdout
)]

use std::{collections::BTreeSet, env, time::SystemTime};

use bitcoin::{Block, OutPoint, Txid, consensus::encode::serialize_hex};
use bitcoin_model::{
    face::Request,
    node::SendError,
    ord::{self, View},
    people::Dice,
    play::{Play, numbers},
    policy::Policy,
};
use local::{
    Client,
    bitcoin::{RpcError, node::Node, ord::OrdServer, programs::Programs},
    patience::HANG_LIMIT,
    workspace,
};
use serde_json::{Value, json};

/// Blocks until the first coinbases can be spent.
const FIRST_BLOCKS: u32 = 108;
/// From here on ord reads block by block: it can only go back to a block at which it has paused.
const PAUSES_FROM: u32 = 80;
const ROUNDS: u64 = 45;
/// Rounds between two comparisons of all outputs.
const COMPARE_EVERY: u64 = 15;
const BATCH: usize = 100;

/// Those that the variables name, otherwise one, or two where all cases are checked.
fn seeds() -> Vec<u64> {
    let usual = u64::try_from(workspace::cases(1, 2)).unwrap();
    let number = |name| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    match number("RUNEPORT_MODEL_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("RUNEPORT_MODEL_SEEDS").unwrap_or(usual)).collect(),
    }
}

/// The real programs.
struct Real {
    node: Node,
    ord: OrdServer,
    client: Client,
    _folder: tempfile::TempDir,
}

impl Real {
    async fn start() -> Self {
        let programs = Programs::expect().unwrap();
        let folder = tempfile::Builder::new().prefix("runeport-model-").tempdir().unwrap();
        let (node, ord) = (folder.path().join("node"), folder.path().join("ord"));
        let node = Node::start(&programs.bitcoind, &node, Some(folder.path())).await.unwrap();
        let ord = OrdServer::start(&programs.ord, &ord, &node, true).await.unwrap();
        let client = Client::new(ord.url());
        Self { node, ord, client, _folder: folder }
    }

    async fn submit(&self, block: &Block, about: &str) {
        let answer: Value =
            self.node.rpc().call("submitblock", json!([serialize_hex(block)])).await.unwrap();
        let is_taken = answer.is_null() || answer == "inconclusive";
        assert!(is_taken, "{about}: block refused: {answer}");
    }

    async fn mempool(&self) -> BTreeSet<Txid> {
        self.node.rpc().call("getrawmempool", json!([])).await.unwrap()
    }

    async fn same_chain(&self, play: &Play, about: &str) {
        assert_eq!(self.node.tip().await.unwrap(), play.tree.best(), "{about}: tip");
        let waiting: BTreeSet<Txid> = play.node.mempool().keys().copied().collect();
        assert_eq!(self.mempool().await, waiting, "{about}: mempool");
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        self.ord.kill();
        self.node.kill();
    }
}

/// Asks the model and the node about one transaction.
async fn same_verdict(
    real: &Real,
    play: &mut Play,
    dice: &mut Dice<'_>,
    about: &str,
) -> Option<()> {
    let before = play.node.clone();
    let sent = play.send(dice)?;
    let hex = serialize_hex(&sent.transaction);
    let told = before.decode_and_check(&hex);
    let said = real.node.rpc().call::<Txid>("sendrawtransaction", json!([hex])).await;
    match (&told, &said) {
        (Ok((told, is_new)), Ok(said)) => {
            assert_eq!(told.compute_txid(), *said, "{about}");
            assert_eq!(sent.verdict.is_ok(), *is_new, "{about}");
        }
        (Err(told), Err(RpcError::Refused { code, message, .. })) => {
            let reason = match told {
                SendError::Refused(refusal) => refusal.reason(),
                other => other.to_string(),
            };
            assert!(
                *code == i64::from(told.code()) && message.starts_with(&reason),
                "{about}: {told} but {code} {message}\n{hex}"
            );
        }
        _ => panic!("{about}: {told:?} but {said:?}\n{hex}"),
    }
    Some(())
}

/// The fields of ord's answer that the model has.
fn fields_of(mut real: Value, model: &Value) -> Value {
    match (&mut real, model) {
        (Value::Object(real), Value::Object(model)) => {
            real.retain(|field, _| model.contains_key(field) && field != "sat_ranges");
        }
        (Value::Array(real), Value::Array(model)) => {
            for (real, model) in real.iter_mut().zip(model) {
                *real = fields_of(real.take(), model);
            }
        }
        _ => {}
    }
    real
}

fn without_ranges(mut model: Value) -> Value {
    match &mut model {
        Value::Object(fields) => drop(fields.remove("sat_ranges")),
        Value::Array(items) => {
            for item in items {
                *item = without_ranges(item.take());
            }
        }
        _ => {}
    }
    model
}

async fn same_answer(real: &Real, play: &Play, path: &str, body: Option<&str>, about: &str) {
    let view = View::new(&play.index, &play.node);
    let request = match body {
        None => Request::get(path),
        Some(body) => Request::post(path, body.as_bytes()),
    };
    let told = ord::answer(&view, &request);
    let call = match body {
        None => real.client.get(path),
        Some(body) => {
            real.client.post(path).header("content-type", "application/json").body(body.to_owned())
        }
    };
    let said = call.header("accept", "application/json").send().await;
    assert_eq!(
        told.status,
        said.status,
        "{about}: {path}: {} but {}",
        told.text_of_body(),
        said.text
    );
    if told.status == 200 {
        let told: Value = serde_json::from_slice(&told.body).unwrap();
        let said = fields_of(serde_json::from_str(&said.text).unwrap(), &told);
        assert_eq!(without_ranges(told), said, "{about}: {path} {body:?}");
    }
}

async fn same_contents(real: &Real, play: &Play, about: &str) {
    real.ord.catch_up(&real.node, HANG_LIMIT).await.unwrap();
    let outputs: Vec<OutPoint> = play
        .index
        .inscriptions
        .outputs()
        .map(|(outpoint, _)| *outpoint)
        .filter(|outpoint| play.node.chain().block_of(&outpoint.txid).is_some_and(|at| at.0 > 0))
        .collect();
    for batch in outputs.chunks(BATCH) {
        let body = json!(batch).to_string();
        same_answer(real, play, "/outputs", Some(&body), about).await;
    }
    // Unconfirmed and spent outputs.
    for txid in play.node.mempool().keys() {
        let transaction = play.node.chain().transaction(txid).unwrap();
        let spent = transaction.input.iter().map(|input| input.previous_output);
        for outpoint in spent.chain([OutPoint { txid: *txid, vout: 0 }]) {
            same_answer(real, play, &format!("/output/{outpoint}"), None, about).await;
        }
    }
    for (id, entry) in play.index.runes.entries() {
        same_answer(real, play, &format!("/rune/{id}"), None, about).await;
        same_answer(real, play, &format!("/rune/{}", entry.spaced_rune.rune), None, about).await;
    }
    for inscription in play.index.inscriptions.inscriptions() {
        let path = format!("/inscription/{}", inscription.id);
        same_answer(real, play, &path, None, about).await;
    }
    for person in play.crowd.people() {
        let address = person.address();
        for path in [
            format!("/address/{address}"),
            format!("/outputs/{address}?type=runic"),
            format!("/outputs/{address}?type=inscribed"),
        ] {
            same_answer(real, play, &path, None, about).await;
        }
    }
    same_answer(real, play, "/rune/1:1", None, about).await;
}

async fn play_seed(seed: u64) -> String {
    let real = Real::start().await;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let start = u32::try_from(now).unwrap() - 60 * 60 * 12;
    let (mut world, mut numbers) = (Play::new(Policy::core_31(), start), numbers(seed));
    let mut dice = Dice(&mut numbers);
    for height in 0..FIRST_BLOCKS {
        let block = world.mine_plain(&mut dice).unwrap();
        real.submit(&block, "first blocks").await;
        if height >= PAUSES_FROM {
            real.ord.catch_up(&real.node, HANG_LIMIT).await.unwrap();
        }
    }
    let (mut sent, mut reorganised) = (0, 0);
    for round in 0..ROUNDS {
        let about = format!("seed {seed}, round {round}");
        for _act in 0..dice.below(12) {
            sent += usize::from(same_verdict(&real, &mut world, &mut dice, &about).await.is_some());
        }
        real.same_chain(&world, &about).await;
        let blocks = if dice.one_in(6) {
            reorganised += 1;
            world.reorganise(&mut dice).unwrap()
        } else {
            vec![world.mine(&mut dice).unwrap()]
        };
        for block in &blocks {
            real.submit(block, &about).await;
        }
        real.same_chain(&world, &about).await;
        real.ord.catch_up(&real.node, HANG_LIMIT).await.expect(&about);
        if (round + 1) % COMPARE_EVERY == 0 {
            same_contents(&real, &world, &about).await;
        }
    }
    let runes = world.index.runes.entries().count();
    let inscriptions = world.index.inscriptions.inscriptions().count();
    assert!(sent > 0, "seed {seed}");
    format!(
        "{sent} transactions, {reorganised} reorganisations, {runes} runes, {inscriptions} inscriptions"
    )
}

#[tokio::test]
async fn random_worlds_are_the_same_in_bitcoin_core_and_ord() {
    let seeds = seeds();
    assert!(!seeds.is_empty());
    // Two at a time: most of the time goes by in waiting for ord.
    for pair in seeds.chunks(2) {
        let summaries = match pair {
            [one, other] => {
                let (one, other) = tokio::join!(play_seed(*one), play_seed(*other));
                vec![one, other]
            }
            [one] => vec![play_seed(*one).await],
            _ => Vec::new(),
        };
        for (seed, summary) in pair.iter().zip(summaries) {
            // Shown by `--nocapture`.
            println!("seed {seed}: {summary}");
        }
    }
}
