use alloy::primitives::U256;
use local::{LocalStack, client::Answer, mood::Mood};
use shared::problem::Problem;

use super::*;

#[tokio::test]
async fn common_signers_accept_both_transactions() {
    let world = world().await;
    let answer = world.deposit("10.50").await.expect(200);
    let venue = &world.stack.app().config.perp_venue;
    let from = world.wallet.address();
    let data = answer.data();
    let expected = json!({
        "usdcToken": "0x2B3370eE501B4a559b57D449569354196457D8Ab",
        "depositContract": "0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206",
        "rpcUrl": venue.rpc_url,
        "from": from,
        "amount": "10.5",
        "txs": [
            {
                "chainId": 998,
                "to": "0x2B3370eE501B4a559b57D449569354196457D8Ab",
                "data": "0x095ea7b30000000000000000000000000b80659a4076e9e93c7dbe0f10675a16a3e5c2060000000000000000000000000000000000000000000000000000000000a037a0",
                "value": "0x0",
            },
            {
                "chainId": 998,
                "to": "0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206",
                "data": "0x2b2dfd2c0000000000000000000000000000000000000000000000000000000000a037a00000000000000000000000000000000000000000000000000000000000000000",
                "value": "0x0",
            },
        ],
    });
    assert_eq!(data, &expected);
    assert_eq!(meta(&answer), all_well());
    assert_eq!(answer.code(), "1");
    // The order is for people who read the answer.
    let order = ["usdcToken", "depositContract", "rpcUrl", "from", "amount", "txs", "metaData"];
    let places: Vec<_> = order.map(|key| answer.text.find(&format!("\"{key}\"")).unwrap()).into();
    assert!(places.is_sorted(), "{answer}");
    says(&answer, r#"{"chainId":998,"to":"0x2B3370eE501B4a559b57D449569354196457D8Ab","data":"0x"#);
}

/// The contract loses USDC that arrives by a plain transfer.
#[tokio::test]
async fn transactions_call_the_deposit_contract_and_transfer_nothing_to_it() {
    let world = world().await;
    let answer = world.deposit("10.50").await.expect(200);
    let transactions = answer.data()["txs"].as_array().unwrap();
    let calls = transactions.iter().map(|transaction| &transaction["data"].as_str().unwrap()[..10]);
    // `approve` of USDC, `deposit` of the contract.
    assert_eq!(calls.collect::<Vec<_>>(), ["0x095ea7b3", "0x2b2dfd2c"]);
    assert_ne!(transactions[0]["to"], transactions[1]["to"]);
}

/// Values of the venue's mainnet, as its documentation lists them.
#[tokio::test]
async fn mainnet_needs_only_a_setting() {
    let world = world_of(LocalStack::builder().setting("PERP_VENUE_CHAIN", "Mainnet").evm()).await;
    let answer = world.deposit("1").await;
    answer.expect_error(Problem::PerpVenueInsufficientUsdc);
    world.venue().set_usdc(world.address(), usdc("5")).await.unwrap();
    let answer = world.deposit("5").await.expect(200);
    let data = answer.data();
    assert_eq!(data["usdcToken"], "0xb88339CB7199b77E23DB6E890353E22632Ba630f");
    assert_eq!(data["depositContract"], "0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24");
    assert_eq!(data["txs"][0]["chainId"], 999);
    assert_eq!(data["txs"][1]["to"], data["depositContract"]);
}

#[track_caller]
fn expect_error_on_amount(answer: Answer, amount: &Value) {
    let answer = answer.expect_error(Problem::Validation);
    let named = answer.body["errors"][0]["field"] == "amount";
    assert!(named, "{amount}: {answer}");
}

/// The rules for amounts hold for both endpoints that take one.
#[tokio::test]
async fn amounts_are_digits_with_at_most_6_decimals() {
    let world = world().await;
    world.set(|account| account.perps = usdc("100"));
    let (eighty, zeros) = ("1".repeat(80), "0".repeat(80));
    for endpoint in ["deposit", "withdraw"] {
        for (amount, normalised) in [
            ("0.1", "0.1"),
            ("0.100000", "0.1"),
            ("1", "1"),
            ("1.0", "1"),
            ("99.999999", "99.999999"),
            ("0.000001", "0.000001"),
        ] {
            let body = json!({ "userAddress": world.wallet.address(), "amount": amount });
            let answer = world.post(endpoint, &body).await.expect(200);
            let data = answer.data();
            let answered = if endpoint == "deposit" { data } else { &data["action"] };
            assert_eq!(answered["amount"], normalised);
        }
        for amount in [
            json!("1e3"),
            json!(" 5"),
            json!("5 "),
            json!("5,0"),
            json!("1,000"),
            json!("-1"),
            json!("+1"),
            json!("0"),
            json!("0.0"),
            json!("0.0000001"),
            json!("0.1000000"),
            json!(""),
            json!("."),
            json!("1."),
            json!(".5"),
            json!("0x10"),
            json!("１"),
            json!("NaN"),
            json!("184467440737.095517"),
            json!(eighty),
            json!(zeros),
            json!(1),
            json!(0.1),
            json!(null),
            json!(["1"]),
        ] {
            let body = json!({ "userAddress": world.wallet.address(), "amount": amount });
            expect_error_on_amount(world.post(endpoint, &body).await, &amount);
        }
    }
}

#[tokio::test]
async fn a_deposit_may_use_the_exact_balance_and_no_more() {
    let world = world().await;
    world.venue().set_usdc(world.address(), usdc("12.345678")).await.unwrap();
    world.deposit("12.345678").await.expect(200);
    let answer = world.deposit("12.345679").await.expect_error(Problem::PerpVenueInsufficientUsdc);
    assert_eq!(answer.body["message"], "perpVenue.insufficientUsdc");
    says(&answer, "12.345678");
    assert_eq!(answer.body["errors"][0]["field"], "amount");
}

#[tokio::test]
async fn a_paused_contract_is_503() {
    let world = world().await;
    world.venue().pause(true).await.unwrap();
    // The pause is reported before any error that the caller could fix.
    for amount in ["1", "1000"] {
        let answer = world.deposit(amount).await.expect_error(Problem::PerpVenuePaused);
        assert_eq!(answer.body["message"], "perpVenue.paused");
        assert_eq!(answer.header("retry-after"), "60");
    }
    // The same contract pays out withdrawals.
    world.set(|account| account.perps = usdc("5"));
    let answer = world.withdraw("1").await.expect_error(Problem::PerpVenuePaused);
    assert_eq!(answer.header("retry-after"), "60");
    world.venue().pause(false).await.unwrap();
    world.deposit("1").await.expect(200);
    world.withdraw("1").await.expect(200);
}

#[tokio::test]
async fn the_first_deposit_pays_the_activation_fee() {
    let world = world().await;
    world.venue().set_exists(world.address(), false).await.unwrap();
    for amount in ["0.000001", "1"] {
        let answer =
            world.deposit(amount).await.expect_error(Problem::PerpVenueAmountBelowActivationFee);
        assert_eq!(answer.body["message"], "perpVenue.amountBelowActivationFee");
    }
    let fee_and = |net: &str| {
        [
            ("activationFee".to_owned(), Some("1".to_owned())),
            ("netCredited".to_owned(), Some(net.to_owned())),
        ]
    };
    let answer = world.deposit("1.000001").await.expect(200);
    assert_eq!(warned(&answer), fee_and("0.000001"));
    let answer = world.deposit("25").await.expect(200);
    assert_eq!(warned(&answer), fee_and("24"));
    assert_eq!(meta(&answer)["checks"], "complete");
    // An amount above the balance and below the fee: the balance is checked first.
    world.venue().set_usdc(world.address(), usdc("0.5")).await.unwrap();
    world.deposit("0.75").await.expect_error(Problem::PerpVenueInsufficientUsdc);
}

/// The contract's owner can change the fee.
#[tokio::test]
async fn the_activation_fee_comes_from_the_contract() {
    let world = world().await;
    world.venue().set_exists(world.address(), false).await.unwrap();
    world.venue().set_activation_fee(250_000_001).await.unwrap();
    world.deposit("2.500001").await.expect_error(Problem::PerpVenueAmountBelowActivationFee);
    let answer = world.deposit("2.500002").await.expect(200);
    assert_eq!(warned(&answer)[0].1.as_deref(), Some("2.500001"));
    world.venue().set_activation_fee(0).await.unwrap();
    assert_eq!(meta(&world.deposit("0.000001").await.expect(200)), all_well());
    // If the contract does not answer, nothing is refused and no amount is promised.
    world.venue().rpc_says("0x820b3e1e", json!({ "error": { "code": 3, "message": "reverted" } }));
    let answer = world.deposit("1").await.expect(200);
    assert_eq!(warned(&answer), [("activationFee".to_owned(), None)]);
    assert_eq!(meta(&answer)["checks"], "unavailable");
    // An existing account pays no activation fee.
    world.venue().set_exists(world.address(), true).await.unwrap();
    assert_eq!(meta(&world.deposit("2").await.expect(200)), all_well());
}

/// The contract's owner can turn off forwarding to perpetuals. The account is activated nevertheless.
#[tokio::test]
async fn a_deposit_that_goes_to_spot_says_so() {
    let world = world().await;
    let to_spot = ("creditedToSpot".to_owned(), None);
    world.venue().forward_nothing(true).await.unwrap();
    let answer = world.deposit("0.5").await.expect(200);
    assert_eq!(warned(&answer), std::slice::from_ref(&to_spot));
    assert_eq!(meta(&answer)["checks"], "complete");
    world.venue().set_exists(world.address(), false).await.unwrap();
    world.venue().set_activation_fee(0).await.unwrap();
    world.deposit("1").await.expect_error(Problem::PerpVenueAmountBelowActivationFee);
    let answer = world.deposit("1.5").await.expect(200);
    assert_eq!(warned(&answer)[0], to_spot);
    assert_eq!(warned(&answer)[2], ("netCredited".to_owned(), Some("0.5".to_owned())));
    world.venue().forward_nothing(false).await.unwrap();
    assert_eq!(meta(&world.deposit("0.5").await.expect(200)), all_well());
    // The same if the contract forwards to something other than perpetuals.
    world.venue().rpc_says("0x0e721e6e", json!({ "result": format!("0x{:064x}", 0) }));
    let answer = world.deposit("1.5").await.expect(200);
    assert_eq!(warned(&answer)[0], to_spot);
}

/// A contract could not sign for its balance at the venue.
#[tokio::test]
async fn a_contract_wallet_cannot_deposit() {
    let world = world().await;
    world.venue().set_code(world.address(), "0x6001").await.unwrap();
    let answer = world.deposit("1").await.expect_error(Problem::PerpVenueContractWallet);
    assert_eq!(answer.body["errors"][0]["field"], "userAddress");
    // A key with delegated code (EIP-7702) signs like any other key.
    let delegated = format!("0xef0100{}", "ab".repeat(20));
    world.venue().set_code(world.address(), &delegated).await.unwrap();
    assert_eq!(meta(&world.deposit("1").await.expect(200)), all_well());
}

/// A call to an address without code succeeds: the approval would stand for any later owner of the address.
#[tokio::test]
async fn settings_that_the_chain_contradicts_are_503() {
    let venue = perp_venue::venue::VenueChain::Testnet;
    let nothing = json!({ "result": "0x" });
    for lies in [
        vec![("eth_chainId", json!({ "result": "0x3e7" }))],
        vec![("0xfc0c546a", json!({ "result": format!("0x{:064x}", 7) }))],
        vec![("0x70a08231", nothing.clone()), (USDC_CODE, nothing.clone())],
        vec![("0x5c975abb", nothing.clone()), (DEPOSIT_CODE, nothing)],
    ] {
        let world = world().await;
        assert_eq!(world.stack.app().config.perp_venue.chain, venue);
        world.set(|account| account.perps = usdc("5"));
        world.deposit("1").await.expect(200);
        let tell = |lies: &[(&str, Value)]| {
            lies.iter().for_each(|(part, members)| world.venue().rpc_says(part, members.clone()));
        };
        tell(&lies);
        let answer = world.deposit("1").await.expect_error(Problem::Unavailable);
        assert!(!answer.text.contains("PERP_VENUE"), "settings belong in the log only: {answer}");
        // Wrong settings cannot lose funds at these endpoints.
        let status = world.status().await.expect(200);
        assert_eq!(status.data()["usdcBalance"], Value::Null);
        assert_eq!(meta(&status)["checks"], "unavailable");
        let withdrawal = world.withdraw("1").await.expect(200);
        assert_eq!(meta(&withdrawal)["checks"], "unavailable");
        // The contradiction is remembered while the chain does not answer.
        tell(&lies.iter().map(|(part, _)| (*part, Value::Null)).collect::<Vec<_>>());
        world.venue().rpc_is(Mood { status: Some(429), ..Mood::default() });
        world.deposit("1").await.expect_error(Problem::Unavailable);
        world.venue().rpc_is(Mood::default());
        assert_eq!(meta(&world.deposit("1").await.expect(200)), all_well());
    }
}

/// Part of the request for the USDC contract's code.
const USDC_CODE: &str = r#""eth_getCode","params":["0x2b3370ee"#;
const DEPOSIT_CODE: &str = r#""eth_getCode","params":["0x0b80659a"#;

/// The URL contains the provider's key.
#[tokio::test]
async fn the_services_own_rpc_url_stays_secret() {
    let told = "http://127.0.0.1:9/evm";
    let world = world_of(LocalStack::builder().setting("PERP_VENUE_RPC_URL", told).evm()).await;
    world.venue().set_usdc(world.address(), usdc("2")).await.unwrap();
    let answer = world.deposit("2").await.expect(200);
    assert_eq!(answer.data()["rpcUrl"], told);
    assert_eq!(world.venue().rpc_calls(), 1, "the service's own RPC answers");
    assert!(!answer.text.contains(world.venue().rpc_url()), "{answer}");
}

#[tokio::test]
async fn low_gas_is_a_warning() {
    let world = world().await;
    for (wei, warns) in [("0", true), ("0.000000000000001", true), ("1", false)] {
        world.venue().set_gas(world.address(), parse_ether(wei).unwrap()).await.unwrap();
        let answer = world.deposit("1").await.expect(200);
        let kinds: Vec<_> = warned(&answer).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, if warns { vec!["lowGas"] } else { vec![] }, "{wei}");
    }
    // A gas price so high that the multiplication overflows.
    world.venue().rpc_says("eth_gasPrice", json!({ "result": format!("{:#x}", U256::MAX) }));
    assert_eq!(warned(&world.deposit("1").await.expect(200))[0].0, "lowGas");
}

/// Funds must never be trapped, and the venue refuses the approval of a wallet without a deposit.
#[tokio::test]
async fn the_gate_never_blocks_a_deposit() {
    let world = world().await;
    world.set(|account| account.max_builder_fee = 49);
    let answer = world.deposit("1").await.expect(200);
    assert_eq!(meta(&answer)["gates"], json!(["builderFeeNotApproved"]));
    assert_eq!(meta(&answer)["checks"], "complete");
    assert_eq!(answer.data()["txs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_leftover_allowance_changes_nothing() {
    let world = world().await;
    let word = format!("0x{}", "f".repeat(64));
    world.venue().rpc_says("0xdd62ed3e", json!({ "result": word }));
    let answer = world.deposit("1").await.expect(200);
    assert!(answer.data()["txs"][0]["data"].as_str().unwrap().ends_with("0f4240"));
}
