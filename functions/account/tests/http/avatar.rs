use local::{
    LocalStack,
    client::{Answer, Client},
    mood::Mood,
    ord_double::Output,
    wallets::{Kind, SignedIn, Wallet, challenge, sign_in},
};
use serde_json::{Value, json};

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
    choose(&client, &user, &others).await.expect_error(400, "3014");
    let unknown = json!({ "inscriptionId": format!("{TXID}i7") });
    choose(&client, &user, &unknown).await.expect_error(400, "3013");
    for wrong in
        [json!(7), json!(""), json!(TXID), json!(format!("{TXID}i")), json!("x".repeat(9_000))]
    {
        let body = json!({ "inscriptionId": wrong });
        choose(&client, &user, &body).await.expect_error(400, "1001");
    }
    stack.ord().be(Mood { down: true, ..Mood::default() });
    choose(&client, &user, &held).await.expect_error(502, "2003");
    stack.ord().be(Mood { malformed: true, ..Mood::default() });
    choose(&client, &user, &held).await.expect_error(502, "2003");
    assert_eq!(me(&client, &user).await["avatar"], held["inscriptionId"]);
    // Removing the avatar needs no lookup.
    choose(&client, &user, &json!({})).await.expect(200);
}
