//! Whether the rows of a block agree with the chain.

use std::{collections::BTreeSet, net::IpAddr, time::Duration};

use futures_util::future::join_all;
use local::{Wallet, hub::swap};
use serde_json::json;
use simulation::{
    aws::dynamodb::{figure, text},
    choice::{Allowed, Choices},
    faults::Latency,
    hub::Hub,
    people::{Call, Client, Session, sign_in},
    run::in_simulated_time,
    wire::START_MS,
};
use tokio::time::sleep;

use super::{Row, Waiting, is_final, is_in_block, runs};

/// Users, each with a batch of one request.
const BATCHES: u8 = 7;

async fn start(requests_per_block: u64) -> Waiting {
    Waiting::start(&[1; BATCHES as usize], requests_per_block, 20).await
}

#[test]
fn a_block_updates_its_rows_and_the_seventh_makes_them_final() {
    in_simulated_time(1, async {
        let waiting = start(3).await;
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(|row| row.contains_key("confirmation")), 0);
        waiting.stage.find_block();
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), 3);
        for block in 2..=6 {
            waiting.stage.find_block();
            runs().await;
            assert_eq!(waiting.count(is_in_block), usize::from(BATCHES.min(3 * block)));
            assert_eq!(waiting.count(is_final), 0);
        }
        waiting.stage.find_block();
        runs().await;
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
        waiting.check();
        assert!(!waiting.stage.any_row(|row| text(row, "watch") == Some("sentTransaction")));
    });
}

#[test]
fn a_block_of_the_chain_fills_a_virtual_block_within_20_seconds() {
    in_simulated_time(4, async {
        let waiting = start(1).await;
        for block in 1..=7 {
            // Each block is found at another second of a minute.
            sleep(Duration::from_secs(67)).await;
            waiting.stage.find_block();
            sleep(Duration::from_secs(20)).await;
            waiting.check();
            assert_eq!(waiting.count(|row| row.contains_key("confirmation")), usize::from(BATCHES));
            assert_eq!(waiting.count(is_in_block), block);
        }
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

impl Waiting {
    /// Registers ten swaps of an account, which the hub may know.
    async fn register_swaps(&self, account: u8, does_hub_know: bool) {
        let source = IpAddr::from([10, 2, 0, account]);
        let name = format!("swapper{account}");
        let mut client = Client::from_source(&self.stage.lambda, &name, source);
        let wallet = Wallet::evm(5_000 + u64::from(account));
        let call = sign_in(&mut client, &wallet, None).await.unwrap();
        let session = Session::of(&client.send(&call).await).unwrap();
        for number in 0..10 {
            let number = u64::from(account) * 10 + number;
            let body = serde_json::to_value(swap(&wallet, number)).unwrap();
            if does_hub_know {
                let now = self.stage.net.now();
                self.stage.net.world().host::<Hub>("hub").begin(&body, now, 60_000);
            }
            let call = Call::post("/api/xchain/transactions/register", body);
            let answer = client.send(&call.bearer(&session.access)).await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    }

    /// Makes all swaps due a second before a run of the watcher, which finds a hub whose answers take four seconds.
    async fn let_swaps_come_due(&self) {
        let (there, back) = ((4_000, 4_000), (1, 6));
        self.stage.net.world().menu.slow_hosts.insert("hub", Latency { there, back });
        let passed = u64::try_from((self.stage.net.now() - START_MS) % 60_000).unwrap();
        sleep(Duration::from_millis(60_000 + 59_000 - passed)).await;
        let now = self.stage.net.now().to_string();
        for (table, mut row) in self.tabled("xchainRecord") {
            row.insert("dueAt".to_owned(), json!({ "N": now }));
            self.import(&table, row);
        }
    }

    /// How many swaps wait in a queue now.
    fn due_swaps(&self, queue: &str) -> usize {
        let now = self.stage.net.now();
        let waits = |row: &Row| text(row, "watch") == Some(queue);
        let is_due = |row: &Row| waits(row) && figure(row, "dueAt") <= Some(now);
        self.tabled("xchainRecord").iter().filter(|(_, row)| is_due(row)).count()
    }
}

/// Custody rule 26: a partner whose answers take four seconds keeps the watcher busy for most of a minute, in
/// which blocks are applied all the same.
#[test]
fn custody_26_a_slow_partner_delays_no_block() {
    in_simulated_time(6, async {
        let waiting = start(1).await;
        join_all((0..9).map(|account| waiting.register_swaps(account, false))).await;
        waiting.let_swaps_come_due().await;
        assert_eq!(waiting.due_swaps("newSwap"), 90);
        for _block in 0..2 {
            sleep(Duration::from_secs(12)).await;
            assert!(waiting.due_swaps("newSwap") > 8, "the watcher is busy");
            waiting.stage.find_block();
        }
        sleep(Duration::from_secs(10)).await;
        assert!(waiting.due_swaps("newSwap") > 8, "the watcher is busy");
        waiting.check();
        assert_eq!(waiting.count(|row| row.contains_key("confirmation")), usize::from(BATCHES));
        assert_eq!(waiting.count(is_in_block), 2);
    });
}

impl Waiting {
    /// Makes the first row of a kind unreadable; returns its table, and the row as it was.
    fn damage(&self, entity: &str, attribute: &str) -> (String, Row) {
        let (table, row) = self.tabled(entity).remove(0);
        let mut damaged = row.clone();
        assert!(damaged.insert(attribute.to_owned(), json!({ "S": "x" })).is_some());
        self.import(&table, damaged);
        (table, row)
    }

    /// Makes all transactions due for the rounds of their queue.
    fn let_rounds_come(&self) {
        let now = self.stage.net.now().to_string();
        for (table, mut row) in self.tabled("issuedTransaction") {
            if row.contains_key("watch") {
                row.insert("dueAt".to_owned(), json!({ "N": now }));
                self.import(&table, row);
            }
        }
    }

    /// Whether the watcher has applied every block of the chain.
    fn is_at_tip(&self) -> bool {
        let height = self.stage.chain.lock().chain().height();
        self.stage.any_row(|row| {
            text(row, "entity") == Some("chainTip") && figure(row, "height") == Some(height.into())
        })
    }
}

#[test]
fn custody_26_a_transaction_that_cannot_be_read_stops_no_other_one() {
    in_simulated_time(7, async {
        let waiting = start(40).await;
        let others = usize::from(BATCHES) - 1;
        let (table, row) = waiting.damage("issuedTransaction", "version");
        for _block in 0..7 {
            waiting.stage.find_block();
            runs().await;
        }
        assert!(waiting.is_at_tip(), "blocks are applied");
        assert_eq!(waiting.count(|row| row.contains_key("confirmation")), others);
        assert_eq!((waiting.count(is_in_block), waiting.count(is_final)), (others, others));
        waiting.import(&table, row);
        waiting.let_rounds_come();
        runs().await;
        waiting.stage.find_empty_block();
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES), "its bid was not lost");
    });
}

#[test]
fn custody_26_a_batch_that_cannot_be_read_stops_its_own_mint_alone() {
    in_simulated_time(8, async {
        let waiting = start(40).await;
        let others = usize::from(BATCHES) - 1;
        let (table, row) = waiting.damage("vmTransaction", "version");
        for _block in 0..2 {
            waiting.stage.find_block();
            runs().await;
        }
        assert!(waiting.is_at_tip(), "blocks are applied");
        assert_eq!(waiting.count(|row| row.contains_key("confirmation")), others);
        // Without this batch's bids, the mint cannot know which batches are outbid.
        assert_eq!(waiting.count(is_in_block), 0);
        waiting.import(&table, row);
        waiting.let_rounds_come();
        // A mint that fails is looked at again within a quarter of an hour.
        sleep(Duration::from_secs(20 * 60)).await;
        waiting.stage.find_empty_block();
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES), "its bid was not lost");
    });
}

/// Swaps that the hub has confirmed have more places than those that anyone can register, so that a run reaches
/// all of them.
#[test]
fn swaps_of_a_slow_hub_are_all_followed_in_one_run() {
    in_simulated_time(9, async {
        let waiting = start(1).await;
        join_all((0..9).map(|account| waiting.register_swaps(account, true))).await;
        waiting.let_swaps_come_due().await;
        assert_eq!(waiting.due_swaps("swap"), 90);
        sleep(Duration::from_secs(25)).await;
        assert_eq!(waiting.due_swaps("swap"), 0);
    });
}

/// A row that had once been final was never watched again, so when its block was replaced its refund never
/// came. A random seed found it.
#[test]
fn rows_that_were_final_in_a_replaced_block_become_final_again() {
    in_simulated_time(5, async {
        let waiting = start(40).await;
        for _block in 0..7 {
            waiting.stage.find_block();
            runs().await;
        }
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
        let now = waiting.stage.net.now();
        waiting.stage.chain.lock().replace_blocks(7, BTreeSet::new(), now);
        runs().await;
        waiting.check();
        for _block in 0..8 {
            waiting.stage.find_block();
            runs().await;
        }
        waiting.check();
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

#[test]
fn replaced_blocks_are_taken_back() {
    in_simulated_time(2, async {
        let waiting = start(40).await;
        waiting.stage.find_block();
        runs().await;
        waiting.stage.find_block();
        runs().await;
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES));
        let dropped: BTreeSet<_> = waiting.batches.iter().copied().take(2).collect();
        let now = waiting.stage.net.now();
        waiting.stage.chain.lock().replace_blocks(2, dropped, now);
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_in_block), usize::from(BATCHES - 2));
        for _block in 0..8 {
            waiting.stage.find_block();
            runs().await;
            waiting.keep_rounds_away();
        }
        waiting.check();
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

#[test]
fn a_watcher_that_missed_blocks_applies_each_of_them() {
    in_simulated_time(3, async {
        let waiting = start(40).await;
        for _block in 0..33 {
            waiting.stage.find_block();
        }
        runs().await;
        waiting.check();
        assert_eq!(waiting.count(is_final), usize::from(BATCHES));
    });
}

/// Blocks are found and replaced and runs happen at any time; afterwards each row agrees with the chain.
#[test]
fn after_any_history_every_row_says_what_the_chain_says() {
    for seed in 1..=12 {
        in_simulated_time(seed, async {
            let waiting = start(2).await;
            let mut choices = Choices::new(seed, Allowed::default());
            for _step in 0..12 {
                let now = waiting.stage.net.now();
                match choices.below("step", 4) {
                    0 => {
                        let depth = u32::try_from(choices.between("depth", 1, 6)).unwrap();
                        let all = waiting.batches.iter().copied();
                        let dropped = all.filter(|_| choices.below("dropped", 4) == 0).collect();
                        waiting.stage.chain.lock().replace_blocks(depth, dropped, now);
                    }
                    1 => waiting.stage.find_empty_block(),
                    _ => waiting.stage.find_block(),
                }
                if choices.below("run", 2) == 0 {
                    runs().await;
                    waiting.keep_rounds_away();
                }
            }
            for _block in 0..8 {
                waiting.stage.find_block();
                runs().await;
                waiting.keep_rounds_away();
            }
            waiting.check();
            assert_eq!(waiting.count(is_final), usize::from(BATCHES), "seed {seed}");
        });
    }
}
