//! A small world that plays by itself: one node, one index, a crowd and a miner, all driven by the caller's numbers.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Block, BlockHash, FeeRate, Transaction, Txid, Weight};

use crate::{
    consensus::{BlockError, MOST_WEIGHT},
    index::Index,
    miner::{self, Choice, Frame, Rewrite},
    node::Node,
    people::{Crowd, Dice},
    policy::{Policy, Refusal},
    tree::{Rules, Tree},
};

/// Number of people.
const PEOPLE: u64 = 5;
/// Most refused transactions that a miner may still take.
const MOST_REFUSED: usize = 20;
/// Seconds between blocks.
const BLOCK_TIME: u32 = 60;
/// Deepest reorganisation.
const DEEPEST: u64 = 6;

/// A world in one place.
#[derive(Clone, Debug)]
pub struct Play {
    /// All blocks.
    pub tree: Tree,
    /// The node.
    pub node: Node,
    /// Its ord.
    pub index: Index,
    /// The people.
    pub crowd: Crowd,
    /// Transactions that the node refused.
    refused: Vec<Transaction>,
    time: u32,
    salt: u64,
}

/// What was sent to the node, and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The transaction.
    pub transaction: Transaction,
    /// The transactions that it replaces, or the reason of a refusal.
    pub verdict: Result<BTreeSet<Txid>, Refusal>,
}

impl Play {
    /// A world with the genesis block.
    pub fn new(policy: Policy, time: u32) -> Self {
        let tree = Tree::new(Rules::default());
        let (node, index) = (Node::new(&tree, policy), Index::new(&tree));
        let crowd = Crowd::new(PEOPLE, tree.rules().network);
        Self { tree, node, index, crowd, refused: Vec::new(), time, salt: 0 }
    }

    fn frame(&mut self, dice: &mut Dice<'_>) -> Frame {
        self.time = self.time.saturating_add(BLOCK_TIME);
        self.salt = self.salt.wrapping_add(1_000);
        let scripts: Vec<_> = self.crowd.people().iter().map(|one| one.script().clone()).collect();
        let count = dice.below(3).saturating_add(1);
        let payout = (0..count).filter_map(|_| dice.pick(&scripts).cloned()).collect();
        Frame { time: self.time, salt: self.salt, payout }
    }

    /// A random person sends a transaction. `None` if no person has anything to send.
    pub fn send(&mut self, dice: &mut Dice<'_>) -> Option<Sent> {
        let transaction = self.crowd.act(&self.node, &self.index, dice)?;
        let verdict = self.node.accept(transaction.clone(), self.time);
        if verdict.is_err() {
            self.refused.push(transaction.clone());
            let beyond = self.refused.len().saturating_sub(MOST_REFUSED);
            self.refused.drain(..beyond);
        }
        Some(Sent { transaction, verdict })
    }

    /// Mines a block without choices, which all follow.
    pub fn mine_plain(&mut self, dice: &mut Dice<'_>) -> Result<Block, BlockError> {
        let frame = self.frame(dice);
        self.add(&Choice::everything(), &frame)
    }

    /// Mines a block, now and then with a lowest rate, without some of the mempool, with what the node refused, or
    /// empty.
    pub fn mine(&mut self, dice: &mut Dice<'_>) -> Result<Block, BlockError> {
        let frame = self.frame(dice);
        let waiting = self.node.mempool().keys().filter(|_| dice.one_in(8));
        let left_out: BTreeSet<Txid> = waiting.copied().collect();
        let extra: Vec<Transaction> =
            self.refused.iter().filter(|_| dice.one_in(3)).cloned().collect();
        let extra = self.possible(extra);
        let most = if dice.one_in(10) { Weight::ZERO } else { MOST_WEIGHT };
        let rates = [0, 25, 250].map(FeeRate::from_sat_per_kwu);
        let lowest = dice.pick(&rates).copied().unwrap_or(FeeRate::ZERO);
        self.add(&Choice { lowest, most, left_out: &left_out, extra: &extra }, &frame)
    }

    /// The refused transactions that consensus allows on top of the chain.
    fn possible(&self, refused: Vec<Transaction>) -> Vec<Transaction> {
        let chain = self.node.chain();
        let is_possible = |one: &Transaction| {
            let spent = one.input.iter();
            let spent =
                spent.map(|input| crate::consensus::spendable(chain, &input.previous_output));
            let Some(spent) = spent.collect::<Option<Vec<_>>>() else { return false };
            crate::consensus::check_form(one).is_ok()
                && crate::consensus::check_inputs(chain, one, &spent).is_ok()
                && crate::consensus::is_final(chain, one)
                && crate::consensus::is_unlocked(chain, one, &spent)
                && crate::consensus::run_scripts(one, &spent).is_ok()
        };
        refused.into_iter().filter(is_possible).collect()
    }

    fn add(&mut self, choice: &Choice<'_>, frame: &Frame) -> Result<Block, BlockError> {
        let block = miner::mine(&self.tree, &self.node, choice, frame);
        let block = block.ok_or(BlockError::Orphan)?;
        let tip = self.tree.insert(block.clone())?;
        self.follow(tip);
        Ok(block)
    }

    /// Node and index go over to another tip.
    pub fn follow(&mut self, tip: BlockHash) {
        self.node.follow(&self.tree, tip, self.time);
        self.index.follow(&self.tree, tip);
    }

    /// Replaces one to six blocks: in another order, without some transactions, or with other versions of them.
    /// Returns the new blocks, the last of which wins.
    pub fn reorganise(&mut self, dice: &mut Dice<'_>) -> Result<Vec<Block>, BlockError> {
        let depth = dice.below(DEEPEST).saturating_add(1);
        let depth = u32::try_from(depth).unwrap_or(1).min(self.node.chain().height());
        let old = self.tree.best();
        let from = self.tree.below(old, depth).ok_or(BlockError::Orphan)?;
        let mut change =
            Rewrite { depth, more: 1, dropped: BTreeSet::new(), replaced: BTreeMap::new() };
        let route = self.tree.route(from, old).unwrap_or_default();
        for block in route.up.iter().filter_map(|hash| self.tree.block(hash)) {
            for transaction in block.txdata.iter().skip(1) {
                let txid = transaction.compute_txid();
                match dice.below(8) {
                    0 => drop(change.dropped.insert(txid)),
                    1 => {
                        let rival = self.refused.iter().find(|other| is_rival(other, transaction));
                        change.replaced.extend(rival.map(|other| (txid, other.clone())));
                    }
                    _ => {}
                }
            }
        }
        let frame = self.frame(dice);
        let mut shuffle = |bound: usize| {
            let drawn = dice.below(u64::try_from(bound).unwrap_or(1));
            usize::try_from(drawn).unwrap_or_default()
        };
        let tip = miner::rewrite(&mut self.tree, old, &change, &frame, &mut shuffle)?;
        self.follow(tip);
        let route = self.tree.route(from, tip).unwrap_or_default();
        Ok(route.up.iter().filter_map(|hash| self.tree.block(hash)).cloned().collect())
    }
}

/// Whether two transactions spend the same outputs.
fn is_rival(one: &Transaction, other: &Transaction) -> bool {
    let spends = |one: &Transaction| -> BTreeSet<_> {
        one.input.iter().map(|input| input.previous_output).collect()
    };
    spends(one) == spends(other)
}

/// The numbers of a seed (SplitMix64), each below the bound that it is drawn with.
pub fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = seed.wrapping_mul(STEP);
    move |bound| {
        state = state.wrapping_add(STEP);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).checked_rem(bound).unwrap_or_default()
    }
}
