//! `GET /api/vm-transactions`.

use std::cmp::Ordering;

use chain::{
    keys,
    mints::{VmSums, VmTransaction},
};
use local::wallets::sign_in;
use shared::problem::Problem;

use super::{rows::Rows, *};

/// All the fields of a row; there are no others (custody rule 22).
const FIELDS: [&str; 27] = [
    "base64Tx",
    "createdAt",
    "distributeRuneAt",
    "distributeRuneTxId",
    "id",
    "isRefundable",
    "mintId",
    "notTakenSats",
    "paidSats",
    "refundState",
    "refundTxId",
    "replaceTxId",
    "replacedByTxId",
    "replacedRequestsCount",
    "requestsInBlocksCount",
    "requestsInMempoolCount",
    "runeId",
    "satsNewRequests",
    "satsPerNewRequest",
    "satsPreviousRequests",
    "state",
    "timestamp",
    "tradingAddress",
    "transferBtcAt",
    "transferBtcTxId",
    "txId",
    "vmDistributionId",
];

fn txids(answer: &Answer) -> Vec<String> {
    let rows = answer.data().as_array().unwrap().iter();
    rows.map(|row| row["txId"].as_str().unwrap().to_owned()).collect()
}

/// Txids of rows in the order of a comparison.
fn sorted(
    mut rows: Vec<&VmTransaction>,
    order: impl Fn(&VmTransaction, &VmTransaction) -> Ordering,
) -> Vec<String> {
    rows.sort_by(|a, b| order(a, b));
    rows.into_iter().map(|row| row.txid.to_string()).collect()
}

/// Newest first; rows of the same moment by descending id.
fn newest_first(a: &VmTransaction, b: &VmTransaction) -> Ordering {
    let place = |row: &VmTransaction| (row.created_at, row.txid.to_string());
    place(b).cmp(&place(a))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_of_published_clients_finds_waiting_rows() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let query = format!(
        "/api/vm-transactions?page=1&pageSize=100&sort=-timestamp&state_eq=allInMempool&runeId_eq={}",
        world.rune
    );
    let empty = world.client.get(&query).send().await.expect(200);
    assert_eq!(empty.data(), &json!([]));
    let meta = json!({ "totalItems": 0, "currentPage": 1, "pageSize": 100, "totalPages": 0 });
    assert_eq!(empty.body["metaData"], meta);

    let first = world.bid(&alice, 2, 1_000).await;
    let second = world.bid(&bob, 3, 1_500).await;
    let third = world.bid(&alice, 1, 2_000).await;
    world.create(&bob, 1, 1_600).await.expect(201);
    let answer = world.client.get(&query).send().await.expect(200);
    assert_eq!(txids(&answer), [third.to_string(), second.to_string()]);
    let meta = json!({ "totalItems": 2, "currentPage": 1, "pageSize": 100, "totalPages": 1 });
    assert_eq!(answer.body["metaData"], meta);
    // A token makes no difference.
    let call = world.client.get(&query).bearer(&world.token(&alice).await);
    assert_eq!(call.send().await.expect(200).body, answer.body);
    let row = &answer.data()[0];
    assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS);
    assert_eq!(row["tradingAddress"], alice.trading.to_string());
    assert_eq!(row["runeId"], world.rune.to_string());
    assert_eq!(row["mintId"], mint.to_string());
    assert_eq!((&row["id"], &row["timestamp"]), (&row["txId"], &row["createdAt"]));
    assert_eq!(row["replaceTxId"], first.to_string());
    assert_eq!((&row["refundState"], &row["isRefundable"]), (&json!("none"), &json!(false)));
    for field in ["transferBtcTxId", "transferBtcAt", "distributeRuneTxId", "distributeRuneAt"] {
        assert_eq!(row[field], Value::Null);
    }
    world.mine(1).await;
    let answer = world.client.get(&query).send().await.expect(200);
    assert_eq!(answer.data(), &json!([]));
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_a_row_shows_its_transaction_as_issued_or_fully_signed() {
    let (world, _mint, alice) = world_with(&[100_000]).await;
    // Her first token expires before the batch exists.
    world.stack.clock().advance(Duration::from_secs(601));
    let created = world.create(&alice, 2, 1_000).await.expect(201);
    let (issued, txid) = (created.text_of("base64Psbt"), txid_of(&created));
    let unsigned = format!("/api/vm-transactions?state_eq=unsigned&runeId_eq={}", world.rune);
    let own = async || {
        let call = world.client.get(&unsigned).bearer(&world.token(&alice).await);
        call.send().await.expect(200)
    };
    assert_eq!(own().await.data()[0]["base64Tx"], issued);
    let path = format!("/api/vm-transactions/{txid}");
    let expired = format!("Bearer {}", alice.session.access_token);
    for (header, problem) in
        [(expired.as_str(), Problem::TokenExpired), ("Basic x", Problem::NoAuthorization)]
    {
        let call = world.client.get(&path).header("authorization", header);
        call.send().await.expect_error(problem);
    }
    // The user has signed and the platform has not: the user's signatures stay private.
    let client = without_kms(&world).await;
    let signed = alice.signed(issued);
    let token = world.token(&alice).await;
    sign_at(&client, &token, alice.address(), &signed).await.expect(201);
    assert_eq!(state(&world, txid).await, TransactionState::Signing);
    assert_eq!(own().await.data()[0]["base64Tx"], issued);
    assert!(parse_psbt(issued).inputs.iter().all(|input| input.partial_sigs.is_empty()));
    assert!(
        !world.client.get("/api/vm-transactions").send().await.text.contains(&txid.to_string())
    );
    world.watch().await;
    assert_eq!(own().await.data(), &json!([]));
    let listed = world.listed(txid).await;
    let bytes = BASE64_STANDARD.decode(listed["base64Tx"].as_str().unwrap()).unwrap();
    let transaction: Transaction = bitcoin::consensus::encode::deserialize(&bytes).unwrap();
    let sent = world.stack.bitcoin().transaction(txid).await.unwrap().unwrap();
    assert_eq!(transaction, sent);
    // The transaction is not even read if it is not selected.
    let path = "/api/vm-transactions?select=-base64Tx";
    let answer = world.client.get(path).send().await.expect(200);
    assert!(answer.data()[0].get("base64Tx").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_combination_of_filters_matches_its_rows_or_is_refused() {
    let rows = Rows::start().await;
    let of = |number: usize| (&rows.users[number].spelling, &rows.users[number].trading);
    let (address, trading) = of(1);
    let (rune, others) = (rows.runes[0], rows.runes[1]);
    for given in 0..16_u8 {
        let has = |bit: u8| given & (1 << bit) != 0;
        let filters = [
            (has(0), format!("state_eq={}", VmState::AllInMempool)),
            (has(1), format!("runeId_eq={rune}")),
            (has(2), format!("tradingAddress_eq={trading}")),
            (has(3), format!("userAddress_eq={address}")),
        ];
        let query: Vec<_> = filters.iter().filter(|(has, _)| *has).map(|(_, one)| one).collect();
        let query = query.into_iter().cloned().collect::<Vec<_>>().join("&");
        let answer = rows.get(&format!("pageSize=100&{query}")).await;
        // At most one of the two addresses.
        if has(2) && has(3) {
            answer.expect_error(Problem::VmFiltersUnsupported);
            continue;
        }
        let wanted = |row: &&VmTransaction| {
            (!has(0) || row.state == VmState::AllInMempool)
                && (!has(1) || row.rune_id == rune)
                && (!has(2) || row.trading_address == *trading)
                && (!has(3) || row.user_address == rows.users[1].address)
        };
        let found: Vec<_> = rows.public().into_iter().filter(wanted).collect();
        assert!(found.len() > if has(0) { 0 } else { 2 }, "{query}");
        let expected = if has(0) && (has(2) || has(3)) {
            // Filtered in memory: rows of the same moment by ascending id.
            sorted(found, |a, b| {
                (b.created_at, a.txid.to_string()).cmp(&(a.created_at, b.txid.to_string()))
            })
        } else if has(0) {
            sorted(found, newest_first)
        } else {
            found.into_iter().map(|row| row.txid.to_string()).collect()
        };
        let answer = answer.expect(200);
        assert_eq!(txids(&answer), expected, "{query}");
        assert_eq!(answer.body["metaData"]["totalItems"], expected.len(), "{query}");
    }
    // Private states are those of the caller, of a rune.
    for query in
        ["state_eq=unsigned", "state_eq=failed,expired", "state_eq=expired&userAddress_eq=x"]
    {
        rows.get(query).await.expect_error(Problem::VmFiltersUnsupported);
    }
    // Several states of a rune, of both, and of a mint.
    let several = [VmState::Failed, VmState::Replaced, VmState::Distributed];
    let names = several.map(VmState::name).join(",");
    for (more, is_wanted) in [
        (String::new(), &(|_: &VmTransaction| true) as &dyn Fn(&VmTransaction) -> bool),
        (format!("&runeId_eq={rune}"), &|row| row.rune_id == rune),
        (format!("&mintId_eq={}", rows.all[0].mint_id), &|row| row.mint_id == rows.all[0].mint_id),
    ] {
        let answer = rows.get(&format!("pageSize=100&state_eq={names}{more}")).await.expect(200);
        let found = rows.public().into_iter();
        let found = found.filter(|row| several.contains(&row.state) && is_wanted(row)).collect();
        let expected = sorted(found, newest_first);
        assert!(expected.len() > 2, "{more}");
        assert_eq!(txids(&answer), expected, "{more}");
        assert_eq!(answer.body["metaData"]["totalItems"], expected.len(), "{more}");
    }
    // Every state of either rune, and users without rows.
    for state in VmState::ALL {
        for rune in [rune, others] {
            let answer = rows.get(&format!("pageSize=100&state_eq={state}&runeId_eq={rune}")).await;
            let found = rows.public().into_iter();
            let found = found.filter(|row| row.state == state && row.rune_id == rune).collect();
            assert_eq!(txids(&answer.expect(200)), sorted(found, newest_first), "{state}");
        }
    }
    for query in [
        "runeId_eq=999:1".to_owned(),
        "state_eq=allInMempool&runeId_eq=999:1".to_owned(),
        format!("userAddress_eq={}", Wallet::p2tr(5).address()),
        format!("tradingAddress_eq={address}"),
        format!("runeId_eq=999:1&userAddress_eq={address}"),
    ] {
        let answer = rows.get(&query).await.expect(200);
        assert_eq!(
            (answer.data(), &answer.body["metaData"]["totalItems"]),
            (&json!([]), &json!(0))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_query_is_a_400_that_names_the_parameter() {
    let rows = Rows::start().await;
    for query in [
        "state_eq=confirmed",
        "state_eq=ALLINMEMPOOL",
        "mintId_eq=x",
        "state_eq=,",
        "runeId_eq=0:0",
        "runeId_eq=rune",
        "userAddress_eq=null",
        "accountId_eq=1",
        "txId_eq=1",
        "sort=base64Tx",
        "sort=userAddress",
        "select=userAddress",
        "select=%2BuserAddress",
        "select=%2BaccountId",
        "select=anchor",
        "select=txId,-state",
        "populate=rune",
        "page=0",
        "pageSize=0",
        "state_eq=failed&state_eq=replaced",
        "asOf=3.5",
        "asOf=3&state_eq=allInMempool&runeId_eq=1:1",
    ] {
        let refused = rows.get(query).await.expect_error(Problem::Validation);
        let parameter = query.split_once('=').unwrap().0;
        assert_eq!(refused.body["errors"][0]["field"], parameter, "{query}");
    }
    let rune = rows.runes[0];
    for (page, size, status) in [
        (100, 100, 200),
        (101, 100, 400),
        (1_000, 10, 200),
        (1_001, 10, 400),
        (10_000, 1, 200),
        (10_001, 1, 400),
        (1_000_000_000, 1, 400),
    ] {
        let query = format!("state_eq=allInMempool&runeId_eq={rune}&page={page}&pageSize={size}");
        let answer = rows.get(&query).await.expect(status);
        if status == 400 {
            answer.expect_error(Problem::VmPageTooDeep);
        } else {
            assert_eq!(answer.data(), &json!([]));
            assert!(answer.body["metaData"]["totalItems"].as_u64() > Some(10));
        }
        // Lists without a state filter have no such end.
        let query = format!("runeId_eq={rune}&page={page}&pageSize={size}");
        assert_eq!(rows.get(&query).await.expect(200).data(), &json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_are_read_by_price_however_many_wait() {
    let rows = Rows::start().await;
    let rune = rows.runes[0];
    let many: VmSums = serde_json::from_value(json!({ "allInMempool": 5_001 })).unwrap();
    let app = rows.stack.app();
    let another = MintId(app.random.id(app.clock.now()));
    app.store.put(&keys::vm_sums(rune, another), &many).await.unwrap();
    let sorted = async |by: &str| {
        rows.get(&format!("state_eq=allInMempool&runeId_eq={rune}&sort={by}&pageSize=3")).await
    };
    let prices = |answer: &Answer| {
        let rows = answer.data().as_array().unwrap().iter();
        rows.map(|row| row["satsPerNewRequest"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let waiting = rows.public().into_iter();
    let waiting = waiting.filter(|row| row.state == VmState::AllInMempool && row.rune_id == rune);
    let mut expected: Vec<_> =
        waiting.map(|row| row.new_tier().unwrap().sats_per_request).collect();
    expected.sort_unstable();
    assert_eq!(prices(&sorted("satsPerNewRequest").await.expect(200)), expected[..3]);
    expected.reverse();
    let highest = sorted("-satsPerNewRequest").await.expect(200);
    assert_eq!(prices(&highest), expected[..3]);
    assert_eq!(highest.body["metaData"]["totalItems"], expected.len() + 5_001);
    for by in ["-paidSats", "-satsPerNewRequest,-timestamp"] {
        sorted(by).await.expect_error(Problem::SortTooLarge);
    }
    let blocks = format!("state_eq=partiallyInBlock&runeId_eq={rune}&sort=-satsPerNewRequest");
    rows.get(&blocks).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_tile_every_order() {
    let rows = Rows::start().await;
    let (rune, user) = (rows.runes[0], &rows.users[0]);
    let filters = [
        String::new(),
        format!("runeId_eq={rune}"),
        format!("userAddress_eq={}", user.spelling),
        format!("runeId_eq={rune}&state_eq=allInMempool"),
    ];
    for filter in &filters {
        for sort in
            ["", "sort=timestamp", "sort=-timestamp", "sort=createdAt", "sort=-satsPerNewRequest"]
        {
            let whole = rows.get(&format!("{filter}&{sort}&pageSize=1000")).await.expect(200);
            assert_eq!(whole.body["metaData"]["pageSize"], 100);
            let whole = txids(&whole);
            assert!(whole.len() > 8, "{filter}");
            for size in [1, 3, 7] {
                let mut tiled = Vec::new();
                for page in 1..=whole.len().div_ceil(size) {
                    let query = format!("{filter}&{sort}&pageSize={size}&page={page}");
                    let answer = rows.get(&query).await.expect(200);
                    let mut meta = json!({
                        "totalItems": whole.len(),
                        "currentPage": page,
                        "pageSize": size,
                        "totalPages": whole.len().div_ceil(size),
                    });
                    if !filter.contains("state_eq") {
                        meta["asOf"] = json!(whole.len());
                    }
                    assert_eq!(answer.body["metaData"], meta);
                    tiled.extend(txids(&answer));
                }
                assert_eq!(tiled, whole, "{filter} {sort} {size}");
                let past = whole.len() / size + 2;
                let past = rows.get(&format!("{filter}&{sort}&pageSize={size}&page={past}")).await;
                assert_eq!(past.expect(200).data(), &json!([]));
            }
        }
    }
}

/// The value that a sort orders by, computed from a row.
type Figure = fn(&VmTransaction) -> u64;

#[tokio::test(flavor = "multi_thread")]
async fn every_sort_orders_the_rows() {
    let rows = Rows::start().await;
    let last = |row: &VmTransaction| row.tiers[row.tiers.len() - 1];
    let figures: [(&str, Figure); 8] = [
        ("satsPerNewRequest", |row| row.tiers[row.tiers.len() - 1].sats_per_request),
        ("satsNewRequests", |row| {
            let new = row.tiers[row.tiers.len() - 1];
            new.count * new.sats_per_request
        }),
        ("satsPreviousRequests", |row| if row.tiers.len() == 2 { 2_700 } else { 0 }),
        ("replacedRequestsCount", |row| if row.tiers.len() == 2 { 3 } else { 0 }),
        ("requestsInBlocksCount", |row| row.tiers.iter().map(|tier| tier.in_blocks).sum()),
        ("requestsInMempoolCount", |row| match row.state {
            VmState::AllInMempool | VmState::PartiallyInBlock | VmState::AllInBlock => {
                row.tiers.iter().map(|tier| tier.count - tier.in_blocks).sum()
            }
            // Nothing else waits, and nothing that is settled.
            _ => 0,
        }),
        ("paidSats", |row| match row.confirmation {
            Some(_) => row.tiers.iter().map(|tier| tier.count * tier.sats_per_request).sum(),
            None => 0,
        }),
        ("notTakenSats", |row| match row.state {
            VmState::Distributing | VmState::Distributed => row
                .tiers
                .iter()
                .map(|tier| (tier.count - tier.in_blocks) * tier.sats_per_request)
                .sum(),
            _ => 0,
        }),
    ];
    let rune = rows.runes[0];
    for filter in ["".to_owned(), format!("&runeId_eq={rune}&state_eq=allInMempool")] {
        let found = || {
            let wanted = |row: &&VmTransaction| {
                filter.is_empty() || (row.state == VmState::AllInMempool && row.rune_id == rune)
            };
            rows.public().into_iter().filter(wanted).collect::<Vec<_>>()
        };
        for (field, figure) in &figures {
            for descending in [false, true] {
                let sign = if descending { "-" } else { "" };
                let answer = rows.get(&format!("pageSize=100&sort={sign}{field}{filter}")).await;
                let answer = answer.expect(200);
                for (row, listed) in found().iter().map(|row| {
                    let listed = answer.data().as_array().unwrap().iter();
                    (row, listed.clone().find(|one| one["txId"] == row.txid.to_string()).unwrap())
                }) {
                    assert_eq!(listed[*field], figure(row), "{field} {:?}", row.state);
                }
                // Ties are ordered by id, in an index by price in its direction.
                let has_index = *field == "satsPerNewRequest" && !filter.is_empty();
                let order = |a: &VmTransaction, b: &VmTransaction| {
                    let order = figure(a).cmp(&figure(b));
                    let order = if descending { order.reverse() } else { order };
                    let by_id = a.txid.to_string().cmp(&b.txid.to_string());
                    let falls = descending && has_index;
                    order.then(if falls { by_id.reverse() } else { by_id })
                };
                assert_eq!(txids(&answer), sorted(found(), order), "{sign}{field}{filter}");
            }
        }
        let answer = rows.get(&format!("pageSize=100&sort=-txId{filter}")).await.expect(200);
        let by_id =
            |a: &VmTransaction, b: &VmTransaction| b.txid.to_string().cmp(&a.txid.to_string());
        assert_eq!(txids(&answer), sorted(found(), by_id));
        let query = format!("pageSize=100&sort=-satsPerNewRequest,-timestamp,txId{filter}");
        let answer = rows.get(&query).await.expect(200);
        let order = |a: &VmTransaction, b: &VmTransaction| {
            last(b)
                .sats_per_request
                .cmp(&last(a).sats_per_request)
                .then_with(|| b.created_at.cmp(&a.created_at))
                .then_with(|| a.txid.to_string().cmp(&b.txid.to_string()))
        };
        assert_eq!(txids(&answer), sorted(found(), order));
        for field in ["timestamp", "createdAt"] {
            let answer = rows.get(&format!("pageSize=100&sort=-{field}{filter}")).await.expect(200);
            let mut newest = txids(&answer);
            let answer = rows.get(&format!("pageSize=100&sort={field}{filter}")).await.expect(200);
            newest.reverse();
            assert_eq!(txids(&answer), newest);
            let times: Vec<_> = answer
                .data()
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["timestamp"].as_i64().unwrap())
                .collect();
            assert!(times.is_sorted());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_has_its_fields_and_the_id() {
    let rows = Rows::start().await;
    let keys = async |select: &str| {
        let answer = rows.get(&format!("pageSize=1&select={select}")).await.expect(200);
        let row = answer.data()[0].as_object().unwrap().clone();
        row.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys("txId,state").await, ["id", "state", "txId"]);
    assert_eq!(keys("txId+state").await, ["id", "state", "txId"]);
    assert_eq!(keys("id").await, ["id"]);
    let without: Vec<_> =
        FIELDS.iter().filter(|field| !["base64Tx", "state"].contains(*field)).collect();
    assert_eq!(keys("-base64Tx,-state").await.iter().collect::<Vec<_>>(), without);
    let filtered = format!("select=txId&state_eq=failed&runeId_eq={}", rows.runes[0]);
    let answer = rows.get(&filtered).await.expect(200);
    assert_eq!(answer.data()[0].as_object().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_unsigned_rows_are_private_and_no_row_reveals_its_owner() {
    let rows = Rows::start().await;
    let stranger = sign_in(&rows.client, &Wallet::p2wpkh(50)).await;
    for state in [VmState::Unsigned, VmState::Expired] {
        for rune in rows.runes {
            let query =
                format!("/api/vm-transactions?pageSize=100&state_eq={state}&runeId_eq={rune}");
            let own = |account: &str| {
                let found = rows.all.iter().filter(|row| {
                    row.state == state
                        && row.rune_id == rune
                        && row.account_id.to_string() == account
                });
                sorted(found.collect(), newest_first)
            };
            let mut seen = 0;
            for user in &rows.users {
                let call = rows.client.get(&query).bearer(&user.session.access_token);
                let answer = call.send().await.expect(200);
                let expected = own(&user.session.account);
                seen += expected.len();
                assert_eq!(txids(&answer), expected);
                assert_eq!(answer.body["metaData"]["totalItems"], expected.len());
                // Sorted by another field, the rows are the same.
                let path = format!("{query}&sort=satsNewRequests");
                let call = rows.client.get(path).bearer(&user.session.access_token);
                assert_eq!(txids(&call.send().await.expect(200)).len(), expected.len());
            }
            assert_eq!(seen, 2, "two rows for each state and rune");
            let call = rows.client.get(&query).bearer(&stranger.access_token);
            for answer in [call.send().await, rows.client.get(&query).send().await] {
                let answer = answer.expect(200);
                assert_eq!(answer.data(), &json!([]));
                assert_eq!(answer.body["metaData"]["totalItems"], 0);
            }
            rows.client
                .get(&query)
                .bearer("nonsense")
                .send()
                .await
                .expect_error(Problem::InvalidToken);
        }
    }
    // With or without a token, no other list contains private rows.
    let user = &rows.users[1];
    let queries = [
        "pageSize=100".to_owned(),
        format!("pageSize=100&runeId_eq={}", rows.runes[0]),
        format!("pageSize=100&userAddress_eq={}", user.spelling),
        format!("pageSize=100&tradingAddress_eq={}", user.trading),
        format!("pageSize=100&state_eq=allInMempool&runeId_eq={}", rows.runes[0]),
        "pageSize=100&sort=-paidSats".to_owned(),
    ];
    for query in queries {
        let path = format!("/api/vm-transactions?{query}");
        let call = rows.client.get(path).bearer(&user.session.access_token);
        for answer in [call.send().await.expect(200), rows.get(&query).await.expect(200)] {
            for row in answer.data().as_array().unwrap() {
                let state = row["state"].as_str().unwrap();
                assert!(!["unsigned", "expired"].contains(&state), "{query}");
                assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS);
            }
            for user in &rows.users {
                for secret in [&user.session.account, &user.address, &user.spelling] {
                    assert!(!answer.text.contains(secret.as_str()), "{query}: {secret}");
                }
            }
        }
    }
}

/// The example of the API contract: the rune from the catalogue, and the wallet only for its owner.
#[tokio::test(flavor = "multi_thread")]
async fn wallet_and_token_are_populated() {
    let rows = Rows::start().await;
    let rune = rows.runes[0].to_string();
    let token = json!({
        "tokenId": rune, "chain": "bitcoin", "symbol": "ONE", "divisibility": 2, "slots": [],
    });
    let token = serde_json::from_value(token).unwrap();
    rows.stack.enter_token(&token).await;
    let user = &rows.users[0];
    let mut own = 0;
    for (token, state) in [(None, ""), (Some(&user.session.access_token), "&state_eq=replaced")] {
        let path = "/api/vm-transactions?pageSize=100&populate=wallet,token";
        let path = format!("{path}&runeId_eq={rune}{state}");
        let call = rows.client.get(path);
        let call = token.into_iter().fold(call, |call, token| call.bearer(token));
        let page = call.send().await.expect(200);
        for row in page.data().as_array().unwrap() {
            assert_eq!(
                (&row["token"]["symbol"], &row["token"]["divisibility"]),
                (&json!("ONE"), &json!(2))
            );
            assert!(row.get("accountId").is_none());
            let is_own = token.is_some() && row["tradingAddress"] == user.trading.as_str();
            own += u32::from(is_own);
            let wallet = if is_own { user.session.data["wallet"].clone() } else { Value::Null };
            assert_eq!(row["wallet"], wallet, "{row}");
        }
    }
    assert!(own > 0);
    let mints = rows.client.get("/api/vm-transactions/mints?populate=token,wallet").send().await;
    let mints = mints.expect(200);
    for mint in mints.data().as_array().unwrap() {
        let symbol = if mint["runeId"] == rune { json!("ONE") } else { Value::Null };
        assert_eq!((&mint["token"]["symbol"], &mint["wallet"]), (&symbol, &Value::Null));
    }
}
