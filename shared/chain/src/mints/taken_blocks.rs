//! The virtual blocks that hold requests of a batch. They are written with the row of the batch whenever its
//! requests in blocks change, so they are short: consecutive blocks that hold the same number of requests
//! form one run.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many runs are kept, so that a row stays small however many blocks a batch is spread over.
const MOST_RUNS: usize = 12;

/// The virtual blocks that hold requests of a batch, in the order of heights. If there are very many, only
/// the newest.
///
/// As text, `840000:4,840001*20:10` means 4 requests in the block at height 840,000 and 10 in each of the 20
/// blocks after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBlocks(Vec<Run>);

/// Consecutive blocks that hold the same number of requests each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    height: u32,
    blocks: u32,
    requests: u64,
}

impl Run {
    fn last(self) -> u32 {
        self.height.saturating_add(self.blocks.saturating_sub(1))
    }
}

impl TakenBlocks {
    /// Whether no block holds any requests.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `requests` to the blocks from `height` on, which take `per_block` requests each, after `earlier`
    /// requests of others. Blocks below the last added one do not change.
    pub fn add(&mut self, height: u32, earlier: u64, requests: u64, per_block: u64) {
        let (Some(skipped), Some(used)) =
            (earlier.checked_div(per_block), earlier.checked_rem(per_block))
        else {
            return;
        };
        let in_first = requests.min(per_block.saturating_sub(used));
        let rest = requests.saturating_sub(in_first);
        let full = rest.checked_div(per_block).unwrap_or_default();
        let in_last = rest.checked_rem(per_block).unwrap_or_default();
        let at = |blocks: u64| {
            let height = u64::from(height).saturating_add(skipped).saturating_add(blocks);
            u32::try_from(height).unwrap_or(u32::MAX)
        };
        self.push(at(0), 1, in_first);
        self.push(at(1), full, per_block);
        self.push(at(full.saturating_add(1)), 1, in_last);
    }

    fn push(&mut self, height: u32, blocks: u64, requests: u64) {
        if blocks == 0 || requests == 0 {
            return;
        }
        let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        let run = Run { height, blocks, requests };
        match self.0.last().copied() {
            // Requests at a lower price begin in the block in which those at a higher price end.
            Some(last) if last.last() == height => {
                self.0.pop();
                if let Some(blocks) = last.blocks.checked_sub(1).filter(|blocks| *blocks > 0) {
                    self.0.push(Run { blocks, ..last });
                }
                self.append(Run {
                    blocks: 1,
                    requests: requests.saturating_add(last.requests),
                    height,
                });
            }
            _ => self.append(run),
        }
    }

    fn append(&mut self, run: Run) {
        match self.0.last_mut() {
            Some(last)
                if last.requests == run.requests
                    && last.last().checked_add(1) == Some(run.height) =>
            {
                last.blocks = last.blocks.saturating_add(run.blocks);
            }
            _ => self.0.push(run),
        }
        let forgotten = self.0.len().saturating_sub(MOST_RUNS);
        self.0.drain(..forgotten);
    }

    /// The heights and request counts of the newest blocks, newest first, `most` at most.
    pub fn newest(&self, most: usize) -> Vec<(u32, u64)> {
        let blocks =
            self.0.iter().rev().flat_map(|run| {
                (run.height..=run.last()).rev().map(|height| (height, run.requests))
            });
        blocks.take(most).collect()
    }
}

impl fmt::Display for TakenBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Run { height, blocks, requests }) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            match blocks {
                1 => write!(f, "{height}:{requests}")?,
                _ => write!(f, "{height}*{blocks}:{requests}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for TakenBlocks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let run = |text: &str| {
            let (blocks, requests) = text.split_once(':')?;
            let (height, blocks) = blocks.split_once('*').unwrap_or((blocks, "1"));
            Some(Run {
                height: height.parse().ok()?,
                blocks: blocks.parse().ok().filter(|blocks| *blocks > 0)?,
                requests: requests.parse().ok()?,
            })
        };
        let runs = text.split(',').filter(|text| !text.is_empty()).map(run);
        runs.collect::<Option<_>>().map(Self).ok_or("must be heights with numbers of requests")
    }
}

impl Serialize for TakenBlocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TakenBlocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_fill_blocks_from_where_others_end() {
        let mut taken = TakenBlocks::default();
        assert!(taken.is_empty());
        // Two places of the first block are taken; 4 are left, then come three whole blocks and one request.
        taken.add(100, 2, 23, 6);
        assert_eq!(taken.to_string(), "100:4,101*3:6,104:1");
        // At a lower price, after 3 requests of others: in the block that was begun, and in two more.
        taken.add(100, 28, 9, 6);
        assert_eq!(taken.to_string(), "100:4,101*3:6,104:3,105:6,106:1");
        assert_eq!(taken.newest(3), [(106, 1), (105, 6), (104, 3)]);
        assert_eq!(taken.newest(100).len(), 7);
        assert_eq!(taken.to_string().parse::<TakenBlocks>().unwrap(), taken);
        let before = taken.clone();
        taken.add(200, 0, 0, 6);
        taken.add(200, 0, 5, 0);
        assert_eq!(taken, before);
    }

    #[test]
    fn two_prices_in_one_block_are_one_figure() {
        let mut taken = TakenBlocks::default();
        taken.add(100, 0, 15, 10);
        taken.add(100, 15, 5, 10);
        assert_eq!(taken.to_string(), "100*2:10");
        taken.add(102, 0, 10, 10);
        assert_eq!(taken.to_string(), "100*3:10");
        taken.add(102, 10, 3, 10);
        assert_eq!(taken.to_string(), "100*3:10,103:3");
    }

    #[test]
    fn a_row_stays_small() {
        let mut taken = TakenBlocks::default();
        for height in 0..1_000 {
            taken.add(800_000 + 2 * height, 0, 1, 10);
        }
        assert_eq!(taken.newest(100).len(), MOST_RUNS);
        assert_eq!(taken.newest(1), [(801_998, 1)]);
        assert!(taken.to_string().len() < 12 * 10);
        let mut most = TakenBlocks::default();
        most.add(0, 0, u64::MAX, 1);
        assert_eq!(most.newest(2).len(), 2);
    }

    #[test]
    fn other_texts_are_no_blocks() {
        for text in ["1", "1:", ":1", "1*0:1", "a:1", "1*:2", "1:2:3", "-1:2"] {
            assert!(text.parse::<TakenBlocks>().is_err(), "{text}");
        }
        assert!("".parse::<TakenBlocks>().unwrap().is_empty());
    }
}
