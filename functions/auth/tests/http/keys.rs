use std::time::Duration;

use local::wallets::{Wallet, sign_in};
use serde_json::Value;
use shared::{auth::keys::KeyStore, outbound::Outbound};

use crate::world;

#[tokio::test]
async fn the_published_keys_are_public_and_cacheable() {
    let (_stack, client) = world().await;
    let jwks = client
        .get("/.well-known/jwks.json")
        .send()
        .await
        .expect(200);
    let key = &jwks.body["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"], &key["use"]),
        (
            &"OKP".into(),
            &"Ed25519".into(),
            &"EdDSA".into(),
            &"sig".into()
        )
    );
    assert_eq!(key["d"], Value::Null);
    assert_eq!(jwks.header("cache-control"), "public, max-age=300");
}

/// Two keys live during a rotation: the tokens of the old one stay good, and the new one is found
/// without a restart.
#[tokio::test]
async fn keys_rotate_under_live_sessions() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let before = sign_in(&client, &wallet).await;
    let config = &stack.app().config;
    let keys = KeyStore::new(&config.aws, config.tokens.keys.clone(), &Outbound::new());
    let first = keys.public().await.unwrap().keys[0].kid.clone();
    let second = keys.rotate().await.unwrap();
    let published: Vec<_> = keys
        .public()
        .await
        .unwrap()
        .keys
        .into_iter()
        .map(|key| key.kid)
        .collect();
    assert_eq!(published, [second.clone(), first]);

    stack.clock().advance(Duration::from_secs(301));
    let after = sign_in(&client, &wallet).await;
    for token in [&before.access_token, &after.access_token] {
        client
            .get("/api/account/me")
            .bearer(token)
            .send()
            .await
            .expect(200);
    }
    let third = keys.rotate().await.unwrap();
    let published: Vec<_> = keys
        .public()
        .await
        .unwrap()
        .keys
        .into_iter()
        .map(|key| key.kid)
        .collect();
    assert_eq!(published, [third, second], "never more than two");
}
