//! A damaged row harms no other row (custody rule 26).

use std::time::Duration;

use chain::{blocks, keys, models::transaction::Work};
use serde::{Deserialize, Serialize};
use shared::models::watch::Watch;
use store::{Entity, Update, fields};

use super::*;

/// The work of an issued transaction, and the text that takes its place.
#[derive(Serialize, Deserialize)]
struct Worked {
    work: Work,
    text: String,
}

fields!(Worked { WORK: Work = work, TEXT: String = text as "work" });

/// A row of a block that cannot be read.
#[derive(Serialize, Deserialize)]
struct Unreadable {
    places: u8,
    height: String,
}

impl Entity for Unreadable {
    const ENTITY: &'static str = "chainBlock";
}

/// Whether the worker has applied every block of the chain.
async fn is_up_to_date(world: &MintWorld) -> bool {
    let tip = blocks::tip(&world.stack.app().store).await.unwrap().unwrap();
    tip.height == world.stack.bitcoin().height().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_commitment_whose_work_is_damaged_stops_no_block_and_takes_part() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let a = world.bid(&alice, 5, 2_000).await;
    let b = world.bid(&bob, 3, 3_000).await;
    let (store, row) = (&world.stack.app().store, world.issued(b).await);
    let key = keys::transaction(b);
    let damaged = Update::new().set(Worked::TEXT, "lost");
    store.update(&key, damaged).await.unwrap();
    world.mine(1).await;
    assert!(is_up_to_date(&world).await);
    assert_eq!(world.vm(mint, a).await.requests_in_blocks(), 5);
    // Six blocks later its block becomes final, and the mint is full with its requests.
    world.mine(6).await;
    assert!(is_up_to_date(&world).await);
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);

    let repaired = Update::new().set(Worked::WORK, &row.work);
    store.update(&key, repaired).await.unwrap();
    for _look in 0..4 {
        world.pass(Duration::from_secs(15 * 60)).await;
    }
    for _block in 0..30 {
        if world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
        world.mine(1).await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(runes_of(&world, &alice.trading).await, 5_000);
    assert_eq!(runes_of(&world, &bob.trading).await, 3_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_block_is_taken_back_without_the_rows_that_describe_it() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 20, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let a = world.bid(&alice, 5, 2_000).await;
    let b = world.bid(&bob, 3, 3_000).await;
    world.mine(1).await;
    assert_eq!(world.requests_in_blocks(mint).await, 8);
    let store = &world.stack.app().store;
    let tip = blocks::tip(store).await.unwrap().unwrap();
    for key in [keys::chain_block(tip.hash), keys::chain_deposit_block(tip.hash)] {
        let unreadable = Unreadable { places: 1, height: "x".to_owned() };
        store.put(&key, &unreadable).await.unwrap();
    }
    // The new blocks contain neither commitment, so the bids of the old one must be gone.
    world.stack.bitcoin().reorg(1, &[a, b]).await.unwrap();
    world.watch().await;
    assert!(is_up_to_date(&world).await);
    assert_eq!(world.requests_in_blocks(mint).await, 0);
    world.mine(1).await;
    world.recount(mint).await;
    assert_eq!(world.requests_in_blocks(mint).await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_damaged_batch_of_a_payout_keeps_no_refund_waiting_and_recovers() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let carol = world.trader(3, &[200_000]).await;
    world.bid(&alice, 5, 2_000).await;
    let b = world.bid(&bob, 3, 3_000).await;
    let c = world.bid(&carol, 2, 1_000).await;
    world.mine(1).await;
    // Bob's row has fewer requests than the blocks have taken of him.
    let set_requests = async |count: u64| {
        let mut row = world.vm(mint, b).await;
        row.tiers[0].count = count;
        let store = &world.stack.app().store;
        store.put(&keys::vm_transaction(row.key()), &row).await.unwrap();
    };
    set_requests(1).await;
    world.mine(6).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.watch), (MintState::MintedOut, Some(Watch::StuckMint)));
    assert!(row.failing.unwrap().cause.contains("cannot be settled"));
    assert!(world.listed(c).await["isRefundable"].as_bool().unwrap());
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transaction.is_none()));

    set_requests(3).await;
    world.mine(1).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.payouts_planned, row.watch, row.failing), (true, Some(Watch::Mint), None));
    for _block in 0..30 {
        if world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 5_000);
    assert_eq!(runes_of(&world, &bob.trading).await, 3_000);
}
