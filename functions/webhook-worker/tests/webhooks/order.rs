//! Receivers get every event, in order, signed.

use std::{collections::BTreeMap, time::Duration};

use aws_lambda_events::event::sqs::{SqsEvent, SqsMessage};
use base64::{Engine, prelude::BASE64_STANDARD};
use local::{
    Latch,
    patience::{skip, wait_until},
    wallets::{Wallet, sign_in},
};
use outbox::webhooks::{WebhookMessage, signing};
use secrecy::SecretSlice;
use serde_json::{Value, json};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::event::{EventType, StateChange},
};
use store::Writes;
use tokio::time::Instant;

use crate::{
    World,
    receiver::{Mood, Received, Receiver},
};

/// The signature that a secret gives for a received request.
fn signature(received: &Received, secret: &str) -> String {
    let key = BASE64_STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap();
    let seconds = received.header("webhook-timestamp").parse().unwrap();
    let (id, body) = (received.header("webhook-id"), received.body.as_bytes());
    signing::sign(&[SecretSlice::from(key)], id, seconds, body)
}

#[tokio::test]
async fn events_arrive_in_order_and_signed() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    world.tell(2).await;
    let (id, secret) = world.add(&receiver.url).await;
    world.tell(25).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), (3..=27).collect::<Vec<_>>(), "those since it was added");
    let events = world.client.get("/api/events?after=2").bearer(&world.user.access_token);
    let events = events.send().await.expect(200);
    for (received, event) in receiver.received().iter().zip(events.data().as_array().unwrap()) {
        assert_eq!(&received.json(), event, "the same object as GET /api/events has");
        assert!(received.head.starts_with("POST /hooks?a=b HTTP/1.1\r\n"), "{}", received.head);
        assert_eq!(received.header("content-type"), "application/json");
        assert_eq!(received.header("webhook-id"), event["id"]);
        let sent_at: i64 = received.header("webhook-timestamp").parse().unwrap();
        assert!((sent_at - world.client.now().0 / 1_000).abs() < 60);
        assert_eq!(received.header("webhook-signature"), signature(received, &secret));
    }
    let row = world.row(&id).await;
    assert_eq!((&row["delivered"], &row["failures"]), (&json!(27), &Value::Null));
    let sent = world.deliveries(&id).await;
    assert_eq!(sent.len(), 25);
    let first = json!({
        "id": sent[0]["id"], "eventId": events.data()[0]["id"], "sequence": 3,
        "accountId": world.user.account,
        "type": "refund.stateChanged", "cause": "event", "attempt": 1, "at": sent[0]["at"],
        "durationMs": sent[0]["durationMs"], "delivered": true, "status": 204, "error": null,
        "answer": null,
    });
    assert_eq!(sent[0], first);

    // The log is paged, and begins with the verification.
    let page = world.get(&format!("/{id}/deliveries?limit=20")).await.expect(200);
    assert_eq!(page.data()[0]["sequence"], 27);
    let next = page.body["metaData"]["next"].as_str().unwrap();
    let rest = world.get(&format!("/{id}/deliveries?limit=20&before={next}")).await.expect(200);
    assert_eq!(rest.data().as_array().unwrap().len(), 6);
    assert_eq!(
        (&rest.data()[0]["sequence"], &rest.body["metaData"]["next"]),
        (&json!(7), &Value::Null)
    );

    // Nothing is left to do, and nothing is sent twice.
    assert_eq!(world.stack.tell_webhooks().await, 0);
    assert_eq!(receiver.received().len(), 25);
}

/// The request that the client's tests verify with published libraries (`infra/frontend/client/tests/webhooks.test.mjs`).
#[test]
fn the_request_that_published_libraries_verify_is_signed_here() {
    let path = local::workspace::root().join("infra/frontend/client/tests/webhook.json");
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let secrets = fixture["secrets"].as_array().unwrap().iter().map(|secret| {
        let secret = secret.as_str().unwrap().trim_start_matches("whsec_");
        SecretSlice::from(BASE64_STANDARD.decode(secret).unwrap())
    });
    let secrets: Vec<_> = secrets.collect();
    let header = |name: &str| fixture["headers"][name].as_str().unwrap();
    let (id, seconds) = (header("webhook-id"), header("webhook-timestamp").parse().unwrap());
    let body = fixture["body"].as_str().unwrap().as_bytes();
    assert_eq!(signing::sign(&secrets, id, seconds, body), header("webhook-signature"));
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let mut world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, old) = world.add(&receiver.url).await;
    let rotated = world.post(&format!("/{id}/rotate-secret"), &json!({})).await.expect(200);
    let new = rotated.data()["secret"].as_str().unwrap().to_owned();
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    let first = receiver.received().remove(0);
    let both = format!("{} {}", signature(&first, &new), signature(&first, &old));
    assert_eq!(first.header("webhook-signature"), both);
    world.stack.clock().advance(Duration::from_secs(24 * 60 * 60));
    world.signed_in().await;
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    let second = receiver.received().remove(1);
    assert_eq!(second.header("webhook-signature"), signature(&second, &new));
    assert_eq!(world.row(&id).await["earlierSecretUntil"], Value::Null);
}

#[tokio::test]
async fn a_webhook_gets_the_types_that_it_asks_for() {
    let world = World::start().await;
    let (all, some) = (Receiver::start(Mood::fine()).await, Receiver::start(Mood::fine()).await);
    world.add(&all.url).await;
    let body = json!({ "url": some.url, "types": ["export.failed"] });
    let id = world.post("", &body).await.expect(201).data()["id"].as_str().unwrap().to_owned();
    for n in 1..=60 {
        let kind = if n % 20 == 0 { EventType::ExportFailed } else { EventType::Refund };
        world.tell_one(kind).await;
    }
    world.tell(5).await;
    world.stack.tell_webhooks().await;
    assert_eq!(all.sequences(), (1..=65).collect::<Vec<_>>());
    assert_eq!(some.sequences(), [20, 40, 60]);
    assert_eq!(world.row(&id).await["delivered"], 65);
}

#[tokio::test]
async fn a_webhook_that_fails_holds_no_other_up() {
    let world = World::start().await;
    let latch = Latch::default();
    let late = Mood::held(&latch, "500 Internal Server Error");
    let (good, bad) = (Receiver::start(Mood::fine()).await, Receiver::start(late).await);
    let (bad_id, _) = world.add(&bad.url).await;
    world.add(&good.url).await;
    world.tell(10).await;
    let patient = world.stack.app().changed(&[("WEBHOOK_LIMIT_MS", "600000")]);
    let failing = async {
        let all = async || good.sequences().len() == 10;
        wait_until("the events of the other webhook", all).await;
        assert_eq!(latch.held(), 1, "it has not answered yet");
        latch.open();
    };
    tokio::join!(world.stack.tell_webhooks_by(&patient.webhook_worker), failing);
    assert_eq!(good.sequences(), (1..=10).collect::<Vec<_>>());
    assert_eq!(bad.sequences(), [1]);
    assert_eq!(world.row(&bad_id).await["delivered"], 0);
}

impl World {
    /// Adds three webhooks for each of four other accounts: more than one run serves concurrently. Returns
    /// the accounts.
    async fn add_for_others(&self, url: &str) -> Vec<String> {
        let mut accounts = Vec::new();
        for seed in 11..15 {
            let other = sign_in(&self.client, &Wallet::p2wpkh(seed)).await;
            for _ in 0..3 {
                let call = self.client.post("/api/webhooks").bearer(&other.access_token);
                call.json(&json!({ "url": url })).send().await.expect(201);
            }
            accounts.push(other.account);
        }
        accounts
    }
}

/// A receiver counts as prompt only after it has confirmed.
#[tokio::test]
async fn custody_32_receivers_that_never_confirm_delay_no_other() {
    let world = World::start().await;
    let latch = Latch::default();
    let good = Receiver::start(Mood::fine()).await;
    let silent = Receiver::start_stranger(Mood::held(&latch, "204 No Content")).await;
    world.add(&good.url).await;
    world.stack.tell_webhooks().await;
    world.add_for_others(&silent.url).await;
    world.tell(2).await;
    // The verifications of the others are queued before the events.
    world.stack.tick("event-worker").await.unwrap();
    let patient = world.stack.app().changed(&[("WEBHOOK_LIMIT_MS", "600000")]);
    let bystander = async {
        wait_until("the bystander's events", async || good.sequences() == [1, 2]).await;
        latch.open();
    };
    tokio::join!(world.stack.tell_webhooks_by(&patient.webhook_worker), bystander);
    assert_eq!(silent.verifications().len(), 12);
}

/// Receivers that confirm promptly, but answer events slowly.
#[tokio::test]
async fn custody_32_slow_receivers_of_several_accounts_delay_no_other() {
    const SLOW: Duration = Duration::from_secs(14);
    let world = World::start().await;
    let (first, second) = (Latch::default(), Latch::default());
    let good = Receiver::start(Mood::fine()).await;
    let slow = Receiver::start(Mood::held(&first, "204 No Content")).await;
    world.add(&good.url).await;
    let accounts = world.add_for_others(&slow.url).await;
    world.stack.tell_webhooks().await;
    let tell_others = async || {
        for account in &accounts {
            let list = EventList::of_account(account.parse().unwrap());
            let change = StateChange::of_state(EventType::Refund, "ab".repeat(32), None, "signed");
            let told = Writes::<()>::new().tell(list, change);
            world.stack.app().store.commit(told).await.unwrap();
        }
    };
    let patient = world.stack.app().changed(&[("WEBHOOK_LIMIT_MS", "600000")]);
    // Each answers slowly once, and occupies a place of the worker only during that answer.
    tell_others().await;
    let late = async {
        first.holds(10).await;
        skip(SLOW).await;
        first.open();
    };
    tokio::join!(world.stack.tell_webhooks_by(&patient.webhook_worker), late);
    let answered = slow.received().len();
    assert_eq!(answered, 12, "ten of them late");
    world.stack.clock().advance(Duration::from_secs(10 * 60));
    slow.is(Mood::held(&second, "204 No Content"));
    tell_others().await;
    world.tell(1).await;
    let bystander = async {
        wait_until("the bystander's event", async || good.sequences() == [1]).await;
        second.holds(1).await;
        second.open();
    };
    tokio::join!(world.stack.tell_webhooks_by(&patient.webhook_worker), bystander);
    assert_eq!(slow.received().len(), answered + 12);
}

#[tokio::test]
async fn events_are_sent_again_on_request() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(5).await;
    world.stack.tell_webhooks().await;

    let asked = world.post(&format!("/{id}/deliveries/2/redeliver"), &json!({})).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 2, 3, 4, 5, 2]);
    let received = receiver.received();
    assert_eq!(received[5].header("webhook-id"), received[1].header("webhook-id"));
    assert_eq!(asked.data(), &json!({ "eventId": received[1].header("webhook-id") }));
    assert_eq!(world.deliveries(&id).await[5]["cause"], "redelivery");
    assert_eq!(world.row(&id).await["delivered"], 5);

    let asked = world.test(&id).await;
    let test = receiver.received().remove(6);
    assert_eq!((&test.json()["type"], test.sequence()), (&json!("webhook.test"), 0));
    let outcome = json!({
        "eventId": test.header("webhook-id"), "done": true, "status": 204,
        "durationMs": asked["durationMs"], "error": null,
    });
    assert_eq!(asked, outcome);
    assert!(asked["durationMs"].is_u64());
    let last = world.deliveries(&id).await.remove(6);
    assert_eq!(
        (&last["cause"], &last["sequence"], &last["type"]),
        (&json!("test"), &Value::Null, &json!("webhook.test"))
    );

    world.post(&format!("/{id}/replay"), &json!({ "after": 3 })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences()[7..], [4, 5]);

    // A webhook that is off gets tests only; once enabled, it gets the events it missed.
    world.patch(&id, &json!({ "enabled": false })).await.expect(200);
    world.tell(2).await;
    receiver.is(Mood::status("500 Internal Server Error"));
    let failed = world.test(&id).await;
    assert_eq!((&failed["done"], &failed["status"]), (&json!(true), &json!(500)));
    assert!(failed["error"].as_str().unwrap().contains("500"), "{failed}");
    receiver.is(Mood::fine());
    assert_eq!(receiver.sequences()[9..], [0]);
    world.patch(&id, &json!({ "enabled": true })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences()[10..], [6, 7]);
}

/// Runs are killed at every stage of their work; the next ones deliver the rest.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_workers_are_killed() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::Late(Duration::from_millis(30))).await;
    let (id, _) = world.add(&receiver.url).await;
    let stack = &world.stack;
    let (mut told, mut kills) = (0, 0_u64);
    for n in 1..=12 {
        world.tell(3).await;
        told += 3;
        let worker = stack.tell_webhooks_by(&stack.app().webhook_worker);
        if stack.effects().kill_after(n, worker).await.is_none() {
            kills += 1;
        }
        // The lease of the dead run ends, and the webhook is queued again.
        stack.clock().advance(Duration::from_secs(3 * 60));
    }
    for _ in 0..3 {
        stack.clock().advance(Duration::from_secs(3 * 60));
        stack.tell_webhooks().await;
    }
    let mut times = BTreeMap::<u64, u64>::new();
    let mut newest = 0;
    for sequence in receiver.sequences() {
        assert!(sequence <= newest + 1, "{sequence} comes before {}", newest + 1);
        newest = newest.max(sequence);
        *times.entry(sequence).or_default() += 1;
    }
    assert_eq!(times.keys().copied().collect::<Vec<_>>(), (1..=told).collect::<Vec<_>>());
    assert!(kills > 0, "no worker was killed");
    // A killed run repeats at most one request.
    assert!(times.values().sum::<u64>() <= told + kills, "{times:?}");
    let mut world = world;
    world.signed_in().await;
    // The sign-ins append no events.
    assert_eq!(world.row(&id).await["delivered"], told);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_at_once_skip_nothing() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::Late(Duration::from_millis(5))).await;
    let (id, _) = world.add(&receiver.url).await;
    let stack = &world.stack;
    let work = || async {
        for _ in 0..6 {
            stack.tell_webhooks().await;
        }
    };
    let tell = async {
        for _ in 0..10 {
            world.tell(4).await;
        }
    };
    tokio::join!(work(), work(), work(), tell);
    stack.clock().advance(Duration::from_secs(3 * 60));
    stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), (1..=40).collect::<Vec<_>>(), "each once, and in order");
    assert_eq!(world.row(&id).await["delivered"], 40);
}

/// A webhook is woken while a run on it reaches its deadline: the next run continues without waiting for the
/// lease to end.
#[tokio::test]
async fn a_run_whose_time_is_up_gives_its_webhook_back_though_it_was_woken() {
    const BEFORE: Duration = Duration::from_secs(15);
    let world = World::start().await;
    let latch = Latch::default();
    let receiver = Receiver::start(Mood::held(&latch, "204 No Content")).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(3).await;
    let app = world.stack.app().changed(&[("WEBHOOK_LIMIT_MS", "600000")]);
    let app = &app.webhook_worker;
    let account = world.user.account.parse().unwrap();
    let message = WebhookMessage::Webhook { account, id: id.parse().unwrap() };
    let mut record = SqsMessage::default();
    record.body = Some(serde_json::to_string(&message).unwrap());
    let mut event = SqsEvent::default();
    event.records = vec![record];
    // A request may begin while at least 20 s are left.
    let deadline = Instant::now() + BEFORE + Duration::from_secs(20);
    let run = webhook_worker::handle(app.clone(), event, deadline);
    let wake = async {
        latch.holds(1).await;
        world.tell(1).await;
        world.stack.tick("event-worker").await.unwrap();
        skip(BEFORE).await;
        latch.open();
    };
    let (answer, ()) = tokio::join!(run, wake);
    assert!(answer.batch_item_failures.is_empty());
    assert_eq!(receiver.sequences(), [1], "the run sent one event, and its time was up");
    receiver.is(Mood::fine());
    // A receiver that took 15 s rests for nine times as long.
    world.stack.clock().advance(20 * BEFORE);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 2, 3, 4]);
}
