//! The service's transactions in an applied block.

use base::clock::Timestamp;
use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Txid, hashes::Hash};
use serde::{Deserialize, Serialize};
use store::Entity;

/// The service's transactions in an applied block.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppliedBlock {
    /// Base64 of 36 bytes for each transaction: its id, then its position in the block (32 bits, little
    /// endian). The 5,000 smallest commitments fill a block and take 240 kB.
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

    /// The transactions, each with its position.
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
