//! The endpoints of `vm-transactions`, through HTTP, on a real node and a real ord.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod count;
mod create;
mod dry_run;
mod ended;
mod list;
mod mints;
mod page;
mod replace;
mod rows;
mod sign;
mod ways_out;

use shared::keys;
use std::time::Duration;
use store::Count;

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Amount, Psbt, Transaction, Txid, consensus::encode::serialize_hex};
use chain::{
    mints::{Tier, VmSum},
    models::{mint::MintId, transaction::TransactionState, vm_transaction::VmState},
};
use local::{
    client::{Answer, Client},
    functions,
    mints::{MintWorld, Trader, txid_of},
    wallets::{Wallet, with},
};
use serde_json::{Value, json};

/// A stack with the usual mint, and a trader whose trading wallet has these coins.
async fn world_with(coins: &[u64]) -> (MintWorld, MintId, Trader) {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    let trader = world.trader(1, coins).await;
    (world, mint, trader)
}

/// Creates a batch of two requests at 1,000 sats each, except for the fields in `differs`.
async fn create_with(world: &MintWorld, trader: &Trader, differs: &Value) -> Answer {
    let call = world.client.post("/api/vm-transactions").bearer(&world.token(trader).await);
    call.json(&with(world.batch_of(trader, 2, 1_000), differs)).send().await
}

/// Signs a batch through another instance of the service.
async fn sign_at(client: &Client, token: &str, address: &str, signed: &str) -> Answer {
    let body = json!({ "userAddress": address, "signedBase64Tx": signed });
    client.post("/api/vm-transactions/sign").bearer(token).json(&body).send().await
}

/// Creates a withdrawal of BTC to an address outside the test.
async fn withdraw(world: &MintWorld, trader: &Trader, sats: u64) -> Answer {
    let params = json!({
        "amount": sats.to_string(),
        "tokenId": "0:0",
        "withdrawTo": Wallet::p2tr(999).address(),
        "xchainData": "0xdeadbeef",
    });
    let body = json!({ "type": "xchain-withdraw", "params": params });
    let call = world.client.post("/api/xchain/transaction").bearer(&world.token(trader).await);
    call.json(&body).send().await
}

/// The same functions with KMS unreachable.
async fn without_kms(world: &MintWorld) -> Client {
    with_setting(world, "AWS_ENDPOINT_URL_KMS", "http://127.0.0.1:1").await
}

/// The same functions with another value of a setting.
async fn with_setting(world: &MintWorld, setting: &str, value: &str) -> Client {
    let app = world.stack.app().changed(&[(setting, value)]);
    world.stack.serve_app(app, functions::routes()).await
}

/// Mines a block of exactly these transactions in this order, and waits for ord and the watcher.
async fn mine_these(world: &MintWorld, transactions: &[&Transaction]) {
    let chain = world.stack.bitcoin();
    let hex: Vec<_> = transactions.iter().map(|transaction| serialize_hex(*transaction)).collect();
    let to = Wallet::p2tr(998);
    chain.rpc("generateblock", json!([to.address(), hex])).await.unwrap();
    chain.indexed().await.unwrap();
    world.watch().await;
}

async fn state(world: &MintWorld, txid: Txid) -> TransactionState {
    world.issued(txid).await.state
}

/// Number of unfinished VM transactions that an address created.
async fn open_count(world: &MintWorld, address: &str) -> u64 {
    let count = world.stack.app().store.get::<Count>(&keys::vm_open(address)).await.unwrap();
    count.unwrap_or_default().count
}

fn psbt_of(answer: &Answer) -> Psbt {
    parse_psbt(answer.text_of("base64Psbt"))
}

fn parse_psbt(text: &str) -> Psbt {
    Psbt::deserialize(&BASE64_STANDARD.decode(text).unwrap()).unwrap()
}

fn text(psbt: &Psbt) -> String {
    BASE64_STANDARD.encode(psbt.serialize())
}

/// Fee of a transaction.
fn fee_of(psbt: &Psbt) -> Amount {
    let spent: Amount =
        psbt.inputs.iter().map(|input| input.witness_utxo.as_ref().unwrap().value).sum();
    spent - psbt.unsigned_tx.output.iter().map(|output| output.value).sum::<Amount>()
}

/// The outputs by which a transaction pays the treasury, in sats.
fn paid_to_treasury(world: &MintWorld, transaction: &Transaction) -> Vec<u64> {
    let treasury = world.treasury.script_pubkey();
    let outputs = transaction.output.iter().filter(|output| output.script_pubkey == treasury);
    outputs.map(|output| output.value.to_sat()).collect()
}

fn tier(count: u64, sats_per_request: u64, in_blocks: u64) -> Tier {
    Tier { count, sats_per_request, in_blocks }
}
