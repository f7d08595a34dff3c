//! How long the watcher takes for a block with thousands of commitments to one mint, while many more wait.

use bitcoin::{Txid, hashes::Hash};
use serde_json::json;
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

/// Transactions that wait for a block, ours in the next block included.
const LIVE: usize = 100_000;
/// Those that the next block has.
const IN_BLOCK: usize = 4_000;

/// Measures it, and prints what it finds.
pub(crate) fn measure() {
    in_simulated_time(1, block());
}

/// The rows of one batch that waits for a block.
struct Batch {
    rows: Vec<(String, String)>,
    ids: [String; 2],
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

    /// Imports the rows of another batch, which waits as this one does.
    fn import(&self, stage: &Stage, txid: Txid) {
        let mut world = stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        // Each VM transaction is in the partition that its key says.
        let shard = txid.to_byte_array()[0] % 16;
        for (table, row) in &self.rows {
            let row =
                self.ids.iter().fold(row.clone(), |row, id| row.replace(id, &txid.to_string()));
            let mut row: Row = serde_json::from_str(&row).expect("a row");
            if text(&row, "entity") == Some("vmTransaction") {
                let pk = text(&row, "pk").and_then(|pk| pk.rsplit_once('#')).expect("a shard").0;
                let pk = format!("{pk}#{shard}");
                row.insert("pk".to_owned(), json!({ "S": pk }));
            }
            // No round comes to it while the block is applied.
            if row.contains_key("dueAt") {
                row.insert("dueAt".to_owned(), json!({ "N": i64::MAX.to_string() }));
            }
            dynamodb.import(table, row);
        }
    }
}

fn tip(stage: &Stage) -> Option<i64> {
    let mut world = stage.net.world();
    figure(world.host::<DynamoDb>("dynamodb").row("chain", "tip")?, "height")
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
    let now = stage.net.now();
    let script = bidder.script().expect("a trading wallet");
    stage.chain.lock().divide_coins(IN_BLOCK, now);
    stage.find_block();
    stage.run_watcher().await;
    for _payment in 0..IN_BLOCK {
        let paid = stage.chain.lock().give(&script, 1_000, now);
        batch.import(&stage, paid.expect("a coin"));
    }
    for number in IN_BLOCK..LIVE {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_le_bytes());
        batch.import(&stage, Txid::from_byte_array(id));
    }
    let calls = || stage.net.world().host::<DynamoDb>("dynamodb").bills().len();
    let (before, calls_before) = (tip(&stage), calls());
    stage.find_block();
    let begun = Instant::now();
    let applied = async {
        while tip(&stage) == before {
            sleep(Duration::from_millis(10)).await;
        }
        (begun.elapsed(), calls() - calls_before)
    };
    let (_, (took, calls)) = tokio::join!(stage.run_watcher(), applied);
    let in_block = |row: &Row| {
        text(row, "entity") == Some("vmTransaction") && row.contains_key("confirmation")
    };
    let mut world = stage.net.world();
    let rows = world.host::<DynamoDb>("dynamodb").rows();
    let confirmed = rows.filter(|(_, _, row)| in_block(row)).count();
    assert!(confirmed >= IN_BLOCK, "{confirmed} are confirmed");
    println!("| Waiting transactions | In the block | Until all are applied | DynamoDB calls |");
    println!("|---|---|---|---|");
    println!("| {LIVE} | {IN_BLOCK} | {:.1} s | {calls} |", took.as_secs_f64());
    println!("\nfigure block_seconds {:.1}", took.as_secs_f64());
}
