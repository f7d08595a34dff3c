//! Coins whose parent transaction is larger than any answer that the service reads.

use local::mints::MintWorld;

use crate::victim::{LONGEST_ANSWER, length_of, mints_and_is_refunded, withdraws};

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_coins_of_a_parent_with_1650_inputs_stop_nothing() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[]).await;
    let chain = world.stack.bitcoin();
    // Each of her coins comes from such a transaction.
    let parent = chain.fund_from_many(&alice.trading, 100_000, 8, 1_650).await.unwrap();
    let path = format!("/tx/{}", parent.compute_txid());
    assert!(length_of(chain.esplora_url(), &path).await > LONGEST_ANSWER);
    withdraws(&world, &alice, "0:0", 250_000).await;
    mints_and_is_refunded(&world, &alice).await;
}
