//! Who reads, and the record of it.

use std::{collections::BTreeSet, fmt, str::FromStr};

use axum::extract::FromRequestParts;
use base::clock::Timestamp;
use http::request::Parts;
use serde::{Deserialize, Serialize};
use shared::{
    accounts,
    auth::{
        AuthError,
        limits::{self, SUPPORT_BY_ACCOUNT, SUPPORT_SUBJECT_BY_ACCOUNT},
        refused,
    },
    http::{Admin, Error, Problem, Result},
    keys,
    models::account::{Account, AccountId},
};
use store::{Entity, Writes};
use utoipa::ToSchema;

use crate::app::App;

/// An admin who may read once more: the requests of each are limited.
#[derive(Debug)]
pub struct Reader(Admin);

impl FromRequestParts<App> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let admin = Admin::from_request_parts(parts, app).await?;
        limits::hit(app, SUPPORT_BY_ACCOUNT, &admin.account.id.to_string()).await?;
        Ok(Self(admin))
    }
}

/// What an admin has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SupportReadKind {
    /// What a search found.
    Search,
    /// The account itself.
    Account,
    /// Its Bitcoin transactions.
    Transactions,
    /// One of its Bitcoin transactions.
    Transaction,
    /// Its cross-chain transactions.
    CrossChain,
    /// Its deposits.
    Deposits,
    /// Its batches of requests.
    Batches,
    /// Its refunds.
    Refunds,
    /// Its exports.
    Exports,
    /// Its audit trail.
    Activity,
    /// Its webhooks.
    Webhooks,
    /// What one of its webhooks sent.
    Deliveries,
    /// The stuck rows of all accounts.
    Stuck,
    /// The open payouts.
    Payouts,
    /// The record of reads.
    Reads,
}

/// The place of an entry in the record: a time in ms and 8 random bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadId(String);

impl fmt::Display for ReadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ReadId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_time = |part: &str| part.len() == 15 && part.bytes().all(|it| it.is_ascii_digit());
        let is_random = |part: &str| {
            part.len() == 16 && part.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        };
        match text.split_once('-') {
            Some((time, random)) if is_time(time) && is_random(random) => Ok(Self(text.to_owned())),
            _ => Err("must be the id of a read"),
        }
    }
}

shared::models::as_text!(ReadId, "^[0-9]{15}-[0-9a-f]{16}$", "001764547200000-00f1e2d3c4b5a697");

/// An entry in the record of reads.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportRead {
    /// Its place in the record.
    pub id: ReadId,
    /// The admin who read.
    pub admin_id: AccountId,
    /// The accounts whose data was read; empty if it belongs to no account.
    pub account_ids: Vec<AccountId>,
    /// What was read.
    pub read: SupportReadKind,
    /// What was searched for, if its form was recognised: `sha256:` and its digest if it could also be a private key and
    /// nothing was found. Or the transaction or the webhook that was read.
    #[schema(required = true)]
    pub query: Option<String>,
    /// When, ms since the epoch.
    pub at: Timestamp,
    /// Id of the request.
    pub request_id: String,
}

impl Entity for SupportRead {
    const ENTITY: &'static str = "supportRead";
}

impl Reader {
    /// Reads the account that a path names.
    ///
    /// # Errors
    /// [`Problem::NoSuchAccount`]; errors of the store.
    pub(crate) async fn account(&self, app: &App, id: AccountId) -> Result<Account> {
        let account = accounts::get(&app.store, id).await?;
        account.ok_or(Error::new(Problem::NoSuchAccount))
    }

    /// Records a read of one account. Handlers call this before they answer: what is not recorded is not shown.
    ///
    /// # Errors
    /// Errors of the store.
    pub(crate) async fn record(
        &self,
        app: &App,
        read: SupportReadKind,
        account: AccountId,
    ) -> Result<()> {
        self.record_with(app, read, BTreeSet::from([account]), None).await
    }

    /// Records a read of any number of accounts, with what it named: once under the admin, and once under each
    /// of the accounts, in one write batch. Counts the accounts first, because their number is limited.
    ///
    /// # Errors
    /// [`AuthError::RateLimited`] if the admin has read too many accounts; errors of the store.
    pub(crate) async fn record_with(
        &self,
        app: &App,
        read: SupportReadKind,
        accounts: BTreeSet<AccountId>,
        query: Option<String>,
    ) -> Result<()> {
        let (admin, at) = (self.0.account.id, app.clock.now());
        let others: Vec<_> =
            accounts.iter().filter(|id| **id != admin).map(ToString::to_string).collect();
        limits::hit_for_each(app, SUPPORT_SUBJECT_BY_ACCOUNT, &admin.to_string(), &others).await?;
        let random = hex::encode(app.random.bytes::<8>());
        let entry = SupportRead {
            id: ReadId(format!("{:015}-{random}", at.0)),
            admin_id: admin,
            account_ids: accounts.into_iter().collect(),
            read,
            query,
            at,
            request_id: self.0.context.request_id.to_string(),
        };
        let of_accounts = entry.account_ids.iter().map(|id| keys::read_of(*id, &entry.id));
        let writes = [keys::read_by(admin, &entry.id)]
            .into_iter()
            .chain(of_accounts)
            .fold(Writes::new(), |writes: Writes<AuthError>, key| {
                writes.insert(&key, &entry, AuthError::Changed)
            });
        app.store.commit(writes).await.map_err(refused)?;
        Ok(())
    }
}
