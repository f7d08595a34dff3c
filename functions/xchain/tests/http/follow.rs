//! What the chain watcher makes of a withdrawal.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_is_followed_until_seven_blocks_have_it() {
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
    // What is final is looked at no more.
    assert_eq!(world.stack.tick("chain-watcher").await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_that_a_reorganisation_drops_is_sent_again() {
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
async fn watchers_at_once_do_what_one_does() {
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
