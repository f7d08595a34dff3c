//! How long the watcher takes for a block with thousands of commitments to a mint that has many more: until
//! they are confirmed, and until the mint's next virtual block has taken their requests.

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{
    Psbt, Script, ScriptBuf, Transaction, Txid, Witness,
    address::NetworkUnchecked,
    hashes::{Hash, sha256},
};
use serde_json::{Value, json};
use simulation::{
    aws::{
        capacity::TableLimits,
        dynamodb::{DynamoDb, figure, text},
        expression::Row,
    },
    people::Bidder,
    run::in_simulated_time,
    setup::Stage,
};
use tokio::time::{Duration, Instant, sleep, sleep_until};

use crate::scale::{open_mint, person, stage};

/// Batches of the mint: some wait for a block, others have been in one for a long time.
const BATCHES: usize = 100_000;
/// Batches that have been in a block for a long time.
const EARLIER: usize = 48_000;
/// Batches in the next block.
const IN_BLOCK: usize = 4_000;
/// Earlier blocks that hold batches, each as many as a virtual block takes.
const EARLIER_BLOCKS: u32 = 12;
/// Requests of each virtual block.
const REQUESTS_PER_BLOCK: usize = 4_000;
/// Batches in one row of bids.
const BIDS_TOGETHER: usize = 4_000;

/// Measures blocks, and prints the results.
pub(crate) fn measure_block() {
    in_simulated_time(1, block());
}

/// Measures the planning of all payouts, and prints the results.
pub(crate) fn measure_plan() {
    in_simulated_time(1, plan());
}

/// The rows of a batch that waits for a block.
struct Batch {
    rows: Vec<(String, String)>,
    ids: [String; 2],
    /// The bidder's address.
    address: String,
    /// The id of the bidder's account.
    account: String,
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
            matches!(
                text(row, "entity"),
                Some("issuedTransaction" | "transactionBody" | "vmTransaction" | "vmChain")
            )
        };
        let rows: Vec<_> = rows.filter(|(_, _, row)| is_its(row)).collect();
        let vm = rows.iter().find(|(_, _, row)| text(row, "entity") == Some("vmTransaction"));
        let (_, _, vm) = vm.expect("a batch");
        let (anchor, _) = text(vm, "anchor").and_then(|it| it.split_once(':')).expect("an anchor");
        let ids = [text(vm, "txid").expect("a txid").to_owned(), anchor.to_owned()];
        let address = text(vm, "userAddress").expect("an address").to_owned();
        let account = text(vm, "accountId").expect("an account").to_owned();
        let as_text = |row: &Row| serde_json::to_string(row).expect("a row is JSON");
        let rows = rows.iter().map(|(table, _, row)| ((*table).to_owned(), as_text(row)));
        Self { rows: rows.collect(), ids, address, account }
    }

    /// Pays the treasury for a request at 2,000 sats, in a transaction that the next block will contain, and
    /// imports the rows of a batch with this commitment.
    fn commit(&self, stage: &Stage, treasury: &Script) -> (String, String) {
        let now = stage.net.now();
        let paid = {
            let mut chain = stage.chain.lock();
            let paid = chain.give(&treasury.to_owned(), 2_000, now).expect("a coin");
            chain.seen().get(&paid).expect("a transaction").clone()
        };
        self.import_with(stage, paid.compute_txid(), Place::Mempool, Some(&paid))
    }

    /// Imports the rows of another batch; returns the key of its VM transaction.
    fn import(&self, stage: &Stage, txid: Txid, place: Place) -> (String, String) {
        self.import_with(stage, txid, place, None)
    }

    /// Imports the rows of another batch. Only a batch in a block of the model needs its commitment.
    fn import_with(
        &self,
        stage: &Stage,
        txid: Txid,
        place: Place,
        commitment: Option<&Transaction>,
    ) -> (String, String) {
        let mut world = stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        let mut vm = (String::new(), String::new());
        for (table, row) in &self.rows {
            let id = txid.to_string();
            let row = self.ids.iter().fold(row.clone(), |row, old| row.replace(old, &id));
            let row = row.replace(&self.address, &address(txid));
            let row = row.replace(&self.account, &account(txid));
            let mut row: Row = serde_json::from_str(&row).expect("a row");
            if text(&row, "entity") == Some("vmTransaction") {
                vm = key_of(&row, txid);
                row.insert("pk".to_owned(), json!({ "S": vm.0 }));
                fill(&mut row, place);
                let (state, rune) = (text(&row, "state"), text(&row, "runeId"));
                let shard = txid.to_byte_array()[1] % 4;
                let key = format!("{}#{}#{shard}", state.expect("a state"), rune.expect("a rune"));
                row.insert("stateKey".to_owned(), json!({ "S": key }));
            }
            match (commitment, text(&row, "entity")) {
                (None, Some("transactionBody")) => continue,
                (Some(commitment), Some("transactionBody")) => {
                    row.insert("psbt".to_owned(), json!({ "S": psbt_of(commitment) }));
                }
                // The payment comes before the change.
                (Some(_), Some("vmTransaction")) => {
                    row.insert("output".to_owned(), json!({ "S": format!("{txid}:0") }));
                }
                _ => {}
            }
            // Due far in the future, so that rounds skip it while the block is applied.
            if row.contains_key("dueAt") {
                row.insert("dueAt".to_owned(), json!({ "N": i64::MAX.to_string() }));
            }
            dynamodb.import(table, row);
        }
        vm
    }
}

/// The PSBT of a transaction as it was before it was signed, base64.
fn psbt_of(transaction: &Transaction) -> String {
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        input.witness = Witness::new();
    }
    let psbt = Psbt::from_unsigned_tx(unsigned).expect("no signature");
    BASE64_STANDARD.encode(psbt.serialize())
}

/// The script of the treasury of the only mint.
fn treasury(stage: &Stage) -> ScriptBuf {
    let mut world = stage.net.world();
    let mut rows = world.host::<DynamoDb>("dynamodb").rows();
    let mint = rows.find(|(_, _, row)| text(row, "entity") == Some("mint")).expect("a mint").2;
    let address = mint["treasury"]["M"]["address"]["S"].as_str().expect("an address");
    let address: bitcoin::Address<NetworkUnchecked> = address.parse().expect("an address");
    address.assume_checked().script_pubkey()
}

/// The bidder of a batch; each has about fifty batches.
fn bidder(txid: Txid) -> [u8; 2] {
    let [.., ten, one] = sha256::Hash::hash(&txid.to_byte_array()).to_byte_array();
    [ten % 8, one]
}

fn address(txid: Txid) -> String {
    let script = ScriptBuf::from_bytes(bidder(txid).to_vec());
    bitcoin::Address::p2wsh(&script, bitcoin::KnownHrp::Regtest).to_string()
}

fn account(txid: Txid) -> String {
    let [ten, one] = bidder(txid);
    format!("018bcfe5-6800-7000-8000-00000000{ten:02x}{one:02x}")
}

/// The key of a VM transaction, in the partition for its txid.
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

/// Gives the mint room for `total` requests.
fn widen_the_mint(stage: &Stage, total: usize) {
    let mut world = stage.net.world();
    let dynamodb = world.host::<DynamoDb>("dynamodb");
    // The worker compares the row with the terms that it has kept, so both change.
    let has_terms = |row: &Row| matches!(text(row, "entity"), Some("mint" | "keptMint"));
    let rows = dynamodb.rows().filter(|(_, _, row)| has_terms(row));
    let rows: Vec<_> = rows.map(|(table, _, row)| (table.to_owned(), row.clone())).collect();
    for (table, mut row) in rows {
        for (name, figure) in [("totalRequests", total), ("requestsPerBlock", REQUESTS_PER_BLOCK)] {
            row.insert(name.to_owned(), json!({ "N": figure.to_string() }));
        }
        dynamodb.import(&table, row);
    }
}

/// The mint of a partition of VM transactions.
fn mint_of(partition: &str) -> String {
    let (mint, _shard) = partition.rsplit_once('#').expect("a partition");
    mint.rsplit_once('#').expect("a mint").1.to_owned()
}

/// Imports the bids of an earlier block, each for one request at 2,000 sats.
fn import_bids(stage: &Stage, mint: &str, height: u32, batches: &[(Txid, usize)]) {
    let mut bytes = Vec::new();
    for (txid, position) in batches {
        bytes.extend(txid.to_byte_array());
        bytes.extend(u32::try_from(*position).expect("a position").to_le_bytes());
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
        bytes.extend(2_000_u64.to_le_bytes());
    }
    let mut world = stage.net.world();
    let dynamodb = world.host::<DynamoDb>("dynamodb");
    let table = dynamodb.rows().find(|(_, _, row)| text(row, "entity") == Some("mint"));
    let table = table.expect("a mint").0.to_owned();
    let row = json!({
        "pk": { "S": format!("bids#{mint}") },
        "sk": { "S": format!("{height:010}#00") },
        "entity": { "S": "blockBids" },
        "height": { "N": height.to_string() },
        "batches": { "S": BASE64_STANDARD.encode(bytes) },
    });
    dynamodb.import(&table, serde_json::from_value(row).expect("a row"));
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

/// How many virtual blocks a mint's page shows.
fn shown(stage: &Stage) -> Option<i64> {
    let mut world = stage.net.world();
    let dynamodb = world.host::<DynamoDb>("dynamodb");
    let is_page = |row: &Row| text(row, "entity") == Some("mintOutlook");
    let (_, _, row) = dynamodb.rows().find(|(_, _, row)| is_page(row))?;
    figure(row, "blocks")
}

/// Whether the row of a batch says that virtual blocks have taken its requests.
fn is_filled(stage: &Stage, (pk, sk): &(String, String)) -> bool {
    let mut world = stage.net.world();
    let row = world.host::<DynamoDb>("dynamodb").row(pk, sk);
    row.is_some_and(|row| text(row, "state") == Some("allInBlock"))
}

/// Waits until `is_so` holds, for at most two minutes.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _look in 0..12_000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("not yet: {what}");
}

/// A mint with one batch.
async fn mint(stage: &Stage) -> Batch {
    open_mint(stage).await;
    let mut bidder = Bidder::new(person(stage, 1).0, stage.chain.clone(), 1);
    let token = bidder.token().await.expect("a session");
    bidder.receive();
    stage.find_block();
    stage.run_watcher().await;
    let psbt = bidder.create_batch(&token, 1, 2_000).await.expect("a batch");
    bidder.sign_batch(&token, &psbt).await;
    Batch::read(stage)
}

/// A mint with this many batches that wait for a block.
pub(crate) async fn fill_mempool(stage: &Stage, batches: usize) {
    let batch = mint(stage).await;
    widen_the_mint(stage, 10 * BATCHES);
    for number in 0..batches {
        batch.import(stage, txid(number), Place::Mempool);
    }
}

/// The txid of a batch that is in no block of the model.
fn txid(number: usize) -> Txid {
    let mut id = [0; 32];
    id[..8].copy_from_slice(&number.to_le_bytes());
    Txid::from_byte_array(id)
}

async fn block() {
    let stage = stage(TableLimits::QUOTA);
    let batch = mint(&stage).await;
    stage.chain.lock().divide_coins(IN_BLOCK, stage.net.now());
    stage.find_block();
    stage.run_watcher().await;
    widen_the_mint(&stage, 10 * BATCHES);
    let height = u32::try_from(tip(&stage).expect("a tip")).expect("a height");
    let treasury = treasury(&stage);
    let keys: Vec<_> = (0..IN_BLOCK).map(|_| batch.commit(&stage, &treasury)).collect();
    let mut earlier = Vec::new();
    for number in IN_BLOCK..BATCHES {
        let txid = txid(number);
        let place = match number.checked_sub(IN_BLOCK).filter(|place| *place < EARLIER) {
            Some(place) => {
                let (block, position) = (place / REQUESTS_PER_BLOCK, place % REQUESTS_PER_BLOCK);
                let below = EARLIER_BLOCKS - 1 - u32::try_from(block).expect("a block");
                earlier.push((txid, position));
                Place::Block { height: height - below, position }
            }
            None => Place::Mempool,
        };
        batch.import(&stage, txid, place);
    }
    let mint = mint_of(&keys[0].0);
    for (batches, below) in earlier.chunks(BIDS_TOGETHER).zip((0..EARLIER_BLOCKS).rev()) {
        import_bids(&stage, &mint, height - below, batches);
    }
    // The instance compares every row once; after that it knows that they are right.
    stage.run_watcher().await;
    let calls = || stage.net.world().host::<DynamoDb>("dynamodb").bills().len();
    let (before, shown_before, calls_before) = (tip(&stage), shown(&stage), calls());
    stage.find_block();
    let begun = Instant::now();
    let applied = async {
        until("all are applied", || tip(&stage) != before).await;
        let applied = (begun.elapsed().as_secs_f64(), calls() - calls_before);
        until("the page shows it", || shown(&stage) > shown_before).await;
        let on_page = begun.elapsed().as_secs_f64() - applied.0;
        until("all are filled", || keys.iter().all(|key| is_filled(&stage, key))).await;
        (applied, on_page, begun.elapsed().as_secs_f64() - applied.0)
    };
    let (_, ((seconds, calls), on_page, filled)) = tokio::join!(stage.run_watcher(), applied);
    assert_eq!(keys.iter().filter(|key| is_confirmed(&stage, key)).count(), IN_BLOCK);
    println!(
        "| Batches of the mint | In the block | Confirmed, s | DynamoDB calls | Virtual block on the page, s | In every row, s |"
    );
    println!("|---|---|---|---|---|---|");
    println!("| {BATCHES} | {IN_BLOCK} | {seconds:.1} | {calls} | {on_page:.1} | {filled:.1} |");
    println!(
        "\nfigure block_seconds {seconds:.1}\nfigure fill_seconds {on_page:.1}\nfigure rows_seconds {filled:.1}"
    );
}

/// How long it takes from a block with thousands of commitments, found at this second of a minute, until all their
/// rows know it and the mint's page shows the virtual block. The watcher runs as on AWS, and nothing is warm.
pub(crate) async fn block_found_at(second: u64) -> Duration {
    let stage = stage(TableLimits::QUOTA);
    let batch = mint(&stage).await;
    stage.chain.lock().divide_coins(IN_BLOCK, stage.net.now());
    stage.find_block();
    stage.run_watcher().await;
    widen_the_mint(&stage, 10 * BATCHES);
    let treasury = treasury(&stage);
    let keys: Vec<_> = (0..IN_BLOCK).map(|_| batch.commit(&stage, &treasury)).collect();
    stage.lambda.retire();
    let _workers = stage.work();
    // The second run of the watcher begins after two minutes.
    sleep(Duration::from_secs(120 + second)).await;
    let shown_before = shown(&stage);
    stage.find_block();
    let found = Instant::now();
    until("the page shows it", || shown(&stage) > shown_before).await;
    until("all are filled", || keys.iter().all(|key| is_filled(&stage, key))).await;
    found.elapsed()
}

/// Whether all payouts of the mint are planned, and how many transactions send runes.
fn planned(stage: &Stage) -> (bool, usize) {
    let mut world = stage.net.world();
    let dynamodb = world.host::<DynamoDb>("dynamodb");
    let of = |entity: &'static str| move |row: &Row| text(row, "entity") == Some(entity);
    let (is_mint, is_payout) = (of("mint"), of("payout"));
    let mut is_planned = false;
    let mut distributions = 0;
    for (_, _, row) in dynamodb.rows() {
        if is_mint(row) {
            is_planned = row["payoutsPlanned"]["BOOL"] == true;
        } else if is_payout(row) && text(row, "leg") == Some("distribution") {
            distributions += 1;
        }
    }
    (is_planned, distributions)
}

async fn plan() {
    let stage = stage(TableLimits::QUOTA);
    let batch = mint(&stage).await;
    // The model's own batch stays in the mempool.
    stage.find_empty_block();
    stage.run_watcher().await;
    let height = u32::try_from(tip(&stage).expect("a tip")).expect("a height");
    let blocks = u32::try_from(BATCHES.div_ceil(REQUESTS_PER_BLOCK)).expect("blocks");
    let mut mint = String::new();
    for block in 0..blocks {
        // The next block makes the last one seven deep.
        let height = height - 5 - (blocks - 1 - block);
        let first = usize::try_from(block).expect("a block") * REQUESTS_PER_BLOCK;
        let numbers = first..(first + REQUESTS_PER_BLOCK).min(BATCHES);
        let batches: Vec<_> = numbers.map(|number| (txid(number), number - first)).collect();
        for (txid, position) in &batches {
            let (pk, _) = batch.import(&stage, *txid, Place::Block { height, position: *position });
            mint = pk;
        }
        mint = mint_of(&mint);
        import_bids(&stage, &mint, height, &batches);
    }
    widen_the_mint(&stage, BATCHES);
    stage.find_empty_block();
    let begun = Instant::now();
    // A run begins every minute, as on AWS, however long the last one took.
    for minute in 1..60 {
        stage.run_watcher().await;
        if planned(&stage).0 {
            break;
        }
        sleep_until(begun + Duration::from_secs(60) * minute).await;
    }
    let (is_planned, distributions) = planned(&stage);
    assert!(is_planned, "the payouts are planned");
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    println!("| Batches of the mint | Settled and planned, min | Transactions that send runes |");
    println!("|---|---|---|");
    println!("| {BATCHES} | {minutes:.1} | {distributions} |");
    println!("\nfigure plan_minutes {minutes:.1}\nfigure payout_transactions {distributions}");
}
