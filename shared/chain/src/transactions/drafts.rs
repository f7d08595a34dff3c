//! The unsigned transactions of an account, at most one for each request.
//!
//! A repeated request returns the same draft until the draft is signed or ends. Another request that needs
//! coins of a draft ends that draft first. One row names all drafts of an account, and each new draft
//! replaces it: of several concurrent requests one writes its draft, and the others read that one.

use std::slice;

use base::clock::Timestamp;
use bitcoin::{
    Txid,
    hashes::{Hash as _, sha256},
};
use serde::{Deserialize, Serialize};
use shared::{core::Core, models::account::AccountId};
use store::{Entity, Update, Writes, fields};

use super::{ChainError, IssuedTransaction, Refusal};
use crate::{keys, models::transaction::TransactionState};

/// Identifies what an account asked for: equal requests have equal digests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestDigest(String);

impl RequestDigest {
    /// The digest of a request's kind and its content.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the content is not representable as JSON.
    pub fn of(kind: &str, content: &impl Serialize) -> Result<Self, ChainError> {
        let text = serde_json::to_vec(&(kind, content));
        let text = text.map_err(|_| ChainError::Damaged("a request has no digest"))?;
        Ok(Self(sha256::Hash::hash(&text).to_string()))
    }
}

/// The row that names an account's drafts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DraftsRow {
    /// Optimistic lock.
    version: u64,
    drafts: Vec<Draft>,
    /// Seconds since the epoch (DynamoDB's TTL attribute): the end of the newest draft.
    expires_at: i64,
}

/// A draft, and the request that it answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Draft {
    request: RequestDigest,
    txid: Txid,
    /// The end of its reservation.
    until: Timestamp,
}

impl Entity for DraftsRow {
    const ENTITY: &'static str = "drafts";
}

fields!(DraftsRow { VERSION: u64 = version });

/// The drafts of an account, as read.
pub(super) struct Drafts {
    account: AccountId,
    row: Option<DraftsRow>,
    live: Vec<IssuedTransaction>,
}

impl Drafts {
    /// Reads those that can still be signed.
    ///
    /// # Errors
    /// [`ChainError::Store`] if the store fails.
    pub(super) async fn of(app: &Core, account: AccountId) -> Result<Self, ChainError> {
        let row = read(app, account).await?;
        let now = app.clock.now();
        let named = row.iter().flat_map(|row| &row.drafts).filter(|draft| draft.until > now);
        let keys: Vec<_> = named.map(|draft| keys::transaction(draft.txid)).collect();
        let issued = app.store.get_many::<IssuedTransaction>(&keys).await?.into_iter().flatten();
        let is_live = |issued: &IssuedTransaction| {
            issued.account_id == Some(account)
                && issued.state == TransactionState::Unsigned
                && !issued.is_overdue(now)
        };
        Ok(Self { account, row, live: issued.filter(is_live).collect() })
    }

    /// Whether another draft has been named since they were read.
    ///
    /// # Errors
    /// [`ChainError::Store`] if the store fails.
    pub(super) async fn have_changed(&self, app: &Core) -> Result<bool, ChainError> {
        let now = read(app, self.account).await?;
        let version = |row: &Option<DraftsRow>| row.as_ref().map(|row| row.version);
        Ok(version(&now) != version(&self.row))
    }

    /// The same as if these transactions had ended.
    pub(super) fn without(mut self, ended: &[Txid]) -> Self {
        self.live.retain(|issued| !ended.contains(&issued.txid));
        self
    }

    /// Those that can still be signed.
    pub(super) fn live(&self) -> &[IssuedTransaction] {
        &self.live
    }

    /// The draft with this id.
    pub(super) fn get(&self, txid: Txid) -> Option<&IssuedTransaction> {
        self.live.iter().find(|issued| issued.txid == txid)
    }

    /// The draft that answers this request.
    pub(super) fn answering(&self, request: &RequestDigest) -> Option<&IssuedTransaction> {
        let mut named = self.row.iter().flat_map(|row| &row.drafts);
        self.get(named.find(|draft| draft.request == *request)?.txid)
    }

    /// The write that names a new draft. It fails if another draft has been named since they were read.
    pub(super) fn name(
        &self,
        request: &RequestDigest,
        issued: &IssuedTransaction,
    ) -> Writes<Refusal> {
        let stays = |draft: &&Draft| {
            draft.request != *request && draft.txid != issued.txid && self.get(draft.txid).is_some()
        };
        let mut drafts: Vec<_> =
            self.row.iter().flat_map(|row| &row.drafts).filter(stays).cloned().collect();
        drafts.push(Draft {
            request: request.clone(),
            txid: issued.txid,
            until: issued.reserved_until,
        });
        let last = drafts.iter().map(|draft| draft.until).max().unwrap_or(issued.reserved_until);
        let version = self.row.as_ref().map_or(0, |row| row.version).saturating_add(1);
        let row = DraftsRow { version, drafts, expires_at: last.seconds() };
        let key = keys::drafts(self.account);
        match &self.row {
            Some(read) => {
                let as_read = Update::new().if_equal(DraftsRow::VERSION, read.version);
                Writes::new().replace(&key, &row, as_read, Refusal::Draft)
            }
            None => Writes::new().insert(&key, &row, Refusal::Draft),
        }
    }
}

async fn read(app: &Core, account: AccountId) -> Result<Option<DraftsRow>, ChainError> {
    let key = keys::drafts(account);
    let row = app.store.get_many::<DraftsRow>(slice::from_ref(&key)).await?;
    Ok(row.into_iter().next().flatten())
}

/// The unsigned transactions of an account that can still be signed.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub async fn drafts_of(
    app: &Core,
    account: AccountId,
) -> Result<Vec<IssuedTransaction>, ChainError> {
    Ok(Drafts::of(app, account).await?.live)
}
