//! `GET /api/support/search`.

use base::clock::Timestamp;
use chain::{
    keys,
    mints::Payout,
    models::vm_transaction::{Leg, PayoutKey},
};
use local::{
    hub::swap,
    wallets::{Wallet, with},
};
use serde_json::json;
use shared::{auth::limits::subject_of_name, problem::Problem};

use super::*;

/// Kind, id, account and by what it was found.
fn found(answer: &Answer) -> Vec<[Value; 4]> {
    let hit = |hit: &Value| ["kind", "id", "accountId", "foundBy"].map(|field| hit[field].clone());
    answer.data().as_array().unwrap().iter().map(hit).collect()
}

fn account_hit(user: &SignedIn, by: &str) -> [Value; 4] {
    [json!("account"), json!(user.account), json!(user.account), json!(by)]
}

#[tokio::test]
async fn an_account_is_found_by_what_its_owner_knows() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    world.user(2, "bob@example.com").await;
    let wallet = Wallet::p2wpkh(1);
    let trading = user.data["tradingAddress"].as_str().unwrap();
    for (q, by, form) in [
        ("ann@example.com", "email", "email"),
        (" Ann@Example.com ", "email", "email"),
        (wallet.address(), "signInWallet", "address"),
        (&wallet.address().to_uppercase(), "signInWallet", "address"),
        (trading, "tradingAddress", "address"),
        (&trading.to_uppercase(), "tradingAddress", "address"),
    ] {
        let answer = world.search(q).await;
        assert_eq!(found(&answer), [account_hit(&user, by)], "{q}");
        assert_eq!(answer.body["metaData"]["forms"], json!([form]), "{q}");
        assert_eq!(answer.body["metaData"]["logsQuery"], json!(null), "{q}");
        let hit = &answer.data()[0];
        assert_eq!((&hit["email"], &hit["state"]), (&json!("ann@example.com"), &json!("active")));
    }
    let by_id = world.search(&user.account).await;
    assert_eq!(found(&by_id), [account_hit(&user, "accountId")]);
    assert_eq!(by_id.body["metaData"]["forms"], json!(["uuid", "requestId"]));
}

#[tokio::test]
async fn addresses_of_every_chain_are_found() {
    let world = World::start().await;
    for (seed, wallet) in [(3, Wallet::evm(3)), (4, Wallet::solana(4)), (5, Wallet::p2tr(5))] {
        let user = sign_in(&world.client, &wallet).await;
        let answer = world.search(wallet.address()).await;
        assert_eq!(found(&answer), [account_hit(&user, "signInWallet")], "{seed}");
    }
}

#[tokio::test]
async fn a_swap_is_found_by_each_hash_and_address() {
    let world = World::start().await;
    let (wallet, other) = (Wallet::evm(1), Wallet::evm(2));
    let user = sign_in(&world.client, &wallet).await;
    let stranger = sign_in(&world.client, &other).await;
    for (by, of, n) in [(&user, &wallet, 1), (&stranger, &other, 2)] {
        let swap = swap(of, n);
        world.stack.hub().know(swap.clone());
        let call = world.client.post("/api/xchain/transactions/register");
        call.bearer(&by.access_token).json(&json!(swap)).send().await.expect(200);
    }
    let swap = swap(&wallet, 1);
    let intent = swap.intent_tx_hash.to_string();
    let hit = |by: &str| [json!("crossChain"), json!(intent), json!(user.account), json!(by)];
    for (q, by) in [
        (intent.clone(), "intentHash"),
        (intent.trim_start_matches("0x").to_owned(), "intentHash"),
        (swap.spoke_tx_hash.to_string(), "sourceTx"),
        (swap.spoke_tx_hash.digits().to_owned(), "sourceTx"),
    ] {
        let answer = world.search(&q).await;
        assert_eq!(found(&answer), [hit(by)], "{q}");
        let forms = answer.body["metaData"]["forms"].as_array().unwrap();
        assert!(forms.contains(&json!("hash")), "{answer}");
    }
    let by_wallet = world.search(wallet.address()).await;
    assert_eq!(found(&by_wallet), [account_hit(&user, "signInWallet"), hit("relatedAddress")]);
    // The recipient of both swaps belongs to no account.
    let by_recipient = world.search(&swap.dst_address.to_string()).await;
    let accounts = column(&by_recipient, "accountId");
    assert_eq!(accounts, [json!(stranger.account), json!(user.account)], "newest first");
}

/// Anyone may register a swap under the hash of another one while the hub does not know it yet.
#[tokio::test]
async fn false_registrations_do_not_hide_the_one_that_the_hub_has_confirmed() {
    let world = World::start().await;
    let (wallet, register) = (Wallet::evm(1), "/api/xchain/transactions/register");
    let swap = swap(&wallet, 1);
    world.stack.hub().agree(false);
    let mut strangers = Vec::new();
    for seed in 10..22 {
        let stranger = sign_in(&world.client, &Wallet::evm(seed)).await;
        let body = with(json!(swap), &json!({ "inputAmount": seed.to_string() }));
        let call = world.client.post(register).bearer(&stranger.access_token).json(&body);
        call.send().await.expect(200);
        strangers.push(stranger);
    }
    let owner = sign_in(&world.client, &wallet).await;
    world.stack.hub().know(swap.clone());
    let call = world.client.post(register).bearer(&owner.access_token).json(&json!(swap));
    call.send().await.expect(200);
    for (n, stranger) in (100..).zip(&strangers) {
        let body = json!(local::hub::swap(&wallet, n));
        let call = world.client.post(register).bearer(&stranger.access_token).json(&body);
        call.send().await.expect(200);
    }
    for (q, by) in [
        (swap.intent_tx_hash.to_string(), "intentHash"),
        (swap.spoke_tx_hash.to_string(), "sourceTx"),
        (wallet.address().to_owned(), "relatedAddress"),
    ] {
        let answer = world.search(&q).await;
        let hits = answer.data().as_array().unwrap().iter();
        let swaps: Vec<_> = hits.filter(|hit| hit["foundBy"] == by).collect();
        assert_eq!(swaps.len(), 10, "{answer}");
        assert_eq!(swaps[0]["accountId"], owner.account, "{answer}");
        let verified: Vec<_> = swaps.iter().map(|hit| hit["verified"].clone()).collect();
        assert_eq!(verified[0], json!(true), "{answer}");
        assert!(verified[1..].iter().all(|verified| *verified == json!(false)), "{answer}");
    }
    // A text that finds something is not a secret, so it is recorded.
    let recorded = world.recorded("adminId", &world.admin.account).await;
    assert_eq!(recorded[1]["query"], json!(swap.spoke_tx_hash.to_string()));
    let account = world.search(&owner.account).await;
    assert_eq!(account.data()[0]["verified"], json!(null));
}

#[tokio::test]
async fn the_record_keeps_no_secret_that_was_pasted_by_mistake() {
    let world = World::start().await;
    let (refresh, access) = (&world.admin.refresh_token, &world.admin.access_token);
    // A search takes 200 characters.
    let access: String = access.chars().take(200).collect();
    let extended = format!("xprv{}", "9".repeat(107));
    let wif = "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617";
    let seed = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    for (q, what) in [
        (wif, "looks like a private key."),
        (&extended, "looks like an extended private key."),
        (seed, "looks like a seed phrase."),
        (&seed.replace(' ', "  "), "looks like a seed phrase."),
        (&access, "looks like a token."),
        (refresh, "looks like a token."),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "looks like the secret of a webhook."),
    ] {
        let refused = world.try_search(q).await.expect_error(Problem::Validation);
        let error = &refused.body["errors"][0];
        assert_eq!(error["field"], "q", "{refused}");
        assert!(error["message"].as_str().unwrap().starts_with(what), "{refused}");
        assert!(!refused.text.contains(q), "{refused}");
    }
    // The digits of a key may also be a hash, so a search for them is allowed; it finds nothing here.
    let hex = "1f".repeat(32);
    let base58 = "5".repeat(87);
    let solana = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM";
    for key in [&*hex, &hex.to_uppercase(), &format!("0x{hex}"), &base58, solana] {
        world.search(key).await;
        let recorded = world.recorded("adminId", &world.admin.account).await;
        assert_eq!(recorded[0]["query"], format!("sha256:{}", subject_of_name(key)), "{key}");
    }
    let rows = json!(world.stack.contents()).to_string();
    for secret in [wif, seed, &extended, &*hex, &hex.to_uppercase(), &base58, solana] {
        assert!(!rows.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn exports_mints_and_distributions_are_found_by_their_ids() {
    let world = World::start().await;
    let user = world.user(1, "ann@example.com").await;
    let body = json!({ "format": "csv", "filter": {} });
    let call = world.client.post("/api/download-histories").bearer(&user.access_token);
    let export = call.json(&body).send().await.expect(201).text_of("id").to_owned();
    let answer = world.search(&export).await;
    let by_id = [json!("export"), json!(export), json!(user.account), json!("exportId")];
    assert_eq!(found(&answer), [by_id]);
    assert_eq!(answer.data()[0]["email"], "ann@example.com");

    let key =
        PayoutKey { mint_id: "018bcfe5-6800-7000-8000-0000000000aa".parse().unwrap(), number: 7 };
    let payout = Payout {
        mint_id: key.mint_id,
        number: key.number,
        leg: Leg::Distribution,
        version: 1,
        created_at: Timestamp(1),
        size: 2,
        requests: 3,
        spare_requests: 0,
        transaction: None,
        sent: None,
        is_final: false,
        is_noted: false,
    };
    world.stack.app().store.put(&keys::payout(key), &payout).await.unwrap();
    let id = format!("{}-7", key.mint_id);
    let answer = world.search(&id).await;
    assert_eq!(found(&answer), [[json!("payout"), json!(id), json!(null), json!("payoutId")]]);
    assert_eq!(answer.data()[0]["state"], "planned");
    assert_eq!(answer.body["metaData"]["forms"], json!(["payoutId"]));
}

#[tokio::test]
async fn the_id_of_a_request_leads_to_the_logs() {
    let world = World::start().await;
    let answer = world.search("JKJaXmPLvHcESHA=").await;
    assert_eq!(answer.data(), &json!([]));
    assert_eq!(answer.body["metaData"]["forms"], json!(["requestId"]));
    let query = answer.body["metaData"]["logsQuery"].as_str().unwrap();
    assert_eq!(query.lines().next(), Some("filter request_id = \"JKJaXmPLvHcESHA=\""));
    // It is the query that the stack has saved.
    let template = local::template::written().unwrap();
    let saved = &template["Resources"]["RequestQuery"]["Properties"]["QueryString"];
    assert_eq!(query, saved.as_str().unwrap().trim().replace("REQUEST_ID", "JKJaXmPLvHcESHA="));
}

#[tokio::test]
async fn what_nobody_has_is_an_empty_list() {
    let world = World::start().await;
    world.user(1, "ann@example.com").await;
    for q in [
        "nobody@example.com",
        "018bcfe5-6800-7000-8000-000000000001",
        "018bcfe5-6800-7000-8000-000000000001-9",
        Wallet::evm(9).address(),
        Wallet::solana(9).address(),
        Wallet::p2tr(9).address(),
        &"11".repeat(32),
        &format!("0x{}", "11".repeat(32)),
        "cx1111111111111111111111111111111111111111",
        "ann",
        "x",
        "reads#admin#x",
        "🦀",
    ] {
        let answer = world.search(q).await;
        assert_eq!(answer.data(), &json!([]), "{q}");
        assert_eq!(answer.body["metaData"]["totalItems"], 0, "{q}");
    }
}
