use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use local::{
    authenticator::{Misbehaviour, USER_PRESENT},
    client::{Answer, Client, twenty_at_once},
    passkeys::{add, authenticator, made, register, try_sign_in},
    totp::code_at,
    wallets::{SignedIn, Wallet, sign_in, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{assert_told_of_end, changes, is_alive, refreshed, world};

async fn begin(client: &Client, user: &SignedIn) -> Answer {
    client.post("/api/account/passkeys/init").bearer(&user.access_token).send().await
}

async fn finish(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.post("/api/account/passkeys/verify").bearer(&user.access_token);
    call.json(body).send().await
}

async fn list(client: &Client, user: &SignedIn) -> Vec<Value> {
    let call = client.get("/api/account/passkeys").bearer(&user.access_token);
    call.send().await.expect(200).data().as_array().unwrap().clone()
}

async fn delete(client: &Client, user: &SignedIn, id: &Value) -> Answer {
    let path = format!("/api/account/passkeys/{}", id.as_str().unwrap());
    client.delete(path).bearer(&user.access_token).send().await
}

async fn passkeys_of_me(client: &Client, user: &SignedIn) -> Value {
    let me = client.get("/api/account/me").bearer(&user.access_token).send().await.expect(200);
    me.data()["passkeys"].clone()
}

#[tokio::test]
async fn a_wallet_account_adds_a_passkey_and_signs_in_with_it() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let (here, there) = (sign_in(&client, &wallet).await, sign_in(&client, &wallet).await);
    let mut authenticator = authenticator();
    assert_eq!(list(&client, &here).await, Vec::<Value>::new());
    let body = made(&mut authenticator, &begin(&client, &here).await.expect(200));
    let body = with(body, &json!({ "name": "Ada's phone" }));
    let added = finish(&client, &here, &body).await.expect(201);
    let row = added.data().clone();
    let shape = json!({
        "id": row["id"], "name": "Ada's phone", "createdAt": row["createdAt"], "lastUsedAt": null,
        "backedUp": false,
    });
    assert_eq!(row, shape);
    assert!((client.now().0 - row["createdAt"].as_i64().unwrap()).abs() < 60_000);
    assert_eq!(json!(list(&client, &here).await), json!([row]));
    assert_eq!(passkeys_of_me(&client, &here).await, 1);
    assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await);
    assert_told_of_end(&client, &here).await;

    let by_passkey = try_sign_in(&client, &mut authenticator).await.expect(200);
    assert_eq!(by_passkey.data()["account"]["id"], here.account.as_str());
    let used = list(&client, &here).await[0]["lastUsedAt"].as_i64().unwrap();
    assert!(used >= row["createdAt"].as_i64().unwrap());
    assert_eq!(changes(&client, &here).await, ["passkeyAdded", "accountCreated"]);
    assert_eq!(sign_in(&client, &wallet).await.account, here.account);
}

#[tokio::test]
async fn an_authenticator_with_a_passkey_of_the_account_creates_no_other() {
    let (_stack, client, _) = world().await;
    let mut held = authenticator();
    let user = register(&client, &mut held, &json!({})).await;
    let begun = begin(&client, &user).await.expect(200);
    let options = &begun.data()["options"];
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 1);
    assert!(held.create(options).is_err());
    let id = BASE64_URL_SAFE_NO_PAD.encode(uuid::Uuid::parse_str(&user.account).unwrap());
    assert_eq!(options["user"]["id"], id.as_str());
    let stranger = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let begun = begin(&client, &stranger).await.expect(200);
    assert_eq!(begun.data()["options"]["excludeCredentials"], json!([]));
}

#[tokio::test]
async fn only_a_passkey_made_for_the_caller_is_added() {
    let (_stack, client, _) = world().await;
    let mut owner = authenticator();
    let user = register(&client, &mut owner, &json!({})).await;
    let other = sign_in(&client, &Wallet::p2wpkh(1)).await;

    let body = made(&mut authenticator(), &begin(&client, &user).await);
    finish(&client, &other, &body)
        .await
        .expect_error_for(Problem::HandshakeInvalid, "checklist 30: passkey ceremonies");
    finish(&client, &user, &body).await.expect_error(Problem::HandshakeInvalid);

    let mut thief = authenticator();
    let held = owner.get(&json!({ "rpId": "localhost", "challenge": "AAAA" })).unwrap();
    let id = BASE64_URL_SAFE_NO_PAD.decode(held["id"].as_str().unwrap()).unwrap();
    thief.misbehaviour = Some(Misbehaviour::CredentialId(id));
    let body = made(&mut thief, &begin(&client, &other).await);
    finish(&client, &other, &body).await.expect_error(Problem::PasskeyTaken);
    for misbehaviour in
        [Misbehaviour::Flags(USER_PRESENT), Misbehaviour::Origin("https://evil.example".into())]
    {
        let mut bad = authenticator();
        bad.misbehaviour = Some(misbehaviour);
        let body = made(&mut bad, &begin(&client, &other).await);
        finish(&client, &other, &body).await.expect_error(Problem::PasskeyRefused);
    }
    for part in ["clientDataJSON", "attestationObject"] {
        let mut body = made(&mut authenticator(), &begin(&client, &other).await);
        body["credential"]["response"][part] = json!("AAAA");
        finish(&client, &other, &body).await.expect_error(Problem::PasskeyMalformed);
    }
    let begun = begin(&client, &user).await;
    let named = with(made(&mut authenticator(), &begun), &json!({ "name": "x".repeat(65) }));
    finish(&client, &user, &named).await.expect_error(Problem::Validation);
    finish(&client, &user, &json!({})).await.expect_error(Problem::Validation);
    assert_eq!(passkeys_of_me(&client, &other).await, 0);
    assert_eq!(passkeys_of_me(&client, &user).await, 1);
}

/// Checklist 18.
#[tokio::test]
async fn a_passkey_can_be_removed_unless_it_is_the_last_credential() {
    let (_stack, client, _) = world().await;
    let (mut first, mut second) = (authenticator(), authenticator());
    let here = register(&client, &mut first, &json!({})).await;
    let only = list(&client, &here).await[0]["id"].clone();
    delete(&client, &here, &only)
        .await
        .expect_error_for(Problem::LastWayIn, "checklist 18: the last passkey stays");

    let added = add(&client, &mut second, &here).await.expect(201);
    assert_eq!(added.data()["name"], "Passkey");
    let there = SignedIn::of(&try_sign_in(&client, &mut first).await.expect(200)).unwrap();
    let stranger = sign_in(&client, &Wallet::p2wpkh(1)).await;
    delete(&client, &stranger, &only).await.expect_error(Problem::PasskeyNotFound);
    let removed = delete(&client, &here, &only).await;
    assert_eq!(removed.status, 200, "checklist 18: another passkey goes: {removed}");
    assert!(is_alive(&client, &here).await);
    assert!(!is_alive(&client, &there).await, "checklist 23: a removed passkey");
    assert_told_of_end(&client, &here).await;
    try_sign_in(&client, &mut first).await.expect_error(Problem::PasskeyRefused);
    try_sign_in(&client, &mut second).await.expect(200);
    delete(&client, &here, &only).await.expect_error(Problem::PasskeyNotFound);
    delete(&client, &here, &added.data()["id"]).await.expect_error(Problem::LastWayIn);
    delete(&client, &here, &json!("x")).await.expect_error(Problem::Validation);
    assert_eq!(passkeys_of_me(&client, &here).await, 1);
    assert_eq!(changes(&client, &here).await, ["passkeyRemoved", "passkeyAdded", "accountCreated"]);

    // A wallet can sign in as well.
    let added = add(&client, &mut first, &stranger).await.expect(201);
    delete(&client, &stranger, &added.data()["id"]).await.expect(200);
    assert_eq!(list(&client, &stranger).await, Vec::<Value>::new());
    // A removed passkey can be added again.
    add(&client, &mut first, &stranger).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_deletions_of_two_passkeys_leave_one() {
    let (_stack, client, _) = world().await;
    for _round in 0..3 {
        let (mut one, mut other) = (authenticator(), authenticator());
        let user = register(&client, &mut one, &json!({})).await;
        add(&client, &mut other, &user).await.expect(201);
        let ids: Vec<_> = list(&client, &user).await.iter().map(|row| row["id"].clone()).collect();
        // Two sessions, each of which removes another passkey.
        let there = SignedIn::of(&try_sign_in(&client, &mut one).await.expect(200)).unwrap();
        let answers = twenty_at_once(|n| {
            let n = usize::try_from(n).unwrap() % 2;
            let (client, user) = (client.clone(), [&user, &there][n].clone());
            let id = ids[n].clone();
            async move { delete(&client, &user, &id).await }
        })
        .await;
        let done = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(done, 1, "checklist 18: concurrent deletions: {answers:?}");
        for refused in answers.iter().filter(|answer| answer.status != 200) {
            assert!(["1014", "3020", "3021", "4010"].contains(&refused.code()), "{refused}");
        }
        let left = if is_alive(&client, &user).await { &user } else { &there };
        assert_eq!(list(&client, left).await.len(), 1);
        assert_eq!(passkeys_of_me(&client, left).await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_uses_of_one_ceremony_add_one_passkey() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let body = made(&mut authenticator(), &begin(&client, &user).await);
    let statuses = twenty_at_once(|_| {
        let (client, user, body) = (client.clone(), user.clone(), body.clone());
        async move { finish(&client, &user, &body).await.status }
    })
    .await;
    let with = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
    assert_eq!((with(201), with(400)), (1, 19), "{statuses:?}");
    assert_eq!(list(&client, &user).await.len(), 1);
}

/// The limit holds even if many ceremonies were started below it.
#[tokio::test]
async fn an_account_has_at_most_twenty() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let mut begun = Vec::new();
    for _ in 0..21 {
        begun.push(begin(&client, &user).await.expect(200));
    }
    let last = begun.pop().unwrap();
    for begun in &begun {
        let body = made(&mut authenticator(), begun);
        finish(&client, &user, &body).await.expect(201);
    }
    let body = made(&mut authenticator(), &last);
    finish(&client, &user, &body)
        .await
        .expect_error_for(Problem::TooMany, "checklist 33: passkeys");
    begin(&client, &user).await.expect_error(Problem::TooMany);
    assert_eq!(list(&client, &user).await.len(), 20);
}

/// Custody rule 18.
#[tokio::test]
async fn custody_18_passkeys_change_within_15_minutes_of_a_sign_in() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let added = add(&client, &mut authenticator(), &user).await.expect(201);
    let begun = begin(&client, &user).await.expect(200);
    stack.clock().advance(Duration::from_secs(15 * 60 + 1));
    let late = refreshed(&client, &user).await;
    begin(&client, &late)
        .await
        .expect_error_for(Problem::ReauthRequired, "checklist 24: adding a passkey");
    let body = made(&mut authenticator(), &begun);
    finish(&client, &late, &body).await.expect_error(Problem::ReauthRequired);
    delete(&client, &late, &added.data()["id"])
        .await
        .expect_error_for(Problem::ReauthRequired, "checklist 24: removing a passkey");
    assert_eq!(list(&client, &late).await.len(), 1);
    let again = sign_in(&client, &wallet).await;
    delete(&client, &again, &added.data()["id"]).await.expect(200);
}

/// Checklist 3: all ways to sign in are equally strong.
#[tokio::test]
async fn passkey_sign_ins_require_the_second_factor_too() {
    let (stack, client, _) = world().await;
    let mut authenticator = authenticator();
    let user = register(&client, &mut authenticator, &json!({})).await;
    let setup = client.post("/api/account/2fa/setup").bearer(&user.access_token).send().await;
    let uri = setup.text_of("otpauthUri").to_owned();
    let body = json!({ "otpCode": code_at(&uri, client.now()) });
    let toggle = client.post("/api/account/2fa/toggle").bearer(&user.access_token).json(&body);
    toggle.send().await.expect(200);
    stack.clock().advance(Duration::from_secs(30));
    try_sign_in(&client, &mut authenticator)
        .await
        .expect_error_for(Problem::OtpRequired, "checklist 3, 10: passkeys");
    let begun = client.post("/auth/passkey/init").send().await;
    let body = local::passkeys::answered(&mut authenticator, &begun);
    let body = with(body, &json!({ "otpCode": code_at(&uri, client.now()) }));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}
