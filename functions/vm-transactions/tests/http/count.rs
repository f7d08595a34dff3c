//! `GET /api/vm-transactions/count-unconfirmed-requests`.

use chain::{keys, mints::VmTransaction};
use shared::problem::Problem;

use super::{rows::Rows, *};

/// Requests that wait for a virtual block, computed from the rows.
fn waiting<'a>(rows: impl Iterator<Item = &'a VmTransaction>) -> u64 {
    let waits = |row: &&VmTransaction| {
        use VmState::{AllInBlock, AllInMempool, PartiallyInBlock};
        matches!(row.state, AllInMempool | PartiallyInBlock | AllInBlock)
    };
    let left = |row: &VmTransaction| -> u64 {
        row.tiers.iter().map(|tier| tier.count - tier.in_blocks).sum()
    };
    rows.filter(waits).map(left).sum()
}

async fn count(client: &Client, query: &str) -> Value {
    let path = format!("/api/vm-transactions/count-unconfirmed-requests?{query}");
    client.get(path).send().await.expect(200).data().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_requests_are_counted_by_rune_and_by_address() {
    let rows = Rows::start().await;
    let by_rune = |wanted: &dyn Fn(&VmTransaction) -> bool| {
        let mut of_runes = Vec::new();
        for rune in rows.runes {
            let of_rune = rows.all.iter().filter(|row| row.rune_id == rune && wanted(row));
            match waiting(of_rune) {
                0 => {}
                count => of_runes.push(json!({ "runeId": rune.to_string(), "count": count })),
            }
        }
        let sum: u64 = of_runes.iter().map(|rune| rune["count"].as_u64().unwrap()).sum();
        json!({ "count": sum, "byRune": of_runes })
    };
    let all = by_rune(&|_| true);
    assert_eq!(all["byRune"].as_array().unwrap().len(), 2);
    assert_eq!(count(&rows.client, "").await, all);
    for rune in rows.runes {
        let expected = by_rune(&|row| row.rune_id == rune);
        assert_eq!(count(&rows.client, &format!("runeId={rune}")).await, expected);
        for user in &rows.users {
            let query = format!("runeId={rune}&userAddress={}", user.spelling);
            let own = |row: &VmTransaction| row.user_address == user.address;
            let expected = by_rune(&|row| row.rune_id == rune && own(row));
            assert_eq!(count(&rows.client, &query).await, expected, "{query}");
        }
    }
    for user in &rows.users {
        let own = |row: &VmTransaction| row.user_address == user.address;
        let expected = by_rune(&own);
        assert!(expected["count"].as_u64() > Some(0));
        for spelling in [&user.spelling, &user.address] {
            assert_eq!(count(&rows.client, &format!("userAddress={spelling}")).await, expected);
        }
    }
    // Sums that cannot be read hide no others.
    let mint = "018bcfe5-6800-7000-8000-00000000ffff".parse().unwrap();
    let other = keys::vm_sums(rows.runes[0], mint);
    let unreadable = json!({ "inMempool": "many" });
    rows.stack.import(&[(other, "vmSums", unreadable)]).unwrap();
    assert_eq!(count(&rows.client, "").await, all);
    let none = json!({ "count": 0, "byRune": [] });
    for query in [
        "runeId=999:1".to_owned(),
        format!("userAddress={}", Wallet::p2tr(5).address()),
        format!("runeId=999:1&userAddress={}", rows.users[0].address),
        format!("runeId={}&userAddress={}", rows.runes[0], Wallet::evm(5).address()),
        "userAddress=nobody".to_owned(),
    ] {
        assert_eq!(count(&rows.client, &query).await, none, "{query}");
    }
    for (field, query) in [
        ("runeId", "runeId=0:0"),
        ("runeId", "runeId=rune"),
        ("userAddress", &format!("userAddress={}", "a".repeat(129))),
    ] {
        let path = format!("/api/vm-transactions/count-unconfirmed-requests?{query}");
        let refused = rows.client.get(path).send().await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_count_follows_a_batch_until_blocks_take_it() {
    let (world, mint, alice) = world_with(&[100_000, 100_000]).await;
    let rune = world.rune.to_string();
    let expect = async |expected: u64| {
        let by_rune = match expected {
            0 => json!([]),
            _ => json!([{ "runeId": rune, "count": expected }]),
        };
        let queries = [
            String::new(),
            format!("runeId={rune}"),
            format!("userAddress={}", alice.address()),
            format!("runeId={rune}&userAddress={}", alice.address().to_uppercase()),
        ];
        for query in queries {
            let counted = count(&world.client, &query).await;
            assert_eq!(counted, json!({ "count": expected, "byRune": by_rune }), "{query}");
        }
    };
    expect(0).await;
    world.create(&alice, 5, 1_000).await.expect(201);
    expect(0).await;
    world.bid(&alice, 5, 1_000).await;
    expect(5).await;
    world.bid(&alice, 9, 1_500).await;
    expect(14).await;
    world.mine(1).await;
    expect(4).await;
    world.mine(1).await;
    expect(0).await;
    world.recount(mint).await;
}
