//! Batches that replace each other, and how blocks decide between them.

use local::client::twenty_at_once;
use shared::problem::Problem;

use super::*;

/// The longest pause between two looks of the worker.
const LONGEST_PAUSE: Duration = Duration::from_secs(15 * 60);

/// Position of a transaction in the newest block, according to the node.
async fn place_in_block(world: &MintWorld, txid: Txid) -> usize {
    let chain = world.stack.bitcoin();
    let newest = chain.rpc("getbestblockhash", json!([])).await.unwrap();
    let block = chain.rpc("getblock", json!([newest, 1])).await.unwrap();
    let txids = block["tx"].as_array().unwrap();
    txids.iter().position(|other| *other == txid.to_string()).unwrap()
}

/// Requests in virtual blocks by tier.
async fn in_blocks(world: &MintWorld, mint: MintId, txid: Txid) -> Vec<u64> {
    world.vm(mint, txid).await.tiers.iter().map(|tier| tier.in_blocks).collect()
}

/// What the page of a batch shows: its prices, and its virtual blocks, newest first, each with height and
/// requests.
async fn shown(world: &MintWorld, txid: Txid) -> (Value, Vec<(u64, u64)>) {
    let path = format!("/api/vm-transactions/{txid}");
    let answer = world.client.get(path).send().await.expect(200);
    let blocks = answer.data()["blocks"].as_array().unwrap().iter();
    let figure = |block: &Value, name: &str| block[name].as_u64().unwrap();
    let blocks = blocks.map(|block| (figure(block, "height"), figure(block, "requests")));
    let blocks: Vec<_> = blocks.collect();
    let of_blocks: u64 = blocks.iter().map(|(_, requests)| requests).sum();
    assert_eq!(answer.data()["requestsInBlocksCount"].as_u64(), Some(of_blocks));
    (answer.data()["prices"].clone(), blocks)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_replaces_and_outbids_the_waiting_one() {
    let (world, mint, alice) = world_with(&[60_000, 200_000, 40_000]).await;
    // A batch never replaces another account's batch.
    let bob = world.trader(2, &[100_000]).await;
    let bobs = world.bid(&bob, 1, 1_000).await;
    let prices = [(2, 1_000), (3, 1_500), (4, 2_000), (1, 5_000)];
    let (mut chain, mut tiers) = (Vec::new(), Vec::new());
    for (requests, price) in prices {
        let (count, sats) = tiers
            .iter()
            .fold((0, 0), |(count, sats), tier: &Tier| (count + tier.count, sats + tier.sats()));
        tiers.push(tier(requests, price, 0));
        let created = world.create(&alice, requests, price).await.expect(201);
        let signed = alice.signed(created.text_of("base64Psbt"));
        // The batch before is unchanged until the signature.
        if let Some(before) = chain.last() {
            assert_eq!(world.listed(*before).await["state"], "allInMempool");
        }
        let answer = world.sign(&alice, &signed).await.expect(201);
        let txid = txid_of(&created);
        assert_eq!(*answer.data(), json!({ "txId": txid, "state": "allInMempool" }));

        let transaction = world.raw(txid).await;
        assert_eq!(paid_to_treasury(&world, &transaction), [sats + requests * price]);
        assert_eq!(world.vm(mint, txid).await.tiers, tiers);
        let row = world.listed(txid).await;
        assert_eq!(row["replacedRequestsCount"], count);
        assert_eq!(row["satsPreviousRequests"], sats);
        assert_eq!(row["satsNewRequests"], requests * price);
        assert_eq!(row["satsPerNewRequest"], price);
        assert_eq!(row["requestsInMempoolCount"], count + requests);
        assert_eq!(row["paidSats"], 0);
        assert_eq!(row["replaceTxId"], json!(chain.last()));
        assert_eq!(row["replacedByTxId"], Value::Null);
        if let Some(&before) = chain.last() {
            let replaced = world.listed(before).await;
            assert_eq!(replaced["state"], "replaced");
            assert_eq!(replaced["replacedByTxId"], json!(txid));
            assert_eq!(replaced["requestsInMempoolCount"], 0);
            assert!(!world.is_known(before).await);
            assert_eq!(state(&world, before).await, TransactionState::Replaced);
            outbids(&world, before, txid).await;
        }
        assert!(world.is_known(txid).await && world.is_known(bobs).await);
        world.recount(mint).await;
        chain.push(txid);
    }
    assert_eq!(world.sum(mint, VmSum::InMempool).await, 11);

    world.mine(2).await;
    assert_eq!(in_blocks(&world, mint, chain[3]).await, [2, 3, 4, 1]);
    assert_eq!(in_blocks(&world, mint, bobs).await, [1]);
    assert_eq!(world.listed(chain[3]).await["paidSats"], 19_500);
    world.recount(mint).await;
}

/// BIP 125, rules 3, 4 and 6 as Bitcoin Core implements them: a higher fee and a higher rate.
async fn outbids(world: &MintWorld, before: Txid, txid: Txid) {
    let fee = async |txid| fee_of(&parse_psbt(&world.body(txid).await.psbt)).to_sat();
    let vsize = async |txid| world.raw(txid).await.vsize() as u64;
    let (old_fee, new_fee) = (fee(before).await, fee(txid).await);
    let (old_size, new_size) = (vsize(before).await, vsize(txid).await);
    assert!(new_fee >= old_fee + new_size, "{old_fee} {new_fee}");
    assert!(new_fee * old_size > old_fee * new_size, "{old_fee}/{old_size} {new_fee}/{new_size}");
    assert_eq!(world.issued(txid).await.fee, new_fee);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_04_the_tiers_of_a_merged_batch_are_filled_by_price() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    world.bid(&alice, 6, 1_000).await;
    world.bid(&alice, 3, 2_000).await;
    let txid = world.bid(&alice, 4, 1_200).await;
    let bobs = world.bid(&bob, 5, 1_100).await;
    assert_eq!(shown(&world, txid).await.1, []);
    world.mine(1).await;
    assert_eq!(in_blocks(&world, mint, txid).await, [0, 3, 4]);
    assert_eq!(in_blocks(&world, mint, bobs).await, [3]);
    let height = u64::from(world.stack.bitcoin().height().await.unwrap());
    let price = |price: u64, requests: u64, in_blocks: u64| json!({ "price": price, "requests": requests, "inBlocks": in_blocks });
    let (prices, blocks) = shown(&world, txid).await;
    assert_eq!(prices, json!([price(1_000, 6, 0), price(2_000, 3, 3), price(1_200, 4, 4)]));
    assert_eq!(blocks, [(height, 7)], "two prices in one block are one figure");
    world.recount(mint).await;
    world.mine(1).await;
    let (prices, blocks) = shown(&world, txid).await;
    assert_eq!(prices[0], price(1_000, 6, 6));
    assert_eq!(blocks, [(height + 1, 6), (height, 7)]);
    assert_eq!(shown(&world, bobs).await.1, [(height + 1, 2), (height, 3)]);
    assert_eq!(in_blocks(&world, mint, txid).await, [6, 3, 4]);
    assert_eq!(in_blocks(&world, mint, bobs).await, [5]);
    assert_eq!(world.listed(txid).await["state"], "allInBlock");
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_04_ties_are_broken_by_height_then_by_position_in_the_block() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let carol = world.trader(3, &[100_000]).await;
    let mut both = [world.bid(&alice, 8, 1_000).await, world.bid(&bob, 8, 1_000).await];
    // The order in the block is the reverse of the order of ids.
    both.sort();
    both.reverse();
    let late = world.bid(&carol, 8, 1_000).await;
    let (first, second) = (both[0], both[1]);
    let transactions = (world.raw(first).await, world.raw(second).await);
    mine_these(&world, &[&transactions.0, &transactions.1]).await;
    for txid in [first, second] {
        let place = world.vm(mint, txid).await.confirmation.unwrap();
        assert_eq!(place.position as usize, place_in_block(&world, txid).await);
    }
    assert_eq!(in_blocks(&world, mint, first).await, [8]);
    assert_eq!(in_blocks(&world, mint, second).await, [2]);
    // One position ahead in its block, but a block later.
    world.mine(1).await;
    let place = world.vm(mint, late).await.confirmation.unwrap();
    assert_eq!(place.position as usize, place_in_block(&world, late).await);
    assert!(place.position < world.vm(mint, second).await.confirmation.unwrap().position);
    assert_eq!(in_blocks(&world, mint, second).await, [8]);
    assert_eq!(in_blocks(&world, mint, late).await, [4]);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_requests_unconfirmed_at_a_height_are_not_in_its_block() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let txid = world.bid(&alice, 25, 1_000).await;
    let transaction = world.raw(txid).await;
    mine_these(&world, &[]).await;
    assert_eq!(in_blocks(&world, mint, txid).await, [0]);
    assert_eq!(world.listed(txid).await["state"], "allInMempool");
    mine_these(&world, &[&transaction]).await;
    // Ten requests per block: the previous block contains none of them.
    assert_eq!(in_blocks(&world, mint, txid).await, [10]);
    assert_eq!(world.listed(txid).await["state"], "partiallyInBlock");
    world.recount(mint).await;
    let first = u64::from(world.stack.bitcoin().height().await.unwrap());
    for expected in [20, 25, 25] {
        mine_these(&world, &[]).await;
        assert_eq!(in_blocks(&world, mint, txid).await, [expected]);
    }
    assert_eq!(shown(&world, txid).await.1, [(first + 2, 5), (first + 1, 10), (first, 10)]);
    assert_eq!(world.listed(txid).await["paidSats"], 25_000);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_after_a_confirmed_one_is_a_separate_transaction() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let first = world.bid(&alice, 2, 1_000).await;
    world.stack.bitcoin().fund(&alice.trading, 50_000).await.unwrap();
    world.stack.bitcoin().mine(1).await.unwrap();
    // The rows lag behind the chain for a moment.
    world.create(&alice, 3, 1_500).await.expect_error(Problem::CoinsChanged);
    world.watch().await;
    let second = world.bid(&alice, 3, 1_500).await;
    let row = world.listed(second).await;
    assert_eq!((&row["replaceTxId"], &row["replacedRequestsCount"]), (&Value::Null, &json!(0)));
    assert_ne!(world.vm(mint, first).await.anchor, world.vm(mint, second).await.anchor);
    let third = world.bid(&alice, 1, 1_500).await;
    assert_eq!(world.listed(third).await["replaceTxId"], json!(second));
    assert_eq!(world.listed(first).await["state"], "allInBlock");
    world.mine(1).await;
    assert_eq!(world.requests_in_blocks(mint).await, 2 + 3 + 1);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_batches_has_at_most_twenty_prices() {
    let (world, mint, alice) = world_with(&[1_000_000]).await;
    for number in 0..20 {
        world.bid(&alice, 1, 1_000 + number).await;
    }
    world.create(&alice, 1, 3_000).await.expect_error(Problem::VmTooManyPrices);
    world.recount(mint).await;
    world.mine(1).await;
    world.bid(&alice, 1, 3_000).await;
    world.recount(mint).await;
}

/// Submits the first of three batches again and lets the network decide. If `favoured`, the node accepts it,
/// like a miner who was paid out of band.
async fn resubmit_first_of_three(favoured: bool) {
    let (world, mint, alice) = world_with(&[30_000]).await;
    let chain = world.stack.bitcoin();
    // At this rate a plan spends no coin that it does not need.
    chain.set_fees([(1, 25.0)].into()).unwrap();
    let mut all = Vec::new();
    for (requests, price) in [(2, 1_000), (3, 1_500), (4, 2_000)] {
        all.push(world.bid(&alice, requests, price).await);
        world.recount(mint).await;
        // Enough for the next batch without the coins of this one.
        let coin = chain.fund(&alice.trading, 200_000).await.unwrap();
        let funding = chain.transaction(coin.txid).await.unwrap().unwrap();
        mine_these(&world, &[&funding]).await;
    }
    let anchor = world.vm(mint, all[0]).await.anchor;
    for &txid in &all {
        assert_eq!(world.vm(mint, txid).await.anchor, anchor);
        let transaction = world.raw(txid).await;
        assert!(transaction.input.iter().any(|input| input.previous_output == anchor.0));
    }
    let first = world.raw(all[0]).await;
    if favoured {
        chain.rpc("prioritisetransaction", json!([all[0], 0, 1_000_000])).await.unwrap();
    }
    assert_eq!(chain.send_raw(&first).await.is_ok(), favoured);
    world.watch().await;
    world.recount(mint).await;
    world.mine(1).await;
    world.recount(mint).await;
    let (winner, requests) = if favoured { (all[0], 2) } else { (all[2], 9) };
    world.mine(6).await;
    world.pass(LONGEST_PAUSE).await;
    world.recount(mint).await;
    for txid in all {
        let is_winner = txid == winner;
        assert_eq!(chain.confirmations(txid).await.unwrap(), is_winner.then_some(7));
        let (row, vm) = (world.issued(txid).await, world.vm(mint, txid).await);
        assert!(row.watch.is_none(), "{:?}", row.state);
        assert_eq!(row.state == TransactionState::Confirmed, is_winner);
        assert_eq!(vm.state == VmState::AllInBlock, is_winner);
        assert_eq!(vm.requests_in_blocks(), if is_winner { requests } else { 0 });
        assert_eq!(vm.paid_sats() > 0, is_winner);
        if !is_winner {
            assert_eq!(row.state, TransactionState::Failed);
            assert!(matches!(vm.state, VmState::Replaced | VmState::Failed));
            assert!(!vm.is_refundable() && vm.confirmation.is_none());
        }
    }
    assert_eq!(open_count(&world, alice.address()).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_01_a_batch_and_its_replacement_never_both_confirm() {
    resubmit_first_of_three(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_01_a_replaced_batch_preferred_by_the_network_confirms_alone() {
    resubmit_first_of_three(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_replaced_batch_that_confirms_is_active_again_unless_reorganised() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let whale = world.trader(2, &[200_000]).await;
    // The whale fills the whole block, so other confirmed requests visibly wait.
    let whales = world.bid(&whale, 10, 5_000).await;
    let a = world.bid(&alice, 4, 2_000).await;
    let b = world.bid(&alice, 3, 3_000).await;
    world.recount(mint).await;
    let (first, second) = (world.raw(a).await, world.raw(b).await);
    let whales = world.raw(whales).await;

    mine_these(&world, &[&first, &whales]).await;
    world.recount(mint).await;
    let (old, new) = (world.vm(mint, a).await, world.vm(mint, b).await);
    assert_eq!((old.state, old.replaced_by), (VmState::AllInMempool, None));
    assert!(old.confirmation.is_some());
    // Its distribution or refund spends its own output.
    assert_eq!(old.paid_sats(), paid_to_treasury(&world, &first)[0]);
    assert_eq!((old.requests_in_mempool(), old.paid_sats()), (4, 8_000));
    assert_eq!((new.state, new.paid_sats(), new.requests_in_mempool()), (VmState::Failed, 0, 0));
    let listed = world.listed(b).await;
    assert_eq!((&listed["paidSats"], &listed["isRefundable"]), (&json!(0), &json!(false)));
    assert_eq!(world.sum(mint, VmSum::InMempool).await, 4);

    // A reorganisation drops it: it waits again, because the network has it and not the other one.
    world.stack.bitcoin().reorg(1, &[a]).await.unwrap();
    world.watch().await;
    world.recount(mint).await;
    assert!(world.is_known(a).await && !world.is_known(b).await);
    assert_eq!(world.vm(mint, a).await.state, VmState::AllInMempool);
    assert_eq!(world.vm(mint, a).await.confirmation, None);
    assert_eq!(world.vm(mint, b).await.state, VmState::Failed);

    // Now the replacement confirms after all.
    mine_these(&world, &[&second]).await;
    world.recount(mint).await;
    world.pass(LONGEST_PAUSE).await;
    world.recount(mint).await;
    let (old, new) = (world.vm(mint, a).await, world.vm(mint, b).await);
    assert_eq!((old.state, old.replaced_by), (VmState::Replaced, Some(b)));
    assert_eq!((old.paid_sats(), old.requests_in_mempool()), (0, 0));
    assert_eq!((new.state, new.paid_sats()), (VmState::AllInBlock, 8_000 + 9_000));
    assert_eq!(new.paid_sats(), paid_to_treasury(&world, &second)[0]);

    // The chain switches from one to the other directly.
    world.stack.bitcoin().reorg(1, &[b]).await.unwrap();
    mine_these(&world, &[&first]).await;
    world.pass(LONGEST_PAUSE).await;
    world.recount(mint).await;
    assert_eq!(world.vm(mint, a).await.state, VmState::AllInBlock);
    assert_eq!(world.vm(mint, b).await.state, VmState::Failed);
    world.mine(7).await;
    world.pass(LONGEST_PAUSE).await;
    world.recount(mint).await;
    assert_eq!(state(&world, a).await, TransactionState::Confirmed);
    assert_eq!(state(&world, b).await, TransactionState::Failed);
    assert_eq!(world.vm(mint, a).await.paid_sats(), 8_000);
    assert_eq!(world.vm(mint, b).await.state, VmState::Failed);
    // The chain of replacements has ended; the next batch starts a new one.
    world.stack.bitcoin().fund(&alice.trading, 50_000).await.unwrap();
    world.mine(1).await;
    let next = world.bid(&alice, 1, 1_000).await;
    assert_eq!(world.vm(mint, next).await.replaces, None);
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_07_while_a_batch_is_being_broadcast_the_next_one_is_refused_and_the_worker_finishes()
 {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let client = without_kms(&world).await;
    let mut before = None;
    for (requests, price) in [(2, 1_000), (3, 1_500)] {
        let created = world.create(&alice, requests, price).await.expect(201);
        let signed = alice.signed(created.text_of("base64Psbt"));
        for _time in 0..2 {
            let token = world.token(&alice).await;
            let answer = sign_at(&client, &token, alice.address(), &signed).await.expect(201);
            let expected = json!({ "txId": txid_of(&created), "state": "broadcasting" });
            assert_eq!(*answer.data(), expected);
        }
        let txid = txid_of(&created);
        assert_eq!(state(&world, txid).await, TransactionState::Signing);
        assert!(!world.is_known(txid).await);
        world.create(&alice, 5, 5_000).await.expect_error(Problem::VmBatchUnderWay);
        world.create(&alice, requests, price).await.expect_error(Problem::VmBatchUnderWay);
        // The batch to be replaced stays active until the network has the new one.
        if let Some(before) = before {
            assert_eq!(world.listed(before).await["state"], "allInMempool");
        }
        world.recount(mint).await;
        world.watch().await;
        assert_eq!(world.listed(txid).await["state"], "allInMempool");
        assert!(world.is_known(txid).await);
        world.recount(mint).await;
        before = Some(txid);
    }
    world.bid(&alice, 1, 2_000).await;
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_03_a_replacement_refused_by_the_node_replaces_nothing() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let a = world.bid(&alice, 2, 1_000).await;
    let created = world.create(&alice, 3, 1_500).await.expect(201);
    let b = txid_of(&created);
    let chain = world.stack.bitcoin();
    chain.rpc("prioritisetransaction", json!([a, 0, 1_000_000])).await.unwrap();
    let signed = alice.signed(created.text_of("base64Psbt"));
    let answer = world.sign(&alice, &signed).await.expect(201);
    assert_eq!(*answer.data(), json!({ "txId": b, "state": "broadcasting" }));
    for _look in 0..2 {
        assert_eq!(world.vm(mint, a).await.state, VmState::AllInMempool);
        assert_eq!(world.listed(b).await["state"], "broadcasting");
        assert_eq!(world.listed(b).await["requestsInMempoolCount"], 0);
        assert_eq!(world.sum(mint, VmSum::InMempool).await, 2);
        assert!(world.is_known(a).await && !world.is_known(b).await);
        world.create(&alice, 1, 5_000).await.expect_error(Problem::VmBatchUnderWay);
        world.recount(mint).await;
        world.watch().await;
    }
    chain.rpc("prioritisetransaction", json!([a, 0, -1_000_000])).await.unwrap();
    world.pass(LONGEST_PAUSE).await;
    assert_eq!(world.listed(a).await["state"], "replaced");
    assert_eq!(world.listed(b).await["state"], "allInMempool");
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_replacements_leave_one_waiting_and_one_unsigned() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let waiting = world.bid(&alice, 1, 1_000).await;
    let (client, token) = (world.client.clone(), world.token(&alice).await);
    let (address, rune) = (alice.address().to_owned(), world.rune.to_string());
    let answers = twenty_at_once(move |n| {
        let body = json!({
            "userAddress": address,
            "runeId": rune,
            "requestCount": 1,
            "satsNewRequests": 1_100 + n,
        });
        let (client, token) = (client.clone(), token.clone());
        async move { client.post("/api/vm-transactions").bearer(&token).json(&body).send().await }
    })
    .await;
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert!(answer.status == 409 || answer.status == 503, "{answer}");
    }
    // At most one of the issued transactions can be signed.
    let rows = world.vms(mint).await;
    let unsigned = rows.iter().filter(|row| row.state == VmState::Unsigned).count();
    assert!(unsigned <= 1);
    assert_eq!(open_count(&world, alice.address()).await, 1 + unsigned as u64);
    world.recount(mint).await;
    let mut accepted = 0;
    for created in answers.iter().filter(|answer| answer.status == 201) {
        let signed = alice.signed(created.text_of("base64Psbt"));
        let answer = world.sign(&alice, &signed).await;
        match answer.status {
            201 => accepted += 1,
            _ => drop(answer.expect_error(Problem::ReservationExpired)),
        }
    }
    assert_eq!(accepted, unsigned);
    let replaced = world.listed(waiting).await["state"] == "replaced";
    assert_eq!(replaced, unsigned == 1);
    world.recount(mint).await;
}
