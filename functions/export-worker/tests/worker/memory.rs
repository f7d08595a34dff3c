//! Memory use of a long export, measured in a separate process of the function.

use std::path::Path;

use local::{LocalStack, histories, lambda::Function};
use serde_json::json;
use shared::models::export::ExportStatus;

use crate::{ask, message, row, second, somebody, swaps};

/// Rows of the export.
const COUNT: u64 = 200_000;
/// The most memory that the export may add to that of the idle function, in KiB.
const MOST: u64 = 64 * 1024;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; for when the streaming is changed"]
async fn two_hundred_thousand_rows_use_the_memory_of_a_few_parts() {
    let stack = LocalStack::start().await;
    let account = somebody();
    histories::plant(&stack, account, COUNT, |place| {
        histories::swap(account, place, second(place))
    })
    .unwrap();
    let export = ask(&stack, account, swaps()).await;
    let record = json!({
        "messageId": "0", "body": message(&export), "messageAttributes": {},
        "attributes": { "ApproximateReceiveCount": "1" }, "eventSource": "aws:sqs",
    });
    let binary = Path::new(env!("CARGO_BIN_EXE_export-worker"));
    let event = json!({ "Records": [record] });
    let function = Function::start(binary, stack.settings()).await.unwrap();
    let invocation = function.invoke(event).await.unwrap();
    let made = row(&stack, &export).await;
    assert_eq!(invocation.answer, json!({ "batchItemFailures": [] }));
    assert_eq!((made.status, made.row_count), (ExportStatus::Completed, COUNT));
    let beyond = invocation.peak_kib - function.started().peak_kib;
    assert!(beyond <= MOST, "{invocation:?}");
}
