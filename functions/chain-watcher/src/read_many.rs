//! Reads many rows.

use chain::transactions::ChainError;
use futures_util::{StreamExt, TryStreamExt, stream};
use store::{Entity, Key, StoreError};

use crate::app::App;

/// Rows in one call, and calls that run concurrently.
const READ: usize = 100;
const READS_AT_ONCE: usize = 8;

/// Reads rows in the order of their keys: a hundred a call, several calls concurrently.
pub(crate) async fn read_many<T: Entity>(
    app: &App,
    keys: Vec<Key>,
) -> Result<Vec<Option<T>>, ChainError> {
    let rows = read_each::<T>(app, keys).await?;
    Ok(rows.into_iter().map(Option::transpose).collect::<Result<_, _>>()?)
}

/// Like [`read_many`], for rows of several owners: one that cannot be read hides no other.
pub(crate) async fn read_each<T: Entity>(
    app: &App,
    keys: Vec<Key>,
) -> Result<Vec<Option<Result<T, StoreError>>>, ChainError> {
    let parts: Vec<Vec<Key>> = keys.chunks(READ).map(<[_]>::to_vec).collect();
    let reads = parts.into_iter().map(|keys| async move { app.store.get_each::<T>(&keys).await });
    let found: Vec<_> = stream::iter(reads).buffered(READS_AT_ONCE).try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}

/// The rows that can be read; the others are logged, and missing here like rows that do not exist.
pub(crate) async fn read_readable<T: Entity>(
    app: &App,
    keys: Vec<Key>,
) -> Result<Vec<Option<T>>, ChainError> {
    let rows = read_each::<T>(app, keys.clone()).await?;
    let readable = |(row, key): (Option<Result<T, StoreError>>, Key)| match row? {
        Ok(row) => Some(row),
        Err(error) => {
            tracing::error!(row = key.pk(), %error, "a row cannot be read; the others go on");
            None
        }
    };
    Ok(rows.into_iter().zip(keys).map(readable).collect())
}
