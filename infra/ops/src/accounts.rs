//! Changes to accounts that operators make by command and no HTTP request can make (custody rule 19). Each
//! change writes an entry of the account's audit trail in the same writes.

use std::str::FromStr;

use base::{clock::Timestamp, random::Random};
use identity::{activity::Entry, handshake::NOBODY};
use outbox::webhooks::{self, Webhook};
use shared::{
    accounts::{AddressUse, EmailOwner, email_owner, get, owner},
    auth::{SessionsEnd, tell_sessions_ended},
    keys,
    models::{
        account::{Account, AccountId, AuthMethod, Role, Status},
        change::AccountChange,
        email::EmailAddress,
        session::Session,
        wallet::WalletAddress,
        webhook::{WebhookId, WebhookOff, WebhookScope},
    },
};
use store::{CommitError, Key, Store, StoreError, Update, Writes, lists};

/// Attempts if the account is being changed concurrently.
const ATTEMPTS: u32 = 5;

/// A change that an operator orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Set the account's role. The end of the role admin switches off the webhooks of the deployment that the account runs.
    Role(Role),
    /// Prevent sign-in, end all sessions, and switch off all webhooks, also those of the deployment that the account runs.
    Disable,
    /// Allow sign-in again.
    Enable,
    /// End all sessions.
    EndSessions,
    /// Remove the account's e-mail address, so that another account can have it.
    ReleaseEmail,
    /// Note in the account's audit trail that the command has deleted media.
    DeleteMedia,
}

impl FromStr for Order {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "disable" => Ok(Self::Disable),
            "enable" => Ok(Self::Enable),
            "end-sessions" => Ok(Self::EndSessions),
            "release-email" => Ok(Self::ReleaseEmail),
            "delete-media" => Ok(Self::DeleteMedia),
            _ => Err("must be disable, enable, end-sessions, release-email or delete-media"),
        }
    }
}

impl Order {
    /// Whether the order ends webhooks of this scope.
    fn ends(self, scope: WebhookScope) -> bool {
        match self {
            Self::Disable => true,
            Self::Role(Role::User) => scope == WebhookScope::Deployment,
            Self::Role(Role::Admin)
            | Self::Enable
            | Self::EndSessions
            | Self::ReleaseEmail
            | Self::DeleteMedia => false,
        }
    }

    /// The order as recorded in the audit trail.
    fn change(self) -> AccountChange {
        match self {
            Self::Role(_) => AccountChange::RoleChanged,
            Self::Disable => AccountChange::AccountDisabled,
            Self::Enable => AccountChange::AccountEnabled,
            Self::EndSessions => AccountChange::SessionsEnded,
            Self::ReleaseEmail => AccountChange::EmailReleased,
            Self::DeleteMedia => AccountChange::MediaDeleted,
        }
    }

    /// The entry of the audit trail; an operator has no session.
    fn entry(self, at: Timestamp, random: &dyn Random) -> Entry {
        Entry {
            id: random.id(at),
            change: self.change(),
            created_at: at,
            request_id: "operator".to_owned(),
            session_id: None,
            source_hash: None,
        }
    }
}

/// The result of an [`Order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obeyed {
    /// The account.
    pub account: AccountId,
    /// False if the account already was in the ordered state; nothing was written.
    pub changed: bool,
    /// The webhooks that the order has switched off.
    pub switched_off: Vec<WebhookId>,
    /// The webhooks of the account that still send, and those of the deployment that it runs.
    pub sending: Vec<Webhook>,
}

/// Why an [`Order`] was refused.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// The name is neither an account id, nor a sign-in wallet or verified e-mail address of an account.
    #[error("no such account")]
    NoSuchAccount,
    /// A verified address is released only if the account is given by id.
    #[error(
        "the account has proved that it reads the mailbox of its e-mail address: to release the \
         address anyway, give the account's id"
    )]
    EmailIsVerified,
    /// The e-mail address is the account's only way to sign in.
    #[error("without its e-mail address the account could not sign in")]
    NoWayIn,
    /// Concurrent changes of the row kept winning until attempts ran out.
    #[error("the account is being changed by others; try again")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Carries out an operator's order. `account` is the account's id, the address of its sign-in wallet, or its
/// verified e-mail address.
///
/// # Errors
/// [`OperatorError::NoSuchAccount`] if nothing has this name; another [`OperatorError`] if the order is not
/// carried out.
pub async fn obey(
    store: &Store,
    network: bitcoin::Network,
    account: &str,
    order: Order,
) -> Result<Obeyed, OperatorError> {
    let id = find(store, network, account).await?;
    let named_by_id = AccountId::from_str(account).is_ok();
    for _attempt in 0..ATTEMPTS {
        let before = get(store, id).await?.ok_or(OperatorError::NoSuchAccount)?;
        let sending = webhooks_that_send(store, id).await?;
        let (ended, sending): (Vec<_>, Vec<_>) =
            sending.into_iter().partition(|webhook| order.ends(webhook.scope));
        let plan = Plan::for_order(store, &before, order, named_by_id).await?;
        // The account may be in the ordered state since before an admin took a webhook over, for example.
        let changed = plan.is_some();
        if !changed && ended.is_empty() {
            return Ok(Obeyed { account: id, changed, switched_off: Vec::new(), sending });
        }
        let lists = [keys::lists::activity(id)];
        let committed = lists::append(store, &lists, |at| {
            let update = plan.as_ref().map_or_else(Update::new, |plan| plan.update.clone());
            let update = update.if_version(before.version);
            let mut rows = Writes::new().update(&keys::account(id), update, ());
            if changed && matches!(order, Order::Disable | Order::EndSessions) {
                rows = tell_sessions_ended(rows, id, SessionsEnd::ByOperator);
            }
            if let Some(email) = plan.as_ref().and_then(|plan| plan.released.as_ref()) {
                rows = rows.delete(email, Update::new().if_equal(EmailOwner::ACCOUNT_ID, id), ());
            }
            for webhook in &ended {
                let off = webhooks::interrupt(Update::new())
                    .set(Webhook::OFF, WebhookOff::Disabled)
                    .if_equal(Webhook::ACCOUNT_ID, id);
                rows = rows.update(&webhook.key(), off, ());
            }
            (rows, order.entry(at, store.random()))
        });
        match committed.await {
            Ok(_) => {
                let switched_off = ended.iter().map(|webhook| webhook.id).collect();
                return Ok(Obeyed { account: id, changed: true, switched_off, sending });
            }
            Err(CommitError::Condition(()) | CommitError::Contended) => {}
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    Err(OperatorError::Contended)
}

/// The webhooks of an account that are not off, and those of the deployment that it runs. One whose row is malformed sends
/// nothing, and keeps no operator from an order.
async fn webhooks_that_send(store: &Store, account: AccountId) -> Result<Vec<Webhook>, StoreError> {
    let (mut webhooks, _) = webhooks::readable_of_account(store, account).await?;
    webhooks.extend(webhooks::readable_of_deployment(store).await?.0);
    // One that its owner switched off is to stay off when the account is enabled again.
    webhooks.retain(|webhook| webhook.account_id == account && webhook.off.is_none());
    Ok(webhooks)
}

/// Finds the account by id, sign-in wallet or verified e-mail address.
///
/// # Errors
/// [`OperatorError::NoSuchAccount`] if nothing has this name; [`OperatorError::Store`] if the store fails.
pub async fn find(
    store: &Store,
    network: bitcoin::Network,
    account: &str,
) -> Result<AccountId, OperatorError> {
    let found = if let Ok(id) = AccountId::from_str(account) {
        Some(id)
    } else if account.contains('@') {
        let address = account.parse().map_err(|_| OperatorError::NoSuchAccount)?;
        // An unproved address may belong to anyone.
        let owner = email_owner(store, &address).await?.filter(|owner| owner.verified);
        owner.map(|owner| owner.account_id)
    } else {
        let address =
            WalletAddress::infer(account, network).map_err(|_| OperatorError::NoSuchAccount)?;
        let owner = owner(store, &address).await?;
        owner.filter(|owner| owner.usage == AddressUse::SignIn).map(|owner| owner.account_id)
    };
    found.filter(|id| *id != NOBODY).ok_or(OperatorError::NoSuchAccount)
}

/// The writes of an order.
struct Plan {
    /// Changes to the account's row.
    update: Update<Account>,
    /// The record of the released e-mail address.
    released: Option<Key>,
}

impl Plan {
    /// Plans the writes of an order; `None` if the account already is in the ordered state.
    async fn for_order(
        store: &Store,
        account: &Account,
        order: Order,
        named_by_id: bool,
    ) -> Result<Option<Self>, OperatorError> {
        let update = Update::new();
        // Sessions of an earlier epoch are invalid (custody rule 19).
        let next_epoch = account.epoch.saturating_add(1);
        let update = match order {
            Order::Role(role) if account.role != role => Some(update.set(Account::ROLE, role)),
            Order::Disable if account.status == Status::Active => {
                Some(update.set(Account::STATUS, Status::Disabled).set(Account::EPOCH, next_epoch))
            }
            Order::Enable if account.status == Status::Disabled => {
                Some(update.set(Account::STATUS, Status::Active))
            }
            Order::EndSessions => {
                let (low, high) = keys::sessions(account.id);
                let sessions = store.range::<Session>((&low, &high), true, None).await?;
                let now = store.now();
                let is_alive = |session: &Session| session.is_alive(account, now);
                sessions.iter().any(is_alive).then(|| update.set(Account::EPOCH, next_epoch))
            }
            Order::ReleaseEmail => return Self::release_email(store, account, named_by_id).await,
            // Each deletion has its entry.
            Order::DeleteMedia => Some(update),
            Order::Role(_) | Order::Disable | Order::Enable => None,
        };
        Ok(update.map(|update| Self { update, released: None }))
    }

    /// Releases the e-mail address. An account with a password keeps it as its SRP identity and signs in by
    /// id until it has a new address (custody rule 20). Tokens mailed earlier become invalid, because they
    /// contain the count of releases.
    async fn release_email(
        store: &Store,
        account: &Account,
        named_by_id: bool,
    ) -> Result<Option<Self>, OperatorError> {
        let Some(email) = &account.email else { return Ok(None) };
        let owner = email_owner(store, email).await?;
        let is_own = owner.is_some_and(|owner| owner.account_id == account.id);
        let has_password = account.auth_method == AuthMethod::Srp;
        if has_password && !is_own && !account.email_verified {
            return Ok(None);
        }
        if account.email_verified && !named_by_id {
            return Err(OperatorError::EmailIsVerified);
        }
        let signs_in = match account.auth_method {
            AuthMethod::Srp => true,
            AuthMethod::Wallet => account.wallet.is_some(),
            AuthMethod::Passkey => account.passkeys > 0,
        };
        if !signs_in {
            return Err(OperatorError::NoWayIn);
        }
        let update =
            Update::new().set(Account::EMAIL_VERIFIED, false).add(Account::EMAIL_RELEASES, 1);
        let update =
            if has_password { update } else { update.set(Account::EMAIL, None::<EmailAddress>) };
        Ok(Some(Self { update, released: is_own.then(|| keys::email(email)) }))
    }
}

/// Sets an account's role, by order of an operator.
///
/// # Errors
/// As [`obey`].
pub async fn set_role(
    store: &Store,
    network: bitcoin::Network,
    account: &str,
    role: Role,
) -> Result<AccountId, OperatorError> {
    Ok(obey(store, network, account, Order::Role(role)).await?.account)
}
