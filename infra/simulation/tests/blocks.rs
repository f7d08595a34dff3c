//! Blocks come to the rows that they contain, whatever the rounds through the queues do.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    missing_docs
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bitcoin::Txid;
use serde_json::json;
use simulation::{
    aws::{
        dynamodb::{DynamoDb, figure, text},
        expression::Row,
    },
    choice::{Allowed, Choices},
    people::{Admin, Bidder, Client},
    run::in_simulated_time,
    setup::Stage,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

/// Users, each with a batch.
const BATCHES: u8 = 7;

/// A mint, and batches that the network has and no block yet.
struct Waiting {
    stage: Stage,
    _workers: JoinSet<()>,
    batches: Vec<Txid>,
}

/// Two runs of the watcher.
async fn runs() {
    sleep(Duration::from_secs(130)).await;
}

impl Waiting {
    async fn start(requests_per_block: u64) -> Self {
        let (stage, workers) = Stage::calm();
        let mut admin = Admin::new(client(&stage, 200), stage.chain.clone());
        let session = admin.sign_in().await.unwrap();
        admin.promote(&session).await;
        let session = admin.sign_in().await.unwrap();
        admin.create_mint(&session, 600, requests_per_block, 20).await;
        let mut bidders = Vec::new();
        for number in 0..BATCHES {
            let mut bidder =
                Bidder::new(client(&stage, number), stage.chain.clone(), number.into());
            bidder.token().await.unwrap();
            bidder.receive();
            bidders.push(bidder);
        }
        stage.find_block();
        runs().await;
        for bidder in &mut bidders {
            let token = bidder.token().await.unwrap();
            let psbt = bidder.create_batch(&token, 1, 2_000).await.unwrap();
            bidder.sign_batch(&token, &psbt).await;
        }
        let mut waiting = Self { stage, _workers: workers, batches: Vec::new() };
        waiting.batches = waiting.rows("vmTransaction").into_keys().collect();
        assert_eq!(waiting.batches.len(), usize::from(BATCHES));
        waiting.keep_rounds_away();
        waiting
    }

    /// The rows of this kind by txid.
    fn rows(&self, entity: &str) -> BTreeMap<Txid, Row> {
        let mut world = self.stage.net.world();
        let rows = world.host::<DynamoDb>("dynamodb").rows();
        let of_kind = rows.filter(|(_, _, row)| text(row, "entity") == Some(entity));
        of_kind
            .map(|(_, _, row)| (text(row, "txid").unwrap().parse().unwrap(), row.clone()))
            .collect()
    }

    /// No round comes to a transaction that the network has: it is due in a year.
    fn keep_rounds_away(&self) {
        let in_a_year = self.stage.net.now() + 365 * 24 * 60 * 60 * 1_000;
        let mut world = self.stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        let sent = |row: &Row| text(row, "watch") == Some("sentTransaction");
        let rows = dynamodb.rows().filter(|(_, _, row)| sent(row));
        let rows: Vec<_> = rows.map(|(table, _, row)| (table.to_owned(), row.clone())).collect();
        for (table, mut row) in rows {
            row.insert("dueAt".to_owned(), json!({ "N": in_a_year.to_string() }));
            dynamodb.import(&table, row);
        }
    }

    /// Every row says where the chain has its transaction.
    fn check(&self) {
        let issued = self.rows("issuedTransaction");
        let chain = self.stage.chain.lock();
        for (txid, vm) in self.rows("vmTransaction") {
            let (row, place) = (&issued[&txid], vm.get("confirmation").map(|at| at["M"].clone()));
            let Some((height, link)) = chain.chain().block_of(&txid) else {
                assert_eq!(place, None, "{txid} is in no block");
                assert_ne!(text(row, "state"), Some("confirmed"), "{txid}");
                continue;
            };
            assert_eq!(text(row, "state"), Some("confirmed"), "{txid}");
            assert_eq!(figure(row, "blockHeight"), Some(height.into()), "{txid}");
            assert_eq!(text(row, "blockHash"), Some(&*link.hash.to_string()), "{txid}");
            let position = link.txids.iter().position(|other| *other == txid).unwrap();
            let expected = json!({
                "height": { "N": height.to_string() },
                "position": { "N": position.to_string() },
            });
            assert_eq!(place, Some(expected), "{txid}");
        }
    }

    fn count(&self, is_so: impl Fn(&Row) -> bool) -> usize {
        self.rows("vmTransaction").values().filter(|row| is_so(row)).count()
    }
}

fn client(stage: &Stage, number: u8) -> Client {
    Client::new(&stage.lambda, &format!("person{number}"), number, Instant::now())
}

fn is_in_block(row: &Row) -> bool {
    text(row, "state") == Some("allInBlock")
}

fn is_final(row: &Row) -> bool {
    row.get("isFinal").is_some_and(|value| value["BOOL"] == true)
}

#[test]
fn a_block_comes_to_its_rows_and_the_seventh_makes_them_final() {
    in_simulated_time(1, async {
        let waiting = Waiting::start(3).await;
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(|row| row.contains_key("confirmation")), 0);
        waiting.stage.find_block();
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), 3);
        for block in 2..=6 {
            waiting.stage.find_block();
            runs().await;
            assert_eq!(waiting.count(is_in_block), usize::from(BATCHES.min(3 * block)));
            assert_eq!(waiting.count(is_final), 0);
        }
        waiting.stage.find_block();
        runs().await;
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
        waiting.check();
        assert!(!waiting.stage.any_row(|row| text(row, "watch") == Some("sentTransaction")));
    });
}

#[test]
fn a_block_is_applied_within_seconds_whenever_in_a_minute_it_is_found() {
    in_simulated_time(4, async {
        let waiting = Waiting::start(40).await;
        for _block in 0..7 {
            // A minute and a bit more, so that each is found later in its minute.
            sleep(Duration::from_secs(67)).await;
            waiting.stage.find_block();
            sleep(Duration::from_secs(25)).await;
            waiting.check();
            assert_eq!(waiting.count(|row| row.contains_key("confirmation")), usize::from(BATCHES));
        }
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

#[test]
fn blocks_that_are_no_more_are_taken_back() {
    in_simulated_time(2, async {
        let waiting = Waiting::start(40).await;
        waiting.stage.find_block();
        runs().await;
        waiting.stage.find_block();
        runs().await;
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES));
        let dropped: BTreeSet<_> = waiting.batches.iter().copied().take(2).collect();
        let now = waiting.stage.net.now();
        waiting.stage.chain.lock().replace_blocks(2, dropped, now);
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES - 2));
        for _block in 0..8 {
            waiting.stage.find_block();
            runs().await;
            waiting.keep_rounds_away();
        }
        waiting.check();
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

#[test]
fn a_watcher_that_missed_blocks_applies_each_of_them() {
    in_simulated_time(3, async {
        let waiting = Waiting::start(40).await;
        for _block in 0..33 {
            waiting.stage.find_block();
        }
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

/// Blocks are found and replaced, runs come when they come, and afterwards each row is where the chain is.
#[test]
fn after_any_history_every_row_says_what_the_chain_says() {
    for seed in 1..=12 {
        in_simulated_time(seed, async {
            let waiting = Waiting::start(2).await;
            let mut choices = Choices::new(seed, Allowed::default());
            for _step in 0..12 {
                let now = waiting.stage.net.now();
                match choices.below("step", 4) {
                    0 => {
                        let depth = u32::try_from(choices.between("depth", 1, 6)).unwrap();
                        let all = waiting.batches.iter().copied();
                        let dropped = all.filter(|_| choices.below("dropped", 4) == 0).collect();
                        waiting.stage.chain.lock().replace_blocks(depth, dropped, now);
                    }
                    1 => waiting.stage.find_empty_block(),
                    _ => waiting.stage.find_block(),
                }
                if choices.below("run", 2) == 0 {
                    runs().await;
                    waiting.keep_rounds_away();
                }
            }
            for _block in 0..8 {
                waiting.stage.find_block();
                runs().await;
                waiting.keep_rounds_away();
            }
            waiting.check();
            assert_eq!(waiting.count(is_final), usize::from(BATCHES), "seed {seed}");
        });
    }
}
