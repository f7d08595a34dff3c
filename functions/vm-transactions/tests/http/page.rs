//! `/api/vm-transactions/mints/{id}/next-block` and `/blocks`: what the page of a mint shows.

use bitcoin::hashes::Hash;
use chain::mints::{Changes, VmTransaction};
use shared::problem::Problem;

use super::*;

async fn next_block(world: &MintWorld, mint: MintId, requests: u64) -> Value {
    let path = format!("/api/vm-transactions/mints/{mint}/next-block?requestCount={requests}");
    let answer = world.client.get(path).send().await.expect(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=5");
    let is_over = answer.data()["height"].is_null() && !answer.data()["revision"].is_null();
    let poll_after = if is_over { Value::Null } else { json!(30_000) };
    assert_eq!(answer.notes(), json!({ "pollAfterMs": poll_after }));
    answer.data().clone()
}

/// An answer with the tag of an earlier one: its tag, and the status of the second answer.
async fn asked_again(world: &MintWorld, path: &str, known: Option<&str>) -> (String, u16) {
    let answer = world.client.get(path).send().await.expect(200);
    let tag = answer.header("etag").to_owned();
    let known = known.unwrap_or(&tag);
    let again = world.client.get(path).header("if-none-match", known).send().await;
    assert_eq!(again.header("etag"), tag);
    assert_eq!(again.header("cache-control"), answer.header("cache-control"));
    (tag, again.status)
}

/// The numbers, types and states of a mint's events.
async fn told(world: &MintWorld, mint: MintId, query: &str) -> Vec<(u64, String, Value, Value)> {
    let path = format!("/api/vm-transactions/mints/{mint}/events?{query}");
    let answer = world.client.get(path).send().await.expect(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=5");
    let rows = answer.data().as_array().unwrap().iter();
    rows.map(|row| {
        let fields: Vec<_> = row["data"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, ["after", "before", "mintId"], "{row}");
        assert_eq!(row["data"]["mintId"], mint.to_string());
        let (data, kind) = (&row["data"], row["type"].as_str().unwrap().to_owned());
        (row["sequence"].as_u64().unwrap(), kind, data["before"].clone(), data["after"].clone())
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_are_told_to_everybody_and_a_reorganisation_is_told_too() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let event =
        |n: u64, kind: &str, before: Value, after: Value| (n, kind.to_owned(), before, after);
    let opened = event(1, "mint.stateChanged", json!(null), json!("open"));
    assert_eq!(told(&world, mint, "").await, std::slice::from_ref(&opened));
    let batch = world.bid(&alice, 6, 1_500).await;
    world.mine(1).await;
    let filled = event(2, "vmBlock.filled", json!(0), json!(1));
    assert_eq!(told(&world, mint, "").await, [opened.clone(), filled.clone()]);
    assert_eq!(
        told(&world, mint, "after=1&types=vmBlock.filled").await,
        std::slice::from_ref(&filled)
    );
    assert_eq!(told(&world, mint, "types=mint.stateChanged").await, [opened]);
    // The chain loses the batch.
    world.stack.bitcoin().reorg(1, &[batch]).await.unwrap();
    world.watch().await;
    let emptied = event(3, "vmBlock.filled", json!(1), json!(0));
    assert_eq!(told(&world, mint, "after=2").await, [emptied]);

    let get = async |path: String| world.client.get(path).send().await;
    let path = format!("/api/vm-transactions/mints/{mint}/events");
    get(format!("{path}?after=4")).await.expect_error(Problem::Validation);
    get(format!("{path}?types=x")).await.expect_error(Problem::Validation);
    get("/api/vm-transactions/mints/x/events".to_owned()).await.expect_error(Problem::Validation);
    let unknown = "0197d3f0-0000-7000-8000-000000000000";
    let unknown = format!("/api/vm-transactions/mints/{unknown}/events");
    get(unknown).await.expect_error(Problem::VmMintNotFound);
    world.stack.clock().advance(std::time::Duration::from_secs(91 * 24 * 60 * 60));
    get(format!("{path}?after=0")).await.expect_error(Problem::EventsTooOld);
}

async fn price_to_enter(world: &MintWorld, mint: MintId, requests: u64) -> Option<u64> {
    next_block(world, mint, requests).await["priceToEnter"].as_u64()
}

async fn blocks(world: &MintWorld, mint: MintId, query: &str) -> Answer {
    let path = format!("/api/vm-transactions/mints/{mint}/blocks?{query}");
    world.client.get(path).send().await
}

/// Heights and numbers of requests of a page.
async fn filled(world: &MintWorld, mint: MintId, query: &str) -> Vec<(u64, u64)> {
    let page = blocks(world, mint, query).await.expect(200);
    let figure = |row: &Value, field: &str| row[field].as_u64().unwrap();
    let rows = page.data().as_array().unwrap().iter();
    rows.map(|row| (figure(row, "height"), figure(row, "requests"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_block_is_shown_with_the_price_to_enter_it() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    // The worker has not looked at it yet.
    let unseen = next_block(&world, mint, 1).await;
    assert_eq!((&unseen["height"], &unseen["revision"]), (&json!(null), &json!(null)));
    assert_eq!((&unseen["room"], &unseen["priceToEnter"]), (&json!(10), &json!(1_000)));
    world.watch().await;
    let chain = world.stack.bitcoin();
    let height = async || u64::from(chain.height().await.unwrap());
    let empty = next_block(&world, mint, 10).await;
    let tip = json!({
        "height": height().await,
        "hash": chain.rpc("getbestblockhash", json!([])).await.unwrap(),
    });
    let expected = json!({
        "height": height().await + 1,
        "room": 10,
        "requests": 0,
        "lowestPrice": null,
        "averagePrice": null,
        "highestPrice": null,
        "priceToEnter": 1_000,
        "waiting": { "requests": 0, "sats": 0 },
        "byPrice": [],
        "revision": tip,
    });
    assert_eq!(empty, expected);
    assert_eq!(price_to_enter(&world, mint, 11).await, None, "a block takes ten");

    // In the mempool: six at 1,500 and eight at 1,200.
    world.bid(&alice, 6, 1_500).await;
    world.bid(&bob, 8, 1_200).await;
    world.watch().await;
    let next = next_block(&world, mint, 1).await;
    let figures = ["requests", "lowestPrice", "averagePrice", "highestPrice", "priceToEnter"];
    let figures = |of: &Value| figures.map(|name| of[name].as_u64());
    let some = [10, 1_200, 1_380, 1_500, 1_201].map(Some);
    assert_eq!(figures(&next), some);
    assert_eq!(next["waiting"], json!({ "requests": 14, "sats": 18_600 }));
    let by_price = json!([
        { "price": 1_500, "requests": 6, "confirmed": 0 },
        { "price": 1_200, "requests": 8, "confirmed": 0 },
    ]);
    assert_eq!(next["byPrice"], by_price);
    for (requests, price) in [(4, Some(1_201)), (5, Some(1_501)), (10, Some(1_501)), (11, None)] {
        assert_eq!(price_to_enter(&world, mint, requests).await, price, "{requests}");
    }
    assert_eq!(filled(&world, mint, "").await, []);
    let paths = ["next-block", "blocks"];
    let paths = paths.map(|part| format!("/api/vm-transactions/mints/{mint}/{part}"));
    let mut known = Vec::new();
    for path in &paths {
        let (tag, status) = asked_again(&world, path, None).await;
        assert_eq!(status, 304, "{path}");
        known.push(tag);
    }

    // The virtual block takes ten; four at 1,200 are left, and confirmed.
    world.mine(1).await;
    let next = next_block(&world, mint, 6).await;
    assert_eq!(figures(&next), [4, 1_200, 1_200, 1_200, 1_000].map(Some));
    assert_eq!(next["byPrice"], json!([{ "price": 1_200, "requests": 4, "confirmed": 4 }]));
    assert_eq!(next["height"], height().await + 1);
    assert_eq!(price_to_enter(&world, mint, 7).await, Some(1_201));
    for (path, known) in paths.iter().zip(&known) {
        assert_eq!(asked_again(&world, path, Some(known)).await.1, 200, "{path}");
    }
    let page = blocks(&world, mint, "").await.expect(200);
    let first = json!({
        "id": height().await.to_string(),
        "height": height().await,
        "requests": 10,
        "batches": 2,
        "lowestPrice": 1_200,
        "averagePrice": 1_380,
        "highestPrice": 1_500,
        "final": false,
    });
    assert_eq!(*page.data(), json!([first]));
    let meta = json!({ "totalItems": 1, "currentPage": 1, "pageSize": 10, "totalPages": 1 });
    assert_eq!(page.body["metaData"], meta);

    // A bid in the mempool and the rest of an earlier one.
    world.bid(&alice, 3, 2_000).await;
    world.watch().await;
    let next = next_block(&world, mint, 4).await;
    assert_eq!(figures(&next), [7, 1_200, 1_542, 2_000, 1_201].map(Some));
    world.mine(1).await;
    let (low, high) = (height().await - 1, height().await);
    assert_eq!(filled(&world, mint, "").await, [(high, 7), (low, 10)]);
    assert_eq!(filled(&world, mint, "sort=height").await, [(low, 10), (high, 7)]);
    assert_eq!(filled(&world, mint, "sort=requests&pageSize=1").await, [(high, 7)]);
    assert_eq!(filled(&world, mint, "pageSize=1&page=2").await, [(low, 10)]);
    assert_eq!(filled(&world, mint, "pageSize=1&page=3").await, []);
    // Thirteen requests are left of thirty.
    assert_eq!(next_block(&world, mint, 1).await["room"], 10);
    world.mine(5).await;
    let finals = async || {
        let page = blocks(&world, mint, "").await.expect(200);
        let rows = page.data().as_array().unwrap().clone();
        rows.iter().map(|row| row["final"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(finals().await, [false, true], "the older one is seven blocks deep");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_05_a_reorganisation_changes_what_is_shown() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    world.bid(&alice, 6, 1_500).await;
    world.mine(1).await;
    let late = world.bid(&bob, 8, 1_200).await;
    world.mine(1).await;
    let shown = filled(&world, mint, "sort=height").await;
    assert_eq!(shown.iter().map(|(_, requests)| *requests).collect::<Vec<_>>(), [6, 8]);
    let blocks_of = async |txid: Txid| {
        let path = format!("/api/vm-transactions/{txid}");
        world.client.get(path).send().await.expect(200).data()["blocks"].clone()
    };
    assert_eq!(blocks_of(late).await[0]["requests"], 8);
    // The chain loses bob's batch.
    world.stack.bitcoin().reorg(1, &[late]).await.unwrap();
    world.watch().await;
    assert_eq!(blocks_of(late).await, json!([]));
    assert_eq!(filled(&world, mint, "sort=height").await, shown[..1]);
    // It waits again once the worker has sent it again.
    let waits = match world.vm(mint, late).await.state {
        VmState::AllInMempool => 8,
        _ => 0,
    };
    let next = next_block(&world, mint, 1).await;
    assert_eq!(next["waiting"]["requests"], waits);
    assert!(next["byPrice"].as_array().unwrap().iter().all(|level| level["confirmed"] == 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_later_batches_at_lower_prices_hide_no_higher_one() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let batch = world.bid(&alice, 6, 5_000).await;
    let row = world.vm(mint, batch).await;
    let store = &world.stack.app().store;
    let lower = |number: u32| {
        let mut id = [0x5a; 32];
        id[..4].copy_from_slice(&number.to_be_bytes());
        let mut tiers = row.tiers.clone();
        tiers[0].sats_per_request = 1_000;
        let created_at = row.created_at.plus(Duration::from_secs(1));
        VmTransaction { txid: Txid::from_byte_array(id), tiers, created_at, ..row.clone() }
    };
    let numbers: Vec<_> = (0..1_001).collect();
    for some in numbers.chunks(20) {
        let insert = |changes: Changes, number: &u32| changes.insert(lower(*number));
        let writes = some.iter().fold(Changes::new(), insert).writes(store.now(), ());
        store.commit(writes).await.unwrap();
    }
    world.watch().await;
    let next = next_block(&world, mint, 4).await;
    assert_eq!(
        (&next["byPrice"][0]["price"], &next["highestPrice"]),
        (&json!(5_000), &json!(5_000))
    );
    assert_eq!(next["byPrice"][0]["requests"], 6);
    assert_eq!((&next["requests"], &next["priceToEnter"]), (&json!(10), &json!(1_001)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mint_that_is_over_has_no_next_block() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    world.bid(&alice, 6, 1_500).await;
    world.mine(1).await;
    world.close(mint).await;
    world.watch().await;
    let last_block = world.mint_row(mint).await.last_block;
    assert!(last_block.is_some());
    let closed = next_block(&world, mint, 1).await;
    assert_eq!(
        (&closed["height"], &closed["room"]),
        (&json!(null), &json!(0)),
        "{last_block:?} {closed}"
    );
    assert_eq!((&closed["requests"], &closed["priceToEnter"]), (&json!(0), &json!(null)));
    assert!(!closed["revision"].is_null(), "nobody has to ask again");
    world.mine(7).await;
    assert_eq!(filled(&world, mint, "").await.len(), 1, "its blocks stay");
}

#[tokio::test]
async fn wrong_questions_about_a_mint_are_refused() {
    let (world, mint, _) = world_with(&[]).await;
    let unknown = "018bcfe5-6800-7000-8000-000000000001";
    for path in ["next-block", "blocks"] {
        let get = async |id: &str, query: &str| {
            let path = format!("/api/vm-transactions/mints/{id}/{path}{query}");
            world.client.get(path).send().await
        };
        get(unknown, "").await.expect_error(Problem::VmMintNotFound);
        get("1", "").await.expect_error(Problem::Validation);
        let wrong = match path {
            "blocks" => vec!["?sort=hash", "?select=hash", "?height_eq=1", "?asOf=1"],
            _ => vec!["?requestCount=0", "?requestCount=1000001", "?requestCount=-1"],
        };
        for query in wrong {
            get(&mint.to_string(), query).await.expect_error(Problem::Validation);
        }
    }
}
