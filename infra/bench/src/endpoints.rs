//! What each endpoint asks of DynamoDB, and what that costs.

use local::{LocalStack, SignedIn, Wallet, client::Answer, ord_double::Output, wallets};
use serde_json::{Value, json};

use crate::counting;

/// Calls each endpoint once, and prints what was counted.
pub(crate) async fn measure(stack: &LocalStack) {
    let (_server, client, http) = counting::serve(stack).await;

    println!(
        "### DynamoDB, per request\n\n| Request | Operations | Capacity units |\n|---|---|---|"
    );
    let print = |name: &str, answer: Answer| {
        assert!(answer.status < 300, "{answer}");
        let count = http.take();
        println!("| {name} | {} | {} |", operations(&count.operations), count.capacity);
        answer
    };
    let send = async |name: &str, method: &str, path: &str, token: &str, body: Option<Value>| {
        let call = client.request(method.parse().unwrap(), path);
        let call = if token.is_empty() { call } else { call.bearer(token) };
        let call = match &body {
            Some(body) => call.json(body),
            None => call,
        };
        print(name, call.send().await)
    };

    let admin = wallets::admin(stack, &client).await;
    let token = admin.access_token.as_str();
    let wallet = Wallet::p2wpkh(1_001);
    http.take();
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let challenge = send("GET /auth/wallet/challenge", "GET", &path, "", None).await;
    let body = Some(wallet.signed_challenge(&challenge));
    send("POST /auth/authenticate, a new wallet", "POST", "/auth/authenticate", "", body).await;
    let body = Some(wallet.signed(&format!("Sign in to Runeport: {}", client.now().0)));
    let user =
        send("POST /auth/authenticate, a known wallet", "POST", "/auth/authenticate", "", body)
            .await;
    let user = user.text_of("accessToken");
    send("GET /api/account/me", "GET", "/api/account/me", user, None).await;
    let code = admin.data["account"]["referralCode"].as_str().unwrap();
    let path = format!("/api/account/referral-code/{code}/verify");
    send("GET …/referral-code/{code}/verify", "GET", &path, "", None).await;
    send("GET /api/account", "GET", "/api/account", token, None).await;
    register(stack, &send, token).await;
    send("GET /api/prizes", "GET", "/api/prizes", token, None).await;
    let sessions = send("GET /auth/sessions", "GET", "/auth/sessions", token, None).await;
    let other = sessions
        .data()
        .as_array()
        .unwrap()
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    let path = format!("/auth/sessions/{}", other["id"].as_str().unwrap());
    send("DELETE /auth/sessions/{id}", "DELETE", &path, token, None).await;
    leave(&send, &admin).await;
    println!();
}

async fn register(
    stack: &LocalStack,
    send: &impl AsyncFn(&str, &str, &str, &str, Option<Value>) -> Answer,
    token: &str,
) {
    let (utxo, inscription) = (format!("{:064x}:0", 1), format!("{:064x}i0", 1));
    let treasury = &stack.app().config.treasury;
    stack.ord().set(Output::holding(utxo.parse().unwrap(), treasury, inscription.parse().unwrap()));
    let body = json!({ "prizeNumber": 1, "name": "Prize", "inscriptionId": inscription, "controllingUtxo": utxo });
    send("POST /api/prizes", "POST", "/api/prizes", token, Some(body)).await;
}

async fn leave(
    send: &impl AsyncFn(&str, &str, &str, &str, Option<Value>) -> Answer,
    admin: &SignedIn,
) {
    let body = Some(json!({ "refreshToken": admin.refresh_token }));
    let pair = send("POST /auth/refresh-token", "POST", "/auth/refresh-token", "", body).await;
    send("POST /auth/logout", "POST", "/auth/logout", pair.text_of("accessToken"), None).await;
}

fn operations(operations: &[String]) -> String {
    if operations.is_empty() { "none".to_owned() } else { operations.join(" + ") }
}
