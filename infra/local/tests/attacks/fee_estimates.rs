//! A node without fee estimates.

use std::time::Duration;

use local::mints::MintWorld;
use serde_json::json;

use crate::victim::{create_withdrawal, withdraws};

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_without_fee_estimates_the_last_rate_is_used_for_six_hours() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000, 100_000]).await;
    let chain = world.stack.bitcoin();
    chain.set_fees([(1, 7.0)].into()).unwrap();
    world.pass(Duration::from_secs(11 * 60)).await;
    // No estimate for the short target in use.
    chain.set_fees([(1_008, 1.0)].into()).unwrap();
    let created = withdraws(&world, &alice, "0:0", 40_000).await;
    let warnings = created.body["metaData"]["warnings"].as_array().unwrap();
    let kinds: Vec<_> = warnings.iter().map(|warning| &warning["kind"]).collect();
    assert_eq!(kinds, ["feeRateStale"], "{created}");
    assert!(created.data()["fee"]["feeRate"].as_f64().unwrap() >= 7.0, "{created}");

    world.stack.clock().advance(Duration::from_secs(6 * 60 * 60));
    let refused = create_withdrawal(&world, &alice, "0:0", 10_000).await;
    assert_eq!(refused.status, 502, "{refused}");
    chain.set_fees([(1, 3.0)].into()).unwrap();
    let created = withdraws(&world, &alice, "0:0", 10_000).await;
    assert_eq!(created.body["metaData"]["warnings"], json!([]));
}
