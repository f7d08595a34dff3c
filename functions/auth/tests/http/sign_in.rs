use std::time::Duration;

use local::{
    LocalStack,
    client::twenty_at_once,
    wallets::{self, Kind, Wallet, sign_in, sign_in_by_challenge},
};
use serde_json::{Value, json};
use shared::{models::wallet::Chain, problem::Problem};

use crate::{world, world_of};

/// The sign-in message of the world, dated this many ms from now.
fn message(client: &local::client::Client, offset_ms: i64) -> String {
    format!("Sign in to Runeport: {}", client.now().0 + offset_ms)
}

#[tokio::test]
async fn every_kind_of_wallet_signs_in_to_its_account_again() {
    let (_stack, client) = world().await;
    for kind in Kind::ALL {
        let wallet = Wallet::new(kind, 1);
        let first = sign_in_by_challenge(&client, &wallet).await;
        let again = sign_in_by_challenge(&client, &wallet).await;
        assert_eq!(first.account, again.account, "{kind:?}");
        assert_ne!(first.refresh_token, again.refresh_token);
        assert_eq!(first.data["wallet"]["provider"], wallet.provider());
        let trades = wallet.chain() == Chain::Bitcoin;
        assert_eq!(first.data["tradingAddress"].is_string(), trades, "{kind:?}");
        assert_eq!(first.data["expiresIn"], 600);
        let me = client.get("/api/account/me").bearer(&first.access_token).send().await.expect(200);
        assert_eq!(me.data()["id"], first.account.as_str());
        assert_eq!(me.data()["wallet"]["chain"], json!(wallet.chain()));
        assert_eq!(me.data(), &first.data["account"], "{kind:?}");
    }
}

#[tokio::test]
async fn bitcoin_wallets_also_sign_in_with_the_message() {
    let (_stack, client) = world().await;
    for kind in [Kind::P2wpkh, Kind::P2tr, Kind::P2pkh, Kind::P2shP2wpkh] {
        let wallet = Wallet::new(kind, 2);
        let by_message = sign_in(&client, &wallet).await;
        let by_challenge = sign_in_by_challenge(&client, &wallet).await;
        assert_eq!(by_message.account, by_challenge.account);
    }
    let evm = Wallet::evm(2).signed(&message(&client, 0));
    let refused =
        client.post("/auth/authenticate").json(&evm).send().await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "address");
}

#[tokio::test]
async fn custody_14_every_spelling_of_an_address_is_one_account() {
    let (_stack, client) = world().await;
    for wallet in [Wallet::evm(3), Wallet::p2wpkh(3)] {
        let mut accounts = std::collections::BTreeSet::new();
        let hex = wallet.address().strip_prefix("0x");
        let upper = hex.map_or_else(
            || wallet.address().to_uppercase(),
            |hex| format!("0x{}", hex.to_lowercase()),
        );
        for spelling in [wallet.address(), upper.as_str()] {
            let path = format!("/auth/wallet/challenge?address={spelling}");
            let challenge = client.get(path).send().await.expect(200);
            let mut body = wallet.signed_challenge(&challenge);
            body["address"] = json!(spelling);
            let answer = client.post("/auth/authenticate").json(&body).send().await.expect(200);
            accounts.insert(answer.data()["account"]["id"].as_str().unwrap().to_owned());
            assert_eq!(
                answer.data()["wallet"]["address"],
                wallet.address().to_lowercase().as_str()
            );
        }
        assert_eq!(accounts.len(), 1);
    }
}

#[tokio::test]
async fn custody_12_the_public_key_must_match_the_signing_address() {
    let (_stack, client) = world().await;
    for kind in [Kind::P2wpkh, Kind::P2tr, Kind::P2pkh, Kind::P2shP2wpkh] {
        let wallet = Wallet::new(kind, 4);
        for key in [
            Wallet::new(kind, 5).public_key().to_owned(),
            "02".repeat(33),
            "zz".into(),
            "00".repeat(33),
        ] {
            let mut body = wallet.signed(&message(&client, 0));
            body["publicKey"] = json!(key);
            client
                .post("/auth/authenticate")
                .json(&body)
                .send()
                .await
                .expect_error(Problem::SignatureInvalid);
        }
    }
    for wallet in [Wallet::evm(4), Wallet::solana(4)] {
        let other = Wallet::new(wallet.kind(), 5);
        let path = format!("/auth/wallet/challenge?address={}", wallet.address());
        let mut body = wallet.signed_challenge(&client.get(path).send().await);
        body["publicKey"] = json!(other.public_key());
        client
            .post("/auth/authenticate")
            .json(&body)
            .send()
            .await
            .expect_error(Problem::SignatureInvalid);
    }
}

#[tokio::test]
async fn a_signature_by_another_wallet_or_of_another_text_is_refused() {
    let (_stack, client) = world().await;
    for kind in Kind::ALL {
        let (wallet, other) = (Wallet::new(kind, 6), Wallet::new(kind, 7));
        let challenge =
            || client.get(format!("/auth/wallet/challenge?address={}", wallet.address())).send();
        let body = wallet.signed_challenge(&challenge().await);
        for signature in [
            other.sign(&body["challengeId"].to_string()),
            wallet.sign("another text"),
            "AAAA".into(),
        ] {
            let mut body = wallet.signed_challenge(&challenge().await);
            body["signature"] = json!(signature);
            client
                .post("/auth/authenticate")
                .json(&body)
                .send()
                .await
                .expect_error(Problem::SignatureInvalid);
        }
        let answer = challenge().await;
        let mut body = wallet.signed_challenge(&answer);
        body["signature"] = json!(other.sign(answer.text_of("message")));
        client
            .post("/auth/authenticate")
            .json(&body)
            .send()
            .await
            .expect_error(Problem::SignatureInvalid);
    }
}

#[tokio::test]
async fn custody_17_a_message_signs_in_once() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let body = Wallet::p2wpkh(8).signed(&message(&client, 0));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::SignInMessageInvalid);
    stack.clock().advance(Duration::from_secs(299));
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::SignInMessageInvalid);
}

/// A message from the future is valid longer, so it must be remembered longer.
#[tokio::test]
async fn custody_17_a_message_from_the_future_signs_in_once() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let body = Wallet::p2wpkh(8).signed(&message(&client, 55_000));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    for _ in 0..40 {
        stack.clock().advance(Duration::from_millis(9_100));
        client
            .post("/auth/authenticate")
            .json(&body)
            .send()
            .await
            .expect_error(Problem::SignInMessageInvalid);
    }
}

/// Legacy and EVM signatures can be altered without the key, so the message itself is used up.
#[tokio::test]
async fn custody_17_another_signature_does_not_revive_a_used_message() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2pkh(9);
    let mut body = wallet.signed(&message(&client, 0));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    body["signature"] = json!(wallets::malleated(body["signature"].as_str().unwrap()));
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::SignInMessageInvalid);
    let other_key = json!(wallet.public_key().to_uppercase());
    body["publicKey"] = other_key;
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::SignInMessageInvalid);
}

/// Otherwise a stranger could use up messages that the owner is about to sign.
#[tokio::test]
async fn a_refused_message_is_not_used_up() {
    let (_stack, client) = world().await;
    let (wallet, text) = (Wallet::p2wpkh(10), message(&client, 0));
    let mut forged = wallet.signed(&text);
    forged["signature"] = json!(Wallet::p2wpkh(11).sign(&text));
    client
        .post("/auth/authenticate")
        .json(&forged)
        .send()
        .await
        .expect_error(Problem::SignatureInvalid);
    client.post("/auth/authenticate").json(&wallet.signed(&text)).send().await.expect(200);
}

#[tokio::test]
async fn custody_17_the_template_of_a_deployment_matches_byte_for_byte() {
    let template = "Sign in to Runeport as {address}: {timestamp}";
    let (_stack, client) =
        world_of(LocalStack::builder().setting("SIGN_IN_MESSAGE", template).build().await).await;
    let wallet = Wallet::p2wpkh(12);
    let now = client.now().0;
    let good = format!("Sign in to Runeport as {}: {now}", wallet.address());
    for bad in [
        format!("Sign in to Runeport: {now}"),
        format!("Sign in to Runeport as {}: {now}", Wallet::p2wpkh(13).address()),
        format!("{good}\n"),
        good.to_lowercase(),
        format!("Sign in to Runeport as {}: {}", wallet.address(), now - 300_001),
        format!("Sign in to Runeport as {}: {}", wallet.address(), now + 90_000),
    ] {
        client
            .post("/auth/authenticate")
            .json(&wallet.signed(&bad))
            .send()
            .await
            .expect_error(Problem::SignInMessageInvalid);
    }
    client.post("/auth/authenticate").json(&wallet.signed(&good)).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_uses_of_one_message_sign_in_once() {
    let (_stack, client) = world().await;
    let body = Wallet::p2wpkh(14).signed(&message(&client, 0));
    let statuses = twenty_at_once(|_| {
        let (client, body) = (client.clone(), body.clone());
        async move { client.post("/auth/authenticate").json(&body).send().await.status }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 400).count(), 19, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_first_sign_ins_create_one_account() {
    let (stack, client) = world().await;
    let now = client.now().0;
    let accounts = twenty_at_once(|n| {
        let client = client.clone();
        async move {
            let body = Wallet::p2wpkh(15)
                .signed(&format!("Sign in to Runeport: {}", now + i64::try_from(n).unwrap()));
            let answer = client.post("/auth/authenticate").json(&body).send().await.expect(200);
            answer.data()["account"]["id"].as_str().unwrap().to_owned()
        }
    })
    .await;
    assert!(accounts.iter().all(|account| *account == accounts[0]), "{accounts:?}");
    let admin = local::admin(&stack, &client).await;
    let listed =
        client.get("/api/account?select=id").bearer(&admin.access_token).send().await.expect(200);
    assert_eq!(listed.body["metaData"]["totalItems"], 2);
}

#[tokio::test]
async fn the_error_names_every_invalid_field() {
    let (_stack, client) = world().await;
    let send = |body: Value| client.post("/auth/authenticate").json(&body).send();
    let fields = |answer: local::client::Answer| {
        let errors =
            answer.expect_error(Problem::Validation).body["errors"].as_array().unwrap().clone();
        errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(fields(send(json!({})).await), ["message", "signature", "address", "publicKey"]);
    let wrong =
        json!({"challengeId": "7", "signature": 1, "address": [], "chain": "doge", "provider": {}});
    assert_eq!(
        fields(send(wrong).await),
        ["challengeId", "signature", "address", "chain", "provider"]
    );
    let mainnet = json!({"message": "x", "signature": "x", "publicKey": "x", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"});
    assert_eq!(fields(send(mainnet).await), ["address"]);
    let long = json!({"message": "x".repeat(1025), "signature": "x".repeat(16 * 1024 + 1), "address": "a", "publicKey": "b"});
    assert_eq!(fields(send(long).await), ["message", "signature"]);
}

#[tokio::test]
async fn a_frontend_reads_its_deployment_and_no_secret_of_it() {
    let secret = "https://rpc.example/key-of-a-provider";
    let builder = LocalStack::builder()
        .setting("APP_URL", "https://app.example/")
        .setting("FEE_RATE_RANGE", "0.5-300")
        .setting("FEE_CAP", "70000")
        .setting("FEE_TARGET_BLOCKS", "6")
        .setting("AFFILIATE_FEE_BPS", "25")
        .setting("PERP_VENUE_CHAIN", "Testnet")
        .setting("PERP_VENUE_RPC_URL", "")
        .setting("PERP_VENUE_OWN_RPC_URL", secret)
        .setting("EVM_RPC_URL", secret);
    let (stack, client) = world_of(builder.build().await).await;
    let config = client.get("/api/config").send().await.expect(200);
    assert_eq!(config.data()["appUrl"], "https://app.example");
    let fees = json!({
        "range": { "lowest": 0.5, "highest": 300 },
        "cap": 70_000,
        "targets": { "economy": 24, "normal": 6, "fast": 1 },
    });
    assert_eq!(config.data()["fees"], fees);
    let venue = json!({
        "chain": "Testnet",
        "chainId": 998,
        "rpcUrl": "https://rpc.hyperliquid-testnet.xyz/evm",
    });
    assert_eq!(config.data()["venue"], venue);
    let affiliate = json!({
        "affiliateAddress": stack.app().config.affiliate.address,
        "feeBps": 25,
        "feePercent": 0.25,
    });
    assert_eq!(config.data()["affiliate"], affiliate);
    assert_eq!(config.data()["features"], json!(["contractWallets", "media"]));
    assert!(!config.text.contains("key-of-a-provider"), "{}", config.text);

    let builder = LocalStack::builder().setting("MEDIA_URL", "").setting("EVM_RPC_URL", "");
    let (_stack, client) = world_of(builder.build().await).await;
    let config = client.get("/api/config").send().await.expect(200);
    assert_eq!(config.data()["features"], json!([]));
}

#[tokio::test]
async fn a_wallet_signs_in_with_nothing_but_what_the_deployment_says() {
    let (_stack, any) = world().await;
    let local = any.get("/api/config").send().await.expect(200);
    assert_eq!(local.data()["signIn"]["messageTemplate"], Value::Null);
    let template = "Runeport signs {address} in: {timestamp}";
    let (_stack, client) =
        world_of(LocalStack::builder().setting("SIGN_IN_MESSAGE", template).build().await).await;
    let config = client.get("/api/config").send().await.expect(200);
    assert_eq!(config.header("cache-control"), "public, max-age=300");
    let (network, delay) = (&config.data()["network"], &config.data()["delayBlocks"]);
    assert_eq!((network, delay), (&json!("regtest"), &json!(12_960)));
    assert!(config.data()["passkeyRpId"].is_string());
    assert_eq!(config.data()["renewal"], json!({ "advised": 4_032, "needed": 1_152 }));
    let limits = config.data()["limits"].as_array().unwrap();
    let signs_in = limits.iter().find(|limit| limit["name"] == "signInBySource").unwrap();
    assert_eq!((&signs_in["hits"], &signs_in["windowSeconds"]), (&json!(100), &json!(300)));
    assert_eq!(signs_in["counts"], "sign-ins and registrations");
    assert_eq!(config.data()["version"], env!("CARGO_PKG_VERSION"));
    let known = client.get("/api/config").header("if-none-match", config.header("etag"));
    let known = known.send().await.expect(304);
    assert_eq!(known.header("cache-control"), "public, max-age=300");
    let template = config.data()["signIn"]["messageTemplate"].as_str().unwrap();
    let wallet = Wallet::p2wpkh(1);
    let message = template
        .replace("{address}", wallet.address())
        .replace("{timestamp}", &client.now().0.to_string());
    let body = wallet.signed(&message);
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}
