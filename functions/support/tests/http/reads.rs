//! The record of reads.

use serde_json::json;

use super::*;

#[tokio::test]
async fn each_read_leaves_one_entry_that_its_account_does_not_see() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    let other = world.user(2, "bob@example.com").await;
    let own_activity = async || {
        let call = world.client.get("/api/account/activity?pageSize=100");
        call.bearer(&user.access_token).send().await.expect(200).data().clone()
    };
    let before = own_activity().await;
    let mut expected = Vec::new();
    for (path, kind) in paths_of(&user.account) {
        let answer = world.read(&path).await;
        expected.insert(0, (kind, answer.header("x-request-id").to_owned()));
        assert_eq!(rows(&world, "adminId", &world.admin.account), expected.len(), "{kind}");
        assert_eq!(rows(&world, "accountId", &user.account), expected.len(), "{kind}");
    }
    let recorded = world.recorded("accountId", &user.account).await;
    assert_eq!(recorded.len(), expected.len());
    for (entry, (kind, request)) in recorded.iter().zip(&expected) {
        let shape = json!({
            "id": entry["id"], "adminId": world.admin.account, "accountIds": [user.account],
            "read": kind, "query": null, "at": entry["at"], "requestId": request,
        });
        assert_eq!(*entry, shape);
    }
    assert_eq!(own_activity().await, before, "the account does not see who has read");
    assert_eq!(world.recorded("accountId", &other.account).await, Vec::<Value>::new());
    // To read the record is a read too.
    let last = &world.recorded("accountId", &user.account).await[0];
    assert_eq!((&last["read"], &last["accountIds"]), (&json!("reads"), &json!([user.account])));
}

/// The number of entries in the database, which counts no reads of the record.
fn rows(world: &World, by: &str, id: &str) -> usize {
    let pk = match by {
        "adminId" => format!("reads#admin#{id}"),
        _ => format!("reads#account#{id}"),
    };
    let tables = world.stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    rows.filter(|row| row["pk"]["S"] == pk.as_str()).count()
}

#[tokio::test]
async fn a_search_is_recorded_for_each_account_that_it_shows() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    world.search("ann@example.com").await;
    world.search("nobody@example.com").await;
    world.search("correct horse battery staple").await;
    world.search("CorrectHorseBatteryStaple1").await;
    let recorded = world.recorded("adminId", &world.admin.account).await;
    let seen: Vec<_> = recorded
        .iter()
        .map(|entry| (entry["query"].clone(), entry["accountIds"].clone()))
        .collect();
    assert_eq!(
        seen,
        [
            // A text of no known form may be a password.
            (json!(null), json!([])),
            (json!(null), json!([])),
            (json!("nobody@example.com"), json!([])),
            (json!("ann@example.com"), json!([user.account])),
        ]
    );
    assert!(recorded.iter().all(|entry| entry["read"] == "search"));
    assert_eq!(world.recorded("accountId", &user.account).await.len(), 1);
}

#[tokio::test]
async fn the_record_is_read_page_by_page() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    for _ in 0..5 {
        world.read(&format!("/accounts/{}", user.account)).await;
    }
    let whole = world.recorded("accountId", &user.account).await;
    assert_eq!(whole.len(), 5);
    let (mut paged, mut before) = (Vec::new(), String::new());
    loop {
        let path = format!("/reads?accountId={}&limit=2{before}", user.account);
        let page = world.read(&path).await;
        let rows = page.data().as_array().unwrap();
        assert!(rows.len() <= 2, "{page}");
        paged.extend(rows.iter().cloned());
        let Some(next) = page.body["metaData"]["next"].as_str() else { break };
        before = format!("&before={next}");
    }
    // The reads of the record are entries too.
    paged.retain(|entry| entry["read"] == "account");
    assert_eq!(paged, whole);
}
