use std::time::Duration;

use local::{
    LocalStack,
    client::Answer,
    wallets::{Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{
    auth::limits::{MEDIA_BY_ACCOUNT, MEDIA_FILE_BY_ACCOUNT},
    models::account::AccountId,
    problem::Problem,
};

use crate::{ask, descriptor, world, world_of};

#[tokio::test]
async fn each_file_has_its_descriptor() {
    let (stack, client, user) = world().await;
    let names = ["photo.JPEG", "b.jpg", "../../etc/ü 日.png", "c.GIF", "d.webp", "e.avif"];
    let files: Vec<_> = names.iter().map(|name| json!({ "filename": name })).collect();
    let answer = ask(&client, &user, &json!({ "files": files })).await.expect(200);
    assert_eq!(answer.code(), "1");
    assert_eq!(answer.body["message"], "common.success");
    assert_eq!(answer.notes(), json!({}));
    let config = &stack.app().config;
    let (media, served) = (&config.media, &config.served_media);
    let served_at = served.url.as_deref().unwrap();
    let descriptors = answer.data().as_array().unwrap();
    assert_eq!(descriptors.len(), names.len());
    let kinds = [
        ("jpg", "image/jpeg"),
        ("jpg", "image/jpeg"),
        ("png", "image/png"),
        ("gif", "image/gif"),
        ("webp", "image/webp"),
        ("avif", "image/avif"),
    ];
    let mut keys = std::collections::BTreeSet::new();
    for ((descriptor, name), (extension, mime)) in descriptors.iter().zip(names).zip(kinds) {
        let mut fields: Vec<_> = descriptor.as_object().unwrap().keys().collect();
        fields.sort();
        assert_eq!(fields, ["fileName", "key", "mimeType", "signedUrl", "size", "url"]);
        assert_eq!(descriptor["fileName"], name);
        assert_eq!(descriptor["mimeType"], mime);
        assert_eq!(descriptor["size"], 10 * 1024 * 1024);

        let key = descriptor["key"].as_str().unwrap();
        // The URL is public, so it must not contain the account's id, by which clients can sign in.
        let folder = user.account.parse::<AccountId>().unwrap().media_folder();
        assert!(folder.len() == 32 && !descriptor.to_string().contains(&user.account), "{key}");
        let id = key.strip_prefix(&format!("media/{folder}/")).unwrap();
        let id = id.strip_suffix(&format!(".{extension}")).unwrap();
        assert!(id.len() == 36 && id.as_bytes()[14] == b'7', "{key}: a UUID of version 7");
        assert!(keys.insert(key));
        assert_eq!(descriptor["url"], format!("{served_at}/{key}"));

        let form = &descriptor["signedUrl"]["fields"];
        let mut fields: Vec<_> = form.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(
            fields,
            [
                "Content-Type",
                "Policy",
                "X-Amz-Algorithm",
                "X-Amz-Credential",
                "X-Amz-Date",
                "X-Amz-Signature",
                "bucket",
                "key"
            ]
        );
        assert_eq!(
            (&form["key"], &form["Content-Type"], &form["bucket"]),
            (&json!(key), &json!(mime), &json!(media.bucket))
        );
    }
}

#[tokio::test]
async fn at_most_twenty_files_per_call() {
    let (_stack, client, user) = world().await;
    let files = |n| json!({ "files": vec![json!({ "filename": "a.png" }); n] });
    let answer = ask(&client, &user, &files(20)).await.expect(200);
    assert_eq!(answer.data().as_array().unwrap().len(), 20);
    for n in [0, 21, 5_000] {
        ask(&client, &user, &files(n)).await.expect_error(Problem::Validation);
    }
}

#[track_caller]
fn names(answer: Answer, field: &str) {
    let answer = answer.expect_error(Problem::Validation);
    let errors = answer.body["errors"].as_array().unwrap();
    assert!(errors.iter().any(|error| error["field"] == field), "{field}: {answer}");
}

#[tokio::test]
async fn invalid_fields_are_named() {
    let (stack, client, user) = world().await;
    let before = stack.contents();
    let good = json!({ "filename": "a.png" });
    for name in [
        json!(""),
        json!("png"),
        json!("a"),
        json!("a."),
        json!("a.svg"),
        json!("a.SVG"),
        json!("a.png.svg"),
        json!("a.png.html"),
        json!("a.png\0"),
        json!("a\n.png"),
        json!("a\u{85}.png"),
        json!("a.png "),
        json!("a.pdf"),
        json!(format!("{}.png", "x".repeat(252))),
        json!(1),
        json!(null),
        json!(["a.png"]),
        json!({ "name": "a.png" }),
    ] {
        let body = json!({ "files": [good, { "filename": name }] });
        names(ask(&client, &user, &body).await, "files[1].filename");
    }
    names(ask(&client, &user, &json!({ "files": [{}] })).await, "files[0].filename");
    for item in [json!("a.png"), json!(null), json!([]), json!(7)] {
        names(ask(&client, &user, &json!({ "files": [item] })).await, "files[0]");
    }
    for files in [Value::Null, json!([]), json!({}), json!("a.png"), good.clone()] {
        names(ask(&client, &user, &json!({ "files": files })).await, "files");
    }
    for address in [json!(1), json!([]), json!("x".repeat(129))] {
        let body = json!({ "files": [good], "userAddress": address });
        names(ask(&client, &user, &body).await, "userAddress");
    }
    let both = json!({ "files": [{ "filename": "a" }, good, { "filename": "b" }] });
    let answer = ask(&client, &user, &both).await;
    names(answer.clone(), "files[0].filename");
    names(answer, "files[2].filename");
    assert_eq!(stack.contents(), before, "a refused request wrote something");

    let longest = json!({ "files": [{ "filename": format!("{}.png", "é".repeat(251)) }] });
    ask(&client, &user, &longest).await.expect(200);
}

#[tokio::test]
async fn a_foreign_address_is_refused() {
    let (_stack, client, user) = world().await;
    let files = json!([{ "filename": "a.png" }]);
    let of = |address: &str| json!({ "files": files, "userAddress": address });
    let own = Wallet::p2wpkh(1);
    for address in [own.address(), &own.address().to_uppercase(), ""] {
        ask(&client, &user, &of(address)).await.expect(200);
    }
    let body = json!({ "files": files, "userAddress": null });
    ask(&client, &user, &body).await.expect(200);
    for address in [Wallet::p2wpkh(2).address(), Wallet::evm(1).address(), "nonsense"] {
        ask(&client, &user, &of(address)).await.expect_error(Problem::Forbidden);
    }
}

#[tokio::test]
async fn only_signed_in_callers_get_forms() {
    let (_stack, client, user) = world().await;
    let body = json!({ "files": [{ "filename": "a.png" }] });
    let path = "/api/medias/presigned-url";
    client.post(path).json(&body).send().await.expect_error(Problem::NoAuthorization);
    client.post(path).bearer("x.y.z").json(&body).send().await.expect_error(Problem::InvalidToken);
    // The access token is valid for a few more minutes, but the session has ended.
    client.post("/auth/logout").bearer(&user.access_token).send().await.expect(200);
    ask(&client, &user, &body).await.expect_error(Problem::SessionEnded);
}

/// A deployment without a distribution.
#[tokio::test]
async fn where_media_are_not_served_no_form_is_signed() {
    let stack = LocalStack::builder().setting("MEDIA_URL", "").build().await;
    let (stack, client, user) = world_of(stack).await;
    let before = stack.contents();
    let body = json!({ "files": [{ "filename": "a.png" }] });
    let answer = ask(&client, &user, &body).await.expect_error(Problem::MediaNotServed);
    assert_eq!(answer.body["message"], "medias.notServed");
    assert_eq!(
        answer.body["details"],
        "The service does not serve media yet, so it accepts no uploads."
    );
    // Callers and input are checked nevertheless.
    client
        .post("/api/medias/presigned-url")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
    ask(&client, &user, &json!({ "files": [] })).await.expect_error(Problem::Validation);
    let foreign = json!({ "files": body["files"], "userAddress": Wallet::p2wpkh(2).address() });
    ask(&client, &user, &foreign).await.expect_error(Problem::Forbidden);
    assert_eq!(stack.contents(), before, "a refused request wrote something");
}

#[tokio::test]
async fn calls_are_limited_per_account() {
    let (stack, client, user) = world().await;
    let body = json!({ "files": [{ "filename": "a.png" }] });
    for _ in 0..MEDIA_BY_ACCOUNT.most {
        ask(&client, &user, &body).await.expect(200);
    }
    let refused = ask(&client, &user, &body).await.expect_error(Problem::RateLimited);
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    ask(&client, &other, &body).await.expect(200);
    let wait = refused.header("retry-after").parse().unwrap();
    assert!(wait <= 3_601, "{wait}");
    stack.clock().advance(Duration::from_secs(wait));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    ask(&client, &user, &body).await.expect(200);
}

/// Custody rule 32: a free account stores 5 GB a month at most, however many calls it may make.
#[tokio::test]
async fn custody_32_files_are_limited_per_account_and_month() {
    let (stack, client, mut user) = world().await;
    let files: Vec<_> = (0..20).map(|n| json!({ "filename": format!("{n}.png") })).collect();
    let (body, one) = (json!({ "files": files }), json!({ "files": [{ "filename": "a.png" }] }));
    let calls = MEDIA_FILE_BY_ACCOUNT.most / 20;
    for n in 1..calls {
        if n % MEDIA_BY_ACCOUNT.most == 0 {
            stack.clock().advance(MEDIA_BY_ACCOUNT.window + Duration::from_secs(1));
            user = sign_in(&client, &Wallet::p2wpkh(1)).await;
        }
        ask(&client, &user, &body).await.expect(200);
    }
    // A call gets forms for all of its files or for none.
    ask(&client, &user, &one).await.expect(200);
    ask(&client, &user, &body).await.expect_error(Problem::RateLimited);
    ask(&client, &user, &json!({ "files": body["files"].as_array().unwrap()[1..] }))
        .await
        .expect(200);
    let refused = ask(&client, &user, &one).await.expect_error(Problem::RateLimited);
    let wait = refused.header("retry-after").parse().unwrap();
    assert!(wait > 29 * 24 * 60 * 60, "{wait}");
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    ask(&client, &other, &body).await.expect(200);
    stack.clock().advance(Duration::from_secs(wait));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    ask(&client, &user, &body).await.expect(200);
}

#[tokio::test]
async fn custody_21_forms_are_not_stored() {
    let (stack, client, user) = world().await;
    let before = stack.contents();
    let body = json!({ "files": [{ "filename": "a.png" }] });
    let again = || {
        let call = client.post("/api/medias/presigned-url").bearer(&user.access_token);
        call.header("idempotency-key", "the-same").json(&body).send()
    };
    let (one, other) = (again().await.expect(200), again().await.expect(200));
    assert_ne!(one.data()[0]["key"], other.data()[0]["key"]);
    let signature = one.data()[0]["signedUrl"]["fields"]["X-Amz-Signature"].as_str().unwrap();
    let policy = one.data()[0]["signedUrl"]["fields"]["Policy"].as_str().unwrap();
    let written: Vec<_> =
        stack.contents().into_iter().filter(|row| !before.contains(row)).collect();
    assert_eq!(written.len(), 1, "only the rate limit writes a row: {written:?}");
    for row in written {
        let row = row.to_string();
        assert!(row.contains("limit#mediaByAccount#") || row.contains("limit#mediaFileByAccount#"));
        assert!(!row.contains(signature) && !row.contains(policy), "{row}");
    }
}

#[tokio::test]
async fn path_like_names_do_not_change_the_key() {
    let (_stack, client, user) = world().await;
    for name in ["../../a.png", "/etc/a.png", "${filename}.png", "a?b#c%2f.png", "media/x.png"] {
        let descriptor = descriptor(&client, &user, name).await;
        let key = descriptor["key"].as_str().unwrap();
        assert_eq!(key.matches('/').count(), 2, "{key}");
        let folder = user.account.parse::<AccountId>().unwrap().media_folder();
        assert!(key.starts_with(&format!("media/{folder}/")), "{key}");
        assert!(key.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-.".contains(&b)), "{key}");
        assert_eq!(descriptor["fileName"], name);
    }
}
