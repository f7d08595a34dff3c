//! The token catalogue.

use shared::{keys, models::token::Token};
use store::{CommitError, Store, Writes, lists};

/// Adds a token to the catalogue or replaces its entry, by order of an operator. Returns whether it was new.
///
/// # Errors
/// [`CommitError`] if another write was in the way or the store failed.
pub async fn enter(store: &Store, token: &Token) -> Result<bool, CommitError<()>> {
    let key = keys::token(&token.token_id);
    let lists = [keys::lists::tokens()];
    let appended = lists::append(store, &lists, |_| {
        (Writes::new().insert(&key, token, ()), token.token_id.clone())
    });
    match appended.await {
        Ok(_) => Ok(true),
        Err(CommitError::Condition(())) => {
            store.put(&key, token).await?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}
