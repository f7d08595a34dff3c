//! A small world whose every step a test decides.

use std::collections::BTreeSet;

use bitcoin::{Block, BlockHash, Network, OutPoint, ScriptBuf, Transaction, TxOut, Txid};
use bitcoin_model::{
    index::Index,
    miner::{self, Choice, Frame},
    node::Node,
    people::{Coin, Fee, Person},
    policy::{Policy, Refusal},
    tree::{Rules, Tree},
};

pub(crate) const START: u32 = 1_700_000_000;

pub(crate) fn person(number: u64) -> Person {
    Person::new(number, Network::Regtest).unwrap()
}

pub(crate) struct Town {
    pub(crate) tree: Tree,
    pub(crate) node: Node,
    pub(crate) index: Index,
    pub(crate) time: u32,
}

impl Town {
    /// Person 0 owns the coinbases, ten of which can be spent.
    pub(crate) fn new(policy: Policy) -> Self {
        let tree = Tree::new(Rules::default());
        let (node, index) = (Node::new(&tree, policy), Index::new(&tree));
        let mut town = Self { tree, node, index, time: START };
        town.mine(110);
        town
    }

    pub(crate) fn frame(&mut self) -> Frame {
        self.time += 600;
        Frame { time: self.time, salt: 0, payout: vec![person(0).script().clone()] }
    }

    pub(crate) fn mine(&mut self, blocks: u32) {
        for _block in 0..blocks {
            self.mine_choice(&Choice::everything());
        }
    }

    pub(crate) fn mine_choice(&mut self, choice: &Choice<'_>) -> Block {
        let frame = self.frame();
        let block = miner::mine(&self.tree, &self.node, choice, &frame).unwrap();
        let tip = self.tree.insert(block.clone()).unwrap();
        self.follow(tip);
        block
    }

    pub(crate) fn follow(&mut self, tip: BlockHash) {
        assert!(self.node.follow(&self.tree, tip, self.time));
        assert!(self.index.follow(&self.tree, tip));
    }

    pub(crate) fn send(&mut self, transaction: &Transaction) -> Result<BTreeSet<Txid>, Refusal> {
        self.node.accept(transaction.clone(), self.time)
    }

    /// Sends a transaction that must be accepted.
    pub(crate) fn sent(&mut self, transaction: Transaction) -> Transaction {
        self.send(&transaction).unwrap();
        transaction
    }

    pub(crate) fn coins(&self) -> Vec<Coin> {
        person(0).coins(&self.node)
    }

    /// Coins that hold only sats.
    pub(crate) fn coinbases(&self) -> Vec<Coin> {
        let chain = self.node.chain();
        let is_coinbase =
            |txid: &Txid| chain.transaction(txid).is_some_and(|one| one.is_coinbase());
        let mut coins = self.coins();
        coins.retain(|(outpoint, _)| is_coinbase(&outpoint.txid));
        coins
    }
}

pub(crate) fn output_of(transaction: &Transaction, vout: u32) -> Coin {
    let output: &TxOut = &transaction.output[usize::try_from(vout).unwrap()];
    (OutPoint { txid: transaction.compute_txid(), vout }, output.clone())
}

/// Person 0 pays the rest of some coins to persons, in equal parts.
pub(crate) fn pay(coins: &[Coin], to: &[u64], sats: u64) -> Transaction {
    let payees: Vec<(ScriptBuf, Option<u64>)> =
        to.iter().map(|number| (person(*number).script().clone(), None)).collect();
    person(0).spend(coins, None, &payees, Fee::Sum(sats)).unwrap()
}
