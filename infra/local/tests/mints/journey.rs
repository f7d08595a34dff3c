//! Three users in one mint.

use shared::problem::Problem;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn thirty_requests_in_blocks_of_ten_go_to_the_highest_bids() {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({})).await;
    let alice = world.trader(1, &[200_000, 200_000]).await;
    let bob = world.trader(2, &[200_000, 200_000]).await;
    let carol = world.trader(3, &[200_000, 200_000]).await;
    world.recount(mint).await;

    // Twelve at 2,000; eight at 3,000; ten at 1,500, then five more at 2,500 in one transaction.
    let a = world.bid(&alice, 12, 2_000).await;
    let b = world.bid(&bob, 8, 3_000).await;
    let c1 = world.bid(&carol, 10, 1_500).await;
    world.recount(mint).await;
    let c = world.bid(&carol, 5, 2_500).await;
    world.recount(mint).await;
    let (first, second) = (world.listed(c1).await, world.listed(c).await);
    assert_eq!((&first["state"], &first["replacedByTxId"]), (&json!("replaced"), &json!(c)));
    assert_eq!(
        (&second["replaceTxId"], &second["replacedRequestsCount"]),
        (&json!(c1), &json!(10))
    );
    assert_eq!(second["satsPreviousRequests"], 15_000);
    assert_eq!(
        (&second["satsNewRequests"], &second["satsPerNewRequest"]),
        (&json!(12_500), &json!(2_500))
    );
    assert!(!world.is_known(c1).await && world.is_known(c).await);

    // 8 at 3,000 and 2 of 5 at 2,500; then 3 at 2,500 and 7 of 12 at 2,000; ...
    let in_blocks = async |txid| world.listed(txid).await["requestsInBlocksCount"].clone();
    world.mine(1).await;
    world.recount(mint).await;
    assert_eq!(
        (in_blocks(a).await, in_blocks(b).await, in_blocks(c).await),
        (json!(0), json!(8), json!(2))
    );
    assert_eq!(world.listed(b).await["state"], "allInBlock");
    assert_eq!(world.listed(c).await["state"], "partiallyInBlock");
    assert_eq!(world.listed(a).await["state"], "allInMempool");
    let mint_path = format!("/api/vm-transactions/mints/{mint}");
    let read = world.client.get(&mint_path).send().await.expect(200);
    assert_eq!(read.data()["requestsInBlocksCount"], 10);
    assert_eq!(read.body["metaData"]["pollAfterMs"], 30_000);
    let found = world.client.get(format!("/api/vm-transactions/{c}")).send().await.expect(200);
    let (mut found_alone, row) = (found.data().clone(), world.listed(c).await);
    let own = found_alone.as_object_mut().unwrap();
    assert_eq!(own.remove("blocks").unwrap().as_array().unwrap().len(), 1);
    let prices = own.remove("prices").unwrap();
    assert_eq!(prices[1], json!({ "price": 2_500, "requests": 5, "inBlocks": 2 }));
    assert_eq!(found_alone, row);
    assert_eq!(found.body["metaData"]["pollAfterMs"], 30_000);
    // A late bid overtakes waiting requests.
    let b2 = world.bid(&bob, 4, 4_000).await;
    world.mine(1).await;
    world.recount(mint).await;
    assert_eq!(in_blocks(b2).await, 4);
    assert_eq!((in_blocks(a).await, in_blocks(c).await), (json!(3), json!(5)));
    world.mine(1).await;
    world.recount(mint).await;
    // Thirty are taken: 12 + 5 + 8 + 4 = 29, and one of ten at 1,500.
    assert_eq!((in_blocks(a).await, in_blocks(c).await), (json!(12), json!(6)));
    assert_eq!(world.requests_in_blocks(mint).await, 30);
    assert_eq!(world.mint_row(mint).await.state, MintState::Open, "not final yet");
    // Six blocks are not enough for anything irreversible.
    world.mine(5).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open);
    world.mine(1).await;
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    for txid in [a, b, b2, c] {
        assert_eq!(world.vm(mint, txid).await.state, VmState::Distributing);
    }
    world.mine(1).await;
    world.recount(mint).await;
    for _block in 0..12 {
        world.mine(1).await;
    }
    world.recount(mint).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    for (trader, requests) in [(&alice, 12), (&bob, 12), (&carol, 6)] {
        assert_eq!(runes_of(&world, &trader.trading).await, requests * 1_000);
    }
    assert_eq!(runes_of(&world, &world.pool.address(local::wallets::NETWORK)).await, 970_000);
    let proceeds = 12 * 2_000 + 8 * 3_000 + 4 * 4_000 + 5 * 2_500 + 1_500;
    assert_eq!(sats_of(&world, &world.proceeds).await, proceeds);
    for txid in [a, b, b2, c] {
        let row = world.listed(txid).await;
        assert_eq!(row["state"], "distributed");
        assert!(row["transferBtcTxId"].is_string() && row["distributeRuneTxId"].is_string());
        assert!(row["transferBtcAt"].is_i64() && row["vmDistributionId"].is_string());
        assert_eq!(row["isRefundable"], txid == c, "{row}");
    }

    refund_the_rest(&world, &carol, c).await;
    world.recount(mint).await;
    what_was_told(&world, mint, &carol, [c1, c]).await;
    assert_eq!(sats_of(&world, &world.treasury.address(local::wallets::NETWORK)).await, 0);
}

/// Carol sees each state of her two batches and her refund once; everybody sees the blocks and states of the mint.
async fn what_was_told(world: &MintWorld, mint: MintId, carol: &Trader, [c1, c]: [Txid; 2]) {
    let token = world.token(carol).await;
    let told = events_of(&world.client, "/api/events", Some(&token)).await;
    let steps = |kind: &str, id: Option<Txid>| {
        let of = told.iter().filter(|[told, subject, _]| {
            told == kind && id.is_none_or(|id| *subject == id.to_string())
        });
        of.map(|[_, _, states]| states.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(
        steps("vmTransaction.stateChanged", Some(c)),
        [
            "unsigned>broadcasting",
            "broadcasting>allInMempool",
            "allInMempool>partiallyInBlock",
            "partiallyInBlock>distributing",
            "distributing>distributed",
        ]
    );
    assert_eq!(
        steps("vmTransaction.stateChanged", Some(c1)),
        ["unsigned>broadcasting", "broadcasting>allInMempool", "allInMempool>replaced"]
    );
    let signed = ["unsigned>signing", "signing>broadcasting", "broadcasting>inMempool"];
    let and = |last: &[&'static str]| [&signed[..], last].concat();
    assert_eq!(steps("transaction.stateChanged", Some(c)), and(&["inMempool>confirmed"]));
    // Once its replacement is final, it can never confirm.
    let replaced = and(&["inMempool>replaced", "replaced>failed"]);
    assert_eq!(steps("transaction.stateChanged", Some(c1)), replaced);
    assert_eq!(steps("refund.stateChanged", None), and(&["inMempool>confirmed"]));

    let path = format!("/api/vm-transactions/mints/{mint}/events");
    let public = events_of(&world.client, &path, None).await;
    let id = mint.to_string();
    assert!(public.iter().all(|[_, subject, _]| *subject == id), "{public:?}");
    let told = public.iter().map(|[kind, _, states]| (kind.as_str(), states.as_str()));
    let [state, filled] = ["mint.stateChanged", "vmBlock.filled"];
    let expected = [
        (state, "null>open"),
        (filled, "0>1"),
        (filled, "1>2"),
        (filled, "2>3"),
        (state, "open>mintedOut"),
        (state, "mintedOut>distributed"),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

/// Nine of Carol's ten requests at 1,500 were never taken.
async fn refund_the_rest(world: &MintWorld, carol: &Trader, txid: Txid) {
    let calculated = world.calculate(carol).await.expect(200);
    assert_eq!(calculated.data()["totalSats"], 9 * 1_500);
    assert_eq!(calculated.data()["items"][0]["txIds"], json!([txid]));
    let before = sats_of(world, &carol.trading).await;
    let created = world.create_refund(carol).await.expect(201);
    let signed = carol.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(carol, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool");
    assert_eq!(world.listed(txid).await["refundTxId"], json!(txid_of(&created)));
    world.mine(6).await;
    assert_eq!(world.listed(txid).await["refundState"], "broadcast");
    world.mine(1).await;
    let row = world.listed(txid).await;
    assert_eq!((&row["refundState"], &row["state"]), (&json!("refunded"), &json!("distributed")));
    assert_eq!(row["isRefundable"], false);
    let refunded = calculated.data()["refundableSats"].as_u64().unwrap();
    assert_eq!(sats_of(world, &carol.trading).await, before + refunded);
    world.create_refund(carol).await.expect_error(Problem::RefundNothing);
}
