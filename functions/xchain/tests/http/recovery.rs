//! The user's recovery path: spending after the delay, without the platform.

use bitcoin::{
    Amount, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Witness, absolute::LockTime,
    transaction::Version,
};
use shared::models::trading_wallet::DELAY;

use super::*;

/// Mines without waiting for ord to index the many blocks.
pub(super) async fn mine(world: &World, blocks: u32) {
    let to = somewhere();
    for _batch in 0..blocks / 1_000 {
        let mined = world.stack.bitcoin().rpc("generatetoaddress", json!([1_000, to])).await;
        mined.unwrap();
    }
    let rest = blocks % 1_000;
    world.stack.bitcoin().rpc("generatetoaddress", json!([rest, to])).await.unwrap();
}

/// Spends a coin as the recovery document describes.
fn recovery(psbt: &Psbt, wallet: &Wallet, delay: u32) -> Transaction {
    let coin = psbt.inputs[0].witness_utxo.clone().unwrap();
    let sequence = Sequence::from_height(u16::try_from(delay).unwrap());
    let previous_output = psbt.unsigned_tx.input[0].previous_output;
    let input = TxIn { previous_output, sequence, ..TxIn::default() };
    let to = somewhere().parse::<Address<_>>().unwrap().assume_checked();
    let output =
        TxOut { value: coin.value - Amount::from_sat(1_000), script_pubkey: to.script_pubkey() };
    let mut alone = Psbt::from_unsigned_tx(Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![input],
        output: vec![output],
    })
    .unwrap();
    alone.inputs[0] = psbt.inputs[0].clone();
    let (_key, made) = signature(&alone, 0, wallet, EcdsaSighashType::All);
    let script: &ScriptBuf = psbt.inputs[0].witness_script.as_ref().unwrap();
    let mut transaction = alone.unsigned_tx;
    transaction.input[0].witness =
        Witness::from_slice(&[&[][..], &made.to_vec(), script.as_bytes()]);
    transaction
}

/// After the delay, the user spends the coins without the platform. A withdrawal that the platform has not
/// signed can then never confirm. It fails once the user's transaction is final, not earlier.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_after_the_delay_the_user_spends_alone_and_a_conflicting_withdrawal_fails_permanently()
 {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let created = world.created(&user, 20_000).await;
    let client = sources::without_kms(&world).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    sign_at(&client, &user, &signed).await.expect(201);
    let (chain, txid) = (world.stack.bitcoin(), txid_of(&created));

    // ord is not needed here and would index every block.
    chain.let_ord_lag(true).await.unwrap();
    // One confirmation exists already, and the next block counts as well.
    mine(&world, u32::from(DELAY) - 2).await;
    // Lets the source index all blocks now, since a request would not wait long enough for it.
    chain.coins(&user.trading).await.unwrap();
    let transaction = recovery(&psbt_of(&created), &user.wallet, u32::from(DELAY));
    let early = chain.mempool_accepts(&transaction).await.unwrap();
    assert!(format!("{early:?}").contains("non-BIP68-final"), "{early:?}");
    mine(&world, 1).await;
    chain.send_raw(&transaction).await.unwrap();

    mine(&world, 6).await;
    world.watch_after(61).await;
    world.watch_after(61).await;
    assert_eq!(world.state(txid).await, TransactionState::Broadcasting, "six blocks");
    let coin = world.body(txid).await.inputs[0];
    let is_held = || json!(world.stack.contents()).to_string().contains(&format!("spend#{coin}"));
    assert!(is_held());
    mine(&world, 1).await;
    world.watch_after(3_600).await;
    assert_eq!(world.state(txid).await, TransactionState::Failed, "seven");
    assert!(!is_held());
    let record = json!(world.stack.contents()).to_string();
    assert!(record.contains("The Bitcoin transaction can never confirm."));
    assert!(world.stack.hub().withdrawals().is_empty());
}
