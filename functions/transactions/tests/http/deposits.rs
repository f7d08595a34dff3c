//! `GET` and `POST /api/account/trading-wallet/deposits`, and how the chain watcher finds deposits in blocks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use aws_smithy_types::body::SdkBody;
use base::outbound::{Https, Sending, Wire};
use bitcoin::{
    Amount, ScriptBuf, Transaction, TxIn, TxOut, Witness, absolute, consensus, transaction,
};
use chain::deposits::{AppliedDeposits, Deposit, DepositState, MOST_OF_BLOCK};
use local::{
    bitcoin::Etching,
    client::{events_of, twenty_at_once},
    faulty_http::HoldingHttp,
    mood::Mood,
    patience::patient_over,
};
use shared::{models::watch::Watch, problem::Problem};

use super::*;

const PATH: &str = "/api/account/trading-wallet/deposits";

impl World {
    /// A world whose worker has begun to follow the chain.
    async fn following() -> Self {
        let world = world().await;
        world.watch_after(1).await;
        world
    }

    async fn block(&self) {
        self.mine(1).await;
        self.watch_after(1).await;
    }

    async fn deposits(&self, user: &User, query: &str) -> Vec<Value> {
        let path = format!("{PATH}?pageSize=100&{query}");
        let call = self.client.get(path).bearer(&user.session.access_token);
        let answer = call.send().await.expect(200);
        let rows = answer.data().as_array().unwrap().clone();
        assert_eq!(answer.body["metaData"]["totalItems"], rows.len());
        rows
    }

    async fn waiting(&self, queue: Watch) -> Vec<store::Key> {
        self.stack.app().store.waiting(queue, 10).await.unwrap()
    }

    async fn announce(&self, user: &User, txid: Txid) -> Answer {
        let call = self.client.post(PATH).bearer(&user.session.access_token);
        call.json(&json!({ "txId": txid })).send().await
    }

    /// Type, id and states of the account's events about its deposits.
    async fn told(&self, user: &User) -> Vec<String> {
        let token = Some(user.session.access_token.as_str());
        let told = events_of(&self.client, "/api/events", token).await;
        let of_deposits = told.iter().filter(|[kind, ..]| kind.starts_with("deposit."));
        of_deposits.map(|[kind, id, states]| format!("{kind} {id} {states}")).collect()
    }
}

fn states(rows: &[Value]) -> Vec<(&str, u64)> {
    let state = |row: &Value| row["confirmations"].as_u64().unwrap();
    rows.iter().map(|row| (row["state"].as_str().unwrap(), state(row))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_is_found_in_its_block_and_is_final_after_seven() {
    let world = World::following().await;
    let (user, stranger) = (world.user(1).await, world.user(2).await);
    assert!(world.deposits(&user, "").await.is_empty());
    let chain = world.stack.bitcoin();
    let coin = chain.fund(&user.trading, 40_000).await.unwrap();
    world.watch_after(1).await;
    assert!(world.deposits(&user, "").await.is_empty());
    world.block().await;
    let rows = world.deposits(&user, "").await;
    assert_eq!(states(&rows), [("confirmed", 1)]);
    let row = &rows[0];
    assert_eq!((&row["id"], &row["txId"]), (&json!(coin.to_string()), &json!(coin.txid)));
    assert_eq!((&row["vout"], &row["sats"]), (&json!(coin.vout), &json!(40_000)));
    assert_eq!((&row["runes"], &row["more"]), (&json!([]), &json!(null)));
    assert_eq!(row["blockHeight"], chain.height().await.unwrap());
    assert!(row["confirmedAt"].as_i64().unwrap() >= row["seenAt"].as_i64().unwrap());
    assert_eq!(world.told(&user).await, [format!("deposit.confirmed {coin} null>confirmed")]);

    // Depth costs nothing: the row is not written again.
    let key = keys::deposit(user.session.account.parse().unwrap(), coin.txid, 0);
    let stored = async || world.stack.app().store.get::<Deposit>(&key).await.unwrap().unwrap();
    let before = stored().await;
    world.mine(5).await;
    world.watch_after(1).await;
    assert_eq!(states(&world.deposits(&user, "").await), [("confirmed", 6)]);
    assert!(world.deposits(&user, "state_eq=final").await.is_empty());
    let newer = chain.fund(&user.trading, 50_000).await.unwrap();
    world.block().await;
    let rows = world.deposits(&user, "").await;
    assert_eq!(states(&rows), [("confirmed", 1), ("final", 7)], "the newest first");
    assert_eq!(rows[0]["id"], newer.to_string());
    assert_eq!(states(&world.deposits(&user, "asOf=1").await), [("final", 7)]);
    assert_eq!(states(&world.deposits(&user, "state_eq=final").await), [("final", 7)]);
    assert_eq!(states(&world.deposits(&user, "sort=sats").await)[0].0, "final");
    assert_eq!(stored().await, before);

    // Custody rule 22: nobody else sees them.
    assert!(world.deposits(&stranger, "").await.is_empty());
    world.client.get(PATH).send().await.expect_error(Problem::NoAuthorization);
    for query in ["state_eq=lost", "state_eq=,", "sort=runes", "accountId_eq=1"] {
        let call = world.client.get(format!("{PATH}?{query}")).bearer(&user.session.access_token);
        call.send().await.expect_error(Problem::Validation);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_of_a_rune_says_what_it_holds_until_it_is_spent() {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = chain.etch(&etching).await.unwrap();
    world.block().await;
    let rows = world.deposits(&user, "").await;
    let held = rows.iter().find(|row| row["runes"] != json!([])).unwrap();
    let runes = &held["runes"][0];
    assert_eq!((&runes["runeId"], &runes["amount"]), (&json!(rune.to_string()), &json!("1000")));
    let without = world.deposits(&user, "select=sats").await;
    assert!(without.iter().all(|row| row.get("runes").is_none()));
    chain.set_ord_mood(Mood { down: true, ..Mood::default() });
    assert!(world.deposits(&user, "").await.iter().all(|row| row["runes"].is_null()));
    // These reads ask ord, so they are limited; those without runes are not.
    world.stack.use_up_limits().await;
    let read =
        |query| world.client.get(format!("{PATH}?{query}")).bearer(&user.session.access_token);
    read("select=runes").send().await.expect_error(Problem::RateLimited);
    read("select=sats").send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn change_and_renewals_of_the_account_are_no_deposits_but_what_another_account_pays_is() {
    let world = World::following().await;
    let user = world.user(1).await;
    let other = world.user(2).await;
    world.stack.bitcoin().fund(&user.trading, 100_000).await.unwrap();
    world.block().await;
    let mut params = btc(20_000);
    params["withdrawTo"] = json!(other.trading.to_string());
    let created = world.withdraw(&user, &params).await.expect(201);
    let txid = world.sent(&user, &created).await;
    assert_eq!(outputs(&psbt_of(&created)).len(), 2, "a payment and change");
    world.announce(&user, txid).await.expect_error(Problem::Validation);
    world.block().await;
    world.announce(&user, txid).await.expect_error(Problem::Validation);
    assert_eq!(world.deposits(&user, "").await.len(), 1);
    let theirs = world.deposits(&other, "").await;
    assert_eq!((&theirs[0]["txId"], &theirs[0]["sats"]), (&json!(txid), &json!(20_000)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reorganisation_takes_a_deposit_back_and_another_block_has_it_again() {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let (kept, lost) = (
        chain.fund(&user.trading, 40_000).await.unwrap(),
        chain.fund(&user.trading, 30_000).await.unwrap(),
    );
    world.block().await;
    let first = world.deposits(&user, "sort=sats").await;
    assert_eq!(states(&first), [("confirmed", 1); 2]);
    chain.reorg(1, &[lost.txid]).await.unwrap();
    world.watch_after(1).await;
    let rows = world.deposits(&user, "sort=sats").await;
    assert_eq!(
        (&rows[0]["id"], &rows[1]["id"]),
        (&json!(lost.to_string()), &json!(kept.to_string()))
    );
    assert_eq!((&rows[0]["blockHeight"], &rows[0]["confirmedAt"]), (&json!(null), &json!(null)));
    assert_eq!(rows[1]["state"], "confirmed");
    // The network does not know it: said once by a server, and once more a minute later.
    for _look in 0..2 {
        world.watch_after(61).await;
    }
    let rows = world.deposits(&user, "sort=sats").await;
    assert_eq!(states(&rows)[0], ("gone", 0));
    let told = world.told(&user).await;
    for expected in [
        format!("deposit.confirmed {kept} null>confirmed"),
        format!("deposit.confirmed {lost} null>confirmed"),
        format!("deposit.seen {kept} confirmed>seen"),
        format!("deposit.seen {lost} confirmed>seen"),
        format!("deposit.confirmed {kept} seen>confirmed"),
        format!("deposit.seen {lost} seen>gone"),
    ] {
        assert!(told.contains(&expected), "{expected}: {told:?}");
    }
    assert_eq!(told.len(), 6);
    assert_eq!(world.deposits(&user, "").await.len(), 2, "none is listed twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_announced_deposit_is_seen_before_its_block() {
    let world = World::following().await;
    let user = world.user(1).await;
    let stranger = world.user(2).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    let answer = world.announce(&user, coin.txid).await.expect(201);
    let rows = answer.data()["deposits"].as_array().unwrap();
    assert_eq!(states(rows), [("seen", 0)]);
    assert_eq!((&rows[0]["id"], &rows[0]["sats"]), (&json!(coin.to_string()), &json!(40_000)));
    assert_eq!(world.told(&user).await, [format!("deposit.seen {coin} null>seen")]);
    let again = world.announce(&user, coin.txid).await.expect(201);
    assert_eq!(again.data(), answer.data());
    assert_eq!(states(&world.deposits(&user, "state_eq=seen").await), [("seen", 0)]);
    // A look in between changes nothing.
    world.watch_after(61).await;
    world.block().await;
    assert_eq!(states(&world.deposits(&user, "").await), [("confirmed", 1)]);
    let confirmed = format!("deposit.confirmed {coin} seen>confirmed");
    assert_eq!(world.told(&user).await, [format!("deposit.seen {coin} null>seen"), confirmed]);
    let again = world.announce(&user, coin.txid).await.expect(201);
    assert_eq!(states(again.data()["deposits"].as_array().unwrap()), [("confirmed", 1)]);

    // It pays nothing to somebody else.
    let refused = world.announce(&stranger, coin.txid).await.expect_error(Problem::Validation);
    assert!(refused.body.to_string().contains("pays nothing to your trading address"));
    assert!(world.deposits(&stranger, "").await.is_empty());
    for body in [json!({}), json!({ "txId": "ab" }), json!({ "txId": 1 })] {
        let call = world.client.post(PATH).bearer(&user.session.access_token).json(&body);
        call.send().await.expect_error(Problem::Validation);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_wallet_or_esplora_nothing_is_announced() {
    let world = World::following().await;
    let (evm, user) = (sign_in(&world.client, &Wallet::evm(7)).await, world.user(1).await);
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    let announced = |token: &str| {
        let call = world.client.post(PATH).bearer(token).header("idempotency-key", "one");
        call.json(&json!({ "txId": coin.txid })).send()
    };
    announced(&evm.access_token).await.expect_error(Problem::TradingWalletNotFound);
    let none = world.client.get(PATH).bearer(&evm.access_token).send().await.expect(200);
    assert_eq!(none.data(), &json!([]));
    world.stack.bitcoin().set_esplora_mood(Mood { down: true, ..Mood::default() });
    announced(&user.session.access_token).await.expect_error(Problem::ChainUnavailable);
    assert!(world.deposits(&user, "").await.is_empty());
    world.stack.bitcoin().set_esplora_mood(Mood::default());
    let first = announced(&user.session.access_token).await.expect(201);
    world.block().await;
    let again = announced(&user.session.access_token).await.expect(201);
    assert_eq!(again.data(), first.data(), "the answer of the first request");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_block_has_an_announced_deposit() {
    let world = world().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.mine(2).await;
    // No block has been read yet.
    let early = world.announce(&user, coin.txid).await.expect(201);
    assert_eq!(states(early.data()["deposits"].as_array().unwrap()), [("seen", 0)]);
    world.watch_after(1).await;
    world.watch_after(61).await;
    assert_eq!(states(&world.deposits(&user, "").await), [("confirmed", 2)]);
    let other = world.user(2).await;
    let coin = world.stack.bitcoin().fund(&other.trading, 40_000).await.unwrap();
    world.block().await;
    let answer = world.announce(&other, coin.txid).await.expect(201);
    assert_eq!(states(answer.data()["deposits"].as_array().unwrap()), [("confirmed", 1)]);
}

/// Inscriptions fill blocks with transactions that are longer than nodes relay.
#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_in_a_very_long_transaction_is_listed() {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let anybody = ScriptBuf::from_bytes(vec![0x51]);
    let coin = chain.fund(&Address::p2wsh(&anybody, NETWORK), 60_000).await.unwrap();
    world.block().await;
    let data = ScriptBuf::from_bytes([vec![0x6a], vec![0; 900_000]].concat());
    let transaction = Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: vec![TxIn {
            previous_output: coin,
            witness: Witness::from_slice(&[anybody.as_bytes()]),
            ..TxIn::default()
        }],
        output: vec![
            TxOut { value: Amount::from_sat(40_000), script_pubkey: user.trading.script_pubkey() },
            TxOut { value: Amount::ZERO, script_pubkey: data },
        ],
    };
    let hex = consensus::encode::serialize_hex(&transaction);
    let miner = Wallet::p2tr(998).address().to_owned();
    chain.rpc("generateblock", json!([miner, [hex]])).await.unwrap();
    chain.indexed().await.unwrap();
    let answer = world.announce(&user, transaction.compute_txid()).await.expect(201);
    assert_eq!(states(answer.data()["deposits"].as_array().unwrap()), [("seen", 0)]);
    world.watch_after(1).await;
    assert_eq!(states(&world.deposits(&user, "").await), [("confirmed", 1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_awaited_deposit_is_found_once_the_network_knows_it() {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let coin = chain.fund(&user.trading, 40_000).await.unwrap();
    let raw = chain.transaction(coin.txid).await.unwrap().unwrap();
    chain.purge_mempool().await.unwrap();
    let answer = world.announce(&user, coin.txid).await.expect(201);
    let row = &answer.data()["deposits"][0];
    assert_eq!((&row["state"], &row["id"]), (&json!("awaited"), &json!(coin.txid)));
    assert_eq!((&row["vout"], &row["sats"]), (&json!(null), &json!(null)));
    world.watch_after(1).await;
    assert_eq!(states(&world.deposits(&user, "").await), [("awaited", 0)]);
    assert!(world.told(&user).await.is_empty());
    chain.send_raw(&raw).await.unwrap();
    world.watch_after(61).await;
    let rows = world.deposits(&user, "").await;
    assert_eq!(states(&rows), [("seen", 0)]);
    assert_eq!(rows[0]["id"], coin.to_string());
    world.block().await;
    assert_eq!(states(&world.deposits(&user, "").await), [("confirmed", 1)]);
    let told = world.told(&user).await;
    assert_eq!(
        told,
        [
            format!("deposit.seen {coin} awaited>seen"),
            format!("deposit.confirmed {coin} seen>confirmed"),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_27_awaited_deposits_end_and_are_few() {
    let world = World::following().await;
    let user = world.user(1).await;
    let unknown = |n: u8| Txid::from_byte_array([n; 32]);
    for n in 0..5 {
        world.announce(&user, unknown(n)).await.expect(201);
    }
    world.announce(&user, unknown(0)).await.expect(201);
    world.announce(&user, unknown(9)).await.expect_error(Problem::RateLimited);
    assert_eq!(world.waiting(Watch::Deposit).await.len(), 5);
    for minutes in [1, 2, 4, 8, 16] {
        world.watch_after(minutes * 60).await;
    }
    let session = sign_in(&world.client, &user.wallet).await;
    let user = World::signed_in(user.wallet, session);
    assert_eq!(states(&world.deposits(&user, "").await), [("awaited", 0); 5]);
    world.watch_after(30 * 60).await;
    let session = sign_in(&world.client, &user.wallet).await;
    let user = World::signed_in(user.wallet, session);
    assert_eq!(states(&world.deposits(&user, "").await), [("gone", 0); 5]);
    assert!(world.waiting(Watch::Deposit).await.is_empty(), "the worker is done with them");
    world.announce(&user, unknown(0)).await.expect(201);
    assert_eq!(states(&world.deposits(&user, "state_eq=awaited").await), [("awaited", 0)]);
    assert_eq!(world.deposits(&user, "").await.len(), 5, "none is listed twice");
}

/// Each of them asks Esplora.
#[tokio::test]
async fn custody_27_announcements_are_limited_by_account() {
    let world = world_on(LocalStack::start().await).await;
    let (user, other) = (world.user(1).await, world.user(2).await);
    let txid = Txid::from_byte_array([1; 32]);
    for _announcement in 0..60 {
        world.announce(&user, txid).await.expect_error(Problem::ChainUnavailable);
    }
    world.announce(&user, txid).await.expect_error(Problem::RateLimited);
    world.announce(&other, txid).await.expect_error(Problem::ChainUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_announcements_at_once_make_one_deposit() {
    let world = World::following().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    let (client, token) = (world.client.clone(), user.session.access_token.clone());
    let answers = twenty_at_once(|_| {
        let (client, token) = (client.clone(), token.clone());
        async move {
            let call = client.post(PATH).bearer(&token).json(&json!({ "txId": coin.txid }));
            call.send().await
        }
    });
    for answer in answers.await {
        assert_eq!(answer.expect(201).data()["deposits"][0]["id"], coin.to_string());
    }
    assert_eq!(states(&world.deposits(&user, "").await), [("seen", 0)]);
    assert_eq!(world.told(&user).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_24_dust_is_counted_beyond_twenty_outputs_of_a_block() {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let coin = chain.fund(&user.trading, 40_000).await.unwrap();
    chain.scatter(&user.trading, 330, 1_500).await.unwrap();
    world.watch_after(1).await;
    let rows = world.deposits(&user, "").await;
    assert_eq!(rows.len(), MOST_OF_BLOCK);
    assert!(rows.iter().any(|row| row["id"] == coin.to_string()), "the valuable one is listed");
    let more: Vec<_> = rows.iter().map(|row| &row["more"]).filter(|more| !more.is_null()).collect();
    assert_eq!(more, [&json!({ "outputs": 1_481, "sats": 1_481 * 330 })]);
}

/// Counts requests by what they ask for.
#[derive(Clone, Debug, Default)]
struct Counting {
    https: Option<Https>,
    counts: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Wire for Counting {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        let target = request.headers().get("x-amz-target").and_then(|name| name.to_str().ok());
        let operation = target.and_then(|target| target.split('.').next_back());
        let path = request.uri().path().split('/').filter(|part| (1..60).contains(&part.len()));
        let asked = operation.map_or_else(|| path.collect::<Vec<_>>().join("/"), str::to_owned);
        *self.counts.lock().unwrap().entry(asked).or_default() += 1;
        self.https.as_ref().unwrap().send(request)
    }
}

/// The operations of a run that applies one block with these P2WSH outputs, none of an account.
async fn cost_of_block(world: &World, outputs: usize) -> BTreeMap<String, usize> {
    let secp = Secp256k1::new();
    let key = |n: usize| SecretKey::from_slice(&[u8::try_from(n % 250).unwrap() + 1; 32]).unwrap();
    for n in 0..outputs {
        let script = bitcoin::ScriptBuf::new_p2pk(&PublicKey::new(key(n).public_key(&secp)));
        let address = Address::p2wsh(&script, NETWORK);
        world.stack.bitcoin().fund(&address, 1_000).await.unwrap();
    }
    world.mine(1).await;
    let counting = Counting { https: Some(Https::new()), ..Counting::default() };
    let outbound = patient_over(counting.clone());
    let app = world.stack.app().through(outbound);
    chain_watcher::run(app.chain_watcher.clone()).await.unwrap();
    counting.counts.lock().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_that_pays_no_account_writes_nothing_more_and_asks_once_for_100_addresses() {
    let world = World::following().await;
    world.user_with(1, &[40_000]).await;
    world.watch_after(1).await;
    let count = |counts: &BTreeMap<String, usize>, of: &str| counts.get(of).copied().unwrap_or(0);
    let quiet = cost_of_block(&world, 0).await;
    let busy = cost_of_block(&world, 120).await;
    for writing in ["PutItem", "UpdateItem", "TransactWriteItems", "DeleteItem"] {
        assert_eq!(count(&quiet, writing), count(&busy, writing), "{writing}: {quiet:?} {busy:?}");
    }
    assert_eq!((count(&quiet, "block/raw"), count(&busy, "block/raw")), (1, 1));
    // The transactions of the block, its addresses: 100 a call.
    let reads = (count(&quiet, "BatchGetItem"), count(&busy, "BatchGetItem"));
    assert_eq!(reads.1 - reads.0, 1 + 2, "{quiet:?} {busy:?}");
    assert_eq!(count(&quiet, "PutItem"), 1, "the tip: {quiet:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_whose_deposits_cannot_be_written_is_applied_and_comes_again() {
    let world = World::following().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.mine(1).await;
    // Esplora serves everything but whole blocks.
    let height = world.stack.bitcoin().height().await.unwrap();
    let app = world.stack.app().through(patient_over(Without("/raw")));
    chain_watcher::run(app.chain_watcher.clone()).await.unwrap();
    let tip = chain::blocks::tip(&world.stack.app().store).await.unwrap().unwrap();
    assert_eq!(tip.height, height, "the block is applied");
    assert!(world.deposits(&user, "").await.is_empty());
    assert_eq!(world.waiting(Watch::DepositBlock).await.len(), 1);
    world.watch_after(60).await;
    let rows = world.deposits(&user, "").await;
    assert_eq!((states(&rows), &rows[0]["id"]), (vec![("confirmed", 1)], &json!(coin.to_string())));
    assert!(world.waiting(Watch::DepositBlock).await.is_empty(), "it is done");

    // It is taken back by what was noted of it.
    let account = user.session.account.parse().unwrap();
    let key = keys::chain_block_deposits(tip.hash, account);
    let noted = world.stack.app().store.get::<AppliedDeposits>(&key).await.unwrap().unwrap();
    assert_eq!(noted.places.len(), 1);
    world.stack.bitcoin().reorg(1, &[coin.txid]).await.unwrap();
    chain_watcher::run(app.chain_watcher.clone()).await.unwrap();
    assert_eq!(states(&world.deposits(&user, "").await), [("seen", 0)]);
}

/// A queued block is replaced before its deposits are written.
#[tokio::test(flavor = "multi_thread")]
async fn a_queued_block_that_is_no_more_leaves_no_deposit_behind() {
    let world = World::following().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.mine(1).await;
    let app = world.stack.app().through(patient_over(Without("/raw")));
    chain_watcher::run(app.chain_watcher.clone()).await.unwrap();
    assert_eq!(world.waiting(Watch::DepositBlock).await.len(), 1);
    world.stack.bitcoin().reorg(1, &[coin.txid]).await.unwrap();
    for _run in 0..7 {
        world.watch_after(60).await;
    }
    assert!(world.waiting(Watch::DepositBlock).await.is_empty());
    assert!(world.deposits(&user, "").await.is_empty());
    assert!(world.told(&user).await.is_empty());
}

/// The worker dies after it has written a block's deposits and before the tip moves over the block, and another block takes
/// its place.
#[tokio::test(flavor = "multi_thread")]
async fn deposits_of_a_block_that_the_tip_never_reached_are_taken_back() {
    let world = World::following().await;
    let user = world.user(1).await;
    let store = world.stack.app().store.clone();
    let before = store.get::<chain::blocks::Tip>(&keys::chain_tip()).await.unwrap().unwrap();
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.mine(1).await;
    // The tip is never written, as if the worker had died just before.
    let app = world.stack.app().through(patient_over(WithoutTip));
    let _died = chain_watcher::run(app.chain_watcher.clone()).await;
    let tip = store.get::<chain::blocks::Tip>(&keys::chain_tip()).await.unwrap().unwrap();
    assert_eq!(tip.height, before.height, "the tip has not moved");
    // The row is confirmed by a block that the tip is below, so the answer says that it is seen.
    assert_eq!(states(&world.deposits(&user, "").await), [("seen", 0)]);
    let told = world.told(&user).await;
    assert_eq!(told, [format!("deposit.confirmed {coin} null>confirmed")]);

    world.stack.bitcoin().reorg(1, &[coin.txid]).await.unwrap();
    world.watch_after(301).await;
    world.watch_after(5).await;
    let rows = world.deposits(&user, "").await;
    assert_ne!(rows[0]["state"], "confirmed", "{rows:?}");
    assert!(world.waiting(Watch::DepositBlock).await.is_empty());
    let told = world.told(&user).await;
    assert!(told.contains(&format!("deposit.seen {coin} confirmed>seen")), "{told:?}");
}

/// Puts a reorganisation between an announced deposit and its write: the block that a server names was applied when the
/// service asked, and no longer is when it writes.
async fn announced_while_its_block_is_taken_back(is_written_first: bool) {
    let world = World::following().await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    // A block lists the twenty most valuable outputs, so that this one is not recorded with it.
    let coin = chain.fund(&user.trading, 30_000).await.unwrap();
    for _ in 0..MOST_OF_BLOCK {
        chain.fund(&user.trading, 40_000).await.unwrap();
    }
    world.block().await;
    let id = coin.txid.to_string();
    let announcing = HoldingHttp::new(move |request| writes(request, "TransactWriteItems", &id));
    let api = world.stack.app().through(announcing.outbound());
    let api = world.stack.serve_app(api, transactions::routes()).await;
    let token = user.session.access_token.clone();
    let announced = tokio::spawn(async move {
        api.post(PATH).bearer(&token).json(&json!({ "txId": coin.txid })).send().await
    });
    announcing.latch().holds(1).await;

    chain.reorg(1, &[coin.txid]).await.unwrap();
    let following = HoldingHttp::new(|request| writes(request, "PutItem", &row_of_tip()));
    let worker = world.stack.app().through(following.outbound()).chain_watcher.clone();
    let watching = tokio::spawn(async move { chain_watcher::run(worker).await });
    following.latch().holds(1).await;
    let (first, then) = match is_written_first {
        true => (announcing.latch(), following.latch()),
        false => (following.latch(), announcing.latch()),
    };
    first.open();
    let answer = if is_written_first {
        let answer = announced.await.unwrap();
        then.open();
        watching.await.unwrap().unwrap();
        answer
    } else {
        watching.await.unwrap().unwrap();
        then.open();
        announced.await.unwrap()
    };
    let expected = if is_written_first { ("confirmed", 1) } else { ("seen", 0) };
    assert_eq!(states(answer.expect(201).data()["deposits"].as_array().unwrap()), [expected]);
    let rows = world.deposits(&user, "").await;
    let row = rows.iter().find(|row| row["id"] == json!(coin.to_string())).unwrap();
    assert_eq!((&row["state"], &row["blockHeight"]), (&json!("seen"), &json!(null)));
    let account = user.session.account.parse().unwrap();
    let key = keys::deposit(account, coin.txid, 0);
    let row = world.stack.app().store.get::<Deposit>(&key).await.unwrap().unwrap();
    assert_eq!(row.watch, Some(Watch::Deposit), "the worker looks after it");
    // Once no more deposits can be recorded in the block, the worker looks at it again.
    assert_eq!(world.waiting(Watch::DepositBlock).await.len(), 1);
    world.watch_after(301).await;
    assert!(world.waiting(Watch::DepositBlock).await.is_empty());
}

/// The key of the tip, in a request.
fn row_of_tip() -> String {
    format!("\"pk\":{{\"S\":\"{}\"}}", keys::chain_tip().pk())
}

/// Whether a request writes a row by this operation, and names this text.
fn writes(request: &http::Request<SdkBody>, operation: &str, text: &str) -> bool {
    let target = request.headers().get("x-amz-target").map(|target| target.as_bytes().to_vec());
    let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
    target.is_some_and(|target| target.ends_with(operation.as_bytes())) && body.contains(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_written_just_before_the_tip_leaves_its_block_is_taken_back() {
    announced_while_its_block_is_taken_back(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_written_just_after_the_tip_has_left_its_block_is_not_confirmed() {
    announced_while_its_block_is_taken_back(false).await;
}

/// A queued block is recorded while the tip leaves it.
#[tokio::test(flavor = "multi_thread")]
async fn a_queued_block_that_the_tip_leaves_meanwhile_is_taken_back() {
    let world = World::following().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.mine(1).await;
    let app = world.stack.app().through(patient_over(Without("/raw")));
    chain_watcher::run(app.chain_watcher.clone()).await.unwrap();
    assert_eq!(world.waiting(Watch::DepositBlock).await.len(), 1);
    // The queue writes the deposit late, and never looks at the tip again.
    let id = coin.txid.to_string();
    let recording = HoldingHttp::new(move |request| writes(request, "TransactWriteItems", &id));
    let queue = world.stack.app().through(recording.outbound()).chain_watcher.clone();
    world.stack.clock().advance(std::time::Duration::from_secs(60));
    let records = tokio::spawn(async move { chain_watcher::run(queue).await });
    recording.latch().holds(1).await;
    world.stack.bitcoin().reorg(1, &[coin.txid]).await.unwrap();
    world.watch_after(1).await;
    recording.latch().open();
    let recorded = async || {
        world.told(&user).await.contains(&format!("deposit.confirmed {coin} null>confirmed"))
    };
    local::patience::wait_until("the late write", recorded).await;
    records.abort();
    let _ended = records.await;
    world.watch_after(301).await;
    world.watch_after(5).await;
    let account = user.session.account.parse().unwrap();
    let key = keys::deposit(account, coin.txid, 0);
    let row = world.stack.app().store.get::<Deposit>(&key).await.unwrap().unwrap();
    assert_ne!(row.state, DepositState::Confirmed);
    assert!(world.waiting(Watch::DepositBlock).await.is_empty());
}

/// The worker dies after the tip has left a block, and before it has taken back the block's deposits.
#[tokio::test(flavor = "multi_thread")]
async fn deposits_of_a_block_that_a_dead_worker_left_are_taken_back() {
    let world = World::following().await;
    let user = world.user(1).await;
    let coin = world.stack.bitcoin().fund(&user.trading, 40_000).await.unwrap();
    world.block().await;
    world.stack.bitcoin().reorg(1, &[coin.txid]).await.unwrap();
    let id = coin.txid.to_string();
    let holding = HoldingHttp::new(move |request| writes(request, "TransactWriteItems", &id));
    let worker = world.stack.app().through(holding.outbound()).chain_watcher.clone();
    let dies = tokio::spawn(async move { chain_watcher::run(worker).await });
    holding.latch().holds(1).await;
    dies.abort();
    assert!(dies.await.unwrap_err().is_cancelled());
    assert_eq!(world.waiting(Watch::DepositBlock).await.len(), 1);
    world.watch_after(301).await;
    world.watch_after(5).await;
    let told = world.told(&user).await;
    assert!(told.contains(&format!("deposit.seen {coin} confirmed>seen")), "{told:?}");
    assert_ne!(states(&world.deposits(&user, "").await)[0].0, "confirmed");
    assert!(world.waiting(Watch::DepositBlock).await.is_empty());
}

/// The tip of the chain cannot be written.
#[derive(Clone, Debug)]
struct WithoutTip;

impl Wire for WithoutTip {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        if writes(&request, "PutItem", &row_of_tip()) {
            return Box::pin(async { Err("no answer".into()) });
        }
        Https::new().send(request)
    }
}

/// Requests whose path ends like this get no answer.
#[derive(Clone, Debug)]
struct Without(&'static str);

impl Wire for Without {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        if request.uri().path().ends_with(self.0) {
            return Box::pin(async { Err("no answer".into()) });
        }
        Https::new().send(request)
    }
}
