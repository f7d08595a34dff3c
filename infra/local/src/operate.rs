//! Operators' commands, on the AWS account and the tables that the environment names.

use std::sync::Arc;

use shared::{
    auth::keys::KeyStore,
    clock::SystemClock,
    config,
    models::account::{AccountId, Role},
    outbound::Outbound,
    random::SystemSource,
    store::{Store, accounts},
};

use crate::failure::{Context, Result};

/// Gives an account a role.
///
/// # Errors
/// Settings are missing, there is no such account, or DynamoDB fails.
pub async fn set_role(account: &str, role: Role) -> Result<AccountId> {
    let (aws, tables, network) = config::for_roles().context("role")?;
    let store =
        Store::new(&aws, tables, Outbound::new(), Arc::new(SystemClock), Arc::new(SystemSource));
    accounts::set_role(&store, network, account, role)
        .await
        .context(format_args!("role of {account}"))
}

/// Makes a new key the one that signs access tokens; answers its id.
///
/// # Errors
/// Settings are missing, or AWS fails.
pub async fn rotate_keys() -> Result<String> {
    let (aws, keys) = config::for_key_rotation().context("rotate-keys")?;
    KeyStore::new(&aws, keys, &Outbound::new()).rotate().await.context("rotate-keys")
}
