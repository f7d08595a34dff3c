//! `GET /api/transactions` and `GET /api/transactions/{txId}`.

use shared::problem::Problem;

use super::*;

impl World {
    async fn list(&self, user: &User, query: &str) -> Answer {
        let path = format!("/api/transactions?{query}");
        self.client.get(path).bearer(&user.session.access_token).send().await
    }

    async fn one(&self, user: &User, txid: Txid) -> Answer {
        let path = format!("/api/transactions/{txid}");
        self.client.get(path).bearer(&user.session.access_token).send().await
    }
}

fn ids(answer: &Answer) -> Vec<Txid> {
    let rows = answer.data().as_array().unwrap().iter();
    rows.map(|row| row["txId"].as_str().unwrap().parse().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_the_caller_sees_own_transactions_of_every_kind_and_no_others() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 60_000, 60_000]).await;
    let stranger = world.user(2).await;
    // At a high rate, coins are not merged.
    world.stack.bitcoin().set_fees([(1, 30.0)].into()).unwrap();
    let created = world.created(&user, 10_000).await;
    assert!(ids(&world.list(&user, "").await.expect(200)).is_empty(), "unsigned");
    let plain = world.sent(&user, &created).await;
    let mut params = btc(20_000);
    params["xchainData"] = json!("0xdeadbeef");
    let through_hub = world.create(&user, "xchain-withdraw", &params).await.expect(201);
    let through_hub = world.sent(&user, &through_hub).await;
    let coins = world.stack.bitcoin().coins(&user.trading).await.unwrap();
    let confirmed =
        coins.iter().find(|coin| coin.outpoint.txid != plain && coin.outpoint.txid != through_hub);
    let coin = confirmed.unwrap().outpoint.to_string();
    let renewal = world.renew(&user, &json!({ "txIdVouts": [coin] })).await.expect(201);
    let renewal = world.sent(&user, &renewal).await;

    let all = world.list(&user, "").await.expect(200);
    assert_eq!(ids(&all), [renewal, through_hub, plain]);
    let rows = all.data();
    assert_eq!(rows[2]["type"], "withdraw");
    assert_eq!((&rows[2]["amount"], &rows[2]["tokenId"]), (&json!("10000"), &json!("0:0")));
    assert_eq!(
        (&rows[2]["withdrawTo"], &rows[2]["state"]),
        (&json!(somewhere()), &json!("inMempool"))
    );
    assert_eq!((&rows[0]["type"], &rows[0]["amount"]), (&json!("renew-utxo"), &json!(null)));
    assert_eq!(rows[1]["type"], "xchain-withdraw");
    assert_eq!(ids(&world.list(&user, "sort=createdAt").await), [plain, through_hub, renewal]);
    assert_eq!(ids(&world.list(&user, "page=2&pageSize=2").await), [plain]);
    let selected = world.list(&user, "select=txId&page=3&pageSize=1").await.expect(200);
    assert_eq!(*selected.data(), json!([{ "id": plain, "txId": plain }]));
    assert_eq!(ids(&world.list(&user, "type_eq=withdraw").await), [plain]);
    assert_eq!(ids(&world.list(&user, "state_eq=confirmed").await), []);
    assert_eq!(
        ids(&world.list(&user, "state_eq=inMempool&tokenId_eq=0:0").await),
        [through_hub, plain]
    );
    assert_eq!(
        ids(&world.list(&user, "type_eq=withdraw,renew-utxo&sort=createdAt").await),
        [plain, renewal]
    );
    world.list(&user, "populate=wallet,token").await.expect(200);
    for query in ["type_eq=x", "state_eq=,", "tokenId_eq=x", "accountId_eq=1", "sort=x"] {
        world.list(&user, query).await.expect_error(Problem::Validation);
    }
    assert!(ids(&world.list(&stranger, "").await.expect(200)).is_empty());
    world.one(&stranger, plain).await.expect_error(Problem::TransactionNotFound);
    let capitals = format!("/api/transactions/{plain:X}");
    let capitals = world.client.get(capitals).bearer(&user.session.access_token).send().await;
    let capitals = capitals.expect(200);
    assert_eq!((&capitals.data()["txId"], &capitals.data()["id"]), (&json!(plain), &json!(plain)));
    world.client.get("/api/transactions").send().await.expect_error(Problem::NoAuthorization);
}

/// The states that a transaction has had. Asserts that they are in chronological order.
fn history(answer: &Answer) -> Vec<String> {
    let states = answer.data()["history"].as_array().unwrap().clone();
    let at = |place: usize| states[place]["at"].as_i64().unwrap();
    assert_eq!(at(0), answer.data()["createdAt"].as_i64().unwrap());
    assert!((1..states.len()).all(|place| at(place - 1) <= at(place)), "{states:?}");
    states.iter().map(|state| state["state"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_transaction_is_followed_from_its_draft_to_its_end() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let created = world.created(&user, 10_000).await;
    let txid = txid_of(&created);
    let draft = world.one(&user, txid).await.expect(200);
    assert_eq!(history(&draft), ["unsigned"]);
    assert_eq!(draft.data()["base64Psbt"], created.data()["base64Psbt"]);
    assert_eq!(draft.data()["expiresAt"], created.data()["expiresAt"]);
    assert_eq!(draft.data()["state"], "unsigned");
    world.sent(&user, &created).await;
    let sent = world.one(&user, txid).await.expect(200);
    assert_eq!(
        (&sent.data()["state"], &sent.data()["base64Psbt"]),
        (&json!("inMempool"), &json!(null))
    );
    assert_eq!(
        (&sent.data()["confirmations"], &sent.data()["isFinal"]),
        (&json!(null), &json!(false))
    );
    assert_eq!(history(&sent), ["unsigned", "signing", "broadcasting", "inMempool"]);
    world.mine(1).await;
    world.watch_after(61).await;
    let once = world.one(&user, txid).await.expect(200);
    assert_eq!(history(&once)[3..], ["inMempool", "confirmed"]);
    let confirmed_at = once.data()["history"][4]["at"].as_i64().unwrap();
    assert!(confirmed_at >= created.data()["expiresAt"].as_i64().unwrap() - 600_000 + 61_000);
    assert_eq!(
        (&once.data()["confirmations"], &once.data()["isFinal"]),
        (&json!(1), &json!(false))
    );
    world.mine(6).await;
    world.watch_after(61).await;
    let done = world.one(&user, txid).await.expect(200);
    assert_eq!((&done.data()["confirmations"], &done.data()["isFinal"]), (&json!(7), &json!(true)));
    assert_eq!(done.data()["history"], once.data()["history"], "depth is no state");

    let second = txid_of(&world.created(&user, 11_000).await);
    world.release(&user, second).await.expect(200);
    let ended = world.one(&user, second).await.expect(200);
    assert_eq!(
        (&ended.data()["state"], &ended.data()["isFinal"]),
        (&json!("expired"), &json!(true))
    );
    assert_eq!(history(&ended), ["unsigned", "expired"]);

    // A transaction that is not signed in time expires when its reservation ends, even if this is noticed
    // later.
    let third = world.created(&user, 12_000).await;
    world.stack.clock().advance(std::time::Duration::from_secs(700));
    let (third, until) = (txid_of(&third), third.data()["expiresAt"].clone());
    let session = local::wallets::sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    let ended = world.one(&user, third).await.expect(200);
    assert_eq!(history(&ended), ["unsigned", "expired"]);
    assert_eq!(ended.data()["history"][1]["at"], until);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_tells_of_reorganisations_and_stays_short() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    for _time in 0..5 {
        world.mine(1).await;
        world.watch_after(61).await;
        assert_eq!(world.state(txid).await, TransactionState::Confirmed);
        world.stack.bitcoin().reorg(1, &[txid]).await.unwrap();
        for seconds in [61, 0] {
            world.watch_after(seconds).await;
        }
        assert_eq!(world.state(txid).await, TransactionState::InMempool);
    }
    let session = local::wallets::sign_in(&world.client, &user.wallet).await;
    let answer = world.one(&User { session, ..user }, txid).await.expect(200);
    let history = history(&answer);
    assert_eq!((history.len(), history[0].as_str()), (17, "unsigned"), "{history:?}");
    assert_eq!(history.iter().filter(|state| *state == "confirmed").count(), 5);
    assert_eq!(history[14..], ["confirmed", "broadcasting", "inMempool"]);
}
