//! `POST /api/refund/sign`.

use bitcoin::{
    Amount, EcdsaSighashType, PrivateKey, Sequence, TxOut, Witness, ecdsa,
    hashes::Hash,
    secp256k1::{Message, Secp256k1},
    sighash::SighashCache,
};
use chain::{
    keys,
    mints::{Refundable, Settlement},
};
use local::{
    client::{Client, twenty_at_once},
    functions,
    wallets::Wallet,
};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_the_users_coin_returns_in_full_and_the_refund_pays_the_fee() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let before = sats_of(&world, &alice.trading).await;
    let (total, fee, refunded) = figures(&world, &alice).await;
    let created = world.create_refund(&alice).await.expect(201);
    let own = *spent(&psbt_of(&created)).last().unwrap();
    let signed = alice.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(&alice, &signed).await.expect(201);
    let txid = txid_of(&created);
    assert_eq!(*answer.data(), json!({ "txId": txid, "state": "inMempool" }));

    let transaction = world.stack.bitcoin().transaction(txid).await.unwrap().unwrap();
    let script = alice.trading.script_pubkey();
    let values: Vec<_> = transaction.output.iter().map(|output| output.value.to_sat()).collect();
    assert!(transaction.output.iter().all(|output| output.script_pubkey == script));
    let own_value = psbt_of(&created).inputs.last().unwrap().witness_utxo.clone().unwrap().value;
    assert_eq!(values, [total - fee, own_value.to_sat()]);
    assert_eq!(sats_of(&world, &alice.trading).await, before + refunded);
    assert_eq!(sats_of_treasury(&world).await, 0);
    // All its coins are held permanently.
    let mut held = sources(&world, mint, &txids).await;
    held.push(own);
    for coin in held {
        assert!(is_stored(&world, &format!("spend#{coin}")));
    }
    assert!(!is_stored(&world, "reservation#"));

    // Signing again, with or without signatures, returns the current status, and no second refund is
    // possible.
    for again in [&signed, created.text_of("base64Psbt")] {
        let again = world.sign_refund(&alice, again).await.expect(201);
        assert_eq!(again.data(), answer.data());
    }
    world.create_refund(&alice).await.expect_error(Problem::RefundNothing);
    world.mine(1).await;
    let again = world.sign_refund(&alice, &signed).await.expect(201);
    assert_eq!(again.data()["state"], "confirmed");
    world.create_refund(&alice).await.expect_error(Problem::RefundNothing);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_an_owner_follows_a_refund_and_nobody_else_does() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, mut txids) = failed_mint(&world, &bids).await;
    let (total, fee, refunded) = figures(&world, &alice).await;
    let created = world.create_refund(&alice).await.expect(201);
    let txid = txid_of(&created);
    let get = async |trader: &Trader, txid: Txid| {
        let call = world.client.get(format!("/api/refund/{txid}"));
        call.bearer(&world.token(trader).await).send().await
    };
    let draft = get(&alice, txid).await.expect(200);
    assert_eq!((draft.text_of("txId"), draft.text_of("state")), (&*txid.to_string(), "unsigned"));
    assert_eq!(draft.data()["base64Psbt"], created.data()["base64Psbt"]);
    assert_eq!(draft.data()["expiresAt"], created.data()["expiresAt"]);
    let figure = |answer: &Answer, field: &str| answer.data()[field].as_u64().unwrap();
    assert_eq!(
        ["totalSats", "feeSats", "refundedSats"].map(|field| figure(&draft, field)),
        [total, fee, refunded]
    );
    let items = draft.data()["items"].as_array().unwrap();
    let mut listed: Vec<Txid> =
        items.iter().map(|item| item["txId"].as_str().unwrap().parse().unwrap()).collect();
    listed.sort();
    txids.sort();
    assert_eq!(listed, txids);
    assert!(items.iter().all(|item| {
        item["mintId"] == json!(mint)
            && item["runeId"] == json!(world.rune.to_string())
            && item["refundState"] == "open"
    }));
    get(&bob, txid).await.expect_error(Problem::TransactionNotFound);
    world
        .client
        .get(format!("/api/refund/{txid}"))
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
    // A batch is not a refund.
    get(&alice, txids[0]).await.expect_error(Problem::TransactionNotFound);

    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign_refund(&alice, &signed).await.expect(201);
    let sent = get(&alice, txid).await.expect(200);
    assert_eq!((sent.text_of("state"), &sent.data()["base64Psbt"]), ("inMempool", &json!(null)));
    assert_eq!(sent.notes(), json!({ "pollAfterMs": 30_000 }));
    world.mine(7).await;
    let done = get(&alice, txid).await.expect(200);
    let history = done.data()["history"].as_array().unwrap().iter();
    assert!(history.clone().is_sorted_by_key(|state| state["at"].as_i64().unwrap()));
    let states: Vec<_> = history.map(|state| state["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["unsigned", "signing", "broadcasting", "inMempool", "confirmed"]);
    assert_eq!((&done.data()["confirmations"], &done.data()["isFinal"]), (&json!(7), &json!(true)));
    let items = done.data()["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["refundState"] == "refunded"), "{done}");
}

/// A key of either parity signs batches and the coin added to a refund, and the calculated fee covers its
/// witness.
#[tokio::test(flavor = "multi_thread")]
async fn custody_12_taproot_wallets_of_either_parity_bid_and_are_refunded() {
    let world = MintWorld::start(1_000_000).await;
    let [even, odd] = [false, true].map(|is_odd| Wallet::p2tr_of_parity(is_odd, 1));
    let even = world.trader_with(even, &[100_000]).await;
    let odd = world.trader_with(odd, &[100_000]).await;
    failed_mint(&world, &[&[(&even, 5, 1_000), (&odd, 4, 2_000)]]).await;
    for (trader, elements) in [(&even, 3), (&odd, 4)] {
        let before = sats_of(&world, &trader.trading).await;
        let (_total, _fee, refunded) = figures(&world, trader).await;
        let txid = refund(&world, trader).await;
        let transaction = world.stack.bitcoin().transaction(txid).await.unwrap().unwrap();
        assert_eq!(transaction.input.last().unwrap().witness.len(), elements);
        assert_eq!(sats_of(&world, &trader.trading).await, before + refunded);
        assert!(transaction.weight().to_wu() <= world.issued(txid).await.weight);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_signatures_make_one_refund() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let created = world.create_refund(&alice).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let (client, token) = (world.client.clone(), world.token(&alice).await);
    let body = json!({ "userAddress": alice.address(), "base64Psbt": signed });
    let answers = twenty_at_once(move |_n| {
        let (client, token, body) = (client.clone(), token.clone(), body.clone());
        async move { client.post("/api/refund/sign").bearer(&token).json(&body).send().await }
    })
    .await;
    for answer in answers {
        assert_eq!(answer.expect(201).text_of("txId"), created.text_of("txId"));
    }
    let txid = txid_of(&created);
    assert_eq!(state(&world, txid).await, TransactionState::InMempool);
    let pool = world.stack.bitcoin().rpc("getrawmempool", json!([])).await.unwrap();
    assert_eq!(pool, json!([txid]));
    world.mine(7).await;
    let refunded = (RefundState::Refunded, Some(txid));
    assert_eq!(refund_states(&world, mint, &txids).await, [refunded, refunded]);
    assert_eq!(sats_of_treasury(&world).await, 0);
    world.recount(mint).await;
}

/// Without a coin in the trading address nothing needs a signature; the service only checks that the caller
/// is the owner.
#[tokio::test(flavor = "multi_thread")]
async fn an_owner_without_coins_returns_the_refund_unchanged() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, bob) = (world.trader(1, &[]).await, world.trader(2, &[]).await);
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    let rows = owed(&world, &alice, &mint, &[20_000, 30_000]).await;
    let created = world.create_refund(&alice).await.expect(201);
    assert_eq!(created.data()["userInputIndexes"], json!([]));
    let (issued, psbt) = (created.text_of("base64Psbt"), psbt_of(&created));
    assert_eq!((psbt.inputs.len(), psbt.unsigned_tx.output.len()), (2, 1));

    world.sign_refund(&bob, issued).await.expect_error(Problem::NotTheIssuedTransaction);
    sign_as(&world, &bob, alice.address(), issued).await.expect_error(Problem::Forbidden);
    let mut redirected = psbt.clone();
    redirected.unsigned_tx.output[0].script_pubkey = bob.trading.script_pubkey();
    let mut larger = psbt;
    larger.unsigned_tx.output[0].value += Amount::from_sat(1_000);
    for changed in [redirected, larger] {
        for trader in [&alice, &bob] {
            world
                .sign_refund(trader, &text(&changed))
                .await
                .expect_error(Problem::NotTheIssuedTransaction);
        }
    }
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    world.sign_refund(&alice, issued).await.expect(201);
    world.mine(7).await;
    assert_eq!(
        sats_of(&world, &alice.trading).await,
        50_000 - world.issued(txid_of(&created)).await.fee
    );
    assert_eq!(sats_of(&world, &bob.trading).await, 0);
    let txids: Vec<_> = rows.iter().map(|row| row.txid).collect();
    let refunded = (RefundState::Refunded, Some(txid_of(&created)));
    assert_eq!(refund_states(&world, mint.id, &txids).await, [refunded, refunded]);
}

/// A change that a hostile or mistaken client makes to a PSBT whose last input is the user's.
type Tampering = fn(&mut Psbt, &Trader);

const TAMPERINGS: [(&str, &str, Tampering); 14] = [
    ("another output added", "2011", |psbt, alice| {
        let script_pubkey = alice.trading.script_pubkey();
        let output = TxOut { value: Amount::from_sat(1_000), script_pubkey };
        psbt.unsigned_tx.output.push(output);
        psbt.outputs.push(bitcoin::psbt::Output::default());
        sign(psbt, alice);
    }),
    ("more for the user", "2011", |psbt, alice| {
        psbt.unsigned_tx.output[0].value += Amount::from_sat(100);
        sign(psbt, alice);
    }),
    ("paid to another address", "2011", |psbt, alice| {
        let elsewhere: Address<_> = alice.address().parse().unwrap();
        psbt.unsigned_tx.output[0].script_pubkey = elsewhere.assume_checked().script_pubkey();
        sign(psbt, alice);
    }),
    ("an output of the treasury left out", "2011", |psbt, alice| {
        psbt.unsigned_tx.input.remove(0);
        psbt.inputs.remove(0);
        sign(psbt, alice);
    }),
    ("another output of the treasury", "2011", |psbt, alice| {
        psbt.unsigned_tx.input[0].previous_output.vout += 1;
        sign(psbt, alice);
    }),
    ("another order of the inputs", "2011", |psbt, alice| {
        psbt.unsigned_tx.input.reverse();
        psbt.inputs.reverse();
        sign(psbt, alice);
    }),
    ("another sequence", "2011", |psbt, alice| {
        psbt.unsigned_tx.input[0].sequence = Sequence::MAX;
        sign(psbt, alice);
    }),
    ("another lock time", "2011", |psbt, alice| {
        psbt.unsigned_tx.lock_time = bitcoin::absolute::LockTime::from_consensus(1);
        sign(psbt, alice);
    }),
    ("SIGHASH_SINGLE", "2014", |psbt, alice| {
        sign_by(psbt, alice, EcdsaSighashType::Single);
    }),
    ("ANYONECANPAY", "2014", |psbt, alice| {
        sign_by(psbt, alice, EcdsaSighashType::AllPlusAnyoneCanPay);
    }),
    ("no signature", "2012", |_psbt, _alice| {}),
    ("a signature by another key", "2013", |psbt, alice| {
        let script = alice.trading.clone();
        let other = Trader { wallet: Wallet::p2wpkh(77), trading: script, ..alice.clone() };
        sign(psbt, &other);
    }),
    ("another value of what is spent", "2011", |psbt, alice| {
        sign(psbt, alice);
        psbt.inputs[0].witness_utxo.as_mut().unwrap().value += Amount::from_sat(1);
    }),
    ("finalised", "2011", |psbt, alice| {
        sign(psbt, alice);
        let last = psbt.inputs.last_mut().unwrap();
        last.final_script_witness = Some(Witness::from_slice(&[[1_u8]]));
    }),
];

fn sign(psbt: &mut Psbt, trader: &Trader) {
    let signed = BASE64_STANDARD.decode(trader.signed(&text(psbt))).unwrap();
    *psbt = Psbt::deserialize(&signed).unwrap();
}

fn sign_by(psbt: &mut Psbt, trader: &Trader, sighash: EcdsaSighashType) {
    let (input, secp) = (psbt.inputs.len() - 1, Secp256k1::new());
    let fields = &psbt.inputs[input];
    let (script, spent) = (fields.witness_script.clone(), fields.witness_utxo.clone());
    let digest = SighashCache::new(&psbt.unsigned_tx)
        .p2wsh_signature_hash(input, &script.unwrap(), spent.unwrap().value, sighash)
        .unwrap();
    let key = PrivateKey::new(trader.wallet.private_key().parse().unwrap(), NETWORK);
    let signature = secp.sign_ecdsa(&Message::from_digest(digest.to_byte_array()), &key.inner);
    let made = ecdsa::Signature { signature, sighash_type: sighash };
    psbt.inputs[input].partial_sigs.insert(key.public_key(&secp), made);
}

/// Some wallets sign every input, with any key, and break base64 into lines.
#[tokio::test(flavor = "multi_thread")]
async fn signatures_on_the_platforms_inputs_and_line_breaks_do_no_harm() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    failed_mint(&world, &bids).await;
    let created = world.create_refund(&alice).await.expect(201);
    let mut psbt = psbt_of(&created);
    sign(&mut psbt, &alice);
    assert_eq!(created.data()["userInputIndexes"], json!([2]));
    let (key, signature) = psbt.inputs[2].partial_sigs.iter().next().unwrap();
    let foreign = (*key, *signature);
    for input in &mut psbt.inputs[..2] {
        input.partial_sigs.extend([foreign]);
    }
    let lines: Vec<_> = text(&psbt).as_bytes().chunks(76).map(<[u8]>::to_vec).collect();
    let wrapped = String::from_utf8(lines.join(&b"\r\n"[..])).unwrap();
    let answer = world.sign_refund(&alice, &wrapped).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tampered_refund_is_refused_and_can_be_created_again() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let paid = sats_of_treasury(&world).await;
    for (what, code, tamper) in TAMPERINGS {
        let created = world.create_refund(&alice).await.expect(201);
        let mut psbt = psbt_of(&created);
        assert_eq!(created.data()["userInputIndexes"], json!([2]));
        tamper(&mut psbt, &alice);
        let refused = world.sign_refund(&alice, &text(&psbt)).await;
        assert_eq!((refused.status, refused.code()), (400, code), "{what}: {refused}");
        assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Expired, "{what}");
        let none = (RefundState::None, None);
        assert_eq!(refund_states(&world, mint, &txids).await, [none, none], "{what}");
        // It cannot be signed later either.
        let late = alice.signed(created.text_of("base64Psbt"));
        world.sign_refund(&alice, &late).await.expect_error(Problem::ReservationExpired);
        // It counts as an unsigned refund.
        world.stack.clock().advance(Duration::from_secs(61 * 60));
    }
    for garbage in ["nonsense", "cHNidP8=", ""] {
        let problem = if garbage.is_empty() { Problem::Validation } else { Problem::PsbtMalformed };
        world.sign_refund(&alice, garbage).await.expect_error(problem);
    }
    assert_eq!(sats_of_treasury(&world).await, paid);
    refund(&world, &alice).await;
}

/// Each endpoint signs only its own kind, and leaves the others unchanged.
#[tokio::test(flavor = "multi_thread")]
async fn each_endpoint_signs_only_its_own_kind_of_transaction() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000, 100_000]).await;
    failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    large_mint(&world).await;
    let batch = world.create(&alice, 5, 2_000).await.expect(201);
    let created = world.create_refund(&alice).await.expect(201);
    let of_batch = alice.signed(batch.text_of("base64Psbt"));
    let of_refund = alice.signed(created.text_of("base64Psbt"));
    world.sign_refund(&alice, &of_batch).await.expect_error(Problem::NotTheIssuedTransaction);
    world.sign(&alice, &of_refund).await.expect_error(Problem::NotTheIssuedTransaction);
    let params = json!({ "signedBase64Tx": of_refund });
    let body = json!({ "type": "xchain-withdraw", "params": params });
    let call = world.client.post("/api/xchain/transaction/sign");
    let call = call.bearer(&world.token(&alice).await).json(&body);
    call.send().await.expect_error(Problem::NotTheIssuedTransaction);
    for answer in [&batch, &created] {
        assert_eq!(state(&world, txid_of(answer)).await, TransactionState::Unsigned);
    }
    world.sign(&alice, &of_batch).await.expect(201);
    world.sign_refund(&alice, &of_refund).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_07_without_the_platforms_key_a_refund_waits_for_the_worker_and_holds_its_coins() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let created = world.create_refund(&alice).await.expect(201);
    let (client, token) = (without_kms(&world).await, world.token(&alice).await);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let body = json!({ "userAddress": alice.address(), "base64Psbt": signed });
    let answer = client.post("/api/refund/sign").bearer(&token).json(&body).send().await;
    assert_eq!(answer.expect(201).data()["state"], "signing");
    let broadcast = (RefundState::Broadcast, Some(txid_of(&created)));
    assert_eq!(refund_states(&world, mint, &txids).await, [broadcast]);
    for source in sources(&world, mint, &txids).await {
        assert!(is_stored(&world, &format!("spend#{source}")));
    }
    world.create_refund(&alice).await.expect_error(Problem::RefundNothing);
    world.pass(TOO_LONG).await;
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::InMempool);
    assert!(world.is_known(txid_of(&created)).await);
}

/// The same functions with KMS unreachable.
async fn without_kms(world: &MintWorld) -> Client {
    let app = world.stack.app_without("AWS_ENDPOINT_URL_KMS");
    world.stack.serve_app(app, functions::routes()).await
}

/// Stores a row as a function could that must not sign for the treasury, and tries to refund it. The platform does not
/// sign (custody rule 33).
async fn refuse_forged(world: &MintWorld, mallory: &Trader, forged: &VmTransaction) {
    let store = &world.stack.app().store;
    store.put(&keys::vm_transaction(forged.key()), forged).await.unwrap();
    let key = keys::vm_refundable(&forged.user_address, forged.rune_id, forged.txid);
    let (mint_id, txid, sats) = (forged.mint_id, forged.txid, forged.refundable_sats());
    store.put(&key, &Refundable { mint_id, txid, sats }).await.unwrap();
    let created = world.create_refund(mallory).await.expect(201);
    let txid = txid_of(&created);
    assert!(spent(&psbt_of(&created)).contains(&forged.refund_source.unwrap().0));
    let signed = mallory.signed(created.text_of("base64Psbt"));
    world.sign_refund(mallory, &signed).await;
    world.watch().await;
    assert_eq!(world.issued(txid).await.signed_weight, None);
    assert!(world.stack.bitcoin().transaction(txid).await.unwrap().is_none());
}

/// The rows of a victim's and a thief's batch in a failed mint.
async fn two_batches(world: &MintWorld, mallory: &Trader) -> [VmTransaction; 2] {
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 1] = [&[(&alice, 5, 1_000), (mallory, 1, 1_000)]];
    let (mint, txids) = failed_mint(world, &bids).await;
    [world.vm(mint, txids[0]).await, world.vm(mint, txids[1]).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_is_refunded_to_nobody_but_its_owner() {
    let world = MintWorld::start(1_000_000).await;
    let mallory = world.trader(2, &[100_000]).await;
    let [hers, own] = two_batches(&world, &mallory).await;
    let forged = VmTransaction {
        account_id: own.account_id,
        user_address: own.user_address,
        trading_address: own.trading_address,
        ..hers
    };
    refuse_forged(&world, &mallory, &forged).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_is_refunded_from_nothing_but_its_own_output() {
    let world = MintWorld::start(1_000_000).await;
    let mallory = world.trader(2, &[100_000]).await;
    let [hers, own] = two_batches(&world, &mallory).await;
    let settlement = Settlement { refundable_sats: 5_000, ..own.settlement.unwrap() };
    let forged =
        VmTransaction { settlement: Some(settlement), refund_source: Some(hers.output), ..own };
    refuse_forged(&world, &mallory, &forged).await;
}

/// A batch that blocks have taken gets runes, so nobody may write a row by which it gets its money back as well.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_that_blocks_took_is_not_refunded() {
    let world = MintWorld::start(1_000_000).await;
    let mallory = world.trader(2, &[100_000]).await;
    let mint = world.mint(&json!({ "totalRequests": 5, "requestsPerBlock": 5 })).await;
    let batch = world.bid(&mallory, 5, 1_000).await;
    world.mine(1).await;
    let taken = world.vm(mint, batch).await;
    assert_eq!(taken.state, VmState::AllInBlock);
    let settlement =
        Settlement { distributable_requests: 0, refundable_requests: 5, refundable_sats: 5_000 };
    let forged = VmTransaction {
        settlement: Some(settlement),
        is_final: true,
        refund_source: Some(taken.output),
        ..taken.outside_of_blocks(VmState::NotTaken)
    };
    refuse_forged(&world, &mallory, &forged).await;
}

/// Nor is it refunded as a batch of another mint, which has failed.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_is_not_refunded_for_another_mint() {
    let world = MintWorld::start(1_000_000).await;
    let (failed, _) = failed_mint(&world, &[]).await;
    let mallory = world.trader(2, &[100_000]).await;
    let mint = world.mint(&json!({ "totalRequests": 5, "requestsPerBlock": 5 })).await;
    let batch = world.bid(&mallory, 5, 1_000).await;
    world.mine(1).await;
    let taken = world.vm(mint, batch).await;
    let settlement =
        Settlement { distributable_requests: 0, refundable_requests: 5, refundable_sats: 5_000 };
    let forged = VmTransaction {
        mint_id: failed,
        settlement: Some(settlement),
        is_final: true,
        refund_source: Some(taken.output),
        ..taken.outside_of_blocks(VmState::NotTaken)
    };
    refuse_forged(&world, &mallory, &forged).await;
}

/// Which remainder is whose follows from the plan of the transfer, not from the rows of the others.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_is_refunded_from_no_remainder_of_another() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({ "totalRequests": 2, "requestsPerBlock": 2 })).await;
    // Each trader's coins are mined before the first bid, so that one block has both batches.
    let traders = [world.trader(1, &[100_000]).await, world.trader(2, &[100_000]).await];
    let mut batches = Vec::new();
    for trader in traders {
        world.bid(&trader, 1, 20_000).await;
        batches.push((world.bid(&trader, 1, 12_000).await, trader));
    }
    batches.sort_by_key(|(txid, _)| *txid);
    world.mine(7).await;
    for _block in 0..9 {
        world.mine(1).await;
    }
    let first = world.vm(mint, batches[0].0).await;
    let second = world.vm(mint, batches[1].0).await;
    assert!(first.is_refundable() && second.is_refundable(), "{first:?} {second:?}");
    assert_eq!(first.refundable_sats(), second.refundable_sats());
    let none =
        Settlement { refundable_requests: 0, refundable_sats: 0, ..first.settlement.unwrap() };
    let without = VmTransaction { settlement: Some(none), ..first.clone() };
    world.stack.app().store.put(&keys::vm_transaction(first.key()), &without).await.unwrap();
    let forged = VmTransaction { refund_source: first.refund_source, ..second };
    refuse_forged(&world, &batches[1].1, &forged).await;
}
