//! Blocks reach the rows that they contain whether or not rounds do, and what they make final is paid out.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    missing_docs
)]

use std::{collections::BTreeMap, time::Duration};

use bitcoin::Txid;
use serde_json::json;
use simulation::{
    aws::{
        dynamodb::{DynamoDb, figure, text},
        expression::Row,
    },
    people::{Admin, Bidder, Client},
    setup::Stage,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

mod following;
mod payouts;

/// An admin's number among the clients.
const ADMIN: u8 = 200;

/// Sats of each request.
const PRICE: u64 = 1_500;

/// A mint with batches that are in the mempool.
struct Waiting {
    stage: Stage,
    _workers: JoinSet<()>,
    batches: Vec<Txid>,
}

/// Waits for two runs of the watcher.
async fn runs() {
    sleep(Duration::from_secs(130)).await;
}

impl Waiting {
    /// Users with one batch each, of these numbers of requests, in a mint with virtual blocks of this size.
    async fn start(requests: &[u64], requests_per_block: u64, blocks: u64) -> Self {
        let (stage, workers) = Stage::calm();
        let mut admin = Admin::new(client(&stage, ADMIN), stage.chain.clone());
        let session = admin.sign_in().await.unwrap();
        admin.promote(&session).await;
        let session = admin.sign_in().await.unwrap();
        admin.create_mint(&session, 600, requests_per_block, blocks).await;
        let mut bidders = Vec::new();
        for (number, _) in (0..).zip(requests) {
            let mut bidder =
                Bidder::new(client(&stage, number), stage.chain.clone(), number.into());
            bidder.token().await.unwrap();
            bidder.receive();
            bidders.push(bidder);
        }
        stage.find_block();
        runs().await;
        for (bidder, requests) in bidders.iter_mut().zip(requests) {
            let token = bidder.token().await.unwrap();
            let psbt = bidder.create_batch(&token, *requests, PRICE).await.unwrap();
            bidder.sign_batch(&token, &psbt).await;
        }
        let mut waiting = Self { stage, _workers: workers, batches: Vec::new() };
        waiting.batches = waiting.rows("vmTransaction").into_keys().collect();
        assert_eq!(waiting.batches.len(), requests.len());
        waiting.keep_rounds_away();
        waiting
    }

    /// The rows of this kind, each with its table.
    fn tabled(&self, entity: &str) -> Vec<(String, Row)> {
        let mut world = self.stage.net.world();
        let rows = world.host::<DynamoDb>("dynamodb").rows();
        let of_kind = rows.filter(|(_, _, row)| text(row, "entity") == Some(entity));
        of_kind.map(|(table, _, row)| (table.to_owned(), row.clone())).collect()
    }

    /// The rows of this kind by txid.
    fn rows(&self, entity: &str) -> BTreeMap<Txid, Row> {
        let rows = self.tabled(entity).into_iter();
        rows.map(|(_, row)| (text(&row, "txid").unwrap().parse().unwrap(), row)).collect()
    }

    fn import(&self, table: &str, row: Row) {
        self.stage.net.world().host::<DynamoDb>("dynamodb").import(table, row);
    }

    /// Keeps rounds from transactions in the mempool by making them due in a year.
    fn keep_rounds_away(&self) {
        let in_a_year = self.stage.net.now() + 365 * 24 * 60 * 60 * 1_000;
        for (table, mut row) in self.tabled("issuedTransaction") {
            if text(&row, "watch") == Some("sentTransaction") {
                row.insert("dueAt".to_owned(), json!({ "N": in_a_year.to_string() }));
                self.import(&table, row);
            }
        }
    }

    /// Checks that every row agrees with the chain.
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
