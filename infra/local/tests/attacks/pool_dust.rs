//! Dust and single units of the rune, sent to the pool.

use chain::models::mint::MintState;
use local::{bitcoin::Etching, mints::MintWorld, wallets::NETWORK};
use serde_json::json;

/// Sends the pool worthless coins: some with a single unit of the rune each, and plain ones.
async fn flood(world: &MintWorld, runic: u32, plain: u32) {
    let (chain, pool) = (world.stack.bitcoin(), world.pool.address(NETWORK));
    for _coin in 0..runic {
        chain.fund_rune(&pool, 546, world.rune, 1).await.unwrap();
    }
    for _coin in 0..plain {
        chain.fund(&pool, 600).await.unwrap();
    }
}

/// Number of transactions that divide coins of the pool.
fn divisions(world: &MintWorld) -> usize {
    json!(world.stack.contents()).to_string().matches("{\"S\":\"pool-split\"}").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_dust_in_the_pool_neither_serialises_payouts_nor_causes_divisions() {
    let mut world = MintWorld::with_one_coin(1_000).await;
    let etching = Etching {
        name: "POOL•FLOOD•RUNES".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: None,
    };
    let chain = world.stack.bitcoin();
    let rune = chain.etch(&etching).await.unwrap();
    chain.fund_rune(&world.pool.address(NETWORK), 546, rune, 100_000).await.unwrap();
    chain.mine(1).await.unwrap();
    world.rune = rune;
    for _block in 0..5 {
        flood(&world, 3, 5).await;
        world.stack.bitcoin().mine(1).await.unwrap();
    }
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let traders = world.crowd(5).await;
    world.mine(6).await;
    assert_eq!((world.mint_row(mint).await.state, divisions(&world)), (MintState::MintedOut, 1));
    flood(&world, 2, 3).await;
    world.mine(1).await;
    let payouts = world.payouts(mint).await;
    assert_eq!(payouts.len(), 2);
    assert!(payouts.iter().all(|payout| payout.transaction.is_some()), "payouts ran in series");
    flood(&world, 2, 3).await;
    world.mine(1).await;
    world.watch().await;
    for _block in 0..9 {
        flood(&world, 1, 1).await;
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!((world.mint_row(mint).await.state, divisions(&world)), (MintState::Distributed, 1));
    for trader in &traders {
        let runes = world.stack.bitcoin().runes_of(&trader.trading).await.unwrap();
        assert_eq!(runes.values().sum::<u128>(), 6_000);
    }
}
