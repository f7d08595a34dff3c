//! What the true chain was at each moment.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{BlockHash, OutPoint, Txid};

use crate::network::{Tip, World};

/// Blocks, including its own, after which a confirmation is final.
pub(super) const DEEP: u32 = 7;

/// The blocks of each transaction and the spenders of each coin, over all blocks that ever existed.
pub(crate) struct History {
    blocks: BTreeMap<Txid, Vec<BlockHash>>,
    spenders: BTreeMap<OutPoint, Vec<Txid>>,
    coinbases: BTreeSet<Txid>,
}

impl History {
    /// The history of a world.
    pub(super) fn of(world: &World) -> Self {
        let mut history =
            Self { blocks: BTreeMap::new(), spenders: BTreeMap::new(), coinbases: BTreeSet::new() };
        let tree = world.tree();
        let mut open = tree.tips();
        let mut read = BTreeSet::new();
        while let Some(hash) = open.pop() {
            let Some(block) = tree.block(&hash).filter(|_| read.insert(hash)) else { continue };
            open.push(block.header.prev_blockhash);
            for transaction in &block.txdata {
                let txid = transaction.compute_txid();
                history.blocks.entry(txid).or_default().push(hash);
                if transaction.is_coinbase() {
                    history.coinbases.insert(txid);
                }
                for input in &transaction.input {
                    let spenders = history.spenders.entry(input.previous_output).or_default();
                    if !spenders.contains(&txid) {
                        spenders.push(txid);
                    }
                }
            }
        }
        history
    }

    /// Whether a transaction was the coinbase of a block.
    pub(super) fn is_coinbase(&self, txid: Txid) -> bool {
        self.coinbases.contains(&txid)
    }

    /// How deep a transaction was in the true chain: 1 in the newest block, 0 in none.
    pub(super) fn depth(&self, world: &World, txid: Txid, at: i64) -> u32 {
        let tip = world.tips().iter().rev().find(|tip| tip.at <= at);
        tip.map_or(0, |tip| self.depth_below(world, txid, tip.hash))
    }

    /// How deep a transaction is in the chain that ends with a block.
    fn depth_below(&self, world: &World, txid: Txid, tip: BlockHash) -> u32 {
        let tree = world.tree();
        let height = |hash: &BlockHash| tree.height(hash).unwrap_or(0);
        let depths = self.blocks.get(&txid).into_iter().flatten().filter_map(|block| {
            let above = height(&tip).checked_sub(height(block))?;
            (tree.below(tip, above) == Some(*block)).then_some(above + 1)
        });
        depths.max().unwrap_or(0)
    }

    /// Whether another transaction that spends a coin was final at that time.
    pub(super) fn is_spent_deep(&self, world: &World, coin: OutPoint, by: Txid, at: i64) -> bool {
        let spenders = self.spenders.get(&coin).into_iter().flatten();
        spenders.filter(|txid| **txid != by).any(|txid| self.depth(world, *txid, at) >= DEEP)
    }

    /// By how many blocks the true chain had grown since it last contained a transaction.
    pub(super) fn gone_for(&self, world: &World, txid: Txid, at: i64) -> u32 {
        let height = |tip: &Tip| world.tree().height(&tip.hash).unwrap_or(0);
        let mut tips = world.tips().iter().rev().skip_while(|tip| tip.at > at).peekable();
        let now = tips.peek().map_or(0, |tip| height(tip));
        let had = tips.find(|tip| self.depth_below(world, txid, tip.hash) > 0);
        let since = had.or(world.tips().first()).map_or(now, height);
        now.saturating_sub(since)
    }
}
