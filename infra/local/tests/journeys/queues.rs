//! The chain watcher's queues are independent of each other.

use std::time::Duration;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use chain::{
    keys,
    models::xchain::{XchainRecord, XchainStatus},
};
use http::{StatusCode, header};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use local::{
    LocalStack,
    hub::swap,
    server::Server,
    wallets::{Wallet, sign_in},
};
use serde_json::json;

use crate::world;

/// A DynamoDB proxy that refuses the query for due rows of one queue.
#[derive(Clone)]
struct Refusing {
    queue: &'static str,
    to: String,
    http: Client<HttpConnector, Body>,
}

async fn forward(State(refusing): State<Refusing>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let text = String::from_utf8_lossy(&body);
    if text.contains("dueAt <= :now") && text.contains(&format!("\"{}\"", refusing.queue)) {
        let kind = "com.amazonaws.dynamodb.v20120810#AccessDeniedException";
        return (StatusCode::BAD_REQUEST, json!({ "__type": kind }).to_string()).into_response();
    }
    parts.uri = format!("{}{}", refusing.to, parts.uri.path()).parse().unwrap();
    parts.headers.remove(header::HOST);
    let answer = refusing.http.request(Request::from_parts(parts, Body::from(body))).await;
    answer.unwrap().map(Body::new).into_response()
}

/// The app of a world whose DynamoDB refuses one queue, and the server that refuses.
async fn refusing(stack: &LocalStack, queue: &'static str) -> (chain_watcher::App, Server) {
    const ENDPOINT: &str = "AWS_ENDPOINT_URL_DYNAMODB";
    let to = stack.settings()[ENDPOINT].trim_end_matches('/').to_owned();
    let http = Client::builder(TokioExecutor::new()).build_http();
    let router = Router::new().fallback(forward).with_state(Refusing { queue, to, http });
    let server = Server::start(router).await.unwrap();
    let app = stack.app().changed(&[(ENDPOINT, server.url())]);
    (app.function(), server)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_an_error_in_one_queue_does_not_stop_the_others() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let owner = sign_in(&client, &wallet).await;
    let swap = swap(&wallet, 1);
    stack.hub().know(swap.clone());
    let call = client.post("/api/xchain/transactions/register").bearer(&owner.access_token);
    call.json(&json!(swap)).send().await.expect(200);
    let key = keys::xchain_swap(swap.intent_tx_hash, owner.account.parse().unwrap());
    let status =
        async || stack.app().store.get::<XchainRecord>(&key).await.unwrap().unwrap().status;
    for (queue, next) in [
        ("payout", XchainStatus::Relaying),
        ("stuckMint", XchainStatus::Relayed),
        ("transaction", XchainStatus::Solving),
    ] {
        stack.hub().set_status(swap.intent_tx_hash, next);
        stack.clock().advance(Duration::from_secs(120));
        let (app, _server) = refusing(&stack, queue).await;
        // The run reports a failure, but has done the rest of its work.
        let error = chain_watcher::run(app).await.unwrap_err();
        assert!(format!("{error:?}").contains("AccessDenied"), "{error:?}");
        assert_eq!(status().await, next, "{queue}");
    }
    // Rows of the refused queue are not processed.
    stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Filled);
    stack.clock().advance(Duration::from_secs(120));
    let (app, _server) = refusing(&stack, "swap").await;
    chain_watcher::run(app).await.unwrap_err();
    assert_eq!(status().await, XchainStatus::Solving);
}
