//! Requests to the venue and its EVM chain, and the service's answers if they fail.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use local::mood::Mood;
use shared::{auth::limits::VENUE_BY_ACCOUNT, problem::Problem};

use super::*;

/// A party that closes every connection.
fn down() -> Mood {
    Mood { down: true, ..Mood::default() }
}

/// All four actions and the status.
async fn all(world: &World) -> [Answer; 5] {
    let approval = json!({ "userAddress": world.wallet.address() });
    [
        world.deposit("5").await.expect(200),
        world.referral().await.expect(200),
        world.post("builder-fee-approval", &approval).await.expect(200),
        world.withdraw("5").await.expect(200),
        world.status().await.expect(200),
    ]
}

#[tokio::test]
async fn actions_are_returned_while_the_venue_and_its_chain_are_down() {
    let moods = [
        down(),
        Mood { status: Some(500), ..Mood::default() },
        Mood { status: Some(404), ..Mood::default() },
        Mood { status: Some(429), ..Mood::default() },
        Mood { malformed: true, ..Mood::default() },
    ];
    for mood in moods {
        let world = world().await;
        world.venue().info_is(mood);
        world.venue().rpc_is(mood);
        let [deposit, referral, approval, withdrawal, status] = all(&world).await;
        assert_eq!(deposit.data()["txs"].as_array().unwrap().len(), 2);
        assert_eq!(referral.data()["action"]["code"], "RUNEPORT");
        assert_eq!(approval.data()["action"]["maxFeeRate"], "0.05%");
        assert_eq!(withdrawal.data()["action"]["sourceDex"], "");
        assert_eq!(status.data()["usdcBalance"], Value::Null);
        // The status has its gates in its data.
        assert_eq!(status.data()["gates"], json!([]));
        assert_eq!(meta(&status), json!({ "checks": "unavailable", "warnings": [] }));
        for answer in [deposit, referral, approval, withdrawal] {
            let expected = json!({ "gates": [], "checks": "unavailable", "warnings": [] });
            assert_eq!(meta(&answer), expected, "{mood:?}: {answer}");
        }
    }
}

/// Every known fact is checked, even if others are missing.
#[tokio::test]
async fn chain_checks_hold_while_the_info_api_is_down() {
    let world = world().await;
    world.venue().info_is(down());
    world.deposit("100.000001").await.expect_error(Problem::PerpVenueInsufficientUsdc);
    world.venue().pause(true).await.unwrap();
    world.deposit("1").await.expect_error(Problem::PerpVenuePaused);
}

#[tokio::test]
async fn venue_checks_hold_while_the_chain_is_down() {
    let world = world().await;
    world.venue().rpc_is(down());
    world.withdraw("1").await.expect_error(Problem::PerpVenueInsufficientBalance);
    world.set(|account| account.perps = usdc("5"));
    world.stack.clock().advance(Duration::from_secs(5));
    let answer = world.withdraw("1").await.expect(200);
    // Whether the contract would pay out is unknown.
    assert_eq!(meta(&answer)["checks"], "unavailable");
}

/// A missing or wrong answer in the batch does not affect the other answers.
#[tokio::test]
async fn partial_chain_answers_are_still_checked() {
    const EXISTS: &str = "0x0000000000000000000000000000000000000810";
    const BALANCE: &str = "0x70a08231";
    const CODE: &str = r#""eth_getCode","params":["0x"#;
    const FORWARDING: [&str; 2] = ["0xa7917af3", "0x0e721e6e"];
    let [off, on] = FORWARDING;
    for part in [BALANCE, "0x5c975abb", EXISTS, off, on, "eth_getBalance", "eth_gasPrice", CODE] {
        let world = world().await;
        for members in [
            json!({ "error": { "code": -32000, "message": "no" } }),
            json!({ "result": null }),
            json!({ "result": "x" }),
            json!({ "result": { "a": 1 } }),
            json!({ "id": null, "error": { "code": -32600, "message": "no" } }),
        ] {
            world.venue().rpc_says(part, members.clone());
            let answer = world.deposit("5").await.expect(200);
            assert_eq!(meta(&answer)["checks"], "unavailable", "{part} {members}");
            // All other checks still hold.
            if part != BALANCE {
                world.deposit("100.000001").await.expect_error(Problem::PerpVenueInsufficientUsdc);
            }
        }
        world.venue().rpc_says(part, Value::Null);
        assert_eq!(meta(&world.deposit("5").await.expect(200)), all_well());
    }
}

#[tokio::test]
async fn malformed_flags_count_as_unknown() {
    let world = world().await;
    for part in ["0x5c975abb", "0x0000000000000000000000000000000000000810"] {
        let two = format!("0x{:064x}", 2);
        world.venue().rpc_says(part, json!({ "result": two }));
    }
    let answer = world.deposit("0.5").await.expect(200);
    assert_eq!(meta(&answer)["checks"], "unavailable");
}

/// The chain id is checked before the RPC's other answers count.
#[tokio::test]
async fn an_rpc_without_a_chain_id_is_not_trusted() {
    let world = world().await;
    world.venue().set_usdc(world.address(), usdc("0")).await.unwrap();
    world.deposit("1").await.expect_error(Problem::PerpVenueInsufficientUsdc);
    for members in [json!({ "result": "0x" }), json!({ "result": 998 }), json!({})] {
        world.venue().rpc_says("eth_chainId", members);
        let answer = world.deposit("1").await.expect(200);
        assert_eq!(meta(&answer)["checks"], "unavailable");
    }
}

#[tokio::test]
async fn malformed_answers_count_as_missing() {
    for (question, checks) in [
        ("userAbstraction", "unavailable"),
        ("clearinghouseState", "unavailable"),
        ("preTransferCheck", "unavailable"),
        ("maxBuilderFee", "unavailable"),
        // If the perpetuals balance suffices, the spot balance does not matter.
        ("spotClearinghouseState", "complete"),
    ] {
        for lie in [json!({}), json!([]), json!("x"), json!(-1), json!({ "withdrawable": "1e9" })] {
            let world = world().await;
            world.set(|account| account.perps = usdc("100"));
            world.venue().info_says(question, lie.clone());
            let answer = world.withdraw("5").await.expect(200);
            assert_eq!(meta(&answer)["checks"], checks, "{question} {lie}");
            assert_eq!(answer.data()["action"]["sourceDex"], "");
        }
    }
}

/// The account's mode is unknown, so the service chooses a balance that suffices.
#[tokio::test]
async fn with_an_unknown_account_mode_a_sufficient_balance_pays() {
    let world = world().await;
    world.venue().info_says("userAbstraction", json!("aModeOfTomorrow"));
    world.set(|account| account.spot = usdc("5"));
    let answer = world.withdraw("5").await.expect(200);
    assert_eq!(answer.data()["action"]["sourceDex"], "spot");
    assert_eq!(meta(&answer)["checks"], "unavailable");
    world.withdraw("5.000001").await.expect_error(Problem::PerpVenueInsufficientBalance);
}

#[tokio::test]
async fn an_amount_above_the_balance_is_refused_even_without_the_fee() {
    let world = world().await;
    world.set(|account| account.perps = usdc("5"));
    world.venue().info_says("preTransferCheck", json!({}));
    let answer =
        world.withdraw("5.000001").await.expect_error(Problem::PerpVenueInsufficientBalance);
    says(&answer, "At most 5 USDC can be withdrawn, less the transfer fee.");
    let answer = world.withdraw("5").await.expect(200);
    assert_eq!(meta(&answer)["checks"], "unavailable");
}

#[tokio::test]
async fn info_api_answers_are_cached_for_5_seconds_per_wallet() {
    let world = world().await;
    world.stack.clock().stop();
    world.set(|account| account.perps = usdc("5"));
    world.withdraw("5").await.expect(200);
    let asked = world.venue().questions().len();
    assert_eq!(asked, 6);
    world.set(|account| account.perps = usdc("1"));
    world.withdraw("5").await.expect(200);
    assert_eq!(world.venue().questions().len(), asked, "the cache answers");
    // Only the questions without a cached answer are asked.
    world.status().await.expect(200);
    assert_eq!(world.venue().questions().len(), asked + 1);
    assert_eq!(world.venue().questions().last().unwrap(), "referral");
    world.stack.clock().advance(Duration::from_secs(5));
    world.withdraw("5").await.expect_error(Problem::PerpVenueInsufficientBalance);

    // Another wallet has its own cache entries.
    let other = Wallet::evm(2);
    world.venue().set(other.address().parse().unwrap(), |account| account.perps = usdc("50"));
    let user = sign_in(&world.client, &other).await;
    let body = json!({ "userAddress": other.address(), "amount": "50" });
    let call = world.client.post("/api/perp-venue/withdraw").bearer(&user.access_token);
    call.json(&body).send().await.expect(200);
}

/// The chain's state changes with every block, so it is not cached.
#[tokio::test]
async fn every_request_reads_the_chain_in_one_batch() {
    let world = world().await;
    world.set(|account| account.perps = usdc("5"));
    for n in 1..=3 {
        world.deposit("1").await.expect(200);
        assert_eq!(world.venue().rpc_calls(), n);
    }
    world.status().await.expect(200);
    assert_eq!(world.venue().rpc_calls(), 4);
    world.withdraw("1").await.expect(200);
    assert_eq!(world.venue().rpc_calls(), 5);
    world.referral().await.expect(200);
    assert_eq!(world.venue().rpc_calls(), 5, "a referral reads nothing from the chain");
}

#[tokio::test]
async fn repeated_failures_open_the_breaker_for_30_seconds() {
    let world = world().await;
    world.stack.clock().stop();
    let failing = Mood { status: Some(500), ..Mood::default() };
    world.venue().rpc_is(failing);
    for _ in 0..5 {
        world.deposit("1").await.expect(200);
    }
    let calls = world.venue().rpc_calls();
    assert_eq!(calls, 5);
    world.venue().rpc_is(Mood::default());
    let answer = world.deposit("1").await.expect(200);
    assert_eq!(meta(&answer)["checks"], "unavailable");
    assert_eq!(world.venue().rpc_calls(), calls, "the open breaker skips the RPC");
    world.stack.clock().advance(Duration::from_secs(30));
    assert_eq!(meta(&world.deposit("1").await.expect(200)), all_well());

    // The info API has its own breaker: a request counts as one failure, however many questions it asks.
    let ask_while_failing = |times: usize| {
        let world = &world;
        async move {
            world.stack.clock().advance(Duration::from_secs(5));
            world.venue().info_is(failing);
            for _ in 0..times {
                world.withdraw("1").await.expect(200);
            }
            world.venue().info_is(Mood::default());
            world.withdraw("1").await.expect(200)
        }
    };
    world.set(|account| account.perps = usdc("5"));
    assert_eq!(meta(&ask_while_failing(4).await), all_well());
    assert_eq!(meta(&ask_while_failing(5).await)["checks"], "unavailable");
    assert_eq!(meta(&world.deposit("1").await.expect(200))["checks"], "unavailable");
    world.stack.clock().advance(Duration::from_secs(30));
    assert_eq!(meta(&world.withdraw("1").await.expect(200)), all_well());
}

/// A rate-limited provider, or one without support for batches, refuses the whole batch.
#[tokio::test]
async fn a_batch_refused_as_a_whole_counts_as_a_failure() {
    let world = world().await;
    world.stack.clock().stop();
    world.venue().rpc_refuses_batches(true);
    for _ in 0..5 {
        let answer = world.deposit("1000").await.expect(200);
        assert_eq!(meta(&answer)["checks"], "unavailable");
    }
    world.venue().rpc_refuses_batches(false);
    world.deposit("1000").await.expect(200);
    world.stack.clock().advance(Duration::from_secs(30));
    world.deposit("1000").await.expect_error(Problem::PerpVenueInsufficientUsdc);
}

/// A broken connection is not an answer, and repeating a question does no harm.
#[tokio::test]
async fn a_broken_connection_is_retried_once() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/info", listener.local_addr().unwrap());
    let world = world_of(LocalStack::builder().setting("PERP_VENUE_INFO_URL", url)).await;
    let served = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        drop(listener.accept().await.unwrap());
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).await.unwrap() > 0);
        let answer =
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n50";
        stream.write_all(answer).await.unwrap();
        stream.flush().await.unwrap();
        stream
    });
    let body = json!({ "userAddress": world.wallet.address() });
    let answer = world.post("builder-fee-approval", &body).await.expect(200);
    assert_eq!(meta(&answer), all_well());
    served.await.unwrap();
}

/// The venue's refusal of a question about one wallet says nothing about the venue's health.
#[tokio::test]
async fn refused_questions_do_not_open_the_breaker() {
    let world = world().await;
    world.venue().info_is(Mood { status: Some(422), ..Mood::default() });
    for _ in 0..8 {
        world.withdraw("1").await.expect(200);
    }
    world.venue().info_is(Mood::default());
    world.set(|account| account.perps = usdc("5"));
    assert_eq!(meta(&world.withdraw("1").await.expect(200)), all_well());
}

/// Each question waits up to two seconds, and all run concurrently.
#[tokio::test]
async fn slow_parties_time_out_after_2_seconds() {
    let world = world_of(LocalStack::builder().evm().impatient()).await;
    let slow = Mood { delay_ms: 600_000, ..Mood::default() };
    world.venue().info_is(slow);
    world.venue().rpc_is(slow);
    let begun = Instant::now();
    let mut status = pin!(world.status());
    tokio::select! {
        answer = &mut status => panic!("the questions were not asked at the same time: {answer}"),
        () = world.venue().delays(5, 1) => {}
    }
    let answer = status.await.expect(200);
    let taken = begun.elapsed();
    assert_eq!(meta(&answer)["checks"], "unavailable");
    assert!(taken >= Duration::from_millis(1_900), "{taken:?}");
}

#[tokio::test]
async fn requests_of_an_account_are_limited() {
    let world = world_of(LocalStack::builder()).await;
    for _ in 0..VENUE_BY_ACCOUNT.most {
        world.referral().await.expect(200);
    }
    let answer = world.referral().await.expect_error(Problem::RateLimited);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    // An approval without a wallet address queries neither the venue nor its chain, so it does not count.
    world.post("builder-fee-approval", &json!({})).await.expect(200);
}

/// The service signs, sends and stores nothing except its request count.
#[tokio::test]
async fn nothing_is_sent_or_stored() {
    let world = world().await;
    world.set(|account| account.perps = usdc("50"));
    let block = || world.venue().evm().call("eth_blockNumber", json!([]));
    let before_block = block().await.unwrap();
    let rows = |stack: &LocalStack| {
        let rows = stack.contents();
        let others = rows.iter().filter(|row| !row.to_string().contains("limit#"));
        others.map(Value::to_string).collect::<Vec<_>>()
    };
    let before = rows(&world.stack);
    all(&world).await;
    assert_eq!(rows(&world.stack), before);
    assert_eq!(block().await.unwrap(), before_block, "no transaction was mined");
}
