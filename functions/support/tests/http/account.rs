//! `GET /api/support/accounts/{accountId}`, and that no answer contains a secret.

use local::{hub::swap, wallets::Wallet};
use serde_json::json;

use super::*;

#[tokio::test]
async fn an_account_is_shown_with_its_facts_its_limits_and_the_lengths_of_its_lists() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    let wallet = Wallet::p2wpkh(1);
    let body = json!({ "format": "csv", "filter": {} });
    let call = world.client.post("/api/download-histories").bearer(&user.access_token);
    call.json(&body).send().await.expect(201);
    let answer = world.read(&format!("/accounts/{}", user.account)).await;
    let data = answer.data();
    let shown = json!({
        "id": user.account, "createdAt": data["createdAt"], "status": "active", "role": "user",
        "authMethod": "wallet", "email": "ann@example.com", "emailVerified": true,
        "wallet": {
            "address": wallet.address(), "chain": "bitcoin", "publicKey": wallet.public_key(), "provider": null,
        },
        "addresses": [{ "address": wallet.address(), "chain": "bitcoin" }], "earlierAddresses": [],
        "tradingAddress": user.data["tradingAddress"], "hasKeystore": false, "totpEnabled": false,
        "passkeys": 0, "referralCode": data["referralCode"], "referredBy": null,
        "lastSignInAt": data["lastSignInAt"], "failedProofs": [], "limits": data["limits"],
        "counts": {
            "transactions": 0, "crossChain": 0, "deposits": 0, "batches": 0, "refunds": 0, "exports": 1,
            "activity": data["counts"]["activity"], "webhooks": 0,
        },
    });
    assert_eq!(*data, shown);
    assert!(data["counts"]["activity"].as_u64().unwrap() > 0);
    let limits = data["limits"].as_array().unwrap();
    let exports = limits.iter().find(|limit| limit["name"] == "exportByAccount").unwrap();
    let (most, left) = (exports["most"].as_u64().unwrap(), exports["left"].as_u64().unwrap());
    assert_eq!(left + 1, most, "one export was requested: {exports}");
    assert!(exports["until"].as_i64() > data["createdAt"].as_i64());
    assert_eq!(exports["counts"], "history exports requested by an account");
}

#[tokio::test]
async fn failed_proofs_are_shown_by_hour() {
    let world = World::start().await;
    let alice = local::SrpAccount::new("alice@example.com", "correct horse battery staple");
    let session = alice.register(&world.client).await;
    let wrong = alice.with_password("wrong");
    wrong.attempt(&world.client).await;
    let data = world.read(&format!("/accounts/{}", session.account)).await.data().clone();
    assert_eq!(data["failedProofs"][0]["password"], 1, "{data}");
    assert_eq!((&data["authMethod"], &data["hasKeystore"]), (&json!("srp"), &json!(true)));
    let activity = world.read(&format!("/accounts/{}/activity", session.account)).await;
    assert_eq!(activity.body["metaData"]["failedProofs"], data["failedProofs"]);
}

/// The names of all fields of a value.
fn names(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.push(name.clone());
                names(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

/// Whether a field of this name may contain a secret.
fn is_secret(name: &str) -> bool {
    const HARMLESS: [&str; 3] = ["hasKeystore", "failedProofs", "secondFactor"];
    const SECRET: [&str; 16] = [
        "secret",
        "verifier",
        "salt",
        "hash",
        "hint",
        "blob",
        "descriptor",
        "keyid",
        "url",
        "cookie",
        "credential",
        "keystore",
        "proof",
        "token",
        "epoch",
        "challenge",
    ];
    // The tokens of an amount and hashes of transactions are public; equal hashes of a source mean equal sources.
    const PUBLIC: [&str; 10] = [
        "tokenId",
        "inputToken",
        "outputToken",
        "emailToken",
        "intentTxHash",
        "spokeTxHash",
        "fillTxHash",
        "sourceHash",
        "intentHash",
        "token",
    ];
    let lower = name.to_ascii_lowercase();
    !HARMLESS.contains(&name)
        && !PUBLIC.contains(&name)
        && SECRET.iter().any(|word| lower.contains(word))
}

#[tokio::test]
async fn no_answer_contains_a_secret() {
    let world = World::start().await;
    let alice = local::SrpAccount::new("alice@example.com", "correct horse battery staple");
    let user = alice.register(&world.client).await;
    let wallet = Wallet::evm(1);
    let link = local::wallets::challenge(&world.client, &wallet, "link", Some(&user.access_token));
    let link = wallet.signed_challenge(&link.await);
    let post = async |path: &str, body: &Value| {
        let call = world.client.post(path).bearer(&user.access_token).json(body);
        call.send().await
    };
    post("/api/account/addresses", &link).await.expect(201);
    let address = format!("http://127.0.0.1:9/hooks/{}", "s".repeat(20));
    let webhook = post("/api/webhooks", &json!({ "url": address })).await.expect(201);
    let filter = json!({ "format": "csv", "filter": {} });
    post("/api/download-histories", &filter).await.expect(201);
    world.stack.make_exports().await;
    let swap = swap(&wallet, 1);
    world.stack.hub().know(swap.clone());
    post("/api/xchain/transactions/register", &json!(swap)).await.expect(200);

    let id = webhook.text_of("id");
    let more = [
        format!("/accounts/{}/webhooks/{id}/deliveries", user.account),
        format!("/search?q={}", user.account),
        format!("/search?q={}", swap.intent_tx_hash),
        "/stuck".to_owned(),
        "/payouts".to_owned(),
        format!("/reads?accountId={}", user.account),
    ];
    let every = "?select=%2BfailureReason&populate=wallet,token";
    let hidden = format!("/accounts/{}/cross-chain{every}", user.account);
    let paths = paths_of(&user.account).into_iter().map(|(path, _)| path);
    let secrets = [
        webhook.text_of("secret"),
        "ssssssssssssssssssss",
        &user.access_token,
        &user.refresh_token,
        &alice.salt(),
        &alice.verifier(),
        "X-Amz-Signature",
    ];
    for path in paths.chain(more).chain([hidden]) {
        let answer = world.read(&path).await;
        let mut found = Vec::new();
        names(answer.data(), &mut found);
        names(&answer.body["metaData"], &mut found);
        found.retain(|name| is_secret(name));
        assert_eq!(found, Vec::<String>::new(), "{path}");
        for secret in secrets {
            assert!(!answer.text.contains(secret), "{path}: {secret}");
        }
    }
    let webhooks = world.read(&format!("/accounts/{}/webhooks", user.account)).await;
    assert_eq!(column(&webhooks, "host"), [json!("127.0.0.1")]);
    assert_eq!(column(&webhooks, "state"), [json!("unverified")]);
    let exports = world.read(&format!("/accounts/{}/exports", user.account)).await;
    assert_eq!(column(&exports, "status"), [json!("completed")]);
}
