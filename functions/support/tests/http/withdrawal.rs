//! "Where is my withdrawal?", asked by somebody who names an e-mail address.

use local::mints::{Trader, txid_of};
use serde_json::json;

use super::*;

impl World {
    /// Creates a withdrawal, which waits for its signature.
    async fn create(&self, trader: &Trader, sats: u64) -> Answer {
        let to = Wallet::p2tr(999).address().to_owned();
        let params = json!({ "amount": sats.to_string(), "tokenId": "0:0", "withdrawTo": to });
        let body = json!({ "type": "withdraw", "params": params });
        let call = self.client.post("/api/transactions").bearer(&trader.session.access_token);
        call.json(&body).send().await.expect(201)
    }

    async fn watch(&self) {
        self.stack.clock().advance(std::time::Duration::from_secs(61));
        self.stack.tick("chain-watcher").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_is_found_by_the_address_of_a_mailbox() {
    let world = World::on(LocalStack::builder().bitcoin().build().await).await;
    world.user(1, "ann@example.com").await;
    let ann = Trader::sign_in(&world.client, Wallet::p2wpkh(1)).await;
    let bob = Trader::sign_in(&world.client, Wallet::p2wpkh(2)).await;
    // The worker begins to follow the chain.
    world.watch().await;
    let chain = world.stack.bitcoin();
    let coin = chain.fund(&ann.trading, 60_000).await.unwrap();
    chain.mine(1).await.unwrap();
    world.watch().await;
    let account = &ann.session.account;
    let created = world.create(&ann, 20_000).await;
    let txid = txid_of(&created);
    let list = format!("/accounts/{account}/transactions");
    let unsigned = world.read(&format!("{list}?state_eq=unsigned")).await;
    assert_eq!(column(&unsigned, "txId"), [json!(txid)]);
    let one = format!("/transactions/{txid}");
    let draft = world.read(&one).await;
    assert_eq!(
        (&draft.data()["state"], &draft.data()["base64Psbt"]),
        (&json!("unsigned"), &json!(null))
    );
    assert_eq!(draft.data()["expiresAt"], created.data()["expiresAt"]);

    let signed = ann.signed(created.text_of("base64Psbt"));
    let body = json!({ "params": { "signedBase64Tx": signed } });
    let call = world.client.post("/api/transactions/sign").bearer(&ann.session.access_token);
    call.json(&body).send().await.expect(201);

    // The question: from the address to the withdrawal in three requests.
    let hits = world.search("ann@example.com").await;
    let found = hits.data()[0]["accountId"].as_str().unwrap().to_owned();
    assert_eq!(found, *account);
    let listed = world.read(&format!("/accounts/{found}/transactions?type_eq=withdraw")).await;
    let row = &listed.data()[0];
    assert_eq!((&row["txId"], &row["state"]), (&json!(txid), &json!("inMempool")));
    let followed = world.read(&one).await;
    let data = followed.data();
    assert_eq!((&data["accountId"], &data["email"]), (&json!(account), &json!("ann@example.com")));
    assert_eq!((&data["failing"], &data["blocked"]), (&json!(null), &json!(null)));
    assert_eq!((&data["confirmations"], &data["isFinal"]), (&json!(null), &json!(false)));
    let states = data["history"].as_array().unwrap().iter().map(|it| it["state"].clone());
    let states: Vec<_> = states.collect();
    assert_eq!(states, ["unsigned", "signing", "broadcasting", "inMempool"]);

    let by_txid = world.search(&txid.to_string()).await;
    let hit = &by_txid.data()[0];
    let shown = ["kind", "id", "accountId", "email", "foundBy", "state"].map(|field| &hit[field]);
    let expected = [
        json!("transaction"),
        json!(txid),
        json!(account),
        json!("ann@example.com"),
        json!("txId"),
        json!("inMempool"),
    ];
    assert_eq!(shown, expected.each_ref());
    let owner = world.client.get(format!("/api{one}")).bearer(&ann.session.access_token);
    let owner = owner.send().await.expect(200);
    for field in ["amount", "withdrawTo", "feeSats", "history", "createdAt", "type"] {
        assert_eq!(data[field], owner.data()[field], "{field}");
    }

    let deposits = world.read(&format!("/accounts/{account}/deposits")).await;
    assert_eq!(column(&deposits, "id"), [json!(coin.to_string())]);
    assert_eq!(
        (column(&deposits, "sats"), column(&deposits, "runes")),
        (vec![json!(60_000)], vec![json!(null)])
    );
    let other = format!("/accounts/{}", bob.session.account);
    for list in ["transactions", "deposits", "refunds", "batches", "cross-chain", "exports"] {
        let none = world.read(&format!("{other}/{list}")).await;
        assert_eq!(none.data(), &json!([]), "{list}");
    }

    for blocks in [1, 6] {
        world.stack.bitcoin().mine(blocks).await.unwrap();
        world.watch().await;
    }
    let done = world.read(&one).await;
    assert_eq!(
        (&done.data()["state"], &done.data()["isFinal"]),
        (&json!("confirmed"), &json!(true))
    );
}
