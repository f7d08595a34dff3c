//! The relations that every list has: `wallet` and `token` (`populate=wallet,token`).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use store::{Store, StoreError};

use crate::{
    keys,
    models::{
        account::{Account, AccountId},
        token::{Token, TokenId},
    },
};

/// The sign-in wallet of the row's account; null on rows of other accounts.
pub const WALLET: &str = "wallet";
/// The row's token or rune as in the catalogue; null if absent.
pub const TOKEN: &str = "token";

/// The sign-in wallet of an account; null if it has none.
pub async fn wallet_of(store: &Store, account: AccountId) -> Result<Value, StoreError> {
    let found = store.get_many::<Account>(&[keys::account(account)]).await?;
    Ok(json!(found.into_iter().flatten().next().and_then(|account| account.wallet)))
}

/// Reads tokens of the catalogue in one batch and returns those found by id.
pub async fn tokens_of(
    store: &Store,
    ids: impl IntoIterator<Item = TokenId>,
) -> Result<BTreeMap<String, Value>, StoreError> {
    let mut keys: Vec<_> = ids.into_iter().map(|id| keys::token(&id)).collect();
    keys.sort();
    keys.dedup();
    let found = store.get_many::<Token>(&keys).await?;
    let found = found.into_iter().flatten();
    Ok(found.map(|token| (token.token_id.to_string(), json!(token))).collect())
}
