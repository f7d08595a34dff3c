//! All blocks, competing tips included.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{
    Amount, Block, BlockHash, Network, Transaction, Wtxid, constants::genesis_block, hashes::Hash,
    params::Params,
};

use crate::{
    chain::Chain,
    consensus::{BlockError, check_block},
};

/// What differs between networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The network, which addresses and the genesis block belong to. Blocks are always found at regtest's
    /// difficulty.
    pub network: Network,
    /// Number of blocks between two halvings of the subsidy.
    pub halving: u32,
}

impl Default for Rules {
    /// Regtest.
    fn default() -> Self {
        Self { network: Network::Regtest, halving: 150 }
    }
}

impl Rules {
    /// The subsidy of a block.
    pub fn subsidy(&self, height: u32) -> Amount {
        let halvings = height.checked_div(self.halving).unwrap_or(u32::MAX);
        Amount::from_sat(Amount::from_int_btc(50).to_sat().checked_shr(halvings).unwrap_or(0))
    }
}

#[derive(Clone, Debug)]
struct Placed {
    block: Block,
    height: u32,
}

/// The way from one tip to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Blocks to take back, the newest first.
    pub down: Vec<BlockHash>,
    /// Blocks to append, the oldest first.
    pub up: Vec<BlockHash>,
}

/// A tree of valid blocks, rooted in the genesis block.
#[derive(Clone, Debug)]
pub struct Tree {
    rules: Rules,
    blocks: BTreeMap<BlockHash, Placed>,
    genesis: BlockHash,
    best: BlockHash,
    /// The chain that the last block was checked on.
    chain: Chain,
    /// Transactions whose scripts are known to succeed.
    checked: BTreeSet<Wtxid>,
}

impl Tree {
    /// A tree that has only the genesis block.
    pub fn new(rules: Rules) -> Self {
        let block = genesis_block(Params::from(rules.network));
        let (genesis, mut chain) = (block.block_hash(), Chain::default());
        chain.push(block.clone());
        let blocks = BTreeMap::from([(genesis, Placed { block, height: 0 })]);
        Self { rules, blocks, genesis, best: genesis, chain, checked: BTreeSet::new() }
    }

    /// The rules of its network.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The genesis block.
    pub fn genesis(&self) -> BlockHash {
        self.genesis
    }

    /// The tip with the most blocks; of several, the one that arrived first.
    pub fn best(&self) -> BlockHash {
        self.best
    }

    /// The block of a hash.
    pub fn block(&self, hash: &BlockHash) -> Option<&Block> {
        self.blocks.get(hash).map(|placed| &placed.block)
    }

    /// The height of a block.
    pub fn height(&self, hash: &BlockHash) -> Option<u32> {
        self.blocks.get(hash).map(|placed| placed.height)
    }

    /// The block that is `depth` blocks below another.
    pub fn below(&self, hash: BlockHash, depth: u32) -> Option<BlockHash> {
        let mut at = hash;
        for _step in 0..depth {
            at = self.parent(&at)?;
        }
        Some(at)
    }

    /// The blocks that no other stands on.
    pub fn tips(&self) -> Vec<BlockHash> {
        let parents: BTreeSet<BlockHash> =
            self.blocks.values().map(|placed| placed.block.header.prev_blockhash).collect();
        self.blocks.keys().filter(|hash| !parents.contains(*hash)).copied().collect()
    }

    fn parent(&self, hash: &BlockHash) -> Option<BlockHash> {
        let previous = self.blocks.get(hash)?.block.header.prev_blockhash;
        (previous != BlockHash::all_zeros()).then_some(previous)
    }

    /// The blocks between two tips; `None` if one is unknown.
    pub fn route(&self, from: BlockHash, to: BlockHash) -> Option<Route> {
        let (mut low, mut high, mut route) = (from, to, Route::default());
        while low != high {
            let (below, above) = (self.height(&low)?, self.height(&high)?);
            if below >= above {
                route.down.push(low);
                low = self.parent(&low)?;
            } else {
                route.up.push(high);
                high = self.parent(&high)?;
            }
        }
        route.up.reverse();
        Some(route)
    }

    /// Adds a block, and checks it by the rules of consensus. A block that is there already changes nothing.
    ///
    /// # Errors
    /// [`BlockError::Orphan`] if the block below is unknown; [`BlockError::Header`] if its time or work is
    /// wrong; otherwise as [`check_block`].
    pub fn insert(&mut self, block: Block) -> Result<BlockHash, BlockError> {
        let (hash, below) = (block.block_hash(), block.header.prev_blockhash);
        if self.blocks.contains_key(&hash) {
            return Ok(hash);
        }
        let height = self.height(&below).ok_or(BlockError::Orphan)?.saturating_add(1);
        self.stand_on(below).ok_or(BlockError::Orphan)?;
        let is_timely = block.header.time > self.chain.median_time(self.chain.height());
        if !is_timely || block.header.validate_pow(block.header.target()).is_err() {
            return Err(BlockError::Header);
        }
        let is_known = |one: &Transaction| self.checked.contains(&one.compute_wtxid());
        check_block(&self.chain, &block, self.rules.subsidy(height), is_known)?;
        self.checked.extend(block.txdata.iter().map(Transaction::compute_wtxid));
        self.chain.push(block.clone());
        self.blocks.insert(hash, Placed { block, height });
        if self.height(&self.best).is_none_or(|best| best < height) {
            self.best = hash;
        }
        Ok(hash)
    }

    /// The chain that ends in a block, without a mempool.
    pub fn chain_to(&mut self, tip: BlockHash) -> Option<&Chain> {
        self.stand_on(tip)?;
        Some(&self.chain)
    }

    fn stand_on(&mut self, tip: BlockHash) -> Option<()> {
        let from = self.chain.tip().map(|(_, link)| link.hash)?;
        let route = self.route(from, tip)?;
        for _block in &route.down {
            self.chain.pop();
        }
        for hash in &route.up {
            let block = self.blocks.get(hash)?.block.clone();
            self.chain.push(block);
        }
        Some(())
    }
}
