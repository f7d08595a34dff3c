use std::time::Duration;

use local::{
    SrpAccount,
    client::{Answer, Client, twenty_at_once},
    wallets::{self, Kind, SignedIn, Wallet, challenge, dated, sign_in, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{changes, is_alive, me, refreshed, world};

async fn link(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.post("/api/account/addresses").bearer(&user.access_token);
    call.json(body).send().await
}

/// A wallet's proof with a challenge requested by the account.
async fn proof(client: &Client, user: &SignedIn, wallet: &Wallet) -> Value {
    let asked = challenge(client, wallet, "link", Some(&user.access_token)).await;
    wallet.signed_challenge(&asked)
}

async fn unlink(client: &Client, user: &SignedIn, address: &str) -> Answer {
    let path = format!("/api/account/addresses/{address}");
    client.delete(path).bearer(&user.access_token).send().await
}

/// A wallet's address as stored.
fn canonical(wallet: &Wallet) -> Value {
    let address = match wallet.kind() {
        Kind::Evm => wallet.address().to_lowercase(),
        _ => wallet.address().to_owned(),
    };
    json!({ "address": address, "chain": wallet.chain() })
}

#[tokio::test]
async fn addresses_of_every_chain_are_linked() {
    let (_stack, client, _) = world().await;
    let own = Wallet::p2wpkh(1);
    let (here, there) = (sign_in(&client, &own).await, sign_in(&client, &own).await);
    let mut expected = vec![canonical(&own)];
    for kind in Kind::ALL {
        let wallet = Wallet::new(kind, 2);
        let body = proof(&client, &here, &wallet).await;
        let linked = link(&client, &here, &body).await.expect(201);
        expected.push(canonical(&wallet));
        assert_eq!(linked.data(), &me(&client, &here).await);
        assert_eq!(linked.data()["addresses"], json!(expected), "{kind:?}");
        assert_eq!(linked.data()["wallet"]["address"], own.address());
    }
    let list = client.get("/api/account/addresses").bearer(&here.access_token).send().await;
    assert_eq!(list.expect(200).data(), &json!(expected));
    assert!(is_alive(&client, &there).await, "a linked address leaves other sessions open");
    let entries = [vec!["addressLinked"; 6], vec!["accountCreated"]].concat();
    assert_eq!(changes(&client, &here).await, entries);
}

/// Custody rule 14: sign-in wallets and linked addresses share one namespace.
#[tokio::test]
async fn custody_14_an_address_belongs_to_one_account_and_a_linked_one_cannot_sign_in() {
    let (_stack, client, _) = world().await;
    let (own, other) = (Wallet::p2wpkh(1), Wallet::evm(2));
    let (user, stranger) = (sign_in(&client, &own).await, sign_in(&client, &other).await);
    for wallet in [&own, &other] {
        let body = proof(&client, &user, wallet).await;
        link(&client, &user, &body).await.expect_error(Problem::AddressTaken);
    }
    let linked = Wallet::p2tr(3);
    let body = proof(&client, &user, &linked).await;
    link(&client, &user, &body).await.expect(201);
    for user in [&user, &stranger] {
        let body = proof(&client, user, &linked).await;
        link(&client, user, &body).await.expect_error(Problem::AddressTaken);
    }
    let by_message = dated(&client, &linked);
    client
        .post("/auth/authenticate")
        .json(&by_message)
        .send()
        .await
        .expect_error(Problem::AddressLinked);
    for (path, problem) in [
        ("/auth/authenticate", Problem::AddressLinked),
        ("/auth/register/wallet", Problem::AddressTaken),
    ] {
        let body = linked.signed_challenge(&challenge(&client, &linked, "signIn", None).await);
        client.post(path).json(&body).send().await.expect_error(problem);
    }
    assert_eq!(me(&client, &stranger).await["addresses"], json!([canonical(&other)]));
}

#[tokio::test]
async fn an_unlinked_address_is_free() {
    let (_stack, client, _) = world().await;
    let own = Wallet::p2wpkh(1);
    let user = sign_in(&client, &own).await;
    let stranger = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let (evm, solana) = (Wallet::evm(3), Wallet::solana(3));
    for wallet in [&evm, &solana] {
        let body = proof(&client, &user, wallet).await;
        link(&client, &user, &body).await.expect(201);
    }
    for (who, address) in
        [(&user, own.address()), (&stranger, evm.address()), (&user, Wallet::evm(4).address())]
    {
        unlink(&client, who, address).await.expect_error(Problem::AddressNotLinked);
    }
    for junk in ["x", "%20", "0x00", &"1".repeat(500)] {
        unlink(&client, &user, junk).await.expect_error(Problem::Validation);
    }
    // Unlink works in the wallet's own spelling of the address.
    let left = unlink(&client, &user, evm.address()).await.expect(200);
    assert_eq!(left.data()["addresses"], json!([canonical(&own), canonical(&solana)]));
    assert_eq!(left.data(), &me(&client, &user).await);
    unlink(&client, &user, evm.address()).await.expect_error(Problem::AddressNotLinked);
    unlink(&client, &user, solana.address()).await.expect(200);
    assert_eq!(changes(&client, &user).await[..2], ["addressUnlinked"; 2]);

    let body = proof(&client, &stranger, &evm).await;
    link(&client, &stranger, &body).await.expect(201);
    let fresh = sign_in(&client, &solana).await;
    assert!(![&user.account, &stranger.account].contains(&&fresh.account));
}

#[tokio::test]
async fn a_link_proof_is_bound_to_its_wallet_and_works_once() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let (wallet, thief) = (Wallet::evm(2), Wallet::evm(3));
    let forged = async || {
        let asked = challenge(&client, &wallet, "link", Some(&user.access_token)).await;
        let signature = thief.sign(asked.text_of("message"));
        with(wallet.signed_challenge(&asked), &json!({ "signature": signature }))
    };
    let body = forged().await;
    link(&client, &user, &body).await.expect_error(Problem::SignatureInvalid);
    link(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    let body = with(proof(&client, &user, &wallet).await, &json!({ "address": thief.address() }));
    link(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    let body = proof(&client, &user, &wallet).await;
    stack.clock().advance(Duration::from_secs(301));
    link(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    let body = proof(&client, &user, &wallet).await;
    link(&client, &user, &body).await.expect(201);
    unlink(&client, &user, wallet.address()).await.expect(200);
    link(&client, &user, &body).await.expect_error(Problem::ChallengeInvalid);
    let path = format!("/auth/wallet/challenge?address={}&purpose=link", wallet.address());
    client.get(path).send().await.expect_error(Problem::NoAuthorization);
}

#[tokio::test]
async fn invalid_fields_are_named() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let named = async |body: Value| {
        let refused = link(&client, &user, &body).await.expect_error(Problem::Validation);
        let errors = refused.body["errors"].as_array().unwrap();
        errors.iter().map(|error| error["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = ["address", "chain", "challengeId", "signature"];
    assert_eq!(named(json!({})).await, all);
    let body = proof(&client, &user, &Wallet::p2tr(2)).await;
    assert_eq!(named(with(body.clone(), &json!({ "publicKey": null }))).await, ["publicKey"]);
    assert_eq!(
        named(with(body.clone(), &json!({ "publicKey": "0".repeat(257) }))).await,
        ["publicKey"]
    );
    assert_eq!(named(with(body.clone(), &json!({ "chain": "evm" }))).await, ["address"]);
    link(&client, &user, &body).await.expect(201);
    let body = proof(&client, &user, &Wallet::evm(2)).await;
    link(&client, &user, &with(body, &json!({ "publicKey": "" }))).await.expect(201);
}

#[tokio::test]
async fn an_account_has_at_most_twenty() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    for seed in 2..=20 {
        let body = proof(&client, &user, &Wallet::evm(seed)).await;
        link(&client, &user, &body).await.expect(201);
    }
    let body = proof(&client, &user, &Wallet::evm(21)).await;
    link(&client, &user, &body).await.expect_error_for(Problem::TooMany, "checklist 33: addresses");
    unlink(&client, &user, Wallet::evm(2).address()).await.expect(200);
    let body = proof(&client, &user, &Wallet::evm(21)).await;
    link(&client, &user, &body).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_links_by_two_accounts_make_one_owner() {
    let (_stack, client, _) = world().await;
    let users =
        [sign_in(&client, &Wallet::p2wpkh(1)).await, sign_in(&client, &Wallet::p2wpkh(2)).await];
    let wallet = Wallet::evm(3);
    let mut attempts = Vec::new();
    for n in 0..20 {
        let user = &users[n % 2];
        attempts.push((user.clone(), proof(&client, user, &wallet).await));
    }
    let answers = twenty_at_once(|n| {
        let (client, (user, body)) =
            (client.clone(), attempts[usize::try_from(n).unwrap()].clone());
        async move { link(&client, &user, &body).await }
    })
    .await;
    let done = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(done, 1, "{answers:?}");
    assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)), "{answers:?}");
    let mut owners = 0;
    for user in &users {
        let addresses = me(&client, user).await["addresses"].as_array().unwrap().clone();
        owners += addresses.iter().filter(|owned| **owned == canonical(&wallet)).count();
    }
    assert_eq!(owners, 1);
}

/// An address cannot sign in while it is being linked.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_links_and_sign_ins_have_one_outcome() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let wallet = Wallet::evm(2);
    let mut attempts = Vec::new();
    for n in 0..20 {
        attempts.push(if n % 2 == 0 {
            ("/api/account/addresses", proof(&client, &user, &wallet).await)
        } else {
            let asked = challenge(&client, &wallet, "signIn", None).await;
            ("/auth/authenticate", wallet.signed_challenge(&asked))
        });
    }
    let answers = twenty_at_once(|n| {
        let (client, token) = (client.clone(), user.access_token.clone());
        let (path, body) = attempts[usize::try_from(n).unwrap()].clone();
        async move { client.post(path).bearer(&token).json(&body).send().await.status }
    })
    .await;
    let with = |wanted| answers.iter().filter(|&&status| status == wanted).count();
    let outcome = (with(201), with(200), with(401), with(409));
    // Either it is linked and no sign-in succeeds, or it signs in and every sign-in opens the same account.
    assert!(outcome == (1, 0, 10, 9) || outcome == (0, 10, 0, 10), "{answers:?}");
}

#[tokio::test]
async fn custody_18_addresses_change_within_15_minutes_of_a_sign_in() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let (linked, other) = (Wallet::evm(2), Wallet::evm(3));
    let body = proof(&client, &user, &linked).await;
    link(&client, &user, &body).await.expect(201);
    stack.clock().advance(Duration::from_secs(15 * 60 + 1));
    let late = refreshed(&client, &user).await;
    let body = proof(&client, &late, &other).await;
    link(&client, &late, &body)
        .await
        .expect_error_for(Problem::ReauthRequired, "checklist 24: linking an address");
    unlink(&client, &late, linked.address())
        .await
        .expect_error_for(Problem::ReauthRequired, "checklist 24: unlinking an address");
    let list = client.get("/api/account/addresses").bearer(&late.access_token).send().await;
    assert_eq!(list.expect(200).data().as_array().unwrap().len(), 2);
    let again = sign_in(&client, &Wallet::p2wpkh(1)).await;
    unlink(&client, &again, linked.address()).await.expect(200);
}

/// Custody rule 16: the purpose of a challenge, who requested it, and where it is used.
#[tokio::test]
async fn custody_16_a_challenge_is_bound_to_its_purpose_and_account() {
    const DONE: u16 = 0;
    const REFUSED: u16 = 4012;
    /// The service issues no such challenge.
    const NEVER: u16 = 1;
    /// With an address and nothing else, as published clients request it.
    const ALONE: &str = "an address alone";
    // Requested by: the account that uses it, another account, or without a token.
    let matrix = [
        ("authenticate", "signIn", [DONE, REFUSED, DONE]),
        ("authenticate", "link", [REFUSED, REFUSED, NEVER]),
        ("authenticate", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("authenticate", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("authenticate", ALONE, [DONE, REFUSED, DONE]),
        ("reauthenticate", "signIn", [DONE, REFUSED, DONE]),
        ("reauthenticate", "link", [REFUSED, REFUSED, NEVER]),
        ("reauthenticate", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("reauthenticate", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("reauthenticate", ALONE, [DONE, REFUSED, DONE]),
        ("authenticate anew", "signIn", [REFUSED, REFUSED, DONE]),
        ("authenticate anew", "link", [REFUSED, REFUSED, NEVER]),
        ("authenticate anew", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("authenticate anew", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("authenticate anew", ALONE, [REFUSED, REFUSED, DONE]),
        ("register", "signIn", [REFUSED, REFUSED, DONE]),
        ("register", "link", [REFUSED, REFUSED, NEVER]),
        ("register", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("register", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("register", ALONE, [REFUSED, REFUSED, DONE]),
        ("link", "signIn", [REFUSED, REFUSED, REFUSED]),
        ("link", "link", [DONE, REFUSED, NEVER]),
        ("link", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("link", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("link", ALONE, [REFUSED, REFUSED, REFUSED]),
        ("rotate", "signIn", [REFUSED, REFUSED, REFUSED]),
        ("rotate", "link", [REFUSED, REFUSED, NEVER]),
        // Published clients may request it without a token.
        ("rotate", "rotate", [DONE, REFUSED, DONE]),
        ("rotate", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("rotate", ALONE, [DONE, REFUSED, DONE]),
        ("register by password", "signIn", [REFUSED, REFUSED, DONE]),
        ("register by password", "link", [REFUSED, REFUSED, NEVER]),
        ("register by password", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("register by password", "tradingWallet", [REFUSED, REFUSED, NEVER]),
        ("register by password", ALONE, [REFUSED, REFUSED, DONE]),
        ("trading wallet", "signIn", [REFUSED, REFUSED, REFUSED]),
        ("trading wallet", "link", [REFUSED, REFUSED, NEVER]),
        ("trading wallet", "rotate", [REFUSED, REFUSED, REFUSED]),
        ("trading wallet", "tradingWallet", [DONE, REFUSED, NEVER]),
        ("trading wallet", ALONE, [REFUSED, REFUSED, REFUSED]),
    ];
    let (stack, client, mut other) = world().await;
    let keystore = json!({ "encryptedBlob": "b2xk" });
    let mut seed = 100;
    for (endpoint, purpose, expected) in matrix {
        for (asker, expected) in ["own", "other", "nobody"].into_iter().zip(expected) {
            let case = format!("{endpoint} by {purpose} requested by {asker}");
            seed += 2;
            let trades = ["trading wallet", "register by password"].contains(&endpoint);
            let kind = if trades { Kind::P2wpkh } else { Kind::Evm };
            let (own, fresh) = (Wallet::evm(seed), Wallet::new(kind, seed + 1));
            let user = wallets::register(&client, &own, &keystore).await;
            let before = me(&client, &user).await;
            let owns = ["authenticate", "reauthenticate"].contains(&endpoint);
            let wallet = if owns { &own } else { &fresh };
            let token = match asker {
                "own" => Some(user.access_token.as_str()),
                "other" => Some(other.access_token.as_str()),
                _ => None,
            };
            if expected == NEVER {
                let path = format!(
                    "/auth/wallet/challenge?address={}&purpose={purpose}",
                    wallet.address()
                );
                client.get(path).send().await.expect_error(Problem::NoAuthorization);
                continue;
            }
            let asked = if purpose == ALONE {
                let call =
                    client.get(format!("/auth/wallet/challenge?address={}", wallet.address()));
                let call = token.iter().fold(call, |call, token| call.bearer(token));
                call.send().await.expect(200)
            } else {
                challenge(&client, wallet, purpose, token).await
            };
            let body = with(wallet.signed_challenge(&asked), &keystore);
            let body = if endpoint == "register by password" {
                let email = format!("user{seed}@example.com");
                let key = json!({ "tradingPublicKey": wallet.public_key() });
                with(SrpAccount::new(&email, "password").registration("AAAA"), &with(body, &key))
            } else {
                body
            };
            let (path, done) = match endpoint {
                "register by password" => ("/auth/register/srp", 201),
                "trading wallet" => ("/api/account/trading-wallet", 201),
                "register" => ("/auth/register/wallet", 201),
                "link" => ("/api/account/addresses", 201),
                "rotate" => ("/api/account/wallet/rotate", 200),
                "reauthenticate" => ("/auth/reauthenticate", 200),
                _ => ("/auth/authenticate", 200),
            };
            let answer = client.post(path).bearer(&user.access_token).json(&body).send().await;
            if expected == DONE {
                assert_eq!(answer.status, done, "{case}: {answer}");
            } else {
                assert_eq!(
                    (answer.status, answer.code()),
                    (400, "4012"),
                    "checklist 30: challenges: {case}: {answer}"
                );
                assert_eq!(me(&client, &user).await, before, "{case}");
            }
        }
        // Stay within the limits of one source.
        stack.clock().advance(Duration::from_secs(20));
        other = refreshed(&client, &other).await;
    }
}

/// Custody rule 21.
#[tokio::test]
async fn a_repeated_link_gets_the_first_response() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let body = proof(&client, &user, &Wallet::evm(2)).await;
    let send = async |body: &Value| {
        let call = client.post("/api/account/addresses").bearer(&user.access_token);
        call.header("idempotency-key", "k").json(body).send().await
    };
    let first = send(&body).await.expect(201);
    assert_eq!(send(&body).await.expect(201).data(), first.data());
    let other = proof(&client, &user, &Wallet::evm(3)).await;
    send(&other).await.expect_error(Problem::IdempotencyKeyReused);
}

#[tokio::test]
async fn custody_21_a_response_with_personal_data_is_kept_encrypted() {
    let (stack, client, _) = world().await;
    let account = SrpAccount::new("secretive@example.com", "a password");
    let hint = json!({ "passwordHint": "mother's maiden name" });
    let body = with(account.registration("AAAA"), &hint);
    let answer = client.post("/auth/register/srp").json(&body).send().await.expect(201);
    let user = SignedIn::of(&answer).unwrap();
    let body = proof(&client, &user, &Wallet::evm(7)).await;
    let call = async || {
        let call = client.post("/api/account/addresses").bearer(&user.access_token);
        call.header("idempotency-key", "once").json(&body).send().await.expect(201)
    };
    let first = call().await;
    assert_eq!(first.data()["email"], account.email.as_str());
    assert_eq!(first.data()["passwordHint"], "mother's maiden name");

    let tables = stack.contents();
    let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
    let mut kept = rows.filter(|row| row["pk"]["S"].as_str().unwrap().starts_with("idempotency#"));
    let kept = kept.next().expect("no response is kept").to_string();
    for personal in ["secretive", "maiden", "passwordHint", "email"] {
        assert!(!kept.contains(personal), "{personal}: {kept}");
    }

    assert_eq!(call().await.body, first.body, "the same response again");
    assert_eq!(me(&client, &user).await["addresses"].as_array().unwrap().len(), 1);
}
