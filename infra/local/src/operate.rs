//! Operators' commands, on the AWS account and the tables that the environment names.

use std::{path::Path, sync::Arc};

use shared::{
    auth::{keys::KeyStore, vault::Vault},
    clock::SystemClock,
    config::{self, AwsConfig, Tables},
    models::{
        account::{AccountId, Role},
        token::Token,
    },
    outbound::Outbound,
    random::SystemSource,
    store::{Store, accounts, tokens},
};

use crate::failure::{Context, Failure, Result};

/// Gives an account a role.
///
/// # Errors
/// Settings are missing, there is no such account, or DynamoDB fails.
pub async fn set_role(account: &str, role: Role) -> Result<AccountId> {
    let (aws, tables, network) = config::for_roles().context("role")?;
    accounts::set_role(&store(&aws, tables), network, account, role)
        .await
        .context(format_args!("role of {account}"))
}

fn store(aws: &AwsConfig, tables: Tables) -> Store {
    Store::new(aws, tables, Outbound::new(), Arc::new(SystemClock), Arc::new(SystemSource))
}

/// Makes a new data key the one that encrypts; answers its id.
///
/// # Errors
/// Settings are missing, or AWS fails.
pub async fn rotate_data_key() -> Result<String> {
    let (aws, tables, key_id) = config::for_data_keys().context("rotate-data-key")?;
    let store = store(&aws, tables);
    let vault = Vault::over_kms(aws.into(), key_id, store, Outbound::new(), Arc::new(SystemSource));
    vault.rotate().await.context("rotate-data-key")
}

/// Enters the tokens of a file (a JSON array) into the catalogue, or changes what it says of them;
/// answers how many were entered, and how many changed.
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

/// Makes a new key the one that signs access tokens; answers its id.
///
/// # Errors
/// Settings are missing, or AWS fails.
pub async fn rotate_keys() -> Result<String> {
    let (aws, keys) = config::for_key_rotation().context("rotate-keys")?;
    KeyStore::new(aws.into(), keys, Outbound::new()).rotate().await.context("rotate-keys")
}
