//! `POST /api/vm-transactions`.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

use axum::{Router, extract::Request, http::StatusCode};
use chain::{
    keys,
    mints::{self, GatePosition, Gates, Mint},
};
use local::{
    bitcoin::Etching,
    client::twenty_at_once,
    wallets::{NETWORK, challenge, sign_in},
};
use shared::{models::trading_wallet::DELAY, problem::Problem};
use store::{Update, Writes};
use tokio::net::TcpListener;

use super::*;

/// Longer than coins stay reserved.
const TOO_LATE: Duration = Duration::from_secs(601);

#[tokio::test(flavor = "multi_thread")]
async fn custody_02_a_batch_pays_the_treasury_the_exact_sum_and_returns_the_change() {
    let (world, mint, alice) = world_with(&[60_000, 200_000]).await;
    let created = world.create(&alice, 7, 3_000).await.expect(201);
    let psbt = psbt_of(&created);
    assert_eq!(paid_to_treasury(&world, &psbt.unsigned_tx), [21_000]);
    let change = alice.trading.script_pubkey();
    let others = psbt.unsigned_tx.output.iter().filter(|output| output.value.to_sat() != 21_000);
    assert!(others.clone().all(|output| output.script_pubkey == change));
    assert_eq!(others.count(), 1);

    let data = created.data();
    assert_eq!(data["txId"], psbt.unsigned_tx.compute_txid().to_string());
    assert_eq!(data["fee"]["totalFee"], fee_of(&psbt).to_sat());
    assert!(data["fee"]["feeRate"].as_f64().unwrap() >= 5.0);
    let inputs: Vec<_> = (0..psbt.inputs.len()).collect();
    assert_eq!(data["userInputIndexes"], json!(inputs));
    let left = data["expiresAt"].as_i64().unwrap() - world.client.now().0;
    assert!((590_000..=600_000).contains(&left), "{left}");
    let fields: Vec<_> = data.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["base64Psbt", "expiresAt", "fee", "txId", "userInputIndexes"]);

    let txid = txid_of(&created);
    let row = world.vm(mint, txid).await;
    assert_eq!((row.state, row.tiers.as_slice()), (VmState::Unsigned, &[tier(7, 3_000, 0)][..]));
    assert_eq!(row.anchor.0, psbt.unsigned_tx.input[0].previous_output);
    assert!(!world.is_known(txid).await);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_field_is_reported() {
    let (world, _mint, alice) = world_with(&[]).await;
    let before = world.stack.contents();
    for (field, value) in [
        ("requestCount", json!(0)),
        ("requestCount", json!(-1)),
        ("requestCount", json!(1.5)),
        ("requestCount", json!(1e300)),
        ("requestCount", json!("2")),
        ("requestCount", json!(2_100_000_000_000_001_u64)),
        ("requestCount", json!(null)),
        ("satsNewRequests", json!(0)),
        ("satsNewRequests", json!(-2_000)),
        ("satsNewRequests", json!(2_000.5)),
        ("satsNewRequests", json!(2e-3)),
        ("satsNewRequests", json!("2000")),
        ("satsNewRequests", json!(2_100_000_000_000_001_u64)),
        ("satsNewRequests", json!(u64::MAX)),
        // Not a multiple of two.
        ("satsNewRequests", json!(2_001)),
        ("satsNewRequests", json!(1)),
        ("userAddress", json!("")),
        ("userAddress", json!(7)),
        ("userAddress", json!("a".repeat(129))),
        ("runeId", json!("0:0")),
        ("runeId", json!("rune")),
        ("runeId", json!(1)),
    ] {
        let differs = json!({ field: value });
        let refused = create_with(&world, &alice, &differs).await.expect_error(Problem::Validation);
        let errors = refused.body["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{differs}: {refused}");
        assert_eq!(errors[0]["field"], field, "{differs}");
    }
    let call = world.client.post("/api/vm-transactions").bearer(&world.token(&alice).await);
    let refused = call.json(&json!({})).send().await.expect_error(Problem::Validation);
    let errors = refused.body["errors"].as_array().unwrap().iter();
    let fields: Vec<_> = errors.map(|error| error["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["userAddress", "runeId", "requestCount", "satsNewRequests"]);
    assert_eq!(world.stack.contents(), before);
    let body = json!({ "userAddress": alice.address() });
    world
        .client
        .post("/api/vm-transactions")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_refusal_has_its_code_and_reserves_nothing() {
    let (world, mint, alice) = world_with(&[200_000]).await;
    let stranger = Wallet::p2wpkh(9);
    for (differs, status, code) in [
        (json!({ "satsNewRequests": 1_998 }), 400, "6003"),
        (
            json!({ "requestCount": 2_100_000_000_000_000_u64, "satsNewRequests": 2_100_000_000_000_000_u64 }),
            400,
            "6003",
        ),
        (json!({ "requestCount": 31, "satsNewRequests": 31_000 }), 400, "6004"),
        (json!({ "runeId": "1:9" }), 400, "6001"),
        (json!({ "userAddress": stranger.address() }), 403, "1007"),
        (json!({ "userAddress": Wallet::evm(9).address() }), 403, "1007"),
        (json!({ "userAddress": "nobody" }), 403, "1007"),
        (json!({ "satsNewRequests": 400_000 }), 400, "2002"),
        // The whole balance, with nothing left for the fee.
        (json!({ "satsNewRequests": 200_000 }), 400, "2002"),
        (json!({ "requestCount": 1, "satsNewRequests": 2_100_000_000_000_000_u64 }), 400, "2002"),
    ] {
        let refused = create_with(&world, &alice, &differs).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{differs}: {refused}");
        refused.expect_error_shape();
    }
    assert!(world.vms(mint).await.is_empty());
    assert!(!json!(world.stack.contents()).to_string().contains("reservation#"));
    // The lowest price and the whole number of requests are allowed.
    create_with(&world, &alice, &json!({})).await.expect(201);
    world.create(&alice, 30, 1_000).await.expect(201);

    let without = sign_in(&world.client, &Wallet::evm(1)).await;
    let body = json!({
        "userAddress": Wallet::evm(1).address(),
        "runeId": world.rune.to_string(),
        "requestCount": 1,
        "satsNewRequests": 1_000,
    });
    let call = world.client.post("/api/vm-transactions").bearer(&without.access_token);
    call.json(&body).send().await.expect_error(Problem::NoTradingWallet);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mint_takes_requests_between_opening_and_closing() {
    const HOUR: i64 = 60 * 60 * 1_000;
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::VmNoMint);
    let now = world.client.now().0;
    world.mint(&json!({ "opensAt": now + HOUR, "closesAt": now + 2 * HOUR })).await;
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::VmNoMint);
    world.stack.clock().advance(Duration::from_secs(60 * 60));
    create_with(&world, &alice, &json!({})).await.expect(201);
    // Regardless of whether the worker has noticed it.
    world.stack.clock().advance(Duration::from_secs(60 * 60));
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::VmMintClosed);
    world.watch().await;
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::VmMintClosed);
}

/// Makes a mint look as if it had this many bids.
async fn crowd(world: &MintWorld, mint: MintId, bids: u64) {
    let key = keys::vm_sums(world.mint_row(mint).await.rune.id, mint);
    let sums = json!({ "inMempool": 1, "allInMempool": 1, "bids": bids });
    world.stack.import(&[(key, "vmSums", sums)]).unwrap();
}

/// The answer to a dry run of a batch.
async fn tried(world: &MintWorld, trader: &Trader, requests: u64, price: u64) -> Answer {
    let call = world.client.post("/api/vm-transactions?dryRun=true");
    let call = call.bearer(&world.token(trader).await);
    call.json(&world.batch_of(trader, requests, price)).send().await
}

/// The worker computes virtual blocks from all bids of a mint, so their number is limited.
#[tokio::test(flavor = "multi_thread")]
async fn a_mint_has_200_000_bids_at_most() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    let alice = world.trader(1, &[100_000, 2_000_000]).await;
    let bob = world.trader(2, &[2_000_000]).await;
    world.bid(&alice, 1, 1_000).await;
    assert_eq!(world.sum(mint, VmSum::Bids).await, 1);
    // A batch has a bid for each of its prices. The batch that it replaces has none.
    world.bid(&alice, 2, 1_100).await;
    assert_eq!(world.sum(mint, VmSum::Bids).await, 2);
    world.recount(mint).await;
    crowd(&world, mint, 200_000).await;
    for refused in [
        world.create(&bob, 1, 1_000_000).await,
        tried(&world, &bob, 1, 1_000_000).await,
        // A batch that replaces another one has one more.
        world.create(&alice, 1, 1_000_000).await,
        tried(&world, &alice, 1, 1_000_000).await,
    ] {
        assert_eq!(refused.expect_error(Problem::VmMintFull).body["params"]["maximum"], 200_000);
    }
    crowd(&world, mint, 199_999).await;
    world.create(&bob, 1, 1_000_000).await.expect(201);
    world.create(&alice, 1, 1_000_000).await.expect(201);
}

/// Requests that no block takes are refunded, so bids at the lowest price cost only fees.
#[tokio::test(flavor = "multi_thread")]
async fn bids_at_the_lowest_price_do_not_shut_out_higher_ones() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    let alice = world.trader(1, &[200_000]).await;
    let (bob, carol) = (world.trader(2, &[100_000]).await, world.trader(3, &[100_000]).await);
    // They fill the next virtual block.
    world.bid(&alice, 10, 1_500).await;
    world.watch().await;
    let path = format!("/api/vm-transactions/mints/{mint}/next-block");
    let to_enter = async || {
        let next = world.client.get(&path).send().await.expect(200);
        next.data()["priceToEnter"].clone()
    };
    crowd(&world, mint, 99_999).await;
    let early = world.create(&bob, 1, 1_000).await.expect(201);
    world.create(&carol, 1, 1_000).await.expect(201);
    for (bids, price) in [(100_000, 1_501), (112_499, 1_501), (112_500, 3_002), (137_500, 12_008)] {
        crowd(&world, mint, bids).await;
        for refused in [
            world.create(&carol, 2, price - 1).await,
            tried(&world, &carol, 2, price - 1).await,
            // A further price of a batch is a further bid.
            world.create(&alice, 1, price - 1).await,
            tried(&world, &alice, 1, price - 1).await,
        ] {
            let refused = refused.expect_error(Problem::VmMintCrowded);
            assert_eq!(refused.body["params"]["minimum"], price, "{bids}: {refused}");
        }
        assert_eq!(to_enter().await, json!(price), "{bids}");
        tried(&world, &carol, 1, price).await.expect(200);
        tried(&world, &alice, 1, price).await.expect(200);
    }
    // Drafts hold no place: those from before cannot be signed together now.
    let signed = bob.signed(early.text_of("base64Psbt"));
    let refused = world.sign(&bob, &signed).await.expect_error(Problem::VmMintCrowded);
    assert_eq!(refused.body["params"]["minimum"], 12_008);
    assert!(!world.is_known(txid_of(&early)).await);
    // Its coins are free again.
    world.sign(&bob, &signed).await.expect_error(Problem::ReservationExpired);
    crowd(&world, mint, 100_000).await;
    world.bid(&bob, 1, 1_501).await;
    world.bid(&alice, 1, 1_600).await;
    // A signed batch stays signed.
    let again = world.create(&carol, 1, 1_700).await.expect(201);
    let signed = carol.signed(again.text_of("base64Psbt"));
    world.sign(&carol, &signed).await.expect(201);
    crowd(&world, mint, 200_000).await;
    world.sign(&carol, &signed).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_or_full_mint_takes_no_requests() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[100_000]).await);
    world.bid(&alice, 4, 1_000).await;
    // Waiting requests are not taken yet: a higher price can still win.
    create_with(&world, &bob, &json!({})).await.expect(201);
    world.mine(1).await;
    create_with(&world, &bob, &json!({ "satsNewRequests": 4_000 }))
        .await
        .expect_error(Problem::VmMintClosed);
    world.recount(mint).await;
    // In another outcome of the chain, no block has taken any.
    let rows = world.vms(mint).await;
    let taken = rows.iter().find(|row| row.state == VmState::AllInBlock).unwrap();
    world.stack.bitcoin().reorg(1, &[taken.txid]).await.unwrap();
    world.watch().await;
    create_with(&world, &bob, &json!({ "satsNewRequests": 4_000 })).await.expect(201);
    world.close(mint).await;
    create_with(&world, &bob, &json!({})).await.expect_error(Problem::VmMintClosed);
    world.recount(mint).await;
}

/// Batches enter through gates. A worker with an outdated row opens none, and the next close finishes one that stopped halfway.
#[tokio::test(flavor = "multi_thread")]
async fn custody_03_what_a_closed_mint_has_shut_stays_shut() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let store = &world.stack.app().store;
    let open = world.mint_row(mint).await;
    let shut = mints::shut_gates(store, &open).await.unwrap().unwrap();
    let behind = Mint { gates: Gates { turn: open.gates.turn, ..shut.gates }, ..open };
    assert!(mints::open_gates(store, &behind).await.unwrap().is_none());
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::VmMintClosed);
    let open = mints::open_gates(store, &shut).await.unwrap().unwrap();
    assert_eq!(world.mint_row(mint).await.gates, open.gates);

    let created = create_with(&world, &alice, &json!({})).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    // A close that died after its first write.
    let closing = Update::new().set(Mint::CLOSES_AT, world.stack.app().clock.now());
    store.commit(Writes::new().update(&keys::mint(mint), closing, ())).await.unwrap();
    world.close(mint).await;
    let closed = world.mint_row(mint).await;
    assert_eq!(closed.gates.position, GatePosition::Shut);
    world.sign(&alice, &signed).await.expect_error(Problem::VmMintClosed);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_addresses_are_accepted_in_any_spelling() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let (evm, token) = (Wallet::evm(7), world.token(&alice).await);
    let differs = json!({ "userAddress": evm.address() });
    create_with(&world, &alice, &differs).await.expect_error(Problem::Forbidden);
    let proof = challenge(&world.client, &evm, "link", Some(&token)).await;
    let call = world.client.post("/api/account/addresses").bearer(&token);
    call.json(&evm.signed_challenge(&proof)).send().await.expect(201);

    let lowercase = evm.address().to_lowercase();
    let own = [
        (alice.trading.to_string(), alice.trading.to_string()),
        (alice.trading.to_string().to_uppercase(), alice.trading.to_string()),
        (alice.address().to_uppercase(), alice.address().to_owned()),
        (evm.address().to_owned(), lowercase.clone()),
    ];
    for (spelling, canonical) in &own {
        let created = create_with(&world, &alice, &json!({ "userAddress": spelling })).await;
        let txid = txid_of(&created.expect(201));
        assert_eq!(world.vm(mint, txid).await.user_address, *canonical);
        assert_eq!(open_count(&world, canonical).await, 1, "{canonical}");
        world.recount(mint).await;
    }
    // Each superseded the previous one, although the transaction is the same.
    assert_eq!(open_count(&world, alice.address()).await, 0);
    let created = create_with(&world, &alice, &differs).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    // It can no longer be signed under the address that first created it.
    world.sign(&alice, &signed).await.expect_error(Problem::NotTheIssuedTransaction);
    sign_at(&world.client, &token, evm.address(), &signed).await.expect(201);
    let path = format!("/api/vm-transactions?userAddress_eq={}", evm.address());
    let listed = world.client.get(path).send().await.expect(200);
    assert_eq!(listed.data()[0]["txId"], created.text_of("txId"));
    world.recount(mint).await;
    // An account has one chain of batches: a request under any of its addresses replaces the waiting batch.
    let next = world.bid(&alice, 1, 1_500).await;
    assert_eq!(world.listed(next).await["replaceTxId"], created.data()["txId"]);
    assert_eq!(
        (open_count(&world, &lowercase).await, open_count(&world, alice.address()).await),
        (0, 1)
    );
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_batch_returns_the_same_transaction_and_a_different_one_supersedes_it() {
    // One coin, so that the next batch succeeds only if it is free.
    let (world, mint, alice) = world_with(&[100_000]).await;
    let first = world.create(&alice, 3, 2_000).await.expect(201);
    assert_eq!(world.create(&alice, 3, 2_000).await.expect(201).data(), first.data());
    let other = world.create(&alice, 4, 2_000).await.expect(201);
    assert_ne!(txid_of(&other), txid_of(&first));
    assert_eq!(psbt_of(&other).unsigned_tx.input, psbt_of(&first).unsigned_tx.input);
    assert_eq!(state(&world, txid_of(&first)).await, TransactionState::Expired);
    assert_eq!(world.vm(mint, txid_of(&first)).await.state, VmState::Expired);
    let late = alice.signed(first.text_of("base64Psbt"));
    world.sign(&alice, &late).await.expect_error(Problem::ReservationExpired);
    assert_eq!(open_count(&world, alice.address()).await, 1);

    // And the first batch again.
    let again = world.create(&alice, 3, 2_000).await.expect(201);
    assert_eq!(txid_of(&again), txid_of(&first));
    assert_eq!(state(&world, txid_of(&other)).await, TransactionState::Expired);
    world.recount(mint).await;
    world.sign(&alice, &late).await.expect(201);
    assert_eq!(open_count(&world, alice.address()).await, 1);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_batch_can_be_created_again() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    for worker_has_seen_it in [false, true] {
        let created = world.create(&alice, 3, 2_000).await.expect(201);
        world.stack.clock().advance(TOO_LATE);
        if worker_has_seen_it {
            world.watch().await;
            assert_eq!(world.vm(mint, txid_of(&created)).await.state, VmState::Expired);
            assert_eq!(open_count(&world, alice.address()).await, 0);
        }
        let signed = alice.signed(created.text_of("base64Psbt"));
        world.sign(&alice, &signed).await.expect_error(Problem::ReservationExpired);
        let again = world.create(&alice, 3, 2_000).await.expect(201);
        assert_eq!(txid_of(&again), txid_of(&created));
        assert!(again.data()["expiresAt"].as_i64() > created.data()["expiresAt"].as_i64());
        assert_eq!(open_count(&world, alice.address()).await, 1);
        world.stack.clock().advance(TOO_LATE);
        let other = world.create(&alice, 5, 2_000).await.expect(201);
        assert_eq!(psbt_of(&other).unsigned_tx.input, psbt_of(&created).unsigned_tx.input);
        assert_eq!(open_count(&world, alice.address()).await, 1);
        world.stack.clock().advance(TOO_LATE);
    }
    world.watch().await;
    assert_eq!(open_count(&world, alice.address()).await, 0);
    assert!(!world.is_known(world.vms(mint).await[0].txid).await);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_identical_batches_are_one_transaction() {
    // One coin: a second batch would find none.
    let (world, mint, alice) = world_with(&[100_000]).await;
    for number in 1..=2 {
        let (client, token) = (world.client.clone(), world.token(&alice).await);
        let body = json!({
            "userAddress": alice.address(),
            "runeId": world.rune.to_string(),
            "requestCount": 5,
            "satsNewRequests": 10_000,
        });
        let answers =
            twenty_at_once(move |_n| {
                let (client, token, body) = (client.clone(), token.clone(), body.clone());
                async move {
                    client.post("/api/vm-transactions").bearer(&token).json(&body).send().await
                }
            })
            .await;
        let first = answers[0].data().clone();
        for answer in &answers {
            assert_eq!(*answer.clone().expect(201).data(), first);
        }
        assert_eq!(world.vms(mint).await.len(), number);
        assert_eq!(open_count(&world, alice.address()).await, number as u64);
        // Later requests replace it.
        let signed = alice.signed(answers[0].text_of("base64Psbt"));
        world.sign(&alice, &signed).await.expect(201);
        world.stack.clock().advance(Duration::from_secs(301));
    }
    world.recount(mint).await;
}

/// Signs a withdrawal.
async fn sign_withdrawal(world: &MintWorld, trader: &Trader, created: &Answer) -> Answer {
    let signed = trader.signed(created.text_of("base64Psbt"));
    let body = json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": signed } });
    let call = world.client.post("/api/xchain/transaction/sign");
    call.bearer(&world.token(trader).await).json(&body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_and_withdrawals_end_each_others_drafts() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = create_with(&world, &alice, &json!({})).await.expect(201);
    let withdrawal = withdraw(&world, &alice, 20_000).await.expect(201);
    assert_eq!(world.vm(mint, txid_of(&batch)).await.state, VmState::Expired);
    assert_eq!(open_count(&world, alice.address()).await, 0);
    let late = alice.signed(batch.text_of("base64Psbt"));
    world.sign(&alice, &late).await.expect_error(Problem::ReservationExpired);
    let more = json!({ "requestCount": 3, "satsNewRequests": 3_000 });
    let other = create_with(&world, &alice, &more).await.expect(201);
    sign_withdrawal(&world, &alice, &withdrawal).await.expect_error(Problem::ReservationExpired);
    let signed = alice.signed(other.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    assert_eq!(world.vm(mint, txid_of(&other)).await.state, VmState::AllInMempool);
    world.recount(mint).await;
}

/// A batch that is being signed wins or ends: its coin pays the treasury or the withdrawal, never both.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_signatures_of_a_batch_and_withdrawals_have_one_outcome() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    for seed in 1..=4 {
        let trader = world.trader(seed, &[100_000]).await;
        let batch = create_with(&world, &trader, &json!({})).await.expect(201);
        let sign = json!({
            "userAddress": trader.address(),
            "signedBase64Tx": trader.signed(batch.text_of("base64Psbt")),
        });
        let params = json!({
            "amount": "20000",
            "tokenId": "0:0",
            "withdrawTo": Wallet::p2tr(999).address(),
            "xchainData": "0xdeadbeef",
        });
        let create = json!({ "type": "xchain-withdraw", "params": params });
        let (client, token) = (world.client.clone(), world.token(&trader).await);
        let answers = twenty_at_once(move |n| {
            let (client, token) = (client.clone(), token.clone());
            let (path, body) = match n % 2 {
                0 => ("/api/vm-transactions/sign", sign.clone()),
                _ => ("/api/xchain/transaction", create.clone()),
            };
            async move { (n % 2 == 0, client.post(path).bearer(&token).json(&body).send().await) }
        })
        .await;
        let batch = txid_of(&batch);
        let is_signed = world.is_known(batch).await;
        for (signs, answer) in answers {
            match (signs, is_signed) {
                (true, true) | (false, false) => drop(answer.expect(201)),
                (true, false) => drop(answer.expect_error(Problem::ReservationExpired)),
                // The change that comes back, or the coin itself, is not there yet.
                (false, true) => {
                    assert!(["2002", "2023"].contains(&answer.code()), "{answer}");
                }
            }
        }
        let state = if is_signed { VmState::AllInMempool } else { VmState::Expired };
        assert_eq!(world.vm(mint, batch).await.state, state);
        world.mine(1).await;
    }
    world.recount(mint).await;
}

/// The same coins and sums make the same transaction for either mint; it belongs to one of them at a time.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_belongs_to_one_mint() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let etching = Etching {
        name: "ANOTHER•MINT•RUNE".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: Some(world.pool.address(NETWORK)),
    };
    let rune = world.stack.bitcoin().etch(&etching).await.unwrap().to_string();
    world.mine(6).await;
    let other = world.mint(&json!({ "runeId": rune })).await;

    let created = create_with(&world, &alice, &json!({})).await.expect(201);
    // The other mint's batch needs the coin, and so ends the first one.
    let moved = create_with(&world, &alice, &json!({ "runeId": rune })).await.expect(201);
    let txid = txid_of(&moved);
    assert_eq!(txid, txid_of(&created));
    assert_eq!(world.vm(mint, txid).await.state, VmState::Expired);
    assert_eq!(world.vm(other, txid).await.state, VmState::Unsigned);
    assert_eq!(open_count(&world, alice.address()).await, 1);
    let signed = alice.signed(moved.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    assert_eq!(world.vm(mint, txid).await.state, VmState::Expired);
    assert_eq!(world.vm(other, txid).await.state, VmState::AllInMempool);
    assert_eq!(world.sum(mint, VmSum::InMempool).await, 0);
    assert_eq!(world.sum(other, VmSum::InMempool).await, 2);
    create_with(&world, &alice, &json!({})).await.expect_error(Problem::InsufficientBtc);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_02_unconfirmed_coins_are_not_spent() {
    let (world, mint, alice) = world_with(&[20_000]).await;
    world.stack.bitcoin().fund(&alice.trading, 500_000).await.unwrap();
    world.create(&alice, 10, 2_500).await.expect_error(Problem::InsufficientBtc);
    world.mine(1).await;
    world.create(&alice, 10, 2_500).await.expect(201);
    // Nor is the change of a waiting batch; a batch that replaces it spends its coins instead.
    let txid = world.bid(&alice, 10, 2_500).await;
    let next = world.create(&alice, 10, 45_000).await.expect(201);
    let spends = psbt_of(&next).unsigned_tx.input;
    assert!(spends.iter().all(|input| input.previous_output.txid != txid));
    world.recount(mint).await;
}

/// An Esplora of the same stack that reports more blocks than the chain has, since mining them takes a
/// minute.
async fn esplora_ahead(world: &MintWorld, blocks: Arc<AtomicU32>) -> String {
    let behind = Client::new(world.stack.bitcoin().esplora_url());
    let answer = move |request: Request| async move {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let path = parts.uri.path();
        let answer = behind.request(parts.method, path).body(body).send().await;
        let text = match answer.text.parse::<u32>() {
            Ok(height) if path == "/blocks/tip/height" => {
                (height + blocks.load(SeqCst)).to_string()
            }
            _ => answer.text,
        };
        (StatusCode::from_u16(answer.status).unwrap(), text)
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_02_coins_within_eight_days_of_their_expiry_are_not_spent() {
    const LEFT: u32 = 1_008 + 144;
    let (mut world, mint, alice) = world_with(&[100_000]).await;
    // One confirmation exists already. The first batch needs another day, in which it can be replaced.
    let last = u32::from(DELAY) - LEFT - 1;
    let just = last - 144;
    let ahead = Arc::new(AtomicU32::new(just));
    let esplora = esplora_ahead(&world, ahead.clone()).await;
    world.client = with_setting(&world, "ESPLORA_URL", &esplora).await;
    world.create(&alice, 2, 1_000).await.expect(201);
    ahead.store(just + 1, SeqCst);
    world.create(&alice, 3, 1_000).await.expect_error(Problem::InsufficientBtc);
    // Withdrawals have no such limit.
    withdraw(&world, &alice, 50_000).await.expect(201);
    world.stack.clock().advance(TOO_LATE);

    // A replacement would have to spend it, so it is refused as well.
    ahead.store(just, SeqCst);
    let txid = world.bid(&alice, 2, 1_000).await;
    ahead.store(last + 1, SeqCst);
    world.create(&alice, 3, 1_000).await.expect_error(Problem::CoinsChanged);
    assert_eq!(world.vm(mint, txid).await.state, VmState::AllInMempool);
    ahead.store(last, SeqCst);
    world.bid(&alice, 3, 1_000).await;
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_19_an_ended_session_creates_and_signs_nothing() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let created = world.create(&alice, 2, 1_000).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let logout = world.client.post("/auth/logout").bearer(&alice.session.access_token);
    logout.send().await.expect(200);
    world.create(&alice, 3, 1_000).await.expect_error(Problem::SessionEnded);
    world.sign(&alice, &signed).await.expect_error(Problem::SessionEnded);
    assert!(!world.is_known(txid_of(&created)).await);
    assert_eq!(world.vms(mint).await.len(), 1);
    assert_eq!(world.vm(mint, txid_of(&created)).await.state, VmState::Unsigned);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_an_idempotency_key_creates_one_batch() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let create = async |requests: u64| {
        let body = json!({
            "userAddress": alice.address(),
            "runeId": world.rune.to_string(),
            "requestCount": requests,
            "satsNewRequests": requests * 1_000,
        });
        let call = world.client.post("/api/vm-transactions").bearer(&alice.session.access_token);
        call.header("Idempotency-Key", "once").json(&body).send().await
    };
    let first = create(2).await.expect(201);
    let signed = alice.signed(first.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    // Without the key it would now be a different batch, which replaces the first.
    assert_eq!(create(2).await.expect(201).body, first.body);
    create(3).await.expect_error(Problem::IdempotencyKeyReused);
    assert_eq!(world.vms(mint).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_batch_that_was_released_can_no_longer_be_signed() {
    let (world, _mint, alice) = world_with(&[100_000]).await;
    let token = world.token(&alice).await;
    let create = async || {
        let call = world.client.post("/api/vm-transactions").bearer(&token);
        let call = call.header("Idempotency-Key", "once");
        call.json(&world.batch_of(&alice, 2, 1_000)).send().await
    };
    let txid = txid_of(&create().await.expect(201));
    let release = world.client.delete(format!("/api/transactions/{txid}")).bearer(&token);
    release.send().await.expect(200);
    create().await.expect_error(Problem::ReservationExpired);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_of_more_coins_than_one_transaction_spends_is_refused_as_is_a_fee_above_the_cap() {
    let (world, _mint, alice) = world_with(&[]).await;
    let chain = world.stack.bitcoin();
    chain.scatter(&alice.trading, 5_000, 60).await.unwrap();
    world.create(&alice, 20, 10_000).await.expect_error(Problem::TooManyInputs);
    let bob = world.trader(2, &[100_000]).await;
    let capped = with_setting(&world, "FEE_CAP", "1000").await;
    chain.set_fees([(1, 100.0)].into()).unwrap();
    let call = capped.post("/api/vm-transactions").bearer(&world.token(&bob).await);
    call.json(&world.batch_of(&bob, 2, 1_000)).send().await.expect_error(Problem::FeeTooHigh);
}
