//! Reorganisations: every party sees the new end of the chain.

use bitcoin::OutPoint;
use local::{BitcoinWorld, Client, bitcoin::Etching};
use serde_json::json;

use crate::{address, wallet::Somebody};

#[tokio::test]
async fn a_dropped_transaction_is_forgotten_with_its_descendants() {
    let world = BitcoinWorld::start().await.unwrap();
    let (esplora, ord) = (Client::new(world.esplora_url()), Client::new(world.ord_url()));
    let somebody = Somebody::new(7);
    let kept = world.fund(&address(1), 11_000).await.unwrap();
    let before = world.mine(1).await.unwrap();
    let coin = world.fund(&somebody.address(), 40_000).await.unwrap();
    world.mine(1).await.unwrap();
    let spending = somebody.spend(coin, 40_000, 1_000, &address(2));
    let child = world.send_raw(&spending).await.unwrap();
    let tip = world.mine(1).await.unwrap();
    let waiting = world.fund(&address(3), 9_000).await.unwrap();
    assert_eq!(tip, before + 2);
    let old = esplora.get(format!("/block-height/{before}")).send().await.expect(200).text;

    let error = world.reorg(2, &[kept.txid]).await.unwrap_err();
    assert!(error.to_string().contains("in none of the last 2 blocks"), "{error}");
    let height = world.reorg(3, &[coin.txid]).await.unwrap();
    assert_eq!(height, tip + 1);

    let new = esplora.get(format!("/block-height/{before}")).send().await.expect(200).text;
    assert_ne!(new, old);
    assert_eq!(esplora.get("/blocks/tip/height").send().await.expect(200).text, height.to_string());
    assert_eq!(ord.get("/blockheight").send().await.expect(200).text, height.to_string());
    assert_eq!(world.confirmations(kept.txid).await.unwrap(), Some(4));
    for gone in [coin.txid, child] {
        assert_eq!(world.confirmations(gone).await.unwrap(), None);
        esplora.get(format!("/tx/{gone}")).send().await.expect(404);
    }
    assert_eq!(esplora.get(format!("/address/{}/utxo", address(2))).send().await.body, json!([]));
    assert_eq!(world.confirmations(waiting.txid).await.unwrap(), Some(0));
    let listed = esplora.get(format!("/address/{}/utxo", address(1))).send().await.expect(200).body;
    assert_eq!(listed[0]["status"]["block_hash"], new);

    // It stays away, and can be sent again.
    world.mine(1).await.unwrap();
    assert_eq!(world.confirmations(coin.txid).await.unwrap(), None);
    assert_eq!(world.confirmations(waiting.txid).await.unwrap(), Some(1));
}

#[tokio::test]
async fn a_dropped_transaction_can_be_sent_again() {
    let world = BitcoinWorld::start().await.unwrap();
    let somebody = Somebody::new(8);
    let coin = world.fund(&somebody.address(), 40_000).await.unwrap();
    world.mine(1).await.unwrap();
    let spending = somebody.spend(coin, 40_000, 1_000, &address(2));
    let txid = world.send_raw(&spending).await.unwrap();
    world.mine(1).await.unwrap();
    world.reorg(1, &[txid]).await.unwrap();
    assert_eq!(world.transaction(txid).await.unwrap(), None);

    assert_eq!(world.send_raw(&spending).await.unwrap(), txid);
    assert_eq!(world.confirmations(txid).await.unwrap(), Some(0));
    world.mine(1).await.unwrap();
    assert_eq!(world.confirmations(txid).await.unwrap(), Some(1));
}

#[tokio::test]
async fn ord_reverts_runes_and_inscriptions() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    let name = "RUNEPORT•LOCAL•RUNE".to_owned();
    let etching = Etching { name: name.clone(), supply: 100, divisibility: 0, to: None };
    let rune = world.etch(&etching).await.unwrap();
    let paid = world.fund_rune(&address(1), 546, rune, 30).await.unwrap();
    world.mine(1).await.unwrap();
    let made = world.inscribe(&address(2), "text/plain", b"gone soon").await.unwrap();
    assert_eq!(world.runes_of(&address(1)).await.unwrap()[&name], 30);

    world.reorg(4, &[paid.txid, made.id.txid]).await.unwrap();
    assert!(world.runes_of(&address(1)).await.unwrap().is_empty());
    ord.get(format!("/inscription/{}", made.id)).send().await.expect(404);
    // The payments belong to the faucet again.
    let again = world.fund_rune(&address(3), 546, rune, 100).await.unwrap();
    world.mine(1).await.unwrap();
    assert_eq!(world.runes_in(again).await.unwrap().unwrap()[&name], 100);
}

#[tokio::test]
async fn repeated_reorganisations_are_followed() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    let mut coins: Vec<OutPoint> = Vec::new();
    for depth in [1, 1, 12, 20, 20] {
        coins.push(world.fund(&address(9), 5_000).await.unwrap());
        world.mine(1).await.unwrap();
        let height = world.reorg(depth, &[]).await.unwrap();
        assert_eq!(ord.get("/blockheight").send().await.expect(200).text, height.to_string());
        for coin in &coins {
            assert!(world.confirmations(coin.txid).await.unwrap() >= Some(1), "depth {depth}");
        }
    }
    assert_eq!(world.coins(&address(9)).await.unwrap().len(), coins.len());
    for wrong in [0, 21] {
        world.reorg(wrong, &[]).await.unwrap_err();
    }
}
