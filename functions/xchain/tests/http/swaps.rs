//! Registration and status of swaps.

use std::time::Duration;

use chain::models::xchain::{Swap, XchainStatus};
pub(crate) use local::hub::swap;
use local::{
    client::{events_of, twenty_at_once},
    hub::About,
    mood::Mood,
    patience::{skip, wait_until},
};
use shared::{auth::limits::SWAP_BY_ACCOUNT, problem::Problem};
use tokio::time::Instant;

use super::*;

const REGISTER: &str = "/api/xchain/transactions/register";

/// A stack without a chain, which swaps do not need.
pub(crate) async fn without_chain() -> World {
    world_on(LocalStack::start().await).await
}

impl World {
    pub(crate) async fn owner(&self, seed: u64) -> (Wallet, SignedIn) {
        let wallet = Wallet::evm(seed);
        let session = sign_in(&self.client, &wallet).await;
        (wallet, session)
    }

    pub(crate) async fn register(&self, by: &SignedIn, swap: &Swap) -> Answer {
        self.register_json(by, &json!(swap)).await
    }

    async fn register_json(&self, by: &SignedIn, body: &Value) -> Answer {
        self.client.post(REGISTER).bearer(&by.access_token).json(body).send().await
    }

    pub(crate) async fn status_of(&self, by: &SignedIn, hash: &str) -> Answer {
        let path = format!("/api/xchain/transactions/{hash}/status");
        self.client.get(path).bearer(&by.access_token).send().await
    }

    pub(crate) async fn listed(&self, query: &str) -> Answer {
        self.client.get(format!("/api/xchain/transactions?{query}")).send().await.expect(200)
    }
}

#[tokio::test]
async fn a_swap_is_registered_once_and_found_by_each_of_its_hashes() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    world.stack.hub().know(swap.clone());
    let first = world.register(&owner, &swap).await.expect(200);
    assert_eq!(first.data(), &json!({ "registered": true }));
    let again = world.register(&owner, &swap).await.expect(200);
    assert_eq!(again.data(), &json!({ "registered": false }));
    // The same swap in other spellings.
    let spelled = json!({
        "intentTxHash": swap.intent_tx_hash.to_string().trim_start_matches("0x").to_uppercase(),
        "spokeTxHash": swap.spoke_tx_hash.digits(),
        "inputToken": "0x00000000000000000000000000000000000000AA",
    });
    let spelled = local::wallets::with(json!(swap), &spelled);
    let again = world.register_json(&owner, &spelled).await.expect(200);
    assert_eq!(again.data(), &json!({ "registered": false }));

    let intent = swap.intent_tx_hash.to_string();
    for hash in [
        intent.clone(),
        intent.to_uppercase().replace("0X", "0x"),
        intent.trim_start_matches("0x").to_owned(),
        swap.spoke_tx_hash.to_string(),
        format!("{}?srcChain=42161", swap.spoke_tx_hash).replace('?', "/status?"),
    ] {
        let answer = match hash.split_once("/status") {
            Some((hash, query)) => {
                let path = format!("/api/xchain/transactions/{hash}/status{query}");
                world.client.get(path).bearer(&owner.access_token).send().await
            }
            None => world.status_of(&owner, &hash).await,
        };
        let answer = answer.expect(200);
        assert_eq!(answer.text_of("txId"), intent, "{hash}");
        assert_eq!(answer.data()["verified"], true);
        assert_eq!(
            (&answer.data()["srcChain"], &answer.data()["dstChain"]),
            (&json!(42_161), &json!(8_453))
        );
        assert_eq!(answer.data()["stale"], false);
    }
    let other_chain = format!("/api/xchain/transactions/{}/status?srcChain=1", swap.spoke_tx_hash);
    let other_chain = world.client.get(other_chain).bearer(&owner.access_token).send().await;
    other_chain.expect_error(Problem::XchainNotFound);
    let row = &world.listed("").await.data()[0].clone();
    assert_eq!(row["txId"], intent.as_str());
    assert_eq!(row["type"], "swap");
    assert_eq!(row["userAddress"], swap.wallet_address.as_str());
    assert_eq!(row["tradingAddress"], swap.src_address.as_str());
    assert_eq!(row["withdrawTo"], swap.dst_address.as_str());
    assert_eq!(row["intent"]["inputAmount"], "1000000");
    assert_eq!(world.listed("").await.body["metaData"]["totalItems"], 1);
}

#[tokio::test]
async fn one_of_twenty_concurrent_registrations_succeeds() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let (client, token, body) = (world.client.clone(), owner.access_token.clone(), json!(swap));
    let answers = twenty_at_once(|_| {
        let (client, token, body) = (client.clone(), token.clone(), body.clone());
        async move { client.post(REGISTER).bearer(&token).json(&body).send().await }
    });
    let answers = answers.await;
    let registered = answers
        .into_iter()
        .map(|answer| answer.expect(200).data()["registered"].as_bool().unwrap());
    assert_eq!(registered.filter(|registered| *registered).count(), 1);
    for query in ["", &format!("relatedAddress_eq={}", wallet.address())] {
        assert_eq!(world.listed(query).await.body["metaData"]["totalItems"], 1);
    }
}

#[tokio::test]
async fn different_content_is_refused_for_own_and_for_confirmed_swaps() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (other_wallet, other) = world.owner(2).await;
    let swap = swap(&wallet, 1);
    world.register(&owner, &swap).await.expect(200);
    let different = Swap { input_amount: "5".parse().unwrap(), dst_chain: 1, ..swap.clone() };
    let refused = world.register(&owner, &different).await.expect_error(Problem::SwapRegistered);
    assert!(refused.body["details"].as_str().unwrap().contains("inputAmount, dstChain"));
    // Until the hub confirms it, another account's registration does not block this one (custody rule 15) …
    world.stack.hub().agree(false);
    let own = |n: &str| Swap {
        wallet_address: other_wallet.address().parse().unwrap(),
        src_address: other_wallet.address().parse().unwrap(),
        min_output_amount: n.parse().unwrap(),
        ..swap.clone()
    };
    world.register(&other, &own("1")).await.expect(200);
    // … after that it does.
    let (third_wallet, third) = world.owner(3).await;
    world.stack.hub().know(swap.clone());
    world.watch_after(31).await;
    let third_swap = Swap {
        wallet_address: third_wallet.address().parse().unwrap(),
        src_address: third_wallet.address().parse().unwrap(),
        ..swap
    };
    world.register(&third, &third_swap).await.expect_error(Problem::SwapRegistered);
}

/// A registration needs only a bearer token: the hub's record says whose wallet began the swap.
#[tokio::test]
async fn custody_15_addresses_need_no_proof() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (stranger, other) = world.owner(2).await;
    for (n, address) in (1..).zip([
        stranger.address().to_owned(),
        Wallet::solana(5).address().to_owned(),
        Wallet::p2wpkh(5).address().to_uppercase(),
        STELLAR.to_owned(),
        "osmo1zha8s6xe46rduqc3g78j7989pg7n3c2uqdahy7".to_owned(),
        format!("0x{:x}", 7),
    ]) {
        for (place, field) in (0..).zip(["walletAddress", "srcAddress"]) {
            let body = json!(swap(&wallet, 10 * n + place));
            let body = local::wallets::with(body, &json!({ field: address }));
            let answer = world.register_json(&owner, &body).await.expect(200);
            assert_eq!(answer.data()["registered"], true, "{field} {address}");
        }
    }
    for field in ["walletAddress", "srcAddress"] {
        let zero = json!({ field: "0x0000000000000000000000000000000000000000" });
        let body = local::wallets::with(json!(swap(&wallet, 1)), &zero);
        let refused = world.register_json(&owner, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
    // A registration with another account's address does not keep that address linked.
    let linked = Wallet::evm(3);
    let path = format!("/auth/wallet/challenge?address={}&purpose=link", linked.address());
    let challenge = world.client.get(path).bearer(&other.access_token).send().await.expect(200);
    let proof = linked.signed_challenge(&challenge);
    let addresses = "/api/account/addresses";
    let link = world.client.post(addresses).bearer(&other.access_token).json(&proof).send().await;
    link.expect(201);
    world.register(&owner, &swap(&linked, 2)).await.expect(200);
    let path = format!("{addresses}/{}", linked.address());
    world.client.delete(path).bearer(&other.access_token).send().await.expect(200);
}

/// The first account to register takes nothing from the others: each follows the swap in its own history, and
/// the public list shows it once.
#[tokio::test]
async fn custody_15_a_stranger_who_registers_the_same_swap_first_takes_nothing() {
    for is_known_before in [true, false] {
        let world = without_chain().await;
        let (wallet, owner) = world.owner(1).await;
        let (_, thief) = world.owner(2).await;
        let made = swap(&wallet, 1);
        let (hub, intent) = (world.stack.hub(), made.intent_tx_hash.to_string());
        hub.agree(is_known_before);
        if is_known_before {
            hub.know(made.clone());
        }
        for session in [&thief, &owner] {
            let answer = world.register(session, &made).await.expect(200);
            assert_eq!(answer.data()["registered"], true);
            let again = world.register(session, &made).await.expect(200);
            assert_eq!(again.data()["registered"], false);
        }
        let related = format!("relatedAddress_eq={}", wallet.address());
        let listed = world.listed(&related).await;
        assert_eq!(listed.body["metaData"]["totalItems"], 1, "{listed}");
        assert_eq!(listed.data()[0]["verified"], is_known_before);
        hub.know(made.clone());
        hub.set_status(made.intent_tx_hash, XchainStatus::Filled);
        world.watch_after(31).await;
        world.watch_after(61).await;
        let listed = world.listed(&related).await;
        assert_eq!(listed.body["metaData"]["totalItems"], 1, "{listed}");
        assert_eq!(
            (&listed.data()[0]["verified"], &listed.data()[0]["status"]),
            (&json!(true), &json!("filled"))
        );
        for session in [&thief, &owner] {
            let status = world.status_of(session, &intent).await.expect(200);
            assert_eq!(
                (status.text_of("status"), &status.data()["verified"]),
                ("filled", &json!(true))
            );
            let call = world.client.get("/api/events?types=xchain.statusChanged");
            let told = call.bearer(&session.access_token).send().await.expect(200);
            let last = told.data().as_array().unwrap().last().unwrap().clone();
            assert_eq!(
                (&last["data"]["txId"], &last["data"]["after"]),
                (&json!(intent), &json!("filled"))
            );
        }
    }
}

/// The first registration fails before the hub knows the swap; the list shows the one that the hub confirms. Who
/// registered first can register again, as any other account can.
#[tokio::test]
async fn custody_15_a_failed_registration_hides_no_confirmed_one() {
    let world = without_chain().await;
    let (wallet, _) = world.owner(1).await;
    let (wallet_of_thief, thief) = world.owner(2).await;
    let made = swap(&wallet, 1);
    world.stack.hub().agree(false);
    world.register(&thief, &made).await.expect(200);
    world.stack.clock().advance(Duration::from_secs(23 * 60 * 60));
    let owner = sign_in(&world.client, &wallet).await;
    world.register(&owner, &made).await.expect(200);
    world.watch_after(2 * 60 * 60).await;
    let failed = world.listed("").await;
    assert_eq!(failed.data()[0]["status"], "failed", "{failed}");
    world.stack.hub().know(made.clone());
    world.watch_after(6 * 60 * 60).await;
    let listed = world.listed("").await;
    assert_eq!(listed.body["metaData"]["totalItems"], 1, "{listed}");
    assert_eq!(listed.data()[0]["verified"], true, "{listed}");

    let thief = sign_in(&world.client, &wallet_of_thief).await;
    let (_, third) = world.owner(3).await;
    for session in [&thief, &third] {
        for registered in [true, false] {
            let answer = world.register(session, &made).await.expect(200);
            assert_eq!(answer.data(), &json!({ "registered": registered }));
        }
    }
    let intent = made.intent_tx_hash.to_string();
    world.stack.hub().set_status(made.intent_tx_hash, XchainStatus::Filled);
    world.watch_after(61).await;
    let first = ["null>registered", "registered>failed", "failed>registered", "registered>filled"];
    let third_is_told = ["null>registered", "registered>filled"];
    for (session, steps) in [(&thief, first.as_slice()), (&third, third_is_told.as_slice())] {
        let told = events_of(&world.client, "/api/events", Some(&session.access_token)).await;
        let step =
            |step: &&str| ["xchain.statusChanged".to_owned(), intent.clone(), (*step).to_owned()];
        assert_eq!(told, steps.iter().map(step).collect::<Vec<_>>());
    }
    assert_eq!(world.listed("").await.body["metaData"]["totalItems"], 1);
    let different = Swap { dst_chain: 1, ..made };
    world.register(&thief, &different).await.expect_error(Problem::SwapRegistered);
}

/// An address on a chain whose signatures the service cannot verify.
const STELLAR: &str = "GDQP2KPQGKIHYJGXNUIYOMHARUARCA7DJT5FO2FFOOKY3B2WSQHG4W37";

/// Only the hub decides: the first to register such a wallet's swap takes nothing from its owner.
#[tokio::test]
async fn custody_15_a_wallet_of_a_chain_without_proofs_registers_and_the_hub_decides() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (_, thief) = world.owner(2).await;
    let true_swap = Swap {
        wallet_address: STELLAR.parse().unwrap(),
        src_address: STELLAR.parse().unwrap(),
        ..swap(&wallet, 1)
    };
    let false_swap = Swap { min_output_amount: "1".parse().unwrap(), ..true_swap.clone() };
    world.register(&thief, &false_swap).await.expect(200);
    let row =
        |list: &Answer| (list.data()[0]["verified"].clone(), list.data().as_array().unwrap().len());
    assert_eq!(row(&world.listed("").await), (json!(false), 1));

    world.stack.hub().know(true_swap.clone());
    world.register(&owner, &true_swap).await.expect(200);
    let query = "sort=-createdAt&pageSize=1";
    assert_eq!(row(&world.listed(query).await), (json!(true), 1));
    world.register(&thief, &true_swap).await.expect_error(Problem::SwapRegistered);
}

#[tokio::test]
async fn custody_15_a_thief_cannot_squat_a_swaps_hash() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (thief_wallet, thief) = world.owner(2).await;
    let (_, reader) = world.owner(3).await;
    let true_swap = swap(&wallet, 1);
    world.stack.hub().agree(false);
    let stolen = Swap {
        wallet_address: thief_wallet.address().parse().unwrap(),
        src_address: thief_wallet.address().parse().unwrap(),
        ..true_swap.clone()
    };
    world.register(&thief, &stolen).await.expect(200);
    let intent = true_swap.intent_tx_hash.to_string();
    // The hub has confirmed nothing yet, so only the thief sees it.
    assert_eq!(world.status_of(&thief, &intent).await.expect(200).data()["verified"], false);
    world.status_of(&reader, &intent).await.expect_error(Problem::XchainNotFound);
    world
        .status_of(&reader, &true_swap.spoke_tx_hash.to_string())
        .await
        .expect_error(Problem::XchainNotFound);
    // The owner can still register.
    world.stack.hub().know(true_swap.clone());
    let registered = world.register(&owner, &true_swap).await.expect(200);
    assert_eq!(registered.data()["registered"], true);
    for who in [&owner, &reader, &thief] {
        for hash in [intent.clone(), true_swap.spoke_tx_hash.to_string()] {
            let answer = world.status_of(who, &hash).await.expect(200);
            assert_eq!(answer.data()["verified"], true);
        }
    }
    // The thief's registration fails as soon as the hub answers.
    world.watch_after(31).await;
    let query =
        format!("relatedAddress_eq={}&select=+failureReason,+failedAtStep", thief_wallet.address());
    let failed = world.listed(&query).await.data()[0].clone();
    assert_eq!((&failed["status"], &failed["verified"]), (&json!("failed"), &json!(false)));
    assert_eq!(failed["failedAtStep"], "verification");
    assert!(failed["failureReason"].as_str().unwrap().contains("walletAddress, srcAddress"));
}

#[tokio::test]
async fn custody_15_a_swap_that_contradicts_the_hub_is_refused_or_fails_later() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let at_once = swap(&wallet, 1);
    world.stack.hub().know(Swap { input_amount: "7".parse().unwrap(), ..at_once.clone() });
    let refused = world.register(&owner, &at_once).await.expect_error(Problem::SwapContradicted);
    assert_eq!(refused.body["errors"][0]["field"], "inputAmount");
    world
        .status_of(&owner, &at_once.intent_tx_hash.to_string())
        .await
        .expect_error(Problem::XchainNotFound);
    // The correct registration is still possible.
    let right = Swap { input_amount: "7".parse().unwrap(), ..at_once };
    assert_eq!(world.register(&owner, &right).await.expect(200).data()["registered"], true);

    let later = swap(&wallet, 2);
    world.stack.hub().be(Mood { down: true, ..Mood::default() });
    world.register(&owner, &later).await.expect(200);
    world.stack.hub().be(Mood::default());
    world.stack.hub().know(Swap { dst_chain: 99, ..later.clone() });
    world.watch_after(31).await;
    let intent = later.intent_tx_hash.to_string();
    let failed = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!(failed.text_of("status"), "failed");
    assert_eq!(failed.text_of("failedAtStep"), "verification");
    assert_eq!(failed.text_of("failureReason"), "The hub's record differs: dstChain.");
    assert_eq!(failed.data()["isFinal"], true);
}

#[tokio::test]
async fn a_registration_waits_two_seconds_for_a_slow_hub() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    world.stack.hub().be(Mood { delay_ms: 600_000, ..Mood::default() });
    let swap = swap(&wallet, 1);
    let began = Instant::now();
    let late = async {
        let is_asked = async || !world.stack.hub().calls().is_empty();
        wait_until("the question to the hub", is_asked).await;
        skip(Duration::from_secs(2)).await;
    };
    let (answer, ()) = tokio::join!(world.register(&owner, &swap), late);
    answer.expect(200);
    // Without this limit, the time of the whole request would be up after 20 s.
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(15), "checklist 33: waiting for a partner: {waited:?}");
    world.stack.hub().be(Mood::default());
    world.watch_after(31).await;
    let answer = world.status_of(&owner, &swap.intent_tx_hash.to_string()).await.expect(200);
    assert_eq!(answer.data()["verified"], true);
}

#[tokio::test]
async fn a_swap_is_followed_until_it_is_final() {
    let world = without_chain().await;
    world.stack.clock().stop();
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let (hub, intent) = (world.stack.hub(), swap.intent_tx_hash.to_string());
    hub.know(swap.clone());
    world.register(&owner, &swap).await.expect(200);
    for status in [
        XchainStatus::Pending,
        XchainStatus::Relaying,
        XchainStatus::Relayed,
        XchainStatus::Solving,
        XchainStatus::Filled,
    ] {
        hub.set_status(swap.intent_tx_hash, status);
        // The hub is not asked twice within five seconds.
        world.stack.clock().advance(Duration::from_secs(6));
        let answer = world.status_of(&owner, &intent).await.expect(200);
        assert_eq!(answer.data()["status"], json!(status));
        assert_eq!(answer.data()["isFinal"], status == XchainStatus::Filled);
        let asked = hub.calls().len();
        world.status_of(&owner, &intent).await.expect(200);
        assert_eq!(hub.calls().len(), asked, "{status:?}");
    }
    let asked = hub.calls().len();
    for _ in 0..3 {
        world.watch_after(3_600).await;
        let owner = sign_in(&world.client, &wallet).await;
        let answer = world.status_of(&owner, &intent).await.expect(200);
        let history: Vec<_> = answer.data()["history"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["status"].as_str().unwrap())
            .collect();
        assert_eq!(history, ["registered", "pending", "relaying", "relayed", "solving", "filled"]);
    }
    assert_eq!(hub.calls().len(), asked, "a final swap is not asked for");

    let owner = sign_in(&world.client, &wallet).await;
    let told = events_of(&world.client, "/api/events", Some(&owner.access_token)).await;
    let steps = ["null", "registered", "pending", "relaying", "relayed", "solving", "filled"];
    let steps = steps.windows(2).map(|pair| format!("{}>{}", pair[0], pair[1]));
    let expected = steps.map(|step| ["xchain.statusChanged".to_owned(), intent.clone(), step]);
    assert_eq!(told, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn while_the_hub_is_down_the_last_known_status_is_returned_as_stale() {
    let world = without_chain().await;
    world.stack.clock().stop();
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let (hub, intent) = (world.stack.hub(), swap.intent_tx_hash.to_string());
    hub.know(swap.clone());
    hub.set_status(swap.intent_tx_hash, XchainStatus::Relayed);
    world.register(&owner, &swap).await.expect(200);
    world.watch_after(31).await;
    for mood in [
        Mood { down: true, ..Mood::default() },
        Mood { malformed: true, ..Mood::default() },
        Mood { status: Some(503), ..Mood::default() },
        Mood { status: Some(429), ..Mood::default() },
    ] {
        hub.be(mood);
        world.stack.clock().advance(Duration::from_secs(31));
        let answer = world.status_of(&owner, &intent).await.expect(200);
        assert_eq!(answer.text_of("status"), "relayed");
        assert_eq!(answer.data()["stale"], true, "{mood:?}");
    }
    // The next request still reports the failure.
    let answer = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!(answer.data()["stale"], true);
    // The breaker has counted five failures and stays open for half a minute.
    hub.be(Mood::default());
    hub.set_status(swap.intent_tx_hash, XchainStatus::Filled);
    let asked = hub.calls().len();
    world.stack.clock().advance(Duration::from_secs(6));
    let answer = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!((answer.text_of("status"), hub.calls().len()), ("relayed", asked));
    assert_eq!(answer.data()["stale"], true);
    world.stack.clock().advance(Duration::from_secs(31));
    let answer = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!((answer.text_of("status"), &answer.data()["stale"]), ("filled", &json!(false)));
}

#[tokio::test]
async fn malformed_hub_answers_change_nothing() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let (hub, intent) = (world.stack.hub(), swap.intent_tx_hash.to_string());
    hub.know(swap.clone());
    hub.set_status(swap.intent_tx_hash, XchainStatus::Solving);
    world.register(&owner, &swap).await.expect(200);
    world.stack.clock().advance(Duration::from_secs(31));
    assert_eq!(world.status_of(&owner, &intent).await.expect(200).text_of("status"), "solving");
    let about = About::Status(swap.intent_tx_hash);
    for lie in [
        json!({ "intentTxHash": format!("0x{}", "77".repeat(32)), "status": "filled" }),
        json!({ "status": "unheardOf" }),
        json!({ "status": "registered" }),
        json!({ "status": 5 }),
        // A step back is ignored.
        json!({ "status": "pending" }),
    ] {
        hub.lie(about, lie.clone());
        world.stack.clock().advance(Duration::from_secs(31));
        let answer = world.status_of(&owner, &intent).await.expect(200);
        assert_eq!(answer.text_of("status"), "solving", "{lie}");
    }
    hub.lie(about, json!({ "status": "failed", "failureReason": "x\u{0}y".repeat(400) }));
    world.stack.clock().advance(Duration::from_secs(31));
    let answer = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!(answer.text_of("status"), "failed");
    let reason = answer.text_of("failureReason");
    assert!(reason.len() <= 300 && !reason.contains('\u{0}'), "{reason}");
}

#[tokio::test]
async fn a_swap_without_progress_is_polled_less_and_less_often() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let hub = world.stack.hub();
    hub.know(swap.clone());
    hub.set_status(swap.intent_tx_hash, XchainStatus::Solving);
    world.register(&owner, &swap).await.expect(200);
    let asked = || hub.calls_with("/status");
    world.watch_after(1).await;
    let begun = asked();
    // One hour, minute by minute.
    for _ in 0..60 {
        world.watch_after(60).await;
    }
    let hour = asked() - begun;
    assert!((5..=8).contains(&hour), "{hour}");
}

/// A run finds 200 rows of a queue at a time.
#[tokio::test]
async fn more_swaps_than_a_page_of_the_queue_are_followed_in_one_run() {
    let world = without_chain().await;
    let (owners, each) = (5, 45);
    for n in 0..owners {
        let (wallet, owner) = world.owner(700 + n).await;
        for swap_of_owner in 0..each {
            let swap = swap(&wallet, 1_000 * (n + 1) + swap_of_owner);
            world.stack.hub().know(swap.clone());
            world.register(&owner, &swap).await.expect(200);
        }
    }
    let asked = world.stack.hub().calls_with("/status");
    world.stack.clock().advance(Duration::from_secs(60));
    let rows = world.stack.tick("chain-watcher").await.unwrap();
    assert!(rows >= 225, "{rows}");
    assert!(world.stack.hub().calls_with("/status") - asked >= 225);
}

#[tokio::test]
async fn a_swap_unknown_to_the_hub_for_a_day_can_be_registered_again() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    world.stack.hub().agree(false);
    world.register(&owner, &swap).await.expect(200);
    for _ in 0..14 {
        world.watch_after(2 * 3_600).await;
    }
    let owner = sign_in(&world.client, &wallet).await;
    let intent = swap.intent_tx_hash.to_string();
    let failed = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!(failed.text_of("status"), "failed");
    world.stack.hub().know(swap.clone());
    let again = world.register(&owner, &swap).await.expect(200);
    assert_eq!(again.data()["registered"], true);
    assert_eq!(world.register(&owner, &swap).await.expect(200).data()["registered"], false);
    let open = world.status_of(&owner, &intent).await.expect(200);
    assert_eq!((&open.data()["isFinal"], &open.data()["verified"]), (&json!(false), &json!(true)));
    // Its list entries exist already.
    assert_eq!(world.listed("").await.body["metaData"]["totalItems"], 1);
}

#[tokio::test]
async fn an_impossible_intent_does_not_stop_other_swaps() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let hub = world.stack.hub();
    for n in 0..8 {
        let swap = swap(&wallet, n);
        hub.know(swap.clone());
        // Any user of the hub can create such an intent.
        hub.lie(About::Record(swap.intent_tx_hash), json!({ "minOutputAmount": "9".repeat(70) }));
        world.register(&owner, &swap).await.expect_error(Problem::SwapContradicted);
    }
    let good = swap(&wallet, 100);
    hub.know(good.clone());
    world.register(&owner, &good).await.expect(200);
    let answer = world.status_of(&owner, &good.intent_tx_hash.to_string()).await.expect(200);
    assert_eq!(
        (&answer.data()["verified"], &answer.data()["stale"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn custody_13_an_address_stays_linked_while_its_swap_is_open() {
    let world = without_chain().await;
    let (wallet, linked) = (Wallet::evm(1), Wallet::evm(2));
    let owner = sign_in(&world.client, &wallet).await;
    let path = format!("/auth/wallet/challenge?address={}&purpose=link", linked.address());
    let challenge = world.client.get(path).bearer(&owner.access_token).send().await.expect(200);
    let proof = linked.signed_challenge(&challenge);
    let addresses = "/api/account/addresses";
    let link = world.client.post(addresses).bearer(&owner.access_token).json(&proof).send().await;
    link.expect(201);
    let swap = swap(&linked, 1);
    world.stack.hub().know(swap.clone());
    world.stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Solving);
    world.register(&owner, &swap).await.expect(200);
    let unlink = || {
        let path = format!("{addresses}/{}", linked.address());
        world.client.delete(path).bearer(&owner.access_token).send()
    };
    unlink().await.expect_error(Problem::AddressInUse);
    world.stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Filled);
    world.watch_after(31).await;
    unlink().await.expect(200);
    world.register(&owner, &super::swaps::swap(&linked, 2)).await.expect(200);
}

#[tokio::test]
async fn bad_registrations_name_every_field() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let good = json!(swap(&wallet, 1));
    for (field, value) in [
        ("intentTxHash", json!("0x12")),
        ("intentTxHash", json!(bs58_of_64())),
        ("intentTxHash", json!(7)),
        ("spokeTxHash", json!("nonsense")),
        ("spokeTxHash", json!("")),
        ("walletAddress", json!("")),
        ("walletAddress", json!("a b")),
        ("inputToken", json!("a,b")),
        ("inputToken", json!("a#token#b")),
        ("outputToken", json!("é")),
        ("outputToken", json!("x".repeat(129))),
        ("inputAmount", json!("0")),
        ("inputAmount", json!("-1")),
        ("inputAmount", json!("1.5")),
        ("inputAmount", json!(5)),
        ("inputAmount", json!("9".repeat(40))),
        ("minOutputAmount", json!("1e3")),
        ("srcChain", json!(0)),
        ("srcChain", json!(-1)),
        ("srcChain", json!(1.5)),
        ("srcChain", json!("1")),
        ("dstChain", json!(9_007_199_254_740_992_u64)),
        ("srcAddress", json!("x#token#y")),
        ("srcAddress", json!("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed")),
        ("dstAddress", json!("y".repeat(129))),
    ] {
        let body = local::wallets::with(good.clone(), &json!({ field: value }));
        let refused = world.register_json(&owner, &body).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field, "{value}");
    }
    let refused = world.register_json(&owner, &json!({})).await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"].as_array().unwrap().len(), 11);
    for hash in ["x", "0x12", "%00", &"1".repeat(89), "'--"] {
        world.status_of(&owner, hash).await.expect_error(Problem::Validation);
    }
    let path = format!("/api/xchain/transactions/0x{}/status?srcChain=x", "1".repeat(64));
    let refused = world.client.get(path).bearer(&owner.access_token).send().await;
    refused.expect_error(Problem::Validation);
}

#[tokio::test]
async fn registrations_are_limited_per_account() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    for _ in 0..SWAP_BY_ACCOUNT.most {
        world.register(&owner, &swap).await.expect(200);
    }
    let refused = world.register(&owner, &swap).await.expect_error(Problem::RateLimited);
    assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 3_601);
    let (wallet, other) = world.owner(2).await;
    world.register(&other, &super::swaps::swap(&wallet, 2)).await.expect(200);
}

fn bs58_of_64() -> String {
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
        .to_owned()
}

/// Twenty accounts register swaps concurrently. Each swap is in the list of all swaps when its registration
/// is answered.
#[tokio::test]
async fn swaps_of_twenty_accounts_at_once_are_listed_when_they_are_answered() {
    let world = without_chain().await;
    let mut owners = Vec::new();
    for n in 0..20 {
        owners.push(world.owner(500 + n).await);
    }
    let registered = twenty_at_once(|n| {
        let (client, (wallet, owner)) = (world.client.clone(), &owners[n as usize]);
        let (token, body) = (owner.access_token.clone(), json!(swap(wallet, 9_000 + n)));
        async move {
            client.post(REGISTER).bearer(&token).json(&body).send().await.expect(200);
            let list = client.get("/api/xchain/transactions?pageSize=100").send().await;
            (body["intentTxHash"].as_str().unwrap().to_owned(), list.expect(200))
        }
    });
    for (hash, list) in registered.await {
        assert!(list.text.contains(&hash), "{hash} was answered for, but is not in {list}");
    }
    let list = world.listed("pageSize=100").await;
    let rows = list.data().as_array().unwrap();
    let hashes: std::collections::BTreeSet<_> =
        rows.iter().map(|row| row["intentTxHash"].as_str()).collect();
    assert_eq!((rows.len(), hashes.len()), (20, 20), "{list}");
    assert_eq!(list.body["metaData"]["totalItems"], 20);
}
