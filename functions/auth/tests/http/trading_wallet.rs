//! Trading wallets created at sign-in and registration.

use identity::trading_wallet;
use local::{
    LocalStack, SrpAccount,
    client::{Client, twenty_at_once},
    srp_accounts::random_blob,
    stack::treasury,
    trading_wallets::{cosigning_key, registration, trading_address},
    wallets::{
        self, Kind, NETWORK, SignedIn, Wallet, challenge, dated, sign_in, sign_in_by_challenge,
        with,
    },
};
use serde_json::{Value, json};
use shared::{
    accounts::{self, UniqueOwner},
    keys,
    models::{
        account::{Account, AccountId},
        trading_wallet::{TradingDescriptor, TradingWallet, UserKey},
    },
    problem::Problem,
};
use store::{Update, Writes};

use crate::{world, world_of};

const BITCOIN: [Kind; 4] = [Kind::P2wpkh, Kind::P2tr, Kind::P2pkh, Kind::P2shP2wpkh];

async fn authenticate(client: &Client, body: &Value) -> local::Answer {
    client.post("/auth/authenticate").json(body).send().await
}

/// Reads the account's row.
async fn row(stack: &LocalStack, user: &SignedIn) -> Account {
    let id = user.account.parse().unwrap();
    accounts::get(&stack.app().store, id).await.unwrap().unwrap()
}

/// The changes in the audit trail, newest first, without sign-ins.
async fn changes(client: &Client, user: &SignedIn) -> Vec<String> {
    let call = client.get("/api/account/activity?pageSize=100").bearer(&user.access_token);
    let rows = call.send().await.expect(200).data().as_array().unwrap().clone();
    let changes = rows.iter().map(|row| row["change"].as_str().unwrap().to_owned());
    changes.filter(|change| !["signedIn", "newDevice"].contains(&change.as_str())).collect()
}

/// Removes the trading wallet, as if the account were older than trading wallets.
async fn remove_trading_wallet(stack: &LocalStack, user: &SignedIn) {
    let wallet = row(stack, user).await.trading_wallet.unwrap();
    let id: AccountId = user.account.parse().unwrap();
    let owned = Update::new().if_equal(UniqueOwner::ACCOUNT_ID, id);
    let record = Writes::new()
        .delete(&trading_wallet::key_of(&wallet), owned.clone(), "another's")
        .delete(&keys::trading_address(&wallet.address), owned, "another's");
    stack.app().store.commit(record).await.unwrap();
    let before = Update::new().remove(Account::TRADING_WALLET);
    stack.change_account(&user.account, before).await;
}

/// A client of the same world with other co-signing keys.
async fn with_keys(stack: &LocalStack, keys: &[&str]) -> Client {
    let app = stack.app().changed(&[("COSIGNING_KEY_IDS", &keys.join(","))]);
    stack.serve_app(app, (auth::routes(), account::routes())).await
}

/// The written rows except hits of limits and challenges.
fn lasting_rows(stack: &LocalStack) -> Vec<Value> {
    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    let lasts = |row: &&Value| {
        let pk = row["pk"]["S"].as_str().unwrap();
        !["limit#", "challenge#", "signInMessage#", "dataKey#"].iter().any(|it| pk.starts_with(it))
    };
    rows.filter(lasts).cloned().collect()
}

#[tokio::test]
async fn the_first_sign_in_of_a_bitcoin_wallet_creates_a_trading_wallet() {
    let (stack, client) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (seed, kind) in (1..).zip(BITCOIN) {
        let by_message = Wallet::new(kind, seed);
        let expected = trading_address(&by_message, &platform);
        let first = sign_in(&client, &by_message).await;
        let again = sign_in_by_challenge(&client, &by_message).await;
        for signed_in in [&first, &again] {
            assert_eq!(signed_in.data["tradingAddress"], expected, "{kind:?}");
            assert_eq!(signed_in.data["account"]["tradingAddress"], expected);
        }
        assert_eq!(changes(&client, &again).await, ["accountCreated"]);

        let by_challenge = Wallet::new(kind, seed + 10);
        let signed_in = sign_in_by_challenge(&client, &by_challenge).await;
        let expected = trading_address(&by_challenge, &platform);
        assert_eq!(signed_in.data["tradingAddress"], expected, "{kind:?}");

        let registered = Wallet::new(kind, seed + 20);
        let signed_in = wallets::register(&client, &registered, &json!({})).await;
        let expected = trading_address(&registered, &platform);
        assert_eq!(signed_in.data["tradingAddress"], expected, "{kind:?}");
        assert!(expected.starts_with("bcrt1q"));
    }
    for kind in [Kind::Evm, Kind::Solana] {
        let signed_in = sign_in(&client, &Wallet::new(kind, 1)).await;
        assert_eq!(signed_in.data["tradingAddress"], Value::Null);
    }
}

/// Key id and descriptor are stored when the account is created, and never derived again.
#[tokio::test]
async fn custody_11_changed_settings_affect_only_new_accounts() {
    let (stack, client) = world().await;
    let (key_id, platform) = cosigning_key(&stack).await;
    assert!(!key_id.contains(':'), "{key_id} names a region");
    let (old, new) = (Wallet::p2wpkh(1), Wallet::p2wpkh(2));
    let before = sign_in(&client, &old).await;
    let stored = row(&stack, &before).await.trading_wallet.unwrap();
    assert_eq!(stored.key_id, key_id);
    let text = stored.descriptor.to_string();
    assert!(text.contains(&format!("v:pk({})", old.public_key())), "{text}");
    assert!(text.contains(&format!("pk({platform}),older(12960)")), "{text}");

    let other = Wallet::p2wpkh(99);
    let other_id = stack.import_cosigning_key(&other).await;
    let later = with_keys(&stack, &[&other_id]).await;
    let after = sign_in(&later, &old).await;
    assert_eq!(after.data["tradingAddress"], before.data["tradingAddress"]);
    assert_eq!(row(&stack, &after).await.trading_wallet.unwrap(), stored);
    let fresh = sign_in(&later, &new).await;
    let expected = trading_address(&new, other.public_key());
    assert_eq!(fresh.data["tradingAddress"], expected);
    assert_eq!(row(&stack, &fresh).await.trading_wallet.unwrap().key_id, other_id);
}

#[tokio::test]
async fn new_accounts_are_spread_over_the_cosigning_keys() {
    let (stack, _) = world().await;
    let (own, _) = cosigning_key(&stack).await;
    let other = stack.import_cosigning_key(&Wallet::p2wpkh(99)).await;
    let client = with_keys(&stack, &[&own, &other]).await;
    let mut got = std::collections::BTreeMap::<String, u32>::new();
    for seed in 1..=24 {
        let user = sign_in(&client, &Wallet::p2wpkh(seed)).await;
        *got.entry(row(&stack, &user).await.trading_wallet.unwrap().key_id).or_default() += 1;
    }
    assert_eq!(got.keys().collect::<std::collections::BTreeSet<_>>(), [&own, &other].into());
}

/// A key of each parity, with every form in which a client can send it: 32 bytes, or 33 of either parity.
fn taproot_keys() -> Vec<(Wallet, String)> {
    let mut keys = Vec::new();
    for (seed, told) in [(1, ""), (101, "02"), (201, "03")] {
        for is_odd in [false, true] {
            let wallet = Wallet::p2tr_of_parity(is_odd, seed);
            let told = format!("{told}{}", wallet.x_only_key());
            keys.push((wallet, told));
        }
    }
    keys
}

#[tokio::test]
async fn custody_12_a_taproot_sign_in_creates_a_wallet_for_either_parity() {
    let (stack, client) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (wallet, told) in taproot_keys() {
        let expected = trading_address(&wallet, &platform);
        let with_key = |body| with(body, &json!({ "publicKey": told }));
        let body = with_key(dated(&client, &wallet));
        let made = authenticate(&client, &body).await.expect(200);
        assert_eq!(made.data()["tradingAddress"], expected, "{told}");
        let user = SignedIn::of(&made).unwrap();
        let stored = row(&stack, &user).await.trading_wallet.unwrap();
        let x = wallet.x_only_key();
        let either = format!("or_c(pk(02{x}),v:pk(03{x}))");
        let descriptor = stored.descriptor.to_string();
        assert!(descriptor.starts_with(&format!("wsh(and_v({either},or_d(pk({platform})")));
        // From now on the wallet stays the same, however the client sends the key.
        let asked = challenge(&client, &wallet, "signIn", None).await;
        for told in [wallet.public_key(), x] {
            let body = with(dated(&client, &wallet), &json!({ "publicKey": told }));
            let back = authenticate(&client, &body).await.expect(200);
            assert_eq!(back.data()["tradingAddress"], expected);
        }
        let back = authenticate(&client, &with_key(wallet.signed_challenge(&asked))).await;
        assert_eq!(back.expect(200).data()["tradingAddress"], expected);
        assert_eq!(row(&stack, &user).await.trading_wallet.unwrap(), stored);
        assert_eq!(changes(&client, &user).await, ["accountCreated"]);

        remove_trading_wallet(&stack, &user).await;
        let again = with_key(dated(&client, &wallet));
        let back = authenticate(&client, &again).await.expect(200);
        assert_eq!(
            back.data()["tradingAddress"],
            expected,
            "an account older than trading wallets"
        );
        assert_eq!(changes(&client, &user).await, ["tradingWalletMade", "accountCreated"]);
    }
}

#[tokio::test]
async fn custody_12_registrations_with_a_taproot_key_create_the_same_wallet() {
    let (stack, client) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (n, (wallet, told)) in taproot_keys().into_iter().enumerate() {
        let expected = trading_address(&wallet, &platform);
        let proof = registration(&client, &wallet).await;
        let fields = with(proof, &json!({ "tradingPublicKey": told }));
        let made = register_srp(&client, &format!("ada{n}"), &fields).await.expect(201);
        assert_eq!(made.data()["tradingAddress"], expected, "{told}");
        // The key is taken, in every form and for every address that it signs for.
        for kind in [Kind::P2tr, Kind::P2wpkh] {
            let body = dated(&client, &wallet.with_its_key(kind));
            authenticate(&client, &body).await.expect_error(Problem::TradingWallet);
        }
        let registered = Wallet::p2tr_of_parity(n % 2 == 1, 1_000 + 100 * n as u64);
        let told = told.replace(wallet.x_only_key(), registered.x_only_key());
        let asked = challenge(&client, &registered, "signIn", None).await;
        let body = with(registered.signed_challenge(&asked), &json!({ "publicKey": told }));
        let made = client.post("/auth/register/wallet").json(&body).send().await.expect(201);
        assert_eq!(made.data()["tradingAddress"], trading_address(&registered, &platform));
    }
}

/// The form depends on the address for which the key signed.
#[tokio::test]
async fn custody_12_a_fully_proved_key_gets_the_plain_wallet() {
    let (stack, client) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for (seed, kind) in [Kind::P2wpkh, Kind::P2pkh, Kind::P2shP2wpkh].into_iter().enumerate() {
        let wallet = Wallet::p2tr(seed as u64 + 1).with_its_key(kind);
        let user = sign_in(&client, &wallet).await;
        assert_eq!(user.data["tradingAddress"], trading_address(&wallet, &platform));
        let descriptor = row(&stack, &user).await.trading_wallet.unwrap().descriptor.to_string();
        assert!(descriptor.starts_with(&format!("wsh(and_v(v:pk({}),", wallet.public_key())));
    }
}

/// Stored descriptors are read and never derived again.
#[tokio::test]
async fn custody_12_a_stored_descriptor_never_changes() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2tr(1);
    let user = sign_in(&client, &wallet).await;
    let made = row(&stack, &user).await.trading_wallet.unwrap();
    let key = UserKey::Compressed(wallet.public_key().parse().unwrap());
    let plain = TradingDescriptor::new(key, made.descriptor.platform()).unwrap();
    let before = TradingWallet::new(plain, made.key_id.clone(), NETWORK, made.created_at);
    let update = Update::new().set(Account::TRADING_WALLET, &before);
    stack.change_account(&user.account, update).await;
    let back = sign_in(&client, &wallet).await;
    assert_eq!(back.data["tradingAddress"], before.address);
    assert_eq!(row(&stack, &back).await.trading_wallet.unwrap(), before);
    assert_ne!(before, made);
}

#[tokio::test]
async fn custody_12_a_trading_key_belongs_to_one_account() {
    let (stack, client) = world().await;
    let first = Wallet::p2wpkh(1);
    sign_in(&client, &first).await;
    let before = lasting_rows(&stack);
    for kind in [Kind::P2tr, Kind::P2pkh, Kind::P2shP2wpkh] {
        let same_key = first.with_its_key(kind);
        authenticate(&client, &dated(&client, &same_key))
            .await
            .expect_error(Problem::TradingWallet);
        let body = same_key.signed_challenge(&challenge(&client, &same_key, "signIn", None).await);
        let refused = authenticate(&client, &body).await.expect_error(Problem::TradingWallet);
        assert_eq!(
            refused.body["details"],
            "This public key already belongs to a trading wallet. Use another key."
        );
        let body = same_key.signed_challenge(&challenge(&client, &same_key, "signIn", None).await);
        client
            .post("/auth/register/wallet")
            .json(&body)
            .send()
            .await
            .expect_error(Problem::TradingWallet);
    }
    assert_eq!(lasting_rows(&stack), before, "something was written");
}

#[tokio::test]
async fn custody_12_platform_keys_are_refused_as_user_keys() {
    let (stack, client) = world().await;
    let before = lasting_rows(&stack);
    for kind in BITCOIN {
        let wallet = treasury().with_its_key(kind);
        let refused = authenticate(&client, &dated(&client, &wallet))
            .await
            .expect_error(Problem::TradingWallet);
        assert_eq!(
            refused.body["details"],
            "This public key belongs to the platform. Use another key."
        );
    }
    let (own, _) = cosigning_key(&stack).await;
    let cosigner = Wallet::p2wpkh(1);
    let imported = stack.import_cosigning_key(&cosigner).await;
    let client = with_keys(&stack, &[&own, &imported]).await;
    for seed in 0..4 {
        let wallet = if seed == 0 { cosigner.clone() } else { cosigner.with_its_key(Kind::P2tr) };
        authenticate(&client, &dated(&client, &wallet)).await.expect_error(Problem::TradingWallet);
    }
    assert_eq!(lasting_rows(&stack), before, "something was written");
}

#[tokio::test]
async fn an_older_account_gets_its_trading_wallet_at_its_next_sign_in() {
    let (stack, client) = world().await;
    for kind in BITCOIN {
        let wallet = Wallet::new(kind, 1);
        let user = sign_in(&client, &wallet).await;
        remove_trading_wallet(&stack, &user).await;
        let call = client.get("/api/account/me").bearer(&user.access_token);
        assert_eq!(call.send().await.expect(200).data()["tradingAddress"], Value::Null);
        let back = sign_in(&client, &wallet).await;
        assert_eq!(
            back.data,
            with(
                back.data.clone(),
                &json!({
                    "tradingAddress": user.data["tradingAddress"],
                })
            )
        );
        assert_eq!(back.data["account"], user.data["account"]);
        assert_eq!(changes(&client, &back).await, ["tradingWalletMade", "accountCreated"]);
        let kept = row(&stack, &back).await.trading_wallet.unwrap();
        assert_eq!(sign_in(&client, &wallet).await.data["tradingAddress"], kept.address);
        assert_eq!(row(&stack, &back).await.trading_wallet.unwrap(), kept);
        assert_eq!(changes(&client, &back).await.len(), 2);
        let other_kind = wallet.with_its_key(BITCOIN[usize::from(kind == Kind::P2wpkh)]);
        authenticate(&client, &dated(&client, &other_kind))
            .await
            .expect_error(Problem::TradingWallet);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_sign_ins_of_an_older_account_create_one_trading_wallet() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    remove_trading_wallet(&stack, &user).await;
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(dated(&client, &wallet));
    }
    let answers = twenty_at_once(|n| {
        let (client, body) = (client.clone(), bodies[usize::try_from(n).unwrap()].clone());
        async move { authenticate(&client, &body).await }
    })
    .await;
    for answer in &answers {
        // 503: too many concurrent writes to one account.
        assert!([200, 503].contains(&answer.status), "{answer}");
        if answer.status == 200 {
            assert_eq!(answer.data()["tradingAddress"], user.data["tradingAddress"], "{answer}");
        }
    }
    let made = changes(&client, &user).await;
    assert_eq!(made, ["tradingWalletMade", "accountCreated"]);
}

#[tokio::test]
async fn an_older_account_signs_in_even_if_no_trading_wallet_can_be_created() {
    let (stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    remove_trading_wallet(&stack, &user).await;
    let cut_off = with_keys(&stack, &["alias/gone"]).await;
    let signed_in = sign_in(&cut_off, &wallet).await;
    assert_eq!(
        (&signed_in.account, &signed_in.data["tradingAddress"]),
        (&user.account, &Value::Null)
    );

    let same_key = wallet.with_its_key(Kind::P2tr);
    let taker = sign_in(&client, &same_key).await;
    let (_, platform) = cosigning_key(&stack).await;
    assert_eq!(taker.data["tradingAddress"], trading_address(&same_key, &platform));
    let signed_in = sign_in(&client, &wallet).await;
    assert_eq!(
        (&signed_in.account, &signed_in.data["tradingAddress"]),
        (&user.account, &Value::Null)
    );
    assert_eq!(changes(&client, &signed_in).await, ["accountCreated"]);
}

#[tokio::test]
async fn without_kms_only_bitcoin_wallets_cannot_register() {
    let (stack, client) = world().await;
    let (wallet, known) = (Wallet::p2wpkh(1), Wallet::p2wpkh(2));
    sign_in(&client, &known).await;
    let cut_off = with_keys(&stack, &["alias/gone"]).await;
    let before = lasting_rows(&stack);
    authenticate(&cut_off, &dated(&cut_off, &wallet)).await.expect_error(Problem::Unavailable);
    let body = with(
        SrpAccount::new("ada@example.com", "correct horse battery staple").registration("AAAA"),
        &registration(&cut_off, &wallet).await,
    );
    cut_off.post("/auth/register/srp").json(&body).send().await.expect_error(Problem::Unavailable);
    assert_eq!(lasting_rows(&stack), before, "something was written");
    sign_in(&cut_off, &known).await;
    sign_in(&cut_off, &Wallet::evm(1)).await;
    sign_in(&client, &wallet).await;
}

async fn register_srp(client: &Client, name: &str, fields: &Value) -> local::Answer {
    let account = SrpAccount::new(&format!("{name}@example.com"), "correct horse battery staple");
    let body = with(account.registration(&random_blob(3)), fields);
    client.post("/auth/register/srp").json(&body).send().await
}

#[tokio::test]
async fn custody_12_a_password_registration_may_prove_a_trading_key() {
    let (stack, client) = world().await;
    let (_, platform) = cosigning_key(&stack).await;
    for kind in BITCOIN {
        let wallet = Wallet::new(kind, 1);
        let account = SrpAccount::new(&format!("{kind:?}@example.com").to_lowercase(), "password");
        let fields = registration(&client, &wallet).await;
        let body = with(account.registration("AAAA"), &fields);
        let made = client.post("/auth/register/srp").json(&body).send().await.expect(201);
        let expected = trading_address(&wallet, &platform);
        assert_eq!(made.data()["tradingAddress"], expected, "{kind:?}");
        let back = account.sign_in(&client).await;
        assert_eq!(back.data["account"], made.data()["account"]);
        assert_eq!(back.data["tradingAddress"], expected);
        // The key cannot sign in, and it is not an address of the account.
        assert_eq!(
            (&back.data["wallet"], &back.data["account"]["addresses"]),
            (&Value::Null, &json!([]))
        );
        authenticate(&client, &dated(&client, &wallet)).await.expect_error(Problem::TradingWallet);
    }
    let plain = register_srp(&client, "plain", &json!({})).await.expect(201);
    assert_eq!(plain.data()["tradingAddress"], Value::Null);
}

#[tokio::test]
async fn custody_12_an_unproved_key_is_refused_at_registration() {
    let (stack, client) = world().await;
    let (wallet, thief) = (Wallet::p2wpkh(1), Wallet::p2wpkh(2));
    let taken = Wallet::p2tr(3);
    sign_in(&client, &taken).await;
    let before = lasting_rows(&stack);
    let good = async || registration(&client, &wallet).await;
    let forged = thief.sign("another text");
    let uncompressed = format!("04{}", "1".repeat(128));
    let foreign = registration(&client, &thief).await;
    for (what, fields, code) in [
        ("another's signature", with(good().await, &json!({ "signature": forged })), "4007"),
        ("no signature", with(good().await, &json!({ "signature": "AAAA" })), "4007"),
        (
            "another's key",
            with(good().await, &json!({ "tradingPublicKey": thief.public_key() })),
            "4007",
        ),
        (
            "another's challenge",
            with(foreign, &json!({ "tradingPublicKey": wallet.public_key() })),
            "4007",
        ),
        (
            "an x-only key",
            with(good().await, &json!({ "tradingPublicKey": wallet.public_key()[2..] })),
            "4008",
        ),
        (
            "an uncompressed key",
            with(good().await, &json!({ "tradingPublicKey": uncompressed })),
            "4008",
        ),
        ("no key", with(good().await, &json!({ "tradingPublicKey": "zz" })), "4008"),
        ("a taken key", registration(&client, &taken).await, "4008"),
        ("the treasury's key", registration(&client, &treasury()).await, "4008"),
    ] {
        let answer = register_srp(&client, "ada", &fields).await;
        assert_eq!((answer.status, answer.code()), (400, code), "{what}: {answer}");
    }
    // A malformed key does not consume the challenge; a wrong signature does.
    let fields = good().await;
    let no_key = with(fields.clone(), &json!({ "tradingPublicKey": uncompressed }));
    register_srp(&client, "ada", &no_key).await.expect_error(Problem::TradingWallet);
    let unsigned = with(fields.clone(), &json!({ "signature": "AAAA" }));
    register_srp(&client, "ada", &unsigned).await.expect_error(Problem::SignatureInvalid);
    register_srp(&client, "ada", &fields).await.expect_error(Problem::ChallengeInvalid);
    assert_eq!(lasting_rows(&stack), before, "something was written");
    register_srp(&client, "ada", &good().await).await.expect(201);
}

#[tokio::test]
async fn key_challenge_and_signature_must_be_sent_together() {
    let (_stack, client) = world().await;
    let all = ["tradingPublicKey", "challengeId", "signature"];
    let fields = registration(&client, &Wallet::p2wpkh(1)).await;
    for sent in 1..7_u8 {
        let chosen = |place: &usize| sent >> place & 1 == 1;
        let mut part = json!({});
        let mut missing = Vec::new();
        for place in 0..3 {
            if chosen(&place) {
                part[all[place]] = fields[all[place]].clone();
            } else {
                missing.push(all[place]);
            }
        }
        let refused = register_srp(&client, "ada", &part).await.expect_error(Problem::Validation);
        let errors = refused.body["errors"].as_array().unwrap();
        let named: Vec<_> = errors.iter().map(|error| error["field"].as_str().unwrap()).collect();
        assert_eq!(named, missing);
    }
    register_srp(&client, "ada", &fields).await.expect(201);
}

/// Custody rule 16: the challenge must be for a Bitcoin address and requested without a token.
#[tokio::test]
async fn custody_16_a_registration_key_signs_a_challenge_without_account() {
    let (_stack, client) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let wallet = Wallet::p2wpkh(2);
    for (purpose, token) in [
        ("signIn", Some(user.access_token.as_str())),
        ("link", Some(&user.access_token)),
        ("rotate", Some(&user.access_token)),
        ("rotate", None),
        ("tradingWallet", Some(&user.access_token)),
    ] {
        let proof = local::trading_wallets::proof(&client, &wallet, purpose, token).await;
        let fields = with(proof, &json!({ "tradingPublicKey": wallet.public_key() }));
        let answer = register_srp(&client, "ada", &fields).await;
        assert_eq!((answer.status, answer.code()), (400, "4012"), "{purpose} {token:?}: {answer}");
    }
    let evm = Wallet::evm(2);
    let fields = with(
        registration(&client, &evm).await,
        &json!({ "tradingPublicKey": evm.public_key().trim_start_matches("0x") }),
    );
    register_srp(&client, "ada", &fields).await.expect_error(Problem::ChallengeInvalid);
    let path = format!("/auth/wallet/challenge?address={}&purpose=tradingWallet", wallet.address());
    client.get(path).send().await.expect_error(Problem::NoAuthorization);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_registrations_with_one_key_create_one_account() {
    let (stack, client) = world_of(LocalStack::start().await).await;
    let wallet = Wallet::p2wpkh(1);
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(registration(&client, &wallet).await);
    }
    let answers = twenty_at_once(|n| {
        let (client, fields) = (client.clone(), bodies[usize::try_from(n).unwrap()].clone());
        async move { register_srp(&client, &format!("user{n}"), &fields).await }
    })
    .await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(400)), (1, 19), "{answers:?}");
    let key = wallet.public_key().parse::<bitcoin::PublicKey>().unwrap();
    let record = keys::trading_key(key.into());
    let owner = stack.app().store.get::<accounts::UniqueOwner>(&record).await.unwrap().unwrap();
    let made = answers.iter().find(|answer| answer.status == 201).unwrap();
    assert_eq!(made.data()["account"]["id"], json!(owner.account_id));
}
