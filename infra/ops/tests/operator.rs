//! Operators' commands as `make admin` and `make rotate-keys` run them: the program, with the environment of
//! a deployment.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::{
    process::{Output, Stdio},
    time::Duration,
};

use base::blob::Bucket;
use local::{
    LocalStack,
    client::Client,
    hub::swap,
    mood::Mood,
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, challenge, register, sign_in},
};
use outbox::webhooks::{self, LaneCursor, Webhook};
use serde_json::json;
use shared::{
    keys,
    models::{account::AccountId, webhook::WebhookId},
    problem::Problem,
};
use tokio::process::Command;

/// A fresh world that serves every function.
async fn world() -> (LocalStack, Client) {
    let stack = LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    (stack, client)
}

async fn run(stack: &LocalStack, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runeport-ops"));
    command.args(arguments).env_clear().envs(stack.settings()).stdin(Stdio::null());
    command.output().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_set_by_address_and_removed_by_id() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&client, &wallet).await;
    let status = async || client.get("/api/account").bearer(&user.access_token).send().await.status;
    assert_eq!(status().await, 403);
    for _twice in 0..2 {
        let output = run(&stack, &["role", "--account", wallet.address(), "--role", "admin"]).await;
        assert!(output.status.success(), "{output:?}");
        assert_eq!(status().await, 200);
    }
    // Setting the current value changes nothing.
    let trail = client.get("/api/account/activity").bearer(&user.access_token).send().await;
    let trail = trail.expect(200);
    let changes = trail.data().as_array().unwrap().iter();
    assert_eq!(changes.filter(|entry| entry["change"] == "roleChanged").count(), 1, "{trail}");
    let output = run(&stack, &["role", "--account", &user.account, "--role", "user"]).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(status().await, 403);
    for unknown in [
        "0x00000000000000000000000000000000000000aa",
        "018bcfe5-6800-7000-8000-000000000001",
        "nobody",
    ] {
        let output = run(&stack, &["role", "--account", unknown, "--role", "admin"]).await;
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("no such account") && said.lines().count() == 1, "{said}");
    }
}

/// Custody rule 32: a malformed row of a webhook keeps no operator from disabling an account.
#[tokio::test(flavor = "multi_thread")]
async fn custody_32_malformed_webhooks_keep_no_account_from_being_disabled() {
    let (stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let id: WebhookId = "018bcfe5-6800-7000-8000-000000000001".parse().unwrap();
    let store = &stack.app().store;
    let malformed = LaneCursor::after(0, client.now());
    for key in [keys::webhook(user.account.parse().unwrap(), id), keys::deployment_webhook(id)] {
        store.put(&key, &malformed).await.unwrap();
    }
    let output = run(&stack, &["account", "--account", &user.account, "--do", "disable"]).await;
    assert!(output.status.success(), "{output:?}");
    let list = client.get("/api/account/addresses").bearer(&user.access_token);
    list.send().await.expect_error(Problem::AccountDisabled);
}

/// Custody rule 32: once an account's sessions have ended, an operator sees which webhooks still send its
/// events.
#[tokio::test(flavor = "multi_thread")]
async fn custody_32_the_end_of_sessions_and_of_a_role_says_which_webhooks_send() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let role = async |role| {
        let output = run(&stack, &["role", "--account", wallet.address(), "--role", role]).await;
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let user = sign_in(&client, &wallet).await;
    role("admin").await;
    let add = async |body| {
        let call = client.post("/api/webhooks").bearer(&user.access_token).json(&body);
        call.send().await.expect(201).text_of("id").to_owned()
    };
    let own = add(json!({ "url": "http://127.0.0.1:9/secret-path" })).await;
    let all = add(json!({ "url": "http://127.0.0.1:9/", "scope": "deployment" })).await;
    let ended = ["account", "--account", wallet.address(), "--do", "end-sessions"];
    let output = run(&stack, &ended).await;
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in [own.as_str(), &all, "127.0.0.1:9", "events of all accounts"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("secret-path"), "{said}");
    let said = role("user").await;
    assert!(said.contains(&all) && !said.contains(&own), "{said}");
    let folder = user.account.parse::<AccountId>().unwrap().media_folder();
    let said = String::from_utf8_lossy(&run(&stack, &ended).await.stdout).into_owned();
    assert!(said.contains(&own) && !said.contains(&all), "{said}");
    let said = account(&stack, wallet.address(), "disable").await;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains(&own) && said.contains(&format!("media/{folder}/")), "{said}");
}

/// Custody rule 32: an operator takes down what an account has uploaded, and the trail of the account says so.
#[tokio::test(flavor = "multi_thread")]
async fn custody_32_an_operator_deletes_media_of_one_account() {
    let (stack, client) = world().await;
    let (wallet, other) = (Wallet::evm(1), Wallet::evm(2));
    let (user, bystander) = (sign_in(&client, &wallet).await, sign_in(&client, &other).await);
    let folder = |account: &str| account.parse::<AccountId>().unwrap().media_folder();
    let config = &stack.app().config;
    let name = &config.media.bucket;
    let bucket = Bucket::new(config.aws.clone(), name.clone(), stack.app().outbound.clone());
    for account in [&user.account, &bystander.account] {
        for file in ["a.png", "a.png.gif", "b.jpg"] {
            let key = format!("media/{}/{file}", folder(account));
            bucket.put(&key, b"image".to_vec()).await.unwrap();
        }
    }
    let files = |account: &str| {
        let start = format!("media/{}/", folder(account));
        let stored = stack.stored(name);
        let mut files: Vec<_> = stored.iter().filter_map(|key| key.strip_prefix(&start)).collect();
        files.sort_unstable();
        files.join(" ")
    };
    let delete = async |more: &[&str]| {
        let arguments = ["account", "--account", wallet.address(), "--do", "delete-media"];
        run(&stack, &[&arguments[..], more].concat()).await
    };
    let entries = async || {
        let trail = client.get("/api/account/activity").bearer(&user.access_token).send().await;
        let trail = trail.expect(200).data().as_array().unwrap().clone();
        trail.iter().filter(|entry| entry["change"] == "mediaDeleted").count()
    };
    let foreign = format!("../{}/a.png", folder(&bystander.account));
    for file in ["c.png", "a", "", &foreign] {
        let output = delete(&["--file", file]).await;
        assert!(!output.status.success(), "{file}: {output:?}");
    }
    assert_eq!((files(&user.account), entries().await), ("a.png a.png.gif b.jpg".to_owned(), 0));
    let output = delete(&["--file", "a.png"]).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!((files(&user.account), entries().await), ("a.png.gif b.jpg".to_owned(), 1));
    let output = delete(&[]).await;
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 files deleted"), "{output:?}");
    assert_eq!((files(&user.account), entries().await), (String::new(), 2));
    assert_eq!(files(&bystander.account), "a.png a.png.gif b.jpg");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_the_previous_key_stay_valid_after_a_rotation() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2tr(2);
    let before = sign_in(&client, &wallet).await;
    let output = run(&stack, &["rotate-keys"]).await;
    assert!(output.status.success(), "{output:?}");
    stack.clock().advance(Duration::from_secs(301));
    let jwks = client.get("/.well-known/jwks.json").send().await.expect(200);
    let newest = jwks.body["keys"][0]["kid"].as_str().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(newest));
    let after = sign_in(&client, &wallet).await;
    for token in [&before.access_token, &after.access_token] {
        client.get("/api/account/me").bearer(token).send().await.expect(200);
    }
}

/// A token of the leaked key is refused once the instance has reloaded the published keys, within 5 minutes.
/// The key signs nothing afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn a_leaked_key_is_refused_within_five_minutes() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2tr(2);
    let status =
        async |token: &str| client.get("/api/account/me").bearer(token).send().await.status;
    let kids = async || {
        let jwks = client.get("/.well-known/jwks.json").send().await.expect(200);
        let keys = jwks.body["keys"].as_array().unwrap().clone();
        keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let leaked = kids().await[0].clone();
    let before = sign_in(&client, &wallet).await;
    assert_eq!(status(&before.access_token).await, 200);
    let output = run(&stack, &["rotate-keys", "--revoke", &leaked]).await;
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();

    stack.clock().advance(Duration::from_secs(300));
    assert_eq!(status(&before.access_token).await, 401);
    let left = kids().await;
    assert!(left.len() == 1 && left[0] != leaked && said.contains(&left[0]), "{left:?}: {said}");
    let after = sign_in(&client, &wallet).await;
    assert_eq!(status(&after.access_token).await, 200);
    // The session continues; only its token was signed by that key.
    let body = json!({ "refreshToken": before.refresh_token });
    let refreshed = client.post("/auth/refresh-token").json(&body).send().await.expect(200);
    assert_eq!(status(refreshed.text_of("accessToken")).await, 200);

    // A second revocation reports an unknown key; a key that does not sign is removed without a replacement.
    let again = run(&stack, &["rotate-keys", "--revoke", &leaked]).await;
    assert!(!again.status.success());
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("there is no key") && said.contains(&left[0]), "{said}");
    assert!(run(&stack, &["rotate-keys"]).await.status.success());
    assert!(run(&stack, &["rotate-keys", "--revoke", &left[0]]).await.status.success());
    stack.clock().advance(Duration::from_secs(300));
    let newest = kids().await;
    assert!(newest.len() == 1 && newest[0] != left[0], "{newest:?}");
    assert_eq!(status(&after.access_token).await, 401);
}

async fn account(stack: &LocalStack, account: &str, order: &str) -> Output {
    run(stack, &["account", "--account", account, "--do", order]).await
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

/// The changes in the audit trail, newest first, without sign-ins.
async fn trail(client: &Client, user: &SignedIn) -> Vec<String> {
    let trail = client.get("/api/account/activity").bearer(&user.access_token).send().await;
    let trail = trail.expect(200);
    let entries = trail.data().as_array().unwrap().iter();
    let changes = entries.map(|entry| entry["change"].as_str().unwrap().to_owned());
    changes.filter(|change| !["signedIn", "newDevice"].contains(&change.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_account_is_signed_out_until_it_is_enabled() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let (here, there) = (sign_in(&client, &wallet).await, sign_in(&client, &wallet).await);
    let sessions = async |user: &SignedIn| {
        client.get("/auth/sessions").bearer(&user.access_token).send().await
    };
    let refresh = async |user: &SignedIn| {
        let body = json!({ "refreshToken": user.refresh_token });
        client.post("/auth/refresh-token").json(&body).send().await
    };
    for said_so in ["is changed", "nothing is changed"] {
        let output = account(&stack, wallet.address(), "disable").await;
        assert!(output.status.success() && said(&output).contains(said_so), "{output:?}");
    }
    for user in [&here, &there] {
        sessions(user).await.expect_error(Problem::AccountDisabled);
        assert!(refresh(user).await.status >= 400);
    }
    let asked = challenge(&client, &wallet, "signIn", None).await;
    let body = wallet.signed_challenge(&asked);
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::AccountDisabled);

    for said_so in ["is changed", "nothing is changed"] {
        let output = account(&stack, &here.account, "enable").await;
        assert!(output.status.success() && said(&output).contains(said_so), "{output:?}");
    }
    // Earlier sessions stay ended.
    for user in [&here, &there] {
        sessions(user).await.expect_error(Problem::SessionEnded);
        assert!(refresh(user).await.status >= 400);
    }
    let again = sign_in(&client, &wallet).await;
    sessions(&again).await.expect(200);
    let changes = trail(&client, &again).await;
    assert_eq!(changes, ["accountEnabled", "accountDisabled", "accountCreated"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_end_by_command() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let (here, there) = (sign_in(&client, &wallet).await, sign_in(&client, &wallet).await);
    for said_so in ["is changed", "nothing is changed"] {
        let output = account(&stack, wallet.address(), "end-sessions").await;
        assert!(output.status.success() && said(&output).contains(said_so), "{output:?}");
    }
    for user in [&here, &there] {
        let call = client.get("/auth/sessions").bearer(&user.access_token);
        call.send().await.expect_error(Problem::SessionEnded);
    }
    let again = sign_in(&client, &wallet).await;
    assert_eq!(trail(&client, &again).await, ["sessionsEnded", "accountCreated"]);
    let told = client.get("/api/events").bearer(&again.access_token).send().await.expect(200);
    let ends: Vec<_> = told.data().as_array().unwrap().iter().map(|event| &event["data"]).collect();
    assert_eq!(ends, [&json!({ "before": "open", "after": "byOperator" })], "told once");
    let output = account(&stack, "018bcfe5-6800-7000-8000-000000000001", "end-sessions").await;
    assert!(!output.status.success() && said(&output).contains("no such account"), "{output:?}");
    // Operators cannot address the placeholder account for unknown addresses.
    let nobody = identity::handshake::NOBODY.to_string();
    SrpAccount::new("unknown@example.com", "a password").begin(&client).await;
    let output = account(&stack, &nobody, "enable").await;
    assert!(!output.status.success() && said(&output).contains("no such account"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_20_a_released_address_is_free_and_its_account_remains() {
    let (stack, client) = world().await;
    let me = async |user: &SignedIn| {
        let me = client.get("/api/account/me").bearer(&user.access_token).send().await.expect(200);
        me.data().clone()
    };
    let newest_token = async || {
        stack.deliver_mail().await;
        let mails = stack.mailbox("wanted@example.com").await;
        mails.iter().rev().find(|mail| mail.text.contains("token=")).unwrap().token()
    };
    let verify = async |user: &SignedIn, token: &str| {
        let call = client.post("/api/account/verify-email").bearer(&user.access_token);
        call.json(&json!({ "token": token })).send().await
    };
    let resend = async |user: &SignedIn| {
        let call = client.post("/api/account/verify-email/resend").bearer(&user.access_token);
        call.json(&json!({})).send().await.expect(200);
        newest_token().await
    };
    // An account with a password, first unverified, then verified.
    let squatter = SrpAccount::new("wanted@example.com", "a password");
    let user = squatter.register(&client).await;
    let output = account(&stack, &squatter.email, "release-email").await;
    assert!(!output.status.success(), "the address was never verified: {output:?}");
    for said_so in ["is changed", "nothing is changed"] {
        let output = account(&stack, &user.account, "release-email").await;
        assert!(output.status.success() && said(&output).contains(said_so), "{output:?}");
    }
    let row = me(&user).await;
    assert_eq!((&row["emailVerified"], &row["hasKeystore"]), (&json!(false), &json!(true)));
    assert_eq!(trail(&client, &user).await, ["emailReleased", "accountCreated"]);
    verify(&user, &newest_token().await).await.expect_error(Problem::EmailTokenInvalid);

    let owner = SrpAccount::new("wanted@example.com", "another password");
    let owned = owner.register(&client).await;
    let token = newest_token().await;
    let unused = resend(&owned).await;
    verify(&owned, &token).await.expect(200);
    // Refused by address, because the address may belong to another account in the meantime.
    let output = account(&stack, &owner.email, "release-email").await;
    assert!(
        !output.status.success() && said(&output).contains("give the account's id"),
        "{output:?}"
    );
    assert_eq!(me(&owned).await["emailVerified"], true);
    let output = account(&stack, &owned.account, "release-email").await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(me(&owned).await["emailVerified"], false);
    verify(&owned, &unused).await.expect_error(Problem::EmailTokenInvalid);

    // An account with a wallet, which does not need the address.
    let wallet = Wallet::p2wpkh(1);
    let extras = json!({ "email": "wanted@example.com" });
    let user = register(&client, &wallet, &extras).await;
    let output = account(&stack, wallet.address(), "release-email").await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(me(&user).await["email"], json!(null));
    assert_eq!(me(&sign_in(&client, &wallet).await).await["email"], json!(null));
    verify(&user, &newest_token().await).await.expect_error(Problem::EmailTokenInvalid);
    let output = account(&stack, wallet.address(), "release-email").await;
    assert!(said(&output).contains("nothing is changed"), "{output:?}");

    // A token mailed after the release is valid.
    let token = resend(&owned).await;
    verify(&owned, &token).await.expect(200);
    assert_eq!(me(&owned).await["emailVerified"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_20_a_release_cancels_pending_changes_of_the_address() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = register(&client, &wallet, &json!({ "email": "held@example.com" })).await;
    let post = async |path: &str, body: serde_json::Value| {
        let call = client.post(format!("/api/account/change-email/{path}"));
        call.bearer(&user.access_token).json(&body).send().await
    };
    let ask = async || {
        let answer = post("init", json!({ "newEmail": "next@example.com" })).await.expect(200);
        assert_eq!(answer.body["metaData"]["mailed"], true, "{answer}");
        stack.deliver_mail().await;
        let token = stack.mailbox("next@example.com").await.pop().unwrap().token();
        json!({ "token": token, "email": "next@example.com" })
    };
    let earlier = ask().await;
    let output = account(&stack, wallet.address(), "release-email").await;
    assert!(output.status.success() && said(&output).contains("is changed"), "{output:?}");
    post("verify", earlier).await.expect_error(Problem::EmailTokenInvalid);
    // A new request is accepted, and mails immediately.
    let later = ask().await;
    post("verify", later).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_added_and_changed() {
    let (stack, client) = world().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.json");
    let enter = async |tokens: serde_json::Value| {
        std::fs::write(&file, tokens.to_string()).unwrap();
        run(&stack, &["tokens", "--file", file.to_str().unwrap()]).await
    };
    let usdc = |divisibility: u8| json!({ "tokenId": "1:0xa0b8", "chain": "1", "symbol": "USDC", "divisibility": divisibility, "slots": ["usdc"] });
    let rune = json!({ "tokenId": "840000:3", "chain": "bitcoin", "symbol": "RUNE", "divisibility": 0, "slots": [] });
    let output = enter(json!([usdc(6), rune])).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"2 tokens added, 0 changed.\n");
    let output = enter(json!([usdc(18)])).await;
    assert_eq!(output.stdout, b"0 tokens added, 1 changed.\n");
    let list = client.get("/api/tokens?sort=tokenId").send().await.expect(200);
    assert_eq!(list.data()[0]["divisibility"], 18);
    assert_eq!(list.body["metaData"]["totalItems"], 2);
    for wrong in [
        json!({}),
        json!([{ "tokenId": "x" }]),
        json!([{ "tokenId": "a b", "chain": "1", "symbol": "X", "divisibility": 6, "slots": [] }]),
    ] {
        let output = enter(wrong).await;
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("tokens.json") && said.lines().count() == 1, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_the_previous_data_key_decrypt_after_a_rotation() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(3);
    let blob = json!({ "encryptedBlob": "AAECAw==" });
    let user = register(&client, &wallet, &blob).await;
    let add = async |client: &Client| {
        let call = client.post("/api/webhooks").bearer(&user.access_token);
        call.json(&json!({ "url": "http://127.0.0.1:9/" })).send().await.expect(201);
    };
    add(&client).await;
    let before = stack.contents();
    let output = run(&stack, &["rotate-data-key"]).await;
    assert!(output.status.success(), "{output:?}");
    assert_ne!(stack.contents(), before);

    // Another instance, which starts with the new key.
    let app = stack.app().changed(&[]);
    let fresh = stack.serve_app(app.clone(), local::functions::routes()).await;
    let signed_in = sign_in(&fresh, &wallet).await;
    assert_eq!(signed_in.data["encryptedBlob"], "AAECAw==");

    // The secrets of webhooks have data keys of their own.
    add(&fresh).await;
    let account: AccountId = user.account.parse().unwrap();
    let [earlier, later] = &webhooks::of_account(&app.store, account).await.unwrap()[..] else {
        panic!("two webhooks");
    };
    for webhook in [earlier, later] {
        webhook.secrets(&app.identity.webhook_vault, app.clock.now()).await.unwrap();
    }
    let kid = |webhook: &Webhook| {
        json!(webhook.secret).as_str().unwrap().split('.').next().unwrap().to_owned()
    };
    assert_ne!(kid(earlier), kid(later));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&kid(later)), "{said}");
}

/// A linked or unverified address does not identify an account to an operator.
#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_set_by_verified_addresses_only() {
    let (stack, client) = world().await;
    let boss = SrpAccount::new("boss@example.com", "a password");
    let user = boss.register(&client).await;
    let role =
        async |account: &str| run(&stack, &["role", "--account", account, "--role", "admin"]).await;
    assert!(!role(&boss.email).await.status.success());
    let linked = Wallet::evm(5);
    let asked = challenge(&client, &linked, "link", Some(&user.access_token)).await;
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(&linked.signed_challenge(&asked)).send().await.expect(201);
    assert!(!role(linked.address()).await.status.success());

    stack.deliver_mail().await;
    let token = stack.mailbox(&boss.email).await[0].token();
    let call = client.post("/api/account/verify-email").bearer(&user.access_token);
    call.json(&json!({ "token": token })).send().await.expect(200);
    let output = role(&boss.email).await;
    assert!(output.status.success(), "{output:?}");
    client.get("/api/account").bearer(&user.access_token).send().await.expect(200);
    let trail = client.get("/api/account/activity").bearer(&user.access_token).send().await;
    assert_eq!(trail.data()[0]["change"], "roleChanged");
    assert_eq!(trail.data()[0]["requestId"], "operator");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_stuck_rows_are_listed_until_they_recover() {
    let (stack, client) = world().await;
    let listed = async || {
        let output = run(&stack, &["stuck"]).await;
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(listed().await, "No row is stuck.\n");
    let wallet = Wallet::evm(6);
    let user = sign_in(&client, &wallet).await;
    let swap = swap(&wallet, 1);
    stack.hub().know(swap.clone());
    let call = client.post("/api/xchain/transactions/register").bearer(&user.access_token);
    call.json(&json!(swap)).send().await.expect(200);
    let pass = async |minutes: u32| {
        for _minute in 0..minutes {
            stack.clock().advance(Duration::from_secs(60));
            stack.tick("chain-watcher").await.unwrap();
        }
    };
    stack.hub().be(Mood { status: Some(503), ..Mood::default() });
    pass(4).await;
    let table = listed().await;
    let [head, row] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
    let columns: Vec<_> = head.split_whitespace().collect();
    assert_eq!(columns, ["kind", "key", "state", "since", "failures", "cause"]);
    assert!(row.starts_with("swap  ") && row.contains("xchain#intent#"), "{row}");
    assert!(row.contains("registered") && row.contains(" min ago  3 "), "{row}");
    assert!(row.ends_with("status 503"), "{row}");
    stack.hub().be(Mood::default());
    pass(7).await;
    assert_eq!(listed().await, "No row is stuck.\n");
}
