use shared::problem::Problem;

use super::*;

#[tokio::test]
async fn status_reports_balances_and_gates_of_a_wallet() {
    let world = world().await;
    world.set(|account| {
        account.perps = usdc("7.25");
        account.referrer = Some("FRIEND".to_owned());
        account.volume = usdc("1234.5");
        account.max_builder_fee = 10;
    });
    let answer = world.status().await.expect(200);
    let expected = json!({
        "gates": ["builderFeeNotApproved"],
        "referrer": {
            "address": "0x00000000000000000000000000000000000000ff",
            "code": "FRIEND",
        },
        "cumulativeVolumeUsd": "1234.5",
        "maxBuilderFee": 10,
        "usdcBalance": "100",
        "allowance": "0",
        "venueBalance": "7.25",
    });
    assert_eq!(answer.data(), &expected);
    assert_eq!(meta(&answer), json!({ "checks": "complete", "warnings": [] }));
}

#[tokio::test]
async fn a_new_wallet_has_zero_balances() {
    let world = world_of(LocalStack::builder().evm()).await;
    let answer = world.status().await.expect(200);
    let expected = json!({
        "gates": ["builderFeeNotApproved"],
        "referrer": null,
        "cumulativeVolumeUsd": "0",
        "maxBuilderFee": 0,
        "usdcBalance": "0",
        "allowance": "0",
        "venueBalance": "0",
    });
    assert_eq!(answer.data(), &expected);
}

#[tokio::test]
async fn unknown_facts_are_null() {
    let world = world_of(LocalStack::builder()).await;
    world.set(|account| account.perps = usdc("3"));
    let answer = world.status().await.expect(200);
    let data = answer.data();
    assert_eq!((&data["usdcBalance"], &data["allowance"]), (&Value::Null, &Value::Null));
    assert_eq!(data["venueBalance"], "3");
    assert_eq!(meta(&answer)["checks"], "unavailable");

    let world = self::world().await;
    for question in ["referral", "maxBuilderFee", "userAbstraction"] {
        world.venue().info_says(question, json!({}));
    }
    let answer = world.status().await.expect(200);
    let expected = json!({
        "gates": [], "referrer": null, "cumulativeVolumeUsd": null, "maxBuilderFee": null,
        "usdcBalance": "100", "allowance": "0", "venueBalance": null,
    });
    assert_eq!(answer.data(), &expected);
    assert_eq!(meta(&answer)["checks"], "unavailable");
}

/// Some wallets approve an unlimited amount once, so the allowance can have any size.
#[tokio::test]
async fn an_unlimited_allowance_is_shown_as_it_is() {
    let world = world().await;
    let word = format!("0x{}", "f".repeat(64));
    world.venue().rpc_says("0xdd62ed3e", json!({ "result": word }));
    let answer = world.status().await.expect(200);
    assert_eq!(
        answer.data()["allowance"],
        "115792089237316195423570985008687907853269984665640564039457584007913129.639935"
    );
}

#[tokio::test]
async fn status_requires_a_wallet() {
    let world = world().await;
    for query in ["", "?userAddress=", "?userAddress=0x12"] {
        let path = format!("/api/perp-venue/status{query}");
        let call = world.client.get(path).bearer(&world.user.access_token);
        call.send().await.expect_error(Problem::Validation);
    }
}

/// A transfer to the EVM chain that has not arrived yet is missing from the balances.
#[tokio::test]
async fn escrowed_funds_are_named() {
    let world = world().await;
    world.set(|account| (account.spot, account.escrowed) = (usdc("4"), usdc("2.5")));
    let answer = world.status().await.expect(200);
    assert_eq!(warned(&answer), [("escrowed".to_owned(), Some("2.5".to_owned()))]);
    assert_eq!(answer.data()["venueBalance"], "4");
}
