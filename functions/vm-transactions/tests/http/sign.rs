//! `POST /api/vm-transactions/sign`.

use bitcoin::{
    EcdsaSighashType, PrivateKey, TxOut, Witness, ecdsa,
    hashes::Hash,
    secp256k1::{Message, Secp256k1},
    sighash::SighashCache,
};
use chain::mints::Changes;
use local::{BitcoinWorld, client::twenty_at_once, mood::Mood, wallets::NETWORK};
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_transaction_is_broadcast_once_and_signing_is_repeatable() {
    let (world, mint, alice) = world_with(&[30_000, 30_000]).await;
    let created = world.create(&alice, 20, 2_000).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let expected = json!({ "txId": created.text_of("txId"), "state": "allInMempool" });
    let answer = world.sign(&alice, &signed).await.expect(201);
    assert_eq!(*answer.data(), expected);
    assert_eq!(answer.notes(), json!({}));
    let txid = txid_of(&created);
    assert!(world.is_known(txid).await);
    let row = world.issued(txid).await;
    // Hex and an unsigned PSBT return the same answer, since the transaction is already signed.
    let bytes = BASE64_STANDARD.decode(created.text_of("base64Psbt")).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    for text in [&signed, created.text_of("base64Psbt"), &hex] {
        assert_eq!(*world.sign(&alice, text).await.expect(201).data(), expected);
    }
    assert_eq!(world.issued(txid).await.version, row.version);
    let tables = json!(world.stack.contents()).to_string();
    let inputs = world.body(txid).await.inputs;
    assert!(inputs.iter().all(|coin| tables.contains(&format!("spend#{coin}"))));
    assert!(!tables.contains("reservation#"));
    world.recount(mint).await;
    world.mine(2).await;
    let answer = world.sign(&alice, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "allInBlock");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_signatures_make_one_broadcast() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let created = world.create(&alice, 3, 2_000).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let (client, token) = (world.client.clone(), world.token(&alice).await);
    let address = alice.address().to_owned();
    let answers = twenty_at_once(move |_n| {
        let (client, token) = (client.clone(), token.clone());
        let (address, signed) = (address.clone(), signed.clone());
        async move { sign_at(&client, &token, &address, &signed).await }
    })
    .await;
    for answer in answers {
        assert_eq!(answer.expect(201).text_of("txId"), created.text_of("txId"));
    }
    let row = world.vm(mint, txid_of(&created)).await;
    assert_eq!(row.state, VmState::AllInMempool);
    assert_eq!(world.vms(mint).await.len(), 1);
    world.recount(mint).await;
}

/// A change that a hostile or mistaken client makes to a PSBT.
type Tampering = fn(&mut Psbt, &Trader);

const TAMPERINGS: [(&str, &str, Tampering); 9] = [
    ("another treasury", "2011", |psbt, alice| {
        psbt.unsigned_tx.output[0].script_pubkey = alice.trading.script_pubkey();
        *psbt = signed(psbt, alice);
    }),
    ("less for the treasury", "2011", |psbt, alice| {
        psbt.unsigned_tx.output[0].value -= Amount::from_sat(1);
        *psbt = signed(psbt, alice);
    }),
    ("another output", "2011", |psbt, alice| {
        let script_pubkey = alice.trading.script_pubkey();
        psbt.unsigned_tx.output.push(TxOut { value: Amount::from_sat(1_000), script_pubkey });
        psbt.outputs.push(bitcoin::psbt::Output::default());
        *psbt = signed(psbt, alice);
    }),
    ("without the anchor", "2011", |psbt, alice| {
        psbt.unsigned_tx.input.remove(0);
        psbt.inputs.remove(0);
        *psbt = signed(psbt, alice);
    }),
    ("SIGHASH_NONE", "2014", |psbt, alice| {
        *psbt = signed(psbt, alice);
        let key = PrivateKey::new(alice.wallet.private_key().parse().unwrap(), NETWORK);
        let fields = &psbt.inputs[0];
        let script = fields.witness_script.as_ref().unwrap();
        let value = fields.witness_utxo.as_ref().unwrap().value;
        let digest = SighashCache::new(&psbt.unsigned_tx)
            .p2wsh_signature_hash(0, script, value, EcdsaSighashType::None)
            .unwrap();
        let secp = Secp256k1::new();
        let signature = secp.sign_ecdsa(&Message::from_digest(digest.to_byte_array()), &key.inner);
        let made = ecdsa::Signature { signature, sighash_type: EcdsaSighashType::None };
        psbt.inputs[0].partial_sigs.insert(key.public_key(&secp), made);
    }),
    ("no signature", "2012", |_psbt, _alice| {}),
    ("one of two signatures", "2012", |psbt, alice| {
        *psbt = signed(psbt, alice);
        psbt.inputs[1].partial_sigs.clear();
    }),
    ("a signature of another input", "2013", |psbt, alice| {
        *psbt = signed(psbt, alice);
        psbt.inputs[0].partial_sigs = psbt.inputs[1].partial_sigs.clone();
    }),
    ("finalised", "2011", |psbt, alice| {
        *psbt = signed(psbt, alice);
        psbt.inputs[0].final_script_witness = Some(Witness::from_slice(&[[1_u8]]));
    }),
];

fn signed(psbt: &Psbt, trader: &Trader) -> Psbt {
    parse_psbt(&trader.signed(&text(psbt)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tampered_psbt_is_refused_and_frees_its_coins() {
    let (world, mint, alice) = world_with(&[50_000, 50_000]).await;
    let mut waiting = None;
    for replaces in [false, true] {
        for (what, code, tamper) in TAMPERINGS {
            // Spends both coins, so the next batch succeeds only if they are free.
            let created = world.create(&alice, 20, 3_000 + u64::from(replaces)).await.expect(201);
            let txid = txid_of(&created);
            assert_eq!(world.vm(mint, txid).await.replaces, waiting);
            let mut psbt = psbt_of(&created);
            assert_eq!(psbt.inputs.len(), 2);
            tamper(&mut psbt, &alice);
            let refused = world.sign(&alice, &text(&psbt)).await;
            assert_eq!((refused.status, refused.code()), (400, code), "{what}: {refused}");
            assert_eq!(state(&world, txid).await, TransactionState::Expired, "{what}");
            assert_eq!(world.vm(mint, txid).await.state, VmState::Expired, "{what}");
            assert!(!world.is_known(txid).await, "{what}");
            // A refused transaction cannot be signed later.
            let late = alice.signed(created.text_of("base64Psbt"));
            world.sign(&alice, &late).await.expect_error(Problem::ReservationExpired);
            if let Some(waiting) = waiting {
                assert_eq!(world.listed(waiting).await["state"], "allInMempool");
            }
            if what == "SIGHASH_NONE" {
                // The number of attempts in five minutes is limited.
                world.stack.clock().advance(Duration::from_secs(301));
            }
        }
        world.recount(mint).await;
        waiting = Some(world.bid(&alice, 2, 3_000).await);
        assert_eq!(open_count(&world, alice.address()).await, 1);
    }
    for garbage in ["nonsense", "cHNidP8=", "70736274ff"] {
        world.sign(&alice, garbage).await.expect_error(Problem::PsbtMalformed);
    }
    for (field, body) in [
        ("userAddress", json!({ "signedBase64Tx": "cHNidP8=" })),
        ("signedBase64Tx", json!({ "userAddress": alice.address() })),
        ("signedBase64Tx", json!({ "userAddress": alice.address(), "signedBase64Tx": 7 })),
    ] {
        let call =
            world.client.post("/api/vm-transactions/sign").bearer(&world.token(&alice).await);
        let refused = call.json(&body).send().await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_a_user_signs_only_own_transactions_at_their_own_endpoint() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let created = world.create(&alice, 2, 1_000).await.expect(201);
    let txid = txid_of(&created);
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&bob, &signed).await.expect_error(Problem::NotTheIssuedTransaction);
    let token = world.token(&bob).await;
    let foreign = sign_at(&world.client, &token, alice.address(), &signed).await;
    foreign.expect_error(Problem::Forbidden);
    // An own address other than the one that created it.
    let token = world.token(&alice).await;
    let trading = alice.trading.to_string();
    sign_at(&world.client, &token, &trading, &signed)
        .await
        .expect_error(Problem::NotTheIssuedTransaction);
    // Nor does a tampered PSBT free another user's coins.
    let mut changed = parse_psbt(&signed);
    changed.unsigned_tx.output.pop();
    changed.outputs.pop();
    world.sign(&bob, &text(&changed)).await.expect_error(Problem::NotTheIssuedTransaction);

    let sign_withdrawal = async |trader: &Trader, signed: &str| {
        let params = json!({ "signedBase64Tx": signed });
        let body = json!({ "type": "xchain-withdraw", "params": params });
        let call = world.client.post("/api/xchain/transaction/sign");
        call.bearer(&world.token(trader).await).json(&body).send().await
    };
    sign_withdrawal(&alice, &signed).await.expect_error(Problem::NotTheIssuedTransaction);
    assert_eq!(state(&world, txid).await, TransactionState::Unsigned);
    assert_eq!(world.vm(mint, txid).await.state, VmState::Unsigned);

    let withdrawal = withdraw(&world, &bob, 50_000).await.expect(201);
    let signed_withdrawal = bob.signed(withdrawal.text_of("base64Psbt"));
    world.sign(&bob, &signed_withdrawal).await.expect_error(Problem::NotTheIssuedTransaction);
    assert_eq!(state(&world, txid_of(&withdrawal)).await, TransactionState::Unsigned);
    // Each endpoint signs its own kind.
    world.sign(&alice, &signed).await.expect(201);
    sign_withdrawal(&bob, &signed_withdrawal).await.expect(201);
    sign_withdrawal(&alice, &signed).await.expect_error(Problem::NotTheIssuedTransaction);
    world.sign(&bob, &signed_withdrawal).await.expect_error(Problem::NotTheIssuedTransaction);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_source_no_batch_is_created_or_signed() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let created = world.create(&alice, 2, 1_000).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let chain = world.stack.bitcoin();
    for mood in [
        Mood { down: true, ..Mood::default() },
        Mood { malformed: true, ..Mood::default() },
        Mood { status: Some(500), ..Mood::default() },
    ] {
        for set in [BitcoinWorld::set_ord_mood, BitcoinWorld::set_esplora_mood] {
            set(chain, mood);
            world.create(&bob, 2, 1_000).await.expect_error(Problem::ChainUnavailable);
            world.sign(&alice, &signed).await.expect_error(Problem::ChainUnavailable);
            set(chain, Mood::default());
        }
    }
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    assert_eq!(world.vms(mint).await.len(), 1);
    world.recount(mint).await;
    // It failed only because no source was available.
    world.sign(&alice, &signed).await.expect(201);
    world.create(&bob, 2, 1_000).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_mint_closed_or_filled_before_the_signature_refuses_it() {
    for closed in [true, false] {
        let world = MintWorld::start(1_000_000).await;
        let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
        let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[100_000]).await);
        let created = world.create(&alice, 2, 1_000).await.expect(201);
        if closed {
            world.close(mint).await;
        } else {
            world.bid(&bob, 4, 2_000).await;
            world.mine(1).await;
        }
        let signed = alice.signed(created.text_of("base64Psbt"));
        world.sign(&alice, &signed).await.expect_error(Problem::VmMintClosed);
        let txid = txid_of(&created);
        assert!(!world.is_known(txid).await);
        assert_eq!(state(&world, txid).await, TransactionState::Expired);
        assert_eq!(world.vm(mint, txid).await.state, VmState::Expired);
        assert_eq!(open_count(&world, alice.address()).await, 0);
        // Its coin is free immediately.
        withdraw(&world, &alice, 90_000).await.expect(201);
        world.sign(&alice, &signed).await.expect_error(Problem::ReservationExpired);
        world.recount(mint).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_batch_confirmed_before_the_signature_is_not_replaced() {
    for (worker_has_seen_it, signs) in [(false, true), (true, true), (true, false)] {
        let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
        let first = world.bid(&alice, 2, 1_000).await;
        world.stack.bitcoin().fund(&alice.trading, 50_000).await.unwrap();
        let created = world.create(&alice, 3, 1_500).await.expect(201);
        let replacement = txid_of(&created);
        world.stack.bitcoin().mine(1).await.unwrap();
        if worker_has_seen_it {
            world.watch().await;
        }
        let signed = alice.signed(created.text_of("base64Psbt"));
        if signs {
            world.sign(&alice, &signed).await.expect_error(Problem::CoinsChanged);
            assert_eq!(world.vm(mint, replacement).await.state, VmState::Expired);
        }
        world.watch().await;
        // The same request now makes a different transaction, in addition to the confirmed one.
        let again = world.create(&alice, 3, 1_500).await.expect(201);
        assert_ne!(txid_of(&again), replacement);
        world.sign(&alice, &signed).await.expect_error(Problem::ReservationExpired);
        let signed = alice.signed(again.text_of("base64Psbt"));
        world.sign(&alice, &signed).await.expect(201);
        assert!(!world.is_known(replacement).await);
        let row = world.listed(txid_of(&again)).await;
        assert_eq!((&row["state"], &row["replaceTxId"]), (&json!("allInMempool"), &Value::Null));
        assert_eq!(world.listed(first).await["state"], "allInBlock");
        world.mine(1).await;
        assert_eq!(world.requests_in_blocks(mint).await, 5);
        world.recount(mint).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_batch_replaced_before_the_signature_is_not_replaced_again() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let first = world.bid(&alice, 2, 1_000).await;
    let created = world.create(&alice, 3, 1_500).await.expect(201);
    // Writes what another replacement would write if the network accepted it in between.
    let before = world.vm(mint, first).await;
    let after = before.outside_of_blocks(VmState::Replaced);
    let changes = Changes::new().replace(before, after);
    let store = &world.stack.app().store;
    store.commit(changes.writes(store.now(), ())).await.unwrap();
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect_error(Problem::CoinsChanged);
    assert!(!world.is_known(txid_of(&created)).await);
    assert!(world.is_known(first).await);
    assert!(!world.issued(txid_of(&created)).await.is_claimed());
    world.recount(mint).await;
}
