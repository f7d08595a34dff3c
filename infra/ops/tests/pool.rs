//! `make pool`: the contents of the mints' pool and its clean-ups, on a real node and a real ord.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::{
    process::{Output, Stdio},
    time::Duration,
};

use bitcoin::{Address, OutPoint, Txid};
use chain::models::{
    mint::MintState,
    transaction::{PoolSplit, TransactionState, Work},
};
use local::{
    bitcoin::{Etching, Pile},
    mints::MintWorld,
    wallets::{NETWORK, Wallet},
    workspace::cases,
};
use serde_json::json;
use tokio::process::Command;

/// The rune with which every such world begins; here no mint has it.
const FIRST_RUNE: &str = "VIRTUAL•MINT•RUNE";

/// Runs `runeport-ops pool` with these arguments.
async fn run(world: &MintWorld, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runeport-ops"));
    command.arg("pool").args(arguments);
    if !arguments.contains(&"--keep") {
        command.args(["--keep", FIRST_RUNE]);
    }
    command.env_clear().envs(world.stack.settings());
    command.stdin(Stdio::null()).output().await.unwrap()
}

/// Runs the command, which must succeed; returns its output.
async fn said(world: &MintWorld, arguments: &[&str]) -> String {
    let output = run(world, arguments).await;
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The transactions that it ordered.
fn ordered(said: &str) -> Vec<Txid> {
    let lines = said.lines().filter_map(|line| line.trim().strip_prefix("Ordered "));
    lines.map(|line| line.split(';').next().unwrap().parse().unwrap()).collect()
}

/// A world with a rune that the faucet and the pool hold, 100,000 of it in the pool, and with a worthless
/// rune.
async fn world() -> (MintWorld, ordinals::RuneId) {
    let mut world = MintWorld::with_one_coin(1_000).await;
    let chain = world.stack.bitcoin();
    let etching = |name: &str| Etching {
        name: name.to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: None,
    };
    let rune = chain.etch(&etching("POOL•FLOOD•RUNES")).await.unwrap();
    let junk = chain.etch(&etching("JUNK•OF•A•STRANGER")).await.unwrap();
    let pool = world.pool.address(NETWORK);
    chain.fund_rune(&pool, 2_000, rune, 100_000).await.unwrap();
    chain.mine(6).await.unwrap();
    chain.set_fees([(1, 1.0)].into()).unwrap();
    world.rune = rune;
    (world, junk)
}

/// Sends the pool plain dust, junk, and single units of the mints' rune: `count` coins of each.
async fn flood(world: &MintWorld, junk: ordinals::RuneId, count: usize) {
    let (chain, pool) = (world.stack.bitcoin(), world.pool.address(NETWORK));
    let pile = |rune| Pile { to: &pool, sats: 547, runes: vec![(rune, 1)] };
    let piles = [vec![pile(junk); count], vec![pile(world.rune); count]].concat();
    chain.fund_piles(&piles).await.unwrap();
    chain.scatter(&pool, 700, count).await.unwrap();
    chain.mine(1).await.unwrap();
}

/// Number of coins of an address.
async fn coins(world: &MintWorld, address: &Address) -> Vec<OutPoint> {
    let coins = world.stack.bitcoin().coins(address).await.unwrap();
    coins.into_iter().map(|coin| coin.outpoint).collect()
}

fn address(wallet: &Wallet) -> Address {
    wallet.address().parse::<Address<_>>().unwrap().require_network(NETWORK).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_29_an_operator_merges_dust_and_sweeps_junk_of_the_pool() {
    let (world, junk) = world().await;
    let (chain, pool) = (world.stack.bitcoin(), world.pool.address(NETWORK));
    assert_eq!(said(&world, &[]).await, "There are no mints, and so no pools.\n");
    world.mint(&json!({})).await;
    // The most valuable plain coins stay, so there are more.
    for _coin in 0..24 {
        chain.fund(&pool, 20_000).await.unwrap();
    }
    let inscribed = chain.inscribe(&pool, "text/plain", b"keep me").await.unwrap().outpoint;
    flood(&world, junk, 100).await;
    chain.rpc("generatetoaddress", json!([1, pool.to_string()])).await.unwrap();
    chain.indexed().await.unwrap();

    let rows = world.stack.contents();
    let before = coins(&world, &pool).await;
    let to = address(&Wallet::p2tr(61));
    let shown = said(&world, &["--to", &to.to_string(), "--most", "20"]).await;
    for part in [
        "POOL•FLOOD•RUNES: 101 coins, 56700 sats, amount 100100 (stays)",
        "JUNK•OF•A•STRANGER: 100 coins, 54700 sats, amount 100 (junk)",
        "with inscriptions: 1 coins",
        "mined less than 100 blocks ago: 1 coins",
        "merges coins with POOL•FLOOD•RUNES: 90 coins",
        "merges plain coins: 90 coins, 63000 sats",
        "sweeps junk to",
        "Nothing is ordered",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(world.stack.contents(), rows, "nothing is written unless it is ordered");
    // Nothing is ordered at too high a rate, and an address of the platform is refused.
    chain.set_fees([(1, 20.0)].into()).unwrap();
    let dear = said(&world, &["--to", &to.to_string(), "--do", "order"]).await;
    assert!(dear.contains("above 5.00 sat/vB: nothing is done"), "{dear}");
    assert!(ordered(&dear).is_empty());
    chain.set_fees([(1, 1.0)].into()).unwrap();
    for own in [pool.to_string(), world.treasury.address.clone()] {
        let refused = run(&world, &["--to", &own, "--do", "order"]).await;
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && text.contains("is an address of the platform"));
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    // A rune to keep does not count as junk.
    let keep = format!("JUNK•OF•A•STRANGER,{FIRST_RUNE}");
    let kept = said(&world, &["--to", &to.to_string(), "--keep", &keep]).await;
    assert!(!kept.contains("sweeps"), "{kept}");
    // An operator cannot give up a rune that a mint has promised.
    let also = said(&world, &["--to", &to.to_string(), "--also", "POOL•FLOOD•RUNES"]).await;
    assert!(also.contains("amount 100100 (stays)"), "{also}");
    assert_eq!(coins(&world, &pool).await, before);

    // All in one order, in transactions of bounded size.
    let done = said(&world, &["--to", &to.to_string(), "--most", "20", "--do", "order"]).await;
    let txids = ordered(&done);
    assert_eq!(txids.len(), 6, "{done}");
    // The orders hold their coins, so the same coins are not ordered twice.
    let again = said(&world, &["--to", &to.to_string(), "--do", "order"]).await;
    assert!(
        ordered(&again).is_empty() && again.contains("held by transactions: 300 coins"),
        "{again}"
    );
    world.watch().await;
    for txid in &txids {
        assert_eq!(world.issued(*txid).await.state, TransactionState::InMempool);
        let transaction = world.raw(*txid).await;
        assert!(transaction.input.len() <= 90 && transaction.output.len() <= 2);
    }
    world.mine(7).await;
    for txid in &txids {
        let row = world.issued(*txid).await;
        assert_eq!((row.state, row.watch), (TransactionState::Confirmed, None));
    }
    let left = coins(&world, &pool).await;
    assert!(left.contains(&inscribed) && left.len() <= before.len() - 300 + 10, "{}", left.len());
    // The pool still has its earlier runes, and 100 units of dust.
    let runes = chain.runes_of(&pool).await.unwrap();
    assert_eq!(runes.len(), 2, "the rune of the world, and that of the mint: {runes:?}");
    assert_eq!(runes.values().sum::<u128>(), 100_100 + 1_000);
    let swept = chain.runes_of(&to).await.unwrap();
    assert_eq!(swept.values().copied().collect::<Vec<_>>(), [100]);
    let sats = chain.coins(&to).await.unwrap();
    assert!(sats.iter().all(|coin| coin.output.value.to_sat() == 546));
    let after = said(&world, &["--to", &to.to_string()]).await;
    assert!(after.contains("Nothing to merge or sweep"), "{after}");
}

/// Clean-ups and payouts at the same time, again and again.
#[tokio::test(flavor = "multi_thread")]
async fn custody_29_a_clean_up_takes_no_coin_from_a_payout_under_way() {
    let (world, junk) = world().await;
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let traders = world.crowd(5).await;
    flood(&world, junk, 15).await;
    let to = address(&Wallet::p2tr(61)).to_string();
    let arguments = ["--to", to.as_str(), "--do", "order"];
    world.mine(5).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    let mut all = Vec::new();
    for round in 0..cases(12, 20) {
        if round < 6 {
            flood(&world, junk, 12).await;
        }
        let (done, ()) = tokio::join!(said(&world, &arguments), world.watch());
        all.extend(ordered(&done));
        world.mine(1).await;
    }
    world.mine(7).await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    let chain = world.stack.bitcoin();
    for trader in &traders {
        let runes = chain.runes_of(&trader.trading).await.unwrap();
        assert_eq!(runes.values().sum::<u128>(), 6_000);
    }
    // One distribution and one transfer, as without clean-ups.
    assert_eq!(world.payouts(mint).await.len(), 2);
    assert!(all.len() >= 6, "{all:?}");
    for txid in all {
        assert_eq!(world.issued(txid).await.state, TransactionState::Confirmed);
    }
    let kept = chain.runes_of(&world.pool.address(NETWORK)).await.unwrap();
    assert_eq!(kept.values().sum::<u128>(), 100_000 + 1_000 + 15 + 6 * 12 - 30_000);
    // The rune of a mint that is over leaves only by name.
    let left = "amount 70087";
    let shown = said(&world, &["--to", &to]).await;
    assert!(shown.contains(&format!("{left} (stays)")), "{shown}");
    let also = said(&world, &["--to", &to, "--also", "POOL•FLOOD•RUNES"]).await;
    assert!(also.contains(&format!("{left} (junk)")), "{also}");
}

/// A world with an ordered sweep of a few worthless coins, which the worker has not signed yet.
async fn ordered_sweep() -> (MintWorld, ordinals::RuneId, Address, Txid) {
    let (world, junk) = world().await;
    world.mint(&json!({})).await;
    let (chain, pool) = (world.stack.bitcoin(), world.pool.address(NETWORK));
    for _coin in 0..3 {
        chain.fund_rune(&pool, 547, junk, 1).await.unwrap();
    }
    chain.mine(1).await.unwrap();
    let to = address(&Wallet::p2tr(61));
    let done = said(&world, &["--to", &to.to_string(), "--do", "order"]).await;
    let [sweep] = ordered(&done)[..] else { panic!("{done}") };
    (world, junk, to, sweep)
}

/// Lets the worker try to sign until it gives up.
async fn refuse(world: &MintWorld) {
    for _look in 0..8 {
        world.pass(Duration::from_secs(3_600)).await;
    }
}

/// If a sweep may not be signed, its coins are free again, except those that then pay for a merge.
#[tokio::test(flavor = "multi_thread")]
async fn custody_29_a_sweep_that_a_mint_forbids_frees_its_coins() {
    let (mut world, junk, to, sweep) = ordered_sweep().await;
    // The junk rune gets a mint, which uses another coin.
    let pool = world.pool.address(NETWORK);
    world.stack.bitcoin().fund_rune(&pool, 2_000, junk, 5).await.unwrap();
    world.stack.bitcoin().mine(1).await.unwrap();
    world.rune = junk;
    world
        .mint(&json!({ "totalRequests": 1, "requestsPerBlock": 1, "tokensPerRequest": "1" }))
        .await;
    refuse(&world).await;
    let row = world.issued(sweep).await;
    assert_eq!((row.state, row.watch), (TransactionState::Failed, None));
    assert!(coins(&world, &to).await.is_empty());
    let shown = said(&world, &["--to", &to.to_string()]).await;
    assert!(shown.contains("JUNK•OF•A•STRANGER: 4 coins, 3641 sats, amount 8 (stays)"), "{shown}");
    assert!(!shown.contains("held by transactions"), "{shown}");
}

/// A function that is not the operator's own may have written the row of the transaction.
#[tokio::test(flavor = "multi_thread")]
async fn custody_29_a_sweep_that_no_operator_ordered_is_not_signed() {
    let (world, _, to, sweep) = ordered_sweep().await;
    let order = chain::keys::sweep_order(&to.to_string());
    assert!(world.stack.app().store.delete(&order).await.unwrap());
    refuse(&world).await;
    assert_eq!(world.issued(sweep).await.state, TransactionState::Failed);
    assert!(coins(&world, &to).await.is_empty());
    // Ordered again, it is signed.
    let done = said(&world, &["--to", &to.to_string(), "--do", "order"]).await;
    let [sweep] = ordered(&done)[..] else { panic!("{done}") };
    world.watch().await;
    assert_eq!(world.issued(sweep).await.state, TransactionState::InMempool);
}

/// Payouts of a mint do not wait for the operator's fee rate.
#[tokio::test(flavor = "multi_thread")]
async fn custody_29_a_merge_that_a_payout_awaits_pays_the_fee_of_the_day() {
    let (mut world, _) = world().await;
    let (chain, pool) = (world.stack.bitcoin().clone(), world.pool.address(NETWORK));
    let to = address(&Wallet::p2tr(61));
    let etching = Etching {
        name: "SCATTERED•OVER•COINS".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: None,
    };
    world.rune = chain.etch(&etching).await.unwrap();
    // No forty of its coins hold what the mint promises.
    let piles = vec![Pile { to: &pool, sats: 2_500, runes: vec![(world.rune, 500)] }; 60];
    chain.fund_piles(&piles).await.unwrap();
    chain.mine(6).await.unwrap();
    let mint = world.mint(&json!({})).await;
    world.crowd(5).await;
    let said = said(&world, &["--do", "order"]).await;
    let [merge] = ordered(&said)[..] else { panic!("{said}") };
    world.watch().await;
    assert_eq!(world.issued(merge).await.state, TransactionState::InMempool);
    chain.set_fees([(1, 12.0)].into()).unwrap();
    let sats_per_vbyte = async || {
        let mut row = world.issued(merge).await;
        while let Some(next) = row.replaced_by {
            row = world.issued(next).await;
        }
        row.fee * 4 / row.weight
    };
    let hours = async || {
        for _hour in 0..2 {
            world.pass(Duration::from_secs(3_700)).await;
        }
    };
    hours().await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    assert_eq!(sats_per_vbyte().await, 5, "as the operator says");
    // Blocks without it.
    for _block in 0..6 {
        chain.rpc("generateblock", json!([to.to_string(), []])).await.unwrap();
        chain.indexed().await.unwrap();
        world.watch().await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    hours().await;
    assert_eq!(sats_per_vbyte().await, 12, "as the network asks");
}

/// A function that is not the operator's own may have written a transaction of the pool as a division of it.
#[tokio::test(flavor = "multi_thread")]
async fn custody_11_a_division_that_no_mint_names_is_not_signed() {
    let (world, _) = world().await;
    let mint = world.mint(&json!({})).await;
    let (node, pool) = (world.stack.bitcoin(), world.pool.address(NETWORK));
    node.scatter(&pool, 5_000, 60).await.unwrap();
    node.mine(1).await.unwrap();
    let done = said(&world, &["--do", "order"]).await;
    let [merge] = ordered(&done)[..] else { panic!("{done}") };
    let mut row = world.issued(merge).await;
    row.work = Work::PoolSplit(PoolSplit { mint_id: mint });
    let store = &world.stack.app().store;
    store.put(&chain::keys::transaction(merge), &row).await.unwrap();
    refuse(&world).await;
    let row = world.issued(merge).await;
    assert_eq!((row.state, row.signed_weight), (TransactionState::Signing, None));
    assert!(row.blocked.is_some());
}
