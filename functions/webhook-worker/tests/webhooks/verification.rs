//! A receiver gets events only after it has confirmed that it wants them.

use serde_json::{Value, json};
use shared::{
    auth::limits::{self, WEBHOOK_BY_ACCOUNT, WEBHOOK_VERIFICATION_BY_HOST},
    problem::Problem,
};

use crate::{
    World,
    receiver::{Mood, Receiver, confirmation},
};

impl World {
    async fn state(&self, id: &str) -> String {
        self.row(id).await["state"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn custody_32_events_wait_until_the_receiver_has_confirmed() {
    let world = World::start().await;
    let receiver = Receiver::start_stranger(Mood::fine()).await;
    let (id, _) = world.add(&receiver.url).await;
    assert_eq!(world.state(&id).await, "unverified");
    world.tell(2).await;
    world.stack.tell_webhooks().await;
    assert!(receiver.received().is_empty(), "it has not asked for anything");
    let [verification] = &receiver.verifications()[..] else { panic!("one verification") };
    let event = verification.json();
    let challenge = event["data"]["challenge"].as_str().unwrap();
    assert_eq!(challenge.len(), 64);
    let expected = json!({
        "id": event["id"], "sequence": 0, "type": "webhook.verification",
        "timestamp": event["timestamp"], "data": { "webhookId": id, "challenge": challenge },
    });
    assert_eq!(event, expected);
    assert_eq!(verification.header("webhook-id"), event["id"]);
    assert!(verification.header("webhook-signature").starts_with("v1,"));
    assert!(!world.row(&id).await.to_string().contains(challenge), "the receiver alone knows it");
    let sent = world.log(&id).await;
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0]["cause"], &sent[0]["type"]), (&json!("verification"), &event["type"]));
    assert_eq!((&sent[0]["delivered"], &sent[0]["status"]), (&json!(false), &json!(204)));
    assert!(sent[0]["error"].as_str().unwrap().contains("challenge"), "{}", sent[0]);
    assert_eq!(world.state(&id).await, "unverified");

    // The owner asks for another verification once the receiver knows how to answer.
    receiver.is(Mood::Says(confirmation(&json!(challenge))));
    let outcome = world.test(&id).await;
    assert_eq!((&outcome["status"], &outcome["error"]), (&json!(200), &Value::Null));
    let second = receiver.verifications().remove(1);
    assert_eq!(outcome["eventId"], second.header("webhook-id"));
    assert_eq!(world.state(&id).await, "on");
    assert_eq!(receiver.sequences(), [1, 2], "what has waited");
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_eq!(receiver.sequences(), [1, 2, 3]);
    assert_eq!(world.test(&id).await["status"], 200);
    assert_eq!(receiver.received().remove(3).json()["type"], "webhook.test");
}

/// An account points its webhook at a server that knows nothing about it.
#[tokio::test]
async fn custody_32_a_stranger_gets_no_events_whatever_it_answers() {
    let redirect = "HTTP/1.1 307 There\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n";
    let says = |body: &str| {
        Mood::Says(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
    };
    for mood in [
        Mood::fine(),
        Mood::Echoes,
        Mood::Says(redirect.to_owned()),
        Mood::BreaksOff,
        Mood::status("500 Internal Server Error"),
        says(&json!({ "challenge": "ab".repeat(32) }).to_string()),
        says(r#"{"challenge":null}"#),
        says("[]"),
    ] {
        let world = World::start().await;
        let stranger = Receiver::start_stranger(mood.clone()).await;
        let (id, _) = world.add(&stranger.url).await;
        world.tell(3).await;
        world.stack.tell_webhooks().await;
        world.post(&format!("/{id}/replay"), &json!({ "after": 0 })).await.expect(200);
        let again = format!("/{id}/deliveries/1/redeliver");
        world.post(&again, &json!({})).await.expect_error(Problem::WebhookUnverified);
        for enabled in [false, true] {
            world.patch(&id, &json!({ "enabled": enabled })).await.expect(200);
        }
        world.post(&format!("/{id}/rotate-secret"), &json!({})).await.expect(200);
        world.test(&id).await;
        world.tell(1).await;
        world.stack.tell_webhooks().await;
        assert!(stranger.received().is_empty(), "{mood:?}");
        assert_eq!(stranger.verifications().len(), 2, "{mood:?}: one for each request");
        assert_eq!(world.state(&id).await, "unverified");
    }
    // A failing status with the right body is still a failure.
    let world = World::start().await;
    let stranger = Receiver::start_stranger(Mood::fine()).await;
    let (id, _) = world.add(&stranger.url).await;
    world.stack.tell_webhooks().await;
    let challenge = stranger.verifications()[0].json()["data"]["challenge"].clone();
    let answer = confirmation(&challenge).replace("200 OK", "500 Internal Server Error");
    stranger.is(Mood::Says(answer));
    assert!(world.test(&id).await["error"].as_str().unwrap().contains("500"));
    assert_eq!(world.state(&id).await, "unverified");
}

#[tokio::test]
async fn custody_32_a_change_of_the_url_needs_another_confirmation() {
    let world = World::start().await;
    let receiver = Receiver::start(Mood::fine()).await;
    let stranger = Receiver::start_stranger(Mood::Echoes).await;
    let (id, _) = world.add(&receiver.url).await;
    world.tell(1).await;
    world.stack.tell_webhooks().await;
    assert_eq!(world.state(&id).await, "on");
    // The challenge of one URL does not confirm another.
    let earlier = receiver.verifications()[0].json()["data"]["challenge"].clone();
    // A redelivery asked for earlier is not sent to another URL either.
    world.post(&format!("/{id}/deliveries/1/redeliver"), &json!({})).await.expect(200);
    let changed = world.patch(&id, &json!({ "url": stranger.url })).await.expect(200);
    assert_eq!(changed.data()["state"], "unverified");
    world.tell(2).await;
    world.stack.tell_webhooks().await;
    stranger.is(Mood::Says(confirmation(&earlier)));
    world.test(&id).await;
    assert_eq!((stranger.received().len(), stranger.verifications().len()), (0, 2));
    assert_eq!(receiver.sequences(), [1]);

    world.patch(&id, &json!({ "url": receiver.url })).await.expect(200);
    world.stack.tell_webhooks().await;
    assert_eq!(world.state(&id).await, "on");
    assert_eq!(receiver.sequences(), [1, 2, 3]);
    assert!(stranger.received().is_empty());
    // Setting the same URL again needs no new confirmation.
    world.patch(&id, &json!({ "url": receiver.url, "note": "shop" })).await.expect(200);
    assert_eq!(world.state(&id).await, "on");
    assert_eq!(receiver.verifications().len(), 2);
}

#[tokio::test]
async fn custody_32_verifications_are_limited_per_account_and_per_host() {
    let mut world = World::start().await;
    let stranger = Receiver::start_stranger(Mood::fine()).await;
    let (id, _) = world.add(&stranger.url).await;
    for n in 2..=WEBHOOK_BY_ACCOUNT.most {
        let url = format!("{}&n={n}", stranger.url);
        world.patch(&id, &json!({ "url": url })).await.expect(200);
        world.stack.tell_webhooks().await;
    }
    let url = json!({ "url": format!("{}&more", stranger.url) });
    world.patch(&id, &url).await.expect_error(Problem::RateLimited);
    world.post(&format!("/{id}/test"), &json!({})).await.expect_error(Problem::RateLimited);
    world.post("", &url).await.expect_error(Problem::RateLimited);
    world.stack.tell_webhooks().await;
    let most = usize::try_from(WEBHOOK_BY_ACCOUNT.most).unwrap();
    assert_eq!((stranger.verifications().len(), stranger.received().len()), (most, 0));
    // What the account's own limits refuse does not count at the host, which all accounts share.
    let host = limits::subject_of_name("127.0.0.1");
    let left = WEBHOOK_VERIFICATION_BY_HOST.most - WEBHOOK_BY_ACCOUNT.most;
    let identity = &world.stack.app().identity;
    limits::hit_times(identity, WEBHOOK_VERIFICATION_BY_HOST, &host, left).await.unwrap();

    // The limit counts all accounts together, by host and whatever the path; another host has a count of its
    // own.
    let hour = WEBHOOK_BY_ACCOUNT.window + std::time::Duration::from_secs(1);
    world.stack.clock().advance(hour);
    world.signed_in().await;
    let others = (WEBHOOK_VERIFICATION_BY_HOST, WEBHOOK_VERIFICATION_BY_HOST.most - 1);
    let identity = &world.stack.app().identity;
    limits::hit_times(identity, others.0, &host, others.1).await.unwrap();
    world.patch(&id, &url).await.expect(200);
    world.post("", &url).await.expect_error(Problem::RateLimited);
    world.patch(&id, &json!({ "url": stranger.url })).await.expect_error(Problem::RateLimited);
    world.post(&format!("/{id}/test"), &json!({})).await.expect_error(Problem::RateLimited);
    let other = stranger.url.replace("127.0.0.1", "localhost");
    world.post("", &json!({ "url": other })).await.expect(201);
}
