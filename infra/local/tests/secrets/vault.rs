//! Encryption at rest with KMS and the real store: data keys, and outages of KMS.

use std::collections::BTreeSet;

use identity::credentials::{Keystore, SrpCredential};
use local::{
    Client, LocalStack,
    app::App,
    client::twenty_at_once,
    srp_accounts::{SrpAccount, random_blob},
    wallets::{self, Wallet, challenge},
};
use outbox::webhooks::{Webhook, signing};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use shared::{
    crypto::vault::{SealScope, Sealed, VaultError, WrappedKey},
    keys,
    models::{account::AccountId, webhook::WebhookId},
    problem::Problem,
};
use uuid::Uuid;

const PASSWORD: &str = "correct horse battery staple";

fn purpose(whose: u64) -> SealScope {
    SealScope { what: "test", whose: Uuid::from_u128(whose.into()) }
}

/// Another instance in the same world, without cached data keys.
fn instance(stack: &LocalStack) -> App {
    stack.app().changed(&[])
}

/// An instance with an unreachable KMS.
fn without_kms(stack: &LocalStack) -> App {
    stack.app_without("AWS_ENDPOINT_URL_KMS")
}

async fn client(stack: &LocalStack, app: App) -> Client {
    stack.serve_app(app, (auth::routes(), account::routes())).await
}

/// Id of the data key that a value is encrypted with.
fn kid(sealed: &Sealed) -> String {
    let text = json!(sealed);
    text.as_str().unwrap().split_once('.').unwrap().0.to_owned()
}

async fn open(app: &App, whose: u64, sealed: &Sealed) -> Vec<u8> {
    app.identity.vault.open(purpose(whose), sealed).await.unwrap().expose_secret().to_vec()
}

/// The keys of all rows except counters of limits and used-up rows.
fn keys(stack: &LocalStack) -> BTreeSet<String> {
    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    let key = |row: &Value| {
        format!("{} {}", row["pk"]["S"].as_str().unwrap(), row["sk"]["S"].as_str().unwrap())
    };
    let left = rows.filter(|row| row.get("usedAt").is_none());
    left.map(key).filter(|key| !key.starts_with("limit#")).collect()
}

#[tokio::test]
async fn instances_share_data_keys_and_old_ones_decrypt_after_a_rotation() {
    let stack = LocalStack::start().await;
    let (one, other) = (instance(&stack), instance(&stack));
    let old = one.identity.vault.seal(purpose(1), b"old").await.unwrap();
    assert_eq!(open(&other, 1, &old).await, b"old");
    assert_eq!(kid(&other.identity.vault.seal(purpose(1), b"same").await.unwrap()), kid(&old));

    let rotated = one.identity.vault.rotate().await.unwrap();
    let later = instance(&stack);
    let new = later.identity.vault.seal(purpose(1), b"new").await.unwrap();
    assert_eq!(kid(&new), rotated);
    assert_ne!(kid(&new), kid(&old));
    for app in [&one, &other, &later] {
        assert_eq!(
            (open(app, 1, &old).await, open(app, 1, &new).await),
            (b"old".into(), b"new".into())
        );
        let others = app.identity.vault.open(purpose(2), &new).await;
        assert!(matches!(others, Err(VaultError::Damaged)));
    }
}

/// The worker that connects to hosts of strangers opens the secrets of webhooks and nothing else, whatever the rows say.
#[tokio::test]
async fn webhooks_have_data_keys_of_their_own() {
    let stack = LocalStack::start().await;
    let client = client(&stack, stack.app().clone()).await;
    let user = wallets::sign_in(&client, &Wallet::evm(1)).await;
    let call = client.post("/api/webhooks").bearer(&user.access_token);
    let added = call.json(&json!({ "url": "http://127.0.0.1:9/" })).send().await.expect(201);
    let whose = added.data()["id"].as_str().unwrap().parse::<Uuid>().unwrap();
    let (store, account) = (&stack.app().store, user.account.parse().unwrap());
    let key = keys::webhook(account, WebhookId(whose));
    let secret = store.get::<Webhook>(&key).await.unwrap().unwrap().secret;
    assert!(kid(&secret).starts_with("webhooks#"), "{secret:?}");

    let later = instance(&stack).identity.clone();
    let scope = SealScope { what: "webhook", whose };
    let opened = later.webhook_vault.open(scope, &secret).await.unwrap();
    assert_eq!(signing::shown(&opened).expose_secret(), added.data()["secret"].as_str().unwrap());
    let refused = later.vault.open(scope, &secret).await;
    assert!(matches!(refused, Err(VaultError::Damaged)));

    let sealed = later.vault.seal(purpose(1), b"of an account").await.unwrap();
    let refused = later.webhook_vault.open(purpose(1), &sealed).await;
    assert!(matches!(refused, Err(VaultError::Damaged)));
    let own = kid(&sealed);
    let WrappedKey { wrapped, .. } = store.get(&keys::data_key(&own)).await.unwrap().unwrap();
    let copied = json!(sealed).as_str().unwrap().replacen(&own, "webhooks#copy", 1);
    let copied = serde_json::from_value(json!(copied)).unwrap();
    for named in [own.as_str(), "webhooks#copy"] {
        let row = WrappedKey { kid: named.to_owned(), wrapped: wrapped.clone() };
        store.put(&keys::data_key("webhooks#copy"), &row).await.unwrap();
        let refused = instance(&stack).identity.webhook_vault.open(purpose(1), &copied).await;
        assert!(refused.is_err(), "{named}");
    }
}

/// With write access to rows, an attacker cannot have an account's secret returned to another account, or as
/// another secret.
#[tokio::test]
async fn a_swapped_keystore_is_not_returned() {
    let stack = LocalStack::start().await;
    let client = client(&stack, stack.app().clone()).await;
    let store = &stack.app().store;
    let [alice, bob] =
        ["alice", "bob"].map(|name| SrpAccount::new(&format!("{name}@example.com"), PASSWORD));
    let mut ids = Vec::<AccountId>::new();
    for account in [&alice, &bob] {
        ids.push(account.register(&client).await.account.parse().unwrap());
    }
    let row =
        async |id: AccountId| store.get::<Keystore>(&keys::keystore(id)).await.unwrap().unwrap();
    let own = [row(ids[0]).await, row(ids[1]).await];
    let verifier = store.get::<SrpCredential>(&keys::srp(ids[0])).await.unwrap().unwrap().verifier;
    let before = keys(&stack);
    for foreign in [&own[1], &Keystore { blob: verifier }] {
        store.put(&keys::keystore(ids[0]), foreign).await.unwrap();
        let refused = alice.attempt(&client).await.expect_error(Problem::Internal);
        let body = json!({
            "code": "1008", "message": "common.internal", "requestId": refused.body["requestId"],
            "details": "The service failed. Contact support with the request id.",
        });
        assert_eq!(refused.body, body);
    }
    assert_eq!(keys(&stack), before, "no session was opened");
    store.put(&keys::keystore(ids[0]), &own[0]).await.unwrap();
    alice.sign_in(&client).await;
    bob.sign_in(&client).await;
}

#[tokio::test]
async fn without_kms_a_first_use_writes_nothing_and_a_later_one_works() {
    let stack = LocalStack::start().await;
    let cut_off = client(&stack, without_kms(&stack)).await;
    let alice = SrpAccount::new("alice@example.com", PASSWORD);
    let body = alice.registration(&random_blob(300));
    let before = keys(&stack);
    cut_off.post("/auth/register/srp").json(&body).send().await.expect_error(Problem::Unavailable);
    let init = json!({ "email": alice.email });
    cut_off.post("/auth/srp/init").json(&init).send().await.expect_error(Problem::Unavailable);
    assert_eq!(keys(&stack), before);
    let client = client(&stack, stack.app().clone()).await;
    client.post("/auth/register/srp").json(&body).send().await.expect(201);
    alice.sign_in(&client).await;
}

/// The same if data keys exist and a new instance cannot unwrap them.
#[tokio::test]
async fn without_kms_requests_that_need_a_secret_write_nothing() {
    let stack = LocalStack::start().await;
    let [client, cut_off] =
        [client(&stack, stack.app().clone()).await, client(&stack, without_kms(&stack)).await];
    let wallet = Wallet::evm(1);
    let extras = json!({ "encryptedBlob": random_blob(300) });
    let user = wallets::register(&client, &wallet, &extras).await;
    let before = keys(&stack);
    let asked = challenge(&cut_off, &wallet, "signIn", None).await;
    let sign_in = cut_off.post("/auth/authenticate").json(&wallet.signed_challenge(&asked));
    let setup = cut_off.post("/api/account/2fa/setup").bearer(&user.access_token);
    let keystore = cut_off.get("/api/account/keystore").bearer(&user.access_token);
    for call in [sign_in, setup, keystore] {
        call.send().await.expect_error(Problem::Unavailable);
    }
    assert_eq!(keys(&stack), before);
    let setup = client.post("/api/account/2fa/setup").bearer(&user.access_token);
    setup.send().await.expect(200);
    let signed_in = wallets::sign_in(&client, &wallet).await;
    assert_eq!(signed_in.data["encryptedBlob"], extras["encryptedBlob"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_cold_starts_create_one_data_key() {
    let stack = LocalStack::start().await;
    let instances = [instance(&stack), instance(&stack)];
    let outcomes = twenty_at_once(|n| {
        let app = instances[usize::from(n % 2 == 1)].clone();
        async move {
            let sealed = app.identity.vault.seal(purpose(n), &n.to_be_bytes()).await.unwrap();
            (n, sealed, app.identity.vault.keyed_hash("test", "text").await.unwrap())
        }
    })
    .await;
    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    let current: Vec<_> = rows.filter(|row| row["pk"]["S"] == "dataKey#current").collect();
    assert_eq!(current.len(), 1);
    let hashes: BTreeSet<_> = outcomes.iter().map(|(.., hash)| hash).collect();
    assert_eq!(hashes.len(), 1);
    let later = instance(&stack);
    for (n, sealed, _) in &outcomes {
        assert_eq!(kid(sealed), current[0]["kid"]["S"].as_str().unwrap());
        for app in instances.iter().chain([&later]) {
            assert_eq!(open(app, *n, sealed).await, n.to_be_bytes());
        }
    }
}
