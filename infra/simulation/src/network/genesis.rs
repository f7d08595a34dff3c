//! The chain at which every run begins: mature coins, a rune in the pool, inscriptions to give away.

use std::sync::OnceLock;

use bitcoin::{Block, FeeRate, ScriptBuf, Transaction};
use bitcoin_model::{
    miner::{self, Choice, Frame},
    node::Node,
    people::{Coin, Fee, Leaf, Person},
    policy::Policy,
    tree::{Rules, Tree},
};
use ordinals::{Edict, Etching, RuneId, Runestone, SpacedRune};

use crate::wire::START_MS;

/// The supply of the rune in the pool.
pub const SUPPLY: u128 = 1_000_000;
/// Units that strangers have of this rune, and of a worthless one.
const STRANGERS_SUPPLY: u128 = 10_000_000;
/// Sats of each stranger.
const STRANGERS_SATS: u64 = 500_000_000;
/// Enough blocks for the first coinbases to become spendable.
const MATURING: u32 = 110;
/// Blocks between a commitment and its reveal.
const COMMITTED: u32 = 6;
/// Plain coins of the pool, and the sats of each.
const POOL_COINS: (usize, u64) = (6, 100_000);
/// Inscriptions to give away.
const INSCRIPTIONS: usize = 3;
/// Seconds between two blocks.
const BLOCK_TIME: u32 = 600;
/// The most blocks in all.
const MOST_BLOCKS: u32 = 200;
/// The fee rate of all transactions, in sat/kwu.
const RATE: FeeRate = FeeRate::from_sat_per_kwu(500);

/// The state at which every run begins.
#[derive(Clone)]
pub struct Genesis {
    /// All blocks.
    pub tree: Tree,
    /// The rune.
    pub rune: RuneId,
    /// Gives coins away.
    pub funder: Person,
    /// Owns the inscriptions.
    pub collector: Person,
    /// Owns some of the rune.
    pub sprinkler: Stranger,
    /// Owns a worthless rune.
    pub litterer: Stranger,
}

/// A person who sends runes to others, and holds the sats to do so in one coin.
#[derive(Clone)]
pub struct Stranger {
    /// The person.
    pub person: Person,
    /// The rune.
    pub rune: RuneId,
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
            // Several outputs, so that several transactions can be paid for in one block.
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

    /// Pays scripts from a confirmed coin of the funder; the change returns to the funder.
    fn pay(&mut self, payees: &[(ScriptBuf, u64)]) -> Option<Transaction> {
        let coin = self.funder.confirmed_coin(&self.node)?;
        let rest = (self.funder.script().clone(), None);
        let payees = payees.iter().map(|(script, sats)| (script.clone(), Some(*sats)));
        let payees: Vec<_> = payees.chain([rest]).collect();
        let paid = self.funder.spend(&[coin], None, &payees, Fee::Rate(RATE))?;
        self.send(&paid)?;
        Some(paid)
    }

    /// Etches a rune with the coin that commits to its name.
    fn etch(
        &mut self,
        (name, leaf): (&SpacedRune, &Leaf),
        premine: u128,
        edicts: Vec<Edict>,
        payees: &[&ScriptBuf],
    ) -> Option<Transaction> {
        let etching = Etching {
            premine: Some(premine),
            rune: Some(name.rune),
            spacers: Some(name.spacers),
            ..Etching::default()
        };
        let stone = Runestone { edicts, etching: Some(etching), ..Runestone::default() }.encipher();
        let coin = self.coin_of(&leaf.commitment())?;
        let payees = payees.iter().map(|script| ((*script).clone(), Some(10_000)));
        let rest = [(stone, Some(0)), (self.funder.script().clone(), None)];
        let payees: Vec<_> = payees.chain(rest).collect();
        let etched = self.funder.spend(&[coin], Some(leaf), &payees, Fee::Rate(RATE))?;
        self.send(&etched)?;
        Some(etched)
    }

    /// The id of a rune, from the transaction that etched it.
    fn rune_of(&self, etched: &Transaction) -> Option<RuneId> {
        let txid = etched.compute_txid();
        let (height, link) = self.node.chain().block_of(&txid)?;
        let place = link.txids.iter().position(|other| *other == txid)?;
        Some(RuneId { block: height.into(), tx: u32::try_from(place).ok()? })
    }

    /// Merges all coins of a person into one.
    fn merge(&mut self, person: &Person) -> Option<()> {
        let coins = person.coins(&self.node);
        let merged =
            person.spend(&coins, None, &[(person.script().clone(), None)], Fee::Rate(RATE))?;
        self.send(&merged)
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
    let (sprinkler, litterer) = (Person::new(3, network)?, Person::new(4, network)?);
    let node = Node::new(&tree, Policy::core_30());
    let start = u32::try_from(START_MS / 1_000).ok()?;
    let time = start - MOST_BLOCKS * BLOCK_TIME;
    let mut builder = Builder { tree, node, funder: funder.clone(), time };
    builder.mine(MATURING)?;

    let name: SpacedRune = "VIRTUAL•MINT•RUNE".parse().ok()?;
    let name_leaf = funder.leaf(&[vec![name.rune.commitment()]])?;
    let junk: SpacedRune = "JUNK•OF•A•STRANGER".parse().ok()?;
    let junk_leaf = funder.leaf(&[vec![junk.rune.commitment()]])?;
    let envelope = |n: usize| {
        let body = format!("inscription {n}").into_bytes();
        vec![b"ord".to_vec(), vec![1], b"text/plain".to_vec(), Vec::new(), body]
    };
    let leaves = (0..INSCRIPTIONS).map(|n| funder.leaf(&[envelope(n)]));
    let leaves: Vec<_> = leaves.collect::<Option<_>>()?;
    let mut commitments = vec![(name_leaf.commitment(), 60_000), (junk_leaf.commitment(), 60_000)];
    commitments.extend(leaves.iter().map(|leaf| (leaf.commitment(), 20_000)));
    builder.pay(&commitments)?;
    builder.mine(COMMITTED)?;

    // The rune has no id before its etching confirms. The pool's output is the first, so it receives the
    // units that no edict assigns.
    let to_sprinkler = Edict { id: RuneId::default(), amount: STRANGERS_SUPPLY, output: 1 };
    let payees = [pool, sprinkler.script()];
    let supply = SUPPLY + STRANGERS_SUPPLY;
    let etched = builder.etch((&name, &name_leaf), supply, vec![to_sprinkler], &payees)?;
    let payees = [litterer.script()];
    let etched_junk = builder.etch((&junk, &junk_leaf), STRANGERS_SUPPLY, Vec::new(), &payees)?;
    for leaf in &leaves {
        let coin = builder.coin_of(&leaf.commitment())?;
        let payees = [(collector.script().clone(), Some(10_000)), (funder.script().clone(), None)];
        let inscribed = funder.spend(&[coin], Some(leaf), &payees, Fee::Rate(RATE))?;
        builder.send(&inscribed)?;
    }
    let (coins, sats) = POOL_COINS;
    builder.pay(&vec![(pool.clone(), sats); coins])?;
    for stranger in [&sprinkler, &litterer] {
        builder.pay(&[(stranger.script().clone(), STRANGERS_SATS)])?;
    }
    // A rune can be minted once its etching is seven blocks deep.
    builder.mine(1)?;
    let (rune, junk) = (builder.rune_of(&etched)?, builder.rune_of(&etched_junk)?);
    for stranger in [&sprinkler, &litterer] {
        builder.merge(stranger)?;
    }
    builder.mine(7)?;
    let sprinkler = Stranger { person: sprinkler, rune };
    let litterer = Stranger { person: litterer, rune: junk };
    Some(Genesis { tree: builder.tree, rune, funder, collector, sprinkler, litterer })
}

/// The state at which every run begins, with the rune and some coins in this pool.
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
