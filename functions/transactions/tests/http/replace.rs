//! `POST /api/transactions/{txId}/replace`.

use local::{bitcoin::Etching, client::twenty_at_once};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_cheap_withdrawal_is_bumped_and_one_version_confirms() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 60_000]).await;
    let created = world.created(&user, 20_000).await;
    let txid = txid_of(&created);
    let bump = json!({ "action": "bump" });
    world.replace(&user, txid, &bump).await.expect_error(Problem::NotReplaceable);
    world.sent(&user, &created).await;
    let bumped = world.replace(&user, txid, &bump).await.expect(201);
    let psbt = psbt_of(&bumped);
    assert!(outputs(&psbt).contains(&(recipient(), 20_000)));
    assert!(fee_of(&psbt) > fee_of(&psbt_of(&created)));
    let shared = spent(&psbt).into_iter().filter(|coin| spent(&psbt_of(&created)).contains(coin));
    assert!(shared.count() > 0);
    let second = world.sent(&user, &bumped).await;
    assert_eq!(world.state(txid).await, TransactionState::Replaced);
    assert!(world.in_mempool(second).await && !world.in_mempool(txid).await);

    // The newest version is replaced, whichever version the request names.
    let third = world.replace(&user, txid, &json!({ "action": "bump", "feeTarget": "fast" })).await;
    let third = third.expect(201);
    assert!(fee_of(&psbt_of(&third)) > fee_of(&psbt));
    world.mine(1).await;
    let late = text(&signed(&psbt_of(&third), &user.wallet));
    let refused = world.sign(&user, &late).await;
    assert!([400, 409, 502].contains(&refused.status), "{refused}");
    world.watch_after(61).await;
    assert_eq!(world.state(second).await, TransactionState::Confirmed);
    world.replace(&user, second, &bump).await.expect_error(Problem::NotReplaceable);
    let to = somewhere().parse::<Address<_>>().unwrap().assume_checked();
    let got: u64 = world
        .stack
        .bitcoin()
        .coins(&to)
        .await
        .unwrap()
        .iter()
        .map(|coin| coin.output.value.to_sat())
        .sum();
    assert_eq!(got, 20_000);
}

/// The recipient spends the payment before a block has it, at this fee.
async fn spent_by_recipient(world: &World, to: &Wallet, payment: OutPoint, sats: u64, fee: u64) {
    use bitcoin::{
        Amount, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Witness, absolute::LockTime,
        transaction::Version,
    };

    let secp = Secp256k1::new();
    let key = PrivateKey::new(secret(to), NETWORK);
    let public = key.public_key(&secp);
    let script = ScriptBuf::new_p2wpkh(&public.wpubkey_hash().unwrap());
    let mut child = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output: payment,
            script_sig: ScriptBuf::new(),
            sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
            witness: Witness::new(),
        }],
        output: vec![TxOut { value: Amount::from_sat(sats - fee), script_pubkey: script.clone() }],
    };
    let digest = SighashCache::new(&child)
        .p2wpkh_signature_hash(0, &script, Amount::from_sat(sats), EcdsaSighashType::All)
        .unwrap();
    let made = secp.sign_ecdsa(&Message::from_digest(digest.to_byte_array()), &key.inner);
    let made = ecdsa::Signature { signature: made, sighash_type: EcdsaSighashType::All };
    child.input[0].witness = Witness::p2wpkh(&made, &public.inner);
    world.stack.bitcoin().send_raw(&child).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_30_a_replacement_pays_for_what_the_recipient_did_with_the_payment() {
    for (action, seed) in [("bump", 41), ("cancel", 42)] {
        let world = world().await;
        let user = world.user_with(1, &[200_000]).await;
        let to = Wallet::p2wpkh(seed);
        let mut params = btc(50_000);
        params["withdrawTo"] = json!(to.address());
        let created = world.withdraw(&user, &params).await.expect(201);
        let txid = world.sent(&user, &created).await;
        let paid = outputs(&psbt_of(&created));
        let vout = paid.iter().position(|(_, sats)| *sats == 50_000).unwrap();
        let payment = OutPoint { txid, vout: u32::try_from(vout).unwrap() };
        spent_by_recipient(&world, &to, payment, 50_000, 9_000).await;
        let replaced = world.replace(&user, txid, &json!({ "action": action })).await.expect(201);
        let fee = fee_of(&psbt_of(&replaced));
        assert!(fee > fee_of(&psbt_of(&created)) + 9_000, "{action}: {fee}");
        let second = world.sent(&user, &replaced).await;
        assert!(world.in_mempool(second).await && !world.in_mempool(txid).await, "{action}");
        world.mine(1).await;
        world.watch_after(61).await;
        assert_eq!(world.state(second).await, TransactionState::Confirmed, "{action}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_cancelled_withdrawal_returns_its_coins() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let txid = world.sent(&user, &created).await;
    let cancel = world.replace(&user, txid, &json!({ "action": "cancel" })).await.expect(201);
    let paid = outputs(&psbt_of(&cancel));
    assert!(paid.iter().all(|(to, _)| *to == user.trading.script_pubkey()));
    assert_eq!(cancel.body["metaData"]["amount"], json!(null));
    let second = world.sent(&user, &cancel).await;
    world.mine(8).await;
    for _look in 0..3 {
        world.watch_after(3_600).await;
    }
    assert_eq!(world.state(second).await, TransactionState::Confirmed);
    assert_eq!(world.state(txid).await, TransactionState::Failed);
    let coins = world.stack.bitcoin().coins(&user.trading).await.unwrap();
    assert_eq!(coins.len(), 1);
    assert!(coins[0].output.value.to_sat() > 98_000);
    // No coin of either version stays held.
    let session = local::wallets::sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    world.withdraw(&user, &withdrawal("0:0", "max")).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bump_of_a_rune_keeps_every_unit_and_no_replacement_touches_an_inscription() {
    for action in ["bump", "cancel"] {
        let world = world().await;
        let user = world.user_with(1, &[60_000, 50_000]).await;
        let chain = world.stack.bitcoin();
        let inscribed = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
        let to = Some(user.trading.clone());
        let name = "WANTEDWANTEDWANTED".to_owned();
        let etching = Etching { name, supply: 1_000, divisibility: 0, to };
        let rune = chain.etch(&etching).await.unwrap();
        world.mine(3).await;
        let given = withdrawal(&rune.to_string(), "400");
        let created = world.withdraw(&user, &given).await.expect(201);
        let txid = world.sent(&user, &created).await;
        let replaced = world.replace(&user, txid, &json!({ "action": action })).await.expect(201);
        let psbt = psbt_of(&replaced);
        let inputs: u64 = psbt
            .inputs
            .iter()
            .map(|input| input.witness_utxo.as_ref().unwrap().value.to_sat())
            .sum();
        let paid: u64 = outputs(&psbt).iter().map(|(_, sats)| sats).sum();
        assert_eq!(paid + fee_of(&psbt), inputs);
        assert!(!spent(&psbt).contains(&inscribed.outpoint));
        let second = world.sent(&user, &replaced).await;
        world.mine(1).await;
        assert!(chain.confirmations(second).await.unwrap().is_some());
        let somewhere = somewhere().parse::<Address<_>>().unwrap().assume_checked();
        let held = async |address: &Address| {
            chain.runes_of(address).await.unwrap().values().copied().sum::<u128>()
        };
        let sent = if action == "bump" { 400 } else { 0 };
        assert_eq!((held(&somewhere).await, held(&user.trading).await), (sent, 1_000 - sent));
        let coins = chain.coins(&user.trading).await.unwrap();
        assert!(coins.iter().any(|coin| coin.outpoint == inscribed.outpoint), "{action}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_signatures_replaces() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |n| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let action = if n % 2 == 0 { "bump" } else { "cancel" };
            let call = client.post(format!("/api/transactions/{txid}/replace")).bearer(&token);
            call.json(&json!({ "action": action })).send().await
        }
    })
    .await;
    let mut replaced = std::collections::BTreeSet::new();
    for created in answers.iter().filter(|answer| answer.status == 201) {
        let signed = text(&signed(&psbt_of(created), &user.wallet));
        let answer = world.sign(&user, &signed).await;
        if answer.status == 201 {
            replaced.insert(txid_of(created));
        }
    }
    // The two replacements end each other; the last one is signed.
    assert_eq!(replaced.len(), 1);
    world.mine(1).await;
    world.watch_after(61).await;
    let confirmed = world.stack.bitcoin().confirmations(txid).await.unwrap();
    assert_eq!(confirmed, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replacement_ends_the_one_that_was_not_signed() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 60_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let cancel = json!({ "action": "cancel" });
    let abandoned = world.replace(&user, txid, &cancel).await.expect(201);
    let bumped = world.replace(&user, txid, &json!({ "action": "bump" })).await.expect(201);
    assert_eq!(world.state(txid_of(&abandoned)).await, TransactionState::Expired);
    let late = text(&signed(&psbt_of(&abandoned), &user.wallet));
    world.sign(&user, &late).await.expect_error(Problem::ReservationExpired);
    // The owner requests the same replacement again, and releases it.
    let again = world.replace(&user, txid, &json!({ "action": "bump" })).await.expect(201);
    assert_eq!(txid_of(&again), txid_of(&bumped));
    world.release(&user, txid_of(&again)).await.expect(200);
    let last = world.replace(&user, txid, &cancel).await.expect(201);
    let last = world.sent(&user, &last).await;
    assert_eq!(world.state(txid).await, TransactionState::Replaced);
    // A signed replacement does not end; a further one replaces it.
    world.replace(&user, txid, &cancel).await.expect(201);
    assert_eq!(world.state(last).await, TransactionState::InMempool);
}

/// Since version 29.1, Bitcoin Core relays transactions from 0.1 sat/vB.
#[tokio::test(flavor = "multi_thread")]
async fn rates_below_one_are_paid_where_the_deployment_allows_them() {
    let stack = LocalStack::builder().setting("FEE_RATE_RANGE", "0.5-200").bitcoin().build().await;
    let world = world_on(stack).await;
    world.stack.bitcoin().set_fees([(1, 0.25)].into()).unwrap();
    let user = world.user_with(1, &[100_000, 60_000]).await;
    let created = world.created(&user, 20_000).await;
    let paid = created.data()["fee"]["feeRate"].as_f64().unwrap();
    assert!((0.5..0.6).contains(&paid), "{paid}");
    let txid = world.sent(&user, &created).await;
    assert!(world.in_mempool(txid).await);
    let low = json!({ "action": "bump", "feeRate": 0.4 });
    let refused = world.replace(&user, txid, &low).await.expect_error(Problem::Validation);
    let message = &refused.body["errors"][0]["message"];
    assert_eq!(message, "must be a decimal number of 0.5 to 200 sat/vB");
    let bump = json!({ "action": "bump", "feeRate": 0.75 });
    let bumped = world.replace(&user, txid, &bump).await.expect(201);
    world.sent(&user, &bumped).await;
    assert!(!world.in_mempool(txid).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_pays_the_rate_that_its_owner_chooses() {
    let stack = LocalStack::builder().setting("FEE_RATE_RANGE", "2-200").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user_with(1, &[100_000, 60_000]).await;
    let created = world.created(&user, 20_000).await;
    let txid = world.sent(&user, &created).await;
    for (rate, message) in [
        (json!(1.9), "must be a decimal number of 2 to 200 sat/vB"),
        (json!(200.1), "must be a decimal number of 2 to 200 sat/vB"),
        (json!(-5), "must be a decimal number of 2 to 200 sat/vB"),
        (json!(1e30), "must be a decimal number of 2 to 200 sat/vB"),
        (json!("20"), ""),
        (json!([20]), ""),
    ] {
        let body = json!({ "action": "bump", "feeRate": rate });
        let refused = world.replace(&user, txid, &body).await.expect_error(Problem::Validation);
        let error = &refused.body["errors"][0];
        assert_eq!(error["field"], "feeRate", "{refused}");
        assert!(error["message"].as_str().unwrap().contains(message), "{refused}");
    }
    let both = json!({ "action": "bump", "feeTarget": "fast", "feeRate": 20 });
    let refused = world.replace(&user, txid, &both).await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "feeRate");

    for (rate, action) in [(25.5, "bump"), (31.0, "cancel"), (40.0, "bump")] {
        let body = json!({ "action": action, "feeRate": rate });
        let bumped = world.replace(&user, txid, &body).await.expect(201);
        let paid = bumped.data()["fee"]["feeRate"].as_f64().unwrap();
        assert!((rate..rate + 0.3).contains(&paid), "{paid}, not {rate}");
    }
    // BIP 125, rule 4: a replacement pays for its own relay on top of the fee that it replaces, however low
    // the requested rate is.
    let low = world.replace(&user, txid, &json!({ "action": "bump", "feeRate": 2 })).await;
    let low = low.expect(201);
    let (before, after) = (fee_of(&psbt_of(&created)), fee_of(&psbt_of(&low)));
    let size = u64::try_from(psbt_of(&low).unsigned_tx.vsize()).unwrap();
    assert!(after >= before + size, "{before} {after} {size}");
    let second = world.sent(&user, &low).await;
    assert!(world.in_mempool(second).await && !world.in_mempool(txid).await);
}

/// The cap of the deployment also limits the rate that a user names.
#[tokio::test(flavor = "multi_thread")]
async fn no_rate_exceeds_the_cap_of_a_fee() {
    let stack = LocalStack::builder().setting("FEE_CAP", "5000").bitcoin().build().await;
    let world = world_on(stack).await;
    let user = world.user_with(1, &[100_000]).await;
    let txid = world.sent(&user, &world.created(&user, 20_000).await).await;
    let body = json!({ "action": "bump", "feeRate": 100 });
    world.replace(&user, txid, &body).await.expect_error(Problem::FeeTooHigh);
    world.replace(&user, txid, &json!({ "action": "bump", "feeRate": 10 })).await.expect(201);
}

/// The kinds of the warnings.
fn warnings(answer: &Answer) -> Vec<Value> {
    let warnings = answer.body["metaData"]["warnings"].as_array().unwrap().iter();
    warnings.map(|warning| warning["kind"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bump_of_the_largest_withdrawal_takes_its_fee_from_the_amount() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 40_000]).await;
    let created = world.withdraw(&user, &withdrawal("0:0", "max")).await.expect(201);
    let first = psbt_of(&created);
    let mut txid = world.sent(&user, &created).await;
    let (mut amount, coins) = (100_000 - fee_of(&first), spent(&first));
    for rate in [20, 60] {
        let bump = json!({ "action": "bump", "feeRate": rate });
        let bumped = world.replace(&user, txid, &bump).await.expect(201);
        let psbt = psbt_of(&bumped);
        let left = 100_000 - fee_of(&psbt);
        assert_eq!(outputs(&psbt), [(recipient(), left)]);
        assert_eq!(spent(&psbt), coins);
        assert!(left < amount);
        assert_eq!(bumped.body["metaData"]["amount"], left.to_string());
        assert!(warnings(&bumped).contains(&json!("amountLowered")), "{bumped}");
        let before = txid;
        txid = world.sent(&user, &bumped).await;
        assert!(world.in_mempool(txid).await && !world.in_mempool(before).await);
        amount = left;
    }
    let listed = world.client.get(format!("/api/transactions/{txid}"));
    let listed = listed.bearer(&user.session.access_token).send().await.expect(200);
    assert_eq!(listed.data()["amount"], amount.to_string());

    // With a free coin the amount stays.
    let chain = world.stack.bitcoin();
    let coin = chain.fund(&user.trading, 30_000).await.unwrap();
    let block = json!([Wallet::p2tr(998).address(), [coin.txid.to_string()]]);
    chain.rpc("generateblock", block).await.unwrap();
    chain.indexed().await.unwrap();
    let bumped = world.replace(&user, txid, &json!({ "action": "bump", "feeRate": 90 })).await;
    let bumped = bumped.expect(201);
    assert!(outputs(&psbt_of(&bumped)).contains(&(recipient(), amount)), "{bumped}");
    assert!(!warnings(&bumped).contains(&json!("amountLowered")), "{bumped}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bump_that_nothing_can_pay_names_what_is_missing() {
    let world = world().await;
    let user = world.user_with(1, &[25_000]).await;
    let change = world.withdraw(&user, &btc(21_000)).await.expect(201);
    let txid = world.sent(&user, &change).await;
    let refused = world.replace(&user, txid, &json!({ "action": "bump", "feeRate": 100 })).await;
    let refused = refused.expect_error(Problem::InsufficientBtc);
    let details = refused.body["details"].as_str().unwrap().to_owned();
    assert!(details.ends_with("or cancel the transaction."), "{details}");
    let cancel = world.replace(&user, txid, &json!({ "action": "cancel" })).await.expect(201);
    let txid = world.sent(&user, &cancel).await;
    assert!(world.in_mempool(txid).await);

    // The balance is so small that no fee leaves an amount.
    let poor = world.user_with(2, &[4_000]).await;
    let created = world.withdraw(&poor, &withdrawal("0:0", "max")).await.expect(201);
    let txid = world.sent(&poor, &created).await;
    let bump = json!({ "action": "bump", "feeRate": 40 });
    world.replace(&poor, txid, &bump).await.expect_error(Problem::InsufficientBtc);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_a_key_belongs_to_one_transaction() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 100_000]).await;
    let first = world.sent(&user, &world.created(&user, 20_000).await).await;
    world.mine(1).await;
    let second = world.sent(&user, &world.created(&user, 30_000).await).await;
    let bump = async |txid: Txid| {
        let path = format!("/api/transactions/{txid}/replace");
        let call = world.client.post(path).bearer(&user.session.access_token);
        let call = call.header("Idempotency-Key", "once");
        call.json(&json!({ "action": "bump" })).send().await
    };
    let bumped = bump(second).await.expect(201);
    assert_eq!(bump(second).await.expect(201).body, bumped.body);
    bump(first).await.expect_error(Problem::IdempotencyKeyReused);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_kinds_are_not_replaced_here() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let mut params = btc(20_000);
    params["xchainData"] = json!("0xdeadbeef");
    let created = world.create(&user, "xchain-withdraw", &params).await.expect(201);
    let txid = world.sent(&user, &created).await;
    for action in ["bump", "cancel"] {
        let refused = world.replace(&user, txid, &json!({ "action": action })).await;
        refused.expect_error(Problem::NotReplaceable);
    }
    for body in
        [json!({}), json!({ "action": "drop" }), json!({ "action": "bump", "feeTarget": "x" })]
    {
        world.replace(&user, txid, &body).await.expect_error(Problem::Validation);
    }
}
