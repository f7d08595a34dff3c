//! The row of an issued transaction: its changing state, in less than a kilobyte. The immutable part is in
//! rows of its own ([`super::body`]), so that a change of state does not pay for it.

use std::time::Duration;

use base::clock::Timestamp;
use bitcoin::{BlockHash, FeeRate, Txid};
use serde::{Deserialize, Serialize};
use shared::{
    core::Core,
    events::EventWrites,
    keys::EventList,
    models::{
        account::AccountId,
        event::{EventType, StateChange},
        watch::{Failing, Watch},
    },
};
use store::{Entity, Update, Writes, fields};

use super::{ChainError, History};
use crate::{
    BitcoinContext, keys,
    models::transaction::{TransactionState, Work},
};

/// A transaction that the service issued.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssuedTransaction {
    /// Known from the beginning, since every input is native segwit.
    pub txid: Txid,
    /// Optimistic lock.
    pub version: u64,
    /// When the service issued it.
    pub created_at: Timestamp,
    /// The owner; `None` if only the platform signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Its state in the life cycle.
    pub state: TransactionState,
    /// Its changes of state since its creation.
    #[serde(default, skip_serializing_if = "History::is_empty")]
    pub history: History,
    /// The purpose of the transaction.
    pub work: Work,
    /// The version of the same work that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Txid>,
    /// `replaces` and the versions before it, oldest first. This transaction may spend their coins, and
    /// spends at least one coin of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Txid>,
    /// The version that replaces it, set once that version may have been signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<Txid>,
    /// In sats.
    pub fee: u64,
    /// The platform's sats that it spends.
    #[serde(default)]
    pub platform_sats: u64,
    /// Upper bound of its weight once signed, in weight units (BIP 141).
    #[serde(default)]
    pub weight: u64,
    /// Its weight with all signatures; `None` until it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_weight: Option<u64>,
    /// The end of the reservation of its coins; it must be signed before that.
    pub reserved_until: Timestamp,
    /// Why the platform does not sign it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// Set while the chain does not know a transaction whose output this one spends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orphaned: Option<Orphaned>,
    /// When it entered the mempool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_since: Option<Timestamp>,
    /// The height from which its user alone can spend at least one of its coins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_only_from: Option<u32>,
    /// Height of the block that contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_height: Option<u32>,
    /// Hash of the block that contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_hash: Option<BlockHash>,
    /// The worker's queue in which it waits; `None` once it is final, and for a draft that expires by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// The worker's note while it cannot advance the transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// When the row of a draft is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// When the worker processes it next; while it is in the mempool or a block, the earliest time.
    pub due_at: Timestamp,
    /// How often the worker has processed it without a change of state, before it was in the mempool.
    pub looks: u32,
}

impl Entity for IssuedTransaction {
    const ENTITY: &'static str = "issuedTransaction";
}

fields!(IssuedTransaction {
    pub STATE: TransactionState = state,
    pub HISTORY: History = history,
    pub REPLACED_BY: Option<Txid> = replaced_by,
    pub SIGNED_WEIGHT: Option<u64> = signed_weight,
    pub RESERVED_UNTIL: Timestamp = reserved_until,
    pub BLOCKED: Option<Blocked> = blocked,
    pub ORPHANED: Option<Orphaned> = orphaned,
    pub WAITS_SINCE: Option<Timestamp> = waits_since,
    pub USER_ONLY_FROM: Option<u32> = user_only_from,
    pub BLOCK_HEIGHT: Option<u32> = block_height,
    pub BLOCK_HASH: Option<BlockHash> = block_hash,
    pub WATCH: Option<Watch> = watch,
    pub FAILING: Option<Failing> = failing,
    pub EXPIRES_AT: Option<i64> = expires_at,
    pub DUE_AT: Timestamp = due_at,
    pub LOOKS: u32 = looks,
});

impl IssuedTransaction {
    /// Whether a next version may replace it because it makes no progress: the network has refused it or not
    /// taken it back for about half an hour, the platform could not sign it for some minutes (other than
    /// because of an outage), or it has failed.
    pub fn can_be_replaced(&self) -> bool {
        match self.state {
            TransactionState::Broadcasting => self.looks >= STUCK_AFTER,
            TransactionState::Signing => {
                self.blocked.is_some_and(|blocked| blocked.looks >= BLOCKED_AFTER)
            }
            TransactionState::Failed => true,
            _ => false,
        }
    }

    /// Whether it has waited for an hour, or been refused for half an hour, and the current rate is at least
    /// 1.5 times its own.
    pub fn is_too_cheap(&self, now: Timestamp, rate: FeeRate) -> bool {
        let has_waited = self.waits_since.is_some_and(|since| since.plus(BUMPED_AFTER) <= now)
            || self.can_be_replaced();
        let waits =
            matches!(self.state, TransactionState::InMempool | TransactionState::Broadcasting);
        let paid = u128::from(self.fee).saturating_mul(1_000);
        let asked = u128::from(rate.to_sat_per_kwu()).saturating_mul(u128::from(self.weight));
        waits && has_waited && asked.saturating_mul(2) >= paid.saturating_mul(3)
    }

    /// Whether the worker should send a next version: this one makes no progress, or its fee has become too
    /// low. [`super::next_version`] defines how to build that version.
    ///
    /// # Errors
    /// [`ChainError::Source`] or [`ChainError::Store`] if no fee rate could be read.
    pub async fn wants_replacement(&self, app: &BitcoinContext) -> Result<bool, ChainError> {
        if self.can_be_replaced() {
            return Ok(true);
        }
        let now = app.clock.now();
        // For most transactions this avoids reading a rate.
        if !self.is_too_cheap(now, FeeRate::MAX) {
            return Ok(false);
        }
        Ok(self.is_too_cheap(now, super::kept_fee_rate(app).await?))
    }

    /// Whether it is unsigned past its reservation: it counts as expired, regardless of its state.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.state == TransactionState::Unsigned && self.reserved_until <= now
    }

    /// Marks an overdue transaction as `expired` in memory, as the worker will in the store.
    pub fn expire(&mut self) {
        self.history = self.history_with(TransactionState::Expired, self.reserved_until);
        self.state = TransactionState::Expired;
    }

    /// Whether its owner's signatures were accepted, so that the platform may have signed it.
    pub fn is_claimed(&self) -> bool {
        !matches!(self.state, TransactionState::Unsigned | TransactionState::Expired)
    }

    /// The update for a change of state at a given time, on the condition that the row is as it was read.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if [`TransactionState`] does not allow the change.
    pub(super) fn transition(
        &self,
        next: TransactionState,
        at: Timestamp,
    ) -> Result<Update<Self>, ChainError> {
        self.transition_with(Update::new(), next, at)
    }

    /// The history after a change to `next` at a given time.
    pub(super) fn history_with(&self, next: TransactionState, at: Timestamp) -> History {
        self.history.and(next, self.created_at, at)
    }

    /// The update for a change of state, with further attributes.
    ///
    /// # Errors
    /// As [`Self::transition`].
    pub(super) fn transition_with(
        &self,
        noted: Update<Self>,
        next: TransactionState,
        at: Timestamp,
    ) -> Result<Update<Self>, ChainError> {
        if self.state.may_become(next) {
            let update = noted
                .set(Self::STATE, next)
                .set(Self::HISTORY, self.history_with(next, at))
                .set(Self::LOOKS, 0);
            let update = match self.queue_in(next) {
                Some(queue) => update.set(Self::WATCH, queue),
                None => update,
            };
            Ok(update.if_equal(Self::STATE, self.state).if_version(self.version))
        } else {
            Err(ChainError::Damaged("the state does not allow this transition"))
        }
    }

    /// The write that reports a new state to the owner. Transactions that only the platform pays for report
    /// nothing.
    pub(super) fn tell<E>(&self, next: TransactionState) -> Writes<E> {
        let Some(account) = self.account_id else { return Writes::new() };
        let kind = match self.work {
            Work::Refund(_) => EventType::Refund,
            _ => EventType::Transaction,
        };
        let change = StateChange::of_state(kind, self.txid, Some(self.state), next);
        Writes::new().tell(EventList::of_account(account), change)
    }

    /// The worker's queue for it in a state, from its signature to its end.
    pub(super) fn queue_in(&self, state: TransactionState) -> Option<Watch> {
        use TransactionState::{
            Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
        };
        let by_platform_alone = self.account_id.is_none();
        match state {
            Signing | Broadcasting => Some(Watch::of_signed(by_platform_alone)),
            InMempool | Confirmed | Replaced => Some(Watch::of_sent(by_platform_alone)),
            Unsigned | Expired | Failed => None,
        }
    }
}

/// The number of attempts after which a transaction that the network refuses can be replaced.
const STUCK_AFTER: u32 = 6;
/// The number of attempts after which a transaction that the platform cannot sign can be replaced.
const BLOCKED_AFTER: u32 = 4;
/// How long a transaction waits for a block before its fee is compared with the current rate.
const BUMPED_AFTER: Duration = Duration::from_secs(60 * 60);
/// How long the row of an expired transaction is kept.
pub(super) const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Why the platform does not sign a transaction, and how often it has tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// The reason.
    pub by: BlockedBy,
    /// Consecutive attempts.
    pub looks: u32,
}

/// Why the platform does not sign a transaction that it should sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BlockedBy {
    /// Given the current contents of its coins it does not do what was promised, or a coin is gone.
    Promise,
    /// Its work does not allow the signature.
    Permission,
}

/// A transaction that spends an output which is no longer in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Orphaned {
    /// The height at which the output's transaction was first missing.
    pub since: u32,
    /// How many checks in a row missed it.
    pub looks: u32,
}

/// Reads the row of a transaction.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub async fn load(app: &Core, txid: Txid) -> Result<Option<IssuedTransaction>, ChainError> {
    Ok(app.store.get(&keys::transaction(txid)).await?)
}

/// Reads the row of an account's own transaction.
///
/// # Errors
/// [`ChainError::NotFound`] if there is no such row, or another account owns it; [`ChainError::Store`] if the
/// store fails.
pub async fn load_own(
    app: &Core,
    account: AccountId,
    txid: Txid,
) -> Result<IssuedTransaction, ChainError> {
    let found = load(app, txid).await?;
    found.filter(|row| row.account_id == Some(account)).ok_or(ChainError::NotFound)
}
