//! A row, reader, queue or receiver that fails or is slow does not affect the others (custody rule 32).

use std::{collections::BTreeMap, time::Duration};

use local::{
    HoldingHttp,
    patience::{skip, wait_until},
};
use outbox::webhooks::{LanePending, Webhook, lane_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{
    events::{self, EventHead, EventWrites},
    keys::{self, EventList},
    models::{event::EventType, webhook::WebhookId},
};
use store::{Entity, Writes};

use crate::{
    World,
    deployment::{account, admins, by_account},
    receiver::{Mood, Receiver},
};

impl World {
    async fn head(&self, list: &EventList) -> EventHead {
        events::head(&self.stack.app().store, list).await.unwrap()
    }

    /// Marks a list as read by a socket.
    async fn read(&self, list: &EventList) {
        let now = self.stack.app().clock.now();
        let until = now.plus(Duration::from_secs(60 * 60));
        let head = self.head(list).await;
        let mark = Writes::<()>::new().read_until(list, &head, (now, until), ());
        self.stack.app().store.commit(mark).await.unwrap();
    }

    /// The bodies of the messages that wait for the runs of slow receivers.
    async fn queued_for_slow(&self) -> Vec<Value> {
        let url = self.stack.app().config.webhooks.slow_url();
        let received = self.stack.sqs().receive_message().queue_url(url).send().await.unwrap();
        let bodies = received.messages.unwrap_or_default().into_iter();
        bodies.map(|message| serde_json::from_str(&message.body.unwrap()).unwrap()).collect()
    }
}

/// A list whose row does not answer, among lists that do.
#[tokio::test(flavor = "multi_thread")]
async fn custody_32_a_row_that_hangs_delays_no_other_row_of_its_look() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    world.add_for_all(&receiver.url, &[]).await;
    world.stack.tell_webhooks().await;
    for n in 1..=3 {
        world.tell_of(account(n), EventType::Refund).await;
    }
    let (slow, others) = (EventList::of_account(account(1)), [2, 3]);
    let pk = slow.open().pk().to_owned();
    let holding = HoldingHttp::new(move |request| {
        let target = request.headers().get("x-amz-target").and_then(|it| it.to_str().ok());
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
        target.is_some_and(|it| it.ends_with(".GetItem")) && body.contains(&pk)
    });
    let app = world.stack.app().through(holding.outbound());
    let bystanders = async {
        holding.latch().holds(1).await;
        wait_until("the other lists have left the queue", async || {
            let mut heads = Vec::new();
            for n in others {
                heads.push(world.head(&EventList::of_account(account(n))).await);
            }
            heads.iter().all(|head| head.due_at.is_none())
        })
        .await;
        holding.latch().open();
    };
    let (looked, ()) = tokio::join!(world.stack.look_for_events_by(&app.event_worker), bystanders);
    assert_eq!(looked.unwrap(), 3);
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver).len(), 3);
}

#[tokio::test]
async fn custody_32_sockets_that_cannot_be_told_delay_no_webhook() {
    let world = admins().await;
    let (own, all) = (Receiver::start(Mood::fine()).await, Receiver::start(Mood::fine()).await);
    world.add(&own.url).await;
    world.add_for_all(&all.url, &[]).await;
    world.stack.tell_webhooks().await;
    let list = EventList::of_account(world.user.account.parse().unwrap());
    world.read(&list).await;
    world.tell(1).await;
    let broken = world.stack.app_without("SOCKET_QUEUE_URL");
    let looked = world.stack.look_for_events_by(&broken.event_worker).await;
    assert!(looked.is_err(), "the run says so");
    assert!(world.head(&list).await.due_at.is_some(), "the sockets are still to be told");
    // Neither webhook waits until then.
    world.stack.tell_webhooks().await;
    assert_eq!(own.sequences(), [1]);
    assert_eq!(by_account(&all), BTreeMap::from([(world.user.account.clone(), vec![1])]));
    world.stack.clock().advance(Duration::from_secs(121));
    world.stack.tell_webhooks().await;
    let head = world.head(&list).await;
    assert_eq!((head.due_at, head.pushed), (None, Some(1)));
    assert_eq!((own.sequences(), all.received().len()), (vec![1], 1), "nothing comes twice");
}

/// A queue that does not answer.
#[tokio::test]
async fn custody_32_sockets_that_hang_delay_neither_webhooks_nor_lanes() {
    let world = admins().await;
    let (own, all) = (Receiver::start(Mood::fine()).await, Receiver::start(Mood::fine()).await);
    let own_id: WebhookId = world.add(&own.url).await.0.parse().unwrap();
    let id: WebhookId = world.add_for_all(&all.url, &[]).await.parse().unwrap();
    world.stack.tell_webhooks().await;
    let of = world.user.account.parse().unwrap();
    let (list, mark) = (EventList::of_account(of), keys::lane_pending(id, lane_of(of), of));
    world.read(&list).await;
    world.tell(1).await;
    let name = list.name().to_owned();
    let holding = HoldingHttp::new(move |request| {
        let target = request.headers().get("x-amz-target").and_then(|it| it.to_str().ok());
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
        target.is_some_and(|it| it.starts_with("AmazonSQS.")) && body.contains(&name)
    });
    let app = world.stack.app().through(holding.outbound());
    let later = async {
        holding.latch().holds(1).await;
        let store = &world.stack.app().store;
        wait_until("the webhook is woken, and the account marked for its lane", async || {
            let webhook = store.get::<Webhook>(&keys::webhook(of, own_id)).await.unwrap().unwrap();
            webhook.watch.is_some() && store.get::<LanePending>(&mark).await.unwrap().is_some()
        })
        .await;
        // Longer than the push may take.
        skip(Duration::from_secs(71)).await;
    };
    let looked = tokio::join!(world.stack.look_for_events_by(&app.event_worker), later).0;
    assert!(looked.is_err(), "the run says so");
    holding.latch().open();
    assert!(world.head(&list).await.due_at.is_some(), "the sockets are still to be told");
    world.stack.tell_webhooks().await;
    assert_eq!(own.sequences(), [1]);
    assert_eq!(by_account(&all), BTreeMap::from([(world.user.account.clone(), vec![1])]));
}

/// A slow receiver serves eight accounts with many events, and one account with a later id.
#[tokio::test]
async fn custody_32_accounts_with_many_events_delay_no_later_account_of_their_lane() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    world.add_for_all(&receiver.url, &[]).await;
    world.stack.tell_webhooks().await;
    let of_lane: Vec<_> =
        (1..).map(account).filter(|of| lane_of(*of) == lane_of(account(1))).take(9).collect();
    for of in &of_lane {
        for _ in 0..3 {
            world.tell_of(*of, EventType::Refund).await;
        }
    }
    receiver.is(Mood::Late(Duration::from_millis(3_100)));
    let last = of_lane[8].to_string();
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver).len(), 8);
    assert!(!by_account(&receiver).contains_key(&last));
    world.stack.clock().advance(Duration::from_secs(3 * 60));
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver)[&last], [1]);
    receiver.is(Mood::fine());
    world.stack.clock().advance(Duration::from_secs(3 * 60));
    world.stack.tell_webhooks().await;
    for of in of_lane {
        assert_eq!(by_account(&receiver)[&of.to_string()], [1, 2, 3]);
    }
}

/// A lane that cannot be woken, because its count is no number.
#[derive(Serialize, Deserialize)]
struct Unwakeable {
    pokes: String,
}

impl Entity for Unwakeable {
    const ENTITY: &'static str = "webhookLane";
}

#[tokio::test]
async fn custody_32_a_lane_that_cannot_be_woken_delays_nothing_else_and_loses_no_event() {
    let world = admins().await;
    let (own, all) = (Receiver::start(Mood::fine()).await, Receiver::start(Mood::fine()).await);
    world.add(&own.url).await;
    let id: WebhookId = world.add_for_all(&all.url, &[]).await.parse().unwrap();
    world.stack.tell_webhooks().await;
    let of = world.user.account.parse().unwrap();
    let (store, list, lane) = (&world.stack.app().store, EventList::of_account(of), lane_of(of));
    let key = keys::webhook_lane(id, lane);
    store.put(&key, &Unwakeable { pokes: "many".to_owned() }).await.unwrap();
    world.read(&list).await;
    world.tell(1).await;
    let elsewhere = (1..).map(account).find(|other| lane_of(*other) != lane).unwrap();
    world.tell_of(elsewhere, EventType::Refund).await;
    assert!(world.stack.tick("event-worker").await.is_err(), "the run says so");
    let head = world.head(&list).await;
    assert_eq!((head.due_at, head.pushed), (None, Some(1)), "its sockets are told once");
    world.stack.tell_webhooks().await;
    assert_eq!(own.sequences(), [1]);
    assert_eq!(by_account(&all), BTreeMap::from([(elsewhere.to_string(), vec![1])]));
    // The mark of the account waits in the place of its list.
    let mark = store.get::<LanePending>(&keys::lane_pending(id, lane, of)).await.unwrap().unwrap();
    assert!(mark.watch.is_some() && mark.due_at > Some(world.stack.app().clock.now()));
    store.delete(&key).await.unwrap();
    world.stack.clock().advance(Duration::from_secs(121));
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&all)[&of.to_string()], [1]);
    assert!(store.get::<LanePending>(&keys::lane_pending(id, lane, of)).await.unwrap().is_none());
}

#[tokio::test]
async fn custody_32_lanes_of_a_slow_receiver_rest_and_occupy_no_prompt_place() {
    let world = admins().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let id: WebhookId = world.add_for_all(&receiver.url, &[]).await.parse().unwrap();
    world.stack.tell_webhooks().await;
    receiver.is(Mood::Late(Duration::from_millis(3_100)));
    let slow_until = async || {
        let webhook = world.stack.app().store.get::<Webhook>(&keys::deployment_webhook(id)).await;
        webhook.unwrap().unwrap().slow_until
    };
    assert_eq!(slow_until().await, None);
    for _ in 0..3 {
        world.tell_of(account(1), EventType::Refund).await;
    }
    world.stack.tell_webhooks().await;
    assert_eq!(by_account(&receiver)[&account(1).to_string()], [1], "its lane rests");
    assert!(slow_until().await > Some(world.stack.app().clock.now()));
    // Another lane of the same webhook does not rest, but runs for slow receivers serve it.
    let other = (2..).map(account).find(|other| lane_of(*other) != lane_of(account(1))).unwrap();
    world.tell_of(other, EventType::Refund).await;
    for _look in 0..2 {
        world.stack.tick("event-worker").await.unwrap();
    }
    let queued = world.queued_for_slow().await;
    assert_eq!(queued.len(), 1, "{queued:?}");
    assert_eq!(queued[0]["lane"]["lane"], lane_of(other), "{queued:?}");
    receiver.is(Mood::fine());
    world.stack.clock().advance(Duration::from_secs(3 * 60));
    world.stack.tell_webhooks().await;
    let found = by_account(&receiver);
    assert_eq!(found[&account(1).to_string()], [1, 2, 3]);
    assert_eq!(found[&other.to_string()], [1]);
}
