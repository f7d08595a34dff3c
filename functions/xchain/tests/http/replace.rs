//! Replacements, as virtual mints need them, against the mempool's own rules.

use bitcoin::{Amount, FeeRate, Weight};
use chain::bitcoin::{
    coins::{Coin, Contents},
    plan::{self, Limits, Payment, Replaced, Request},
    psbt::{self, InputOwner, IssuedPsbt, Signatures, Spent},
};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_must_pay_more_and_spend_the_anchor() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 100_000]).await;
    let created = world.created(&user, 20_000).await;
    let first = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &first).await.expect(201);
    let issued = world.issued(txid_of(&created)).await;
    let chain = world.stack.bitcoin();
    let cheap = plan_of(&issued.body, &created, None);
    let cheap = complete(&world, &user, &cheap, &issued.body).await;
    let refused = chain.mempool_accepts(&cheap).await.unwrap().unwrap_err();
    assert!(refused.contains("insufficient fee"), "{refused}");

    let dearer = outbid(&world, &user, &issued, &created).await;
    chain.send_raw(&dearer).await.unwrap();
    assert!(!world.in_mempool(issued.row.txid).await);
    world.mine(1).await;
    assert_eq!(chain.confirmations(dearer.compute_txid()).await.unwrap(), Some(1));
}

/// Plans a transaction from the coins of a withdrawal, for another amount.
fn plan_of(body: &TransactionBody, created: &Answer, replaces: Option<Replaced>) -> plan::Plan {
    let descriptor = &body.wallet.as_ref().unwrap().descriptor;
    let coins: Vec<_> = psbt_of(created)
        .inputs
        .iter()
        .zip(&body.inputs)
        .map(|(input, outpoint)| Coin {
            outpoint: outpoint.0,
            value: input.witness_utxo.as_ref().unwrap().value,
            script_pubkey: descriptor.script_pubkey(),
            contents: Contents::plain(),
            confirmations: 1,
            is_immature: false,
            expires_in: Some(12_959),
            satisfaction_weight: descriptor.satisfaction_weight().unwrap(),
        })
        .collect();
    let request = Request {
        payments: vec![Payment::Btc {
            sats: Amount::from_sat(25_000),
            to: somewhere().parse::<Address<_>>().unwrap().assume_checked().script_pubkey(),
        }],
        data: None,
        change: descriptor.script_pubkey(),
        fee_rate: FeeRate::from_sat_per_vb_u32(1),
        must_spend: vec![body.inputs[0].0],
        replaces,
        limits: Limits::default(),
    };

    plan::plan(&coins, &request).unwrap()
}

/// Replaces a withdrawal in the mempool by a transaction that no endpoint creates, signed by both keys.
pub(crate) async fn outbid(
    world: &World,
    user: &User,
    FullTransaction { row, body }: &FullTransaction,
    created: &Answer,
) -> bitcoin::Transaction {
    let replaces = Replaced {
        fee: Amount::from_sat(row.fee),
        weight: Weight::from_wu(row.signed_weight.unwrap()),
        descendants_fee: Amount::ZERO,
    };
    complete(world, user, &plan_of(body, created, Some(replaces)), body).await
}

/// The transaction of a plan, signed by both keys.
async fn complete(
    world: &World,
    user: &User,
    plan: &plan::Plan,
    body: &TransactionBody,
) -> bitcoin::Transaction {
    let owner = InputOwner::Trading(body.wallet.as_ref().unwrap().descriptor.clone());
    let spent: Vec<_> = plan
        .inputs
        .iter()
        .map(|coin| Spent {
            txout: bitcoin::TxOut { value: coin.value, script_pubkey: coin.script_pubkey.clone() },
            owner: owner.clone(),
        })
        .collect();
    let issued: IssuedPsbt = psbt::issue(&plan.transaction, &spent).unwrap();
    let returned = signed(issued.psbt(), &user.wallet);
    let verified =
        psbt::check(&issued, &returned, &body.wallet.as_ref().unwrap().descriptor).unwrap();
    let mut platform = Signatures::new();
    for wanted in psbt::digests(&issued) {
        let signer = &world.stack.app().signer;
        let made = signer.sign(&body.wallet.as_ref().unwrap().key_id, wanted.digest).await.unwrap();
        platform.insert(wanted.input, ecdsa::Signature::sighash_all(made));
    }
    psbt::finalise(&issued, verified.signatures(), &platform).unwrap()
}
