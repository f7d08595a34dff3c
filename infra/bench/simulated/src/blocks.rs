//! How long the watcher takes for a block with thousands of commitments to one mint, which has many more.

use bitcoin::{Txid, hashes::Hash};
use serde_json::{Value, json};
use simulation::{
    aws::{
        dynamodb::{DynamoDb, figure, text},
        expression::Row,
    },
    people::{Admin, Bidder},
    run::in_simulated_time,
    setup::Stage,
};
use tokio::time::{Duration, Instant, sleep};

use crate::scale::{person, stage};

/// Batches of the mint: some wait for a block, others have been in one for long.
const BATCHES: usize = 100_000;
/// Those that have been in a block for long.
const EARLIER: usize = 48_000;
/// Those that the next block has.
const IN_BLOCK: usize = 4_000;
/// Requests of each virtual block.
const REQUESTS_PER_BLOCK: usize = EARLIER + IN_BLOCK;

/// Measures it, and prints what it finds.
pub(crate) fn measure() {
    in_simulated_time(1, block());
}

/// The rows of one batch that waits for a block.
struct Batch {
    rows: Vec<(String, String)>,
    ids: [String; 2],
}

/// Where a batch is.
#[derive(Clone, Copy)]
enum Place {
    Mempool,
    Block { height: u32, position: usize },
}

impl Batch {
    /// The rows of the only batch.
    fn read(stage: &Stage) -> Self {
        let mut world = stage.net.world();
        let rows = world.host::<DynamoDb>("dynamodb").rows();
        let is_its = |row: &Row| {
            matches!(text(row, "entity"), Some("issuedTransaction" | "vmTransaction" | "vmChain"))
        };
        let rows: Vec<_> = rows.filter(|(_, _, row)| is_its(row)).collect();
        let vm = rows.iter().find(|(_, _, row)| text(row, "entity") == Some("vmTransaction"));
        let (_, _, vm) = vm.expect("a batch");
        let (anchor, _) = text(vm, "anchor").and_then(|it| it.split_once(':')).expect("an anchor");
        let ids = [text(vm, "txid").expect("a txid").to_owned(), anchor.to_owned()];
        let as_text = |row: &Row| serde_json::to_string(row).expect("a row is JSON");
        let rows = rows.iter().map(|(table, _, row)| ((*table).to_owned(), as_text(row)));
        Self { rows: rows.collect(), ids }
    }

    /// Imports the rows of another batch; returns the key of its VM transaction.
    fn import(&self, stage: &Stage, txid: Txid, place: Place) -> (String, String) {
        let mut world = stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        let mut vm = (String::new(), String::new());
        for (table, row) in &self.rows {
            let id = txid.to_string();
            let row = self.ids.iter().fold(row.clone(), |row, old| row.replace(old, &id));
            let mut row: Row = serde_json::from_str(&row).expect("a row");
            if text(&row, "entity") == Some("vmTransaction") {
                vm = key_of(&row, txid);
                row.insert("pk".to_owned(), json!({ "S": vm.0 }));
                fill(&mut row, place);
            }
            // No round comes to it while the block is applied.
            if row.contains_key("dueAt") {
                row.insert("dueAt".to_owned(), json!({ "N": i64::MAX.to_string() }));
            }
            dynamodb.import(table, row);
        }
        vm
    }
}

/// The key of a VM transaction, in the partition that its txid asks for.
fn key_of(row: &Row, txid: Txid) -> (String, String) {
    let mint = text(row, "pk").and_then(|pk| pk.rsplit_once('#')).expect("a partition").0;
    (format!("{mint}#{}", txid.to_byte_array()[0] % 16), format!("vm#{txid}"))
}

/// Puts a batch, all its requests and a final confirmation into a block.
fn fill(row: &mut Row, place: Place) {
    let Place::Block { height, position } = place else { return };
    let number = |value: String| json!({ "N": value });
    let confirmation = json!({ "M": {
        "height": number(height.to_string()), "position": number(position.to_string()),
    }});
    row.insert("confirmation".to_owned(), confirmation);
    row.insert("isFinal".to_owned(), json!({ "BOOL": true }));
    row.insert("state".to_owned(), json!({ "S": "allInBlock" }));
    let tiers = row.get_mut("tiers").and_then(|tiers| tiers["L"].as_array_mut()).expect("tiers");
    for tier in tiers {
        let count: Value = tier["M"]["count"].clone();
        tier["M"]["inBlocks"] = count;
    }
}

/// Gives the mint room for all of them.
fn widen_the_mint(stage: &Stage) {
    let mut world = stage.net.world();
    let dynamodb = world.host::<DynamoDb>("dynamodb");
    let mint = dynamodb.rows().find(|(_, _, row)| text(row, "entity") == Some("mint"));
    let (table, _, row) = mint.expect("a mint");
    let (table, mut row) = (table.to_owned(), row.clone());
    for (name, figure) in
        [("totalRequests", 10 * BATCHES), ("requestsPerBlock", REQUESTS_PER_BLOCK)]
    {
        row.insert(name.to_owned(), json!({ "N": figure.to_string() }));
    }
    dynamodb.import(&table, row);
}

fn tip(stage: &Stage) -> Option<i64> {
    let mut world = stage.net.world();
    figure(world.host::<DynamoDb>("dynamodb").row("chain", "tip")?, "height")
}

fn is_confirmed(stage: &Stage, (pk, sk): &(String, String)) -> bool {
    let mut world = stage.net.world();
    let row = world.host::<DynamoDb>("dynamodb").row(pk, sk);
    row.is_some_and(|row| row.contains_key("confirmation"))
}

/// Waits until something is so, for two minutes at most.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _look in 0..12_000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("not yet: {what}");
}

async fn block() {
    let stage = stage();
    let mut admin = Admin::new(person(&stage, 0).0, stage.chain.clone());
    let session = admin.sign_in().await.expect("a session");
    admin.promote(&session).await;
    let session = admin.sign_in().await.expect("a session");
    admin.create_mint(&session, 600, 40, 1).await;
    let mut bidder = Bidder::new(person(&stage, 1).0, stage.chain.clone(), 1);
    let token = bidder.token().await.expect("a session");
    bidder.receive();
    stage.find_block();
    stage.run_watcher().await;
    let psbt = bidder.create_batch(&token, 1, 2_000).await.expect("a batch");
    bidder.sign_batch(&token, &psbt).await;
    let batch = Batch::read(&stage);
    let (now, script) = (stage.net.now(), bidder.script().expect("a trading wallet"));
    stage.chain.lock().divide_coins(IN_BLOCK, now);
    stage.find_block();
    stage.run_watcher().await;
    widen_the_mint(&stage);
    let height = u32::try_from(tip(&stage).expect("a tip")).expect("a height");
    let keys: Vec<_> = (0..IN_BLOCK)
        .map(|_| {
            let paid = stage.chain.lock().give(&script, 1_000, now).expect("a coin");
            batch.import(&stage, paid, Place::Mempool)
        })
        .collect();
    for number in IN_BLOCK..BATCHES {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_le_bytes());
        let place = match number.checked_sub(IN_BLOCK).filter(|place| *place < EARLIER) {
            Some(position) => Place::Block { height, position },
            None => Place::Mempool,
        };
        batch.import(&stage, Txid::from_byte_array(id), place);
    }
    let calls = || stage.net.world().host::<DynamoDb>("dynamodb").bills().len();
    let (before, calls_before) = (tip(&stage), calls());
    stage.find_block();
    let begun = Instant::now();
    let applied = async {
        until("all are applied", || tip(&stage) != before).await;
        (begun.elapsed().as_secs_f64(), calls() - calls_before)
    };
    let (_, (seconds, calls)) = tokio::join!(stage.run_watcher(), applied);
    assert_eq!(keys.iter().filter(|key| is_confirmed(&stage, key)).count(), IN_BLOCK);
    println!("| Batches of the mint | In the block | Seconds | DynamoDB calls |");
    println!("|---|---|---|---|");
    println!("| {BATCHES} | {IN_BLOCK} | {seconds:.1} | {calls} |");
    println!("\nfigure block_seconds {seconds:.1}");
}
