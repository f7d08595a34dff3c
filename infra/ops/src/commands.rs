//! The commands: each reads the settings that it needs from the environment.

use std::{path::Path, sync::Arc};

use base::{
    aws::AwsConfig, blob::Bucket, clock::SystemClock, outbound::Outbound, random::SystemSource,
    settings::from_env,
};
use outbox::webhooks::Webhook;
use shared::{
    crypto::{
        signing::KeyConfig,
        vault::{DataKeyConfig, KeyRing, Vault},
    },
    deployment::MediaConfig,
    models::{token::Token, webhook::WebhookScope},
    network::NetworkConfig,
    tables::TableNames,
};
use store::Store;

use crate::{
    accounts::{Obeyed, Order, find, obey},
    cli::{Command, USAGE},
    error::CommandError,
    pool,
    signing_keys::SigningKeys,
    stuck, tokens,
};

/// Runs a command; returns what it has to say.
pub async fn run(command: Command) -> Result<String, CommandError> {
    Ok(match command {
        Command::Role { account, role } => {
            let obeyed = change_account(&account, Order::Role(role)).await?;
            let account = obeyed.account;
            let off = switched_off(&obeyed);
            format!("Set the role of account {account}. Its next access token carries it.\n{off}")
        }
        Command::Account { account, order: Order::DeleteMedia, file } => {
            let deleted = delete_media(&account, file.as_deref()).await?;
            format!("{deleted} files deleted. Caches may serve them for a while.\n")
        }
        Command::Account { account, order, file: _ } => {
            let obeyed = change_account(&account, order).await?;
            let account = obeyed.account;
            let said = if obeyed.changed {
                format!("Account {account} is changed.\n")
            } else {
                format!("Account {account} already has this state; nothing is changed.\n")
            };
            let more = match order {
                Order::EndSessions => sending(&obeyed),
                // An account that abuses the service may have uploaded something.
                Order::Disable => format!(
                    "Its media stay, in media/{}/ of the bucket of media; `delete-media` deletes them.\n",
                    account.media_folder()
                ),
                _ => String::new(),
            };
            format!("{said}{}{more}", switched_off(&obeyed))
        }
        Command::RotateKeys { revoke } => {
            let kid = rotate_keys(revoke.as_deref()).await?;
            let revoked = revoke.map(|revoked| {
                format!("Within 5 minutes, all tokens signed by key {revoked} are refused.\n")
            });
            format!("Key {kid} now signs access tokens.\n{}", revoked.unwrap_or_default())
        }
        Command::RotateDataKey => {
            let kids = rotate_data_keys().await?.join(" and ");
            format!("Data keys {kids} now encrypt; the others still decrypt.\n")
        }
        Command::Tokens { file } => {
            let (entered, changed) = enter_tokens(&file).await?;
            format!("{entered} tokens added, {changed} changed.\n")
        }
        Command::Stuck => list_stuck().await?,
        Command::Pool(command) => pool::run(command).await?,
        Command::Help => USAGE.to_owned(),
    })
}

/// Which webhooks an order has switched off.
fn switched_off(obeyed: &Obeyed) -> String {
    let ids: Vec<_> = obeyed.switched_off.iter().map(ToString::to_string).collect();
    match ids.as_slice() {
        [] => String::new(),
        ids => format!("Its webhooks that sent are off: {}.\n", ids.join(", ")),
    }
}

/// Which webhooks still send, without the paths of their URLs, which may be secret.
fn sending(obeyed: &Obeyed) -> String {
    let line = |webhook: &Webhook| {
        let host = webhook.url.split('/').nth(2).unwrap_or_default();
        let of = match webhook.scope {
            WebhookScope::Account => "its own events",
            WebhookScope::Deployment => "the events of all accounts",
        };
        format!("  {} to {host}: {of}\n", webhook.id)
    };
    let lines: String = obeyed.sending.iter().map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!(
        "These webhooks still send. If the owner does not know one, the owner removes it; disabling the account \
         switches all of them off.\n{lines}"
    )
}

/// Changes an account as the operator orders.
async fn change_account(account: &str, order: Order) -> Result<Obeyed, CommandError> {
    let (aws, tables, NetworkConfig { network }): (AwsConfig, TableNames, _) = from_env()?;
    let obeyed = obey(&store(&aws, tables), network, account, order).await;
    obeyed.map_err(|error| CommandError::Account { account: account.to_owned(), error })
}

/// Deletes all media of an account, or one file; returns how many there were. The entries of the audit trail
/// are written first, so that none is missing if the command is interrupted.
async fn delete_media(account: &str, file: Option<&str>) -> Result<usize, CommandError> {
    let (aws, tables, NetworkConfig { network }): (AwsConfig, TableNames, _) = from_env()?;
    let MediaConfig { bucket } = from_env()?;
    let found = find(&store(&aws, tables), network, account).await;
    let found = found.map_err(|error| CommandError::Account { account: account.to_owned(), error });
    let folder = format!("media/{}/", found?.media_folder());
    let bucket = Bucket::new(aws.into(), bucket, Outbound::new());
    let Some(file) = file else {
        change_account(account, Order::DeleteMedia).await?;
        return Ok(bucket.delete_all(&folder).await?);
    };
    let key = format!("{folder}{file}");
    // A name with a slash may lead to another folder.
    if file.contains('/') || bucket.size(&key).await?.is_none() {
        return Err(CommandError::NoSuchFile(file.to_owned()));
    }
    change_account(account, Order::DeleteMedia).await?;
    bucket.delete(&key).await?;
    Ok(1)
}

fn store(aws: &AwsConfig, tables: TableNames) -> Store {
    shared::core::store(
        aws,
        tables,
        Outbound::new(),
        (Arc::new(SystemClock), Arc::new(SystemSource)),
    )
}

/// Creates a data key for each ring, which encrypts from now on; returns their ids.
async fn rotate_data_keys() -> Result<Vec<String>, CommandError> {
    let (aws, tables, key): (AwsConfig, TableNames, DataKeyConfig) = from_env()?;
    let (store, aws) = (store(&aws, tables), Arc::new(aws));
    let mut kids = Vec::new();
    for ring in KeyRing::ALL {
        let (aws, key_id, store) = (aws.clone(), key.id.clone(), store.clone());
        let random = Arc::new(SystemSource);
        let vault = Vault::over_kms(ring, aws, key_id, store, Outbound::new(), random);
        kids.push(vault.rotate().await?);
    }
    Ok(kids)
}

/// Adds the tokens of a file (a JSON array) to the catalogue, or updates them; returns how many were added
/// and how many changed.
async fn enter_tokens(file: &Path) -> Result<(usize, usize), CommandError> {
    let (aws, tables): (AwsConfig, TableNames) = from_env()?;
    let unusable = |reason: String| CommandError::File { file: file.to_owned(), reason };
    let text = std::fs::read(file).map_err(|error| unusable(error.to_string()))?;
    let list: Vec<Token> =
        serde_json::from_slice(&text).map_err(|error| unusable(error.to_string()))?;
    let store = store(&aws, tables);
    let mut entered: usize = 0;
    for token in &list {
        let is_new = tokens::enter(&store, token)
            .await
            .map_err(|error| CommandError::Token { id: token.token_id.to_string(), error })?;
        entered = entered.saturating_add(is_new.into());
    }
    Ok((entered, list.len().saturating_sub(entered)))
}

/// Creates a key that signs access tokens from now on, or revokes a leaked one; returns the id of the key
/// that signs.
async fn rotate_keys(revoke: Option<&str>) -> Result<String, CommandError> {
    let (aws, keys): (AwsConfig, KeyConfig) = from_env()?;
    let keys = SigningKeys::new(aws.into(), keys, Outbound::new(), Arc::new(SystemClock));
    Ok(match revoke {
        Some(kid) => keys.revoke(kid).await?,
        None => keys.rotate().await?,
    })
}

/// The rows that the chain watcher cannot take further, as a table.
async fn list_stuck() -> Result<String, CommandError> {
    let (aws, tables): (AwsConfig, TableNames) = from_env()?;
    let store = store(&aws, tables);
    let rows = shared::stuck::list(&store).await?;
    Ok(stuck::table(&rows, store.now()))
}
