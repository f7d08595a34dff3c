//! The rows of a payout: one transaction that moves the payments of some VM transactions, or sends their runes.

use std::collections::BTreeMap;

use base::clock::Timestamp;
use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Txid, hashes::Hash};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use store::{Entity, Store, StoreError, fields};

use super::VmTransaction;
use crate::{
    keys,
    models::{
        mint::MintId,
        vm_transaction::{Leg, PayoutKey},
    },
};

/// A payout. Each VM transaction that is distributed is in one payout of each [`Leg`]. When payouts are
/// planned, distributions get the lower numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    /// The mint.
    pub mint_id: MintId,
    /// Its number within the mint, from 1.
    pub number: u64,
    /// What it moves.
    pub leg: Leg,
    /// Optimistic lock.
    pub version: u64,
    /// When it was planned.
    pub created_at: Timestamp,
    /// How many VM transactions it has.
    pub size: usize,
    /// The sum of their distributed requests.
    pub requests: u64,
    /// Further requests whose runes go to change, because one edict gives the same amount to every output; 0
    /// otherwise.
    pub spare_requests: u64,
    /// The newest version of its transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<Txid>,
    /// The version that is in the mempool or a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<SentIn>,
    /// Whether that version is final.
    #[serde(default)]
    pub is_final: bool,
    /// Whether the rows of its VM transactions say so.
    #[serde(default)]
    pub is_noted: bool,
}

impl Entity for Payout {
    const ENTITY: &'static str = "payout";
}

fields!(Payout {
    pub SIZE: usize = size,
    pub REQUESTS: u64 = requests,
    pub SPARE_REQUESTS: u64 = spare_requests,
    pub TRANSACTION: Option<Txid> = transaction,
    pub SENT: Option<SentIn> = sent,
    pub IS_FINAL: bool = is_final,
    pub IS_NOTED: bool = is_noted,
});

/// A transaction that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentIn {
    /// Its txid.
    pub txid: Txid,
    /// When it was sent.
    pub at: Timestamp,
}

/// The VM transactions of a payout. There may be thousands, so they are apart from the fields that change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PayoutMembers {
    /// The txids of their commitments; base64 of 32 bytes each.
    #[serde(serialize_with = "pack", deserialize_with = "unpack")]
    pub txids: Vec<Txid>,
    /// What the virtual blocks have taken from each, in the same order.
    pub taken: Vec<Taken>,
}

/// What virtual blocks have taken from a VM transaction, according to the bids of the chain's blocks (custody
/// rule 33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Requests whose runes are sent.
    #[serde(rename = "r")]
    pub requests: u64,
    /// Their price, in sats.
    #[serde(rename = "s")]
    pub sats: u64,
    /// The price of the other requests, which is refunded, in sats.
    #[serde(rename = "x")]
    pub rest: u64,
}

impl Taken {
    /// Whether the row of a settled VM transaction says the same.
    pub fn agrees(self, row: &VmTransaction) -> bool {
        let requests = row.settlement.map(|settlement| settlement.distributable_requests);
        requests == Some(self.requests)
            && row.sats_in_blocks() == self.sats
            && row.sats().checked_sub(self.sats) == Some(self.rest)
            && row.refundable_sats() == self.rest
    }
}

impl Entity for PayoutMembers {
    const ENTITY: &'static str = "payoutMembers";
}

impl Payout {
    /// Its key.
    pub fn key(&self) -> PayoutKey {
        PayoutKey { mint_id: self.mint_id, number: self.number }
    }
}

/// The transactions that moved payments and sent runes.
#[derive(Clone, Debug, Default)]
pub struct SentPayouts(BTreeMap<PayoutKey, SentIn>);

impl SentPayouts {
    /// Reads which payouts of these VM transactions were sent.
    pub async fn read<'a>(
        store: &Store,
        rows: impl Iterator<Item = &'a VmTransaction>,
    ) -> Result<Self, StoreError> {
        let payouts = rows.flat_map(|row| [row.transfer_key(), row.distribution_key()]).flatten();
        let payouts: std::collections::BTreeSet<_> = payouts.collect();
        let keys: Vec<_> = payouts.into_iter().map(keys::payout).collect();
        let found = match keys.is_empty() {
            true => Vec::new(),
            false => store.get_many::<Payout>(&keys).await?,
        };
        let sent = found.into_iter().flatten();
        Ok(Self(sent.filter_map(|payout| Some((payout.key(), payout.sent?))).collect()))
    }

    /// The transaction that moved the payment of a VM transaction.
    pub fn transfer(&self, row: &VmTransaction) -> Option<SentIn> {
        self.0.get(&row.transfer_key()?).copied()
    }

    /// The transaction that sent its runes.
    pub fn distribution(&self, row: &VmTransaction) -> Option<SentIn> {
        self.0.get(&row.distribution_key()?).copied()
    }
}

fn pack<S: Serializer>(txids: &[Txid], to: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = txids.iter().flat_map(|txid| txid.to_byte_array()).collect();
    to.serialize_str(&BASE64_STANDARD.encode(bytes))
}

fn unpack<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Txid>, D::Error> {
    let bytes = BASE64_STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)?;
    match bytes.as_chunks::<32>() {
        (txids, []) => Ok(txids.iter().map(|txid| Txid::from_byte_array(*txid)).collect()),
        _ => Err(D::Error::custom("a txid is cut")),
    }
}
