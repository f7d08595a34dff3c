//! The endpoints of `refund`, through HTTP, on a real node and a real ord.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod bump;
mod calculate;
mod create;
mod reissue;
mod sign;

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Address, OutPoint, Psbt, Txid};
use chain::{
    mints::{Confirmation, Mint, VmTransaction},
    models::{
        mint::{MintId, MintState},
        transaction::TransactionState,
        vm_transaction::{RefundState, VmState},
    },
};
use local::{
    client::Answer,
    mints::{MintWorld, Trader, txid_of},
    wallets::{self, NETWORK},
};
use serde_json::{Value, json};

/// One second longer than a created refund waits for its signature.
const TOO_LONG: Duration = Duration::from_secs(601);

/// A mint of 1,000 requests, which these tests never fill.
async fn large_mint(world: &MintWorld) -> MintId {
    world.mint(&json!({ "tokensPerRequest": "1", "totalRequests": 1_000 })).await
}

/// A failed mint with these confirmed bids: requests and price, by block.
async fn failed_mint(world: &MintWorld, blocks: &[&[(&Trader, u64, u64)]]) -> (MintId, Vec<Txid>) {
    let (mint, mut txids) = (large_mint(world).await, Vec::new());
    for bids in blocks {
        for (trader, requests, price) in *bids {
            txids.push(world.bid(trader, *requests, *price).await);
        }
        world.mine(1).await;
    }
    world.close(mint).await;
    world.watch().await;
    world.mine(6).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Failed);
    (mint, txids)
}

/// Inserts VM transactions of a failed mint, each with a payment of the wallet to the treasury: more than a test
/// has time to bid for.
async fn owed(world: &MintWorld, trader: &Trader, mint: &Mint, sats: &[u64]) -> Vec<VmTransaction> {
    let of_mints: Vec<_> = sats.iter().map(|sats| (mint, *sats)).collect();
    owed_of(world, trader, &of_mints).await
}

/// The same, with a mint for each.
async fn owed_of(world: &MintWorld, trader: &Trader, sats: &[(&Mint, u64)]) -> Vec<VmTransaction> {
    let mut rows = Vec::new();
    for some in sats.chunks(20) {
        let mut outputs = Vec::new();
        for (_, sats) in some {
            outputs.push(world.pay_treasury(trader, *sats).await);
        }
        let height = world.stack.bitcoin().mine(1).await.unwrap();
        for ((mint, sats), (output, position)) in some.iter().zip(outputs.into_iter().zip(1..)) {
            let row = trader.owed(mint, output, *sats, Confirmation { height, position });
            world.plant(&row).await;
            rows.push(row);
        }
    }
    rows
}

/// Creates a refund with a body that differs from the usual one in some fields.
async fn create_with(world: &MintWorld, trader: &Trader, differs: &Value) -> Answer {
    let call = world.client.post("/api/refund").bearer(&world.token(trader).await);
    call.json(&wallets::with(world.refund_of(trader), differs)).send().await
}

/// Signs a refund under this address.
async fn sign_as(world: &MintWorld, trader: &Trader, address: &str, text: &str) -> Answer {
    let body = json!({ "userAddress": address, "base64Psbt": text });
    let call = world.client.post("/api/refund/sign").bearer(&world.token(trader).await);
    call.json(&body).send().await
}

/// Creates and signs a refund, and asserts that the network accepts it.
async fn refund(world: &MintWorld, trader: &Trader) -> Txid {
    let created = world.create_refund(trader).await.expect(201);
    let signed = trader.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(trader, &signed).await.expect(201);
    assert_eq!(*answer.data(), json!({ "txId": txid_of(&created), "state": "inMempool" }));
    txid_of(&created)
}

/// Calculates a refund: the amount paid, the network fee, and the amount that arrives.
async fn figures(world: &MintWorld, trader: &Trader) -> (u64, u64, u64) {
    let answer = world.calculate(trader).await.expect(200);
    let figure = |field: &str| answer.data()[field].as_u64().unwrap();
    (figure("totalSats"), figure("networkFee"), figure("refundableSats"))
}

async fn state(world: &MintWorld, txid: Txid) -> TransactionState {
    world.issued(txid).await.state
}

/// The state of the refund of each VM transaction, and the refund's transaction.
async fn refund_states(
    world: &MintWorld,
    mint: MintId,
    txids: &[Txid],
) -> Vec<(RefundState, Option<Txid>)> {
    let mut states = Vec::new();
    for txid in txids {
        let row = world.vm(mint, *txid).await;
        states.push((row.refund_state, row.refund_txid));
    }
    states
}

/// Balance of an address in sats.
async fn sats_of(world: &MintWorld, address: &Address) -> u64 {
    let coins = world.stack.bitcoin().coins(address).await.unwrap();
    coins.iter().map(|coin| coin.output.value.to_sat()).sum()
}

async fn sats_of_treasury(world: &MintWorld) -> u64 {
    sats_of(world, &world.treasury.address(NETWORK)).await
}

/// Whether any row of the database contains this text.
fn is_stored(world: &MintWorld, text: &str) -> bool {
    json!(world.stack.contents()).to_string().contains(text)
}

/// The PSBT of an answer.
fn psbt_of(answer: &Answer) -> Psbt {
    Psbt::deserialize(&BASE64_STANDARD.decode(answer.text_of("base64Psbt")).unwrap()).unwrap()
}

fn text(psbt: &Psbt) -> String {
    BASE64_STANDARD.encode(psbt.serialize())
}

fn spent(psbt: &Psbt) -> Vec<OutPoint> {
    psbt.unsigned_tx.input.iter().map(|input| input.previous_output).collect()
}

/// The outputs that paid the treasury for these transactions.
async fn sources(world: &MintWorld, mint: MintId, txids: &[Txid]) -> Vec<OutPoint> {
    let mut sources = Vec::new();
    for txid in txids {
        sources.push(world.vm(mint, *txid).await.refund_source.unwrap().0);
    }
    sources
}
