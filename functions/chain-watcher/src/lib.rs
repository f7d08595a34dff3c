//! Advances rows whose next step depends on others: on the chain for issued transactions and mints, on the
//! hub for cross-chain transactions.
//!
//! Each kind of work has its own queue and a second one for its stuck rows. The worker processes all queues
//! concurrently, each with its own slots, so a flood or slow rows of one kind do not delay the others
//! (custody rules 26 and 27).

mod app;
mod applied;
mod bids;
mod bump;
mod deposits;
#[cfg(test)]
mod fixture;
mod follower;
mod issued;
mod mint;
mod mint_rows;
mod outlook;
mod payouts;
mod read_many;
mod renewals;
mod room;
mod rounds;
mod row_outcome;
mod settlement;
mod virtual_blocks;
mod xchain;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use base::{
    clock::Timestamp,
    metrics::{Metric, Unit},
    span::{self, Context, carried},
    traces,
};
use chain::{
    blocks::Tip,
    keys,
    transactions::{self, ChainError},
};
use futures_util::future::{join_all, try_join_all};
use rounds::Part;
use shared::{
    core::Core,
    http::AsProblem,
    lambda::Start,
    models::watch::{Origin, Watch},
    source::SourceError,
    stuck::{self, StuckRow, Trouble},
};
use store::{
    Key, QueuePlace, Store, StoreError,
    lists::{self, Log},
};
use tokio::{
    sync::Semaphore,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

pub use app::App;
use room::Look;
use row_outcome::RowOutcome;

/// The lists that many writers append to.
const LOGS: [Log; 3] = [keys::lists::ALL_ACCOUNTS, keys::lists::XCHAIN, keys::lists::VM];
/// Target of the log lines about processed queues: the local world, which processes them every five seconds, leaves them out.
const LOOKS: &str = "chain_watcher::looks";
/// The most rows that one query of a queue finds. A run reads further pages while it has time.
const PAGE: i32 = 200;
/// The most rows that one run visits in a queue that is visited in rounds. Most visits end after one request
/// to Esplora.
const MOST_IN_TURN: i32 = 1_000;
/// Rows of most queues that are processed concurrently.
const CONCURRENT_ROWS: usize = 8;
/// The same for withdrawals, and for swaps that the hub has confirmed: they mostly wait for the hub's
/// answers.
const CONCURRENT_ASKS: usize = 32;
/// A pass over a queue starts no further row after this time.
const LAST_START: Duration = Duration::from_secs(30);
/// How long the first part of a run follows the chain; the next run continues.
const FOLLOWING: Duration = Duration::from_secs(45);
/// The pause between two checks for a new block, or for rows that have become due.
const BETWEEN_LOOKS: Duration = Duration::from_secs(5);
/// The last check for a new block begins by this time of the minute.
const LAST_LOOK: Duration = Duration::from_secs(50);
/// The work after the last check ends by this time.
const END: Duration = Duration::from_secs(55);
/// A row that takes longer counts as failed. Its writes stay, and the next run continues from there.
const ROW_TIMEOUT: Duration = Duration::from_secs(24);

/// Applies the new blocks and processes the due rows of every queue, longest waiting first; returns the
/// number of blocks and rows. It is safe to run twice concurrently and to kill at any point: each step is one
/// write batch, conditioned on the rows as they were read.
///
/// # Errors
/// The due rows of a queue cannot be found; the other queues are processed all the same. A failed row is
/// logged and counted, and a later run retries it.
pub async fn run(app: App) -> Result<usize, ChainError> {
    recorded_run(&app.for_a_run()).await
}

async fn recorded_run(app: &App) -> Result<usize, ChainError> {
    let work = Box::pin(run_once(app));
    traces::on_schedule(app.tracer.as_ref(), "chain-watcher", work).await
}

async fn run_once(app: &App) -> Result<usize, ChainError> {
    let begun = Instant::now();
    let (on_blocks, others): (Vec<_>, Vec<_>) =
        Watch::OF_CHAIN_WATCHER.into_iter().partition(|kind| kind.is_swept());
    let (followed, others, (), (), ()) = tokio::join!(
        Box::pin(follow_blocks(app, &on_blocks, begun)),
        Box::pin(process_queues(app, &others, None, begun)),
        emit_metrics(app),
        keep_fee_rate(app),
        append_what_waits(app)
    );
    let (mut rows, mut failure) = (0_usize, None);
    for found in followed.into_iter().chain(others) {
        match found {
            Ok(found) => rows = rows.saturating_add(found),
            Err(error) => failure = Some(error),
        }
    }
    tracing::debug!(rows, "processed the due rows");
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(rows),
    }
}

/// Runs [`run`] if the schedule asks for it `once`, and [`run_for_a_minute`] otherwise.
///
/// # Errors
/// As [`run`].
pub async fn run_as_asked(app: App, start: Start) -> Result<usize, ChainError> {
    if start.once { run(app).await } else { run_for_a_minute(app).await }
}

/// Does the work of a minute: runs [`run`] and, concurrently, applies each new block within seconds, until
/// the next minute's run is near. A row that hangs does not delay blocks.
///
/// # Errors
/// As [`run`].
pub async fn run_for_a_minute(app: App) -> Result<usize, ChainError> {
    let (app, begun) = (app.for_a_run(), Instant::now());
    let queues = async {
        let rows = recorded_run(&app).await;
        ask_again(&app, begun).await;
        rows
    };
    let (rows, ()) = tokio::join!(Box::pin(queues), Box::pin(look_for_blocks(&app, begun)));
    rows
}

/// Processes swaps and withdrawals that become due after the run has gone through their queues.
async fn ask_again(app: &App, begun: Instant) {
    const ASKED: [Watch; 3] = [Watch::Withdrawal, Watch::Swap, Watch::NewSwap];
    while begun.elapsed().saturating_add(BETWEEN_LOOKS) <= LAST_START {
        sleep(BETWEEN_LOOKS).await;
        // A queue that cannot be read is logged, and the next run reads it.
        let _looked = Box::pin(process_queues(app, &ASKED, None, begun)).await;
    }
}

/// How many rows of a queue are processed concurrently. Rows that anyone can create, and rows that fail, get no
/// more than the others (custody rule 27).
const fn places_of(queue: Watch) -> usize {
    match queue {
        Watch::Swap | Watch::Withdrawal => CONCURRENT_ASKS,
        _ => CONCURRENT_ROWS,
    }
}

/// Applies each new block within seconds, and processes the mints that it concerns.
async fn look_for_blocks(app: &App, begun: Instant) {
    while begun.elapsed().saturating_add(BETWEEN_LOOKS) <= LAST_LOOK {
        sleep(BETWEEN_LOOKS).await;
        let left = || END.saturating_sub(begun.elapsed());
        // A failed attempt may have applied some blocks.
        if Box::pin(apply_blocks(app, left())).await == Some(0) {
            continue;
        }
        let looked = timeout(left(), Box::pin(look_at_mints(app)));
        if looked.await.is_err() {
            tracing::warn!("mints wait for the next run");
        }
    }
}

/// Emits how far the worker is behind the chain, and processes the mints. It may be cancelled at any point;
/// the next call continues.
async fn look_at_mints(app: &App) {
    let tip = tip(app).await;
    emit_blocks_behind(app, tip.as_ref()).await;
    let looking = process_queue(app, Watch::Mint, tip.map(Arc::new), Instant::now());
    if let Err(error) = looking.await {
        tracing::warn!(%error, "mints wait for the next run");
    }
}

/// Applies new blocks for at most `most`; returns their number, or `None` if it failed. Blocks that another part
/// of this run is applying are left to it.
async fn apply_blocks(app: &App, most: Duration) -> Option<usize> {
    let Ok(_following) = app.following.try_lock() else { return Some(0) };
    let following = Box::pin(follower::follow(app, Instant::now()));
    match timeout(most, following).await {
        Ok(Ok(blocks)) => Some(blocks),
        Ok(Err(error)) => {
            tracing::warn!(%error, "failed to follow the chain");
            None
        }
        Err(_elapsed) => {
            tracing::warn!(error = "not done in time", "failed to follow the chain");
            None
        }
    }
}

/// The newest applied block.
async fn tip(app: &App) -> Option<Tip> {
    app.outbound.within_budget(follower::tip(app)).await.unwrap_or_else(|error| {
        tracing::error!(%error, "failed to read the tip");
        None
    })
}

/// Applies the new blocks, then processes the queues whose rows depend on them.
async fn follow_blocks(
    app: &App,
    kinds: &[Watch],
    begun: Instant,
) -> Vec<Result<usize, StoreError>> {
    let blocks = apply_blocks(app, FOLLOWING).await.unwrap_or_default();
    let tip = tip(app).await;
    // A server that does not answer must not delay the run beyond its minute.
    let left = END.saturating_sub(begun.elapsed());
    if timeout(left, emit_blocks_behind(app, tip.as_ref())).await.is_err() {
        tracing::warn!("the newest block is unknown");
    }
    let mut looked = process_queues(app, kinds, tip.map(Arc::new), begun).await;
    looked.push(Ok(blocks));
    looked
}

/// Emits how far the worker is behind. If the chain does not answer, the metric is missing, and its alarm
/// reacts to that.
async fn emit_blocks_behind(app: &App, tip: Option<&Tip>) {
    match blocks_behind(app, tip).await {
        Ok(behind) => app.emit(&[behind]),
        Err(error) => tracing::warn!(%error, "the newest block is unknown"),
    }
}

/// How many blocks the chain has above this tip, whether or not they can be applied.
///
/// # Errors
/// [`SourceError`] if Esplora does not answer.
pub async fn blocks_behind(app: &App, tip: Option<&Tip>) -> Result<Metric, SourceError> {
    let newest = app.outbound.within_budget(app.esplora.tip_height()).await?;
    let value = tip.map_or(newest, |tip| newest.saturating_sub(tip.height)).into();
    Ok(Metric { name: "BlocksBehind", unit: Unit::Count, value })
}

/// Processes the queues of these kinds, including their stuck rows.
async fn process_queues(
    app: &App,
    kinds: &[Watch],
    tip: Option<Arc<Tip>>,
    begun: Instant,
) -> Vec<Result<usize, StoreError>> {
    let queues = kinds.iter().flat_map(|kind| [*kind, kind.stuck()]);
    join_all(queues.map(|queue| process_queue(app, queue, tip.clone(), begun))).await
}

/// Measures and emits the metrics.
async fn emit_metrics(app: &App) {
    match measure(app).await {
        Ok(metrics) => app.emit(&metrics),
        Err(error) => tracing::warn!(%error, "failed to measure"),
    }
}

/// Appends entries that no request is waiting to append any more to their lists.
async fn append_what_waits(app: &App) {
    let logs = LOGS.map(|log| app.outbound.within_budget(lists::catch_up(&app.store, log)));
    let mut oldest = Duration::ZERO;
    for waited in join_all(logs).await {
        match waited {
            Ok(waited) => oldest = oldest.max(waited),
            Err(error) => tracing::error!(%error, "failed to read the waiting list entries"),
        }
    }
    let value = oldest.as_secs();
    app.emit(&[Metric { name: "TailAge", unit: Unit::Seconds, value }]);
}

async fn keep_fee_rate(app: &App) {
    if let Err(error) = app.outbound.within_budget(transactions::keep_fee_rate(app)).await {
        tracing::warn!(%error, "failed to cache a fee rate");
    }
}

/// The metrics of every run: how long a due row has waited, or how long a round over a queue takes, in
/// seconds, for rows that cost their creator something and for those that do not; how many transactions hold
/// coins while they wait for the chain, or for a signature without which other rows change; and for each
/// [`Origin`] how many rows are stuck, and how many of them became stuck within the last [`stuck::NEWLY`].
pub async fn measure(core: &Core) -> Result<[Metric; 9], StoreError> {
    let (store, now) = (&core.store, core.clock.now());
    let free = [Watch::Draft, Watch::NewSwap, Watch::Deposit, Watch::Renewal];
    let holding = [
        Watch::Draft,
        Watch::Transaction,
        Watch::Payout,
        Watch::SentTransaction,
        Watch::SentPayout,
    ];
    let holding = holding.into_iter().flat_map(|kind| [kind, kind.stuck()]);
    let (due, held, stuck) = tokio::try_join!(
        try_join_all(
            Watch::OF_CHAIN_WATCHER
                .map(|kind| async move { Ok((kind, waits_since(store, kind).await?)) })
        ),
        try_join_all(holding.map(|queue| store.watched(queue))),
        stuck::count(store),
    )?;
    let rows = if stuck.iter().any(|(_, rows)| *rows > 0) {
        stuck::list(store).await?
    } else {
        Vec::new()
    };
    // Applied blocks reach these rows; rounds only find what blocks have missed.
    let followed = [Watch::SentTransaction, Watch::SentPayout];
    let oldest = |is_free: bool| {
        let due = due.iter().filter(|(kind, _)| !followed.contains(kind));
        let due = due.filter(|(kind, _)| free.contains(kind) == is_free);
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

/// Since when rows of a queue have waited.
async fn waits_since(store: &Store, queue: Watch) -> Result<Option<Timestamp>, StoreError> {
    match queue.is_swept() {
        true => rounds::waits_since(store, queue).await,
        false => store.oldest_due(queue).await,
    }
}

/// How many rows of each origin are stuck, and how many of them became stuck recently.
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

/// Processes the rows of one queue that are due, or next in its round; returns their number.
async fn process_queue(
    app: &App,
    queue: Watch,
    tip: Option<Arc<Tip>>,
    begun: Instant,
) -> Result<usize, StoreError> {
    let failed = |error: &StoreError| {
        tracing::error!(?queue, %error, "failed to find the due rows of a queue");
    };
    let rows = if queue.is_swept() {
        let part = Part::next(&app.store, queue, MOST_IN_TURN).await.inspect_err(failed)?;
        set_aside(app, queue, part.malformed()).await;
        let looks = Looks::start(app, (queue, tip), part.keys(), begun).await;
        let rows = looks.rows.len();
        if let Err(error) = part.note(&app.store, rows).await {
            failed(&error);
        }
        looks.end(app, queue).await;
        rows
    } else {
        process_due(app, queue, tip, begun).await.inspect_err(failed)?
    };
    if rows > 0 {
        tracing::info!(target: LOOKS, ?queue, rows, "processed a queue");
    }
    Ok(rows)
}

/// Moves rows whose due time cannot be read to the queue of stuck rows, so that they are counted and do not
/// come first in each run.
async fn set_aside(app: &App, queue: Watch, rows: &[Key]) {
    for row in rows {
        let cause = "its due time cannot be read";
        tracing::error!(?queue, row = row.pk(), cause, "row failed; looked at again later");
        if let Err(error) = stuck::set_aside(&app.store, row, queue, cause).await {
            tracing::error!(?queue, row = row.pk(), %error, "failed to note the outcome of a row");
        }
    }
}

/// Processes the rows of one queue that are due now, each once, page by page; returns their number.
async fn process_due(
    app: &App,
    queue: Watch,
    tip: Option<Arc<Tip>>,
    begun: Instant,
) -> Result<usize, StoreError> {
    let (until, mut after, mut rows) = (app.clock.now(), None, 0_usize);
    loop {
        let page = app.store.due_after(queue, after.as_ref(), until, PAGE).await?;
        set_aside(app, queue, &page.malformed).await;
        let due: Vec<_> = page.places.iter().map(QueuePlace::key::<Watch>).collect();
        let found = due.len();
        let looks = Looks::start(app, (queue, tip.clone()), due, begun).await;
        let started = looks.rows.len();
        looks.end(app, queue).await;
        rows = rows.saturating_add(started);
        // If all rows of a page are malformed, the next run continues: they are no longer due then.
        after = page.places.into_iter().next_back();
        if !page.are_more || after.is_none() || started < found {
            return Ok(rows);
        }
    }
}

/// Rows whose processing has started; some may still be running.
struct Looks {
    running: JoinSet<()>,
    rows: BTreeMap<tokio::task::Id, Key>,
}

impl Looks {
    /// Starts to process rows, several concurrently, until there is no time to start another.
    async fn start(
        app: &App,
        (queue, tip): (Watch, Option<Arc<Tip>>),
        rows: Vec<Key>,
        begun: Instant,
    ) -> Self {
        let places = Arc::new(Semaphore::new(places_of(queue)));
        let mut looks = Self { running: JoinSet::new(), rows: BTreeMap::new() };
        for row in rows {
            let Ok(place) = places.clone().acquire_owned().await else { break };
            if begun.elapsed() >= LAST_START {
                break;
            }
            let (app, key, tip) = (app.clone(), row.clone(), tip.clone());
            let look = async move {
                match look_at(&app, (queue, tip), &key, Look::at(place), begun).await {
                    Some(looked) => note_outcome(&app, queue, &key, looked).await,
                    None => tracing::info!(?queue, row = key.pk(), "row waits for memory"),
                }
            };
            // Boxed, or a thread's stack overflows in a debug build.
            let look = span::within(queue.look(), Box::pin(look));
            let look = looks.running.spawn(carried(Context::current(), look));
            looks.rows.insert(look.id(), row);
        }
        looks
    }

    /// Waits for the rows that are still running.
    async fn end(mut self, app: &App, queue: Watch) {
        while let Some(joined) = self.running.join_next().await {
            if let Err(error) = joined
                && let Some(row) = self.rows.get(&error.id())
            {
                note_outcome(app, queue, row, Err("processing panicked".to_owned())).await;
            }
        }
    }
}

/// Processes one row within its time. If the look needs memory that others occupy, it gives up its place,
/// waits until the memory is free, and begins again with its full time. `None` if the memory does not become
/// free during this pass.
async fn look_at(
    app: &App,
    (queue, tip): (Watch, Option<Arc<Tip>>),
    key: &Key,
    mut look: Look,
    begun: Instant,
) -> Option<Result<RowOutcome, String>> {
    loop {
        let of_look = Arc::new(look);
        let app = app.for_a_look(of_look.clone());
        let looking = process_row(app.clone(), queue, key.clone(), tip.clone());
        let looking = app.outbound.within_budget(Box::pin(looking));
        let batches = tokio::select! {
            looked = timeout(app.outbound.stretched(ROW_TIMEOUT), looking) => {
                return Some(looked.unwrap_or_else(|_elapsed| Err("not done in time".to_owned())));
            }
            batches = of_look.waits() => batches,
        };
        let left = LAST_START.saturating_sub(begun.elapsed());
        look = timeout(left, app.look_with_room(batches)).await.ok()??;
    }
}

/// Processes one row.
///
/// # Errors
/// A text for the log that says why the row could not be processed.
async fn process_row(
    app: App,
    queue: Watch,
    key: Key,
    tip: Option<Arc<Tip>>,
) -> Result<RowOutcome, String> {
    let tip = tip.as_deref();
    let looked = match (queue.kind(), tip) {
        (Watch::Mint, _) => mint::process_row(app.clone(), key.clone()).await.map(|outcome| {
            let id = key.pk().strip_prefix("mint#").and_then(|id| id.parse().ok());
            match id {
                Some(id) => settlement::with_alarm(&app, id, outcome),
                None => outcome,
            }
        }),
        (Watch::Withdrawal | Watch::Swap | Watch::NewSwap, _) => {
            return xchain::process_row(app, queue, key).await;
        }
        (Watch::Deposit, _) => deposits::process_row(app, key).await,
        (Watch::DepositBlock, _) => deposits::process_block(app, key).await,
        (Watch::Renewal, _) => renewals::process_row(app, key).await,
        _ => issued::process_row(app, key, tip).await,
    };
    looked.map_err(|error| error.internal())
}

/// Records the outcome on the row. A row that was healthy and still is costs no write.
async fn note_outcome(app: &App, queue: Watch, key: &Key, looked: Result<RowOutcome, String>) {
    let noted = match looked {
        Err(cause) => {
            tracing::error!(
                ?queue,
                row = key.pk(),
                error = cause,
                "row failed; looked at again later"
            );
            stuck::note(&app.store, key, queue, &Trouble::Failed(cause)).await
        }
        Ok(RowOutcome { waits: Some(waits), .. }) => {
            stuck::note(&app.store, key, queue, &waits).await
        }
        Ok(RowOutcome { failing: Some(_), .. }) => stuck::recovered(&app.store, key).await,
        Ok(_) => Ok(()),
    };
    if let Err(error) = noted {
        tracing::error!(?queue, row = key.pk(), %error, "failed to note the outcome of a row");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use shared::models::watch::Failing;

    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn stuck_for(kind: Watch, minutes: u64) -> StuckRow {
        let ago = Duration::from_secs(minutes.saturating_mul(60));
        let stuck_at = Timestamp(NOW.0.saturating_sub(i64::try_from(ago.as_millis()).unwrap()));
        let failing =
            Failing { times: 9, since: stuck_at, stuck_at: Some(stuck_at), cause: String::new() };
        StuckRow { kind, key: keys::fee_rate(), account: None, state: String::new(), failing }
    }

    fn measured(rows: &[StuckRow]) -> [u64; 6] {
        let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
        let counts =
            Watch::OF_CHAIN_WATCHER.map(|kind| (kind, u64::try_from(count(kind)).unwrap()));
        stuck_metrics(&counts, rows, NOW).map(|metric| metric.value)
    }

    #[test]
    fn a_run_lasts_a_minute_unless_it_is_asked_to_look_once() {
        let once = |event| serde_json::from_str::<Start>(event).unwrap().once;
        assert!(!once(r#"{"id":"1","source":"aws.scheduler","detail":{}}"#));
        assert!(once(r#"{"once":true}"#));
    }

    #[test]
    fn custody_26_stuck_rows_are_counted_by_origin() {
        assert_eq!(measured(&[]), [0; 6]);
        for (kinds, at) in [
            (&[Watch::Payout, Watch::Mint][..], 0),
            (&[Watch::Transaction, Watch::Withdrawal], 2),
            (&[Watch::Draft, Watch::NewSwap, Watch::Swap, Watch::Deposit, Watch::DepositBlock], 4),
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
    fn custody_26_an_old_stuck_row_does_not_hide_a_new_one() {
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
