use std::time::Duration;

use base::clock::Clock;
use local::wallets::{Wallet, sign_in};
use serde_json::json;
use shared::{keys, models::export::ExportId, problem::Problem};
use store::{Writes, lists};

use crate::{DAY, account, asked, download, listed, newest, plant_swaps, row, world};

#[tokio::test]
async fn a_link_is_valid_for_ten_to_fifteen_minutes() {
    let (stack, client, user) = world().await;
    plant_swaps(&stack, &user, 2);
    asked(&client, &user, &json!({})).await;
    assert_eq!(newest(&client, &user).await.get("url"), None, "no link before the file");
    stack.make_exports().await;
    let now = stack.clock().now();
    let made = newest(&client, &user).await;
    let until = made["urlExpiresAt"].as_i64().unwrap();
    assert!((now.0 + 599_000..now.0 + 930_000).contains(&until), "{made}");
    let link = made["url"].as_str().unwrap();
    for part in ["X-Amz-Expires=900", "X-Amz-Signature=", "response-content-disposition=attachment"]
    {
        assert!(link.contains(part), "{link}");
    }
    let name = format!("runeport-swap-{}.csv", made["id"].as_str().unwrap());
    assert!(link.contains(&name), "{link}");
    let file = download(&made["url"]).await.expect(200);
    assert_eq!(file.text.len(), made["sizeBytes"].as_u64().unwrap() as usize);
    assert_eq!(file.text.lines().count(), 3, "{file}");
    assert!(file.text.starts_with("id,type,createdAt,"), "{file}");
    // A changed link is refused.
    let forged = link.replace("X-Amz-Expires=900", "X-Amz-Expires=901");
    assert_eq!(download(&json!(forged)).await.status, 403);
    let bare = link.split('?').next().unwrap();
    assert_eq!(download(&json!(bare)).await.status, 403);
}

#[tokio::test]
async fn a_file_expires_after_seven_days_even_before_the_sweep() {
    let (stack, client, user) = world().await;
    let made = asked(&client, &user, &json!({})).await;
    let id = &made.data()["id"];
    stack.make_exports().await;
    let completed = row(&stack, id).await.completed_at.unwrap();
    stack.clock().advance(DAY * 7 - Duration::from_secs(300));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let last = newest(&client, &user).await;
    // The link expires with its file.
    assert!(last["urlExpiresAt"].as_i64().unwrap() <= completed.0 + 7 * 86_400_000, "{last}");
    let link = last["url"].clone();
    download(&link).await.expect(200);
    stack.clock().advance(Duration::from_secs(300));
    for swept in [false, true] {
        let gone = newest(&client, &user).await;
        assert_eq!((&gone["status"], gone.get("url")), (&json!("expired"), None), "{swept}");
        assert_eq!(gone.get("urlExpiresAt"), None);
        if !swept {
            assert_eq!(stack.tick("export-worker").await.unwrap(), 1);
        }
    }
    assert_eq!(download(&link).await.status, 404);
    let row = row(&stack, id).await;
    assert_eq!((row.watch, stack.tick("export-worker").await.unwrap()), (None, 0));
}

#[tokio::test]
async fn custody_13_exports_are_visible_to_their_owner_only() {
    let (stack, client, user) = world().await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    plant_swaps(&stack, &user, 2);
    let made = asked(&client, &user, &json!({})).await;
    asked(&client, &other, &json!({})).await;
    stack.make_exports().await;
    let theirs = listed(&client, &other, "?pageSize=100").await;
    assert_eq!(theirs.body["metaData"]["totalItems"], 1);
    assert!(!theirs.text.contains(made.text_of("id")), "{theirs}");
    // Their own history has no rows of the other account.
    assert_eq!(theirs.data()[0]["rowCount"], 0);
    // A list that names the row is checked too.
    let id: ExportId = made.text_of("id").parse().unwrap();
    let store = &stack.app().store;
    let list = keys::lists::exports(account(&other));
    let draft = |_| (Writes::<std::convert::Infallible>::new(), id);
    lists::append(store, &[list], draft).await.unwrap();
    let theirs = listed(&client, &other, "?pageSize=100").await;
    assert_eq!(theirs.data().as_array().unwrap().len(), 1, "{theirs}");
    assert!(!theirs.text.contains(made.text_of("id")), "{theirs}");
}

#[tokio::test]
async fn custody_13_one_export_is_read_by_its_owner_alone() {
    let (stack, client, user) = world().await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    plant_swaps(&stack, &user, 2);
    let made = asked(&client, &user, &json!({})).await;
    let path = format!("/api/download-histories/{}", made.text_of("id"));
    let get = async |user: &local::wallets::SignedIn| {
        client.get(&path).bearer(&user.access_token).send().await
    };
    let waits = get(&user).await.expect(200);
    assert_eq!(
        (waits.text_of("status"), &waits.body["metaData"]["pollAfterMs"]),
        ("pending", &json!(2_000))
    );
    let tag = waits.header("etag").to_owned();
    let again = client.get(&path).bearer(&user.access_token).header("if-none-match", &tag);
    assert_eq!(again.send().await.status, 304);
    stack.make_exports().await;
    let done = get(&user).await.expect(200);
    assert_eq!((done.text_of("status"), &done.data()["rowCount"]), ("completed", &json!(2)));
    assert_eq!(done.body["metaData"]["pollAfterMs"], json!(null));
    assert!(done.text_of("url").starts_with("http"));
    // The link stays the same for a while, and so does the answer.
    let read = || client.get(&path).bearer(&user.access_token);
    let tag = done.header("etag").to_owned();
    stack.clock().advance(Duration::from_secs(1));
    assert_eq!(read().header("if-none-match", &tag).send().await.status, 304);
    stack.clock().advance(Duration::from_secs(5 * 60));
    let later = read().header("if-none-match", &tag).send().await.expect(200);
    assert_ne!(later.text_of("url"), done.text_of("url"));
    get(&other).await.expect_error(Problem::ExportNotFound);
    let missing = path.replace(made.text_of("id"), "018bcfe5-6800-7000-8000-000000000001");
    client
        .get(missing)
        .bearer(&user.access_token)
        .send()
        .await
        .expect_error(Problem::ExportNotFound);
    let wrong = client.get("/api/download-histories/1").bearer(&user.access_token).send().await;
    wrong.expect_error(Problem::Validation);
}

#[tokio::test]
async fn the_list_is_paged_sorted_and_selected() {
    let (stack, client, user) = world().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(asked(&client, &user, &json!({})).await.data()["id"].clone());
    }
    stack.make_exports().await;
    let page = listed(&client, &user, "?page=2&pageSize=2&select=status,rowCount").await;
    let row = |id: &serde_json::Value| json!({ "id": id, "status": "completed", "rowCount": 0 });
    assert_eq!(page.data(), &json!([row(&ids[2]), row(&ids[1])]));
    assert_eq!(page.body["metaData"]["totalItems"], 5);
    let oldest = listed(&client, &user, "?sort=createdAt&pageSize=1").await;
    assert_eq!(oldest.data()[0]["id"], ids[0]);
    listed(&client, &user, "?sort=-sizeBytes,rowCount").await;
    asked(&client, &user, &json!({})).await;
    for (statuses, count) in
        [("pending", 1), ("completed", 5), ("pending,completed", 6), ("failed", 0), ("expired", 0)]
    {
        let found = listed(&client, &user, &format!("?status_eq={statuses}&pageSize=2")).await;
        let meta = &found.body["metaData"];
        assert_eq!((&meta["totalItems"], &meta["asOf"]), (&json!(count), &json!(6)), "{statuses}");
        let rows = found.data().as_array().unwrap();
        assert_eq!(rows.len(), count.min(2));
        assert!(rows.iter().all(|row| statuses.contains(row["status"].as_str().unwrap())));
    }
    // The file has expired, though no worker has noticed yet.
    stack.clock().advance(DAY * 8);
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let expired = listed(&client, &user, "?status_eq=expired").await;
    assert_eq!(expired.body["metaData"]["totalItems"], 5);
    for query in [
        "?sort=url",
        "?select=accountId",
        "?select=owner",
        "?format_eq=csv",
        "?status_eq=done",
        "?status_eq[]=pending",
        "?status_eq=null",
        "?populate=account",
    ] {
        let path = format!("/api/download-histories{query}");
        client.get(path).bearer(&user.access_token).send().await.expect_error(Problem::Validation);
    }
}

/// The worker's own fields of the row are not visible to clients.
#[tokio::test]
async fn internal_fields_of_the_worker_are_not_exposed() {
    let (stack, client, user) = world().await;
    let made = asked(&client, &user, &json!({})).await;
    let key = keys::export(made.text_of("id").parse().unwrap());
    let list = listed(&client, &user, "").await;
    for name in ["upTo", "owner", "leaseUntil", "cursor", "watch", "dueAt", "accountId", "requeues"]
    {
        assert!(!list.text.contains(name) && !made.text.contains(name), "{name}: {list}");
    }
    assert!(stack.app().store.get::<outbox::exports::Export>(&key).await.unwrap().is_some());
}
