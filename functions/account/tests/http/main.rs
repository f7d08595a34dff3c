//! HTTP tests of the endpoints of `account` on the local stack.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod activity;
mod addresses;
mod audit;
mod avatar;
mod binary;
mod change_password;
mod default_token;
mod email;
mod email_claims;
mod events;
mod passkeys;
mod reauthentication;
mod rotate_wallet;
mod second_factor;
mod trading_wallet;

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    trading_wallets::{cosigning_key, trading_address},
    wallets::{SignedIn, Wallet, sign_in},
};
use ops::accounts::set_role;
use serde_json::{Value, json};
use shared::{
    accounts, keys,
    models::{
        account::{Account, AccountId, Role},
        email::EmailAddress,
    },
    problem::Problem,
};
use store::{CommitError, Update, Writes, lists::ListHead};

async fn world() -> (LocalStack, Client, SignedIn) {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let admin = local::admin(&stack, &client).await;
    (stack, client, admin)
}

async fn post(client: &Client, caller: &SignedIn, path: &str, body: &Value) -> Answer {
    client.post(path).bearer(&caller.access_token).json(body).send().await
}

/// Whether a sensitive endpoint still accepts this session's access token.
async fn is_alive(client: &Client, signed_in: &SignedIn) -> bool {
    client.get("/auth/sessions").bearer(&signed_in.access_token).send().await.status == 200
}

/// Asserts that the account's last event reports the end of all of its sessions but one.
async fn assert_told_of_end(client: &Client, user: &SignedIn) {
    let told = client.get("/api/events?types=session.ended").bearer(&user.access_token);
    let told = told.send().await.expect(200);
    let last = told.data().as_array().unwrap().last().unwrap();
    assert_eq!(last["data"], json!({ "before": "open", "after": "credentialsChanged" }));
    assert_eq!(last["sequence"], told.body["metaData"]["newest"], "it is the newest event");
}

/// The caller's account.
async fn me(client: &Client, user: &SignedIn) -> Value {
    let call = client.get("/api/account/me").bearer(&user.access_token);
    call.send().await.expect(200).data().clone()
}

async fn refresh(client: &Client, user: &SignedIn) -> Answer {
    let body = json!({ "refreshToken": user.refresh_token });
    client.post("/auth/refresh-token").json(&body).send().await
}

/// The same session with new tokens, for tests that move the clock.
async fn refreshed(client: &Client, user: &SignedIn) -> SignedIn {
    let pair = refresh(client, user).await.expect(200);
    let text = |field| pair.text_of(field).to_owned();
    SignedIn {
        access_token: text("accessToken"),
        refresh_token: text("refreshToken"),
        ..user.clone()
    }
}

/// The token of the newest link mailed to an address.
async fn mailed(stack: &LocalStack, to: &str) -> String {
    stack.deliver_mail().await;
    let mails = stack.mailbox(to).await;
    mails.iter().rev().find(|mail| mail.text.contains("token=")).expect("a link").token()
}

/// The changes in an account's trail, newest first, without sign-ins.
async fn changes(client: &Client, user: &SignedIn) -> Vec<String> {
    let path = "/api/account/activity?pageSize=100";
    let answer = client.get(path).bearer(&user.access_token).send().await.expect(200);
    let rows = answer.data().as_array().unwrap();
    let changes = rows.iter().map(|row| row["change"].as_str().unwrap().to_owned());
    changes.filter(|change| !["signedIn", "newDevice"].contains(&change.as_str())).collect()
}

#[tokio::test]
async fn me_has_the_shape_that_frontends_expect() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    let wallet = Wallet::p2tr(1);
    let user = sign_in(&client, &wallet).await;
    let me = client.get("/api/account/me").bearer(&user.access_token).send().await.expect(200);
    let me = me.data();
    assert_eq!(
        me,
        &json!({
            "id": user.account, "email": null, "emailVerified": false, "authMethod": "wallet",
            "hasKeystore": false, "role": "user",
            "wallet": {
                "address": wallet.address(), "chain": "bitcoin", "publicKey": wallet.public_key(), "provider": null,
            },
            "addresses": [{ "address": wallet.address(), "chain": "bitcoin" }],
            "tradingAddress": trading_address(&wallet, &platform),
            "totpEnabled": false, "passkeys": 0, "avatar": null,
            "defaultTokens": { "usdc": null }, "referralCode": me["referralCode"], "isReferred": false,
            "passwordHint": null, "createdAt": me["createdAt"],
        })
    );
    assert!(me["createdAt"].as_i64().unwrap() > 1_700_000_000_000);
}

#[tokio::test]
async fn referral_codes_are_checked_without_a_token() {
    let (_stack, client, admin) = world().await;
    let code = admin.data["account"]["referralCode"].as_str().unwrap().to_owned();
    assert_eq!(code.len(), 8);
    let lower = code.to_lowercase();
    for (code, valid) in [
        (code.as_str(), true),
        (&lower, true),
        ("ZZZZZZZZ", false),
        ("x", false),
        ("%20", false),
        (&"A".repeat(500), false),
        // The gateway replaces bytes that are not UTF-8.
        ("%FF", false),
    ] {
        let answer = client
            .get(format!("/api/account/referral-code/{code}/verify"))
            .send()
            .await
            .expect(200);
        assert_eq!(answer.data(), &json!({ "valid": valid }), "{code}");
    }
}

#[tokio::test]
async fn admins_list_accounts() {
    let (stack, client, admin) = world().await;
    let mut users = Vec::new();
    for seed in 1..=12 {
        users.push(sign_in(&client, &Wallet::p2wpkh(seed)).await);
    }
    let list = async |query: &str| {
        let path = format!("/api/account?{query}");
        client.get(path).bearer(&admin.access_token).send().await.expect(200)
    };
    let ids = |answer: &Answer| {
        let rows = answer.data().as_array().unwrap().clone();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = list("").await;
    assert_eq!(
        first.body["metaData"],
        json!({ "totalItems": 13, "currentPage": 1, "pageSize": 10, "totalPages": 2, "asOf": 13 })
    );
    let newest: Vec<_> = users.iter().rev().take(10).map(|user| user.account.clone()).collect();
    assert_eq!(ids(&first), newest);
    assert_eq!(ids(&list("page=2").await).last(), Some(&admin.account));
    assert_eq!(
        ids(&list("sort=createdAt&pageSize=2").await),
        [admin.account.clone(), users[0].account.clone()]
    );

    let row = first.data()[0].as_object().unwrap();
    let visible = [
        "authMethod",
        "createdAt",
        "email",
        "id",
        "role",
        "totpEnabled",
        "tradingAddress",
        "wallet",
    ];
    let mut names: Vec<_> = row.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, visible);
    let hidden = list("select=%2BlastSignInAt&pageSize=1").await;
    assert!(hidden.data()[0]["lastSignInAt"].is_i64());

    for (user, mail) in users.iter().zip(["c@example.com", "a@example.com", "b@example.com"]) {
        stack
            .change_account(
                &user.account,
                Update::new().set(Account::EMAIL, mail.parse::<EmailAddress>().unwrap()),
            )
            .await;
    }
    let by_mail = list("sort=-email&select=email&pageSize=3").await;
    let mails: Vec<_> =
        by_mail.data().as_array().unwrap().iter().map(|row| row["email"].clone()).collect();
    assert_eq!(mails, ["c@example.com", "b@example.com", "a@example.com"]);
}

#[tokio::test]
async fn relations_are_populated() {
    let (stack, client, admin) = world().await;
    let (inviter, invited) =
        (sign_in(&client, &Wallet::evm(1)).await, sign_in(&client, &Wallet::evm(2)).await);
    let referred_by: AccountId = inviter.account.parse().unwrap();
    stack
        .change_account(&invited.account, Update::new().set(Account::REFERRED_BY, referred_by))
        .await;
    let path = "/api/account?select=role,%2BreferredBy&populate=referrer,wallet,token&pageSize=2";
    let answer = client.get(path).bearer(&admin.access_token).send().await.expect(200);
    let referrer = json!({ "id": inviter.account, "email": null, "referralCode": inviter.data["account"]["referralCode"] });
    assert_eq!(
        answer.data()[0],
        json!({ "id": invited.account, "role": "user", "referredBy": inviter.account, "referrer": referrer, "token": null, "wallet": invited.data["wallet"] })
    );
    assert_eq!(answer.data()[1]["referrer"], Value::Null);
}

/// Secrets are not fields, so no query can reach them.
#[tokio::test]
async fn queries_cannot_reach_secrets() {
    let (_stack, client, admin) = world().await;
    let hidden = [
        "epoch",
        "version",
        "refreshHash",
        "verifier",
        "totpSecret",
        "encryptedBlob",
        "pk",
        "sk",
        "status",
    ];
    let hint = [("passwordHint", "checklist 9: no query reads it")];
    let hidden = hidden.map(|name| (name, "checklist 31: parameters of queries"));
    for (name, claim) in hidden.into_iter().chain(hint) {
        for query in [
            format!("select={name}"),
            format!("select=%2B{name}"),
            format!("populate={name}"),
            format!("sort={name}"),
            format!("{name}_eq=1"),
        ] {
            let path = format!("/api/account?{query}");
            let call = client.get(path).bearer(&admin.access_token);
            call.send().await.expect_error_for(Problem::Validation, claim);
        }
    }
}

#[tokio::test]
async fn users_cannot_list_accounts() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    client
        .get("/api/account")
        .bearer(&user.access_token)
        .send()
        .await
        .expect_error(Problem::Forbidden);
}

#[tokio::test]
async fn deep_health_checks_the_dependencies() {
    let (_stack, client, _) = world().await;
    let shallow = client.get("/api/health").send().await.expect(200);
    assert_eq!(shallow.data(), &json!({ "status": "ok", "asked": [] }));
    let deep = client.get("/api/health?deep=1").send().await.expect(200);
    let asked = json!({ "status": "ok", "asked": ["database", "token keys"] });
    assert_eq!(deep.data(), &asked);
    let odd = client.get("/api/health?deep=perhaps").send().await;
    odd.expect_error(Problem::Validation);
}

#[tokio::test]
async fn deep_health_names_the_failing_dependency_but_no_internals() {
    let stack = LocalStack::builder().setting("ACTIVITY_TABLE", "no-such-table").build().await;
    let client = stack.serve(account::routes()).await;
    client.get("/api/health").send().await.expect(200);
    let sick = client.get("/api/health?deep=1").send().await.expect_error(Problem::Unavailable);
    assert_eq!(sick.body["details"], "No proper answer from: database.");
}

/// A change of role increments the row's version, and one of several identical concurrent changes is written.
#[tokio::test(flavor = "multi_thread")]
async fn roles_are_set_under_an_optimistic_lock() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let (app, id) = (stack.app().clone(), user.account.parse().unwrap());
    let before = accounts::get(&app.store, id).await.unwrap().unwrap().version;
    let outcomes = twenty_at_once(|_| {
        let (app, account) = (app.clone(), user.account.clone());
        async move {
            let set = set_role(&app.store, app.config.network, &account, Role::Admin);
            set.await.is_ok()
        }
    })
    .await;
    assert!(outcomes.into_iter().any(|set| set));
    let after = accounts::get(&app.store, id).await.unwrap().unwrap();
    assert_eq!((after.version - before, after.role), (1, Role::Admin));

    let stale = Update::new().set(Account::ROLE, Role::User).if_version(before);
    let draft = Writes::new().update(&keys::account(id), stale, "stale");
    assert!(matches!(app.store.commit(draft).await, Err(CommitError::Condition("stale"))));
}

#[tokio::test]
async fn the_error_of_a_list_too_long_to_sort_names_the_allowed_sorts() {
    let (stack, client, admin) = world().await;
    let head = keys::lists::accounts().head();
    let longer = Update::new().set(ListHead::COUNT, 5_001);
    let draft = Writes::new().update(&head, longer, ());
    stack.app().store.commit(draft).await.unwrap();
    let list = async |query: &str| {
        client.get(format!("/api/account?{query}")).bearer(&admin.access_token).send().await
    };
    let refused = list("sort=email").await.expect_error(Problem::SortTooLarge);
    assert!(refused.body["details"].as_str().unwrap().contains("createdAt and -createdAt"));
    assert!(!refused.body["details"].as_str().unwrap().contains("shorter"), "{refused}");
    list("sort=createdAt").await.expect(200);
}
