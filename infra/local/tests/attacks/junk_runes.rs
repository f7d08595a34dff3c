//! Thousands of coins with runes that nobody wants, each worth one sat more than the coins with runes that the service makes.

use bitcoin::{Address, OutPoint};
use chain::models::mint::MintState;
use local::{
    bitcoin::{Etching, Pile},
    mints::MintWorld,
    patience::wait_for,
    wallets::NETWORK,
};
use ordinals::RuneId;
use serde_json::json;
use shared::problem::Problem;
use tokio::sync::Mutex;

use crate::victim::{create_withdrawal, inputs, withdraws};

/// More than the coins with runes of an address that are considered, and more than the others that are kept.
const JUNK: usize = 5_001;
const DUST: usize = 20_001;
/// Coins of one transaction.
const AT_ONCE: usize = 1_667;
/// Blocks after which a mint with junk in the pool is stopped rather than slow: without junk it takes 14.
const MOST_BLOCKS: usize = 60;

/// Listing so many coins takes most of a machine, so these tests run one after another.
static LISTING: Mutex<()> = Mutex::const_new(());

async fn etch(world: &MintWorld, name: &str, supply: u128) -> RuneId {
    let etching = Etching { name: name.to_owned(), supply, divisibility: 0, to: None };
    world.stack.bitcoin().etch(&etching).await.unwrap()
}

/// Sends an address the junk.
async fn flood(world: &MintWorld, to: &Address, junk: RuneId) {
    let chain = world.stack.bitcoin();
    let mut left = JUNK;
    while left > 0 {
        let some = left.min(AT_ONCE);
        let pile = Pile { to, sats: 547, runes: vec![(junk, 1)] };
        chain.fund_piles(&vec![pile; some]).await.unwrap();
        left -= some;
    }
    chain.scatter(to, 547, DUST).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_29_junk_on_a_trading_address_hides_no_runes() {
    let _alone = LISTING.lock().await;
    let world = MintWorld::start(1_000).await;
    let chain = world.stack.bitcoin();
    let alice = world.trader(1, &[300_000]).await;
    let (own, junk) = (
        etch(&world, "ALICES•OWN•RUNE", 7_500).await,
        etch(&world, "JUNK•OF•A•STRANGER", 1_000_000).await,
    );
    let mut held = Vec::new();
    for amount in [4_000, 3_500] {
        held.push(chain.fund_rune(&alice.trading, 546, own, amount).await.unwrap());
        chain.mine(1).await.unwrap();
    }
    flood(&world, &alice.trading, junk).await;

    // If ord cannot list the runes, the answer does not claim that there are none.
    chain.fail_ord_on(&[&"type=runic"]);
    let token = world.token(&alice).await;
    let path = "/api/account/trading-wallet/balance";
    let unlisted = world.client.get(path).bearer(&token).send().await.expect(200);
    assert_eq!(unlisted.body["metaData"]["checks"], "unavailable");
    assert_eq!(unlisted.data()["runes"], json!(null));
    let refused = create_withdrawal(&world, &alice, &own.to_string(), 7_000).await;
    refused.expect_error(Problem::ChainUnavailable);
    chain.fail_ord_on(&[]);
    // ord may be busy.
    let listed = async || {
        let answer = world.client.get(path).bearer(&token).send().await.expect(200);
        (answer.body["metaData"]["checks"] == "complete").then_some(answer)
    };
    let balance = wait_for("the runes of all coins", listed).await.unwrap();
    let runes = balance.data()["runes"].as_array().unwrap();
    let shown = runes.iter().find(|rune| rune["runeId"] == own.to_string()).unwrap();
    assert_eq!((&shown["confirmed"], &shown["available"]), (&json!("7500"), &json!("7500")));
    // Both coins together, and then the change.
    let created = withdraws(&world, &alice, &own.to_string(), 7_000).await;
    assert!(held.iter().all(|coin| inputs(&created).contains(coin)), "{created}");
    withdraws(&world, &alice, &own.to_string(), 500).await;
    withdraws(&world, &alice, "0:0", 20_000).await;
    // Its owner can do something about the junk.
    let coins = chain.coins(&alice.trading).await.unwrap();
    let junk = coins.iter().filter(|coin| coin.output.value.to_sat() == 547).take(30);
    let junk: Vec<OutPoint> = junk.map(|coin| coin.outpoint).collect();
    let junk: Vec<_> = junk.iter().map(ToString::to_string).collect();
    let body = json!({ "type": "renew-utxo", "params": { "txIdVouts": junk } });
    let call = world.client.post("/api/transactions").bearer(&world.token(&alice).await);
    call.json(&body).send().await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_29_junk_in_the_pool_stops_neither_mints_nor_payouts() {
    let _alone = LISTING.lock().await;
    let mut world = MintWorld::start(1_000).await;
    let chain = world.stack.bitcoin().clone();
    let pool = world.pool.address(NETWORK);
    let junk = etch(&world, "JUNK•OF•A•STRANGER", 1_000_000).await;
    world.rune = etch(&world, "RUNES•OF•THE•POOL", 1_000_000).await;
    chain.fund_rune(&pool, 546, world.rune, 50_000).await.unwrap();
    chain.mine(7).await.unwrap();
    flood(&world, &pool, junk).await;
    // It holds enough for a mint, which ends as if nothing were there.
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    let mut blocks = 0;
    while world.mint_row(mint).await.state != MintState::Distributed {
        assert!(blocks < MOST_BLOCKS, "{:?}", world.mint_row(mint).await);
        world.mine(1).await;
        blocks += 1;
    }
    let runes = chain.runes_of(&alice.trading).await.unwrap();
    assert_eq!(runes.values().sum::<u128>(), 4_000);
    // Leftover runes stay on coins with more sats than the service sends to others.
    let distribution = world.distributions(mint).await.remove(0).transaction.unwrap();
    let sent = world.raw(distribution).await;
    let own = sent.output.iter().filter(|output| output.script_pubkey == pool.script_pubkey());
    assert!(own.into_iter().all(|output| output.value.to_sat() >= 2_000), "{sent:?}");
    world.recount(mint).await;
}
