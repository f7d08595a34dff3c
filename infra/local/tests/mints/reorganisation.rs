//! Mints in reorganisations.

use std::time::Duration;

use base::clock::Timestamp;
use chain::{keys, transactions::IssuedTransaction};
use shared::problem::Problem;
use store::{Update, Writes};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_reorganisation_of_three_removes_and_restores_a_commitment() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 20, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let a = world.bid(&alice, 8, 3_000).await;
    world.bid(&bob, 8, 2_000).await;
    world.mine(1).await;
    world.mine(1).await;
    world.mine(1).await;
    world.recount(mint).await;
    let figures = async || {
        let rows = world.vms(mint).await;
        let of = |account: &Trader| {
            let row = rows.iter().find(|row| row.user_address == account.address()).unwrap();
            (row.state, row.requests_in_blocks(), row.confirmation.map(|place| place.height))
        };
        (of(&alice), of(&bob))
    };
    let height = world.stack.bitcoin().height().await.unwrap();
    let before = figures().await;
    assert_eq!(before.0, (VmState::AllInBlock, 8, Some(height - 2)));
    assert_eq!(before.1, (VmState::PartiallyInBlock, 4, Some(height - 2)));

    // Three blocks are replaced by four, none of which contains Alice's commitment.
    world.stack.bitcoin().reorg(3, &[a]).await.unwrap();
    assert!(!world.is_known(a).await);
    world.watch().await;
    world.recount(mint).await;
    // It is rebroadcast immediately and waits; Bob's requests fill the blocks alone.
    assert!(world.is_known(a).await);
    let between = figures().await;
    assert_eq!(between.0, (VmState::AllInMempool, 0, None));
    assert_eq!((between.1.0, between.1.1), (VmState::AllInBlock, 8));
    assert_eq!(world.vm(mint, a).await.paid_sats(), 0);

    world.mine(1).await;
    world.recount(mint).await;
    world.mine(1).await;
    world.recount(mint).await;
    let after = figures().await;
    let height = world.stack.bitcoin().height().await.unwrap();
    assert_eq!(after.0, (VmState::AllInBlock, 8, Some(height - 1)));
    assert_eq!((after.1.0, after.1.1), (VmState::AllInBlock, 8));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_mint_full_for_six_blocks_can_be_empty_again() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let a = world.bid(&alice, 8, 3_000).await;
    world.mine(1).await;
    assert_eq!(world.requests_in_blocks(mint).await, 8);
    // A full mint takes no more requests.
    world.create(&alice, 1, 3_000).await.expect_error(Problem::VmMintClosed);
    for _block in 0..5 {
        world.mine(1).await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    let height = world.stack.bitcoin().height().await.unwrap();
    assert_eq!(world.vm(mint, a).await.confirmation.unwrap().height, height - 5);

    // All six blocks are replaced.
    world.stack.bitcoin().reorg(6, &[a]).await.unwrap();
    world.watch().await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    assert_eq!(world.requests_in_blocks(mint).await, 0);
    assert_eq!(world.vm(mint, a).await.state, VmState::AllInMempool);
    world.mine(1).await;
    world.mine(5).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_mint_does_not_end_on_blocks_that_were_replaced() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let a = world.bid(&alice, 8, 3_000).await;
    world.mine(1).await;
    world.mine(5).await;
    // The worker does not get to the commitment, and seven blocks without it replace the six that the worker
    // knows.
    let app = world.stack.app();
    let due = async |at: Timestamp| {
        let update = Update::new().set(IssuedTransaction::DUE_AT, at);
        let row = Writes::new().update(&keys::transaction(a), update, ());
        app.store.commit(row).await.unwrap();
    };
    due(app.clock.now().plus(Duration::from_secs(100_000))).await;
    world.stack.bitcoin().reorg(6, &[a]).await.unwrap();
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    assert_eq!(world.requests_in_blocks(mint).await, 0);
    world.recount(mint).await;
    due(app.clock.now()).await;
    world.mine(1).await;
    world.mine(6).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    assert!(world.vm(mint, a).await.is_final);
    world.recount(mint).await;
}
