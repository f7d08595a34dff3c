//! Every state of a withdrawal has a way out: its owner raises the fee, the chain decides, or the failed
//! party recovers (custody rule 25).

use std::time::Duration;

use bitcoin::consensus::encode;
use chain::{
    keys,
    models::xchain::{XchainRecord, XchainStatus},
    transactions::{self, IssuedTransaction},
};
use local::{bitcoin::Replica, hub::intent_of};
use shared::problem::Problem;
use store::{Update, Writes};

use super::*;

/// Fee delta in sats by which the node's view of a transaction is lowered or restored.
const FAR_BELOW: i64 = 1_000_000;

/// Makes the node refuse a transaction as underpaying, or accept it again.
async fn set_refused(world: &World, txid: Txid, refused: bool) {
    let by = if refused { -FAR_BELOW } else { FAR_BELOW };
    world.stack.bitcoin().rpc("prioritisetransaction", json!([txid, 0, by])).await.unwrap();
}

/// A withdrawal with these parameters that replaces another one.
async fn replacing(world: &World, user: &User, txid: Txid, params: &Value) -> Answer {
    replacing_by("/api/xchain/transaction", world, user, txid, params).await
}

async fn replacing_by(
    path: &str,
    world: &World,
    user: &User,
    txid: Txid,
    params: &Value,
) -> Answer {
    let mut params = params.clone();
    params["replaceTxId"] = json!(txid);
    // The clock has advanced and access tokens have expired.
    let session = sign_in(&world.client, &user.wallet).await;
    let body = json!({ "type": "xchain-withdraw", "params": params });
    world.client.post(path).bearer(&session.access_token).json(&body).send().await
}

async fn sign(world: &World, user: &User, created: &Answer) -> Answer {
    let session = sign_in(&world.client, &user.wallet).await;
    let signed = text(&signed(&psbt_of(created), &user.wallet));
    let body = json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": signed } });
    let path = "/api/xchain/transaction/sign";
    world.client.post(path).bearer(&session.access_token).json(&body).send().await
}

async fn record(world: &World, txid: Txid) -> XchainRecord {
    world.stack.app().store.get(&keys::xchain_withdrawal(txid)).await.unwrap().unwrap()
}

fn relayed_txids(world: &World) -> Vec<Txid> {
    world.stack.hub().withdrawals().iter().map(|told| told.tx_id).collect()
}

/// A withdrawal that the node has refused for half an hour.
async fn refused(world: &World, user: &User) -> Txid {
    let created = world.created(user, 20_000).await;
    let txid = txid_of(&created);
    set_refused(world, txid, true).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    assert_eq!(world.sign(user, &signed).await.expect(201).data()["state"], "broadcasting");
    let early = replacing(world, user, txid, &btc(20_000)).await;
    early.expect_error(Problem::NotReplaceable);
    while world.row(txid).await.looks < 6 {
        world.watch_after(901).await;
    }
    txid
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_the_owner_raises_the_fee_of_a_waiting_withdrawal() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 60_000]).await;
    let chain = world.stack.bitcoin();
    chain.set_fees([(1, 2.0)].into()).unwrap();
    let old = withdrawn(&world, &user).await;
    world.stack.hub().set_status(intent_of(old), XchainStatus::Relaying);
    world.watch_after(31).await;
    world.watch_after(31).await;
    assert_eq!(relayed_txids(&world), [old]);

    chain.set_fees([(1, 30.0)].into()).unwrap();
    // The hub expects this withdrawal.
    replacing(&world, &user, old, &btc(21_000)).await.expect_error(Problem::NotReplaceable);
    let other = world.user(2).await;
    replacing(&world, &other, old, &btc(20_000))
        .await
        .expect_error(Problem::NotTheIssuedTransaction);
    let by_transactions = async |user: &User, sats: u64| {
        replacing_by("/api/transactions", &world, user, old, &btc(sats)).await
    };
    by_transactions(&user, 21_000).await.expect_error(Problem::NotReplaceable);
    by_transactions(&other, 20_000).await.expect_error(Problem::NotTheIssuedTransaction);
    let created = replacing(&world, &user, old, &btc(20_000)).await.expect(201);
    let new = txid_of(&created);
    let before = world.body(old).await;
    assert!(
        spent(&psbt_of(&created)).iter().any(|coin| before.inputs.iter().any(|it| it.0 == *coin))
    );
    assert_eq!(sign(&world, &user, &created).await.expect(201).data()["state"], "inMempool");
    assert_eq!(world.state(old).await, TransactionState::Replaced);
    assert!(world.in_mempool(new).await && !world.in_mempool(old).await);
    assert!(world.row(new).await.fee > before.promised.fee.to_sat());
    // A withdrawal is replaced by way of its newest version.
    chain.set_fees([(1, 60.0)].into()).unwrap();
    let third = replacing(&world, &user, old, &btc(20_000)).await.expect(201);
    assert_eq!(sign(&world, &user, &third).await.expect(201).data()["state"], "inMempool");
    let newest = txid_of(&third);
    assert_eq!(world.row(newest).await.earlier, [old, new]);
    assert_eq!(world.state(new).await, TransactionState::Replaced);

    world.mine(7).await;
    for _look in 0..4 {
        world.watch_after(61).await;
    }
    assert_eq!(world.state(newest).await, TransactionState::Confirmed);
    for gone in [old, new] {
        assert_eq!(world.state(gone).await, TransactionState::Failed);
        let row = record(&world, gone).await;
        assert!(row.replaced_by_tx_id.is_some());
        assert!(row.failure_reason.unwrap().contains("has replaced it"));
    }
    assert!(!record(&world, newest).await.status.is_final());
    assert_eq!(relayed_txids(&world), [old], "under the id that the hub knows, and no other");
    let path = "/api/xchain/transactions?select=%2BreplaceTxId,%2BreplacedByTxId";
    let listed = world.client.get(path).send().await.expect(200);
    let rows = listed.data().as_array().unwrap();
    let links = |txid: Txid| {
        let row = rows.iter().find(|row| row["txId"] == txid.to_string()).unwrap();
        (row["replaceTxId"].clone(), row["replacedByTxId"].clone())
    };
    assert_eq!(links(old), (Value::Null, json!(new)));
    assert_eq!(links(new), (json!(old), json!(newest)));
    assert_eq!(links(newest), (json!(new), Value::Null));
    // A confirmed withdrawal cannot be replaced.
    replacing(&world, &user, newest, &btc(20_000)).await.expect_error(Problem::NotReplaceable);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_refused_withdrawal_can_be_replaced() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let old = refused(&world, &user).await;
    assert!(relayed_txids(&world).is_empty());
    let mut other = btc(30_000);
    other["withdrawTo"] = json!(Wallet::p2tr(998).address());
    let created = replacing(&world, &user, old, &other).await.expect(201);
    assert_eq!(sign(&world, &user, &created).await.expect(201).data()["state"], "inMempool");
    let new = txid_of(&created);
    assert_eq!(world.state(old).await, TransactionState::Replaced);
    world.watch_after(61).await;
    world.watch_after(61).await;
    assert!(relayed_txids(&world).is_empty(), "neither of the two versions is confirmed");
    world.mine(7).await;
    for _look in 0..4 {
        world.watch_after(61).await;
    }
    assert_eq!(relayed_txids(&world), [new]);
    assert_eq!(world.state(old).await, TransactionState::Failed);
    assert_eq!(record(&world, old).await.status, XchainStatus::Failed);
}

/// A miner has kept the old version.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_the_version_that_confirms_is_relayed() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 30_000]).await;
    let old = refused(&world, &user).await;
    let created = replacing(&world, &user, old, &btc(50_000)).await.expect(201);
    sign(&world, &user, &created).await.expect(201);
    let new = txid_of(&created);
    let raw = transactions::raw(world.stack.app(), old).await.unwrap();
    let raw = encode::serialize_hex(&raw);
    let chain = world.stack.bitcoin();
    chain.rpc("generateblock", json!([somewhere(), [raw]])).await.unwrap();
    world.mine(6).await;
    for _look in 0..6 {
        world.watch_after(901).await;
    }
    assert_eq!(world.state(old).await, TransactionState::Confirmed);
    assert_eq!(world.state(new).await, TransactionState::Failed);
    assert_eq!(relayed_txids(&world), [old]);
    // The other coins of the failed version are free.
    let free: u64 =
        chain.coins(&user.trading).await.unwrap().iter().map(|c| c.output.value.to_sat()).sum();
    replacing_nothing(&world, &user, free - 5_000).await.expect(201);
}

async fn replacing_nothing(world: &World, user: &User, sats: u64) -> Answer {
    let session = sign_in(&world.client, &user.wallet).await;
    let body = json!({ "type": "xchain-withdraw", "params": btc(sats) });
    let call = world.client.post("/api/xchain/transaction").bearer(&session.access_token);
    call.json(&body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_withdrawal_that_confirms_during_its_replacement_is_kept() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let old = withdrawn(&world, &user).await;
    let created = replacing(&world, &user, old, &btc(20_000)).await.expect(201);
    world.mine(1).await;
    sign(&world, &user, &created).await.expect_error(Problem::CoinsChanged);
    world.watch_after(61).await;
    assert_eq!(world.state(old).await, TransactionState::Confirmed);
    assert_eq!(world.state(txid_of(&created)).await, TransactionState::Expired);
}

/// The user could soon spend these coins without the platform, so an unconfirmed withdrawal could be double-spent.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_withdrawal_of_coins_near_expiry_is_relayed_after_its_first_block() {
    let world = world().await;
    let user = world.user_with(1, &[60_000]).await;
    let created = world.created(&user, 20_000).await;
    let txid = txid_of(&created);
    let height = world.stack.bitcoin().height().await.unwrap();
    assert_eq!(world.row(txid).await.user_only_from, Some(height + 12_959));
    // A day before that height.
    let soon = Update::new().set(IssuedTransaction::USER_ONLY_FROM, height + 144);
    let store = &world.stack.app().store;
    store.commit(Writes::new().update(&keys::transaction(txid), soon, ())).await.unwrap();
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    assert_eq!(world.sign(&user, &signed).await.expect(201).data()["state"], "inMempool");
    for _look in 0..3 {
        world.watch_after(61).await;
    }
    assert!(relayed_txids(&world).is_empty());
    world.mine(1).await;
    for _look in 0..2 {
        world.watch_after(61).await;
    }
    assert_eq!(relayed_txids(&world), [txid]);
}

/// A reorganisation drops the transaction that created a coin, and it never confirms again. Esplora reports
/// the coin as unspent.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_transaction_whose_coin_is_missing_for_a_day_fails_and_frees_its_other_coins()
{
    let world = world().await;
    let user = world.user_with(1, &[30_000]).await;
    let chain = world.stack.bitcoin();
    let gone = chain.fund(&user.trading, 31_000).await.unwrap();
    world.mine(1).await;
    let created = world.created(&user, 50_000).await;
    let txid = txid_of(&created);
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &signed).await.expect(201);
    chain.reorg(1, &[gone.txid]).await.unwrap();
    assert!(!world.in_mempool(txid).await);
    let body = world.body(txid).await;
    let kept = body.inputs.iter().find(|coin| coin.0 != gone).copied().unwrap();
    let is_held = || json!(world.stack.contents()).to_string().contains(&format!("spend#{kept}"));
    // The first check reaches a server that lags far behind.
    chain.set_esplora_replicas([Replica::Behind(40)]);
    for _look in 0..3 {
        world.watch_after(901).await;
    }
    assert!(world.row(txid).await.orphaned.is_some());
    chain.set_esplora_replicas([]);
    world.watch_after(901).await;
    let since = world.row(txid).await.orphaned.unwrap().since;
    assert_eq!(since, chain.height().await.unwrap());
    world.mine(143).await;
    for _look in 0..13 {
        world.watch_after(901).await;
    }
    assert_eq!(world.state(txid).await, TransactionState::Broadcasting, "143 blocks");
    assert!(is_held());
    world.mine(1).await;
    world.watch_after(901).await;
    assert_eq!(world.state(txid).await, TransactionState::Failed, "144 blocks");
    assert!(!is_held());
    replacing_nothing(&world, &user, 20_000).await.expect(201);
}

/// The coin's own transaction returns after more than a day, and both confirm.
#[tokio::test(flavor = "multi_thread")]
async fn custody_31_a_failed_withdrawal_that_confirms_after_all_is_confirmed_and_relayed() {
    let world = world().await;
    let user = world.user_with(1, &[30_000]).await;
    let chain = world.stack.bitcoin();
    let gone = chain.fund(&user.trading, 31_000).await.unwrap();
    world.mine(1).await;
    let parent = chain.transaction(gone.txid).await.unwrap().unwrap();
    // The network refuses it, so it is not relayed to the hub.
    let created = world.created(&user, 50_000).await;
    let txid = txid_of(&created);
    set_refused(&world, txid, true).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    assert_eq!(world.sign(&user, &signed).await.expect(201).data()["state"], "broadcasting");
    let kept = transactions::raw(world.stack.app(), txid).await.unwrap();
    chain.reorg(1, &[gone.txid]).await.unwrap();
    for _look in 0..3 {
        world.watch_after(901).await;
    }
    world.mine(144).await;
    for _look in 0..14 {
        world.watch_after(901).await;
    }
    assert_eq!(world.state(txid).await, TransactionState::Failed);
    assert_eq!(record(&world, txid).await.status, XchainStatus::Failed);
    assert!(relayed_txids(&world).is_empty());

    chain.send_raw(&parent).await.unwrap();
    set_refused(&world, txid, false).await;
    chain.send_raw(&kept).await.unwrap();
    world.watch_after(901).await;
    assert_eq!(world.state(txid).await, TransactionState::Failed);
    world.mine(1).await;
    for _look in 0..2 {
        world.watch_after(61).await;
    }
    let row = world.row(txid).await;
    assert_eq!(row.state, TransactionState::Confirmed);
    assert_eq!(relayed_txids(&world), [txid]);
    let record = record(&world, txid).await;
    assert_eq!((record.status, record.failure_reason), (XchainStatus::Relaying, None));
    // It holds its coins again, in case a reorganisation removes its block.
    let rows = json!(world.stack.contents()).to_string();
    let body = world.body(txid).await;
    assert!(body.inputs.iter().all(|coin| rows.contains(&format!("spend#{coin}"))));
    world.mine(6).await;
    for _look in 0..2 {
        world.watch_after(61).await;
    }
    assert!(world.row(txid).await.watch.is_none());
}

/// The newest version can never confirm; the version before it spends other coins and still can.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_an_earlier_version_takes_over_if_a_later_one_fails() {
    let world = world().await;
    let user = world.user_with(1, &[30_000]).await;
    let old = refused(&world, &user).await;
    let chain = world.stack.bitcoin();
    let gone = chain.fund(&user.trading, 31_000).await.unwrap();
    world.mine(1).await;
    let created = replacing(&world, &user, old, &btc(50_000)).await.expect(201);
    let new = txid_of(&created);
    assert_eq!(sign(&world, &user, &created).await.expect(201).data()["state"], "inMempool");
    assert_eq!(world.state(old).await, TransactionState::Replaced);
    assert_eq!(record(&world, old).await.replaced_by_tx_id, Some(new));

    chain.reorg(1, &[gone.txid]).await.unwrap();
    for _look in 0..3 {
        world.watch_after(901).await;
    }
    world.mine(144).await;
    for _look in 0..14 {
        world.watch_after(901).await;
    }
    assert_eq!(world.state(new).await, TransactionState::Failed);
    let row = world.row(old).await;
    assert_eq!((row.state, row.replaced_by), (TransactionState::Broadcasting, None));
    assert_eq!(record(&world, old).await.replaced_by_tx_id, None);
    // Its coin is held for this version only.
    let coin = world.body(old).await.inputs[0];
    let held = format!("spend#{coin}");
    let rows = json!(world.stack.contents());
    assert!(rows.to_string().contains(&held));
    let refused =
        replacing_nothing(&world, &user, 20_000).await.expect_error(Problem::CoinsReserved);
    assert_eq!(refused.body["params"]["holders"], json!([old]));

    while world.row(old).await.looks < 6 {
        world.watch_after(901).await;
    }
    let created = replacing(&world, &user, old, &btc(20_000)).await.expect(201);
    let third = txid_of(&created);
    assert_eq!(sign(&world, &user, &created).await.expect(201).data()["state"], "inMempool");
    assert_eq!(world.row(third).await.earlier, [old]);
    world.mine(7).await;
    for _look in 0..6 {
        world.watch_after(901).await;
    }
    assert_eq!(world.state(third).await, TransactionState::Confirmed);
    assert_eq!(world.state(old).await, TransactionState::Failed);
    assert_eq!(relayed_txids(&world), [third]);
}

/// One sighting on any server restarts the day.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_coin_is_missing_only_if_every_server_misses_it() {
    let world = world().await;
    let user = world.user_with(1, &[30_000]).await;
    let chain = world.stack.bitcoin();
    let gone = chain.fund(&user.trading, 31_000).await.unwrap();
    world.mine(1).await;
    let raw = chain.transaction(gone.txid).await.unwrap().unwrap();
    let created = world.created(&user, 50_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &signed).await.expect(201);
    let txid = txid_of(&created);
    chain.reorg(1, &[gone.txid]).await.unwrap();
    for _look in 0..3 {
        world.watch_after(901).await;
    }
    assert!(world.row(txid).await.orphaned.is_some());
    chain.send_raw(&raw).await.unwrap();
    world.mine(1).await;
    for _look in 0..2 {
        world.watch_after(901).await;
    }
    let row = world.row(txid).await;
    assert_eq!((row.state, row.orphaned), (TransactionState::InMempool, None));
    world.mine(7).await;
    for _look in 0..3 {
        world.watch_after(61).await;
    }
    assert!(world.row(txid).await.watch.is_none());
}

/// Withdrawals in every state, with another party down for an hour and then back.
async fn every_state_ends_without(setting: &str) {
    let world = world().await;
    let mut users = Vec::new();
    for seed in 1..=6 {
        users.push(world.user_with(seed, &[60_000]).await);
    }
    let chain = world.stack.bitcoin();
    let confirmed = withdrawn(&world, &users[0]).await;
    world.mine(1).await;
    world.watch_after(61).await;
    let replaced = withdrawn(&world, &users[1]).await;
    chain.set_fees([(1, 30.0)].into()).unwrap();
    let created = replacing(&world, &users[1], replaced, &btc(20_000)).await.expect(201);
    sign(&world, &users[1], &created).await.expect(201);
    let newest = txid_of(&created);
    let waiting = withdrawn(&world, &users[2]).await;
    let created = world.created(&users[3], 20_000).await;
    let refused = txid_of(&created);
    set_refused(&world, refused, true).await;
    sign(&world, &users[3], &created).await.expect(201);
    let created = world.created(&users[4], 20_000).await;
    let (signing, client) = (txid_of(&created), sources::without_kms(&world).await);
    let signed = text(&signed(&psbt_of(&created), &users[4].wallet));
    sign_at(&client, &users[4], &signed).await.expect(201);
    let unsigned = txid_of(&world.created(&users[5], 20_000).await);
    let states = [
        (confirmed, TransactionState::Confirmed),
        (replaced, TransactionState::Replaced),
        (newest, TransactionState::InMempool),
        (waiting, TransactionState::InMempool),
        (refused, TransactionState::Broadcasting),
        (signing, TransactionState::Signing),
        (unsigned, TransactionState::Unsigned),
    ];
    for (txid, state) in states {
        assert_eq!(world.state(txid).await, state);
    }

    for _look in 0..6 {
        world.stack.clock().advance(Duration::from_secs(601));
        // Failures of single rows are the subject of other tests.
        let _rows = world.stack.watch_without(setting).await;
    }
    for (txid, state) in states {
        let now = world.state(txid).await;
        assert!(now == state || state.may_become(now) || now == TransactionState::InMempool);
        assert_ne!(now, TransactionState::Failed, "{setting}: {state:?}");
    }
    set_refused(&world, refused, false).await;
    for _look in 0..4 {
        world.watch_after(901).await;
    }
    world.mine(7).await;
    for _look in 0..4 {
        world.watch_after(901).await;
    }
    for (txid, before) in states {
        let row = world.row(txid).await;
        if before == TransactionState::Unsigned {
            assert!(!row.is_claimed() && row.reserved_until < world.stack.app().clock.now());
            continue;
        }
        let end = match before {
            TransactionState::Replaced => TransactionState::Failed,
            _ => TransactionState::Confirmed,
        };
        assert_eq!((row.state, row.watch), (end, None), "{setting}: {before:?}");
    }
    let mut heard = relayed_txids(&world);
    heard.sort();
    heard.retain(|txid| ![replaced, newest].contains(txid));
    let mut sent = vec![confirmed, waiting, refused, signing];
    sent.sort();
    assert_eq!(heard, sent, "{setting}: each exactly once");
    let of_two = relayed_txids(&world).into_iter().filter(|txid| [replaced, newest].contains(txid));
    assert_eq!(of_two.count(), 1, "{setting}: one of two versions");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_every_state_ends_after_an_hour_without_esplora() {
    every_state_ends_without("ESPLORA_URL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_every_state_ends_after_an_hour_without_ord() {
    every_state_ends_without("ORD_URL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_every_state_ends_after_an_hour_without_the_hub() {
    every_state_ends_without("HUB_URL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_every_state_ends_after_an_hour_without_kms() {
    every_state_ends_without("AWS_ENDPOINT_URL_KMS").await;
}
