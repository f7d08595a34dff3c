//! A mint that many people want, with a worker that dies again and again.

use std::{collections::BTreeMap, net::Ipv4Addr, time::Duration};

use bitcoin::{Transaction, Txid};
use futures_util::{StreamExt, stream};
use local::wallets::{NETWORK, Wallet};
use shared::problem::Problem;
use tokio::time::Instant;

use super::*;

/// The number in an environment variable, or `otherwise`.
fn size(setting: &str, otherwise: u64) -> u64 {
    std::env::var(setting).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Runs of the worker that are cut off before the one that ends.
const CUT_OFF: u32 = 4;
/// A run that is cut off ends after fewer effects; one that has fewer ends by itself.
const MOST_EFFECTS: u64 = 30;

/// Signs a wallet in from an IP address of its own.
async fn at_home(world: &MintWorld, wallet: Wallet, number: u64) -> Trader {
    let [.., high, low] = number.to_be_bytes();
    let client = world.client.calling_from(Ipv4Addr::new(127, 1, high, low));
    Trader::sign_in(&client, wallet).await
}

struct Crowd {
    world: MintWorld,
    traders: Vec<Trader>,
    /// Batches of each trader.
    each: u64,
    /// For reproducible moments at which the worker dies.
    state: u64,
}

impl Crowd {
    async fn gather(count: u64, each: u64) -> Self {
        // As many runes as requests that are taken, and some for change.
        let world = MintWorld::start(u128::from(count * each) * 1_000 + 50_000).await;
        // Every output with runes holds sats of the platform, and somebody pays the fees.
        let pool = world.pool.address(NETWORK);
        world.stack.bitcoin().fund(&pool, 3_000 * count * each).await.unwrap();
        let mut traders = Vec::new();
        for seed in 1..=count {
            let trader = at_home(&world, Wallet::p2wpkh(seed), seed).await;
            let coins = usize::try_from(each).unwrap();
            world.stack.bitcoin().scatter(&trader.trading, 30_000, coins).await.unwrap();
            traders.push(trader);
        }
        Self { world, traders, each, state: 1 }
    }

    /// A number below this one.
    fn below(&mut self, most: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) % most
    }

    /// Every trader bids once, several at a time, at a price of their own.
    async fn bid(&self, round: u64) -> Vec<Txid> {
        let bids = self.traders.iter().zip(0..);
        let bids = bids.map(async |(trader, number): (&Trader, u64)| {
            let trader = &at_home(&self.world, trader.wallet.clone(), number + 1).await;
            // For those of the last round no room is left.
            let price = if round + 1 == self.each { 5_000 } else { 10_000 + number % 7 };
            self.world.bid(trader, 1, price).await
        });
        stream::iter(bids).buffered(8).collect().await
    }

    /// The worker dies at any moment, several times, and then ends its work.
    async fn watch(&mut self) {
        for _run in 0..CUT_OFF {
            let after = 1 + self.below(MOST_EFFECTS);
            let stack = &self.world.stack;
            stack.clock().advance(Duration::from_secs(61));
            let _cut_off = stack.effects().kill_after(after, stack.tick("chain-watcher")).await;
        }
        self.world.watch().await;
    }

    async fn mine(&mut self, blocks: u32) {
        for _block in 0..blocks {
            self.world.stack.bitcoin().mine(1).await.unwrap();
            self.watch().await;
        }
    }

    /// Every trader whose payments are owed asks for them.
    async fn refund(&self) -> usize {
        let mut refunded = 0;
        for (trader, number) in self.traders.iter().zip(1..) {
            let trader = &at_home(&self.world, trader.wallet.clone(), number).await;
            let created = self.world.create_refund(trader).await;
            if created.status != 201 {
                created.expect_error(Problem::RefundNothing);
                continue;
            }
            let signed = trader.signed(created.text_of("base64Psbt"));
            self.world.sign_refund(trader, &signed).await.expect(201);
            refunded += 1;
        }
        refunded
    }
}

/// By default small; `make crowd` makes it large.
#[allow(clippy::print_stdout, reason = "`make crowd` prints what it took")]
#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_gets_every_rune_and_sat_while_the_worker_dies_again_and_again() {
    let (count, each) = (size("RUNEPORT_CROWD", 6), size("RUNEPORT_BATCHES_EACH", 4));
    let begun = Instant::now();
    let mut crowd = Crowd::gather(count, each).await;
    // The mint has no requests for the bids of the last round.
    let taken = count * (each - 1);
    let size = json!({ "totalRequests": taken, "requestsPerBlock": count.div_ceil(2) });
    let mint = crowd.world.mint(&size).await;
    let mut batches: BTreeMap<Txid, usize> = BTreeMap::new();
    for round in 0..each {
        batches.extend(crowd.bid(round).await.into_iter().zip(0..));
        crowd.mine(1).await;
    }
    let bid_for = begun.elapsed();
    for _block in 0..2 * each + 30 {
        crowd.mine(1).await;
        if crowd.world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
    }
    let world = &crowd.world;
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    let rows = world.vms(mint).await;
    assert_eq!(rows.len(), batches.len());
    let (mut proceeds, mut runes) = (0, vec![0; crowd.traders.len()]);
    for row in &rows {
        proceeds += row.sats_in_blocks();
        runes[batches[&row.txid]] += u128::from(row.requests_in_blocks()) * 1_000;
    }
    assert_eq!(runes.iter().sum::<u128>(), u128::from(taken) * 1_000);
    assert_eq!(sats_of(world, &world.proceeds).await, proceeds);
    for (trader, expected) in crowd.traders.iter().zip(&runes) {
        assert_eq!(runes_of(world, &trader.trading).await, *expected);
    }
    let left = u128::from(count * each) * 1_000 + 50_000 - u128::from(taken) * 1_000;
    assert_eq!(runes_of(world, &world.pool.address(NETWORK)).await, left);

    let owed: u64 = rows.iter().map(|row| row.refundable_sats()).sum();
    assert_eq!(sats_of(world, &world.treasury.address(NETWORK)).await, owed);
    let refunds = crowd.refund().await;
    crowd.mine(7).await;
    let world = &crowd.world;
    assert_eq!(sats_of(world, &world.treasury.address(NETWORK)).await, 0);
    if rows.len() <= 100 {
        world.recount(mint).await;
    }
    let sent = world.payouts(mint).await.into_iter().map(|payout| payout.sent.unwrap().txid);
    let mut transactions: Vec<Transaction> = Vec::new();
    for txid in sent {
        transactions.push(world.raw(txid).await);
    }
    let bytes: usize = transactions.iter().map(Transaction::vsize).sum();
    let (payouts, all) = (transactions.len(), rows.len());
    println!(
        "{all} batches of {count} wallets: bids {bid_for:.0?}, in all {:.0?}; {payouts} payouts of {bytes} vB, {refunds} refunds",
        begun.elapsed()
    );
    let checked = checked::agrees(world, mint).await;
    println!("checked from Esplora: {}", checked.words());
}
