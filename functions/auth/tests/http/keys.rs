use std::{sync::Arc, time::Duration};

use base::{aws::Parameters, outbound::Outbound};
use local::{
    LocalStack,
    app::Config,
    wallets::{Wallet, sign_in},
};
use ops::SigningKeys;
use serde_json::Value;
use shared::{crypto::signing::KeyStore, problem::Problem};

use crate::world;

fn key_store(stack: &LocalStack, config: &Config) -> KeyStore {
    let (aws, keys) = (config.aws.clone(), config.keys.clone());
    KeyStore::new(aws, keys, Outbound::new(), stack.app().clock.clone())
}

fn signing_keys(stack: &LocalStack, config: &Config) -> SigningKeys {
    let (aws, keys) = (config.aws.clone(), config.keys.clone());
    SigningKeys::new(aws, keys, Outbound::new(), stack.app().clock.clone())
}

#[tokio::test]
async fn the_published_keys_are_public_and_cacheable() {
    let (_stack, client) = world().await;
    let jwks = client.get("/.well-known/jwks.json").send().await.expect(200);
    let key = &jwks.body["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"], &key["use"]),
        (&"OKP".into(), &"Ed25519".into(), &"EdDSA".into(), &"sig".into())
    );
    assert_eq!(key["d"], Value::Null);
    assert_eq!(jwks.header("cache-control"), "public, max-age=300");
}

/// Two keys are valid during a rotation: tokens of the old key stay valid, and the new one is found without a
/// restart.
#[tokio::test]
async fn keys_rotate_under_live_sessions() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let before = sign_in(&client, &wallet).await;
    let keys = key_store(&stack, &stack.app().config);
    let first = keys.public().await.unwrap().keys[0].kid.clone();
    let rotating = signing_keys(&stack, &stack.app().config);
    let second = rotating.rotate().await.unwrap();
    let published: Vec<_> =
        keys.public().await.unwrap().keys.into_iter().map(|key| key.kid).collect();
    assert_eq!(published, [second.clone(), first]);

    stack.clock().advance(Duration::from_secs(301));
    let after = sign_in(&client, &wallet).await;
    for token in [&before.access_token, &after.access_token] {
        client.get("/api/account/me").bearer(token).send().await.expect(200);
    }
    let third = rotating.rotate().await.unwrap();
    let published: Vec<_> =
        keys.public().await.unwrap().keys.into_iter().map(|key| key.kid).collect();
    assert_eq!(published, [third, second], "never more than two");
}

/// An instance remembers tokens, but not longer than it uses the keys that have signed them.
#[tokio::test]
async fn tokens_of_a_revoked_key_are_refused_within_five_minutes() {
    let (stack, client) = world().await;
    let signed_in = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let me = || client.get("/api/account/me").bearer(&signed_in.access_token).send();
    me().await.expect(200);
    let rotating = signing_keys(&stack, &stack.app().config);
    let first = rotating.rotate().await.unwrap();
    let keys = key_store(&stack, &stack.app().config).public().await.unwrap().keys;
    let leaked = keys.into_iter().find(|key| key.kid != first).unwrap().kid;
    rotating.revoke(&leaked).await.unwrap();
    stack.clock().advance(Duration::from_secs(301));
    me().await.expect_error(Problem::InvalidToken);
    let again = sign_in(&client, &Wallet::p2wpkh(1)).await;
    client.get("/api/account/me").bearer(&again.access_token).send().await.expect(200);
}

/// Keys read earlier stay in use for an hour. Without them no token can be checked.
#[tokio::test]
async fn tokens_stay_valid_while_the_keys_cannot_be_read() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(2);
    let signed_in = sign_in(&client, &wallet).await;
    let status =
        async |token: &str| client.get("/api/account/me").bearer(token).send().await.status;
    assert_eq!(status(&signed_in.access_token).await, 200);
    let (config, clock) = (&stack.app().config, stack.app().clock.clone());
    let parameters = Parameters::new(config.aws.clone(), Outbound::new(), clock);
    let published = &config.keys.public.jwks_parameter;
    parameters.put(published, "no JWKS").await.unwrap();
    stack.clock().advance(Duration::from_secs(301));
    assert_eq!(status(&signed_in.access_token).await, 200);
    let later = sign_in(&client, &wallet).await;
    assert_eq!(status(&later.access_token).await, 200);
    stack.clock().advance(Duration::from_secs(3_600));
    let last = sign_in(&client, &wallet).await;
    for _within_the_pause in 0..3 {
        assert_eq!(status(&last.access_token).await, 503);
    }
}

/// Without a signing key, or without permission to read it, nothing is rotated and the published keys stay.
#[tokio::test]
async fn a_rotation_without_access_to_the_signing_key_changes_nothing() {
    let (stack, _client) = world().await;
    let mut config = stack.app().config.clone();
    let keys = key_store(&stack, &config);
    let before = keys.public().await.unwrap();
    Arc::make_mut(&mut config.aws).secrets_endpoint = Some("http://127.0.0.1:1".to_owned());
    let cut_off = signing_keys(&stack, &config);
    cut_off.rotate().await.unwrap_err();
    assert_eq!(keys.public().await.unwrap(), before);
}
