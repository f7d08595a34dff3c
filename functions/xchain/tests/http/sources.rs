//! Chain sources and signers that fail.

use local::mood::Mood;
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_source_nothing_is_planned_or_reserved() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let other = world.user_with(2, &[100_000]).await;
    let chain = world.stack.bitcoin();
    let moods = [
        Mood { down: true, ..Mood::default() },
        Mood { malformed: true, ..Mood::default() },
        Mood { status: Some(500), ..Mood::default() },
    ];
    for mood in moods {
        for set in [local::BitcoinWorld::set_ord_mood, local::BitcoinWorld::set_esplora_mood] {
            set(chain, mood);
            world.create(&other, &btc(20_000)).await.expect_error(Problem::ChainUnavailable);
            world.sign(&user, &signed).await.expect_error(Problem::ChainUnavailable);
            world
                .sign_by_transactions(&user, &signed)
                .await
                .expect_error(Problem::ChainUnavailable);
            set(chain, Mood::default());
        }
    }
    // It failed only because no source was available.
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::Unsigned);
    world.sign(&user, &signed).await.expect(201);
    world.created(&other, 20_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_chain_is_being_indexed_its_endpoints_answer_retry_after() {
    let world = world_on(LocalStack::builder().bitcoin_later().build().await).await;
    let user = world.user(1).await;
    let answer = world.create(&user, &btc(20_000)).await.expect_error(Problem::ChainBusy);
    assert_eq!(answer.header("retry-after"), "15");
    world.create_by_transactions(&user, &btc(20_000)).await.expect_error(Problem::ChainBusy);
    // Other endpoints still work.
    let me = world.client.get("/api/account/me").bearer(&user.session.access_token);
    me.send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_07_without_the_platforms_key_the_worker_co_signs_later() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let client = without_kms(&world).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let answer = sign_at(&client, &user, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "signing");
    // Its coin stays held, however long it takes.
    world.watch_after(0).await;
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::Signing);
    world.watch_after(700).await;
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::InMempool);
    assert!(world.in_mempool(txid_of(&created)).await);
}

/// The same functions with KMS unreachable.
pub(crate) async fn without_kms(world: &World) -> Client {
    let app = world.stack.app_without("AWS_ENDPOINT_URL_KMS");
    world.stack.serve_app(app, functions::routes()).await
}
