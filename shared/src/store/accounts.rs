//! Account rows, as more than one function reads and writes them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{CommitError, Entity, Key, Store, StoreError, Transaction, Update, table::from_item};
use crate::models::{
    account::{Account, AccountId, Role},
    session::{Session, SessionId},
    wallet::WalletAddress,
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
    let mut rows = store.get_all(&keys).await?.into_iter();
    let account = rows.next().flatten().map(from_item).transpose()?;
    let session = rows.next().flatten().map(from_item).transpose()?;
    Ok((account, session))
}

/// Whose a wallet address is: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn owner(
    store: &Store,
    address: &WalletAddress,
) -> Result<Option<AccountId>, StoreError> {
    Ok(store.get::<Uniqueness>(&Key::wallet(address)).await?.map(|claimed| claimed.account_id))
}

/// Whose a referral code is: one round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn referrer(store: &Store, code: &str) -> Result<Option<AccountId>, StoreError> {
    Ok(store.get::<Uniqueness>(&Key::referral(code)).await?.map(|claimed| claimed.account_id))
}

/// Why a role was not set.
#[derive(Debug, thiserror::Error)]
pub enum SetRoleError {
    /// Neither an account id nor the address of an account.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The row changed meanwhile, again and again.
    #[error("the account was being changed; try again")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sets an account's role. `account` is its id or one of its wallet addresses. No HTTP body can do
/// this (custody rule 19): it is an operator's command.
///
/// # Errors
/// [`SetRoleError`].
pub async fn set_role(
    store: &Store,
    network: bitcoin::Network,
    account: &str,
    role: Role,
) -> Result<AccountId, SetRoleError> {
    let id = match AccountId::from_str(account) {
        Ok(id) => id,
        Err(_) => {
            let address =
                WalletAddress::infer(account, network).map_err(|_| SetRoleError::NoSuchAccount)?;
            owner(store, &address).await?.ok_or(SetRoleError::NoSuchAccount)?
        }
    };
    for _attempt in 0..5 {
        let before = get(store, id).await?.ok_or(SetRoleError::NoSuchAccount)?;
        let update = Update::new().set("role", role).if_version(before.version);
        let draft = Transaction::new(store).update(&Key::account(id), update, ());
        match draft.commit().await {
            Ok(()) => return Ok(id),
            Err(CommitError::Condition(()) | CommitError::Contended) => {}
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    Err(SetRoleError::Contended)
}
