use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use local::{
    authenticator::{Misbehaviour, USER_PRESENT},
    client::{Answer, Client, twenty_at_once},
    passkeys::{answered, authenticator, made, register, try_sign_in},
    wallets::{SignedIn, Wallet, sign_in, with},
};
use serde_json::{Value, json};
use shared::{
    models::account::{Account, Status},
    problem::Problem,
};
use store::Update;

use crate::{is_alive, world};

async fn begin_sign_in(client: &Client) -> Answer {
    client.post("/auth/passkey/init").send().await.expect(200)
}

async fn begin_registration(client: &Client) -> Answer {
    client.post("/auth/register/passkey/init").send().await.expect(200)
}

async fn finish_sign_in(client: &Client, body: &Value) -> Answer {
    client.post("/auth/authenticate").json(body).send().await
}

async fn finish_registration(client: &Client, body: &Value) -> Answer {
    client.post("/auth/register/passkey/verify").json(body).send().await
}

#[tokio::test]
async fn a_passkey_registers_an_account_and_signs_in() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    let inviter = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let code = inviter.data["account"]["referralCode"].as_str().unwrap().to_lowercase();
    let extras =
        json!({ "encryptedBlob": "a2V5cw==", "email": "Ada@Example.com", "referralCode": code });
    let made = register(&client, &mut authenticator, &extras).await;
    let account = &made.data["account"];
    assert_eq!(made.data.get("encryptedBlob"), None, "the registering client already has it");
    assert_eq!((&made.data["wallet"], &account["wallet"]), (&Value::Null, &Value::Null));
    let expected = json!({
        "authMethod": "passkey", "hasKeystore": true, "passkeys": 1, "email": "ada@example.com",
        "emailVerified": false, "isReferred": true, "addresses": [],
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&account[field], value, "{field}");
    }
    assert!(is_alive(&client, &made).await);

    let back = try_sign_in(&client, &mut authenticator).await.expect(200);
    assert_eq!(back.data()["account"], made.data["account"]);
    assert_eq!(back.data()["encryptedBlob"], "a2V5cw==");
    let keyless = register(&client, &mut authenticator, &json!({})).await;
    assert_ne!(keyless.account, made.account);
    assert_eq!(keyless.data["account"]["hasKeystore"], false);
    assert_eq!(keyless.data.get("encryptedBlob"), None);
}

#[tokio::test]
async fn the_options_require_user_verification_by_this_service() {
    let (_stack, client) = world().await;
    let body = json!({ "email": "Ada@Example.com" });
    let begun = client.post("/auth/register/passkey/init").json(&body).send().await.expect(200);
    let options = &begun.data()["options"];
    assert_eq!(options["rp"]["id"], "localhost");
    assert_eq!(options["user"]["name"], "ada@example.com");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["excludeCredentials"], json!([]));
    let begun = begin_sign_in(&client).await;
    let options = &begun.data()["options"];
    assert_eq!(
        (&options["rpId"], &options["userVerification"]),
        (&json!("localhost"), &json!("required"))
    );
    assert_eq!(
        options["allowCredentials"],
        json!([]),
        "the options do not reveal who has a passkey"
    );
    let other = begin_sign_in(&client).await;
    assert_ne!(options["challenge"], other.data()["options"]["challenge"]);
    let body = json!({ "email": "no address" });
    client
        .post("/auth/register/passkey/init")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::Validation);
}

#[tokio::test]
async fn a_wrong_response_uses_a_ceremony_up() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    let body = answered(&mut authenticator, &begin_sign_in(&client).await);
    finish_sign_in(&client, &body).await.expect(200);
    finish_sign_in(&client, &body).await.expect_error(Problem::HandshakeInvalid);
    let replayed =
        with(body, &json!({ "sessionId": begin_sign_in(&client).await.text_of("sessionId") }));
    finish_sign_in(&client, &replayed).await.expect_error(Problem::PasskeyRefused);

    let begun = begin_sign_in(&client).await;
    authenticator.misbehaviour = Some(Misbehaviour::Signature);
    let wrong = answered(&mut authenticator, &begun);
    authenticator.misbehaviour = None;
    let right = answered(&mut authenticator, &begun);
    finish_sign_in(&client, &wrong).await.expect_error(Problem::PasskeyRefused);
    finish_sign_in(&client, &right).await.expect_error(Problem::HandshakeInvalid);

    let body = made(&mut authenticator, &begin_registration(&client).await);
    finish_registration(&client, &body).await.expect(201);
    finish_registration(&client, &body).await.expect_error(Problem::HandshakeInvalid);

    let body = made(&mut authenticator, &begin_registration(&client).await);
    let uninvited = with(body.clone(), &json!({ "referralCode": "ZZZZZZZZ" }));
    finish_registration(&client, &uninvited).await.expect_error(Problem::ReferralCodeUnknown);
    finish_registration(&client, &body).await.expect_error(Problem::HandshakeInvalid);
}

#[tokio::test]
async fn a_ceremony_expires_after_five_minutes() {
    let (stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    for (seconds, status) in [(298, 200), (302, 400)] {
        let (sign_in, registration) =
            (begin_sign_in(&client).await, begin_registration(&client).await);
        stack.clock().advance(Duration::from_secs(seconds));
        let body = answered(&mut authenticator, &sign_in);
        finish_sign_in(&client, &body).await.expect(status);
        let body = made(&mut local::passkeys::authenticator(), &registration);
        finish_registration(&client, &body).await.expect(if status == 200 { 201 } else { 400 });
    }
}

/// A ceremony serves only its own purpose.
#[tokio::test]
async fn a_ceremony_of_another_kind_is_refused() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let add = async |body: &Value| {
        let call = client.post("/api/account/passkeys/verify").bearer(&user.access_token);
        call.json(body).send().await
    };
    let begin_adding = async || {
        let call = client.post("/api/account/passkeys/init").bearer(&user.access_token);
        call.send().await.expect(200)
    };
    let session = |begun: &Answer| json!({ "sessionId": begun.text_of("sessionId") });

    let new = made(&mut authenticator, &begin_registration(&client).await);
    add(&with(new.clone(), &session(&begin_registration(&client).await)))
        .await
        .expect_error(Problem::HandshakeInvalid);
    add(&new).await.expect_error(Problem::HandshakeInvalid);
    add(&with(new.clone(), &session(&begin_sign_in(&client).await)))
        .await
        .expect_error(Problem::HandshakeInvalid);
    let added = made(&mut authenticator, &begin_adding().await);
    finish_registration(&client, &added).await.expect_error(Problem::HandshakeInvalid);
    let sign_in = with(new.clone(), &session(&begin_sign_in(&client).await));
    finish_registration(&client, &sign_in).await.expect_error(Problem::HandshakeInvalid);
    let answer = answered(&mut authenticator, &begin_sign_in(&client).await);
    for begun in [begin_registration(&client).await, begin_adding().await] {
        let body = with(answer.clone(), &session(&begun));
        finish_sign_in(&client, &body).await.expect_error(Problem::HandshakeInvalid);
    }
}

#[tokio::test]
async fn invalid_responses_do_not_sign_in() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    try_sign_in(&client, &mut authenticator).await.expect(200);
    for misbehaviour in [
        Misbehaviour::Flags(USER_PRESENT),
        Misbehaviour::Flags(0),
        Misbehaviour::Origin("http://localhost:9999".into()),
        Misbehaviour::CrossOrigin,
        Misbehaviour::Type,
        Misbehaviour::Challenge("AAAA".into()),
        Misbehaviour::RpId("evil.example".into()),
        Misbehaviour::Counter(1),
        Misbehaviour::Counter(0),
        Misbehaviour::UserHandle(None),
        Misbehaviour::UserHandle(Some(vec![7; 16])),
        Misbehaviour::Signature,
    ] {
        authenticator.misbehaviour = Some(misbehaviour.clone());
        let refused = try_sign_in(&client, &mut authenticator).await;
        assert_eq!((refused.status, refused.code()), (401, "4028"), "{misbehaviour:?}: {refused}");
    }
    authenticator.misbehaviour = None;
    try_sign_in(&client, &mut authenticator).await.expect(200);
}

#[tokio::test]
async fn invalid_responses_do_not_register() {
    let (stack, client) = world().await;
    let accounts = || {
        let rows = stack.contents();
        rows.iter().filter(|row| row.to_string().contains(r#""account""#)).count()
    };
    let mut authenticator = authenticator();
    for misbehaviour in [
        Misbehaviour::Flags(USER_PRESENT),
        Misbehaviour::Origin("http://localhost:9999".into()),
        Misbehaviour::TopOrigin("http://localhost:5173".into()),
        Misbehaviour::Type,
        Misbehaviour::Challenge("AAAA".into()),
        Misbehaviour::RpId("evil.example".into()),
        Misbehaviour::Algorithm(-999),
    ] {
        authenticator.misbehaviour = Some(misbehaviour.clone());
        let body = made(&mut authenticator, &begin_registration(&client).await);
        let refused = finish_registration(&client, &body).await;
        assert_eq!((refused.status, refused.code()), (401, "4028"), "{misbehaviour:?}: {refused}");
    }
    assert_eq!(accounts(), 0);
    authenticator.misbehaviour = None;
    register(&client, &mut authenticator, &json!({})).await;
    assert_ne!(accounts(), 0);
}

/// Found by a conformance suite (FIDO2 server tests, F-12): the bytes are signed, and mean nothing.
#[tokio::test]
async fn bytes_after_the_authenticator_data_are_refused() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    authenticator.misbehaviour = Some(Misbehaviour::Leftover);
    try_sign_in(&client, &mut authenticator).await.expect_error(Problem::PasskeyMalformed);
    let body = made(&mut authenticator, &begin_registration(&client).await);
    finish_registration(&client, &body).await.expect_error(Problem::PasskeyMalformed);
}

/// Libraries send `null` where a browser does not know the transports.
#[tokio::test]
async fn unknown_transports_are_accepted() {
    let (_stack, client) = world().await;
    for transports in [json!(null), json!([])] {
        let mut authenticator = authenticator();
        let mut body = made(&mut authenticator, &begin_registration(&client).await);
        body["credential"]["response"]["transports"] = transports;
        finish_registration(&client, &body).await.expect(201);
        try_sign_in(&client, &mut authenticator).await.expect(200);
    }
    let mut authenticator = authenticator();
    let mut body = made(&mut authenticator, &begin_registration(&client).await);
    body["credential"]["response"].as_object_mut().unwrap().remove("transports");
    finish_registration(&client, &body).await.expect(201);
}

#[tokio::test]
async fn a_missing_user_handle_is_named() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    for (handle, reason) in [(None, "no userHandle"), (Some(vec![7; 16]), "another account")] {
        authenticator.misbehaviour = Some(Misbehaviour::UserHandle(handle));
        let refused =
            try_sign_in(&client, &mut authenticator).await.expect_error(Problem::PasskeyRefused);
        assert!(refused.body["details"].as_str().unwrap().contains(reason), "{refused}");
    }
}

#[tokio::test]
async fn malformed_responses_are_refused() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    for (path, junk, problem) in [
        ("/credential/response/clientDataJSON", json!("AAAA"), Problem::PasskeyMalformed),
        ("/credential/response/authenticatorData", json!("AAAA"), Problem::PasskeyMalformed),
        ("/credential/response/signature", json!(""), Problem::PasskeyRefused),
        ("/credential/response/signature", json!("%"), Problem::Validation),
        ("/credential/response", json!(7), Problem::Validation),
        ("/credential/type", json!("password"), Problem::Validation),
        ("/sessionId", json!("x"), Problem::Validation),
        ("/credential/id", json!("A".repeat(20_000)), Problem::Validation),
        ("/credential/id", json!("AAAA"), Problem::PasskeyRefused),
    ] {
        let mut body = answered(&mut authenticator, &begin_sign_in(&client).await);
        *body.pointer_mut(path).unwrap() = junk;
        finish_sign_in(&client, &body).await.expect_error(problem);
    }
    for (path, junk, problem) in [
        ("/credential/response/attestationObject", json!("AAAA"), Problem::PasskeyMalformed),
        ("/credential/response/transports", json!(vec!["usb"; 17]), Problem::PasskeyMalformed),
        ("/credential/id", json!("AAAA"), Problem::PasskeyRefused),
    ] {
        let mut body = made(&mut authenticator, &begin_registration(&client).await);
        *body.pointer_mut(path).unwrap() = junk;
        finish_registration(&client, &body).await.expect_error(problem);
    }
}

/// Credential ids are not authenticated: a client can claim the id of another passkey for its new key.
#[tokio::test]
async fn a_credential_id_cannot_be_taken_over() {
    let (_stack, client) = world().await;
    let (mut owner, mut thief) = (authenticator(), authenticator());
    let begun = begin_registration(&client).await;
    let body = made(&mut owner, &begun);
    let victim = finish_registration(&client, &body).await.expect(201);
    let id = BASE64_URL_SAFE_NO_PAD.decode(body["credential"]["id"].as_str().unwrap()).unwrap();
    thief.misbehaviour = Some(Misbehaviour::CredentialId(id));
    let body = made(&mut thief, &begin_registration(&client).await);
    finish_registration(&client, &body).await.expect_error(Problem::PasskeyTaken);
    thief.misbehaviour = None;
    try_sign_in(&client, &mut thief).await.expect_error(Problem::PasskeyRefused);
    let back = try_sign_in(&client, &mut owner).await.expect(200);
    assert_eq!(back.data()["account"]["id"], victim.data()["account"]["id"]);
}

#[tokio::test]
async fn an_unregistered_passkey_is_refused() {
    let (stack, client) = world().await;
    let mut authenticator = authenticator();
    made(&mut authenticator, &begin_registration(&client).await);
    try_sign_in(&client, &mut authenticator).await.expect_error(Problem::PasskeyRefused);
    let user = register(&client, &mut authenticator, &json!({})).await;
    stack.change_account(&user.account, Update::new().set(Account::STATUS, Status::Disabled)).await;
    try_sign_in(&client, &mut authenticator).await.expect_error(Problem::AccountDisabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_uses_of_one_response_sign_in_once() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    let sign_in = answered(&mut authenticator, &begin_sign_in(&client).await);
    let registration = made(&mut authenticator, &begin_registration(&client).await);
    for (path, body, done) in
        [("/auth/authenticate", sign_in, 200), ("/auth/register/passkey/verify", registration, 201)]
    {
        let statuses = twenty_at_once(|_| {
            let (client, body) = (client.clone(), body.clone());
            async move { client.post(path).json(&body).send().await.status }
        })
        .await;
        let with = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
        assert_eq!((with(done), with(400)), (1, 19), "{statuses:?}");
    }
}

/// Two concurrent responses with the same counter come from a cloned authenticator or a replay.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_responses_with_one_counter_sign_in_once() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    register(&client, &mut authenticator, &json!({})).await;
    authenticator.misbehaviour = Some(Misbehaviour::Counter(9));
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(answered(&mut authenticator, &begin_sign_in(&client).await));
    }
    let statuses = twenty_at_once(|n| {
        let (client, body) = (client.clone(), bodies[usize::try_from(n).unwrap()].clone());
        async move { finish_sign_in(&client, &body).await.status }
    })
    .await;
    let with = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
    assert_eq!((with(200), with(401)), (1, 19), "{statuses:?}");
}

#[tokio::test]
async fn a_registration_creates_the_account_named_in_the_passkey() {
    let (_stack, client) = world().await;
    let mut authenticator = authenticator();
    let begun = begin_registration(&client).await;
    let handle = begun.data()["options"]["user"]["id"].as_str().unwrap().to_owned();
    let body = made(&mut authenticator, &begun);
    let answer = finish_registration(&client, &body).await.expect(201);
    let account = SignedIn::of(&answer).unwrap().account;
    let id = uuid::Uuid::parse_str(&account).unwrap();
    assert_eq!(handle, BASE64_URL_SAFE_NO_PAD.encode(id.as_bytes()));
}
