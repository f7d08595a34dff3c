//! How the chain watcher follows plain withdrawals and renewals.

use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_dropped_by_a_reorganisation_is_rebroadcast_and_then_final() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
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
    world.mine(7).await;
    for _look in 0..2 {
        world.watch_after(61).await;
    }
    let row = world.row(txid).await;
    assert!(row.state == TransactionState::Confirmed && row.watch.is_none());
}

/// The mempool forgets a renewal; the worker sends it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_that_the_mempool_forgot_is_sent_again() {
    let world = world().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 60_000).await.unwrap();
    world.mine(1).await;
    let params = json!({ "txIdVouts": [coin.to_string()] });
    let created = world.renew(&user, &params).await.expect(201);
    let txid = world.sent(&user, &created).await;
    world.stack.bitcoin().purge_mempool().await.unwrap();
    assert!(!world.in_mempool(txid).await);
    for seconds in [61, 0] {
        world.watch_after(seconds).await;
    }
    assert!(world.in_mempool(txid).await);
}

/// Once the owner has signed, the coins are held, however long the platform's key is unavailable.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_without_the_platforms_key_the_worker_co_signs_later() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let app = world.stack.app_without("AWS_ENDPOINT_URL_KMS");
    let client = world.stack.serve_app(app, functions::routes()).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let answer = sign_at(&client, &user, &signed).await.expect(201);
    assert_eq!(answer.text_of("state"), "signing");
    let txid = txid_of(&created);
    world.release(&user, txid).await.expect_error(Problem::AlreadySigned);
    let refused = world.withdraw(&user, &btc(30_000)).await.expect_error(Problem::CoinsReserved);
    assert_eq!(refused.body["params"]["holders"], json!([txid]));
    world.watch_after(700).await;
    assert_eq!(world.state(txid).await, TransactionState::InMempool);
    let listed = world.client.get("/api/transactions");
    let session = local::wallets::sign_in(&world.client, &user.wallet).await;
    let listed = listed.bearer(&session.access_token).send().await.expect(200);
    assert_eq!(listed.data().as_array().unwrap().len(), 1);
}
