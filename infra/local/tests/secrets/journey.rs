//! A journey through every endpoint of `auth` and `account`: three accounts, an admin, and strangers.

use std::time::Duration;

use local::{
    client::{Answer, Client},
    ord_double::Output,
    passkeys::{self, authenticator},
    srp_accounts::{SrpAccount, random_blob},
    totp::code_at,
    trading_wallets::{proof, registration},
    wallets::{self, SignedIn, Wallet, challenge, sign_in, sign_in_by_challenge, with},
};
use serde_json::{Value, json};
use shared::models::token::Token;

use crate::watch::{Seen, Watch};

/// Requests of an account about itself.
const OWN: [&str; 9] = [
    "/api/account/me",
    "/api/account/keystore",
    "/api/account/addresses",
    "/api/account/passkeys",
    "/api/account/activity",
    "/api/events",
    "/api/webhooks",
    "/auth/sessions",
    "/api/tokens",
];

/// Public requests.
const PUBLIC: [&str; 5] =
    ["/api/health", "/api/health?deep=1", "/.well-known/jwks.json", "/api/config", "/api/tokens"];

async fn get(client: &Client, user: &SignedIn, path: &str) -> Answer {
    client.get(path).bearer(&user.access_token).send().await.expect(200)
}

async fn post(client: &Client, user: &SignedIn, path: &str, body: &Value) -> Answer {
    client.post(path).bearer(&user.access_token).json(body).send().await
}

/// Runs the journey; returns everything that was observed.
pub(crate) async fn all_endpoints() -> Seen {
    let mut watch = Watch::start().await;
    let code = with_password(&mut watch).await;
    with_wallet(&mut watch, &code).await;
    with_passkey(&mut watch).await;
    strangers(&mut watch, &code).await;
    administration(&mut watch).await;
    watch.end()
}

/// An account with a password; returns its referral code.
async fn with_password(watch: &mut Watch) -> String {
    let client = watch.party("password").await;
    let account = SrpAccount::new("old@example.com", "correct horse battery staple");
    let body = with(
        account.registration(&random_blob(300)),
        &json!({ "passwordHint": "the usual, with a twist" }),
    );
    let body = with(body, &registration(&client, &Wallet::p2tr(6)).await);
    let registered = client.post("/auth/register/srp").json(&body).send().await.expect(201);
    let here = SignedIn::of(&registered).unwrap();
    watch.mailed_token(&account.email).await;
    post(&client, &here, "/api/account/verify-email/resend", &json!({})).await.expect(200);
    let token = watch.mailed_token(&account.email).await;
    let verified = json!({ "token": token });
    post(&client, &here, "/api/account/verify-email", &verified).await.expect(200);
    account.sign_in(&client).await;

    let begin = client.post("/api/account/srp/change-password/init").bearer(&here.access_token);
    let session = begin.send().await.expect(200);
    let changed = account.with_password("another horse");
    let body = account.password_change(session.data(), &changed, &random_blob(300)).fields;
    let body = with(body, &json!({ "newPasswordHint": "an animal, and not the first" }));
    post(&client, &here, "/api/account/srp/change-password/verify", &body).await.expect(200);
    let codes = second_factor(watch, &client, &here, &changed).await;

    let body = json!({ "newEmail": "new@example.com" });
    let begun = post(&client, &here, "/api/account/change-email/init", &body).await.expect(200);
    let token = watch.mailed_token("new@example.com").await;
    let moved = changed.with_email("new@example.com");
    let srp_data = changed.email_change(&begun.data()["srpSession"], &moved);
    let body = json!({ "token": token, "email": moved.email, "srpData": srp_data });
    post(&client, &here, "/api/account/change-email/verify", &body).await.expect(200);

    let answered = moved.answer(&moved.begin(&client).await);
    let body = with(answered.fields, &json!({ "otpCode": codes[0] }));
    let there = client.post("/auth/authenticate").json(&body).send().await.expect(200);
    for path in OWN {
        get(&client, &here, path).await;
    }
    let answered = moved.answer(&moved.begin(&client).await);
    let body = with(answered.fields, &json!({ "otpCode": codes[2] }));
    let answer = post(&client, &here, "/auth/reauthenticate", &body).await.expect(200);
    let refresh_token = answer.text_of("refreshToken").to_owned();
    let here = SignedIn { refresh_token, ..here };
    let body = json!({ "otpCode": codes[1] });
    post(&client, &here, "/api/account/2fa/toggle", &body).await.expect(200);
    end_sessions(&client, &here, || moved.sign_in(&client)).await;
    there.data()["account"]["referralCode"].as_str().unwrap().to_owned()
}

/// Enables the second factor and signs in with it; returns the recovery codes.
async fn second_factor(
    watch: &Watch,
    client: &Client,
    user: &SignedIn,
    account: &SrpAccount,
) -> Vec<String> {
    let setup = post(client, user, "/api/account/2fa/setup", &json!({})).await.expect(200);
    let uri = setup.text_of("otpauthUri");
    let code = json!({ "otpCode": code_at(uri, client.now()) });
    let on = post(client, user, "/api/account/2fa/toggle", &code).await.expect(200);
    watch.stack.clock().advance(Duration::from_secs(30));
    let answered = account.answer(&account.begin(client).await);
    let body = with(answered.fields, &json!({ "otpCode": code_at(uri, client.now()) }));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    serde_json::from_value(on.data()["recoveryCodes"].clone()).unwrap()
}

/// Refreshes a session, ends it from the other one, and lets that one end itself.
async fn end_sessions<F>(client: &Client, here: &SignedIn, sign_in: impl Fn() -> F)
where
    F: Future<Output = SignedIn>,
{
    let body = json!({ "refreshToken": here.refresh_token });
    client.post("/auth/refresh-token").json(&body).send().await.expect(200);
    let there = sign_in().await;
    let sessions = get(client, &there, "/auth/sessions").await;
    let sessions = sessions.data().as_array().unwrap();
    let other = sessions.iter().find(|session| session["current"] == false).unwrap();
    let path = format!("/auth/sessions/{}", other["id"].as_str().unwrap());
    client.delete(path).bearer(&there.access_token).send().await.expect(200);
    post(client, &there, "/auth/logout", &json!({})).await.expect(200);
}

/// An account with a wallet.
async fn with_wallet(watch: &mut Watch, referral_code: &str) {
    let client = watch.party("wallet").await;
    let (old, linked, new) = (Wallet::evm(1), Wallet::p2tr(2), Wallet::p2wpkh(3));
    let extras = json!({
        "encryptedBlob": random_blob(300), "email": "wallet@example.com", "referralCode": referral_code,
    });
    let here = wallets::register(&client, &old, &extras).await;
    let token = json!({ "token": watch.mailed_token("wallet@example.com").await });
    post(&client, &here, "/api/account/verify-email", &token).await.expect(200);
    sign_in_by_challenge(&client, &old).await;

    let asked = challenge(&client, &linked, "link", Some(&here.access_token)).await;
    let link = client.post("/api/account/addresses").bearer(&here.access_token);
    let link = link.header("idempotency-key", "link").json(&linked.signed_challenge(&asked));
    link.send().await.expect(201);
    let id = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0";
    let outpoint = id.replace('i', ":");
    let output = json!({ "outpoint": outpoint, "address": linked.address(), "inscriptions": [id] });
    watch.stack.ord().set(serde_json::from_value::<Output>(output).unwrap());
    let avatar = client.patch("/api/account/avatar").bearer(&here.access_token);
    avatar.json(&json!({ "inscriptionId": id })).send().await.expect(200);
    let token = json!({
        "tokenId": "usdc", "chain": "1", "symbol": "USDC", "divisibility": 6, "slots": ["usdc"],
    });
    let token: Token = serde_json::from_value(token).unwrap();
    watch.stack.enter_token(&token).await;
    for method in [http::Method::PATCH, http::Method::DELETE] {
        let chosen =
            client.request(method, "/api/account/default-token").bearer(&here.access_token);
        chosen.json(&json!({ "slot": "usdc", "tokenId": "usdc" })).send().await.expect(200);
    }
    let trading = Wallet::p2wpkh(5);
    let proof = proof(&client, &trading, "tradingWallet", Some(&here.access_token)).await;
    post(&client, &here, "/api/account/trading-wallet", &proof).await.expect(201);
    get(&client, &here, "/api/account/trading-wallet").await;
    webhooks(watch, &client, &here).await;
    let path = format!("/api/account/addresses/{}", linked.address());
    client.delete(path).bearer(&here.access_token).send().await.expect(200);

    let asked = challenge(&client, &new, "rotate", Some(&here.access_token)).await;
    let body = with(new.signed_challenge(&asked), &json!({ "encryptedBlob": random_blob(300) }));
    post(&client, &here, "/api/account/wallet/rotate", &body).await.expect(200);
    for path in OWN {
        get(&client, &here, path).await;
    }
    end_sessions(&client, &here, || sign_in(&client, &new)).await;
}

/// A webhook, whose receiver does not exist.
async fn webhooks(watch: &Watch, client: &Client, user: &SignedIn) {
    let body = json!({ "url": "http://127.0.0.1:1/hooks", "note": "shop" });
    let added = post(client, user, "/api/webhooks", &body).await.expect(201);
    let path = format!("/api/webhooks/{}", added.text_of("id"));
    client.patch(&path).bearer(&user.access_token).json(&body).send().await.expect(200);
    watch.stack.confirm_webhook(&user.account, added.text_of("id")).await;
    let other = sign_in_by_challenge(client, &Wallet::evm(1)).await;
    client.post("/auth/logout").bearer(&other.access_token).send().await.expect(200);
    for (part, body) in [
        ("rotate-secret", json!({})),
        ("test", json!({})),
        ("deliveries/1/redeliver", json!({})),
        ("replay", json!({ "after": 0 })),
    ] {
        post(client, user, &format!("{path}/{part}"), &body).await.expect(200);
    }
    post(client, user, "/api/events/ticket", &json!({})).await.expect(200);
    watch.stack.tell_webhooks().await;
    get(client, user, &path).await;
    get(client, user, &format!("{path}/deliveries")).await;
    client.delete(&path).bearer(&user.access_token).send().await.expect(200);
}

/// An account with passkeys.
async fn with_passkey(watch: &mut Watch) {
    let client = watch.party("passkey").await;
    let mut phone = authenticator();
    let extras = json!({ "encryptedBlob": random_blob(300), "email": "passkey@example.com" });
    let here = passkeys::register(&client, &mut phone, &extras).await;
    let token = json!({ "token": watch.mailed_token("passkey@example.com").await });
    post(&client, &here, "/api/account/verify-email", &token).await.expect(200);
    passkeys::try_sign_in(&client, &mut phone).await.expect(200);
    let added = passkeys::add(&client, &mut authenticator(), &here).await.expect(201);
    for path in OWN {
        get(&client, &here, path).await;
    }
    let path = format!("/api/account/passkeys/{}", added.text_of("id"));
    client.delete(path).bearer(&here.access_token).send().await.expect(200);
}

/// Repeats all requests of the others without a token and from another account.
async fn strangers(watch: &mut Watch, referral_code: &str) {
    let requests = watch.requests();
    let (public, other) = (watch.party("public").await, watch.party("other").await);
    for path in PUBLIC {
        public.get(path).send().await.expect(200);
    }
    let path = format!("/api/account/referral-code/{referral_code}/verify");
    public.get(path).send().await.expect(200);
    let body = json!({ "email": "nobody@example.com" });
    public.post("/auth/srp/init").json(&body).send().await.expect(200);

    let user = sign_in(&other, &Wallet::solana(4)).await;
    for (method, path, body) in requests {
        let call = public.request(method.clone(), &path).header("content-type", "application/json");
        call.body(body.clone()).send().await;
        if path != "/auth/logout" {
            let call = other.request(method, &path).header("content-type", "application/json");
            call.bearer(&user.access_token).body(body).send().await;
        }
    }
    // The account was signed in until the end.
    get(&other, &user, "/auth/sessions").await;
}

/// An admin's requests about the others.
async fn administration(watch: &mut Watch) {
    let client = watch.party("admin").await;
    let admin = local::admin(&watch.stack, &client).await;
    for query in [
        "",
        "?pageSize=100&sort=email",
        "?pageSize=100&select=%2BreferredBy,%2BlastSignInAt&populate=wallet,referrer",
    ] {
        let listed = get(&client, &admin, &format!("/api/account{query}")).await;
        assert!(listed.text.contains("new@example.com"), "{listed}");
    }
    let one = get(&client, &admin, &format!("/api/account/{}", admin.account)).await;
    assert_eq!(one.text_of("id"), admin.account);
    let tokens = get(&client, &admin, "/api/tokens").await;
    let token = tokens.data()[0]["tokenId"].as_str().unwrap();
    get(&client, &admin, &format!("/api/tokens/{token}")).await;
}
