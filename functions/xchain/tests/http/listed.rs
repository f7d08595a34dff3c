//! The list of cross-chain transactions, compared with a brute-force filter over all rows.

use chain::models::xchain::{Swap, TokenAddress};

use super::{
    swaps::{swap, without_chain},
    *,
};

/// The rows that match a query, by a brute-force filter over all rows.
fn expected<'a>(
    rows: &'a [Swap],
    address: Option<&str>,
    token: Option<&str>,
    pair: Option<(&str, &str)>,
) -> Vec<&'a Swap> {
    let has = |swap: &Swap, token: &str| {
        let token: TokenAddress = token.parse().unwrap();
        swap.input_token == token || swap.output_token == token
    };
    let related = |swap: &Swap, address: &str| {
        let address = address.parse().unwrap();
        [&swap.wallet_address, &swap.src_address, &swap.dst_address].contains(&&address)
    };
    let found = rows.iter().filter(|swap| {
        address.is_none_or(|address| related(swap, address))
            && token.is_none_or(|token| has(swap, token))
            && pair.is_none_or(|(one, other)| {
                has(swap, one)
                    && has(swap, other)
                    && token.is_none_or(|token| {
                        let token: TokenAddress = token.parse().unwrap();
                        token == one.parse().unwrap() || token == other.parse().unwrap()
                    })
            })
    });
    found.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_combination_of_filters_matches_a_brute_force_filter() {
    let world = without_chain().await;
    let evm = "0x00000000000000000000000000000000000000aa";
    let sui = "0x2::sui::SUI";
    let solana = "So11111111111111111111111111111111111111112";
    let tokens = [evm, sui, solana, "0:0"];
    let solana_wallet = Wallet::solana(7);
    let (one, other) = (world.owner(1).await, world.owner(2).await);
    let mut rows = Vec::new();
    for n in 0..48_u64 {
        let (wallet, session) = if n % 3 == 0 { &other } else { &one };
        let token = |place: u64| tokens[usize::try_from(place % 4).unwrap()].parse().unwrap();
        let to = match n % 4 {
            0 => one.0.address(),
            1 => other.0.address(),
            2 => solana_wallet.address(),
            _ => "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
        };
        let made = Swap {
            input_token: token(n),
            output_token: token(n / 4),
            dst_address: to.parse().unwrap(),
            ..swap(wallet, n)
        };
        world.register(session, &made).await.expect(200);
        rows.push(made);
    }
    let addresses = [
        None,
        Some(one.0.address().to_owned()),
        Some(format!("0x{}", other.0.address()[2..].to_uppercase())),
        Some(solana_wallet.address().to_owned()),
        Some(solana_wallet.address().to_lowercase()),
        Some("BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080".to_owned()),
        Some("0x00000000000000000000000000000000000000ff".to_owned()),
    ];
    let upper = "0x00000000000000000000000000000000000000AA";
    let token_filters = [None, Some(upper), Some(sui), Some("0x2::SUI::sui"), Some("0:0")];
    let pairs = [
        None,
        Some((evm, sui)),
        Some((sui, upper)),
        Some((solana, "0:0")),
        Some((sui, sui)),
        Some((sui, "nothing")),
    ];
    for address in &addresses {
        for token in token_filters {
            for pair in pairs {
                let wanted = expected(&rows, address.as_deref(), token, pair);
                let mut query = "pageSize=7&select=txId".to_owned();
                if let Some(address) = address {
                    query.push_str(&format!("&relatedAddress_eq={address}"));
                }
                if let Some(token) = token {
                    query.push_str(&format!("&intentToken_eq={token}"));
                }
                if let Some((a, b)) = pair {
                    query.push_str(&format!("&intentTokenPair_eq={a},{b}"));
                }
                for oldest_first in [true, false] {
                    let sort = if oldest_first { "createdAt" } else { "-createdAt" };
                    let mut seen = Vec::new();
                    for page in 1.. {
                        let path =
                            format!("/api/xchain/transactions?{query}&sort={sort}&page={page}");
                        let answer = world.client.get(path).send().await.expect(200);
                        let total = answer.body["metaData"]["totalItems"].as_u64().unwrap();
                        assert_eq!(total, wanted.len() as u64, "{query}");
                        let items = answer.data().as_array().unwrap().clone();
                        if items.is_empty() {
                            break;
                        }
                        seen.extend(
                            items.iter().map(|row| row["txId"].as_str().unwrap().to_owned()),
                        );
                    }
                    if !oldest_first {
                        seen.reverse();
                    }
                    let wanted: Vec<_> =
                        wanted.iter().map(|swap| swap.intent_tx_hash.to_string()).collect();
                    assert_eq!(seen, wanted, "{query}");
                }
            }
        }
    }
}

#[tokio::test]
async fn lists_support_sorts_fields_and_relations() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let file = json!([
        {
            "tokenId": "42161:0x00000000000000000000000000000000000000aa",
            "chain": "42161", "symbol": "AAA", "decimals": 6, "slots": [],
        },
    ]);
    for token in serde_json::from_value::<Vec<shared::models::token::Token>>(file).unwrap() {
        world.stack.enter_token(&token).await;
    }
    for n in [3, 1, 2] {
        let made = Swap { src_chain: if n == 1 { 1 } else { 42_161 }, ..swap(&wallet, n) };
        world.register(&owner, &made).await.expect(200);
    }
    let get = async |query: &str| {
        let path = format!("/api/xchain/transactions?{query}");
        world.client.get(path).send().await.expect(200).data().clone()
    };
    let sorted = get("sort=txId&select=txId&populate=inputToken,outputToken").await;
    let rows = sorted.as_array().unwrap();
    let mut ids: Vec<_> = rows.iter().map(|row| row["txId"].as_str().unwrap()).collect();
    assert!(ids.is_sorted() && ids.len() == 3);
    ids.dedup();
    assert_eq!(ids.len(), 3);
    let symbols: Vec<_> = rows.iter().map(|row| row["inputToken"]["symbol"].clone()).collect();
    assert_eq!(symbols, [Value::Null, json!("AAA"), json!("AAA")], "of its chain");
    assert!(rows.iter().all(|row| row["outputToken"].is_null() && row["intent"].is_null()));
    // The example of the API contract: the token given, and the wallet only for its owner.
    let path = "/api/xchain/transactions?sort=txId&populate=wallet,token";
    let (_, stranger) = world.owner(9).await;
    for (reader, wallet) in [
        (Some(&owner), owner.data["wallet"].clone()),
        (Some(&stranger), Value::Null),
        (None, Value::Null),
    ] {
        let call = world.client.get(path);
        let call = match reader {
            Some(reader) => call.bearer(&reader.access_token),
            None => call,
        };
        let page = call.send().await.expect(200);
        let rows = page.data().as_array().unwrap();
        assert!(rows.iter().all(|row| row["wallet"] == wallet), "{page}");
        let symbols: Vec<_> = rows.iter().map(|row| row["token"]["symbol"].clone()).collect();
        assert_eq!(symbols, [Value::Null, json!("AAA"), json!("AAA")]);
        let token = &rows[1]["token"];
        assert_eq!(token["divisibility"], token["decimals"]);
        assert!(token["divisibility"].is_number());
    }
    let visible = get("").await[0].clone();
    assert!(visible.get("fillTxHash").is_none() && visible["intent"]["outputToken"].is_string());
    assert!(get("select=%2BfillTxHash").await[0].get("fillTxHash").is_some());
    // The list links no accounts (custody rule 22).
    let account = world.client.get("/api/account/me").bearer(&owner.access_token).send().await;
    let account = account.expect(200).text_of("id").to_owned();
    let all = "select=%2BfillTxHash,%2BfailureReason,%2BfailedAtStep&populate=inputToken";
    assert!(!get(all).await.to_string().contains(&account));
    for query in [
        "accountId_eq=x",
        "select=accountId",
        "select=%2BaccountId",
        "sort=intent",
        "populate=account",
        "intentTokenPair_eq=0xaa",
        "intentTokenPair_eq=a,b,c",
        "relatedAddress_eq=",
        "relatedAddress_eq=a%23token%23b",
        "intentToken_eq=a%20b",
    ] {
        let path = format!("/api/xchain/transactions?{query}");
        world.client.get(path).send().await.expect_error(400, "1001");
    }
}
