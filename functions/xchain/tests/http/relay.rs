//! Relaying withdrawals to the hub.

use chain::{
    keys,
    models::xchain::{Swap, XchainStatus},
};
use local::{
    hub::{intent_of, swap},
    mood::Mood,
};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_is_relayed_after_its_broadcast_and_followed_until_final() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = withdrawn(&world, &user).await;
    let hash = txid.to_string();
    let status = async || {
        let answer = world.status_of(&user.session, &hash).await.expect(200);
        answer.text_of("status").to_owned()
    };
    assert_eq!(status().await, "pending");
    let intent = intent_of(txid);
    world.stack.hub().set_status(intent, XchainStatus::Relaying);
    for _ in 0..2 {
        world.watch_after(31).await;
    }
    let [told] = &world.stack.hub().withdrawals()[..] else { panic!("told once") };
    assert_eq!((told.tx_id, told.xchain_data.to_string()), (txid, "deadbeef".to_owned()));
    assert_eq!(status().await, "relaying");
    world.stack.hub().set_status(intent, XchainStatus::Solving);
    world.stack.clock().advance(std::time::Duration::from_secs(31));
    assert_eq!(status().await, "solving");
    world.stack.hub().set_status(intent, XchainStatus::Filled);
    world.stack.clock().advance(std::time::Duration::from_secs(31));
    assert_eq!(status().await, "filled");
    // The hub's own hash finds it as well.
    let by_intent = world.status_of(&user.session, &intent.to_string()).await.expect(200);
    assert_eq!(by_intent.text_of("txId"), hash);
    let path = format!("/api/xchain/transactions?relatedAddress_eq={}", user.trading);
    let listed = world.client.get(path).send().await.expect(200);
    let row = &listed.data()[0];
    assert_eq!((&row["type"], &row["status"]), (&json!("xchain-withdraw"), &json!("filled")));
    assert_eq!(row["intentTxHash"], intent.to_string());
    assert_eq!((&row["intent"]["inputToken"], &row["verified"]), (&json!("0:0"), &json!(true)));
    let path = "/api/xchain/transactions?intentToken_eq=0:0&select=txId";
    let listed = world.client.get(path).send().await.expect(200);
    assert_eq!(listed.data()[0]["txId"], hash);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_whose_answer_is_lost_is_retried_and_counts_once() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let hub = world.stack.hub();
    hub.slow_intents(true);
    let txid = withdrawn(&world, &user).await;
    hub.be(Mood { malformed: true, ..Mood::default() });
    world.watch_after(31).await;
    world.watch_after(31).await;
    assert_eq!(record(&world, txid).await.status, XchainStatus::Pending);
    hub.be(Mood::default());
    world.watch_after(120).await;
    let row = record(&world, txid).await;
    assert_eq!((row.status, row.intent_tx_hash), (XchainStatus::Relaying, None));
    // The hub creates the intent later.
    hub.slow_intents(false);
    world.watch_after(3_600).await;
    assert_eq!(record(&world, txid).await.intent_tx_hash, Some(intent_of(txid)));
    assert_eq!(hub.withdrawals().len(), 1);
}

/// The hub confirms the intent as a withdrawal, which says nothing about a swap.
#[tokio::test(flavor = "multi_thread")]
async fn custody_15_the_intent_of_a_withdrawal_confirms_no_swap() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = withdrawn(&world, &user).await;
    for _ in 0..2 {
        world.watch_after(31).await;
    }
    let intent = intent_of(txid);
    assert_eq!(record(&world, txid).await.intent_tx_hash, Some(intent));
    let (wallet, stranger) = world.owner(2).await;
    let made = Swap { intent_tx_hash: intent, ..swap(&wallet, 1) };
    for session in [&stranger, &user.session] {
        world.register(session, &made).await.expect_error(Problem::SwapRegistered);
    }
    let found = world.status_of(&stranger, &intent.to_string()).await.expect(200);
    assert_eq!(found.text_of("txId"), txid.to_string());
}

async fn record(world: &World, txid: Txid) -> chain::models::xchain::XchainRecord {
    world.stack.app().store.get(&keys::xchain_withdrawal(txid)).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_is_not_relayed_before_its_broadcast() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let client = sources::without_kms(&world).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    sign_at(&client, &user, &signed).await.expect(201);
    world
        .status_of(&user.session, &txid_of(&created).to_string())
        .await
        .expect_error(Problem::XchainNotFound);
    world.stack.bitcoin().set_esplora_mood(Mood { down: true, ..Mood::default() });
    for _ in 0..3 {
        world.watch_after(61).await;
    }
    world.stack.bitcoin().set_esplora_mood(Mood::default());
    assert!(world.stack.hub().withdrawals().is_empty());
    for _ in 0..3 {
        world.watch_after(1_000).await;
    }
    assert_eq!(world.stack.hub().withdrawals().len(), 1);
}
