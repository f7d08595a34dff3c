//! The mail worker, on the local stack.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use axum::{Router, http::StatusCode, routing::post};
use base::{
    clock::Clock,
    random::{Random, SystemSource},
};
use local::{LocalStack, client::twenty_at_once, server::Server};
use mail_worker::App;
use serde_json::json;
use shared::{
    mail::{Letter, Mail},
    models::change::AccountChange,
};

const TO: &str = "alice@example.com";
const TEN_MINUTES: Duration = Duration::from_secs(600);
/// Longer than a claim, and shorter than the queue hides a message.
const LEASE_OVER: Duration = Duration::from_secs(120);

fn mail(stack: &LocalStack, letter: Letter) -> Mail {
    let (random, at): (&dyn Random, _) = (&SystemSource, stack.clock().now());
    Mail { id: random.id(at), to: TO.to_owned().into(), letter, at }
}

fn notice(stack: &LocalStack) -> Mail {
    mail(stack, Letter::Notice { change: AccountChange::PasswordChanged })
}

fn body(mail: &Mail) -> String {
    serde_json::to_string(mail).unwrap()
}

/// A Lambda event with these bodies; the message ids are `0`, `1`, and so on.
fn event<'a>(bodies: impl IntoIterator<Item = &'a str>) -> SqsEvent {
    let records = bodies.into_iter().enumerate();
    let records: Vec<_> = records
        .map(|(n, body)| {
            json!({
                "messageId": n.to_string(),
                "receiptHandle": "handle",
                "body": body,
                "attributes": { "ApproximateReceiveCount": "1" },
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:mails",
                "awsRegion": "us-east-1",
            })
        })
        .collect();
    serde_json::from_value(json!({ "Records": records })).unwrap()
}

fn failed(response: SqsBatchResponse) -> Vec<String> {
    response.batch_item_failures.into_iter().map(|item| item.item_identifier).collect()
}

async fn handle(app: &App, mail: &Mail) -> Vec<String> {
    failed(mail_worker::handle(app.clone(), event([body(mail).as_str()])).await)
}

/// The same world with SES at another address.
fn with_ses_at(stack: &LocalStack, url: &str) -> App {
    stack.app().changed(&[("AWS_ENDPOINT_URL_SESV2", url)]).function()
}

/// The same world with an unreachable SES.
fn without_ses(stack: &LocalStack) -> App {
    with_ses_at(stack, "http://127.0.0.1:1")
}

/// An SES that gives this answer to the first call and accepts all later mails; counts its calls.
async fn ses_that_answers(status: u16, body: &'static str) -> (Server, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let answer = move || {
        let is_first = counted.fetch_add(1, Ordering::Relaxed) == 0;
        let taken = (200, r#"{"MessageId":"1"}"#);
        let (status, body) = if is_first { (status, body) } else { taken };
        std::future::ready((StatusCode::from_u16(status).unwrap(), body))
    };
    let router = Router::new().route("/v2/email/outbound-emails", post(answer));
    (Server::start(router).await.unwrap(), calls)
}

#[tokio::test]
async fn every_letter_arrives() {
    let stack = LocalStack::start().await;
    let expires_at = stack.clock().now().plus(TEN_MINUTES);
    let letters = [
        Letter::VerifyEmail { token: "first/token".into(), expires_at },
        Letter::ConfirmEmail { token: "second token".into(), expires_at },
        Letter::EmailChange { new_email: "bob@example.com".to_owned() },
        Letter::Notice { change: AccountChange::TotpEnabled },
    ];
    let mails = letters.map(|letter| mail(&stack, letter));
    stack.app().identity.mail.send_all(&mails).await.unwrap();
    assert_eq!(stack.deliver_mail().await, 4);

    let mut received = stack.mailbox(TO).await;
    received.sort_by(|a, b| a.subject.cmp(&b.subject));
    let subjects: Vec<_> = received.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(
        subjects,
        [
            "A change of your e-mail address was requested",
            "Confirm your e-mail address",
            "Confirm your new e-mail address",
            "Two-factor authentication was turned on or set up again",
        ]
    );
    assert_eq!(received[1].token(), "first/token");
    assert_eq!(received[2].token(), "second token");
    assert!(received[0].text.contains("b***@example.com"));
    assert!(received.iter().all(|mail| mail.html.starts_with("<!doctype html>")));
    assert!(received[1].text.contains("http://localhost:5173/verify-email?token=first%2Ftoken\n"));
    assert!(stack.mailbox("bob@example.com").await.is_empty());
    // The record that is kept for a day contains neither recipient nor text.
    let rows = serde_json::to_string(&stack.contents()).unwrap();
    assert!(rows.contains("mail#") && !rows.contains("example.com") && !rows.contains("token\""));
}

#[tokio::test]
async fn messages_with_one_id_are_sent_once() {
    let stack = LocalStack::start().await;
    let mail = notice(&stack);
    let twice = [body(&mail), body(&mail)];
    let response = mail_worker::handle(
        stack.app().mail_worker.clone(),
        event(twice.iter().map(String::as_str)),
    );
    assert!(failed(response.await).is_empty());
    // Nor after the claim has expired.
    stack.clock().advance(LEASE_OVER);
    assert!(handle(&stack.app().mail_worker, &mail).await.is_empty());
    assert_eq!(stack.mailbox(TO).await.len(), 1);
    // Another id is another mail.
    assert!(handle(&stack.app().mail_worker, &notice(&stack)).await.is_empty());
    assert_eq!(stack.mailbox(TO).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_concurrent_runs_send_one_mail() {
    let stack = LocalStack::start().await;
    let mail = notice(&stack);
    let runs = twenty_at_once(|_| {
        let (app, mail) = (stack.app().mail_worker.clone(), mail.clone());
        async move { handle(&app, &mail).await }
    });
    let dealt_with = runs.await.into_iter().filter(Vec::is_empty).count();
    assert!(dealt_with >= 1);
    assert_eq!(stack.mailbox(TO).await.len(), 1);
    // Runs that met a live claim retry, and find the mail sent.
    assert!(handle(&stack.app().mail_worker, &mail).await.is_empty());
    assert_eq!(stack.mailbox(TO).await.len(), 1);
}

#[tokio::test]
async fn a_malformed_message_fails_alone() {
    let stack = LocalStack::start().await;
    let (first, last) = (body(&notice(&stack)), body(&notice(&stack)));
    let bodies = [&first, "", "{}", "not JSON", &first.replace("notice", "advert"), &last];
    let response = mail_worker::handle(stack.app().mail_worker.clone(), event(bodies)).await;
    assert_eq!(failed(response), ["1", "2", "3", "4"]);
    assert_eq!(stack.mailbox(TO).await.len(), 2);
    let nothing = mail_worker::handle(stack.app().mail_worker.clone(), SqsEvent::default()).await;
    assert!(failed(nothing).is_empty());
}

#[tokio::test]
async fn mail_to_a_malformed_address_is_not_sent() {
    let stack = LocalStack::start().await;
    let sneaky = "alice@example.com\r\nBcc: eve@example.com";
    for to in [sneaky, "alice@example.com, eve@example.com", "älice@example.com", ""] {
        let mail = Mail { to: to.to_owned().into(), ..notice(&stack) };
        assert_eq!(handle(&stack.app().mail_worker, &mail).await, ["0"], "{to:?}");
    }
    assert!(stack.try_mailbox(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_mail_that_ses_did_not_accept_is_sent_later() {
    let stack = LocalStack::start().await;
    let broken = without_ses(&stack);
    let mail = notice(&stack);
    assert_eq!(handle(&broken, &mail).await, ["0"]);
    // SES may have accepted it anyway, so no run sends it while the claim is valid.
    assert_eq!(handle(&stack.app().mail_worker, &mail).await, ["0"]);
    assert!(stack.mailbox(TO).await.is_empty());
    stack.clock().advance(LEASE_OVER);
    assert!(handle(&stack.app().mail_worker, &mail).await.is_empty());
    assert_eq!(stack.mailbox(TO).await.len(), 1);
}

/// After any other failure SES may have accepted the mail.
#[tokio::test]
async fn a_mail_is_retried_only_if_ses_was_too_busy() {
    let stack = LocalStack::start().await;
    let throttled = r#"{"__type":"ThrottlingException"}"#;
    let denied =
        r#"{"__type":"com.amazonaws.sesv2#AccessDeniedException","message":"a@b.example"}"#;
    for (status, body, is_repeated) in [
        (400, throttled, true),
        (429, r#"{"__type":"TooManyRequestsException"}"#, true),
        (429, "", true),
        (503, "", true),
        (500, "", false),
        (504, "", false),
        (400, denied, false),
    ] {
        let (server, calls) = ses_that_answers(status, body).await;
        let failed = handle(&with_ses_at(&stack, server.url()), &notice(&stack)).await;
        let calls = calls.load(Ordering::Relaxed);
        let expected = (is_repeated, 1 + usize::from(is_repeated));
        assert_eq!((failed.is_empty(), calls), expected, "{status} {body}");
    }
}

#[tokio::test]
async fn a_mail_with_an_expired_link_is_not_sent() {
    let stack = LocalStack::start().await;
    let expires_at = stack.clock().now().plus(TEN_MINUTES);
    let mail = mail(&stack, Letter::VerifyEmail { token: "late".into(), expires_at });
    stack.clock().advance(TEN_MINUTES);
    assert!(handle(&stack.app().mail_worker, &mail).await.is_empty());
    assert!(stack.mailbox(TO).await.is_empty());
}
