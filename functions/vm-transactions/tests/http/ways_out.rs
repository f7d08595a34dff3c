//! Batches that the network refuses or drops do not block the account: the next batch replaces them (custody
//! rule 25).

use local::bitcoin::Replica::{Behind, Fork, Tip};
use shared::problem::Problem;

use super::*;

/// Fee delta in sats by which the node's view of a transaction is lowered or restored.
const FAR_BELOW: i64 = 1_000_000;

/// Makes the node refuse a transaction as underpaying.
async fn refuse(world: &MintWorld, txid: Txid) {
    let params = json!([txid, 0, -FAR_BELOW]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
}

/// Lets the worker try to send a batch until another one can replace it.
async fn wait_until_stuck(world: &MintWorld, trader: &Trader, txid: Txid) {
    while world.issued(txid).await.looks < 6 {
        assert_eq!(state(world, txid).await, TransactionState::Broadcasting);
        world.create(trader, 1, 3_000).await.expect_error(Problem::VmBatchUnderWay);
        world.pass(Duration::from_secs(901)).await;
    }
}

/// Creates and signs a batch and returns its state.
async fn signed_batch(
    world: &MintWorld,
    trader: &Trader,
    (requests, price): (u64, u64),
    refused: bool,
) -> (Txid, String) {
    let created = world.create(trader, requests, price).await.expect(201);
    let txid = txid_of(&created);
    if refused {
        refuse(world, txid).await;
    }
    let signed = trader.signed(created.text_of("base64Psbt"));
    let answer = world.sign(trader, &signed).await.expect(201);
    (txid, answer.data()["state"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_refused_batch_is_replaced_by_the_next_one() {
    let (world, mint, alice) = world_with(&[100_000, 50_000]).await;
    let (first, stands) = signed_batch(&world, &alice, (2, 1_000), true).await;
    assert_eq!(stands, "broadcasting");
    wait_until_stuck(&world, &alice, first).await;

    let (second, stands) = signed_batch(&world, &alice, (1, 3_000), false).await;
    assert_eq!(stands, "allInMempool");
    let (old, new) = (world.issued(first).await, world.issued(second).await);
    let anchor = world.vm(mint, first).await.anchor;
    for txid in [first, second] {
        assert!(world.body(txid).await.inputs.contains(&anchor));
    }
    assert!(new.fee > old.fee);
    assert_eq!(state(&world, first).await, TransactionState::Replaced);
    let row = world.listed(first).await;
    assert_eq!((&row["state"], &row["replacedByTxId"]), (&json!("replaced"), &json!(second)));
    assert_eq!(world.vm(mint, second).await.requests(), 3, "it includes the requests of both");
    world.recount(mint).await;

    // A broadcast batch is replaced as usual.
    let third = world.bid(&alice, 1, 4_000).await;
    world.recount(mint).await;
    world.mine(1).await;
    assert_eq!(world.listed(third).await["state"], "allInBlock");
    for gone in [first, second] {
        let raw = world.raw(gone).await;
        world.stack.bitcoin().send_raw(&raw).await.unwrap_err();
    }
    world.mine(6).await;
    world.pass(Duration::from_secs(901)).await;
    for gone in [first, second] {
        assert_eq!(state(&world, gone).await, TransactionState::Failed);
    }
    world.recount(mint).await;
}

/// One batch that was accepted and dropped, one that was never accepted, and one that is in the mempool; then
/// a miner confirms the first, which he has kept.
#[tokio::test(flavor = "multi_thread")]
async fn custody_03_one_of_several_dropped_and_refused_batches_takes_part() {
    let (world, mint, alice) = world_with(&[100_000, 50_000]).await;
    let first = world.bid(&alice, 2, 1_000).await;
    world.mine(1).await;
    refuse(&world, first).await;
    world.stack.bitcoin().reorg(1, &[first]).await.unwrap();
    world.watch().await;
    wait_until_stuck(&world, &alice, first).await;
    let (second, stands) = signed_batch(&world, &alice, (1, 3_000), true).await;
    assert_eq!(stands, "broadcasting");
    wait_until_stuck(&world, &alice, second).await;
    let (third, stands) = signed_batch(&world, &alice, (1, 5_000), false).await;
    assert_eq!(stands, "allInMempool");
    for gone in [first, second] {
        assert_eq!(state(&world, gone).await, TransactionState::Replaced);
        assert_eq!(world.listed(gone).await["state"], "replaced");
    }
    assert_eq!(world.vm(mint, third).await.requests(), 4);
    world.recount(mint).await;

    mine_these(&world, &[&world.raw(first).await]).await;
    assert_eq!(world.listed(first).await["state"], "allInBlock");
    assert_eq!(world.listed(third).await["state"], "failed");
    world.recount(mint).await;
    world.mine(6).await;
    world.pass(Duration::from_secs(901)).await;
    for gone in [second, third] {
        assert_eq!(state(&world, gone).await, TransactionState::Failed);
    }
    assert_eq!(state(&world, first).await, TransactionState::Confirmed);
    world.recount(mint).await;
}

/// A later batch loses a coin that the first one does not spend. The first is active again, and the next
/// batch replaces it, so the user pays once.
#[tokio::test(flavor = "multi_thread")]
async fn custody_01_the_next_batch_replaces_the_one_whose_replacement_failed() {
    let (world, mint, alice) = world_with(&[20_000]).await;
    let (first, _) = signed_batch(&world, &alice, (2, 1_000), true).await;
    wait_until_stuck(&world, &alice, first).await;
    let chain = world.stack.bitcoin();
    let gone = chain.fund(&alice.trading, 60_000).await.unwrap();
    world.mine(1).await;
    let (second, stands) = signed_batch(&world, &alice, (2, 20_000), false).await;
    assert_eq!(stands, "allInMempool");
    assert!(world.body(second).await.inputs.iter().any(|coin| coin.0 == gone));
    assert_eq!(world.listed(first).await["state"], "replaced");

    chain.reorg(1, &[gone.txid]).await.unwrap();
    world.pass(Duration::from_secs(901)).await;
    world.mine(145).await;
    for _look in 0..14 {
        world.pass(Duration::from_secs(901)).await;
    }
    assert_eq!(state(&world, second).await, TransactionState::Failed);
    assert_eq!(world.listed(second).await["state"], "failed");
    assert_eq!(state(&world, first).await, TransactionState::Broadcasting);
    let row = world.listed(first).await;
    assert_eq!((&row["state"], &row["replacedByTxId"]), (&json!("broadcasting"), &Value::Null));
    world.recount(mint).await;

    while world.issued(first).await.looks < 6 {
        world.pass(Duration::from_secs(901)).await;
    }
    let (third, stands) = signed_batch(&world, &alice, (1, 3_000), false).await;
    assert_eq!(stands, "allInMempool");
    let (row, vm) = (world.issued(third).await, world.vm(mint, third).await);
    assert_eq!((row.earlier, vm.requests()), (vec![first], 3));
    assert_eq!(vm.anchor, world.vm(mint, first).await.anchor);
    assert_eq!(state(&world, first).await, TransactionState::Replaced);
    world.mine(7).await;
    world.pass(Duration::from_secs(901)).await;
    assert_eq!(world.listed(third).await["state"], "allInBlock");
    assert_eq!(state(&world, first).await, TransactionState::Failed);
    world.recount(mint).await;
}

/// The batch to be replaced confirms before the signature arrives.
#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_refused_batch_that_confirms_after_all_is_not_replaced() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let (first, _) = signed_batch(&world, &alice, (2, 1_000), true).await;
    wait_until_stuck(&world, &alice, first).await;
    let created = world.create(&alice, 1, 3_000).await.expect(201);
    mine_these(&world, &[&world.raw(first).await]).await;
    world.pass(Duration::from_secs(1)).await;
    let signed = alice.signed(created.text_of("base64Psbt"));
    let refused = world.sign(&alice, &signed).await;
    assert!(refused.status == 409 || refused.status == 400, "{refused:?}");
    world.pass(Duration::from_secs(901)).await;
    assert_eq!(world.listed(first).await["state"], "allInBlock");
    world.recount(mint).await;
}

/// Position and depth of a commitment come from one view of the chain, whichever servers answer.
#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_commitment_is_final_by_one_view_of_the_chain() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let txid = world.bid(&alice, 2, 1_000).await;
    let chain = world.stack.bitcoin();
    for depth in 1..=6 {
        chain.mine(1).await.unwrap();
        for order in [[Tip, Fork(6), Behind(7)], [Behind(7), Tip, Fork(6)], [Tip, Tip, Fork(6)]] {
            chain.set_esplora_replicas(order);
            for _look in 0..3 {
                world.stack.clock().advance(Duration::from_secs(301));
                world.stack.tick("chain-watcher").await.unwrap();
            }
            assert!(!world.vm(mint, txid).await.is_final, "{depth} blocks, {order:?}");
        }
    }
    chain.set_esplora_replicas([]);
    world.mine(1).await;
    world.pass(Duration::from_secs(901)).await;
    let (vm, row) = (world.vm(mint, txid).await, world.issued(txid).await);
    assert!(vm.is_final && row.watch.is_none());
    let place = vm.confirmation.unwrap();
    let block = chain.rpc("getblock", json!([row.block_hash, 1])).await.unwrap();
    assert_eq!(block["height"], place.height);
    assert_eq!(block["tx"][place.position as usize], txid.to_string());
    world.recount(mint).await;
}

/// The owner ends a batch that is not signed, and its coin pays for another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_released_batch_expires_and_frees_its_coin() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let created = world.create(&alice, 2, 1_000).await.expect(201);
    let txid = txid_of(&created);
    let release = async |txid: Txid| {
        let call = world.client.delete(format!("/api/transactions/{txid}"));
        call.bearer(&world.token(&alice).await).send().await
    };
    release(txid).await.expect(200);
    assert_eq!(world.vm(mint, txid).await.state, VmState::Expired);
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect_error(Problem::ReservationExpired);
    let other = world.bid(&alice, 3, 1_000).await;
    release(other).await.expect_error(Problem::AlreadySigned);
    world.recount(mint).await;
}
