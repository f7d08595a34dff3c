//! Registrations of invented swaps by several accounts.

use std::{pin::pin, time::Duration};

use chain::{
    keys,
    models::xchain::{Swap, XchainRecord, XchainStatus},
};
use local::{
    LocalStack,
    client::Client,
    functions,
    hub::swap,
    mood::Mood,
    patience::wait_until,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;
use shared::models::watch::Watch;

/// Accounts that register swaps.
const ACCOUNTS: u64 = 17;
/// Swaps of each account. All swaps together are more than a run reads at a time.
const SWAPS: u64 = 14;

async fn register(client: &Client, by: &SignedIn, swap: &Swap) {
    let call = client.post("/api/xchain/transactions/register").bearer(&by.access_token);
    call.json(&json!(swap)).send().await.expect(200);
}

async fn record(stack: &LocalStack, by: &SignedIn, swap: &Swap) -> XchainRecord {
    let key = keys::xchain_swap(swap.intent_tx_hash, by.account.parse().unwrap());
    stack.app().store.get(&key).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_27_fake_swaps_do_not_delay_a_confirmed_one() {
    let stack = LocalStack::start().await;
    let client = stack.serve(functions::routes()).await;
    let hub = stack.hub();
    hub.agree(false);
    let wallet = Wallet::evm(1);
    let honest = sign_in(&client, &wallet).await;
    let confirmed = swap(&wallet, 1);
    hub.know(confirmed.clone());
    hub.set_status(confirmed.intent_tx_hash, XchainStatus::Pending);

    for account in 0..ACCOUNTS {
        let wallet = Wallet::evm(100 + account);
        let stranger = sign_in(&client, &wallet).await;
        for n in 0..SWAPS {
            register(&client, &stranger, &swap(&wallet, 1_000 + account * SWAPS + n)).await;
        }
    }
    // The honest swap is registered last and due last.
    register(&client, &honest, &confirmed).await;
    assert_eq!(record(&stack, &honest, &confirmed).await.watch, Some(Watch::Swap));
    hub.set_status(confirmed.intent_tx_hash, XchainStatus::Relayed);
    stack.clock().advance(Duration::from_secs(5));
    let looked = stack.tick("chain-watcher").await.unwrap();
    let all = usize::try_from(ACCOUNTS * SWAPS).unwrap() + 1;
    assert_eq!(looked, all, "the whole flood, and the honest swap");
    assert_eq!(record(&stack, &honest, &confirmed).await.status, XchainStatus::Relayed);

    // Nor does a flood about which the hub answers slowly.
    stack.clock().advance(Duration::from_secs(3_600));
    hub.set_status(confirmed.intent_tx_hash, XchainStatus::Solving);
    hub.be(Mood { delay_ms: 500, ..Mood::default() });
    let before = hub.calls().len();
    let mut run = pin!(stack.tick("chain-watcher"));
    let is_seen =
        async || record(&stack, &honest, &confirmed).await.status == XchainStatus::Solving;
    tokio::select! {
        _ = &mut run => panic!("the honest swap waits for the whole flood"),
        () = wait_until("the honest swap", is_seen) => {}
    }
    let asked = hub.calls().len() - before;
    assert!(asked < 100, "{asked} questions before the honest swap was seen");
    assert!(run.await.unwrap() > 200);
    let [lag, ..] = chain_watcher::measure(stack.app()).await.unwrap();
    assert_eq!((lag.name, lag.value), ("WatcherLag", 0));
}
