//! `/api/webhooks`.

use std::time::Duration;

use local::{
    client::twenty_at_once,
    patience::{skip, wait_until},
    wallets::{Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{auth::limits::WEBHOOK_BY_ACCOUNT, problem::Problem};

use crate::{
    World,
    receiver::{Mood, Receiver},
};

#[tokio::test]
async fn a_webhook_is_added_changed_and_removed() {
    let world = World::start().await;
    assert_eq!(world.get("").await.expect(200).data(), &json!([]));
    let body = json!({
        "url": "http://127.0.0.1:9/hooks", "note": "shop",
        "types": ["refund.stateChanged", "export.completed", "refund.stateChanged"],
    });
    let added = world.post("", &body).await.expect(201).data().clone();
    let (id, secret) = (added["id"].as_str().unwrap(), added["secret"].as_str().unwrap());
    let mut row = json!({
        "id": id, "scope": "account", "url": "http://127.0.0.1:9/hooks", "note": "shop",
        "types": ["refund.stateChanged", "export.completed"],
        "createdAt": added["createdAt"], "state": "unverified", "offReason": null, "delivered": 0,
        "failures": null, "earlierSecretUntil": null,
    });
    assert_eq!(world.row(id).await, row, "the secret is shown once");
    assert_eq!(world.get("").await.expect(200).data(), &json!([row]));
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let stored = format!("{:?}", world.stack.contents());
    assert!(!stored.contains(secret.trim_start_matches("whsec_")), "the secret is encrypted");

    let change =
        json!({ "url": "http://127.0.0.1:9/other", "types": [], "note": "", "enabled": false });
    row = world.patch(id, &change).await.expect(200).data().clone();
    assert_eq!(row["url"], "http://127.0.0.1:9/other");
    assert_eq!((&row["types"], &row["note"]), (&json!([]), &Value::Null));
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("owner")));
    let on = world.patch(id, &json!({ "enabled": true })).await.expect(200);
    assert_eq!(
        (&on.data()["state"], &on.data()["offReason"]),
        (&json!("unverified"), &Value::Null)
    );

    let rotated = world.post(&format!("/{id}/rotate-secret"), &json!({})).await.expect(200);
    assert_ne!(rotated.data()["secret"], secret);
    let until = rotated.data()["earlierSecretUntil"].as_i64().unwrap();
    assert!((until - world.client.now().0 - 86_400_000).abs() < 60_000);

    world.delete(id).await.expect(200);
    world.delete(id).await.expect_error(Problem::WebhookNotFound);
    assert_eq!(world.get("").await.expect(200).data(), &json!([]));
    let activity = world.client.get("/api/account/activity").bearer(&world.user.access_token);
    let activity = activity.send().await.expect(200);
    let changes = activity.data().as_array().unwrap().iter();
    let changes: Vec<_> = changes.filter_map(|entry| entry["change"].as_str()).collect();
    for change in ["webhookAdded", "webhookChanged", "webhookRemoved"] {
        assert!(changes.contains(&change), "{change}: {changes:?}");
    }
}

#[tokio::test]
async fn an_account_sees_and_changes_its_own_webhooks_alone() {
    let world = World::start().await;
    let (id, _) = world.add("http://127.0.0.1:9/").await;
    let stranger = sign_in(&world.client, &Wallet::p2wpkh(2)).await;
    let stranger = World { user: stranger, client: world.client.clone(), stack: world.stack };
    assert_eq!(stranger.get("").await.expect(200).data(), &json!([]));
    stranger.get(&format!("/{id}")).await.expect_error(Problem::WebhookNotFound);
    stranger.get(&format!("/{id}/deliveries")).await.expect_error(Problem::WebhookNotFound);
    stranger.patch(&id, &json!({ "enabled": false })).await.expect_error(Problem::WebhookNotFound);
    stranger.delete(&id).await.expect_error(Problem::WebhookNotFound);
    for path in ["rotate-secret", "test", "deliveries/1/redeliver"] {
        let path = format!("/{id}/{path}");
        stranger.post(&path, &json!({})).await.expect_error(Problem::WebhookNotFound);
    }
    let replay = format!("/{id}/replay");
    stranger.post(&replay, &json!({ "after": 0 })).await.expect_error(Problem::WebhookNotFound);
}

#[tokio::test]
async fn changes_need_a_recent_sign_in() {
    let world = World::start().await;
    let (id, _) = world.add("http://127.0.0.1:9/").await;
    // An access token expires before the recent sign-in does; a refresh does not prove who the user is.
    world.stack.clock().advance(Duration::from_secs(16 * 60));
    let body = json!({ "refreshToken": world.user.refresh_token });
    let fresh = world.client.post("/auth/refresh-token").json(&body).send().await.expect(200);
    let mut user = world.user.clone();
    user.access_token = fresh.data()["accessToken"].as_str().unwrap().to_owned();
    let world = World { user, ..world };
    world.row(&id).await;
    let body = json!({ "url": "http://127.0.0.1:9/" });
    world.post("", &body).await.expect_error(Problem::ReauthRequired);
    world.patch(&id, &body).await.expect_error(Problem::ReauthRequired);
    world.delete(&id).await.expect_error(Problem::ReauthRequired);
    for path in ["rotate-secret", "test", "deliveries/1/redeliver"] {
        world
            .post(&format!("/{id}/{path}"), &json!({}))
            .await
            .expect_error(Problem::ReauthRequired);
    }
    let replay = format!("/{id}/replay");
    world.post(&replay, &json!({ "after": 0 })).await.expect_error(Problem::ReauthRequired);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_at_once_add_three() {
    let world = World::start().await;
    let added = twenty_at_once(|_| {
        let (client, token) = (world.client.clone(), world.user.access_token.clone());
        async move {
            let body = json!({ "url": "http://127.0.0.1:9/" });
            client.post("/api/webhooks").bearer(&token).json(&body).send().await.status
        }
    })
    .await;
    assert_eq!(added.iter().filter(|status| **status == 201).count(), 3, "{added:?}");
    assert!(added.iter().all(|status| matches!(status, 201 | 400 | 409)), "{added:?}");
    let rows = world.get("").await.expect(200).data().as_array().unwrap().clone();
    assert_eq!(rows.len(), 3);
    world.post("", &json!({ "url": "http://127.0.0.1:9/" })).await.expect_error(Problem::TooMany);
    world.delete(rows[1]["id"].as_str().unwrap()).await.expect(200);
    world.add("http://127.0.0.1:9/").await;
}

#[tokio::test]
async fn urls_that_are_not_public_are_refused() {
    let world = World::start().await;
    let (id, _) = world.add("http://127.0.0.1:9/").await;
    let row = world.row(&id).await;
    let app = world.stack.app().changed(&[("WEBHOOKS_TO_LOOPBACK", "no")]);
    let client = world.stack.serve_app(app, (auth::routes(), account::routes())).await;
    let world = World { client, ..world };
    for (url, why) in [
        ("http://example.com/", "https://"),
        ("https://example.com:8443/", "port"),
        ("https://user:secret@example.com/", "user"),
        ("https://example.com/#a", "fragment"),
        ("https://127.0.0.1/", "IP address"),
        ("https://[::1]/", "IP address"),
        ("https://2130706433/", "IP address"),
        ("https://169.254.169.254/latest/meta-data", "IP address"),
        ("https://localhost/", "not public"),
        ("https://nothing.invalid/", "resolved"),
        ("nonsense", "parsed"),
    ] {
        let body = json!({ "url": url });
        for refused in [world.post("", &body).await, world.patch(&id, &body).await] {
            let refused = refused.expect_error(Problem::WebhookUrlRefused);
            assert!(refused.body["details"].as_str().unwrap().contains(why), "{url}: {refused:?}");
            assert_eq!(refused.body["errors"][0]["field"], "url");
        }
    }
    assert_eq!(world.get("").await.expect(200).data(), &json!([row]));
}

#[tokio::test]
async fn bad_input_is_named() {
    let world = World::start().await;
    let (id, _) = world.add("http://127.0.0.1:9/").await;
    for (body, field) in [
        (json!({}), "url"),
        (json!({ "url": 7 }), "url"),
        (json!({ "url": "" }), "url"),
        (json!({ "url": "a".repeat(501) }), "url"),
        (json!({ "url": "http://127.0.0.1:9/", "types": ["vmBlock.filled"] }), "types"),
        (json!({ "url": "http://127.0.0.1:9/", "types": "all" }), "types"),
        (json!({ "url": "http://127.0.0.1:9/", "note": "a\nb" }), "note"),
        (json!({ "url": "http://127.0.0.1:9/", "note": "a".repeat(101) }), "note"),
    ] {
        let refused = world.post("", &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field, "{body}");
    }
    for body in [json!({ "enabled": "yes" }), json!({ "url": "" }), json!({ "note": "\u{7}" })] {
        world.patch(&id, &body).await.expect_error(Problem::Validation);
    }
    world.tell(1).await;
    world.stack.confirm_webhook(&world.user.account, &id).await;
    for sequence in ["0", "2", "x", "-1"] {
        let path = format!("/{id}/deliveries/{sequence}/redeliver");
        let refused = world.post(&path, &json!({})).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "sequence", "{refused}");
    }
    let replay = format!("/{id}/replay");
    for after in [json!(2), json!("1"), json!(-1), Value::Null] {
        world.post(&replay, &json!({ "after": after })).await.expect_error(Problem::Validation);
    }
    for query in ["limit=0", "limit=101", "before=x"] {
        world.get(&format!("/{id}/deliveries?{query}")).await.expect_error(Problem::Validation);
    }
    world.get("/x").await.expect_error(Problem::Validation);
    world.stack.clock().advance(Duration::from_secs(91 * 24 * 60 * 60));
    let mut world = world;
    world.signed_in().await;
    world
        .post(&format!("/{id}/deliveries/1/redeliver"), &json!({}))
        .await
        .expect_error(Problem::EventsTooOld);
    world.post(&replay, &json!({ "after": 0 })).await.expect_error(Problem::EventsTooOld);
}

#[tokio::test]
async fn asks_are_limited() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    let redeliver = format!("/{id}/deliveries/1/redeliver");
    for _ in 0..29 {
        world.post(&redeliver, &json!({})).await.expect(200);
    }
    world.post(&redeliver, &json!({})).await.expect_error(Problem::RateLimited);
    world
        .post(&format!("/{id}/replay"), &json!({ "after": 0 }))
        .await
        .expect_error(Problem::RateLimited);
    // An owner whose secret has leaked can still replace it.
    let rotate = format!("/{id}/rotate-secret");
    for _ in 0..10 {
        world.post(&rotate, &json!({})).await.expect(200);
    }
    world.post(&rotate, &json!({})).await.expect_error(Problem::RateLimited);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.received().len(), 30);
}

/// Whether a request of the webhook's owner is waiting.
fn is_asked(world: &World) -> bool {
    let tables = world.stack.contents();
    let mut rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    rows.any(|row| row["sk"]["S"].as_str().is_some_and(|sk| sk.starts_with("ask#")))
}

/// All rows except that of the limit.
fn rows(world: &World) -> Vec<Value> {
    let is_limit = |row: &Value| row.to_string().contains(WEBHOOK_BY_ACCOUNT.name);
    world.stack.contents().into_iter().filter(|row| !is_limit(row)).collect()
}

#[tokio::test]
async fn custody_32_a_change_of_nothing_is_counted_and_writes_nothing() {
    let world = World::start().await;
    let url = "http://127.0.0.1:9/";
    let body = json!({ "url": url, "types": ["export.completed"], "note": "shop" });
    let id = world.post("", &body).await.expect(201).text_of("id").to_owned();
    let (row, before) = (world.row(&id).await, rows(&world));
    let nothing = [
        json!({}),
        json!({ "url": url }),
        json!({ "types": ["export.completed", "export.completed"] }),
        json!({ "note": "shop" }),
        json!({ "enabled": true }),
        json!({ "url": url, "types": ["export.completed"], "note": "shop", "enabled": true }),
    ];
    let most = WEBHOOK_BY_ACCOUNT.most as usize;
    for body in nothing.iter().cycle().take(most - 3) {
        assert_eq!(world.patch(&id, body).await.expect(200).data(), &row, "{body}");
    }
    assert_eq!(rows(&world), before);
    world.patch(&id, &json!({ "enabled": false })).await.expect(200);
    let off = rows(&world);
    assert_ne!(off, before);
    world.patch(&id, &json!({ "enabled": false })).await.expect(200);
    assert_eq!(rows(&world), off);
    for body in nothing.iter().chain([&json!({ "note": "x" })]) {
        world.patch(&id, body).await.expect_error(Problem::RateLimited);
    }
    assert_eq!(rows(&world), off);
}

#[tokio::test]
async fn tests_are_few_and_wait_no_longer_than_eight_seconds() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.stack.tell_webhooks().await;
    // No worker runs.
    let (path, body) = (format!("/{id}/test"), json!({}));
    let waiting = async {
        wait_until("what was asked for", async || is_asked(&world)).await;
        skip(Duration::from_secs(8)).await;
    };
    let (late, ()) = tokio::join!(world.post(&path, &body), waiting);
    let late = late.expect(200);
    let nothing = json!({
        "eventId": late.data()["eventId"], "done": false, "status": null, "durationMs": null,
        "error": null,
    });
    assert_eq!(late.data(), &nothing);
    for _ in 0..4 {
        assert_eq!(world.test(&id).await["status"], 204);
    }
    world.post(&format!("/{id}/test"), &json!({})).await.expect_error(Problem::RateLimited);
    assert_eq!(receiver.received().len(), 5);
}
