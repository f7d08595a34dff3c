//! Which wallets a caller may name, and how they may be spelled.

use local::wallets::challenge;
use shared::problem::Problem;

use super::*;

#[tokio::test]
async fn mixed_case_addresses_must_match_their_checksum() {
    let world = world().await;
    let own = world.wallet.address();
    let digits = own.strip_prefix("0x").unwrap();
    for address in [own.to_owned(), own.to_lowercase(), format!("0x{}", digits.to_uppercase())] {
        let body = json!({ "userAddress": address, "amount": "1" });
        let answer = world.post("deposit", &body).await.expect(200);
        assert_eq!(answer.data()["from"], own);
    }
    // Flips the case of one letter.
    let at = digits.find(|letter: char| letter.is_ascii_alphabetic()).unwrap();
    let mut wrong = digits.to_owned();
    let letter = &digits[at..=at];
    let other =
        if letter == letter.to_lowercase() { letter.to_uppercase() } else { letter.to_lowercase() };
    wrong.replace_range(at..=at, &other);
    for address in [
        format!("0x{wrong}"),
        digits.to_owned(),
        format!("0X{digits}"),
        format!("{own}0"),
        own[..41].to_owned(),
        format!(" {own}"),
        format!("0x{}", "0".repeat(40)),
        "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080".to_owned(),
        "runeport.eth".to_owned(),
        String::new(),
    ] {
        for endpoint in ["deposit", "withdraw", "referral"] {
            let body = json!({ "userAddress": address, "amount": "1" });
            let answer = world.post(endpoint, &body).await.expect_error(Problem::Validation);
            assert_eq!(answer.body["errors"][0]["field"], "userAddress", "{address}");
        }
    }
    for address in [json!(1), json!(null), json!([]), json!({})] {
        let body = json!({ "userAddress": address, "amount": "1" });
        world.post("deposit", &body).await.expect_error(Problem::Validation);
    }
}

/// The contract requires only an EVM wallet that signs, so an account that signed up with Bitcoin can name
/// any.
#[tokio::test]
async fn any_wallet_that_signs_can_be_named() {
    let world = world().await;
    let other = Wallet::evm(7);
    let wallet: Address = other.address().parse().unwrap();
    world.venue().set_usdc(wallet, usdc("3")).await.unwrap();
    world.venue().set_exists(wallet, true).await.unwrap();
    world.venue().set(wallet, |account| account.perps = usdc("5"));
    let bitcoin = Wallet::p2wpkh(1);
    let user = sign_in(&world.client, &bitcoin).await;
    let ask = async |endpoint: &str, address: &str| {
        let body = json!({ "userAddress": address, "amount": "3" });
        let call = world.client.post(format!("/api/perp-venue/{endpoint}"));
        call.bearer(&user.access_token).json(&body).send().await
    };
    let deposit = ask("deposit", other.address()).await.expect(200);
    assert_eq!(deposit.data()["from"], other.address());
    for endpoint in ["withdraw", "referral", "builder-fee-approval"] {
        ask(endpoint, other.address()).await.expect(200);
        ask(endpoint, bitcoin.address()).await.expect_error(Problem::Validation);
    }
    let path = format!("/api/perp-venue/status?userAddress={}", other.address());
    let status = world.client.get(path).bearer(&user.access_token).send().await.expect(200);
    assert_eq!(status.data()["venueBalance"], "5");
    assert_eq!(status.data()["usdcBalance"], "3");
}

/// After the account rotates its wallet, the balance at the venue still belongs to the earlier one.
#[tokio::test]
async fn an_earlier_wallet_is_used_as_before() {
    let stack = LocalStack::builder().evm().build().await;
    let routes = (auth::routes(), (account::routes(), perp_venue::routes()));
    let client = stack.serve(routes).await;
    let (before, after) = (Wallet::evm(1), Wallet::evm(2));
    let blob = json!({ "encryptedBlob": "AAAA" });
    let user = local::wallets::register(&client, &before, &blob).await;
    let challenge = challenge(&client, &after, "rotate", Some(&user.access_token)).await;
    let body = local::wallets::with(after.signed_challenge(&challenge), &blob);
    let rotate = client.post("/api/account/wallet/rotate").bearer(&user.access_token);
    rotate.json(&body).send().await.expect(200);

    stack.venue().set(before.address().parse().unwrap(), |account| account.perps = usdc("5"));
    let ask = |endpoint: &str| {
        let call = client.post(format!("/api/perp-venue/{endpoint}")).bearer(&user.access_token);
        let body = json!({ "userAddress": before.address(), "amount": "5" });
        async move { call.json(&body).send().await }
    };
    let answer = ask("withdraw").await.expect(200);
    assert_eq!(answer.data()["action"]["amount"], "5");
    let path = format!("/api/perp-venue/status?userAddress={}", before.address());
    let status = client.get(path).bearer(&user.access_token).send().await.expect(200);
    assert_eq!(status.data()["venueBalance"], "5");
}
