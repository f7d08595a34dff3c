//! Wallets that use the answers of `perp-venue`: the scripts in `venue/`, in JavaScript and in Python,
//! against a local EVM with test contracts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::{path::Path, sync::Arc};

use local::{
    LocalStack, functions, levers, server::Server, stack::Builder, wallets::Wallet, workspace,
};
use serde_json::Value;
use tokio::process::Command;

/// The command for a script: the interpreter with its packages.
fn script(name: &str) -> Command {
    let python = workspace::local_dir().join("wallet-venv/bin/python");
    let packages = workspace::node_modules();
    for tool in [&python, &packages] {
        assert!(tool.exists(), "{} is missing: run `make setup`", tool.display());
    }
    let program = if name.ends_with(".py") { python } else { "node".into() };
    let mut command = Command::new(program);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/venue").join(name));
    command
}

/// Runs scripts one after another against their own world, served as the dev server does; returns the output
/// of each.
async fn run<const N: usize>(world: Builder, names: [&str; N], nonce: &str) -> [String; N] {
    let world = Arc::new(world.evm().build().await);
    let routes = world.service(functions::routes());
    let router = levers::router(world.clone()).fallback_service(routes);
    let server = Server::start(router).await.unwrap();
    let mut printed = Vec::new();
    for name in names {
        let output = script(name)
            .env("BASE", server.url())
            .env("KEY", format!("0x{}", Wallet::evm(9).private_key()))
            .env("NONCE", nonce)
            .kill_on_drop(true)
            .output()
            .await
            .expect("the interpreter runs");
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name}\n{out}\n{err}");
        printed.push(out.trim().to_owned());
    }
    printed.try_into().unwrap()
}

/// Both transactions are mined in order, the allowance is used up, and the events are exact; without the
/// approval the deposit reverts.
#[tokio::test(flavor = "multi_thread")]
async fn deposits_work_with_viem_and_eth_account() {
    run(LocalStack::builder(), ["deposit.mjs", "deposit.py"], "0").await;
}

/// The same with the chain id and addresses of the main network.
#[tokio::test(flavor = "multi_thread")]
async fn deposits_work_with_mainnet_addresses() {
    let mainnet = LocalStack::builder().setting("PERP_VENUE_CHAIN", "Mainnet");
    run(mainnet, ["deposit.py", "deposit.mjs"], "0").await;
}

/// The stand-in takes what a wallet has signed, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn the_exchange_does_what_a_wallet_has_signed() {
    run(LocalStack::builder(), ["exchange.mjs"], "0").await;
}

/// Two SDKs produce the same signatures; the bytes that set a referrer are those that the venue hashes.
#[tokio::test(flavor = "multi_thread")]
async fn two_sdks_sign_actions_identically() {
    let mut short = false;
    for (chain, nonce) in
        [("Mainnet", "1760000000000"), ("Mainnet", "1760000000005"), ("Testnet", "1760000000043")]
    {
        let world = LocalStack::builder().setting("PERP_VENUE_CHAIN", chain);
        let [javascript, python] = run(world, ["actions.mjs", "actions.py"], nonce).await;
        let javascript: Value = serde_json::from_str(&javascript).unwrap();
        let mut python: Value = serde_json::from_str(&python).unwrap();
        // A map of two entries: `type` and `setReferrer`, then `code` and `RUNEPORT`.
        let packed = "82a474797065ab7365745265666572726572a4636f6465a852554e45504f5254";
        let bytes = python["setReferrer"].as_object_mut().unwrap().remove("bytes").unwrap();
        assert_eq!(bytes, packed);
        assert_eq!(javascript, python);
        for action in ["setReferrer", "approveBuilderFee", "sendAsset"] {
            let signature = &javascript[action]["signature"];
            for part in ["r", "s"] {
                let part = signature[part].as_str().unwrap();
                assert_eq!(part.len(), 66, "{signature}");
                short |= part.starts_with("0x00");
            }
        }
    }
    assert!(short, "none of the signatures has leading zeros: choose another nonce");
}
