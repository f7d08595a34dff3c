use std::time::Duration;

use local::{
    LocalStack,
    client::{Answer, Client},
    mood::Mood,
    ord_double::Output,
    wallets::{Kind, SignedIn, Wallet, challenge, sign_in},
};
use serde_json::{Value, json};
use shared::{auth::limits::AVATAR_BY_ACCOUNT, problem::Problem};

use crate::{me, world};

const TXID: &str = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799";

async fn choose(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.patch("/api/account/avatar").bearer(&user.access_token);
    call.json(body).send().await
}

/// Lets an address hold an inscription and returns its id.
fn inscribe(stack: &LocalStack, index: u32, address: &str) -> String {
    let id = format!("{TXID}i{index}");
    let output =
        json!({ "outpoint": format!("{TXID}:{index}"), "address": address, "inscriptions": [id] });
    stack.ord().set(serde_json::from_value::<Output>(output).unwrap());
    id
}

#[tokio::test]
async fn an_inscription_of_any_own_address_can_be_the_avatar() {
    let (stack, client, _) = world().await;
    let own = Wallet::p2tr(1);
    let user = sign_in(&client, &own).await;
    assert_eq!(me(&client, &user).await["avatar"], Value::Null);
    let linked = Wallet::new(Kind::P2pkh, 2);
    let asked = challenge(&client, &linked, "link", Some(&user.access_token)).await;
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(&linked.signed_challenge(&asked)).send().await.expect(201);
    let trading = user.data["tradingAddress"].as_str().unwrap();
    for (index, address) in (0..).zip([own.address(), linked.address(), trading]) {
        let id = inscribe(&stack, index, address);
        let body = json!({ "inscriptionId": id });
        let chosen = choose(&client, &user, &body).await.expect(200);
        assert_eq!(chosen.data()["avatar"], id);
        assert_eq!(chosen.data(), &me(&client, &user).await);
    }
    for body in [json!({ "inscriptionId": null }), json!({})] {
        let body_of_one = json!({ "inscriptionId": format!("{TXID}i0") });
        choose(&client, &user, &body_of_one).await.expect(200);
        let removed = choose(&client, &user, &body).await.expect(200);
        assert_eq!(removed.data()["avatar"], Value::Null, "{body}");
        assert_eq!(removed.data(), &me(&client, &user).await);
    }
    let call = client.patch("/api/account/avatar").bearer(&user.access_token);
    call.send().await.expect(200);
}

#[tokio::test]
async fn an_inscription_of_another_address_is_refused() {
    let (stack, client, _) = world().await;
    let (own, other) = (Wallet::p2tr(1), Wallet::p2tr(2));
    let user = sign_in(&client, &own).await;
    sign_in(&client, &other).await;
    let held = json!({ "inscriptionId": inscribe(&stack, 0, own.address()) });
    choose(&client, &user, &held).await.expect(200);
    let others = json!({ "inscriptionId": inscribe(&stack, 1, other.address()) });
    choose(&client, &user, &others).await.expect_error(Problem::InscriptionNotOwned);
    let unknown = json!({ "inscriptionId": format!("{TXID}i7") });
    choose(&client, &user, &unknown).await.expect_error(Problem::InscriptionNotFound);
    for wrong in
        [json!(7), json!(""), json!(TXID), json!(format!("{TXID}i")), json!("x".repeat(9_000))]
    {
        let body = json!({ "inscriptionId": wrong });
        choose(&client, &user, &body).await.expect_error(Problem::Validation);
    }
    stack.ord().be(Mood { down: true, ..Mood::default() });
    choose(&client, &user, &held).await.expect_error(Problem::ChainUnavailable);
    stack.ord().be(Mood { malformed: true, ..Mood::default() });
    choose(&client, &user, &held).await.expect_error(Problem::ChainUnavailable);
    assert_eq!(me(&client, &user).await["avatar"], held["inscriptionId"]);
    // Removing the avatar needs no lookup.
    choose(&client, &user, &json!({})).await.expect(200);
}

/// The caller chooses the inscription, and ord reads its whole transaction. After 30 lookups in an hour, the
/// service stops asking ord.
#[tokio::test]
async fn custody_32_ord_is_asked_for_an_accounts_avatars_thirty_times_an_hour() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2tr(1)).await;
    let unknown = json!({ "inscriptionId": format!("{TXID}i7") });
    for _ in 0..AVATAR_BY_ACCOUNT.most {
        choose(&client, &user, &unknown).await.expect_error(Problem::InscriptionNotFound);
    }
    assert_eq!(stack.ord().inscriptions_asked(), AVATAR_BY_ACCOUNT.most as usize);
    for _ in 0..3 {
        choose(&client, &user, &unknown).await.expect_error(Problem::RateLimited);
    }
    assert_eq!(stack.ord().inscriptions_asked(), 0);
    // Others are not affected, and removing the avatar needs no lookup.
    let other = sign_in(&client, &Wallet::p2tr(2)).await;
    choose(&client, &other, &unknown).await.expect_error(Problem::InscriptionNotFound);
    choose(&client, &user, &json!({})).await.expect(200);
}

#[tokio::test]
async fn after_five_failures_ord_is_not_asked_for_half_a_minute() {
    let (stack, client, _) = world().await;
    let own = Wallet::p2tr(1);
    let user = sign_in(&client, &own).await;
    let held = json!({ "inscriptionId": inscribe(&stack, 0, own.address()) });
    stack.ord().be(Mood { malformed: true, ..Mood::default() });
    for _ in 0..5 {
        choose(&client, &user, &held).await.expect_error(Problem::ChainUnavailable);
    }
    stack.ord().be(Mood::default());
    let refused = choose(&client, &user, &held).await.expect_error(Problem::ChainBusy);
    assert_eq!(refused.header("retry-after"), "30");
    stack.clock().advance(Duration::from_secs(31));
    choose(&client, &user, &held).await.expect(200);
}

/// All rows but those of the limit.
fn rows(stack: &LocalStack) -> Vec<Value> {
    let is_limit = |row: &Value| row.to_string().contains(AVATAR_BY_ACCOUNT.name);
    stack.contents().into_iter().filter(|row| !is_limit(row)).collect()
}

#[tokio::test]
async fn an_avatar_that_is_set_again_writes_nothing() {
    let (stack, client, _) = world().await;
    let own = Wallet::p2tr(1);
    let user = sign_in(&client, &own).await;
    let held = json!({ "inscriptionId": inscribe(&stack, 0, own.address()) });
    for body in [held, json!({})] {
        let chosen = choose(&client, &user, &body).await.expect(200).data().clone();
        let before = rows(&stack);
        assert_eq!(choose(&client, &user, &body).await.expect(200).data(), &chosen);
        assert_eq!(rows(&stack), before, "{body}");
    }
}
