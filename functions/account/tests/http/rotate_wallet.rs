use std::time::Duration;

use local::{
    client::{Answer, Client, twenty_at_once},
    passkeys::{self, authenticator},
    wallets::{Kind, SignedIn, Wallet, challenge, register, sign_in_by_challenge, with},
};
use serde_json::{Value, json};
use shared::{
    models::{account::Account, email::EmailAddress, wallet::Chain},
    problem::Problem,
};
use store::Update;

use crate::{assert_told_of_end, changes, is_alive, me, world};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn rotate(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.post("/api/account/wallet/rotate").bearer(&user.access_token);
    call.json(body).send().await
}

/// The body of a rotation to a wallet, with a new keystore.
async fn proof(client: &Client, user: &SignedIn, wallet: &Wallet, blob: &str) -> Value {
    let asked = challenge(client, wallet, "rotate", Some(&user.access_token)).await;
    with(wallet.signed_challenge(&asked), &json!({ "encryptedBlob": blob }))
}

async fn with_keystore(client: &Client, wallet: &Wallet) -> SignedIn {
    register(client, wallet, &json!({ "encryptedBlob": "b2xk" })).await
}

async fn keystore(client: &Client, user: &SignedIn) -> String {
    let call = client.get("/api/account/keystore").bearer(&user.access_token);
    call.send().await.expect(200).text_of("encryptedBlob").to_owned()
}

async fn try_sign_in(client: &Client, wallet: &Wallet) -> Answer {
    let body = wallet.signed_challenge(&challenge(client, wallet, "signIn", None).await);
    client.post("/auth/authenticate").json(&body).send().await
}

/// A wallet's address as stored.
fn canonical(wallet: &Wallet) -> String {
    let address = wallet.address();
    if wallet.kind() == Kind::Evm { address.to_lowercase() } else { address.to_owned() }
}

#[tokio::test]
async fn a_wallet_of_any_chain_can_replace_any_other() {
    let (_stack, client, _) = world().await;
    let kinds = [Kind::P2wpkh, Kind::Evm, Kind::Solana];
    let pairs = kinds.iter().flat_map(|old| kinds.iter().map(move |new| (*old, *new)));
    for (seed, (old, new)) in (1..).zip(pairs) {
        let (old, new) = (Wallet::new(old, seed), Wallet::new(new, seed + 100));
        let here = with_keystore(&client, &old).await;
        let there = sign_in_by_challenge(&client, &old).await;
        assert_eq!(there.data["encryptedBlob"], "b2xk");
        let before = me(&client, &here).await;
        let body = proof(&client, &here, &new, "bmV3").await;
        let answer = rotate(&client, &here, &body).await.expect(200);
        let address = canonical(&new);
        let wallet = json!({
            "address": address, "chain": new.chain(), "publicKey": new.public_key(),
            "provider": new.provider(),
        });
        let changed = json!({
            "wallet": wallet, "addresses": [{ "address": address, "chain": new.chain() }],
        });
        assert_eq!(answer.data(), &with(before, &changed), "{old:?} to {new:?}");
        assert_eq!(answer.data(), &me(&client, &here).await);
        assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await);
        assert_told_of_end(&client, &here).await;

        let back = sign_in_by_challenge(&client, &new).await;
        assert_eq!((&back.account, &back.data["encryptedBlob"]), (&here.account, &json!("bmV3")));
        assert_eq!(keystore(&client, &back).await, "bmV3");
        try_sign_in(&client, &old).await.expect_error(Problem::AddressRetired);
        // A Bitcoin wallet adds a trading wallet if the account had none.
        let made = old.chain() != Chain::Bitcoin && new.chain() == Chain::Bitcoin;
        let made: &[_] = if made { &["tradingWalletMade"] } else { &[] };
        let entries = [made, &["walletRotated", "accountCreated"]].concat();
        assert_eq!(changes(&client, &here).await, entries);
    }
}

/// The contract's own flow: a challenge requested with an address alone. Its text names both uses.
#[tokio::test]
async fn custody_16_a_challenge_for_an_address_alone_rotates_and_registers_once() {
    let (_stack, client, _) = world().await;
    let (old, new, taken) = (Wallet::evm(1), Wallet::evm(2), Wallet::evm(3));
    let user = with_keystore(&client, &old).await;
    sign_in_by_challenge(&client, &taken).await;
    let ask = async |wallet: &Wallet| {
        let path = format!("/auth/wallet/challenge?address={}", wallet.address());
        client.get(path).send().await.expect(200)
    };
    let body = |wallet: &Wallet, asked: &Answer| {
        with(wallet.signed_challenge(asked), &json!({ "encryptedBlob": "bmV3" }))
    };
    let asked = ask(&new).await;
    let purposes = "Purpose: sign in, or become the sign-in wallet.";
    assert!(asked.text_of("message").contains(purposes), "{asked}");
    rotate(&client, &user, &body(&new, &asked)).await.expect(200);
    assert_eq!(me(&client, &user).await["wallet"]["address"], canonical(&new));
    // The challenge is used up, and a rotation to an address that has an account is refused.
    rotate(&client, &user, &body(&new, &asked)).await.expect_error(Problem::NewAddressTaken);
    let used = new.signed_challenge(&asked);
    client
        .post("/auth/authenticate")
        .json(&used)
        .send()
        .await
        .expect_error(Problem::ChallengeInvalid);
    let asked = ask(&taken).await;
    rotate(&client, &user, &body(&taken, &asked)).await.expect_error(Problem::NewAddressTaken);
    // Another challenge of this kind registers an account.
    let fresh = Wallet::evm(4);
    let fresh = fresh.signed_challenge(&ask(&fresh).await);
    client.post("/auth/register/wallet").json(&fresh).send().await.expect(201);
}

/// Custody rule 14: the old address stays reserved for 90 days.
#[tokio::test]
async fn custody_14_a_replaced_wallet_is_unusable_for_ninety_days() {
    let (stack, client, _) = world().await;
    let (old, new, other) = (Wallet::evm(1), Wallet::evm(2), Wallet::evm(3));
    let user = with_keystore(&client, &old).await;
    let linked = Wallet::p2tr(4);
    let link = async |user: &SignedIn, wallet: &Wallet| {
        let asked = challenge(&client, wallet, "link", Some(&user.access_token)).await;
        let call = client.post("/api/account/addresses").bearer(&user.access_token);
        call.json(&wallet.signed_challenge(&asked)).send().await
    };
    link(&user, &linked).await.expect(201);
    let body = proof(&client, &user, &new, "bmV3").await;
    let after = rotate(&client, &user, &body).await.expect(200);
    let addresses = after.data()["addresses"].as_array().unwrap().clone();
    let addresses: Vec<_> = addresses.iter().map(|owned| owned["address"].clone()).collect();
    assert_eq!(addresses, [canonical(&new), canonical(&linked)]);

    let register = async || {
        let body = old.signed_challenge(&challenge(&client, &old, "signIn", None).await);
        client.post("/auth/register/wallet").json(&body).send().await
    };
    with_keystore(&client, &other).await;
    for wait in [Duration::ZERO, DAY * 90 - Duration::from_secs(60)] {
        stack.clock().advance(wait);
        let user = sign_in_by_challenge(&client, &new).await;
        let stranger = sign_in_by_challenge(&client, &other).await;
        try_sign_in(&client, &old).await.expect_error(Problem::AddressRetired);
        register().await.expect_error(Problem::AddressTaken);
        for user in [&user, &stranger] {
            link(user, &old).await.expect_error(Problem::AddressTaken);
            let body = proof(&client, user, &old, "bmV3").await;
            rotate(&client, user, &body).await.expect_error(Problem::NewAddressTaken);
        }
    }
    stack.clock().advance(Duration::from_secs(62));
    let fresh = SignedIn::of(&register().await.expect(201)).unwrap();
    assert_ne!(fresh.account, user.account);
    assert_eq!(sign_in_by_challenge(&client, &new).await.account, user.account);
    assert_eq!(sign_in_by_challenge(&client, &old).await.account, fresh.account);
}

#[tokio::test]
async fn only_a_wallet_account_with_a_keystore_can_rotate() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::evm(2);
    let by_passkey =
        passkeys::register(&client, &mut authenticator(), &json!({ "encryptedBlob": "b2xk" }))
            .await;
    let body = proof(&client, &by_passkey, &wallet, "bmV3").await;
    rotate(&client, &by_passkey, &body).await.expect_error(Problem::MethodNotAllowedForAccount);
    let keyless = sign_in_by_challenge(&client, &Wallet::evm(1)).await;
    let body = proof(&client, &keyless, &wallet, "bmV3").await;
    rotate(&client, &keyless, &body).await.expect_error(Problem::NotAWalletKeystore);
    let call = client.get("/api/account/keystore").bearer(&keyless.access_token);
    call.send().await.expect_error(Problem::KeystoreNotFound);
    client
        .post("/api/account/wallet/rotate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
}

/// A forged signature of a contract wallet costs a call to a provider, so rotations count like linked
/// addresses.
#[tokio::test]
async fn custody_32_rotations_are_counted_per_account() {
    let (stack, client, _) = world().await;
    let user = with_keystore(&client, &Wallet::p2wpkh(1)).await;
    let other = with_keystore(&client, &Wallet::evm(3)).await;
    let body = proof(&client, &user, &Wallet::p2tr(2), "bmV3").await;
    let forged = with(body.clone(), &json!({ "signature": Wallet::p2wpkh(1).sign("x") }));
    rotate(&client, &user, &forged).await.expect_error(Problem::SignatureInvalid);
    let body = proof(&client, &user, &Wallet::p2tr(2), "bmV3").await;
    let others = proof(&client, &other, &Wallet::p2tr(4), "bmV3").await;
    stack.use_up_limits().await;
    rotate(&client, &user, &body).await.expect_error(Problem::RateLimited);
    rotate(&client, &other, &others).await.expect(200);
}

#[tokio::test]
async fn a_refused_rotation_changes_nothing() {
    let (stack, client, _) = world().await;
    let (own, new) = (Wallet::p2wpkh(1), Wallet::p2tr(2));
    let user = with_keystore(&client, &own).await;
    let other = with_keystore(&client, &Wallet::evm(3)).await;
    let linked = Wallet::solana(4);
    let asked = challenge(&client, &linked, "link", Some(&user.access_token)).await;
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(&linked.signed_challenge(&asked)).send().await.expect(201);
    let before = me(&client, &user).await;

    for taken in [&own, &Wallet::evm(3), &linked] {
        let body = proof(&client, &user, taken, "bmV3").await;
        rotate(&client, &user, &body).await.expect_error(Problem::NewAddressTaken);
    }
    let body = proof(&client, &user, &new, "bmV3").await;
    let forged = with(body.clone(), &json!({ "signature": own.sign("x") }));
    rotate(&client, &user, &forged).await.expect_error(Problem::SignatureInvalid);
    rotate(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    let body = proof(&client, &user, &new, "bmV3").await;
    rotate(&client, &other, &body).await.expect_error(Problem::ChallengeInvalid);
    let body = proof(&client, &user, &new, "bmV3").await;
    let stray = with(body.clone(), &json!({ "publicKey": Wallet::p2tr(5).public_key() }));
    rotate(&client, &user, &stray).await.expect_error(Problem::SignatureInvalid);
    let body = proof(&client, &user, &new, "bmV3").await;
    stack.clock().advance(Duration::from_secs(301));
    rotate(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);

    assert_eq!(me(&client, &user).await, before);
    assert_eq!(keystore(&client, &user).await, "b2xk");
    assert_eq!(sign_in_by_challenge(&client, &own).await.account, user.account);
    assert_eq!(changes(&client, &user).await, ["addressLinked", "accountCreated"]);
}

#[tokio::test]
async fn invalid_fields_are_named() {
    let (_stack, client, _) = world().await;
    let user = with_keystore(&client, &Wallet::p2wpkh(1)).await;
    let good = proof(&client, &user, &Wallet::evm(2), "bmV3").await;
    let fields =
        ["address", "chain", "publicKey", "provider", "challengeId", "signature", "encryptedBlob"];
    let named = async |body: Value| {
        let refused = rotate(&client, &user, &body).await.expect_error(Problem::Validation);
        let errors = refused.body["errors"].as_array().unwrap();
        errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named(json!({})).await, fields);
    for field in fields {
        for wrong in [json!(null), json!(7), json!("x".repeat(20_000))] {
            let body = with(good.clone(), &json!({ field: wrong }));
            assert_eq!(named(body).await, [field]);
        }
    }
    for blob in ["", "no base64", "bmV3bmV", &"A".repeat(13_712)] {
        let body = with(good.clone(), &json!({ "encryptedBlob": blob }));
        assert_eq!(named(body).await, ["encryptedBlob"], "{blob}");
    }
    // Nothing was consumed, and an EVM wallet has no public key to send.
    let body = with(good, &json!({ "publicKey": "", "encryptedBlob": "A".repeat(13_708) }));
    let done = rotate(&client, &user, &body).await.expect(200);
    assert_eq!(done.data()["wallet"]["publicKey"], Wallet::evm(2).public_key());
    assert_eq!(keystore(&client, &user).await.len(), 13_708);
}

/// Wallet and keystore must change together, or the account could not be opened any more.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_rotations_wins_with_its_keystore() {
    let (_stack, client, _) = world().await;
    let user = with_keystore(&client, &Wallet::evm(1)).await;
    let blobs: Vec<_> = (0..20).map(|n| format!("{n:04}")).collect();
    let mut bodies = Vec::new();
    for (seed, blob) in (100..).zip(&blobs) {
        bodies.push(proof(&client, &user, &Wallet::evm(seed), blob).await);
    }
    let answers = twenty_at_once(|n| {
        let (client, user) = (client.clone(), user.clone());
        let body = bodies[usize::try_from(n).unwrap()].clone();
        async move { rotate(&client, &user, &body).await }
    })
    .await;
    let done: Vec<_> = (0..20).filter(|&n| answers[n].status == 200).collect();
    let [winner] = done[..] else { panic!("{answers:?}") };
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((refused.status, refused.code()), (409, "1014"), "{refused}");
    }
    assert_eq!(
        me(&client, &user).await["wallet"]["address"],
        json!(bodies[winner]["address"].as_str().unwrap().to_lowercase())
    );
    assert_eq!(keystore(&client, &user).await, blobs[winner]);
    for seed in 100..120 {
        let wallet = Wallet::evm(seed);
        let signs_in = sign_in_by_challenge(&client, &wallet).await.account == user.account;
        assert_eq!(signs_in, seed == 100 + u64::try_from(winner).unwrap(), "{wallet:?}");
    }
    try_sign_in(&client, &Wallet::evm(1)).await.expect_error(Problem::AddressRetired);
}

/// Checklist 6: the owner is notified at a verified address.
#[tokio::test]
async fn a_rotation_mails_a_notice() {
    let (stack, client, _) = world().await;
    let user = with_keystore(&client, &Wallet::evm(1)).await;
    let mails = async || {
        stack.deliver_mail().await;
        stack.mailbox("ada@example.com").await
    };
    for (seed, verified, heard) in [(2, false, 0), (3, true, 1)] {
        let email = Update::new()
            .set(Account::EMAIL, "ada@example.com".parse::<EmailAddress>().unwrap())
            .set(Account::EMAIL_VERIFIED, verified);
        stack.change_account(&user.account, email).await;
        let body = proof(&client, &user, &Wallet::evm(seed), "bmV3").await;
        rotate(&client, &user, &body).await.expect(200);
        assert_eq!(mails().await.len(), heard, "verified: {verified}");
    }
    let mails = mails().await;
    assert!(mails[0].text.contains("wallet"), "checklist 6: another wallet: {}", mails[0].text);
}

/// A client that knows only the documented API requests the challenge with address and token.
#[tokio::test]
async fn a_challenge_requested_with_only_a_token_rotates() {
    let (_stack, client, _) = world().await;
    let (old, new) = (Wallet::p2wpkh(1), Wallet::solana(2));
    let user = with_keystore(&client, &old).await;
    let ask = async |wallet: &Wallet| {
        let path = format!("/auth/wallet/challenge?address={}", wallet.address());
        client.get(path).bearer(&user.access_token).send().await.expect(200)
    };
    let blob = json!({ "encryptedBlob": "bmV3" });
    let body = with(new.signed_challenge(&ask(&new).await), &blob);
    rotate(&client, &user, &body).await.expect(200);
    // For the account's own wallet the default purpose is sign-in.
    let body = new.signed_challenge(&ask(&new).await);
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}
