//! `POST /api/xchain/transaction/sign`.

use bitcoin::{Amount, Sequence, TxOut, Witness, consensus::encode};
use local::client::twenty_at_once;
use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_transaction_is_broadcast_once_and_signing_is_repeatable() {
    let world = world().await;
    let user = world.user_with(1, &[30_000, 30_000, 30_000]).await;
    let created = world.created(&user, 70_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let expected = json!({ "txId": created.text_of("txId"), "state": "inMempool" });
    let answer = world.sign(&user, &signed).await.expect(201);
    assert_eq!(*answer.data(), expected);
    assert!(world.in_mempool(txid_of(&created)).await);
    assert_eq!(*world.sign(&user, &signed).await.expect(201).data(), expected);
    // Hex and an unsigned PSBT return the same answer, since the transaction is already signed.
    let unsigned = hex(psbt_of(&created).serialize());
    assert_eq!(*world.sign(&user, &unsigned).await.expect(201).data(), expected);

    // Its coins are held, so no plan uses them, and the record is in the lists.
    for coin in &world.body(txid_of(&created)).await.inputs {
        assert!(json!(world.stack.contents()).to_string().contains(&format!("spend#{coin}")));
    }
    let tables = json!(world.stack.contents()).to_string();
    for list in [
        "list#xchain".to_owned(),
        format!("list#xchain#addr#{}", user.trading),
        format!("list#xchain#addr#{}", somewhere()),
        "list#xchain#token#0:0".to_owned(),
        format!("list#xchain#addr#{}#token#0:0", user.trading),
        format!("list#xchain#addr#{}#token#0:0", somewhere()),
    ] {
        assert!(tables.contains(&format!("\"{list}\"")), "{list}");
    }
    assert!(!tables.contains("reservation#"));
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_signatures_make_one_transaction() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(move |_n| {
        let (client, token, signed) = (client.clone(), token.clone(), signed.clone());
        async move {
            let params = json!({ "signedBase64Tx": signed });
            let body = json!({ "type": "xchain-withdraw", "params": params });
            client.post("/api/xchain/transaction/sign").bearer(&token).json(&body).send().await
        }
    })
    .await;
    for answer in answers {
        assert_eq!(answer.expect(201).text_of("txId"), created.text_of("txId"));
    }
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::InMempool);
    let lists = world.stack.contents();
    let members = json!(lists).to_string().matches("\"list#xchain\"").count();
    assert_eq!(members, 2, "a head and a member");
}

/// A change that a hostile or mistaken client makes to a PSBT.
type Tampering = fn(&mut Psbt, &User);

const TAMPERINGS: [(&str, &str, Tampering); 14] = [
    ("another output added", "2011", |psbt, user| {
        let script_pubkey = user.trading.script_pubkey();
        let output = TxOut { value: Amount::from_sat(1_000), script_pubkey };
        psbt.unsigned_tx.output.push(output);
        psbt.outputs.push(bitcoin::psbt::Output::default());
        *psbt = signed(psbt, &user.wallet);
    }),
    ("an output changed", "2011", |psbt, user| {
        psbt.unsigned_tx.output[0].value -= Amount::from_sat(1);
        *psbt = signed(psbt, &user.wallet);
    }),
    ("one input swapped", "2011", |psbt, user| {
        psbt.unsigned_tx.input[1].previous_output.vout += 1;
        *psbt = signed(psbt, &user.wallet);
    }),
    ("an input left out", "2011", |psbt, user| {
        psbt.unsigned_tx.input.pop();
        psbt.inputs.pop();
        *psbt = signed(psbt, &user.wallet);
    }),
    ("another sequence", "2011", |psbt, user| {
        psbt.unsigned_tx.input[0].sequence = Sequence::MAX;
        *psbt = signed(psbt, &user.wallet);
    }),
    ("SIGHASH_NONE", "2014", |psbt, user| with_sighash(psbt, user, EcdsaSighashType::None)),
    ("SIGHASH_SINGLE", "2014", |psbt, user| with_sighash(psbt, user, EcdsaSighashType::Single)),
    ("ANYONECANPAY", "2014", |psbt, user| {
        with_sighash(psbt, user, EcdsaSighashType::AllPlusAnyoneCanPay);
    }),
    ("no signature", "2012", |_psbt, _user| {}),
    ("one of two signatures", "2012", |psbt, user| {
        *psbt = signed(psbt, &user.wallet);
        psbt.inputs[1].partial_sigs.clear();
    }),
    ("a signature by another key", "2013", |psbt, _user| {
        *psbt = signed(psbt, &Wallet::p2wpkh(77));
    }),
    ("a signature of another input", "2013", |psbt, user| {
        *psbt = signed(psbt, &user.wallet);
        psbt.inputs[0].partial_sigs = psbt.inputs[1].partial_sigs.clone();
    }),
    ("another value of what is spent", "2011", |psbt, user| {
        *psbt = signed(psbt, &user.wallet);
        psbt.inputs[0].witness_utxo.as_mut().unwrap().value += Amount::from_sat(1);
    }),
    ("finalised", "2011", |psbt, user| {
        *psbt = signed(psbt, &user.wallet);
        psbt.inputs[0].final_script_witness = Some(Witness::from_slice(&[[1_u8]]));
    }),
];

fn with_sighash(psbt: &mut Psbt, user: &User, sighash: EcdsaSighashType) {
    *psbt = signed(psbt, &user.wallet);
    let (key, made) = signature(psbt, 0, &user.wallet, sighash);
    psbt.inputs[0].partial_sigs.insert(key, made);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tampered_psbt_is_refused_and_frees_its_coins() {
    let world = world().await;
    let user = world.user_with(1, &[50_000, 50_000]).await;
    // The other path shares the implementation, so only some of its errors are tried.
    let by_xchain = TAMPERINGS.into_iter().map(|it| (it, true));
    let by_other = TAMPERINGS.into_iter().filter(|(_, code, _)| matches!(*code, "2012" | "2013"));
    for ((what, code, tamper), by_xchain) in by_xchain.chain(by_other.map(|it| (it, false))) {
        // Spends both coins, so the next one succeeds only if they are free.
        let created = world.created(&user, 80_000).await;
        let mut psbt = psbt_of(&created);
        assert_eq!(psbt.inputs.len(), 2);
        tamper(&mut psbt, &user);
        let refused = match by_xchain {
            true => world.sign(&user, &text(&psbt)).await,
            false => world.sign_by_transactions(&user, &text(&psbt)).await,
        };
        assert_eq!((refused.status, refused.code()), (400, code), "{what}: {refused}");
        assert_eq!(world.state(txid_of(&created)).await, TransactionState::Expired, "{what}");
        assert!(!world.in_mempool(txid_of(&created)).await, "{what}");
        // A refused transaction cannot be signed later.
        let late = text(&signed(&psbt_of(&created), &user.wallet));
        world.sign(&user, &late).await.expect_error(Problem::ReservationExpired);
    }
    let last = world.created(&user, 80_000).await;
    let signed = text(&signed(&psbt_of(&last), &user.wallet));
    world.sign(&user, &signed).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_psbts_are_refused() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let network = encode::serialize_hex(&psbt_of(&created).unsigned_tx);
    for garbage in ["nonsense", "cHNidP8=", "70736274ff", &network, &"A".repeat(250_000)] {
        world.sign(&user, garbage).await.expect_error(Problem::PsbtMalformed);
    }
    world.sign(&user, &"A".repeat(300_000)).await.expect_error(Problem::PayloadTooLarge);
    // Of 2 MB, the service reads only the first part, and cuts off a client that keeps sending.
    let body =
        json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": "A".repeat(2_000_000) } });
    let call = world.client.post("/api/xchain/transaction/sign");
    if let Ok(answer) = call.bearer(&user.session.access_token).json(&body).try_send().await {
        answer.expect_error(Problem::PayloadTooLarge);
    }
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::Unsigned);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_a_user_cannot_sign_another_users_transaction() {
    let world = world().await;
    let (owner, other) =
        (world.user_with(1, &[100_000]).await, world.user_with(2, &[100_000]).await);
    let created = world.created(&owner, 20_000).await;
    let signed = text(&signed(&psbt_of(&created), &owner.wallet));
    world.sign(&other, &signed).await.expect_error(Problem::NotTheIssuedTransaction);
    // Nor does a tampered PSBT free another user's coins.
    let mut changed = psbt_of(&created);
    changed.unsigned_tx.output.pop();
    changed.outputs.pop();
    world.sign(&other, &text(&changed)).await.expect_error(Problem::NotTheIssuedTransaction);
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::Unsigned);
    world.sign(&owner, &signed).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reservation_ends_after_ten_minutes() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.stack.clock().advance(std::time::Duration::from_secs(601));
    let user = User { session: sign_in(&world.client, &user.wallet).await, ..user };
    world.sign(&user, &signed).await.expect_error(Problem::ReservationExpired);
    assert!(!world.in_mempool(txid_of(&created)).await);
    world.created(&user, 20_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_high_s_signature_is_normalised_before_the_broadcast() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let mut psbt = signed(&psbt_of(&created), &user.wallet);
    for signature in psbt.inputs[0].partial_sigs.values_mut() {
        signature.signature = with_high_s(&signature.signature);
    }
    world.sign(&user, &text(&psbt)).await.expect(201);
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::InMempool);
}

#[tokio::test]
async fn signatures_of_an_account_are_limited() {
    let world = world_on(LocalStack::start().await).await;
    let user = world.user(1).await;
    for _attempt in 0..60 {
        world.sign(&user, "garbage").await.expect_error(Problem::PsbtMalformed);
    }
    let answer = world.sign(&user, "garbage").await.expect_error(Problem::RateLimited);
    assert!(!answer.header("retry-after").is_empty());
    world.stack.clock().advance(std::time::Duration::from_secs(301));
    world.sign(&user, "garbage").await.expect_error(Problem::PsbtMalformed);
}

/// The same signature with the high S: n − s.
fn with_high_s(
    signature: &bitcoin::secp256k1::ecdsa::Signature,
) -> bitcoin::secp256k1::ecdsa::Signature {
    const N: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    let mut compact = signature.serialize_compact();
    let s = SecretKey::from_slice(&compact[32..]).unwrap();
    compact[32..].copy_from_slice(&s.negate().secret_bytes());
    assert!(hex(compact[32..].to_vec()).as_str() < N);
    bitcoin::secp256k1::ecdsa::Signature::from_compact(&compact).unwrap()
}

fn hex(bytes: Vec<u8>) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
