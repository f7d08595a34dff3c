//! `GET /api/account/trading-wallet/recovery-kit`.

use local::{bitcoin::Etching, wallets::sign_in};
use shared::problem::Problem;

use super::*;

const PATH: &str = "/api/account/trading-wallet/recovery-kit";

impl World {
    async fn kit(&self, user: &User) -> Value {
        let call = self.client.get(PATH).bearer(&user.session.access_token);
        call.send().await.expect(200).data().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_kit_has_the_keys_and_each_coin_and_no_secret() {
    let world = world().await;
    let user = world.user_with(1, &[50_000]).await;
    let chain = world.stack.bitcoin();
    let kept = chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = chain.etch(&etching).await.unwrap();
    world.mine(1).await;
    let pending = chain.fund(&user.trading, 7_000).await.unwrap();
    let kit = world.kit(&user).await;
    let wallet = world.client.get("/api/account/trading-wallet");
    let wallet = wallet.bearer(&user.session.access_token).send().await.expect(200);
    for field in ["address", "descriptor", "publicKey", "platformPublicKey", "delayBlocks"] {
        assert_eq!(kit[field], wallet.data()[field], "{field}");
    }
    assert_eq!(kit["witnessScript"], wallet.data()["recovery"]["witnessScript"]);
    assert_eq!(kit["publicKeys"], json!([user.wallet.public_key()]));
    assert_eq!((&kit["kind"], &kit["version"]), (&json!("runeport-recovery-kit"), &json!(1)));
    assert_eq!((&kit["network"], &kit["notRead"]), (&json!("regtest"), &json!(0)));
    let hash = kit["tool"]["sha256"].as_str().unwrap();
    assert_eq!(hex::decode(hash).unwrap().len(), 32);
    assert_eq!(kit["tool"]["version"], "0.1.0");
    assert_eq!(kit["height"], chain.height().await.unwrap());
    assert!(!kit.to_string().contains(&user.wallet.private_key()));

    let coins = kit["coins"].as_array().unwrap();
    assert_eq!(coins.len(), 4);
    let coin = |outpoint: &OutPoint| {
        let found = coins.iter().find(|coin| coin["id"] == outpoint.to_string());
        found.unwrap_or_else(|| panic!("{outpoint}"))
    };
    let inscribed = coin(&kept.outpoint);
    assert_eq!(inscribed["inscriptions"], json!([kept.id.to_string()]));
    let height = inscribed["confirmedHeight"].as_u64().unwrap();
    assert_eq!(inscribed["userOnlyFromHeight"], height + 12_960);
    let runic = coins.iter().find(|coin| coin["runes"][0]["runeId"] == rune.to_string());
    assert_eq!(runic.unwrap()["runes"][0]["amount"], "1000");
    let pending = coin(&pending);
    assert_eq!((&pending["runes"], &pending["confirmedHeight"]), (&json!(null), &json!(null)));
    assert_eq!(pending["userOnlyFromHeight"], json!(null));
}

/// A signature of a Taproot address leaves the parity open, so the kit lists both keys.
#[tokio::test]
async fn the_kit_of_a_taproot_key_lists_both_keys() {
    let world = world_on(LocalStack::start().await).await;
    let wallet = Wallet::p2tr(1);
    let session = sign_in(&world.client, &wallet).await;
    let kit = world.kit(&World::signed_in(wallet.clone(), session)).await;
    let x_only = wallet.x_only_key();
    assert_eq!(kit["publicKey"], x_only);
    assert_eq!(kit["publicKeys"], json!([format!("02{x_only}"), format!("03{x_only}")]));
}

#[tokio::test]
async fn without_a_chain_the_kit_has_no_coins_and_is_still_given() {
    // This world has no Bitcoin node.
    let world = world_on(LocalStack::start().await).await;
    let user = world.user(1).await;
    let token = &user.session.access_token;
    let answer = world.client.get(PATH).bearer(token).send().await.expect(200);
    let kit = answer.data();
    assert_eq!((&kit["coins"], &kit["height"]), (&json!(null), &json!(null)));
    assert_eq!(kit["address"], user.trading.to_string());
    assert!(answer.headers.get("content-disposition").is_none());

    let file = world.client.get(format!("{PATH}?download=1")).bearer(token);
    let file = file.send().await.expect(200);
    let text = user.trading.to_string();
    let name = format!("attachment; filename=\"runeport-recovery-kit-{}.json\"", &text[56..]);
    assert_eq!(file.header("content-disposition"), name);
    assert_eq!(file.data()["descriptor"], kit["descriptor"]);
    let wrong = world.client.get(format!("{PATH}?download=yes")).bearer(token);
    wrong.send().await.expect_error(Problem::Validation);
}

#[tokio::test]
async fn custody_22_only_the_owner_gets_the_kit() {
    let world = world_on(LocalStack::start().await).await;
    world.client.get(PATH).send().await.expect_error(Problem::NoAuthorization);
    let session = sign_in(&world.client, &Wallet::evm(1)).await;
    let call = world.client.get(PATH).bearer(&session.access_token);
    call.send().await.expect_error(Problem::TradingWalletNotFound);
}
