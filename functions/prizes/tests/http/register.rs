use std::time::Duration;

use local::{
    LocalStack,
    client::twenty_at_once,
    mood::Mood,
    ord_double::Output,
    patience::skip,
    wallets::{Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{prize, world, world_of};

#[tokio::test]
async fn an_admin_registers_a_prize_that_the_treasury_holds() {
    let (stack, client, admin) = world().await;
    let body = prize(&stack, 7);
    let made =
        client.post("/api/prizes").bearer(&admin.access_token).json(&body).send().await.expect(201);
    for field in ["prizeNumber", "name", "inscriptionId", "controllingUtxo"] {
        assert_eq!(made.data()[field], body[field]);
    }
    let listed = client.get("/api/prizes").bearer(&admin.access_token).send().await.expect(200);
    assert_eq!(listed.data(), &json!([made.data()]));
}

#[tokio::test]
async fn only_admins_register_prizes() {
    let (stack, client, _admin) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let body = prize(&stack, 7);
    client
        .post("/api/prizes")
        .bearer(&user.access_token)
        .json(&body)
        .send()
        .await
        .expect_error(Problem::Forbidden);
    client.post("/api/prizes").json(&body).send().await.expect_error(Problem::NoAuthorization);
}

#[tokio::test]
async fn number_inscription_and_output_are_each_unique() {
    let (stack, client, admin) = world().await;
    let send =
        |body: Value| client.post("/api/prizes").bearer(&admin.access_token).json(&body).send();
    let (first, second) = (prize(&stack, 1), prize(&stack, 2));
    send(first.clone()).await.expect(201);
    let mut same_number = second.clone();
    same_number["prizeNumber"] = json!(1);
    send(same_number).await.expect_error(Problem::PrizeNumberTaken);

    let inscription = first["inscriptionId"].as_str().unwrap().parse().unwrap();
    let moved = second["controllingUtxo"].as_str().unwrap().parse().unwrap();
    let mut same_inscription = second.clone();
    same_inscription["inscriptionId"] = first["inscriptionId"].clone();
    stack.ord().set(Output::holding(moved, &stack.app().config.treasury.address, inscription));
    send(same_inscription).await.expect_error(Problem::PrizeInscriptionTaken);

    let other = second["inscriptionId"].as_str().unwrap().parse().unwrap();
    let held = first["controllingUtxo"].as_str().unwrap().parse().unwrap();
    let mut same_utxo = second.clone();
    same_utxo["controllingUtxo"] = first["controllingUtxo"].clone();
    stack.ord().set(Output::holding(held, &stack.app().config.treasury.address, other));
    send(same_utxo).await.expect_error(Problem::PrizeUtxoTaken);

    send(prize(&stack, 2)).await.expect(201);
    let listed = client.get("/api/prizes").bearer(&admin.access_token).send().await;
    assert_eq!(listed.body["metaData"]["totalItems"], 2);
}

#[tokio::test]
async fn a_claim_that_the_chain_contradicts_is_refused() {
    let (stack, client, admin) = world_of(LocalStack::builder().impatient()).await;
    let send =
        |body: &Value| client.post("/api/prizes").bearer(&admin.access_token).json(body).send();
    let body = prize(&stack, 1);
    let outpoint = body["controllingUtxo"].as_str().unwrap().parse().unwrap();
    let inscription = body["inscriptionId"].as_str().unwrap().parse().unwrap();
    let treasury = stack.app().config.treasury.address.clone();
    let good = || Output::holding(outpoint, &treasury, inscription);
    let foreign: bitcoin::Address<_> = Wallet::p2tr(5).address().parse().unwrap();

    for (output, problem) in [
        (Output { spent: true, ..good() }, Problem::PrizeUtxoUnusable),
        (
            Output { indexed: false, inscriptions: Some(vec![]), ..good() },
            Problem::PrizeUtxoUnusable,
        ),
        (Output { inscriptions: None, ..good() }, Problem::PrizeUtxoUnusable),
        (Output { inscriptions: Some(vec![]), ..good() }, Problem::PrizeInscriptionElsewhere),
        (Output { address: foreign, ..good() }, Problem::PrizeNotInTreasury),
    ] {
        stack.ord().set(output);
        send(&body).await.expect_error(problem);
    }
    let mut unknown = body.clone();
    unknown["controllingUtxo"] = json!(format!("{:064x}:0", 99));
    send(&unknown).await.expect_error(Problem::PrizeUtxoUnusable);

    stack.ord().set(good());
    for mood in
        [Mood { down: true, ..Mood::default() }, Mood { malformed: true, ..Mood::default() }]
    {
        stack.ord().be(mood);
        send(&body).await.expect_error(Problem::ChainUnavailable);
    }
    stack.ord().be(Mood { delay_ms: 600_000, ..Mood::default() });
    let late = async {
        stack.ord().mood().delays(1).await;
        // The service waits for 5 s.
        skip(Duration::from_secs(5)).await;
    };
    let (refused, ()) = tokio::join!(send(&body), late);
    refused.expect_error(Problem::ChainUnavailable);
    stack.ord().be(Mood::default());
    let listed = client.get("/api/prizes").bearer(&admin.access_token).send().await;
    assert_eq!(listed.body["metaData"]["totalItems"], 0, "nothing was written");
    send(&body).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_registrations_of_one_number_make_one_prize() {
    let (stack, client, admin) = world().await;
    let answers = twenty_at_once(|n| {
        let (client, token) = (client.clone(), admin.access_token.clone());
        let mut body = prize(&stack, n + 1);
        body["prizeNumber"] = json!(42);
        async move { client.post("/api/prizes").bearer(&token).json(&body).send().await }
    })
    .await;
    let (made, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 1);
    for answer in refused {
        answer.expect_error(Problem::PrizeNumberTaken);
    }
    let listed = client.get("/api/prizes").bearer(&admin.access_token).send().await;
    assert_eq!(listed.data(), &json!([made[0].data()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_prizes_are_all_listed() {
    let (stack, client, admin) = world().await;
    let answers = twenty_at_once(|n| {
        let (client, token) = (client.clone(), admin.access_token.clone());
        let body = prize(&stack, n + 1);
        async move { client.post("/api/prizes").bearer(&token).json(&body).send().await }
    });
    for answer in answers.await {
        answer.expect(201);
    }
    let path = "/api/prizes?sort=createdAt&pageSize=100";
    let listed = client.get(path).bearer(&admin.access_token).send().await.expect(200);
    let prizes = listed.data().as_array().unwrap();
    let times: Vec<_> = prizes.iter().map(|prize| prize["createdAt"].as_i64()).collect();
    assert_eq!(times.len(), 20);
    assert!(times.is_sorted(), "{times:?}");
}

#[tokio::test]
async fn every_invalid_field_is_named() {
    let (_stack, client, admin) = world().await;
    let body = json!({
        "prizeNumber": 101, "name": " x", "inscriptionId": "abc", "controllingUtxo": 7, "more": "ignored",
    });
    let answer = client.post("/api/prizes").bearer(&admin.access_token).json(&body).send().await;
    let errors = answer.expect_error(Problem::Validation).body["errors"].clone();
    let fields: Vec<_> =
        errors.as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["prizeNumber", "name", "inscriptionId", "controllingUtxo"]);
}
