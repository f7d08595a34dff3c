//! Every route that is not public answers 401 to unauthenticated callers.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair as _},
};
use base::{clock::Clock, outbound::Outbound};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use local::{LocalStack, client::Client, wallets};
use serde_json::{Value, json};
use shared::{
    crypto::signing::{StoredKey, secrets_manager},
    http::routes::Access,
    problem::Problem,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

use crate::{concrete, world};

/// A token with one defect, and the error code for it.
struct Forged {
    how: &'static str,
    token: String,
    problem: Problem,
}

fn forged(how: &'static str, token: String) -> Forged {
    Forged { how, token, problem: Problem::InvalidToken }
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// `object` with another value of one member.
fn with(object: &Value, member: &str, value: impl Into<Value>) -> Value {
    let mut changed = object.clone();
    changed[member] = value.into();
    changed
}

/// The two parts of a token that are signed.
fn unsigned(header: &Value, claims: &Value) -> String {
    let encode = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}", encode(header), encode(claims))
}

fn signed(key: &Ed25519KeyPair, header: &Value, claims: &Value) -> String {
    let message = unsigned(header, claims);
    let signature = BASE64_URL_SAFE_NO_PAD.encode(key.sign(message.as_bytes()));
    format!("{message}.{signature}")
}

/// A key that the deployment does not know.
fn foreign_key() -> Ed25519KeyPair {
    let pkcs8 = Ed25519KeyPair::generate_pkcs8v1(&SystemRandom::new()).unwrap();
    Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap()
}

/// The key that signs the tokens of the deployment.
async fn own_key(stack: &LocalStack) -> Ed25519KeyPair {
    let config = &stack.app().config;
    let secrets = secrets_manager(&config.aws, Outbound::new());
    let read = secrets.get_secret_value().secret_id(&config.keys.secret_id).send().await.unwrap();
    let stored: StoredKey = serde_json::from_str(read.secret_string().unwrap()).unwrap();
    let pkcs8 = BASE64_STANDARD.decode(stored.private_key).unwrap();
    Ed25519KeyPair::from_pkcs8(&pkcs8).unwrap()
}

/// The public half of a key as a JWK (RFC 8037, section 2).
fn jwk(key: &Ed25519KeyPair, kid: &str) -> Value {
    let x = BASE64_URL_SAFE_NO_PAD.encode(key.public_key().as_ref());
    json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x })
}

/// A server on a live port that answers every request with the same JSON and counts the connections.
struct Bait {
    url: String,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Bait {
    async fn with(body: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
        let connections = Arc::new(AtomicUsize::new(0));
        let (counter, body) = (connections.clone(), body.to_string());
        let task = tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
                let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                tokio::spawn(async move {
                    // One read takes up a request without a body.
                    let read = socket.read(&mut [0; 4_096]).await;
                    if read.is_ok_and(|length| length > 0) {
                        // The caller may have gone.
                        let _ = socket.write_all(answer.as_bytes()).await;
                    }
                });
            }
        });
        Self { url, connections, task }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Bait {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// `good` with changes that only its issuer may make.
fn forgeries(good: &str) -> Vec<Forged> {
    let (header, claims, key) = (part(good, 0), part(good, 1), foreign_key());
    let no_kid = {
        let mut header = header.clone();
        header.as_object_mut().unwrap().remove("kid");
        header
    };
    let swapped = {
        let parts: Vec<_> = good.split('.').collect();
        let admin = with(&claims, "role", "admin").to_string();
        format!("{}.{}.{}", parts[0], BASE64_URL_SAFE_NO_PAD.encode(admin), parts[2])
    };
    vec![
        forged("garbage", "garbage".to_owned()),
        forged("three parts of garbage", "a.b.c".to_owned()),
        forged("no UTF-8 inside", format!("{}.{}.{}", "_w", "_w", "_w")),
        forged("very long", format!("{good}{}", "A".repeat(6_000))),
        forged("another key", signed(&key, &header, &claims)),
        forged("another key and kid", signed(&key, &with(&header, "kid", "other"), &claims)),
        forged("no kid", signed(&key, &no_kid, &claims)),
        forged("role changed", swapped),
        forged("signature cut", good[..good.len() - 4].to_owned()),
    ]
}

async fn refused(client: &Client, forged: &Forged) {
    for route in local::functions::table().iter().filter(|route| route.access != Access::Public) {
        let call =
            client.request(route.method.clone(), concrete(&route.path)).bearer(&forged.token);
        let answer = call.send().await.expect_error_for(forged.problem, forged.how);
        // A header without a token counts as no header (RFC 6750, section 3.1).
        let expected = match forged.problem {
            Problem::NoAuthorization => "Bearer",
            _ => r#"Bearer error="invalid_token""#,
        };
        assert_eq!(answer.header("www-authenticate"), expected, "{}", forged.how);
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
        call().send().await.expect_error(Problem::NoAuthorization);
        call().header("authorization", "").send().await.expect_error(Problem::NoAuthorization);
        call()
            .header("authorization", "Basic YTpi")
            .send()
            .await
            .expect_error(Problem::NoAuthorization);
        call()
            .header("authorization", [0xff, 0xfe])
            .send()
            .await
            .expect_error(Problem::NoAuthorization);
    }
    // Instances remember it.
    client.get("/api/account/me").bearer(&admin.access_token).send().await.expect(200);
    for forged in forgeries(&admin.access_token) {
        refused(&client, &forged).await;
    }
    stack.clock().advance(Duration::from_secs(601));
    let expired = Forged {
        how: "expired",
        token: admin.access_token.clone(),
        problem: Problem::TokenExpired,
    };
    refused(&client, &expired).await;
}

/// The algorithm is pinned: under another algorithm, neither the deployment's own signature nor a MAC with
/// its public key is accepted.
#[tokio::test]
async fn a_token_of_another_algorithm_is_refused() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let (header, claims) = (part(&admin.access_token, 0), part(&admin.access_token, 1));
    let key = own_key(&stack).await;
    let good = signed(&key, &header, &claims);
    client.get("/api/account/me").bearer(&good).send().await.expect(200);
    for alg in ["HS256", "ES256", "RS256", "PS512", "Ed25519", "eddsa", ""] {
        let token = signed(&key, &with(&header, "alg", alg), &claims);
        refused(&client, &forged("checklist 25: other names", token)).await;
    }
    for alg in ["none", "None", "EdDSA"] {
        let token = format!("{}.", unsigned(&with(&header, "alg", alg), &claims));
        refused(&client, &forged("checklist 25: none", token)).await;
    }
    let jwks = client.get("/.well-known/jwks.json").send().await.expect(200);
    let x = jwks.body["keys"][0]["x"].as_str().unwrap();
    for secret in [BASE64_URL_SAFE_NO_PAD.decode(x).unwrap(), x.as_bytes().to_vec()] {
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some("at+jwt".to_owned());
        header.kid = jwks.body["keys"][0]["kid"].as_str().map(str::to_owned);
        let secret = EncodingKey::from_secret(&secret);
        let token = jsonwebtoken::encode(&header, &claims, &secret).unwrap();
        refused(&client, &forged("checklist 25: public key as HMAC secret", token)).await;
    }
}

/// Neither an address nor a key in the header of a token chooses the key that checks it. Several threads run,
/// so that the bait would answer a verifier that waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn headers_that_name_another_key_are_ignored() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let (header, claims) = (part(&admin.access_token, 0), part(&admin.access_token, 1));
    let own_kid = header["kid"].as_str().unwrap();
    // A verifier that believed the header would find the key, under either id.
    let key = foreign_key();
    let bait = Bait::with(&json!({ "keys": [jwk(&key, own_kid), jwk(&key, "foreign")] })).await;
    let encrypted = bait.url.replace("http://", "https://");
    let control = Client::new(bait.url.trim_end_matches("/jwks.json"));
    let served = control.get("/jwks.json").send().await.expect(200);
    assert_eq!((&served.body["keys"][1], bait.connections()), (&jwk(&key, "foreign"), 1));

    for kid in [own_kid, "foreign"] {
        let header = with(&header, "kid", kid);
        for (how, member, value) in [
            ("checklist 26: jku", "jku", json!(bait.url)),
            ("checklist 26: jku", "jku", json!(encrypted)),
            ("checklist 26: jwk", "jwk", jwk(&key, kid)),
            ("checklist 26: x5u", "x5u", json!(bait.url)),
            ("checklist 26: x5u", "x5u", json!(encrypted)),
        ] {
            let token = signed(&key, &with(&header, member, value), &claims);
            refused(&client, &forged(how, token)).await;
            assert_eq!(bait.connections(), 1, "{how}");
        }
    }
    for kid in [&bait.url, "../../../../../../dev/null", "file:///dev/null", "/dev/null", ""] {
        let token = signed(&key, &with(&header, "kid", kid), &claims);
        refused(&client, &forged("checklist 26: kid", token)).await;
        assert_eq!(bait.connections(), 1, "{kid}");
    }
    // The same headers change nothing of a token with a valid signature.
    let own = own_key(&stack).await;
    for (member, value) in
        [("jku", json!(bait.url)), ("jwk", jwk(&key, own_kid)), ("x5u", json!(bait.url))]
    {
        let token = signed(&own, &with(&header, member, value), &claims);
        client.get("/api/account/me").bearer(&token).send().await.expect(200);
        assert_eq!(bait.connections(), 1, "{member}");
    }
}

/// A token with a valid signature is accepted only within its times, whether or not an instance remembers it.
/// The clock of the instance that issued it may be 5 seconds ahead.
#[tokio::test]
async fn a_token_is_accepted_within_its_times() {
    const LEEWAY: i64 = 5;
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let (header, claims) = (part(&admin.access_token, 0), part(&admin.access_token, 1));
    let key = own_key(&stack).await;
    let token = |claim: &str, value: Value| signed(&key, &header, &with(&claims, claim, value));
    let me = async |token: &str| client.get("/api/account/me").bearer(token).send().await;
    stack.clock().stop();
    let now = stack.clock().now().past_seconds();

    let early = [
        ("checklist 27: nbf", token("nbf", json!(now + LEEWAY + 1))),
        ("checklist 27: iat", token("iat", json!(now + LEEWAY + 1))),
    ];
    for (how, token) in early.clone() {
        refused(&client, &forged(how, token)).await;
    }
    let over = token("exp", json!(now));
    refused(
        &client,
        &Forged { how: "checklist 27: exp", token: over, problem: Problem::TokenExpired },
    )
    .await;
    for claim in ["nbf", "iat", "exp"] {
        let text = token(claim, json!("1700000000"));
        assert_eq!(me(&text).await.expect_error_shape().code(), "4002", "{claim} is text");
    }
    for claim in ["iat", "exp"] {
        let missing = token(claim, Value::Null);
        assert_eq!(me(&missing).await.expect_error_shape().code(), "4002", "no {claim}");
    }
    for (claim, at) in
        [("nbf", now - 1), ("nbf", now + LEEWAY), ("iat", now + LEEWAY), ("exp", now + 1)]
    {
        me(&token(claim, json!(at))).await.expect(200);
    }
    // Only the time was wrong.
    stack.clock().advance(Duration::from_secs(1));
    for (_, token) in early {
        me(&token).await.expect(200);
    }
}

/// A token of another deployment or of another kind has a valid signature and is still refused.
#[tokio::test]
async fn a_token_of_another_issuer_audience_or_type_is_refused() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let (header, claims) = (part(&admin.access_token, 0), part(&admin.access_token, 1));
    let key = own_key(&stack).await;
    for value in [json!("JWT"), json!("jwt"), json!("id+jwt"), Value::Null] {
        let token = signed(&key, &with(&header, "typ", value), &claims);
        refused(&client, &forged("checklist 28: typ", token)).await;
    }
    for value in [json!("elsewhere"), json!(""), Value::Null] {
        let token = signed(&key, &header, &with(&claims, "iss", value.clone()));
        refused(&client, &forged("checklist 29: iss", token)).await;
        let token = signed(&key, &header, &with(&claims, "aud", value));
        refused(&client, &forged("checklist 29: aud", token)).await;
    }
    let good = signed(&key, &header, &claims);
    client.get("/api/account/me").bearer(&good).send().await.expect(200);
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
            let refused = call.json(&json!({})).send().await;
            refused.expect_error_for(Problem::Forbidden, "checklist 32: users");
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
        (stale.as_str(), Problem::TokenExpired),
        ("Bearer garbage", Problem::InvalidToken),
        ("Basic YTpi", Problem::NoAuthorization),
        ("", Problem::NoAuthorization),
    ];
    for (header, problem) in headers {
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
            call.send().await.expect_error(problem);
        }
    }
    let unsigned = "/api/vm-transactions?state_eq=unsigned&runeId_eq=840000:3";
    let none = client.get(unsigned).send().await.expect(200);
    assert_eq!(none.body["metaData"]["totalItems"], 0, "without a token the list is empty");
}
