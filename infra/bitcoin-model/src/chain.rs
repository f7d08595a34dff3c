//! Transactions in the blocks and in the mempool, by script and by output.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use bitcoin::{
    Block, BlockHash, CompactTarget, OutPoint, ScriptBuf, Transaction, TxMerkleNode, TxOut, Txid,
    block::{Header, Version},
    hashes::Hash as _,
    merkle_tree,
};

/// Confirmations that a coinbase output needs before it can be spent.
pub const MATURITY: u32 = 100;
/// Number of blocks whose median time is compared with lock times (BIP 113).
const MEDIAN_OF: usize = 11;

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
    /// Height of its block; `None` while it is in the mempool.
    height: Option<u32>,
}

/// An output that no transaction spends, not even one in the mempool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    /// Outpoint of the coin.
    pub outpoint: OutPoint,
    /// Value and script of the coin.
    pub output: TxOut,
    /// Height of its block; `None` while it is in the mempool.
    pub height: Option<u32>,
    /// Whether a transaction in the next block may spend it.
    pub is_mature: bool,
}

/// The blocks from genesis on, and the mempool on top of them.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    links: Vec<Link>,
    heights: BTreeMap<BlockHash, u32>,
    transactions: BTreeMap<Txid, Entry>,
    outputs: BTreeMap<ScriptBuf, BTreeSet<OutPoint>>,
    spenders: BTreeMap<OutPoint, (Txid, u32)>,
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

    /// The block at a height, without the target, the nonce and the version of its header, which are not
    /// kept; `None` for the genesis block.
    pub fn block(&self, height: u32) -> Option<Block> {
        let link = self.link(height)?;
        let kept = |txid| Some(self.transactions.get(txid)?.transaction.clone());
        let header = Header {
            version: Version::TWO,
            prev_blockhash: link.previous,
            merkle_root: link.merkle_root()?,
            time: link.time,
            bits: CompactTarget::default(),
            nonce: 0,
        };
        Some(Block { header, txdata: link.txids.iter().map(kept).collect::<Option<_>>()? })
    }

    /// The height of a block in the chain.
    pub fn height_of(&self, block: &BlockHash) -> Option<u32> {
        self.heights.get(block).copied()
    }

    /// Whether a block is in the chain.
    pub fn has(&self, block: &BlockHash) -> bool {
        self.heights.contains_key(block)
    }

    /// The height of the newest block; 0 if the chain is empty.
    pub fn height(&self) -> u32 {
        self.tip().map_or(0, |(height, _)| height)
    }

    /// The median time of the block at a height and of the ten below it.
    pub fn median_time(&self, height: u32) -> u32 {
        let end = usize::try_from(height).map_or(usize::MAX, |height| height.saturating_add(1));
        let end = end.min(self.links.len());
        let last = self.links.get(end.saturating_sub(MEDIAN_OF)..end).unwrap_or_default();
        let mut times: Vec<u32> = last.iter().map(|link| link.time).collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
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

    /// The chain as seen by a server on a fork: the last blocks are replaced by as many others, and the first
    /// of those holds all transactions of the replaced ones.
    #[must_use]
    pub fn forked(mut self, blocks: u32) -> Self {
        let before: BTreeSet<Txid> = self.waiting().iter().map(Transaction::compute_txid).collect();
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

    /// Removes a transaction from the mempool.
    pub fn remove_waiting(&mut self, txid: &Txid) {
        if self.transactions.get(txid).is_some_and(|entry| entry.height.is_none()) {
            self.remove(txid);
        }
    }

    /// Removes mempool transactions that are not in `mempool`; returns the ids in `mempool` that the chain
    /// lacks.
    pub fn keep_waiting(&mut self, mempool: &[Txid]) -> Vec<Txid> {
        let listed: BTreeSet<Txid> = mempool.iter().copied().collect();
        let waiting = self.transactions.iter().filter(|(_, entry)| entry.height.is_none());
        let gone: Vec<Txid> =
            waiting.map(|(txid, _)| *txid).filter(|txid| !listed.contains(txid)).collect();
        for txid in &gone {
            self.remove(txid);
        }
        mempool.iter().filter(|txid| !self.transactions.contains_key(*txid)).copied().collect()
    }

    /// The transactions in the mempool, in the order of their ids.
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

    /// An output that no block spends, and the height of its block; the mempool may create or spend it.
    pub fn unspent_output(&self, outpoint: &OutPoint) -> Option<(&TxOut, Option<u32>)> {
        let spender = self.spender(outpoint).and_then(|(by, _)| self.transactions.get(&by));
        if spender.is_some_and(|entry| entry.height.is_some()) {
            return None;
        }
        let height = self.transactions.get(&outpoint.txid)?.height;
        Some((self.output(outpoint)?, height))
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

    /// The transactions in blocks that pay a script or spend from it, newest first.
    pub fn history(&self, script: &ScriptBuf) -> Vec<Txid> {
        let mut blocks: BTreeMap<u32, BTreeSet<Txid>> = BTreeMap::new();
        for output in self.outputs.get(script).into_iter().flatten() {
            let spender = self.spender(output).map(|(by, _)| by);
            for txid in [Some(output.txid), spender].into_iter().flatten() {
                if let Some((height, _)) = self.block_of(&txid) {
                    blocks.entry(height).or_default().insert(txid);
                }
            }
        }
        let newest_first = blocks.iter().rev().filter_map(|(height, own)| {
            let in_order = self.link(*height)?.txids.iter().rev();
            Some(in_order.filter(|txid| own.contains(*txid)).copied())
        });
        newest_first.flatten().collect()
    }

    /// The unspent outputs in blocks, without those that only the mempool creates; an output that the mempool
    /// spends is still listed.
    pub fn confirmed_outputs(&self) -> impl Iterator<Item = (OutPoint, &TxOut)> {
        self.transactions.iter().filter(|(_, entry)| entry.height.is_some()).flat_map(
            |(txid, entry)| {
                (0..).zip(&entry.transaction.output).filter_map(|(vout, output)| {
                    let outpoint = OutPoint { txid: *txid, vout };
                    self.unspent_output(&outpoint).map(|_| (outpoint, output))
                })
            },
        )
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
