//! `DELETE /api/transactions/{txId}`.

use std::time::Duration;

use local::{client::twenty_at_once, wallets::sign_in};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_released_transaction_frees_its_coin_and_can_no_longer_be_signed() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let create_by = async |path: &str, key: &str| {
        let body = json!({ "type": "withdraw", "params": btc(20_000) });
        let call = world.client.post(path).bearer(&user.session.access_token);
        call.header("Idempotency-Key", key).json(&body).send().await
    };
    let create = async |key: &str| create_by("/api/transactions", key).await;
    let created = create("once").await.expect(201);
    assert_eq!(create("once").await.expect(201).body, created.body);
    let txid = txid_of(&created);
    for _time in 0..2 {
        let released = world.release(&user, txid).await.expect(200);
        assert_eq!(*released.data(), json!({ "txId": txid.to_string(), "state": "expired" }));
    }
    let late = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &late).await.expect_error(Problem::ReservationExpired);
    // The stored answer for that idempotency key is a PSBT that can no longer be signed.
    create("once").await.expect_error(Problem::ReservationExpired);
    let by_xchain = async || create_by("/api/xchain/transaction", "once").await;
    assert_eq!(txid_of(&by_xchain().await.expect(201)), txid);
    world.release(&user, txid).await.expect(200);
    by_xchain().await.expect_error(Problem::ReservationExpired);
    assert!(!json!(world.stack.contents()).to_string().contains("reservation#"));

    // The same transaction can be created again, and then signed.
    let again = create("twice").await.expect(201);
    assert_eq!(txid_of(&again), txid);
    assert_eq!(create("once").await.expect(201).body, created.body);
    world.sent(&user, &again).await;
    world.release(&user, txid).await.expect_error(Problem::AlreadySigned);
    world.mine(1).await;
    world.watch_after(61).await;
    world.release(&user, txid).await.expect_error(Problem::AlreadySigned);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_replacement_that_was_released_can_no_longer_be_signed() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let bump = async || {
        let path = format!("/api/transactions/{txid}/replace");
        let call = world.client.post(path).bearer(&user.session.access_token);
        let call = call.header("Idempotency-Key", "once");
        call.json(&json!({ "action": "bump" })).send().await
    };
    let bumped = bump().await.expect(201);
    world.release(&user, txid_of(&bumped)).await.expect(200);
    bump().await.expect_error(Problem::ReservationExpired);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_foreign_and_unknown_transactions_are_not_found() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let stranger = world.user(2).await;
    let txid = txid_of(&world.created(&user, 20_000).await);
    world.release(&stranger, txid).await.expect_error(Problem::TransactionNotFound);
    let replace = json!({ "action": "cancel" });
    world.replace(&stranger, txid, &replace).await.expect_error(Problem::TransactionNotFound);
    let unknown = "11".repeat(32).parse().unwrap();
    world.release(&user, unknown).await.expect_error(Problem::TransactionNotFound);
    for wrong in ["x", "11", &"zz".repeat(32), "sign"] {
        let call = world.client.delete(format!("/api/transactions/{wrong}"));
        let refused = call.bearer(&user.session.access_token).send().await;
        assert!([400, 405].contains(&refused.status), "{wrong}: {refused}");
    }
    assert_eq!(world.state(txid).await, TransactionState::Unsigned);
}

/// If signatures and releases race, exactly one side wins.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_release_never_frees_a_coin_that_the_platform_signs_for() {
    let world = world().await;
    for round in 0..3_u64 {
        let user = world.user_with(10 + round, &[100_000]).await;
        let created = world.created(&user, 20_000).await;
        let signed = text(&signed(&psbt_of(&created), &user.wallet));
        let (client, token) = (world.client.clone(), user.session.access_token.clone());
        let txid = txid_of(&created);
        let answers = twenty_at_once(move |n| {
            let (client, token, signed) = (client.clone(), token.clone(), signed.clone());
            async move {
                if n % 2 == 0 {
                    let path = format!("/api/transactions/{txid}");
                    return (false, client.delete(path).bearer(&token).send().await);
                }
                let body = json!({ "params": { "signedBase64Tx": signed } });
                let call = client.post("/api/transactions/sign").bearer(&token);
                (true, call.json(&body).send().await)
            }
        })
        .await;
        let state = world.state(txid).await;
        let is_signed = state != TransactionState::Expired;
        let holds = json!(world.stack.contents()).to_string().contains(&txid.to_string());
        assert!(holds);
        for (signs, answer) in answers {
            match (signs, answer.status) {
                (true, 201) => assert!(is_signed, "{answer}"),
                (true, 400) => assert!(!is_signed, "{answer}"),
                (false, 200) => assert!(!is_signed, "{answer}"),
                (false, 409) => assert!(is_signed, "{answer}"),
                (_, 503) => {}
                _ => panic!("{answer}"),
            }
        }
        assert_eq!(world.in_mempool(txid).await, is_signed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overdue_transaction_ends_without_touching_its_coins() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let first = txid_of(&world.created(&user, 20_000).await);
    world.stack.clock().advance(Duration::from_secs(601));
    let session = sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    let second = world.created(&user, 30_000).await;
    world.release(&user, first).await.expect(200);
    assert_eq!(world.state(first).await, TransactionState::Expired);
    // The coin is still reserved for the second one.
    let coins = world.client.get("/api/account/trading-wallet/coins");
    let coins = coins.bearer(&user.session.access_token).send().await.expect(200);
    assert_eq!(coins.data()[0]["heldBy"]["txId"], json!(txid_of(&second)));
    world.sent(&user, &second).await;
}
