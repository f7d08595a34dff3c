//! While nothing changes, the worker writes only one thing: with each block, the newest block that it has
//! applied.

#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, missing_docs)]

use std::time::Duration;

use simulation::{
    aws::dynamodb::{DynamoDb, text},
    people::{Bidder, Client},
    run::in_simulated_time,
    setup::Stage,
};
use tokio::time::{Instant, sleep};

/// The write units of the chain watcher so far, without those for fee rates and the newest block.
fn written(stage: &Stage) -> u64 {
    let mut bills = stage.bills_of("run chain-watcher", 0);
    let is_kept = |key: &str| matches!(key, "feeRate" | "chain");
    bills.retain(|bill| bill.partition.as_ref().is_none_or(|(_, key)| !is_kept(key)));
    bills.iter().map(|bill| bill.units.writes).sum()
}

/// How often the newest block was written.
fn tips(stage: &Stage) -> usize {
    let bills = stage.bills_of("run chain-watcher", 0).into_iter();
    let is_tip = |key: &str| key == "chain";
    let tips = bills.filter(|bill| bill.partition.as_ref().is_some_and(|(_, key)| is_tip(key)));
    tips.filter(|bill| bill.units.writes > 0).count()
}

async fn minutes(count: u64) {
    sleep(Duration::from_secs(60 * count)).await;
}

#[test]
fn a_block_without_news_moves_the_tip_and_writes_nothing_else() {
    in_simulated_time(1, async {
        let (stage, _workers) = Stage::calm();
        stage.net.world().host::<DynamoDb>("dynamodb").measure(None);
        let client = Client::new(&stage.lambda, "bidder", 1, Instant::now());
        let mut bidder = Bidder::new(client, stage.chain.clone(), 0);
        bidder.token().await.unwrap();
        bidder.receive();
        stage.find_block();
        minutes(2).await;
        let token = bidder.token().await.unwrap();
        bidder.withdraw_sats(&token, 10_000).await;
        // The hub decides in the meantime.
        minutes(30).await;
        let is_sent = |stage: &Stage| {
            stage.any_row(|row| text(row, "watch").is_some_and(|watch| watch == "sentTransaction"))
        };
        assert!(is_sent(&stage));
        let in_mempool = written(&stage);
        minutes(60).await;
        assert_eq!(written(&stage), in_mempool, "it waits for a block");
        stage.find_block();
        minutes(3).await;
        let confirmed = written(&stage);
        assert!(confirmed > in_mempool, "it is in a block");
        let before = tips(&stage);
        for block in 1..6 {
            stage.find_block();
            minutes(3).await;
            assert_eq!(written(&stage), confirmed, "it is not deep enough");
            assert_eq!(tips(&stage), before + block);
        }
        stage.find_block();
        minutes(3).await;
        assert!(written(&stage) > confirmed, "it is final");
        assert!(!is_sent(&stage));
    });
}
