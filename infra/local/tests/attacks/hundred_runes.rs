//! Coins with as many runes as the service accepts, and with more.

use local::{bitcoin::Pile, mints::MintWorld};
use shared::problem::Problem;

use crate::victim::{create_withdrawal, withdraws};

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_coins_with_a_hundred_runes_can_be_withdrawn_and_larger_ones_stop_nothing() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[300_000, 50_000]).await;
    let chain = world.stack.bitcoin();
    let runes = chain.etch_many(199).await.unwrap();
    let wanted = runes[0];
    let pile = |others: std::ops::Range<usize>, sats| {
        let others = runes[others].iter().map(|rune| (*rune, 7));
        Pile { to: &alice.trading, sats, runes: others.chain([(wanted, 50)]).collect() }
    };
    // Two of her coins have a hundred runes each, all but one different; a stranger's has 101.
    let piles = [pile(1..100, 10_000), pile(100..199, 10_000), pile(1..101, 546)];
    let piles = chain.fund_piles(&piles).await.unwrap();
    assert_eq!(chain.runes_in(piles[2]).await.unwrap().unwrap().len(), 101);

    let token = wanted.to_string();
    let refused = create_withdrawal(&world, &alice, &token, 100)
        .await
        .expect_error(Problem::InsufficientRune);
    assert!(refused.text.contains("one transaction can spend only 50"), "{refused}");
    let created = withdraws(&world, &alice, &token, 30).await;
    assert_eq!(created.body["metaData"]["coinsLeftAside"]["unknown"], 1, "{created}");
    // The change of the first withdrawal still has a hundred runes.
    for amount in [50, 20] {
        withdraws(&world, &alice, &token, amount).await;
    }
    withdraws(&world, &alice, &runes[150].to_string(), 7).await;
    let refused =
        create_withdrawal(&world, &alice, &token, 1).await.expect_error(Problem::InsufficientRune);
    assert!(refused.text.contains("1 with unknown contents"), "{refused}");
}
