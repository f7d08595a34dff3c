//! `POST /api/xchain/transaction` and `GET /api/xchain/affiliate`.

use bitcoin::{Amount, ScriptBuf};
use local::{
    bitcoin::Etching,
    client::twenty_at_once,
    wallets::{LOST, Wallet, sign_in},
};
use sha2::{Digest, Sha256};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_pays_the_recipient_and_commits_to_its_data() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 200_000]).await;
    let answer = world.created(&user, 120_000).await;
    let psbt = psbt_of(&answer);
    let outputs = &psbt.unsigned_tx.output;

    let recipient: Address<_> = somewhere().parse().unwrap();
    let recipient = recipient.assume_checked().script_pubkey();
    let paid: Vec<_> = outputs.iter().filter(|out| out.script_pubkey == recipient).collect();
    assert_eq!(paid.len(), 1);
    assert_eq!(paid[0].value, Amount::from_sat(120_000));
    let commitment: [u8; 32] = Sha256::digest([0xde, 0xad, 0xbe, 0xef]).into();
    let data = ScriptBuf::new_op_return(commitment);
    assert_eq!(outputs.iter().filter(|out| out.script_pubkey == data).count(), 1);
    let change = user.trading.script_pubkey();
    assert!(outputs.iter().all(|out| [&recipient, &data, &change].contains(&&out.script_pubkey)));

    let inputs: Amount =
        psbt.inputs.iter().map(|input| input.witness_utxo.as_ref().unwrap().value).sum();
    let fee = inputs - outputs.iter().map(|out| out.value).sum::<Amount>();
    let data = answer.data();
    assert_eq!(data["fee"]["totalFee"], fee.to_sat());
    assert!(data["fee"]["feeRate"].as_f64().unwrap() >= 5.0);
    assert_eq!(data["txId"], psbt.unsigned_tx.compute_txid().to_string());
    assert_eq!(data["userInputIndexes"].as_array().unwrap().len(), psbt.inputs.len());
    let left = data["expiresAt"].as_i64().unwrap() - world.stack.app().clock.now().0;
    assert!((500_000..=600_000).contains(&left), "{left}");
    assert_eq!(answer.body["metaData"]["warnings"], json!([]));
    assert_eq!(world.state(txid_of(&answer)).await, TransactionState::Unsigned);
    assert!(!world.in_mempool(txid_of(&answer)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_parameter_is_named_and_each_shortage_has_its_code() {
    let world = world().await;
    let user = world.user_with(1, &[40_000]).await;
    let before = world.stack.contents();
    let trading = user.trading.to_string();
    for (field, value) in [
        ("amount", json!("0")),
        ("amount", json!("1.5")),
        ("amount", json!("-1")),
        ("amount", json!(1)),
        ("tokenId", json!("0:1")),
        ("tokenId", json!("btc")),
        ("withdrawTo", json!("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")),
        ("withdrawTo", json!("nowhere")),
        // Anyone can spend an output to an anchor, and no one can spend an output to a key off the curve.
        ("withdrawTo", json!("bcrt1pfeesnyr2tx")),
        ("withdrawTo", json!(LOST)),
        ("withdrawTo", json!(trading)),
        ("xchainData", json!("0xabc")),
        ("xchainData", json!("00".repeat(8_193))),
    ] {
        let mut params = btc(10_000);
        params[field] = value;
        let refused = world.create(&user, &params).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], format!("params.{field}"), "{refused}");
    }
    let body = json!({ "type": "refund", "params": btc(10_000) });
    let call = world.client.post("/api/xchain/transaction").bearer(&user.session.access_token);
    call.json(&body).send().await.expect_error(Problem::Validation);
    assert_eq!(world.stack.contents(), before);

    for (params, problem) in [
        (btc(40_000), Problem::InsufficientBtc),
        (btc(10_000_000_000_000_000_000), Problem::InsufficientBtc),
        (withdrawal("0:0", u128::MAX), Problem::InsufficientBtc),
        (btc(100), Problem::AmountBelowDust),
        (withdrawal("1:9", 5), Problem::RuneUnknown),
    ] {
        world.create(&user, &params).await.expect_error(problem);
    }
    let stranger = sign_in(&world.client, &Wallet::evm(1)).await;
    let body = json!({ "type": "xchain-withdraw", "params": btc(10_000) });
    let call = world.client.post("/api/xchain/transaction").bearer(&stranger.access_token);
    call.json(&body).send().await.expect_error(Problem::NoTradingWallet);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rune_withdrawal_moves_only_its_own_rune() {
    let stack = LocalStack::builder().setting("SECOND_OP_RETURN", "yes").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let etch = async |name: &str| {
        let to = Some(user.trading.clone());
        let etching = Etching { name: name.to_owned(), supply: 1_000, divisibility: 0, to };
        chain.etch(&etching).await.unwrap()
    };
    let (wanted, other) = (etch("WANTEDWANTEDWANTED").await, etch("OTHEROTHEROTHER").await);
    let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    let plain = chain.fund(&user.trading, 60_000).await.unwrap();
    world.mine(1).await;
    // The coin exists, but its runes are unknown until it is indexed.
    let unconfirmed = chain.fund(&user.trading, 5_000_000).await.unwrap();

    let answer = world.create(&user, &withdrawal(&wanted.to_string(), 400)).await.expect(201);
    let coins = spent(&psbt_of(&answer));
    assert!(coins.contains(&plain) && !coins.contains(&unconfirmed));
    assert!(!coins.contains(&inscribed.outpoint));
    let text = text(&signed(&psbt_of(&answer), &user.wallet));
    world.sign(&user, &text).await.expect(201);
    world.mine(1).await;
    let recipient = somewhere().parse::<Address<_>>().unwrap().assume_checked();
    let held = |runes: &local::bitcoin::ord::Runes| runes.values().copied().collect::<Vec<_>>();
    assert_eq!(held(&chain.runes_of(&recipient).await.unwrap()), [400]);
    let mut kept = held(&chain.runes_of(&user.trading).await.unwrap());
    kept.sort_unstable();
    assert_eq!(kept, [600, 1_000]);

    // The remainder of either rune is available, and no BTC payment spends it.
    for rune in [wanted, other] {
        world
            .create(&user, &withdrawal(&rune.to_string(), 1_001))
            .await
            .expect_error(Problem::InsufficientRune);
    }
    let all = world.created(&user, 4_900_000).await;
    for coin in spent(&psbt_of(&all)) {
        assert_eq!(chain.runes_in(coin).await.unwrap(), Some(local::bitcoin::ord::Runes::new()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_withdrawals_reserve_the_coin_once_until_it_expires() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |_n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let body = json!({ "type": "xchain-withdraw", "params": btc(20_000) });
            client.post("/api/xchain/transaction").bearer(&token).json(&body).send().await
        }
    })
    .await;
    let made: Vec<_> = answers.into_iter().map(|answer| answer.expect(201)).collect();
    assert!(made.iter().all(|answer| answer.body == made[0].body));

    // An unsigned withdrawal expires without the worker, which never checks it.
    world.stack.clock().advance(std::time::Duration::from_secs(610));
    assert_eq!(world.stack.tick("chain-watcher").await.unwrap(), 0);
    let overdue = world.row(txid_of(&made[0])).await;
    assert!(overdue.is_overdue(world.stack.app().clock.now()) && overdue.watch.is_none());
    let session = sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    // The identical request makes the same transaction again.
    let again = world.created(&user, 20_000).await;
    assert_eq!(txid_of(&again), txid_of(&made[0]));
    world.stack.clock().advance(std::time::Duration::from_secs(601));
    let session = sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    let late = signed(&psbt_of(&made[0]), &user.wallet);
    world.sign(&user, &text(&late)).await.expect_error(Problem::ReservationExpired);
    assert!(!world.in_mempool(txid_of(&made[0])).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fee_above_the_cap_is_refused_and_a_high_share_is_a_warning() {
    let stack = LocalStack::builder().setting("FEE_CAP", "3000").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user_with(1, &[100_000]).await;
    let answer = world.created(&user, 5_000).await;
    let message = "The fee is more than a tenth of the amount.";
    let warning = json!({ "kind": "feeShareHigh", "message": message });
    assert_eq!(answer.body["metaData"]["warnings"], json!([warning]));
    let other = world.user_with(2, &[100_000]).await;
    world.stack.bitcoin().set_fees([(1, 60.0)].into()).unwrap();
    world.create(&other, &btc(5_000)).await.expect_error(Problem::FeeTooHigh);
    world.create_by_transactions(&other, &btc(5_000)).await.expect_error(Problem::FeeTooHigh);
}

/// Published clients name neither the token nor the recipient of a withdrawal through the hub.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_recipient_a_withdrawal_pays_the_hubs_vault_if_there_is_one() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let params = json!({ "amount": "20000", "xchainData": "0xdeadbeef" });
    let config = world.client.get("/api/config").send().await.expect(200);
    let vault = config.text_of("hubVault").to_owned();
    let created = world.create(&user, &params).await.expect(201);
    let script = vault.parse::<Address<_>>().unwrap().assume_checked().script_pubkey();
    let paid = psbt_of(&created).unsigned_tx.output;
    assert!(
        paid.iter().any(
            |output| output.script_pubkey == script && output.value == Amount::from_sat(20_000)
        )
    );
    // Naming the vault makes the same request.
    let mut named = params.clone();
    named["withdrawTo"] = json!(vault);
    named["tokenId"] = json!("0:0");
    assert_eq!(world.create_by_transactions(&user, &named).await.expect(201).body, created.body);

    // The operator may want clients to name the recipient.
    let stack = LocalStack::builder().setting("HUB_VAULT", "").bitcoin().build().await;
    let world = world_on(stack).await;
    let config = world.client.get("/api/config").send().await.expect(200);
    assert_eq!(config.data()["hubVault"], json!(null));
    let user = world.user(1).await;
    let refused = world.create(&user, &params).await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "params.withdrawTo");
}

/// Coins that another address receives never reach the hub.
#[tokio::test(flavor = "multi_thread")]
async fn an_operator_may_refuse_every_recipient_but_the_hubs_vault() {
    let stack = LocalStack::builder().setting("HUB_VAULT_ONLY", "yes").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user_with(1, &[100_000]).await;
    let config = world.client.get("/api/config").send().await.expect(200);
    assert_eq!(config.data()["hubVaultOnly"], true);
    let vault = config.text_of("hubVault").to_owned();
    let other = btc(20_000);
    assert_ne!(other["withdrawTo"], json!(vault));
    for refused in [
        world.create(&user, &other).await.expect_error(Problem::Validation),
        world.create_by_transactions(&user, &other).await.expect_error(Problem::Validation),
    ] {
        let error = &refused.body["errors"][0];
        assert_eq!(error["field"], "params.withdrawTo");
        assert!(error["message"].as_str().unwrap().contains("hubVault"), "{refused}");
    }
    // The vault may be named in any spelling, or not at all.
    let mut named = other.clone();
    named["withdrawTo"] = json!(vault.to_uppercase());
    let created = world.create(&user, &named).await.expect(201);
    let script = vault.parse::<Address<_>>().unwrap().assume_checked().script_pubkey();
    let paid = psbt_of(&created).unsigned_tx.output;
    assert!(paid.iter().any(|output| output.script_pubkey == script));
    named.as_object_mut().unwrap().remove("withdrawTo");
    assert_eq!(world.create(&user, &named).await.expect(201).body, created.body);
    // A plain withdrawal does not go through the hub.
    let plain = world.user_with(2, &[100_000]).await;
    let body = json!({ "type": "withdraw", "params": {
        "tokenId": "0:0", "amount": "20000", "withdrawTo": other["withdrawTo"],
    } });
    let call = world.client.post("/api/transactions").bearer(&plain.session.access_token);
    call.json(&body).send().await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_an_idempotency_key_creates_one_transaction() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 50_000]).await;
    let create = async || {
        let body = json!({ "type": "xchain-withdraw", "params": btc(10_000) });
        let call = world.client.post("/api/xchain/transaction").bearer(&user.session.access_token);
        call.header("Idempotency-Key", "once").json(&body).send().await.expect(201)
    };
    assert_eq!(create().await.body, create().await.body);
}

#[tokio::test]
async fn custody_19_an_ended_session_moves_no_money() {
    let world = world_on(LocalStack::start().await).await;
    let user = world.user(1).await;
    let logout = world.client.post("/auth/logout").bearer(&user.session.access_token);
    logout.send().await.expect(200);
    world.create(&user, &btc(10_000)).await.expect_error(Problem::SessionEnded);
    world.sign(&user, "garbage").await.expect_error(Problem::SessionEnded);
}

#[tokio::test]
async fn the_affiliate_fee_is_given_in_basis_points_and_in_percent() {
    let world = world_on(LocalStack::start().await).await;
    let session = sign_in(&world.client, &Wallet::evm(1)).await;
    let call = world.client.get("/api/xchain/affiliate").bearer(&session.access_token);
    let answer = call.send().await.expect(200);
    let fee = json!({
        "affiliateAddress": world.stack.app().config.affiliate.address,
        "feeBps": 25,
        "feePercent": 0.25,
    });
    assert_eq!(*answer.data(), fee);
}

/// The figures behind the watcher's alarms.
#[tokio::test(flavor = "multi_thread")]
async fn waiting_rows_and_reserving_drafts_are_measured() {
    let world = world().await;
    let measured = async || {
        let metrics = chain_watcher::measure(world.stack.app()).await.unwrap();
        let names = [
            "WatcherLag",
            "DraftLag",
            "OpenReservations",
            "StuckPayouts",
            "NewlyStuckPayouts",
            "StuckSignedRows",
            "NewlyStuckSignedRows",
            "StuckFreeRows",
            "NewlyStuckFreeRows",
        ];
        assert_eq!(metrics.map(|metric| metric.name), names);
        metrics.map(|metric| metric.value)
    };
    let user = world.user_with(1, &[50_000, 60_000]).await;
    assert_eq!(measured().await, [0; 9]);
    let created = world.created(&user, 20_000).await;
    // A draft reserves coins for its owner only.
    assert_eq!(measured().await, [0; 9]);
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &signed).await.expect(201);
    assert_eq!(measured().await, [0, 0, 1, 0, 0, 0, 0, 0, 0]);
    // The row has been due for a long time, and no worker has processed it.
    world.stack.clock().advance(std::time::Duration::from_secs(900));
    let [lag, drafts, open, ..] = measured().await;
    assert!((830..=901).contains(&lag) && (drafts, open) == (0, 1), "{lag} s, {open}");
    for _run in 0..2 {
        world.stack.tick("chain-watcher").await.unwrap();
    }
    assert_eq!(measured().await, [0, 0, 1, 0, 0, 0, 0, 0, 0]);
}
