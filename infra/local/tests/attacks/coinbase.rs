//! Outputs of coinbases, which no block may spend before they have 100 confirmations. Any miner can add some to its
//! blocks, and a user or an admin may be paid so by a pool of miners.

use bitcoin::{Address, OutPoint};
use chain::models::mint::MintState;
use local::{
    bitcoin::Replica,
    client::Answer,
    mints::{MintWorld, Trader, txid_of},
    wallets::NETWORK,
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::victim::{create_withdrawal, inputs, sign_withdrawal, withdraws};

/// Mines a block whose coinbase pays the address; returns the output.
async fn mine_to(world: &MintWorld, to: &Address) -> OutPoint {
    let chain = world.stack.bitcoin();
    let mined = chain.rpc("generatetoaddress", json!([1, to.to_string()])).await.unwrap();
    let block = chain.rpc("getblock", json!([mined[0], 1])).await.unwrap();
    OutPoint { txid: block["tx"][0].as_str().unwrap().parse().unwrap(), vout: 0 }
}

async fn get(world: &MintWorld, trader: &Trader, path: &str) -> Answer {
    let call = world.client.get(path).bearer(&world.token(trader).await);
    call.send().await.expect(200)
}

/// The coin of a trading wallet as the list shows it.
async fn listed(world: &MintWorld, trader: &Trader, coin: OutPoint) -> Value {
    let rows = get(world, trader, "/api/account/trading-wallet/coins?pageSize=100").await;
    let rows = rows.data().as_array().unwrap().clone();
    rows.into_iter().find(|row| row["id"] == coin.to_string()).unwrap_or_default()
}

/// The largest withdrawal that is possible now.
async fn largest(world: &MintWorld, trader: &Trader) -> Answer {
    let body = json!({ "type": "xchain-withdraw", "params": { "tokenId": "0:0" } });
    let call = world.client.post("/api/transactions/max-spent");
    call.bearer(&world.token(trader).await).json(&body).send().await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_28_coinbase_outputs_on_a_trading_address_lock_nothing_and_pay_once_mature() {
    let world = MintWorld::start(100_000).await;
    let alice = world.trader(1, &[200_000, 90_000]).await;
    let mut mined = Vec::new();
    for _block in 0..4 {
        mined.push(mine_to(&world, &alice.trading).await);
    }
    world.mine(1).await;
    for coin in &mined {
        let row = listed(&world, &alice, *coin).await;
        assert_eq!((&row["state"], &row["usableFor"]), (&json!("immature"), &json!([])), "{row}");
    }
    let balance = get(&world, &alice, "/api/account/trading-wallet/balance").await;
    let (btc, coins) = (&balance.data()["btc"], &balance.data()["coins"]);
    assert_eq!((&btc["available"], &coins["free"]), (&json!(290_000), &json!(2)), "{balance}");
    assert_eq!(coins["immature"], 4);
    let confirmed = btc["confirmed"].as_u64().unwrap();
    assert_eq!(btc["immature"].as_u64().unwrap(), confirmed - 290_000);
    let found = largest(&world, &alice).await;
    assert!(found.data()["maxSatsAmt"].as_u64().unwrap() < 290_000, "{found}");
    let left = json!({ "reason": "immature", "coins": 4, "sats": confirmed - 290_000 });
    assert!(found.data()["leftOut"].as_array().unwrap().contains(&left), "{found}");
    // More than the other coins hold.
    let refused = create_withdrawal(&world, &alice, "0:0", 300_000)
        .await
        .expect_error(Problem::InsufficientBtc);
    let details = refused.body["details"].as_str().unwrap();
    assert!(details.contains("4 mined less than 100 blocks ago"), "{details}");
    let params = json!({ "txIdVouts": [mined[0].to_string()] });
    let renewal = json!({ "type": "renew-utxo", "params": params });
    let call = world.client.post("/api/transactions").bearer(&world.token(&alice).await);
    call.json(&renewal).send().await.expect_error(Problem::CoinUnknown);

    let created = withdraws(&world, &alice, "0:0", 50_000).await;
    assert_eq!(created.body["metaData"]["coinsLeftAside"]["immature"], 4, "{created}");
    assert!(inputs(&created).iter().all(|input| !mined.contains(input)), "{created}");
    // A batch does without them, too.
    world.mint(&json!({})).await;
    let batch = world.bid(&alice, 1, 2_000).await;
    let spent = world.body(batch).await.inputs;
    assert!(spent.iter().all(|input| !mined.contains(&input.0)));

    let height = |coin: OutPoint| {
        let chain = world.stack.bitcoin();
        async move { chain.confirmations(coin.txid).await.unwrap().unwrap() }
    };
    let missing = 99 - height(mined[0]).await;
    world.stack.bitcoin().mine(missing).await.unwrap();
    assert_eq!(height(mined[0]).await, 99);
    assert_eq!(listed(&world, &alice, mined[0]).await["state"], "immature");
    world.mine(1).await;
    assert_eq!(listed(&world, &alice, mined[0]).await["state"], "free");
    assert_eq!(listed(&world, &alice, mined[1]).await["state"], "immature");
    let sats = largest(&world, &alice).await.data()["maxSatsAmt"].as_u64().unwrap();
    let created = withdraws(&world, &alice, "0:0", sats.into()).await;
    assert!(inputs(&created).contains(&mined[0]), "{created}");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_28_a_coinbase_output_is_not_signed_away_before_it_is_mature() {
    let world = MintWorld::start(1_000).await;
    let alice = world.trader(1, &[]).await;
    let mined = mine_to(&world, &alice.trading).await;
    let chain = world.stack.bitcoin();
    chain.mine(99).await.unwrap();
    let created = create_withdrawal(&world, &alice, "0:0", 50_000).await.expect(201);
    assert_eq!(inputs(&created), [mined]);
    // A server that is a block behind, as all are once a reorganisation has taken that block back.
    chain.set_esplora_replicas([Replica::Behind(1)]);
    sign_withdrawal(&world, &alice, &created).await.expect_error(Problem::ChainUnavailable);
    chain.set_esplora_replicas([]);
    let signed = sign_withdrawal(&world, &alice, &created).await.expect(201);
    assert_eq!(signed.data()["state"], "inMempool", "{signed}");
    assert!(world.is_known(txid_of(&created)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_28_a_coinbase_whose_block_is_reorganised_away_leaves_nothing_behind() {
    let world = MintWorld::start(1_000).await;
    let alice = world.trader(1, &[200_000]).await;
    let mined = mine_to(&world, &alice.trading).await;
    world.watch().await;
    assert_eq!(listed(&world, &alice, mined).await["state"], "immature");
    world.stack.bitcoin().reorg(1, &[]).await.unwrap();
    world.watch().await;
    assert_eq!(listed(&world, &alice, mined).await, Value::Null);
    let created = withdraws(&world, &alice, "0:0", 50_000).await;
    assert_eq!(created.body["metaData"]["coinsLeftAside"]["immature"], 0, "{created}");
    // The same place in the chain has another coinbase now.
    let other = mine_to(&world, &alice.trading).await;
    assert_eq!(listed(&world, &alice, other).await["state"], "immature");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_28_coinbase_outputs_in_the_pool_delay_no_payout() {
    let world = MintWorld::start(100_000).await;
    let pool = world.pool.address(NETWORK);
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let mut mined = vec![mine_to(&world, &pool).await];
    world.bid(&alice, 4, 2_000).await;
    for _block in 0..3 {
        mined.push(mine_to(&world, &pool).await);
        world.watch().await;
    }
    for _block in 0..14 {
        world.mine(1).await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    let coins = world.stack.bitcoin().coins(&pool).await.unwrap();
    let is_there = |coin: &OutPoint| coins.iter().any(|other| other.outpoint == *coin);
    assert!(mined.iter().all(is_there));
    let paid = world.stack.bitcoin().coins(&world.proceeds).await.unwrap();
    assert_eq!(paid.iter().map(|coin| coin.output.value.to_sat()).sum::<u64>(), 8_000);
    world.recount(mint).await;
}
