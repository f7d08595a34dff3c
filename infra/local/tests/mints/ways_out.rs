//! A transaction that only the platform signs can be given up, and a next version takes its place (custody rules 7, 8 and
//! 25).

use std::time::Duration;

use bitcoin::Amount;
use chain::{
    keys,
    models::transaction::TransactionState,
    transactions::{self, FullTransaction, IssuedTransaction, TransactionBody},
};
use local::wallets::NETWORK;
use shared::models::bitcoin::OutPoint;
use store::{Update, Writes};

use super::*;

const KMS: &str = "AWS_ENDPOINT_URL_KMS";

/// A mint that is minted out while KMS is down, so its payout waits for the platform's signatures.
async fn unsigned_payout(world: &MintWorld) -> (chain::models::mint::MintId, Trader) {
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    world.stack.bitcoin().mine(6).await.unwrap();
    for _look in 0..8 {
        world.stack.clock().advance(Duration::from_secs(61));
        let _rows = world.stack.watch_without(KMS).await;
    }
    (mint, alice)
}

async fn change(world: &MintWorld, txid: Txid, update: Update<IssuedTransaction>) {
    let row = Writes::new().update(&keys::transaction(txid), update, ());
    world.stack.app().store.commit(row).await.unwrap();
}

fn is_held(world: &MintWorld, coin: OutPoint) -> bool {
    json!(world.stack.contents()).to_string().contains(&format!("spend#{coin}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_payout_that_breaks_its_promise_is_made_again_and_frees_its_coins() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = unsigned_payout(&world).await;
    let payout = async || world.transfers(mint).await.remove(0);
    let first = payout().await.transaction.unwrap();
    let row = world.issued(first).await;
    assert_eq!((row.state, row.signed_weight), (TransactionState::Signing, None));
    // Changes the stored promise, so that the transaction no longer keeps it.
    let body = world.body(first).await;
    let mut broken = body.promised.clone();
    broken.fee = Amount::from_sat(1);
    let broken = Update::new().set(TransactionBody::PROMISED, broken);
    let broken = Writes::new().update(&keys::transaction_body(first), broken, ());
    world.stack.app().store.commit(broken).await.unwrap();
    world.stack.bitcoin().set_fees([(1, 17.0)].into()).unwrap();
    // It is stuck now, and retried within a quarter of an hour.
    world.pass(Duration::from_secs(901)).await;
    let blocked = world.issued(first).await.blocked.unwrap();
    assert!(blocked.looks < 4, "it is not blocked at the first look");
    assert_eq!(payout().await.transaction, Some(first));
    assert!(body.inputs.iter().all(|coin| is_held(&world, *coin)));
    for _look in 0..6 {
        world.pass(Duration::from_secs(901)).await;
    }
    let second = payout().await.transaction.unwrap();
    assert_ne!(first, second);
    let next = world.issued(second).await;
    assert_eq!((next.replaces, &next.earlier), (Some(first), &vec![first]));
    assert!(world.conflict(first, second).await);
    assert_eq!(world.issued(first).await.state, TransactionState::Replaced);
    assert_eq!(world.issued(first).await.replaced_by, Some(second));

    for _block in 0..10 {
        world.mine(1).await;
    }
    world.pass(Duration::from_secs(901)).await;
    assert_eq!(world.issued(first).await.state, TransactionState::Failed);
    let next = world.body(second).await;
    for coin in body.inputs.iter().filter(|coin| !next.inputs.contains(coin)) {
        assert!(!is_held(&world, *coin));
    }
    for _block in 0..8 {
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 8_000);
}

/// If no coin is common to all earlier versions, the next one spends a coin of each.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_the_next_version_conflicts_with_every_earlier_one() {
    let world = MintWorld::start(100_000).await;
    let (mint, _alice) = unsigned_payout(&world).await;
    let payout = world.transfers(mint).await.remove(0);
    let named = world.issued(payout.transaction.unwrap()).await;
    let app = world.stack.app();
    let next = transactions::next_version(app, &named).await.unwrap().unwrap();
    assert_eq!((next.replaces.txid, next.outbids), (named.txid, None));
    assert_eq!(next.must_spend.len(), 1);
    let body = world.body(named.txid).await;
    assert_eq!(next.coins.len(), body.inputs.len());

    // Two more versions: each spends a coin of its predecessor, and no coin is common to all three.
    let chain = world.stack.bitcoin();
    let to = world.pool.address(NETWORK);
    let funded = [chain.fund(&to, 50_000).await.unwrap(), chain.fund(&to, 50_000).await.unwrap()];
    chain.mine(1).await.unwrap();
    let funded = funded.map(OutPoint);
    let psbt = |inputs: &[OutPoint]| {
        let mut psbt = chain::bitcoin::psbt::parse(&body.psbt).unwrap();
        let template = (psbt.inputs[0].clone(), psbt.unsigned_tx.input[0].clone());
        let (mut fields, mut spends) = (Vec::new(), Vec::new());
        for coin in inputs {
            let at = body.inputs.iter().position(|other| other == coin);
            let (mut field, mut spend) = at.map_or(template.clone(), |at| {
                (psbt.inputs[at].clone(), psbt.unsigned_tx.input[at].clone())
            });
            if at.is_none() {
                field.witness_utxo = Some(bitcoin::TxOut {
                    value: bitcoin::Amount::from_sat(50_000),
                    script_pubkey: world.pool.script_pubkey(),
                });
            }
            spend.previous_output = coin.0;
            fields.push(field);
            spends.push(spend);
        }
        (psbt.inputs, psbt.unsigned_tx.input) = (fields, spends);
        use base64::{Engine, prelude::BASE64_STANDARD};
        BASE64_STANDARD.encode(psbt.serialize())
    };
    let common =
        *body.inputs.iter().find(|coin| next.coins.iter().any(|it| it.outpoint == coin.0)).unwrap();
    let id = |seed: u8| -> Txid { bitcoin::hashes::Hash::from_byte_array([seed; 32]) };
    let version = |txid, inputs: Vec<OutPoint>, earlier: Vec<Txid>| FullTransaction {
        row: IssuedTransaction {
            txid,
            replaces: earlier.last().copied(),
            earlier,
            replaced_by: None,
            ..named.clone()
        },
        body: TransactionBody { txid, psbt: psbt(&inputs), inputs, ..body.clone() },
    };
    let second = version(id(2), vec![common, funded[0]], vec![named.txid]);
    let third = version(id(3), vec![funded[0], funded[1]], vec![named.txid, id(2)]);
    for FullTransaction { row, body } in [&second, &third] {
        app.store.put(&keys::transaction(row.txid), row).await.unwrap();
        app.store.put(&keys::transaction_body(row.txid), body).await.unwrap();
    }
    change(&world, named.txid, Update::new().set(IssuedTransaction::REPLACED_BY, id(2))).await;
    change(&world, id(2), Update::new().set(IssuedTransaction::REPLACED_BY, id(3))).await;
    let named = world.issued(named.txid).await;
    let next = transactions::next_version(app, &named).await.unwrap().unwrap();
    assert_eq!(next.replaces.txid, id(3), "the newest one");
    for body in [&body, &second.body, &third.body] {
        let conflicts = body.inputs.iter().any(|coin| next.must_spend.contains(&coin.0));
        assert!(conflicts, "{:?} and {:?}", body.inputs, next.must_spend);
    }
    // The next version need not conflict with one that has failed.
    change(&world, id(3), Update::new().set(IssuedTransaction::STATE, TransactionState::Failed))
        .await;
    let next = transactions::next_version(app, &named).await.unwrap().unwrap();
    assert_eq!(next.must_spend, [common.0]);
}
