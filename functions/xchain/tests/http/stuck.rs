//! Rows that the chain watcher cannot advance, and the queues in which they wait.

use std::time::Duration;

use chain::{
    keys,
    models::xchain::{IntentHash, Swap, XchainRecord, XchainStatus},
};
use local::mood::Mood;
use shared::{
    models::watch::{Failing, Origin, Watch},
    stuck,
};

use super::{
    swaps::{swap, without_chain},
    *,
};

/// A stack whose fees are too high for a plan to merge small coins.
async fn world_without_merging() -> World {
    let world = world().await;
    world.stack.bitcoin().set_fees([(1, 12.0)].into()).unwrap();
    world
}

impl World {
    async fn record_of(&self, by: &SignedIn, swap: &Swap) -> XchainRecord {
        let key = keys::xchain_swap(swap.intent_tx_hash, by.account.parse().unwrap());
        self.stack.app().store.get(&key).await.unwrap().unwrap()
    }

    /// The measured number of stuck rows of an origin, and how many of them became stuck recently. No other
    /// origin has any.
    async fn stuck_rows(&self, origin: Origin) -> (u64, u64) {
        let [_, _, _, stuck @ ..] = chain_watcher::measure(self.stack.app()).await.unwrap();
        let (name, new_name) = match origin {
            Origin::Platform => ("StuckPayouts", "NewlyStuckPayouts"),
            Origin::User => ("StuckSignedRows", "NewlyStuckSignedRows"),
            Origin::Anyone => ("StuckFreeRows", "NewlyStuckFreeRows"),
        };
        let named = |name| stuck.iter().find(|metric| metric.name == name).unwrap().value;
        let (rows, new) = (named(name), named(new_name));
        assert_eq!(stuck.iter().map(|metric| metric.value).sum::<u64>(), rows + new);
        (rows, new)
    }

    /// Runs the watcher once a minute.
    async fn watch_for(&self, minutes: u32) {
        for _minute in 0..minutes {
            self.watch_after(60).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_confirmed_swap_leaves_the_queue_of_new_swaps_in_the_same_write() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (at_once, later) = (swap(&wallet, 1), swap(&wallet, 2));
    world.stack.hub().agree(false);
    world.stack.hub().know(at_once.clone());
    world.register(&owner, &at_once).await.expect(200);
    world.register(&owner, &later).await.expect(200);
    assert_eq!(world.record_of(&owner, &at_once).await.watch, Some(Watch::Swap));
    let unknown = world.record_of(&owner, &later).await;
    assert_eq!((unknown.watch, unknown.verified), (Some(Watch::NewSwap), false));
    world.watch_after(31).await;
    assert_eq!(world.record_of(&owner, &later).await.watch, Some(Watch::NewSwap));
    world.stack.hub().know(later.clone());
    world.stack.hub().set_status(later.intent_tx_hash, XchainStatus::Relaying);
    world.watch_after(100).await;
    let known = world.record_of(&owner, &later).await;
    assert_eq!((known.watch, known.verified), (Some(Watch::Swap), true));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_row_that_fails_three_times_is_stuck_counted_and_retried() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let hub = world.stack.hub();
    hub.know(swap.clone());
    hub.set_status(swap.intent_tx_hash, XchainStatus::Relaying);
    world.register(&owner, &swap).await.expect(200);
    world.watch_after(31).await;

    hub.be(Mood { status: Some(500), ..Mood::default() });
    world.stack.clock().advance(Duration::from_secs(300));
    for failures in 1..=2 {
        world.watch_after(31).await;
        let row = world.record_of(&owner, &swap).await;
        let failing = row.failing.unwrap();
        assert_eq!((failing.times, row.watch), (failures, Some(Watch::Swap)));
        assert_eq!(failing.stuck_at, None);
        assert_eq!(world.stuck_rows(Origin::Anyone).await, (0, 0));
    }
    world.watch_after(31).await;
    let row = world.record_of(&owner, &swap).await;
    let Failing { times, since, stuck_at, cause } = row.failing.unwrap();
    assert_eq!((times, row.watch), (3, Some(Watch::StuckSwap)));
    assert!(cause.contains("500"), "{cause}");
    let now = || world.stack.app().clock.now();
    assert!((60..180).contains(&(now().0 - since.0).div_euclid(1_000)), "{since:?}");
    assert!(stuck_at.is_some_and(|at| at > since && at <= now()), "{stuck_at:?}");
    assert_eq!(world.stuck_rows(Origin::Anyone).await, (1, 1));

    // It is retried every five to fifteen minutes, and its age counts from the first failure.
    assert_eq!((row.due_at.0 - now().0).div_euclid(60_000), 4);
    world.watch_for(40).await;
    let row = world.record_of(&owner, &swap).await;
    assert!((row.due_at.0 - now().0) <= 15 * 60_000);
    let failing = row.failing.unwrap();
    assert_eq!((failing.since, failing.stuck_at), (since, stuck_at));
    assert_eq!(world.stuck_rows(Origin::Anyone).await, (1, 0), "it no longer counts as recent");
    assert!((5..=7).contains(&failing.times), "{failing:?}");
    let listed = stuck::list(&world.stack.app().store).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].kind, listed[0].state.as_str()), (Watch::Swap, "relaying"));
    assert_eq!(listed[0].failing, failing);

    hub.be(Mood::default());
    world.watch_for(16).await;
    let row = world.record_of(&owner, &swap).await;
    assert_eq!((row.failing, row.watch), (None, Some(Watch::Swap)));
    assert_eq!(world.stuck_rows(Origin::Anyone).await, (0, 0));
    hub.set_status(swap.intent_tx_hash, XchainStatus::Filled);
    world.watch_after(3_600).await;
    assert_eq!(world.record_of(&owner, &swap).await.watch, None);
}

/// Rows that come first in their queue, although neither their due time nor their note of failures can be
/// read.
#[tokio::test(flavor = "multi_thread")]
async fn custody_26_rows_that_cannot_be_read_are_stuck_and_counted_and_hide_no_other() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let swap = swap(&wallet, 1);
    let hub = world.stack.hub();
    hub.know(swap.clone());
    world.register(&owner, &swap).await.expect(200);
    let account = owner.account.parse().unwrap();
    let place =
        |digits: &str| keys::xchain_swap(digits.repeat(32).parse::<IntentHash>().unwrap(), account);
    let rows = [
        (place("01"), "xchainRecord", json!({ "watch": "swap", "dueAt": 1.5 })),
        (place("02"), "xchainRecord", json!({ "watch": "swap", "dueAt": 1, "failing": "x" })),
    ];
    world.stack.import(&rows).unwrap();
    hub.set_status(swap.intent_tx_hash, XchainStatus::Relaying);
    world.watch_after(100).await;
    assert_eq!(world.record_of(&owner, &swap).await.status, XchainStatus::Relaying);
    assert_eq!(world.stuck_rows(Origin::Anyone).await, (2, 2));
    // They are retried, and count as stuck since the first time.
    world.watch_for(20).await;
    assert_eq!(world.stuck_rows(Origin::Anyone).await, (2, 0));
    let listed = stuck::list(&world.stack.app().store).await.unwrap();
    assert!(
        listed.iter().all(|row| row.kind == Watch::Swap && row.failing.times > 3),
        "{listed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_strangers_status_request_does_not_clear_failures() {
    let world = without_chain().await;
    let (wallet, owner) = world.owner(1).await;
    let (_, reader) = world.owner(2).await;
    let swap = swap(&wallet, 1);
    world.stack.hub().know(swap.clone());
    world.stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Relaying);
    world.register(&owner, &swap).await.expect(200);
    world.stack.hub().be(Mood { status: Some(500), ..Mood::default() });
    world.watch_for(5).await;
    assert_eq!(world.record_of(&owner, &swap).await.watch, Some(Watch::StuckSwap));
    world.stack.hub().be(Mood::default());
    world.stack.hub().set_status(swap.intent_tx_hash, XchainStatus::Relayed);
    world.stack.clock().advance(Duration::from_secs(40));
    let answer = world.status_of(&reader, &swap.intent_tx_hash.to_string()).await.expect(200);
    assert_eq!(answer.text_of("status"), "relayed");
    let row = world.record_of(&owner, &swap).await;
    assert!(row.failing.is_some() && row.watch == Some(Watch::StuckSwap));
    world.watch_for(6).await;
    assert_eq!(world.record_of(&owner, &swap).await.watch, Some(Watch::Swap));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_withdrawal_is_stuck_until_its_source_answers() {
    let world = world_without_merging().await;
    let user = world.user_with(1, &[100_000, 100_000]).await;
    let draft = world.created(&user, 20_000).await;
    let unsigned = world.row(txid_of(&draft)).await;
    assert!(unsigned.watch.is_none() && unsigned.expires_at.is_some());
    let txid = withdrawn(&world, &user).await;
    let signed = world.row(txid).await;
    assert_eq!((signed.watch, signed.expires_at), (Some(Watch::SentTransaction), None));

    world.stack.bitcoin().set_esplora_mood(Mood { down: true, ..Mood::default() });
    world.watch_for(4).await;
    let row = world.row(txid).await;
    assert_eq!(
        (row.watch, row.state),
        (Some(Watch::StuckSentTransaction), TransactionState::InMempool)
    );
    assert_eq!(world.stuck_rows(Origin::User).await, (1, 1));
    // Only this row is late, and stuck rows cause no lag.
    let [lag, ..] = chain_watcher::measure(world.stack.app()).await.unwrap();
    assert_eq!((lag.name, lag.value), ("WatcherLag", 0));

    world.stack.bitcoin().set_esplora_mood(Mood::default());
    world.mine(1).await;
    world.watch_for(6).await;
    let row = world.row(txid).await;
    assert_eq!((row.watch, row.state), (Some(Watch::SentTransaction), TransactionState::Confirmed));
    assert_eq!((row.failing, world.stuck_rows(Origin::User).await), (None, (0, 0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_transaction_refused_by_the_network_counts_as_stuck() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 100_000]).await;
    let created = world.created(&user, 20_000).await;
    let back = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &back).await.expect(201);
    // A block contains another transaction that spends its coin, so every node refuses this one.
    let txid = txid_of(&created);
    let other = replace::outbid(&world, &user, &world.issued(txid).await, &created).await;
    world.stack.bitcoin().send_raw(&other).await.unwrap();
    world.mine(1).await;
    world.watch_for(9).await;
    let row = world.row(txid).await;
    assert_eq!(
        (row.state, row.watch),
        (TransactionState::Broadcasting, Some(Watch::StuckTransaction))
    );
    assert_eq!(row.failing.unwrap().cause, "the network does not take the transaction");
    assert_eq!(world.stuck_rows(Origin::User).await, (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_26_a_refused_withdrawal_does_not_delay_later_ones() {
    let world = world_without_merging().await;
    let user = world.user_with(1, &[100_000, 100_000]).await;
    let set_down = |down| world.stack.bitcoin().set_esplora_mood(Mood { down, ..Mood::default() });
    let first = withdrawn(&world, &user).await;
    set_down(true);
    world.watch_for(4).await;
    assert_eq!(world.stuck_rows(Origin::User).await, (1, 1));
    world.watch_for(10).await;
    assert_eq!(world.stuck_rows(Origin::User).await, (1, 0));
    set_down(false);
    let other = world.user_with(2, &[100_000, 100_000]).await;
    let second = withdrawn(&world, &other).await;
    set_down(true);
    world.watch_for(4).await;
    for txid in [first, second] {
        assert_eq!(world.row(txid).await.watch, Some(Watch::StuckSentTransaction));
    }
    assert_eq!(world.stuck_rows(Origin::User).await, (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_27_the_worker_ignores_unsigned_withdrawals() {
    let world = world_without_merging().await;
    let user = world.user_with(1, &[50_000; 5]).await;
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(txid_of(&world.created(&user, 20_000 + n).await));
    }
    world.stack.clock().advance(Duration::from_secs(611));
    assert_eq!(world.stack.tick("chain-watcher").await.unwrap(), 0);
    let now = world.stack.app().clock.now();
    for txid in &made {
        let row = world.row(*txid).await;
        assert!(row.is_overdue(now) && row.watch.is_none());
        assert!(row.expires_at.unwrap() > now.seconds(), "a refusal can still name the cause");
    }
    // The same request finds the row of the unsigned withdrawal and expires it.
    let session = sign_in(&world.client, &user.wallet).await;
    let user = User { session, ..user };
    let again = world.created(&user, 20_000).await;
    assert_eq!(world.state(txid_of(&again)).await, TransactionState::Unsigned);
    assert!(!world.row(txid_of(&again)).await.is_overdue(now));
}
