//! Unsigned transactions, created by several accounts as fast as the limits allow.

use std::time::Duration;

use chain::models::{transaction::TransactionState, vm_transaction::VmState};
use local::{
    mints::{MintWorld, Trader, txid_of},
    wallets::Wallet,
};
use serde_json::{Value, json};
use shared::models::watch::Watch;

/// Accounts that create drafts.
const ACCOUNTS: u64 = 17;
/// Drafts of each account within a minute. All drafts together are more than a run of the worker processes.
const DRAFTS: u64 = 12;

/// A withdrawal of this amount to an address outside the test.
fn withdrawal(sats: u64) -> Value {
    json!({
        "type": "xchain-withdraw",
        "params": {
            "amount": sats.to_string(),
            "tokenId": "0:0",
            "withdrawTo": Wallet::p2tr(999).address(),
            "xchainData": "0xdeadbeef",
        },
    })
}

async fn create(world: &MintWorld, trader: &Trader, sats: u64) -> local::client::Answer {
    let call = world.client.post("/api/xchain/transaction").bearer(&world.token(trader).await);
    call.json(&withdrawal(sats)).send().await.expect(201)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_27_unsigned_drafts_delay_neither_payouts_nor_withdrawals() {
    let world = MintWorld::start(100_000).await;
    // A draft ends ten minutes after its creation: a slow machine must not end one early.
    world.stack.clock().stop();
    // At this fee rate, plans do not merge small coins.
    world.stack.bitcoin().set_fees([(1, 12.0)].into()).unwrap();
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000, 100_000]).await;
    let mut strangers = Vec::new();
    for seed in 100..100 + ACCOUNTS {
        strangers.push(world.trader(seed, &[10_000; DRAFTS as usize + 1]).await);
    }

    // The flood is created first and due before everything that follows.
    let mut batches = Vec::new();
    for stranger in &strangers {
        batches.push(txid_of(&world.create(stranger, 1, 2_000).await.expect(201)));
        for n in 0..DRAFTS {
            create(&world, stranger, 2_000 + n).await;
        }
    }
    world.stack.clock().advance(Duration::from_secs(430));
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    world.mine(6).await;
    let transfer = world.transfers(mint).await.remove(0).transaction.unwrap();
    let withdrawal = withdraw(&world, &alice).await;
    for (txid, queue) in [(transfer, Watch::SentPayout), (withdrawal, Watch::SentTransaction)] {
        let row = world.issued(txid).await;
        assert_eq!((row.state, row.watch), (TransactionState::InMempool, Some(queue)));
    }

    world.stack.bitcoin().mine(1).await.unwrap();
    world.stack.clock().advance(Duration::from_secs(120));
    let now = world.client.now();
    for txid in &batches {
        let draft = world.issued(*txid).await;
        assert_eq!((draft.state, draft.watch), (TransactionState::Unsigned, Some(Watch::Draft)));
        assert!(draft.is_overdue(now));
    }
    world.stack.tick("chain-watcher").await.unwrap();
    for txid in [transfer, withdrawal] {
        assert_eq!(world.issued(txid).await.state, TransactionState::Confirmed);
    }
    // Drafts whose expiry changes other rows have expired as well.
    for txid in &batches {
        let draft = world.issued(*txid).await;
        assert_eq!((draft.state, draft.watch), (TransactionState::Expired, None));
        assert_eq!(world.vm(mint, *txid).await.state, VmState::Expired);
    }
    let [lag, ..] = chain_watcher::measure(world.stack.app()).await.unwrap();
    assert_eq!((lag.name, lag.value), ("WatcherLag", 0));
}

/// Creates and signs a withdrawal, and asserts that the network accepts it.
async fn withdraw(world: &MintWorld, trader: &Trader) -> bitcoin::Txid {
    let created = create(world, trader, 20_000).await;
    let signed = json!({
        "type": "xchain-withdraw",
        "params": { "signedBase64Tx": trader.signed(created.text_of("base64Psbt")) },
    });
    let call = world.client.post("/api/xchain/transaction/sign").bearer(&world.token(trader).await);
    call.json(&signed).send().await.expect(201);
    txid_of(&created)
}
