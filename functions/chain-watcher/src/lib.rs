//! Follows the transactions that the service issued: takes further what a request left half done,
//! and notes what the chain says.

use std::{sync::Arc, time::Duration};

use shared::{
    app::App,
    cosigning::{self, CosigningError, IssuedTransaction},
    models::transaction::Watch,
    outbound,
    store::Key,
};
use tokio::{sync::Semaphore, task::JoinSet, time::Instant};

/// Rows of one run.
const MOST: i32 = 200;
/// Rows that are looked at at once.
const AT_ONCE: usize = 8;
/// No look begins later than this after the run did: the function has a minute.
const LONGEST: Duration = Duration::from_secs(30);

/// Looks at every row that is due, those first that have waited longest. Safe to run twice at once:
/// each step rests on the row as it was read.
///
/// # Errors
/// The rows that are due cannot be found. What fails of a row is logged, and comes again.
pub async fn run(app: App) -> Result<usize, CosigningError> {
    let (due, begun) = (app.store.due(Watch::Transaction, MOST).await?, Instant::now());
    let (found, places) = (due.len(), Arc::new(Semaphore::new(AT_ONCE)));
    let mut looks = JoinSet::new();
    for key in due {
        let (app, places) = (app.clone(), places.clone());
        looks.spawn(async move {
            let Ok(_place) = places.acquire().await else { return };
            if begun.elapsed() < LONGEST {
                outbound::within_budget(look(&app, &key)).await;
            }
        });
    }
    while looks.join_next().await.is_some() {}
    tracing::info!(found, "looked at transactions");
    Ok(found)
}

async fn look(app: &App, key: &Key) {
    let looked = async {
        match app.store.get::<IssuedTransaction>(key).await? {
            Some(row) => cosigning::track(app, &row).await,
            None => Ok(()),
        }
    };
    if let Err(error) = looked.await {
        tracing::error!(transaction = key.pk(), %error, "a transaction was not followed");
    }
}
