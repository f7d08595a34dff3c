//! ord's index: runes and inscriptions at one block.

use bitcoin::BlockHash;

use crate::{
    inscriptions::Inscriptions,
    runes::{Place, Runes},
    tree::{Rules, Tree},
};

/// Runes and inscriptions in the chain up to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    rules: Rules,
    /// The runes.
    pub runes: Runes,
    /// The inscriptions.
    pub inscriptions: Inscriptions,
    blocks: Vec<BlockHash>,
}

impl Index {
    /// An index of the genesis block.
    pub fn new(tree: &Tree) -> Self {
        let mut index = Self {
            rules: *tree.rules(),
            runes: Runes::default(),
            inscriptions: Inscriptions::default(),
            blocks: Vec::new(),
        };
        index.read(tree, tree.genesis());
        index
    }

    /// The rules of its network.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Height of the newest block.
    pub fn height(&self) -> u32 {
        u32::try_from(self.blocks.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The newest block.
    pub fn tip(&self) -> Option<BlockHash> {
        self.blocks.last().copied()
    }

    /// The block at a height.
    pub fn block_at(&self, height: u32) -> Option<BlockHash> {
        self.blocks.get(usize::try_from(height).ok()?).copied()
    }

    /// Follows the chain to another tip. Returns false, and changes nothing, if the tree lacks either block.
    pub fn follow(&mut self, tree: &Tree, tip: BlockHash) -> bool {
        let Some(route) = self.tip().and_then(|from| tree.route(from, tip)) else { return false };
        for _block in &route.down {
            self.runes.undo();
            self.inscriptions.undo();
            self.blocks.pop();
        }
        for hash in route.up {
            self.read(tree, hash);
        }
        true
    }

    fn read(&mut self, tree: &Tree, hash: BlockHash) {
        let Some((block, height)) = tree.block(&hash).zip(tree.height(&hash)) else { return };
        self.runes.mark();
        self.inscriptions.mark();
        let place = Place { height, time: block.header.time };
        for (index, transaction) in (0..).zip(&block.txdata) {
            self.runes.read(&self.rules, place, index, transaction, &self.inscriptions);
        }
        self.inscriptions.read(self.rules.network, height, block);
        self.blocks.push(hash);
    }
}
