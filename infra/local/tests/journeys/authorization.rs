//! Every route that is not public answers 401 to unauthenticated callers.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use local::{client::Client, wallets};
use serde_json::{Value, json};
use shared::http::routes::Access;

use crate::{concrete, world};

/// A token with one defect, and the error code for it.
struct Forged {
    how: &'static str,
    token: String,
    code: &'static str,
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

fn unsigned(header: &Value, claims: &Value) -> String {
    let encode = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.", encode(header), encode(claims))
}

/// `good` with changes that only its issuer may make, signed with other keys.
fn forgeries(good: &str, public_key: &str) -> Vec<Forged> {
    let (header, claims) = (part(good, 0), part(good, 1));
    let pair = aws_lc_rs::signature::Ed25519KeyPair::generate_pkcs8v1(
        &aws_lc_rs::rand::SystemRandom::new(),
    )
    .unwrap();
    let other_key = EncodingKey::from_ed_der(pair.as_ref());
    let signed = |change: &dyn Fn(&mut Header), key: &EncodingKey, algorithm| {
        let mut parts = Header::new(algorithm);
        parts.typ = Some("at+jwt".to_owned());
        parts.kid = header["kid"].as_str().map(str::to_owned);
        change(&mut parts);
        jsonwebtoken::encode(&parts, &claims, key).unwrap()
    };
    let by_other = signed(&|_| {}, &other_key, Algorithm::EdDSA);
    let public_as_secret =
        EncodingKey::from_secret(&BASE64_URL_SAFE_NO_PAD.decode(public_key).unwrap());
    let mut admin = claims.clone();
    admin["role"] = json!("admin");
    let swapped = {
        let parts: Vec<_> = good.split('.').collect();
        format!("{}.{}.{}", parts[0], BASE64_URL_SAFE_NO_PAD.encode(admin.to_string()), parts[2])
    };
    let none = |alg: &str| {
        let mut header = header.clone();
        header["alg"] = json!(alg);
        unsigned(&header, &claims)
    };
    let forged = |how, token| Forged { how, token, code: "4002" };
    vec![
        forged("garbage", "garbage".to_owned()),
        forged("three parts of garbage", "a.b.c".to_owned()),
        forged("no UTF-8 inside", format!("{}.{}.{}", "_w", "_w", "_w")),
        forged("very long", format!("{good}{}", "A".repeat(6_000))),
        forged("another key", by_other),
        forged(
            "another key and kid",
            signed(&|parts| parts.kid = Some("other".to_owned()), &other_key, Algorithm::EdDSA),
        ),
        forged("no kid", signed(&|parts| parts.kid = None, &other_key, Algorithm::EdDSA)),
        forged(
            "own key in the header",
            signed(
                &|parts| parts.jku = Some("http://127.0.0.1:1/".to_owned()),
                &other_key,
                Algorithm::EdDSA,
            ),
        ),
        forged("public key as HMAC secret", signed(&|_| {}, &public_as_secret, Algorithm::HS256)),
        forged("alg none", none("none")),
        forged("alg None", none("None")),
        forged("no signature", none("EdDSA")),
        forged("role changed", swapped),
        forged("signature cut", good[..good.len() - 4].to_owned()),
    ]
}

async fn refused(client: &Client, forged: &Forged) {
    for route in local::functions::table().iter().filter(|route| route.access != Access::Public) {
        let call =
            client.request(route.method.clone(), concrete(&route.path)).bearer(&forged.token);
        let answer = call.send().await;
        assert!(answer.status == 401 && answer.code() == forged.code, "{}: {answer}", forged.how);
        assert_eq!(answer.expect_error_shape().header("www-authenticate"), "Bearer");
    }
}

#[tokio::test]
async fn every_non_public_route_requires_a_valid_token() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let mut guarded = local::functions::table();
    guarded.retain(|route| route.access != Access::Public);
    assert!(guarded.len() >= 9, "{guarded:?}");

    for route in &guarded {
        let call = || client.request(route.method.clone(), concrete(&route.path));
        call().send().await.expect_error(401, "4004");
        call().header("authorization", "").send().await.expect_error(401, "4004");
        call().header("authorization", "Basic YTpi").send().await.expect_error(401, "4004");
        call().header("authorization", [0xff, 0xfe]).send().await.expect_error(401, "4004");
    }
    let jwks = client.get("/.well-known/jwks.json").send().await;
    let public_key = jwks.body["keys"][0]["x"].as_str().unwrap();
    // Instances remember it.
    client.get("/api/account/me").bearer(&admin.access_token).send().await.expect(200);
    for forged in forgeries(&admin.access_token, public_key) {
        refused(&client, &forged).await;
    }
    stack.clock().advance(Duration::from_secs(601));
    let expired = Forged { how: "expired", token: admin.access_token.clone(), code: "4003" };
    refused(&client, &expired).await;
}

/// A token of another deployment or of another kind has a valid signature and is still refused.
#[tokio::test]
async fn a_token_of_another_issuer_audience_or_type_is_refused() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let config = &stack.app().config;
    for (issuer, audience) in [
        ("elsewhere", config.tokens.audience.as_str()),
        (config.tokens.issuer.as_str(), "elsewhere"),
    ] {
        let settings = [("TOKEN_ISSUER", issuer), ("TOKEN_AUDIENCE", audience)];
        let foreign: auth::App = stack.app().changed(&settings).function();
        let claims = part(&admin.access_token, 1);
        let (account, session) = (claims["sub"].as_str().unwrap(), claims["sid"].as_str().unwrap());
        let role = shared::models::account::Role::Admin;
        let token = foreign.issuer.issue(
            account.parse().unwrap(),
            session.parse().unwrap(),
            role,
            foreign.clock.now(),
        );
        refused(
            &client,
            &Forged { how: "of another deployment", token: token.await.unwrap(), code: "4002" },
        )
        .await;
    }
}

/// A valid token lets its owner through, but no user through to an admin's route.
#[tokio::test]
async fn a_user_is_not_an_admin() {
    let (_stack, client) = world().await;
    let user = wallets::sign_in(&client, &wallets::Wallet::p2wpkh(77)).await;
    for route in local::functions::table() {
        if route.access == Access::Admin {
            let call = client
                .request(route.method.clone(), concrete(&route.path))
                .bearer(&user.access_token);
            call.json(&json!({})).send().await.expect_error(403, "1007");
        }
    }
}

/// Published clients attach their token, however old. Where anyone may call, a stale token counts as none;
/// where the answer depends on the caller, it is refused.
#[tokio::test]
async fn a_stale_token_counts_as_none_on_public_routes() {
    let (stack, client) = world().await;
    let wallet = wallets::Wallet::p2wpkh(77);
    let user = wallets::sign_in(&client, &wallet).await;
    stack.clock().advance(Duration::from_secs(601));
    let stale = format!("Bearer {}", user.access_token);
    let challenge = format!("/auth/wallet/challenge?address={}", wallet.address());
    let headers = [
        (stale.as_str(), "4003"),
        ("Bearer garbage", "4002"),
        ("Basic YTpi", "4004"),
        ("", "4004"),
    ];
    for (header, code) in headers {
        for path in [
            "/api/vm-transactions",
            "/api/vm-transactions?state_eq=failed&runeId_eq=840000:3",
            "/api/vm-transactions/mints",
            "/api/xchain/transactions?populate=wallet,token",
            "/api/tokens",
            &challenge,
            &format!("{challenge}&purpose=rotate"),
        ] {
            client.get(path).header("authorization", header).send().await.expect(200);
        }
        for path in [
            "/api/vm-transactions?state_eq=unsigned&runeId_eq=840000:3",
            "/api/vm-transactions?state_eq=expired&runeId_eq=840000:3",
            &format!("{challenge}&purpose=link"),
            &format!("{challenge}&purpose=tradingWallet"),
        ] {
            let call = client.get(path).header("authorization", header);
            call.send().await.expect_error(401, code);
        }
    }
    let unsigned = "/api/vm-transactions?state_eq=unsigned&runeId_eq=840000:3";
    let none = client.get(unsigned).send().await.expect(200);
    assert_eq!(none.body["metaData"]["totalItems"], 0, "without a token the list is empty");
}
