//! Encryption at rest: what the tables hold says nothing of a secret, and the keys are KMS's.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use local::{
    LocalStack,
    client::twenty_at_once,
    srp_accounts::{SrpAccount, random_blob},
    srp_client::from_base64,
    totp::code_at,
};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use shared::{
    app::App,
    auth::vault::{Purpose, Vault},
    config::AwsConfig,
    random::SystemSource,
    store::Key,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use uuid::Uuid;

use crate::world;

const PURPOSE: Purpose = Purpose { what: "test", whose: Uuid::from_u128(7) };

/// The forms that bytes may be written in.
fn forms(bytes: &[u8]) -> Vec<String> {
    let mut forms = vec![
        BASE64_STANDARD.encode(bytes),
        BASE64_STANDARD_NO_PAD.encode(bytes),
        BASE64_URL_SAFE_NO_PAD.encode(bytes),
        hex::encode(bytes),
        hex::encode_upper(bytes),
    ];
    forms.extend(std::str::from_utf8(bytes).ok().map(str::to_owned));
    forms
}

/// Asserts that neither these bytes nor their beginning stand in a text.
#[track_caller]
fn absent(text: &str, what: &str, bytes: &[u8]) {
    assert!(bytes.len() >= 10, "{what} would be found by chance");
    for form in forms(bytes) {
        assert!(!text.contains(&form), "{what}: {form}");
        // A multiple of 3 bytes is written alike whatever follows.
        let begins = &form[..12];
        assert!(!text.contains(begins), "{what} begins {begins}");
    }
}

#[tokio::test]
async fn the_tables_hold_no_secret_as_it_is() {
    let (stack, client) = world().await;
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    let blob = random_blob(300);
    let body = alice.registration(&blob);
    client.post("/auth/register/srp").json(&body).send().await.expect(201);
    let signed_in = alice.sign_in(&client).await;
    let post = async |path: &str, body: Value| {
        client.post(path).bearer(&signed_in.access_token).json(&body).send().await.expect(200)
    };
    let setup = post("/api/account/2fa/setup", json!({})).await;
    let pending = json!(stack.contents()).to_string();
    let uri = setup.text_of("otpauthUri");
    let code = json!({ "otpCode": code_at(uri, client.now()) });
    let enabled = post("/api/account/2fa/toggle", code).await;
    let session = alice.begin(&client).await;
    post("/api/account/change-email/init", json!({ "newEmail": "new@example.com" })).await;
    stack.deliver_mail().await;
    let [first, second] = ["alice@example.com", "new@example.com"];
    let tokens = [stack.mailbox(first).await[0].token(), stack.mailbox(second).await[0].token()];

    let contents = json!(stack.contents()).to_string();
    // What is no secret is there: the search is of the right texts.
    assert!(contents.contains("alice@example.com") && contents.contains(&alice.salt()));
    assert!(contents.contains(session["serverPublic"].as_str().unwrap()));
    let secret = setup.text_of("secret");
    for contents in [&pending, &contents] {
        absent(contents, "verifier", &from_base64(&alice.verifier()).unwrap());
        absent(contents, "keystore", blob.as_bytes());
        absent(contents, "keystore", &from_base64(&blob).unwrap());
        absent(contents, "password", alice.password.as_bytes());
        absent(contents, "TOTP secret", secret.as_bytes());
        for token in &tokens {
            absent(contents, "mailed token", token.as_bytes());
        }
        for token in [&signed_in.access_token, &signed_in.refresh_token] {
            // Every token begins with what is no secret: its header, or its account.
            let (_, end) = token.split_at(token.len() - 40);
            absent(contents, "token", end.as_bytes());
        }
    }
    let codes = enabled.data()["recoveryCodes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    for code in codes {
        let code = code.as_str().unwrap();
        absent(&contents, "recovery code", code.as_bytes());
        absent(&contents, "recovery code", code.replace('-', "").as_bytes());
    }
}

/// The ephemeral is drawn from a source that this test knows.
#[tokio::test]
async fn the_servers_ephemeral_is_not_stored_as_it_is() {
    /// What every draw gives.
    struct Known;
    impl shared::random::Random for Known {
        fn fill(&self, bytes: &mut [u8]) {
            for (n, byte) in bytes.iter_mut().enumerate() {
                *byte = u8::try_from(n % 256).unwrap() ^ 0xa5;
            }
        }
    }
    let (stack, client) = world().await;
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    alice.register(&client).await;
    alice.begin(&client).await;
    let app = stack.app();
    let known = App::with(app.config.clone(), app.clock.clone(), Arc::new(Known));
    let client = stack.serve_app(known, auth::routes()).await;
    alice.begin(&client).await;
    let ephemeral: Vec<u8> = (0..32).map(|n| n ^ 0xa5).collect();
    let contents = json!(stack.contents()).to_string();
    assert!(contents.contains("handshake#a5a4a7a6-a1a0-a3a2-adac-afaea9a8abaa"));
    for form in forms(&ephemeral) {
        assert!(!contents.contains(&form), "{form}");
    }
}

/// A vault as another instance has it.
fn vault(stack: &LocalStack, aws: AwsConfig) -> Vault {
    let app = stack.app();
    let (key, store, outbound) =
        (app.config.data_key_id.clone(), app.store.clone(), app.outbound.clone());
    Vault::over_kms(&aws, key, store, outbound, Arc::new(SystemSource))
}

#[tokio::test]
async fn instances_share_their_keys_and_a_rotation_keeps_the_old_ones() {
    let (stack, _client) = world().await;
    let aws = stack.app().config.aws.clone();
    let (one, other) = (vault(&stack, aws.clone()), vault(&stack, aws.clone()));
    let kid = |sealed: &shared::auth::vault::Sealed| {
        let text = json!(sealed).as_str().unwrap().to_owned();
        text.split_once('.').unwrap().0.to_owned()
    };
    let before = one.seal(PURPOSE, b"secret").await.unwrap();
    let opened = other.open(PURPOSE, &before).await.unwrap();
    assert_eq!(opened.expose_secret(), b"secret");
    assert_eq!(kid(&other.seal(PURPOSE, b"x").await.unwrap()), kid(&before));
    let hash = one.keyed_hash("a", "text").await.unwrap();
    assert_eq!(other.keyed_hash("a", "text").await.unwrap(), hash);
    assert_ne!(other.keyed_hash("b", "text").await.unwrap(), hash);

    let next = one.rotate().await.unwrap();
    assert_ne!(next, kid(&before));
    let fresh = vault(&stack, aws);
    let after = fresh.seal(PURPOSE, b"later").await.unwrap();
    assert_eq!(kid(&after), next);
    for vault in [&one, &other, &fresh] {
        for (sealed, plain) in [(&before, "secret"), (&after, "later")] {
            let opened = vault.open(PURPOSE, sealed).await.unwrap();
            assert_eq!(opened.expose_secret(), plain.as_bytes());
        }
        assert_eq!(vault.keyed_hash("a", "text").await.unwrap(), hash);
    }
    // The data keys are wrapped: what is stored is KMS's ciphertext.
    let rows = json!(stack.contents()).to_string();
    assert!(rows.contains(Key::data_key(&next).pk()));
}

/// Accounts from before a rotation sign in after it, and those of after it too.
#[tokio::test]
async fn a_rotation_locks_nobody_out() {
    let (stack, client) = world().await;
    let before = SrpAccount::new("before@example.com", "password");
    before.register(&client).await;
    stack.app().vault.rotate().await.unwrap();
    let app = stack.app();
    let fresh = App::with(app.config.clone(), app.clock.clone(), Arc::new(SystemSource));
    let fresh = stack.serve_app(fresh, auth::routes()).await;
    let after = SrpAccount::new("after@example.com", "password");
    after.register(&fresh).await;
    for user in [&before, &after] {
        for client in [&client, &fresh] {
            user.sign_in(client).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_first_uses_at_once_agree_on_one_key() {
    let (stack, _client) = world().await;
    let app = stack.app().clone();
    let aws = app.config.aws.clone();
    let vaults: Vec<_> = (0..20).map(|_| Arc::new(vault(&stack, aws.clone()))).collect();
    let made = twenty_at_once(|n| {
        let vault = vaults[usize::try_from(n).unwrap()].clone();
        async move {
            let sealed = vault.seal(PURPOSE, b"secret").await.unwrap();
            (sealed, vault.keyed_hash("a", "text").await.unwrap())
        }
    })
    .await;
    for vault in &vaults {
        for (sealed, hash) in &made {
            assert_eq!(vault.open(PURPOSE, sealed).await.unwrap().expose_secret(), b"secret");
            assert_eq!(*hash, made[0].1);
        }
    }
    let kids: std::collections::BTreeSet<_> = made
        .iter()
        .map(|(sealed, _)| json!(sealed).as_str().unwrap().split('.').next().unwrap().to_owned())
        .collect();
    assert_eq!(kids.len(), 1, "{kids:?}");
}

/// Without KMS an instance that has no key yet answers 503, and makes no account; one that has, works
/// on. When KMS is back, so is it.
#[tokio::test]
async fn kms_may_be_down() {
    let (stack, client) = world().await;
    let alice = SrpAccount::new("alice@example.com", "password");
    let app = stack.app();
    let mut config = app.config.clone();
    let relay = Relay::start(config.aws.kms_endpoint.clone().unwrap()).await;
    config.aws.kms_endpoint = Some(relay.url.clone());
    let cold = App::with(config, app.clock.clone(), Arc::new(SystemSource));
    let cold = stack.serve_app(cold, auth::routes()).await;

    let body = alice.registration("AAAA");
    let register = || cold.post("/auth/register/srp").json(&body).send();
    let init = json!({ "email": alice.email });
    register().await.expect_error(503, "1009");
    cold.post("/auth/srp/init").json(&init).send().await.expect_error(503, "1009");
    let rows = json!(stack.contents()).to_string();
    assert!(!rows.contains("alice@example.com") && !rows.contains("dataKey#"));
    alice.register(&client).await;
    cold.post("/auth/srp/init").json(&init).send().await.expect_error(503, "1009");
    relay.open();
    alice.sign_in(&cold).await;
    relay.shut();
    alice.sign_in(&cold).await;
}

/// Stands before a service that can be cut off: what comes while it is shut is dropped.
struct Relay {
    url: String,
    open: Arc<AtomicBool>,
}

impl Relay {
    /// A relay to the service at `url`, shut.
    async fn start(url: String) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let service = url.strip_prefix("http://").unwrap().to_owned();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let open = Arc::new(AtomicBool::new(false));
        let passes = open.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                if passes.load(Ordering::SeqCst) {
                    let mut service = TcpStream::connect(&service).await.unwrap();
                    tokio::spawn(async move {
                        let _ends = copy_bidirectional(&mut client, &mut service).await;
                    });
                }
            }
        });
        Self { url, open }
    }

    fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
    }

    fn shut(&self) {
        self.open.store(false, Ordering::SeqCst);
    }
}
