//! Requests through CloudFront, which authenticates itself by a secret and reports the client's address.

use std::{sync::Arc, time::Duration};

use base::{aws::Parameters, clock::SystemClock, outbound::Outbound};
use local::{LocalStack, client::Client};
use shared::{auth::limits::CHALLENGE_BY_SOURCE, problem::Problem};

const PARAMETER: &str = "/runeport/behind-cloudfront/edge-secret";
const CHALLENGE: &str =
    "/auth/wallet/challenge?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&chain=evm";

async fn store(stack: &LocalStack, name: &str, secrets: &str) {
    let aws = stack.app().config.aws.clone();
    let parameters = Parameters::new(aws, Outbound::new(), Arc::new(SystemClock));
    parameters.put_secret(name, &secrets.into()).await.unwrap();
}

/// A world behind CloudFront, whose secret is in its own parameter.
async fn world(name: &str, secrets: &str) -> (LocalStack, Client) {
    let stack = LocalStack::start().await;
    let name = format!("{PARAMETER}-{name}");
    store(&stack, &name, secrets).await;
    let app = stack.app().changed(&[("EDGE_SECRET", &format!("ssm:{name}"))]);
    let client = stack.serve_app(app, (auth::routes(), account::routes())).await;
    (stack, client)
}

/// Requests a challenge through CloudFront with this secret for this client, and returns the status.
async fn challenge(client: &Client, secret: &str, viewer: &str) -> u16 {
    let call = client.get(CHALLENGE).header("x-edge-secret", secret);
    call.header("cloudfront-viewer-address", viewer).send().await.status
}

#[tokio::test]
async fn only_what_cloudfront_passes_on_is_answered() {
    let secret = "s".repeat(40);
    let (_stack, client) = world("answers", &secret).await;
    assert_eq!(challenge(&client, &secret, "198.51.100.1:1").await, 200);
    client.get(CHALLENGE).send().await.expect_error(Problem::NotFound);
    for wrong in ["", "s", &"s".repeat(39), &"s".repeat(41), &"t".repeat(40)] {
        assert_eq!(challenge(&client, wrong, "198.51.100.1:1").await, 404, "{wrong}");
    }
    // CloudFront always reports the client's address.
    let silent = client.get(CHALLENGE).header("x-edge-secret", &secret);
    silent.send().await.expect_error(Problem::Unavailable);
}

#[tokio::test]
async fn limits_by_source_count_the_clients_behind_cloudfront() {
    let secret = "s".repeat(40);
    let (_stack, client) = world("limits", &secret).await;
    for attempt in 0..=CHALLENGE_BY_SOURCE.most {
        let expected = if attempt < CHALLENGE_BY_SOURCE.most { 200 } else { 429 };
        // Each connection has another port.
        let viewer = format!("198.51.100.1:{}", 1_024 + attempt);
        assert_eq!(challenge(&client, &secret, &viewer).await, expected, "{attempt}");
    }
    assert_eq!(challenge(&client, &secret, "198.51.100.2:1024").await, 200);
    assert_eq!(challenge(&client, &secret, "2001:db8::1:1024").await, 200);
}

/// Custody rule 32: a customer with a /56 has 256 networks, each of which would count as one source by
/// itself.
#[tokio::test]
async fn custody_32_networks_of_one_ipv6_customer_count_together() {
    let secret = "s".repeat(40);
    let (_stack, client) = world("networks", &secret).await;
    let ask = async |network: &str| {
        challenge(&client, &secret, &format!("2001:db8:{network}::1:1024")).await
    };
    for network in ["1:0", "1:1", "1:2", "1:3"] {
        for attempt in 0..=CHALLENGE_BY_SOURCE.most {
            let expected = if attempt < CHALLENGE_BY_SOURCE.most { 200 } else { 429 };
            assert_eq!(ask(network).await, expected, "{network}, {attempt}");
        }
    }
    assert_eq!(ask("1:4").await, 429, "a fifth network of the same /56");
    assert_eq!(ask("1:ff").await, 429, "the last one");
    assert_eq!(ask("1:100").await, 200, "the next /56");
    assert_eq!(ask("2:0").await, 200, "another /48");
}

#[tokio::test]
async fn a_secret_is_replaced_without_a_gap() {
    let (old, new) = ("o".repeat(40), "n".repeat(40));
    let (stack, client) = world("rotation", &old).await;
    let viewer = "198.51.100.1:1";
    assert_eq!(challenge(&client, &old, viewer).await, 200);
    assert_eq!(challenge(&client, &new, viewer).await, 404);
    store(&stack, &format!("{PARAMETER}-rotation"), &format!("{new} {old}")).await;
    stack.clock().advance(Duration::from_secs(301));
    assert_eq!(challenge(&client, &old, viewer).await, 200);
    assert_eq!(challenge(&client, &new, viewer).await, 200);
    store(&stack, &format!("{PARAMETER}-rotation"), &new).await;
    stack.clock().advance(Duration::from_secs(301));
    assert_eq!(challenge(&client, &old, viewer).await, 404);
    assert_eq!(challenge(&client, &new, viewer).await, 200);
}

#[tokio::test]
async fn without_its_secret_nothing_is_answered() {
    let (_stack, client) = world("short", "too short").await;
    let call = client.get(CHALLENGE).header("x-edge-secret", "too short");
    call.send().await.expect_error(Problem::Unavailable);
}
