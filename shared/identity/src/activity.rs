//! The audit trail: what changed in an account, who changed it and from where. This module also sends the
//! owner a notice of each change.
//!
//! Every change commits its entry in the same write batch (custody rule 18). Entries are never rewritten.

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::{
    auth::{AuthError, LiveCaller, RequestContext, limits, refused},
    keys,
    mail::{Letter, Mail},
    models::{
        account::{Account, AccountId},
        change::AccountChange,
        email::EmailAddress,
        session::SessionId,
    },
};
use store::{Writes, lists};
use uuid::Uuid;

use crate::Identity;

/// An entry of an account's audit trail.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Unique, and the id of the notice that is mailed.
    pub id: Uuid,
    /// What changed.
    pub change: AccountChange,
    /// When.
    pub created_at: Timestamp,
    /// Id of the request that made the change; `operator` for a command.
    pub request_id: String,
    /// The session in which the change was made; absent if the change opened a session.
    pub session_id: Option<SessionId>,
    /// Keyed hash of account and source address, 16 bytes in hex. Within one account, equal hashes mean equal
    /// addresses.
    pub source_hash: Option<String>,
}

impl Entry {
    /// An entry for an account that another account's request affects. It reveals nothing about that other
    /// account.
    pub fn for_affected_account(
        app: &Identity,
        change: AccountChange,
        context: &RequestContext,
    ) -> Self {
        let created_at = app.clock.now();
        Self {
            id: app.random.id(created_at),
            change,
            created_at,
            request_id: context.request_id.to_string(),
            session_id: None,
            source_hash: None,
        }
    }

    /// An entry for a change that the caller makes.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub async fn by_caller(
        app: &Identity,
        caller: &LiveCaller,
        change: AccountChange,
    ) -> Result<Self, AuthError> {
        let session = Some(caller.session.id);
        Self::new(app, caller.account.id, change, session, &caller.context).await
    }

    /// An entry for a change made in `session_id`, or outside a session.
    ///
    /// # Errors
    /// [`AuthError::Vault`] if the hash of the source address cannot be computed.
    pub async fn new(
        app: &Identity,
        account: AccountId,
        change: AccountChange,
        session_id: Option<SessionId>,
        context: &RequestContext,
    ) -> Result<Self, AuthError> {
        let source_hash = source_hash(app, account, context).await?;
        let created_at = app.clock.now();
        Ok(Self {
            id: app.random.id(created_at),
            change,
            created_at,
            request_id: context.request_id.to_string(),
            session_id,
            source_hash,
        })
    }
}

/// Distinguishes the devices of an account: the hash of the device's token or, if it sent none, of its source
/// address.
///
/// # Errors
/// [`AuthError::Vault`] if the hash of the source address cannot be computed.
pub async fn device_mark(
    app: &Identity,
    account: AccountId,
    context: &RequestContext,
) -> Result<Option<String>, AuthError> {
    match &context.device {
        Some(device) => Ok(Some(device.hash(account))),
        None => source_hash(app, account, context).await,
    }
}

/// Keyed hash of account and source address, 16 bytes in hex; `None` without a gateway.
///
/// # Errors
/// [`AuthError::Vault`] if the hash cannot be computed.
async fn source_hash(
    app: &Identity,
    account: AccountId,
    context: &RequestContext,
) -> Result<Option<String>, AuthError> {
    let Some(ip) = context.source_ip else { return Ok(None) };
    let hash = app.vault.keyed_hash("source", &format!("{account}\0{ip}")).await?;
    Ok(Some(hex::encode(hash.get(..16).unwrap_or_default())))
}

/// Commits a change together with its audit entry, then notifies the account's owner.
///
/// # Errors
/// The error of the draft's failed condition; [`AuthError::Contended`] if concurrent writes prevented every
/// attempt; [`AuthError::Store`] if the store fails.
pub async fn commit<E: From<AuthError>>(
    app: &Identity,
    account: &Account,
    entry: Entry,
    draft: impl Fn() -> Writes<E>,
) -> Result<(), E> {
    commit_entries(app, account, &[entry], None, draft).await
}

/// Commits a change together with several audit entries. If the change affects another account, `other` is
/// the entry for that account's trail.
///
/// # Errors
/// As [`commit`].
pub async fn commit_entries<E: From<AuthError>>(
    app: &Identity,
    account: &Account,
    entries: &[Entry],
    other: Option<(AccountId, Entry)>,
    draft: impl Fn() -> Writes<E>,
) -> Result<(), E> {
    let mut lists = vec![keys::lists::activity(account.id)];
    lists.extend(other.as_ref().map(|(id, _)| keys::lists::activity(*id)));
    let appended = lists::append_each(&app.store, &lists, |created_at| {
        let own = entries.iter().map(|entry| (0, entry));
        let all = own.chain(other.as_ref().map(|(_, entry)| (1, entry)));
        let dated = |entry: &Entry| Entry { created_at, ..entry.clone() };
        (draft(), all.map(|(list, entry)| (list, dated(entry))).collect())
    })
    .await;
    appended.map_err(refused)?;
    for entry in entries {
        notify(app, account, entry).await;
    }
    Ok(())
}

/// Queues the notice of a change if the account has a verified e-mail address.
///
/// The change is already committed, so a failing queue is logged as an error and does not fail the request.
async fn notify(app: &Identity, account: &Account, entry: &Entry) {
    let Some(email) = account.email.as_ref().filter(|_| account.email_verified) else { return };
    // Other mails cover these changes, or the owner has just used the mailbox. Sign-ins on known devices are
    // not mailed.
    let unmailed = matches!(
        entry.change,
        AccountChange::EmailVerified
            | AccountChange::EmailChangeRequested
            | AccountChange::SignedIn
            | AccountChange::Reauthenticated
    );
    if unmailed {
        return;
    }
    // The audit entry exists in either case.
    if !limits::may_notify(app, account.id, entry.change).await {
        return;
    }
    let mail = notice(email, entry);
    if let Err(error) = app.mail.send(&mail).await {
        tracing::error!(account = %account.id, mail = %mail.id, change = ?entry.change, %error, "failed to queue the notice of a change");
    }
}

/// The notice of a change. It has the entry's id, so it is sent only once.
fn notice(email: &EmailAddress, entry: &Entry) -> Mail {
    Mail {
        id: entry.id,
        to: email.to_string().into(),
        letter: Letter::Notice { change: entry.change },
        at: entry.created_at,
    }
}
