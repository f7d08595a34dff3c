//! Refunds that the network drops or refuses are rebroadcast, or reissued at a higher fee.

use bitcoin::{Amount, Transaction, TxIn, TxOut, absolute::LockTime, ecdsa, transaction::Version};
use chain::{
    bitcoin::psbt::{self, InputOwner, Signatures, Spent},
    keys,
    transactions::IssuedTransaction,
};
use shared::problem::Problem;

use super::*;

/// Fee delta in sats by which the node's view of a transaction is lowered or restored.
const FAR_BELOW: i64 = 1_000_000;

/// Makes the node refuse a transaction, by lowering the fee it sees below zero.
async fn refuse(world: &MintWorld, txid: Txid) {
    let params = json!([txid, 0, -FAR_BELOW]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
}

/// Lets the node see the true fee again.
async fn allow(world: &MintWorld, txid: Txid) {
    let params = json!([txid, 0, FAR_BELOW]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
}

/// Lets the worker try to send a refused transaction until it can be reissued, and then stops the worker.
async fn wait_until_stuck(world: &MintWorld, trader: &Trader, txid: Txid) {
    while world.issued(txid).await.looks < 5 {
        assert_eq!(state(world, txid).await, TransactionState::Broadcasting);
        assert!(!world.is_known(txid).await);
        // Too early: the payments are still held by that transaction.
        world.create_refund(trader).await.expect_error(Problem::RefundNothing);
        world.pass(Duration::from_secs(15 * 60)).await;
    }
    let looks = store::Update::new().set(IssuedTransaction::LOOKS, 6);
    let key = keys::transaction(txid);
    let row = store::Writes::new().update(&key, looks, ());
    world.stack.app().store.commit(row).await.unwrap();
}

/// A signed refund that the node refuses; returns the raw signed transaction.
pub(crate) async fn stuck(world: &MintWorld, trader: &Trader) -> Transaction {
    let created = world.create_refund(trader).await.expect(201);
    let txid = txid_of(&created);
    refuse(world, txid).await;
    let signed = trader.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(trader, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "broadcasting");
    wait_until_stuck(world, trader, txid).await;
    world.raw(txid).await
}

/// Reissues a refund: the new version spends the same outputs to the same addresses at a higher fee.
pub(crate) async fn reissued(world: &MintWorld, trader: &Trader, before: &Transaction) -> Answer {
    let created = world.create_refund(trader).await.expect(201);
    let psbt = psbt_of(&created);
    let inputs = |transaction: &Transaction| -> Vec<_> {
        transaction.input.iter().map(|input| input.previous_output).collect()
    };
    assert_eq!(inputs(&psbt.unsigned_tx), inputs(before));
    let old = world.issued(before.compute_txid()).await;
    let (fee, old_fee) = (psbt.fee().unwrap().to_sat(), old.fee);
    // BIP 125, rules 3 and 4.
    assert!(fee > old_fee + before.vsize() as u64, "{fee} {old_fee}");
    let (new, old) = (&psbt.unsigned_tx.output, &before.output);
    assert_eq!(new[0].value.to_sat() + fee, old[0].value.to_sat() + old_fee);
    assert_eq!(
        (new[1..].to_vec(), &new[0].script_pubkey),
        (old[1..].to_vec(), &old[0].script_pubkey)
    );
    created
}

async fn sign(world: &MintWorld, trader: &Trader, created: &Answer) -> Answer {
    let signed = trader.signed(created.text_of("base64Psbt"));
    world.sign_refund(trader, &signed).await
}

/// Mines a block with this transaction, which is in no mempool.
pub(crate) async fn mine_raw(world: &MintWorld, transaction: &Transaction) -> Result<(), String> {
    let hex = bitcoin::consensus::encode::serialize_hex(transaction);
    let to = world.proceeds.to_string();
    let mined = world.stack.bitcoin().rpc("generateblock", json!([to, [hex]])).await;
    mined.map(drop).map_err(|error| error.to_string())
}

/// Two batches of Alice in a failed mint.
pub(crate) async fn two_batches(world: &MintWorld) -> (Trader, MintId, Vec<Txid>) {
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(world, &bids).await;
    (alice, mint, txids)
}

/// Asserts that one of two versions is final and that every row says so.
pub(crate) async fn assert_refunded_by(
    world: &MintWorld,
    (alice, mint, txids): (&Trader, MintId, &[Txid]),
    confirmed: Txid,
    other: Txid,
) {
    let chain = world.stack.bitcoin();
    let refunded = (RefundState::Refunded, Some(confirmed));
    assert_eq!(refund_states(world, mint, txids).await, vec![refunded; txids.len()]);
    assert_eq!(world.listed(txids[0]).await["refundTxId"], json!(confirmed));
    assert!(chain.confirmations(confirmed).await.unwrap() >= Some(7));
    assert_eq!(chain.confirmations(other).await.unwrap(), None);
    assert_eq!(state(world, confirmed).await, TransactionState::Confirmed);
    assert_eq!(sats_of_treasury(world).await, 0);
    world.create_refund(alice).await.expect_error(Problem::RefundNothing);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_08_a_refund_dropped_by_a_reorganisation_is_rebroadcast_unchanged() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let txid = refund(&world, &alice).await;
    world.mine(6).await;
    assert_eq!(state(&world, txid).await, TransactionState::Confirmed);
    world.stack.bitcoin().reorg(6, &[txid]).await.unwrap();
    assert!(!world.is_known(txid).await);
    // Its payments stay held, and no row reports them as refunded.
    world.watch().await;
    assert_eq!(state(&world, txid).await, TransactionState::InMempool);
    assert!(world.is_known(txid).await);
    let broadcast = (RefundState::Broadcast, Some(txid));
    assert_eq!(refund_states(&world, mint, &txids).await, [broadcast, broadcast]);
    world.create_refund(&alice).await.expect_error(Problem::RefundNothing);
    world.mine(7).await;
    let refunded = (RefundState::Refunded, Some(txid));
    assert_eq!(refund_states(&world, mint, &txids).await, [refunded, refunded]);
    world.recount(mint).await;
}

/// The refund is evicted and reissued, and the old version reaches the network after all. Miners prefer the
/// new version, which confirms.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_the_new_version_confirms_if_miners_see_both() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let old = refund(&world, &alice).await;
    world.mine(1).await;
    refuse(&world, old).await;
    world.stack.bitcoin().reorg(1, &[old]).await.unwrap();
    world.watch().await;
    wait_until_stuck(&world, &alice, old).await;
    let raw = world.raw(old).await;
    let created = reissued(&world, &alice, &raw).await;
    let new = txid_of(&created);
    // An account has one open refund at a time, and reissued ones count.
    assert_eq!(world.create_refund(&alice).await.expect(201).data(), created.data());
    let broadcast = |by| (RefundState::Broadcast, Some(by));
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(old); 2]);

    assert_eq!(sign(&world, &alice, &created).await.expect(201).data()["state"], "inMempool");
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(new); 2]);
    assert_eq!(state(&world, old).await, TransactionState::Replaced);
    allow(&world, old).await;
    let refused = world.stack.bitcoin().send_raw(&raw).await.unwrap_err().to_string();
    assert!(refused.contains("insufficient fee"), "{refused}");
    world.mine(1).await;
    assert_eq!(world.stack.bitcoin().confirmations(new).await.unwrap(), Some(1));
    mine_raw(&world, &raw).await.unwrap_err();
    world.mine(6).await;
    assert_refunded_by(&world, (&alice, mint, &txids), new, old).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    assert_eq!(state(&world, old).await, TransactionState::Failed);
}

/// A miner has the old version.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_the_old_version_can_still_confirm_and_is_then_the_refund() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let raw = stuck(&world, &alice).await;
    let old = raw.compute_txid();
    let created = reissued(&world, &alice, &raw).await;
    let new = txid_of(&created);
    sign(&world, &alice, &created).await.expect(201);
    assert!(world.is_known(new).await);
    mine_raw(&world, &raw).await.unwrap();
    assert!(!world.is_known(new).await);
    world.watch().await;
    let broadcast = (RefundState::Broadcast, Some(old));
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast; 2]);
    world.mine(5).await;
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast; 2], "six blocks");
    world.mine(1).await;
    assert_refunded_by(&world, (&alice, mint, &txids), old, new).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    assert_eq!(state(&world, new).await, TransactionState::Failed);
    // Signing it again does nothing.
    assert_eq!(sign(&world, &alice, &created).await.expect(201).data()["state"], "failed");
    assert_refunded_by(&world, (&alice, mint, &txids), old, new).await;
}

/// The old version returns to the mempool before the new one is signed. Later a reorganisation replaces the
/// confirmed one by the other.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_a_reorganisation_can_swap_the_versions_of_a_refund() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let raw = stuck(&world, &alice).await;
    let old = raw.compute_txid();
    let created = reissued(&world, &alice, &raw).await;
    let new = txid_of(&created);
    allow(&world, old).await;
    world.stack.bitcoin().send_raw(&raw).await.unwrap();
    assert_eq!(sign(&world, &alice, &created).await.expect(201).data()["state"], "inMempool");
    assert!(world.is_known(new).await && !world.is_known(old).await);
    world.mine(3).await;
    let broadcast = |by| (RefundState::Broadcast, Some(by));
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(new); 2]);

    world.stack.bitcoin().reorg(3, &[new]).await.unwrap();
    mine_raw(&world, &raw).await.unwrap();
    world.watch().await;
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(old); 2]);
    world.mine(6).await;
    assert_refunded_by(&world, (&alice, mint, &txids), old, new).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_08_a_refund_that_confirms_during_its_reissue_is_not_paid_twice() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let raw = stuck(&world, &alice).await;
    let created = reissued(&world, &alice, &raw).await;
    mine_raw(&world, &raw).await.unwrap();
    // The worker has not noticed the confirmation.
    sign(&world, &alice, &created).await.expect_error(Problem::CoinsChanged);
    world.pass(Duration::from_secs(15 * 60)).await;
    sign(&world, &alice, &created).await.expect_error(Problem::ReservationExpired);
    world.mine(6).await;
    assert_refunded_by(&world, (&alice, mint, &txids), raw.compute_txid(), txid_of(&created)).await;
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Expired);
}

/// The new version expires unsigned, is created again, and is reissued once more when the node refuses it
/// too.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_every_version_of_a_refund_spends_the_same_outputs() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let first = stuck(&world, &alice).await;
    // At this rate a bump by the worker would take more than half.
    world.stack.bitcoin().set_fees([(1, 35.0)].into()).unwrap();
    let unsigned = reissued(&world, &alice, &first).await;
    world.pass(TOO_LONG).await;
    assert_eq!(state(&world, txid_of(&unsigned)).await, TransactionState::Expired);
    sign(&world, &alice, &unsigned).await.expect_error(Problem::ReservationExpired);
    let broadcast = |by| (RefundState::Broadcast, Some(by));
    let old = first.compute_txid();
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(old); 2]);

    let second = reissued(&world, &alice, &first).await;
    let other = txid_of(&second);
    refuse(&world, other).await;
    assert_eq!(sign(&world, &alice, &second).await.expect(201).data()["state"], "broadcasting");
    assert_eq!(refund_states(&world, mint, &txids).await, vec![broadcast(other); 2]);
    wait_until_stuck(&world, &alice, other).await;
    let raw = world.raw(other).await;
    let third = reissued(&world, &alice, &raw).await;
    let newest = txid_of(&third);
    assert_eq!(sign(&world, &alice, &third).await.expect(201).data()["state"], "inMempool");
    world.mine(7).await;
    assert_refunded_by(&world, (&alice, mint, &txids), newest, old).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    for gone in [old, other] {
        assert_eq!(state(&world, gone).await, TransactionState::Failed);
        assert!(!world.is_known(gone).await);
    }
    assert_refunded_by(&world, (&alice, mint, &txids), newest, other).await;
}

/// A later refund of another rune of the same account makes no difference.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_a_refund_can_be_reissued_after_a_later_refund_of_the_account() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let raw = stuck(&world, &alice).await;
    let like = world.mint_row(mint).await;
    let app = world.stack.app();
    let id = ordinals::RuneId { block: 1_001, tx: 1 };
    let other = Mint {
        id: MintId(app.random.id(app.clock.now())),
        rune: chain::bitcoin::runes::Rune { id, ..like.rune },
        ..like
    };
    app.store.put(&keys::mint(other.id), &other).await.unwrap();
    owed(&world, &alice, &other, &[20_000]).await;
    let runes = json!({ "runeIds": [id.to_string()] });
    let of_other = create_with(&world, &alice, &runes).await.expect(201);
    sign(&world, &alice, &of_other).await.expect(201);

    let created = reissued(&world, &alice, &raw).await;
    sign(&world, &alice, &created).await.expect(201);
    world.mine(7).await;
    let old = raw.compute_txid();
    assert_refunded_by(&world, (&alice, mint, &txids), txid_of(&created), old).await;
}

/// The higher fee of a reissued version must be worthwhile too.
#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_refund_not_worth_a_higher_fee_is_not_reissued() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 2, 1_000)]]).await;
    let raw = stuck(&world, &alice).await;
    world.stack.bitcoin().set_fees([(1, 50.0)].into()).unwrap();
    world.create_refund(&alice).await.expect_error(Problem::RefundBelowFee);
    let old = raw.compute_txid();
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::Broadcast, Some(old))]);
    allow(&world, old).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    assert_eq!(state(&world, old).await, TransactionState::InMempool);
}

/// The cap holds at any rate, however often the refund is reissued.
#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_reissued_refund_stays_below_the_fee_cap() {
    let stack = local::LocalStack::builder().setting("FEE_CAP", "3000").bitcoin().build().await;
    let world = MintWorld::of(stack, 1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let raw = stuck(&world, &alice).await;
    world.stack.bitcoin().set_fees([(1, 300.0)].into()).unwrap();
    let created = reissued(&world, &alice, &raw).await;
    assert_eq!(created.data()["fee"]["totalFee"], 3_000);
    let new = txid_of(&created);
    refuse(&world, new).await;
    sign(&world, &alice, &created).await.expect(201);
    wait_until_stuck(&world, &alice, new).await;
    world.create_refund(&alice).await.expect_error(Problem::FeeTooHigh);
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::Broadcast, Some(new)); 2]);
    allow(&world, new).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    assert_eq!(state(&world, new).await, TransactionState::InMempool);
}

/// Another transaction that spends the user's coin of a refund, signed by both keys.
async fn spend_of_own_coin(world: &MintWorld, trader: &Trader, created: &Answer) -> Transaction {
    let refund = psbt_of(created);
    let txout = refund.inputs.last().unwrap().witness_utxo.clone().unwrap();
    let to: Address<_> = trader.address().parse().unwrap();
    let unsigned = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![TxIn { previous_output: *spent(&refund).last().unwrap(), ..TxIn::default() }],
        output: vec![TxOut {
            value: txout.value - Amount::from_sat(1_000),
            script_pubkey: to.assume_checked().script_pubkey(),
        }],
    };
    let wallet = world.body(txid_of(created)).await.wallet.unwrap();
    let owner = InputOwner::Trading(wallet.descriptor.clone());
    let issued = psbt::issue(&unsigned, &[Spent { txout, owner }]).unwrap();
    let returned = psbt::parse(&trader.signed(&text(issued.psbt()))).unwrap();
    let user = psbt::check(&issued, &returned, &wallet.descriptor).unwrap();
    let mut platform = Signatures::new();
    for wanted in psbt::digests(&issued) {
        let made = world.stack.app().signer.sign(&wallet.key_id, wanted.digest).await.unwrap();
        platform.insert(wanted.input, ecdsa::Signature::sighash_all(made));
    }
    psbt::finalise(&issued, user.signatures(), &platform).unwrap()
}

/// A refund that can no longer confirm fails once that is final, and another refund pays its amounts.
#[tokio::test(flavor = "multi_thread")]
async fn custody_07_a_double_spent_refund_fails_permanently_and_another_one_pays() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = two_batches(&world).await;
    let created = world.create_refund(&alice).await.expect(201);
    let old = txid_of(&created);
    refuse(&world, old).await;
    sign(&world, &alice, &created).await.expect(201);
    let other = spend_of_own_coin(&world, &alice, &created).await;
    world.stack.bitcoin().send_raw(&other).await.unwrap();
    let long = Duration::from_secs(16 * 60);
    world.mine(6).await;
    world.pass(long).await;
    assert_eq!(state(&world, old).await, TransactionState::Broadcasting, "six blocks");
    let broadcast = (RefundState::Broadcast, Some(old));
    assert_eq!(refund_states(&world, mint, &txids).await, [broadcast, broadcast]);
    world.create_refund(&alice).await.expect_error(Problem::RefundNothing);
    world.mine(1).await;
    world.pass(long).await;
    assert_eq!(state(&world, old).await, TransactionState::Failed, "seven");
    let none = (RefundState::None, None);
    assert_eq!(refund_states(&world, mint, &txids).await, [none, none]);
    for source in sources(&world, mint, &txids).await {
        assert!(!is_stored(&world, &format!("spend#{source}")));
    }

    let new = refund(&world, &alice).await;
    world.mine(7).await;
    assert_refunded_by(&world, (&alice, mint, &txids), new, old).await;
}
