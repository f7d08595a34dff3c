//! Tests of webhooks through HTTP: their endpoints, and what receivers get.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod deployment;
mod endpoints;
mod failures;
mod isolation;
mod order;
mod receiver;
mod verification;

use std::time::Duration;

use local::{
    LocalStack,
    client::{Answer, Client},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::event::{EventType, StateChange},
};
use store::Writes;
use tokio::time::sleep;

/// A world with a caller who has just signed in.
struct World {
    stack: LocalStack,
    client: Client,
    user: SignedIn,
}

impl World {
    async fn start() -> Self {
        let stack = LocalStack::start().await;
        let client = stack.serve((auth::routes(), account::routes())).await;
        let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
        Self { stack, client, user }
    }

    /// Signs in again, since changes need a recent sign-in.
    async fn signed_in(&mut self) -> &SignedIn {
        self.user = sign_in(&self.client, &Wallet::p2wpkh(1)).await;
        &self.user
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        let call = self.client.post(format!("/api/webhooks{path}"));
        call.bearer(&self.user.access_token).json(body).send().await
    }

    async fn get(&self, path: &str) -> Answer {
        let call = self.client.get(format!("/api/webhooks{path}"));
        call.bearer(&self.user.access_token).send().await
    }

    async fn patch(&self, id: &str, body: &Value) -> Answer {
        let call = self.client.patch(format!("/api/webhooks/{id}"));
        call.bearer(&self.user.access_token).json(body).send().await
    }

    async fn delete(&self, id: &str) -> Answer {
        let call = self.client.delete(format!("/api/webhooks/{id}"));
        call.bearer(&self.user.access_token).send().await
    }

    /// Adds a webhook; returns its id and its secret.
    async fn add(&self, url: &str) -> (String, String) {
        let added = self.post("", &json!({ "url": url })).await.expect(201);
        let text = |name: &str| added.data()[name].as_str().unwrap().to_owned();
        (text("id"), text("secret"))
    }

    /// Sends a test while the workers run; returns its outcome.
    async fn test(&self, id: &str) -> Value {
        let (path, body) = (format!("/{id}/test"), json!({}));
        let asked = async { self.post(&path, &body).await.expect(200).data().clone() };
        let mut asked = std::pin::pin!(asked);
        loop {
            tokio::select! {
                answer = &mut asked => return answer,
                () = sleep(Duration::from_millis(100)) => {
                    self.stack.tell_webhooks().await;
                }
            }
        }
    }

    /// The webhook as its endpoint shows it.
    async fn row(&self, id: &str) -> Value {
        self.get(&format!("/{id}")).await.expect(200).data().clone()
    }

    /// The log of a webhook without its verifications, oldest first.
    async fn deliveries(&self, id: &str) -> Vec<Value> {
        let mut rows = self.log(id).await;
        rows.retain(|row| row["cause"] != "verification");
        rows
    }

    /// The log of a webhook, oldest first.
    async fn log(&self, id: &str) -> Vec<Value> {
        let found = self.get(&format!("/{id}/deliveries?limit=100")).await.expect(200);
        let mut rows = found.data().as_array().unwrap().clone();
        rows.reverse();
        rows
    }

    /// Appends `events` events to the caller's list.
    async fn tell(&self, events: u64) {
        for _ in 0..events {
            self.tell_one(EventType::Refund).await;
        }
    }

    async fn tell_one(&self, kind: EventType) {
        let list = EventList::of_account(self.user.account.parse().unwrap());
        let change = StateChange::of_state(kind, "ab".repeat(32), Some("unsigned"), "signed");
        let told = Writes::<()>::new().tell(list, change);
        self.stack.app().store.commit(told).await.unwrap();
    }
}
