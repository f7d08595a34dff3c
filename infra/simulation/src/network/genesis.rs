//! The chain at which every run begins: coins that have matured, a rune in the pool, inscriptions to give away.

use std::sync::OnceLock;

use bitcoin::{Block, FeeRate, ScriptBuf, Transaction};
use bitcoin_model::{
    miner::{self, Choice, Frame},
    node::Node,
    people::{Coin, Fee, Person},
    policy::Policy,
    tree::{Rules, Tree},
};
use ordinals::{Etching, RuneId, Runestone, SpacedRune};

use crate::wire::START_MS;

/// The whole supply of the rune; all of it is in the pool.
pub const SUPPLY: u128 = 1_000_000;
/// Blocks until the first coinbase can be spent, and some more.
const MATURING: u32 = 110;
/// Blocks between a commitment and its reveal.
const COMMITTED: u32 = 6;
/// Plain coins of the pool, and the sats of each.
const POOL_COINS: (usize, u64) = (6, 100_000);
/// Inscriptions to give away.
const INSCRIPTIONS: usize = 3;
/// Seconds between two blocks.
const BLOCK_TIME: u32 = 600;
/// Blocks in all, at most.
const MOST_BLOCKS: u32 = 200;
/// The fee rate of all transactions, in sat/kwu.
const RATE: FeeRate = FeeRate::from_sat_per_kwu(500);

/// The beginning of every run.
#[derive(Clone)]
pub struct Genesis {
    /// All blocks.
    pub tree: Tree,
    /// The rune.
    pub rune: RuneId,
    /// Who gives coins away.
    pub funder: Person,
    /// Who has the inscriptions.
    pub collector: Person,
}

struct Builder {
    tree: Tree,
    node: Node,
    funder: Person,
    time: u32,
}

impl Builder {
    fn mine(&mut self, blocks: u32) -> Option<()> {
        for _block in 0..blocks {
            self.time += BLOCK_TIME;
            // Several outputs, so that several transactions can be paid for between two blocks.
            let payout = vec![self.funder.script().clone(); 5];
            let frame = Frame { time: self.time, salt: u64::from(self.time), payout };
            let block: Block = miner::mine(&self.tree, &self.node, &Choice::everything(), &frame)?;
            let tip = self.tree.insert(block).ok()?;
            self.node.follow(&self.tree, tip, self.time);
        }
        Some(())
    }

    fn send(&mut self, transaction: &Transaction) -> Option<()> {
        self.node.accept(transaction.clone(), self.time).ok().map(drop)
    }

    /// Pays scripts from a confirmed coin of the funder; the rest returns.
    fn pay(&mut self, payees: &[(ScriptBuf, u64)]) -> Option<Transaction> {
        let coin = self.funder.confirmed_coin(&self.node)?;
        let rest = (self.funder.script().clone(), None);
        let payees = payees.iter().map(|(script, sats)| (script.clone(), Some(*sats)));
        let payees: Vec<_> = payees.chain([rest]).collect();
        let paid = self.funder.spend(&[coin], None, &payees, Fee::Rate(RATE))?;
        self.send(&paid)?;
        Some(paid)
    }

    fn coin_of(&self, script: &ScriptBuf) -> Option<Coin> {
        let coin = self.node.chain().unspent(script).into_iter().next()?;
        Some((coin.outpoint, coin.output))
    }
}

fn build(pool: &ScriptBuf) -> Option<Genesis> {
    let tree = Tree::new(Rules::default());
    let network = tree.rules().network;
    let (funder, collector) = (Person::new(1, network)?, Person::new(2, network)?);
    let node = Node::new(&tree, Policy::core_30());
    let start = u32::try_from(START_MS / 1_000).ok()?;
    let time = start - MOST_BLOCKS * BLOCK_TIME;
    let mut builder = Builder { tree, node, funder: funder.clone(), time };
    builder.mine(MATURING)?;

    let name: SpacedRune = "VIRTUAL•MINT•RUNE".parse().ok()?;
    let name_leaf = funder.leaf(&[vec![name.rune.commitment()]])?;
    let envelope = |n: usize| {
        let body = format!("inscription {n}").into_bytes();
        vec![b"ord".to_vec(), vec![1], b"text/plain".to_vec(), Vec::new(), body]
    };
    let leaves = (0..INSCRIPTIONS).map(|n| funder.leaf(&[envelope(n)]));
    let leaves: Vec<_> = leaves.collect::<Option<_>>()?;
    let mut commitments = vec![(name_leaf.commitment(), 60_000)];
    commitments.extend(leaves.iter().map(|leaf| (leaf.commitment(), 20_000)));
    builder.pay(&commitments)?;
    builder.mine(COMMITTED)?;

    let etching = Etching {
        premine: Some(SUPPLY),
        rune: Some(name.rune),
        spacers: Some(name.spacers),
        ..Etching::default()
    };
    let stone = Runestone { etching: Some(etching), ..Runestone::default() }.encipher();
    let coin = builder.coin_of(&name_leaf.commitment())?;
    let payees = [(pool.clone(), Some(10_000)), (stone, Some(0)), (funder.script().clone(), None)];
    let etched = funder.spend(&[coin], Some(&name_leaf), &payees, Fee::Rate(RATE))?;
    builder.send(&etched)?;
    for leaf in &leaves {
        let coin = builder.coin_of(&leaf.commitment())?;
        let payees = [(collector.script().clone(), Some(10_000)), (funder.script().clone(), None)];
        let inscribed = funder.spend(&[coin], Some(leaf), &payees, Fee::Rate(RATE))?;
        builder.send(&inscribed)?;
    }
    let (coins, sats) = POOL_COINS;
    builder.pay(&vec![(pool.clone(), sats); coins])?;
    // A rune can be minted once its etching is seven blocks deep.
    builder.mine(1)?;
    let (height, link) = builder.node.chain().block_of(&etched.compute_txid())?;
    let place = link.txids.iter().position(|txid| *txid == etched.compute_txid())?;
    let rune = RuneId { block: height.into(), tx: u32::try_from(place).ok()? };
    builder.mine(7)?;
    Some(Genesis { tree: builder.tree, rune, funder, collector })
}

/// The beginning of every run; the rune and some coins are in this pool.
///
/// # Panics
/// The chain cannot be built, or was built for another pool.
pub fn genesis(pool: &ScriptBuf) -> Genesis {
    static BUILT: OnceLock<(ScriptBuf, Genesis)> = OnceLock::new();
    let (built_for, genesis) =
        BUILT.get_or_init(|| (pool.clone(), build(pool).expect("the chain can be built")));
    assert_eq!(built_for, pool, "every run has the same pool");
    genesis.clone()
}
