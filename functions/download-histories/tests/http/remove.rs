use local::{
    client::{Answer, Client, twenty_at_once},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;
use shared::problem::Problem;

use crate::{asked, download, listed, newest, plant_swaps, row, world};

async fn remove(client: &Client, user: &SignedIn, id: &str) -> Answer {
    client.delete(format!("/api/download-histories/{id}")).bearer(&user.access_token).send().await
}

#[tokio::test]
async fn an_owner_deletes_the_file_of_an_export() {
    let (stack, client, user) = world().await;
    plant_swaps(&stack, &user, 2);
    let id = asked(&client, &user, &json!({})).await.text_of("id").to_owned();
    stack.make_exports().await;
    let link = newest(&client, &user).await["url"].clone();
    download(&link).await.expect(200);
    let removed = remove(&client, &user, &id).await.expect(200);
    assert_eq!((removed.text_of("id"), removed.text_of("status")), (id.as_str(), "expired"));
    assert_eq!(removed.data().get("url"), None);
    assert_eq!(stack.make_exports().await, 1, "the worker deletes the file");
    assert_eq!(download(&link).await.status, 404);
    let list = listed(&client, &user, "").await;
    assert_eq!(list.body["metaData"]["totalItems"], 1);
    assert_eq!(&list.data()[0], removed.data());
    let kept = row(&stack, &json!(id)).await;
    assert_eq!((kept.watch, kept.cursor), (None, None));
    // A repeated deletion gets the same answer.
    assert_eq!(remove(&client, &user, &id).await.expect(200).data(), removed.data());
    assert_eq!(stack.make_exports().await, 0);
}

#[tokio::test]
async fn an_export_that_waits_is_never_made() {
    let (stack, client, user) = world().await;
    plant_swaps(&stack, &user, 2);
    let id = asked(&client, &user, &json!({})).await.text_of("id").to_owned();
    remove(&client, &user, &id).await.expect(200);
    // The worker handles the export's own message and that of the deletion.
    stack.make_exports().await;
    let left = newest(&client, &user).await;
    assert_eq!((&left["status"], &left["sizeBytes"]), (&json!("expired"), &json!(0)));
    assert_eq!(left.get("url"), None);
}

/// If the queue cannot be reached, the sweep finds the row.
#[tokio::test]
async fn the_sweep_deletes_what_no_message_asks_for() {
    let (stack, client, user) = world().await;
    let id = asked(&client, &user, &json!({})).await.text_of("id").to_owned();
    stack.make_exports().await;
    let link = newest(&client, &user).await["url"].clone();
    remove(&client, &user, &id).await.expect(200);
    assert_eq!(stack.tick("export-worker").await.unwrap(), 1);
    assert_eq!(download(&link).await.status, 404);
    assert_eq!(stack.tick("export-worker").await.unwrap(), 0);
    assert_eq!(stack.make_exports().await, 1, "the message comes too late");
    assert_eq!(newest(&client, &user).await["status"], "expired");
}

#[tokio::test]
async fn custody_13_an_export_is_deleted_by_its_owner_alone() {
    let (stack, client, user) = world().await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let id = asked(&client, &user, &json!({})).await.text_of("id").to_owned();
    stack.make_exports().await;
    remove(&client, &other, &id).await.expect_error(Problem::ExportNotFound);
    let missing = "018bcfe5-6800-7000-8000-000000000001";
    remove(&client, &user, missing).await.expect_error(Problem::ExportNotFound);
    remove(&client, &user, "1").await.expect_error(Problem::Validation);
    let path = format!("/api/download-histories/{id}");
    client.delete(&path).send().await.expect_error(Problem::NoAuthorization);
    download(&newest(&client, &user).await["url"]).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_deletions_at_once_are_one() {
    let (stack, client, user) = world().await;
    let id = asked(&client, &user, &json!({})).await.text_of("id").to_owned();
    stack.make_exports().await;
    let answers = twenty_at_once(|_| {
        let (client, id, token) = (client.clone(), id.clone(), user.access_token.clone());
        async move {
            let path = format!("/api/download-histories/{id}");
            client.delete(path).bearer(&token).send().await.expect(200).text_of("status").to_owned()
        }
    });
    assert!(answers.await.iter().all(|status| status == "expired"));
    assert_eq!(stack.make_exports().await, 1);
}
