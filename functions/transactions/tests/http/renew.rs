//! `POST /api/transactions` with `renew-utxo`.

use local::{bitcoin::Etching, client::twenty_at_once};
use shared::problem::Problem;

use super::*;

fn coins(coins: &[OutPoint]) -> Value {
    json!({ "txIdVouts": coins.iter().map(ToString::to_string).collect::<Vec<_>>() })
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_return_to_the_trading_address_with_their_runes() {
    let world = world().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let one = chain.fund(&user.trading, 30_000).await.unwrap();
    let two = chain.fund(&user.trading, 40_000).await.unwrap();
    let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 0, to };
    chain.etch(&etching).await.unwrap();
    world.mine(3).await;
    let mut runic = None;
    for coin in chain.coins(&user.trading).await.unwrap() {
        let runes = chain.runes_in(coin.outpoint).await.unwrap().unwrap_or_default();
        if !runes.is_empty() {
            runic = Some(coin.outpoint);
        }
    }
    let runic = runic.unwrap();

    // Nothing is due yet, and an inscribed coin is not renewed.
    world.renew(&user, &json!({})).await.expect_error(Problem::NothingToRenew);
    world.renew(&user, &coins(&[inscribed.outpoint])).await.expect_error(Problem::CoinUnknown);
    for (params, problem) in
        [(json!({}), Problem::NothingToRenew), (coins(&[inscribed.outpoint]), Problem::CoinUnknown)]
    {
        let refused = world.create_by_xchain(&user, "renew-utxo", &params).await;
        refused.expect_error(problem);
    }
    let created = world.renew(&user, &coins(&[one, runic, two])).await.expect(201);
    let psbt = psbt_of(&created);
    let mut inputs = spent(&psbt);
    inputs.sort();
    let mut wanted = vec![one, runic, two];
    wanted.sort();
    assert_eq!(inputs, wanted);
    let paid = outputs(&psbt);
    assert_eq!(paid.len(), 2);
    assert!(paid.iter().all(|(to, _)| *to == user.trading.script_pubkey()));
    let notes = &created.body["metaData"];
    assert_eq!((&notes["amount"], &notes["left"]), (&json!(null), &json!(0)));
    assert_eq!(notes["coinsLeftAside"]["inscribed"], 1);

    // The order of the coins makes no difference.
    let again = world.renew(&user, &coins(&[two, one, runic, one])).await.expect(201);
    assert_eq!(again.body, created.body);
    // One coin is in one renewal at a time.
    let other = world.renew(&user, &coins(&[one])).await.expect(201);
    let late = text(&signed(&psbt, &user.wallet));
    world.sign(&user, &late).await.expect_error(Problem::ReservationExpired);
    let created = world.renew(&user, &coins(&[one, runic, two])).await.expect(201);
    assert_eq!(psbt_of(&created).unsigned_tx, psbt.unsigned_tx);
    assert_eq!(world.state(txid_of(&other)).await, TransactionState::Expired);
    world.sent(&user, &created).await;
    world.mine(1).await;
    let runes = chain.runes_of(&user.trading).await.unwrap();
    assert_eq!(runes.values().copied().collect::<Vec<_>>(), [1_000]);
    let left = chain.coins(&user.trading).await.unwrap();
    assert_eq!(left.len(), 3);
    assert!(left.iter().any(|coin| coin.outpoint == inscribed.outpoint), "it is where it was");
    let inputs: u64 =
        psbt.inputs.iter().map(|input| input.witness_utxo.as_ref().unwrap().value.to_sat()).sum();
    let returned = left.iter().filter(|coin| coin.outpoint != inscribed.outpoint);
    let returned: u64 = returned.map(|coin| coin.output.value.to_sat()).sum();
    assert_eq!(returned + fee_of(&psbt), inputs);
    assert!(world.stack.hub().withdrawals().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_coins_are_named_and_foreign_ones_are_unknown() {
    let world = world().await;
    let user = world.user_with(1, &[40_000]).await;
    let other = world.user(2).await;
    let foreign = world.stack.bitcoin().fund(&other.trading, 50_000).await.unwrap();
    let unconfirmed = world.stack.bitcoin().fund(&user.trading, 50_000).await.unwrap();
    let valid = foreign.to_string();
    for (list, field) in [
        (json!([]), "txIdVouts"),
        (json!("x"), "txIdVouts"),
        (json!([1]), "txIdVouts[0]"),
        (json!(["x"]), "txIdVouts[0]"),
        (json!([valid, "x:0"]), "txIdVouts[1]"),
        (json!(vec![valid.clone(); 41]), "txIdVouts"),
    ] {
        let refused = world.renew(&user, &json!({ "txIdVouts": list })).await;
        let refused = refused.expect_error(Problem::Validation);
        let named = refused.body["errors"][0]["field"].as_str().unwrap();
        assert_eq!(named, format!("params.{field}"), "{refused}");
    }
    for coin in [foreign, unconfirmed, OutPoint::null()] {
        world.renew(&user, &coins(&[coin])).await.expect_error(Problem::CoinUnknown);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_renewals_of_a_coin_are_one() {
    let world = world().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 60_000).await.unwrap();
    world.mine(1).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |_n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let body = json!({ "type": "renew-utxo", "params": coins(&[coin, coin]) });
            client.post("/api/transactions").bearer(&token).json(&body).send().await
        }
    })
    .await;
    let made: Vec<_> = answers.into_iter().map(|answer| answer.expect(201)).collect();
    assert!(made.iter().all(|answer| answer.body == made[0].body));
    assert_eq!(spent(&psbt_of(&made[0])), [coin]);
}
