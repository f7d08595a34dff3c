//! Runs that are killed at any moment: the file is the same, byte for byte.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use base::random::{Random, SystemSource};
use local::{Latch, LocalStack, client::twenty_at_once};
use outbox::exports::{Cursor, Export};
use shared::models::{export::ExportStatus, watch::Watch};
use store::{Update, Writes};
use tokio::task::JoinHandle;

use crate::{
    LEASE_OVER, ask, distant_deadline, event, file, make, message, row, run, second_part_held,
    swaps, with_swaps,
};

/// Enough rows for several parts.
const COUNT: u64 = 6_000;

/// A future that is dropped after it was polled a given number of times.
struct Killed<F> {
    work: Pin<Box<F>>,
    wakes: u64,
    most: u64,
}

impl<F: Future> Future for Killed<F> {
    /// The output, if the future finished in time, and the number of polls.
    type Output = (Option<F::Output>, u64);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.wakes >= self.most {
            return Poll::Ready((None, self.wakes));
        }
        self.wakes += 1;
        let wakes = self.wakes;
        self.work.as_mut().poll(context).map(|output| (Some(output), wakes))
    }
}

/// A run that is dropped after `most` polls; returns whether it finished earlier, and the number of polls.
async fn killed(stack: &LocalStack, export: &Export, most: u64) -> (bool, u64) {
    let work = export_worker::handle(
        stack.app().export_worker.clone(),
        event(&message(export), 1),
        distant_deadline(),
    );
    let (ended, wakes) = Killed { work: Box::pin(work), wakes: 0, most }.await;
    (ended.is_some(), wakes)
}

fn random_up_to(most: u64) -> u64 {
    let random: &dyn Random = &SystemSource;
    1 + random.up_to(most - 1)
}

/// The number of polls that one uninterrupted run takes, and the file it makes.
async fn whole(stack: &LocalStack, export: &Export) -> (u64, String) {
    let (ended, wakes) = killed(stack, export, u64::MAX).await;
    assert!(ended);
    (wakes, file(stack, export).await.expect(200).text)
}

#[tokio::test]
async fn twenty_runs_killed_once_make_the_same_file() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, COUNT);
    let (wakes, expected) = whole(&stack, &ask(&stack, account, swaps()).await).await;
    assert!(expected.len() > 2 * 5 * 1024 * 1024);
    let (mut ends, mut resumed) = (Vec::new(), 0);
    for _ in 0..20 {
        let export = ask(&stack, account, swaps()).await;
        let most = random_up_to(wakes);
        ends.push(most);
        killed(&stack, &export, most).await;
        let left = row(&stack, &export).await;
        resumed += u32::from(left.cursor.is_some_and(|cursor| !cursor.etags.is_empty()));
        stack.clock().advance(LEASE_OVER);
        assert!(make(&stack, &export).await == expected, "runs were killed at {ends:?} of {wakes}");
        let row = row(&stack, &export).await;
        assert_eq!((row.status, row.row_count), (ExportStatus::Completed, COUNT), "{ends:?}");
        assert_eq!(row.size_bytes, expected.len() as u64);
    }
    // The chance that all twenty were killed before their first part or after their last one is one in a
    // million.
    assert!(resumed > 0, "{ends:?} of {wakes}");
}

#[tokio::test]
async fn a_run_killed_repeatedly_still_completes() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, COUNT);
    let (wakes, expected) = whole(&stack, &ask(&stack, account, swaps()).await).await;
    let export = ask(&stack, account, swaps()).await;
    let mut runs = 0;
    while row(&stack, &export).await.status != ExportStatus::Completed {
        // On a loaded machine a run takes more polls than the one that was measured, so later runs live longer.
        let most = (wakes / 2) * (1 + runs / 10);
        killed(&stack, &export, random_up_to(most)).await;
        stack.clock().advance(LEASE_OVER);
        runs += 1;
        assert!(runs < 100, "the export never completes");
    }
    assert!(file(&stack, &export).await.expect(200).text == expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_runs_make_one_file() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, COUNT);
    let expected = make(&stack, &ask(&stack, account, swaps()).await).await;
    let export = ask(&stack, account, swaps()).await;
    let again = twenty_at_once(|_| {
        let (app, export) = (stack.app().export_worker.clone(), export.clone());
        async move { run(&app, &export, 1).await }
    });
    // Runs that find the export held have nothing to do.
    assert!(again.await.iter().all(|again| !again));
    assert!(file(&stack, &export).await.expect(200).text == expected);
    let row = row(&stack, &export).await;
    assert_eq!((row.status, row.row_count, row.restarts), (ExportStatus::Completed, COUNT, 0));
}

/// An export, and a run that has sent the first part of its file. The run sends the second part once the
/// latch is open, and returns whether to retry its message.
async fn under_way(stack: &LocalStack) -> (Export, Latch, JoinHandle<bool>) {
    let export = ask(stack, with_swaps(stack, 9_000), swaps()).await;
    let network = second_part_held();
    let work = {
        let app = stack.app().through(network.outbound()).export_worker.clone();
        let export = export.clone();
        tokio::spawn(async move { run(&app, &export, 3).await })
    };
    network.latch().holds(1).await;
    assert_eq!(row(stack, &export).await.cursor.unwrap().etags.len(), 1);
    (export, network.latch().clone(), work)
}

/// A run that resumes after it has lost its lease writes nothing more.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_lost_its_lease_stops() {
    let stack = LocalStack::start().await;
    let (export, latch, work) = under_way(&stack).await;
    set(&stack, &export, Update::new().set(Export::OWNER, "another")).await;
    let taken = row(&stack, &export).await;
    latch.open();
    assert!(!work.await.unwrap(), "another run holds the export");
    assert_eq!(row(&stack, &export).await, taken);
    assert_eq!(file(&stack, &export).await.status, 404);
}

/// The owner deletes an export while a run makes its file: that run stops, and no file is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_export_is_deleted_leaves_no_file() {
    let stack = LocalStack::start().await;
    let (export, latch, work) = under_way(&stack).await;
    // As the endpoint does.
    let deleted = Update::new()
        .set(Export::STATUS, ExportStatus::Expired)
        .set(Export::WATCH, Watch::Export)
        .remove(Export::OWNER)
        .remove(Export::LEASE_UNTIL);
    set(&stack, &export, deleted).await;
    latch.open();
    assert!(!run(&stack.app().export_worker, &export, 1).await);
    assert!(!work.await.unwrap(), "there is nothing to repeat");
    let left = row(&stack, &export).await;
    assert_eq!((left.status, left.watch, left.cursor), (ExportStatus::Expired, None, None));
    assert_eq!(file(&stack, &export).await.status, 404);
}

async fn set(stack: &LocalStack, export: &Export, update: Update<Export>) {
    let store = &stack.app().store;
    let update = Writes::new().update(&export.key(), update, ());
    store.commit(update).await.unwrap();
}

/// A run that was killed after the file was complete and before its row said so.
async fn forgotten(stack: &LocalStack, export: &Export, cursor: &Cursor) {
    let forgotten = Update::new()
        .set(Export::STATUS, ExportStatus::Processing)
        .set(Export::CURSOR, cursor)
        .set(Export::SIZE_BYTES, 0)
        .remove(Export::COMPLETED_AT);
    set(stack, export, forgotten).await;
}

/// An upload id that S3 does not know.
const UNKNOWN: &str = "018bcfe5-6800-4000-8000-000000000001";

#[tokio::test]
async fn a_file_completed_by_a_killed_run_is_found() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    let text = make(&stack, &export).await;
    let cursor = Cursor {
        n: 10,
        rows: 10,
        has_rest: false,
        bytes: text.len() as u64,
        upload: UNKNOWN.to_owned(),
        etags: vec!["x".to_owned()],
    };
    forgotten(&stack, &export, &cursor).await;
    assert_eq!(make(&stack, &export).await, text);
    let found = row(&stack, &export).await;
    assert_eq!((found.status, found.restarts), (ExportStatus::Completed, 0));
    assert_eq!((found.row_count, found.size_bytes), (10, text.len() as u64));

    // A file of another size does not count.
    let other = Cursor { bytes: cursor.bytes + 1, ..cursor };
    forgotten(&stack, &export, &other).await;
    assert_eq!(make(&stack, &export).await, text);
    let made = row(&stack, &export).await;
    assert_eq!((made.status, made.restarts), (ExportStatus::Completed, 1));
    assert_eq!((made.row_count, made.size_bytes), (10, text.len() as u64));
}

/// The bucket aborts uploads after two days.
#[tokio::test]
async fn a_lost_upload_is_restarted_a_few_times() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, 4_000);
    let expected = make(&stack, &ask(&stack, account, swaps()).await).await;
    let gone = Cursor {
        n: 100,
        rows: 100,
        has_rest: false,
        bytes: 5 * 1024 * 1024,
        upload: UNKNOWN.to_owned(),
        etags: vec!["x".to_owned()],
    };
    let export = ask(&stack, account, swaps()).await;
    set(&stack, &export, Update::new().set(Export::CURSOR, &gone)).await;
    assert!(make(&stack, &export).await == expected);
    assert_eq!(row(&stack, &export).await.restarts, 1);

    let export = ask(&stack, account, swaps()).await;
    set(&stack, &export, Update::new().set(Export::CURSOR, &gone).set(Export::RESTARTS, 3)).await;
    assert!(run(&stack.app().export_worker, &export, 5).await);
    let failed = row(&stack, &export).await;
    assert_eq!(failed.status, ExportStatus::Failed);
    assert!(failed.error.is_some());
}
