//! Receivers that fail, and receivers that lie.

use std::time::Duration;

use base::clock::Timestamp;
use ops::accounts::{Order, obey};
use outbox::webhooks::Webhook;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::{
    auth::limits::NOTICE_BY_ACCOUNT,
    keys,
    models::{
        account::{Account, AccountId},
        email::EmailAddress,
        watch::Watch,
        webhook::WebhookId,
    },
    problem::Problem,
};
use store::{Entity, Update, Writes};
use uuid::Uuid;

use crate::{
    World,
    receiver::{Mood, Receiver},
};

/// Sends one event to a receiver with this mood and returns the log entry. The worker waits only a second for
/// a receiver that never answers.
async fn told(mood: Mood) -> (World, Receiver, String, Value) {
    let world = World::start().await;
    let limit_ms = if matches!(mood, Mood::Silent) { "1000" } else { "600000" };
    let receiver = Receiver::start(mood).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(1).await;
    let limited = world.stack.app().changed(&[("WEBHOOK_LIMIT_MS", limit_ms)]);
    world.stack.tell_webhooks_by(&limited.webhook_worker).await;
    let mut sent = world.deliveries(&id).await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    let sent = sent.remove(0);
    (world, receiver, id, sent)
}

fn assert_failed(sent: &Value, status: Option<u16>, why: &str) {
    assert_eq!((&sent["delivered"], &sent["status"]), (&json!(false), &json!(status)), "{sent}");
    assert!(sent["error"].as_str().unwrap().contains(why), "{sent}");
}

async fn waits(world: &World, id: &str) -> i64 {
    let row = world.row(id).await;
    assert_eq!((&row["delivered"], &row["failures"]["tries"]), (&json!(0), &json!(1)), "{row}");
    let failures = &row["failures"];
    (failures["nextAt"].as_i64().unwrap() - world.client.now().0).div_euclid(1_000)
}

#[tokio::test]
async fn a_receiver_that_is_down_is_tried_again() {
    let (world, receiver, id, sent) = told(Mood::status("500 Internal Server Error")).await;
    assert_failed(&sent, Some(500), "status 500");
    assert_eq!(sent["answer"], "hi");
    assert!((-10..=6).contains(&waits(&world, &id).await));
    receiver.is(Mood::fine());
    world.stack.clock().advance(Duration::from_secs(7));
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 1]);
    let received = receiver.received();
    assert_eq!(received[0].header("webhook-id"), received[1].header("webhook-id"));
    let row = world.row(&id).await;
    assert_eq!((&row["delivered"], &row["failures"]), (&json!(1), &Value::Null));
    assert_eq!(world.deliveries(&id).await[1]["attempt"], 2);
}

#[tokio::test]
async fn a_receiver_that_is_not_there_is_tried_again() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.stack.tell_webhooks().await;
    drop(receiver);
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_failed(&world.deliveries(&id).await[0], None, "no connection");
    waits(&world, &id).await;
}

#[tokio::test]
async fn a_slow_receiver_fails() {
    let (world, _receiver, id, sent) = told(Mood::Silent).await;
    assert_failed(&sent, None, "no answer within 1 seconds");
    assert!(sent["durationMs"].as_u64().unwrap() >= 1_000, "{sent}");
    waits(&world, &id).await;
}

#[tokio::test]
async fn the_status_decides_and_an_endless_body_is_not_read() {
    let (world, _receiver, id, sent) = told(Mood::Endless).await;
    assert_eq!((&sent["delivered"], &sent["status"]), (&json!(true), &json!(200)));
    assert_eq!(sent["answer"], "x".repeat(1_024));
    assert_eq!(world.row(&id).await["delivered"], 1);
    // A complete head, then a body that is cut off.
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart";
    let (_world, _receiver, _, sent) = told(Mood::Says(cut.to_owned())).await;
    assert_eq!((&sent["delivered"], &sent["answer"]), (&json!(true), &json!("part")));
}

#[tokio::test]
async fn a_receiver_that_closes_half_way_fails() {
    let (world, _receiver, id, sent) = told(Mood::BreaksOff).await;
    assert_failed(&sent, None, "connection broke");
    waits(&world, &id).await;
    let (_world, _receiver, _, sent) = told(Mood::Says(String::new())).await;
    assert_failed(&sent, None, "connection broke");
    let long = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "a".repeat(100_000));
    let (_world, _receiver, _, sent) = told(Mood::Says(long)).await;
    assert_failed(&sent, None, "connection broke");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let secret = Receiver::start(Mood::fine()).await;
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let to =
            format!("HTTP/1.1 {status}\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", secret.url);
        let (world, _receiver, id, sent) = told(Mood::Says(to)).await;
        assert_failed(&sent, status[..3].parse().ok(), "redirect");
        waits(&world, &id).await;
    }
    assert!(secret.received().is_empty());
}

#[tokio::test]
async fn retry_after_is_heeded() {
    for (header, least, most) in [
        ("120", 100, 121),
        ("1", 0, 6),
        ("99999999", 86_390, 86_401),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_390, 86_401),
        ("nonsense", 0, 6),
    ] {
        let busy =
            format!("HTTP/1.1 503 Busy\r\nretry-after: {header}\r\ncontent-length: 0\r\n\r\n");
        let (world, _receiver, id, _) = told(Mood::Says(busy)).await;
        let waits = waits(&world, &id).await;
        assert!((least - 10..=most).contains(&waits), "{header}: {waits}");
    }
}

/// Gives the caller a verified address, and returns it.
async fn with_mailbox(world: &World) -> &'static str {
    let address = "owner@example.com";
    let email: EmailAddress = address.parse().unwrap();
    let update = Update::new().set(Account::EMAIL, Some(email)).set(Account::EMAIL_VERIFIED, true);
    world.stack.change_account(&world.user.account, update).await;
    address
}

#[tokio::test]
async fn a_receiver_that_is_gone_switches_its_webhook_off() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::status("410 Gone")).await;
    let address = with_mailbox(&world).await;
    let (id, _) = world.add(&receiver.url).await;
    world.stack.deliver_mail().await;
    let before = world.stack.mailbox(address).await.len();
    world.tell(3).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1]);
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("gone")));
    world.stack.deliver_mail().await;
    let mails = world.stack.mailbox(address).await;
    assert_eq!(mails.len(), before + 1);
    assert!(mails[before].text.contains("switched off"), "{}", mails[before].text);
    // After it is enabled, the webhook continues with the event that was refused.
    receiver.is(Mood::fine());
    world.patch(&id, &json!({ "enabled": true })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 1, 2, 3]);
}

#[tokio::test]
async fn an_event_is_given_up_after_ten_tries_and_the_webhook_after_five_days() {
    let mut world = World::start().await;
    let receiver = Receiver::start(Mood::status("503 Busy")).await;
    let address = with_mailbox(&world).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(4).await;
    let began = world.client.now().0;
    let mut tries = 0;
    while receiver.sequences().last() != Some(&2) {
        world.stack.tell_webhooks().await;
        tries += 1;
        assert!(tries < 200, "{:?}", receiver.sequences());
        world.stack.clock().advance(Duration::from_secs(60 * 60));
    }
    assert_eq!(receiver.sequences(), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    let days = (world.client.now().0 - began) / 86_400_000;
    assert_eq!(days, 3);
    world.signed_in().await;
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["delivered"]), (&json!("on"), &json!(1)));
    for _ in 0..60 {
        world.stack.clock().advance(Duration::from_secs(60 * 60));
        world.stack.tell_webhooks().await;
    }
    world.signed_in().await;
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("failing")));
    assert_eq!(row["delivered"], 1, "nothing else was given up");
    let sent = receiver.received().len();
    world.stack.clock().advance(Duration::from_secs(24 * 60 * 60));
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.received().len(), sent);
    world.stack.deliver_mail().await;
    let mails = world.stack.mailbox(address).await;
    assert_eq!(mails.iter().filter(|mail| mail.text.contains("switched off")).count(), 1);
    // Once the receiver is back, it gets the events it missed, and on request those that were given up.
    receiver.is(Mood::fine());
    world.signed_in().await;
    world.post(&format!("/{id}/replay"), &json!({ "after": 0 })).await.expect(200);
    world.patch(&id, &json!({ "enabled": true })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences()[sent..], [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_disabled_account_is_told_nothing() {
    let mut world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.stack.tell_webhooks().await;
    let app = world.stack.app().clone();
    let account = world.user.account.clone();
    let obeyed = async |order| {
        obey(&app.store, app.config.network, &account, order).await.unwrap();
    };
    obeyed(Order::Disable).await;
    world.tell(2).await;
    world.stack.tell_webhooks().await;
    obeyed(Order::Enable).await;
    world.stack.tell_webhooks().await;
    assert!(receiver.received().is_empty());
    // The owner decides when the webhook continues.
    world.signed_in().await;
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("disabled")));
    world.patch(&id, &json!({ "enabled": true })).await.expect(200);
    world.stack.tell_webhooks().await;
    // The first event reports that the account's sessions have ended.
    assert_eq!(receiver.sequences(), [1, 2, 3]);
}

/// A name that was public when the URL was set, and resolves to a private address at delivery.
#[tokio::test]
async fn the_name_is_checked_again_at_each_delivery() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.stack.tell_webhooks().await;
    let strict = world.stack.app().changed(&[("WEBHOOKS_TO_LOOPBACK", "no")]);
    let key = keys::webhook(world.user.account.parse().unwrap(), id.parse::<WebhookId>().unwrap());
    let urls = [
        ("https://localhost/", "not public"),
        (receiver.url.as_str(), "https://"),
        ("https://127.0.0.1/", "IP address"),
        ("https://nothing.invalid/", "resolved"),
    ];
    for (sent, (url, why)) in urls.into_iter().enumerate() {
        let moved = Update::<Webhook>::new().set(Webhook::URL, url).remove(Webhook::FAILING);
        let moved = Writes::new().update(&key, moved, ());
        world.stack.app().store.commit(moved).await.unwrap();
        world.tell(1).await;
        world.stack.clock().advance(Duration::from_secs(60));
        world.stack.tell_webhooks_by(&strict.webhook_worker).await;
        let rows = world.deliveries(&id).await;
        assert_eq!(rows.len(), sent + 1, "{url}");
        assert_failed(&rows[sent], None, why);
    }
    assert!(receiver.received().is_empty());
}

/// Custody rule 32: a slow receiver occupies a place of the worker for at most a tenth of the time.
#[tokio::test]
async fn custody_32_a_slow_receiver_rests_after_each_answer() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::Late(Duration::from_millis(3_100))).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(3).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1]);
    // Neither another event nor its owner wakes it.
    world.tell(1).await;
    world.patch(&id, &json!({ "note": "now" })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1]);
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["failures"]), (&json!("on"), &Value::Null));
    receiver.is(Mood::fine());
    world.stack.clock().advance(Duration::from_secs(60));
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 2, 3, 4]);
}

#[tokio::test]
async fn custody_32_replays_are_few_and_go_back_a_thousand_events() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(2).await;
    world.stack.tell_webhooks().await;
    let replay =
        async |after: u64| world.post(&format!("/{id}/replay"), &json!({ "after": after })).await;
    for _ in 0..10 {
        replay(0).await.expect(200);
        world.stack.tell_webhooks().await;
    }
    assert_eq!(receiver.sequences(), [1, 2].repeat(11));
    replay(0).await.expect_error(Problem::RateLimited);
    // Skipping ahead sends nothing.
    replay(2).await.expect(200);
    let webhook = keys::webhook(world.user.account.parse().unwrap(), id.parse().unwrap());
    let ahead = Update::<Webhook>::new().set(Webhook::DELIVERED, 1_001_u64);
    world.stack.app().store.commit(Writes::new().update(&webhook, ahead, ())).await.unwrap();
    world.stack.clock().advance(Duration::from_secs(25 * 60 * 60));
    let mut world = world;
    world.signed_in().await;
    let refused = world.post(&format!("/{id}/replay"), &json!({ "after": 0 })).await;
    assert_eq!(refused.expect_error(Problem::Validation).body["errors"][0]["field"], "after");
    world.post(&format!("/{id}/replay"), &json!({ "after": 1 })).await.expect(200);
}

/// Custody rule 32: an owner who repeatedly enables a webhook whose receiver is gone does not fill a mailbox.
#[tokio::test]
async fn custody_32_mails_about_webhooks_that_fail_are_limited() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::status("410 Gone")).await;
    let address = with_mailbox(&world).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(1).await;
    let most = usize::try_from(NOTICE_BY_ACCOUNT.most).unwrap();
    for times in 0..most + 3 {
        if times > 0 {
            world.patch(&id, &json!({ "enabled": true })).await.expect(200);
        }
        world.stack.tell_webhooks().await;
        assert_eq!(world.row(&id).await["offReason"], "gone");
        world.stack.clock().advance(Duration::from_secs(1));
    }
    world.stack.deliver_mail().await;
    let mails = world.stack.mailbox(address).await;
    assert_eq!(mails.iter().filter(|mail| mail.text.contains("switched off")).count(), most);
}

/// A row in the webhooks' queue that is not a webhook.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unreadable {
    watch: Watch,
    due_at: Timestamp,
}

impl Entity for Unreadable {
    const ENTITY: &'static str = "webhook";
}

/// Custody rule 32: failing rows come first, and there are more of them than one look reads.
#[tokio::test]
async fn custody_32_rows_that_fail_delay_no_other_row() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    world.add(&receiver.url).await;
    for n in 0..120_u128 {
        let (account, id) = (AccountId(Uuid::from_u128(n + 1)), WebhookId(Uuid::from_u128(n + 1)));
        let row = Unreadable { watch: Watch::Webhook, due_at: Timestamp(1) };
        world.stack.app().store.put(&keys::webhook(account, id), &row).await.unwrap();
    }
    world.tell(2).await;
    let look = async || world.stack.tick("event-worker").await;
    assert!(look().await.is_err(), "the run says so");
    assert!(look().await.is_err());
    // They are postponed by two minutes.
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 2]);
    world.stack.clock().advance(Duration::from_secs(121));
    assert!(look().await.is_err());
}
