//! API Gateway events (payload format 2.0) through the code that runs on Lambda.

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::read::GzDecoder;
use lambda_http::{Context, LambdaEvent, Service, request::LambdaRequest};
use local::LocalStack;
use local::app::Served as _;
use serde_json::{Value, json};
use shared::{
    http::{Access, Routes},
    problem::Problem,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::world;

/// The response that the gateway sends to the client: status, headers, body.
struct Sent {
    status: u64,
    headers: Value,
    text: String,
    body: Value,
    /// Whether the text is base64, which the gateway decodes.
    is_base64: bool,
}

async fn send(stack: &LocalStack, method: &str, path: &str, query: &str, change: Value) -> Sent {
    let mut event = json!({
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query,
        "headers": { "host": "abc.execute-api.us-east-1.amazonaws.com", "x-forwarded-proto": "https", "x-forwarded-for": "6.6.6.6" },
        "requestContext": {
            "accountId": "0", "apiId": "abc", "domainName": "abc.execute-api.us-east-1.amazonaws.com",
            "http": { "method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "x" },
            "requestId": "gateway-request-1", "routeKey": "$default", "stage": "$default",
            "time": "12/Mar/2020:19:03:58 +0000", "timeEpoch": 1583348638390_u64,
        },
        "isBase64Encoded": false,
    });
    for (name, value) in change.as_object().unwrap() {
        if name == "headers" {
            let headers = event["headers"].as_object_mut().unwrap();
            headers.extend(value.as_object().unwrap().clone());
        } else {
            event[name] = value.clone();
        }
    }
    let request: LambdaRequest = serde_json::from_value(event).unwrap();
    let mut service = shared::lambda::service(
        local::functions::routes().over(stack.app()),
        stack.app().gate.clone(),
    );
    let answer = service.call(LambdaEvent::new(request, Context::default())).await.unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    let text = answer["body"].as_str().unwrap_or_default().to_owned();
    Sent {
        status: answer["statusCode"].as_u64().unwrap(),
        headers: answer["headers"].clone(),
        is_base64: answer["isBase64Encoded"] == true,
        body: serde_json::from_str(&text).unwrap_or_default(),
        text,
    }
}

#[tokio::test]
async fn an_event_is_answered_under_the_gateways_request_id() {
    let stack = LocalStack::start().await;
    let health = send(&stack, "GET", "/api/health", "", json!({})).await;
    assert_eq!((health.status, &health.body["data"]["status"]), (200, &json!("ok")));
    assert_eq!(health.headers["x-request-id"], "gateway-request-1");
    let unknown = send(&stack, "GET", "/nothing", "", json!({})).await;
    assert_eq!((unknown.status, &unknown.body["requestId"]), (404, &json!("gateway-request-1")));
}

#[tokio::test]
async fn bodies_come_plain_or_in_base64() {
    let stack = LocalStack::start().await;
    let body = json!({ "refreshToken": "x" }).to_string();
    for (text, encoded) in [(body.clone(), false), (BASE64_STANDARD.encode(&body), true)] {
        let change = json!({
            "headers": { "content-type": "application/json" }, "body": text, "isBase64Encoded": encoded,
        });
        let answer = send(&stack, "POST", "/auth/refresh-token", "", change).await;
        assert_eq!((answer.status, &answer.body["code"]), (400, &json!("4005")));
    }
    let long = json!({
        "headers": { "content-type": "application/json" }, "body": " ".repeat(300 * 1024),
    });
    assert_eq!(send(&stack, "POST", "/auth/refresh-token", "", long).await.status, 413);
}

/// The gateway passes texts on as they are, so compressed bytes come in base64.
#[tokio::test]
async fn a_compressed_answer_comes_in_base64() {
    let stack = LocalStack::start().await;
    for (accepted, is_packed) in [("gzip", true), ("identity", false)] {
        let change = json!({ "headers": { "accept-encoding": accepted } });
        let sent = send(&stack, "GET", "/api/openapi.json", "", change).await;
        assert_eq!((sent.status, sent.is_base64), (200, is_packed), "{accepted}");
        let text = if is_packed {
            assert_eq!(sent.headers["content-encoding"], "gzip");
            let packed = BASE64_STANDARD.decode(&sent.text).unwrap();
            std::io::read_to_string(GzDecoder::new(&*packed)).unwrap()
        } else {
            sent.text
        };
        let document: Value = serde_json::from_str(&text).unwrap();
        assert!(document["paths"]["/api/docs"].is_object());
    }
}

/// RFC 9110, section 9.3.2: no content, but the content length of a GET.
#[tokio::test]
async fn an_answer_to_head_has_no_body() {
    let stack = LocalStack::start().await;
    for (path, status) in [
        ("/api/health", 200),
        ("/api/nothing", 404),
        ("/api/account/me", 401),
        ("/auth/logout", 405),
    ] {
        let head = send(&stack, "HEAD", path, "", json!({})).await;
        assert_eq!((head.status, head.text.as_str()), (status, ""), "{path}");
        let get = send(&stack, "GET", path, "", json!({})).await;
        assert_eq!((get.status, get.text.is_empty()), (status, false), "{path}");
        for answer in [&head, &get] {
            assert_eq!(
                answer.headers["content-length"],
                json!(get.text.len().to_string()),
                "{path}"
            );
        }
    }
}

/// The client learns that the request failed, but not why.
#[tokio::test]
async fn a_panicking_handler_answers_an_internal_error() {
    async fn boom() {
        panic!("divided by zero");
    }
    let stack = LocalStack::start().await;
    let client =
        stack.serve(Routes::<account::App>::new().get(Access::Public, "/boom", boom)).await;
    for _ in 0..2 {
        let answer = client.get("/boom").send().await.expect_error(Problem::Internal);
        assert!(!answer.text.contains("zero"), "{answer}");
        assert_eq!(answer.body["requestId"], answer.header("x-request-id"));
    }
}

/// A client can put any bytes into path, query and headers; the answer keeps the error shape.
#[tokio::test]
async fn invalid_uri_bytes_are_answered_in_the_error_shape() {
    let stack = LocalStack::start().await;
    for path in [
        "",
        "/api/a b",
        "/api/é",
        "/api/a#b",
        "/api/a?b",
        "/api/\"<>",
        "/%",
        "/%zz",
        "//evil.example/",
        "\\",
        "/\u{0}",
        ":80@evil",
        "/../../x",
    ] {
        let answer = send(&stack, "GET", path, "", json!({})).await;
        assert_eq!((answer.status, &answer.body["code"]), (404, &json!("1003")), "{path:?}");
    }
    for query in ["a b", "\"", "<>", "#", "é", "%", "\u{7f}", "a[]=1", "{}|^`"] {
        let answer = send(&stack, "GET", "/api/health", query, json!({})).await;
        // They name no parameter of the endpoint.
        assert_eq!((answer.status, &answer.body["code"]), (400, &json!("1001")), "{query:?}");
    }
    for headers in [
        json!({ "host": "a b" }),
        json!({ "host": "" }),
        json!({ "x-forwarded-proto": ":" }),
        json!({ "host": "[::1" }),
    ] {
        let answer = send(&stack, "GET", "/api/health", "", json!({ "headers": headers })).await;
        assert_eq!(answer.status, 200, "{headers}");
    }
}

/// Sends a target as it is, without the client's own rules for paths.
async fn get_raw(base: &str, target: &str) -> (u64, Value) {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

/// The gateway decodes every escape of a path but `%25`, and leaves dot segments.
#[tokio::test]
async fn a_path_means_the_same_locally_and_behind_the_gateway() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let code = admin.data["account"]["referralCode"].as_str().unwrap();
    let (first, rest) = code.split_at(1);
    let first = format!("{:02X}", first.as_bytes()[0]);
    let verify = |code: &str| format!("/api/account/referral-code/{code}/verify");
    let is_valid = |answer: &Value| answer["data"]["valid"].as_bool();
    for (sent, raw_path, status, valid) in [
        (verify(code), verify(code), 200, Some(true)),
        (verify(&format!("%{first}{rest}")), verify(code), 200, Some(true)),
        (verify(code).replace("/verify", "%2Fverify"), verify(code), 200, Some(true)),
        // The escape of a `%` is decoded once, and what follows it is text.
        (
            verify(&format!("%25{first}{rest}")),
            verify(&format!("%25{first}{rest}")),
            200,
            Some(false),
        ),
        ("/api/%68ealth".to_owned(), "/api/health".to_owned(), 200, None),
        ("/api%2fhealth?deep=0".to_owned(), "/api/health".to_owned(), 200, None),
    ] {
        let query = sent.split_once('?').map_or("", |(_, query)| query);
        let event = send(&stack, "GET", &raw_path, query, json!({})).await;
        let (local_status, local_body) = get_raw(client.base(), &sent).await;
        assert_eq!((event.status, local_status), (status, status), "{sent}: {local_body}");
        assert_eq!((is_valid(&event.body), is_valid(&local_body)), (valid, valid), "{sent}");
    }
    for (sent, raw_path) in [
        ("/api/%2568ealth", "/api/%2568ealth"),
        ("/api/health%25", "/api/health%25"),
        ("/api/health%2F", "/api/health/"),
        ("/api/health%3Fdeep=1", "/api/health?deep=1"),
        ("/api/health%23", "/api/health#"),
        ("/api/health%00", "/api/health\u{0}"),
        ("/api/../api/health", "/api/../api/health"),
        ("/api/./health", "/api/./health"),
        ("/api/%2e%2E/api/health", "/api/../api/health"),
        ("/api/health/..", "/api/health/.."),
        ("//api/health", "//api/health"),
        ("/api/%C3%A9", "/api/é"),
        ("/api/%FF", "/api/\u{fffd}"),
        ("/api/%zz", "/api/%zz"),
        ("/%", "/%"),
    ] {
        let event = send(&stack, "GET", raw_path, "", json!({})).await;
        let (local_status, local_body) = get_raw(client.base(), sent).await;
        assert_eq!((event.status, local_status), (404, 404), "{sent}: {local_body}");
        for field in ["code", "message", "details"] {
            assert_eq!(event.body[field], local_body[field], "{sent}");
        }
    }
}

/// The plus in `select` is read correctly whether the gateway passes it on raw or escaped.
#[tokio::test]
async fn a_query_keeps_its_plus() {
    let stack = LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    let admin = local::admin(&stack, &client).await;
    let headers =
        json!({ "headers": { "authorization": format!("Bearer {}", admin.access_token) } });
    for query in ["select=+lastSignInAt", "select=%2BlastSignInAt", "select=email,+lastSignInAt"] {
        let answer = send(&stack, "GET", "/api/account", query, headers.clone()).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.body);
        assert!(answer.body["data"][0]["lastSignInAt"].is_i64(), "{query}");
    }
}

/// The client's address comes from the gateway, not from a header.
#[tokio::test]
async fn a_session_records_the_client_address_from_the_gateway() {
    let stack = LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    let wallet = local::Wallet::p2wpkh(1);
    let body = wallet.signed(&format!("Sign in to Runeport: {}", client.now().0)).to_string();
    let change = json!({ "headers": { "content-type": "application/json" }, "body": body });
    let signed_in = send(&stack, "POST", "/auth/authenticate", "", change).await;
    let token = signed_in.body["data"]["accessToken"].as_str().unwrap();
    let sessions = client.get("/auth/sessions").bearer(token).send().await.expect(200);
    assert_eq!(sessions.data()[0]["sourceIp"], "192.0.2.1");
}
