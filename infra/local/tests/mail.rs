//! Mails in the local world: the pump of their queue, and the mailbox page.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{sync::Arc, time::Duration};

use aws_sdk_sqs::{
    Client as Sqs,
    config::Region,
    types::{QueueAttributeName, SendMessageBatchRequestEntry},
};
use base::{
    clock::Clock,
    random::{Random, SystemSource},
};
use local::{
    Client, LocalStack, levers,
    patience::wait_until,
    server::Server,
    wallets::{Wallet, sign_in},
};
use serde_json::json;
use shared::{
    mail::{Letter, Mail},
    models::change::AccountChange,
};

fn mail(stack: &LocalStack, to: &str, letter: Letter) -> Mail {
    let (random, at): (&dyn Random, _) = (&SystemSource, stack.clock().now());
    Mail { id: random.id(at), to: to.to_owned().into(), letter, at }
}

fn verification(stack: &LocalStack, to: &str) -> Mail {
    let expires_at = stack.clock().now().plus(Duration::from_secs(600));
    mail(stack, to, Letter::VerifyEmail { token: "t/k".into(), expires_at })
}

fn sqs(stack: &LocalStack) -> Sqs {
    let aws = &stack.app().config.aws;
    let config = aws_sdk_sqs::Config::builder()
        .region(Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(stack.app().outbound.clone())
        .endpoint_url(aws.sqs_endpoint.as_deref().unwrap());
    Sqs::from_conf(config.build())
}

#[tokio::test]
async fn mailboxes_of_worlds_are_separate() {
    let (one, other) = (LocalStack::start().await, LocalStack::start().await);
    one.app().identity.mail.send(&verification(&one, "a@example.com")).await.unwrap();
    assert_eq!((other.deliver_mail().await, one.deliver_mail().await), (0, 1));
    assert_eq!(one.mailbox("a@example.com").await.len(), 1);
    assert!(other.mailbox("a@example.com").await.is_empty());
    assert_eq!(one.deliver_mail().await, 0);
}

#[tokio::test]
async fn more_than_one_batch_is_pumped() {
    let stack = LocalStack::start().await;
    let mails: Vec<_> = (0..23).map(|_| verification(&stack, "a@example.com")).collect();
    stack.app().identity.mail.send_all(&mails).await.unwrap();
    assert_eq!(stack.deliver_mail().await, 23);
    assert_eq!(stack.mailbox("a@example.com").await.len(), 23);
}

/// A failing message comes back and goes to the dead letters after five attempts; its neighbours are
/// delivered.
#[tokio::test]
async fn a_message_that_fails_five_times_goes_to_the_dead_letters() {
    let stack = LocalStack::start().await;
    let (sqs, queue) = (sqs(&stack), &stack.app().config.mail.links_url());
    let at_once = sqs.set_queue_attributes().queue_url(queue);
    at_once.attributes(QueueAttributeName::VisibilityTimeout, "0").send().await.unwrap();
    let good = serde_json::to_string(&verification(&stack, "a@example.com")).unwrap();
    let entry = |id: &str, body: &str| {
        SendMessageBatchRequestEntry::builder().id(id).message_body(body).build().unwrap()
    };
    let batch = sqs.send_message_batch().queue_url(queue);
    let batch = batch.entries(entry("bad", "no mail")).entries(entry("good", &good));
    batch.send().await.unwrap();

    // The bad message five times, the good one once.
    assert_eq!(stack.deliver_mail().await, 6);
    assert_eq!(stack.mailbox("a@example.com").await.len(), 1);
    let dead = queue.replace("-mails-links", "-MailDeadLetters");
    let receive = sqs.receive_message().queue_url(dead).max_number_of_messages(10);
    let received = receive.send().await.unwrap();
    let bodies: Vec<_> =
        received.messages().iter().map(|message| message.body().unwrap()).collect();
    assert_eq!(bodies, ["no mail"]);
}

#[tokio::test]
async fn workers_wait_for_mails() {
    let stack = LocalStack::start().await;
    let workers = stack.workers();
    stack.app().identity.mail.send(&verification(&stack, "a@example.com")).await.unwrap();
    wait_until("the mail", async || !stack.mailbox("a@example.com").await.is_empty()).await;
    drop(workers);
}

/// Links expire, so they have runs of the worker of their own (custody rule 27).
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_waiting_notices_delay_no_link() {
    const NOTICES: usize = 3_000;
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let notice = Letter::Notice { change: AccountChange::WebhookChanged };
    let notices: Vec<_> =
        (0..NOTICES).map(|_| mail(&stack, "flood@example.com", notice.clone())).collect();
    stack.app().identity.mail.send_all(&notices).await.unwrap();
    let asked = client.post("/api/account/change-email/init").bearer(&user.access_token);
    asked.json(&json!({ "newEmail": "user@example.com" })).send().await.expect(200);

    let workers = stack.workers();
    wait_until("the link", async || !stack.mailbox("user@example.com").await.is_empty()).await;
    let sent = stack.mailbox("flood@example.com").await.len();
    assert!(sent < NOTICES, "the link waited for all notices");
    drop(workers);
}

#[tokio::test]
async fn the_mailbox_is_a_page() {
    let stack = Arc::new(LocalStack::start().await);
    let server = Server::start(levers::router(stack.clone())).await.unwrap();
    let client = Client::new(server.url());
    let page = |path: &str| client.get(path).header("accept", "text/html,*/*;q=0.8").send();
    let empty = page("/_local/mail").await.expect(200);
    assert!(empty.text.contains("No mail yet."), "{empty}");

    let mails = [
        verification(&stack, "a+b@example.com"),
        mail(&stack, "c@example.com", Letter::Notice { change: AccountChange::PasswordChanged }),
    ];
    stack.app().identity.mail.send_all(&mails).await.unwrap();
    assert_eq!(stack.deliver_mail().await, 2);

    let all = page("/_local/mail").await.expect(200);
    assert!(all.header("content-type").starts_with("text/html"), "{all}");
    assert!(all.text.contains("Your password was changed"), "{all}");
    assert!(all.text.contains(r#"href="?to=a%2Bb%40example%2Ecom""#), "{all}");
    // The mail's own HTML as an attribute, in a frame that runs no scripts.
    let frame = r#"sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="&#60;base"#;
    assert_eq!(all.text.matches(frame).count(), 2, "{all}");
    assert!(all.text.contains("verify-email?token=t%2Fk"), "{all}");

    let one = page("/_local/mail?to=a%2Bb%40example.com").await.expect(200);
    assert!(one.text.contains("Confirm your e-mail address"), "{one}");
    assert!(!one.text.contains("Your password was changed"), "{one}");
    let hostile = page("/_local/mail?to=%3Cscript%3E%22").await.expect(200);
    assert!(!hostile.text.contains("<script") && hostile.text.contains("&#60;script"), "{hostile}");

    let json = client.get("/_local/mail?to=c%40example.com").send().await.expect(200);
    let list = json.body.as_array().unwrap();
    assert_eq!((list.len(), &list[0]["to"]), (1, &"c@example.com".into()), "{json}");
    assert_eq!(list[0]["subject"], "Your password was changed");
    client.get("/_local/mail?form=a").send().await.expect(400);
    client.post("/_local/mail").send().await.expect(404);
}
