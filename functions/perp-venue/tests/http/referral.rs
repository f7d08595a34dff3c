use super::*;

#[tokio::test]
async fn the_action_has_type_before_code() {
    let world = world().await;
    let answer = world.referral().await.expect(200);
    says(
        &answer,
        r#""data":{"kind":"set_referrer","action":{"type":"setReferrer","code":"RUNEPORT"},"signing":{"#,
    );
    assert_eq!(meta(&answer), all_well());
    let signing = &answer.data()["signing"];
    assert_eq!(signing["scheme"], "l1Action");
    assert_eq!(signing["domain"], domain("Exchange", 1337));
    let agent = typed(&[("source", "string"), ("connectionId", "bytes32")]);
    assert_eq!(signing["types"], json!({ "Agent": agent }));
    assert_eq!(signing["primaryType"], "Agent");
}

#[tokio::test]
async fn without_a_configured_code_the_action_is_null() {
    let world = world_of(LocalStack::builder().setting("PERP_VENUE_REFERRAL_CODE", "")).await;
    let answer = world.referral().await.expect(200);
    assert_eq!(answer.data(), &Value::Null);
    says(&answer, r#""data":null"#);
    // The service asks no question whose answer would not matter.
    assert_eq!(world.venue().questions(), ["maxBuilderFee"]);
    assert_eq!(meta(&answer)["checks"], "complete");
    assert_eq!(meta(&answer)["gates"], json!(["builderFeeNotApproved"]));
}

#[tokio::test]
async fn a_wallet_with_a_referrer_gets_no_action() {
    let world = world().await;
    for code in ["ANOTHER", "RUNEPORT"] {
        world.set(|account| account.referrer = Some(code.to_owned()));
        assert_eq!(world.referral().await.expect(200).data(), &Value::Null);
        world.stack.clock().advance(std::time::Duration::from_secs(5));
    }
}

#[tokio::test]
async fn a_wallet_with_10000_usd_of_volume_gets_no_action() {
    let world = world().await;
    for (volume, is_action) in
        [("0", true), ("9999.999999", true), ("10000", false), ("123456789.12", false)]
    {
        world.set(|account| account.volume = usdc(volume));
        let answer = world.referral().await.expect(200);
        assert_eq!(answer.data().is_object(), is_action, "{volume}");
        world.stack.clock().advance(std::time::Duration::from_secs(5));
    }
}

/// The venue refuses a wallet that refers itself.
#[tokio::test]
async fn the_wallets_own_code_is_warned_of() {
    let world = world().await;
    for (code, warns) in [("RUNEPORT", true), ("ANOTHER", false)] {
        world.set(|account| account.own_code = Some(code.to_owned()));
        let answer = world.referral().await.expect(200);
        assert_eq!(answer.data()["action"]["code"], "RUNEPORT");
        let expected = warns.then(|| ("ownReferralCode".to_owned(), None));
        assert_eq!(warned(&answer), Vec::from_iter(expected), "{code}");
        assert_eq!(meta(&answer)["checks"], "complete");
        world.stack.clock().advance(std::time::Duration::from_secs(5));
    }
}

#[tokio::test]
async fn the_gate_is_listed() {
    let world = world().await;
    world.set(|account| account.max_builder_fee = 0);
    let answer = world.referral().await.expect(200);
    assert_eq!(meta(&answer)["gates"], json!(["builderFeeNotApproved"]));
    assert!(answer.data().is_object());
}
