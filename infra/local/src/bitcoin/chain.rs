//! Transactions in the blocks and in the mempool, by script and by output.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    mem,
};

use bitcoin::{
    Block, BlockHash, OutPoint, ScriptBuf, Transaction, TxMerkleNode, TxOut, Txid,
    hashes::Hash as _, merkle_tree,
};

/// Confirmations that a coinbase output needs before it can be spent.
const MATURITY: u32 = 100;

/// A block without the contents of its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Hash of the block.
    pub hash: BlockHash,
    /// Time of the block, in seconds since the epoch.
    pub time: u32,
    /// Hash of the previous block.
    pub previous: BlockHash,
    /// Ids of the transactions, in block order.
    pub txids: Vec<Txid>,
}

impl Link {
    /// The Merkle root of the transactions.
    pub fn merkle_root(&self) -> Option<TxMerkleNode> {
        merkle_tree::calculate_root(self.txids.iter().map(|txid| txid.to_raw_hash().into()))
    }

    /// The transaction's position in the block, and the hashes that lead from its id to the Merkle root, from
    /// the leaves up. `None` if it is not in the block.
    pub fn merkle_branch(&self, txid: &Txid) -> Option<(usize, Vec<TxMerkleNode>)> {
        let place = self.txids.iter().position(|other| other == txid)?;
        let mut nodes: Vec<TxMerkleNode> =
            self.txids.iter().map(|txid| txid.to_raw_hash().into()).collect();
        let (mut at, mut branch) = (place, Vec::new());
        while nodes.len() > 1 {
            // On a level with an odd number of nodes, the last one is its own sibling.
            branch.push(*nodes.get(at ^ 1).or(nodes.last())?);
            nodes = nodes.chunks(2).filter_map(parent).collect();
            at /= 2;
        }
        Some((place, branch))
    }
}

fn parent(pair: &[TxMerkleNode]) -> Option<TxMerkleNode> {
    merkle_tree::calculate_root([*pair.first()?, *pair.last()?].into_iter())
}

#[derive(Clone, Debug)]
struct Entry {
    transaction: Transaction,
    /// Hash of its block; `None` while it is in the mempool.
    height: Option<u32>,
}

/// An output that no transaction spends, not even one in the mempool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    /// Outpoint of the coin.
    pub outpoint: OutPoint,
    /// Value and script of the coin.
    pub output: TxOut,
    /// Hash of its block; `None` while it is in the mempool.
    pub height: Option<u32>,
    /// Whether a transaction in the next block may spend it.
    pub is_mature: bool,
}

/// The blocks from genesis on, and the mempool on top of them.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    links: Vec<Link>,
    heights: HashMap<BlockHash, u32>,
    transactions: HashMap<Txid, Entry>,
    outputs: HashMap<ScriptBuf, BTreeSet<OutPoint>>,
    spenders: HashMap<OutPoint, (Txid, u32)>,
}

impl Chain {
    /// The newest block and its height; `None` if the chain is empty.
    pub fn tip(&self) -> Option<(u32, &Link)> {
        let height = self.links.len().checked_sub(1)?;
        Some((u32::try_from(height).ok()?, self.links.last()?))
    }

    /// The block at a height.
    pub fn link(&self, height: u32) -> Option<&Link> {
        self.links.get(usize::try_from(height).ok()?)
    }

    /// The height of a block in the chain.
    pub fn height_of(&self, block: &BlockHash) -> Option<u32> {
        self.heights.get(block).copied()
    }

    /// Whether a block is in the chain.
    pub fn has(&self, block: &BlockHash) -> bool {
        self.heights.contains_key(block)
    }

    /// Appends a block.
    pub fn push(&mut self, block: Block) {
        let height = u32::try_from(self.links.len()).unwrap_or(u32::MAX);
        let hash = block.block_hash();
        let txids = block.txdata.iter().map(Transaction::compute_txid).collect();
        let previous = block.header.prev_blockhash;
        self.links.push(Link { hash, time: block.header.time, previous, txids });
        self.heights.insert(hash, height);
        // The outputs of the genesis block can never be spent.
        if height > 0 {
            for transaction in block.txdata {
                self.insert(transaction, Some(height));
            }
        }
    }

    /// Removes the newest block and its transactions.
    pub fn pop(&mut self) {
        if let Some(link) = self.links.pop() {
            self.heights.remove(&link.hash);
            for txid in link.txids.iter().rev() {
                self.remove(txid);
            }
        }
    }

    /// The chain as seen by a server that is `blocks` blocks behind: the transactions of those blocks are in
    /// its mempool.
    #[must_use]
    pub fn behind(mut self, blocks: u32) -> Self {
        for _block in 0..blocks {
            let Some(link) = self.links.last() else { break };
            let waiting = link.txids.iter().filter_map(|txid| self.transactions.get(txid));
            let waiting: Vec<_> = waiting.map(|entry| entry.transaction.clone()).collect();
            self.pop();
            for transaction in waiting.into_iter().filter(|one| !one.is_coinbase()) {
                self.insert(transaction, None);
            }
        }
        self
    }

    /// The chain as seen by a server on a fork: the last blocks are replaced by as many others, the first of
    /// which holds all of their transactions.
    #[must_use]
    pub fn forked(mut self, blocks: u32) -> Self {
        let before: HashSet<Txid> = self.waiting().iter().map(Transaction::compute_txid).collect();
        let tip = self.links.len();
        self = self.behind(blocks);
        let taken_back = self.waiting();
        let taken_back = taken_back.iter().map(Transaction::compute_txid);
        let mut txids: Vec<Txid> = taken_back.filter(|txid| !before.contains(txid)).collect();
        while self.links.len() < tip {
            let Some(below) = self.links.last() else { break };
            let (previous, time) = (below.hash, below.time.saturating_add(1));
            let hash = BlockHash::hash(&previous.to_byte_array());
            let height = u32::try_from(self.links.len()).unwrap_or(u32::MAX);
            for txid in &txids {
                if let Some(entry) = self.transactions.get_mut(txid) {
                    entry.height = Some(height);
                }
            }
            self.links.push(Link { hash, time, previous, txids: mem::take(&mut txids) });
            self.heights.insert(hash, height);
        }
        self
    }

    /// Removes mempool transactions that are not in `mempool`; returns the ids in `mempool` that the chain
    /// lacks.
    pub fn keep_waiting(&mut self, mempool: &[Txid]) -> Vec<Txid> {
        let listed: HashSet<Txid> = mempool.iter().copied().collect();
        let waiting = self.transactions.iter().filter(|(_, entry)| entry.height.is_none());
        let gone: Vec<Txid> =
            waiting.map(|(txid, _)| *txid).filter(|txid| !listed.contains(txid)).collect();
        for txid in &gone {
            self.remove(txid);
        }
        mempool.iter().filter(|txid| !self.transactions.contains_key(*txid)).copied().collect()
    }

    /// Ids of the transactions in the mempool.
    pub fn waiting(&self) -> Vec<Transaction> {
        let waiting = self.transactions.values().filter(|entry| entry.height.is_none());
        waiting.map(|entry| entry.transaction.clone()).collect()
    }

    /// Adds a transaction to the mempool.
    pub fn add_waiting(&mut self, transaction: Transaction) {
        self.insert(transaction, None);
    }

    fn insert(&mut self, transaction: Transaction, height: Option<u32>) {
        let txid = transaction.compute_txid();
        for (vin, input) in (0..).zip(&transaction.input) {
            self.spenders.insert(input.previous_output, (txid, vin));
        }
        for (vout, output) in (0..).zip(&transaction.output) {
            let outpoints = self.outputs.entry(output.script_pubkey.clone()).or_default();
            outpoints.insert(OutPoint { txid, vout });
        }
        self.transactions.insert(txid, Entry { transaction, height });
    }

    fn remove(&mut self, txid: &Txid) {
        let Some(Entry { transaction, .. }) = self.transactions.remove(txid) else {
            return;
        };
        for input in &transaction.input {
            // Another transaction may have taken its place.
            if self.spenders.get(&input.previous_output).is_some_and(|(by, _)| by == txid) {
                self.spenders.remove(&input.previous_output);
            }
        }
        for (vout, output) in (0..).zip(&transaction.output) {
            if let Some(outpoints) = self.outputs.get_mut(&output.script_pubkey) {
                outpoints.remove(&OutPoint { txid: *txid, vout });
            }
        }
    }

    /// A transaction in a block or in the mempool.
    pub fn transaction(&self, txid: &Txid) -> Option<&Transaction> {
        self.transactions.get(txid).map(|entry| &entry.transaction)
    }

    /// The block of a transaction, and its height.
    pub fn block_of(&self, txid: &Txid) -> Option<(u32, &Link)> {
        let height = self.transactions.get(txid)?.height?;
        Some((height, self.link(height)?))
    }

    /// An output, spent or not.
    pub fn output(&self, outpoint: &OutPoint) -> Option<&TxOut> {
        self.transaction(&outpoint.txid)?.output.get(usize::try_from(outpoint.vout).ok()?)
    }

    /// The transaction that spends an output, and the index of its input.
    pub fn spender(&self, outpoint: &OutPoint) -> Option<(Txid, u32)> {
        self.spenders.get(outpoint).copied()
    }

    /// The unspent outputs of a script, in no particular order.
    pub fn unspent(&self, script: &ScriptBuf) -> Vec<Coin> {
        let outpoints = self.outputs.get(script).into_iter().flatten();
        outpoints
            .filter(|outpoint| !self.spenders.contains_key(outpoint))
            .filter_map(|outpoint| self.coin(*outpoint))
            .collect()
    }

    fn coin(&self, outpoint: OutPoint) -> Option<Coin> {
        let entry = self.transactions.get(&outpoint.txid)?;
        let (tip, _) = self.tip()?;
        let rest = |height: u32| tip.saturating_sub(height).saturating_add(1) >= MATURITY;
        Some(Coin {
            outpoint,
            output: self.output(&outpoint)?.clone(),
            height: entry.height,
            is_mature: !entry.transaction.is_coinbase() || entry.height.is_some_and(rest),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use bitcoin::{
        Amount, CompactTarget, Network, Sequence, TxIn, TxMerkleNode, Witness, absolute::LockTime,
        block, constants::genesis_block, hashes::Hash, transaction::Version,
    };

    use super::*;

    fn script(number: u8) -> ScriptBuf {
        ScriptBuf::from_bytes(vec![number])
    }

    fn transaction(spends: &[OutPoint], to: u8) -> Transaction {
        let input = |previous_output: &OutPoint| TxIn {
            previous_output: *previous_output,
            script_sig: ScriptBuf::new(),
            sequence: Sequence::MAX,
            witness: Witness::new(),
        };
        let output = TxOut { value: Amount::from_sat(1_000), script_pubkey: script(to) };
        Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: spends.iter().map(input).collect(),
            output: vec![output],
        }
    }

    fn block_on(chain: &Chain, nonce: u32, txdata: Vec<Transaction>) -> Block {
        let header = block::Header {
            version: block::Version::ONE,
            prev_blockhash: chain.tip().unwrap().1.hash,
            merkle_root: TxMerkleNode::all_zeros(),
            time: nonce,
            bits: CompactTarget::default(),
            nonce,
        };
        Block { header, txdata }
    }

    fn first(transaction: &Transaction) -> OutPoint {
        OutPoint::new(transaction.compute_txid(), 0)
    }

    fn outpoint(number: u8) -> OutPoint {
        OutPoint::new(Txid::from_byte_array([number; 32]), 0)
    }

    #[test]
    fn an_output_spent_in_the_mempool_is_hidden_until_the_spender_is_gone() {
        let mut chain = Chain::default();
        chain.push(genesis_block(Network::Regtest));
        let one = transaction(&[outpoint(9)], 1);
        chain.push(block_on(&chain, 1, vec![one.clone()]));
        assert_eq!(chain.unspent(&script(1))[0].height, Some(1));

        let two = transaction(&[first(&one)], 2);
        assert_eq!(chain.keep_waiting(&[two.compute_txid()]), [two.compute_txid()]);
        chain.add_waiting(two.clone());
        assert!(chain.unspent(&script(1)).is_empty());
        assert_eq!(chain.unspent(&script(2))[0].height, None);
        assert_eq!(chain.spender(&first(&one)), Some((two.compute_txid(), 0)));

        assert!(chain.keep_waiting(&[]).is_empty());
        assert_eq!(chain.unspent(&script(1)).len(), 1);
        assert!(chain.unspent(&script(2)).is_empty());
    }

    #[test]
    fn a_replaced_block_takes_its_transactions_with_it() {
        let mut chain = Chain::default();
        chain.push(genesis_block(Network::Regtest));
        let one = transaction(&[outpoint(9)], 1);
        chain.push(block_on(&chain, 1, vec![one.clone()]));
        let (old, new) = (transaction(&[first(&one)], 2), transaction(&[first(&one)], 3));
        chain.push(block_on(&chain, 2, vec![old.clone()]));
        let gone = chain.tip().unwrap().1.hash;

        chain.pop();
        assert!(!chain.has(&gone) && chain.transaction(&old.compute_txid()).is_none());
        assert_eq!(chain.unspent(&script(1)).len(), 1);
        // Its transactions are in the mempool again; a block with a rival arrives before the mempool is read.
        chain.add_waiting(old.clone());
        chain.push(block_on(&chain, 3, vec![new.clone()]));
        assert!(chain.keep_waiting(&[]).is_empty());
        assert_eq!(chain.spender(&first(&one)), Some((new.compute_txid(), 0)));
        assert_eq!(chain.block_of(&new.compute_txid()).unwrap().0, 2);
        assert!(chain.unspent(&script(2)).is_empty());
    }

    #[test]
    fn a_merkle_branch_leads_from_each_transaction_to_the_root() {
        for count in 1..=33 {
            let txids: Vec<_> = (0..count).map(|n| outpoint(n).txid).collect();
            let nodes = txids.iter().map(|txid| TxMerkleNode::from(txid.to_raw_hash()));
            let root = merkle_tree::calculate_root(nodes.clone()).unwrap();
            let previous = BlockHash::all_zeros();
            let link = Link { hash: previous, time: 0, previous, txids: txids.clone() };
            for (place, (txid, node)) in txids.iter().zip(nodes).enumerate() {
                let (told, branch) = link.merkle_branch(txid).unwrap();
                assert_eq!(told, place);
                let folded = branch.iter().enumerate().fold(node, |node, (level, sibling)| {
                    let is_right = (place >> level) & 1 == 1;
                    let pair = if is_right { [*sibling, node] } else { [node, *sibling] };
                    merkle_tree::calculate_root(pair.into_iter()).unwrap()
                });
                assert_eq!(folded, root, "{place} of {count}");
            }
            assert_eq!(link.merkle_branch(&outpoint(99).txid), None);
        }
    }

    #[test]
    fn lagging_and_forked_servers_know_the_same_transactions() {
        let mut chain = Chain::default();
        chain.push(genesis_block(Network::Regtest));
        let mut paid = transaction(&[outpoint(9)], 1);
        for nonce in 1..=3 {
            paid = transaction(&[first(&paid)], 1);
            chain.push(block_on(&chain, nonce, vec![paid.clone()]));
        }
        let waiting = transaction(&[first(&paid)], 2);
        chain.add_waiting(waiting.clone());
        let (paid, waiting) = (paid.compute_txid(), waiting.compute_txid());

        let behind = chain.clone().behind(2);
        assert_eq!(behind.tip().unwrap(), (1, chain.link(1).unwrap()));
        assert!(behind.block_of(&paid).is_none() && behind.transaction(&paid).is_some());
        assert_eq!(behind.waiting().len(), 3);

        let fork = chain.clone().forked(2);
        let (height, link) = fork.block_of(&paid).unwrap();
        assert_eq!((height, link.previous), (2, chain.link(1).unwrap().hash));
        assert_ne!(link.hash, chain.link(2).unwrap().hash);
        let (height, tip) = fork.tip().unwrap();
        assert_eq!((height, tip.previous), (3, link.hash));
        assert!(fork.block_of(&waiting).is_none() && fork.waiting().len() == 1);
        assert_eq!(chain.clone().forked(0).tip(), chain.tip());
    }

    #[test]
    fn a_coinbase_output_matures_after_a_hundred_blocks() {
        let mut chain = Chain::default();
        chain.push(genesis_block(Network::Regtest));
        let coinbase = transaction(&[OutPoint::null()], 1);
        chain.push(block_on(&chain, 1, vec![coinbase]));
        for nonce in 2..100 {
            chain.push(block_on(&chain, nonce, Vec::new()));
        }
        assert!(!chain.unspent(&script(1))[0].is_mature);
        chain.push(block_on(&chain, 100, Vec::new()));
        assert!(chain.unspent(&script(1))[0].is_mature);
    }
}
