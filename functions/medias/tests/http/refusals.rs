//! S3 itself refuses every form that differs from the signed one; all answers here are its own.

use base64::{Engine, prelude::BASE64_STANDARD};
use local::{
    LocalStack,
    client::{Answer, Client},
};
use serde_json::{Value, json};

use crate::{Form, descriptor, world};

const FILE: &[u8] = b"pixels";

/// Asserts that S3 refused the upload for this reason.
#[track_caller]
fn refused(answer: Answer, status: u16, reason: &str) {
    let answer = answer.expect(status);
    assert!(answer.text.contains(&format!("<Code>{reason}</Code>")), "{reason}: {answer}");
    assert_eq!(answer.header("content-type"), "application/xml", "{answer}");
}

#[track_caller]
fn nothing_is_stored(stack: &LocalStack) {
    let config = &stack.app().config;
    for bucket in [&config.media.bucket, &config.exports.bucket] {
        assert!(stack.stored(bucket).is_empty(), "{bucket}");
    }
}

#[tokio::test]
async fn a_file_that_is_too_large_or_empty_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    for size in [10 * 1024 * 1024 + 1, 11 * 1024 * 1024] {
        refused(form.send(&vec![b'x'; size]).await, 400, "EntityTooLarge");
    }
    refused(form.send(b"").await, 400, "EntityTooSmall");
    nothing_is_stored(&stack);
    form.send(FILE).await.expect(204);
}

#[tokio::test]
async fn another_type_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    for kind in ["text/html", "image/svg+xml", "image/jpeg", "image/png; charset=utf-8", ""] {
        let wrong = form.clone().with("Content-Type", kind);
        refused(wrong.send(FILE).await, 400, "InvalidPolicyDocument");
    }
    nothing_is_stored(&stack);
}

#[tokio::test]
async fn another_key_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    let key = form.get("key").to_owned();
    let other = descriptor(&client, &user, "b.png").await;
    for key in [
        other["key"].as_str().unwrap(),
        &format!("{key}.html"),
        &format!("../{key}"),
        &key.to_uppercase(),
        "${filename}",
        "index.html",
        "",
    ] {
        refused(form.clone().with("key", key).send(FILE).await, 400, "InvalidPolicyDocument");
    }
    nothing_is_stored(&stack);
}

#[tokio::test]
async fn another_bucket_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    let (media, exports) = (&stack.app().config.media.bucket, &stack.app().config.exports.bucket);
    let elsewhere = Form { url: form.url.replace(media, exports), ..form.clone() };
    assert_ne!(elsewhere.url, form.url);
    for wrong in [
        elsewhere.clone(),
        elsewhere.clone().with("bucket", exports),
        elsewhere.without("bucket"),
        form.with("bucket", exports),
    ] {
        refused(wrong.send(FILE).await, 400, "InvalidPolicyDocument");
    }
    nothing_is_stored(&stack);
}

fn policy_of(form: &Form) -> Value {
    serde_json::from_slice(&BASE64_STANDARD.decode(form.get("Policy")).unwrap()).unwrap()
}

#[tokio::test]
async fn another_policy_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    let with =
        |policy: &Value| form.clone().with("Policy", BASE64_STANDARD.encode(policy.to_string()));

    let mut later = policy_of(&form);
    later["expiration"] = json!("2999-01-01T00:00:00Z");
    refused(with(&later).send(FILE).await, 403, "SignatureDoesNotMatch");

    let mut larger = policy_of(&form);
    let range = larger["conditions"].as_array_mut().unwrap();
    range.retain(|condition| !condition.is_array());
    range.push(json!(["content-length-range", 1, 1_000_000_000]));
    refused(with(&larger).send(FILE).await, 403, "SignatureDoesNotMatch");

    // Key and type chosen by the uploader.
    let mut wider = policy_of(&form);
    let conditions = wider["conditions"].as_array_mut().unwrap();
    conditions.retain(|condition| {
        condition.get("key").is_none() && condition.get("Content-Type").is_none()
    });
    conditions.push(json!(["starts-with", "$key", ""]));
    conditions.push(json!(["starts-with", "$Content-Type", ""]));
    let wider = with(&wider).with("key", "index.html").with("Content-Type", "text/html");
    refused(wider.send(FILE).await, 403, "SignatureDoesNotMatch");

    // The policy of one form with the signature of another.
    let other = Form::of(&descriptor(&client, &user, "a.png").await);
    let swapped = form.clone().with("X-Amz-Signature", other.get("X-Amz-Signature"));
    refused(swapped.send(FILE).await, 403, "SignatureDoesNotMatch");
    refused(form.clone().with("Policy", "e30=").send(FILE).await, 400, "InvalidPolicyDocument");
    nothing_is_stored(&stack);
    form.send(FILE).await.expect(204);
}

#[tokio::test]
async fn another_signer_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    let credential = form.get("X-Amz-Credential").to_owned();
    let (_, scope) = credential.split_once('/').unwrap();
    for (name, value) in [
        ("X-Amz-Credential", format!("somebody/{scope}")),
        ("X-Amz-Credential", credential.replace("us-east-1", "eu-west-1")),
        ("X-Amz-Date", "20200101T000000Z".to_owned()),
        ("X-Amz-Algorithm", "AWS4-HMAC-SHA1".to_owned()),
        ("X-Amz-Signature", "0".repeat(64)),
        ("X-Amz-Signature", String::new()),
    ] {
        let answer = form.clone().with(name, value.clone()).send(FILE).await;
        // S3 answers 501 if it does not know the algorithm.
        assert!(matches!(answer.status, 400..=499 | 501), "{name}: {value}: {answer}");
        assert!(answer.text.contains("<Error>"), "{name}: {value}: {answer}");
    }
    nothing_is_stored(&stack);
}

/// All fields except `bucket`, which the URL names as well.
#[tokio::test]
async fn a_missing_field_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    for (name, _) in form.fields.iter().filter(|(name, _)| name != "bucket") {
        let answer = form.clone().without(name).send(FILE).await;
        assert!((400..500).contains(&answer.status), "{name}: {answer}");
        assert!(answer.text.contains("<Error>"), "{name}: {answer}");
    }
    nothing_is_stored(&stack);
}

#[tokio::test]
async fn an_unsigned_field_is_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    for (name, value) in [
        ("acl", "public-read"),
        ("Content-Disposition", "attachment"),
        ("Content-Encoding", "gzip"),
        ("success_action_redirect", "https://evil.example/"),
        ("x-amz-meta-note", "x"),
        ("x-amz-website-redirect-location", "https://evil.example/"),
    ] {
        refused(form.clone().and(name, value).send(FILE).await, 403, "AccessDenied");
    }
    nothing_is_stored(&stack);
}

#[tokio::test]
async fn uploads_without_a_form_are_refused() {
    let (stack, client, user) = world().await;
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    let storage = Client::new(&form.url);
    storage.request(http::Method::PUT, "/media/x.png").body("x").send().await.expect(403);
    storage.get("").send().await.expect(403);
    storage.delete(format!("/{}", form.get("key"))).send().await.expect(403);
    let bare = Form { fields: vec![("key".into(), "media/x.png".into())], ..form };
    refused(bare.send(FILE).await, 403, "AccessDenied");
    nothing_is_stored(&stack);
}
