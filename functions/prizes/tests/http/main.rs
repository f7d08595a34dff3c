//! The endpoints of `prizes`, through HTTP, on the local stack.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod idempotency;
mod list;
mod register;
mod stored_address;

use local::{LocalStack, client::Client, ord_double::Output, stack::Builder, wallets::SignedIn};
use serde_json::{Value, json};

/// A fresh world with sign-in and prizes, and its admin.
async fn world() -> (LocalStack, Client, SignedIn) {
    world_of(LocalStack::builder()).await
}

async fn world_of(builder: Builder) -> (LocalStack, Client, SignedIn) {
    let stack = builder.build().await;
    let client = stack.serve((auth::routes(), prizes::routes())).await;
    let admin = local::admin(&stack, &client).await;
    (stack, client, admin)
}

/// The body that registers prize `number`, which the treasury holds and ord knows.
fn prize(stack: &LocalStack, number: u64) -> Value {
    let body = json!({
        "prizeNumber": number,
        "name": format!("Prize {number}"),
        "inscriptionId": format!("{number:064x}i0"),
        "controllingUtxo": format!("{:064x}:1", number + 1_000),
    });
    let parsed = |field: &str| body[field].as_str().unwrap();
    let (outpoint, inscription) =
        (parsed("controllingUtxo").parse().unwrap(), parsed("inscriptionId").parse().unwrap());
    stack.ord().set(Output::holding(outpoint, &stack.app().config.treasury.address, inscription));
    body
}
