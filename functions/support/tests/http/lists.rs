//! The lists of an account.

use base::clock::Timestamp;
use local::{histories, wallets::Wallet};
use serde_json::json;
use shared::problem::Problem;

use super::*;

#[tokio::test]
async fn a_list_has_pages_and_two_accounts_are_not_mixed() {
    let world = World::start().await;
    let ann = world.user(1, "ann@example.com").await;
    let bob = world.user(2, "bob@example.com").await;
    for (user, first, count) in [(&ann, 0, 25), (&bob, 100, 3)] {
        let account = account_of(user);
        let record =
            |place| histories::swap(account, first + place, Timestamp(1_000 + place as i64));
        histories::plant(&world.stack, account, count, record).unwrap();
    }
    let path =
        |user: &SignedIn, query: &str| format!("/accounts/{}/cross-chain?{query}", user.account);
    let first = world.read(&path(&ann, "")).await;
    let meta = json!({
        "totalItems": 25, "currentPage": 1, "pageSize": 10, "totalPages": 3, "asOf": 25,
    });
    assert_eq!(first.body["metaData"], meta);
    let mut ids = Vec::new();
    for page in 1..=3 {
        ids.extend(column(&world.read(&path(&ann, &format!("page={page}&asOf=25"))).await, "txId"));
    }
    assert_eq!(ids.len(), 25);
    assert_eq!(ids[0], json!(format!("0x{:064x}", 24)), "newest first");
    let all = column(&world.read(&path(&ann, "pageSize=100&sort=createdAt")).await, "txId");
    ids.reverse();
    assert_eq!(all, ids);
    let of_bob = column(&world.read(&path(&bob, "pageSize=100")).await, "txId");
    assert_eq!(of_bob.len(), 3);
    assert!(of_bob.iter().all(|id| !ids.contains(id)));
    let counts = world.read(&format!("/accounts/{}", bob.account)).await.data()["counts"].clone();
    assert_eq!(counts["crossChain"], 3);

    let none = world.read(&path(&ann, "type_eq=xchain-withdraw")).await;
    assert_eq!(none.data(), &json!([]));
    let swaps = world.read(&path(&ann, "type_eq=swap&pageSize=100")).await;
    assert_eq!(swaps.data().as_array().unwrap().len(), 25);
    let wallet = world.read(&path(&ann, "populate=wallet&pageSize=1")).await;
    assert_eq!(wallet.data()[0]["wallet"]["address"], Wallet::p2wpkh(1).address());
}

#[tokio::test]
async fn the_activity_is_what_the_owner_sees() {
    let world = World::start().await;
    let ann = world.user(1, "ann@example.com").await;
    world.user(2, "bob@example.com").await;
    local::wallets::sign_in(&world.client, &Wallet::p2wpkh(1)).await;
    let own = world.client.get("/api/account/activity").bearer(&ann.access_token).send().await;
    let own = own.expect(200);
    assert!(!own.data().as_array().unwrap().is_empty());
    let read = world.read(&format!("/accounts/{}/activity", ann.account)).await;
    assert_eq!((read.data(), &read.body["metaData"]), (own.data(), &own.body["metaData"]));
}

#[tokio::test]
async fn the_webhooks_of_an_account_are_listed_with_what_they_sent() {
    let world = World::start().await;
    let ann = world.user(1, "ann@example.com").await;
    let bob = world.user(2, "bob@example.com").await;
    let mut ids = Vec::new();
    for user in [&ann, &bob] {
        let body = json!({ "url": "http://127.0.0.1:9/hooks", "note": "shop" });
        let call = world.client.post("/api/webhooks").bearer(&user.access_token);
        ids.push(call.json(&body).send().await.expect(201).text_of("id").to_owned());
    }
    let path = |user: &SignedIn| format!("/accounts/{}/webhooks", user.account);
    let listed = world.read(&path(&ann)).await;
    let row = &listed.data()[0];
    let shown = json!([{
        "id": ids[0], "host": "127.0.0.1", "types": [], "note": "shop", "createdAt": row["createdAt"],
        "state": "unverified", "offReason": null, "delivered": 0, "failures": null,
    }]);
    assert_eq!(*listed.data(), shown);

    // Nothing listens at the port, so the request to confirm fails.
    world.stack.tell_webhooks().await;
    let path = |user: &SignedIn, id: &str| {
        format!("/accounts/{}/webhooks/{id}/deliveries?limit=1", user.account)
    };
    let sent = world.read(&path(&ann, &ids[0])).await;
    let delivery = &sent.data()[0];
    assert_eq!(
        (&delivery["cause"], &delivery["delivered"], &delivery["answer"]),
        (&json!("verification"), &json!(false), &json!(null))
    );
    assert!(delivery["error"].is_string(), "{delivery}");
    let next = sent.body["metaData"]["next"].as_str().unwrap();
    let end = world.read(&format!("{}&before={next}", path(&ann, &ids[0]))).await;
    assert!(!column(&end, "id").contains(&delivery["id"]));
    // A webhook belongs to one account.
    world.try_read(&path(&ann, &ids[1])).await.expect_error(Problem::WebhookNotFound);
}

#[tokio::test]
async fn exports_are_listed_without_links() {
    let world = World::start().await;
    let ann = world.user(1, "ann@example.com").await;
    let body = json!({ "format": "csv", "filter": {} });
    let call = world.client.post("/api/download-histories").bearer(&ann.access_token);
    call.json(&body).send().await.expect(201);
    world.stack.make_exports().await;
    let own = world.client.get("/api/download-histories").bearer(&ann.access_token).send().await;
    let mut own = own.expect(200).data()[0].clone();
    for link in ["url", "urlExpiresAt"] {
        assert!(own.as_object_mut().unwrap().remove(link).is_some(), "{link}");
    }
    let path = format!("/accounts/{}/exports", ann.account);
    for query in ["", "?select=%2Burl", "?status_eq=completed"] {
        let read = world.read(&format!("{path}{query}")).await;
        assert_eq!(*read.data(), json!([own]), "{query}");
    }
    let failed = world.read(&format!("{path}?status_eq=failed")).await;
    assert_eq!(failed.data(), &json!([]));
}
