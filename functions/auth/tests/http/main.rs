//! HTTP tests of the endpoints of `auth` on the local stack.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod challenge;
mod edge;
mod enumeration;
mod guessing;
mod keys;
mod passkeys;
mod rate_limits;
mod reauthenticate;
mod refresh_token;
mod register_wallet;
mod sessions;
mod sign_in;
mod srp;
mod trading_wallet;
mod wallet_forms;

use local::{
    LocalStack,
    client::{Answer, Client},
    wallets::SignedIn,
};
use serde_json::{Value, json};

/// A fresh world with the endpoints for sign-in and accounts.
async fn world() -> (LocalStack, Client) {
    world_of(LocalStack::start().await).await
}

async fn world_of(stack: LocalStack) -> (LocalStack, Client) {
    let client = stack.serve((auth::routes(), account::routes())).await;
    (stack, client)
}

async fn post(client: &Client, caller: &SignedIn, path: &str, body: &Value) -> Answer {
    client.post(path).bearer(&caller.access_token).json(body).send().await
}

/// Whether a sensitive endpoint still accepts this session's access token.
async fn is_alive(client: &Client, signed_in: &SignedIn) -> bool {
    client.get("/auth/sessions").bearer(&signed_in.access_token).send().await.status == 200
}

async fn refresh(client: &Client, token: &str) -> Answer {
    client.post("/auth/refresh-token").json(&json!({ "refreshToken": token })).send().await
}

/// The session with the two tokens of an answer.
fn pair(answer: &Answer, of: &SignedIn) -> SignedIn {
    SignedIn {
        access_token: answer.text_of("accessToken").to_owned(),
        refresh_token: answer.text_of("refreshToken").to_owned(),
        ..of.clone()
    }
}
