//! The row of a payout: transactions of a mint whose payments move together and whose runes are sent
//! together.

use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use shared::{
    clock::Timestamp,
    store::{Entity, fields},
};

use crate::models::{
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
};

/// A payout: as many transactions as one runestone can serve (custody rule 10). Each transaction is in
/// exactly one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    /// The mint.
    pub mint_id: MintId,
    /// Its number within the mint, from 1.
    pub number: u64,
    /// Optimistic lock.
    pub version: u64,
    /// When it was planned.
    pub created_at: Timestamp,
    /// Its VM transactions, by the txids of their commitments.
    pub transactions: Vec<Txid>,
    /// The transaction that moves the payments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<Txid>,
    /// Whether the transfer is final.
    #[serde(default)]
    pub transferred: bool,
    /// The transaction that sends the runes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Txid>,
    /// Whether the distribution is final.
    #[serde(default)]
    pub distributed: bool,
}

impl Entity for Payout {
    const ENTITY: &'static str = "payout";
}

fields!(Payout {
    pub TRANSACTIONS: Vec<Txid> = transactions,
    pub TRANSFER: Option<Txid> = transfer,
    pub TRANSFERRED: bool = transferred,
    pub DISTRIBUTION: Option<Txid> = distribution,
    pub DISTRIBUTED: bool = distributed,
});

impl Payout {
    /// Its key.
    pub fn key(&self) -> PayoutKey {
        PayoutKey { mint_id: self.mint_id, number: self.number }
    }

    /// The keys of its VM transactions.
    pub fn vm_transactions(&self) -> Vec<VmTransactionKey> {
        let key = |&txid: &Txid| VmTransactionKey { mint_id: self.mint_id, txid };
        self.transactions.iter().map(key).collect()
    }
}
