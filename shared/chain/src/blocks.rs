//! The chain as the worker has applied it, block by block.

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{BlockHash, hashes::Hash};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use store::{Claimed, Entity, Store, StoreError, Update, fields};

use crate::{
    BitcoinContext,
    bitcoin::esplora::Block,
    keys,
    mints::Mint,
    transactions::{ChainError, FINAL},
};

/// Blocks below the tip that are remembered. A deeper reorganisation stops the worker: no chain of Bitcoin has had one.
const REMEMBERED: usize = 60;

/// The newest block that the worker has applied, and those below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tip {
    /// Its height.
    pub height: u32,
    /// Its hash.
    pub hash: BlockHash,
    /// How many blocks were taken back so far, because a reorganisation had removed them.
    pub taken_back: u64,
    /// The blocks below it, newest first.
    #[serde(serialize_with = "pack", deserialize_with = "unpack")]
    below: Vec<BlockHash>,
}

impl Entity for Tip {
    const ENTITY: &'static str = "chainTip";
}

fields!(Tip {
    pub HASH: BlockHash = hash,
    pub TAKEN_BACK: u64 = taken_back,
});

impl Tip {
    /// The first of these blocks, each of which rests on the next.
    pub fn new(blocks: &[Block]) -> Option<Self> {
        let (first, below) = blocks.split_first()?;
        let below = below.iter().take(REMEMBERED).map(|block| block.id).collect();
        Some(Self { height: first.height, hash: first.id, taken_back: 0, below })
    }

    /// The tip once a block that rests on it is applied.
    #[must_use]
    pub fn with(&self, block: &Block) -> Self {
        let below = [self.hash].into_iter().chain(self.below.iter().copied());
        let below = below.take(REMEMBERED).collect();
        Self { height: block.height, hash: block.id, below, ..*self }
    }

    /// The tip without its block; `None` if the block below is not remembered.
    pub fn taken_back(&self) -> Option<Self> {
        let (hash, below) = self.below.split_first()?;
        let height = self.height.checked_sub(1)?;
        let taken_back = self.taken_back.saturating_add(1);
        Some(Self { height, hash: *hash, taken_back, below: below.to_vec() })
    }

    /// The block that has just become final: a reorganisation of six blocks cannot undo it.
    pub fn newly_final(&self) -> Option<(u32, BlockHash)> {
        let above = FINAL.checked_sub(1)?;
        let place = usize::try_from(above).ok()?.checked_sub(1)?;
        Some((self.height.checked_sub(above)?, *self.below.get(place)?))
    }

    /// The block of this height; `None` above the tip, and below what is remembered.
    pub fn hash_at(&self, height: u32) -> Option<BlockHash> {
        match usize::try_from(self.height.checked_sub(height)?).ok()?.checked_sub(1) {
            None => Some(self.hash),
            Some(place) => self.below.get(place).copied(),
        }
    }

    /// The height of the next virtual block of a mint; `None` once its last block is applied.
    pub fn next_for(&self, mint: &Mint) -> Option<u32> {
        let next = self.height.checked_add(1)?;
        mint.last_block.is_none_or(|last_block| next <= last_block).then_some(next)
    }

    /// The condition that the row still holds this tip.
    pub fn as_read(&self) -> Update<Self> {
        Update::new().if_equal(Self::HASH, self.hash).if_equal(Self::TAKEN_BACK, self.taken_back)
    }

    /// Whether a block is in the chain and not final yet: the block that makes it final comes to its rows.
    pub fn waits(&self, block: BlockHash) -> bool {
        let shallow = usize::try_from(FINAL.saturating_sub(2)).unwrap_or_default();
        self.hash == block || self.below.iter().take(shallow).any(|below| *below == block)
    }
}

/// The newest block that the worker has applied; `None` if it has not begun.
pub async fn tip(store: &Store) -> Result<Option<Tip>, StoreError> {
    store.get(&keys::chain_tip()).await
}

/// The newest block that the worker has applied. If it has not begun, it begins with the newest block of the chain:
/// transactions issued from then on are in later blocks, which it will apply.
///
/// # Errors
/// [`ChainError::Source`] if Esplora fails, [`ChainError::ChainMoved`] if Esplora no longer has the block
/// that it named as its newest, and [`ChainError::Store`] if the store fails.
pub async fn tip_or_start(app: &BitcoinContext) -> Result<Tip, ChainError> {
    if let Some(tip) = tip(&app.store).await? {
        return Ok(tip);
    }
    let newest = app.esplora.tip_height().await?;
    let blocks = app.esplora.linked_blocks(newest).await?;
    let first = Tip::new(&blocks).ok_or(ChainError::ChainMoved)?;
    Ok(match app.store.claim(&keys::chain_tip(), &first, None).await? {
        Claimed::New => first,
        Claimed::Existing(tip) => tip,
    })
}

/// Writes hashes as base64 of 32 bytes each.
fn pack<S: Serializer>(hashes: &[BlockHash], to: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_byte_array()).collect();
    to.serialize_str(&BASE64_STANDARD.encode(bytes))
}

/// Reads what [`pack`] writes.
fn unpack<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<BlockHash>, D::Error> {
    let bytes = BASE64_STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)?;
    let (hashes, _) = bytes.as_chunks::<32>();
    Ok(hashes.iter().map(|hash| BlockHash::from_byte_array(*hash)).collect())
}
