//! The row of a VM transaction.

use bitcoin::Txid;
use ordinals::RuneId;
use serde::{Deserialize, Serialize};

use crate::{
    clock::Timestamp,
    models::{
        account::AccountId,
        bitcoin::OutPoint,
        mint::MintId,
        vm_transaction::{RefundState, VmState, VmTransactionKey},
    },
    store::Entity,
};

/// A VM transaction, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmTransaction {
    /// The txid of its commitment.
    pub txid: Txid,
    /// Optimistic lock.
    pub version: u64,
    /// When it was created; of one that was signed, when it was.
    pub created_at: Timestamp,
    /// Whose it is.
    pub account_id: AccountId,
    /// Its mint.
    pub mint_id: MintId,
    /// The rune.
    pub rune_id: RuneId,
    /// The address that its owner acts by.
    pub user_address: String,
    /// Where it is paid from, and what refunds and runes are sent to.
    pub trading_address: String,
    /// The coin that every commitment of the chain spends (custody rule 1).
    pub anchor: OutPoint,
    /// The one that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Txid>,
    /// The one that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<Txid>,
    /// Where it stands.
    pub state: VmState,
    /// Its requests by price: those of replaced ones first, in the order in which they were made
    /// (custody rule 4).
    pub tiers: Vec<Tier>,
    /// The output of the commitment that pays the treasury.
    pub output: OutPoint,
    /// A height below every block that can have the commitment: it was issued later.
    pub issued_at_height: u32,
    /// Where the commitment is in the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// Whether that is so for good: seven blocks deep.
    #[serde(default)]
    pub is_final: bool,
    /// What is to be distributed and refunded, once that is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// Where its refund stands.
    #[serde(default)]
    pub refund_state: RefundState,
    /// The transaction that refunds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_txid: Option<Txid>,
    /// The output that is refunded, once that is final: it holds the refundable sats and no others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_source: Option<OutPoint>,
    /// The payout that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout: Option<u64>,
    /// How its funds were moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<Sent>,
    /// How its runes were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Sent>,
    /// Partition key of the index by state.
    #[serde(default)]
    pub state_key: String,
    /// Sort key of the index by state: time, then txid.
    #[serde(default)]
    pub state_at: String,
    /// When its row goes (whole seconds since the epoch, DynamoDB's TTL attribute): of one that
    /// expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

impl Entity for VmTransaction {
    const ENTITY: &'static str = "vmTransaction";
}

/// Requests of one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tier {
    /// How many.
    pub count: u64,
    /// The price of each, sats.
    pub sats_per_request: u64,
    /// How many of them virtual blocks have taken.
    pub in_blocks: u64,
}

/// Where a commitment is in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The height of its block.
    pub height: u32,
    /// Its place in that, from 0.
    pub position: u32,
}

/// What a mint's end means to a transaction (custody rule 6): sats of distributed requests and
/// refundable sats together are what the confirmed output paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    /// Requests whose runes are sent.
    pub distributable_requests: u64,
    /// Requests that are refunded.
    pub refundable_requests: u64,
    /// What was paid for those.
    pub refundable_sats: u64,
}

/// A transaction that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sent {
    /// Its txid.
    pub txid: Txid,
    /// When.
    pub at: Timestamp,
}

/// A figure that the code keeps within bounds.
fn sum(figures: impl Iterator<Item = u64>) -> u64 {
    figures.fold(0, u64::saturating_add)
}

impl Tier {
    /// What its requests cost together, sats.
    pub fn sats(&self) -> u64 {
        self.count.saturating_mul(self.sats_per_request)
    }
}

impl VmTransaction {
    /// What finds it.
    pub fn key(&self) -> VmTransactionKey {
        VmTransactionKey { mint_id: self.mint_id, txid: self.txid }
    }

    /// All its requests.
    pub fn requests(&self) -> u64 {
        sum(self.tiers.iter().map(|tier| tier.count))
    }

    /// What the commitment pays the treasury, sats.
    pub fn sats(&self) -> u64 {
        sum(self.tiers.iter().map(Tier::sats))
    }

    /// Its requests that a virtual block has taken.
    pub fn requests_in_blocks(&self) -> u64 {
        sum(self.tiers.iter().map(|tier| tier.in_blocks))
    }

    /// Its requests in the virtual mempool. What does not take part has none in either place.
    pub fn requests_in_mempool(&self) -> u64 {
        if self.state.takes_part() {
            self.requests().saturating_sub(self.requests_in_blocks())
        } else {
            0
        }
    }

    /// What was paid for the requests that virtual blocks have taken, sats.
    pub fn sats_in_blocks(&self) -> u64 {
        let taken = |tier: &Tier| tier.in_blocks.saturating_mul(tier.sats_per_request);
        sum(self.tiers.iter().map(taken))
    }

    /// What its own confirmed commitment paid, sats; nothing of one that is in no block, or gave
    /// way (custody rule 3).
    pub fn paid_sats(&self) -> u64 {
        if self.confirmation.is_some() && self.state.takes_part() { self.sats() } else { 0 }
    }

    /// The tier that this one added; those before it are of replaced ones.
    pub fn new_tier(&self) -> Option<&Tier> {
        self.tiers.last()
    }

    /// Requests and sats of those that it replaced.
    pub fn previous(&self) -> (u64, u64) {
        let earlier = self.tiers.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
        (sum(earlier.iter().map(|tier| tier.count)), sum(earlier.iter().map(Tier::sats)))
    }

    /// Whether it waits for a virtual block.
    pub(super) fn waiting(&self) -> u64 {
        if self.settlement.is_some() { 0 } else { self.requests_in_mempool() }
    }

    /// Whether a refund can be created for it.
    pub fn is_refundable(&self) -> bool {
        self.refund_source.is_some()
            && self.refund_state == RefundState::None
            && self.refundable_sats() > 0
    }

    /// What is refundable, sats.
    pub fn refundable_sats(&self) -> u64 {
        self.settlement.map_or(0, |settlement| settlement.refundable_sats)
    }

    /// Whether something is still to come of it: an address that acts for it stays (custody rule 13).
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
            state_key(self.state, self.rune_id)
        }
    }

    /// Sort key of the index by state: time, then txid.
    pub(super) fn place_in_state(&self) -> String {
        format!("{:015}#{}", self.created_at.0, self.txid)
    }

    /// The same in another state, with nothing in virtual blocks.
    #[must_use]
    pub fn outside_of_blocks(&self, state: VmState) -> Self {
        let mut outside = Self { state, ..self.clone() };
        for tier in &mut outside.tiers {
            tier.in_blocks = 0;
        }
        outside
    }
}

/// The index key of a state that everybody may see.
pub fn state_key(state: VmState, rune: RuneId) -> String {
    format!("{state}#{rune}")
}

/// The index key of a state that only its owner may see.
pub fn private_state_key(state: VmState, rune: RuneId, owner: AccountId) -> String {
    format!("{state}#{rune}#{owner}")
}

/// VM transactions that replace each other: one of them at most takes part.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmChain {
    /// The one that does.
    pub txid: Txid,
}

impl Entity for VmChain {
    const ENTITY: &'static str = "vmChain";
}

/// The newest VM transaction of an account in a mint.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmAccount {
    /// The txid of its commitment.
    pub txid: Txid,
}

impl Entity for VmAccount {
    const ENTITY: &'static str = "vmAccount";
}

/// That a VM transaction can be refunded, by whom it belongs to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refundable {
    /// Its mint.
    pub mint_id: MintId,
    /// The txid of its commitment.
    pub txid: Txid,
    /// What is refunded, sats.
    pub sats: u64,
}

impl Entity for Refundable {
    const ENTITY: &'static str = "vmRefundable";
}
