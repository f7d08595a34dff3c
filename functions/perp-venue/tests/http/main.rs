//! The endpoints of `perp-venue`, through HTTP, against a local EVM and a stand-in for the venue.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod builder_fee_approval;
mod deposit;
mod parties;
mod referral;
mod status;
mod wallets;
mod withdraw;

use alloy::primitives::{Address, utils::parse_ether};
use local::{
    LocalStack,
    client::{Answer, Client},
    stack::Builder,
    venue::{Account, Venue},
    wallets::{SignedIn, Wallet, sign_in},
};
use perp_venue::venue::usdc::{Rounding, Usdc};
use serde_json::{Value, json};

/// A stack with the venue and the account of a wallet.
struct World {
    stack: LocalStack,
    client: Client,
    wallet: Wallet,
    user: SignedIn,
}

/// A world whose wallet has 100 USDC and gas on the EVM chain, and an account at the venue that has
/// approved the builder fee.
async fn world() -> World {
    let world = world_of(LocalStack::builder().evm()).await;
    world.venue().set_usdc(world.address(), usdc("100")).await.unwrap();
    world.venue().set_gas(world.address(), parse_ether("1").unwrap()).await.unwrap();
    world.venue().set_exists(world.address(), true).await.unwrap();
    world.set(|account| account.max_builder_fee = 50);
    world
}

async fn world_of(builder: Builder) -> World {
    let stack = builder.build().await;
    let client = stack.serve((auth::routes(), (account::routes(), perp_venue::routes())));
    let (client, wallet) = (client.await, Wallet::evm(1));
    let user = sign_in(&client, &wallet).await;
    World { stack, client, wallet, user }
}

fn usdc(text: &str) -> Usdc {
    Usdc::read(text, Rounding::Down).unwrap()
}

impl World {
    fn venue(&self) -> &Venue {
        self.stack.venue()
    }

    fn address(&self) -> Address {
        self.wallet.address().parse().unwrap()
    }

    /// Changes the venue's record of the wallet.
    fn set(&self, change: impl FnOnce(&mut Account)) {
        self.venue().set(self.address(), change);
    }

    async fn post(&self, endpoint: &str, body: &Value) -> Answer {
        let call = self.client.post(format!("/api/perp-venue/{endpoint}"));
        call.bearer(&self.user.access_token).json(body).send().await
    }

    async fn deposit(&self, amount: &str) -> Answer {
        let body = json!({ "userAddress": self.wallet.address(), "amount": amount });
        self.post("deposit", &body).await
    }

    async fn withdraw(&self, amount: &str) -> Answer {
        let body = json!({ "userAddress": self.wallet.address(), "amount": amount });
        self.post("withdraw", &body).await
    }

    async fn referral(&self) -> Answer {
        self.post("referral", &json!({ "userAddress": self.wallet.address() })).await
    }

    async fn status(&self) -> Answer {
        let path = format!("/api/perp-venue/status?userAddress={}", self.wallet.address());
        self.client.get(path).bearer(&self.user.access_token).send().await
    }
}

/// The `metaData` of a success, without its position.
fn meta(answer: &Answer) -> Value {
    answer.notes()
}

/// `metaData` of a request whose checks all ran and found nothing.
fn all_well() -> Value {
    json!({ "gates": [], "checks": "complete", "warnings": [] })
}

/// The domain of typed data.
fn domain(name: &str, chain_id: u64) -> Value {
    let zero = "0x0000000000000000000000000000000000000000";
    json!({ "name": name, "version": "1", "chainId": chain_id, "verifyingContract": zero })
}

/// The fields of typed data: names and types.
fn typed(fields: &[(&str, &str)]) -> Value {
    fields.iter().map(|(name, of)| json!({ "name": name, "type": of })).collect()
}

/// The kinds and amounts of the warnings.
fn warned(answer: &Answer) -> Vec<(String, Option<String>)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let notes = meta(answer);
    let warnings = notes["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| {
            assert!(!warning["message"].as_str().unwrap().is_empty());
            (text(&warning["kind"]).unwrap(), text(&warning["amount"]))
        })
        .collect()
}

/// Asserts that the raw body contains a text.
#[track_caller]
fn says(answer: &Answer, text: &str) {
    assert!(answer.text.contains(text), "{text} in {answer}");
}
