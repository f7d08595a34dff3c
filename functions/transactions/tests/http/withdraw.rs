//! `POST /api/transactions` with `withdraw`.

use local::{
    bitcoin::Etching,
    client::{events_of, twenty_at_once},
    mood::Mood,
    wallets::{LOST, sign_in},
};
use shared::problem::Problem;
use store::lists;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_a_plain_withdrawal_pays_its_recipient_and_nobody_else_is_told() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 200_000]).await;
    let params = btc(120_000);
    let answer = world.withdraw(&user, &params).await.expect(201);
    let psbt = psbt_of(&answer);
    let paid = outputs(&psbt);
    assert_eq!(paid.iter().filter(|(to, _)| *to == recipient()).count(), 1);
    assert!(paid.contains(&(recipient(), 120_000)));
    let change = user.trading.script_pubkey();
    assert!(paid.iter().all(|(to, _)| *to == recipient() || *to == change));
    let notes = &answer.body["metaData"];
    assert_eq!((&notes["amount"], &notes["left"]), (&json!("120000"), &json!(0)));
    assert_eq!(notes["warnings"], json!([]));

    let txid = world.sent(&user, &answer).await;
    world.mine(7).await;
    world.watch_after(61).await;
    world.watch_after(61).await;
    assert_eq!(world.state(txid).await, TransactionState::Confirmed);
    assert!(world.stack.hub().withdrawals().is_empty());
    let public = world.client.get("/api/xchain/transactions").send().await.expect(200);
    assert_eq!(public.body["data"], json!([]));
    let store = &world.stack.app().store;
    let list = keys::lists::transactions(user.session.account.parse().unwrap());
    let members = lists::all::<Txid>(store, &list, 10, None).await.unwrap().unwrap();
    assert_eq!(members.into_iter().map(|member| member.value).collect::<Vec<_>>(), [txid]);

    let told = events_of(&world.client, "/api/events", Some(&user.session.access_token)).await;
    let states = [
        "unsigned>signing",
        "signing>broadcasting",
        "broadcasting>inMempool",
        "inMempool>confirmed",
    ];
    let expected = states
        .map(|states| ["transaction.stateChanged".to_owned(), txid.to_string(), states.to_owned()]);
    assert_eq!(told, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_parameter_is_named_and_writes_nothing() {
    let world = world().await;
    let user = world.user_with(1, &[40_000]).await;
    let before = world.stack.contents();
    for (field, value) in [
        ("amount", json!("0")),
        ("amount", json!("1.5")),
        ("amount", json!("-1")),
        ("amount", json!("MAX")),
        ("amount", json!(1)),
        ("amount", json!(null)),
        ("tokenId", json!("0:1")),
        ("tokenId", json!("btc")),
        ("withdrawTo", json!("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")),
        ("withdrawTo", json!("nowhere")),
        ("withdrawTo", json!("bcrt1pfeesnyr2tx")),
        ("withdrawTo", json!(LOST)),
        ("withdrawTo", json!("")),
        ("withdrawTo", json!(user.trading.to_string())),
        ("withdrawTo", json!(user.trading.to_string().to_uppercase())),
        ("feeTarget", json!("soon")),
        ("feeTarget", json!(3)),
        ("userAddress", json!("x".repeat(129))),
    ] {
        let mut params = btc(10_000);
        params[field] = value;
        let refused = world.withdraw(&user, &params).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], format!("params.{field}"), "{refused}");
    }
    for body in [
        json!({ "params": btc(10_000) }),
        json!({ "type": "refund", "params": btc(10_000) }),
        json!({ "type": "Withdraw", "params": btc(10_000) }),
        json!({ "type": "withdraw" }),
        json!({ "type": "withdraw", "params": [] }),
    ] {
        let call = world.client.post("/api/transactions").bearer(&user.session.access_token);
        call.json(&body).send().await.expect_error(Problem::Validation);
    }
    let mut foreign = btc(10_000);
    foreign["userAddress"] = json!(Wallet::evm(7).address());
    world.withdraw(&user, &foreign).await.expect_error(Problem::Forbidden);
    world.create_by_xchain(&user, "withdraw", &foreign).await.expect_error(Problem::Forbidden);
    assert_eq!(world.stack.contents(), before);

    for (params, problem) in [
        (btc(40_000), Problem::InsufficientBtc),
        (withdrawal("0:0", &u128::MAX.to_string()), Problem::InsufficientBtc),
        (btc(329), Problem::AmountBelowDust),
        (withdrawal("1:9", "5"), Problem::RuneUnknown),
        (withdrawal("1:9", "max"), Problem::RuneUnknown),
    ] {
        let refused = world.withdraw(&user, &params).await.expect_error(problem);
        let (details, params) = (&refused.body["details"], &refused.body["params"]);
        match problem {
            Problem::InsufficientBtc => assert_eq!(params["available"], 40_000, "{refused}"),
            Problem::AmountBelowDust => {
                assert_eq!(details, "The smallest payment to this address is 330 sats.");
                assert_eq!(params, &json!({ "minimum": 330 }));
            }
            _ => assert!(params.is_null(), "{refused}"),
        }
    }
    let stranger = sign_in(&world.client, &Wallet::evm(1)).await;
    let body = json!({ "type": "withdraw", "params": btc(10_000) });
    let call = world.client.post("/api/transactions").bearer(&stranger.access_token);
    call.json(&body).send().await.expect_error(Problem::NoTradingWallet);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_paths_take_every_type() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 50_000, 50_000]).await;
    let token = &user.session.access_token;
    let mut through_hub = btc(10_000);
    through_hub["xchainData"] = json!("0xdeadbeef");
    let plain = json!({ "type": "withdraw", "params": btc(10_000) });
    let call = world.client.post("/api/xchain/transaction").bearer(token).json(&plain);
    let created = call.send().await.expect(201);
    let signed_text = text(&signed(&psbt_of(&created), &user.wallet));
    let sign = async |path: &str, kind: &str| {
        let params = json!({ "signedBase64Tx": signed_text });
        let body = json!({ "type": kind, "params": params });
        world.client.post(path).bearer(token).json(&body).send().await
    };
    // A type that is given must be the transaction's.
    let path = "/api/xchain/transaction/sign";
    sign(path, "xchain-withdraw").await.expect_error(Problem::NotTheIssuedTransaction);
    sign(path, "withdraw").await.expect(201);
    world.mine(1).await;

    let created = world.create(&user, "xchain-withdraw", &through_hub).await.expect(201);
    assert!(outputs(&psbt_of(&created)).iter().any(|(to, _)| to.is_op_return()));
    let txid = world.sent(&user, &created).await;
    let public = world.client.get("/api/xchain/transactions").send().await.expect(200);
    assert_eq!(public.body["data"][0]["txId"], txid.to_string());
    assert_eq!(public.body["data"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn max_pays_all_plain_coins_and_twenty_reserve_them_once() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 30_000]).await;
    let chain = world.stack.bitcoin();
    let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    world.mine(1).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |_n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let body = json!({ "type": "withdraw", "params": withdrawal("0:0", "max") });
            client.post("/api/transactions").bearer(&token).json(&body).send().await
        }
    })
    .await;
    let made: Vec<_> = answers.into_iter().map(|answer| answer.expect(201)).collect();
    assert!(made.iter().all(|answer| answer.body == made[0].body));
    // An amount above the whole balance is too much, reserved or not.
    world.withdraw(&user, &btc(81_000)).await.expect_error(Problem::InsufficientBtc);
    let psbt = psbt_of(&made[0]);
    let sent = 80_000 - fee_of(&psbt);
    assert_eq!(outputs(&psbt), [(recipient(), sent)]);
    assert!(!spent(&psbt).contains(&inscribed.outpoint));
    let notes = &made[0].body["metaData"];
    assert_eq!(notes["amount"], sent.to_string());
    assert_eq!((&notes["left"], &notes["coinsLeftAside"]["inscribed"]), (&json!(0), &json!(1)));
    world.sent(&user, &made[0]).await;
    // Once it is signed, the coins are spent.
    let again = withdrawal("0:0", "max");
    world.withdraw(&user, &again).await.expect_error(Problem::InsufficientBtc);
}

#[tokio::test(flavor = "multi_thread")]
async fn max_of_a_rune_leaves_every_other_rune() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let chain = world.stack.bitcoin();
    let etch = async |name: &str| {
        let to = Some(user.trading.clone());
        let etching = Etching { name: name.to_owned(), supply: 1_000, divisibility: 0, to };
        chain.etch(&etching).await.unwrap()
    };
    let (wanted, _other) = (etch("WANTEDWANTEDWANTED").await, etch("OTHEROTHEROTHER").await);
    let params = withdrawal(&wanted.to_string(), "max");
    let created = world.withdraw(&user, &params).await.expect(201);
    assert_eq!(created.body["metaData"]["amount"], "1000");
    world.sent(&user, &created).await;
    world.mine(1).await;
    let held = |runes: &local::bitcoin::ord::Runes| runes.values().copied().collect::<Vec<_>>();
    let to = somewhere().parse::<Address<_>>().unwrap().assume_checked();
    assert_eq!(held(&chain.runes_of(&to).await.unwrap()), [1_000]);
    assert_eq!(held(&chain.runes_of(&user.trading).await.unwrap()), [1_000]);
    world.withdraw(&user, &params).await.expect_error(Problem::InsufficientRune);

    // Another wallet has none of it.
    let poor = world.user_with(2, &[60_000]).await;
    let body = json!({ "type": "withdraw", "params": params });
    world.max_spent(&poor, &body).await.expect_error(Problem::InsufficientRune);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_of_more_coins_than_one_transaction_spends_is_refused() {
    let world = world().await;
    let user = world.user(1).await;
    world.stack.bitcoin().scatter(&user.trading, 5_000, 60).await.unwrap();
    let most = world.withdraw(&user, &btc(170_000)).await.expect(201);
    assert_eq!(spent(&psbt_of(&most)).len(), 40);
    world.release(&user, txid_of(&most)).await.expect(200);
    world.withdraw(&user, &btc(200_000)).await.expect_error(Problem::TooManyInputs);
    world
        .create_by_xchain(&user, "withdraw", &btc(200_000))
        .await
        .expect_error(Problem::TooManyInputs);

    let txid = world.sent(&user, &world.created(&user, 170_000).await).await;
    let bump = json!({ "action": "bump", "feeRate": 12 });
    world.replace(&user, txid, &bump).await.expect_error(Problem::TooManyInputs);
}

/// The cap of the deployment also limits the largest amount.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_fee_below_the_cap_there_is_no_largest_amount() {
    let stack = LocalStack::builder().setting("FEE_CAP", "1000").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user_with(1, &[60_000]).await;
    world.stack.bitcoin().set_fees([(1, 100.0)].into()).unwrap();
    let body = json!({ "type": "withdraw", "params": { "tokenId": "0:0" } });
    world.max_spent(&user, &body).await.expect_error(Problem::FeeTooHigh);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_source_nothing_is_read_planned_or_replaced() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let chain = world.stack.bitcoin();
    let mood = Mood { down: true, ..Mood::default() };
    chain.set_ord_mood(mood);
    chain.set_esplora_mood(mood);
    world
        .replace(&user, txid, &json!({ "action": "bump" }))
        .await
        .expect_error(Problem::ChainUnavailable);
    cannot_read(&world, &user, Problem::ChainUnavailable).await;
    // Its blocks are being indexed.
    let world = world_on(LocalStack::builder().bitcoin_later().build().await).await;
    let user = world.user(1).await;
    cannot_read(&world, &user, Problem::ChainBusy).await;
}

/// Every read that needs a source answers with this problem.
async fn cannot_read(world: &World, user: &User, problem: Problem) {
    let trading = &user.trading;
    for path in [
        "/api/runes/1:1".to_owned(),
        format!("/api/utxos?address_eq={trading}"),
        format!("/api/wallets/balance?address={trading}"),
    ] {
        world.client.get(path).send().await.expect_error(problem);
    }
    let body = json!({ "type": "withdraw", "params": { "tokenId": "0:0" } });
    world.max_spent(user, &body).await.expect_error(problem);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fee_target_chooses_the_rate() {
    let world = world().await;
    let user = world.user_with(1, &[90_000]).await;
    world.stack.bitcoin().set_fees([(1, 30.0), (3, 12.0), (24, 2.0)].into()).unwrap();
    for (target, rate) in [(json!("economy"), 2.0), (json!(null), 12.0), (json!("fast"), 30.0)] {
        let mut params = btc(10_000);
        params["feeTarget"] = target;
        let created = world.withdraw(&user, &params).await.expect(201);
        let paid = created.data()["fee"]["feeRate"].as_f64().unwrap();
        assert!((rate..rate + 0.2).contains(&paid), "{paid}, not {rate}");
        world.release(&user, txid_of(&created)).await.expect(200);
    }
}

#[tokio::test]
async fn custody_19_an_ended_session_moves_no_money() {
    let world = world_on(LocalStack::start().await).await;
    let user = world.user(1).await;
    let logout = world.client.post("/auth/logout").bearer(&user.session.access_token);
    logout.send().await.expect(200);
    world.withdraw(&user, &btc(10_000)).await.expect_error(Problem::SessionEnded);
    world.sign(&user, "garbage").await.expect_error(Problem::SessionEnded);
    let txid = "11".repeat(32).parse().unwrap();
    world.release(&user, txid).await.expect_error(Problem::SessionEnded);
    world
        .replace(&user, txid, &json!({ "action": "bump" }))
        .await
        .expect_error(Problem::SessionEnded);
}
