use std::time::Duration;

use local::{
    SrpAccount,
    client::{Answer, Client, twenty_at_once},
    stack::treasury,
    trading_wallets::{cosigning_key, proof as proof_for, trading_address},
    wallets::{Kind, SignedIn, Wallet, challenge, register, sign_in, with},
};
use serde_json::{Value, json};
use shared::{
    models::{account::Account, email::EmailAddress},
    problem::Problem,
};
use store::Update;

use crate::{changes, is_alive, me, refreshed, world};

const PATH: &str = "/api/account/trading-wallet";
const BITCOIN: [Kind; 4] = [Kind::P2wpkh, Kind::P2tr, Kind::P2pkh, Kind::P2shP2wpkh];

async fn make(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    client.post(PATH).bearer(&user.access_token).json(body).send().await
}

async fn proof(client: &Client, user: &SignedIn, wallet: &Wallet) -> Value {
    proof_for(client, wallet, "tradingWallet", Some(&user.access_token)).await
}

async fn backup(client: &Client, user: &SignedIn) -> Answer {
    client.get(PATH).bearer(&user.access_token).send().await
}

#[tokio::test]
async fn an_account_creates_its_trading_wallet_once() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (seed, kind) in (1..).zip(BITCOIN) {
        let own = Wallet::evm(seed);
        let (user, there) = (sign_in(&client, &own).await, sign_in(&client, &own).await);
        backup(&client, &user).await.expect_error(Problem::TradingWalletNotFound);
        let before = me(&client, &user).await;
        assert_eq!(before["tradingAddress"], Value::Null);
        let wallet = Wallet::new(kind, seed);
        let body = proof(&client, &user, &wallet).await;
        let made = make(&client, &user, &body).await.expect(201);
        let address = trading_address(&wallet, &platform);
        assert_eq!(made.data(), &with(before, &json!({ "tradingAddress": address })), "{kind:?}");
        assert_eq!(made.data(), &me(&client, &user).await);
        assert_eq!(sign_in(&client, &own).await.data["tradingAddress"], address);
        assert!(is_alive(&client, &there).await, "a trading wallet leaves other sessions open");
        assert_eq!(changes(&client, &user).await, ["tradingWalletMade", "accountCreated"]);

        let another = proof(&client, &user, &Wallet::new(kind, seed + 100)).await;
        for again in [&body, &another] {
            make(&client, &user, again).await.expect_error(Problem::TradingWalletExists);
        }
        assert_eq!(made.data(), &me(&client, &user).await);
    }
    let by_wallet = sign_in(&client, &Wallet::p2wpkh(50)).await;
    let body = proof(&client, &by_wallet, &Wallet::p2wpkh(51)).await;
    make(&client, &by_wallet, &body).await.expect_error(Problem::TradingWalletExists);
}

#[tokio::test]
async fn an_account_with_a_password_creates_its_trading_wallet() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    let account = SrpAccount::new("ada@example.com", "correct horse battery staple");
    let user = account.register(&client).await;
    let wallet = Wallet::p2tr(1);
    let body = proof(&client, &user, &wallet).await;
    make(&client, &user, &body).await.expect(201);
    let address = trading_address(&wallet, &platform);
    assert_eq!(account.sign_in(&client).await.data["tradingAddress"], address);
}

#[tokio::test]
async fn custody_12_a_taproot_key_creates_a_wallet_for_either_parity() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (seed, told) in [(1, ""), (101, "02"), (201, "03")] {
        for is_odd in [false, true] {
            let user = sign_in(&client, &Wallet::evm(seed + u64::from(is_odd))).await;
            let wallet = Wallet::p2tr_of_parity(is_odd, seed);
            let told = format!("{told}{}", wallet.x_only_key());
            let body = with(proof(&client, &user, &wallet).await, &json!({ "publicKey": told }));
            let made = make(&client, &user, &body).await.expect(201);
            let address = trading_address(&wallet, &platform);
            assert_eq!(made.data()["tradingAddress"], address, "{told}");
            assert_eq!(backup(&client, &user).await.expect(200).data()["address"], address);
        }
    }
}

#[tokio::test]
async fn custody_12_an_unproved_key_is_refused() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let (wallet, thief, taken) = (Wallet::p2wpkh(1), Wallet::p2wpkh(2), Wallet::p2pkh(3));
    sign_in(&client, &taken).await;
    let good = async || proof(&client, &user, &wallet).await;
    let uncompressed = format!("04{}", "1".repeat(128));
    let refused = [
        (json!({ "signature": thief.sign("another text") }), Problem::SignatureInvalid),
        (json!({ "publicKey": thief.public_key() }), Problem::SignatureInvalid),
        (json!({ "publicKey": wallet.public_key()[2..] }), Problem::TradingWallet),
        (json!({ "publicKey": uncompressed }), Problem::TradingWallet),
        (json!({ "publicKey": "zz" }), Problem::TradingWallet),
    ];
    for (fields, problem) in refused {
        let body = with(good().await, &fields);
        make(&client, &user, &body).await.expect_error(problem);
    }
    for wallet in [&treasury(), &taken, &taken.with_its_key(Kind::P2tr)] {
        let body = proof(&client, &user, wallet).await;
        make(&client, &user, &body).await.expect_error(Problem::TradingWallet);
    }
    assert_eq!(me(&client, &user).await["tradingAddress"], Value::Null);
    assert_eq!(changes(&client, &user).await, ["accountCreated"]);
    let body = good().await;
    make(&client, &user, &with(body.clone(), &json!({ "signature": "AAAA" })))
        .await
        .expect_error(Problem::SignatureInvalid);
    make(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    make(&client, &user, &good().await).await.expect(201);
}

#[tokio::test]
async fn invalid_fields_are_named() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let named = async |body: Value| {
        let refused = make(&client, &user, &body).await.expect_error(Problem::Validation);
        let errors = refused.body["errors"].as_array().unwrap();
        errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named(json!({})).await, ["publicKey", "challengeId", "signature"]);
    let body = proof(&client, &user, &Wallet::p2wpkh(1)).await;
    assert_eq!(
        named(with(body.clone(), &json!({ "publicKey": "0".repeat(131) }))).await,
        ["publicKey"]
    );
    assert_eq!(named(with(body.clone(), &json!({ "challengeId": "7" }))).await, ["challengeId"]);
    client.post(PATH).json(&body).send().await.expect_error(Problem::NoAuthorization);
    client.get(PATH).send().await.expect_error(Problem::NoAuthorization);
}

#[tokio::test]
async fn custody_14_a_rotation_keeps_trading_key_and_address() {
    let (_stack, client, _) = world().await;
    let blob = json!({ "encryptedBlob": "b2xk" });
    let (old, new) = (Wallet::p2wpkh(1), Wallet::p2tr(2));
    let user = register(&client, &old, &blob).await;
    let before = backup(&client, &user).await.expect(200);
    let asked = challenge(&client, &new, "rotate", Some(&user.access_token)).await;
    let body = with(new.signed_challenge(&asked), &blob);
    let call = client.post("/api/account/wallet/rotate").bearer(&user.access_token);
    let rotated = call.json(&body).send().await.expect(200);
    assert_eq!(rotated.data()["tradingAddress"], user.data["tradingAddress"]);

    let linked = Wallet::p2pkh(3);
    let asked = challenge(&client, &linked, "link", Some(&user.access_token)).await;
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(&linked.signed_challenge(&asked)).send().await.expect(201);
    let back = sign_in(&client, &new).await;
    assert_eq!(back.data["tradingAddress"], user.data["tradingAddress"]);
    assert_eq!(backup(&client, &back).await.expect(200).data(), before.data());
    assert!(!changes(&client, &back).await.contains(&"tradingWalletMade".to_owned()));
    // The new wallet's key is available to any account that proves it; the old one belongs to this account.
    let other = sign_in(&client, &Wallet::evm(4)).await;
    let body = proof(&client, &other, &old).await;
    make(&client, &other, &body).await.expect_error(Problem::TradingWallet);
    let body = proof(&client, &other, &new).await;
    make(&client, &other, &body).await.expect(201);
}

#[tokio::test]
async fn custody_18_a_trading_wallet_is_created_within_15_minutes_of_a_sign_in() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let email = Update::new()
        .set(Account::EMAIL, "ada@example.com".parse::<EmailAddress>().unwrap())
        .set(Account::EMAIL_VERIFIED, true);
    stack.change_account(&user.account, email).await;
    stack.clock().advance(Duration::from_secs(15 * 60 + 1));
    let late = refreshed(&client, &user).await;
    let wallet = Wallet::p2wpkh(1);
    let body = proof(&client, &late, &wallet).await;
    make(&client, &late, &body).await.expect_error(Problem::ReauthRequired);
    let again = sign_in(&client, &Wallet::evm(1)).await;
    let body = proof(&client, &again, &wallet).await;
    make(&client, &again, &body).await.expect(201);
    backup(&client, &late).await.expect(200);
    stack.deliver_mail().await;
    let mails = stack.mailbox("ada@example.com").await;
    let subjects: Vec<_> = mails.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(subjects, ["The trading wallet of your account was created"]);
}

/// Custody rule 21.
#[tokio::test]
async fn a_repeated_request_gets_the_first_response() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let body = proof(&client, &user, &Wallet::p2wpkh(1)).await;
    let send = async |body: &Value| {
        let call = client.post(PATH).bearer(&user.access_token);
        call.header("idempotency-key", "k").json(body).send().await
    };
    let first = send(&body).await.expect(201);
    assert_eq!(send(&body).await.expect(201).data(), first.data());
    let other = proof(&client, &user, &Wallet::p2wpkh(2)).await;
    send(&other).await.expect_error(Problem::IdempotencyKeyReused);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_requests_creates_it() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let mut attempts = Vec::new();
    for seed in 0..20 {
        let wallet = Wallet::p2wpkh(seed + 1);
        attempts.push((proof(&client, &user, &wallet).await, wallet));
    }
    let answers = twenty_at_once(|n| {
        let (client, user) = (client.clone(), user.clone());
        let (body, _) = attempts[usize::try_from(n).unwrap()].clone();
        async move { make(&client, &user, &body).await }
    })
    .await;
    assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)), "{answers:?}");
    let done: Vec<_> = (0..20).filter(|&n| answers[n].status == 201).collect();
    assert_eq!(done.len(), 1, "{answers:?}");
    let address = trading_address(&attempts[done[0]].1, &platform);
    assert_eq!(me(&client, &user).await["tradingAddress"], address);
    assert_eq!(changes(&client, &user).await, ["tradingWalletMade", "accountCreated"]);
    // The losing requests reserved no key.
    let other = sign_in(&client, &Wallet::evm(2)).await;
    let loser = &attempts[usize::from(done[0] == 0)].1;
    let body = proof(&client, &other, loser).await;
    make(&client, &other, &body).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_accounts_gets_the_key() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let mut attempts = Vec::new();
    for seed in 1..=20 {
        let user = sign_in(&client, &Wallet::solana(seed)).await;
        attempts.push((proof(&client, &user, &wallet).await, user));
    }
    let answers = twenty_at_once(|n| {
        let client = client.clone();
        let (body, user) = attempts[usize::try_from(n).unwrap()].clone();
        async move { make(&client, &user, &body).await }
    })
    .await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(400)), (1, 19), "{answers:?}");
}

#[tokio::test]
async fn the_backup_has_all_that_the_owner_needs_without_the_platform() {
    let (stack, client, _) = world().await;
    let (key_id, platform) = cosigning_key(&stack).await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let answer = backup(&client, &user).await.expect(200);
    let data = answer.data();
    let key = wallet.public_key();
    let script = format!("21{key}ad21{platform}ac736402a032b268");
    let bare = format!("wsh(and_v(v:pk({key}),or_d(pk({platform}),older(12960))))");
    let (descriptor, checksum) =
        data["descriptor"].as_str().unwrap().split_once('#').expect("a checksum");
    assert_eq!((descriptor, checksum.len()), (bare.as_str(), 8));
    assert_eq!(data["address"], user.data["tradingAddress"]);
    assert_eq!((&data["publicKey"], &data["platformPublicKey"]), (&json!(key), &json!(platform)));
    assert_eq!(data["delayBlocks"], 12960);
    let times = [data, &user.data["account"]].map(|it| it["createdAt"].as_i64().unwrap());
    assert!(times[0].abs_diff(times[1]) < 60_000, "{times:?}");
    let recovery = &data["recovery"];
    assert_eq!(recovery["witnessScript"], script);
    assert_eq!(
        (&recovery["sequence"], &recovery["transactionVersion"]),
        (&json!(12960), &json!(2))
    );
    assert_eq!(recovery["keys"].as_array().unwrap().len(), 1);
    check_recovery_key(&recovery["keys"][0], key, &bare, &json!(["", "<SIGNATURE>", script]));
    let steps = recovery["steps"].to_string();
    for said in [key, &platform, data["address"].as_str().unwrap(), "12960", "version 2"] {
        assert!(steps.contains(said), "{said} in {steps}");
    }
    assert!(!answer.text.contains(&key_id), "{answer}");
    assert_eq!(backup(&client, &sign_in(&client, &wallet).await).await.data(), data);
}

/// Checks the backup's instructions for one of the user's keys.
fn check_recovery_key(said: &Value, key: &str, bare: &str, witness: &Value) {
    assert_eq!((&said["publicKey"], &said["witness"]), (&json!(key), witness));
    let to_complete = said["descriptorToComplete"].as_str().unwrap();
    assert_eq!(to_complete.matches("<PRIVATE KEY>").count(), 1);
    assert_eq!(to_complete.replace("<PRIVATE KEY>", key), bare);
    let commands: Vec<_> =
        said["commands"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(commands.iter().all(|command| command.starts_with("bitcoin-cli ")));
    assert!(commands.iter().any(|command| command.contains(to_complete)));
    assert!(commands.iter().any(|command| command.contains("\"sequence\":12960")));
}

#[tokio::test]
async fn custody_12_the_backup_of_a_taproot_wallet_names_both_keys() {
    let (stack, client, _) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    let wallet = Wallet::p2tr(1);
    let user = sign_in(&client, &wallet).await;
    let answer = backup(&client, &user).await.expect(200);
    let data = answer.data();
    assert_eq!(data["publicKey"], wallet.x_only_key());
    assert_eq!(data["platformPublicKey"], platform);
    let [even, odd] = ["02", "03"].map(|parity| format!("{parity}{}", wallet.x_only_key()));
    let bare =
        format!("wsh(and_v(or_c(pk({even}),v:pk({odd})),or_d(pk({platform}),older(12960))))");
    let (descriptor, checksum) = data["descriptor"].as_str().unwrap().split_once('#').unwrap();
    assert_eq!((descriptor, checksum.len()), (bare.as_str(), 8));
    let recovery = &data["recovery"];
    let script = local::trading_wallets::witness_script(&wallet, &platform);
    assert_eq!(recovery["witnessScript"], script);
    let keys = recovery["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 2);
    check_recovery_key(&keys[0], &even, &bare, &json!(["", "<SIGNATURE>", script]));
    check_recovery_key(&keys[1], &odd, &bare, &json!(["", "<SIGNATURE>", "", script]));
    let steps = recovery["steps"].to_string();
    for said in [&even, &odd, &platform, data["address"].as_str().unwrap(), "deriveaddresses"] {
        assert!(steps.contains(said), "{said} in {steps}");
    }
}
