//! Registration and sign-in with a password.

use std::time::Duration;

use identity::srp::Group;
use local::{
    client::{Answer, Client, twenty_at_once},
    srp_accounts::{SrpAccount, random_blob},
    srp_client::{from_base64, to_base64},
};
use serde_json::{Value, json};
use shared::{keys, models::account::Account, problem::Problem};

use crate::{is_alive, refresh, world};

const PASSWORD: &str = "correct horse battery staple";

fn account(name: &str) -> SrpAccount {
    SrpAccount::new(&format!("{name}@example.com"), PASSWORD)
}

async fn register(client: &Client, body: &Value) -> Answer {
    client.post("/auth/register/srp").json(body).send().await
}

async fn authenticate(client: &Client, body: &Value) -> Answer {
    client.post("/auth/authenticate").json(body).send().await
}

/// The fields that an error names.
fn fields(answer: Answer) -> Vec<String> {
    let errors =
        answer.expect_error(Problem::Validation).body["errors"].as_array().unwrap().clone();
    errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_registration_opens_a_session_and_a_sign_in_returns_the_keystore() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let blob = random_blob(3_427);
    assert_eq!(blob.len(), 13_708, "the longest");
    let mut body = alice.registration(&blob);
    body["passwordHint"] = json!("four words");
    let registered = register(&client, &body).await.expect(201);
    assert_eq!((registered.code(), registered.header("cache-control")), ("1", "no-store"));
    let data = registered.data();
    let mut names: Vec<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let shape = [
        "accessToken",
        "account",
        "deviceToken",
        "expiresIn",
        "refreshToken",
        "tradingAddress",
        "wallet",
    ];
    assert_eq!(names, shape, "no keystore: the registering client already has it");
    let me = &data["account"];
    assert_eq!(
        me,
        &json!({
            "id": me["id"], "email": "alice@example.com", "emailVerified": false,
            "authMethod": "srp", "hasKeystore": true, "role": "user", "wallet": null,
            "addresses": [], "tradingAddress": null, "totpEnabled": false, "passkeys": 0,
            "avatar": null, "defaultTokens": { "usdc": null }, "referralCode": me["referralCode"],
            "isReferred": false, "passwordHint": "four words", "createdAt": me["createdAt"],
        })
    );

    let signed_in = alice.sign_in(&client).await;
    assert_eq!(signed_in.account, me["id"].as_str().unwrap());
    assert_eq!(signed_in.data["encryptedBlob"], blob.as_str());
    assert_eq!(signed_in.data["account"], *me, "checklist 9: in the answer of a sign-in");
    for token in [registered.text_of("accessToken"), &signed_in.access_token] {
        let answer = client.get("/api/account/me").bearer(token).send().await.expect(200);
        assert_eq!(answer.data(), me, "checklist 9: in `me`");
        let keystore = client.get("/api/account/keystore").bearer(token).send().await.expect(200);
        assert_eq!(keystore.text_of("encryptedBlob"), blob);
    }
    refresh(&client, registered.text_of("refreshToken")).await.expect(200);
}

#[tokio::test]
async fn every_spelling_of_an_email_address_is_one_account() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let mut body = alice.registration("AAAA");
    body["email"] = json!("  Alice@EXAMPLE.com\t");
    let registered = register(&client, &body).await.expect(201);
    assert_eq!(registered.data()["account"]["email"], "alice@example.com");
    for typed in ["ALICE@example.com", " alice@example.com ", "ａlice＠example.com"] {
        let init = client.post("/auth/srp/init").json(&json!({ "email": typed })).send().await;
        let answered = alice.answer(init.expect(200).data());
        authenticate(&client, &answered.fields).await.expect(200);
        let mut again = account("alice").registration("AAAA");
        again["email"] = json!(typed);
        let named = register(&client, &again).await.expect(201);
        assert_eq!(named.data()["account"]["email"], "alice@example.com");
    }
}

/// Client and service pad numbers: `B` is always as long as N.
#[tokio::test]
async fn accounts_of_every_group_sign_in() {
    let (_stack, client) = world().await;
    for group in Group::ALL {
        let user = SrpAccount { group, ..account(&format!("g{}", group.bits())) };
        user.register(&client).await;
        let session = user.begin(&client).await;
        let mut names: Vec<_> = session.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["group", "hash", "salt", "serverPublic", "sessionId"]);
        assert_eq!(
            (&session["group"], &session["hash"]),
            (&json!(group.bits()), &json!("SHA-256"))
        );
        assert_eq!(session["salt"], user.salt().as_str());
        let server_public = from_base64(session["serverPublic"].as_str().unwrap()).unwrap();
        assert_eq!(server_public.len(), group.size());
        user.sign_in(&client).await;
        let wrong = SrpAccount { password: "another".to_owned(), ..user };
        wrong.attempt(&client).await.expect_error(Problem::InvalidCredentials);
    }
    let mut default = account("default").registration("AAAA");
    default.as_object_mut().unwrap().remove("srpGroup");
    register(&client, &default).await.expect(201);
    assert_eq!(account("default").begin(&client).await["group"], 3072);
}

#[tokio::test]
async fn an_invalid_registration_names_every_invalid_field() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let good = alice.registration("AAAA");
    let modulus = alice.group.modulus();
    let larger = [vec![0xff], modulus.clone()].concat();
    let long_name = format!("{}@example.com", "a".repeat(65));
    for (field, wrong) in [
        ("srpSalt", json!(to_base64(&[7; 31]))),
        ("srpSalt", json!(to_base64(&[7; 33]))),
        ("srpSalt", json!("é")),
        ("srpSalt", json!("A".repeat(43))),
        ("srpVerifier", json!(to_base64(&[0]))),
        ("srpVerifier", json!(to_base64(&vec![0; 384]))),
        ("srpVerifier", json!(to_base64(&modulus))),
        ("srpVerifier", json!(to_base64(&larger))),
        ("srpVerifier", json!(to_base64(&[1; 600]))),
        ("srpVerifier", json!("")),
        ("srpVerifier", json!(null)),
        ("srpGroup", json!(1024)),
        ("srpGroup", json!("3072")),
        ("encryptedBlob", json!("A".repeat(13_709))),
        ("encryptedBlob", json!(random_blob(3_428))),
        ("encryptedBlob", json!("no base64")),
        ("encryptedBlob", json!("")),
        ("email", json!("alice")),
        ("email", json!("alice@example")),
        ("email", json!("alice@exa mple.com")),
        ("email", json!("é@example.com")),
        ("email", json!("alice@example.com, bob@example.com")),
        ("email", json!("alice@example.com\r\nBcc: bob@example.com")),
        ("email", json!(long_name)),
        ("email", json!("a".repeat(10_000))),
        ("passwordHint", json!("é".repeat(201))),
        ("referralCode", json!("A".repeat(65))),
    ] {
        let mut body = good.clone();
        body[field] = wrong;
        assert_eq!(fields(register(&client, &body).await), [field], "{body}");
    }
    let mut body = good.clone();
    body["referralCode"] = json!("NOBODYS1");
    register(&client, &body).await.expect_error(Problem::ReferralCodeUnknown);
    let all = fields(register(&client, &json!({ "passwordHint": 7 })).await);
    assert_eq!(all, ["email", "srpSalt", "srpVerifier", "encryptedBlob", "passwordHint"]);
    assert!(
        !json!(stack.contents()).to_string().contains("email#"),
        "an invalid registration wrote an address"
    );
    let mut body = good;
    body["passwordHint"] = json!("é".repeat(200));
    register(&client, &body).await.expect(201);
}

/// A client whose formulas differ from the service's could register but never sign in.
#[tokio::test]
async fn a_registration_with_a_wrong_proof_is_refused() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let good = alice.proved_registration("AAAA");
    // Each client proves its own verifier but computes with another identity, salt or password.
    let typed = SrpAccount { email: "Alice@Example.com".to_owned(), ..alice.clone() };
    let salted = SrpAccount { salt: [7; 32], ..alice.clone() };
    let other = SrpAccount { password: "another".to_owned(), ..alice.clone() };
    let mut with_salt = salted.proved_registration("AAAA").fields;
    with_salt["srpSalt"] = json!(alice.salt());
    let mut with_verifier = other.proved_registration("AAAA").fields;
    with_verifier["srpVerifier"] = json!(alice.verifier());
    // With the public value of another attempt.
    let mut with_public = good.fields.clone();
    with_public["clientPublic"] = alice.proved_registration("AAAA").fields["clientPublic"].clone();
    for body in [typed.proved_registration("AAAA").fields, with_salt, with_verifier, with_public] {
        let refused = register(&client, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "clientProof", "{refused}");
        assert!(refused.body["errors"][0]["message"].as_str().unwrap().contains("verifier"));
    }
    for (field, wrong) in [
        ("clientPublic", json!(null)),
        ("clientPublic", json!(to_base64(&alice.group.modulus()))),
        ("clientPublic", json!(to_base64(&[0]))),
        ("clientProof", json!(null)),
        ("clientProof", json!(to_base64(&[7; 33]))),
        ("clientProof", json!("~")),
    ] {
        let mut body = good.fields.clone();
        body[field] = wrong;
        assert_eq!(fields(register(&client, &body).await), [field], "{body}");
    }
    assert!(
        !json!(stack.contents()).to_string().contains("email#"),
        "a refused registration wrote an address"
    );
    let registered = register(&client, &good.fields).await.expect(201);
    assert_eq!(registered.text_of("serverProof"), good.server_proof);
    alice.sign_in(&client).await;
    for group in Group::ALL {
        let user = SrpAccount { group, ..account(&format!("g{}", group.bits())) };
        let proved = user.proved_registration("AAAA");
        let registered = register(&client, &proved.fields).await.expect(201);
        assert_eq!(registered.text_of("serverProof"), proved.server_proof);
    }
}

#[tokio::test]
async fn a_referral_code_sets_the_inviting_account() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let code = admin.data["account"]["referralCode"].as_str().unwrap().to_lowercase();
    let mut body = account("bob").registration("AAAA");
    body["referralCode"] = json!(code);
    let bob = register(&client, &body).await.expect(201);
    assert_eq!(bob.data()["account"]["isReferred"], true);
    // Clients can sign in by the id, so the response must not reveal it.
    assert!(!bob.body.to_string().contains(&admin.account), "{bob}");
    let row = keys::account(bob.data()["account"]["id"].as_str().unwrap().parse().unwrap());
    let row = stack.app().store.get::<Account>(&row).await.unwrap().unwrap();
    assert_eq!(row.referred_by.unwrap().to_string(), admin.account);
}

#[tokio::test]
async fn the_first_proof_uses_a_handshake_up() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    alice.register(&client).await;
    let right = alice.answer(&alice.begin(&client).await).fields;
    authenticate(&client, &right).await.expect(200);
    authenticate(&client, &right).await.expect_error(Problem::HandshakeInvalid);

    let session = alice.begin(&client).await;
    let wrong = SrpAccount { password: "wrong".to_owned(), ..alice.clone() }.answer(&session);
    let right = alice.answer(&session);
    authenticate(&client, &wrong.fields).await.expect_error(Problem::InvalidCredentials);
    authenticate(&client, &right.fields).await.expect_error(Problem::HandshakeInvalid);

    let mut unknown = right.fields;
    unknown["sessionId"] = json!("018bcfe5-6800-4000-8000-000000000001");
    authenticate(&client, &unknown).await.expect_error(Problem::HandshakeInvalid);
}

#[tokio::test]
async fn a_handshake_expires_after_five_minutes() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let alice = account("alice");
    alice.register(&client).await;
    let answered = alice.answer(&alice.begin(&client).await);
    stack.clock().advance(Duration::from_secs(295));
    authenticate(&client, &answered.fields).await.expect(200);
    let answered = alice.answer(&alice.begin(&client).await);
    stack.clock().advance(Duration::from_secs(301));
    authenticate(&client, &answered.fields)
        .await
        .expect_error_for(Problem::HandshakeInvalid, "checklist 17: handshakes");
}

/// Values that are wrong for every password do not consume the handshake
/// (`docs/decisions/0004-srp-profile.md`); for `A` see RFC 5054, section 2.5.4.
#[tokio::test]
async fn malformed_values_do_not_consume_the_handshake() {
    let (_stack, client) = world().await;
    for group in Group::ALL {
        let alice = SrpAccount { group, ..account(&format!("a{}", group.bits())) };
        alice.register(&client).await;
        let right = alice.answer(&alice.begin(&client).await).fields;
        let modulus = group.modulus();
        let mut twice: Vec<u8> = [&[0], modulus.as_slice()].concat();
        let mut carry = 0;
        for byte in twice.iter_mut().rev() {
            let sum = u16::from(*byte) * 2 + carry;
            (*byte, carry) = (u8::try_from(sum & 0xff).unwrap(), sum >> 8);
        }
        for public in [vec![0], vec![0; group.size()], modulus.clone(), twice] {
            let mut wrong = right.clone();
            wrong["clientPublic"] = json!(to_base64(&public));
            authenticate(&client, &wrong).await.expect_error(Problem::SrpValueInvalid);
        }
        for (name, value) in [
            ("clientPublic", json!(to_base64(&[1; 600]))),
            ("clientPublic", json!("")),
            ("clientPublic", json!("~")),
            ("clientProof", json!(to_base64(&[1; 34]))),
            ("clientProof", json!(7)),
            ("sessionId", json!("7")),
        ] {
            let mut wrong = right.clone();
            wrong[name] = value;
            assert_eq!(fields(authenticate(&client, &wrong).await), [name]);
        }
        let mut wrong = right.clone();
        wrong["clientProof"] = json!(to_base64(&[1; 33]));
        authenticate(&client, &wrong).await.expect_error(Problem::SrpValueInvalid);
        authenticate(&client, &right).await.expect(200);
    }
}

/// A handshake is bound to its purpose: other endpoints neither accept nor consume it.
#[tokio::test]
async fn a_handshake_is_bound_to_its_purpose() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let token = alice.register(&client).await.access_token;
    let change = "/api/account/srp/change-password";
    let post =
        async |path: &str, body: &Value| client.post(path).bearer(&token).json(body).send().await;

    let to_sign_in = alice.begin(&client).await;
    let next = alice.with_password("another");
    let body = alice.password_change(&to_sign_in, &next, "AAAA").fields;
    post(&format!("{change}/verify"), &body).await.expect_error(Problem::HandshakeInvalid);
    let answered = alice.answer(&to_sign_in);
    authenticate(&client, &answered.fields).await.expect(200);

    let to_change = post(&format!("{change}/init"), &json!({})).await.expect(200).data().clone();
    let answered = alice.answer(&to_change);
    authenticate(&client, &answered.fields).await.expect_error(Problem::HandshakeInvalid);
    let body = alice.password_change(&to_change, &next, "AAAA").fields;
    post(&format!("{change}/verify"), &body).await.expect(200);

    let ceremony = client.post("/auth/passkey/init").send().await.expect(200);
    let mut answered = next.answer(&next.begin(&client).await).fields;
    answered["sessionId"] = json!(ceremony.text_of("sessionId"));
    authenticate(&client, &answered).await.expect_error(Problem::HandshakeInvalid);
}

#[tokio::test]
async fn a_handshake_cannot_change_the_password_of_another_account() {
    let (_stack, client) = world().await;
    let (alice, mallory) = (account("alice"), account("mallory"));
    alice.register(&client).await;
    let token = mallory.register(&client).await.access_token;
    let own = alice.sign_in(&client).await.access_token;
    let init = client.post("/api/account/srp/change-password/init").bearer(&own).send().await;
    let body = alice.password_change(init.expect(200).data(), &alice.with_password("x"), "AAAA");
    let verify = client.post("/api/account/srp/change-password/verify").bearer(&token);
    verify
        .json(&body.fields)
        .send()
        .await
        .expect_error_for(Problem::HandshakeInvalid, "checklist 30: handshakes");
    alice.sign_in(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_proofs_of_one_handshake_open_one_session() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let first = alice.register(&client).await;
    let body = alice.answer(&alice.begin(&client).await).fields;
    let statuses = twenty_at_once(|_| {
        let (client, body) = (client.clone(), body.clone());
        async move { authenticate(&client, &body).await.status }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 400).count(), 19, "{statuses:?}");
    let sessions = client.get("/auth/sessions").bearer(&first.access_token).send().await;
    assert_eq!(sessions.expect(200).data().as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_20_one_of_twenty_concurrent_registrations_holds_the_address() {
    let (stack, client) = world().await;
    let attempts: Vec<_> =
        (0..20).map(|n| SrpAccount::new("alice@example.com", &format!("p{n}"))).collect();
    let bodies: Vec<_> = attempts.iter().map(|attempt| attempt.registration("AAAA")).collect();
    // Each from its own source, because mails are limited per source.
    let answers = twenty_at_once(|n| {
        let body = bodies[usize::try_from(n).unwrap()].clone();
        let client = client.calling_from([127, 0, 1, u8::try_from(n).unwrap() + 1].into());
        async move { register(&client, &body).await }
    })
    .await;
    for answer in &answers {
        assert_eq!(answer.status, 201, "{answer}");
    }
    let mut holders = 0;
    for attempt in &attempts {
        // Strangers wait after each wrong password.
        stack.clock().advance(Duration::from_secs(15 * 60));
        holders += u32::from(attempt.attempt(&client).await.status == 200);
    }
    assert_eq!(holders, 1, "the address leads to one account");
    let admin = local::admin(&stack, &client).await;
    let list = client.get("/api/account?select=email").bearer(&admin.access_token).send().await;
    let list = list.expect(200);
    assert_eq!(list.body["metaData"]["totalItems"], 21);
}

/// Strangers who register another person's address take nothing from its owner except, for now, the address
/// itself.
#[tokio::test]
async fn custody_27_registrations_by_strangers_do_not_use_up_the_owners_mails() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let session = alice.register(&client).await;
    let elsewhere = client.calling_from([127, 0, 2, 1].into());
    for _ in 0..6 {
        let body = account("alice").registration("AAAA");
        register(&elsewhere, &body).await.expect(201);
    }
    let resend = client.post("/api/account/verify-email/resend").bearer(&session.access_token);
    resend.send().await.expect(200);
}

#[tokio::test]
async fn sessions_by_password_behave_like_any_other() {
    let (_stack, client) = world().await;
    let alice = account("alice");
    let (here, there) = (alice.register(&client).await, alice.sign_in(&client).await);
    assert!(is_alive(&client, &here).await && is_alive(&client, &there).await);
    client.post("/auth/logout").bearer(&there.access_token).send().await.expect(200);
    assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await);
}
