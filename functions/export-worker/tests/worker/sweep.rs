//! The sweep.

use std::{collections::BTreeSet, time::Duration};

use base::clock::{Clock, Timestamp};
use local::LocalStack;
use outbox::exports::{Cursor, Export};
use serde_json::json;
use shared::models::export::ExportStatus;
use store::{Update, Writes};

use crate::{
    ask, distant_deadline, event, failed, file, make, row, run, somebody, swaps, told, with_swaps,
    without_s3,
};

const MINUTE: Duration = Duration::from_secs(60);

async fn sweep(stack: &LocalStack) -> usize {
    stack.tick("export-worker").await.unwrap()
}

async fn set(stack: &LocalStack, export: &Export, update: Update<Export>) {
    let store = &stack.app().store;
    let update = Writes::new().update(&export.key(), update, ());
    store.commit(update).await.unwrap();
}

/// An export whose run was just killed.
async fn killed(stack: &LocalStack) -> Export {
    let export = ask(stack, with_swaps(stack, 10), swaps()).await;
    let until = stack.clock().now().plus(Duration::from_secs(45));
    let held = Update::new()
        .set(Export::STATUS, ExportStatus::Processing)
        .set(Export::OWNER, "killed")
        .set(Export::LEASE_UNTIL, until)
        .set(Export::DUE_AT, until.plus(MINUTE * 2));
    set(stack, &export, held).await;
    export
}

#[tokio::test]
async fn an_export_without_a_message_is_queued() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, somebody(), swaps()).await;
    assert_eq!(
        (sweep(&stack).await, stack.make_exports().await),
        (0, 0),
        "its message may still arrive"
    );
    stack.clock().advance(MINUTE * 2);
    assert_eq!(sweep(&stack).await, 1);
    // A second sweep in the meantime has nothing to do.
    assert_eq!(sweep(&stack).await, 0);
    assert_eq!(stack.make_exports().await, 1);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Completed);
}

#[tokio::test]
async fn an_export_of_a_killed_run_is_queued_again() {
    let stack = LocalStack::start().await;
    let export = killed(&stack).await;
    let before = row(&stack, &export).await;
    stack.clock().advance(MINUTE);
    assert_eq!(
        (sweep(&stack).await, row(&stack, &export).await),
        (0, before),
        "its message may come back"
    );
    stack.clock().advance(MINUTE * 2);
    assert_eq!(sweep(&stack).await, 1);
    assert_eq!(row(&stack, &export).await.requeues, 1);
    assert_eq!(stack.make_exports().await, 1);
    let made = row(&stack, &export).await;
    assert_eq!((made.status, made.requeues), (ExportStatus::Completed, 0));
}

#[tokio::test]
async fn an_export_with_a_live_run_is_left_alone() {
    let stack = LocalStack::start().await;
    let export = killed(&stack).await;
    // The index lags: the lease was renewed.
    let until = stack.clock().now().plus(MINUTE);
    let due = Update::new().set(Export::DUE_AT, Timestamp(0)).set(Export::LEASE_UNTIL, until);
    set(&stack, &export, due).await;
    assert_eq!((sweep(&stack).await, stack.make_exports().await), (1, 0));
    let left = row(&stack, &export).await;
    assert_eq!((left.owner.as_deref(), left.requeues), (Some("killed"), 0));
    assert_eq!(left.due_at, until.plus(MINUTE * 2));
}

#[tokio::test]
async fn an_export_killed_every_time_is_given_up_with_its_upload() {
    let stack = LocalStack::start().await;
    let export = killed(&stack).await;
    let (files, app) = (&stack.app().export_worker.export_files, stack.app());
    let upload = files.begin(&export.file(), "text/csv").await.unwrap();
    let etag = files.send_part(&export.file(), &upload, 1, b"a\r\n".to_vec()).await.unwrap();
    let (upload_id, etags) = (upload.clone(), vec![etag]);
    let cursor = Cursor { n: 1, rows: 1, bytes: 3, has_rest: false, upload: upload_id, etags };
    set(&stack, &export, Update::new().set(Export::CURSOR, &cursor)).await;
    for requeues in 1..=5 {
        stack.clock().advance(MINUTE * 11);
        assert_eq!(sweep(&stack).await, 1);
        assert_eq!(row(&stack, &export).await.requeues, requeues);
    }
    stack.clock().advance(MINUTE * 11);
    assert_eq!(sweep(&stack).await, 1);
    let given_up = row(&stack, &export).await;
    assert_eq!(given_up.status, ExportStatus::Failed);
    assert!(given_up.error.is_some());
    assert_eq!((given_up.watch, given_up.cursor, given_up.owner), (None, None, None));
    let gone = files.send_part(&export.file(), &upload, 2, b"b\r\n".to_vec()).await;
    assert!(matches!(gone, Err(base::blob::BlobError::NoSuchUpload)), "{gone:?}");
    // Messages that were queued in the meantime change nothing.
    assert_eq!(stack.make_exports().await, 5);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Failed);
    assert_eq!(sweep(&stack).await, 0);
    assert!(!run(&app.export_worker, &export, 1).await);
    let failed = ("export.failed", "processing".to_owned(), "failed".to_owned());
    assert_eq!(told(&stack, &export).await, [failed]);
}

/// An export that waits for its turn has not failed, however long it waits.
#[tokio::test]
async fn a_released_export_is_queued_as_often_as_needed() {
    let stack = LocalStack::start().await;
    let export = killed(&stack).await;
    set(&stack, &export, Update::new().remove(Export::OWNER).remove(Export::LEASE_UNTIL)).await;
    for _ in 0..8 {
        stack.clock().advance(MINUTE * 11);
        assert_eq!(sweep(&stack).await, 1);
    }
    let waiting = row(&stack, &export).await;
    assert_eq!((waiting.status, waiting.requeues), (ExportStatus::Processing, 0));
    assert_eq!(stack.make_exports().await, 8);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Completed);
}

#[tokio::test]
async fn files_are_deleted_after_seven_days() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    make(&stack, &export).await;
    stack.clock().advance(MINUTE * 60 * 24 * 7 - MINUTE);
    assert_eq!(sweep(&stack).await, 0);
    file(&stack, &export).await.expect(200);
    stack.clock().advance(MINUTE);
    // If S3 is down, a sweep ten minutes later deletes the file.
    let broken = export_worker::sweep(&without_s3(&stack), distant_deadline()).await;
    assert!(broken.is_err());
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Completed);
    assert_eq!(sweep(&stack).await, 0);
    stack.clock().advance(MINUTE * 10);
    assert_eq!(sweep(&stack).await, 1);
    assert_eq!(file(&stack, &export).await.status, 404);
    let expired = row(&stack, &export).await;
    assert_eq!((expired.status, expired.watch), (ExportStatus::Expired, None));
    assert_eq!((expired.row_count, sweep(&stack).await), (10, 0));
}

/// More rows than one page, and two concurrent sweeps: each export is queued once.
#[tokio::test(flavor = "multi_thread")]
async fn many_exports_are_queued_once_each() {
    let stack = LocalStack::start().await;
    let mut ids = BTreeSet::new();
    for _ in 0..120 {
        ids.insert(ask(&stack, somebody(), swaps()).await.id);
    }
    stack.clock().advance(MINUTE * 2);
    let (one, other) = tokio::join!(sweep(&stack), sweep(&stack));
    assert!(one.max(other) >= 100 && one + other >= 120, "{one} {other}");
    assert_eq!(sweep(&stack).await, 0);
    assert_eq!(stack.make_exports().await, 120);
}

/// The message that the schedule sends.
#[tokio::test]
async fn the_scheduled_message_starts_a_sweep() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, somebody(), swaps()).await;
    stack.clock().advance(MINUTE * 2);
    let sweep = json!({ "sweep": true }).to_string();
    let response = export_worker::handle(
        stack.app().export_worker.clone(),
        event(&sweep, 1),
        distant_deadline(),
    )
    .await;
    assert!(!failed(&response));
    assert_eq!(stack.make_exports().await, 1);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Completed);
}
