//! Refunds whose fee is too low: the worker replaces them without the user (custody rule 25).

use local::functions;

use super::*;

const HOUR: Duration = Duration::from_secs(60 * 60 + 1);

/// A broadcast refund of 13,000 sats at 2 sat/vB.
async fn cheap_refund(world: &MintWorld) -> (Trader, MintId, Vec<Txid>, Txid) {
    world.stack.bitcoin().set_fees([(1, 2.0)].into()).unwrap();
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(world, &bids).await;
    let txid = refund(world, &alice).await;
    (alice, mint, txids, txid)
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_the_worker_bumps_a_refund_with_too_low_a_fee() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids, old) = cheap_refund(&world).await;
    // Neither a higher rate within the hour nor an hour at a similar rate triggers a bump.
    world.pass(HOUR).await;
    assert_eq!(state(&world, old).await, TransactionState::InMempool);
    world.stack.bitcoin().set_fees([(1, 12.0)].into()).unwrap();
    world.pass(Duration::from_secs(601)).await;
    world.pass(Duration::from_secs(601)).await;

    let new = world.vm(mint, txids[0]).await.refund_txid.unwrap();
    assert_ne!(new, old);
    let broadcast = (RefundState::Broadcast, Some(new));
    assert_eq!(refund_states(&world, mint, &txids).await, [broadcast, broadcast]);
    assert_eq!(state(&world, old).await, TransactionState::Replaced);
    assert!(world.is_known(new).await && !world.is_known(old).await);
    let (before, row) = (world.issued(old).await, world.issued(new).await);
    assert_eq!((row.account_id, row.replaces), (before.account_id, Some(old)));
    let paid_for: Vec<_> = sources(&world, mint, &txids).await;
    let body = world.body(new).await;
    let spent: Vec<_> = body.inputs.iter().map(|coin| coin.0).collect();
    assert!(body.wallet.is_none() && spent.len() == 2);
    assert!(paid_for.iter().all(|source| spent.contains(source)));
    let raw = world.raw(new).await;
    assert_eq!(raw.output.len(), 1);
    assert_eq!(raw.output[0].script_pubkey, alice.trading.script_pubkey());
    assert_eq!(raw.output[0].value.to_sat() + row.fee, 13_000);
    let rate = row.fee * 1_000 / raw.vsize() as u64;
    assert!((11_900..=12_700).contains(&rate), "{rate}");
    // The worker bumps at most once an hour.
    world.stack.bitcoin().set_fees([(1, 25.0)].into()).unwrap();
    world.pass(Duration::from_secs(1_202)).await;
    assert_eq!(world.vm(mint, txids[0]).await.refund_txid, Some(new));

    world.mine(7).await;
    let refunded = (RefundState::Refunded, Some(new));
    assert_eq!(refund_states(&world, mint, &txids).await, [refunded, refunded]);
    world.pass(Duration::from_secs(901)).await;
    assert_eq!(state(&world, old).await, TransactionState::Failed);
    // The user's coin, which the first version spent, is free.
    for coin in &world.body(old).await.inputs {
        assert!(!is_stored(&world, &format!("\"spend#{coin}\"")) || spent.contains(&coin.0));
    }
    assert_eq!(sats_of_treasury(&world).await, 0);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_bumped_refund_leaves_its_owner_at_least_half() {
    let world = MintWorld::start(1_000_000).await;
    let (_alice, mint, txids, old) = cheap_refund(&world).await;
    world.stack.bitcoin().set_fees([(1, 60.0)].into()).unwrap();
    for _hour in 0..3 {
        world.pass(HOUR).await;
    }
    let broadcast = (RefundState::Broadcast, Some(old));
    assert_eq!(refund_states(&world, mint, &txids).await, [broadcast, broadcast]);
    assert!(world.is_known(old).await);
    // The worker bumps it once a bump is worthwhile again and the fee is still too low.
    world.stack.bitcoin().set_fees([(1, 20.0)].into()).unwrap();
    world.pass(HOUR).await;
    world.pass(HOUR).await;
    assert_ne!(world.vm(mint, txids[0]).await.refund_txid, Some(old));
    world.mine(7).await;
    let states = refund_states(&world, mint, &txids).await;
    assert!(states.iter().all(|(state, _)| *state == RefundState::Refunded));
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_refund_refused_by_the_network_is_bumped_at_any_rate() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = reissue::two_batches(&world).await;
    let old = reissue::stuck(&world, &alice).await.compute_txid();
    world.pass(Duration::from_secs(901)).await;
    let new = world.vm(mint, txids[0]).await.refund_txid.unwrap();
    assert_ne!(new, old);
    assert_eq!(state(&world, old).await, TransactionState::Replaced);
    let (before, row) = (world.issued(old).await, world.issued(new).await);
    assert!(row.fee * 2 >= before.fee * 3, "{} {}", row.fee, before.fee);
    assert_eq!((row.replaces, row.state), (Some(old), TransactionState::InMempool));
    world.mine(7).await;
    reissue::assert_refunded_by(&world, (&alice, mint, &txids), new, old).await;
}

/// While the next version waits for the platform's signature, a miner confirms the first one: the next
/// version fails and releases its coins.
#[tokio::test(flavor = "multi_thread")]
async fn custody_25_an_unsigned_version_fails_if_its_predecessor_confirms() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, mint, txids) = reissue::two_batches(&world).await;
    let raw = reissue::stuck(&world, &alice).await;
    let old = raw.compute_txid();
    let created = reissue::reissued(&world, &alice, &raw).await;
    let new = txid_of(&created);
    const KMS: &str = "AWS_ENDPOINT_URL_KMS";
    let client = world.stack.serve_app(world.stack.app_without(KMS), functions::routes()).await;
    let body = json!({
        "userAddress": alice.address(),
        "base64Psbt": alice.signed(created.text_of("base64Psbt")),
    });
    let call = client.post("/api/refund/sign").bearer(&world.token(&alice).await);
    assert_eq!(call.json(&body).send().await.expect(201).data()["state"], "signing");
    assert_eq!(world.vm(mint, txids[0]).await.refund_txid, Some(new));

    reissue::mine_raw(&world, &raw).await.unwrap();
    world.stack.clock().advance(Duration::from_secs(901));
    for _run in 0..3 {
        world.stack.watch_without(KMS).await.unwrap();
    }
    assert_eq!(world.vm(mint, txids[0]).await.refund_txid, Some(old));
    world.pass(Duration::from_secs(901)).await;
    let row = world.issued(new).await;
    assert_eq!((row.state, row.signed_weight), (TransactionState::Replaced, None));
    world.mine(6).await;
    world.pass(Duration::from_secs(901)).await;
    assert_eq!(state(&world, new).await, TransactionState::Failed);
    // The old version has spent them.
    let spent = world.body(old).await.inputs;
    for coin in world.body(new).await.inputs {
        assert!(spent.contains(&coin) && is_stored(&world, &format!("spend#{coin}")));
    }
    reissue::assert_refunded_by(&world, (&alice, mint, &txids), old, new).await;
}
