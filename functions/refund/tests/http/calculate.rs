//! `GET /api/refund/calculate`: which payments are refundable, when, and how much arrives.

use std::net::Ipv4Addr;

use local::mood::Mood;
use shared::{auth::limits::REFUND_BY_SOURCE, problem::Problem};

use super::*;

/// The answer if nothing is refundable.
fn nothing(world: &MintWorld, trader: &Trader) -> Value {
    calculation(world, trader, &[], (0, 0, 0))
}

fn calculation(
    world: &MintWorld,
    trader: &Trader,
    txids: &[Txid],
    (total, fee, refunded): (u64, u64, u64),
) -> Value {
    let mut txids = txids.to_vec();
    txids.sort_by_key(ToString::to_string);
    let item = json!({ "runeId": world.rune.to_string(), "txIds": txids, "sats": total });
    json!({
        "type": "virtual_mint",
        "userAddress": trader.address(),
        "items": if txids.is_empty() { vec![] } else { vec![item] },
        "totalSats": total,
        "networkFee": fee,
        "refundableSats": refunded,
        "more": false,
    })
}

async fn assert_nothing_refundable(world: &MintWorld, traders: &[&Trader]) {
    for trader in traders {
        let calculated = world.calculate(trader).await.expect(200);
        assert_eq!(*calculated.data(), nothing(world, trader));
        world.create_refund(trader).await.expect_error(Problem::RefundNothing);
    }
}

/// Alice has six batches, Bob one that replaced another, and Carol's is unconfirmed when the mint closes.
#[tokio::test(flavor = "multi_thread")]
async fn custody_06_every_confirmed_request_of_a_failed_mint_is_refundable_once_final() {
    let world = MintWorld::start(1_000_000).await;
    let mint = large_mint(&world).await;
    let alice = world.trader(1, &[300_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let carol = world.trader(3, &[100_000]).await;
    let mut of_alice = Vec::new();
    for price in [1_000, 1_100, 1_200, 1_300, 1_400, 1_500] {
        of_alice.push(world.bid(&alice, 3, price).await);
        world.mine(1).await;
    }
    world.bid(&bob, 4, 2_000).await;
    let of_bob = [world.bid(&bob, 2, 2_500).await];
    world.mine(1).await;
    let of_carol = [world.bid(&carol, 5, 3_000).await];
    assert_nothing_refundable(&world, &[&alice, &bob, &carol]).await;
    world.close(mint).await;
    world.watch().await;

    world.mine(5).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Open, "six blocks");
    assert_nothing_refundable(&world, &[&alice, &bob, &carol]).await;
    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::Failed, "seven");
    // Carol's is one block younger.
    assert_nothing_refundable(&world, &[&carol]).await;
    assert!(figures(&world, &alice).await.0 > 0 && figures(&world, &bob).await.0 > 0);
    world.mine(1).await;
    world.recount(mint).await;

    let paid = [
        (&alice, &of_alice[..], 3 * (1_000 + 1_100 + 1_200 + 1_300 + 1_400 + 1_500)),
        (&bob, &of_bob, 4 * 2_000 + 2 * 2_500),
        (&carol, &of_carol, 5 * 3_000),
    ];
    assert_eq!(sats_of_treasury(&world).await, paid.iter().map(|(_, _, sats)| sats).sum::<u64>());
    let mut refunds = Vec::new();
    for (trader, txids, sats) in paid {
        let calculated = world.calculate(trader).await.expect(200);
        let (total, fee, refunded) = figures(&world, trader).await;
        assert_eq!((total, refunded), (sats, sats - fee));
        let expected = calculation(&world, trader, txids, (total, fee, refunded));
        assert_eq!(*calculated.data(), expected);
        let before = sats_of(&world, &trader.trading).await;
        let txid = refund(&world, trader).await;
        assert_eq!(sats_of(&world, &trader.trading).await, before + refunded);
        // The network fee matches the rate of 5 sat/vB: no signature is longer than estimated, and a script
        // that accepts a key of either parity adds 10 vB.
        let transaction = world.stack.bitcoin().transaction(txid).await.unwrap().unwrap();
        let least = (5 * transaction.weight().to_wu()).div_ceil(4);
        assert!((least..=least + least / 50 + 5 * 10).contains(&fee), "{fee} of {least}");
        refunds.push((txid, txids));
    }
    // Every payment has left the treasury, which held nothing else.
    assert_eq!(sats_of_treasury(&world).await, 0);
    assert_nothing_refundable(&world, &[&alice, &bob, &carol]).await;

    world.mine(6).await;
    for (refund, txids) in &refunds {
        for state in refund_states(&world, mint, txids).await {
            assert_eq!(state, (RefundState::Broadcast, Some(*refund)), "six blocks");
        }
    }
    world.mine(1).await;
    for (refund, txids) in &refunds {
        for state in refund_states(&world, mint, txids).await {
            assert_eq!(state, (RefundState::Refunded, Some(*refund)), "seven");
        }
        let row = world.listed(txids[0]).await;
        assert_eq!(row["refundState"], "refunded");
        assert_eq!((&row["refundTxId"], &row["isRefundable"]), (&json!(refund), &json!(false)));
    }
    world.recount(mint).await;
    assert_nothing_refundable(&world, &[&alice, &bob, &carol]).await;
    assert!(!is_stored(&world, "vm#refundable#"));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_06_requests_not_taken_by_a_full_mint_are_refundable_and_partial_batches_after_their_transfer()
 {
    let world = MintWorld::start(1_000_000).await;
    let mint = world.mint(&json!({ "totalRequests": 5, "requestsPerBlock": 5 })).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let carol = world.trader(3, &[100_000]).await;
    world.bid(&alice, 3, 3_000).await;
    let in_part = world.bid(&bob, 4, 2_500).await;
    let untaken = world.bid(&carol, 3, 2_000).await;
    world.mine(6).await;
    assert_nothing_refundable(&world, &[&alice, &bob, &carol]).await;
    world.mine(1).await;
    assert_eq!(world.mint_row(mint).await.state, MintState::MintedOut);
    assert_nothing_refundable(&world, &[&alice, &bob]).await;
    assert_eq!(figures(&world, &carol).await.0, 6_000);
    assert_eq!(world.listed(untaken).await["isRefundable"], true);
    refund(&world, &carol).await;

    // A transfer, already broadcast, divides his output.
    world.mine(6).await;
    assert_nothing_refundable(&world, &[&bob]).await;
    assert_eq!(world.listed(in_part).await["isRefundable"], false);
    world.mine(1).await;
    assert_eq!(figures(&world, &bob).await.0, 2 * 2_500);
    let transfer: Txid = world.listed(in_part).await["transferBtcTxId"]
        .as_str()
        .and_then(|txid| txid.parse().ok())
        .unwrap();
    assert_eq!(sources(&world, mint, &[in_part]).await[0].txid, transfer);
    refund(&world, &bob).await;
    assert_eq!(sats_of_treasury(&world).await, 0);
    assert_eq!(sats_of(&world, &world.proceeds).await, 3 * 3_000 + 2 * 2_500);
    world.mine(7).await;
    let expected = [(in_part, VmState::Distributed), (untaken, VmState::NotTaken)];
    for (txid, state) in expected {
        let row = world.vm(mint, txid).await;
        assert_eq!((row.state, row.refund_state), (state, RefundState::Refunded));
    }
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_22_public_calculations_are_limited_and_reveal_no_account() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (_mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    // Wrong values for every field.
    let (_, fee, _) = figures(&world, &alice).await;
    let calculated = world.calculate(&alice).await.expect(200);
    assert_eq!(*calculated.data(), calculation(&world, &alice, &txids, (5_000, fee, 5_000 - fee)));
    for secret in [&alice.session.account, &alice.trading.to_string()] {
        assert!(!calculated.text.contains(secret.as_str()), "{calculated}");
    }
    // A token makes no difference, not even a stranger's.
    let bob = world.trader(2, &[]).await;
    let path = |address: &str| {
        let rune = world.rune;
        format!("/api/refund/calculate?type=virtual_mint&runeIds={rune}&userAddress={address}")
    };
    let uppercase = path(&alice.address().to_ascii_uppercase());
    for call in [
        world.client.get(path(alice.address())).bearer(&world.token(&bob).await),
        // Addresses must be in canonical spelling.
        world.client.get(uppercase),
    ] {
        assert_eq!(call.send().await.expect(200).data(), calculated.data());
    }

    // Calculations do not query the chain.
    let chain = world.stack.bitcoin();
    let down = Mood { down: true, ..Mood::default() };
    chain.set_esplora_mood(down);
    chain.set_ord_mood(down);
    assert_eq!(world.calculate(&alice).await.expect(200).data(), calculated.data());

    let other = world.client.calling_from(Ipv4Addr::new(127, 0, 0, 9));
    for _call in 0..REFUND_BY_SOURCE.most {
        other.get(path(alice.address())).send().await.expect(200);
    }
    let limited = other.get(path(alice.address())).send().await.expect_error(Problem::RateLimited);
    let seconds: u64 = limited.header("retry-after").parse().unwrap();
    assert!((1..=301).contains(&seconds), "{seconds}");
    world.calculate(&alice).await.expect(200);
    world.stack.clock().advance(Duration::from_secs(seconds));
    other.get(path(alice.address())).send().await.expect(200);
}

#[tokio::test]
async fn a_calculation_names_each_wrong_parameter() {
    let stack = local::LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    let address = local::wallets::Wallet::p2wpkh(1).address().to_owned();
    for (field, query) in [
        ("type", format!("runeIds=1:1&userAddress={address}")),
        ("type", format!("type=withdraw&runeIds=1:1&userAddress={address}")),
        ("runeIds", format!("type=virtual_mint&userAddress={address}")),
        ("runeIds", format!("type=virtual_mint&runeIds=&userAddress={address}")),
        ("runeIds", format!("type=virtual_mint&runeIds=1:1,,2:1&userAddress={address}")),
        ("runeIds", format!("type=virtual_mint&runeIds=0:0&userAddress={address}")),
        ("runeIds", format!("type=virtual_mint&runeIds=rune&userAddress={address}")),
        ("userAddress", "type=virtual_mint&runeIds=1:1".to_owned()),
        ("userAddress", "type=virtual_mint&runeIds=1:1&userAddress=".to_owned()),
    ] {
        let path = format!("/api/refund/calculate?{query}");
        let answer = client.get(path).send().await.expect_error(Problem::Validation);
        assert_eq!(answer.body["errors"][0]["field"], field, "{answer}");
    }
    // More runes than a refund may name are refused, even if they repeat.
    let path = format!("/api/refund/calculate?type=virtual_mint&userAddress={address}&runeIds=");
    let distinct: Vec<_> = (1..=41).map(|block| format!("{block}:1")).collect();
    for runes in [&distinct, &vec!["1:1".to_owned(); 41]] {
        let answer = client.get(path.clone() + &runes.join(",")).send().await;
        let answer = answer.expect_error(Problem::Validation);
        assert_eq!(answer.body["errors"][0]["field"], "runeIds", "{answer}");
    }
    // No rate is cached here, so a chain source is asked for one.
    client
        .get(path + &distinct[..40].join(","))
        .send()
        .await
        .expect_error(Problem::ChainUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_refund_takes_the_most_valuable_payments_and_skips_those_below_their_input_fee()
 {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[]).await;
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    // At 5 sat/vB an input of the treasury costs 340 sats.
    let mut sats: Vec<u64> = (0..41).map(|number| 2_000 + 10 * ((number * 17) % 41)).collect();
    sats.extend([300, 310, 320, 335]);
    let rows = owed(&world, &alice, &mint, &sats).await;
    let of = |least: u64| {
        let rows = rows.iter().filter(|row| row.refundable_sats() >= least);
        rows.map(|row| row.txid).collect::<Vec<_>>()
    };
    let total = |least: u64| sats.iter().filter(|sats| **sats >= least).sum::<u64>();
    let expect = async |txids: &[Txid], total: u64, more: bool| {
        let calculated = world.calculate(&alice).await.expect(200);
        let data = calculated.data();
        let mut offered: Vec<Txid> = data["items"][0]["txIds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|txid| txid.as_str().unwrap().parse().unwrap())
            .collect();
        let mut expected = txids.to_vec();
        offered.sort_unstable();
        expected.sort_unstable();
        assert_eq!(offered, expected);
        assert_eq!((&data["totalSats"], &data["more"]), (&json!(total), &json!(more)));
        let created = world.create_refund(&alice).await.expect(201);
        let paid = psbt_of(&created).unsigned_tx.output[0].value.to_sat();
        assert_eq!(json!(paid), data["refundableSats"]);
        let signed = alice.signed(created.text_of("base64Psbt"));
        world.sign_refund(&alice, &signed).await.expect(201);
    };
    // The forty most valuable, then the remaining one; the others would not pay for their own inputs.
    expect(&of(2_010), total(2_010), true).await;
    let last: Vec<_> = of(2_000).into_iter().filter(|txid| !of(2_010).contains(txid)).collect();
    expect(&last, 2_000, false).await;
    world.mine(7).await;
    // They exist but are not worth a refund; the caller sees the most valuable one.
    assert_eq!(figures(&world, &alice).await.0, 335);
    world.create_refund(&alice).await.expect_error(Problem::RefundBelowFee);
    // At a lower rate all of them are refundable.
    world.stack.bitcoin().set_fees([(1, 1.0)].into()).unwrap();
    world.pass(Duration::from_secs(11 * 60)).await;
    expect(
        &of(300).into_iter().filter(|txid| !of(2_000).contains(txid)).collect::<Vec<_>>(),
        1_265,
        false,
    )
    .await;
}
