//! Coins with thousands of inscriptions, for which ord's answer exceeds every limit.

use std::time::Duration;

use local::{client::Answer, mints::MintWorld, wallets::NETWORK};
use shared::problem::Problem;

use crate::victim::{
    LONGEST_ANSWER, create_withdrawal, inputs, length_of, mints_and_is_refunded,
    sees_and_empties_the_wallet, sign_withdrawal, withdraws,
};

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_a_poisoned_coin_stops_no_withdrawal_mint_payout_or_refund() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[300_000, 50_000]).await;
    let chain = world.stack.bitcoin();
    let poisoned = chain.inscribe_emptily(&alice.trading, 330, 30_000).await.unwrap();
    assert!(length_of(chain.ord_url(), &format!("/output/{poisoned}")).await > LONGEST_ANSWER);
    for address in [world.pool.address(NETWORK), world.treasury.address(NETWORK)] {
        chain.inscribe_emptily(&address, 330, 30_000).await.unwrap();
    }

    let created = withdraws(&world, &alice, "0:0", 20_000).await;
    assert_eq!(created.body["metaData"]["coinsLeftAside"]["unknown"], 1, "{created}");
    sees_and_empties_the_wallet(&world, &alice).await;
    mints_and_is_refunded(&world, &alice).await;

    // The error tells her which coins were left aside.
    let refused = create_withdrawal(&world, &alice, "0:0", 9_000_000).await;
    let refused = refused.expect_error(Problem::InsufficientBtc);
    assert!(refused.text.contains("Coins left aside: 1 with unknown contents"), "{refused}");
    let coins = chain.coins(&alice.trading).await.unwrap();
    assert!(coins.iter().any(|coin| coin.outpoint == poisoned));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_a_coin_found_unreadable_at_signing_is_left_aside_next_time() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[200_000, 200_000]).await;
    let chain = world.stack.bitcoin();
    let create = async |sats| create_withdrawal(&world, &alice, "0:0", sats).await.expect(201);
    let created = create(250_000).await;
    let bad = inputs(&created)[0];
    chain.fail_ord_on(&[&bad]);
    sign_withdrawal(&world, &alice, &created).await.expect_error(Problem::CoinsChanged);

    // It is left aside for an hour, although ord can read it again.
    chain.fail_ord_on(&[]);
    let created = create(50_000).await;
    assert!(!inputs(&created).contains(&bad), "{created}");
    let answer: Answer = sign_withdrawal(&world, &alice, &created).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool");
    world.mine(1).await;
    world.pass(Duration::from_secs(61 * 60)).await;
    let created = create(190_000).await;
    assert!(inputs(&created).contains(&bad), "{created}");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_while_ord_is_down_nothing_is_released() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[200_000]).await;
    let chain = world.stack.bitcoin();
    let created = create_withdrawal(&world, &alice, "0:0", 50_000).await.expect(201);
    chain.set_ord_mood(local::mood::Mood { down: true, ..Default::default() });
    let answer = sign_withdrawal(&world, &alice, &created).await;
    assert_eq!(answer.status, 502, "{answer}");
    chain.set_ord_mood(Default::default());
    sign_withdrawal(&world, &alice, &created).await.expect(201);
}
