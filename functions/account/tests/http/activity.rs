use local::{
    client::{Answer, Client},
    wallets::{SignedIn, Wallet, challenge, sign_in},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{refresh, refreshed, world};

async fn list(client: &Client, user: &SignedIn, query: &str) -> Answer {
    let path = format!("/api/account/activity?{query}");
    client.get(path).bearer(&user.access_token).send().await.expect(200)
}

async fn link(client: &Client, user: &SignedIn, wallet: &Wallet) -> Answer {
    let asked = challenge(client, wallet, "link", Some(&user.access_token)).await;
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(&wallet.signed_challenge(&asked)).send().await.expect(201)
}

#[tokio::test]
async fn the_owner_sees_who_changed_what_and_when() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let mut requests = Vec::new();
    for seed in 10..21 {
        requests
            .push(link(&client, &user, &Wallet::evm(seed)).await.header("x-request-id").to_owned());
        link(&client, &other, &Wallet::evm(seed + 100)).await;
    }
    let first = list(&client, &user, "").await;
    let meta = json!({
        "totalItems": 12, "currentPage": 1, "pageSize": 10, "totalPages": 2, "asOf": 12, "failedProofs": [],
    });
    assert_eq!(first.body["metaData"], meta);
    let second = list(&client, &user, "page=2").await;
    let rows =
        [first.data().as_array().unwrap().clone(), second.data().as_array().unwrap().clone()]
            .concat();
    assert_eq!(rows.len(), 12);
    let asked: Vec<_> = rows.iter().map(|row| row["requestId"].clone()).take(11).collect();
    requests.reverse();
    assert_eq!(json!(asked), json!(requests), "own entries, newest first");
    assert_eq!(rows[11]["change"], "accountCreated");
    let times: Vec<_> = rows.iter().map(|row| row["createdAt"].as_i64().unwrap()).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");

    let session = client.get("/auth/sessions").bearer(&user.access_token).send().await;
    let session = session.data()[0]["id"].clone();
    for row in &rows {
        let shape = json!({
            "id": row["id"], "change": row["change"], "createdAt": row["createdAt"],
            "requestId": row["requestId"], "sessionId": session, "sourceHash": rows[0]["sourceHash"],
        });
        assert_eq!(row, &shape);
    }
    let hash = rows[0]["sourceHash"].as_str().unwrap();
    assert!(hash.len() == 32 && !first.text.contains("127.0.0.1"), "{hash}");
    let theirs = list(&client, &other, "").await;
    assert_ne!(theirs.data()[0]["sourceHash"], hash, "hashes do not reveal a shared source");
    assert_eq!(theirs.body["metaData"]["totalItems"], 12);
}

#[tokio::test]
async fn the_audit_trail_behaves_like_other_lists() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    link(&client, &user, &Wallet::evm(2)).await;
    let oldest = list(&client, &user, "sort=createdAt&select=change&pageSize=1").await;
    let row = oldest.data()[0].clone();
    assert_eq!(row, json!({ "id": row["id"], "change": "accountCreated" }));
    assert_eq!(list(&client, &user, "page=3").await.data(), &Value::Array(Vec::new()));
    for query in ["sort=changes", "select=accountId", "change_eq=addressLinked", "populate=session"]
    {
        let path = format!("/api/account/activity?{query}");
        let call = client.get(path).bearer(&user.access_token);
        call.send().await.expect_error(Problem::Validation);
    }
}

#[tokio::test]
async fn ended_sessions_and_token_theft_are_recorded() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let (here, there) = (sign_in(&client, &wallet).await, sign_in(&client, &wallet).await);
    let sessions = client.get("/auth/sessions").bearer(&here.access_token).send().await;
    let other = sessions.data().as_array().unwrap().iter().find(|row| row["current"] == false);
    let path = format!("/auth/sessions/{}", other.unwrap()["id"].as_str().unwrap());
    client.delete(&path).bearer(&here.access_token).send().await.expect(200);
    client
        .delete(&path)
        .bearer(&here.access_token)
        .send()
        .await
        .expect_error(Problem::SessionNotFound);
    refresh(&client, &there).await.expect_error(Problem::InvalidRefreshToken);

    let third = sign_in(&client, &wallet).await;
    let next = refreshed(&client, &third).await;
    refresh(&client, &next).await.expect(200);
    refresh(&client, &third).await.expect_error(Problem::InvalidRefreshToken);
    refresh(&client, &third).await.expect_error(Problem::InvalidRefreshToken);
    let rows = list(&client, &here, "select=change").await;
    let changes: Vec<_> =
        rows.data().as_array().unwrap().iter().map(|row| row["change"].clone()).collect();
    assert_eq!(
        json!(changes),
        json!(["refreshTokenReused", "signedIn", "sessionRevoked", "signedIn", "accountCreated"])
    );
}
