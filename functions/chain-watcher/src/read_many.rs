//! Reads many rows.

use chain::transactions::ChainError;
use futures_util::{StreamExt, TryStreamExt, stream};
use shared::store::{Entity, Key};

use crate::app::App;

/// Rows in one call, and calls that run concurrently.
const READ: usize = 100;
const READS_AT_ONCE: usize = 8;

/// Reads rows in the order of their keys: a hundred a call, several calls concurrently.
pub(crate) async fn read_many<T: Entity>(
    app: &App,
    keys: Vec<Key>,
) -> Result<Vec<Option<T>>, ChainError> {
    let parts: Vec<Vec<Key>> = keys.chunks(READ).map(<[_]>::to_vec).collect();
    let reads = parts.into_iter().map(|keys| async move { app.store.get_many::<T>(&keys).await });
    let found: Vec<_> = stream::iter(reads).buffered(READS_AT_ONCE).try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}
