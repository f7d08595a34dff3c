//! `POST /auth/reauthenticate`: the session's owner authenticates again, and may then change credentials.

use std::time::Duration;

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    passkeys::{self, answered, authenticator},
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
    wallets::{SignedIn, Wallet, challenge, dated, sign_in, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{is_alive, pair, post, refresh, world};

const PATH: &str = "/auth/reauthenticate";
const TWENTY_MINUTES: Duration = Duration::from_secs(20 * 60);

/// A change that needs a recent authentication.
async fn set_up(client: &Client, user: &SignedIn) -> Answer {
    post(client, user, "/api/account/2fa/setup", &json!({})).await
}

/// The session twenty minutes later.
async fn later(stack: &LocalStack, client: &Client, user: &SignedIn) -> SignedIn {
    stack.clock().advance(TWENTY_MINUTES);
    pair(&refresh(client, &user.refresh_token).await.expect(200), user)
}

async fn sessions(client: &Client, user: &SignedIn) -> Value {
    client.get("/auth/sessions").bearer(&user.access_token).send().await.expect(200).data().clone()
}

async fn trail(client: &Client, user: &SignedIn) -> Vec<String> {
    let call = client.get("/api/account/activity?pageSize=100").bearer(&user.access_token);
    let answer = call.send().await.expect(200);
    let rows = answer.data().as_array().unwrap();
    rows.iter().map(|row| row["change"].as_str().unwrap().to_owned()).collect()
}

/// The session is renewed in place: it keeps its id, gets new tokens, and its credentials can be changed.
async fn renews(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    set_up(client, user).await.expect_error(Problem::ReauthRequired);
    let before = sessions(client, user).await;
    let answer = post(client, user, PATH, body).await.expect(200);
    let renewed = pair(&answer, user);
    assert_ne!(renewed.refresh_token, user.refresh_token);
    set_up(client, &renewed).await.expect(200);
    // Requests that still use the earlier access token continue to work.
    set_up(client, user).await.expect(200);
    let after = sessions(client, &renewed).await;
    let ids = |rows: &Value| -> Vec<Value> {
        rows.as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
    };
    assert_eq!(ids(&after), ids(&before), "no session was opened or ended");
    assert_eq!(trail(client, &renewed).await[0], "reauthenticated");
    // A proof can be used once.
    let again = post(client, &renewed, PATH, body).await;
    assert!((400..500).contains(&again.status), "{again}");
    refresh(client, &renewed.refresh_token).await.expect(200);
    answer
}

#[tokio::test]
async fn every_form_of_a_sign_in_renews_the_session() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = later(&stack, &client, &sign_in(&client, &wallet).await).await;
    renews(&client, &user, &dated(&client, &wallet)).await;

    let wallet = Wallet::solana(2);
    let user = later(&stack, &client, &sign_in(&client, &wallet).await).await;
    for token in [None, Some(user.access_token.as_str())] {
        let asked = challenge(&client, &wallet, "signIn", token).await;
        let body = wallet.signed_challenge(&asked);
        if token.is_none() {
            renews(&client, &user, &body).await;
        } else {
            post(&client, &user, PATH, &body).await.expect(200);
        }
    }

    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    let user = later(&stack, &client, &alice.register(&client).await).await;
    let proof = alice.answer(&alice.begin(&client).await);
    let answer = renews(&client, &user, &proof.fields).await;
    assert_eq!(answer.text_of("serverProof"), proof.server_proof);
    assert_eq!(answer.data().get("encryptedBlob"), None);

    let mut keys = authenticator();
    let user = passkeys::register(&client, &mut keys, &json!({})).await;
    let user = later(&stack, &client, &user).await;
    let begun = client.post("/auth/passkey/init").send().await.expect(200);
    renews(&client, &user, &answered(&mut keys, &begun)).await;
}

#[tokio::test]
async fn a_proof_of_another_account_renews_nothing_and_makes_no_account() {
    let (stack, client) = world().await;
    let (own, other, nobody) = (Wallet::evm(1), Wallet::evm(2), Wallet::evm(3));
    sign_in(&client, &other).await;
    let linked = Wallet::evm(4);
    let user = sign_in(&client, &own).await;
    let asked = challenge(&client, &linked, "link", Some(&user.access_token)).await;
    let body = linked.signed_challenge(&asked);
    post(&client, &user, "/api/account/addresses", &body).await.expect(201);
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    alice.register(&client).await;
    let mut keys = authenticator();
    passkeys::register(&client, &mut keys, &json!({})).await;
    let user = later(&stack, &client, &user).await;

    let mut bodies = Vec::new();
    // A linked address does not sign in, so it does not renew a session either.
    for wallet in [&other, &nobody, &linked] {
        bodies.push(wallet.signed_challenge(&challenge(&client, wallet, "signIn", None).await));
    }
    bodies.push(dated(&client, &Wallet::p2wpkh(5)));
    bodies.push(alice.answer(&alice.begin(&client).await).fields);
    let begun = client.post("/auth/passkey/init").send().await.expect(200);
    bodies.push(answered(&mut keys, &begun));
    for body in &bodies {
        post(&client, &user, PATH, body).await.expect_error(Problem::Forbidden);
    }
    post(&client, &user, PATH, &json!({})).await.expect_error(Problem::Validation);
    let wrong = SrpAccount { password: "a guess".to_owned(), ..alice.clone() };
    let body = wrong.answer(&wrong.begin(&client).await).fields;
    post(&client, &user, PATH, &body).await.expect_error(Problem::InvalidCredentials);
    let mut body = own.signed_challenge(&challenge(&client, &own, "signIn", None).await);
    body["signature"] = json!(other.sign("something else"));
    post(&client, &user, PATH, &body).await.expect_error(Problem::SignatureInvalid);
    set_up(&client, &user).await.expect_error(Problem::ReauthRequired);
    assert!(!trail(&client, &user).await.contains(&"reauthenticated".to_owned()));
    // The proof made no account: registering the wallet is still possible.
    let asked = challenge(&client, &nobody, "signIn", None).await;
    let body = nobody.signed_challenge(&asked);
    client.post("/auth/register/wallet").json(&body).send().await.expect(201);
}

#[tokio::test]
async fn the_second_factor_is_required_to_renew_a_session_too() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&client, &wallet).await;
    let uri = set_up(&client, &user).await.expect(200).text_of("otpauthUri").to_owned();
    let code = json!({ "otpCode": code_at(&uri, client.now()) });
    let on = post(&client, &user, "/api/account/2fa/toggle", &code).await.expect(200);
    let recovery = on.data()["recoveryCodes"][0].clone();
    let user = later(&stack, &client, &user).await;
    let proof = async |extras: Value| {
        let asked = challenge(&client, &wallet, "signIn", None).await;
        with(wallet.signed_challenge(&asked), &extras)
    };
    post(&client, &user, PATH, &proof(json!({})).await).await.expect_error(Problem::OtpRequired);
    let wrong = json!({ "otpCode": wrong_code_at(&uri, client.now()) });
    post(&client, &user, PATH, &proof(wrong).await).await.expect_error(Problem::OtpInvalid);
    set_up(&client, &user).await.expect_error(Problem::ReauthRequired);
    let code = json!({ "otpCode": code_at(&uri, client.now()) });
    let body = proof(code.clone()).await;
    let renewed = pair(&post(&client, &user, PATH, &body).await.expect(200), &user);
    set_up(&client, &renewed).await.expect(200);
    // A code is accepted once, across all endpoints.
    post(&client, &renewed, PATH, &proof(code).await).await.expect_error(Problem::OtpInvalid);
    let body = proof(json!({ "otpCode": recovery })).await;
    post(&client, &renewed, PATH, &body).await.expect(200);
    let trail = trail(&client, &renewed).await;
    assert_eq!(trail[..2], ["recoveryCodeUsed", "reauthenticated"]);
}

/// Two tabs and a lost answer, as with a refresh.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_renewals_and_refreshes_keep_one_session() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = later(&stack, &client, &sign_in(&client, &wallet).await).await;
    // The refresh token before a renewal is exchanged for the one after it.
    let asked = challenge(&client, &wallet, "signIn", None).await;
    let body = wallet.signed_challenge(&asked);
    let renewed = pair(&post(&client, &user, PATH, &body).await.expect(200), &user);
    let other = pair(&refresh(&client, &user.refresh_token).await.expect(200), &user);
    assert_eq!(other.refresh_token, renewed.refresh_token);
    set_up(&client, &other).await.expect(200);

    let mut bodies = Vec::new();
    for _ in 0..20 {
        let asked = challenge(&client, &wallet, "signIn", None).await;
        bodies.push(wallet.signed_challenge(&asked));
    }
    let answers = twenty_at_once(|n| {
        let (client, renewed) = (client.clone(), renewed.clone());
        let body = bodies[usize::try_from(n).unwrap()].clone();
        async move { post(&client, &renewed, PATH, &body).await }
    })
    .await;
    // Some requests may have to be retried; none ends the session.
    let mut done = 0;
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 409 | 503), "{answer}");
        done += u32::from(answer.status == 200);
    }
    assert!(done >= 1);
    assert!(is_alive(&client, &renewed).await);
    assert_eq!(sessions(&client, &renewed).await.as_array().unwrap().len(), 1);
}

/// A renewal only reopens the window for changes: the session still ends when it would have ended.
#[tokio::test]
async fn a_renewed_session_still_ends_after_thirty_days() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let mut user = sign_in(&client, &wallet).await;
    for _ in 0..5 {
        stack.clock().advance(DAY * 5);
        user = pair(&refresh(&client, &user.refresh_token).await.expect(200), &user);
    }
    let body = wallet.signed_challenge(&challenge(&client, &wallet, "signIn", None).await);
    user = pair(&post(&client, &user, PATH, &body).await.expect(200), &user);
    stack.clock().advance(DAY * 5 + Duration::from_secs(60));
    refresh(&client, &user.refresh_token).await.expect_error(Problem::InvalidRefreshToken);
}

#[tokio::test]
async fn an_ended_session_is_not_renewed() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&client, &wallet).await;
    let body = wallet.signed_challenge(&challenge(&client, &wallet, "signIn", None).await);
    post(&client, &user, "/auth/logout", &json!({})).await.expect(200);
    post(&client, &user, PATH, &body).await.expect_error(Problem::SessionEnded);
    client.post(PATH).json(&body).send().await.expect_error(Problem::NoAuthorization);
    // The refused requests did not consume the proof.
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}
