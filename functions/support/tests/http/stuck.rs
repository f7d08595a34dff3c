//! `GET /api/support/stuck` and `GET /api/support/payouts`.

use std::time::Duration;

use base::clock::Timestamp;
use chain::{
    keys,
    mints::{Mint, Payout, SentIn},
    models::{
        mint::MintState,
        vm_transaction::{Leg, PayoutKey},
        xchain::XchainStatus,
    },
};
use local::{hub::swap, mints::MintWorld, mood::Mood, wallets::Wallet};
use serde_json::json;
use store::Writes;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_fails_three_times_is_listed_until_it_recovers() {
    let mut world = World::start().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&world.client, &wallet).await;
    let swap = swap(&wallet, 1);
    world.stack.hub().know(swap.clone());
    world.stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Relaying);
    let call = world.client.post("/api/xchain/transactions/register");
    call.bearer(&user.access_token).json(&json!(swap)).send().await.expect(200);
    let queue = |answer: &Answer| {
        let queues = answer.body["metaData"]["queues"].as_array().unwrap().clone();
        assert_eq!(queues.len(), 12);
        queues.into_iter().find(|queue| queue["kind"] == "swap").unwrap()
    };
    let before = world.read("/stuck").await;
    assert_eq!(before.data(), &json!([]));
    assert_eq!(queue(&before), json!({ "kind": "swap", "waiting": 1, "stuck": 0 }));

    let empty = ["mails", "exports", "webhooks", "sockets"];
    let empty = empty.map(|kind| json!({ "kind": kind, "messages": 0 }));
    assert_eq!(before.body["metaData"]["deadLetters"], json!(empty));

    let watch_after = async |world: &World, seconds: u64| {
        world.stack.clock().advance(Duration::from_secs(seconds));
        world.stack.tick("chain-watcher").await.unwrap();
    };
    watch_after(&world, 31).await;
    world.stack.hub().be(Mood { status: Some(500), ..Mood::default() });
    world.stack.clock().advance(Duration::from_secs(300));
    for _failure in 0..3 {
        watch_after(&world, 31).await;
    }
    let stuck = world.read("/stuck").await;
    let row = &stuck.data()[0];
    let shown = json!({
        "id": row["id"], "kind": "swap", "accountId": user.account, "state": "relaying",
        "since": row["since"], "stuckAt": row["stuckAt"], "failures": 3, "cause": row["cause"],
    });
    assert_eq!(*row, shown);
    assert!(row["stuckAt"].as_i64() > row["since"].as_i64(), "{row}");
    assert!(row["cause"].as_str().unwrap().contains("500"), "{row}");
    let id = format!("xchain#intent#{}/account#{}", swap.intent_tx_hash, user.account);
    assert_eq!(row["id"], id.as_str());
    assert_eq!(queue(&stuck), json!({ "kind": "swap", "waiting": 0, "stuck": 1 }));
    for query in ["?sort=since", "?sort=-failures,kind", "?pageSize=1&page=1"] {
        let sorted = world.read(&format!("/stuck{query}")).await;
        assert_eq!(column(&sorted, "id"), [json!(id)], "{query}");
    }

    world.stack.hub().be(Mood::default());
    watch_after(&world, 16 * 60).await;
    // The token has expired by the service's clock.
    world.admin = local::admin(&world.stack, &world.client).await;
    assert_eq!(world.read("/stuck").await.data(), &json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_a_worker_has_given_up_are_counted() {
    let world = World::start().await;
    let url = &world.stack.settings()["EXPORT_DEAD_LETTERS_URL"];
    for _ in 0..2 {
        let message = world.stack.sqs().send_message().queue_url(url).message_body("{}");
        message.send().await.unwrap();
    }
    let answer = world.read("/stuck").await;
    let letters = &answer.body["metaData"]["deadLetters"];
    assert_eq!(letters[1], json!({ "kind": "exports", "messages": 2 }));
    assert_eq!(letters[0], json!({ "kind": "mails", "messages": 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn payouts_are_listed_until_they_are_final() {
    let scene = MintWorld::start(100_000).await;
    let mint = scene.mint(&json!({})).await;
    let world = World::on(scene.stack).await;
    let store = &world.stack.app().store;
    let payout = |number: u64, leg: Leg| Payout {
        mint_id: mint,
        number,
        leg,
        version: 1,
        created_at: Timestamp(1_000),
        size: 2,
        requests: 30,
        spare_requests: 0,
        transaction: None,
        sent: None,
        is_final: false,
        is_noted: false,
    };
    let txid = "11".repeat(32).parse().unwrap();
    let sent = SentIn { txid, at: Timestamp(2_000) };
    let rows = [
        payout(1, Leg::Distribution),
        Payout { transaction: Some(txid), ..payout(2, Leg::Distribution) },
        Payout { transaction: Some(txid), sent: Some(sent), ..payout(3, Leg::Transfer) },
        Payout { sent: Some(sent), is_final: true, ..payout(4, Leg::Transfer) },
    ];
    for row in &rows {
        let key = keys::payout(PayoutKey { mint_id: mint, number: row.number });
        store.put(&key, row).await.unwrap();
    }
    assert_eq!(world.read("/payouts").await.data(), &json!([]), "the mint is open");
    let paying = Update::new().set(Mint::STATE, MintState::MintedOut);
    store.commit(Writes::new().update(&keys::mint(mint), paying, ())).await.unwrap();
    let shown = |number: u64, leg: &str, state: &str, txid: Value, sent_at: Value| {
        json!({
            "id": format!("{mint}-{number}"), "mintId": mint, "number": number, "leg": leg, "state": state,
            "batches": 2, "requests": 30, "txId": txid, "sentAt": sent_at, "createdAt": 1_000,
        })
    };
    let answer = world.read("/payouts").await;
    let expected = json!([
        shown(1, "distribution", "planned", json!(null), json!(null)),
        shown(2, "distribution", "issued", json!(txid), json!(null)),
        shown(3, "transfer", "sent", json!(txid), json!(2_000)),
    ]);
    assert_eq!(*answer.data(), expected);
    let recorded = world.recorded("adminId", &world.admin.account).await;
    let kinds: Vec<_> = recorded.iter().map(|entry| entry["read"].clone()).collect();
    assert_eq!(kinds, ["payouts", "payouts"]);
}
