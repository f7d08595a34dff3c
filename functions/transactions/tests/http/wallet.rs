//! The contents of a trading wallet: `GET /api/account/trading-wallet/balance`, `…/coins`, `GET
//! /api/wallets/details/…`, `POST /api/transactions/max-spent` and `GET /api/bitcoin/fee-rates`.

use std::{net::Ipv4Addr, time::Duration};

use local::{
    bitcoin::Etching,
    wallets::{challenge, sign_in},
};
use shared::{
    auth::limits::{RUNE_BY_SOURCE, WALLET_BY_SOURCE},
    problem::Problem,
};

use super::*;

/// Links a further address to the account.
async fn link(client: &Client, token: &str, wallet: &Wallet) {
    let asked = challenge(client, wallet, "link", Some(token)).await;
    let call = client.post("/api/account/addresses").bearer(token);
    call.json(&wallet.signed_challenge(&asked)).send().await.expect(201);
}

impl World {
    async fn get(&self, user: &User, path: &str) -> Answer {
        self.client.get(path).bearer(&user.session.access_token).send().await
    }

    async fn balance(&self, user: &User) -> Value {
        let answer = self.get(user, "/api/account/trading-wallet/balance").await.expect(200);
        assert_eq!(answer.body["metaData"]["checks"], "complete");
        answer.data().clone()
    }

    async fn coins(&self, user: &User, query: &str) -> Vec<Value> {
        let path = format!("/api/account/trading-wallet/coins?pageSize=100&{query}");
        let answer = self.get(user, &path).await.expect(200);
        let rows = answer.data().as_array().unwrap().clone();
        assert_eq!(answer.body["metaData"]["totalItems"], rows.len());
        rows
    }

    pub(crate) async fn max_spent(&self, user: &User, body: &Value) -> Answer {
        let call = self.client.post("/api/transactions/max-spent");
        call.bearer(&user.session.access_token).json(body).send().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_balance_says_what_is_there_and_what_can_be_spent() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 30_000]).await;
    let chain = world.stack.bitcoin();
    chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = chain.etch(&etching).await.unwrap();
    world.mine(1).await;
    chain.fund(&user.trading, 7_000).await.unwrap();
    let balance = world.balance(&user).await;
    assert_eq!(balance["address"], user.trading.to_string());
    let btc = &balance["btc"];
    assert_eq!((&btc["available"], &btc["reserved"]), (&json!(80_000), &json!(0)));
    assert_eq!(btc["incoming"], json!({ "own": 0, "external": 7_000 }));
    let all: u64 = chain
        .coins(&user.trading)
        .await
        .unwrap()
        .iter()
        .map(|coin| coin.output.value.to_sat())
        .sum();
    assert!(btc["confirmed"].as_u64().unwrap() > 80_000);
    assert_eq!(btc["projected"].as_u64().unwrap(), btc["confirmed"].as_u64().unwrap() + 7_000);
    assert!(all <= btc["projected"].as_u64().unwrap());
    let held = &balance["runes"][0];
    assert_eq!((&held["runeId"], &held["divisibility"]), (&json!(rune.to_string()), &json!(2)));
    assert_eq!((&held["confirmed"], &held["available"]), (&json!("1000"), &json!("1000")));
    let counts = &balance["coins"];
    assert_eq!((&counts["free"], &counts["pending"]), (&json!(3), &json!(1)));
    assert_eq!(counts["inscribed"], 1);

    // A draft reserves coins; its change is known as soon as it is sent.
    let created = world.withdraw(&user, &withdrawal(&rune.to_string(), "400")).await.expect(201);
    let reserved = world.balance(&user).await;
    assert!(reserved["btc"]["reserved"].as_u64().unwrap() > 0);
    assert_eq!(reserved["runes"][0]["reserved"], "1000");
    assert_eq!(reserved["runes"][0]["available"], "0");
    world.sent(&user, &created).await;
    let sent = world.balance(&user).await;
    assert_eq!(sent["runes"][0]["incoming"], "600");
    assert!(sent["btc"]["incoming"]["own"].as_u64().unwrap() > 0);
    assert_eq!(sent["btc"]["incoming"]["external"], 7_000);
    world.mine(1).await;
    assert_eq!(world.balance(&user).await["runes"][0]["available"], "600");
}

/// Runes are counted like sats: reserved by a draft, then being spent until the network has the transaction.
#[tokio::test(flavor = "multi_thread")]
async fn signed_transactions_spend_runes_and_drafts_reserve_them() {
    let world = world().await;
    let user = world.user_with(1, &[50_000]).await;
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = world.stack.bitcoin().etch(&etching).await.unwrap();
    world.mine(1).await;
    let created = world.withdraw(&user, &withdrawal(&rune.to_string(), "400")).await.expect(201);
    let held =
        |balance: &Value| ["reserved", "spending"].map(|name| balance["runes"][0][name].clone());
    assert_eq!(held(&world.balance(&user).await), ["1000", "0"]);
    // Without the platform's key it waits for its second signature.
    let app = world.stack.app_without("AWS_ENDPOINT_URL_KMS");
    let client = world.stack.serve_app(app, functions::routes()).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let answer = sign_at(&client, &user, &signed).await.expect(201);
    assert_eq!(answer.text_of("state"), "signing");
    let balance = world.balance(&user).await;
    assert_eq!(held(&balance), ["0", "1000"]);
    assert_eq!(balance["btc"]["reserved"], 0);
    assert!(balance["btc"]["spending"].as_u64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_coin_says_its_state_and_who_holds_it() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 30_000]).await;
    let chain = world.stack.bitcoin();
    let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    world.mine(1).await;
    let pending = chain.fund(&user.trading, 7_000).await.unwrap();
    // At a high rate, coins are not merged.
    chain.set_fees([(1, 30.0)].into()).unwrap();
    let created = world.created(&user, 40_000).await;
    let rows = world.coins(&user, "").await;
    assert_eq!(rows.len(), 4);
    let row = |coin: OutPoint| {
        rows.iter().find(|row| row["id"] == coin.to_string()).unwrap_or_else(|| panic!("{coin}"))
    };
    let held = row(spent(&psbt_of(&created))[0]);
    assert_eq!((&held["state"], &held["usableFor"]), (&json!("reserved"), &json!([])));
    assert_eq!(held["heldBy"]["txId"], txid_of(&created).to_string());
    assert!(held["heldBy"]["until"].as_i64().unwrap() > 0);
    assert_eq!(row(pending)["state"], "pending");
    assert_eq!(row(pending)["runes"], json!(null));
    assert_eq!(row(pending)["expiresInBlocks"], json!(null));
    let kept = row(inscribed.outpoint);
    assert_eq!(kept["state"], "inscribed");
    assert_eq!(kept["inscriptions"].as_array().unwrap().len(), 1);
    let both = world.coins(&user, "state_eq=reserved,inscribed&sort=id").await;
    assert_eq!(both.len(), 2);
    let related = world.coins(&user, "populate=wallet,token").await;
    assert!(related.iter().all(|coin| {
        coin["wallet"] == user.session.data["wallet"] && coin["token"] == json!(null)
    }));
    let free = world.coins(&user, "state_eq=free").await;
    assert_eq!(free.len(), 1);
    assert_eq!(free[0]["usableFor"], json!(["withdraw", "renew", "mint"]));
    assert_eq!(free[0]["renewal"], "none");
    let height = free[0]["confirmedHeight"].as_u64().unwrap();
    assert_eq!(free[0]["userOnlyFromHeight"].as_u64().unwrap(), height + 12_960);
    let sats =
        |rows: &[Value]| rows.iter().map(|row| row["sats"].as_u64().unwrap()).collect::<Vec<_>>();
    assert!(sats(&rows).is_sorted_by(|one, other| one >= other));
    assert!(sats(&world.coins(&user, "sort=sats").await).is_sorted());
    assert!(world.coins(&user, "renewal_eq=needed").await.is_empty());
    // Only the coins of the page are looked up.
    let page = "/api/account/trading-wallet/coins?select=id";
    assert_eq!(world.get(&user, page).await.expect(200).data()[0]["origin"], json!(null));
    assert!(rows.iter().all(|row| row["origin"] == "deposit"), "{rows:?}");
    for query in ["state_eq=lost", "renewal_eq=,", "runeId_eq=0:0", "sort=runes", "asOf=4"] {
        let path = format!("/api/account/trading-wallet/coins?{query}");
        world.get(&user, &path).await.expect_error(Problem::Validation);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_coin_says_where_it_comes_from() {
    let world = world().await;
    let user = world.user_with(1, &[50_000]).await;
    let other = world.user_with(2, &[60_000]).await;
    let origins = async |user: &User| {
        let rows = world.coins(user, "sort=sats").await;
        let origin = |row: &Value| row["origin"].as_str().unwrap().to_owned();
        rows.iter().map(origin).collect::<Vec<_>>()
    };
    assert_eq!(origins(&user).await, ["deposit"]);
    // One user pays the other. The origins are the same before and after a block has the payment and its
    // change.
    let params = json!({
        "amount": "20000",
        "tokenId": "0:0",
        "withdrawTo": other.trading.to_string(),
    });
    let created = world.withdraw(&user, &params).await.expect(201);
    world.sent(&user, &created).await;
    for _look in 0..2 {
        assert_eq!(origins(&user).await, ["change"]);
        assert_eq!(origins(&other).await, ["deposit", "deposit"]);
        world.mine(1).await;
    }
    let coin = world.coins(&user, "").await[0]["id"].clone();
    let renewal = world.renew(&user, &json!({ "txIdVouts": [coin] })).await.expect(201);
    world.sent(&user, &renewal).await;
    world.mine(1).await;
    assert_eq!(origins(&user).await, ["renewal"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ord_the_balance_has_sats_alone() {
    let world = world().await;
    let user = world.user_with(1, &[50_000]).await;
    let app = world.stack.app().changed(&[("ORD_URL", "http://127.0.0.1:1")]);
    let client = world.stack.serve_app(app, functions::routes()).await;
    let token = &user.session.access_token;
    let call = client.get("/api/account/trading-wallet/balance").bearer(token);
    let answer = call.send().await.expect(200);
    assert_eq!(answer.body["metaData"]["checks"], "unavailable");
    let balance = answer.data();
    assert_eq!(
        (&balance["btc"]["confirmed"], &balance["btc"]["available"]),
        (&json!(50_000), &json!(0))
    );
    assert_eq!((&balance["btc"]["unknown"], &balance["runes"]), (&json!(50_000), &json!(null)));
    let call = client.get("/api/account/trading-wallet/coins").bearer(token);
    let answer = call.send().await.expect(200);
    assert_eq!(answer.body["metaData"]["checks"], "unavailable");
    assert_eq!(answer.data()[0]["state"], "unknown");
    let app = world.stack.app().changed(&[("ESPLORA_URL", "http://127.0.0.1:1")]);
    let client = world.stack.serve_app(app, functions::routes()).await;
    let call = client.get("/api/account/trading-wallet/balance").bearer(token);
    call.send().await.expect_error(Problem::ChainUnavailable);
}

#[tokio::test]
async fn an_account_without_a_trading_wallet_has_none_to_show() {
    let world = world_on(LocalStack::start().await).await;
    let session = sign_in(&world.client, &Wallet::evm(1)).await;
    for path in ["/api/account/trading-wallet/balance", "/api/account/trading-wallet/coins"] {
        let call = world.client.get(path).bearer(&session.access_token);
        call.send().await.expect_error(Problem::TradingWalletNotFound);
        world.client.get(path).send().await.expect_error(Problem::NoAuthorization);
    }
    let user = world.user(1).await;
    let details = format!("/api/wallets/details/{}", user.wallet.address());
    let answer = world.get(&user, &details).await.expect(200);
    assert_eq!(answer.data()["tradingAddress"], user.trading.to_string());
    assert_eq!(answer.data()["userAddress"], user.wallet.address());
    // Published clients ask without a token: every caller receives the two addresses, and the owner also the
    // key.
    let key = answer.data()["userPublicKey"].clone();
    assert!(key.is_string(), "{answer}");
    let shown = json!({
        "tradingAddress": user.trading.to_string(), "userAddress": user.wallet.address(),
    });
    let by_trading = format!("/api/wallets/details/{}", user.trading.to_string().to_uppercase());
    for path in [&details, &by_trading] {
        for token in [None, Some(session.access_token.as_str()), Some("stale")] {
            let call = world.client.get(path.as_str());
            let call = match token {
                Some(token) => call.bearer(token),
                None => call,
            };
            assert_eq!(*call.send().await.expect(200).data(), shown, "{path} {token:?}");
        }
        assert_eq!(world.get(&user, path).await.expect(200).data()["userPublicKey"], key);
    }
    // Only its owner finds the account of a linked address (custody rule 22).
    let linked = Wallet::evm(3);
    link(&world.client, &user.session.access_token, &linked).await;
    let of_linked = format!("/api/wallets/details/{}", linked.address());
    assert_eq!(world.get(&user, &of_linked).await.expect(200).data()["userPublicKey"], key);
    for unknown in [of_linked, format!("/api/wallets/details/{}", somewhere())] {
        world
            .client
            .get(unknown.as_str())
            .send()
            .await
            .expect_error(Problem::TradingWalletNotFound);
        let call = world.client.get(unknown.as_str()).bearer(&session.access_token);
        call.send().await.expect_error(Problem::TradingWalletNotFound);
    }

    // The same, by the request with which published clients create a wallet.
    let ask = async |token: &str, address: &str, key: &str| {
        let body = json!({ "walletAddress": address, "publicKey": key });
        world.client.post("/api/wallets").bearer(token).json(&body).send().await
    };
    let (own_token, text) = (user.session.access_token.as_str(), key.as_str().unwrap());
    let own_address = user.wallet.address();
    for spelling in [text.to_owned(), text.to_uppercase(), text[2..].to_owned()] {
        let made = ask(own_token, own_address, &spelling).await.expect(200);
        assert_eq!(*made.data(), *answer.data());
    }
    let wrong =
        ask(own_token, own_address, &"02".repeat(33)).await.expect_error(Problem::Validation);
    assert_eq!(wrong.body["errors"][0]["field"], "publicKey");
    ask(&session.access_token, own_address, text).await.expect_error(Problem::Forbidden);
    ask(&session.access_token, Wallet::evm(1).address(), text)
        .await
        .expect_error(Problem::TradingWalletNotFound);
    world
        .client
        .post("/api/wallets")
        .json(&json!({}))
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
    let own = format!("/api/wallets/details/{}", Wallet::evm(1).address());
    let call = world.client.get(own).bearer(&session.access_token);
    call.send().await.expect_error(Problem::TradingWalletNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_amount_can_be_spent_and_nothing_larger() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 30_000]).await;
    let chain = world.stack.bitcoin();
    let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    world.mine(1).await;
    let coins = chain.coins(&user.trading).await.unwrap();
    let inscribed = coins.iter().find(|coin| coin.outpoint == inscribed.outpoint).unwrap();
    let inscribed = inscribed.output.value.to_sat();
    let body =
        json!({ "type": "withdraw", "params": { "tokenId": "0:0", "withdrawTo": somewhere() } });
    let found = world.max_spent(&user, &body).await.expect(200);
    let sats = found.data()["maxSatsAmt"].as_u64().unwrap();
    assert_eq!(found.data()["maxAmount"], sats.to_string());
    assert_eq!(found.data()["coins"], 2);
    let left_out = |reason: &str, coins: usize, sats: u64| json!({ "reason": reason, "coins": coins, "sats": sats });
    assert_eq!(found.data()["leftOut"], json!([left_out("inscribed", 1, inscribed)]));
    assert_eq!(found.data()["fee"], 80_000 - sats);
    assert!(found.data()["feeRate"].as_f64().unwrap() >= 5.0);
    world.withdraw(&user, &btc(sats + 1)).await.expect_error(Problem::InsufficientBtc);
    let created = world.created(&user, sats).await;
    assert_eq!(outputs(&psbt_of(&created)), [(recipient(), sats)]);
    // A withdrawal of that amount would end the draft.
    assert_eq!(*world.max_spent(&user, &body).await.expect(200).data(), *found.data());
    world.release(&user, txid_of(&created)).await.expect(200);

    let hub = json!({ "type": "xchain-withdraw", "params": { "tokenId": "0:0" } });
    let through_hub = world.max_spent(&user, &hub).await.expect(200);
    assert!(through_hub.data()["maxSatsAmt"].as_u64().unwrap() < sats);
    let mint = json!({ "type": "virtual_mint", "params": { "tokenId": "0:0", "requestCount": 7 } });
    let for_mint = world.max_spent(&user, &mint).await.expect(200);
    assert_eq!(for_mint.data()["maxSatsAmt"].as_u64().unwrap() % 7, 0);
    for (field, value) in [
        ("tokenId", json!("x")),
        ("withdrawTo", json!("x")),
        ("feeTarget", json!("x")),
        ("requestCount", json!(0)),
    ] {
        let mut wrong = body.clone();
        wrong["params"][field] = value;
        let refused = world.max_spent(&user, &wrong).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], format!("params.{field}"));
    }
    // Coins of every other kind: too small to pay for themselves, in the mempool, held by a signed transaction.
    chain.fund(&user.trading, 400).await.unwrap();
    chain.fund(&user.trading, 900).await.unwrap();
    world.mine(1).await;
    chain.fund(&user.trading, 7_000).await.unwrap();
    chain.set_fees([(1, 30.0)].into()).unwrap();
    let held = world.created(&user, 20_000).await;
    world.refuse(txid_of(&held)).await;
    let back = text(&signed(&psbt_of(&held), &user.wallet));
    assert_eq!(world.sign(&user, &back).await.expect(201).data()["state"], "broadcasting");
    let held: u64 = psbt_of(&held)
        .inputs
        .iter()
        .map(|input| input.witness_utxo.as_ref().unwrap().value.to_sat())
        .sum();
    let found = world.max_spent(&user, &body).await.expect(200);
    let expected = [
        left_out("notSpent", 2, 1_300),
        left_out("unconfirmed", 1, 7_000),
        left_out("reserved", 1, held),
        left_out("inscribed", 1, inscribed),
    ];
    assert_eq!(found.data()["leftOut"], json!(expected));
    let (sats, fee) = (found.data()["maxSatsAmt"].as_u64(), found.data()["fee"].as_u64());
    assert_eq!(sats.unwrap() + fee.unwrap() + held, 80_000);
    let rune = json!({ "type": "virtual-mint", "params": { "tokenId": "1:1" } });
    world.max_spent(&user, &rune).await.expect_error(Problem::Validation);
    let unknown = json!({ "type": "withdraw", "params": { "tokenId": "1:9" } });
    world.max_spent(&user, &unknown).await.expect_error(Problem::RuneUnknown);
    // A coin that pays for no transaction of its own.
    let poor = world.user_with(2, &[600]).await;
    world.max_spent(&poor, &body).await.expect_error(Problem::InsufficientBtc);
}

#[tokio::test(flavor = "multi_thread")]
async fn fee_rates_are_those_that_the_worker_read() {
    let world = world().await;
    let rates = async || world.client.get("/api/bitcoin/fee-rates").send().await;
    // The endpoint does not ask Esplora, so there are no rates before the worker has read them.
    rates().await.expect_error(Problem::ChainUnavailable);
    world.stack.bitcoin().set_fees([(1, 30.5), (3, 12.0), (24, 2.0)].into()).unwrap();
    world.stack.tick("chain-watcher").await.unwrap();
    let answer = rates().await.expect(200);
    let data = answer.data();
    let read = ["economy", "normal", "fast", "minimum"].map(|name| data[name].as_f64().unwrap());
    assert_eq!(read, [2.0, 12.0, 30.5, 1.0]);
    assert!(data["height"].as_u64().unwrap() > 0 && data["updatedAt"].as_i64().unwrap() > 0);
    assert_eq!(answer.header("cache-control"), "public, max-age=30");
    // mempool.space offers them in another form, and with decimals.
    let fees = [(1, 7.5), (3, 4.0), (24, 0.4)].into();
    world.stack.bitcoin().set_fees(fees).unwrap();
    world.stack.bitcoin().recommend_fees(true);
    world.stack.clock().advance(Duration::from_secs(11 * 60));
    world.stack.tick("chain-watcher").await.unwrap();
    let answer = rates().await.expect(200);
    let data = answer.data();
    let read = ["economy", "normal", "fast"].map(|name| data[name].as_f64().unwrap());
    assert_eq!(read, [1.0, 4.0, 7.5]);
    world.stack.clock().advance(Duration::from_secs(6 * 60 * 60 + 60));
    rates().await.expect_error(Problem::ChainUnavailable);
}

/// Each of these reads costs calls of the chain's sources.
#[tokio::test]
async fn custody_27_reads_of_a_wallet_are_limited_by_account() {
    let world = world_on(LocalStack::start().await).await;
    let (user, other) = (world.user(1).await, world.user(2).await);
    let paths = ["/api/account/trading-wallet/balance", "/api/account/trading-wallet/coins"];
    for read in 0..120 {
        world.get(&user, paths[read % 2]).await.expect_error(Problem::ChainUnavailable);
    }
    for path in paths {
        world.get(&user, path).await.expect_error(Problem::RateLimited);
    }
    let kit = "/api/account/trading-wallet/recovery-kit";
    world.get(&user, kit).await.expect_error(Problem::RateLimited);
    let body = json!({ "type": "withdraw", "params": { "tokenId": "0:0" } });
    world.max_spent(&user, &body).await.expect_error(Problem::RateLimited);
    world.get(&other, paths[0]).await.expect_error(Problem::ChainUnavailable);
    // Withdrawals have a limit of their own.
    world.withdraw(&user, &btc(10_000)).await.expect_error(Problem::ChainUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_anyone_sees_what_a_trading_address_holds_and_nothing_of_its_owner() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 30_000]).await;
    let chain = world.stack.bitcoin();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = chain.etch(&etching).await.unwrap();
    world.mine(1).await;
    chain.fund(&user.trading, 7_000).await.unwrap();
    let read = async |path: String| world.client.get(path).send().await;
    let balance = format!("/api/wallets/balance?address={}", user.trading);
    let before = read(balance.clone()).await.expect(200);
    let expected = json!({
        "btcSatoshi": 80_000, "pendingSatoshi": 0, "externalPendingSatoshi": 7_000, "totalUtxos": 3,
    });
    assert_eq!(*before.data(), expected);
    let list = format!("/api/utxos?address_eq={}", user.trading.to_string().to_uppercase());
    let listed = read(format!("{list}&isSpent_eq=false&isExpired_eq=false")).await.expect(200);
    let rows = listed.data().as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0]["satoshi"], &rows[0]["isSpent"]), (&json!(50_000), &json!(false)));
    // Published clients show it with the unit BTC.
    assert_eq!(rows[0]["amount"], "0.0005");
    assert_eq!((&rows[0]["_id"], &rows[0]["txidVout"]), (&rows[0]["id"], &rows[0]["id"]));
    let runic = rows.iter().find(|row| row["runes"][0]["amount"] == "1000").unwrap();
    assert_eq!(runic["runes"][0]["runeid"], rune.to_string());
    for nothing in ["isSpent_eq=true", "isExpired_eq=true"] {
        assert_eq!(*read(format!("{list}&{nothing}")).await.expect(200).data(), json!([]));
    }
    // Reservations are private.
    world.created(&user, 20_000).await;
    assert_eq!(read(balance.clone()).await.expect(200).body["data"], expected);
    let again = read(list.clone()).await.expect(200);
    for secret in [&user.session.account, &user.wallet.address().to_owned()] {
        assert!(!again.text.contains(secret.as_str()), "{again}");
    }

    for (path, problem) in [
        (format!("/api/wallets/balance?address={}", somewhere()), Problem::TradingWalletNotFound),
        (
            format!("/api/wallets/balance?address={}", user.wallet.address()),
            Problem::TradingWalletNotFound,
        ),
        (format!("/api/utxos?address_eq={}", somewhere()), Problem::TradingWalletNotFound),
        ("/api/wallets/balance".to_owned(), Problem::Validation),
        ("/api/wallets/balance?address=x".to_owned(), Problem::Validation),
        ("/api/utxos".to_owned(), Problem::Validation),
        ("/api/utxos?address_eq=".to_owned(), Problem::Validation),
        (format!("{list}&isExpired_eq=maybe"), Problem::Validation),
    ] {
        read(path).await.expect_error(problem);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rune_is_found_by_its_id() {
    let world = world().await;
    let chain = world.stack.bitcoin();
    let etching =
        Etching { name: "GOODRUNEGOODRUNE".to_owned(), supply: 100_000, divisibility: 2, to: None };
    let rune = chain.etch(&etching).await.unwrap();
    let get = async |id: &str| world.client.get(format!("/api/runes/{id}")).send().await;
    let found = get(&rune.to_string()).await.expect(200);
    assert_eq!(found.text_of("runeId"), rune.to_string());
    assert_eq!((found.text_of("name"), found.text_of("supply")), ("GOODRUNEGOODRUNE", "100000"));
    assert_eq!(
        (&found.data()["divisibility"], &found.data()["mintable"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(found.notes(), json!({ "pollAfterMs": null }));
    get("1:1").await.expect_error(Problem::NoSuchRune);
    for wrong in ["0:0", "rune", "1"] {
        get(wrong).await.expect_error(Problem::Validation);
    }
}

/// Offices and carriers show many people under one address. The page of a wallet reads its balance, its coins
/// and the expired ones; the page of a mint reads its rune.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_viewers_behind_one_address_load_a_page() {
    let world = world().await;
    let user = world.user_with(1, &[50_000]).await;
    let here = world.client.calling_from(Ipv4Addr::new(127, 0, 7, 1));
    let coins = format!("/api/utxos?address_eq={}&isSpent_eq=false", user.trading);
    let page = [
        format!("/api/wallets/balance?address={}", user.trading),
        format!("{coins}&isExpired_eq=false"),
        format!("{coins}&isExpired_eq=true"),
    ];
    for _viewer in 0..100 {
        for path in &page {
            here.get(path.as_str()).send().await.expect(200);
        }
        for _rune in 0..3 {
            here.get("/api/runes/1:1").send().await.expect_error(Problem::NoSuchRune);
        }
    }
}

#[tokio::test]
async fn custody_27_reads_of_runes_are_limited_by_source() {
    let world = world().await;
    let here = world.client.calling_from(Ipv4Addr::new(127, 0, 7, 1));
    let there = world.client.calling_from(Ipv4Addr::new(127, 0, 7, 2));
    for _ in 0..RUNE_BY_SOURCE.most {
        here.get("/api/runes/1:1").send().await.expect_error(Problem::NoSuchRune);
    }
    here.get("/api/runes/1:1").send().await.expect_error(Problem::RateLimited);
    there.get("/api/runes/1:1").send().await.expect_error(Problem::NoSuchRune);
}

#[tokio::test]
async fn custody_27_public_reads_of_addresses_are_limited_by_source() {
    let world = world_on(LocalStack::start().await).await;
    let here = world.client.calling_from(Ipv4Addr::new(127, 0, 7, 1));
    let there = world.client.calling_from(Ipv4Addr::new(127, 0, 7, 2));
    let balance = format!("/api/wallets/balance?address={}", somewhere());
    let utxos = format!("/api/utxos?address_eq={}", somewhere());
    let details = format!("/api/wallets/details/{}", somewhere());
    for read in 0..WALLET_BY_SOURCE.most {
        let path = [&balance, &utxos, &details][usize::try_from(read).unwrap() % 3];
        here.get(path.as_str()).send().await.expect_error(Problem::TradingWalletNotFound);
    }
    for path in [&balance, &utxos, &details] {
        here.get(path.as_str()).send().await.expect_error(Problem::RateLimited);
        there.get(path.as_str()).send().await.expect_error(Problem::TradingWalletNotFound);
    }
}
