//! Thousands of dust coins.

use local::{bitcoin::Etching, mints::MintWorld, wallets::NETWORK};

use crate::victim::{
    LONGEST_ANSWER, length_of, mints_and_is_refunded, sees_and_empties_the_wallet, withdraws,
};

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_five_thousand_dust_coins_stop_nothing() {
    let world = MintWorld::start(1_000_000).await;
    let chain = world.stack.bitcoin();
    let alice = world.trader(1, &[300_000, 50_000]).await;
    let etching =
        Etching { name: "ALICES•OWN•RUNE".to_owned(), supply: 500, divisibility: 0, to: None };
    let rune = chain.etch(&etching).await.unwrap();
    // Half of the dust is older than the coin with her runes, half is younger; some of it is worth more.
    chain.scatter(&alice.trading, 330, 2_000).await.unwrap();
    chain.scatter(&alice.trading, 600, 500).await.unwrap();
    chain.fund_rune(&alice.trading, 546, rune, 500).await.unwrap();
    chain.scatter(&alice.trading, 330, 2_000).await.unwrap();
    chain.scatter(&alice.trading, 600, 500).await.unwrap();
    chain.scatter(&world.pool.address(NETWORK), 600, 5_000).await.unwrap();

    let path = format!("/address/{}/utxo", alice.trading);
    assert!(length_of(chain.esplora_url(), &path).await > LONGEST_ANSWER);
    let created = withdraws(&world, &alice, &rune.to_string(), 400).await;
    let left_aside = &created.body["metaData"]["coinsLeftAside"];
    assert!(left_aside["notRead"].as_u64().unwrap() >= 4_000, "{created}");
    // The rest of her runes is in a younger coin now.
    withdraws(&world, &alice, &rune.to_string(), 100).await;
    let created = withdraws(&world, &alice, "0:0", 20_000).await;
    assert_eq!(created.data()["userInputIndexes"].as_array().unwrap().len(), 1, "{created}");
    sees_and_empties_the_wallet(&world, &alice).await;
    // If ord has no address index, the most valuable coins are read first.
    chain.fail_ord_on(&[&alice.trading]);
    withdraws(&world, &alice, "0:0", 20_000).await;
    chain.fail_ord_on(&[]);
    mints_and_is_refunded(&world, &alice).await;
}
