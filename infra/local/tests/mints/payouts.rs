//! Payouts: their coins, their versions, and what they wait for.

use std::time::Duration;

use bitcoin::{consensus::encode, hashes::Hash};
use chain::{
    keys, mints::Mint, models::transaction::TransactionState, transactions::IssuedTransaction,
};
use local::wallets::{NETWORK, Wallet};
use serde::{Deserialize, Serialize};
use shared::models::{bitcoin::OutPoint, watch::Watch};
use store::{Entity, Update, Writes};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_several_payouts_leave_in_one_block_from_divided_coins() {
    let world = MintWorld::with_one_coin(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let traders = world.crowd(5).await;
    assert_eq!(world.requests_in_blocks(mint).await, 30);
    world.mine(6).await;
    let row = world.mint_row(mint).await;
    assert!(row.pool_split.is_some() && row.payouts_planned);
    // Nothing is sent while coins are being divided.
    let payouts = world.payouts(mint).await;
    assert_eq!(payouts.iter().map(|payout| payout.size).collect::<Vec<_>>(), [15, 15]);
    assert!(payouts.iter().all(|payout| payout.transaction.is_none()));

    world.mine(1).await;
    let payouts = world.payouts(mint).await;
    assert!(payouts.iter().all(|payout| payout.transaction.is_some()));
    world.mine(1).await;
    for payout in &payouts {
        let txid = payout.transaction.unwrap();
        assert_eq!(world.stack.bitcoin().confirmations(txid).await.unwrap(), Some(1));
    }
    world.mine(6).await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 70_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 60_000);
}

/// One edict gives each recipient, and the change, the same amount. If the pool holds exactly what was promised, its last
/// distribution lacks the runes for change.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_pool_without_runes_for_change_pays_everybody() {
    let world = MintWorld::start(36_000).await;
    let mint = world.mint(&json!({ "totalRequests": 36, "requestsPerBlock": 36 })).await;
    let traders = world.crowd(6).await;
    world.mine(6).await;
    world.watch().await;
    let sizes = async || {
        let payouts = world.distributions(mint).await;
        payouts.iter().map(|payout| (payout.size, payout.spare_requests)).collect::<Vec<_>>()
    };
    assert_eq!(sizes().await, [(15, 0), (3, 0)]);
    for _block in 0..12 {
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 0);
    let row = world.vms(mint).await.remove(0);
    let listed = world.listed(row.txid).await;
    let own = row.distribution.unwrap();
    let payout = world.distributions(mint).await.into_iter().find(|payout| payout.number == own);
    let sent = payout.unwrap().sent.unwrap();
    assert_eq!(listed["distributeRuneTxId"], sent.txid.to_string());
}

/// Makes a transaction due in `seconds`, together with another change of its row.
async fn postpone(world: &MintWorld, txid: Txid, seconds: u64, change: Update<IssuedTransaction>) {
    let app = world.stack.app();
    let due = app.clock.now().plus(Duration::from_secs(seconds));
    let row = Writes::new().update(
        &keys::transaction(txid),
        change.set(IssuedTransaction::DUE_AT, due),
        (),
    );
    app.store.commit(row).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_08_one_of_two_versions_of_a_distribution_confirms_and_no_third_is_made() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    world.mine(6).await;
    let payout = async || world.distributions(mint).await.remove(0);
    let first = payout().await.transaction.unwrap();
    world.mine(1).await;

    // The network drops it and refuses it for half an hour.
    world.stack.bitcoin().reorg(1, &[first]).await.unwrap();
    let lost = Update::new()
        .set(IssuedTransaction::STATE, TransactionState::Broadcasting)
        .set(IssuedTransaction::LOOKS, 6);
    postpone(&world, first, 100_000, lost.remove(IssuedTransaction::BLOCK_HEIGHT)).await;
    let look = Update::new().set(Mint::DUE_AT, world.stack.app().clock.now());
    let row = Writes::new().update(&keys::mint(mint), look, ());
    world.stack.app().store.commit(row).await.unwrap();
    world.watch().await;
    let second = payout().await.transaction.unwrap();
    assert_ne!(first, second);
    assert!(world.conflict(first, second).await);
    assert!(world.issued(second).await.fee > world.issued(first).await.fee);
    assert_eq!(world.issued(first).await.state, TransactionState::Replaced);

    // A third party has kept the first one, and a miner confirms it.
    let kept = encode::serialize_hex(&world.raw(first).await);
    let miner = Wallet::p2tr(5).address().to_owned();
    let chain = world.stack.bitcoin();
    chain.rpc("generateblock", json!([miner, [kept]])).await.unwrap();
    chain.mine(6).await.unwrap();
    // The worker looks only at the second one, which can never confirm.
    postpone(&world, first, 100_000, Update::new()).await;
    for _look in 0..8 {
        world.pass(Duration::from_secs(900)).await;
    }
    assert_eq!(world.issued(second).await.state, TransactionState::Failed);
    assert_eq!(payout().await.transaction, Some(first));
    postpone(&world, first, 0, Update::new()).await;
    world.watch().await;
    world.mine(1).await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 96_000);
    assert_eq!(payout().await.sent.unwrap().txid, first);
    let vm = world.vms(mint).await.remove(0);
    assert_eq!(vm.distribution, Some(payout().await.number));
}

/// The row of a coin that another transaction holds.
#[derive(Debug, Serialize, Deserialize)]
struct Held {
    txid: Txid,
}

impl Entity for Held {
    const ENTITY: &'static str = "coinHold";
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_mint_whose_payouts_lack_coins_is_stuck() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    let (app, pool) = (world.stack.app(), world.pool.address(NETWORK));
    let coins = world.stack.bitcoin().coins(&pool).await.unwrap();
    let keys = coins.iter().map(|coin| keys::spend(OutPoint(coin.outpoint)));
    let keys: Vec<_> = keys.collect();
    for key in &keys {
        app.store.put(key, &Held { txid: Txid::from_byte_array([7; 32]) }).await.unwrap();
    }
    world.mine(6).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.watch), (MintState::MintedOut, Some(Watch::Mint)));
    let failing = row.failing.unwrap();
    assert_eq!(failing.times, 1);
    assert!(failing.cause.contains("of VIRTUAL•MINT•RUNE, but only"), "{}", failing.cause);
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transaction.is_none()));
    let stuck = async || chain_watcher::measure(app).await.unwrap().map(|metric| metric.value)[3];
    world.watch().await;
    assert_eq!((world.mint_row(mint).await.watch, stuck().await), (Some(Watch::Mint), 0));
    world.watch().await;
    assert_eq!((world.mint_row(mint).await.watch, stuck().await), (Some(Watch::StuckMint), 1));

    for key in &keys {
        app.store.delete(key).await.unwrap();
    }
    world.pass(Duration::from_secs(15 * 60)).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.watch, row.failing, stuck().await), (Some(Watch::Mint), None, 0));
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transaction.is_some()));
}
