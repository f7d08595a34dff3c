//! The rows of the chain as the worker has applied it.

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{BlockHash, Txid, hashes::Hash};
use chain::{bitcoin::esplora::Block, transactions::FINAL};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use shared::{
    clock::Timestamp,
    store::{Entity, fields},
};

/// Blocks in one list of Esplora.
pub(crate) const MOST_LISTED: u32 = 10;
/// Blocks below the tip that are remembered, as many as fit into a row of a kilobyte. A deeper reorganisation is left to the
/// rounds through the queues.
const REMEMBERED: usize = 14;

/// The newest block that was applied, and those below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tip {
    /// Its height.
    pub(crate) height: u32,
    /// Its hash.
    pub(crate) hash: BlockHash,
    /// The blocks below it, newest first.
    #[serde(serialize_with = "pack", deserialize_with = "unpack")]
    below: Vec<BlockHash>,
}

impl Entity for Tip {
    const ENTITY: &'static str = "chainTip";
}

fields!(Tip {
    pub(crate) HASH: BlockHash = hash,
});

impl Tip {
    /// The first of these blocks, each of which rests on the next.
    pub(crate) fn new(blocks: &[Block]) -> Option<Self> {
        let (first, below) = blocks.split_first()?;
        let below = below.iter().take(REMEMBERED).map(|block| block.id).collect();
        Some(Self { height: first.height, hash: first.id, below })
    }

    /// The tip once a block that rests on it is applied.
    pub(crate) fn with(&self, block: &Block) -> Self {
        let below = [self.hash].into_iter().chain(self.below.iter().copied());
        Self { height: block.height, hash: block.id, below: below.take(REMEMBERED).collect() }
    }

    /// The tip without its block; `None` if the block below is not remembered.
    pub(crate) fn taken_back(&self) -> Option<Self> {
        let (hash, below) = self.below.split_first()?;
        let height = self.height.checked_sub(1)?;
        Some(Self { height, hash: *hash, below: below.to_vec() })
    }

    /// The block that has just become final: a reorganisation of six blocks cannot undo it.
    pub(crate) fn newly_final(&self) -> Option<(u32, BlockHash)> {
        let above = FINAL.checked_sub(1)?;
        let place = usize::try_from(above).ok()?.checked_sub(1)?;
        Some((self.height.checked_sub(above)?, *self.below.get(place)?))
    }

    /// Whether a block is in the chain and not final yet: the block that makes it final comes to its rows.
    pub(crate) fn waits(&self, block: BlockHash) -> bool {
        let shallow = usize::try_from(FINAL.saturating_sub(2)).unwrap_or_default();
        self.hash == block || self.below.iter().take(shallow).any(|below| *below == block)
    }
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

/// What an applied block has of ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppliedBlock {
    /// Base64 of 36 bytes for each transaction: its id, and its position in the block (32 bits, little endian). The 5,000
    /// smallest commitments fill a block and take 240 kB.
    places: String,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for AppliedBlock {
    const ENTITY: &'static str = "chainBlock";
}

impl AppliedBlock {
    pub(crate) fn new(places: impl Iterator<Item = (Txid, u32)>, expires_at: Timestamp) -> Self {
        let mut bytes = Vec::new();
        for (txid, position) in places {
            bytes.extend(txid.to_byte_array());
            bytes.extend(position.to_le_bytes());
        }
        Self { places: BASE64_STANDARD.encode(bytes), expires_at: expires_at.seconds() }
    }

    /// Its transactions, each with its position.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Txid, u32)> {
        let bytes = BASE64_STANDARD.decode(&self.places).unwrap_or_default();
        let (places, _) = bytes.as_chunks::<36>();
        let places: Vec<_> = places
            .iter()
            .filter_map(|place| {
                let (txid, position) = place.split_first_chunk::<32>()?;
                let position = u32::from_le_bytes(position.try_into().ok()?);
                Some((Txid::from_byte_array(*txid), position))
            })
            .collect();
        places.into_iter()
    }
}
