//! Journeys through several functions, and properties of every endpoint.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod authorization;
mod bad_input;
mod contract_wallet;
mod conventions;
mod cors;
mod ended_sessions;
mod lambda_events;
mod queues;
mod traces;

use local::{LocalStack, client::Client};

/// A fresh world that serves every function.
async fn world() -> (LocalStack, Client) {
    let stack = LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    (stack, client)
}

/// A route's path with its variable segments filled in.
fn concrete(path: &str) -> String {
    let fill = |segment: &str| {
        if segment == "{txId}" {
            format!("{:064x}", 1)
        } else if segment.starts_with('{') {
            "018bcfe5-6800-7000-8000-000000000001".to_owned()
        } else {
            segment.to_owned()
        }
    };
    path.split('/').map(fill).collect::<Vec<_>>().join("/")
}
