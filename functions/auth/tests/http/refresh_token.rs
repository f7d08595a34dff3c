use std::{collections::BTreeSet, time::Duration};

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use local::{
    LocalStack,
    client::{Client, twenty_at_once},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;
use shared::problem::Problem;

use crate::{is_alive, pair, refresh, world};

const DAY: u64 = 24 * 60 * 60;

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
        .expect_error(Problem::TokenExpired);
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    assert_ne!(second.refresh_token, first.refresh_token);
    client.get("/api/account/me").bearer(&second.access_token).send().await.expect(200);
    refresh(&client, &second.refresh_token).await.expect(200);
}

/// The changes in the account's audit trail that concern refresh tokens, newest first.
async fn noted(client: &Client, user: &SignedIn) -> Vec<String> {
    let call = client.get("/api/account/activity?pageSize=100").bearer(&user.access_token);
    let answer = call.send().await.expect(200);
    let rows = answer.data().as_array().unwrap();
    let changes = rows.iter().map(|row| row["change"].as_str().unwrap().to_owned());
    changes.filter(|change| change.starts_with("refreshToken")).collect()
}

/// How many refresh tokens were spent in the world.
fn spent(stack: &LocalStack) -> usize {
    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    rows.filter(|row| row["pk"]["S"].as_str().unwrap().starts_with("refresh#")).count()
}

/// Two tabs refresh at different times, an answer is lost, a client does not save its tokens: until the
/// active token is used, its predecessor is exchanged for it again.
#[tokio::test]
async fn a_repeated_refresh_returns_the_same_token() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(20)).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    for seconds in [0, 1, 20, 5 * 60, DAY] {
        stack.clock().advance(Duration::from_secs(seconds));
        let again = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
        assert_eq!(again.refresh_token, second.refresh_token, "after {seconds} more seconds");
        assert!(is_alive(&client, &again).await);
    }
    assert_eq!(spent(&stack), 1, "one refresh wrote");
    let third = pair(&refresh(&client, &second.refresh_token).await.expect(200), &first);
    assert_eq!(spent(&stack), 2);
    assert!(is_alive(&client, &third).await);
    assert_eq!(noted(&client, &third).await, [""; 0], "all of it came from one device");
}

/// Once the successor has been used, two parties hold the session, so it ends for both.
#[tokio::test]
async fn a_thief_with_a_spent_token_ends_the_session_and_gets_nothing() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(21);
    let first = sign_in(&client, &wallet).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    let third = pair(&refresh(&client, &second.refresh_token).await.expect(200), &first);
    let thief = client.calling_from([127, 0, 21, 1].into());
    refresh(&thief, &first.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
    for token in [&first, &second, &third] {
        refresh(&client, &token.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
        assert!(!is_alive(&client, token).await);
    }
    let owner = sign_in(&client, &wallet).await;
    assert_eq!(noted(&client, &owner).await, ["refreshTokenReused"]);
}

/// The audit trail records a repeat on another device, once per device and token.
#[tokio::test]
async fn a_repeat_on_another_device_is_in_the_audit_trail() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(22)).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    refresh(&client, &first.refresh_token).await.expect(200);
    assert_eq!(noted(&client, &second).await, [""; 0]);

    // Without a device token, the source address distinguishes devices.
    let thief = client.calling_from([127, 0, 22, 1].into());
    for _ in 0..3 {
        let got = pair(&refresh(&thief, &first.refresh_token).await.expect(200), &first);
        assert_eq!(got.refresh_token, second.refresh_token);
    }
    assert_eq!(noted(&client, &second).await, ["refreshTokenRepeated"]);
    // A repeat by the owner adds no entry.
    refresh(&client, &first.refresh_token).await.expect(200);
    assert_eq!(noted(&client, &second).await, ["refreshTokenRepeated"]);
    assert_eq!(spent(&stack), 1);

    // The thief refreshes first, so now the owner's repeat comes from another device.
    let third = pair(&refresh(&thief, &second.refresh_token).await.expect(200), &first);
    let owner = pair(&refresh(&client, &second.refresh_token).await.expect(200), &first);
    assert_eq!(owner.refresh_token, third.refresh_token);
    assert_eq!(noted(&client, &owner).await, ["refreshTokenRepeated"; 2]);
}

/// A client can repeat as often as it likes, so entries of repeats are limited; its refreshes still succeed.
#[tokio::test]
async fn custody_32_repeats_on_many_devices_add_few_entries() {
    let (_stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(23)).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    for n in 0..25 {
        let device = client.calling_from([127, 0, 23, n + 1].into());
        let got = pair(&refresh(&device, &first.refresh_token).await.expect(200), &first);
        assert_eq!(got.refresh_token, second.refresh_token);
    }
    assert_eq!(noted(&client, &second).await.len(), 20);
}

/// Neither the active token nor its predecessor is stored.
#[tokio::test]
async fn no_refresh_token_is_stored() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(24)).await;
    let second = pair(&refresh(&client, &first.refresh_token).await.expect(200), &first);
    let stored = serde_json::to_string(&stack.contents()).unwrap();
    for token in [&first.refresh_token, &second.refresh_token] {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).unwrap();
        let secret = &bytes[32..];
        for text in [
            token.clone(),
            hex::encode(secret),
            BASE64_STANDARD.encode(secret),
            BASE64_URL_SAFE_NO_PAD.encode(secret),
        ] {
            assert!(!stored.contains(&text), "a token is stored in clear");
        }
    }
    assert_ne!(
        first.refresh_token[43..],
        second.refresh_token[43..],
        "each has a secret of its own"
    );
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
    refresh(&client, &first.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
    assert!(!is_alive(&client, &third).await, "descendants share the session that ended");
    refresh(&client, &third.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
    assert!(is_alive(&client, &elsewhere).await, "another sign-in is another session");
    refresh(&client, &elsewhere.refresh_token).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_refreshes_get_one_token_with_one_write() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(3)).await;
    let answers = twenty_at_once(|_| {
        let (client, token) = (client.clone(), first.refresh_token.clone());
        async move { refresh(&client, &token).await }
    })
    .await;
    let pairs: Vec<_> =
        answers.into_iter().map(|answer| pair(&answer.expect(200), &first)).collect();
    let tokens: BTreeSet<_> = pairs.iter().map(|pair| pair.refresh_token.as_str()).collect();
    assert_eq!(tokens.len(), 1, "all have the same active token");
    assert_eq!(spent(&stack), 1, "one of them wrote");
    for pair in &pairs {
        assert!(is_alive(&client, pair).await);
    }
    refresh(&client, &pairs[0].refresh_token).await.expect(200);
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
    refresh(&client, &forged).await.expect_error(Problem::InvalidRefreshToken);
    assert!(is_alive(&client, &first).await);
    refresh(&client, &first.refresh_token).await.expect(200);
}

#[tokio::test]
async fn garbage_is_refused() {
    let (_stack, client) = world().await;
    let signed_in = sign_in(&client, &Wallet::p2wpkh(5)).await;
    for garbage in ["x", "é", &"A".repeat(86), &signed_in.access_token[..200]] {
        refresh(&client, garbage).await.expect_error(Problem::InvalidRefreshToken);
    }
    for body in [
        json!({}),
        json!({"refreshToken": 7}),
        json!({"refreshToken": null}),
        json!({"refreshToken": ""}),
    ] {
        client
            .post("/auth/refresh-token")
            .json(&body)
            .send()
            .await
            .expect_error(Problem::Validation);
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
            answer.expect_error(Problem::InvalidRefreshToken);
            break;
        }
        busy = pair(&answer, &busy);
        refreshes += 1;
        if refreshes == 2 {
            refresh(&client, &idle.refresh_token)
                .await
                .expect_error_for(Problem::InvalidRefreshToken, "checklist 20: idling");
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
    let second = pair(&send().await.expect(200), &first);
    refresh(&client, &second.refresh_token).await.expect(200);
    send().await.expect_error(Problem::InvalidRefreshToken);
}

/// A token is spent only after its successor is signed.
#[tokio::test]
async fn a_refresh_that_cannot_be_signed_does_not_spend_the_token() {
    let (stack, client) = world().await;
    let first = sign_in(&client, &Wallet::p2wpkh(9)).await;
    let keyless = stack.app().changed(&[("TOKEN_SECRET_ID", "no-such-secret")]);
    let keyless = stack.serve_app(keyless, auth::routes()).await;
    refresh(&keyless, &first.refresh_token).await.expect_error(Problem::Unavailable);
    refresh(&client, &first.refresh_token).await.expect(200);
}
