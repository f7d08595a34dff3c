//! Account rows, as more than one function reads and writes them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Entity, Key, Store, StoreError, Update, table::from_item};
use crate::{
    clock::Timestamp,
    models::{
        account::{Account, AccountId},
        email::EmailAddress,
        session::{Session, SessionId},
        wallet::WalletAddress,
    },
};

impl Entity for Account {
    const ENTITY: &'static str = "account";
}

impl Entity for Session {
    const ENTITY: &'static str = "session";
}

/// A uniqueness record: something that one account alone can have, and which one has it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Uniqueness {
    /// Whose it is.
    pub account_id: AccountId,
}

impl Entity for Uniqueness {
    const ENTITY: &'static str = "uniqueness";
}

/// What an address is to its account. Sign-in wallets and linked addresses share one namespace
/// (custody rule 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AddressUse {
    /// It signs in.
    SignIn,
    /// It is linked, and does not sign in.
    Linked,
    /// It signed in until it was rotated away. It neither signs in nor registers for 90 days.
    Retired,
}

/// Whose a wallet address is, and what for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressOwner {
    /// Whose it is.
    pub account_id: AccountId,
    /// What it is to the account.
    #[serde(rename = "use")]
    pub usage: AddressUse,
    /// When a retired address is free again, whole seconds since the epoch (DynamoDB's TTL
    /// attribute).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_at: Option<i64>,
}

impl AddressOwner {
    /// How long an address stays retired.
    const RETIRED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

    /// An address that signs in.
    pub fn signs_in(account_id: AccountId) -> Self {
        Self { account_id, usage: AddressUse::SignIn, expires_at: None }
    }

    /// An address that is linked.
    pub fn linked(account_id: AccountId) -> Self {
        Self { account_id, usage: AddressUse::Linked, expires_at: None }
    }

    /// An address that was rotated away at `now`.
    pub fn retired(account_id: AccountId, now: Timestamp) -> Self {
        let expires_at = Some(now.plus(Self::RETIRED).seconds());
        Self { account_id, usage: AddressUse::Retired, expires_at }
    }
}

impl Entity for AddressOwner {
    const ENTITY: &'static str = "addressOwner";
}

/// Whose an e-mail address is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmailOwner {
    /// Whose it is.
    pub account_id: AccountId,
    /// Whether the account proved that it reads the mailbox. Until then the address yields to an
    /// account that does, and to nothing else (custody rule 20).
    pub verified: bool,
}

impl EmailOwner {
    /// An address that no account has proved yet.
    pub fn unverified(account_id: AccountId) -> Self {
        Self { account_id, verified: false }
    }

    /// An address whose account proved that it reads the mailbox.
    pub fn verified(account_id: AccountId) -> Self {
        Self { account_id, verified: true }
    }

    /// The conditions under which the record of this holder yields to a proof.
    pub fn yields(&self) -> Update {
        Update::new().if_equal("verified", false).if_equal("accountId", self.account_id)
    }
}

impl Entity for EmailOwner {
    const ENTITY: &'static str = "emailOwner";
}

/// That an account has signed in on a device: guesses of strangers do not lock it out there.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownDevice {
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
    /// The account's epoch: a change of its credentials makes all devices unknown but the one that it
    /// is made on.
    pub epoch: u64,
}

impl Entity for KnownDevice {
    const ENTITY: &'static str = "knownDevice";
}

/// Reads an account: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn get(store: &Store, id: AccountId) -> Result<Option<Account>, StoreError> {
    store.get(&Key::account(id)).await
}

/// Reads an account and one of its sessions, each with every write that was acknowledged before:
/// one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn with_session(
    store: &Store,
    account: AccountId,
    session: SessionId,
) -> Result<(Option<Account>, Option<Session>), StoreError> {
    let keys = [Key::account(account), Key::session(account, session)];
    let mut found = read_both(store, &keys).await?;
    // A batch is no snapshot: a change of a credential may have come between its two rows.
    if let (Some(account), Some(session)) = &found
        && account.epoch != session.epoch
    {
        found = read_both(store, &keys).await?;
    }
    Ok(found)
}

async fn read_both(
    store: &Store,
    keys: &[Key; 2],
) -> Result<(Option<Account>, Option<Session>), StoreError> {
    let mut rows = store.get_all(keys).await?.into_iter();
    let account = rows.next().flatten().map(from_item).transpose()?;
    let session = rows.next().flatten().map(from_item).transpose()?;
    Ok((account, session))
}

/// Whose a wallet address is, and what for: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn owner(
    store: &Store,
    address: &WalletAddress,
) -> Result<Option<AddressOwner>, StoreError> {
    let owner = store.get::<AddressOwner>(&Key::wallet(address)).await?;
    let now = store.now().past_seconds();
    Ok(owner.filter(|owner| owner.expires_at.is_none_or(|end| end > now)))
}

/// Whose an e-mail address is: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn email_owner(
    store: &Store,
    address: &EmailAddress,
) -> Result<Option<EmailOwner>, StoreError> {
    store.get(&Key::email(address)).await
}

/// Whose a referral code is: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn referrer(store: &Store, code: &str) -> Result<Option<AccountId>, StoreError> {
    Ok(store.get::<Uniqueness>(&Key::referral(code)).await?.map(|claimed| claimed.account_id))
}
