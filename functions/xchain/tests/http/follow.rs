//! How the chain watcher follows a withdrawal.

use local::bitcoin::Replica;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_is_followed_for_seven_blocks() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = withdrawn(&world, &user).await;
    world.watch_after(61).await;
    assert_eq!(world.state(txid).await, TransactionState::InMempool);
    world.mine(1).await;
    world.watch_after(61).await;
    let row = world.row(txid).await;
    assert_eq!(row.state, TransactionState::Confirmed);
    assert!(row.block_height.is_some() && row.watch.is_some());
    world.mine(5).await;
    world.watch_after(61).await;
    assert!(world.row(txid).await.watch.is_some(), "six blocks");
    world.mine(1).await;
    world.watch_after(61).await;
    assert!(world.row(txid).await.watch.is_none(), "seven");
    // The watcher does not check a final withdrawal again.
    assert_eq!(world.stack.tick("chain-watcher").await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_dropped_by_a_reorganisation_is_rebroadcast() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = withdrawn(&world, &user).await;
    world.mine(3).await;
    world.watch_after(61).await;
    assert_eq!(world.state(txid).await, TransactionState::Confirmed);
    world.stack.bitcoin().reorg(3, &[txid]).await.unwrap();
    assert!(!world.in_mempool(txid).await);
    for seconds in [61, 0] {
        world.watch_after(seconds).await;
    }
    assert_eq!(world.state(txid).await, TransactionState::InMempool);
    assert!(world.in_mempool(txid).await);
    world.mine(1).await;
    world.watch_after(61).await;
    assert_eq!(world.state(txid).await, TransactionState::Confirmed);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_watchers_have_the_effect_of_one() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let client = sources::without_kms(&world).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    sign_at(&client, &user, &signed).await.expect(201);
    world.stack.clock().advance(std::time::Duration::from_secs(61));
    let run = || world.stack.tick("chain-watcher");
    let (a, b, c) = tokio::join!(run(), run(), run());
    assert!(a.is_ok() && b.is_ok() && c.is_ok());
    world.watch_after(61).await;
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::InMempool);
    let tables = json!(world.stack.contents()).to_string();
    assert_eq!(tables.matches("\"list#xchain\"").count(), 2, "a head and a member");
}

/// Servers that lag or fork answer in turn, in several orders. Answers of different servers are never
/// combined, and a final state is final for all of them.
#[tokio::test(flavor = "multi_thread")]
async fn custody_05_lagging_and_forking_servers_make_nothing_final_early() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = withdrawn(&world, &user).await;
    let chain = world.stack.bitcoin();
    let servers = [Replica::Behind(7), Replica::Tip, Replica::Fork(6)];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 1, 0], [1, 1, 2], [2, 2, 1], [1, 0, 0]];
    for depth in 1..=6 {
        world.mine(1).await;
        for order in orders {
            chain.set_esplora_replicas(order.map(|server| servers[server]));
            world.watch_after(61).await;
            let row = world.row(txid).await;
            assert!(row.watch.is_some(), "final at depth {depth}, in the order {order:?}");
        }
    }
    // The server that is behind has the transaction in no block yet.
    world.mine(1).await;
    chain.set_esplora_replicas([Replica::Behind(1)]);
    world.watch_after(901).await;
    assert!(world.row(txid).await.watch.is_some());
    chain.set_esplora_replicas([]);
    world.watch_after(901).await;
    world.watch_after(61).await;
    let row = world.row(txid).await;
    assert!(row.watch.is_none());
    let hash = chain.rpc("getblockhash", json!([row.block_height.unwrap()])).await.unwrap();
    assert_eq!(json!(row.block_hash), hash);
}
