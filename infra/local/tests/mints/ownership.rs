//! Batches belong to the wallets that paid for them, and addresses of unfinished batches stay linked.

use std::time::Duration;

use chain::{
    keys,
    mints::{Mint, Released, Settlement, VmTransaction},
    models::{amount::Units, vm_transaction::RefundState},
};
use local::wallets::{Wallet, challenge, register, sign_in, sign_in_by_challenge, with};
use serde::{Deserialize, Serialize};
use shared::problem::Problem;
use store::{Entity, Update, Writes};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_an_address_stays_linked_while_its_batch_is_unfinished() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 20 })).await;
    let alice = world.trader(1, &[100_000, 100_000]).await;
    let evm = Wallet::evm(9);
    let address = evm.address().to_lowercase();
    let token = alice.session.access_token.clone();
    let proof = evm.signed_challenge(&challenge(&world.client, &evm, "link", Some(&token)).await);
    let call = world.client.post("/api/account/addresses").bearer(&token);
    call.json(&proof).send().await.expect(201);

    let linked = Trader { wallet: evm.clone(), ..alice.clone() };
    let call = world.client.post("/api/vm-transactions").bearer(&token).json(&json!({
        "userAddress": evm.address(), "runeId": world.rune.to_string(),
        "requestCount": 5, "satsNewRequests": 10_000,
    }));
    let created = call.send().await.expect(201);
    let unlink = async || {
        let token = sign_in(&world.client, &alice.wallet).await.access_token;
        let path = format!("/api/account/addresses/{address}");
        world.client.delete(path).bearer(&token).send().await
    };
    unlink().await.expect_error(Problem::AddressInUse);
    let body = json!({
        "userAddress": evm.address(), "signedBase64Tx": alice.signed(created.text_of("base64Psbt")),
    });
    let call = world.client.post("/api/vm-transactions/sign").bearer(&token);
    call.json(&body).send().await.expect(201);
    unlink().await.expect_error(Problem::AddressInUse);
    // It is found by that address, and only the trading address is paid.
    let path = format!("/api/vm-transactions?userAddress_eq={address}");
    let found = world.client.get(path).send().await.expect(200);
    assert_eq!(found.data()[0]["tradingAddress"], alice.trading.to_string());
    assert!(!found.text.contains(&address));

    world.close(mint).await;
    world.mine(1).await;
    world.mine(7).await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Failed);
    unlink().await.expect_error(Problem::AddressInUse);
    let before = sats_of(&world, &alice.trading).await;
    let token = sign_in(&world.client, &alice.wallet).await.access_token;
    let call = world.client.post("/api/refund").bearer(&token).json(&json!({
        "type": "virtual_mint", "runeIds": [world.rune.to_string()], "userAddress": address,
    }));
    let created = call.send().await.expect(201);
    let call = world.client.post("/api/refund/sign").bearer(&token).json(&json!({
        "userAddress": address, "base64Psbt": alice.signed(created.text_of("base64Psbt")),
    }));
    call.send().await.expect(201);
    world.mine(1).await;
    unlink().await.expect_error(Problem::AddressInUse);
    world.mine(6).await;
    world.recount(mint).await;
    let fee = created.data()["fee"]["totalFee"].as_u64().unwrap();
    assert_eq!(sats_of(&world, &alice.trading).await, before + 10_000 - fee);
    unlink().await.expect(200);
    world.calculate(&linked).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_batches_of_an_earlier_address_are_refunded_after_a_rotation() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 20 })).await;
    let old = Wallet::p2wpkh(21);
    register(&world.client, &old, &json!({ "encryptedBlob": "b2xk" })).await;
    let alice = world.trader(21, &[100_000]).await;
    let bob = world.trader(22, &[100_000]).await;
    world.bid(&alice, 5, 2_000).await;
    let b = world.bid(&bob, 5, 2_000).await;
    world.close(mint).await;
    world.mine(1).await;
    world.mine(7).await;

    let new = Wallet::evm(23);
    let token = sign_in(&world.client, &old).await.access_token;
    let asked = challenge(&world.client, &new, "rotate", Some(&token)).await;
    let body = with(new.signed_challenge(&asked), &json!({ "encryptedBlob": "bmV3" }));
    let call = world.client.post("/api/account/wallet/rotate").bearer(&token);
    call.json(&body).send().await.expect(200);

    let token = sign_in_by_challenge(&world.client, &new).await.access_token;
    let refund = |address: &str| {
        world.client.post("/api/refund").bearer(&token).json(&json!({
            "type": "virtual_mint", "runeIds": [world.rune.to_string()], "userAddress": address,
        }))
    };
    let created = refund(old.address()).send().await.expect(201);
    let call = world.client.post("/api/refund/sign").bearer(&token).json(&json!({
        "userAddress": old.address(),
        "base64Psbt": alice.signed(created.text_of("base64Psbt")),
    }));
    call.send().await.expect(201);
    // The old address can begin nothing new, and a stranger's address is refused.
    let call = world.client.post("/api/vm-transactions").bearer(&token).json(&json!({
        "userAddress": old.address(), "runeId": world.rune.to_string(),
        "requestCount": 1, "satsNewRequests": 1_000,
    }));
    call.send().await.expect_error(Problem::Forbidden);
    refund(bob.address()).send().await.expect_error(Problem::Forbidden);
    world.mine(7).await;
    world.mine(1).await;
    world.recount(mint).await;
    assert!(world.vm(mint, b).await.is_refundable());
    let refunded = world.vms(mint).await;
    let refunded = refunded.iter().find(|row| row.user_address == old.address()).unwrap();
    assert_eq!(refunded.refund_state, RefundState::Refunded);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_an_unsigned_batch_exists_for_its_owner_alone() {
    let world = MintWorld::start(100_000).await;
    world.mint(&json!({})).await;
    let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[]).await);
    let created = world.create(&alice, 2, 2_000).await.expect(201);
    let path = format!("/api/vm-transactions/{}", txid_of(&created));
    let get = async |trader: &Trader| {
        world.client.get(&path).bearer(&world.token(trader).await).send().await
    };
    let own = get(&alice).await.expect(200);
    assert_eq!(
        (own.text_of("state"), own.text_of("base64Tx")),
        ("unsigned", created.text_of("base64Psbt"))
    );
    assert_eq!(own.body["metaData"]["pollAfterMs"], 2_000);
    get(&bob).await.expect_error(Problem::VmTransactionNotFound);
    world.client.get(&path).send().await.expect_error(Problem::VmTransactionNotFound);
    let stale = world.client.get(&path).bearer("stale").send().await;
    assert_eq!(stale.status, 401, "{stale}");
    // Once it is signed, everybody sees it.
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    assert_eq!(world.client.get(&path).send().await.expect(200).text_of("state"), "allInMempool");
    // A txid of another transaction, and a malformed one, name no batch.
    for other in [format!("{:064x}", 1), "x".to_owned()] {
        let answer = world.client.get(format!("/api/vm-transactions/{other}")).send().await;
        assert!([400, 404].contains(&answer.status), "{answer}");
    }
}

/// Runes go to the wallet whose coin the commitment spends, even if a function that may write the batch's row has
/// written another one into it (custody rule 33).
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_runes_are_sent_only_to_the_wallet_that_paid() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let mallory = world.trader(2, &[]).await;
    let batch = world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    let key = keys::vm_transaction(world.vm(mint, batch).await.key());
    let readdress = async |to: &Address| {
        let update = Update::new().set(VmTransaction::TRADING_ADDRESS, to.to_string());
        let writes = Writes::new().update(&key, update, ());
        world.stack.app().store.commit(writes).await.unwrap();
    };
    readdress(&mallory.trading).await;
    world.mine(6).await;
    world.watch().await;
    let transaction = async || world.distributions(mint).await.remove(0).transaction;
    assert_eq!(transaction().await, None);
    assert!(world.mint_row(mint).await.payouts_planned);

    readdress(&alice.trading).await;
    world.pass(Duration::from_secs(3_600)).await;
    assert!(transaction().await.is_some());
    world.mine(7).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &mallory.trading).await, 0);
    world.recount(mint).await;
}

/// Nor does a row that claims more requests than the blocks took change what is sent.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_row_that_claims_more_requests_gets_none() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let batch = world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    let key = keys::vm_transaction(world.vm(mint, batch).await.key());
    let store = &world.stack.app().store;
    let honest = world.vm(mint, batch).await;
    let settlement =
        Settlement { distributable_requests: 40_000, refundable_requests: 0, refundable_sats: 0 };
    let state = VmState::Distributing;
    let forged = VmTransaction {
        state,
        is_final: true,
        settlement: Some(settlement),
        transfer: Some(2),
        distribution: Some(1),
        ..honest
    };
    world.stack.bitcoin().mine(6).await.unwrap();
    store.put(&key, &forged).await.unwrap();
    for _look in 0..3 {
        world.watch().await;
    }
    let payouts = world.payouts(mint).await;
    assert!(payouts.iter().all(|payout| payout.transaction.is_none()), "{payouts:?}");
    assert_eq!(runes_of(&world, &alice.trading).await, 0);
}

/// Changes the row of a mint as a function could that may write it.
async fn rewrite(world: &MintWorld, mint: MintId, change: impl FnOnce(Mint) -> Mint) {
    let row = change(world.mint_row(mint).await);
    world.stack.app().store.put(&keys::mint(mint), &row).await.unwrap();
}

/// The terms of a mint are those of the worker's first look. If its row says something else, nothing is paid,
/// and an operator is notified (custody rule 33).
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_the_terms_of_a_mint_do_not_change() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    let honest = world.mint_row(mint).await;
    let thief = Wallet::p2tr(31).address().to_owned();
    let proceeds = |mint: Mint| Mint { proceeds_address: thief.clone(), ..mint };
    rewrite(&world, mint, proceeds).await;
    world.mine(6).await;
    world.watch().await;
    assert_eq!(world.payouts(mint).await, []);
    let row = world.mint_row(mint).await;
    assert!(row.failing.is_some(), "{row:?}");
    let others: [fn(Mint) -> Mint; 6] = [
        |mint| Mint { treasury: mint.pool.clone(), ..mint },
        |mint| Mint { pool: mint.treasury.clone(), ..mint },
        |mint| Mint { min_sats_per_request: 1, ..mint },
        |mint| Mint { requests_per_block: 1, ..mint },
        |mint| Mint { tokens_per_request: Units(2_000), ..mint },
        |mint| Mint { total_requests: 3, ..mint },
    ];
    for other in others {
        let kept = honest.clone();
        rewrite(&world, mint, |mint| {
            other(Mint { failing: mint.failing, watch: mint.watch, due_at: mint.due_at, ..kept })
        })
        .await;
        world.pass(Duration::from_secs(3_600)).await;
        assert_eq!(world.payouts(mint).await, []);
    }

    rewrite(&world, mint, |mint| Mint {
        failing: mint.failing,
        watch: mint.watch,
        due_at: mint.due_at,
        ..honest
    })
    .await;
    for _block in 0..12 {
        world.pass(Duration::from_secs(3_600)).await;
        world.mine(1).await;
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(sats_of(&world, &world.proceeds).await, 8_000);
    world.recount(mint).await;
}

/// An open mint does not count as failed because its row says so. Otherwise its batches could be refunded and
/// still get their runes later.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_mint_ends_as_the_worker_has_found() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let batch = world.bid(&alice, 4, 2_000).await;
    world.mine(7).await;
    rewrite(&world, mint, |mint| Mint { state: MintState::Failed, ..mint }).await;
    world.watch().await;
    let row = world.vm(mint, batch).await;
    assert!(row.state == VmState::AllInBlock && !row.is_refundable(), "{row:?}");
    let ended = |mint| Mint { state: MintState::MintedOut, minted_out_at: Some(1), ..mint };
    rewrite(&world, mint, ended).await;
    world.pass(Duration::from_secs(3_600)).await;
    assert_eq!(world.payouts(mint).await, []);
    assert_eq!(world.vm(mint, batch).await.settlement, None);
}

/// A batch whose row asks for more than its commitment has paid takes nothing, and gets back what it has paid.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_that_has_paid_less_than_it_bids_takes_nothing() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let mallory = world.trader(2, &[100_000, 100_000]).await;
    let hers = world.bid(&alice, 4, 2_000).await;
    let forged = world.bid(&mallory, 2, 1_500).await;
    let mut row = world.vm(mint, forged).await;
    row.tiers[0].sats_per_request = 9_000;
    world.stack.app().store.put(&keys::vm_transaction(row.key()), &row).await.unwrap();
    world.mine(1).await;
    assert_eq!(world.vm(mint, hers).await.requests_in_blocks(), 4);
    assert_eq!(world.vm(mint, forged).await.requests_in_blocks(), 0);
    world.mine(6).await;
    world.watch().await;
    let settled = world.vm(mint, forged).await;
    assert_eq!((settled.state, settled.refundable_sats()), (VmState::NotTaken, 3_000));

    let before = sats_of(&world, &mallory.trading).await;
    let created = world.create_refund(&mallory).await.expect(201);
    let signed = mallory.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(&mallory, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool");
    for _block in 0..9 {
        world.mine(1).await;
    }
    let fee = created.data()["fee"]["totalFee"].as_u64().unwrap();
    assert_eq!(sats_of(&world, &mallory.trading).await, before + 3_000 - fee);
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &mallory.trading).await, 0);
    world.recount(mint).await;
}

/// A row that cannot be read.
#[derive(Serialize, Deserialize)]
struct Unreadable {
    version: String,
}

impl Entity for Unreadable {
    const ENTITY: &'static str = "vmTransaction";
}

/// Nor does it take anything if its row could not be read when its block was applied.
#[tokio::test(flavor = "multi_thread")]
async fn custody_33_a_batch_that_is_read_late_gets_back_what_it_has_paid() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let mallory = world.trader(2, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    let forged = world.bid(&mallory, 2, 1_500).await;
    let mut row = world.vm(mint, forged).await;
    row.tiers[0].sats_per_request = 9_000;
    let (store, key) = (&world.stack.app().store, keys::vm_transaction(row.key()));
    store.put(&key, &Unreadable { version: "x".to_owned() }).await.unwrap();
    world.mine(1).await;
    store.put(&key, &row).await.unwrap();
    world.mine(7).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    let settled = world.vm(mint, forged).await;
    assert_eq!((settled.state, settled.refundable_sats()), (VmState::NotTaken, 3_000));
    let released = store.get::<Released>(&keys::released(settled.key())).await.unwrap();
    assert_eq!(released.map(|released| released.sats), Some(3_000));
}
