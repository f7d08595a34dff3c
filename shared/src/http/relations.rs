//! The relations that every list has: `wallet` and `token` (`populate=wallet,token`).

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{
    models::{
        account::{Account, AccountId},
        token::{Token, TokenId},
    },
    store::{Key, Store, StoreError},
};

/// The sign-in wallet of the account that a row belongs to; null on rows of others.
pub const WALLET: &str = "wallet";
/// The token or rune of a row, as the catalogue has it, or null.
pub const TOKEN: &str = "token";

/// The sign-in wallet of an account; null without one.
///
/// # Errors
/// [`StoreError`].
pub async fn wallet_of(store: &Store, account: AccountId) -> Result<Value, StoreError> {
    let found = store.get_many::<Account>(&[Key::account(account)]).await?;
    Ok(json!(found.into_iter().flatten().next().and_then(|account| account.wallet)))
}

/// The tokens of the catalogue among these ids, by id: read in one batch.
///
/// # Errors
/// [`StoreError`].
pub async fn tokens_of(
    store: &Store,
    ids: impl IntoIterator<Item = TokenId>,
) -> Result<HashMap<String, Value>, StoreError> {
    let mut keys: Vec<_> = ids.into_iter().map(|id| Key::token(&id)).collect();
    keys.sort();
    keys.dedup();
    let found = store.get_many::<Token>(&keys).await?;
    let related = found
        .into_iter()
        .flatten()
        .map(|token| (token.token_id.to_string(), with_divisibility(json!(token), token.decimals)));
    Ok(related.collect())
}

/// A token, and its decimals as runes call them.
pub fn with_divisibility(mut token: Value, decimals: u8) -> Value {
    if let Some(token) = token.as_object_mut() {
        token.insert("divisibility".to_owned(), json!(decimals));
    }
    token
}
