use std::time::Duration;

use base::clock::Clock;
use local::{
    client::twenty_at_once,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{
    auth::limits::EXPORT_BY_ACCOUNT, http::idempotency::KEPT, keys, models::export::ExportStatus,
    problem::Problem,
};
use store::lists;

use crate::{DAY, account, ask, asked, listed, newest, plant_swaps, row, world};

#[tokio::test]
async fn an_export_is_pending_until_the_worker_makes_it() {
    let (stack, client, user) = world().await;
    plant_swaps(&stack, &user, 3);
    let before = stack.clock().now();
    let asked = asked(&client, &user, &json!({ "chain": "30", "type": "swap" })).await;
    let data = asked.data();
    assert_eq!((&data["status"], &data["format"]), (&json!("pending"), &json!("csv")));
    assert_eq!((&data["rowCount"], &data["sizeBytes"]), (&json!(0), &json!(0)));
    assert_eq!((&data["filter"]["chain"], &data["filter"]["type"]), (&json!("30"), &json!("swap")));
    let to = data["filter"]["to"].as_i64().unwrap();
    assert!((before.0..=stack.clock().now().0).contains(&to), "{asked}");
    assert_eq!(data["filter"]["from"], to - 366 * 86_400_000, "{asked}");
    for missing in ["url", "urlExpiresAt", "error", "completedAt"] {
        assert!(data.get(missing).is_none(), "{asked}");
    }
    assert_eq!(row(&stack, &data["id"]).await.up_to, [3]);
    assert_eq!(stack.make_exports().await, 1);
    let made = newest(&client, &user).await;
    assert_eq!((&made["id"], &made["status"]), (&data["id"], &json!("completed")));
    assert_eq!(made["rowCount"], 3);
}

#[tokio::test]
async fn times_are_dates_rfc_3339_or_milliseconds_and_never_seconds() {
    let (_stack, client, user) = world().await;
    for seconds in [json!(1_767_225_600), json!("1767225600"), json!(0)] {
        for name in ["from", "to"] {
            let body = json!({ "format": "csv", "filter": { name: seconds } });
            let refused = ask(&client, &user, &body).await.expect_error(Problem::Validation);
            let error = &refused.body["errors"][0];
            assert_eq!(error["field"], format!("filter.{name}"));
            assert!(error["message"].as_str().unwrap().contains("seconds"), "{refused}");
        }
    }
    let filter = json!({ "type": "virtual-mint", "from": "2026-01-01", "to": "2026-01-31" });
    let answer = asked(&client, &user, &filter).await;
    assert_eq!(
        answer.data()["filter"],
        json!({ "chain": null, "type": "virtual_mint", "from": 1_767_225_600_000_i64, "to": 1_769_903_999_999_i64 })
    );
    let empty = json!({ "chain": "", "type": "", "from": "", "to": "" });
    assert_eq!(asked(&client, &user, &empty).await.data()["filter"]["type"], "swap");
    asked(&client, &user, &json!({ "type": "all" })).await;
}

#[tokio::test]
async fn only_the_format_is_required() {
    let (_stack, client, user) = world().await;
    for body in [
        json!({ "format": "csv" }),
        json!({ "format": "csv", "filter": null }),
        json!({ "format": "csv", "filter": {} }),
        json!({ "format": "csv", "filter": { "chain": null, "type": null, "from": null, "to": null } }),
    ] {
        let answer = ask(&client, &user, &body).await.expect(201);
        assert_eq!(answer.data()["filter"]["type"], "swap", "{answer}");
        assert_eq!(answer.data()["filter"]["chain"], Value::Null, "{answer}");
    }
}

#[tokio::test]
async fn times_are_rfc_3339_or_milliseconds() {
    let (_stack, client, user) = world().await;
    for (from, to) in [
        (json!("2026-01-01T00:00:00Z"), json!("2026-01-02T00:00:00.000Z")),
        (json!("2026-01-01T01:00:00+01:00"), json!(1_767_312_000_000_i64)),
        (json!("1767225600000"), json!("1767312000000")),
        (json!(1_767_225_600_000_i64), json!("2026-01-02T02:00:00+02:00")),
    ] {
        let answer = asked(&client, &user, &json!({ "from": from, "to": to })).await;
        let filter = &answer.data()["filter"];
        let range = (&filter["from"], &filter["to"]);
        assert_eq!(range, (&json!(1_767_225_600_000_i64), &json!(1_767_312_000_000_i64)));
    }
    // One moment, and the longest time range.
    let moment = "1970-01-01T00:00:00.005Z";
    asked(&client, &user, &json!({ "from": moment, "to": moment })).await;
    let (begin, end) = ("1970-01-01T00:00:00Z", DAY.as_millis() as u64 * 366 * 10);
    asked(&client, &user, &json!({ "from": end - DAY.as_millis() as u64 * 366, "to": end })).await;
    asked(&client, &user, &json!({ "from": begin, "to": "1971-01-02T00:00:00Z" })).await;
}

#[tokio::test]
async fn bad_filters_name_the_field() {
    let (stack, client, user) = world().await;
    let before = stack.contents();
    let day = DAY.as_millis() as u64;
    for (filter, field) in [
        (json!("x"), "filter"),
        (json!([]), "filter"),
        (json!({ "chain": "Bitcoin" }), "filter.chain"),
        (json!({ "chain": "01" }), "filter.chain"),
        (json!({ "chain": 1 }), "filter.chain"),
        (json!({ "chain": "9".repeat(1_000) }), "filter.chain"),
        (json!({ "type": "Swap" }), "filter.type"),
        (json!({ "type": "virtualMint" }), "filter.type"),
        (json!({ "type": 1 }), "filter.type"),
        (json!({ "from": "yesterday" }), "filter.from"),
        (json!({ "from": "2026-1-1" }), "filter.from"),
        (json!({ "from": -1 }), "filter.from"),
        (json!({ "from": 1.5 }), "filter.from"),
        (json!({ "to": u64::MAX }), "filter.to"),
        (json!({ "to": "99999-01-01T00:00:00Z" }), "filter.to"),
        (json!({ "to": true }), "filter.to"),
        (json!({ "from": day * 20_000 + 1, "to": day * 20_000 }), "filter.from"),
        (json!({ "from": "9999-01-01T00:00:00Z" }), "filter.from"),
        (json!({ "from": 0 }), "filter.from"),
        (json!({ "from": day * 20_000, "to": day * 20_366 + 1 }), "filter.from"),
    ] {
        let body = json!({ "format": "csv", "filter": filter });
        let answer = ask(&client, &user, &body).await.expect_error(Problem::Validation);
        assert_eq!(answer.body["errors"][0]["field"], field, "{answer}");
    }
    for format in [json!("CSV"), json!("xlsx"), json!(""), json!(1), json!(null), json!(["csv"])] {
        let answer = ask(&client, &user, &json!({ "format": format })).await;
        assert_eq!(answer.expect_error(Problem::Validation).body["errors"][0]["field"], "format");
    }
    client.post("/api/download-histories").send().await.expect(401);
    client.get("/api/download-histories").send().await.expect(401);
    assert_eq!(stack.contents(), before, "a refused request wrote something");
}

#[tokio::test]
async fn custody_21_a_repeated_request_makes_one_export() {
    let (stack, client, user) = world().await;
    let send = || {
        let call = client.post("/api/download-histories").bearer(&user.access_token);
        call.header("Idempotency-Key", "k").json(&json!({ "format": "csv" })).send()
    };
    let first = send().await.expect(201);
    assert_eq!(stack.make_exports().await, 1);
    stack.clock().advance(Duration::from_secs(5));
    let again = send().await.expect(201);
    // The stored answer is the first one: without a link.
    assert_eq!(again.body, first.body);
    assert!(!again.text.contains("url"), "{again}");
    assert_eq!(listed(&client, &user, "").await.body["metaData"]["totalItems"], 1);
    let kept = serde_json::to_string(&stack.contents()).unwrap();
    assert!(!kept.contains("X-Amz-Signature"), "a link is stored");
}

#[tokio::test]
async fn an_idempotency_key_is_forgotten_after_a_day() {
    let (stack, client, user) = world().await;
    let send = async |user: &SignedIn| {
        let call = client.post("/api/download-histories").bearer(&user.access_token);
        call.header("Idempotency-Key", "k").json(&json!({ "format": "csv" })).send().await
    };
    let first = send(&user).await.expect(201);
    stack.clock().advance(KEPT + Duration::from_secs(1));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let later = send(&user).await.expect(201);
    assert_ne!(later.data()["id"], first.data()["id"]);
    assert_eq!(listed(&client, &user, "").await.body["metaData"]["totalItems"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_requests_stay_within_the_limit() {
    let (stack, client, user) = world().await;
    let answers = twenty_at_once(|_| {
        let (client, user) = (client.clone(), user.clone());
        async move { ask(&client, &user, &json!({ "format": "csv" })).await }
    });
    let answers = answers.await;
    let most = EXPORT_BY_ACCOUNT.most as usize;
    let made: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), most);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.clone().expect_error(Problem::RateLimited);
    }
    let list = keys::lists::exports(account(&user));
    assert_eq!(lists::total(&stack.app().store, &list).await.unwrap(), most as u64);
    assert_eq!(stack.make_exports().await, most);
    let all = listed(&client, &user, "?pageSize=100").await;
    let rows = all.data().as_array().unwrap();
    assert!(rows.iter().all(|row| row["status"] == "completed"), "{all}");
}

#[tokio::test]
async fn the_limit_is_per_account_and_ends_at_retry_after() {
    let (stack, client, user) = world().await;
    for _ in 0..EXPORT_BY_ACCOUNT.most {
        asked(&client, &user, &json!({})).await;
    }
    let refused = ask(&client, &user, &json!({ "format": "csv" })).await;
    let wait: u64 =
        refused.expect_error(Problem::RateLimited).header("retry-after").parse().unwrap();
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    asked(&client, &other, &json!({})).await;
    assert!(Duration::from_secs(wait) <= EXPORT_BY_ACCOUNT.window + Duration::from_secs(1));
    stack.clock().advance(Duration::from_secs(wait));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    asked(&client, &user, &json!({})).await;
}

/// If the queue refuses the message, the sweep queues the export.
#[tokio::test]
async fn an_export_survives_an_outage_of_the_queue() {
    let (stack, _client, user) = world().await;
    let broken = stack.app_without("AWS_ENDPOINT_URL_SQS");
    let client = stack.serve_app(broken, download_histories::routes()).await;
    let made = asked(&client, &user, &json!({})).await;
    assert_eq!(stack.make_exports().await, 0);
    assert_eq!(stack.tick("export-worker").await.unwrap(), 0, "not due yet");
    stack.clock().advance(Duration::from_secs(121));
    assert_eq!(stack.tick("export-worker").await.unwrap(), 1);
    assert_eq!(stack.make_exports().await, 1);
    assert_eq!(row(&stack, &made.data()["id"]).await.status, ExportStatus::Completed);
}
