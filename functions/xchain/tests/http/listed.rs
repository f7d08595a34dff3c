//! The list of cross-chain transactions, compared with a brute-force filter over all rows.

use std::time::Duration;

use chain::{
    keys,
    models::xchain::{Swap, TokenAddress, XchainStatus},
};
use shared::problem::Problem;
use store::{Update, Writes, lists::ListHead};

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

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_an_address_are_filtered_by_status_kind_and_chains() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let statuses = [XchainStatus::Pending, XchainStatus::Relaying, XchainStatus::Filled];
    let mut rows = Vec::new();
    for n in 0..12_u64 {
        let made = Swap {
            src_chain: if n % 2 == 0 { 1 } else { 42_161 },
            dst_chain: [1, 10, 42_161][usize::try_from(n % 3).unwrap()],
            ..swap(&wallet, n)
        };
        world.register(&owner, &made).await.expect(200);
        let status = statuses.get(usize::try_from(n % 4).unwrap());
        if let Some(status) = status {
            world.stack.hub().know(made.clone());
            world.stack.hub().set_status(made.intent_tx_hash, *status);
            world.stack.clock().advance(Duration::from_secs(6));
            world.status_of(&owner, &made.intent_tx_hash.to_string()).await.expect(200);
        }
        rows.push((made, *status.unwrap_or(&XchainStatus::Registered)));
    }
    let address = wallet.address();
    let expect = |status: Option<&[XchainStatus]>, source: Option<&[u64]>, to: Option<&[u64]>| {
        let chosen = rows.iter().filter(|(swap, is)| {
            status.is_none_or(|wanted| wanted.contains(is))
                && source.is_none_or(|wanted| wanted.contains(&swap.src_chain))
                && to.is_none_or(|wanted| wanted.contains(&swap.dst_chain))
        });
        chosen.map(|(swap, _)| swap.intent_tx_hash.to_string()).collect::<Vec<_>>()
    };
    let open = [XchainStatus::Pending, XchainStatus::Relaying];
    for (query, wanted) in [
        ("status_eq=pending,relaying", expect(Some(&open), None, None)),
        ("status_eq=registered", expect(Some(&[XchainStatus::Registered]), None, None)),
        ("srcChain_eq=1", expect(None, Some(&[1]), None)),
        ("srcChain_eq=1,42161", expect(None, None, None)),
        ("dstChain_eq=10", expect(None, None, Some(&[10]))),
        ("dstChain_eq=10,1&srcChain_eq=42161", expect(None, Some(&[42_161]), Some(&[10, 1]))),
        (
            "status_eq=filled&dstChain_eq=42161",
            expect(Some(&[XchainStatus::Filled]), None, Some(&[42_161])),
        ),
        ("type_eq=swap", expect(None, None, None)),
        ("type_eq=swap,xchain-withdraw&status_eq=filled", expect(Some(&statuses[2..]), None, None)),
        ("type_eq=xchain-withdraw", Vec::new()),
        ("status_eq=failed", Vec::new()),
    ] {
        let mut seen = Vec::new();
        for page in 1..=7 {
            let path = format!("relatedAddress_eq={address}&{query}&sort=createdAt&pageSize=2");
            let answer = world.listed(&format!("{path}&page={page}&select=txId")).await;
            let meta = &answer.body["metaData"];
            assert_eq!((&meta["totalItems"], &meta["asOf"]), (&json!(wanted.len()), &json!(12)));
            let rows = answer.data().as_array().unwrap().iter();
            seen.extend(rows.map(|row| row["txId"].as_str().unwrap().to_owned()));
        }
        assert_eq!(seen, wanted, "{query}");
    }
    let latest = world.listed(&format!("relatedAddress_eq={address}&sort=-updatedAt")).await;
    let times: Vec<_> = latest.data().as_array().unwrap().iter().collect();
    assert!(times.is_sorted_by_key(|row| -row["updatedAt"].as_i64().unwrap()), "{latest}");
    for (query, message) in [
        ("status_eq=pending", "relatedAddress_eq"),
        ("type_eq=swap&intentToken_eq=0:0", "relatedAddress_eq"),
        ("srcChain_eq=1", "relatedAddress_eq"),
        ("relatedAddress_eq=undefined&status_eq=pending", "a variable without a value"),
        ("relatedAddress_eq=&status_eq=pending", "relatedAddress_eq"),
        ("relatedAddress_eq=0x1&status_eq=open", "must be one of registered, pending"),
        ("relatedAddress_eq=0x1&srcChain_eq=one", "must be a whole number"),
    ] {
        let path = format!("/api/xchain/transactions?{query}");
        let refused = world.client.get(path).send().await.expect_error(Problem::Validation);
        assert!(refused.text.contains(message), "{query}: {refused}");
    }
}

#[tokio::test]
async fn one_swap_is_read_with_its_history_as_the_list_shows_it() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (_, stranger) = world.owner(2).await;
    let made = swap(&wallet, 1);
    world.register(&owner, &made).await.expect(200);
    let (intent, spoke) = (made.intent_tx_hash.to_string(), made.spoke_tx_hash.to_string());
    let get = async |hash: &str, reader: Option<&SignedIn>| {
        let call = world.client.get(format!("/api/xchain/transactions/{hash}"));
        match reader {
            Some(reader) => call.bearer(&reader.access_token).send().await,
            None => call.send().await,
        }
    };
    // An unconfirmed registration is shown only to the account that made it.
    for hash in [&intent, &spoke] {
        let own = get(hash, Some(&owner)).await.expect(200);
        assert_eq!((own.text_of("status"), &own.data()["verified"]), ("registered", &json!(false)));
        assert_eq!(own.notes(), json!({ "pollAfterMs": 5_000 }));
        get(hash, Some(&stranger)).await.expect_error(Problem::XchainNotFound);
        get(hash, None).await.expect_error(Problem::XchainNotFound);
    }
    world.stack.hub().know(made.clone());
    world.stack.hub().set_status(made.intent_tx_hash, XchainStatus::Filled);
    world.stack.clock().advance(Duration::from_secs(6));
    world.status_of(&owner, &intent).await.expect(200);
    for hash in [&intent, &spoke] {
        for reader in [Some(&owner), Some(&stranger), None] {
            let found = get(hash, reader).await.expect(200);
            let listed = world.listed("select=+fillTxHash,+failedAtStep,+failureReason").await;
            for (field, value) in listed.data()[0].as_object().unwrap() {
                assert_eq!(&found.data()[field], value, "{field}");
            }
            let history = found.data()["history"].as_array().unwrap();
            let last = history.last().unwrap();
            assert_eq!((history.len(), &last["status"]), (2, &json!("filled")), "{found}");
            assert_eq!(last["at"], found.data()["updatedAt"]);
            assert_eq!(found.notes(), json!({ "pollAfterMs": null }));
            // Custody rule 22.
            assert!(!found.text.contains(&owner.account), "{found}");
        }
    }
    let tag = get(&intent, None).await.header("etag").to_owned();
    let call = world.client.get(format!("/api/xchain/transactions/{intent}"));
    assert_eq!(call.header("if-none-match", &tag).send().await.status, 304);
    let of_chain = async |chain: u64| {
        let path = format!("/api/xchain/transactions/{spoke}?srcChain={chain}");
        world.client.get(path).send().await
    };
    of_chain(made.src_chain).await.expect(200);
    of_chain(made.src_chain + 1).await.expect_error(Problem::XchainNotFound);
    get("not-a-hash", None).await.expect_error(Problem::Validation);
    get(&intent.replace("0x", "0x1")[..66], None).await.expect_error(Problem::XchainNotFound);
}

#[tokio::test]
async fn a_list_too_long_to_sort_or_filter_names_the_filters_that_shorten_it() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    world.register(&owner, &swap(&wallet, 1)).await.expect(200);
    let address = wallet.address().to_lowercase();
    for list in [keys::lists::xchain(), keys::lists::xchain_by_address(&address)] {
        let longer = Update::new().set(ListHead::COUNT, 5_001);
        let draft = Writes::new().update(&list.head(), longer, ());
        world.stack.app().store.commit(draft).await.unwrap();
    }
    for (query, says) in [
        (
            "sort=txId".to_owned(),
            "sorted by createdAt and -createdAt. A shorter list: relatedAddress_eq, \
             intentTokenPair_eq, intentToken_eq.",
        ),
        (
            format!("relatedAddress_eq={address}&status_eq=pending"),
            "cannot be filtered. A shorter list: intentTokenPair_eq, intentToken_eq.",
        ),
    ] {
        let path = format!("/api/xchain/transactions?{query}");
        let refused = world.client.get(path).send().await.expect_error(Problem::SortTooLarge);
        assert!(refused.body["details"].as_str().unwrap().contains(says), "{refused}");
    }
    // An earlier state of the list (`asOf`) makes the query no cheaper.
    let past = world.client.get("/api/xchain/transactions?sort=txId&asOf=1");
    past.send().await.expect_error(Problem::SortTooLarge);
}

#[tokio::test]
async fn lists_support_sorts_fields_and_relations() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let file = json!([
        {
            "tokenId": "42161:0x00000000000000000000000000000000000000aa",
            "chain": "42161", "symbol": "AAA", "divisibility": 6, "slots": [],
        },
    ]);
    for token in serde_json::from_value::<Vec<shared::models::token::Token>>(file.clone()).unwrap()
    {
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
        assert_eq!(rows[1]["token"], file[0]);
    }
    let visible = get("").await[0].clone();
    assert!(visible.get("fillTxHash").is_none() && visible["intent"]["outputToken"].is_string());
    assert!(get("select=%2BfillTxHash").await[0].get("fillTxHash").is_some());
    // The list does not reveal accounts (custody rule 22).
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
        "relatedAddress_eq=null",
        "relatedAddress_eq=a%23token%23b",
        "intentToken_eq=a%20b",
    ] {
        let path = format!("/api/xchain/transactions?{query}");
        world.client.get(path).send().await.expect_error(Problem::Validation);
    }
}
