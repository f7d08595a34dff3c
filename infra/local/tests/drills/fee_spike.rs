//! Rates rise from 2 to 200 sat/vB and fall again, and the mempool is purged once.

use chain::models::{mint::MintState, transaction::TransactionState, vm_transaction::RefundState};
use local::mints::txid_of;
use serde_json::json;

use super::town::Town;

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_a_fee_spike_and_a_purge_end_with_every_sum_exact() {
    let mut town = Town::start(1_000_000).await;
    town.set_rate(2.0);
    let (alice, bob, carol, dave, erin) = (
        town.world.trader(1, &[300_000, 300_000]).await,
        town.world.trader(2, &[300_000, 300_000]).await,
        town.world.trader(3, &[300_000, 300_000]).await,
        town.world.trader(4, &[300_000]).await,
        town.world.trader(5, &[300_000]).await,
    );
    // A failed mint owes Carol 200,000 sats.
    let failed = town.world.mint(&json!({})).await;
    town.world.bid(&carol, 10, 20_000).await;
    town.world.mine(1).await;
    town.world.close(failed).await;
    town.world.watch().await;
    town.world.mine(7).await;
    assert_eq!(town.world.mint_row(failed).await.state, MintState::Failed);
    // Alice will receive runes.
    let paid = town.world.mint(&json!({ "totalRequests": 5, "requestsPerBlock": 5 })).await;
    town.world.bid(&alice, 5, 10_000).await;
    town.world.mine(1).await;
    town.world.stack.bitcoin().mine(6).await.unwrap();

    // Bob bids for another rune.
    let other = town.etch_another().await;
    // At two sats per byte: the payout, Carol's refund, Dave's and Erin's withdrawals, Bob's bid.
    town.world.watch().await;
    let created = town.world.create_refund(&carol).await.expect(201);
    let signed = carol.signed(created.text_of("base64Psbt"));
    town.world.sign_refund(&carol, &signed).await.expect(201);
    let patient = town.withdraw(&dave, 1, 20_000).await;
    let hasty = town.withdraw(&erin, 2, 30_000).await;
    let of_other = json!({
        "runeId": other.to_string(), "totalRequests": 4, "requestsPerBlock": 4,
    });
    let open = town.world.mint(&of_other).await;
    let bid = town.bid_for(other, &bob, 2, 5_000).await;

    // The spike: miners accept 100 sats per byte or more.
    town.set_rate(200.0);
    for _block in 0..3 {
        town.ten_minutes(100).await;
    }
    let hurried = town.raise_fee(&erin, hasty).await;
    let raised = town.bid_for(other, &bob, 2, 6_000).await;
    town.ten_minutes(100).await;
    assert_eq!(town.world.issued(hurried).await.state, TransactionState::Confirmed);
    assert_eq!(town.world.issued(raised).await.state, TransactionState::Confirmed);
    assert_eq!(town.world.issued(hasty).await.state, TransactionState::Replaced);
    assert_eq!(town.world.issued(bid).await.state, TransactionState::Replaced);
    assert_eq!(town.world.issued(patient).await.state, TransactionState::InMempool);
    // The worker has bumped the transactions it pays for, and every mempool drops the rest.
    town.world.stack.bitcoin().purge_mempool().await.unwrap();
    for _block in 0..12 {
        town.ten_minutes(100).await;
    }

    town.set_rate(2.0);
    for _block in 0..24 {
        town.ten_minutes(2).await;
    }
    assert_eq!(town.world.mint_row(paid).await.state, MintState::Distributed);
    assert_eq!(town.world.mint_row(open).await.state, MintState::Distributed);
    for (trader, requests) in [(&alice, 5), (&bob, 4)] {
        let held = town.world.stack.bitcoin().runes_of(&trader.trading).await.unwrap();
        assert_eq!(held.values().sum::<u128>(), requests * 1_000);
    }
    let proceeds = town.world.stack.bitcoin().coins(&town.world.proceeds).await.unwrap();
    let proceeds: u64 = proceeds.iter().map(|coin| coin.output.value.to_sat()).sum();
    assert_eq!(proceeds, 5 * 10_000 + 2 * 5_000 + 2 * 6_000);
    let refunded = town.world.vms(failed).await.remove(0);
    assert_eq!(refunded.refund_state, RefundState::Refunded);
    let versions = [txid_of(&created), refunded.refund_txid.unwrap()];
    let refund = town.world.issued(versions[1]).await;
    let arrived = town.world.stack.bitcoin().transaction(versions[1]).await.unwrap().unwrap();
    let to_carol = arrived
        .output
        .iter()
        .filter(|output| output.script_pubkey == carol.trading.script_pubkey());
    let own = refund.platform_sats;
    let received: u64 = to_carol.map(|output| output.value.to_sat()).sum();
    assert!(own == 200_000 && received + refund.fee >= own, "{received} of {own}");
    town.assert_everything_ended(&[failed, paid, open]).await;
    assert_eq!(town.stuck_rows().await, 0);
}
