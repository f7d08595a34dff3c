//! The workers as AWS runs them: on schedules, and with batches of messages from queues.

use std::{collections::BTreeSet, time::Duration};

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use axum::Router;
use local::app::App;
use shared::{http::Routes, lambda::Start};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use crate::{
    aws::queues::{Message, Queues},
    faults::Menu,
    instances::{Function, Lambda},
    network::Shared,
    wire::Invocation,
};

const WATCHER: Function =
    Function { name: "chain-watcher", routes: |_| Routes::new(), limit: Duration::from_secs(60) };
const MAILER: Function =
    Function { name: "mail-worker", routes: |_| Routes::new(), limit: Duration::from_secs(30) };
const EXPORTER: Function =
    Function { name: "export-worker", routes: |_| Routes::new(), limit: Duration::from_secs(300) };

const PUSHER: Function =
    Function { name: "socket-worker", routes: |_| Routes::new(), limit: Duration::from_secs(30) };
const EVENTS: Function =
    Function { name: "event-worker", routes: |_| Routes::new(), limit: Duration::from_secs(80) };

/// The queues' addresses.
#[derive(Clone, Debug)]
pub(crate) struct Urls {
    /// Mails without links.
    pub(crate) mails: String,
    /// Mails with links.
    pub(crate) links: String,
    /// Exports.
    pub(crate) exports: String,
    /// Events to push to sockets.
    pub(crate) sockets: String,
}

fn misses(lambda: &Lambda, schedule: &str) -> bool {
    draws(lambda, &format!("schedule/{schedule}"), |menu| menu.missed_runs)
}

/// Whether a fault of a schedule happens; `times` is its weight in 1,000.
fn draws(lambda: &Lambda, actor: &str, times: impl Fn(&Menu) -> u64) -> bool {
    let mut world = lambda.net().world();
    let weight = times(&world.menu) * 100;
    world.choices.fault(actor, &[((), weight)]).is_some()
}

/// Runs the chain watcher every minute, sometimes twice concurrently.
pub(crate) async fn watch_chain(lambda: Lambda) {
    loop {
        sleep(Duration::from_secs(60)).await;
        if misses(&lambda, "chain-watcher") {
            continue;
        }
        let is_doubled = draws(&lambda, "schedule/doubled", |menu| menu.doubled_runs);
        for _run in 0..1 + u8::from(is_doubled) {
            let lambda = lambda.clone();
            // A slow run does not delay the next one.
            tokio::spawn(async move { watch_for_a_minute(&lambda).await });
        }
    }
}

/// Runs the sweep of events every minute.
pub(crate) async fn sweep_events(lambda: Lambda) {
    loop {
        let net = lambda.net().clone();
        let lambda_of_run = lambda.clone();
        tokio::spawn(async move {
            let what = "run event-worker".to_owned();
            let number = net.begin(Invocation { what, ..Invocation::default() });
            let work = |app: App, _: Router| async move {
                event_worker::run(app.event_worker.clone(), Start::default()).await.is_ok()
            };
            let done = lambda_of_run.invoke(EVENTS, number, work).await;
            net.end(number, done.map(|done| if done { 200 } else { 500 }), "");
        });
        sleep(Duration::from_secs(60)).await;
    }
}

/// One minute's work of the chain watcher.
async fn watch_for_a_minute(lambda: &Lambda) {
    let work = |app: App, _: Router| async move {
        chain_watcher::run_for_a_minute(app.chain_watcher.clone()).await.is_ok()
    };
    invoke_watcher(lambda, work).await;
}

/// Runs the chain watcher once.
pub(crate) async fn run_watcher(lambda: &Lambda) {
    let work = |app: App, _: Router| async move {
        chain_watcher::run(app.chain_watcher.clone()).await.is_ok()
    };
    invoke_watcher(lambda, work).await;
}

async fn invoke_watcher<F, W>(lambda: &Lambda, work: F)
where
    F: FnOnce(App, Router) -> W,
    W: Future<Output = bool>,
{
    let what = "run chain-watcher".to_owned();
    let number = lambda.net().begin(Invocation { what, ..Invocation::default() });
    let done = lambda.invoke(WATCHER, number, work).await;
    lambda.net().end(number, done.map(|done| if done { 200 } else { 500 }), "");
}

/// Mines blocks: after seconds or minutes during the storm, later every ninety seconds or faster.
pub(crate) async fn mine_blocks(lambda: Lambda, chain: Shared) {
    loop {
        let pause = {
            let (choices, hurries) =
                (&mut lambda.net().world().choices, chain.lock().is_in_a_hurry());
            match (choices.is_quiet(), hurries) {
                (false, _) => choices.between("chain/pause", 3, 400),
                (true, false) => 90,
                (true, true) => 20,
            }
        };
        sleep(Duration::from_secs(pause)).await;
        let now = lambda.net().now();
        let (height, hash) = {
            let mut world = lambda.net().world();
            let mut chain = chain.lock();
            chain.mine(now, &mut world.choices);
            (chain.chain().height(), chain.tree().best())
        };
        lambda.net().note(&format!("block {height} {hash}"));
    }
}

/// Queues a sweep of exports every five minutes.
pub(crate) async fn sweep_exports(lambda: Lambda, urls: Urls) {
    loop {
        sleep(Duration::from_secs(300)).await;
        if !misses(&lambda, "export-sweep") {
            let now = lambda.net().now();
            let body = r#"{"sweep":true}"#;
            lambda.net().world().host::<Queues>("sqs").put(&urls.exports, body, now);
        }
    }
}

/// How Lambda reads a queue.
#[derive(Clone, Copy)]
struct Reading {
    /// Messages in one invocation.
    batch: usize,
    /// The pause between two looks.
    pause: Duration,
    /// Invocations at the same time.
    most: usize,
}

impl Reading {
    /// Reads slowly, so that messages of a storm accumulate.
    const fn slow(batch: usize) -> Self {
        Self { batch, pause: Duration::from_millis(900), most: 3 }
    }
}

/// Passes the messages of a queue to its worker.
async fn deliver<F, W>(lambda: Lambda, url: String, reading: Reading, function: Function, work: F)
where
    F: Fn(App, SqsEvent) -> W + Copy + Send + Sync + 'static,
    W: Future<Output = SqsBatchResponse> + Send + 'static,
{
    let mut running = JoinSet::new();
    loop {
        sleep(reading.pause).await;
        while running.try_join_next().is_some() {}
        if running.len() >= reading.most {
            continue;
        }
        let now = lambda.net().now();
        let messages = {
            let mut world = lambda.net().world();
            let repeated = world.menu.repeated_messages;
            let (queues, choices) = world.host_and_choices::<Queues>("sqs");
            queues.receive(&url, reading.batch, now, (repeated, choices))
        };
        if messages.is_empty() {
            continue;
        }
        let (lambda, url) = (lambda.clone(), url.clone());
        running.spawn(async move {
            let what = format!("message {}", function.name);
            let number = lambda.net().begin(Invocation { what, ..Invocation::default() });
            let event = event(&messages);
            let response = lambda.invoke(function, number, |app, _| work(app, event)).await;
            lambda.net().end(number, response.as_ref().map(|_| 200), "");
            // Without an answer, all messages are delivered again.
            let Some(response) = response else { return };
            let failed: BTreeSet<_> = response
                .batch_item_failures
                .iter()
                .map(|item| item.item_identifier.clone())
                .collect();
            let mut world = lambda.net().world();
            let queues = world.host::<Queues>("sqs");
            for message in
                messages.iter().filter(|message| !failed.contains(&message.id.to_string()))
            {
                queues.delete(&url, message.id);
            }
        });
    }
}

/// Passes mails to the mail worker.
pub(crate) async fn deliver_mails(lambda: Lambda, urls: Urls) {
    let work = |app: App, event| mail_worker::handle(app.mail_worker.clone(), event);
    let reading = Reading::slow(5);
    let links = deliver(lambda.clone(), urls.links, reading, MAILER, work);
    tokio::join!(deliver(lambda, urls.mails, reading, MAILER, work), links);
}

/// Passes exports to the export worker.
pub(crate) async fn deliver_exports(lambda: Lambda, urls: Urls) {
    let work = |app: App, event| {
        let deadline = Instant::now() + EXPORTER.limit;
        export_worker::handle(app.export_worker.clone(), event, deadline)
    };
    deliver(lambda, urls.exports, Reading::slow(1), EXPORTER, work).await;
}

/// Passes pushes to the worker of sockets, as Lambda's long polls do: at once, to ten invocations of five.
pub(crate) async fn deliver_pushes(lambda: Lambda, urls: Urls) {
    let reading = Reading { batch: 5, pause: Duration::from_millis(50), most: 10 };
    let work = |app: App, event| socket_worker::handle(app.socket_worker.clone(), event);
    deliver(lambda, urls.sockets, reading, PUSHER, work).await;
}

fn event(messages: &[Message]) -> SqsEvent {
    let mut event = SqsEvent::default();
    event.records = messages
        .iter()
        .map(|message| {
            let mut record = SqsMessage::default();
            record.message_id = Some(message.id.to_string());
            record.receipt_handle = Some(message.receipt.to_string());
            record.body = Some(message.body.clone());
            let receives = message.receives.to_string();
            record.attributes.insert("ApproximateReceiveCount".to_owned(), receives);
            record
        })
        .collect();
    event
}
