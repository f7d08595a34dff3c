//! Custody rule 21.

use std::time::Duration;

use local::{
    client::{Answer, twenty_at_once},
    mood::Mood,
    wallets::{Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{models::account::Role, problem::Problem};

use crate::{prize, world};

#[tokio::test]
async fn custody_21_a_repeated_request_gets_the_first_answer() {
    let (stack, client, admin) = world().await;
    let send = |key: &'static str, body: Value| {
        client
            .post("/api/prizes")
            .bearer(&admin.access_token)
            .header("Idempotency-Key", key)
            .json(&body)
            .send()
    };
    let first = send("one", prize(&stack, 1)).await.expect(201);
    stack.clock().advance(Duration::from_secs(5));
    let again = send("one", prize(&stack, 1)).await.expect(201);
    assert_eq!(again.body, first.body);
    let replayed = |answer: &Answer| answer.header("idempotent-replayed").to_owned();
    assert_eq!([replayed(&first), replayed(&again)], ["", "true"]);
    assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
    let other = send("one", prize(&stack, 2)).await.expect_error(Problem::IdempotencyKeyReused);
    let first_refused = send("two", prize(&stack, 1)).await.expect_error(Problem::PrizeNumberTaken);
    let refused = send("two", prize(&stack, 1)).await.expect_error(Problem::PrizeNumberTaken);
    let told = [&other, &first_refused, &refused].map(replayed);
    assert_eq!(told, ["", "", "true"]);
    assert_eq!(
        refused.body["requestId"],
        refused.header("x-request-id"),
        "a stored refusal keeps the id of its own request"
    );
}

#[tokio::test]
async fn custody_21_a_misspelt_key_is_not_ignored() {
    let (stack, client, admin) = world().await;
    let before = stack.rows_but_limits();
    for name in ["X-Idempotency-Key", "IdempotencyKey", "Idempotency_Key", "idempotency-key-"] {
        let call = client.post("/api/prizes").bearer(&admin.access_token).header(name, "one");
        let refused = call.json(&prize(&stack, 1)).send().await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "Idempotency-Key", "{name}");
    }
    assert_eq!(stack.rows_but_limits(), before);
    // Proxies may add headers of their own.
    let call = client.post("/api/prizes").bearer(&admin.access_token);
    let call = call.header("Idempotency-Key", "one").header("X-Idempotency-Key", "two");
    call.json(&prize(&stack, 1)).send().await.expect(201);
}

#[tokio::test]
async fn custody_21_an_answer_is_stored_for_a_day() {
    let (stack, client, _) = world().await;
    let body = prize(&stack, 1);
    for (hours, status) in [(0, 201), (23, 201), (2, 409)] {
        stack.clock().advance(Duration::from_secs(hours * 60 * 60));
        let admin = local::admin(&stack, &client).await;
        let call = client.post("/api/prizes").bearer(&admin.access_token);
        call.header("Idempotency-Key", "k").json(&body).send().await.expect(status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_twenty_concurrent_requests_with_one_key_run_once() {
    let (stack, client, admin) = world().await;
    let body = prize(&stack, 1);
    let answers = twenty_at_once(|_| {
        let (client, token, body) = (client.clone(), admin.access_token.clone(), body.clone());
        async move {
            let call = client.post("/api/prizes").bearer(&token).header("Idempotency-Key", "same");
            call.json(&body).send().await
        }
    })
    .await;
    let (made, waiting): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 201);
    assert!(!made.is_empty());
    assert!(made.iter().all(|answer| answer.body == made[0].body), "all calls get one answer");
    for answer in waiting {
        answer.expect_error(Problem::InProgress);
    }
}

#[tokio::test]
async fn custody_21_a_failure_of_the_service_is_not_stored() {
    let (stack, client, admin) = world().await;
    let body = prize(&stack, 1);
    let send = || {
        let call = client.post("/api/prizes").bearer(&admin.access_token);
        call.header("Idempotency-Key", "k").json(&body).send()
    };
    stack.ord().be(Mood { down: true, ..Mood::default() });
    send().await.expect_error(Problem::ChainUnavailable);
    stack.ord().be(Mood::default());
    send().await.expect(201);
}

#[tokio::test]
async fn custody_21_a_key_belongs_to_its_account_and_rights_are_checked_again() {
    let (stack, client, admin) = world().await;
    let body = prize(&stack, 1);
    let send = |token: String| {
        client.post("/api/prizes").bearer(&token).header("Idempotency-Key", "k").json(&body).send()
    };
    send(admin.access_token.clone()).await.expect(201);
    let other = sign_in(&client, &Wallet::p2wpkh(9)).await;
    send(other.access_token.clone()).await.expect_error(Problem::Forbidden);
    stack.set_role(&other.account, Role::Admin).await;
    send(other.access_token).await.expect_error(Problem::PrizeNumberTaken);
    stack.set_role(&admin.account, Role::User).await;
    send(admin.access_token).await.expect_error(Problem::Forbidden);
}

/// A claim without an answer remains when a function is killed during the request.
#[tokio::test]
async fn custody_21_an_abandoned_claim_is_taken_over_by_the_same_body_only() {
    let (stack, client, admin) = world().await;
    let send = |token: String, body: Value| {
        client.post("/api/prizes").bearer(&token).header("Idempotency-Key", "k").json(&body).send()
    };
    let token = admin.access_token.clone();
    stack.ord().be(Mood { delay_ms: 600_000, ..Mood::default() });
    let router = stack.service(prizes::routes());
    let request = http::Request::post("/api/prizes")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("idempotency-key", "k")
        .body(prize(&stack, 1).to_string());
    // Killed while it waits for ord.
    tokio::select! {
        answer = tower::ServiceExt::oneshot(router, request.unwrap()) => panic!("{answer:?}"),
        () = stack.ord().mood().delays(1) => {}
    }
    stack.ord().be(Mood::default());

    send(token.clone(), prize(&stack, 1)).await.expect_error(Problem::InProgress);
    stack.clock().advance(Duration::from_secs(31));
    send(token.clone(), prize(&stack, 2)).await.expect_error(Problem::IdempotencyKeyReused);
    send(token, prize(&stack, 1)).await.expect(201);
}

#[tokio::test]
async fn custody_21_malformed_keys_are_refused() {
    let (stack, client, admin) = world().await;
    for key in ["", "a b", "é", &"k".repeat(256)] {
        let call =
            client.post("/api/prizes").bearer(&admin.access_token).header("Idempotency-Key", key);
        let answer = call.json(&prize(&stack, 1)).send().await.expect_error(Problem::Validation);
        assert_eq!(answer.body["errors"][0]["field"], json!("Idempotency-Key"));
    }
}
