//! E-mail addresses: verification by mailed token, and changes.

use std::time::Duration;

use local::{
    Fault, FaultyHttp, LocalStack,
    client::{Answer, Client, twenty_at_once},
    srp_accounts::SrpAccount,
    srp_client::to_base64,
    totp::{code_at, wrong_code_at},
    wallets::{SignedIn, Wallet, sign_in, with},
};
use serde_json::{Value, json};
use shared::{
    models::{account::Account, email::EmailAddress},
    problem::Problem,
};
use store::Update;

use crate::{assert_told_of_end, changes, is_alive, mailed, me, post, refreshed};

const INIT: &str = "/api/account/change-email/init";
const VERIFY: &str = "/api/account/change-email/verify";
const RESEND: &str = "/api/account/verify-email/resend";
const HOUR: Duration = Duration::from_secs(60 * 60);

async fn world() -> (LocalStack, Client) {
    let (stack, client, _) = crate::world().await;
    (stack, client)
}

fn account(name: &str) -> SrpAccount {
    SrpAccount::new(&address(name), "correct horse battery staple")
}

fn address(name: &str) -> String {
    format!("{name}@example.com")
}

async fn subjects(stack: &LocalStack, to: &str) -> Vec<String> {
    stack.deliver_mail().await;
    stack.mailbox(to).await.into_iter().map(|mail| mail.subject).collect()
}

async fn verify_email(client: &Client, caller: &SignedIn, token: &str) -> Answer {
    post(client, caller, "/api/account/verify-email", &json!({ "token": token })).await
}

async fn init(client: &Client, caller: &SignedIn, email: &str) -> Answer {
    post(client, caller, INIT, &json!({ "newEmail": email })).await
}

async fn verify(client: &Client, caller: &SignedIn, body: &Value) -> Answer {
    post(client, caller, VERIFY, body).await
}

/// Sets or changes the address of an account without a password.
async fn change(stack: &LocalStack, client: &Client, caller: &SignedIn, email: &str) -> Answer {
    init(client, caller, email).await.expect(200);
    let token = mailed(stack, email).await;
    verify(client, caller, &json!({ "token": token, "email": email })).await
}

/// The body of a change for an account with a password.
async fn proved(stack: &LocalStack, session: &Value, old: &SrpAccount, new: &SrpAccount) -> Value {
    let token = mailed(stack, &new.email).await;
    let srp = old.email_change(&session["srpSession"], new);
    json!({ "token": token, "email": new.email, "srpData": srp })
}

#[tokio::test]
async fn a_mailed_token_verifies_the_address_of_its_account_once() {
    let (stack, client) = world().await;
    let (alice, bob) = (account("alice"), account("bob"));
    let (at_alice, at_bob) = (alice.register(&client).await, bob.register(&client).await);
    let token = mailed(&stack, &alice.email).await;
    assert!(token.len() >= 43, "checklist 16: 256 bits");
    assert!(!json!(stack.contents()).to_string().contains(&token));
    verify_email(&client, &at_bob, &token).await.expect_error_for(
        Problem::EmailTokenInvalid,
        "checklist 15: the account of a verification",
    );
    verify_email(&client, &at_alice, "x").await.expect_error(Problem::EmailTokenInvalid);
    let verified = verify_email(&client, &at_alice, &token).await.expect(200);
    assert_eq!(verified.data()["emailVerified"], true);
    assert_eq!(verified.data(), &me(&client, &at_alice).await);
    verify_email(&client, &at_alice, &token).await.expect_error(Problem::EmailTokenInvalid);
    post(&client, &at_alice, RESEND, &json!({})).await.expect_error(Problem::NothingToVerify);
    assert_eq!(me(&client, &at_bob).await["emailVerified"], false);
    assert_eq!(changes(&client, &at_alice).await, ["emailVerified", "accountCreated"]);
    for body in [json!({}), json!({ "token": "" }), json!({ "token": "x".repeat(129) })] {
        let path = "/api/account/verify-email";
        post(&client, &at_bob, path, &body).await.expect_error(Problem::Validation);
    }
}

/// Each mail has its own token. Once the address is verified, the others count as used.
#[tokio::test]
async fn only_one_of_several_tokens_verifies() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let caller = alice.register(&client).await;
    let first = mailed(&stack, &alice.email).await;
    post(&client, &caller, RESEND, &json!({})).await.expect(200);
    let second = mailed(&stack, &alice.email).await;
    assert_ne!(first, second);
    verify_email(&client, &caller, &first).await.expect(200);
    verify_email(&client, &caller, &second).await.expect_error(Problem::EmailTokenInvalid);
}

/// Checklist 14.
#[tokio::test]
async fn a_token_expires_after_ten_minutes() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let alice = account("alice");
    let caller = alice.register(&client).await;
    let token = mailed(&stack, &alice.email).await;
    stack.clock().advance(Duration::from_secs(601));
    let caller = refreshed(&client, &caller).await;
    verify_email(&client, &caller, &token)
        .await
        .expect_error_for(Problem::EmailTokenInvalid, "checklist 14: verifications");
    post(&client, &caller, RESEND, &json!({})).await.expect(200);
    let token = mailed(&stack, &alice.email).await;
    stack.clock().advance(Duration::from_secs(590));
    verify_email(&client, &caller, &token).await.expect(200);

    let wallet = sign_in(&client, &Wallet::p2wpkh(1)).await;
    init(&client, &wallet, &address("w")).await.expect(200);
    let token = mailed(&stack, &address("w")).await;
    stack.clock().advance(Duration::from_secs(601));
    let wallet = refreshed(&client, &wallet).await;
    let body = json!({ "token": token, "email": address("w") });
    verify(&client, &wallet, &body)
        .await
        .expect_error_for(Problem::EmailTokenInvalid, "checklist 14: changes");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_verifications_use_a_token_once() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let caller = alice.register(&client).await;
    let token = mailed(&stack, &alice.email).await;
    let codes = twenty_at_once(|_| {
        let (client, caller, token) = (client.clone(), caller.clone(), token.clone());
        async move { verify_email(&client, &caller, &token).await.code().to_owned() }
    })
    .await;
    assert_eq!(codes.iter().filter(|code| *code == "1").count(), 1, "{codes:?}");
    // 1013: more guesses than strangers get before they must wait.
    let refused = ["3008", "1013", "1014"];
    assert!(codes.iter().all(|code| code == "1" || refused.contains(&code.as_str())), "{codes:?}");
}

#[tokio::test]
async fn verification_mails_are_limited() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let caller = alice.register(&client).await;
    for _ in 0..3 {
        post(&client, &caller, RESEND, &json!({})).await.expect(200);
    }
    let refused =
        post(&client, &caller, RESEND, &json!({})).await.expect_error(Problem::RateLimited);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((3_590..=3_601).contains(&wait), "{wait}");
    assert_eq!(subjects(&stack, &alice.email).await.len(), 4);
    stack.clock().advance(Duration::from_secs(wait));
    let caller = refreshed(&client, &caller).await;
    post(&client, &caller, RESEND, &json!({})).await.expect(200);
}

/// Custody rule 20: an unproved address goes to the account that proves it.
#[tokio::test]
async fn custody_20_a_proved_change_takes_over_an_unverified_address() {
    let (stack, client) = world().await;
    let squatter = account("alice");
    let squats = squatter.register(&client).await;
    let token = mailed(&stack, &squatter.email).await;
    let owner = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let changed = change(&stack, &client, &owner, &squatter.email).await.expect(200);
    assert_eq!(changed.data()["email"], squatter.email.as_str());
    assert_eq!(changed.data()["emailVerified"], true);

    // Tokens mailed to the squatter are invalid, and no more are mailed.
    squatter.attempt(&client).await.expect_error(Problem::InvalidCredentials);
    assert_eq!(me(&client, &squats).await["emailVerified"], false);
    post(&client, &squats, RESEND, &json!({})).await.expect_error(Problem::NothingToVerify);
    verify_email(&client, &owner, &token).await.expect_error(Problem::EmailTokenInvalid);
    verify_email(&client, &squats, &token).await.expect_error(Problem::EmailTaken);
    assert_eq!(me(&client, &owner).await["email"], squatter.email.as_str());
    assert_eq!(changes(&client, &squats).await, ["emailLost", "accountCreated"]);

    // The squatter can still use the account: its password is proved with the address of its verifier.
    let moved = squatter.with_email(&address("elsewhere"));
    let session = init(&client, &squats, &moved.email).await.expect(200).data().clone();
    let body = proved(&stack, &session, &squatter, &moved).await;
    verify(&client, &squats, &body).await.expect(200);
    moved.sign_in(&client).await;
    assert_eq!(me(&client, &owner).await["email"], squatter.email.as_str());
    let again = change(&stack, &client, &owner, &address("owner")).await.expect(200);
    assert_eq!(again.data()["email"], address("owner").as_str());
}

/// Custody rule 20 and `docs/decisions/0004-srp-profile.md`: the client authenticates with the old address;
/// salt, keystore and hint stay.
#[tokio::test]
async fn an_account_with_a_password_changes_its_address() {
    let (stack, client) = world().await;
    let old = account("old");
    let registered = client
        .post("/auth/register/srp")
        .json(&with(old.registration("c2FtZQ=="), &json!({ "passwordHint": "stays" })))
        .send()
        .await;
    let there = SignedIn::of(&registered).unwrap();
    let here = old.sign_in(&client).await;
    let token = mailed(&stack, &old.email).await;
    verify_email(&client, &here, &token).await.expect(200);

    let new = old.with_email(&address("new"));
    let session = init(&client, &here, "  NEW@example.com ").await.expect(200).data().clone();
    let srp = &session["srpSession"];
    assert_eq!(session.as_object().unwrap().len(), 1);
    assert_eq!((&srp["salt"], &srp["group"]), (&json!(old.salt()), &json!(3072)));
    assert_eq!(me(&client, &here).await["email"], old.email.as_str(), "nothing has changed yet");
    let link = subjects(&stack, &new.email).await;
    assert_eq!(link, ["Confirm your new e-mail address"]);
    let notice = stack.mailbox(&old.email).await.pop().unwrap();
    assert_eq!(notice.subject, "A change of your e-mail address was requested");
    assert!(!notice.text.contains("token=") && !notice.html.contains("token="));

    let body = proved(&stack, &session, &old, &new).await;
    let changed = verify(&client, &here, &body).await.expect(200);
    assert_eq!(changed.data()["email"], new.email.as_str());
    assert_eq!(changed.data()["emailVerified"], true);
    assert_eq!(changed.data(), &me(&client, &here).await);
    assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await, "rule 19");
    assert_told_of_end(&client, &here).await;
    refreshed(&client, &here).await;

    old.attempt(&client).await.expect_error(Problem::InvalidCredentials);
    let signed_in = new.sign_in(&client).await;
    assert_eq!(signed_in.account, here.account);
    assert_eq!(signed_in.data["encryptedBlob"], "c2FtZQ==");
    assert_eq!(signed_in.data["account"]["passwordHint"], "stays");
    let told = subjects(&stack, &old.email).await;
    assert_eq!(told.last().unwrap(), "Your e-mail address was changed", "checklist 7: a notice");
    assert_eq!(subjects(&stack, &new.email).await.len(), 1, "only the link");
    assert_eq!(
        changes(&client, &signed_in).await,
        ["emailChanged", "emailChangeRequested", "emailVerified", "accountCreated"]
    );
    verify(&client, &here, &body).await.expect_error(Problem::EmailTokenInvalid);
    // The old address is free; the new one is not.
    account("old").register(&client).await;
    let taken = account("new").registration("AAAA");
    client.post("/auth/register/srp").json(&taken).send().await.expect_error(Problem::EmailTaken);
    // The password can be changed under the new address.
    let path = "/api/account/srp/change-password";
    let session = post(&client, &signed_in, &format!("{path}/init"), &json!({})).await.expect(200);
    let next = new.with_password("another");
    let body = new.password_change(session.data(), &next, "AAAA").fields;
    post(&client, &signed_in, &format!("{path}/verify"), &body).await.expect(200);
    next.sign_in(&client).await;
}

#[tokio::test]
async fn a_wallet_account_sets_and_changes_its_address() {
    let (stack, client) = world().await;
    let there = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let begun = init(&client, &here, &address("first")).await.expect(200);
    assert_eq!(begun.data(), &json!({}));
    let token = mailed(&stack, &address("first")).await;
    // Fields that only accounts with a password must send are ignored here.
    let body = json!({ "token": token, "email": " First@example.com", "srpData": null });
    let changed = verify(&client, &here, &body).await.expect(200);
    assert_eq!(changed.data()["email"], address("first").as_str());
    assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await);
    assert_told_of_end(&client, &here).await;
    change(&stack, &client, &here, &address("second")).await.expect(200);
    let told = subjects(&stack, &address("first")).await;
    assert_eq!(
        told[1..],
        ["A change of your e-mail address was requested", "Your e-mail address was changed"]
    );
    account("first").register(&client).await;
}

#[tokio::test]
async fn each_refusal_has_its_code_and_consumes_nothing() {
    let (stack, client) = world().await;
    let (old, other) = (account("old"), account("other"));
    let here = old.register(&client).await;
    let holder = other.register(&client).await;
    let link = mailed(&stack, &other.email).await;
    // The address is not proved yet, so it can be requested.
    init(&client, &here, &other.email).await.expect(200);
    verify_email(&client, &holder, &link).await.expect(200);
    init(&client, &here, &other.email)
        .await
        .expect_error_for(Problem::NewEmailTaken, "checklist 5: once it is proved");
    init(&client, &here, "OLD@example.com").await.expect_error(Problem::EmailUnchanged);
    stack.clock().advance(HOUR + Duration::from_secs(1));
    let here = old.sign_in(&client).await;
    for wrong in [json!({}), json!({ "newEmail": "x" }), json!({ "newEmail": 7 })] {
        post(&client, &here, INIT, &wrong).await.expect_error(Problem::Validation);
    }

    let new = old.with_email(&address("new"));
    let begin = async || init(&client, &here, &new.email).await.expect(200).data().clone();
    let session = begin().await;
    let good = proved(&stack, &session, &old, &new).await;
    let but = |fields: Value| with(good.clone(), &fields);
    let send = async |body: Value| verify(&client, &here, &body).await;
    for (body, field) in [
        (json!({}), "token"),
        (but(json!({ "email": "x" })), "email"),
        (but(json!({ "srpData": 7 })), "srpData"),
        (but(json!({ "srpData": {} })), "srpData.newSrpVerifier"),
        (but(json!({ "otpCode": "7".repeat(65) })), "otpCode"),
    ] {
        let refused = send(body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
    send(but(json!({ "email": address("another") }))).await.expect_error(Problem::EmailMismatch);
    send(but(json!({ "srpData": null }))).await.expect_error_for(
        Problem::ReauthMissing,
        "checklist 24: the address of an account with a password",
    );
    let mut wrong = good.clone();
    wrong["srpData"]["clientPublic"] = json!(to_base64(&[0; 384]));
    send(wrong).await.expect_error(Problem::SrpValueInvalid);
    let mut wrong = good.clone();
    wrong["srpData"]["newSrpVerifier"] = json!(to_base64(&[0]));
    let refused = send(wrong).await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "srpData.newSrpVerifier");
    assert_eq!(me(&client, &here).await["email"], old.email.as_str());
    send(good).await.expect(200);
    new.sign_in(&client).await;
}

/// A verifier for another spelling of the address would lock the user out.
#[tokio::test]
async fn a_new_address_with_a_wrong_proof_is_refused() {
    let (stack, client) = world().await;
    let old = account("old");
    let here = old.register(&client).await;
    let new = old.with_email(&address("new"));
    let names = ["newClientPublic", "newClientProof"];
    let session = init(&client, &here, &new.email).await.expect(200).data().clone();
    let mut body = proved(&stack, &session, &old, &new).await;
    let typed = old.with_email(&new.email.to_uppercase());
    body["srpData"] =
        with(old.email_change(&session["srpSession"], &typed), &typed.verifier_proof(names).fields);
    let refused = verify(&client, &here, &body).await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "srpData.newClientProof");
    old.sign_in(&client).await;
    // The token is not used up, but the handshake is.
    let session = init(&client, &here, &new.email).await.expect(200).data().clone();
    body["srpData"] =
        with(old.email_change(&session["srpSession"], &new), &new.verifier_proof(names).fields);
    verify(&client, &here, &body).await.expect(200);
    new.sign_in(&client).await;
}

#[tokio::test]
async fn a_wrong_proof_consumes_the_handshake_but_not_the_token() {
    let (stack, client) = world().await;
    let old = account("old");
    let here = old.register(&client).await;
    let new = old.with_email(&address("new"));
    let begin = async || init(&client, &here, &new.email).await.expect(200).data().clone();
    let session = begin().await;
    let good = proved(&stack, &session, &old, &new).await;
    // With the new address as the identity, which clients must not use.
    let early = proved(&stack, &session, &new, &new).await;
    verify(&client, &here, &early).await.expect_error(Problem::PasswordProofInvalid);
    verify(&client, &here, &good).await.expect_error(Problem::HandshakeInvalid);

    let mails = subjects(&stack, &new.email).await.len();
    let again = begin().await;
    assert_ne!(again["srpSession"]["sessionId"], session["srpSession"]["sessionId"]);
    let body = proved(&stack, &again, &old, &new).await;
    assert_eq!(subjects(&stack, &new.email).await.len(), mails, "no other mail");
    assert_eq!(body["token"], good["token"]);
    // A handshake for another purpose is refused and not consumed.
    let sign_in = old.email_change(&old.begin(&client).await, &new);
    let foreign = with(body.clone(), &json!({ "srpData": sign_in }));
    verify(&client, &here, &foreign).await.expect_error(Problem::HandshakeInvalid);
    verify(&client, &here, &body).await.expect(200);
}

#[tokio::test]
async fn the_handshake_is_valid_as_long_as_the_token() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let old = account("old");
    let here = old.register(&client).await;
    let new = old.with_email(&address("new"));
    let session = init(&client, &here, &new.email).await.expect(200).data().clone();
    let body = proved(&stack, &session, &old, &new).await;
    stack.clock().advance(Duration::from_secs(590));
    let changed = verify(&client, &here, &body).await;
    assert_eq!(changed.status, 200, "checklist 14: its handshake lives as long: {changed}");
}

#[tokio::test]
async fn a_token_is_bound_to_its_account_and_address() {
    let (stack, client) = world().await;
    let (one, other) =
        (sign_in(&client, &Wallet::p2wpkh(1)).await, sign_in(&client, &Wallet::p2wpkh(2)).await);
    let body = async |email: &str| json!({ "token": mailed(&stack, email).await, "email": email });
    init(&client, &one, &address("a")).await.expect(200);
    let first = body(&address("a")).await;
    verify(&client, &other, &first)
        .await
        .expect_error_for(Problem::EmailTokenInvalid, "checklist 15: the account of a change");
    init(&client, &other, &address("c")).await.expect(200);
    verify(&client, &other, &first).await.expect_error(Problem::EmailMismatch);
    let theirs = json!({ "token": first["token"], "email": address("c") });
    verify(&client, &other, &theirs).await.expect_error(Problem::EmailTokenInvalid);
    verify_email(&client, &one, first["token"].as_str().unwrap())
        .await
        .expect_error(Problem::EmailTokenInvalid);

    // Another address gets another mail, and the earlier token becomes invalid.
    init(&client, &one, &address("b")).await.expect(200);
    let second = body(&address("b")).await;
    assert_ne!(first["token"], second["token"]);
    verify(&client, &one, &first).await.expect_error(Problem::EmailMismatch);
    let before = json!({ "token": first["token"], "email": address("b") });
    verify(&client, &one, &before)
        .await
        .expect_error_for(Problem::EmailTokenInvalid, "checklist 15: the address of a change");
    verify(&client, &one, &second).await.expect(200);
}

#[tokio::test]
async fn custody_20_a_token_allows_five_attempts() {
    let (stack, client) = world().await;
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    for (email, wrong, status) in [("a", 4, 200), ("b", 5, 400)] {
        init(&client, &here, &address(email)).await.expect(200);
        let good =
            json!({ "token": mailed(&stack, &address(email)).await, "email": address(email) });
        let bad = with(good.clone(), &json!({ "token": "x" }));
        for _ in 0..wrong {
            verify(&client, &here, &bad).await.expect_error(Problem::EmailTokenInvalid);
        }
        let answer = verify(&client, &here, &good).await.expect(status);
        let code = if status == 200 { "1" } else { "3008" };
        assert_eq!(answer.code(), code, "checklist 2: mailed tokens");
    }
    assert_eq!(me(&client, &here).await["email"], address("a").as_str());
}

#[tokio::test]
async fn changes_are_limited_per_account() {
    let (stack, client) = world().await;
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    for (email, mailed) in [("a", true), ("b", true), ("b", false), ("b", false), ("c", true)] {
        let answer = init(&client, &here, &address(email)).await.expect(200);
        assert_eq!(answer.notes(), json!({ "mailed": mailed }), "{email}");
    }
    // Requests that send no mail are not limited.
    let again = init(&client, &here, &address("c")).await.expect(200);
    assert_eq!(again.body["metaData"]["mailed"], false);
    // Requests are limited before the address is checked, so the limit does not reveal taken addresses.
    let refused = init(&client, &here, &address("d")).await.expect_error(Problem::RateLimited);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((3_590..=3_601).contains(&wait), "{wait}");
    let elsewhere = client.calling_from([127, 0, 4, 1].into());
    init(&elsewhere, &here, &address("d")).await.expect_error(Problem::RateLimited);
    assert!(subjects(&stack, &address("d")).await.is_empty());
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    init(&client, &other, &address("d")).await.expect(200);
    stack.clock().advance(Duration::from_secs(wait));
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    init(&client, &here, &address("e")).await.expect(200);
}

/// A person types the wrong password, thinks for two minutes, and asks for a new handshake.
#[tokio::test]
async fn an_earlier_token_for_the_same_address_stays_valid_until_it_expires() {
    let (stack, client) = world().await;
    stack.clock().stop();
    for (seed, age, accepted) in [(1, 599, true), (2, 601, false)] {
        let (wallet, email) = (Wallet::p2wpkh(seed), address(&format!("a{seed}")));
        let here = sign_in(&client, &wallet).await;
        init(&client, &here, &email).await.expect(200);
        let first = mailed(&stack, &email).await;
        stack.clock().advance(Duration::from_secs(120));
        init(&client, &here, &email).await.expect(200);
        let second = mailed(&stack, &email).await;
        assert_ne!(first, second);
        stack.clock().advance(Duration::from_secs(age - 120));
        let here = sign_in(&client, &wallet).await;
        let verify = async |token: &str| {
            verify(&client, &here, &json!({ "token": token, "email": email })).await
        };
        if accepted {
            verify(&first).await.expect(200);
            verify(&second).await.expect_error(Problem::EmailTokenInvalid);
        } else {
            verify(&first).await.expect_error(Problem::EmailTokenInvalid);
            verify(&second).await.expect(200);
        }
    }
}

/// Another mail to the same address allows no further attempts.
#[tokio::test]
async fn custody_20_all_tokens_of_one_change_allow_five_attempts() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let a = address("a");
    let body = |token: &str| json!({ "token": token, "email": a });
    init(&client, &here, &a).await.expect(200);
    let first = mailed(&stack, &a).await;
    for _ in 0..3 {
        verify(&client, &here, &body("x")).await.expect_error(Problem::EmailTokenInvalid);
    }
    stack.clock().advance(Duration::from_secs(60));
    init(&client, &here, &a).await.expect(200);
    for _ in 0..2 {
        verify(&client, &here, &body("x")).await.expect_error(Problem::EmailTokenInvalid);
    }
    for token in [first, mailed(&stack, &a).await] {
        verify(&client, &here, &body(&token)).await.expect_error(Problem::EmailTokenInvalid);
    }
    // The next request mails a token immediately, with five new attempts.
    let again = init(&client, &here, &a).await.expect(200);
    assert_eq!(again.body["metaData"]["mailed"], true);
    verify(&client, &here, &body(&mailed(&stack, &a).await)).await.expect(200);
}

/// A later mail keeps the change pending and its attempts counted.
#[tokio::test]
async fn custody_20_attempts_count_as_long_as_the_change_waits() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let wallet = Wallet::p2wpkh(1);
    let here = sign_in(&client, &wallet).await;
    let a = address("a");
    let body = |token: &str| json!({ "token": token, "email": a });
    init(&client, &here, &a).await.expect(200);
    for _ in 0..5 {
        verify(&client, &here, &body("x")).await.expect_error(Problem::EmailTokenInvalid);
    }
    stack.clock().advance(Duration::from_secs(540));
    let again = init(&client, &here, &a).await.expect(200);
    assert_eq!(again.body["metaData"]["mailed"], true);
    stack.clock().advance(Duration::from_secs(120));
    let here = sign_in(&client, &wallet).await;
    verify(&client, &here, &body(&mailed(&stack, &a).await))
        .await
        .expect_error(Problem::EmailTokenInvalid);
}

/// Within a minute one mail is enough.
#[tokio::test]
async fn a_repeated_change_mails_again_after_a_minute() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let mailed_by = async |email: &str| {
        let answer = init(&client, &here, email).await.expect(200);
        answer.body["metaData"]["mailed"].as_bool().unwrap()
    };
    let (a, b) = (address("a"), address("b"));
    assert!(mailed_by(&a).await);
    let first = mailed(&stack, &a).await;
    stack.clock().advance(Duration::from_secs(59));
    assert!(!mailed_by(&a).await);
    assert_eq!(subjects(&stack, &a).await.len(), 1);
    stack.clock().advance(Duration::from_secs(1));
    assert!(mailed_by(&a).await);
    assert_eq!(subjects(&stack, &a).await.len(), 2);
    let second = mailed(&stack, &a).await;
    assert_ne!(first, second);
    // Another address is another change, and its mail is sent immediately.
    assert!(mailed_by(&b).await);
    stack.clock().advance(Duration::from_secs(61));
    init(&client, &here, &a).await.expect_error(Problem::RateLimited);
    let body = |token: &str, email: &str| json!({ "token": token, "email": email });
    verify(&client, &here, &body(&second, &a)).await.expect_error(Problem::EmailMismatch);
    let token = mailed(&stack, &b).await;
    verify(&client, &here, &body(&token, &b)).await.expect(200);
}

#[tokio::test]
async fn changes_are_limited_per_source() {
    let (_stack, client) = world().await;
    let mut callers = Vec::new();
    for seed in 1..=11 {
        callers.push(sign_in(&client, &Wallet::p2wpkh(seed)).await);
    }
    for (n, caller) in callers.iter().enumerate().take(10) {
        init(&client, caller, &address(&format!("n{n}"))).await.expect(200);
    }
    init(&client, &callers[10], &address("x"))
        .await
        .expect_error_for(Problem::RateLimited, "checklist 5: requests of one source");
    let forwarded = client.post(INIT).bearer(&callers[10].access_token);
    let forwarded = forwarded.header("x-forwarded-for", "192.0.2.9");
    let body = json!({ "newEmail": address("x") });
    forwarded.json(&body).send().await.expect_error(Problem::RateLimited);
    let elsewhere = client.calling_from([127, 0, 4, 2].into());
    init(&elsewhere, &callers[10], &address("x")).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_changes_with_one_token_change_once() {
    let (stack, client) = world().await;
    let old = account("old");
    let here = old.register(&client).await;
    let new = old.with_email(&address("new"));
    let session = init(&client, &here, &new.email).await.expect(200).data().clone();
    let body = proved(&stack, &session, &old, &new).await;
    let wallet = sign_in(&client, &Wallet::p2wpkh(1)).await;
    init(&client, &wallet, &address("wallet")).await.expect(200);
    let token = mailed(&stack, &address("wallet")).await;
    let by_wallet = json!({ "token": token, "email": address("wallet") });
    for (caller, body) in [(&here, &body), (&wallet, &by_wallet)] {
        let codes = twenty_at_once(|_| {
            let (client, caller, body) = (client.clone(), caller.clone(), body.clone());
            async move { verify(&client, &caller, &body).await.code().to_owned() }
        })
        .await;
        assert_eq!(codes.iter().filter(|code| *code == "1").count(), 1, "{codes:?}");
        // 1009: too many concurrent writes to one account.
        let losers = ["1", "3008", "4025", "1009", "1013", "1014", "3006"];
        assert!(codes.iter().all(|code| losers.contains(&code.as_str())), "{codes:?}");
    }
    new.sign_in(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_six_accounts_proving_an_address_gets_it() {
    let (stack, client) = world().await;
    let email = address("wanted");
    let mut claims = Vec::new();
    for seed in 1..=6 {
        let source = [127, 0, 4, u8::try_from(seed).unwrap() + 10].into();
        let client = client.calling_from(source);
        let caller = sign_in(&client, &Wallet::p2wpkh(seed)).await;
        claims.push((client, caller));
    }
    let mut tokens = Vec::new();
    for (client, caller) in &claims {
        init(client, caller, &email).await.expect(200);
        tokens.push(mailed(&stack, &email).await);
    }
    let codes = twenty_at_once(|n| {
        let n = usize::try_from(n).unwrap() % 6;
        let ((client, caller), token) = (claims[n].clone(), tokens[n].clone());
        let body = json!({ "token": token, "email": email });
        async move { verify(&client, &caller, &body).await.code().to_owned() }
    })
    .await;
    assert_eq!(codes.iter().filter(|code| *code == "1").count(), 1, "{codes:?}");
    let mut owners = 0;
    for (client, caller) in &claims {
        owners += u32::from(me(client, caller).await["email"] == email.as_str());
    }
    assert_eq!(owners, 1);
}

/// Custody rule 32: strangers request changes to an address as often as each of them may, and its owner
/// still gets a mail.
#[tokio::test]
async fn custody_32_strangers_cannot_keep_an_address_from_its_owner() {
    let (stack, client) = world().await;
    let email = address("wanted");
    let mut strangers = Vec::new();
    for seed in 2..=7 {
        let there = client.calling_from([127, 0, 4, 20 + u8::try_from(seed).unwrap() / 2].into());
        let caller = sign_in(&there, &Wallet::p2wpkh(seed)).await;
        strangers.push((there, caller));
    }
    // More than a minute after a mail, the same account may request another one.
    for _ in 0..4 {
        for (there, caller) in &strangers {
            let status = init(there, caller, &email).await.status;
            assert!(matches!(status, 200 | 429), "{status}");
        }
        stack.clock().advance(Duration::from_secs(61));
    }
    stack.deliver_mail().await;
    let unrequested = stack.mailbox(&email).await.len();
    // Five from each of the three sources at most.
    assert!((6..=15).contains(&unrequested), "{unrequested}");
    let owner = sign_in(&client, &Wallet::p2wpkh(1)).await;
    init(&client, &owner, &email).await.expect(200);
    let body = json!({ "token": mailed(&stack, &email).await, "email": email });
    verify(&client, &owner, &body).await.expect(200);
    assert_eq!(me(&client, &owner).await["email"], email.as_str());
}

/// The contract: the notice goes to the current address if there is one, verified or not. Of the new address
/// it shows only the first letter.
#[tokio::test]
async fn an_unverified_address_gets_the_notice_of_a_change_too() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let here = alice.register(&client).await;
    init(&client, &here, &address("somewhere")).await.expect(200);
    let told = subjects(&stack, &alice.email).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[1], "A change of your e-mail address was requested");
    let notice = stack.mailbox(&alice.email).await.pop().unwrap();
    assert!(!notice.text.contains("token=") && !notice.text.contains("somewhere"), "{notice:?}");
}

/// Custody rule 32: many accounts that name an address without having verified it can cause only a few
/// notices to it.
#[tokio::test]
async fn custody_32_notices_to_an_unverified_address_are_limited() {
    let (stack, client) = world().await;
    let victim = account("victim");
    let notices = async || {
        let told = subjects(&stack, &victim.email).await;
        told.iter().filter(|subject| subject.contains("was requested")).count()
    };
    for n in 0..7_u8 {
        let there = client.calling_from([127, 0, 4, 60 + n].into());
        let caller = victim.register(&there).await;
        init(&there, &caller, &address(&format!("n{n}"))).await.expect(200);
        assert!(mailed(&stack, &address(&format!("n{n}"))).await.len() >= 43, "the change goes on");
    }
    assert_eq!(notices().await, 5);
    stack.clock().advance(HOUR + Duration::from_secs(1));
    let caller = victim.register(&client).await;
    init(&client, &caller, &address("later")).await.expect(200);
    assert_eq!(notices().await, 6);
}

/// A code is never required, because the session was opened with one; if sent, it is checked
/// (`docs/decisions/0006-email-change.md`).
#[tokio::test]
async fn a_code_is_checked_if_sent() {
    let (stack, client) = world().await;
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let setup = post(&client, &here, "/api/account/2fa/setup", &json!({})).await.expect(200);
    let uri = setup.text_of("otpauthUri").to_owned();
    let code = json!({ "otpCode": code_at(&uri, client.now()) });
    post(&client, &here, "/api/account/2fa/toggle", &code).await.expect(200);
    init(&client, &here, &address("a")).await.expect(200);
    let body = json!({ "token": mailed(&stack, &address("a")).await, "email": address("a") });
    let wrong = with(body.clone(), &json!({ "otpCode": wrong_code_at(&uri, client.now()) }));
    verify(&client, &here, &wrong).await.expect_error(Problem::TotpCodeInvalid);
    verify(&client, &here, &with(body.clone(), &code)).await.expect_error(Problem::TotpCodeInvalid);
    stack.clock().advance(Duration::from_secs(30));
    let next = json!({ "otpCode": code_at(&uri, client.now()) });
    verify(&client, &here, &with(body, &next)).await.expect(200);
    init(&client, &here, &address("b")).await.expect(200);
    let body = json!({ "token": mailed(&stack, &address("b")).await, "email": address("b") });
    let wrong = json!({ "otpCode": wrong_code_at(&uri, client.now()) });
    for _ in 0..5 {
        post(&client, &here, "/api/account/2fa/toggle", &wrong)
            .await
            .expect_error(Problem::TotpCodeInvalid);
    }
    verify(&client, &here, &with(body.clone(), &wrong)).await.expect_error(Problem::OtpLocked);
    verify(&client, &here, &body).await.expect(200);
}

/// A second request for the same change that started before the first was completed.
#[tokio::test]
async fn a_change_to_the_current_address_is_void() {
    let (stack, client) = world().await;
    let here = sign_in(&client, &Wallet::p2wpkh(1)).await;
    init(&client, &here, &address("a")).await.expect(200);
    let body = json!({ "token": mailed(&stack, &address("a")).await, "email": address("a") });
    let verified = Update::new()
        .set(Account::EMAIL, address("a").parse::<EmailAddress>().unwrap())
        .set(Account::EMAIL_VERIFIED, true);
    stack.change_account(&here.account, verified).await;
    verify(&client, &here, &body).await.expect_error(Problem::EmailTokenInvalid);
}

/// Another application on the same world, over a network with these faults.
async fn app_over(stack: &LocalStack, faults: Vec<Fault>) -> (Client, FaultyHttp) {
    let network = FaultyHttp::new(faults);
    let app = stack.app().through(network.outbound());
    (stack.serve_app(app, account::routes()).await, network)
}

/// The time of the mails is recorded after they are queued, when their token may already be used.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_write_does_not_revive_a_used_token() {
    let (stack, client) = world().await;
    let measured = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let here = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let (usual, network) = app_over(&stack, vec![Fault::Pass; 100]).await;
    let usual = usual.calling_from([127, 0, 4, 101].into());
    init(&usual, &measured, &address("x")).await.expect(200);
    let requests = 100 - network.left();

    let mut faults = vec![Fault::Pass; requests - 1];
    faults.push(Fault::Hold);
    let (slow, network) = app_over(&stack, faults).await;
    let slow = slow.calling_from([127, 0, 4, 102].into());
    let late = tokio::spawn({
        let here = here.clone();
        async move { init(&slow, &here, &address("a")).await }
    });
    network.latch().holds(1).await;
    let body = json!({ "token": mailed(&stack, &address("a")).await, "email": address("a") });
    verify(&client, &here, &body).await.expect(200);
    assert_eq!(network.latch().held(), 1, "the last write is still to come");
    network.latch().open();
    late.await.unwrap().expect(200);
    assert_eq!(network.left(), 0);
    verify(&client, &here, &body).await.expect_error(Problem::EmailTokenInvalid);
}
