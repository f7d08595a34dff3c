//! Lists of swaps at full size: for every combination of filters, the response equals a scan of all rows and
//! costs the same number of reads.

use std::{collections::BTreeMap, env, time::Instant};

use chain::{
    keys,
    models::xchain::{XchainKey, XchainRecord},
    xchain::lists_of,
};
use local::{LocalStack, histories};
use serde_json::{Value, json};
use shared::{
    clock::Timestamp,
    models::account::AccountId,
    store::{Entity, Key},
};

use crate::counting;

/// Number of swaps if `SWAPS` is not set.
const SWAPS: u64 = 200_000;
/// Rows per write to the database.
const BATCH: usize = 20_000;
const PAGE: usize = 10;

const TOKENS: [&str; 5] = [
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    "0x2::sui::SUI",
    "So11111111111111111111111111111111111111112",
    "0:0",
    "840000:3",
];

/// The `n`-th swap. Addresses and tokens repeat in an irregular order.
fn record(n: u64) -> XchainRecord {
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let account = AccountId(uuid::Uuid::from_u128(u128::from(mixed % 7)));
    let at = Timestamp(1_700_000_000_000 + i64::try_from(n).unwrap());
    let mut record = histories::swap(account, n, at);
    let token = |place: u64| TOKENS[usize::try_from(place % 5).unwrap()].parse().unwrap();
    record.intent.input_token = token(mixed / 7);
    record.intent.output_token = Some(token(mixed / 35));
    let address = |place: u64| format!("0x{:040x}", 0xa0 + place % 11);
    record.user_address = address(mixed / 175);
    record.trading_address =
        if mixed.is_multiple_of(3) { address(mixed / 1_925) } else { record.user_address.clone() };
    record.withdraw_to = address(mixed / 21_175);
    record
}

/// Writes all records and their list entries as the service would have written them.
fn plant(stack: &LocalStack, records: &[XchainRecord]) {
    let mut counts: BTreeMap<Key, (u64, Timestamp)> = BTreeMap::new();
    let mut rows = Vec::new();
    for record in records {
        let key = record.key().unwrap();
        rows.push((keys::xchain(key), XchainRecord::ENTITY, json!(record)));
        for list in lists_of(record) {
            let (count, last_at) = counts.entry(list.head()).or_default();
            (*count, *last_at) = (*count + 1, record.created_at);
            rows.push((list.member(*count), "listMember", member(*count, key, record.created_at)));
        }
        if rows.len() >= BATCH {
            stack.import(&rows).unwrap();
            rows.clear();
        }
    }
    let heads = counts.into_iter().map(|(head, (count, last_at))| {
        (head, "listHead", json!({ "count": count, "lastAt": last_at }))
    });
    rows.extend(heads);
    stack.import(&rows).unwrap();
}

fn member(n: u64, key: XchainKey, at: Timestamp) -> Value {
    json!({ "n": n, "value": key, "createdAt": at, "appendedBy": "" })
}

type Wanted<'a> = (Option<&'a str>, Option<&'a str>, Option<(&'a str, &'a str)>);

/// Whether a row matches the filters: address, token, pair.
fn matches_filters(record: &XchainRecord, (address, token, pair): Wanted<'_>) -> bool {
    let tokens = [Some(&record.intent.input_token), record.intent.output_token.as_ref()];
    let has = |token: &str| tokens.iter().flatten().any(|own| own.as_str() == token);
    let addresses = [&record.user_address, &record.trading_address, &record.withdraw_to];
    address.is_none_or(|address| addresses.iter().any(|own| *own == address))
        && token.is_none_or(has)
        && pair.is_none_or(|(one, other)| {
            has(one) && has(other) && token.is_none_or(|token| token == one || token == other)
        })
}

/// For every combination of filters, compares the first, a middle and the last page with all rows, and prints
/// the reads of each.
///
/// # Panics
/// A response differs from the rows.
pub(crate) async fn measure(stack: &LocalStack) {
    let count = env::var("SWAPS").ok().and_then(|count| count.parse().ok()).unwrap_or(SWAPS);
    let records: Vec<_> = (0..count).map(record).collect();
    let began = Instant::now();
    plant(stack, &records);
    let (_server, client, http) = counting::serve(stack).await;
    println!(
        "### Swaps: {count} of them, in {} rows of lists\n\n\
         | Filters | Rows | Page | Operations | Capacity units |\n|---|---|---|---|---|",
        records.iter().map(|record| lists_of(record).len()).sum::<usize>()
    );
    let address = "0x00000000000000000000000000000000000000a3";
    let (token, other) = (TOKENS[0], TOKENS[1]);
    let filters: [(&str, Wanted<'_>); 8] = [
        ("none", (None, None, None)),
        ("relatedAddress", (Some(address), None, None)),
        ("intentToken", (None, Some(token), None)),
        ("intentTokenPair", (None, None, Some((other, token)))),
        ("relatedAddress, intentToken", (Some(address), Some(token), None)),
        ("relatedAddress, intentTokenPair", (Some(address), None, Some((token, other)))),
        ("intentToken, intentTokenPair", (None, Some(token), Some((token, other)))),
        ("all three", (Some(address), Some(other), Some((token, other)))),
    ];
    for (name, wanted) in filters {
        let meant: Vec<_> =
            records.iter().rev().filter(|record| matches_filters(record, wanted)).collect();
        let pages = meant.len().div_ceil(PAGE);
        let mut query = format!("pageSize={PAGE}&select=txId");
        let (address, token, pair) = wanted;
        if let Some(address) = address {
            query.push_str(&format!("&relatedAddress_eq={address}"));
        }
        if let Some(token) = token {
            query.push_str(&format!("&intentToken_eq={token}"));
        }
        if let Some((one, other)) = pair {
            query.push_str(&format!("&intentTokenPair_eq={one},{other}"));
        }
        for (which, page) in [("first", 1), ("middle", pages.div_ceil(2)), ("last", pages)] {
            http.take();
            let path = format!("/api/xchain/transactions?{query}&page={page}");
            let answer = client.get(path).send().await.expect(200);
            let read = http.take();
            assert_eq!(answer.body["metaData"]["totalItems"], json!(meant.len()), "{name} {which}");
            let expected: Vec<_> = meant
                .iter()
                .skip((page - 1) * PAGE)
                .take(PAGE)
                .map(|record| json!({ "id": record.id, "txId": record.tx_id }))
                .collect();
            assert_eq!(answer.data(), &json!(expected), "{name} {which}");
            assert_eq!(read.operations, ["GetItem", "Query", "BatchGetItem"], "{name} {which}");
            println!(
                "| {name} | {} | {which} | {} | {} |",
                meant.len(),
                read.operations.join(", "),
                read.capacity
            );
        }
    }
    println!("\nWritten and compared in {:.0} s.\n", began.elapsed().as_secs_f64());
}
