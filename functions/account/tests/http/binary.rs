//! The binary in its own process behind a gateway, as Lambda runs it.

use std::{path::Path, sync::Arc};

use local::{
    LocalStack, Wallet, functions,
    lambda::{Function, Gateway},
    sign_in,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_binary_responds_like_its_routes() {
    let stack = LocalStack::start().await;
    let routes = stack.serve(functions::routes()).await;
    let token = sign_in(&routes, &Wallet::p2wpkh(1)).await.access_token;

    let binary = Path::new(env!("CARGO_BIN_EXE_account"));
    let function = Arc::new(Function::start(binary, stack.settings()).await.unwrap());
    let gateway = Gateway::default();
    let server = gateway.serve(function.clone()).await.unwrap();
    let binary = stack.client(server.url());

    let body = json!({ "slot": "input", "tokenId": "0:0" });
    for (method, path, body, status) in [
        ("GET", "/api/account/me", None, 200),
        ("GET", "/api/account/activity?page=1&select=change,createdAt", None, 200),
        ("GET", "/api/account/me?one", None, 200),
        ("PATCH", "/api/account/default-token", Some(&body), 400),
        ("PATCH", "/api/account/me", Some(&body), 405),
        ("GET", "/api/account/nothing/here", None, 404),
    ] {
        let mut answers = Vec::new();
        for client in [&routes, &binary] {
            let call = client.request(method.parse().unwrap(), path).bearer(&token);
            let mut answer = body.into_iter().fold(call, |call, body| call.json(body)).send().await;
            if let Some(body) = answer.body.as_object_mut() {
                body.remove("requestId");
            }
            answers.push((answer.status, answer.body));
        }
        assert_eq!(answers[0], answers[1], "{method} {path}");
        assert_eq!(answers[1].0, status, "{method} {path}: {}", answers[1].1);
    }

    let taken = gateway.take();
    assert_eq!(taken.len(), 6);
    let before = function.started().peak_kib;
    assert!(taken.iter().all(|invocation| invocation.peak_kib >= before), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_settings_the_binary_exits_before_it_is_ready() {
    let stack = LocalStack::start().await;
    let mut settings = stack.settings().clone();
    settings.remove("ACCOUNTS_TABLE").unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_account"));
    let refused = Function::start(binary, &settings).await.unwrap_err();
    assert!(refused.to_string().contains("ended"), "{refused}");
}
