//! The export worker, on the local stack.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod bitcoin;
mod files;
mod kills;
mod memory;
mod queue;
mod sweep;

use std::time::Duration;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use base::{
    clock::{Clock, Timestamp},
    random::{Random, SystemSource},
};
use chain::models::xchain::XchainRecord;
use export_worker::App;
use local::{Client, HoldingHttp, LocalStack, client::Answer, histories};
use outbox::exports::{Export, totals};
use serde_json::json;
use shared::{
    events,
    keys::{self, EventList},
    models::{
        account::AccountId,
        event::StateChange,
        export::{ExportFormat, ExportId, HistoryChain, HistoryFilter, HistoryType},
    },
};
use store::{Writes, lists};
use tokio::time::Instant;

/// When the first row of a history was created; the others follow one second apart.
const BEGUN: Timestamp = Timestamp(1_767_225_600_000);
/// Longer than a lease.
const LEASE_OVER: Duration = Duration::from_secs(46);

fn somebody() -> AccountId {
    let random: &dyn Random = &SystemSource;
    AccountId(random.id(BEGUN))
}

fn second(place: u64) -> Timestamp {
    BEGUN.plus(Duration::from_secs(place))
}

/// A swap with a long text, so that a few thousand of them fill several parts.
fn long_swap(account: AccountId, place: u64) -> XchainRecord {
    let mut record = histories::swap(account, place, second(place));
    record.failure_reason = Some(format!("{place} {}", "No solver would fill it. ".repeat(80)));
    record
}

/// An account with `count` swaps; about three thousand fill a part.
fn with_swaps(stack: &LocalStack, count: u64) -> AccountId {
    let account = somebody();
    histories::plant(stack, account, count, |place| long_swap(account, place)).unwrap();
    account
}

/// A filter for all rows of a type.
fn all(kind: HistoryType, chain: Option<HistoryChain>) -> HistoryFilter {
    HistoryFilter { chain, kind, from: BEGUN, to: BEGUN.plus(Duration::from_secs(366 * 86_400)) }
}

fn swaps() -> HistoryFilter {
    all(HistoryType::Swap, None)
}

/// Creates an export as the endpoint does, without its message.
async fn ask(stack: &LocalStack, account: AccountId, filter: HistoryFilter) -> Export {
    let app = stack.app();
    let up_to = totals(&app.store, account, &filter).await.unwrap();
    let id = ExportId(app.random.id(app.clock.now()));
    let asked = |at| Export::asked_for(id, account, ExportFormat::Csv, filter, up_to.clone(), at);
    let own = [keys::lists::exports(account)];
    let at = lists::append(&app.store, &own, |at| {
        (Writes::new().insert(&keys::export(id), &asked(at), ()), id)
    });
    asked(at.await.unwrap())
}

async fn row(stack: &LocalStack, export: &Export) -> Export {
    stack.app().store.get(&export.key()).await.unwrap().unwrap()
}

/// A Lambda event with one message that is received for the `attempt`-th time.
fn event(body: &str, attempt: u32) -> SqsEvent {
    let record = json!({
        "messageId": "0",
        "body": body,
        "attributes": { "ApproximateReceiveCount": attempt.to_string() },
        "messageAttributes": {},
        "eventSource": "aws:sqs",
    });
    serde_json::from_value(json!({ "Records": [record] })).unwrap()
}

fn message(export: &Export) -> String {
    json!({ "export": export.id }).to_string()
}

/// A deadline that no test reaches.
fn distant_deadline() -> Instant {
    Instant::now() + Duration::from_secs(300)
}

fn failed(response: &SqsBatchResponse) -> bool {
    !response.batch_item_failures.is_empty()
}

/// Runs the worker; returns whether the message is to be retried.
async fn run(app: &App, export: &Export, attempt: u32) -> bool {
    failed(
        &export_worker::handle(app.clone(), event(&message(export), attempt), distant_deadline())
            .await,
    )
}

/// The events of an export's account: each type, and the states before and after.
async fn told(stack: &LocalStack, export: &Export) -> Vec<(&'static str, String, String)> {
    let list = EventList::of_account(export.account_id);
    let page = events::read(&stack.app().store, &list, None, 100, &[]).await.unwrap();
    let told = page.map(|page| page.events).unwrap_or_default().into_iter().map(|event| {
        let StateChange { kind, subject, before, after } = event.change;
        assert_eq!(subject, export.id.to_string());
        let text = |state| serde_json::to_value(state).unwrap().as_str().unwrap().to_owned();
        (kind.name(), text(before), text(Some(after)))
    });
    told.collect()
}

/// Runs the worker until the file is complete, and returns the file.
async fn make(stack: &LocalStack, export: &Export) -> String {
    assert!(!run(&stack.app().export_worker, export, 1).await);
    file(stack, export).await.expect(200).text
}

/// Downloads the file by a link.
async fn file(stack: &LocalStack, export: &Export) -> Answer {
    let files = &stack.app().export_worker.export_files;
    let valid = (stack.clock().now(), Duration::from_secs(60));
    let link = files.download_url(&export.file(), "x.csv", valid).await.unwrap();
    Client::new("").get(link).header("accept", "*/*").send().await
}

/// A network that holds the second part of a file back.
fn second_part_held() -> HoldingHttp {
    HoldingHttp::new(|request| {
        let query = request.uri().query().unwrap_or_default();
        query.split('&').any(|part| part == "partNumber=2")
    })
}

/// The same world with an unreachable S3.
fn without_s3(stack: &LocalStack) -> App {
    stack.app_without("AWS_ENDPOINT_URL_S3").function()
}
