//! The pool, and payouts that wait for it.

use std::{collections::BTreeSet, time::Duration};

use bitcoin::Txid;
use chain::{
    bitcoin::runes::Rune,
    keys,
    mints::{Mint, Payout, VmTransaction},
    models::{mint::MintId, transaction::TransactionState},
    transactions::IssuedTransaction,
};
use local::{
    bitcoin::{Etching, Replica},
    wallets::{NETWORK, Wallet},
};
use shared::{
    models::watch::Watch,
    store::{Update, Writes},
};

use super::*;

/// Longer than a transaction waits for a block before its fee is compared with the current rate.
const LONG: Duration = Duration::from_secs(61 * 60);

/// Makes Esplora estimate this rate for every target, in sat/vB.
fn set_rate(world: &MintWorld, rate: f64) {
    world.stack.bitcoin().set_fees([(1, rate)].into()).unwrap();
}

/// A mint minted out by one trader with this many requests at 2,000 sats, whose transfer is sent.
async fn minted_out(world: &MintWorld, requests: u64) -> (MintId, Trader) {
    let totals = json!({ "totalRequests": requests, "requestsPerBlock": requests });
    let mint = world.mint(&totals).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, requests, 2_000).await;
    world.mine(7).await;
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    (mint, alice)
}

/// A mint of fifteen transactions with two requests each, by five traders, whose end is final. It has two
/// payouts, of twelve and three.
async fn fifteen(world: &MintWorld) -> (MintId, Vec<Trader>) {
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let traders = world.crowd(5).await;
    world.mine(6).await;
    (mint, traders)
}

async fn first_payout(world: &MintWorld, mint: MintId) -> Payout {
    world.payouts(mint).await.remove(0)
}

/// Mines until the mint is distributed.
async fn finish(world: &MintWorld, mint: MintId) {
    for _block in 0..30 {
        if world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
}

/// Whether a block contains a transaction.
async fn is_confirmed(world: &MintWorld, txid: Txid) -> bool {
    world.stack.bitcoin().confirmations(txid).await.unwrap().is_some_and(|blocks| blocks > 0)
}

/// Mines blocks without transactions of the mempool.
async fn mine_empty(world: &MintWorld, blocks: u32) {
    let miner = Wallet::p2tr(5).address().to_owned();
    for _block in 0..blocks {
        world.stack.bitcoin().rpc("generateblock", json!([miner, []])).await.unwrap();
    }
    world.watch().await;
}

/// Changes the row of a mint without the worker.
async fn change_mint(world: &MintWorld, mint: MintId, update: Update<Mint>) {
    let row = Writes::new().update(&keys::mint(mint), update, ());
    world.stack.app().store.commit(row).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_10_runes_are_sent_once_their_transfer_is_confirmed() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    for _look in 0..4 {
        world.watch().await;
        let payout = first_payout(&world, mint).await;
        assert!(payout.transfer.is_some() && payout.distribution.is_none());
    }
    world.mine(1).await;
    world.watch().await;
    let payout = first_payout(&world, mint).await;
    assert!(is_confirmed(&world, payout.transfer.unwrap()).await);
    assert!(payout.distribution.is_some() && !payout.transferred);
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_payout_with_too_low_a_fee_is_replaced() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let first = first_payout(&world, mint).await.transfer.unwrap();
    // Neither before it has waited nor unless it would pay clearly more.
    set_rate(&world, 40.0);
    world.pass(Duration::from_secs(20 * 60)).await;
    assert_eq!(first_payout(&world, mint).await.transfer, Some(first));
    world.pass(LONG).await;
    world.watch().await;
    let second = first_payout(&world, mint).await.transfer.unwrap();
    assert_ne!(first, second);
    let (old, new) = (world.issued(first).await, world.issued(second).await);
    assert_eq!((old.state, new.state), (TransactionState::Replaced, TransactionState::InMempool));
    assert!(new.fee > 4 * old.fee && world.conflict(first, second).await);
    assert!(!world.is_known(first).await && world.is_known(second).await);

    // The same for the distribution.
    set_rate(&world, 2.0);
    world.mine(1).await;
    world.watch().await;
    let first = first_payout(&world, mint).await.distribution.unwrap();
    set_rate(&world, 60.0);
    world.pass(LONG).await;
    world.watch().await;
    let second = first_payout(&world, mint).await.distribution.unwrap();
    assert_ne!(first, second);
    assert_eq!(world.issued(first).await.state, TransactionState::Replaced);
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 96_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 8_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_payout_above_the_fee_cap_is_halved() {
    let world = MintWorld::start(100_000).await;
    let fees = &world.stack.app().config.fees;
    let highest = fees.rates.highest.to_sat_per_kwu() * 4 / 1_000;
    assert!(highest >= 150 && fees.cap.to_sat() == 100_000, "{highest}");
    // At 150 sat/vB, twelve inputs exceed the fee cap of a transaction.
    set_rate(&world, 5.0);
    let mint = world.mint(&json!({ "totalRequests": 24, "requestsPerBlock": 24 })).await;
    let traders = world.crowd(4).await;
    set_rate(&world, 150.0);
    world.mine(6).await;
    world.watch().await;
    let payouts = world.payouts(mint).await;
    let sizes: Vec<_> = payouts.iter().map(|payout| payout.transactions.len()).collect();
    assert_eq!(sizes, [6, 6]);
    let rows = world.vms(mint).await;
    for payout in &payouts {
        let own = rows.iter().filter(|row| row.payout == Some(payout.number));
        let own: BTreeSet<_> = own.map(|row| row.txid).collect();
        assert_eq!(own, payout.transactions.iter().copied().collect());
    }
    assert!(payouts.iter().any(|payout| payout.transfer.is_some()));
    // The rest completes at the same rate.
    finish(&world, mint).await;
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(sats_of(&world, &world.proceeds).await, 48_000);
}

/// After a long wait at a higher rate, another version replaces the division: the old and the new row.
async fn replaced_division(
    world: &MintWorld,
    mint: MintId,
    first: Txid,
) -> (IssuedTransaction, IssuedTransaction) {
    set_rate(world, 60.0);
    world.pass(LONG).await;
    world.watch().await;
    let second = world.mint_row(mint).await.pool_split.unwrap();
    assert_ne!(first, second);
    (world.issued(first).await, world.issued(second).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_division_of_the_pool_is_replaced_and_never_stops_payouts() {
    let world = MintWorld::start(100_000).await;
    let (mint, traders) = fifteen(&world).await;
    let first = world.mint_row(mint).await.pool_split.unwrap();
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transfer.is_none()));
    // Half an hour later, payouts use the available coins: plain ones for the transfers.
    world.pass(Duration::from_secs(31 * 60)).await;
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.pool_split, Some(first));
    assert!(world.payouts(mint).await.iter().any(|payout| payout.transfer.is_some()));

    let (old, new) = replaced_division(&world, mint, first).await;
    assert_eq!(old.state, TransactionState::Replaced);
    assert!(new.fee > old.fee && world.conflict(new.txid, old.txid).await);
    finish(&world, mint).await;
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 70_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 60_000);
}

/// Payouts that have waited long enough use other coins, and the division stays in the mempool.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_division_no_longer_needed_is_followed_to_its_end() {
    let mut world = MintWorld::start(1_000).await;
    let (chain, pool) = (world.stack.bitcoin().clone(), world.pool.address(NETWORK));
    let name = "ANOTHER•MINT•RUNE".to_owned();
    let etching = Etching { name, supply: 100_000, divisibility: 0, to: None };
    world.rune = chain.etch(&etching).await.unwrap();
    chain.fund_rune(&pool, 10_000, world.rune, 50_000).await.unwrap();
    chain.mine(6).await.unwrap();
    let (mint, _traders) = fifteen(&world).await;
    let first = world.mint_row(mint).await.pool_split.unwrap();
    // No miner confirms it.
    let params = json!([first, 0, -1_000_000]);
    chain.rpc("prioritisetransaction", params).await.unwrap();
    for _coin in 0..2 {
        chain.fund_rune(&pool, 10_000, world.rune, 25_000).await.unwrap();
        chain.fund(&pool, 100_000).await.unwrap();
    }
    world.mine(1).await;
    world.pass(Duration::from_secs(31 * 60)).await;
    for _block in 0..24 {
        world.mine(1).await;
    }
    let payouts = world.payouts(mint).await;
    assert!(payouts.iter().all(|payout| payout.transferred && payout.distributed));
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.pool_split), (MintState::MintedOut, Some(first)));

    let (old, new) = replaced_division(&world, mint, first).await;
    assert_eq!((old.state, new.state), (TransactionState::Replaced, TransactionState::InMempool));
    assert!(world.conflict(new.txid, old.txid).await);
    let outputs = world.raw(new.txid).await.output;
    let mut paid = outputs.iter().filter(|output| !output.script_pubkey.is_op_return());
    assert!(paid.all(|output| output.script_pubkey == pool.script_pubkey()));
    finish(&world, mint).await;
    assert_eq!(world.issued(first).await.state, TransactionState::Failed);
    assert_eq!(runes_of(&world, &pool).await, 1_000 + 70_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_10_a_mint_requires_an_etching_seven_blocks_deep() {
    let world = MintWorld::start(1_000).await;
    let chain = world.stack.bitcoin();
    let etching = Etching {
        name: "ANOTHER•MINT•RUNE".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: Some(world.pool.address(NETWORK)),
    };
    let rune = json!({ "runeId": chain.etch(&etching).await.unwrap().to_string() });
    for missing in (1..=6).rev() {
        let refused = world.try_mint(&rune).await.expect_error(409, "6012");
        let details = refused.body["details"].as_str().unwrap();
        assert!(details.contains(&format!("after {missing} more block(s)")), "{details}");
        chain.mine(1).await.unwrap();
    }
    world.mint(&rune).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_10_no_runes_are_sent_while_the_rune_has_another_id() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let rune = world.mint_row(mint).await.rune;
    // The state after a reorganisation gave the id to another rune.
    let other = Rune { name: "SOME•OTHER•RUNE•HERE".parse().unwrap(), ..rune };
    change_mint(&world, mint, Update::new().set(Mint::RUNE, other)).await;
    world.mine(1).await;
    for _look in 0..3 {
        world.watch().await;
        assert_eq!(first_payout(&world, mint).await.distribution, None);
    }
    let due = world.stack.app().clock.now();
    change_mint(&world, mint, Update::new().set(Mint::RUNE, rune).set(Mint::DUE_AT, due)).await;
    world.watch().await;
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_lagging_server_does_not_decide_which_requests_are_taken() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let a = world.bid(&alice, 8, 2_000).await;
    let b = world.bid(&bob, 3, 3_000).await;
    // The worker is late to notice Bob's commitment, which is in the same block and pays more.
    let app = world.stack.app();
    let due = async |txid: Txid, seconds: u64| {
        let at = app.clock.now().plus(Duration::from_secs(seconds));
        let update = Update::new().set(IssuedTransaction::DUE_AT, at);
        let row = Writes::new().update(&keys::transaction(txid), update, ());
        app.store.commit(row).await.unwrap();
    };
    due(b, 1_000_000).await;
    world.mine(1).await;
    world.mine(6).await;
    assert!(world.vm(mint, a).await.is_final && world.vm(mint, b).await.confirmation.is_none());
    let chain = world.stack.bitcoin();
    let behind = [Replica::Behind(7)];
    let turns = [Replica::Behind(7), Replica::Tip];
    for replicas in [&behind[..], &turns[..], &[]] {
        chain.set_esplora_replicas(replicas.iter().copied());
        for _look in 0..3 {
            world.watch().await;
            assert_eq!(world.mint_row(mint).await.state, MintState::Open, "{replicas:?}");
        }
    }
    due(b, 0).await;
    world.watch().await;
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    let requests = async |txid| world.vm(mint, txid).await.requests_in_blocks();
    assert_eq!((requests(a).await, requests(b).await), (5, 3));
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_mints_last_block_is_the_newest_that_any_source_reports() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 100, "requestsPerBlock": 10 })).await;
    let alice = world.trader(1, &[200_000]).await;
    world.bid(&alice, 3, 2_000).await;
    world.mine(1).await;
    world.close(mint).await;
    let chain = world.stack.bitcoin();
    chain.set_esplora_replicas([Replica::Behind(7)]);
    world.watch().await;
    let height = chain.height().await.unwrap();
    assert_eq!(world.mint_row(mint).await.last_block, Some(height));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_mint_ends_although_a_server_gave_far_too_low_a_height() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 100, "requestsPerBlock": 10 })).await;
    let bob = world.trader(2, &[100_000]).await;
    let waiting = world.bid(&bob, 4, 2_000).await;
    let row = world.vm(mint, waiting).await;
    let key = keys::vm_transaction(row.key());
    // The server had just begun to read the chain.
    let row = VmTransaction { issued_at_height: 0, ..row };
    world.stack.app().store.put(&key, &row).await.unwrap();
    world.close(mint).await;
    world.watch().await;
    mine_empty(&world, 6).await;
    for _look in 0..10 {
        world.watch().await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_finished_mint_is_idle_until_a_commitment_confirms_late() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 100, "requestsPerBlock": 10 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    world.bid(&alice, 3, 2_000).await;
    world.mine(1).await;
    let late = world.bid(&bob, 4, 2_000).await;
    // More blocks than one look at its end searches.
    mine_empty(&world, 30).await;
    world.close(mint).await;
    world.watch().await;
    mine_empty(&world, 6).await;
    world.watch().await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.watch, row.searched), (MintState::Failed, None, None));
    assert_eq!(world.vm(mint, late).await.confirmation, None);
    world.recount(mint).await;

    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.watch, Some(Watch::Mint));
    world.mine(6).await;
    world.watch().await;
    let settled = world.vm(mint, late).await.settlement.unwrap();
    assert_eq!((settled.distributable_requests, settled.refundable_sats), (0, 8_000));
    assert_eq!(world.mint_row(mint).await.watch, None);
    assert_eq!(world.listed(late).await["isRefundable"], true);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_rebroadcasts_its_transactions_after_a_mempool_purge() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let transfer = first_payout(&world, mint).await.transfer.unwrap();
    let height = world.stack.bitcoin().height().await.unwrap();
    let purged = world.stack.bitcoin().purge_mempool().await.unwrap();
    assert_eq!(purged, height + 1);
    assert!(!world.is_known(transfer).await);
    world.watch().await;
    assert!(world.is_known(transfer).await);
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
}
