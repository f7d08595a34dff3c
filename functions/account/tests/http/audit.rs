//! Custody rules 18 and 27: sign-ins, new devices and failed proofs appear in the audit trail.

use std::time::Duration;

use local::{
    LocalStack,
    authenticator::Misbehaviour,
    client::{Answer, Client},
    passkeys::{self, authenticator},
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
    wallets::{SignedIn, Wallet, dated, sign_in, with},
};
use serde_json::json;
use shared::{auth::limits, problem::Problem};

use crate::{mailed, post, world};

async fn activity(client: &Client, user: &SignedIn) -> Answer {
    let path = "/api/account/activity?pageSize=100";
    client.get(path).bearer(&user.access_token).send().await.expect(200)
}

/// The changes in the trail, newest first.
async fn trail(client: &Client, user: &SignedIn) -> Vec<String> {
    let answer = activity(client, user).await;
    let rows = answer.data().as_array().unwrap();
    rows.iter().map(|row| row["change"].as_str().unwrap().to_owned()).collect()
}

/// How many proofs failed in total.
async fn failed(client: &Client, user: &SignedIn, proof: &str) -> u64 {
    let answer = activity(client, user).await;
    let hours = answer.body["metaData"]["failedProofs"].as_array().unwrap().clone();
    hours.iter().map(|hour| hour[proof].as_u64().unwrap()).sum()
}

fn alice() -> SrpAccount {
    SrpAccount::new("alice@example.com", "correct horse battery staple")
}

async fn registered_and_verified(
    stack: &LocalStack,
    client: &Client,
    user: &SrpAccount,
) -> SignedIn {
    let session = user.register(client).await;
    let body = json!({ "token": mailed(stack, &user.email).await });
    post(client, &session, "/api/account/verify-email", &body).await.expect(200);
    session
}

#[tokio::test]
async fn custody_18_sign_ins_and_new_devices_are_in_the_trail_and_new_ones_are_mailed() {
    let (stack, client, _) = world().await;
    let alice = alice();
    let here = registered_and_verified(&stack, &client, &alice).await;
    let notices = async || {
        stack.deliver_mail().await;
        let mails = stack.mailbox(&alice.email).await;
        let about = "A new device signed in to your Runeport account";
        mails.iter().filter(|mail| mail.subject == about).count()
    };
    alice.sign_in(&client).await;
    assert_eq!(notices().await, 0, "the device is known since the registration");
    let there = client.calling_from([127, 0, 8, 1].into());
    alice.sign_in(&there).await;
    assert_eq!(notices().await, 1);
    alice.sign_in(&there).await;
    assert_eq!(notices().await, 1, "it is known now");
    let entries = ["signedIn", "newDevice", "signedIn", "emailVerified", "accountCreated"];
    assert_eq!(trail(&client, &here).await, entries);

    // A thief's device is new even at a source address that the account has used.
    for source in [&client, &there] {
        alice.sign_in(&source.on_another_device()).await;
    }
    assert_eq!(notices().await, 3);
    // After 90 days without a sign-in the device is new again.
    stack.clock().advance(Duration::from_secs(91 * 24 * 60 * 60));
    let back = alice.sign_in(&there).await;
    assert_eq!(trail(&there, &back).await[0], "newDevice");
    assert_eq!(notices().await, 4);
}

#[tokio::test]
async fn custody_18_mails_about_new_devices_are_limited_and_the_trail_is_not() {
    let (stack, client, _) = world().await;
    let alice = alice();
    let here = registered_and_verified(&stack, &client, &alice).await;
    let before = stack.mailbox(&alice.email).await.len();
    // A client that keeps no token is a new device every time.
    let most = limits::NOTICE_BY_ACCOUNT.most as usize;
    for _ in 0..most + 2 {
        alice.sign_in(&client.on_another_device()).await;
    }
    stack.deliver_mail().await;
    assert_eq!(stack.mailbox(&alice.email).await.len() - before, most);
    let entries = trail(&client, &here).await;
    assert_eq!(entries.iter().filter(|change| *change == "newDevice").count(), most + 2);
    stack.clock().advance(limits::NOTICE_BY_ACCOUNT.window + Duration::from_secs(1));
    alice.sign_in(&client.on_another_device()).await;
    stack.deliver_mail().await;
    assert_eq!(stack.mailbox(&alice.email).await.len() - before, most + 1);
}

/// Custody rule 32: mails about an owner's actions are limited per kind of change; the trail records all of
/// them.
#[tokio::test]
async fn custody_32_mails_about_one_kind_of_change_are_limited_and_the_trail_is_not() {
    let (stack, client, _) = world().await;
    let alice = alice();
    let here = registered_and_verified(&stack, &client, &alice).await;
    let mails = async || {
        stack.deliver_mail().await;
        stack.mailbox(&alice.email).await.len()
    };
    let url = json!({ "url": "http://127.0.0.1:9/" });
    let added = post(&client, &here, "/api/webhooks", &url).await.expect(201);
    let path = format!("/api/webhooks/{}", added.text_of("id"));
    let before = mails().await;
    let most = limits::NOTICE_BY_ACCOUNT.most as usize;
    for n in 0..most + 3 {
        let call = client.patch(&path).bearer(&here.access_token);
        call.json(&json!({ "note": format!("note {n}") })).send().await.expect(200);
    }
    assert_eq!(mails().await - before, most);
    let entries = trail(&client, &here).await;
    assert_eq!(entries.iter().filter(|change| *change == "webhookChanged").count(), most + 3);
    // A change of another kind is mailed.
    client.delete(&path).bearer(&here.access_token).send().await.expect(200);
    assert_eq!(mails().await - before, most + 1);
    stack.clock().advance(limits::NOTICE_BY_ACCOUNT.window + Duration::from_secs(1));
    let back = alice.sign_in(&client).await;
    let added = post(&client, &back, "/api/webhooks", &url).await.expect(201);
    let path = format!("/api/webhooks/{}", added.text_of("id"));
    let before = mails().await;
    let call = client.patch(&path).bearer(&back.access_token);
    call.json(&json!({ "note": "x" })).send().await.expect(200);
    assert_eq!(mails().await - before, 1);
}

#[tokio::test]
async fn custody_18_a_device_that_signs_in_stays_known() {
    let (stack, client, _) = world().await;
    let alice = alice();
    alice.register(&client).await;
    for _ in 0..6 {
        stack.clock().advance(Duration::from_secs(60 * 24 * 60 * 60));
        let back = alice.sign_in(&client).await;
        assert_eq!(trail(&client, &back).await[0], "signedIn");
    }
    // One token serves all accounts on a device, but only if the service issued it.
    let token = client.device_token().unwrap();
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    assert_eq!(client.device_token().unwrap(), token);
    assert_eq!(user.data["deviceToken"], token.as_str());
    for forged in ["A".repeat(64), format!("{}AAAA", &token[..60]), "x".to_owned(), String::new()] {
        let body = dated(&client, &Wallet::p2wpkh(2));
        let call = client.post("/auth/authenticate").header("device-token", &forged);
        let answer = call.json(&body).send().await.expect(200);
        assert_ne!(answer.text_of("deviceToken"), forged);
        assert_eq!(answer.text_of("deviceToken").len(), 64);
    }
    assert!(!json!(stack.contents()).to_string().contains(&token), "only a hash is stored");
}

#[tokio::test]
async fn custody_27_failed_proofs_are_counted_by_hour_outside_the_trail() {
    let (stack, client, _) = world().await;
    let alice = alice();
    let here = alice.register(&client).await;
    let before = activity(&client, &here).await;
    let stranger = client.calling_from([127, 0, 8, 1].into());
    let thief = SrpAccount { password: "a guess".to_owned(), ..alice.clone() };
    for _ in 0..3 {
        thief.attempt(&stranger).await.expect_error(Problem::InvalidCredentials);
    }
    thief.attempt_by_id(&stranger, &here.account).await.expect_error(Problem::InvalidCredentials);
    assert_eq!(failed(&client, &here, "password").await, 4);
    let after = activity(&client, &here).await;
    assert_eq!(after.data(), before.data(), "no entry for each guess");
    let hour = &after.body["metaData"]["failedProofs"][0];
    let shape = json!({
        "hour": hour["hour"], "lastAt": hour["lastAt"], "password": 4, "secondFactor": 0,
        "passkey": 0, "wallet": 0, "emailToken": 0,
    });
    assert_eq!(hour, &shape);
    let (began, last) = (hour["hour"].as_i64().unwrap(), hour["lastAt"].as_i64().unwrap());
    assert!(began % 3_600_000 == 0 && (0..3_600_000).contains(&(last - began)), "{hour}");

    // Another hour is another row, newest first. After 90 days the first row is gone.
    stack.clock().advance(Duration::from_secs(3_600));
    thief.attempt(&stranger).await.expect_error(Problem::InvalidCredentials);
    let here = alice.sign_in(&client).await;
    let answer = activity(&client, &here).await;
    let hours = answer.body["metaData"]["failedProofs"].as_array().unwrap();
    let counts: Vec<_> = hours.iter().map(|hour| hour["password"].clone()).collect();
    assert_eq!(counts, [1, 4]);
    let wrong = json!({ "token": "x" });
    post(&client, &here, "/api/account/verify-email", &wrong)
        .await
        .expect_error(Problem::EmailTokenInvalid);
    assert_eq!(failed(&client, &here, "emailToken").await, 1);
    // Failures within a session are counted as well.
    let path = "/api/account/srp/change-password";
    let begun = post(&client, &here, &format!("{path}/init"), &json!({})).await.expect(200);
    let body = thief.password_change(begun.data(), &alice.with_password("mine"), "AAAA").fields;
    post(&client, &here, &format!("{path}/verify"), &body)
        .await
        .expect_error(Problem::PasswordProofInvalid);
    assert_eq!(failed(&client, &here, "password").await, 6);
}

#[tokio::test]
async fn custody_27_wrong_codes_passkeys_and_signatures_are_counted() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let stranger = client.calling_from([127, 0, 8, 1].into());
    let forged =
        with(dated(&stranger, &wallet), &json!({ "signature": Wallet::p2wpkh(2).sign("x") }));
    let call = stranger.post("/auth/authenticate").json(&forged);
    call.send().await.expect_error(Problem::SignatureInvalid);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let asked = stranger.get(path).send().await.expect(200);
    let forged =
        with(wallet.signed_challenge(&asked), &json!({ "signature": Wallet::p2wpkh(2).sign("x") }));
    let call = stranger.post("/auth/authenticate").json(&forged);
    call.send().await.expect_error(Problem::SignatureInvalid);
    assert_eq!(failed(&client, &user, "wallet").await, 2);

    let mut authenticator = authenticator();
    passkeys::add(&client, &mut authenticator, &user).await.expect(201);
    authenticator.misbehaviour = Some(Misbehaviour::Signature);
    passkeys::try_sign_in(&stranger, &mut authenticator)
        .await
        .expect_error(Problem::PasskeyRefused);
    assert_eq!(failed(&client, &user, "passkey").await, 1);

    let setup = post(&client, &user, "/api/account/2fa/setup", &json!({})).await.expect(200);
    let uri = setup.text_of("otpauthUri").to_owned();
    let on = json!({ "otpCode": code_at(&uri, client.now()) });
    post(&client, &user, "/api/account/2fa/toggle", &on).await.expect(200);
    let code = json!({ "otpCode": wrong_code_at(&uri, client.now()) });
    let body = with(dated(&stranger, &wallet), &code);
    let call = stranger.post("/auth/authenticate").json(&body);
    call.send().await.expect_error(Problem::OtpInvalid);
    assert_eq!(failed(&client, &user, "secondFactor").await, 1);
    // Another account sees none of them.
    let other = sign_in(&client, &Wallet::p2wpkh(3)).await;
    assert_eq!(activity(&client, &other).await.body["metaData"]["failedProofs"], json!([]));
}
