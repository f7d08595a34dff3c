//! Takes further what others decide: the chain, of transactions that the service issued and of mints; the
//! hub, of cross-chain transactions.
//!
//! Each kind of work has a queue of its own, and another one for its stuck rows. All queues are worked on
//! concurrently, each with its own places, so that neither a flood of one kind nor slow rows of one kind
//! cost the others anything (custody rules 26 and 27).

#[cfg(test)]
mod fixture;
mod issued;
mod mint;
mod payouts;
mod settlement;
mod virtual_blocks;
mod xchain;

use std::{collections::HashMap, sync::Arc, time::Duration};

use futures_util::future::{join_all, try_join_all};
use shared::{
    app::App,
    clock::Timestamp,
    http::AreaError,
    metrics::{self, Metric, Unit},
    models::transaction::{Failing, Origin, Watch},
    outbound,
    store::{Key, StoreError},
    stuck::{self, StuckRow, Trouble},
    transactions::{self, CosigningError},
};
use tokio::{
    sync::Semaphore,
    task::JoinSet,
    time::{Instant, timeout},
};

/// Rows of one queue in one run.
const MOST: i32 = 200;
/// Rows of one queue that are looked at concurrently.
const AT_ONCE: usize = 8;
/// No look begins later than this after its run: the function has a minute.
const LAST_BEGINNING: Duration = Duration::from_secs(30);
/// A look that takes longer has failed. What it has written stands; the next look goes on from there.
const LONGEST_LOOK: Duration = Duration::from_secs(24);

/// What a look at a row came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// What was noted of the row before the look.
    pub(crate) failing: Option<Failing>,
    /// What the row waits for that should have happened by now.
    pub(crate) waits: Option<Trouble>,
}

/// Looks at every row that is due, of every queue, those first that have waited longest. Answers how
/// many there were. Safe to run twice concurrently, and to be killed anywhere: each step is one write
/// that rests on the rows as they were read.
///
/// # Errors
/// The due rows of a queue cannot be found; the other queues were worked on all the same. A row that
/// fails is logged and counted, and a later run looks at it again.
pub async fn run(app: App) -> Result<usize, CosigningError> {
    let begun = Instant::now();
    let queues = Watch::OF_CHAIN_WATCHER.into_iter().flat_map(|kind| [kind, kind.stuck()]);
    let looks = join_all(queues.map(|queue| look_at(&app, queue, begun)));
    let (looked, (), ()) = tokio::join!(looks, tell(&app), keep_fee_rate(&app));
    let (mut rows, mut failure) = (0_usize, None);
    for found in looked {
        match found {
            Ok(found) => rows = rows.saturating_add(found),
            Err(error) => failure = Some(error),
        }
    }
    tracing::info!(rows, "looked at what was due");
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(rows),
    }
}

/// Measures, and writes the values down.
async fn tell(app: &App) {
    match measure(app).await {
        Ok(metrics) => metrics::emit(app, &metrics),
        Err(error) => tracing::warn!(%error, "nothing was measured"),
    }
}

async fn keep_fee_rate(app: &App) {
    if let Err(error) = outbound::within_budget(transactions::keep_fee_rate(app)).await {
        tracing::warn!(%error, "no fee rate was kept");
    }
}

/// What every run measures: how long a row has waited that was due, in seconds, apart from what every
/// account can make for free, and for that alone; how many transactions hold coins, because they wait for
/// the chain, or for a signature whose absence changes other rows; and, of each [`Origin`], how many rows
/// are stuck, and how many of them became so within the last [`stuck::NEWLY`].
///
/// # Errors
/// [`StoreError`].
pub async fn measure(app: &App) -> Result<[Metric; 9], StoreError> {
    let (store, now) = (&app.store, app.clock.now());
    let free = [Watch::Draft, Watch::NewSwap];
    let holding = [Watch::Draft, Watch::Transaction, Watch::Payout];
    let holding = holding.into_iter().flat_map(|kind| [kind, kind.stuck()]);
    let (due, held, stuck) = tokio::try_join!(
        try_join_all(
            Watch::OF_CHAIN_WATCHER
                .map(|kind| async move { Ok((kind, store.oldest_due(kind).await?)) })
        ),
        try_join_all(holding.map(|queue| store.watched(queue))),
        stuck::count(store),
    )?;
    let rows = if stuck.iter().any(|(_, rows)| *rows > 0) {
        stuck::list(store).await?
    } else {
        Vec::new()
    };
    let oldest = |is_free: bool| {
        let due = due.iter().filter(|(kind, _)| free.contains(kind) == is_free);
        due.filter_map(|(_, oldest)| *oldest).min()
    };
    let seconds = |since: Option<Timestamp>| {
        let waited = since.map_or(0, |since| now.0.saturating_sub(since.0));
        u64::try_from(waited.div_euclid(1_000)).unwrap_or_default()
    };
    let held = held.into_iter().fold(0, u64::saturating_add);
    let [payouts, new_payouts, signed, new_signed, free, new_free] =
        stuck_metrics(&stuck, &rows, now);
    Ok([
        Metric { name: "WatcherLag", unit: Unit::Seconds, value: seconds(oldest(false)) },
        Metric { name: "DraftLag", unit: Unit::Seconds, value: seconds(oldest(true)) },
        Metric { name: "OpenReservations", unit: Unit::Count, value: held },
        payouts,
        new_payouts,
        signed,
        new_signed,
        free,
        new_free,
    ])
}

/// How many rows of each origin are stuck, and how many of them became so lately.
fn stuck_metrics(counts: &[(Watch, u64)], rows: &[StuckRow], now: Timestamp) -> [Metric; 6] {
    let standing = |origin: Origin| {
        let counts = counts.iter().filter(|(kind, _)| kind.origin() == origin);
        counts.fold(0, |sum: u64, (_, rows)| sum.saturating_add(*rows))
    };
    let new = |origin: Origin| {
        let rows = rows.iter().filter(|row| row.kind.origin() == origin && row.is_new(now));
        u64::try_from(rows.count()).unwrap_or(u64::MAX)
    };
    let (platform, user, anyone) = (Origin::Platform, Origin::User, Origin::Anyone);
    let unit = Unit::Count;
    [
        Metric { name: "StuckPayouts", unit, value: standing(platform) },
        Metric { name: "NewlyStuckPayouts", unit, value: new(platform) },
        Metric { name: "StuckSignedRows", unit, value: standing(user) },
        Metric { name: "NewlyStuckSignedRows", unit, value: new(user) },
        Metric { name: "StuckFreeRows", unit, value: standing(anyone) },
        Metric { name: "NewlyStuckFreeRows", unit, value: new(anyone) },
    ]
}

/// Looks at the rows of one queue that are due, some concurrently; answers how many were due.
async fn look_at(app: &App, queue: Watch, begun: Instant) -> Result<usize, StoreError> {
    let due = app.store.due(queue, MOST).await.inspect_err(|error| {
        tracing::error!(?queue, %error, "the due rows of a queue were not found");
    })?;
    let (found, places) = (due.len(), Arc::new(Semaphore::new(AT_ONCE)));
    let (mut looks, mut keys) = (JoinSet::new(), HashMap::new());
    for key in due {
        let (app, row, places) = (app.clone(), key.clone(), places.clone());
        let look = looks.spawn(async move {
            let Ok(_place) = places.acquire().await else { return };
            if begun.elapsed() < LAST_BEGINNING {
                let looking = outbound::within_budget(look(app.clone(), queue, row.clone()));
                let looked = timeout(LONGEST_LOOK, looking).await;
                let looked = looked.unwrap_or_else(|_elapsed| Err("not done in time".to_owned()));
                note(&app, queue, &row, looked).await;
            }
        });
        keys.insert(look.id(), key);
    }
    while let Some(joined) = looks.join_next().await {
        if let Err(error) = joined
            && let Some(key) = keys.get(&error.id())
        {
            note(app, queue, key, Err("the look panicked".to_owned())).await;
        }
    }
    if found > 0 {
        tracing::info!(?queue, rows = found, "looked at a queue");
    }
    Ok(found)
}

/// Looks at one row.
///
/// # Errors
/// What the log says.
async fn look(app: App, queue: Watch, key: Key) -> Result<Looked, String> {
    let looked = match queue.kind() {
        Watch::Mint => mint::look(app, key).await,
        Watch::Withdrawal | Watch::Swap | Watch::NewSwap => return xchain::look(app, key).await,
        _ => issued::look(app, key).await,
    };
    looked.map_err(|error| error.internal())
}

/// Notes what a look came to. Nothing is written of a row that is well and was.
async fn note(app: &App, queue: Watch, key: &Key, looked: Result<Looked, String>) {
    let noted = match looked {
        Err(cause) => {
            tracing::error!(
                ?queue,
                row = key.pk(),
                error = cause,
                "row failed; looked at again later"
            );
            stuck::note(&app.store, key, &Trouble::Failed(cause)).await
        }
        Ok(Looked { waits: Some(waits), .. }) => stuck::note(&app.store, key, &waits).await,
        Ok(Looked { failing: Some(_), .. }) => stuck::recovered(&app.store, key).await,
        Ok(_) => Ok(()),
    };
    if let Err(error) = noted {
        tracing::error!(?queue, row = key.pk(), %error, "what became of a row was not noted");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn stuck_for(kind: Watch, minutes: u64) -> StuckRow {
        let ago = Duration::from_secs(minutes.saturating_mul(60));
        let stuck_at = Timestamp(NOW.0.saturating_sub(i64::try_from(ago.as_millis()).unwrap()));
        let failing =
            Failing { times: 9, since: stuck_at, stuck_at: Some(stuck_at), cause: String::new() };
        StuckRow { kind, key: Key::fee_rate(), state: String::new(), failing }
    }

    fn measured(rows: &[StuckRow]) -> [u64; 6] {
        let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
        let counts =
            Watch::OF_CHAIN_WATCHER.map(|kind| (kind, u64::try_from(count(kind)).unwrap()));
        stuck_metrics(&counts, rows, NOW).map(|metric| metric.value)
    }

    #[test]
    fn custody_26_stuck_rows_are_counted_apart_by_who_can_make_them() {
        assert_eq!(measured(&[]), [0; 6]);
        for (kinds, at) in [
            (&[Watch::Payout, Watch::Mint][..], 0),
            (&[Watch::Transaction, Watch::Withdrawal], 2),
            (&[Watch::Draft, Watch::NewSwap, Watch::Swap], 4),
        ] {
            for kind in kinds {
                let (mut standing, mut both) = ([0; 6], [0; 6]);
                standing[at] = 1;
                assert_eq!(measured(&[stuck_for(*kind, 60)]), standing, "{kind:?}");
                both[at] = 1;
                both[at + 1] = 1;
                assert_eq!(measured(&[stuck_for(*kind, 1)]), both, "{kind:?}");
            }
        }
    }

    #[test]
    fn custody_26_a_row_that_is_stuck_for_weeks_hides_no_new_one() {
        let three_weeks = 3 * 7 * 24 * 60;
        let refused = stuck_for(Watch::Transaction, three_weeks);
        assert_eq!(measured(std::slice::from_ref(&refused)), [0, 0, 1, 0, 0, 0]);
        let new = stuck_for(Watch::Withdrawal, 7);
        assert_eq!(measured(&[refused.clone(), new]), [0, 0, 2, 1, 0, 0]);
        let later = stuck_for(Watch::Withdrawal, 8);
        assert_eq!(measured(&[refused.clone(), later]), [0, 0, 2, 0, 0, 0]);
        let payout = stuck_for(Watch::Payout, 0);
        assert_eq!(measured(&[refused, payout]), [1, 1, 1, 0, 0, 0]);
    }
}
