//! Who is calling: what the access token says, and what the stored rows say now.

use std::time::Duration;

use bitcoin::Network;
use serde::Serialize;
use store::{StoreError, Update, Writes};

use super::{AuthError, RequestContext};
use crate::{
    accounts,
    core::Core,
    crypto::token::Claims,
    events::EventWrites,
    keys::{self, EventList},
    models::{
        account::{Account, AccountId, Status},
        event::{EventState, EventType, StateChange},
        session::{Session, SessionId},
        wallet::WalletAddress,
    },
    problem::{AsProblem, Error, Problem},
};

/// How long ago the caller of a sensitive change may have signed in.
const RECENT: Duration = Duration::from_secs(15 * 60);

/// Why all sessions of an account ended together, except the one that made the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SessionsEnd {
    /// The owner changed a credential.
    CredentialsChanged,
    /// An operator ended them.
    ByOperator,
}

/// The write that reports to an account that its sessions have ended, for the write batch that increments its
/// epoch. No row of a session is written then, so the event names none.
#[must_use]
pub fn tell_sessions_ended<E>(
    transaction: Writes<E>,
    account: AccountId,
    how: SessionsEnd,
) -> Writes<E> {
    let change = StateChange {
        kind: EventType::SessionEnded,
        subject: String::new(),
        before: Some(EventState::Name("open".to_owned())),
        after: EventState::named(how),
    };
    transaction.tell(EventList::of_account(account), change)
}

/// The caller according to the access token. This suffices to read the caller's own data.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account.
    pub account: AccountId,
    /// The session.
    pub session: SessionId,
}

impl From<Claims> for Caller {
    fn from(claims: Claims) -> Self {
        Self { account: claims.sub, session: claims.sid }
    }
}

/// A [`Caller`] whose account and session rows were just read and are consistent (custody rule 19): for
/// endpoints that change credentials, administer, or move money. It takes one strongly consistent batch read.
#[derive(Clone, Debug)]
pub struct LiveCaller {
    /// The account's row.
    pub account: Account,
    /// The session's row.
    pub session: Session,
    /// The request that the caller makes.
    pub context: RequestContext,
}

/// Why the account and session of a token may no longer be used.
#[derive(Debug, thiserror::Error)]
pub enum NotLive {
    /// The account has no row.
    #[error("The account does not exist.")]
    AccountNotFound,
    /// The account is not active.
    #[error("The account is disabled.")]
    AccountDisabled,
    /// The session was logged out or revoked, has expired, or is from an earlier epoch.
    #[error("The session has ended. Sign in again.")]
    SessionEnded,
    /// The rows could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AsProblem for NotLive {
    fn problem(&self) -> Problem {
        match self {
            Self::AccountNotFound => Problem::AccountNotFound,
            Self::AccountDisabled => Problem::AccountDisabled,
            Self::SessionEnded => Problem::SessionEnded,
            Self::Store(error) => error.problem(),
        }
    }
}

impl LiveCaller {
    /// Reads both rows and checks that they are consistent.
    pub(crate) async fn read(
        core: &Core,
        account: AccountId,
        session: SessionId,
        context: RequestContext,
    ) -> Result<Self, NotLive> {
        let (account, session) = accounts::with_session(&core.store, account, session).await?;
        let account = account.ok_or(NotLive::AccountNotFound)?;
        if account.status != Status::Active {
            return Err(NotLive::AccountDisabled);
        }
        match session {
            Some(session) if session.is_alive(&account, core.clock.now()) => {
                Ok(Self { account, session, context })
            }
            _ => Err(NotLive::SessionEnded),
        }
    }

    /// An address of the caller's account, in its canonical spelling.
    ///
    /// # Errors
    /// [`Problem::Forbidden`] if the account does not have the address.
    pub fn own_address(&self, network: Network, text: &str) -> Result<String, Error> {
        let account = &self.account;
        let trading = account.trading_wallet.as_ref().map(|wallet| wallet.address.as_str());
        if trading.is_some_and(|trading| trading.eq_ignore_ascii_case(text)) {
            return Ok(text.to_ascii_lowercase());
        }
        let address = WalletAddress::infer(text, network);
        let owned = address.ok().filter(|address| {
            account.addresses.iter().any(|owned| owned.address == address.as_str())
        });
        owned.map(|address| address.as_str().to_owned()).ok_or_else(|| {
            let details = "The address is not one of the account's.";
            Error::with_details(Problem::Forbidden, details)
        })
    }

    /// Like [`Self::own_address`], but also accepts an address that the account had before a rotation, for
    /// what was started with it.
    ///
    /// # Errors
    /// As [`Self::own_address`].
    pub fn own_or_earlier_address(&self, network: Network, text: &str) -> Result<String, Error> {
        let own = self.own_address(network, text);
        let earlier = WalletAddress::infer(text, network).ok().filter(|address| {
            self.account.earlier_addresses.iter().any(|earlier| earlier.address == address.as_str())
        });
        own.or_else(|error| earlier.map(|address| address.as_str().to_owned()).ok_or(error))
    }

    /// An update of the account's row, on the condition that it is as it was read.
    pub fn update(&self) -> Update<Account> {
        self.update_beside_others().if_version(self.account.version)
    }

    /// An update of the account's row that may run concurrently with other updates, for fields that nothing
    /// else depends on.
    pub fn update_beside_others(&self) -> Update<Account> {
        Update::new()
            .if_equal(Account::EPOCH, self.account.epoch)
            .if_equal(Account::STATUS, self.account.status)
    }

    /// Adds an update of the account's row to a write batch, and ends every other session: the epoch is
    /// incremented in the account and in this session together (custody rule 19), and the account receives an
    /// event. If either row has changed, the error is [`AuthError::Changed`].
    #[must_use]
    pub fn end_other_sessions<E: From<AuthError>>(
        &self,
        transaction: Writes<E>,
        changes: Update<Account>,
    ) -> Writes<E> {
        let before = self.account.epoch;
        let next = before.saturating_add(1);
        let session = keys::session(self.account.id, self.session.id);
        let of_session = Update::new().set(Session::EPOCH, next).if_equal(Session::EPOCH, before);
        tell_sessions_ended(transaction, self.account.id, SessionsEnd::CredentialsChanged)
            .update(
                &keys::account(self.account.id),
                changes.set(Account::EPOCH, next),
                AuthError::Changed.into(),
            )
            .update(&session, of_session, AuthError::Changed.into())
    }

    /// Requires a sign-in within the last quarter of an hour, for changes that need no proof of what they
    /// replace.
    ///
    /// # Errors
    /// [`Problem::ReauthRequired`] if the session's last authentication is older.
    pub fn signed_in_recently(&self, core: &Core) -> Result<(), Error> {
        self.opened_within(core, RECENT)
    }

    pub(crate) fn opened_within(&self, core: &Core, window: Duration) -> Result<(), Error> {
        if self.session.auth_time.plus(window) > core.clock.now() {
            Ok(())
        } else {
            Err(Error::new(Problem::ReauthRequired))
        }
    }
}
