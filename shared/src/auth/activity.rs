//! The audit trail: what changed in an account, who did it, from where; and the notice to its owner.
//!
//! An entry is a member of the account's list, written once, in the transaction of the change that
//! it tells of (custody rule 18).

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    AuthError, outcome,
    rate_limit::{self, NEW_DEVICE_BY_ACCOUNT},
};
use crate::{
    app::App,
    auth::{LiveCaller, RequestContext},
    clock::Timestamp,
    mail::{Letter, Mail},
    models::{
        account::{Account, AccountId},
        change::Change,
        email::EmailAddress,
        session::SessionId,
    },
    random::Random,
    store::{Writes, keys::List, lists},
};

/// An entry of an account's audit trail.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its id.
    pub id: Uuid,
    /// What changed.
    pub change: Change,
    /// When.
    pub created_at: Timestamp,
    /// The request that changed it; `operator` for a command.
    pub request_id: String,
    /// The session that it was made in; none where it opened one.
    pub session_id: Option<SessionId>,
    /// Where it came from: a keyed hash of account and source address, 16 bytes in hex. Equal
    /// hashes are equal addresses.
    pub source_hash: Option<String>,
}

impl Entry {
    /// An entry in the trail of an account to which the request of another one does something: it
    /// shows nothing of that one.
    pub fn of_another(app: &App, change: Change, context: &RequestContext) -> Self {
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

    /// An entry of a change that an operator makes, who has no session.
    pub fn by_operator(random: &dyn Random, change: Change, at: Timestamp) -> Self {
        Self {
            id: random.id(at),
            change,
            created_at: at,
            request_id: "operator".to_owned(),
            session_id: None,
            source_hash: None,
        }
    }

    /// An entry of a change that a caller makes.
    ///
    /// # Errors
    /// [`AuthError::Vault`].
    pub async fn of(app: &App, caller: &LiveCaller, change: Change) -> Result<Self, AuthError> {
        let session = Some(caller.session.id);
        Self::new(app, caller.account.id, change, session, &caller.context).await
    }

    /// An entry of a change that is being made.
    ///
    /// # Errors
    /// [`AuthError::Vault`].
    pub async fn new(
        app: &App,
        account: AccountId,
        change: Change,
        session_id: Option<SessionId>,
        context: &RequestContext,
    ) -> Result<Self, AuthError> {
        let source_hash = match context.source_ip {
            Some(ip) => {
                let text = format!("{account}\0{ip}");
                let hash = app.vault.keyed_hash("source", &text).await?;
                Some(hex::encode(hash.get(..16).unwrap_or_default()))
            }
            None => None,
        };
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

/// Commits a change together with its entry, and tells the account's owner.
///
/// # Errors
/// [`AuthError::Contended`], [`AuthError::Store`]. What a failed condition means is the inner
/// error.
pub async fn commit<E>(
    app: &App,
    account: &Account,
    entry: Entry,
    draft: impl Fn() -> Writes<E>,
) -> Result<Result<(), E>, AuthError> {
    commit_entries(app, account, &[entry], None, draft).await
}

/// Commits a change together with several entries, and with one of another account's trail where
/// the change does something to that.
///
/// # Errors
/// As [`commit`].
pub async fn commit_entries<E>(
    app: &App,
    account: &Account,
    entries: &[Entry],
    other: Option<(AccountId, Entry)>,
    draft: impl Fn() -> Writes<E>,
) -> Result<Result<(), E>, AuthError> {
    let mut lists = vec![List::activity(account.id)];
    lists.extend(other.as_ref().map(|(id, _)| List::activity(*id)));
    let appended = lists::append_each(&app.store, &lists, |created_at| {
        let own = entries.iter().map(|entry| (0, entry));
        let all = own.chain(other.as_ref().map(|(_, entry)| (1, entry)));
        let dated = |entry: &Entry| Entry { created_at, ..entry.clone() };
        (draft(), all.map(|(list, entry)| (list, dated(entry))).collect())
    })
    .await;
    match outcome(appended)? {
        Ok(_) => {
            for entry in entries {
                notify(app, account, entry).await;
            }
            Ok(Ok(()))
        }
        Err(failed) => Ok(Err(failed)),
    }
}

/// Queues the notice of a change to the account's address, if it has proved one.
///
/// The change stands, so a queue that does not answer is an alarm, no failure of the request.
async fn notify(app: &App, account: &Account, entry: &Entry) {
    let Some(email) = account.email.as_ref().filter(|_| account.email_verified) else { return };
    // The owner learns of these by other mails, or has just been in the mailbox; sign-ins on known
    // devices are not mailed.
    let unmailed = matches!(
        entry.change,
        Change::EmailVerified | Change::EmailChangeRequested | Change::SignedIn
    );
    if unmailed {
        return;
    }
    if entry.change == Change::NewDevice && !may_mail_new_device(app, account.id).await {
        return;
    }
    let mail = notice(email, entry);
    if let Err(error) = app.mail.send(&mail).await {
        tracing::error!(account = %account.id, mail = %mail.id, change = ?entry.change, %error, "notice not queued");
    }
}

/// Whether another mail about a new device may go to the account. Only proved sign-ins count, so
/// strangers cannot use these mails up; the entry in the audit trail stands in any case.
async fn may_mail_new_device(app: &App, account: AccountId) -> bool {
    match rate_limit::hit(app, NEW_DEVICE_BY_ACCOUNT, &account.to_string()).await {
        Err(AuthError::RateLimited { .. }) => false,
        // Rather one mail too many.
        Ok(()) | Err(_) => true,
    }
}

/// The notice of a change; its id is the entry's, so that it is sent once.
fn notice(email: &EmailAddress, entry: &Entry) -> Mail {
    Mail {
        id: entry.id,
        to: email.to_string(),
        letter: Letter::Notice { change: entry.change },
        at: entry.created_at,
    }
}
