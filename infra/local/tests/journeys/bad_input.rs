//! Bad input at every endpoint: a 4xx in the error shape, never a 500, and nothing is written.

use http::Method;
use local::{
    LocalStack,
    client::{Answer, Call},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{concrete, world};

/// A valid body for each endpoint with a body; what it refers to need not exist. An endpoint without a sample
/// fails the test.
fn bodies(method: &Method, path: &str) -> Vec<Value> {
    let bare = path.strip_prefix("/api/auth").map(|path| format!("/auth{path}"));
    match (method.as_str(), bare.as_deref().unwrap_or(path)) {
        ("POST", "/auth/authenticate" | "/auth/reauthenticate") => vec![
            json!({"message": "Sign in 1700000000000", "signature": "AAAA", "address": ADDRESS, "publicKey": "02"}),
            json!({"challengeId": ID, "signature": "AAAA", "address": ADDRESS, "publicKey": "02", "chain": "bitcoin", "provider": "x", "otpCode": "123456"}),
            json!({"sessionId": ID, "clientPublic": "AAAB", "clientProof": SALT, "otpCode": "123456"}),
            json!({"sessionId": ID, "credential": used_credential(), "otpCode": "123456"}),
        ],
        ("POST", "/auth/srp/init") => vec![json!({ "email": "a@example.com" })],
        ("POST", "/auth/register/srp") => vec![json!({
            "email": "a@example.com", "srpSalt": SALT, "srpVerifier": "AAAB", "srpGroup": 3072,
            "encryptedBlob": "AAAA", "passwordHint": "x", "referralCode": "NOBODYS1",
            "tradingPublicKey": "02", "challengeId": ID, "signature": "AAAA",
            "clientPublic": "AAAB", "clientProof": SALT,
        })],
        ("POST", "/auth/register/wallet") => vec![json!({
            "challengeId": ID, "signature": "AAAA", "address": ADDRESS, "publicKey": "02", "chain": "bitcoin",
            "provider": "x", "encryptedBlob": "AAAA", "email": "a@example.com", "referralCode": "NOBODYS1",
        })],
        ("POST", "/auth/register/passkey/init") => vec![json!({ "email": "a@example.com" })],
        ("POST", "/auth/register/passkey/verify") => vec![json!({
            "sessionId": ID, "credential": new_credential(), "encryptedBlob": "AAAA",
            "email": "a@example.com", "referralCode": "NOBODYS1",
        })],
        ("POST", "/api/account/srp/change-password/verify") => vec![json!({
            "sessionId": ID, "clientPublic": "AAAB", "clientProof": SALT, "newSrpSalt": SALT,
            "newSrpVerifier": "AAAB", "newEncryptedBlob": "AAAA", "newPasswordHint": "x",
            "newClientPublic": "AAAB", "newClientProof": SALT,
        })],
        ("POST", "/api/account/wallet/rotate") => vec![json!({
            "challengeId": ID, "signature": "AAAA", "address": ADDRESS, "publicKey": "02",
            "chain": "bitcoin", "provider": "x", "encryptedBlob": "AAAA",
        })],
        ("POST", "/api/account/2fa/toggle") => vec![json!({ "otpCode": "123456" })],
        ("PATCH", "/api/account/avatar") => {
            vec![json!({ "inscriptionId": format!("{:064x}i0", 1) })]
        }
        ("PATCH" | "DELETE", "/api/account/default-token") => {
            vec![json!({ "slot": "usdc", "tokenId": "t" })]
        }
        ("POST", "/api/account/change-email/init") => vec![json!({ "newEmail": "a@example.com" })],
        ("POST", "/api/account/change-email/verify") => vec![json!({
            "token": "x", "email": "a@example.com", "otpCode": "123456",
            "srpData": {
                "newSrpVerifier": "AAAB", "sessionId": ID, "clientPublic": "AAAB", "clientProof": SALT,
            },
        })],
        ("POST", "/api/account/verify-email") => vec![json!({ "token": "x" })],
        ("POST", "/api/account/addresses") => vec![json!({
            "challengeId": ID, "signature": "AAAA", "address": ADDRESS, "publicKey": "02", "chain": "bitcoin",
        })],
        ("POST", "/api/account/trading-wallet") => {
            vec![json!({ "challengeId": ID, "signature": "AAAA", "publicKey": "02" })]
        }
        ("POST", "/api/account/passkeys/verify") => {
            vec![json!({ "sessionId": ID, "credential": new_credential(), "name": "x" })]
        }
        (
            "POST",
            "/auth/passkey/init"
            | "/api/account/srp/change-password/init"
            | "/api/account/2fa/setup"
            | "/api/account/verify-email/resend"
            | "/api/account/passkeys/init",
        ) => vec![],
        ("POST", "/auth/refresh-token") => vec![json!({"refreshToken": "AAAA"})],
        ("POST", "/api/webhooks") => vec![json!({
            "url": "http://127.0.0.1:9/", "types": ["export.completed"], "note": "x",
        })],
        ("PATCH", "/api/webhooks/{id}") => vec![json!({
            "url": "http://127.0.0.1:9/", "types": ["export.completed"], "note": "x", "enabled": true,
        })],
        ("POST", "/api/webhooks/{id}/replay") => vec![json!({ "after": 0 })],
        (
            "POST",
            "/api/webhooks/{id}/rotate-secret"
            | "/api/webhooks/{id}/test"
            | "/api/webhooks/{id}/deliveries/{sequence}/redeliver",
        ) => vec![],
        ("POST", "/api/prizes") => vec![json!({
            "prizeNumber": 1, "name": "x", "inscriptionId": format!("{:064x}i0", 1), "controllingUtxo": format!("{:064x}:0", 1),
        })],
        ("POST", "/api/xchain/transaction") => vec![json!({
            "type": "xchain-withdraw",
            "params": { "amount": "1", "tokenId": "0:0", "withdrawTo": ADDRESS, "xchainData": "00" },
        })],
        ("POST", "/api/transactions") => vec![json!({
            "type": "withdraw",
            "params": { "amount": "max", "tokenId": "0:0", "withdrawTo": ADDRESS },
        })],
        ("POST", "/api/account/trading-wallet/deposits") => {
            vec![json!({ "txId": "11".repeat(32) })]
        }
        ("POST", "/api/wallets") => {
            vec![json!({ "walletAddress": ADDRESS, "publicKey": "02".repeat(33) })]
        }
        ("POST", "/api/transactions/max-spent") => vec![json!({
            "type": "withdraw", "params": { "tokenId": "0:0" },
        })],
        ("POST", "/api/transactions/sign") => vec![json!({
            "type": "withdraw", "params": { "signedBase64Tx": "AAAA" },
        })],
        ("POST", "/api/transactions/{txId}/replace") => {
            vec![json!({ "action": "bump", "feeTarget": "fast" })]
        }
        ("POST", "/api/xchain/transactions/register") => vec![json!({
            "intentTxHash": "11".repeat(32), "spokeTxHash": "22".repeat(32),
            "walletAddress": ADDRESS, "inputToken": "0xaa", "outputToken": "0xbb",
            "inputAmount": "1", "minOutputAmount": "1", "srcChain": 1, "dstChain": 2,
            "srcAddress": ADDRESS, "dstAddress": ADDRESS,
        })],
        ("POST", "/api/xchain/transaction/sign") => vec![json!({
            "type": "xchain-withdraw", "params": { "signedBase64Tx": "AAAA" },
        })],
        ("POST", "/api/vm-transactions") => vec![json!({
            "userAddress": ADDRESS, "runeId": "1:1", "requestCount": 1, "satsNewRequests": 1_000,
        })],
        ("POST", "/api/vm-transactions/sign") => {
            vec![json!({ "userAddress": ADDRESS, "signedBase64Tx": "AAAA" })]
        }
        ("POST", "/api/vm-transactions/mints") => vec![json!({
            "runeId": "1:1", "proceedsAddress": ADDRESS, "tokensPerRequest": "1",
            "totalRequests": 1, "requestsPerBlock": 1, "minSatsPerRequest": 546,
            "opensAt": 4_000_000_000_000_i64, "closesAt": 4_000_000_000_001_i64,
        })],
        ("POST", "/api/refund") => vec![json!({
            "type": "virtual_mint", "runeIds": ["1:1"], "userAddress": ADDRESS,
            "refundableSats": 1,
        })],
        ("POST", "/api/refund/sign") => {
            vec![json!({ "userAddress": ADDRESS, "base64Psbt": "AAAA" })]
        }
        ("POST", "/api/perp-venue/deposit" | "/api/perp-venue/withdraw") => {
            vec![json!({ "userAddress": EVM_ADDRESS, "amount": "1" })]
        }
        ("POST", "/api/perp-venue/referral" | "/api/perp-venue/builder-fee-approval") => {
            vec![json!({ "userAddress": EVM_ADDRESS })]
        }
        ("POST", "/api/medias/presigned-url") => {
            vec![json!({ "files": [{ "filename": "a.png" }], "userAddress": ADDRESS })]
        }
        ("POST", "/api/download-histories") => vec![json!({
            "format": "csv", "filter": { "chain": "bitcoin", "type": "swap", "from": "0", "to": "1" },
        })],
        (
            "POST",
            "/auth/logout" | "/api/events/ticket" | "/api/vm-transactions/mints/{id}/close",
        )
        | ("GET" | "DELETE", _) => vec![],
        unknown => panic!("{unknown:?} has no sample body in this test"),
    }
}

/// An id.
const ID: &str = "018bcfe5-6800-7000-8000-000000000001";
/// An address.
const ADDRESS: &str = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
/// An address on another chain.
const EVM_ADDRESS: &str = "0x00000000000000000000000000000000000000aa";
/// 32 bytes.
const SALT: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=";

/// The format of a browser's answer for a created passkey.
fn new_credential() -> Value {
    json!({
        "id": "AAAAAAAAAAAAAAAAAAAAAA", "type": "public-key",
        "response": { "clientDataJSON": "AAAA", "attestationObject": "AAAA", "transports": [] },
    })
}

/// The format of a browser's answer for a used passkey.
fn used_credential() -> Value {
    json!({
        "id": "AAAAAAAAAAAAAAAAAAAAAA", "type": "public-key",
        "response": { "clientDataJSON": "AAAA", "authenticatorData": "AAAA", "signature": "AAAA" },
    })
}

/// Whether a route requires the field.
fn required(path: &str, field: &str) -> bool {
    let optional_here = match field {
        "email" => path.contains("/register/wallet") || path.contains("/register/passkey"),
        "otpCode" => !path.ends_with("/2fa/toggle"),
        "provider" => !path.ends_with("/rotate"),
        "encryptedBlob" => !path.ends_with("/register/srp") && !path.ends_with("/rotate"),
        // Without it, the body of a sign-in has another form.
        "challengeId" | "credential" => path.ends_with("authenticate"),
        "opensAt" | "refundableSats" | "filter" | "feeTarget" => true,
        "type" => path.ends_with("/sign"),
        "url" => path.ends_with("/webhooks/{id}"),
        "types" | "note" | "enabled" => true,
        "publicKey" => path.ends_with("/api/wallets"),
        "userAddress" => {
            path.starts_with("/api/medias/") || path.ends_with("/builder-fee-approval")
        }
        "inscriptionId" | "name" | "newPasswordHint" | "passwordHint" | "referralCode"
        | "srpData" | "srpGroup" => !path.ends_with("/prizes"),
        _ => false,
    };
    !optional_here
}

#[track_caller]
fn refused(answer: Answer) -> Answer {
    assert!((400..500).contains(&answer.status), "{answer}");
    answer.expect_error_shape()
}

#[track_caller]
fn names(answer: &Answer, field: &str) {
    let errors = answer.body["errors"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let named = errors.iter().any(|error| {
        error["field"].as_str().is_some_and(|named| named.split(['.', '[']).next() == Some(field))
    });
    assert!(named, "{field} is not named: {answer}");
}

#[tokio::test]
async fn every_endpoint_refuses_bad_bodies() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let before = stack.contents();
    let deep = format!("{}{}", r#"{"a":"#.repeat(50_000), "1".to_owned());
    for route in local::functions::table() {
        let call = || {
            client.request(route.method.clone(), concrete(&route.path)).bearer(&admin.access_token)
        };
        let typed = |kind: &str| call().header("content-type", kind);
        let json = || typed("application/json");

        let large = refused(json().body(vec![b' '; 300 * 1024]).send().await);
        assert_eq!(large.status, 413, "checklist 33: bodies: {large}");
        let bodies = bodies(&route.method, &route.path);
        if bodies.is_empty() {
            continue;
        }
        refused(json().body(deep.clone()).send().await.expect(400));
        refused(json().body(r#"{"a":["#.repeat(20_000)).send().await.expect(400));
        refused(json().body(b"{\"a\":\"\xff\xfe\"}".as_slice()).send().await.expect(400));
        refused(json().body("{\"a\":\"\\ud800\"}").send().await.expect(400));
        for text in ["[]", "null", "7", "\"x\"", "{", "{\"a\":1}}", "nul", "{'a':1}", "\u{0}"] {
            let bad = refused(json().body(text).send().await);
            assert_eq!(bad.status, 400, "checklist 34: bodies: {bad}");
        }
        // If no field is required, an empty body is valid.
        let empty = bodies.iter().any(|body| {
            body.as_object().unwrap().keys().all(|field| !required(&route.path, field))
        });
        if !empty {
            refused(json().send().await.expect(400));
            refused(call().send().await.expect(400));
        }
        for kind in [
            "text/plain",
            "application/xml",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded",
            "é",
        ] {
            refused(typed(kind).body("{}").send().await.expect(415));
        }
        refused(call().body("{}").send().await.expect(415));
        for body in bodies {
            bad_fields(&call, &route.path, &body).await;
        }
    }
    assert_eq!(stack.contents(), before, "a refused request wrote something");
}

async fn bad_fields<'a>(call: &impl Fn() -> Call<'a>, path: &str, body: &Value) {
    let all: Vec<_> = body.as_object().unwrap().keys().cloned().collect();
    for field in &all {
        if required(path, field) {
            let mut without = body.clone();
            without.as_object_mut().unwrap().remove(field);
            names(&refused(call().json(&without).send().await.expect(400)), field);
            // `tests/patterns.rs`: the document allows no required text to be empty.
            if body[field].is_string() {
                let mut empty = body.clone();
                empty[field] = json!("");
                names(&refused(call().json(&empty).send().await.expect(400)), field);
            }
        }
        let number = body[field].is_number();
        let other = if number { json!("1") } else { json!(1) };
        for wrong in [
            other,
            json!([]),
            json!({}),
            json!(true),
            json!(1.5),
            json!(-1),
            json!([[[]]]),
            json!(u64::MAX),
            json!(1e300),
        ] {
            let is_valid = match field.as_str() {
                // None of its fields is required.
                "filter" => wrong == json!({}),
                "types" => wrong == json!([]),
                "enabled" => wrong == json!(true),
                "after" => wrong == json!(u64::MAX),
                _ => false,
            };
            if is_valid {
                continue;
            }
            let mut body = body.clone();
            body[field] = wrong;
            names(&refused(call().json(&body).send().await.expect(400)), field);
        }
        if !number {
            let mut long = body.clone();
            long[field] = json!("x".repeat(100_000));
            names(&refused(call().json(&long).send().await.expect(400)), field);
        }
    }
}

/// The paths that take a page, according to the document.
fn lists() -> Vec<String> {
    let document = local::openapi::document().unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let paged = |item: &Value| {
        let parameters = item["get"]["parameters"].as_array().cloned().unwrap_or_default();
        parameters.iter().any(|parameter| parameter["name"] == "pageSize")
    };
    let lists: Vec<_> = paths
        .filter(|(path, item)| paged(item) && !path.contains('{'))
        .map(|(path, _)| path.clone())
        .collect();
    assert!(lists.len() >= 2);
    lists
}

/// Every row except the records and counters of what admins have read.
fn but_reads(stack: &LocalStack) -> Vec<Value> {
    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    let is_read = |row: &&Value| {
        let pk = row["pk"]["S"].as_str().unwrap();
        pk.starts_with("reads#") || pk.starts_with("limit#support")
    };
    rows.filter(|row| !is_read(row)).cloned().collect()
}

#[tokio::test]
async fn every_list_refuses_bad_queries() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let before = but_reads(&stack);
    for path in lists() {
        for query in [
            "page=-1",
            "page=0",
            "page=99999999999999999999999999",
            "page=1000000001",
            "page=1e9",
            "page=NaN",
            "page=%00",
            "pageSize=-1",
            "pageSize=0",
            "pageSize=1.5",
            "pageSize=x",
            "sort=unknown",
            "sort=-unknown",
            "sort=,",
            "sort=createdAt,createdAt",
            "select=unknown",
            "select=-unknown",
            "select=%2Bunknown",
            "populate=unknown",
            "unknown_eq=1",
            "unknown=1",
            "limit=1",
            "utm=1",
            "page[]=1",
            "page%5B0%5D=1",
            "filter[page]=1",
            "%FF=1",
            "page=%FF",
            "page=1&page=2",
            "select=%F0%28%8C%28",
            "sort=__proto__",
        ] {
            refused(
                client
                    .get(format!("{path}?{query}"))
                    .bearer(&admin.access_token)
                    .send()
                    .await
                    .expect(400),
            );
        }
        // These lists are read from the chain, and this world has no chain.
        if path == "/api/account/trading-wallet/coins" || path == "/api/utxos" {
            continue;
        }
        for query in [
            "page=1000000000",
            "pageSize=18446744073709551615",
            "pageSize=100000",
            "&&&",
            "pageSize=18446744073709551616",
            "utm_source=mail&_=1700000000000&_eq=1",
            "page=1&",
            // An empty form field.
            "page=&pageSize=&sort=&select=&populate=",
            "sort=+&page=%20",
            "populate=wallet,token",
            "populate=token+wallet&select=id",
        ] {
            client
                .get(format!("{path}?{query}"))
                .bearer(&admin.access_token)
                .send()
                .await
                .expect(200);
        }
        let long = format!("{path}?select={}", "name,".repeat(5_000));
        let answer = client.get(long).bearer(&admin.access_token).send().await;
        assert!(answer.status < 500, "{answer}");
    }
    assert_eq!(but_reads(&stack), before, "a refused request wrote something");
}

/// The OpenAPI document states for each body whether it may be omitted.
#[tokio::test]
async fn a_body_without_required_fields_may_be_omitted() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let document = local::openapi::document().unwrap();
    let (mut optional, mut required) = (0, 0);
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(body) = operation.get("requestBody") else { continue };
            let method: Method = method.to_uppercase().parse().unwrap();
            let call = client.request(method.clone(), concrete(path)).bearer(&admin.access_token);
            let answer = call.send().await;
            if body["required"] == false {
                optional += 1;
                assert_ne!(answer.code(), "1001", "{method} {path}: {answer}");
                assert!(answer.status != 415 && answer.status < 500, "{method} {path}: {answer}");
            } else {
                required += 1;
                assert_eq!(
                    (answer.status, answer.code()),
                    (400, "1001"),
                    "{method} {path}: {answer}"
                );
            }
        }
    }
    assert!(optional >= 3 && required > 20, "{optional} {required}");
}

#[tokio::test]
async fn unknown_paths_and_methods_are_answered_in_the_error_shape() {
    let (_stack, client) = world().await;
    for path in [
        "/",
        "/api",
        "/api/",
        "/api/none",
        "/api/account/",
        "/auth",
        "/api//prizes",
        "/api/prizes/7/x",
        "/%00",
        "/%FF",
        // An escaped slash separates segments.
        "/auth/sessions/..%2f",
        "/api/account/me/x",
        "/_local",
        "/_local/role",
    ] {
        client.get(path).send().await.expect_error(Problem::NotFound);
    }
    for route in local::functions::table() {
        let answer = client
            .request(Method::PUT, concrete(&route.path))
            .send()
            .await
            .expect_error(Problem::MethodNotAllowed);
        let allowed: Vec<_> = answer.header("allow").split(',').map(str::trim).collect();
        assert!(allowed.contains(&route.method.as_str()), "{allowed:?} lacks {}", route.method);
    }
    let head = client.request(Method::HEAD, "/api/health").send().await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

#[tokio::test]
async fn bad_path_segments_are_refused() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    for segment in ["7", "%FF", "018bcfe5-6800-7000-8000-00000000000g", &"a".repeat(5_000)] {
        let call = client.delete(format!("/auth/sessions/{segment}")).bearer(&admin.access_token);
        refused(call.send().await.expect(400));
    }
}
