//! The row of a VM transaction.

use base::clock::Timestamp;
use bitcoin::{Txid, hashes::Hash};
use ordinals::RuneId;
use serde::{Deserialize, Serialize};
use shared::models::{account::AccountId, bitcoin::OutPoint};
use store::{Entity, fields};

use super::TakenBlocks;
use crate::models::{
    mint::MintId,
    vm_transaction::{PayoutKey, RefundState, VmState, VmTransactionKey},
};

/// A VM transaction as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmTransaction {
    /// Txid of its commitment.
    pub txid: Txid,
    /// Optimistic lock.
    pub version: u64,
    /// When it was created or, if signed, when it was signed.
    pub created_at: Timestamp,
    /// The owner.
    pub account_id: AccountId,
    /// The mint.
    pub mint_id: MintId,
    /// The rune to mint.
    pub rune_id: RuneId,
    /// The address that its owner created it with.
    pub user_address: String,
    /// The address that pays for it and receives refunds and runes.
    pub trading_address: String,
    /// The coin that every commitment of the chain spends (custody rule 1).
    pub anchor: OutPoint,
    /// The VM transaction that this one replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Txid>,
    /// The VM transaction that replaced this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<Txid>,
    /// Its state.
    pub state: VmState,
    /// Its requests by price: those of replaced transactions first, in the order of creation (custody rule
    /// 4).
    pub tiers: Vec<Tier>,
    /// The output of the commitment that pays the treasury.
    pub output: OutPoint,
    /// The virtual blocks that hold requests of it.
    #[serde(default, skip_serializing_if = "TakenBlocks::is_empty")]
    pub blocks: TakenBlocks,
    /// The place of the commitment in the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// Whether the confirmation is final: seven blocks deep.
    #[serde(default)]
    pub is_final: bool,
    /// The distributed and refundable requests, once decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// State of its refund.
    #[serde(default)]
    pub refund_state: RefundState,
    /// The transaction that refunds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_txid: Option<Txid>,
    /// The output to refund, once that is final: it holds exactly the refundable sats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_source: Option<OutPoint>,
    /// The number of the payout that moves its payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<u64>,
    /// The number of the payout that sends its runes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<u64>,
    /// Partition key of the index by state.
    #[serde(default)]
    pub state_key: String,
    /// Sort key of the index by state: time, then txid.
    #[serde(default)]
    pub state_at: String,
    /// Sort key of the index by price: price, then txid. Only a transaction whose requests all wait in the
    /// mempool has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_price: Option<String>,
    /// When the row of an expired transaction is deleted, in seconds since the epoch (DynamoDB's TTL
    /// attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

impl Entity for VmTransaction {
    const ENTITY: &'static str = "vmTransaction";
}

fields!(VmTransaction {
    pub VERSION: u64 = version,
    pub TRADING_ADDRESS: String = trading_address,
    pub STATE: VmState = state,
    pub CONFIRMATION: Option<Confirmation> = confirmation,
    pub REFUND_STATE: RefundState = refund_state,
});

/// Requests at one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tier {
    /// Number of requests.
    pub count: u64,
    /// Price of each request.
    pub sats_per_request: u64,
    /// Number of them in virtual blocks.
    pub in_blocks: u64,
}

/// The place of a commitment in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// Height of the block.
    pub height: u32,
    /// Index of the transaction in the block, from 0.
    pub position: u32,
}

/// How a transaction is settled when its mint ends (custody rule 6). The sats of distributed requests and the
/// refundable sats add up to what the confirmed output paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    /// Requests whose runes are sent.
    pub distributable_requests: u64,
    /// Requests that are refunded.
    pub refundable_requests: u64,
    /// Amount paid for the refundable requests.
    pub refundable_sats: u64,
}

/// A sum that the code keeps within bounds.
fn sum(figures: impl Iterator<Item = u64>) -> u64 {
    figures.fold(0, u64::saturating_add)
}

impl Tier {
    /// Total price of its requests, in sats.
    pub fn sats(&self) -> u64 {
        self.count.saturating_mul(self.sats_per_request)
    }
}

impl VmTransaction {
    /// Its key.
    pub fn key(&self) -> VmTransactionKey {
        VmTransactionKey { mint_id: self.mint_id, txid: self.txid }
    }

    /// Number of its requests.
    pub fn requests(&self) -> u64 {
        sum(self.tiers.iter().map(|tier| tier.count))
    }

    /// The bids that the worker computes virtual blocks from: one for each price, until the batch is replaced or has
    /// failed.
    pub fn bids(&self) -> u64 {
        let counts = self.state.takes_part() || self.state == VmState::Broadcasting;
        if counts { u64::try_from(self.tiers.len()).unwrap_or(u64::MAX) } else { 0 }
    }

    /// Amount that the commitment pays the treasury, in sats.
    pub fn sats(&self) -> u64 {
        sum(self.tiers.iter().map(Tier::sats))
    }

    /// The payout that moves its payment.
    pub fn transfer_key(&self) -> Option<PayoutKey> {
        Some(PayoutKey { mint_id: self.mint_id, number: self.transfer? })
    }

    /// The payout that sends its runes.
    pub fn distribution_key(&self) -> Option<PayoutKey> {
        Some(PayoutKey { mint_id: self.mint_id, number: self.distribution? })
    }

    /// Number of its requests in virtual blocks.
    pub fn requests_in_blocks(&self) -> u64 {
        sum(self.tiers.iter().map(|tier| tier.in_blocks))
    }

    /// Number of its requests in the virtual mempool. An inactive transaction has none in blocks or mempool,
    /// and nothing waits in a mint that has ended.
    pub fn requests_in_mempool(&self) -> u64 {
        let waits = self.settlement.is_none() && self.state != VmState::NotTaken;
        if waits && self.state.takes_part() {
            self.requests().saturating_sub(self.requests_in_blocks())
        } else {
            0
        }
    }

    /// Amount paid for the requests in virtual blocks, in sats.
    pub fn sats_in_blocks(&self) -> u64 {
        let taken = |tier: &Tier| tier.in_blocks.saturating_mul(tier.sats_per_request);
        sum(self.tiers.iter().map(taken))
    }

    /// Amount that its own confirmed commitment paid, in sats; 0 if it is unconfirmed or replaced (custody
    /// rule 3).
    pub fn paid_sats(&self) -> u64 {
        if self.confirmation.is_some() && self.state.takes_part() { self.sats() } else { 0 }
    }

    /// The tier that this transaction added; the tiers before it come from replaced ones.
    pub fn new_tier(&self) -> Option<&Tier> {
        self.tiers.last()
    }

    /// Number and sats of the requests taken over from replaced transactions.
    pub fn previous(&self) -> (u64, u64) {
        let earlier = self.tiers.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
        (sum(earlier.iter().map(|tier| tier.count)), sum(earlier.iter().map(Tier::sats)))
    }

    /// Whether a refund can be created for it.
    pub fn is_refundable(&self) -> bool {
        self.refund_source.is_some()
            && self.refund_state == RefundState::None
            && self.refundable_sats() > 0
    }

    /// The refundable amount, in sats.
    pub fn refundable_sats(&self) -> u64 {
        self.settlement.map_or(0, |settlement| settlement.refundable_sats)
    }

    /// Whether it is unfinished: the address that created it cannot be unlinked (custody rule 13).
    pub fn is_open(&self) -> bool {
        let owed = self.refundable_sats() > 0 && self.refund_state != RefundState::Refunded;
        match self.state {
            VmState::Expired | VmState::Replaced | VmState::Failed => false,
            VmState::Distributed => owed,
            _ => match self.settlement {
                Some(settlement) => settlement.distributable_requests > 0 || owed,
                None => true,
            },
        }
    }

    /// Partition key of the index by state.
    pub(super) fn key_of_state(&self) -> String {
        if self.state.is_private() {
            private_state_key(self.state, self.rune_id, self.account_id)
        } else {
            let [_, byte, ..] = self.txid.to_byte_array();
            state_key(self.state, self.rune_id, byte % STATE_SHARDS)
        }
    }

    /// Sort key of the index by state: time, then txid.
    pub(super) fn place_in_state(&self) -> String {
        format!("{:015}#{}", self.created_at.0, self.txid)
    }

    /// Sort key of the index by price: price, then txid; `None` if it is not in that index.
    pub(super) fn place_by_price(&self) -> Option<String> {
        let tier = self.new_tier().filter(|_| self.state == VmState::AllInMempool)?;
        Some(format!("{:016}#{}", tier.sats_per_request, self.txid))
    }

    /// A copy in another state, with no requests in virtual blocks.
    #[must_use]
    pub fn outside_of_blocks(&self, state: VmState) -> Self {
        let mut outside = Self { state, blocks: TakenBlocks::default(), ..self.clone() };
        for tier in &mut outside.tiers {
            tier.in_blocks = 0;
        }
        outside
    }
}

/// Index keys of each public state of a rune.
const STATE_SHARDS: u8 = 4;

/// The index keys of a public state. There are several because each key accepts 1,000 write units per second,
/// and a block can move thousands of transactions from one state to another.
pub fn state_keys(state: VmState, rune: RuneId) -> Vec<String> {
    (0..STATE_SHARDS).map(|shard| state_key(state, rune, shard)).collect()
}

fn state_key(state: VmState, rune: RuneId, shard: u8) -> String {
    format!("{state}#{rune}#{shard}")
}

/// The index key of a private state, visible only to the owner.
pub fn private_state_key(state: VmState, rune: RuneId, owner: AccountId) -> String {
    format!("{state}#{rune}#{owner}")
}

/// VM transactions that replace each other; at most one of them is active.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmChain {
    /// The active one.
    pub txid: Txid,
}

impl Entity for VmChain {
    const ENTITY: &'static str = "vmChain";
}

fields!(VmChain {
    pub TXID: Txid = txid,
});

/// Pointer to the newest VM transaction of an account in a mint.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmAccount {
    /// Txid of its commitment.
    pub txid: Txid,
}

impl Entity for VmAccount {
    const ENTITY: &'static str = "vmAccount";
}

fields!(VmAccount {
    pub TXID: Txid = txid,
});

/// Marks a VM transaction as refundable, by owner.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refundable {
    /// The mint.
    pub mint_id: MintId,
    /// Txid of its commitment.
    pub txid: Txid,
    /// The refundable amount.
    pub sats: u64,
}

impl Entity for Refundable {
    const ENTITY: &'static str = "vmRefundable";
}

fields!(Refundable {
    pub TXID: Txid = txid,
});
