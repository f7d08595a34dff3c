//! A file that was uploaded correctly is public.

use std::{sync::Arc, time::Duration};

use base::random::SystemSource;
use http::Method;
use local::{LocalStack, app::App, client::Client, clock::LocalClock, wallets};

use crate::{Form, descriptor, world, world_of};

const FILE: &[u8] = b"not really pixels, which the storage does not look at";

#[tokio::test]
async fn custody_23_an_upload_is_served_as_its_declared_type_only() {
    let (stack, client, user) = world().await;
    let descriptor = descriptor(&client, &user, "a.jpeg").await;
    let url = descriptor["url"].as_str().unwrap();
    let media = Client::new(url);
    media.get("").send().await.expect(403);
    Form::of(&descriptor).send(FILE).await.expect(204);
    let bucket = &stack.app().config.media.bucket;
    assert_eq!(stack.stored(bucket), [descriptor["key"].as_str().unwrap()]);

    let served = media.get("").header("cookie", "session=x").send().await.expect(200);
    assert_eq!(served.text.as_bytes(), FILE);
    assert_eq!(served.header("content-type"), "image/jpeg");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("set-cookie", ""),
    ] {
        assert_eq!(served.header(name), value, "{name}");
    }
    let head = media.request(Method::HEAD, "").send().await.expect(200);
    assert_eq!(head.header("content-length"), FILE.len().to_string());
    assert_eq!(head.header("content-type"), "image/jpeg");
    for method in [Method::PUT, Method::POST, Method::DELETE] {
        media.request(method, "").body("x").send().await.expect(403);
    }
    // S3 itself answers only signed requests.
    let key = descriptor["key"].as_str().unwrap();
    let direct = format!("{}/{key}", descriptor["signedUrl"]["url"].as_str().unwrap());
    Client::new(direct).get("").send().await.expect(403);
}

#[tokio::test]
async fn fields_may_come_in_any_order() {
    let (stack, client, user) = world().await;
    let forward = Form::of(&descriptor(&client, &user, "a.png").await);
    let mut backward = Form::of(&descriptor(&client, &user, "b.webp").await);
    backward.fields.reverse();
    let mut rotated = Form::of(&descriptor(&client, &user, "c.avif").await);
    rotated.fields.rotate_left(3);
    for form in [forward, backward, rotated] {
        form.send(FILE).await.expect(204);
    }
    assert_eq!(stack.stored(&stack.app().config.media.bucket).len(), 3);
}

#[tokio::test]
async fn the_largest_and_the_smallest_file_are_accepted() {
    let (stack, client, user) = world().await;
    for size in [1, 10 * 1024 * 1024] {
        let descriptor = descriptor(&client, &user, "a.png").await;
        Form::of(&descriptor).send(&vec![b'x'; size]).await.expect(204);
        let media = Client::new(descriptor["url"].as_str().unwrap());
        let head = media.request(Method::HEAD, "").send().await.expect(200);
        assert_eq!(head.header("content-length"), size.to_string());
    }
    assert_eq!(stack.stored(&stack.app().config.media.bucket).len(), 2);
}

/// S3 answers CORS requests from the frontend's origin.
#[tokio::test]
async fn a_browser_uploads_from_the_frontends_origin() {
    let (_stack, client, user) = world().await;
    let mut form = Form::of(&descriptor(&client, &user, "a.gif").await);
    let preflight = Client::new(&form.url)
        .request(Method::OPTIONS, "")
        .header("origin", "http://localhost:5173")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .send()
        .await
        .expect(200);
    let allowed = ["*", "http://localhost:5173"];
    assert!(allowed.contains(&preflight.header("access-control-allow-origin")), "{preflight}");
    let methods = preflight.header("access-control-allow-methods");
    assert!(methods == "*" || methods.contains("POST"), "{preflight}");
    form.origin = Some("http://localhost:5173");
    let answer = form.send(FILE).await.expect(204);
    assert!(allowed.contains(&answer.header("access-control-allow-origin")), "{answer}");
}

#[tokio::test]
async fn temporary_credentials_sign_their_session_token() {
    let stack = LocalStack::builder().setting("AWS_SESSION_TOKEN", "of-an-hour").build().await;
    let (stack, client, user) = world_of(stack).await;
    let bucket = stack.app().config.media.bucket.clone();
    let form = Form::of(&descriptor(&client, &user, "a.png").await);
    assert_eq!(form.get("X-Amz-Security-Token"), "of-an-hour");
    for wrong in [
        form.clone().without("X-Amz-Security-Token"),
        form.clone().with("X-Amz-Security-Token", "of-another"),
    ] {
        let refused = wrong.send(FILE).await;
        assert!((400..500).contains(&refused.status), "{refused}");
    }
    assert!(stack.stored(&bucket).is_empty());
    form.send(FILE).await.expect(204);
    assert_eq!(stack.stored(&bucket).len(), 1);
}

/// Forms are valid for 15 minutes: one signed 14 minutes ago works, one signed 15 minutes ago does not.
#[tokio::test]
async fn a_form_expires() {
    let (stack, _client, _user) = world().await;
    let bucket = stack.app().config.media.bucket.clone();
    for (age, good) in [(14 * 60, true), (15 * 60, false), (60 * 60, false)] {
        // S3 uses the machine's clock, so the test signs an old form.
        let clock = LocalClock::ahead_by(-age * 1_000);
        let app = App::with(stack.settings(), Arc::new(clock), Arc::new(SystemSource)).unwrap();
        let earlier = stack.serve_app(app, (auth::routes(), medias::routes())).await;
        let wallet = wallets::Wallet::p2wpkh(u64::try_from(age).unwrap());
        let user = wallets::sign_in_by_challenge(&earlier, &wallet).await;
        let form = Form::of(&descriptor(&earlier, &user, "a.png").await);
        let answer = form.send(FILE).await;
        if good {
            answer.expect(204);
        } else {
            let refused = answer.expect(403);
            assert!(refused.text.contains("Request has expired"), "{refused}");
        }
        assert_eq!(stack.stored(&bucket).len(), 1, "{age}");
    }
}

/// After the world's clock was moved forward, uploads still work.
#[tokio::test]
async fn uploads_work_if_the_world_clock_is_ahead() {
    let (stack, client, _user) = world().await;
    stack.clock().advance(Duration::from_secs(40 * 24 * 3_600));
    let user = wallets::sign_in(&client, &wallets::Wallet::p2wpkh(2)).await;
    Form::of(&descriptor(&client, &user, "a.png").await).send(FILE).await.expect(204);
}
