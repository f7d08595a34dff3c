use local::{
    client::Client,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;
use shared::problem::Problem;

use crate::{prize, world};

async fn numbers(client: &Client, user: &SignedIn, query: &str) -> Vec<u64> {
    let answer = client
        .get(format!("/api/prizes?{query}"))
        .bearer(&user.access_token)
        .send()
        .await
        .expect(200);
    answer
        .data()
        .as_array()
        .unwrap()
        .iter()
        .map(|prize| prize["id"].as_str().unwrap().parse().unwrap())
        .collect()
}

#[tokio::test]
async fn the_list_is_paged_sorted_and_selected() {
    let (stack, client, admin) = world().await;
    for number in [5, 3, 12, 1, 7, 2, 11, 4, 9, 10, 8, 6] {
        let body = prize(&stack, number);
        client.post("/api/prizes").bearer(&admin.access_token).json(&body).send().await.expect(201);
    }
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let get = |query| numbers(&client, &user, query);
    assert_eq!(get("").await, [6, 8, 10, 9, 4, 11, 2, 7, 1, 12], "newest first");
    assert_eq!(get("page=2").await, [3, 5]);
    assert_eq!(get("sort=createdAt&pageSize=3").await, [5, 3, 12]);
    assert_eq!(get("sort=createdAt&pageSize=5&page=3").await, [8, 6]);
    assert_eq!(get("sort=prizeNumber&pageSize=4&page=2").await, [5, 6, 7, 8]);
    assert_eq!(get("sort=-prizeNumber&pageSize=5&page=2").await, [7, 6, 5, 4, 3]);
    assert_eq!(get("sort=name&pageSize=4").await, [1, 10, 11, 12], "names sort as text");
    assert_eq!(get("sort=id&pageSize=4").await, [1, 10, 11, 12]);
    assert_eq!(get("sort=&page=&pageSize=&select=&populate=&asOf=").await, get("").await);
    assert_eq!(get("sort=-prizeNumber&page=4").await, Vec::<u64>::new());
    assert_eq!(get("page=1000000000").await, Vec::<u64>::new());

    let path = "/api/prizes?page=2&pageSize=5&sort=-prizeNumber&select=name,prizeNumber";
    let answer = client.get(path).bearer(&user.access_token).send().await.expect(200);
    assert_eq!(answer.data()[0], json!({ "id": "7", "name": "Prize 7", "prizeNumber": 7 }));
    let meta =
        json!({ "totalItems": 12, "currentPage": 2, "pageSize": 5, "totalPages": 3, "asOf": 12 });
    assert_eq!(answer.body["metaData"], meta);
}

#[tokio::test]
async fn pages_of_a_growing_list_neither_repeat_nor_skip_a_row() {
    let (stack, client, admin) = world().await;
    let mut left = (1..=30).rev();
    let mut grow = async |count| {
        for number in left.by_ref().take(count) {
            let body = prize(&stack, number);
            let call = client.post("/api/prizes").bearer(&admin.access_token);
            call.json(&body).send().await.expect(201);
        }
    };
    grow(7).await;
    let get = async |query: &str| {
        let call = client.get(format!("/api/prizes?{query}")).bearer(&admin.access_token);
        let answer = call.send().await.expect(200);
        (numbers(&client, &admin, query).await, answer.body["metaData"].clone())
    };
    for (sort, whole) in [
        ("-createdAt", vec![24, 25, 26, 27, 28, 29, 30]),
        ("createdAt", vec![30, 29, 28, 27, 26, 25, 24]),
        ("-prizeNumber", vec![30, 29, 28, 27, 26, 25, 24]),
    ] {
        let mut seen = Vec::new();
        for page in 1..=4 {
            let query = format!("sort={sort}&pageSize=2&page={page}&asOf=7");
            let (rows, meta) = get(&query).await;
            assert_eq!((&meta["totalItems"], &meta["asOf"]), (&json!(7), &json!(7)), "{query}");
            assert_eq!(meta["totalPages"], 4);
            seen.extend(rows);
            grow(1).await;
        }
        assert_eq!(seen, whole, "{sort}");
    }
    // Without `asOf`, the list is the current one.
    let (rows, meta) = get("pageSize=1").await;
    assert_eq!((rows, &meta["totalItems"], &meta["asOf"]), (vec![12], &json!(19), &json!(19)));
    let (rows, meta) = get("pageSize=1&asOf=99").await;
    assert_eq!((rows, &meta["asOf"]), (vec![12], &json!(19)), "a list is never longer than it is");
    assert_eq!(get("asOf=0").await.0, Vec::<u64>::new());
}

#[tokio::test]
async fn an_empty_list_is_a_success() {
    let (_stack, client, admin) = world().await;
    for query in ["", "?sort=name", "?page=3"] {
        let answer = client
            .get(format!("/api/prizes{query}"))
            .bearer(&admin.access_token)
            .send()
            .await
            .expect(200);
        assert_eq!(answer.data(), &json!([]));
        assert_eq!(answer.body["metaData"]["totalItems"], 0);
        assert_eq!(answer.body["metaData"]["totalPages"], 0);
    }
}

#[tokio::test]
async fn unknown_fields_are_refused() {
    let (_stack, client, admin) = world().await;
    for query in [
        "sort=secret",
        "select=pk",
        "populate=owner",
        "name_eq=x",
        "page=-1",
        "page=99999999999999999999",
        "pageSize=0",
        "select=name,-id2",
        "page=undefined",
        "asOf=-1",
    ] {
        let answer =
            client.get(format!("/api/prizes?{query}")).bearer(&admin.access_token).send().await;
        let parameter = query.split_once('=').unwrap().0;
        assert_eq!(answer.expect_error(Problem::Validation).body["errors"][0]["field"], parameter);
    }
}

#[tokio::test]
async fn a_prize_is_found_by_its_number_and_not_sent_twice() {
    let (stack, client, admin) = world().await;
    for number in [3, 7] {
        let body = prize(&stack, number);
        client.post("/api/prizes").bearer(&admin.access_token).json(&body).send().await.expect(201);
    }
    let get = |path: &'static str| client.get(path).bearer(&admin.access_token);
    let found = get("/api/prizes/7").send().await.expect(200);
    let listed = get("/api/prizes?sort=-prizeNumber&pageSize=1").send().await.expect(200);
    assert_eq!(found.data(), &listed.data()[0]);
    assert_eq!(found.notes(), json!({ "pollAfterMs": null }));
    let tag = found.header("etag").to_owned();
    assert_eq!(found.header("cache-control"), "private, no-cache");
    let again = get("/api/prizes/7").header("if-none-match", &tag).send().await;
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", tag.as_str()));
    get("/api/prizes/3").header("if-none-match", &tag).send().await.expect(200);
    get("/api/prizes/8").send().await.expect_error(Problem::PrizeNotFound);
    for wrong in ["/api/prizes/0", "/api/prizes/101", "/api/prizes/seven"] {
        get(wrong).send().await.expect_error(Problem::Validation);
    }
    client
        .get("/api/prizes/7")
        .header("if-none-match", &tag)
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
}
