//! The address of ord, which may hold a provider's key, is kept in SSM.

use std::{sync::Arc, time::Duration};

use base::{aws::Parameters, clock::SystemClock, outbound::Outbound};
use local::{
    LocalStack,
    client::{Answer, Client},
};
use shared::problem::Problem;

use crate::prize;

/// No server listens here.
const NOWHERE: &str = "http://127.0.0.1:1/key";

/// A world whose functions read the address of ord in SSM.
async fn world() -> (LocalStack, Client) {
    let stack = LocalStack::builder().stores_addresses().build().await;
    let client = stack.serve((auth::routes(), prizes::routes())).await;
    (stack, client)
}

/// Registers a prize, for which the service asks ord. Signs in each time, because tokens expire during these
/// tests.
async fn register(stack: &LocalStack, client: &Client, number: u64) -> Answer {
    let admin = local::admin(stack, client).await;
    let body = prize(stack, number);
    client.post("/api/prizes").bearer(&admin.access_token).json(&body).send().await
}

/// The name of the parameter.
fn parameter(stack: &LocalStack) -> &str {
    stack.settings()["ORD_URL"].strip_prefix("ssm:").unwrap()
}

async fn store(stack: &LocalStack, address: &str) {
    let aws = stack.app().config.aws.clone();
    let parameters = Parameters::new(aws, Outbound::new(), Arc::new(SystemClock));
    parameters.put_secret(parameter(stack), &address.into()).await.unwrap();
}

#[tokio::test]
async fn a_changed_address_is_taken_without_a_deployment() {
    let (stack, client) = world().await;
    let register = async |number| register(&stack, &client, number).await;
    register(1).await.expect(201);
    store(&stack, NOWHERE).await;
    register(2).await.expect(201);
    stack.clock().advance(Duration::from_secs(301));
    register(3).await.expect_error(Problem::ChainUnavailable);
    // A trailing slash and newline do not belong to the address.
    store(&stack, &format!("{}/\n", stack.ord().url())).await;
    stack.clock().advance(Duration::from_secs(301));
    register(3).await.expect(201);
}

#[tokio::test]
async fn what_cannot_be_read_again_is_used_for_an_hour() {
    let (stack, client) = world().await;
    let register = async |number| register(&stack, &client, number).await;
    register(1).await.expect(201);
    store(&stack, "no address").await;
    stack.clock().advance(Duration::from_secs(301));
    register(2).await.expect(201);
    stack.clock().advance(Duration::from_secs(3_600));
    register(3).await.expect_error(Problem::Unavailable);
}

/// A party between the service and ord could invent runes in coins.
#[tokio::test]
async fn an_address_that_is_not_encrypted_is_none() {
    let (stack, client) = world().await;
    store(&stack, "http://ord.example/key").await;
    register(&stack, &client, 1).await.expect_error(Problem::Unavailable);
}

#[tokio::test]
async fn without_an_address_ord_is_not_asked() {
    let (stack, _client) = world().await;
    let app = stack.app().changed(&[("ORD_URL", "ssm:/runeport/nobody/ord-url")]);
    let client = stack.serve_app(app, (auth::routes(), prizes::routes())).await;
    register(&stack, &client, 1).await.expect_error(Problem::Unavailable);
}
