//! Operators' commands, on the AWS account and the tables that the environment names.

use std::{path::Path, sync::Arc};

use shared::{
    auth::operator::{Obeyed, Order, obey},
    clock::SystemClock,
    config::{self, AwsConfig, Tables},
    keys::{signing::KeyStore, vault::Vault},
    models::token::Token,
    outbound::Outbound,
    random::SystemSource,
    store::{Store, tokens},
};

use crate::failure::{Context, Failure, Result};

/// Changes an account as the operator orders.
///
/// # Errors
/// Settings are missing, the account does not exist, the order cannot be carried out, or DynamoDB fails.
pub async fn change_account(account: &str, order: Order) -> Result<Obeyed> {
    let (aws, tables, network) = config::for_accounts().context("account")?;
    obey(&store(&aws, tables), network, account, order).await.context(account)
}

fn store(aws: &AwsConfig, tables: Tables) -> Store {
    Store::new(aws, tables, Outbound::new(), Arc::new(SystemClock), Arc::new(SystemSource))
}

/// Creates a data key that encrypts from now on; returns its id.
///
/// # Errors
/// Settings are missing, or AWS fails.
pub async fn rotate_data_key() -> Result<String> {
    let (aws, tables, key_id) = config::for_data_keys().context("rotate-data-key")?;
    let store = store(&aws, tables);
    let vault = Vault::over_kms(aws.into(), key_id, store, Outbound::new(), Arc::new(SystemSource));
    vault.rotate().await.context("rotate-data-key")
}

/// Adds the tokens of a file (a JSON array) to the catalogue, or updates them; returns how many were added
/// and how many changed.
///
/// # Errors
/// Settings are missing, the file is not such an array, or DynamoDB fails.
pub async fn enter_tokens(file: &Path) -> Result<(usize, usize)> {
    let (aws, tables) = config::for_tables().context("tokens")?;
    let text = std::fs::read(file).context(file.display())?;
    let list: Vec<Token> = serde_json::from_slice(&text).context(file.display())?;
    let store = store(&aws, tables);
    let mut entered: usize = 0;
    for token in &list {
        let is_new = tokens::enter(&store, token)
            .await
            .map_err(|error| Failure::new(format!("{}: {error:?}", token.token_id)))?;
        entered = entered.saturating_add(is_new.into());
    }
    Ok((entered, list.len().saturating_sub(entered)))
}

/// Creates a key that signs access tokens from now on, or revokes a leaked one; returns the id of the key
/// that signs.
///
/// # Errors
/// Settings are missing, the key does not exist, or AWS fails.
pub async fn rotate_keys(revoke: Option<&str>) -> Result<String> {
    let (aws, keys) = config::for_key_rotation().context("rotate-keys")?;
    let store = KeyStore::new(aws.into(), keys, Outbound::new(), Arc::new(SystemClock));
    let rotated = match revoke {
        Some(kid) => store.revoke(kid).await,
        None => store.rotate().await,
    };
    rotated.context("rotate-keys")
}
