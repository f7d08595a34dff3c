use shared::problem::Problem;

use super::*;

const ENDPOINT: &str = "builder-fee-approval";

#[tokio::test]
async fn the_action_asks_for_the_configured_fee() {
    let world = world().await;
    let answer = world.post(ENDPOINT, &json!({})).await.expect(200);
    says(
        &answer,
        r#""data":{"kind":"approve_builder_fee","action":{"type":"approveBuilderFee","venueChain":"Testnet","signatureChainId":"0x3e6","maxFeeRate":"0.05%","builder":"0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359"},"signing":{"#,
    );
    // Without a wallet no check runs, so `metaData` has no `checks`.
    assert_eq!(meta(&answer), json!({ "gates": [], "warnings": [] }));
    assert!(world.venue().questions().is_empty());
    let signing = &answer.data()["signing"];
    let fields = [
        ("hyperliquidChain", "string"),
        ("maxFeeRate", "string"),
        ("builder", "address"),
        ("nonce", "uint64"),
    ];
    let types = json!({ "HyperliquidTransaction:ApproveBuilderFee": typed(&fields) });
    assert_eq!(signing["types"], types);
    assert_eq!(signing["domain"], domain("HyperliquidSignTransaction", 998));
}

#[tokio::test]
async fn an_empty_body_counts_as_an_empty_object() {
    let world = world().await;
    let path = format!("/api/perp-venue/{ENDPOINT}");
    let call = world.client.post(path).bearer(&world.user.access_token);
    call.send().await.expect(200);
    for body in [json!([]), json!("x")] {
        world.post(ENDPOINT, &body).await.expect_error(Problem::MalformedBody);
    }
}

#[tokio::test]
async fn mainnet_actions_are_signed_for_chain_999() {
    let world = world_of(
        LocalStack::builder()
            .setting("PERP_VENUE_CHAIN", "Mainnet")
            .setting("PERP_VENUE_BUILDER_FEE", "0.1000%"),
    )
    .await;
    let answer = world.post(ENDPOINT, &json!({})).await.expect(200);
    let action = &answer.data()["action"];
    assert_eq!(action["venueChain"], "Mainnet");
    assert_eq!(action["signatureChainId"], "0x3e7");
    assert_eq!(action["maxFeeRate"], "0.1%");
    assert_eq!(answer.data()["signing"]["domain"], domain("HyperliquidSignTransaction", 999));
}

/// The gate stays while the approved fee is lower than the configured one.
#[tokio::test]
async fn the_gate_is_listed_for_a_named_wallet() {
    let world = world().await;
    let body = json!({ "userAddress": world.wallet.address() });
    for (approved, stands) in [(0, true), (49, true), (50, false), (100, false)] {
        world.set(|account| account.max_builder_fee = approved);
        let answer = world.post(ENDPOINT, &body).await.expect(200);
        let gates = if stands { json!(["builderFeeNotApproved"]) } else { json!([]) };
        let expected = json!({ "gates": gates, "checks": "complete", "warnings": [] });
        assert_eq!(meta(&answer), expected, "{approved}");
        // A wallet that has approved may approve again.
        assert_eq!(answer.data()["kind"], "approve_builder_fee");
        world.stack.clock().advance(std::time::Duration::from_secs(5));
    }
}
