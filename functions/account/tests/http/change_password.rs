//! Changes of the password.

use std::time::Duration;

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    srp_accounts::{SrpAccount, random_blob},
    srp_client::to_base64,
    wallets::{SignedIn, Wallet, sign_in, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{assert_told_of_end, changes, is_alive, mailed, post, refresh};

const INIT: &str = "/api/account/srp/change-password/init";
const VERIFY: &str = "/api/account/srp/change-password/verify";

async fn world() -> (LocalStack, Client) {
    let (stack, client, _) = crate::world().await;
    (stack, client)
}

fn alice() -> SrpAccount {
    SrpAccount::new("alice@example.com", "the old password")
}

async fn begin(client: &Client, caller: &SignedIn) -> Value {
    let init = client.post(INIT).bearer(&caller.access_token).send().await.expect(200);
    init.data().clone()
}

async fn verify(client: &Client, caller: &SignedIn, body: &Value) -> Answer {
    post(client, caller, VERIFY, body).await
}

/// Verifies the account's e-mail address with the newest mail to it.
async fn verify_email(stack: &LocalStack, client: &Client, caller: &SignedIn, email: &str) {
    let body = json!({ "token": mailed(stack, email).await });
    post(client, caller, "/api/account/verify-email", &body).await.expect(200);
}

/// A thief may have signed in on other devices: they must become unknown with the change.
#[tokio::test]
async fn custody_18_a_new_password_keeps_only_its_own_device_known() {
    let (_stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let thief = client.on_another_device();
    old.sign_in(&thief).await;
    let new = old.with_password("the new password");
    let body = old.password_change(&begin(&client, &here).await, &new, "AAAA");
    verify(&client, &here, &body.fields).await.expect(200);

    // The thief's device shares the few guesses of strangers; the owner's does not.
    let strangers = [client.on_another_device(), thief];
    let init = json!({ "email": new.email });
    let mut waits = [0, 0];
    for n in 0..12 {
        let answer = strangers[n % 2].post("/auth/srp/init").json(&init).send().await;
        waits[n % 2] += u32::from(answer.status == 429);
    }
    assert!(waits.iter().all(|waits| *waits > 0), "{waits:?}");
    new.sign_in(&client).await;
}

#[tokio::test]
async fn custody_19_a_new_password_replaces_the_old_one_and_ends_every_other_session() {
    let (stack, client) = world().await;
    let old = alice();
    let there = old.register(&client).await;
    let here = old.sign_in(&client).await;
    verify_email(&stack, &client, &here, &old.email).await;
    let new = old.with_password("the new password");
    let blob = random_blob(3_427);
    let session = begin(&client, &here).await;
    assert_eq!((&session["salt"], &session["group"]), (&json!(old.salt()), &json!(3072)));
    let mut body = old.password_change(&session, &new, &blob);
    body.fields["newPasswordHint"] = json!("the new hint");
    let changed = verify(&client, &here, &body.fields).await.expect(200);
    assert_eq!(changed.data(), &json!({ "serverProof": body.server_proof }));

    assert!(is_alive(&client, &here).await);
    assert!(!is_alive(&client, &there).await, "checklist 23: a new password");
    assert_told_of_end(&client, &here).await;
    refresh(&client, &there).await.expect_error(Problem::InvalidRefreshToken);
    refresh(&client, &here).await.expect(200);
    old.attempt(&client).await.expect_error(Problem::InvalidCredentials);
    let signed_in = new.sign_in(&client).await;
    assert_eq!(signed_in.data["encryptedBlob"], blob.as_str());
    assert_eq!(signed_in.data["account"]["passwordHint"], "the new hint");
    assert_eq!(signed_in.account, here.account);

    // Without a new hint, the old one stays.
    let newest = new.with_password("the newest password");
    let body = new.password_change(&begin(&client, &here).await, &newest, "AAAA");
    verify(&client, &here, &body.fields).await.expect(200);
    let signed_in = newest.sign_in(&client).await;
    assert_eq!(signed_in.data["account"]["passwordHint"], "the new hint");

    stack.deliver_mail().await;
    let mails = stack.mailbox(&old.email).await;
    let notices = mails.iter().filter(|mail| mail.subject == "Your password was changed");
    assert_eq!(notices.count(), 2, "checklist 6: a new password");
    let trail = changes(&client, &signed_in).await;
    assert_eq!(trail[..2], ["passwordChanged", "passwordChanged"]);
}

/// No notice goes to an unproved address, which may belong to a stranger.
#[tokio::test]
async fn an_unverified_address_gets_no_notice() {
    let (stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let new = old.with_password("new");
    let body = old.password_change(&begin(&client, &here).await, &new, "AAAA");
    verify(&client, &here, &body.fields).await.expect(200);
    stack.deliver_mail().await;
    assert_eq!(stack.mailbox(&old.email).await.len(), 1, "the link of the registration");
}

/// Checklist 8.
#[tokio::test]
async fn changing_the_password_requires_the_current_one() {
    let (_stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let there = old.sign_in(&client).await;
    let new = old.with_password("new");
    let session = begin(&client, &here).await;
    let thief = SrpAccount { password: "a guess".to_owned(), ..old.clone() };
    let wrong = thief.password_change(&session, &new, "AAAA").fields;
    verify(&client, &here, &wrong).await.expect_error_for(
        Problem::PasswordProofInvalid,
        "checklist 8: a wrong password changes nothing",
    );
    let right = old.password_change(&session, &new, "AAAA").fields;
    verify(&client, &here, &right).await.expect_error(Problem::HandshakeInvalid);
    assert!(is_alive(&client, &there).await);
    new.attempt(&client).await.expect_error(Problem::InvalidCredentials);
    old.sign_in(&client).await;
}

#[tokio::test]
async fn an_account_without_a_password_cannot_change_it() {
    let (_stack, client) = world().await;
    let wallet = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let init = client.post(INIT).bearer(&wallet.access_token).send().await;
    init.expect_error(Problem::NoPassword);
    let old = alice();
    let here = old.register(&client).await;
    let new = old.with_password("new");
    let body = old.password_change(&begin(&client, &here).await, &new, "AAAA").fields;
    verify(&client, &wallet, &body).await.expect_error(Problem::HandshakeInvalid);
    verify(&client, &here, &body).await.expect(200);
}

#[tokio::test]
async fn malformed_fields_are_named_and_do_not_consume_the_handshake() {
    let (_stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let new = old.with_password("new");
    let good = old.password_change(&begin(&client, &here).await, &new, &random_blob(3_427)).fields;
    let modulus = old.group.modulus();
    for (field, wrong) in [
        ("newSrpSalt", json!(to_base64(&[7; 31]))),
        ("newSrpSalt", json!(to_base64(&[7; 33]))),
        ("newSrpSalt", Value::Null),
        ("newSrpVerifier", json!(to_base64(&[0; 384]))),
        ("newSrpVerifier", json!(to_base64(&modulus))),
        ("newSrpVerifier", json!(to_base64(&[1; 385]))),
        ("newSrpVerifier", json!("~")),
        ("newEncryptedBlob", json!("A".repeat(13_709))),
        ("newEncryptedBlob", json!(random_blob(3_428))),
        ("newEncryptedBlob", json!("")),
        ("newPasswordHint", json!("x".repeat(201))),
        ("clientProof", json!(7)),
        ("clientPublic", json!(to_base64(&[1; 600]))),
        ("sessionId", json!("7")),
    ] {
        let mut body = good.clone();
        body[field] = wrong;
        let refused = verify(&client, &here, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field);
        assert_eq!(refused.body["errors"].as_array().unwrap().len(), 1);
    }
    for public in [vec![0], modulus, vec![0xff; 384]] {
        let mut body = good.clone();
        body["clientPublic"] = json!(to_base64(&public));
        verify(&client, &here, &body).await.expect_error(Problem::SrpValueInvalid);
    }
    verify(&client, &here, &good).await.expect(200);
    new.sign_in(&client).await;
}

/// A wrong formula or salt would lock the user out.
#[tokio::test]
async fn a_new_password_with_a_wrong_proof_is_refused() {
    let (_stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let new = old.with_password("new");
    let names = ["newClientPublic", "newClientProof"];
    let other = SrpAccount { salt: [7; 32], ..new.clone() };
    let typed = SrpAccount { email: new.email.to_uppercase(), ..new.clone() };
    for wrong in [other, typed] {
        let body = old.password_change(&begin(&client, &here).await, &new, "AAAA").fields;
        let body = with(body, &wrong.verifier_proof(names).fields);
        let refused = verify(&client, &here, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "newClientProof");
        old.sign_in(&client).await;
    }
    let session = begin(&client, &here).await;
    let good = old.password_change(&session, &new, "AAAA").fields;
    let good = with(good, &new.verifier_proof(names).fields);
    for name in names {
        let mut body = good.clone();
        body[name] = Value::Null;
        let refused = verify(&client, &here, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], name);
    }
    verify(&client, &here, &good).await.expect(200);
    new.sign_in(&client).await;
}

#[tokio::test]
async fn the_handshake_expires_after_five_minutes() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let old = alice();
    let here = old.register(&client).await;
    let new = old.with_password("new");
    let body = old.password_change(&begin(&client, &here).await, &new, "AAAA").fields;
    stack.clock().advance(Duration::from_secs(301));
    verify(&client, &here, &body).await.expect_error(Problem::HandshakeInvalid);
    let body = old.password_change(&begin(&client, &here).await, &new, "AAAA").fields;
    stack.clock().advance(Duration::from_secs(290));
    verify(&client, &here, &body).await.expect(200);
}

/// Each request has its own handshake and a valid proof. The account ends up with one password and the
/// keystore that belongs to it.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_changes_leave_one_password_and_its_keystore() {
    let (_stack, client) = world().await;
    let old = alice();
    let here = old.register(&client).await;
    let mut changes = Vec::new();
    for n in 0..20 {
        let new = old.with_password(&format!("password {n}"));
        let blob = random_blob(n + 1);
        let body = old.password_change(&begin(&client, &here).await, &new, &blob).fields;
        changes.push((new, blob, body));
    }
    let answers = twenty_at_once(|n| {
        let body = changes[usize::try_from(n).unwrap()].2.clone();
        let (client, here) = (client.clone(), here.clone());
        async move { verify(&client, &here, &body).await }
    })
    .await;
    let won: Vec<_> = (0..20).filter(|&n| answers[n].status == 200).collect();
    assert_eq!(won.len(), 1, "{:?}", answers.iter().map(|a| a.status).collect::<Vec<_>>());
    for answer in &answers {
        // The account changed in the meantime, or the proof came too late.
        let code = answer.code();
        assert!(["1", "1014", "3011"].contains(&code), "{answer}");
    }
    let (new, blob, _) = &changes[won[0]];
    let signed_in = new.sign_in(&client).await;
    assert_eq!(signed_in.data["encryptedBlob"], blob.as_str());
    assert!(is_alive(&client, &here).await);
}
