//! Mints that have ended, and what they have not taken.

use chain::{
    mints::{Changes, VmTransaction},
    models::mint::MintState,
};
use local::workspace::cases;
use shared::problem::Problem;

use super::*;

async fn rows(world: &MintWorld, query: &str) -> Answer {
    world.client.get(format!("/api/vm-transactions?{query}")).send().await.expect(200)
}

fn ids(answer: &Answer, field: &str) -> Vec<String> {
    let rows = answer.data().as_array().unwrap().iter();
    rows.map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

/// Closes a mint, and lets it fail.
async fn fail(world: &MintWorld, mint: MintId) {
    world.close(mint).await;
    world.watch().await;
    world.mine(7).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bids_of_a_second_mint_are_its_own() {
    let (world, first, alice) = world_with(&[100_000, 100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let at_first = world.bid(&alice, 12, 2_000).await;
    // It waits in the mempool of the chain while the mint ends.
    let unconfirmed = world.bid(&bob, 3, 5_000).await;
    mine_these(&world, &[&world.raw(at_first).await]).await;
    world.close(first).await;
    world.watch().await;
    for _block in 0..7 {
        mine_these(&world, &[]).await;
    }
    assert_eq!(world.mint_row(first).await.state, MintState::Failed);
    for txid in [at_first, unconfirmed] {
        let row = world.listed(txid).await;
        assert_eq!(
            (&row["state"], &row["requestsInMempoolCount"]),
            (&json!("notTaken"), &json!(0))
        );
        assert_eq!(row["requestsInBlocksCount"], 0);
    }
    assert_eq!(world.listed(at_first).await["isRefundable"], true);
    assert_eq!(world.sum(first, VmSum::InMempool).await, 0);
    world.recount(first).await;

    let second = world.mint(&json!({})).await;
    let bid = world.bid(&alice, 2, 1_500).await;
    // The documented query for the bids that wait by price.
    let rune = world.rune;
    let waiting = format!("state_eq=allInMempool&runeId_eq={rune}&sort=-satsPerNewRequest");
    assert_eq!(ids(&rows(&world, &waiting).await, "txId"), [bid.to_string()]);
    let of = |mint: MintId| format!("mintId_eq={mint}");
    let all = [bid, unconfirmed, at_first].map(|txid| txid.to_string());
    assert_eq!(ids(&rows(&world, &of(second)).await, "txId"), all[..1]);
    assert_eq!(ids(&rows(&world, &of(first)).await, "txId"), all[1..]);
    let both = format!("mintId_eq={first},{second}&runeId_eq={rune}");
    assert_eq!(ids(&rows(&world, &both).await, "txId"), all);
    let own = format!("userAddress_eq={}&runeId_eq={rune}&{}", alice.address(), of(second));
    assert_eq!(ids(&rows(&world, &own).await, "txId"), all[..1]);
    let own = format!("tradingAddress_eq={}&{}&state_eq=notTaken", alice.trading, of(first));
    assert_eq!(ids(&rows(&world, &own).await, "txId"), all[2..]);
    for (query, found) in [
        ("state_eq=notTaken".to_owned(), &all[1..]),
        ("state_eq=notTaken,allInMempool".to_owned(), &all[..]),
        (format!("state_eq=notTaken,allInMempool&{}", of(second)), &all[..1]),
        (format!("state_eq=notTaken&{}", of(second)), &all[..0]),
        (format!("runeId_eq=1:1&{}", of(second)), &all[..0]),
    ] {
        let answer = rows(&world, &query).await;
        assert_eq!(ids(&answer, "txId"), found, "{query}");
        assert_eq!(answer.body["metaData"]["totalItems"], found.len(), "{query}");
    }

    // The mints of the rune, and the one that is open.
    let mints = async |query: &str| {
        let path = format!("/api/vm-transactions/mints?{query}");
        ids(&world.client.get(path).send().await.expect(200), "id")
    };
    assert_eq!(mints(&format!("runeId_eq={rune}")).await, [second, first].map(|it| it.to_string()));
    let open = format!("runeId_eq={rune}&state_eq=open&pageSize=1");
    assert_eq!(mints(&open).await, [second.to_string()]);
    assert_eq!(mints("state_eq=failed,distributed").await, [first.to_string()]);
    assert!(mints("runeId_eq=1:1").await.is_empty());

    // The unconfirmed batch confirms after all, and becomes refundable.
    world.mine(7).await;
    let paid = world.vm(first, unconfirmed).await;
    assert_eq!((paid.state, paid.refundable_sats()), (VmState::NotTaken, 15_000));
    assert!(paid.is_refundable());
    assert_eq!(world.sum(first, VmSum::InState(VmState::NotTaken)).await, 2);
}

/// A batch that its mint has not taken can still be gone from the chain.
#[tokio::test(flavor = "multi_thread")]
async fn custody_06_a_batch_not_taken_follows_its_commitment() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = world.bid(&alice, 2, 2_000).await;
    world.close(mint).await;
    world.watch().await;
    for _block in 0..7 {
        mine_these(&world, &[]).await;
    }
    assert_eq!(world.vm(mint, batch).await.state, VmState::NotTaken);
    // A block has it, and another chain without it is longer.
    world.mine(1).await;
    assert!(world.vm(mint, batch).await.confirmation.is_some());
    world.stack.bitcoin().reorg(1, &[batch]).await.unwrap();
    world.watch().await;
    let row = world.vm(mint, batch).await;
    assert_eq!((row.state, row.confirmation, row.settlement), (VmState::NotTaken, None, None));
    world.mine(7).await;
    let row = world.vm(mint, batch).await;
    assert_eq!((row.state, row.refundable_sats()), (VmState::NotTaken, 4_000));
    world.recount(mint).await;
}

/// Its owner need not wait for a block that may never have it.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_batch_not_taken_can_be_cancelled() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = world.bid(&alice, 2, 2_000).await;
    let replace = async |action: &str| {
        let token = world.token(&alice).await;
        let call = world.client.post(format!("/api/transactions/{batch}/replace"));
        call.bearer(&token).json(&json!({ "action": action })).send().await
    };
    // The mint may still take it.
    replace("cancel").await.expect_error(Problem::NotReplaceable);
    world.close(mint).await;
    world.watch().await;
    replace("cancel").await.expect_error(Problem::NotReplaceable);
    for _block in 0..7 {
        mine_these(&world, &[]).await;
    }
    assert_eq!(world.vm(mint, batch).await.state, VmState::NotTaken);
    replace("bump").await.expect_error(Problem::NotReplaceable);
    let cancel = replace("cancel").await.expect(201);
    let signed = alice.signed(cancel.text_of("base64Psbt"));
    let call = world.client.post("/api/transactions/sign").bearer(&world.token(&alice).await);
    call.json(&json!({ "params": { "signedBase64Tx": signed } })).send().await.expect(201);
    let cancelled_by = txid_of(&cancel);
    assert_eq!(world.issued(batch).await.state, TransactionState::Replaced);
    world.mine(7).await;
    world.pass(Duration::from_secs(3_600)).await;
    assert_eq!(world.issued(cancelled_by).await.state, TransactionState::Confirmed);
    assert_eq!(world.issued(batch).await.state, TransactionState::Failed);
    let row = world.vm(mint, batch).await;
    assert_eq!((row.state, row.refundable_sats()), (VmState::Failed, 0));
    let coins = world.stack.bitcoin().coins(&alice.trading).await.unwrap();
    assert_eq!(coins.len(), 1);
    assert!(coins[0].output.value.to_sat() > 97_000, "{coins:?}");
    replace("cancel").await.expect_error(Problem::NotReplaceable);
    world.recount(mint).await;
}

/// A block contains the batch although its owner has cancelled it: it is refunded like any other batch.
#[tokio::test(flavor = "multi_thread")]
async fn custody_06_a_cancelled_batch_that_confirms_after_all_is_refunded() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = world.bid(&alice, 2, 2_000).await;
    let raw = world.raw(batch).await;
    world.close(mint).await;
    world.watch().await;
    for _block in 0..7 {
        mine_these(&world, &[]).await;
    }
    let token = world.token(&alice).await;
    let call = world.client.post(format!("/api/transactions/{batch}/replace")).bearer(&token);
    let cancel = call.json(&json!({ "action": "cancel" })).send().await.expect(201);
    let signed = alice.signed(cancel.text_of("base64Psbt"));
    let call = world.client.post("/api/transactions/sign").bearer(&token);
    call.json(&json!({ "params": { "signedBase64Tx": signed } })).send().await.expect(201);
    let cancelled_by = txid_of(&cancel);
    mine_these(&world, &[&raw]).await;
    for _block in 0..7 {
        mine_these(&world, &[]).await;
    }
    world.pass(Duration::from_secs(3_600)).await;
    assert_eq!(world.issued(batch).await.state, TransactionState::Confirmed);
    assert_eq!(world.issued(cancelled_by).await.state, TransactionState::Failed);
    let row = world.vm(mint, batch).await;
    assert_eq!((row.state, row.refundable_sats()), (VmState::NotTaken, 4_000));
    assert!(row.is_refundable());
    world.recount(mint).await;
}

/// All batches of a mint end with it, whatever their number.
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_batches_end_with_their_mint() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = world.bid(&alice, 2, 2_000).await;
    let like = world.vm(mint, batch).await;
    let store = &world.stack.app().store;
    let count = u32::try_from(cases(600, 10_000)).unwrap();
    let planted: Vec<_> = (0..count)
        .map(|number| {
            let mut id = [0x5a; 32];
            id[..4].copy_from_slice(&number.to_le_bytes());
            let txid = bitcoin::hashes::Hash::from_byte_array(id);
            VmTransaction { txid, ..like.clone() }
        })
        .collect();
    for some in planted.chunks(15) {
        let rows = some.iter().cloned().fold(Changes::new(), Changes::insert);
        store::lists::commit(store, chain::keys::lists::VM, rows.writes(store.now(), ()))
            .await
            .unwrap();
    }
    let in_mempool = async || world.sum(mint, VmSum::InMempool).await;
    assert_eq!(in_mempool().await, 2 * u64::from(count + 1));
    fail(&world, mint).await;
    for _look in 0..20 {
        if in_mempool().await == 0 {
            break;
        }
        world.watch().await;
    }
    assert_eq!(in_mempool().await, 0);
    let in_state = async |state| world.sum(mint, VmSum::InState(state)).await;
    assert_eq!(in_state(VmState::NotTaken).await, u64::from(count + 1));
    assert_eq!(in_state(VmState::AllInMempool).await, 0);
    let not_taken = format!("state_eq=notTaken&runeId_eq={}&pageSize=100", world.rune);
    let listed = rows(&world, &not_taken).await;
    assert_eq!(listed.body["metaData"]["totalItems"], count + 1);
    assert!(listed.data().as_array().unwrap().iter().all(|row| row["requestsInMempoolCount"] == 0));
    let path = "/api/vm-transactions/count-unconfirmed-requests";
    assert_eq!(world.client.get(path).send().await.expect(200).data()["count"], 0);
}
