//! Unsigned transactions: each request has one, and none blocks its owner.

use std::collections::{BTreeMap, BTreeSet};

use local::client::twenty_at_once;
use shared::problem::Problem;

use super::*;

impl World {
    async fn listed(&self, user: &User, states: &str) -> Vec<Value> {
        let path = format!("/api/transactions?state_eq={states}");
        let call = self.client.get(path).bearer(&user.session.access_token);
        call.send().await.expect(200).data().as_array().unwrap().clone()
    }

    /// The ids of the transactions that wait for the user's signature.
    async fn drafts(&self, user: &User) -> BTreeSet<Txid> {
        let rows = self.listed(user, "unsigned").await;
        assert!(rows.iter().all(|row| row["state"] == "unsigned"), "{rows:?}");
        rows.iter().map(|row| row["txId"].as_str().unwrap().parse().unwrap()).collect()
    }

    /// Signs a created transaction as its owner and returns the answer.
    async fn signing(&self, user: &User, created: &Answer) -> Answer {
        self.sign(user, &text(&signed(&psbt_of(created), &user.wallet))).await
    }

    /// Makes the node refuse a transaction, by lowering the fee it sees below zero.
    pub(crate) async fn refuse(&self, txid: Txid) {
        let params = json!([txid, 0, -1_000_000]);
        self.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
    }
}

fn through_hub(sats: u64, data: &str) -> Value {
    let mut params = btc(sats);
    params["xchainData"] = json!(data);
    params
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_returns_the_same_draft_whichever_path_it_takes() {
    let world = world().await;
    let user = world.user_with(1, &[90_000, 50_000]).await;
    for (kind, params) in [
        ("withdraw", btc(20_000)),
        ("withdraw", withdrawal("0:0", "max")),
        ("xchain-withdraw", through_hub(20_000, "0xdeadbeef")),
        ("renew-utxo", json!({ "txIdVouts": [] })),
    ] {
        let params = match kind {
            "renew-utxo" => {
                let coins = world.stack.bitcoin().coins(&user.trading).await.unwrap();
                json!({ "txIdVouts": [coins[0].outpoint.to_string()] })
            }
            _ => params,
        };
        let created = world.create(&user, kind, &params).await.expect(201);
        let again = world.create(&user, kind, &params).await.expect(201);
        assert_eq!(again.body, created.body, "{kind}");
        let by_xchain = world.create_by_xchain(&user, kind, &params).await.expect(201);
        assert_eq!(by_xchain.body, created.body, "{kind}");
        assert_eq!(world.drafts(&user).await, [txid_of(&created)].into(), "{kind}");
        world.release(&user, txid_of(&created)).await.expect(200);
        assert!(world.drafts(&user).await.is_empty(), "{kind}");
    }
    // A field left out and its default make the same request; another value makes another request.
    let mut normal = btc(20_000);
    normal["feeTarget"] = json!("normal");
    let created = world.created(&user, 20_000).await;
    assert_eq!(world.withdraw(&user, &normal).await.expect(201).body, created.body);
    normal["feeTarget"] = json!("fast");
    let faster = world.withdraw(&user, &normal).await.expect(201);
    assert_ne!(faster.body, created.body);
    assert_eq!(world.drafts(&user).await, [txid_of(&faster)].into());
    // Once it is signed, the same request is a new one.
    let sent = world.sent(&user, &faster).await;
    world.mine(1).await;
    let next = world.withdraw(&user, &normal).await.expect(201);
    assert_ne!(txid_of(&next), sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_ends_the_draft_whose_coins_it_needs_and_no_other() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let first = world.created(&user, 20_000).await;
    let second = world.created(&user, 30_000).await;
    assert_eq!(world.state(txid_of(&first)).await, TransactionState::Expired);
    assert_eq!(world.drafts(&user).await, [txid_of(&second)].into());
    world.signing(&user, &first).await.expect_error(Problem::ReservationExpired);
    // A request that fails ends no draft.
    world.withdraw(&user, &btc(200_000)).await.expect_error(Problem::InsufficientBtc);
    assert_eq!(world.drafts(&user).await, [txid_of(&second)].into());

    // With a further coin, both drafts have the coins that they need.
    world.stack.bitcoin().fund(&user.trading, 60_000).await.unwrap();
    world.mine(1).await;
    let third = world.created(&user, 25_000).await;
    let both: BTreeSet<_> = [&second, &third].map(txid_of).into();
    assert_eq!(world.drafts(&user).await, both);
    // The largest amount needs the coins of both drafts, as the estimate says.
    let body =
        json!({ "type": "withdraw", "params": { "tokenId": "0:0", "withdrawTo": somewhere() } });
    let most = world.max_spent(&user, &body).await.expect(200);
    let all = world.withdraw(&user, &withdrawal("0:0", "max")).await.expect(201);
    assert_eq!(all.body["metaData"]["amount"], most.data()["maxAmount"]);
    assert_eq!(spent(&psbt_of(&all)).len(), 2);
    assert_eq!(world.drafts(&user).await, [txid_of(&all)].into());
    for ended in [&second, &third] {
        world.signing(&user, ended).await.expect_error(Problem::ReservationExpired);
    }
    world.sent(&user, &all).await;
    assert!(world.drafts(&user).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_are_listed_for_their_owner_until_they_end() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 60_000]).await;
    let stranger = world.user(2).await;
    // At a high rate, coins are not merged.
    world.stack.bitcoin().set_fees([(1, 30.0)].into()).unwrap();
    let sent = world.sent(&user, &world.created(&user, 10_000).await).await;
    let draft = world.created(&user, 12_000).await;
    let rows = world.listed(&user, "unsigned").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (&rows[0]["txId"], &rows[0]["type"], &rows[0]["amount"], &rows[0]["withdrawTo"]),
        (&json!(txid_of(&draft)), &json!("withdraw"), &json!("12000"), &json!(somewhere()))
    );
    let id = |row: &Value| row["txId"].as_str().unwrap().parse::<Txid>().unwrap();
    let both = world.listed(&user, "unsigned,inMempool").await;
    assert_eq!(both.iter().map(id).collect::<Vec<_>>(), [txid_of(&draft), sent]);
    let signed_ones = world.listed(&user, "inMempool").await;
    assert_eq!(signed_ones.iter().map(id).collect::<Vec<_>>(), [sent]);
    assert!(world.listed(&stranger, "unsigned").await.is_empty());
    world.stack.clock().advance(std::time::Duration::from_secs(601));
    let session = local::wallets::sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    assert!(world.listed(&user, "unsigned").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_of_a_signed_transaction_are_reserved_and_it_is_named() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let txid = txid_of(&created);
    world.refuse(txid).await;
    assert_eq!(world.signing(&user, &created).await.expect(201).data()["state"], "broadcasting");
    let coin = spent(&psbt_of(&created))[0].to_string();
    let renewal = json!({ "type": "renew-utxo", "params": { "txIdVouts": [coin] } });
    for body in [
        json!({ "type": "withdraw", "params": btc(30_000) }),
        json!({ "type": "withdraw", "params": withdrawal("0:0", "max") }),
        json!({ "type": "xchain-withdraw", "params": through_hub(30_000, "0x01") }),
        renewal,
    ] {
        for path in ["/api/transactions", "/api/xchain/transaction"] {
            let call = world.client.post(path).bearer(&user.session.access_token);
            let refused = call.json(&body).send().await.expect_error(Problem::CoinsReserved);
            assert_eq!(refused.body["params"], json!({ "holders": [txid] }), "{refused}");
            // The chain decides when it ends.
            assert_eq!(refused.header("retry-after"), "");
        }
    }
    // An amount above the coin's value is refused as too large, regardless of what holds the coin.
    world.withdraw(&user, &btc(200_000)).await.expect_error(Problem::InsufficientBtc);
    assert_eq!(world.state(txid).await, TransactionState::Broadcasting);
}

/// All concurrent equal requests get the one draft, however many coins there are.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_equal_requests_are_one_draft() {
    let world = world().await;
    let coins = [50_000; 25];
    let user = world.user_with(1, &coins).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let path = if n % 2 == 0 { "/api/transactions" } else { "/api/xchain/transaction" };
            let body = json!({ "type": "withdraw", "params": btc(30_000) });
            client.post(path).bearer(&token).json(&body).send().await.expect(201).body
        }
    })
    .await;
    assert!(answers.iter().all(|body| *body == answers[0]), "{answers:?}");
    assert_eq!(world.drafts(&user).await.len(), 1);
}

/// Of concurrent different requests for one coin, the last one to be answered has the coin.
#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_different_requests_for_a_coin_one_has_it_in_the_end() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let body = json!({ "type": "withdraw", "params": btc(20_000 + n) });
            client.post("/api/transactions").bearer(&token).json(&body).send().await
        }
    })
    .await;
    let mut made = BTreeMap::new();
    for answer in answers {
        match answer.status {
            201 => drop(made.insert(txid_of(&answer), answer)),
            // Other requests won every attempt.
            _ => drop(answer.expect_error(Problem::Unavailable)),
        }
    }
    let drafts = world.drafts(&user).await;
    assert_eq!(drafts.len(), 1);
    let winner = drafts.into_iter().next().unwrap();
    assert!(made.contains_key(&winner));
    for (txid, answer) in &made {
        let signed = world.signing(&user, answer).await;
        match *txid == winner {
            true => drop(signed.expect(201)),
            false => drop(signed.expect_error(Problem::ReservationExpired)),
        }
    }
    assert!(world.in_mempool(winner).await);
}

/// A draft that is being signed either wins or ends: its coin never pays twice, and each request has an
/// outcome.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_signature_and_a_new_request_for_its_coin_have_one_outcome() {
    let world = world().await;
    let (mut signatures, mut requests) = (0, 0);
    for round in 0..20_u64 {
        let user = world.user_with(100 + round, &[100_000]).await;
        let first = world.created(&user, 20_000).await;
        let signed = text(&signed(&psbt_of(&first), &user.wallet));
        let other = json!({ "type": "withdraw", "params": btc(30_000) });
        // Either side gets a head start in some of the rounds.
        let sign = async {
            for _turn in 0..round % 5 {
                tokio::task::yield_now().await;
            }
            world.sign(&user, &signed).await
        };
        let create = async {
            for _turn in 0..(20 - round) % 7 {
                tokio::task::yield_now().await;
            }
            let call = world.client.post("/api/transactions").bearer(&user.session.access_token);
            call.json(&other).send().await
        };
        let (signature, request) = tokio::join!(sign, create);
        let first = txid_of(&first);
        match (signature.status, request.status) {
            (201, 400 | 409) => {
                signatures += 1;
                // Neither the coin nor its change is available at the moment.
                assert!(["2002", "2023"].contains(&request.code()), "{request}");
                assert!(world.in_mempool(first).await);
                assert!(world.drafts(&user).await.is_empty());
            }
            (400, 201) => {
                requests += 1;
                signature.expect_error(Problem::ReservationExpired);
                assert_eq!(world.state(first).await, TransactionState::Expired);
                assert!(!world.in_mempool(first).await);
                assert_eq!(world.drafts(&user).await, [txid_of(&request)].into());
                world.sent(&user, &request).await;
            }
            _ => panic!("{signature} {request}"),
        }
        world.mine(1).await;
    }
    assert_eq!(signatures + requests, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_replacement_is_one_draft_and_another_one_ends_it() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let bump = json!({ "action": "bump" });
    let bumped = world.replace(&user, txid, &bump).await.expect(201);
    assert_eq!(world.replace(&user, txid, &bump).await.expect(201).body, bumped.body);
    let cancel = world.replace(&user, txid, &json!({ "action": "cancel" })).await.expect(201);
    assert_eq!(world.drafts(&user).await, [txid_of(&cancel)].into());
    world.signing(&user, &bumped).await.expect_error(Problem::ReservationExpired);
    world.sent(&user, &cancel).await;

    // The same through the hub.
    let user = world.user_with(2, &[100_000]).await;
    let mut params = through_hub(20_000, "0x01");
    let created = world.create(&user, "xchain-withdraw", &params).await.expect(201);
    params["replaceTxId"] = json!(world.sent(&user, &created).await);
    let one = world.create(&user, "xchain-withdraw", &params).await.expect(201);
    assert_ne!(txid_of(&one), txid_of(&created));
    let same = world.create(&user, "xchain-withdraw", &params).await.expect(201);
    assert_eq!(same.body, one.body);
    assert_eq!(world.drafts(&user).await, [txid_of(&one)].into());
    world.sent(&user, &one).await;
}
