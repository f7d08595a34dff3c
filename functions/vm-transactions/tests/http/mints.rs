//! `/api/vm-transactions/mints`.

use local::{
    client::twenty_at_once,
    wallets::{NETWORK, admin_wallet, sign_in},
};
use shared::{models::account::Role, problem::Problem};

use super::*;

const PATH: &str = "/api/vm-transactions/mints";

/// Body of a valid mint, except for the fields in `differs`.
fn mint(world: &MintWorld, differs: &Value) -> Value {
    let body = json!({
        "runeId": world.rune.to_string(),
        "proceedsAddress": world.proceeds.to_string(),
        "tokensPerRequest": "1000",
        "totalRequests": 30,
        "requestsPerBlock": 10,
        "minSatsPerRequest": 1_000,
        "closesAt": world.client.now().0 + 60 * 60 * 1_000,
    });
    with(body, differs)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_creates_a_public_mint() {
    let world = MintWorld::start(1_000_000).await;
    let empty = world.client.get(PATH).send().await.expect(200);
    assert_eq!(empty.data(), &json!([]));
    let now = world.client.now().0;
    let closes_at = now + 60 * 60 * 1_000;
    let body = mint(&world, &json!({ "closesAt": closes_at }));
    let token = world.admin_token().await;
    let made = world.client.post(PATH).bearer(&token).json(&body).send().await.expect(201);
    let mut row = made.data().clone();
    for field in ["opensAt", "createdAt"] {
        assert!((now..now + 60_000).contains(&row[field].as_i64().unwrap()), "{row}");
    }
    for field in ["id", "opensAt", "createdAt"] {
        row.as_object_mut().unwrap().remove(field);
    }
    let expected = json!({
        "runeId": world.rune.to_string(),
        "runeName": "VIRTUAL•MINT•RUNE",
        "state": "open",
        "treasuryAddress": world.treasury.address,
        "poolAddress": world.pool.address,
        "proceedsAddress": world.proceeds.to_string(),
        "tokensPerRequest": "1000",
        "totalRequests": 30,
        "requestsPerBlock": 10,
        "minSatsPerRequest": 1_000,
        "closesAt": closes_at,
        "requestsInMempoolCount": 0,
        "requestsInBlocksCount": 0,
    });
    assert_eq!(row, expected);
    let listed = world.client.get(PATH).send().await.expect(200);
    assert_eq!(listed.data(), &json!([made.data()]));
    let meta =
        json!({ "totalItems": 1, "currentPage": 1, "pageSize": 10, "totalPages": 1, "asOf": 1 });
    assert_eq!(listed.body["metaData"], meta);

    let alice = world.trader(1, &[100_000]).await;
    world.bid(&alice, 12, 1_000).await;
    let counters = async || {
        let query = "?select=requestsInMempoolCount,requestsInBlocksCount&sort=-totalRequests";
        let listed = world.client.get(format!("{PATH}{query}")).send().await.expect(200);
        let row = listed.data()[0].as_object().unwrap().clone();
        assert_eq!(row.len(), 3);
        (row["requestsInMempoolCount"].clone(), row["requestsInBlocksCount"].clone())
    };
    assert_eq!(counters().await, (json!(12), json!(0)));
    world.mine(1).await;
    assert_eq!(counters().await, (json!(2), json!(10)));
    for query in ["sort=watch", "select=watch", "state_eq=x", "runeId_eq=x", "populate=rune"] {
        let refused = world.client.get(format!("{PATH}?{query}")).send().await;
        let parameter = query.split_once('=').unwrap().0;
        assert_eq!(refused.expect_error(Problem::Validation).body["errors"][0]["field"], parameter);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_19_only_admins_create_and_close_mints() {
    let world = MintWorld::start(1_000_000).await;
    let made = world.mint(&json!({})).await;
    let close = format!("{PATH}/{made}/close");
    let user = sign_in(&world.client, &Wallet::p2wpkh(1)).await;
    // The same for an invalid body: only an admin receives the errors.
    for body in [mint(&world, &json!({})), json!({})] {
        let call = world.client.post(PATH).bearer(&user.access_token).json(&body);
        call.send().await.expect_error(Problem::Forbidden);
        world.client.post(PATH).json(&body).send().await.expect_error(Problem::NoAuthorization);
    }
    let call = world.client.post(&close).bearer(&user.access_token);
    call.send().await.expect_error(Problem::Forbidden);
    world.client.post(&close).send().await.expect_error(Problem::NoAuthorization);
    // An admin's token ends with the role in the account's row.
    let admin = sign_in(&world.client, &admin_wallet()).await;
    world.stack.set_role(&admin.account, Role::User).await;
    let call = world.client.post(&close).bearer(&admin.access_token);
    call.send().await.expect_error(Problem::Forbidden);
    let call = world.client.post(PATH).bearer(&admin.access_token);
    call.json(&mint(&world, &json!({}))).send().await.expect_error(Problem::Forbidden);
    let row = world.mint_row(made).await;
    assert!(row.closes_at > world.client.now());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_field_is_reported() {
    let world = MintWorld::start(1_000_000).await;
    let token = world.admin_token().await;
    let (now, hour) = (world.client.now().0, 60 * 60 * 1_000);
    let before = world.stack.contents();
    for (field, differs) in [
        ("runeId", json!({ "runeId": "0:0" })),
        ("runeId", json!({ "runeId": 7 })),
        ("proceedsAddress", json!({ "proceedsAddress": "" })),
        ("proceedsAddress", json!({ "proceedsAddress": "nowhere" })),
        ("proceedsAddress", json!({ "proceedsAddress": Wallet::evm(1).address() })),
        (
            "proceedsAddress",
            json!({ "proceedsAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }),
        ),
        ("proceedsAddress", json!({ "proceedsAddress": world.treasury.address })),
        ("proceedsAddress", json!({ "proceedsAddress": world.pool.address })),
        ("proceedsAddress", json!({ "proceedsAddress": world.treasury.address.to_uppercase() })),
        ("tokensPerRequest", json!({ "tokensPerRequest": "0" })),
        ("tokensPerRequest", json!({ "tokensPerRequest": 1_000 })),
        ("tokensPerRequest", json!({ "tokensPerRequest": "1.5" })),
        ("tokensPerRequest", json!({ "tokensPerRequest": "-1" })),
        ("tokensPerRequest", json!({ "tokensPerRequest": u128::MAX.to_string() })),
        ("totalRequests", json!({ "totalRequests": 0 })),
        ("totalRequests", json!({ "totalRequests": 1_000_001 })),
        ("totalRequests", json!({ "totalRequests": "30" })),
        ("totalRequests", json!({ "totalRequests": 30.5 })),
        ("requestsPerBlock", json!({ "requestsPerBlock": 0 })),
        ("requestsPerBlock", json!({ "requestsPerBlock": 31 })),
        ("minSatsPerRequest", json!({ "minSatsPerRequest": 0 })),
        ("minSatsPerRequest", json!({ "minSatsPerRequest": 545 })),
        ("minSatsPerRequest", json!({ "minSatsPerRequest": 2_100_000_000_000_001_u64 })),
        ("opensAt", json!({ "opensAt": "tomorrow" })),
        // Without the field, the mint would open immediately.
        ("opens_at", json!({ "opens_at": now + hour / 2 })),
        ("OpensAt", json!({ "OpensAt": now + hour / 2 })),
        ("closesAt", json!({ "closesAt": null })),
        ("closesAt", json!({ "closesAt": now - hour })),
        ("closesAt", json!({ "opensAt": now + hour, "closesAt": now + hour })),
        ("closesAt", json!({ "opensAt": now + 2 * hour, "closesAt": now + hour })),
    ] {
        let body = mint(&world, &differs);
        let refused = world.client.post(PATH).bearer(&token).json(&body).send().await;
        let errors = refused.expect_error(Problem::Validation).body["errors"].clone();
        let errors = errors.as_array().unwrap();
        assert_eq!(errors.len(), 1, "{differs}: {errors:?}");
        assert_eq!(errors[0]["field"], field, "{differs}");
    }
    let refused = world.client.post(PATH).bearer(&token).json(&json!({})).send().await;
    let errors = refused.expect_error(Problem::Validation).body["errors"].clone();
    let fields: Vec<_> =
        errors.as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    let required = [
        "runeId",
        "proceedsAddress",
        "tokensPerRequest",
        "totalRequests",
        "requestsPerBlock",
        "minSatsPerRequest",
        "closesAt",
    ];
    assert_eq!(fields, required);
    let unknown = mint(&world, &json!({ "runeId": "1:9" }));
    let refused = world.client.post(PATH).bearer(&token).json(&unknown).send().await;
    refused.expect_error(Problem::RuneUnknown);
    assert_eq!(world.stack.contents(), before);
    // At the limits.
    let least = json!({
        "tokensPerRequest": "1",
        "totalRequests": 1_000_000,
        "requestsPerBlock": 1_000_000,
        "minSatsPerRequest": 546,
    });
    let body = mint(&world, &least);
    world.client.post(PATH).bearer(&token).json(&body).send().await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rune_has_one_mint_at_a_time_and_the_pool_holds_its_tokens() {
    let world = MintWorld::start(1_000_000).await;
    let token = world.admin_token().await;
    let make = async |differs: &Value| {
        let body = mint(&world, differs);
        world.client.post(PATH).bearer(&token).json(&body).send().await
    };
    let most = json!({ "totalRequests": 10, "tokensPerRequest": "100000" });
    let more = json!({ "totalRequests": 10, "tokensPerRequest": "100001" });
    make(&more).await.expect_error(Problem::VmPoolTooSmall);
    assert!(world.client.get(PATH).send().await.expect(200).data().as_array().unwrap().is_empty());
    let first = make(&most).await.expect(201);
    make(&json!({})).await.expect_error(Problem::VmMintExists);
    let id: MintId = first.text_of("id").parse().unwrap();
    world.close(id).await;
    // It is closed but not over until the closing is final.
    make(&json!({})).await.expect_error(Problem::VmMintExists);
    world.watch().await;
    world.mine(5).await;
    make(&json!({})).await.expect_error(Problem::VmMintExists);
    world.mine(1).await;
    let second = make(&json!({})).await.expect(201);
    make(&json!({})).await.expect_error(Problem::VmMintExists);
    let listed = world.client.get(PATH).send().await.expect(200);
    let rows = listed.data().as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["id"], &rows[0]["state"]), (&second.data()["id"], &json!("open")));
    assert_eq!((&rows[1]["id"], &rows[1]["state"]), (&first.data()["id"], &json!("failed")));
    // Batches go to the open mint.
    let alice = world.trader(1, &[100_000]).await;
    let txid = world.bid(&alice, 2, 1_000).await;
    assert_eq!(world.listed(txid).await["mintId"], second.data()["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unconfirmed_and_held_coins_of_the_pool_are_not_promised() {
    let world = MintWorld::start(1_000).await;
    let token = world.admin_token().await;
    let all = mint(&world, &json!({ "totalRequests": 1, "requestsPerBlock": 1 }));
    // Without a source, no mint is created.
    let chain = world.stack.bitcoin();
    let down = local::mood::Mood { down: true, ..local::mood::Mood::default() };
    for set in [local::BitcoinWorld::set_ord_mood, local::BitcoinWorld::set_esplora_mood] {
        set(chain, down);
        let refused = world.client.post(PATH).bearer(&token).json(&all).send().await;
        refused.expect_error(Problem::ChainUnavailable);
        set(chain, local::mood::Mood::default());
    }
    let more = mint(&world, &json!({ "totalRequests": 2, "requestsPerBlock": 1 }));
    let refused = world.client.post(PATH).bearer(&token).json(&more).send().await;
    refused.expect_error(Problem::VmPoolTooSmall);
    // The pool's balance of another rune does not count.
    let etching = local::bitcoin::Etching {
        name: "ANOTHER•MINT•RUNE".to_owned(),
        supply: 5_000,
        divisibility: 0,
        to: Some(world.pool.address(NETWORK)),
    };
    chain.etch(&etching).await.unwrap();
    world.mine(1).await;
    let refused = world.client.post(PATH).bearer(&token).json(&more).send().await;
    refused.expect_error(Problem::VmPoolTooSmall);
    world.client.post(PATH).bearer(&token).json(&all).send().await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_mints_of_a_rune_is_created() {
    let world = MintWorld::start(1_000_000).await;
    let (client, token) = (world.client.clone(), world.admin_token().await);
    let body = mint(&world, &json!({}));
    let answers = twenty_at_once(move |_n| {
        let (client, token, body) = (client.clone(), token.clone(), body.clone());
        async move { client.post(PATH).bearer(&token).json(&body).send().await }
    })
    .await;
    let (made, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 1);
    for answer in refused {
        answer.expect_error(Problem::VmMintExists);
    }
    let listed = world.client.get(PATH).send().await.expect(200);
    assert_eq!(listed.data(), &json!([made[0].data()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mint_is_closed_once_and_permanently() {
    let world = MintWorld::start(1_000_000).await;
    let token = world.admin_token().await;
    let made = world.mint(&json!({})).await;
    let close = async |id: &str| {
        world.client.post(format!("{PATH}/{id}/close")).bearer(&token).send().await
    };
    let now = world.client.now().0;
    let closed = close(&made.to_string()).await.expect(200);
    let closes_at = closed.data()["closesAt"].as_i64().unwrap();
    assert!((now..=world.client.now().0).contains(&closes_at));
    assert_eq!(closed.data()["state"], "open");
    world.stack.clock().advance(Duration::from_secs(60));
    assert_eq!(close(&made.to_string()).await.expect(200).data(), closed.data());
    let listed = world.client.get(PATH).send().await.expect(200);
    assert_eq!(listed.data(), &json!([closed.data()]));
    world.watch().await;
    world.mine(6).await;
    let over = close(&made.to_string()).await.expect(200);
    assert_eq!(over.data()["state"], "failed");
    assert_eq!(over.data()["closesAt"], closes_at);

    close("018bcfe5-6800-7000-8000-000000000002").await.expect_error(Problem::VmMintNotFound);
    let refused = close("nonsense").await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "id");

    // A mint that is not open yet can be closed.
    let hour = 60 * 60 * 1_000;
    let now = world.client.now().0;
    let times = json!({ "opensAt": now + hour, "closesAt": now + 2 * hour });
    let later = world.mint(&times).await.to_string();
    let closed = close(&later).await.expect(200);
    assert!(closed.data()["opensAt"].as_i64() <= closed.data()["closesAt"].as_i64());
    world.watch().await;
    world.mine(6).await;
    assert_eq!(close(&later).await.expect(200).data()["state"], "failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_an_idempotency_key_creates_one_mint() {
    let world = MintWorld::start(1_000_000).await;
    let token = world.admin_token().await;
    let make = async |body: &Value| {
        let call = world.client.post(PATH).bearer(&token).header("Idempotency-Key", "one");
        call.json(body).send().await
    };
    let body = mint(&world, &json!({}));
    let first = make(&body).await.expect(201);
    assert_eq!(make(&body).await.expect(201).body, first.body);
    make(&with(body.clone(), &json!({ "totalRequests": 29 })))
        .await
        .expect_error(Problem::IdempotencyKeyReused);
    world
        .client
        .post(PATH)
        .bearer(&token)
        .json(&body)
        .send()
        .await
        .expect_error(Problem::VmMintExists);
    let listed = world.client.get(PATH).send().await.expect(200);
    assert_eq!(listed.data(), &json!([first.data()]));
}
