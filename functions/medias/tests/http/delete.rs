//! Owners delete their own files and no others.

use local::{
    client::{Answer, Client, twenty_at_once},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::Value;
use shared::problem::Problem;

use crate::{Form, descriptor, world};

const FILE: &[u8] = b"pixels";

/// The path of a file of the caller's.
fn path_of(descriptor: &Value) -> String {
    let key = descriptor["key"].as_str().unwrap();
    format!("/api/medias/{}", key.rsplit('/').next().unwrap())
}

async fn delete(client: &Client, user: &SignedIn, path: &str) -> Answer {
    client.delete(path).bearer(&user.access_token).send().await
}

#[tokio::test]
async fn an_owner_deletes_one_of_its_files() {
    let (stack, client, user) = world().await;
    let bucket = &stack.app().config.media.bucket;
    let [gone, kept] =
        [descriptor(&client, &user, "a.png").await, descriptor(&client, &user, "b.jpeg").await];
    for descriptor in [&gone, &kept] {
        Form::of(descriptor).send(FILE).await.expect(204);
    }
    let public = Client::new(gone["url"].as_str().unwrap());
    public.get("").send().await.expect(200);
    let before = stack.contents();
    let answer = delete(&client, &user, &path_of(&gone)).await.expect(200);
    assert_eq!(answer.data(), &Value::Null);
    assert_eq!(stack.stored(bucket), [kept["key"].as_str().unwrap()]);
    public.get("").send().await.expect(403);
    // A repeated call, and one for a file that was never uploaded, get the same answer.
    let shouted = path_of(&gone).to_uppercase().replace("/API/MEDIAS", "/api/medias");
    let again = delete(&client, &user, &shouted).await.expect(200);
    assert_eq!(again.data(), answer.data());
    let never = descriptor(&client, &user, "c.png").await;
    delete(&client, &user, &path_of(&never)).await.expect(200);
    assert_eq!(stack.stored(bucket).len(), 1);
    let count = |rows: Vec<Value>| {
        rows.iter().map(|rows| rows["Items"].as_array().unwrap().len()).sum::<usize>()
    };
    assert_eq!(count(stack.contents()), count(before), "no row is written");
}

#[tokio::test]
async fn nobody_deletes_a_file_of_another_account() {
    let (stack, client, user) = world().await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let file = descriptor(&client, &user, "a.png").await;
    Form::of(&file).send(FILE).await.expect(204);
    delete(&client, &other, &path_of(&file)).await.expect(200);
    let name = path_of(&file);
    client.delete(&name).send().await.expect_error(Problem::NoAuthorization);
    client.delete(&name).bearer("x.y.z").send().await.expect_error(Problem::InvalidToken);
    client.post("/auth/logout").bearer(&user.access_token).send().await.expect(200);
    delete(&client, &user, &name).await.expect_error(Problem::SessionEnded);
    let bucket = &stack.app().config.media.bucket;
    assert_eq!(stack.stored(bucket), [file["key"].as_str().unwrap()]);
}

#[tokio::test]
async fn a_name_is_one_that_the_service_gave() {
    let (stack, client, user) = world().await;
    let file = descriptor(&client, &user, "a.png").await;
    Form::of(&file).send(FILE).await.expect(204);
    let folder = file["key"].as_str().unwrap().split('/').nth(1).unwrap();
    let id = path_of(&file).trim_start_matches("/api/medias/").trim_end_matches(".png").to_owned();
    for name in [
        "a.png".to_owned(),
        id.clone(),
        format!("{id}.svg"),
        format!("{id}.jpeg"),
        format!("{id}.png%00"),
        format!("{id}.png%20"),
        "%FF".to_owned(),
    ] {
        let answer = delete(&client, &user, &format!("/api/medias/{name}")).await;
        answer.expect_error(Problem::Validation);
    }
    // An escaped slash separates segments, behind the gateway too.
    for path in [format!("..%2F{folder}%2F{id}.png"), format!("{folder}%2F{id}.png")] {
        let answer = delete(&client, &user, &format!("/api/medias/{path}")).await;
        answer.expect_error(Problem::NotFound);
    }
    assert_eq!(stack.stored(&stack.app().config.media.bucket).len(), 1);
}

#[tokio::test]
async fn twenty_deletions_at_the_same_time_succeed() {
    let (stack, client, user) = world().await;
    let file = descriptor(&client, &user, "a.png").await;
    Form::of(&file).send(FILE).await.expect(204);
    let path = path_of(&file);
    let answers = twenty_at_once(|_| {
        let (client, user, path) = (client.clone(), user.clone(), path.clone());
        async move { delete(&client, &user, &path).await }
    });
    for answer in answers.await {
        answer.expect(200);
    }
    assert!(stack.stored(&stack.app().config.media.bucket).is_empty());
}

/// Custody rule 25: what one call could not delete, the next one does.
#[tokio::test]
async fn without_the_storage_nothing_is_deleted_and_the_client_hears_of_it() {
    let (stack, client, user) = world().await;
    let file = descriptor(&client, &user, "a.png").await;
    Form::of(&file).send(FILE).await.expect(204);
    let cut_off = stack.app_without("AWS_ENDPOINT_URL_S3");
    let without = stack.serve_app(cut_off, medias::routes()).await;
    delete(&without, &user, &path_of(&file)).await.expect_error(Problem::Unavailable);
    let bucket = &stack.app().config.media.bucket;
    assert_eq!(stack.stored(bucket).len(), 1);
    delete(&client, &user, &path_of(&file)).await.expect(200);
    assert!(stack.stored(bucket).is_empty());
}
