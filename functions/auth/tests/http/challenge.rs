use std::time::Duration;

use local::{
    client::twenty_at_once,
    wallets::{Kind, Wallet, sign_in, sign_in_by_challenge},
};
use serde_json::json;
use shared::problem::Problem;

use crate::world;

#[tokio::test]
async fn a_challenge_names_service_wallet_purpose_and_time() {
    let (_stack, client) = world().await;
    for (kind, title) in
        [(Kind::Evm, "Ethereum"), (Kind::Solana, "Solana"), (Kind::P2tr, "Bitcoin")]
    {
        let wallet = Wallet::new(kind, 1);
        let path = format!("/auth/wallet/challenge?address={}", wallet.address());
        let answer = client.get(path).send().await.expect(200);
        let lines: Vec<_> = answer.text_of("message").lines().collect();
        assert_eq!(lines[0], format!("localhost wants you to sign in with your {title} account:"));
        assert_eq!(lines[1], wallet.address());
        assert!(lines[3].contains("Purpose: sign in, or become the sign-in wallet."), "{lines:?}");
        assert!(lines.contains(&format!("Request ID: {}", answer.text_of("challengeId")).as_str()));
        let left = answer.data()["expiresAt"].as_i64().unwrap() - client.now().0;
        assert!((290_000..=300_000).contains(&left), "{left}");
    }
}

/// EIP-4361: the domain is the authority of the page, with its port. Wallets and the npm package `siwe`
/// compare it.
#[tokio::test]
async fn on_a_developers_machine_the_text_names_the_port_of_the_page() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(12);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    for (origin, domain) in [
        ("http://localhost:5173", "localhost:5173"),
        ("http://localhost:3000", "localhost:3000"),
        ("https://evil.example", "localhost"),
    ] {
        let asked = client.get(&path).header("origin", origin).send().await.expect(200);
        let start = format!("{domain} wants you to sign in");
        assert!(asked.text_of("message").starts_with(&start), "{asked}");
        let body = wallet.signed_challenge(&asked);
        client.post("/auth/authenticate").json(&body).send().await.expect(200);
    }
}

#[tokio::test]
async fn a_wrong_signature_uses_a_challenge_up() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(2);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let body = wallet.signed_challenge(&client.get(&path).send().await);
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::ChallengeInvalid);

    let good = wallet.signed_challenge(&client.get(&path).send().await);
    let mut bad = good.clone();
    bad["signature"] = json!(Wallet::evm(3).sign("x"));
    client
        .post("/auth/authenticate")
        .json(&bad)
        .send()
        .await
        .expect_error(Problem::SignatureInvalid);
    client
        .post("/auth/authenticate")
        .json(&good)
        .send()
        .await
        .expect_error(Problem::ChallengeInvalid);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_uses_of_one_challenge_sign_in_once() {
    let (_stack, client) = world().await;
    let wallet = Wallet::solana(4);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let body = wallet.signed_challenge(&client.get(path).send().await);
    let statuses = twenty_at_once(|_| {
        let (client, body) = (client.clone(), body.clone());
        async move { client.post("/auth/authenticate").json(&body).send().await.status }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
}

#[tokio::test]
async fn a_challenge_expires_after_five_minutes() {
    let (stack, client) = world().await;
    stack.clock().stop();
    let wallet = Wallet::evm(5);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let body = wallet.signed_challenge(&client.get(&path).send().await);
    stack.clock().advance(Duration::from_secs(298));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
    let body = wallet.signed_challenge(&client.get(&path).send().await);
    stack.clock().advance(Duration::from_secs(301));
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error_for(Problem::ChallengeInvalid, "checklist 17: challenges");
}

/// Custody rule 16: a challenge is valid only for the wallet it was issued for.
#[tokio::test]
async fn custody_16_a_challenge_is_bound_to_its_wallet() {
    let (_stack, client) = world().await;
    let (victim, thief) = (Wallet::evm(6), Wallet::evm(7));
    let path = format!("/auth/wallet/challenge?address={}", victim.address());
    let body = thief.signed_challenge(&client.get(path).send().await);
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::ChallengeInvalid);
}

#[tokio::test]
async fn custody_16_with_a_token_the_text_names_the_account() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(8);
    let signed_in = sign_in(&client, &wallet).await;
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let answer = client.get(&path).bearer(&signed_in.access_token).send().await.expect(200);
    assert!(
        answer.text_of("message").contains(&format!("Account: {}.", signed_in.account)),
        "{answer}"
    );
    let stale = client.get(&path).bearer("garbage").send().await.expect(200);
    assert!(
        !stale.text_of("message").contains("Account:"),
        "a stale token counts as none: {stale}"
    );
    let link = format!("{path}&purpose=link");
    client.get(&link).bearer("garbage").send().await.expect_error(Problem::InvalidToken);
}

#[tokio::test]
async fn custody_16_a_challenge_naming_an_account_signs_in_no_other() {
    let (_stack, client) = world().await;
    let (one, other) = (Wallet::evm(10), Wallet::evm(11));
    let signed_in = sign_in_by_challenge(&client, &one).await;
    let ask = async |wallet: &Wallet| {
        let path = format!("/auth/wallet/challenge?address={}", wallet.address());
        client.get(path).bearer(&signed_in.access_token).send().await
    };
    let body = other.signed_challenge(&ask(&other).await);
    client
        .post("/auth/authenticate")
        .json(&body)
        .send()
        .await
        .expect_error(Problem::ChallengeInvalid);
    let body = one.signed_challenge(&ask(&one).await);
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let (_stack, client) = world().await;
    let address = Wallet::evm(9).address().to_owned();
    for query in [
        "".to_owned(),
        "?address=".to_owned(),
        "?address=0x00".to_owned(),
        format!("?address={}", "1".repeat(5000)),
        format!("?address={address}&address={address}"),
        format!("?address={address}&chain=doge"),
        format!("?address={address}&chain=bitcoin"),
        format!("?address={address}&purpose=dance"),
        "?address=%FF".to_owned(),
        format!("?address={}", address.replace('a', "A").replace('b', "B")),
    ] {
        client
            .get(format!("/auth/wallet/challenge{query}"))
            .send()
            .await
            .expect_error(Problem::Validation);
    }
}

#[tokio::test]
async fn a_link_challenge_requires_an_account() {
    let (_stack, client) = world().await;
    let query = format!("?address={}&purpose=link", Wallet::evm(9).address());
    client
        .get(format!("/auth/wallet/challenge{query}"))
        .send()
        .await
        .expect_error(Problem::NoAuthorization);
}
