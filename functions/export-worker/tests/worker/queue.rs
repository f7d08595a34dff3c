//! Messages that fail, and runs that reach their deadline.

use std::time::Duration;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use aws_sdk_sqs::types::MessageSystemAttributeName;
use local::{Fault, FaultyHttp, LocalStack, Overheard, patience::wait_until};
use outbox::exports::Export;
use serde_json::json;
use shared::models::export::ExportStatus;
use tokio::{net::TcpListener, time::Instant};

use crate::{
    LEASE_OVER, ask, distant_deadline, event, failed, file, make, message, row, run, somebody,
    swaps, told, with_swaps, without_s3,
};

#[tokio::test]
async fn a_malformed_message_fails_alone() {
    let stack = LocalStack::start().await;
    let app = &stack.app().export_worker;
    for body in ["", "{}", "not JSON", r#"{"export":"x"}"#, r#"{"export":1}"#, "[]", "null"] {
        let response = export_worker::handle(app.clone(), event(body, 1), distant_deadline()).await;
        assert!(failed(&response), "{body}");
    }
    let nothing = export_worker::handle(app.clone(), SqsEvent::default(), distant_deadline()).await;
    assert!(!failed(&nothing));
    // An unknown export cannot be made, so its message is not retried.
    let unknown = json!({ "export": "018bcfe5-6800-4000-8000-000000000001" }).to_string();
    assert!(!failed(
        &export_worker::handle(app.clone(), event(&unknown, 1), distant_deadline()).await
    ));
}

#[tokio::test]
async fn an_export_that_fails_five_times_is_failed() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    let broken = without_s3(&stack);
    for attempt in 1..=4 {
        assert!(run(&broken, &export, attempt).await);
        let left = row(&stack, &export).await;
        assert_eq!((left.status, left.error, left.owner), (ExportStatus::Processing, None, None));
    }
    assert!(run(&broken, &export, 5).await, "the message goes to the dead letters");
    let given_up = row(&stack, &export).await;
    assert_eq!(given_up.status, ExportStatus::Failed);
    let reason = given_up.error.unwrap();
    assert_eq!(reason, "The file could not be made. Request the export again.");
    assert_eq!((given_up.watch, given_up.owner, given_up.cursor), (None, None, None));
    // Later messages do not change that.
    assert!(!run(&stack.app().export_worker, &export, 1).await);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Failed);
    assert_eq!(file(&stack, &export).await.status, 404);
    let failed = ("export.failed", "processing".to_owned(), "failed".to_owned());
    assert_eq!(told(&stack, &export).await, [failed]);
}

#[tokio::test]
async fn the_next_attempt_recovers_from_a_failure() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    assert!(run(&without_s3(&stack), &export, 1).await);
    assert!(make(&stack, &export).await.lines().count() == 11);
    // Another message finds the export complete.
    assert!(!run(&without_s3(&stack), &export, 1).await);
    let completed = ("export.completed", "processing".to_owned(), "completed".to_owned());
    assert_eq!(told(&stack, &export).await, [completed]);
}

/// Through the queue itself: after five failures the message is among the dead letters.
#[tokio::test]
async fn a_message_that_fails_five_times_goes_to_the_dead_letters() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    let (sqs, queue) = (stack.sqs(), &stack.app().config.exports.queue_url);
    let broken = without_s3(&stack);
    stack.app().export_worker.export_queue.send(export.id).await.unwrap();
    for attempt in 1..=5 {
        let receive = sqs.receive_message().queue_url(queue).max_number_of_messages(10);
        let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All);
        let received = receive.send().await.unwrap();
        let [received] = received.messages() else { panic!("{attempt}: {received:?}") };
        let mut batch = event(received.body().unwrap(), 0);
        let record = &mut batch.records[0];
        record.receipt_handle = received.receipt_handle.clone();
        let attributes = received.attributes().unwrap();
        let count = &attributes[&MessageSystemAttributeName::ApproximateReceiveCount];
        assert_eq!(count, &attempt.to_string());
        record.attributes.insert("ApproximateReceiveCount".to_owned(), count.clone());
        assert!(failed(&export_worker::handle(broken.clone(), batch, distant_deadline()).await));
        // The queue hides it for as long as a run may take; the test shows it immediately.
        let again = sqs.receive_message().queue_url(queue).send().await.unwrap();
        assert!(again.messages().is_empty());
        let show = sqs.change_message_visibility().queue_url(queue).visibility_timeout(0);
        show.set_receipt_handle(received.receipt_handle.clone()).send().await.unwrap();
    }
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Failed);
    assert_eq!(stack.make_exports().await, 0);
    let dead = queue.replace("-ExportQueue", "-ExportDeadLetters");
    let received = sqs.receive_message().queue_url(dead).send().await.unwrap();
    let bodies: Vec<_> = received.messages().iter().map(|dead| dead.body().unwrap()).collect();
    assert_eq!(bodies, [message(&export)]);
}

/// A run hides its message for longer than its lease, so that after a kill the next receiver finds the export
/// free.
#[tokio::test]
async fn a_run_hides_its_message() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    let (sqs, queue) = (stack.sqs(), &stack.app().config.exports.queue_url);
    stack.app().export_worker.export_queue.send(export.id).await.unwrap();
    let received = sqs.receive_message().queue_url(queue).send().await.unwrap();
    let [received] = received.messages() else { panic!("{received:?}") };
    let mut batch = event(received.body().unwrap(), 1);
    batch.records[0].receipt_handle = received.receipt_handle.clone();
    // S3 never answers, so the run is still working when it is killed.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let s3 = format!("http://{}", silent.local_addr().unwrap());
    let asked = Overheard::default();
    let app = stack.app().through(asked.outbound());
    let app = app.changed(&[("AWS_ENDPOINT_URL_S3", s3.as_str())]);
    let hides = || asked.of("ChangeMessageVisibility");
    tokio::select! {
        response = export_worker::handle(app.export_worker.clone(), batch, distant_deadline()) => {
            panic!("the run has ended: {response:?}")
        }
        () = wait_until("the message is hidden", async || !hides().is_empty()) => {}
    }
    let seconds = hides()[0]["VisibilityTimeout"].as_u64().unwrap();
    assert!(Duration::from_secs(seconds) > LEASE_OVER, "{seconds} s");
    let again = sqs.receive_message().queue_url(queue).send().await.unwrap();
    assert!(again.messages().is_empty(), "{again:?}");
}

/// Time that a run has here to begin further steps, unless a test ends it earlier.
const TIME: Duration = Duration::from_secs(15);

/// A run whose time is up after this many requests to DynamoDB.
async fn run_for(stack: &LocalStack, export: &Export, requests: usize) -> SqsBatchResponse {
    let network = FaultyHttp::new(vec![Fault::Pass; requests]);
    network.schedule([Fault::Skip(TIME)]);
    let worker = stack.app().through(network.outbound()).export_worker.clone();
    // With less than 40 s, no step begins.
    let deadline = Instant::now() + TIME + Duration::from_secs(40);
    export_worker::handle(worker, event(&message(export), 1), deadline).await
}

/// How many requests a whole run sends to DynamoDB, and the file that it makes.
async fn whole(stack: &LocalStack, export: &Export) -> (usize, String) {
    const MOST: usize = 10_000;
    let network = FaultyHttp::new(vec![Fault::Pass; MOST]);
    let worker = stack.app().through(network.outbound()).export_worker.clone();
    assert!(!run(&worker, export, 1).await);
    (MOST - network.left(), file(stack, export).await.expect(200).text)
}

#[tokio::test]
async fn a_run_at_its_deadline_queues_the_rest() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, 15_000);
    let (requests, expected) = whole(&stack, &ask(&stack, account, swaps()).await).await;
    let export = ask(&stack, account, swaps()).await;
    assert!(!failed(&run_for(&stack, &export, requests / 2).await));
    let left = row(&stack, &export).await;
    let cursor = left.cursor.clone().unwrap();
    assert!(!cursor.etags.is_empty() && cursor.n < 15_000, "{cursor:?}");
    let kept = stack.stored(&stack.app().config.exports.bucket);
    assert_eq!(kept.iter().any(|key| *key == export.rest(cursor.n)), cursor.has_rest);
    assert_eq!((left.status, left.owner.clone()), (ExportStatus::Processing, None));
    assert_eq!(left.row_count, cursor.rows);
    // The next run continues immediately where this one left off.
    assert_eq!(stack.make_exports().await, 1);
    let made = row(&stack, &export).await;
    assert_eq!((made.status, made.restarts), (ExportStatus::Completed, 0));
    assert!(file(&stack, &export).await.expect(200).text == expected);
}

/// An export with few matches among many rows reaches their end, run by run.
#[tokio::test]
async fn rows_too_few_for_a_part_are_kept_between_runs() {
    let stack = LocalStack::start().await;
    let account = with_swaps(&stack, 2_400);
    let (requests, expected) = whole(&stack, &ask(&stack, account, swaps()).await).await;
    let export = ask(&stack, account, swaps()).await;
    let (mut runs, mut rests, mut before) = (0, 0, 0);
    while row(&stack, &export).await.status != ExportStatus::Completed {
        assert!(!failed(&run_for(&stack, &export, requests / 2).await));
        if let Some(cursor) = row(&stack, &export).await.cursor {
            assert!(cursor.n > before, "{cursor:?}");
            before = cursor.n;
            rests += u32::from(cursor.has_rest);
        }
        runs += 1;
        // Each run makes progress, so this only ends a test that hangs.
        assert!(runs < 200);
    }
    assert!(rests > 0, "no run kept rows");
    assert!(file(&stack, &export).await.expect(200).text == expected);
    // All remainders are deleted.
    let kept = stack.stored(&stack.app().config.exports.bucket);
    assert!(kept.iter().all(|key| key.ends_with(".csv")), "{kept:?}");
}

/// A run without progress counts as failed; it must not continue forever.
#[tokio::test]
async fn a_run_without_progress_fails() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, with_swaps(&stack, 10), swaps()).await;
    for attempt in 1..=5 {
        let event = event(&message(&export), attempt);
        let late = Instant::now() + Duration::from_secs(39);
        assert!(failed(
            &export_worker::handle(stack.app().export_worker.clone(), event, late).await
        ));
        assert_eq!(stack.make_exports().await, 0, "nothing is queued");
    }
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Failed);
}

#[tokio::test]
async fn a_held_export_is_left_alone() {
    let stack = LocalStack::start().await;
    let export = ask(&stack, somebody(), swaps()).await;
    let store = &stack.app().store;
    let until = base::clock::Clock::now(stack.clock()).plus(Duration::from_secs(45));
    let held = {
        let update = store::Update::new().set(Export::STATUS, ExportStatus::Processing);
        let update = update.set(Export::OWNER, "another").set(Export::LEASE_UNTIL, until);
        store::Writes::<()>::new().update(&export.key(), update, ())
    };
    store.commit(held).await.unwrap();
    assert!(!run(&stack.app().export_worker, &export, 1).await, "another run holds the export");
    assert_eq!(row(&stack, &export).await.owner.as_deref(), Some("another"));
    stack.clock().advance(LEASE_OVER);
    assert!(!run(&stack.app().export_worker, &export, 1).await);
    assert_eq!(row(&stack, &export).await.status, ExportStatus::Completed);
}
