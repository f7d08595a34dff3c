//! The pool, and payouts that wait for it.

use std::time::Duration;

use bitcoin::{Txid, hashes::Hash};
use chain::{
    bitcoin::runes::Rune,
    blocks::Tip,
    keys,
    mints::{KeptMint, Mint, VmChain},
    models::{
        mint::MintId,
        transaction::TransactionState,
        vm_transaction::{Leg, VmState},
    },
    transactions::IssuedTransaction,
};
use local::{
    bitcoin::{Etching, Replica},
    wallets::{NETWORK, Wallet},
};
use shared::{models::watch::Watch, problem::Problem};
use store::{Update, Writes};

use super::*;

/// Longer than a transaction waits for a block before its fee is compared with the current rate.
const LONG: Duration = Duration::from_secs(61 * 60);

/// Makes Esplora estimate this rate for every target, in sat/vB.
fn set_rate(world: &MintWorld, rate: f64) {
    world.stack.bitcoin().set_fees([(1, rate)].into()).unwrap();
}

/// A mint minted out by one trader with this many requests at 2,000 sats, whose payouts are sent.
async fn minted_out(world: &MintWorld, requests: u64) -> (MintId, Trader) {
    let totals = json!({ "totalRequests": requests, "requestsPerBlock": requests });
    let mint = world.mint(&totals).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, requests, 2_000).await;
    world.mine(7).await;
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    (mint, alice)
}

/// A mint of fifteen transactions with two requests each, by five traders, whose end is final.
async fn fifteen(world: &MintWorld) -> (MintId, Vec<Trader>) {
    let mint = world.mint(&json!({ "totalRequests": 30, "requestsPerBlock": 30 })).await;
    let traders = world.crowd(5).await;
    world.mine(6).await;
    (mint, traders)
}

/// The newest transactions of a mint's first distribution and first transfer.
async fn first_payouts(world: &MintWorld, mint: MintId) -> [Option<Txid>; 2] {
    let (distributions, transfers) = (world.distributions(mint).await, world.transfers(mint).await);
    [distributions, transfers].map(|mut payouts| payouts.remove(0).transaction)
}

/// Mines until the mint is distributed.
async fn finish(world: &MintWorld, mint: MintId) {
    for _block in 0..30 {
        if world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
}

/// Whether a block contains a transaction.
async fn is_confirmed(world: &MintWorld, txid: Txid) -> bool {
    world.stack.bitcoin().confirmations(txid).await.unwrap().is_some_and(|blocks| blocks > 0)
}

/// Mines blocks without transactions of the mempool.
async fn mine_empty(world: &MintWorld, blocks: u32) {
    let miner = Wallet::p2tr(5).address().to_owned();
    for _block in 0..blocks {
        world.stack.bitcoin().rpc("generateblock", json!([miner, []])).await.unwrap();
    }
    world.watch().await;
}

/// Changes the row of a mint without the worker.
async fn change_mint(world: &MintWorld, mint: MintId, update: Update<Mint>) {
    let row = Writes::new().update(&keys::mint(mint), update, ());
    world.stack.app().store.commit(row).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn runes_do_not_wait_for_the_transfer_of_their_payment() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let [distribution, transfer] = first_payouts(&world, mint).await.map(Option::unwrap);
    // No miner confirms the transfer.
    let params = json!([transfer, 0, -1_000_000]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
    world.mine(8).await;
    assert!(is_confirmed(&world, distribution).await && !is_confirmed(&world, transfer).await);
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    let row = world.vms(mint).await.remove(0);
    assert_eq!(
        (row.state, world.mint_row(mint).await.state),
        (VmState::Distributed, MintState::MintedOut)
    );
    let listed = world.listed(row.txid).await;
    assert_eq!(listed["distributeRuneTxId"], distribution.to_string());
    assert_eq!(listed["transferBtcTxId"], transfer.to_string());
    let params = json!([transfer, 0, 1_000_000]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
    finish(&world, mint).await;
    assert_eq!(sats_of(&world, &world.proceeds).await, 8_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_payout_with_too_low_a_fee_is_replaced() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let first = first_payouts(&world, mint).await.map(Option::unwrap);
    // A payout is replaced only after it has waited, and only if the replacement pays clearly more.
    set_rate(&world, 15.0);
    world.pass(Duration::from_secs(20 * 60)).await;
    assert_eq!(first_payouts(&world, mint).await, first.map(Some));
    world.pass(LONG).await;
    world.watch().await;
    let second = first_payouts(&world, mint).await.map(Option::unwrap);
    for (first, second) in first.into_iter().zip(second) {
        assert_ne!(first, second);
        let (old, new) = (world.issued(first).await, world.issued(second).await);
        let states = (old.state, new.state);
        assert_eq!(states, (TransactionState::Replaced, TransactionState::InMempool));
        assert!(new.fee > 2 * old.fee && world.conflict(first, second).await);
        assert!(!world.is_known(first).await && world.is_known(second).await);
    }
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 96_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 8_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_30_a_fee_spike_cuts_no_payout_and_ends_with_one_transaction_for_each() {
    let world = MintWorld::start(100_000).await;
    let fees = &world.stack.app().config.fees;
    let highest = fees.rates.highest.to_sat_per_kwu() * 4 / 1_000;
    assert!(highest >= 290 && fees.cap.to_sat() == 100_000, "{highest}");
    let mint = world.mint(&json!({ "totalRequests": 24, "requestsPerBlock": 24 })).await;
    let traders = world.crowd(4).await;
    // Each of the twelve recipients, and each two payments, may cost 8,333 sats.
    set_rate(&world, 290.0);
    for _block in 0..13 {
        world.mine(1).await;
    }
    let sizes = async || {
        let payouts = world.payouts(mint).await;
        payouts.iter().map(|payout| (payout.leg, payout.size)).collect::<Vec<_>>()
    };
    use Leg::{Distribution, Transfer};
    assert_eq!(sizes().await, [(Distribution, 12), (Transfer, 12)]);
    assert_eq!(first_payouts(&world, mint).await, [None, None]);
    // Nor does the pool pay for coins that no payout can use yet.
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.pool_split), (MintState::MintedOut, None));
    // A person knows.
    let failing = row.failing.unwrap();
    assert!(failing.cause.contains("The network fee would be"), "{}", failing.cause);
    assert_eq!(row.watch, Some(Watch::StuckMint));

    // No user waits for transfers, so they wait first.
    set_rate(&world, 80.0);
    world.pass(Duration::from_secs(15 * 60)).await;
    let [distribution, transfer] = first_payouts(&world, mint).await;
    assert_eq!(transfer, None);
    let fee = world.issued(distribution.unwrap()).await.fee;
    assert!((50_000..=100_000).contains(&fee), "{fee}");
    world.mine(8).await;
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    set_rate(&world, 5.0);
    world.pass(Duration::from_secs(15 * 60)).await;
    finish(&world, mint).await;
    assert_eq!(sizes().await, [(Distribution, 12), (Transfer, 12)]);
    assert_eq!(sats_of(&world, &world.proceeds).await, 48_000);
    let [_, transfer] = first_payouts(&world, mint).await.map(Option::unwrap);
    assert!(world.issued(transfer).await.fee < 10_000);
}

/// While ord is behind, the pool's contents are unknown, so the pool does not count as lacking anything.
#[tokio::test(flavor = "multi_thread")]
async fn custody_30_no_distribution_is_cut_while_ord_is_behind_a_division() {
    let mut world = MintWorld::with_one_coin(1_000).await;
    let etching = Etching {
        name: "SCATTERED•IN•THE•POOL".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: None,
    };
    let (chain, pool) = (world.stack.bitcoin().clone(), world.pool.address(NETWORK));
    world.rune = chain.etch(&etching).await.unwrap();
    // More than is needed, but no coin holds enough, so the division spends several.
    for _coin in 0..4 {
        chain.fund_rune(&pool, 546, world.rune, 13_000).await.unwrap();
        chain.mine(1).await.unwrap();
    }
    chain.mine(6).await.unwrap();
    let mint = world.mint(&json!({ "totalRequests": 36, "requestsPerBlock": 36 })).await;
    let traders = world.crowd(6).await;
    world.mine(6).await;
    let split = world.mint_row(mint).await.pool_split.unwrap();
    assert!(!is_confirmed(&world, split).await);
    chain.let_ord_lag(true).await.unwrap();
    world.mine(1).await;
    assert!(is_confirmed(&world, split).await);
    let sizes = async || {
        let payouts = world.distributions(mint).await;
        payouts.iter().map(|payout| payout.size).collect::<Vec<_>>()
    };
    for _look in 0..4 {
        world.watch().await;
        assert_eq!(sizes().await, [18]);
    }
    // Within a quarter of an hour, a person knows.
    world.pass(Duration::from_secs(15 * 60)).await;
    let row = world.mint_row(mint).await;
    assert_eq!((sizes().await, row.watch), (vec![18], Some(Watch::StuckMint)));
    let failing = row.failing.unwrap();
    assert!(failing.cause.contains("smallest unit of SCATTERED•IN•THE•POOL"), "{}", failing.cause);

    chain.let_ord_lag(false).await.unwrap();
    world.mine(1).await;
    world.pass(Duration::from_secs(15 * 60)).await;
    finish(&world, mint).await;
    assert_eq!(sizes().await, [18]);
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
}

/// After a long wait at a higher rate, another version replaces the division: the old and the new row.
async fn replaced_division(
    world: &MintWorld,
    mint: MintId,
    first: Txid,
) -> (IssuedTransaction, IssuedTransaction) {
    set_rate(world, 60.0);
    world.pass(LONG).await;
    world.watch().await;
    let second = world.mint_row(mint).await.pool_split.unwrap();
    assert_ne!(first, second);
    (world.issued(first).await, world.issued(second).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_division_of_the_pool_is_replaced_and_never_stops_payouts() {
    let world = MintWorld::with_one_coin(100_000).await;
    let (mint, traders) = fifteen(&world).await;
    let first = world.mint_row(mint).await.pool_split.unwrap();
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transaction.is_none()));
    // Half an hour later, payouts use the available coins.
    world.stack.bitcoin().fund(&world.pool.address(NETWORK), 100_000).await.unwrap();
    mine_empty(&world, 1).await;
    let params = json!([first, 0, -1_000_000]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
    world.mine(1).await;
    world.pass(Duration::from_secs(31 * 60)).await;
    world.watch().await;
    assert_eq!(world.mint_row(mint).await.pool_split, Some(first));
    assert!(world.payouts(mint).await.iter().any(|payout| payout.transaction.is_some()));

    let (old, new) = replaced_division(&world, mint, first).await;
    assert_eq!(old.state, TransactionState::Replaced);
    assert!(new.fee > old.fee && world.conflict(new.txid, old.txid).await);
    set_rate(&world, 5.0);
    finish(&world, mint).await;
    for trader in &traders {
        assert_eq!(runes_of(&world, &trader.trading).await, 6_000);
    }
    assert_eq!(runes_of(&world, &world.pool.address(NETWORK)).await, 70_000);
    assert_eq!(sats_of(&world, &world.proceeds).await, 60_000);
}

/// Payouts that have waited long enough use other coins, and the division stays in the mempool.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_division_no_longer_needed_is_followed_to_its_end() {
    let world = MintWorld::with_one_coin(100_000).await;
    let (chain, pool) = (world.stack.bitcoin().clone(), world.pool.address(NETWORK));
    let (mint, _traders) = fifteen(&world).await;
    let first = world.mint_row(mint).await.pool_split.unwrap();
    // No miner confirms it.
    let params = json!([first, 0, -1_000_000]);
    chain.rpc("prioritisetransaction", params).await.unwrap();
    for _coin in 0..2 {
        chain.fund(&pool, 100_000).await.unwrap();
    }
    world.mine(1).await;
    world.pass(Duration::from_secs(31 * 60)).await;
    for _block in 0..24 {
        world.mine(1).await;
    }
    let payouts = world.payouts(mint).await;
    assert!(payouts.iter().all(|payout| payout.is_final && payout.is_noted));
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.pool_split), (MintState::MintedOut, Some(first)));

    let (old, new) = replaced_division(&world, mint, first).await;
    assert_eq!((old.state, new.state), (TransactionState::Replaced, TransactionState::InMempool));
    assert!(world.conflict(new.txid, old.txid).await);
    let outputs = world.raw(new.txid).await.output;
    let mut paid = outputs.iter().filter(|output| !output.script_pubkey.is_op_return());
    assert!(paid.all(|output| output.script_pubkey == pool.script_pubkey()));
    finish(&world, mint).await;
    assert_eq!(world.issued(first).await.state, TransactionState::Failed);
    assert_eq!(runes_of(&world, &pool).await, 70_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_10_a_mint_requires_an_etching_seven_blocks_deep() {
    let world = MintWorld::start(1_000).await;
    let chain = world.stack.bitcoin();
    let etching = Etching {
        name: "ANOTHER•MINT•RUNE".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: Some(world.pool.address(NETWORK)),
    };
    let rune = json!({ "runeId": chain.etch(&etching).await.unwrap().to_string() });
    for missing in (1..=6).rev() {
        let refused = world.try_mint(&rune).await.expect_error(Problem::VmRuneTooYoung);
        let details = refused.body["details"].as_str().unwrap();
        assert!(details.contains(&format!("after {missing} more block(s)")), "{details}");
        chain.mine(1).await.unwrap();
    }
    world.mint(&rune).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_10_no_runes_are_sent_while_the_rune_has_another_id() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 4, "requestsPerBlock": 4 })).await;
    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 4, 2_000).await;
    world.mine(1).await;
    let rune = world.mint_row(mint).await.rune;
    // The state after a reorganisation gave the id to another rune.
    let other = Rune { name: "SOME•OTHER•RUNE•HERE".parse().unwrap(), ..rune };
    let keep = async |rune: Rune| {
        let kept = Update::new().set(KeptMint::RUNE, rune);
        let row = Writes::new().update(&keys::mint_kept(mint), kept, ());
        world.stack.app().store.commit(row).await.unwrap();
    };
    keep(other).await;
    change_mint(&world, mint, Update::new().set(Mint::RUNE, other)).await;
    world.mine(6).await;
    for _look in 0..3 {
        world.watch().await;
        let [distribution, transfer] = first_payouts(&world, mint).await;
        assert!(distribution.is_none() && transfer.is_some());
    }
    let due = world.stack.app().clock.now();
    keep(rune).await;
    change_mint(&world, mint, Update::new().set(Mint::RUNE, rune).set(Mint::DUE_AT, due)).await;
    world.watch().await;
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_row_that_is_behind_takes_part_and_nothing_is_paid_out_before_it_knows() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    let carol = world.trader(3, &[200_000]).await;
    let a = world.bid(&alice, 8, 2_000).await;
    let b = world.bid(&bob, 3, 3_000).await;
    let c = world.bid(&carol, 2, 1_000).await;
    // The worker cannot record Bob's commitment, which is in the same block as Alice's and pays more.
    let (store, row) = (&world.stack.app().store, world.vm(mint, b).await);
    let key = keys::vm_chain(mint, row.anchor);
    store.put(&key, &VmChain { txid: Txid::from_byte_array([7; 32]) }).await.unwrap();
    world.mine(1).await;
    world.mine(6).await;
    assert!(world.vm(mint, a).await.is_final && world.vm(mint, b).await.confirmation.is_none());
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    let requests = async |txid| world.vm(mint, txid).await.requests_in_blocks();
    assert_eq!((requests(a).await, requests(b).await), (5, 0));
    let chain = world.stack.bitcoin();
    let behind = [Replica::Behind(7)];
    let turns = [Replica::Behind(7), Replica::Tip];
    for replicas in [&behind[..], &turns[..], &[]] {
        chain.set_esplora_replicas(replicas.iter().copied());
        for _look in 0..3 {
            world.watch().await;
            assert!(!world.mint_row(mint).await.payouts_planned, "{replicas:?}");
        }
    }
    assert!(world.payouts(mint).await.iter().all(|payout| payout.transaction.is_none()));
    // Refunds do not wait for it.
    assert!(world.listed(c).await["isRefundable"].as_bool().unwrap());
    store.put(&key, &VmChain { txid: b }).await.unwrap();
    for _look in 0..4 {
        world.pass(Duration::from_secs(15 * 60)).await;
    }
    assert!(world.mint_row(mint).await.payouts_planned);
    assert_eq!((requests(a).await, requests(b).await), (5, 3));
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 5_000);
    assert_eq!(runes_of(&world, &bob.trading).await, 3_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_31_a_person_is_told_of_a_mint_that_waits_for_a_row() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let alice = world.trader(1, &[200_000]).await;
    let bob = world.trader(2, &[200_000]).await;
    world.bid(&alice, 5, 2_000).await;
    let late = world.bid(&bob, 3, 3_000).await;
    let (store, row) = (&world.stack.app().store, world.vm(mint, late).await);
    let key = keys::vm_chain(mint, row.anchor);
    store.put(&key, &VmChain { txid: Txid::from_byte_array([7; 32]) }).await.unwrap();
    world.mine(1).await;
    world.mine(6).await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.watch), (MintState::MintedOut, Some(Watch::Mint)));
    for _look in 0..2 {
        world.pass(Duration::from_secs(8 * 60)).await;
    }
    let row = world.mint_row(mint).await;
    assert_eq!((row.payouts_planned, row.watch), (false, Some(Watch::StuckMint)));
    assert!(row.failing.unwrap().cause.contains("do not know their block"));

    store.put(&key, &VmChain { txid: late }).await.unwrap();
    for _look in 0..4 {
        world.pass(Duration::from_secs(15 * 60)).await;
    }
    let row = world.mint_row(mint).await;
    assert_eq!((row.payouts_planned, row.watch, row.failing), (true, Some(Watch::Mint), None));
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &bob.trading).await, 3_000);
}

/// A coin's own transaction is reorganised away for more than a day, and returns.
#[tokio::test(flavor = "multi_thread")]
async fn custody_31_a_failed_batch_that_confirms_after_all_takes_part() {
    let world = MintWorld::start(100_000).await;
    let chain = world.stack.bitcoin();
    let mint = world.mint(&json!({ "totalRequests": 8, "requestsPerBlock": 8 })).await;
    let bob = world.trader(2, &[200_000]).await;
    let alice = world.trader(1, &[]).await;
    let gone = chain.fund(&alice.trading, 100_000).await.unwrap();
    world.mine(1).await;
    let batch = world.bid(&alice, 4, 2_000).await;
    let (parent, kept) =
        (chain.transaction(gone.txid).await.unwrap().unwrap(), world.raw(batch).await);
    chain.reorg(1, &[gone.txid]).await.unwrap();
    for _look in 0..3 {
        world.pass(Duration::from_secs(901)).await;
    }
    chain.mine(144).await.unwrap();
    for _look in 0..14 {
        world.pass(Duration::from_secs(901)).await;
    }
    assert_eq!(world.issued(batch).await.state, TransactionState::Failed);
    assert_eq!(world.vm(mint, batch).await.state, VmState::Failed);
    world.recount(mint).await;

    for back in [&parent, &kept] {
        chain.send_raw(back).await.unwrap();
    }
    world.mine(1).await;
    assert_eq!(world.issued(batch).await.state, TransactionState::Confirmed);
    let row = world.vm(mint, batch).await;
    assert_eq!((row.state, row.requests_in_blocks()), (VmState::AllInBlock, 4));
    world.recount(mint).await;
    world.bid(&bob, 4, 2_000).await;
    world.mine(8).await;
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
    assert_eq!(runes_of(&world, &bob.trading).await, 4_000);
}

/// A mint that is not full and whose closing time has come.
async fn closed() -> (MintWorld, MintId) {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 100, "requestsPerBlock": 10 })).await;
    let alice = world.trader(1, &[200_000]).await;
    world.bid(&alice, 3, 2_000).await;
    world.mine(1).await;
    world.close(mint).await;
    (world, mint)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_mints_last_block_is_the_newest_that_any_source_reports() {
    let (world, mint) = closed().await;
    let chain = world.stack.bitcoin();
    chain.set_esplora_replicas([Replica::Behind(7)]);
    world.watch().await;
    let height = chain.height().await.unwrap();
    assert_eq!(world.mint_row(mint).await.last_block, Some(height));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_height_that_the_chain_cannot_have_closes_no_mint() {
    let (world, mint) = closed().await;
    let (chain, app) = (world.stack.bitcoin(), world.stack.app());
    chain.set_esplora_replicas([Replica::Boasting(1_000_000)]);
    for _look in 0..3 {
        world.watch().await;
        let row = world.mint_row(mint).await;
        assert!(row.last_block.is_none() && row.failing.is_some());
    }
    // Blocks that cannot be applied are reported all the same.
    let tip = app.store.get::<Tip>(&keys::chain_tip()).await.unwrap();
    let behind = chain_watcher::blocks_behind(&app.chain_watcher, tip.as_ref()).await.unwrap();
    assert_eq!((behind.name, behind.value), ("BlocksBehind", 1_000_000));
    chain.set_esplora_replicas([]);
    world.pass(Duration::from_secs(15 * 60)).await;
    let row = world.mint_row(mint).await;
    assert_eq!(row.last_block, Some(chain.height().await.unwrap()));
    assert!(row.failing.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_finished_mint_is_idle_until_a_commitment_confirms_late() {
    let world = MintWorld::start(100_000).await;
    let mint = world.mint(&json!({ "totalRequests": 100, "requestsPerBlock": 10 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    world.bid(&alice, 3, 2_000).await;
    world.mine(1).await;
    let late = world.bid(&bob, 4, 2_000).await;
    mine_empty(&world, 30).await;
    world.close(mint).await;
    world.watch().await;
    mine_empty(&world, 6).await;
    world.watch().await;
    let row = world.mint_row(mint).await;
    assert_eq!((row.state, row.watch), (MintState::Failed, None));
    assert_eq!(world.vm(mint, late).await.confirmation, None);
    world.recount(mint).await;

    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.watch, Some(Watch::Mint));
    world.mine(6).await;
    world.watch().await;
    let settled = world.vm(mint, late).await.settlement.unwrap();
    assert_eq!((settled.distributable_requests, settled.refundable_sats), (0, 8_000));
    assert_eq!(world.mint_row(mint).await.watch, None);
    assert_eq!(world.listed(late).await["isRefundable"], true);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_rebroadcasts_its_transactions_after_a_mempool_purge() {
    let world = MintWorld::start(100_000).await;
    let (mint, alice) = minted_out(&world, 4).await;
    let [_, transfer] = first_payouts(&world, mint).await.map(Option::unwrap);
    let height = world.stack.bitcoin().height().await.unwrap();
    let purged = world.stack.bitcoin().purge_mempool().await.unwrap();
    assert_eq!(purged, height + 1);
    assert!(!world.is_known(transfer).await);
    world.watch().await;
    assert!(world.is_known(transfer).await);
    finish(&world, mint).await;
    assert_eq!(runes_of(&world, &alice.trading).await, 4_000);
}
