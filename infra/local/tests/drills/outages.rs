//! Each outside party in turn is down for an hour.

use std::time::Duration;

use chain::models::{
    mint::{MintId, MintState},
    vm_transaction::RefundState,
};
use local::{
    BitcoinWorld,
    hub::{HubDouble, swap},
    mints::{MintWorld, Trader, txid_of},
    mood::Mood,
    wallets::{NETWORK, Wallet, sign_in},
};
use serde_json::json;

use super::town::Town;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Party {
    Esplora,
    Ord,
    Kms,
    Hub,
}

impl Party {
    fn set(self, town: &Town, mood: Mood) {
        let stack = &town.world.stack;
        match self {
            Self::Esplora => BitcoinWorld::set_esplora_mood(stack.bitcoin(), mood),
            Self::Ord => BitcoinWorld::set_ord_mood(stack.bitcoin(), mood),
            Self::Kms => town.kms.set(mood),
            Self::Hub => HubDouble::be(stack.hub(), mood),
        }
    }
}

/// Work in progress when the party goes down.
struct UnderWay {
    /// A mint that is minted out and is paying out.
    minted_out: MintId,
    /// A failed mint with a refund of Carol.
    failed: MintId,
    alice: Trader,
    bob: Trader,
    carol: Trader,
    dave: Trader,
    erin: Trader,
}

async fn begin(town: &mut Town) -> UnderWay {
    let world = &town.world;
    let (alice, bob) =
        (world.trader(1, &[200_000, 200_000]).await, world.trader(2, &[200_000, 200_000]).await);
    let (carol, dave) =
        (world.trader(3, &[200_000, 200_000]).await, world.trader(4, &[300_000]).await);
    let erin = world.trader(5, &[300_000]).await;
    // A failed mint owes Carol 10,000 sats.
    let failed = world.mint(&json!({})).await;
    world.bid(&carol, 5, 2_000).await;
    world.mine(1).await;
    world.close(failed).await;
    world.watch().await;
    world.mine(7).await;
    assert_eq!(world.mint_row(failed).await.state, MintState::Failed);
    // Alice will receive runes; Bob some runes and a refund of the rest.
    let smaller = json!({ "totalRequests": 6, "requestsPerBlock": 6 });
    let minted_out = world.mint(&smaller).await;
    world.bid(&alice, 4, 3_000).await;
    world.bid(&bob, 4, 2_000).await;
    world.mine(1).await;
    world.stack.bitcoin().mine(6).await.unwrap();
    UnderWay { minted_out, failed, alice, bob, carol, dave, erin }
}

/// One hour down with everything in progress, and one hour to recover.
async fn drill(party: Party) {
    let mut town = Town::start(1_000_000).await;
    let under_way = begin(&mut town).await;
    let UnderWay { minted_out, failed, .. } = under_way;
    let created = town.world.create_refund(&under_way.carol).await.expect(201);
    let refund = under_way.carol.signed(created.text_of("base64Psbt"));
    let first = town.withdraw(&under_way.dave, 1, 20_000).await;
    let second = {
        let to = super::town::fresh_address(2);
        town.create_withdrawal(&under_way.erin, &to, 30_000, None).await.expect(201)
    };
    let (owner, session) = {
        let wallet = Wallet::evm(7);
        let session = sign_in(&town.world.client, &wallet).await;
        (wallet, session)
    };
    let registered = swap(&owner, 1);
    let register = town.world.client.post("/api/xchain/transactions/register");
    register.bearer(&session.access_token).json(&json!(registered)).send().await.expect(200);

    party.set(&town, Mood { down: true, ..Mood::default() });
    // Signing either succeeds or is refused and can be repeated: the caller always knows which.
    let signed = town.world.sign_refund(&under_way.carol, &refund).await;
    assert!([201, 502, 503].contains(&signed.status), "{}", signed.text);
    let signed_second = town.sign_withdrawal(&under_way.erin, &second).await;
    assert!([201, 502, 503].contains(&signed_second.status), "{}", signed_second.text);
    let mut alarmed = false;
    for _block in 0..6 {
        town.ten_minutes(0).await;
        alarmed |= town.stuck_rows().await > 0;
    }
    assert!(alarmed, "no alarm reported that {party:?} is down");

    party.set(&town, Mood::default());
    if signed_second.status != 201 {
        let to = super::town::fresh_address(2);
        let again = town.create_withdrawal(&under_way.erin, &to, 30_000, None).await.expect(201);
        town.sign_withdrawal(&under_way.erin, &again).await.expect(201);
        town.expect_payment(txid_of(&again), 2, 30_000);
    } else {
        town.expect_payment(txid_of(&second), 2, 30_000);
    }
    if signed.status != 201 {
        let created = town.world.create_refund(&under_way.carol).await.expect(201);
        let refund = under_way.carol.signed(created.text_of("base64Psbt"));
        town.world.sign_refund(&under_way.carol, &refund).await.expect(201);
    }
    for _block in 0..24 {
        town.ten_minutes(0).await;
    }
    town.world.stack.clock().advance(Duration::from_secs(60 * 60));
    town.world.watch().await;

    let world = &town.world;
    assert_eq!(world.mint_row(minted_out).await.state, MintState::Distributed);
    // Bidding works as before.
    let open = world.mint(&json!({})).await;
    world.bid(&under_way.alice, 3, 2_500).await;
    world.mine(1).await;
    assert_eq!(world.requests_in_blocks(open).await, 3);
    for (trader, requests) in [(&under_way.alice, 4), (&under_way.bob, 2)] {
        let held = world.stack.bitcoin().runes_of(&trader.trading).await.unwrap();
        assert_eq!(held.values().sum::<u128>(), requests * 1_000);
    }
    let kept = runes_in_pool(world).await;
    assert_eq!(kept, 1_000_000 - 6_000);
    assert_eq!(sats_at(world, &world.proceeds).await, 4 * 3_000 + 2 * 2_000);
    let refunded = world.vms(failed).await.remove(0);
    assert_eq!(refunded.refund_state, RefundState::Refunded);
    town.assert_everything_ended(&[minted_out, failed]).await;
    // The hub has each withdrawal exactly once, and has settled the swap.
    let told = world.stack.hub().withdrawals();
    for txid in [first, town.txid_to(2)] {
        let times = told.iter().filter(|one| one.tx_id == txid).count();
        assert_eq!(times, 1, "{txid} at the hub");
    }
    let status =
        world.client.get(format!("/api/xchain/transactions/{}/status", registered.intent_tx_hash));
    let session = sign_in(&world.client, &owner).await;
    let status = status.bearer(&session.access_token).send().await.expect(200);
    assert_eq!(status.data()["isFinal"], true, "{}", status.data());
    assert_eq!(town.stuck_rows().await, 0);
}

async fn runes_in_pool(world: &MintWorld) -> u128 {
    let pool = world.pool.address(NETWORK);
    world.stack.bitcoin().runes_of(&pool).await.unwrap().values().sum()
}

async fn sats_at(world: &MintWorld, address: &bitcoin::Address) -> u64 {
    let coins = world.stack.bitcoin().coins(address).await.unwrap();
    coins.iter().map(|coin| coin.output.value.to_sat()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_everything_ends_after_an_hour_without_esplora() {
    drill(Party::Esplora).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_everything_ends_after_an_hour_without_ord() {
    drill(Party::Ord).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_everything_ends_after_an_hour_without_kms() {
    drill(Party::Kms).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_everything_ends_after_an_hour_without_the_hub() {
    drill(Party::Hub).await;
}
