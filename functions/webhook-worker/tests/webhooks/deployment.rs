//! Deployment-wide webhooks: who may see them, and what they send.

use std::{collections::BTreeMap, time::Duration};

use aws_smithy_types::body::SdkBody;
use http::{Method, Request};
use local::{
    HoldingHttp,
    client::twenty_at_once,
    wallets::{Wallet, sign_in},
};
use ops::accounts::{Order, obey};
use outbox::webhooks::{Webhook, lane_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::{
    events::EventWrites,
    keys::{self, EventList},
    models::{
        account::{AccountId, Role},
        event::{EventType, StateChange},
        webhook::WebhookId,
    },
    problem::Problem,
};
use store::{Entity, Writes};
use uuid::Uuid;

use crate::{
    World,
    receiver::{Mood, Receiver, confirmation},
};

/// A world whose caller is an admin.
pub(crate) async fn admins() -> World {
    let mut world = World::start().await;
    world.user = local::admin(&world.stack, &world.client).await;
    world
}

pub(crate) fn account(n: u128) -> AccountId {
    AccountId(Uuid::from_u128((1 << 100) + n))
}

impl World {
    /// Adds a deployment-wide webhook and waits until it sends; returns its id.
    pub(crate) async fn add_for_all(&self, url: &str, types: &[&str]) -> String {
        let body = json!({ "url": url, "types": types, "scope": "deployment" });
        let added = self.post("", &body).await.expect(201).data().clone();
        assert_eq!((&added["scope"], &added["delivered"]), (&json!("deployment"), &Value::Null));
        self.stack.clock().advance(Duration::from_secs(30));
        added["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn tell_of(&self, account: AccountId, kind: EventType) {
        let change = StateChange::of_state(kind, "ab".repeat(32), Some("unsigned"), "signed");
        let told = Writes::<()>::new().tell(EventList::of_account(account), change);
        self.stack.app().store.commit(told).await.unwrap();
    }
}

/// The sequence numbers that a receiver got, by account, in the order of arrival.
pub(crate) fn by_account(receiver: &Receiver) -> BTreeMap<String, Vec<u64>> {
    let mut found = BTreeMap::<_, Vec<u64>>::new();
    for received in receiver.received() {
        let account = received.json()["accountId"].as_str().unwrap().to_owned();
        found.entry(account).or_default().push(received.sequence());
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn one_webhook_gets_the_events_of_all_accounts_in_order() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::Late(Duration::from_millis(5))).await;
    // Events older than the webhook are not sent, whether they are in the open row or in closed ones.
    for _ in 0..13 {
        world.tell_of(account(0), EventType::Refund).await;
    }
    world.tell_of(account(1), EventType::Refund).await;
    let id = world.add_for_all(&receiver.url, &[]).await;
    for _ in 0..12 {
        for n in 0..30 {
            world.tell_of(account(n), EventType::Refund).await;
        }
    }
    world.stack.tell_webhooks().await;
    let found = by_account(&receiver);
    assert_eq!(found.len(), 30);
    for n in 0..30 {
        let before = [13, 1].get(usize::try_from(n).unwrap()).copied().unwrap_or(0);
        let expected: Vec<u64> = (before + 1..=before + 12).collect();
        assert_eq!(found[&account(n).to_string()], expected, "account {n}");
    }
    let first = receiver.received().remove(0);
    let (event, of) = (first.json(), first.json()["accountId"].as_str().unwrap().to_owned());
    assert_eq!(event["id"], format!("account-{of}-{}", event["sequence"]));
    let mut fields: Vec<_> = event.as_object().unwrap().keys().cloned().collect();
    fields.sort_unstable();
    assert_eq!(fields, ["accountId", "data", "id", "sequence", "timestamp", "type"]);
    assert_eq!(first.header("webhook-id"), event["id"]);
    assert!(first.header("webhook-signature").starts_with("v1,"));
    assert_eq!(world.deliveries(&id).await, Vec::<Value>::new(), "first successes are not logged");
    assert_eq!(world.stack.tell_webhooks().await, 0, "nothing is left to do");
    assert_eq!(receiver.received().len(), 360, "nothing comes twice");
}

#[tokio::test]
async fn a_webhook_of_the_deployment_gets_the_types_that_it_asks_for() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    world.add_for_all(&receiver.url, &["export.failed"]).await;
    for n in 1..=50 {
        let kind = if n % 25 == 0 { EventType::ExportFailed } else { EventType::Refund };
        world.tell_of(account(7), kind).await;
    }
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [25, 50]);
}

#[tokio::test]
async fn others_neither_see_nor_change_a_webhook_of_the_deployment() {
    let mut world = admins().await;
    let id = world.add_for_all("http://127.0.0.1:9/", &[]).await;
    assert_eq!(world.get("").await.expect(200).data(), &json!([]), "it is not the admin's own");
    let all = world.get("?scope=deployment").await.expect(200);
    assert_eq!(all.data()[0]["id"], json!(id));
    let admin = world.user.clone();
    world.user = sign_in(&world.client, &Wallet::p2wpkh(2)).await;
    world.get("?scope=deployment").await.expect_error(Problem::Forbidden);
    world.get("?scope=everything").await.expect_error(Problem::Validation);
    let body = json!({ "url": "http://127.0.0.1:9/", "scope": "deployment" });
    world.post("", &body).await.expect_error(Problem::Forbidden);
    world
        .post("", &json!({ "url": "http://127.0.0.1:9/", "scope": "all" }))
        .await
        .expect_error(Problem::Validation);
    world.get(&format!("/{id}")).await.expect_error(Problem::WebhookNotFound);
    world.get(&format!("/{id}/deliveries")).await.expect_error(Problem::WebhookNotFound);
    world.patch(&id, &json!({ "enabled": false })).await.expect_error(Problem::WebhookNotFound);
    world.delete(&id).await.expect_error(Problem::WebhookNotFound);
    for path in ["rotate-secret", "test", "deliveries/1/redeliver"] {
        world
            .post(&format!("/{id}/{path}"), &json!({}))
            .await
            .expect_error(Problem::WebhookNotFound);
    }
    let of = world.user.account.clone();
    let replay = json!({ "after": 0, "accountId": of });
    world.post(&format!("/{id}/replay"), &replay).await.expect_error(Problem::WebhookNotFound);

    // A second admin may change the webhook of the first; a former admin may not.
    world.stack.set_role(&of, shared::models::account::Role::Admin).await;
    let off = world.patch(&id, &json!({ "enabled": false })).await.expect(200);
    assert_eq!(off.data()["state"], "off");
    world.stack.set_role(&admin.account, shared::models::account::Role::User).await;
    let old = World { user: admin, client: world.client.clone(), stack: world.stack };
    old.get(&format!("/{id}")).await.expect_error(Problem::WebhookNotFound);
    old.delete(&id).await.expect_error(Problem::WebhookNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_at_once_add_five_to_the_deployment() {
    let world = admins().await;
    let added = twenty_at_once(|_| {
        let (client, token) = (world.client.clone(), world.user.access_token.clone());
        async move {
            let body = json!({ "url": "http://127.0.0.1:9/", "scope": "deployment" });
            client.post("/api/webhooks").bearer(&token).json(&body).send().await.status
        }
    })
    .await;
    assert_eq!(added.iter().filter(|status| **status == 201).count(), 5, "{added:?}");
    assert!(added.iter().all(|status| matches!(status, 201 | 400 | 409)), "{added:?}");
    let rows = world.get("?scope=deployment").await.expect(200).data().as_array().unwrap().clone();
    assert_eq!(rows.len(), 5);
    let body = json!({ "url": "http://127.0.0.1:9/", "scope": "deployment" });
    world.post("", &body).await.expect_error(Problem::TooMany);
    world.delete(rows[0]["id"].as_str().unwrap()).await.expect(200);
    world.post("", &body).await.expect(201);
    // The admin's own webhooks are counted separately.
    world.add("http://127.0.0.1:9/").await;
}

#[tokio::test]
async fn a_receiver_that_is_down_pauses_its_webhook_and_no_other() {
    let mut world = admins().await;
    let (own, all) =
        (Receiver::start(Mood::fine()).await, Receiver::start(Mood::status("503 Down")).await);
    world.add(&own.url).await;
    let id = world.add_for_all(&all.url, &[]).await;
    // All these accounts are in one lane.
    let accounts: Vec<_> = (0..40).map(|n| account(8 * n)).collect();
    for account in &accounts {
        world.tell_of(*account, EventType::Refund).await;
    }
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_eq!(own.received().len(), 1);
    let tried = all.received().len();
    assert!((2..=20).contains(&tried), "{tried} attempts at a receiver that is down");
    let failures = world.row(&id).await["failures"].clone();
    assert!(failures["cause"].as_str().unwrap().contains("503"), "{failures}");

    // The receiver recovers: every event arrives, and each is repeated at most once.
    all.is(Mood::fine());
    for _ in 0..4 {
        world.stack.clock().advance(Duration::from_secs(6 * 60));
        world.stack.tell_webhooks().await;
    }
    let found = by_account(&all);
    for account in &accounts {
        assert!(found[&account.to_string()].iter().all(|sequence| *sequence == 1));
    }
    assert_eq!(all.received().len(), tried + 41);
    world.user = local::admin(&world.stack, &world.client).await;
    assert_eq!(world.row(&id).await["failures"], Value::Null);
    assert!(!world.deliveries(&id).await.is_empty(), "failures are logged");
}

#[tokio::test]
async fn a_webhook_of_the_deployment_that_is_off_stops_no_other_and_goes_on_where_it_stopped() {
    let world = admins().await;
    let (own, gone) =
        (Receiver::start(Mood::fine()).await, Receiver::start(Mood::status("410 Gone")).await);
    let other = Receiver::start(Mood::fine()).await;
    world.add(&own.url).await;
    world.add_for_all(&other.url, &[]).await;
    let id = world.add_for_all(&gone.url, &[]).await;
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("gone")));
    world.tell(2).await;
    world.tell_of(account(3), EventType::Refund).await;
    world.stack.tell_webhooks().await;
    assert_eq!((own.sequences(), other.received().len()), (vec![1, 2, 3], 4));
    assert_eq!(gone.received().len(), 1);
    gone.is(Mood::fine());
    world.patch(&id, &json!({ "enabled": true })).await.expect(200);
    world.stack.clock().advance(Duration::from_secs(10));
    world.stack.tell_webhooks().await;
    let found = by_account(&gone);
    assert_eq!(found[&world.user.account], [1, 1, 2, 3]);
    assert_eq!(found[&account(3).to_string()], [1]);
    world.delete(&id).await.expect(200);
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_eq!((own.sequences().len(), gone.received().len()), (4, 5));
}

#[tokio::test]
async fn an_event_that_is_refused_is_given_up_after_ten_tries_and_holds_no_other_account_up() {
    let mut world = admins().await;
    let receiver = Receiver::start(Mood::status("422 Unprocessable")).await;
    let id = world.add_for_all(&receiver.url, &[]).await;
    let day = Duration::from_secs(27 * 60 * 60);
    world.tell_of(account(1), EventType::Refund).await;
    world.tell_of(account(1), EventType::Refund).await;
    for n in 1..=10 {
        receiver.is(Mood::status("422 Unprocessable"));
        world.stack.tell_webhooks().await;
        if n == 10 {
            break;
        }
        // Another account of the same lane is still served, so the webhook is not switched off.
        receiver.is(Mood::fine());
        world.tell_of(account(9), EventType::Refund).await;
        world.stack.tell_webhooks().await;
        world.stack.clock().advance(day);
    }
    receiver.is(Mood::fine());
    world.stack.tell_webhooks().await;
    let found = by_account(&receiver);
    assert_eq!(found[&account(1).to_string()], [[1; 10].to_vec(), vec![2]].concat());
    assert_eq!(found[&account(9).to_string()], (1..=9).collect::<Vec<_>>());
    world.user = local::admin(&world.stack, &world.client).await;
    assert_eq!(world.row(&id).await["state"], "on");
}

#[tokio::test]
async fn events_of_an_account_are_sent_again_on_request() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let id = world.add_for_all(&receiver.url, &[]).await;
    for _ in 0..3 {
        world.tell_of(account(1), EventType::Refund).await;
    }
    world.stack.tell_webhooks().await;
    let (of, path) = (account(1), format!("/{id}/deliveries/2/redeliver"));
    world.post(&path, &json!({})).await.expect_error(Problem::Validation);
    let asked = world.post(&format!("{path}?accountId={of}"), &json!({})).await.expect(200);
    assert_eq!(asked.data(), &json!({ "eventId": format!("account-{of}-2") }));
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver)[&of.to_string()], [1, 2, 3, 2]);
    let sent = world.deliveries(&id).await.remove(0);
    assert_eq!(
        (&sent["cause"], &sent["accountId"]),
        (&json!("redelivery"), &json!(of.to_string()))
    );

    let replay = format!("/{id}/replay");
    world.post(&replay, &json!({ "after": 1 })).await.expect_error(Problem::Validation);
    world
        .post(&replay, &json!({ "after": 9, "accountId": of.to_string() }))
        .await
        .expect_error(Problem::Validation);
    world.post(&replay, &json!({ "after": 1, "accountId": of.to_string() })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver)[&of.to_string()], [1, 2, 3, 2, 2, 3]);

    assert_eq!(world.test(&id).await["status"], 204);
    assert_eq!(receiver.received().remove(6).json()["type"], "webhook.test");
    // An account's own webhook cannot redeliver another account's events.
    let (own, _) = world.add(&receiver.url).await;
    let foreign = format!("/{own}/deliveries/2/redeliver?accountId={of}");
    world.post(&foreign, &json!({})).await.expect_error(Problem::Validation);
    let foreign = json!({ "after": 0, "accountId": of.to_string() });
    world.post(&format!("/{own}/replay"), &foreign).await.expect_error(Problem::Validation);
}

/// Runs are killed at every stage of their work while others work concurrently.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_skipped_when_lanes_are_killed() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::Late(Duration::from_millis(20))).await;
    world.add_for_all(&receiver.url, &[]).await;
    let stack = &world.stack;
    let mut kills = 0;
    for n in 0..8_u64 {
        for of in 0..6 {
            world.tell_of(account(of), EventType::Refund).await;
        }
        let worker = stack.tell_webhooks();
        if stack.effects().kill_after(1 + 4 * n, worker).await.is_none() {
            kills += 1;
        }
        stack.clock().advance(Duration::from_secs(3 * 60));
    }
    for _ in 0..3 {
        stack.clock().advance(Duration::from_secs(3 * 60));
        stack.tell_webhooks().await;
    }
    assert!(kills > 0, "no worker was killed");
    let found = by_account(&receiver);
    for of in 0..6 {
        let mut newest = 0;
        for sequence in &found[&account(of).to_string()] {
            assert!(*sequence <= newest + 1, "{sequence} comes before {}", newest + 1);
            newest = newest.max(*sequence);
        }
        assert_eq!(newest, 8, "account {of}");
    }
}

impl World {
    async fn obeys(&self, account: &str, order: Order) {
        let app = self.stack.app();
        obey(&app.store, app.config.network, account, order).await.unwrap();
    }

    /// Signs in as another admin; returns the account.
    async fn as_another_admin(&mut self, seed: u64) -> String {
        self.user = sign_in(&self.client, &Wallet::p2wpkh(seed)).await;
        self.obeys(&self.user.account, Order::Role(Role::Admin)).await;
        self.user.account.clone()
    }
}

#[tokio::test]
async fn custody_32_a_webhook_of_the_deployment_ends_with_the_role_of_who_runs_it() {
    for order in [Order::Role(Role::User), Order::Disable] {
        let mut world = admins().await;
        let receiver = Receiver::start(Mood::fine()).await;
        let (id, first) = (world.add_for_all(&receiver.url, &[]).await, world.user.account.clone());
        let (own, _) = world.add(&receiver.url).await;
        let other = account(1);
        world.tell_of(other, EventType::Refund).await;
        world.stack.tell_webhooks().await;
        let sent = receiver.received().len();
        assert!(sent >= 1);
        // Redeliveries asked for earlier are not sent either.
        let redeliver = format!("/{id}/deliveries/1/redeliver?accountId={other}");
        world.post(&redeliver, &json!({})).await.expect(200);
        world.obeys(&first, order).await;
        world.tell_of(other, EventType::Refund).await;
        world.tell_of(account(2), EventType::Refund).await;
        world.stack.tell_webhooks().await;
        let to_all = |receiver: &Receiver| {
            let received = receiver.received();
            received.iter().skip(sent).filter(|it| !it.json()["accountId"].is_null()).count()
        };
        assert_eq!(to_all(&receiver), 0, "{order:?}");
        // The admin's own webhook does not depend on the role.
        let own = keys::webhook(first.parse().unwrap(), own.parse().unwrap());
        let off = world.stack.app().store.get::<Webhook>(&own).await.unwrap().unwrap().off;
        assert_eq!(off.is_some(), order == Order::Disable, "{order:?}");

        // Another admin takes over the webhook, so it now ends with that admin's role.
        let second = world.as_another_admin(2).await;
        let row = world.row(&id).await;
        assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("disabled")));
        world.patch(&id, &json!({ "enabled": true })).await.expect(200);
        world.stack.tell_webhooks().await;
        assert!(to_all(&receiver) >= 2, "{order:?}");
        world.obeys(&first, Order::Enable).await;
        world.obeys(&first, Order::Disable).await;
        assert_eq!(world.row(&id).await["state"], "on");
        world.obeys(&second, Order::Role(Role::User)).await;
        world.as_another_admin(3).await;
        assert_eq!(world.row(&id).await["state"], "off");
    }
}

/// `enabled: true` switches nothing on here, so the webhook still ends with the role of the admin who runs it.
#[tokio::test]
async fn custody_32_a_webhook_of_the_deployment_that_is_on_is_not_taken_over() {
    let mut world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, first) = (world.add_for_all(&receiver.url, &[]).await, world.user.account.clone());
    world.tell_of(account(1), EventType::Refund).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.received().len(), 1);
    let second = world.as_another_admin(2).await;
    let change = json!({ "enabled": true, "note": "x", "types": ["refund.stateChanged"] });
    let changed = world.patch(&id, &change).await.expect(200);
    assert_eq!((&changed.data()["state"], &changed.data()["note"]), (&json!("on"), &json!("x")));
    world.obeys(&second, Order::Role(Role::User)).await;
    world.as_another_admin(3).await;
    assert_eq!(world.row(&id).await["state"], "on");
    world.obeys(&first, Order::Role(Role::User)).await;
    let row = world.row(&id).await;
    assert_eq!((&row["state"], &row["offReason"]), (&json!("off"), &json!("disabled")));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_32_a_webhook_that_is_added_while_its_admin_loses_the_role_never_sends() {
    let mut world = admins().await;
    let body = json!({ "url": "http://127.0.0.1:9/", "scope": "deployment" });
    for seed in 10..16 {
        let account = world.as_another_admin(seed).await;
        let app = world.stack.app().clone();
        let demoted = obey(&app.store, app.config.network, &account, Order::Role(Role::User));
        let (added, demoted) = tokio::join!(world.post("", &body), demoted);
        demoted.unwrap();
        assert!(matches!(added.status, 201 | 403 | 409 | 400), "{added}");
        world.user = local::admin(&world.stack, &world.client).await;
        let all = world.get("?scope=deployment").await.expect(200);
        for row in all.data().as_array().unwrap() {
            assert_eq!(row["state"], "off", "{added}");
        }
    }
}

/// Whether a request commits writes together, and names this text.
fn commits(request: &Request<SdkBody>, text: &str) -> bool {
    let target = request.headers().get("x-amz-target").and_then(|target| target.to_str().ok());
    let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default());
    target.is_some_and(|target| target.ends_with("TransactWriteItems")) && body.contains(text)
}

/// The role ends between a request's check of it and the request's write.
#[tokio::test(flavor = "multi_thread")]
async fn custody_32_an_admin_who_loses_the_role_meanwhile_does_nothing_to_a_webhook() {
    let mut world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let (id, of) = (world.add_for_all(&receiver.url, &[]).await, account(1));
    world.tell_of(of, EventType::Refund).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.received().len(), 1);
    let before = world.row(&id).await;
    let path = format!("/api/webhooks/{id}");
    let replay = json!({ "after": 0, "accountId": of.to_string() });
    let requests = [
        (Method::PATCH, path.clone(), json!({ "note": "x" })),
        (Method::POST, format!("{path}/rotate-secret"), json!({})),
        (Method::POST, format!("{path}/test"), json!({})),
        (Method::POST, format!("{path}/deliveries/1/redeliver?accountId={of}"), json!({})),
        (Method::POST, format!("{path}/replay"), replay),
        (Method::DELETE, path, json!({})),
    ];
    for (seed, (method, path, body)) in (10..).zip(requests) {
        let (name, written) = (format!("{method} {path}"), id.clone());
        let admin = world.as_another_admin(seed).await;
        let holding = HoldingHttp::new(move |request| commits(request, &written));
        let app = world.stack.app().through(holding.outbound());
        let client = world.stack.serve_app(app, account::routes()).await;
        let call = client.request(method, path).bearer(&world.user.access_token).json(&body);
        let loses_the_role = async {
            holding.latch().holds(1).await;
            world.obeys(&admin, Order::Role(Role::User)).await;
            holding.latch().open();
        };
        let (answer, ()) = tokio::join!(call.send(), loses_the_role);
        answer.expect_error_for(Problem::Changed, &name);
    }
    world.user = local::admin(&world.stack, &world.client).await;
    assert_eq!(world.row(&id).await, before);
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.received().len(), 1, "nothing is sent again");
}

#[tokio::test]
async fn custody_32_events_of_all_accounts_wait_until_the_receiver_has_confirmed() {
    let world = admins().await;
    let receiver = Receiver::start_stranger(Mood::Echoes).await;
    let id = world.add_for_all(&receiver.url, &[]).await;
    for n in 1..=3 {
        world.tell_of(account(n), EventType::Refund).await;
    }
    world.stack.tell_webhooks().await;
    assert_eq!(world.row(&id).await["state"], "unverified");
    assert!(receiver.received().is_empty());
    let challenge = receiver.verifications()[0].json()["data"]["challenge"].clone();
    receiver.is(Mood::Says(confirmation(&challenge)));
    assert_eq!(world.test(&id).await["error"], Value::Null);
    world.stack.tell_webhooks().await;
    assert_eq!(world.row(&id).await["state"], "on");
    let expected: BTreeMap<_, _> = (1..=3).map(|n| (account(n).to_string(), vec![1])).collect();
    assert_eq!(by_account(&receiver), expected);
    // Changing the URL stops all lanes.
    let stranger = Receiver::start_stranger(Mood::fine()).await;
    world.patch(&id, &json!({ "url": stranger.url })).await.expect(200);
    world.tell_of(account(1), EventType::Refund).await;
    world.stack.tell_webhooks().await;
    assert!(stranger.received().is_empty());
    assert_eq!(receiver.received().len(), 3);
}

/// A cursor that cannot be read.
#[derive(Serialize, Deserialize)]
struct Unreadable {
    delivered: String,
}

impl Entity for Unreadable {
    const ENTITY: &'static str = "laneCursor";
}

/// Custody rule 32: a malformed row hides no other account's webhook or events.
#[tokio::test]
async fn custody_32_malformed_rows_hide_no_webhook_and_no_account() {
    let world = admins().await;
    let own = Receiver::start(Mood::fine()).await;
    let all = Receiver::start(Mood::fine()).await;
    world.add(&own.url).await;
    let id: WebhookId = world.add_for_all(&all.url, &[]).await.parse().unwrap();
    world.stack.tell_webhooks().await;
    let account: AccountId = world.user.account.parse().unwrap();
    let (store, first) = (&world.stack.app().store, WebhookId(Uuid::from_u128(1)));
    let pending = keys::lane_pending(id, lane_of(account), AccountId(Uuid::from_u128(1)));
    for key in [keys::webhook(account, first), keys::deployment_webhook(first), pending] {
        store.put(&key, &Unreadable { delivered: "x".to_owned() }).await.unwrap();
    }
    world.tell(2).await;
    assert!(world.stack.tick("event-worker").await.is_err(), "the run says so");
    world.stack.tell_webhooks().await;
    assert_eq!(own.sequences(), [1, 2]);
    assert_eq!(by_account(&all), BTreeMap::from([(account.to_string(), vec![1, 2])]));
}

/// Custody rule 32: an account with unreadable rows delays no other account of its lane.
#[tokio::test]
async fn custody_32_an_account_that_fails_delays_no_other_one_of_its_lane() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let id = world.add_for_all(&receiver.url, &[]).await;
    let id: WebhookId = id.parse().unwrap();
    let lane = lane_of(account(1));
    let other = (2..).map(account).find(|other| lane_of(*other) == lane).unwrap();
    let cursor = keys::lane_cursor(id, lane, account(1));
    let store = &world.stack.app().store;
    store.put(&cursor, &Unreadable { delivered: "x".to_owned() }).await.unwrap();
    for account in [account(1), other] {
        world.tell_of(account, EventType::Refund).await;
    }
    world.stack.tell_webhooks().await;
    let expected = BTreeMap::from([(other.to_string(), vec![1])]);
    assert_eq!(by_account(&receiver), expected);
    // Once its rows can be read, the account is served again.
    store.delete(&cursor).await.unwrap();
    world.stack.clock().advance(Duration::from_secs(5 * 60));
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver)[&account(1).to_string()], [1]);
}
