//! Blocks: what a miner takes from a mempool, and how a chain is rewritten.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{
    Amount, Block, BlockHash, CompactTarget, FeeRate, OutPoint, ScriptBuf, Sequence, Transaction,
    TxIn, TxMerkleNode, TxOut, Txid, Weight, Witness,
    absolute::LockTime,
    block::{Header, Version},
    hashes::Hash,
    opcodes::all::OP_RETURN,
    script::{Builder, PushBytesBuf},
    transaction,
};

use crate::{
    chain::Chain,
    consensus::{self, BlockError, MOST_WEIGHT, spendable},
    node::Node,
    tree::Tree,
};

/// Regtest's target: every other nonce succeeds.
const EASY: u32 = 0x207f_ffff;
/// The start of an output that commits to the witnesses (BIP 141).
const WITNESS_COMMITMENT: [u8; 4] = [0xaa, 0x21, 0xa9, 0xed];
const WITNESS_RESERVED: [u8; 32] = [0; 32];
/// Weight left for the header and the coinbase.
const RESERVED: Weight = Weight::from_wu(8_000);

/// The part of a block that its transactions do not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The block's time, in seconds since the epoch; later than the median of the last eleven blocks.
    pub time: u32,
    /// Makes the coinbase unique, so that blocks with the same transactions differ.
    pub salt: u64,
    /// Scripts that share subsidy and fees; the first one receives the remainder. Without scripts, both are
    /// burned.
    pub payout: Vec<ScriptBuf>,
}

/// What the miner takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The lowest rate that is mined.
    pub lowest: FeeRate,
    /// The heaviest block; nothing is taken below the weight of header and coinbase.
    pub most: Weight,
    /// Transactions that are left out, with their descendants.
    pub left_out: &'a BTreeSet<Txid>,
    /// Transactions that come first, though the mempool may not have them; their unconfirmed parents are taken
    /// from it.
    pub extra: &'a [Transaction],
}

impl Choice<'_> {
    /// All that fits.
    pub const fn everything() -> Choice<'static> {
        const NONE: &BTreeSet<Txid> = &BTreeSet::new();
        Choice { lowest: FeeRate::ZERO, most: MOST_WEIGHT, left_out: NONE, extra: &[] }
    }
}

/// A block on top of a node's chain.
pub fn mine(tree: &Tree, node: &Node, choice: &Choice<'_>, frame: &Frame) -> Option<Block> {
    let transactions = choose(node, choice);
    build(tree, node.tip()?, node.chain(), transactions, frame)
}

/// The transactions that a miner takes, each after its parents.
pub fn choose(node: &Node, choice: &Choice<'_>) -> Vec<Transaction> {
    let mut chosen = Chosen { node, weight: RESERVED, ..Chosen::new(node) };
    for transaction in choice.extra {
        let parents = node.ancestors(node.parents(transaction));
        let items = parents.iter().filter_map(|txid| node.chain().transaction(txid));
        let mut parents: Vec<Transaction> = items.cloned().collect();
        while !parents.is_empty() {
            let count = parents.len();
            parents.retain(|parent| !chosen.try_take(parent));
            if parents.len() == count {
                break;
            }
        }
        chosen.try_take(transaction);
    }
    for chunk in node.chunks() {
        let least = choice.lowest.fee_wu(Weight::from_wu(chunk.weight)).unwrap_or(Amount::MAX);
        if chunk.fee < least.to_sat() {
            break;
        }
        for txid in chunk.txids {
            let Some(transaction) = node.chain().transaction(&txid) else { continue };
            let weight = chosen.weight.checked_add(transaction.weight());
            let fits = weight.is_some_and(|weight| weight <= choice.most);
            if fits && !choice.left_out.contains(&txid) {
                chosen.try_take(transaction);
            }
        }
    }
    chosen.transactions
}

struct Chosen<'a> {
    node: &'a Node,
    weight: Weight,
    transactions: Vec<Transaction>,
    txids: BTreeSet<Txid>,
    spent: BTreeSet<OutPoint>,
}

impl<'a> Chosen<'a> {
    fn new(node: &'a Node) -> Self {
        let (txids, spent) = (BTreeSet::new(), BTreeSet::new());
        Self { node, weight: Weight::ZERO, transactions: Vec::new(), txids, spent }
    }

    /// Takes a transaction unless it conflicts with the others, or lacks a parent.
    fn try_take(&mut self, transaction: &Transaction) -> bool {
        let txid = transaction.compute_txid();
        let is_free = |outpoint: &OutPoint| {
            let parent = self.node.chain().unspent_output(outpoint);
            !self.spent.contains(outpoint)
                && (self.txids.contains(&outpoint.txid)
                    || parent.is_some_and(|(_, height)| height.is_some()))
        };
        let outpoints = || transaction.input.iter().map(|input| input.previous_output);
        if self.txids.contains(&txid) || !outpoints().all(|outpoint| is_free(&outpoint)) {
            return false;
        }
        self.spent.extend(outpoints());
        self.txids.insert(txid);
        self.weight = self.weight.checked_add(transaction.weight()).unwrap_or(Weight::MAX);
        self.transactions.push(transaction.clone());
        true
    }
}

/// A block with these transactions on top of `below`, which is the tip of `chain`. It is not checked:
/// [`Tree::insert`] does that. `None` if the block below is unknown.
pub fn build(
    tree: &Tree,
    below: BlockHash,
    chain: &Chain,
    transactions: Vec<Transaction>,
    frame: &Frame,
) -> Option<Block> {
    let height = tree.height(&below)?.checked_add(1)?;
    let reward = tree.rules().subsidy(height).checked_add(fees(chain, &transactions))?;
    let mut txdata = vec![coinbase(height, reward, frame)?];
    txdata.extend(transactions);
    let header = Header {
        version: Version::from_consensus(0x2000_0000),
        prev_blockhash: below,
        merkle_root: TxMerkleNode::all_zeros(),
        time: frame.time,
        bits: CompactTarget::from_consensus(EASY),
        nonce: 0,
    };
    let mut block = Block { header, txdata };
    commit_to_witnesses(&mut block)?;
    block.header.merkle_root = block.compute_merkle_root()?;
    while block.header.validate_pow(block.header.target()).is_err() {
        block.header.nonce = block.header.nonce.checked_add(1)?;
    }
    Some(block)
}

/// The fees of transactions, some of which spend others before them.
fn fees(chain: &Chain, transactions: &[Transaction]) -> Amount {
    let mut fresh: BTreeMap<OutPoint, Amount> = BTreeMap::new();
    let mut fees = Amount::ZERO;
    for transaction in transactions {
        let value = |outpoint: &OutPoint| {
            let known = fresh.get(outpoint).copied();
            known.or_else(|| chain.output(outpoint).map(|output| output.value))
        };
        let held = transaction.input.iter().filter_map(|input| value(&input.previous_output));
        let held = held.map(Amount::to_sat).fold(0, u64::saturating_add);
        let paid = transaction.output.iter().map(|output| output.value.to_sat());
        let fee = held.saturating_sub(paid.fold(0, u64::saturating_add));
        fees = fees.checked_add(Amount::from_sat(fee)).unwrap_or(fees);
        let txid = transaction.compute_txid();
        let outputs = (0..).zip(&transaction.output);
        fresh.extend(outputs.map(|(vout, output)| (OutPoint { txid, vout }, output.value)));
    }
    fees
}

fn coinbase(height: u32, reward: Amount, frame: &Frame) -> Option<Transaction> {
    let script_sig = Builder::new()
        .push_int(i64::from(height))
        .push_slice(frame.salt.to_le_bytes())
        .into_script();
    let count = u64::try_from(frame.payout.len()).ok()?;
    let output = match reward.to_sat().checked_div(count) {
        None => vec![TxOut { value: reward, script_pubkey: unspendable() }],
        Some(share) => {
            let rest = reward.to_sat().checked_rem(count)?;
            let first = |index: usize| if index == 0 { rest } else { 0 };
            let shares = frame.payout.iter().enumerate();
            let output = |(index, script): (usize, &ScriptBuf)| TxOut {
                value: Amount::from_sat(share.saturating_add(first(index))),
                script_pubkey: script.clone(),
            };
            shares.map(output).collect()
        }
    };
    let input = TxIn {
        previous_output: OutPoint::null(),
        script_sig,
        sequence: Sequence::MAX,
        witness: Witness::from_slice(&[WITNESS_RESERVED]),
    };
    let (version, lock_time) = (transaction::Version::TWO, LockTime::ZERO);
    Some(Transaction { version, lock_time, input: vec![input], output })
}

fn unspendable() -> ScriptBuf {
    Builder::new().push_opcode(OP_RETURN).into_script()
}

fn commit_to_witnesses(block: &mut Block) -> Option<()> {
    let root = block.witness_root()?;
    let commitment = Block::compute_witness_commitment(&root, &WITNESS_RESERVED);
    let mut data = PushBytesBuf::from(WITNESS_COMMITMENT);
    data.extend_from_slice(&commitment.to_byte_array()).ok()?;
    let script_pubkey = ScriptBuf::new_op_return(data);
    let coinbase = block.txdata.first_mut()?;
    coinbase.output.push(TxOut { value: Amount::ZERO, script_pubkey });
    Some(())
}

/// How the last blocks of a chain are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Number of blocks that are replaced.
    pub depth: u32,
    /// Number of empty blocks on top; one lets the new tip win.
    pub more: u32,
    /// Transactions that the new blocks lack, with their descendants.
    pub dropped: BTreeSet<Txid>,
    /// Transactions in whose place others are.
    pub replaced: BTreeMap<Txid, Transaction>,
}

/// Adds a competing tip to the tree: the last blocks before `tip` with other contents, in another order. `shuffle`
/// returns a number below its argument. Transactions that have become impossible are left out. Returns the new
/// tip.
///
/// # Errors
/// [`BlockError::Orphan`] if the tree does not reach so far below `tip`; otherwise as [`Tree::insert`].
pub fn rewrite(
    tree: &mut Tree,
    tip: BlockHash,
    change: &Rewrite,
    frame: &Frame,
    shuffle: &mut dyn FnMut(usize) -> usize,
) -> Result<BlockHash, BlockError> {
    let mut at = tree.below(tip, change.depth).ok_or(BlockError::Orphan)?;
    let old = tree.route(at, tip).ok_or(BlockError::Orphan)?.up;
    let mut frame = frame.clone();
    for place in 0..change.depth.saturating_add(change.more) {
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        let block = old.get(index).and_then(|hash| tree.block(hash));
        let mut wanted: Vec<Transaction> =
            block.map(|block| block.txdata.clone()).unwrap_or_default();
        wanted.retain(|one| !one.is_coinbase());
        for transaction in &mut wanted {
            if let Some(other) = change.replaced.get(&transaction.compute_txid()) {
                *transaction = other.clone();
            }
        }
        wanted.retain(|one| !change.dropped.contains(&one.compute_txid()));
        for last in (1..wanted.len()).rev() {
            wanted.swap(last, shuffle(last.saturating_add(1)).min(last));
        }
        let chain = tree.chain_to(at).ok_or(BlockError::Orphan)?.clone();
        let possible = keep_possible(&chain, wanted);
        frame.time = frame.time.max(chain.median_time(chain.height()).saturating_add(1));
        let block = build(tree, at, &chain, possible, &frame).ok_or(BlockError::Malformed)?;
        at = tree.insert(block)?;
        frame.salt = frame.salt.wrapping_add(1);
    }
    Ok(at)
}

/// The transactions that can be in the next block, in this order as far as parents allow it.
fn keep_possible(chain: &Chain, mut wanted: Vec<Transaction>) -> Vec<Transaction> {
    let (mut kept, mut left) = (Vec::new(), usize::MAX);
    let mut fresh: BTreeMap<OutPoint, consensus::Spendable> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    while wanted.len() < left {
        left = wanted.len();
        let mut later = Vec::new();
        for transaction in wanted {
            let outpoints = || transaction.input.iter().map(|input| input.previous_output);
            let spent: Option<Vec<_>> = outpoints()
                .map(|outpoint| {
                    let coin = fresh.get(&outpoint).cloned();
                    let coin = coin.or_else(|| spendable(chain, &outpoint));
                    coin.filter(|_| !gone.contains(&outpoint))
                })
                .collect();
            let Some(spent) = spent else {
                later.push(transaction);
                continue;
            };
            if consensus::check_inputs(chain, &transaction, &spent).is_err()
                || !consensus::is_final(chain, &transaction)
                || !consensus::is_unlocked(chain, &transaction, &spent)
            {
                continue;
            }
            gone.extend(outpoints());
            let (txid, height) = (transaction.compute_txid(), chain.height().saturating_add(1));
            for (vout, output) in (0..).zip(&transaction.output) {
                let output = output.clone();
                let coin = consensus::Spendable { output, height, is_coinbase: false };
                fresh.insert(OutPoint { txid, vout }, coin);
            }
            kept.push(transaction);
        }
        wanted = later;
    }
    kept
}
