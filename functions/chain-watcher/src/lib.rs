//! Takes further what others decide: the chain, of transactions that the service issued and of mints; the
//! hub, of cross-chain transactions.

#[cfg(test)]
mod fixture;
mod mint;
mod payouts;
mod settlement;
mod transactions;
mod virtual_blocks;
mod xchain;

use std::{future::Future, sync::Arc, time::Duration};

use shared::{
    app::App,
    cosigning::{self, CosigningError},
    metrics::{self, Metric, Unit},
    models::transaction::Watch,
    outbound,
    store::{Key, StoreError},
};
use tokio::{sync::Semaphore, task::JoinSet, time::Instant};

/// Rows of one kind in one run.
const MOST: i32 = 200;
/// Rows that are looked at at once.
const AT_ONCE: usize = 8;
/// No look begins later than this after the run did: the function has a minute.
const LONGEST: Duration = Duration::from_secs(30);

/// Looks at every row that is due, of whatever kind, those first that have waited longest.
/// Answers how many there were. Safe to run twice at once, and to be killed anywhere:
/// each step is one write that rests on the rows as they were read.
///
/// # Errors
/// The rows that are due cannot be found. What fails of a row is logged, and comes again.
pub async fn run(app: App) -> Result<usize, CosigningError> {
    let begun = Instant::now();
    match measure(&app).await {
        Ok(metrics) => metrics::emit(&app, &metrics),
        Err(error) => tracing::warn!(%error, "nothing was measured"),
    }
    if let Err(error) = outbound::within_budget(cosigning::keep_fee_rate(&app)).await {
        tracing::warn!(%error, "no fee rate was kept");
    }
    // Side by side: of many that are due, none keeps those of another kind waiting.
    let (transactions, mints, withdrawals, swaps) = tokio::try_join!(
        look_at(&app, Watch::Transaction, begun, transactions::look),
        look_at(&app, Watch::Mint, begun, mint::look),
        look_at(&app, Watch::Withdrawal, begun, xchain::look),
        look_at(&app, Watch::Swap, begun, xchain::look)
    )?;
    tracing::info!(transactions, mints, withdrawals, swaps, "looked at what was due");
    Ok([mints, withdrawals, swaps].into_iter().fold(transactions, usize::saturating_add))
}

/// What a run begins with: how long a row has waited that was due, in seconds, and how many transactions
/// hold coins, because they wait for a signature or for the chain.
///
/// # Errors
/// [`StoreError`].
pub async fn measure(app: &App) -> Result<[Metric; 2], StoreError> {
    let store = &app.store;
    let (transactions, mints, withdrawals, swaps, open) = tokio::try_join!(
        store.oldest_due(Watch::Transaction),
        store.oldest_due(Watch::Mint),
        store.oldest_due(Watch::Withdrawal),
        store.oldest_due(Watch::Swap),
        store.watched(Watch::Transaction),
    )?;
    let oldest = [transactions, mints, withdrawals, swaps].into_iter().flatten().min();
    let waited = oldest.map_or(0, |oldest| app.clock.now().0.saturating_sub(oldest.0));
    let waited = u64::try_from(waited.div_euclid(1_000)).unwrap_or_default();
    Ok([
        Metric { name: "WatcherLag", unit: Unit::Seconds, value: waited },
        Metric { name: "OpenReservations", unit: Unit::Count, value: open },
    ])
}

/// Looks at the rows of one kind that are due, some at once.
async fn look_at<F>(
    app: &App,
    watch: Watch,
    begun: Instant,
    look: impl Fn(App, Key) -> F,
) -> Result<usize, CosigningError>
where
    F: Future<Output = Result<(), CosigningError>> + Send + 'static,
{
    let due = app.store.due(watch, MOST).await?;
    let (found, places) = (due.len(), Arc::new(Semaphore::new(AT_ONCE)));
    let mut looks = JoinSet::new();
    for key in due {
        let (looking, places) = (look(app.clone(), key.clone()), places.clone());
        looks.spawn(async move {
            let Ok(_place) = places.acquire().await else { return };
            if begun.elapsed() < LONGEST
                && let Err(error) = outbound::within_budget(looking).await
            {
                tracing::error!(row = key.pk(), %error, "not done, and comes again");
            }
        });
    }
    while looks.join_next().await.is_some() {}
    Ok(found)
}
