use local::{
    LocalStack,
    client::{Answer, Client},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{models::token::Token, problem::Problem};

use crate::{me, world};

const PATH: &str = "/api/account/default-token";
const USDC: &str = "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831";

async fn enter(stack: &LocalStack, id: &str, chain: &str, symbol: &str, slots: &[&str]) -> bool {
    let token = json!({
        "tokenId": id, "chain": chain, "symbol": symbol, "divisibility": 6, "slots": slots,
    });
    let token: Token = serde_json::from_value(token).unwrap();
    stack.enter_token(&token).await
}

async fn choose(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    client.patch(PATH).bearer(&user.access_token).json(body).send().await
}

async fn remove(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    client.delete(PATH).bearer(&user.access_token).json(body).send().await
}

fn in_usdc(token: &str) -> Value {
    json!({ "slot": "usdc", "tokenId": token })
}

#[tokio::test]
async fn a_default_token_is_set_and_removed() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    enter(&stack, USDC, "42161", "USDC", &["usdc"]).await;
    enter(&stack, "solana-usdc", "solana", "USDC", &["usdc"]).await;
    for token in [USDC, "solana-usdc"] {
        let chosen = choose(&client, &user, &in_usdc(token)).await.expect(200);
        assert_eq!(chosen.data()["defaultTokens"], json!({ "usdc": token }));
        assert_eq!(chosen.data(), &me(&client, &user).await);
    }
    remove(&client, &user, &in_usdc(USDC)).await.expect_error(Problem::TokenNotInSlot);
    let removed = remove(&client, &user, &in_usdc("solana-usdc")).await.expect(200);
    assert_eq!(removed.data()["defaultTokens"], json!({ "usdc": null }));
    assert_eq!(removed.data(), &me(&client, &user).await);
    remove(&client, &user, &in_usdc("solana-usdc")).await.expect_error(Problem::TokenNotInSlot);
}

#[tokio::test]
async fn tokens_that_do_not_fit_are_refused() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    enter(&stack, "rune", "bitcoin", "RUNE", &["usdc"]).await;
    enter(&stack, "weth", "1", "WETH", &[]).await;
    for (token, problem) in [
        ("unknown", Problem::TokenNotFound),
        ("rune", Problem::TokenChainUnsupported),
        ("weth", Problem::TokenUnfit),
    ] {
        choose(&client, &user, &in_usdc(token)).await.expect_error(problem);
    }
    for (body, field) in [
        (json!({ "tokenId": "weth" }), "slot"),
        (json!({ "slot": "eth", "tokenId": "weth" }), "slot"),
        (json!({ "slot": "usdc" }), "tokenId"),
        (json!({ "slot": "usdc", "tokenId": 7 }), "tokenId"),
        (json!({ "slot": "usdc", "tokenId": "" }), "tokenId"),
        (json!({ "slot": "usdc", "tokenId": "a b" }), "tokenId"),
        (json!({ "slot": "usdc", "tokenId": "x".repeat(129) }), "tokenId"),
    ] {
        for refused in [choose(&client, &user, &body).await, remove(&client, &user, &body).await] {
            let refused = refused.expect_error(Problem::Validation);
            assert_eq!(refused.body["errors"][0]["field"], field, "{refused}");
        }
    }
    let body = in_usdc("weth");
    client.patch(PATH).json(&body).send().await.expect_error(Problem::NoAuthorization);
    client.delete(PATH).json(&body).send().await.expect_error(Problem::NoAuthorization);
    assert_eq!(me(&client, &user).await["defaultTokens"], json!({ "usdc": null }));
}

#[tokio::test]
async fn the_catalogue_is_public() {
    let (stack, client, _) = world().await;
    let empty = client.get("/api/tokens").send().await.expect(200);
    assert_eq!((empty.data(), &empty.body["metaData"]["totalItems"]), (&json!([]), &json!(0)));
    for (id, chain, symbol) in
        [("b", "1", "USDC"), ("c", "bitcoin", "DOG"), ("a", "solana", "BONK")]
    {
        assert!(enter(&stack, id, chain, symbol, &["usdc"]).await);
    }
    let ids = async |query: &str| {
        let answer = client.get(format!("/api/tokens?{query}")).send().await.expect(200);
        let rows = answer.data().as_array().unwrap();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("", ["a", "c", "b"]),
        ("sort=tokenId", ["a", "b", "c"]),
        ("sort=-symbol", ["b", "c", "a"]),
        ("sort=chain", ["b", "c", "a"]),
    ] {
        assert_eq!(ids(query).await, expected, "{query}");
    }
    // A token that is entered again gets new contents and keeps its id.
    assert!(!enter(&stack, "c", "bitcoin", "DOG•TO•THE•MOON", &[]).await);
    let page = client.get("/api/tokens?page=2&pageSize=1").send().await.expect(200);
    let row = json!({
        "id": "c", "tokenId": "c", "chain": "bitcoin", "symbol": "DOG•TO•THE•MOON", "divisibility": 6,
        "slots": [],
    });
    assert_eq!(page.data(), &json!([row]));
    let meta =
        json!({ "totalItems": 3, "currentPage": 2, "pageSize": 1, "totalPages": 3, "asOf": 3 });
    assert_eq!(page.body["metaData"], meta);
    for (query, expected) in [
        ("chain_eq=1", vec!["b"]),
        ("chain_eq=solana,1", vec!["a", "b"]),
        ("slot_eq=usdc&sort=id", vec!["a", "b"]),
        ("slot_eq=usdc&chain_eq=bitcoin", vec![]),
        ("sort=-id", vec!["c", "b", "a"]),
    ] {
        assert_eq!(ids(query).await, expected, "{query}");
    }
    for query in [
        "sort=slots",
        "sort=createdAt",
        "select=createdBy",
        "symbol_eq=USDC",
        "populate=chain",
        "chain_eq=ethereum",
        "chain_eq=,",
        "slot_eq=undefined",
    ] {
        let path = format!("/api/tokens?{query}");
        client.get(path).send().await.expect_error(Problem::Validation);
    }
}

#[tokio::test]
async fn a_token_and_an_account_are_found_by_their_ids() {
    let (stack, client, admin) = world().await;
    enter(&stack, USDC, "42161", "USDC", &["usdc"]).await;
    let listed = client.get("/api/tokens").send().await.expect(200);
    let found = client.get(format!("/api/tokens/{USDC}")).send().await.expect(200);
    assert_eq!(found.data(), &listed.data()[0]);
    client.get("/api/tokens/none").send().await.expect_error(Problem::NoSuchToken);

    let user = sign_in(&client, &Wallet::p2wpkh(5)).await;
    let path = format!("/api/account/{}", user.account);
    let found = client.get(&path).bearer(&admin.access_token).send().await.expect(200);
    assert_eq!(found.text_of("id"), user.account);
    client.get(&path).bearer(&user.access_token).send().await.expect_error(Problem::Forbidden);
    client.get(&path).send().await.expect_error(Problem::NoAuthorization);
    let missing = "/api/account/018bcfe5-6800-7000-8000-000000000001";
    client
        .get(missing)
        .bearer(&admin.access_token)
        .send()
        .await
        .expect_error(Problem::NoSuchAccount);
}
