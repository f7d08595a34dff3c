//! The row of a deposit.

use base::clock::Timestamp;
use bitcoin::{BlockHash, Txid};
use serde::{Deserialize, Serialize};
use shared::models::{
    account::AccountId,
    bitcoin::OutPoint,
    event::{EventState, EventType, StateChange},
    watch::{Failing, Watch},
};
use store::{Entity, Key, fields};
use utoipa::ToSchema;

use crate::{bitcoin::esplora::BlockId, blocks::Tip, keys, models::transaction::FINAL};

/// The state of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DepositState {
    /// It was announced, and the network does not know its transaction yet.
    Awaited,
    /// It is in the mempool, or in a block that the service has not read yet.
    Seen,
    /// It is in a block.
    Confirmed,
    /// It has seven confirmations: a reorganisation of six blocks cannot undo it.
    Final,
    /// The network no longer knows its transaction, or has not known it within an hour after it was announced.
    /// The deposit counts again once it is in a block.
    Gone,
}

/// Outputs that are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct More {
    /// The number of these outputs.
    pub outputs: u64,
    /// Their sats.
    pub sats: u64,
}

/// An output to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDeposit {
    /// Its transaction.
    pub txid: Txid,
    /// Its number among the outputs of the transaction that pay the account, from 0.
    pub number: u32,
    /// Its index in the transaction.
    pub vout: u32,
    /// In sats.
    pub sats: u64,
    /// Further outputs, which are not listed.
    pub more: Option<More>,
}

impl FoundDeposit {
    /// The outputs of a transaction to one address: index and sats of each.
    pub fn in_transaction(txid: Txid, outputs: impl IntoIterator<Item = (u32, u64)>) -> Vec<Self> {
        let numbered = (0_u32..).zip(outputs);
        let found =
            numbered.map(|(number, (vout, sats))| Self { txid, number, vout, sats, more: None });
        found.collect()
    }
}

/// The payment that an account expects after it announced a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaits {
    /// The address that is to be paid.
    pub address: String,
    /// When the account stops expecting the payment, unless it arrives.
    pub until: Timestamp,
}

/// A deposit to the trading address of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The account.
    pub account_id: AccountId,
    /// Its transaction.
    pub txid: Txid,
    /// Its number among the outputs of the transaction that pay the account, from 0.
    pub number: u32,
    /// Optimistic lock.
    pub version: u64,
    /// When the row was written first.
    pub created_at: Timestamp,
    /// Its state. Whether it is final follows from its height.
    pub state: DepositState,
    /// Its index in the transaction; `None` until the transaction is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vout: Option<u32>,
    /// Its sats; `None` until the transaction is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sats: Option<u64>,
    /// When the service saw it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<Timestamp>,
    /// When the service found it in its block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Timestamp>,
    /// Height of its block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_height: Option<u32>,
    /// Hash of its block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_hash: Option<BlockHash>,
    /// Further outputs of the block to the account, which are not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<More>,
    /// The announcement that the deposit waits for, if it is awaited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaits: Option<Awaits>,
    /// Whether Esplora did not know its transaction at the last look.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missed: bool,
    /// The worker's queue, until a block has it or it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the worker looks at it next.
    pub due_at: Timestamp,
    /// How often the worker has looked at it without a change.
    #[serde(default)]
    pub looks: u32,
    /// The worker's note while it cannot look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
}

impl Entity for Deposit {
    const ENTITY: &'static str = "deposit";
}

fields!(Deposit {
    pub VERSION: u64 = version,
    pub MISSED: bool = missed,
    pub DUE_AT: Timestamp = due_at,
    pub LOOKS: u32 = looks,
});

/// A member of an account's list of deposits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DepositMember {
    /// The transaction.
    pub txid: Txid,
    /// The number of the output.
    pub n: u32,
}

/// The deposits of an account that an applied block has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedDeposits {
    /// The account.
    pub account_id: AccountId,
    /// The deposits. One may be named twice.
    pub places: Vec<DepositMember>,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for AppliedDeposits {
    const ENTITY: &'static str = "appliedDeposits";
}

fields!(AppliedDeposits {
    pub ACCOUNT_ID: AccountId = account_id,
    pub PLACES: Vec<DepositMember> = places,
});

impl Deposit {
    /// An output that was found, as yet without a block.
    pub(super) fn new(account: AccountId, found: &FoundDeposit, now: Timestamp) -> Self {
        Self {
            account_id: account,
            txid: found.txid,
            number: found.number,
            version: 1,
            created_at: now,
            state: DepositState::Seen,
            vout: Some(found.vout),
            sats: Some(found.sats),
            seen_at: Some(now),
            confirmed_at: None,
            block_height: None,
            block_hash: None,
            more: found.more,
            awaits: None,
            missed: false,
            watch: None,
            due_at: now,
            looks: 0,
            failing: None,
        }
    }

    /// Its key.
    pub fn key(&self) -> Key {
        keys::deposit(self.account_id, self.txid, self.number)
    }

    /// Its place in the list of its account.
    pub fn member(&self) -> DepositMember {
        DepositMember { txid: self.txid, n: self.number }
    }

    /// Its outpoint; `None` until the transaction is known.
    pub fn outpoint(&self) -> Option<OutPoint> {
        let vout = self.vout?;
        Some(OutPoint(bitcoin::OutPoint { txid: self.txid, vout }))
    }

    /// Its id: the outpoint, or the transaction until that is known.
    pub fn id(&self) -> String {
        self.outpoint().map_or_else(|| self.txid.to_string(), |outpoint| outpoint.to_string())
    }

    /// Its state, and how many blocks have it or rest on its block, with this newest block.
    pub fn depth(&self, tip: Option<&Tip>) -> (DepositState, u32) {
        let block = self.block_height.zip(self.block_hash);
        let Some((height, hash)) = block.filter(|_| self.state == DepositState::Confirmed) else {
            return (self.state, 0);
        };
        let Some(above) = tip.and_then(|tip| tip.height.checked_sub(height)) else {
            return (DepositState::Seen, 0);
        };
        // It was written while its block was taken back.
        if tip.and_then(|tip| tip.hash_at(height)).is_some_and(|other| other != hash) {
            return (DepositState::Seen, 0);
        }
        match above.saturating_add(1) {
            depth if depth >= FINAL => (DepositState::Final, depth),
            depth => (DepositState::Confirmed, depth),
        }
    }

    /// The row as it is once it is found: in a block, or without one; `None` if nothing changes.
    pub(super) fn found(
        &self,
        found: &FoundDeposit,
        block: Option<BlockId>,
        now: Timestamp,
    ) -> Option<Self> {
        let is_new = match (block, self.state) {
            (Some(block), DepositState::Confirmed) => self.block_hash != Some(block.hash),
            (Some(_), _) | (None, DepositState::Awaited | DepositState::Gone) => true,
            (None, _) => false,
        };
        is_new.then(|| {
            let seen_at = self.seen_at.or(Some(now));
            let next = Self {
                created_at: self.created_at,
                seen_at,
                ..Self::new(self.account_id, found, now)
            };
            Self { version: self.version.saturating_add(1), ..next.in_block(block, now) }
        })
    }

    /// The row in a block, or waiting for one.
    pub(super) fn in_block(self, block: Option<BlockId>, now: Timestamp) -> Self {
        match block {
            Some(BlockId { height, hash }) => Self {
                state: DepositState::Confirmed,
                confirmed_at: Some(now),
                block_height: Some(height),
                block_hash: Some(hash),
                watch: None,
                ..self
            },
            None => Self {
                state: DepositState::Seen,
                confirmed_at: None,
                block_height: None,
                block_hash: None,
                watch: Some(Watch::Deposit),
                due_at: now,
                looks: 0,
                missed: false,
                ..self
            },
        }
    }

    /// The row once it is gone.
    pub(super) fn gone(&self) -> Self {
        Self {
            version: self.version.saturating_add(1),
            state: DepositState::Gone,
            awaits: None,
            watch: None,
            failing: None,
            ..self.clone()
        }
    }

    /// The event of this change.
    pub(super) fn change(&self, before: Option<DepositState>) -> StateChange {
        let kind = match self.state {
            DepositState::Confirmed | DepositState::Final => EventType::DepositConfirmed,
            DepositState::Awaited | DepositState::Seen | DepositState::Gone => {
                EventType::DepositSeen
            }
        };
        let (before, after) = (before.map(EventState::named), EventState::named(self.state));
        StateChange { kind, subject: self.id(), before, after }
    }
}
