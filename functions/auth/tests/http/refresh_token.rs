use std::time::Duration;

use local::{
    client::{Answer, Client, twenty_at_once},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;

use crate::{is_alive, world};

const DAY: u64 = 24 * 60 * 60;

async fn refresh(client: &Client, token: &str) -> Answer {
    client.post("/auth/refresh-token").json(&json!({ "refreshToken": token })).send().await
}

fn pair(answer: &Answer, of: &SignedIn) -> SignedIn {
    SignedIn {
        access_token: answer.text_of("accessToken").to_owned(),
        refresh_token: answer.text_of("refreshToken").to_owned(),
        ..of.clone()
    }
}

#[tokio::test]
async fn a_refresh_returns_a_new_pair() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(1)).await;
    stack.clock().advance(Duration::from_secs(601));
    client
        .get("/api/account/me")
        .bearer(&first.access_token)
        .send()
        .await
        .expect_error(401, "4003");
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    assert_ne!(second.refresh_token, first.refresh_token);
    client.get("/api/account/me").bearer(&second.access_token).send().await.expect(200);
    refresh(&client, &second.refresh_token).await.expect(200);
}

#[tokio::test]
async fn a_replayed_token_ends_its_session() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(2);
    let first = sign_in(&client, &wallet).await;
    let elsewhere = sign_in(&client, &wallet).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    let third = pair(&refresh(&client, &second.refresh_token).await.expect(200), &first);
    assert!(is_alive(&client, &third).await);
    refresh(&client, &first.refresh_token).await.expect_error(400, "4005");
    assert!(!is_alive(&client, &third).await, "descendants share the session that ended");
    refresh(&client, &third.refresh_token).await.expect_error(400, "4005");
    assert!(is_alive(&client, &elsewhere).await, "another sign-in is another session");
    refresh(&client, &elsewhere.refresh_token).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_refreshes_spend_a_token_once() {
    let (_stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(3)).await;
    let statuses = twenty_at_once(|_| {
        let (client, token) = (client.clone(), first.refresh_token.clone());
        async move { refresh(&client, &token).await.status }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 400).count(), 19, "{statuses:?}");
    assert!(!is_alive(&client, &first).await, "two parties hold the token: the session ends");
}

/// A guess is not a replay: guessing must not end a session.
#[tokio::test]
async fn a_token_that_was_never_issued_ends_nothing() {
    let (_stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(4)).await;
    let mut forged = first.refresh_token.clone();
    let last = forged.pop().unwrap();
    // 64 bytes leave 4 significant bits in the last character, so each token has 4 texts.
    forged.push(if last == 'A' { 'Q' } else { 'A' });
    refresh(&client, &forged).await.expect_error(400, "4005");
    assert!(is_alive(&client, &first).await);
    refresh(&client, &first.refresh_token).await.expect(200);
}

#[tokio::test]
async fn garbage_is_refused() {
    let (_stack, client) = world().await;
    let signed_in = sign_in(&client, &Wallet::p2wpkh(5)).await;
    for garbage in ["x", "é", &"A".repeat(86), &signed_in.access_token[..200]] {
        refresh(&client, garbage).await.expect_error(400, "4005");
    }
    for body in [
        json!({}),
        json!({"refreshToken": 7}),
        json!({"refreshToken": null}),
        json!({"refreshToken": ""}),
    ] {
        client.post("/auth/refresh-token").json(&body).send().await.expect_error(400, "1001");
    }
}

#[tokio::test]
async fn a_session_may_idle_seven_days_and_lasts_thirty() {
    let (stack, client) = world().await;
    let idle = sign_in(&client, &Wallet::p2wpkh(6)).await;
    let mut busy = sign_in(&client, &Wallet::p2wpkh(7)).await;
    let mut refreshes = 0;
    loop {
        stack.clock().advance(Duration::from_secs(6 * DAY + 3_600));
        let answer = refresh(&client, &busy.refresh_token).await;
        if answer.status != 200 {
            answer.expect_error(400, "4005");
            break;
        }
        busy = pair(&answer, &busy);
        refreshes += 1;
        if refreshes == 2 {
            refresh(&client, &idle.refresh_token).await.expect_error_for(
                400,
                "4005",
                "checklist 20: idling",
            );
        }
    }
    assert_eq!(refreshes, 4, "checklist 20: age: the fifth would be past 30 days");
}

/// Responses under `/auth` contain secrets, so they are neither stored nor replayed.
#[tokio::test]
async fn custody_21_responses_under_auth_are_not_kept() {
    let (_stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(8)).await;
    let body = json!({ "refreshToken": first.refresh_token });
    let send = || {
        let call = client.post("/auth/refresh-token").header("Idempotency-Key", "k");
        call.bearer(&first.access_token).json(&body).send()
    };
    send().await.expect(200);
    send().await.expect_error(400, "4005");
}

/// A token is spent only after its successor is signed.
#[tokio::test]
async fn a_refresh_that_cannot_be_signed_does_not_spend_the_token() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(9)).await;
    let keyless = stack.app().changed(&[("TOKEN_SECRET_ID", "no-such-secret")]);
    let keyless = stack.serve_app(keyless, auth::routes()).await;
    refresh(&keyless, &first.refresh_token).await.expect_error(503, "1009");
    refresh(&client, &first.refresh_token).await.expect(200);
}
