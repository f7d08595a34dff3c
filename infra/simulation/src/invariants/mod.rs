//! What must hold, in files that can be read one by one. Each names its custody rule, where there is one.

mod answers;
mod limits;
mod lists;
mod liveness;
mod mails;
mod once;
mod owners;
mod swaps;

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use shared::mail::Mail;
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer};

use crate::{
    aws::{
        dynamodb::{Change, DynamoDb, RowKey},
        expression::Row,
        files::Files,
        mail::{Mails, Sent},
        queues::Queues,
    },
    plan::{Plan, Scenario},
    wire::{Invocation, Net},
    workers::Urls,
};

/// A run, as its checks see it.
pub struct View {
    /// Every change of a row, in order.
    pub changes: Vec<Change>,
    /// Every row at the end.
    pub rows: BTreeMap<RowKey, Row>,
    /// Every invocation.
    pub invocations: BTreeMap<u64, Invocation>,
    /// Every mail that was handed to SES.
    pub sent: Vec<Sent>,
    /// Every mail that the queue took.
    pub queued: Vec<Mail>,
    /// Bodies of the dead letters of mails and of exports.
    pub dead_letters: [Vec<String>; 2],
    /// Number of messages that wait in both queues.
    pub left: [usize; 2],
    /// Files by path.
    pub files: BTreeMap<String, Bytes>,
    /// The time at the end, ms since the epoch.
    pub now: i64,
    /// Whether the chain watcher ran.
    pub has_watcher: bool,
}

impl View {
    /// The run at its end.
    pub(crate) fn of(net: &Net, urls: &Urls, plan: &Plan) -> Self {
        let now = net.now();
        let mut world = net.world();
        let invocations = world.invocations.clone();
        let database = world.host::<DynamoDb>("dynamodb");
        let changes = database.changes().to_vec();
        let rows = database.rows().map(|(_, key, row)| (key.clone(), row.clone())).collect();
        let queues = world.host::<Queues>("sqs");
        let mails = queues.accepted(&urls.mails);
        let queued = mails.filter_map(|body| serde_json::from_str(body).ok()).collect();
        let bodies = |queues: &mut Queues, url: &str| {
            let name = queues.dead_letters(url).unwrap_or_default();
            queues.messages(&name).into_iter().map(|message| message.body).collect()
        };
        let dead_letters = [&urls.mails, &urls.exports].map(|url| bodies(queues, url));
        let left = [&urls.mails, &urls.exports].map(|url| queues.waiting(url, now));
        let files = world.host::<Files>("s3").objects.clone();
        let sent = world.host::<Mails>("ses").sent.clone();
        let has_watcher = plan.scenario == Scenario::Swaps;
        Self {
            changes,
            rows,
            invocations,
            sent,
            queued,
            dead_letters,
            left,
            files,
            now,
            has_watcher,
        }
    }

    /// The rows whose partition key begins so.
    pub fn rows_of<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a RowKey, &'a Row)> {
        self.rows.iter().filter(move |(key, _)| key.0.starts_with(prefix))
    }

    /// What the invocation of a change was; `None`: the row expired.
    pub fn invocation(&self, change: &Change) -> Option<&Invocation> {
        self.invocations.get(&change.by?)
    }
}

/// Everything that does not hold.
pub fn check(view: &View) -> Vec<String> {
    [
        lists::check(view),
        once::check(view),
        answers::check(view),
        owners::check(view),
        limits::check(view),
        mails::check(view),
        swaps::check(view),
        liveness::check(view),
    ]
    .concat()
}

/// Lines of the service's log that say that something is damaged: each one is a failure of the run.
#[derive(Clone, Default)]
pub struct Alarms(Arc<Mutex<Vec<String>>>);

impl Alarms {
    /// The lines so far.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Texts of the service's errors that must never appear, with or without faults.
const DAMAGE: [&str; 5] = [
    "failed to decrypt a stored value",
    "a list has a gap",
    "a row is malformed",
    "belongs to no write",
    "panicked",
];

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Alarms {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if *event.metadata().level() > Level::WARN {
            return;
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        if DAMAGE.iter().any(|damage| text.0.contains(damage)) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push(format!("S13: damage in the log:{}", text.0));
        }
    }
}
