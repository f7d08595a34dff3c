//! A finished run, as the invariants see it.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::ScriptBuf;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use shared::mail::Mail;

use super::history::History;
use crate::{
    aws::{
        dynamodb::{Change, DynamoDb, RowKey},
        expression::Row,
        files::Files,
        keys::{Kms, Signed},
        mail::{Mails, Sent},
        queues::Queues,
    },
    books::Books,
    hub::Hub,
    network::{self, EsploraServers},
    plan::Plan,
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
    /// Every mail that the queue accepted.
    pub queued: Vec<Mail>,
    /// Bodies of the dead letters of mails and of exports.
    pub dead_letters: [Vec<String>; 2],
    /// Number of messages that wait in each of the two queues.
    pub left: [usize; 2],
    /// Files by path.
    pub files: BTreeMap<String, Bytes>,
    /// The time at the end, in ms since the epoch.
    pub now: i64,
    /// Whether the run reached its end.
    pub has_healed: bool,
    /// Bitcoin and ord at the end.
    pub chain: network::World,
    /// The true chain at each moment.
    pub(crate) history: History,
    /// The digests that KMS signed.
    pub signed: Vec<Signed>,
    /// The withdrawals that the hub received, by txid.
    pub told_hub: BTreeSet<String>,
    /// The script of the pool.
    pub pool: ScriptBuf,
    /// What the service reported to its users.
    pub books: Books,
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
        let mails = queues.accepted(&urls.mails).chain(queues.accepted(&urls.links));
        let queued = mails.filter_map(|body| serde_json::from_str(body).ok()).collect();
        let bodies = |queues: &mut Queues, url: &str| {
            let name = queues.dead_letters(url).unwrap_or_default();
            queues.messages(&name).into_iter().map(|message| message.body).collect()
        };
        let dead_letters = [&urls.mails, &urls.exports].map(|url| bodies(queues, url));
        let [mails, links, exports] =
            [&urls.mails, &urls.links, &urls.exports].map(|url| queues.waiting(url, now));
        let left = [mails + links, exports];
        let files = world.host::<Files>("s3").objects.clone();
        let sent = world.host::<Mails>("ses").sent.clone();
        let (pool, books) = (world.pool.clone(), world.books.clone());
        let told_hub = world.host::<Hub>("hub").withdrawals().map(str::to_owned).collect();
        let signed = world.host::<Kms>("kms").signed.clone();
        let chain = world.host::<EsploraServers>("esplora").0.lock().clone();
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
            has_healed: plan.scenario.has_mints() && world.choices.is_quiet(),
            history: History::of(&chain),
            chain,
            signed,
            told_hub,
            pool,
            books,
        }
    }

    /// The rows whose partition key begins with `prefix`.
    pub fn rows_of<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a RowKey, &'a Row)> {
        self.rows.iter().filter(move |(key, _)| key.0.starts_with(prefix))
    }

    /// The invocation that made a change; `None` if the row expired.
    pub fn invocation(&self, change: &Change) -> Option<&Invocation> {
        self.invocations.get(&change.by?)
    }
}

/// A row as the type that the service reads it as.
pub(crate) fn entity<T: DeserializeOwned>(row: &Row) -> Option<T> {
    let values = row.iter().map(|(name, value)| {
        let value: serde_dynamo::AttributeValue = serde_json::from_value(value.clone()).ok()?;
        Some((name.clone(), value))
    });
    #[allow(clippy::disallowed_types, reason = "a row of this library is one")]
    let item: std::collections::HashMap<String, serde_dynamo::AttributeValue> =
        values.collect::<Option<_>>()?;
    serde_dynamo::from_item(serde_dynamo::Item::from(item)).ok()
}
