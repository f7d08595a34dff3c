//! Whether the rows of a block agree with the chain.

use std::{collections::BTreeSet, time::Duration};

use simulation::{
    aws::dynamodb::text,
    choice::{Allowed, Choices},
    run::in_simulated_time,
};
use tokio::time::sleep;

use super::{Waiting, is_final, is_in_block, runs};

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
