use std::time::Duration;

use local::{
    client::{Answer, Client, twenty_at_once},
    passkeys::{authenticator, made},
    wallets::{Kind, Wallet, challenge, dated, sign_in, sign_in_by_challenge, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{is_alive, world};

async fn register(client: &Client, wallet: &Wallet, extras: &Value) -> Answer {
    let proof = wallet.signed_challenge(&challenge(client, wallet, "signIn", None).await);
    client.post("/auth/register/wallet").json(&with(proof, extras)).send().await
}

fn named(answer: Answer) -> Vec<String> {
    let errors =
        answer.expect_error(Problem::Validation).body["errors"].as_array().unwrap().clone();
    errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_wallet_registers_with_keystore_email_and_referral() {
    let (stack, client) = world().await;
    let inviter = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let code = inviter.data["account"]["referralCode"].as_str().unwrap().to_lowercase();
    let extras =
        json!({ "encryptedBlob": "a2V5cw==", "email": " Ada@Example.com ", "referralCode": code });
    let wallet = Wallet::p2tr(2);
    let made = register(&client, &wallet, &extras).await.expect(201);
    let expected = json!({
        "authMethod": "wallet", "hasKeystore": true, "email": "ada@example.com", "role": "user",
        "emailVerified": false, "isReferred": true, "passkeys": 0, "totpEnabled": false,
        "addresses": [{ "address": wallet.address(), "chain": "bitcoin" }],
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&made.data()["account"][field], value, "{field}");
    }
    assert_eq!(made.data().get("encryptedBlob"), None, "the registering client already has it");
    assert_eq!(made.data()["wallet"]["provider"], wallet.provider());
    assert_eq!(made.data()["wallet"], made.data()["account"]["wallet"]);
    let stored = json!(stack.contents()).to_string();
    assert!(!stored.contains("a2V5cw=="), "the keystore is stored unencrypted");

    let back = sign_in_by_challenge(&client, &wallet).await;
    assert!(is_alive(&client, &back).await);
    assert_eq!(&back.data["account"], &made.data()["account"]);
    assert_eq!(back.data["encryptedBlob"], "a2V5cw==");
    stack.deliver_mail().await;
    let mails = stack.mailbox("ada@example.com").await;
    assert_eq!(mails.len(), 1);
    assert!(!mails[0].token().is_empty());
}

#[tokio::test]
async fn every_kind_of_wallet_registers_without_extras() {
    let (_stack, client) = world().await;
    for kind in Kind::ALL {
        let made = register(&client, &Wallet::new(kind, 1), &json!({})).await.expect(201);
        let account = &made.data()["account"];
        assert_eq!((&account["hasKeystore"], &account["email"]), (&json!(false), &Value::Null));
        assert_eq!(made.data().get("encryptedBlob"), None);
    }
}

#[tokio::test]
async fn a_wallet_registers_only_once() {
    let (_stack, client) = world().await;
    let (registered, signed_in) = (Wallet::evm(1), Wallet::evm(2));
    register(&client, &registered, &json!({})).await.expect(201);
    sign_in(&client, &signed_in).await;
    let keystore = json!({ "encryptedBlob": "a2V5cw==" });
    for wallet in [&registered, &signed_in] {
        register(&client, wallet, &keystore).await.expect_error(Problem::AddressTaken);
        let back = sign_in(&client, wallet).await;
        assert_eq!(back.data["account"]["hasKeystore"], false);
    }
}

#[tokio::test]
async fn invalid_fields_of_a_registration_are_named() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(1);
    for (field, wrong) in [
        ("encryptedBlob", json!("A".repeat(13_709))),
        ("encryptedBlob", json!("A".repeat(13_712))),
        ("encryptedBlob", json!("no base64")),
        ("encryptedBlob", json!("YQ")),
        ("encryptedBlob", json!({})),
        ("email", json!("no address")),
        ("email", json!(7)),
        ("referralCode", json!("x".repeat(65))),
        ("signature", json!("")),
        ("chain", json!("doge")),
        ("provider", json!("meta\u{0}mask")),
    ] {
        let answer = register(&client, &wallet, &json!({ field: wrong })).await;
        assert_eq!(named(answer), [field], "{wrong}");
    }
    let unknown = json!({ "referralCode": "ZZZZZZZZ" });
    register(&client, &wallet, &unknown).await.expect_error(Problem::ReferralCodeUnknown);
    let forged = json!({ "signature": Wallet::evm(2).sign("x") });
    register(&client, &wallet, &forged).await.expect_error(Problem::SignatureInvalid);
    // None of these attempts took the wallet.
    let longest = json!({ "encryptedBlob": "A".repeat(13_708) });
    register(&client, &wallet, &longest).await.expect(201);
    let back = sign_in_by_challenge(&client, &wallet).await;
    assert_eq!(back.data["encryptedBlob"].as_str().unwrap().len(), 13_708);
}

/// Custody rule 17: the timestamped message can only sign in.
#[tokio::test]
async fn custody_17_a_timestamped_message_cannot_register() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let body = dated(&client, &wallet);
    let refused = client.post("/auth/register/wallet").json(&body).send().await;
    assert_eq!(named(refused), ["challengeId", "chain"]);
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}

#[tokio::test]
async fn custody_20_several_accounts_may_name_an_unproved_address() {
    let (stack, client) = world().await;
    let email = json!({ "email": "ada@example.com" });
    let first = register(&client, &Wallet::evm(1), &email).await.expect(201);
    stack.clock().advance(Duration::from_secs(24 * 60 * 60 + 61));
    let second = register(&client, &Wallet::evm(2), &email).await.expect(201);
    for answer in [first, second] {
        assert_eq!(answer.data()["account"]["email"], "ada@example.com");
        assert_eq!(answer.data()["account"]["emailVerified"], false);
    }
}

#[tokio::test]
async fn custody_20_no_wallet_or_passkey_registers_with_a_proved_address() {
    let (stack, client) = world().await;
    let email = json!({ "email": "ada@example.com" });
    let holder = register(&client, &Wallet::evm(1), &email).await.expect(201);
    stack.deliver_mail().await;
    let token = json!({ "token": stack.mailbox("ada@example.com").await[0].token() });
    let verify = client.post("/api/account/verify-email").bearer(holder.text_of("accessToken"));
    verify.json(&token).send().await.expect(200);
    register(&client, &Wallet::evm(2), &email).await.expect_error(Problem::EmailTaken);
    let begun = client.post("/auth/register/passkey/init").send().await.expect(200);
    let passkey = with(made(&mut authenticator(), &begun), &email);
    let call = client.post("/auth/register/passkey/verify").json(&passkey);
    call.send().await.expect_error(Problem::EmailTaken);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_registrations_create_one_account() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let mut bodies = Vec::new();
    for n in 0..20 {
        let proof = wallet.signed_challenge(&challenge(&client, &wallet, "signIn", None).await);
        bodies.push(with(proof, &json!({ "encryptedBlob": format!("{n:04}") })));
    }
    let answers = twenty_at_once(|n| {
        let (client, body) = (client.clone(), bodies[usize::try_from(n).unwrap()].clone());
        async move { client.post("/auth/register/wallet").json(&body).send().await }
    })
    .await;
    let made: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)), "{answers:?}");
    let back = sign_in(&client, &wallet).await;
    assert_eq!(back.account, made[0].data()["account"]["id"]);
    let at = answers.iter().position(|answer| answer.status == 201).unwrap();
    assert_eq!(
        back.data["encryptedBlob"], bodies[at]["encryptedBlob"],
        "the keystore of another registration"
    );
}

/// The address is not proved yet: each wallet gets its account, and one of them holds the address.
#[tokio::test(flavor = "multi_thread")]
async fn custody_20_concurrent_registrations_with_one_address_create_one_account_per_wallet() {
    let (_stack, client) = world().await;
    let mut bodies = Vec::new();
    for seed in 0..5 {
        let wallet = Wallet::evm(seed);
        let proof = wallet.signed_challenge(&challenge(&client, &wallet, "signIn", None).await);
        bodies.push(with(proof, &json!({ "email": "ada@example.com" })));
    }
    let answers = twenty_at_once(|n| {
        let (client, body) = (client.clone(), bodies[usize::try_from(n).unwrap() % 5].clone());
        async move { client.post("/auth/register/wallet").json(&body).send().await }
    })
    .await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let taken = answers.iter().filter(|answer| answer.code() == "4023").count();
    assert_eq!((made, taken), (5, 0), "{answers:?}");
}
