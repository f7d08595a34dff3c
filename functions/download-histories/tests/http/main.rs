//! The endpoints of `download-histories`, through HTTP, on the local stack.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod create;
mod list;
mod remove;

use std::time::Duration;

use base::clock::Clock;
use local::{
    Client, LocalStack,
    client::Answer,
    histories,
    wallets::{SignedIn, Wallet, sign_in},
};
use outbox::exports::Export;
use serde_json::{Value, json};
use shared::{keys, models::account::AccountId};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A fresh world with sign-in and exports, and a signed-in user.
async fn world() -> (LocalStack, Client, SignedIn) {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), download_histories::routes())).await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    (stack, client, user)
}

fn account(user: &SignedIn) -> AccountId {
    user.account.parse().unwrap()
}

async fn ask(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.post("/api/download-histories").bearer(&user.access_token);
    call.json(body).send().await
}

/// Requests an export with this filter, and expects success.
async fn asked(client: &Client, user: &SignedIn, filter: &Value) -> Answer {
    ask(client, user, &json!({ "format": "csv", "filter": filter })).await.expect(201)
}

async fn listed(client: &Client, user: &SignedIn, query: &str) -> Answer {
    let path = format!("/api/download-histories{query}");
    client.get(path).bearer(&user.access_token).send().await.expect(200)
}

/// The newest export in the list.
async fn newest(client: &Client, user: &SignedIn) -> Value {
    listed(client, user, "").await.data()[0].clone()
}

async fn row(stack: &LocalStack, id: &Value) -> Export {
    let key = keys::export(id.as_str().unwrap().parse().unwrap());
    stack.app().store.get(&key).await.unwrap().unwrap()
}

/// Gives a user a history of swaps one hour apart, the newest one hour old.
fn plant_swaps(stack: &LocalStack, user: &SignedIn, count: u64) {
    let account = account(user);
    let now = stack.clock().now();
    let ago = |place: u64| now.minus(Duration::from_secs(3_600 * (count - place)));
    histories::plant(stack, account, count, |n| histories::swap(account, n, ago(n))).unwrap();
}

/// Downloads the file behind a link.
async fn download(link: &Value) -> Answer {
    Client::new("").get(link.as_str().unwrap()).header("accept", "*/*").send().await
}
