use std::{collections::BTreeSet, time::Duration};

use shared::problem::Problem;

use super::*;

#[tokio::test]
async fn the_action_pays_the_signer_alone() {
    let world = world().await;
    world.stack.clock().stop();
    world.set(|account| account.perps = usdc("12"));
    let answer = world.withdraw("2.50").await.expect(200);
    says(
        &answer,
        r#""data":{"kind":"withdraw","action":{"type":"sendAsset","venueChain":"Testnet","signatureChainId":"0x3e6","destination":"0x2000000000000000000000000000000000000000","sourceDex":"","destinationDex":"spot","token":"USDC:0xeb62eee3685fc4c43992febcd9e75443","amount":"2.5","fromSubAccount":""},"signing":{"#,
    );
    assert_eq!(meta(&answer), all_well());
    // With the nonce of the answer, the wallet signs what the venue's own packages hash:
    // `infra/local/tests/venue`.
    let signing = &answer.data()["signing"];
    let fields = [
        ("hyperliquidChain", "string"),
        ("destination", "string"),
        ("sourceDex", "string"),
        ("destinationDex", "string"),
        ("token", "string"),
        ("amount", "string"),
        ("fromSubAccount", "string"),
        ("nonce", "uint64"),
    ];
    assert_eq!(signing["scheme"], "userSignedAction");
    assert_eq!(signing["domain"], domain("HyperliquidSignTransaction", 998));
    assert_eq!(signing["types"], json!({ "HyperliquidTransaction:SendAsset": typed(&fields) }));
    assert_eq!(signing["primaryType"], "HyperliquidTransaction:SendAsset");
    assert_eq!(signing["nonce"], world.client.now().0);
}

/// Every field of the action, the nonce and the network are signed.
#[tokio::test]
async fn the_digest_changes_with_what_is_signed() {
    let world = world().await;
    world.stack.clock().stop();
    world.set(|account| account.perps = usdc("12"));
    let mut digests = BTreeSet::new();
    let mut differs = |answer: &Answer| {
        let digest = answer.data()["signing"]["digest"].as_str().unwrap();
        digests.insert(digest.to_owned())
    };
    assert!(differs(&world.withdraw("2.5").await.expect(200)));
    assert!(!differs(&world.withdraw("2.50").await.expect(200)));
    assert!(differs(&world.withdraw("2.51").await.expect(200)));
    world.stack.clock().advance(Duration::from_millis(1));
    assert!(differs(&world.withdraw("2.5").await.expect(200)));
}

#[tokio::test]
async fn a_unified_account_withdraws_from_spot() {
    let world = world().await;
    for (mode, source) in [
        ("default", ""),
        ("disabled", ""),
        ("dexAbstraction", ""),
        ("unifiedAccount", "spot"),
        ("portfolioMargin", "spot"),
    ] {
        world.set(|account| {
            account.mode = mode.to_owned();
            (account.perps, account.spot, account.hold) = (usdc("10"), usdc("9.5"), usdc("1"));
        });
        let answer = world.withdraw("6").await.expect(200);
        assert_eq!(answer.data()["action"]["sourceDex"], source, "{mode}");
        let most = if source.is_empty() { "10" } else { "8.5" };
        let answer =
            world.withdraw("10.5").await.expect_error(Problem::PerpVenueInsufficientBalance);
        says(&answer, &format!("At most {most} USDC"));
        assert_eq!(answer.body["errors"][0]["field"], "amount");
        world.stack.clock().advance(Duration::from_secs(5));
    }
}

/// Funds must never be trapped, and deposits can end up in the spot balance.
#[tokio::test]
async fn other_accounts_withdraw_from_spot_if_perps_has_too_little() {
    let world = world().await;
    world.set(|account| {
        (account.perps, account.spot, account.transfer_fee) = (usdc("3"), usdc("8"), usdc("1"));
    });
    for (amount, source) in [("2", ""), ("2.5", "spot"), ("7", "spot")] {
        let answer = world.withdraw(amount).await.expect(200);
        assert_eq!(answer.data()["action"]["sourceDex"], source, "{amount}");
        assert_eq!(meta(&answer)["checks"], "complete");
    }
    // A withdrawal never takes a part from each balance.
    let answer = world.withdraw("8").await.expect_error(Problem::PerpVenueInsufficientBalance);
    says(&answer, "At most 7 USDC");
}

/// The venue takes the fee on top, so an amount equal to the balance fails.
#[tokio::test]
async fn the_transfer_fee_comes_on_top() {
    let world = world().await;
    world.set(|account| {
        account.perps = usdc("12");
        account.transfer_fee = usdc("1");
    });
    let answer = world.withdraw("12").await.expect_error(Problem::PerpVenueInsufficientBalance);
    assert_eq!(answer.body["message"], "perpVenue.insufficientVenueBalance");
    says(&answer, "At most 11 USDC");
    world.withdraw("11.000001").await.expect_error(Problem::PerpVenueInsufficientBalance);
    let answer = world.withdraw("11").await.expect(200);
    assert_eq!(warned(&answer), [("transferFee".to_owned(), Some("1".to_owned()))]);
    assert_eq!(answer.data()["action"]["amount"], "11");
}

/// A wallet without coins for gas pays it in USDC, and the venue refuses a transfer that leaves none.
#[tokio::test]
async fn a_withdrawal_that_leaves_nothing_for_gas_is_warned_of() {
    let world = world().await;
    world.set(|account| {
        account.mode = "unifiedAccount".to_owned();
        account.spot = usdc("12");
        account.gas_coins = "0.0".to_owned();
    });
    let answer = world.withdraw("12").await.expect(200);
    assert_eq!(warned(&answer), [("transferGas".to_owned(), Some("11.99".to_owned()))]);
    assert_eq!(meta(&answer)["checks"], "complete");
    assert_eq!(meta(&world.withdraw("11.99").await.expect(200)), all_well());
    // With such coins, the whole balance arrives.
    world.set(|account| account.gas_coins = "0.5".to_owned());
    world.stack.clock().advance(Duration::from_secs(5));
    assert_eq!(meta(&world.withdraw("12").await.expect(200)), all_well());
}

/// With portfolio margin, `hold` is less by what could be borrowed, and nothing borrowed can be withdrawn.
#[tokio::test]
async fn a_loan_cannot_be_withdrawn() {
    let world = world().await;
    world.set(|account| {
        account.mode = "portfolioMargin".to_owned();
        (account.spot, account.hold) = (usdc("100"), usdc("30"));
        account.spot_hold = Some(usdc("80"));
    });
    let answer =
        world.withdraw("20.000001").await.expect_error(Problem::PerpVenueInsufficientBalance);
    says(&answer, "At most 20 USDC");
    world.withdraw("20").await.expect(200);
    assert_eq!(world.status().await.expect(200).data()["venueBalance"], "20");
}

#[tokio::test]
async fn sanctions_and_escrowed_funds_are_warned_of() {
    let world = world().await;
    world.set(|account| {
        (account.perps, account.escrowed) = (usdc("12"), usdc("3"));
        account.is_sanctioned = true;
    });
    let sanctioned = ("sanctioned".to_owned(), None);
    let escrowed = ("escrowed".to_owned(), Some("3".to_owned()));
    assert_eq!(warned(&world.withdraw("5").await.expect(200)), [sanctioned.clone(), escrowed]);
    assert_eq!(warned(&world.deposit("5").await.expect(200)), [sanctioned]);
}

#[tokio::test]
async fn a_fee_above_the_balance_leaves_nothing() {
    let world = world().await;
    world.set(|account| {
        account.perps = usdc("0.5");
        account.transfer_fee = usdc("1");
    });
    let answer = world.withdraw("0.1").await.expect_error(Problem::PerpVenueInsufficientBalance);
    says(&answer, "At most 0 USDC");
}

/// Fractions of a millionth are worthless to the user, but the fee may need a whole one.
#[tokio::test]
async fn balances_round_down_and_fees_round_up_to_a_millionth() {
    let world = world().await;
    world.venue().info_says("clearinghouseState", json!({ "withdrawable": "5.99999999" }));
    world.venue().info_says("preTransferCheck", json!({ "fee": "0.00000001" }));
    let answer =
        world.withdraw("5.999999").await.expect_error(Problem::PerpVenueInsufficientBalance);
    says(&answer, "At most 5.999998 USDC");
    world.withdraw("5.999998").await.expect(200);
}

#[tokio::test]
async fn the_gate_never_blocks_a_withdrawal() {
    let world = world().await;
    world.set(|account| {
        account.perps = usdc("5");
        account.max_builder_fee = 0;
    });
    let answer = world.withdraw("5").await.expect(200);
    assert_eq!(meta(&answer)["gates"], json!(["builderFeeNotApproved"]));
}

#[tokio::test]
async fn a_wallet_unknown_to_the_venue_has_no_balance() {
    let world = world_of(LocalStack::builder()).await;
    world.withdraw("1").await.expect_error(Problem::PerpVenueInsufficientBalance);
}
