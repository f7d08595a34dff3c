//! More recipients than one runestone can name.

use local::wallets::NETWORK;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn rule_9_several_payouts_leave_in_one_block_from_coins_that_were_divided_for_them() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let mut traders = Vec::new();
    for seed in 1..=5 {
        traders.push(world.trader(seed, &[40_000, 40_000, 40_000]).await);
    }
    for _round in 0..3 {
        for trader in &traders {
            world.bid(trader, 2, 2_000).await;
        }
        world.mine(1).await;
    }
    assert_eq!(world.mint_row(mint).await.requests_in_blocks, 30);
    world.mine(6).await;
    let row = world.mint_row(mint).await;
    assert!(row.pool_split.is_some() && row.payouts_planned);
    // While they are divided, nothing leaves.
    let payouts = world.payouts(mint).await;
    assert_eq!(payouts.iter().map(|payout| payout.transactions.len()).collect::<Vec<_>>(), [12, 3]);
    assert!(payouts.iter().all(|payout| payout.transfer.is_none()));

    world.mine(1).await;
    let payouts = world.payouts(mint).await;
    assert!(payouts.iter().all(|payout| payout.transfer.is_some() && payout.distribution.is_some()));
    world.mine(1).await;
    for payout in &payouts {
        for txid in [payout.transfer, payout.distribution] {
            assert_eq!(world.stack.bitcoin().confirmations(txid.unwrap()).await.unwrap(), Some(1));
        }
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
