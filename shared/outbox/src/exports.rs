//! Exports of histories: their rows, their files, and the messages for the worker that makes them.

use std::{sync::Arc, time::Duration};

use base::{
    aws::AwsConfig,
    blob::Bucket,
    clock::Timestamp,
    outbound::Outbound,
    queue::{Queue, QueueError},
};
use serde::{Deserialize, Serialize};
use shared::{
    core::Core,
    keys,
    models::{
        account::AccountId,
        export::{ExportFormat, ExportId, ExportStatus, HistoryChain, HistoryFilter, HistoryType},
        watch::Watch,
    },
};
use store::{
    Entity, Key, Store, StoreError, fields,
    lists::{self, List},
};

/// How long a file is kept (`docs/decisions/0009-exports.md`).
pub const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// An export that no worker has touched for this long is queued again.
pub const PATIENCE: Duration = Duration::from_secs(2 * 60);

/// An export, as stored. The filter and `up_to` are fixed when it is created, so members appended to the
/// history later are not in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// Its id.
    pub id: ExportId,
    /// When it was created.
    pub created_at: Timestamp,
    /// The account that asked for it.
    pub account_id: AccountId,
    /// The format of the file.
    pub format: ExportFormat,
    /// The part of the history that it covers.
    pub filter: HistoryFilter,
    /// How many members each list of the history had when the export was created, in the order of
    /// [`parts_of`].
    pub up_to: Vec<u64>,
    /// The stored status; [`Export::status_at`] also knows about expiry.
    pub status: ExportStatus,
    /// Rows that are written so far.
    pub row_count: u64,
    /// Bytes of the file; 0 until it is complete.
    pub size_bytes: u64,
    /// Why there will be no file, as its owner sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When the file was completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// The run of the worker that holds it: random, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When the lease ends unless the run renews it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_until: Option<Timestamp>,
    /// How far the upload has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How often the upload was restarted.
    #[serde(default)]
    pub restarts: u32,
    /// How often in a row it was queued again because no worker touched it.
    #[serde(default)]
    pub requeues: u32,
    /// The worker's queue; `None` once nothing is left to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the sweep visits it next.
    pub due_at: Timestamp,
}

impl Entity for Export {
    const ENTITY: &'static str = "export";
}

fields!(Export {
    pub STATUS: ExportStatus = status,
    pub ROW_COUNT: u64 = row_count,
    pub SIZE_BYTES: u64 = size_bytes,
    pub ERROR: Option<String> = error,
    pub COMPLETED_AT: Option<Timestamp> = completed_at,
    pub OWNER: Option<String> = owner,
    pub LEASE_UNTIL: Option<Timestamp> = lease_until,
    pub CURSOR: Option<Cursor> = cursor,
    pub RESTARTS: u32 = restarts,
    pub REQUEUES: u32 = requeues,
    pub WATCH: Option<Watch> = watch,
    pub DUE_AT: Timestamp = due_at,
});

/// How far an upload has come: the uploaded parts, and the remainder that is too small for a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cursor {
    /// The number, in the range of the export, of the last member that was read.
    pub n: u64,
    /// Rows written.
    pub rows: u64,
    /// Bytes in the parts.
    pub bytes: u64,
    /// Whether there is a remainder: rows up to `n` that were too few for a part when a run had to stop.
    #[serde(default)]
    pub has_rest: bool,
    /// The upload's id.
    pub upload: String,
    /// ETags of the parts, in their order.
    pub etags: Vec<String>,
}

impl Export {
    /// An export that is created at `at`.
    pub fn asked_for(
        id: ExportId,
        account_id: AccountId,
        format: ExportFormat,
        filter: HistoryFilter,
        up_to: Vec<u64>,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            created_at: at,
            account_id,
            format,
            filter,
            up_to,
            status: ExportStatus::Pending,
            row_count: 0,
            size_bytes: 0,
            error: None,
            completed_at: None,
            owner: None,
            lease_until: None,
            cursor: None,
            restarts: 0,
            requeues: 0,
            watch: Some(Watch::Export),
            due_at: at.plus(PATIENCE),
        }
    }

    /// The key of its row.
    pub fn key(&self) -> Key {
        keys::export(self.id)
    }

    /// The storage key of its file.
    pub fn file(&self) -> String {
        format!("exports/{}/{}.csv", self.account_id, self.id)
    }

    /// The storage key of the remainder up to list member `n`.
    pub fn rest(&self, n: u64) -> String {
        format!("{}.{n}", self.file())
    }

    /// The name that browsers save the file under.
    pub fn file_name(&self) -> String {
        format!("runeport-{}-{}.csv", self.filter.kind.name(), self.id)
    }

    /// When the file is deleted; `None` while there is none.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.completed_at.map(|at| at.plus(KEPT))
    }

    /// The status at `now`: a file past its expiry counts as expired.
    pub fn status_at(&self, now: Timestamp) -> ExportStatus {
        let over = self.expires_at().is_some_and(|end| end <= now);
        if self.status == ExportStatus::Completed && over {
            ExportStatus::Expired
        } else {
            self.status
        }
    }
}

/// A list of an account that a history reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryPart {
    /// Cross-chain transactions.
    Xchain,
    /// Swaps only.
    Swaps,
    /// Batches of virtual mints.
    VirtualMint,
    /// Refunds.
    Refund,
    /// The withdrawals among all Bitcoin transactions.
    Withdrawals,
    /// All Bitcoin transactions.
    Transactions,
    /// Deposits.
    Deposits,
}

impl HistoryPart {
    /// The list that holds it.
    pub fn list(self, account: AccountId) -> List {
        match self {
            Self::Xchain | Self::Swaps => keys::lists::xchain_by_account(account),
            Self::VirtualMint => keys::lists::vm_by_account(account),
            Self::Refund => keys::lists::refunds_by_account(account),
            Self::Withdrawals | Self::Transactions => keys::lists::transactions(account),
            Self::Deposits => keys::lists::deposits(account),
        }
    }
}

/// The parts of a history, in the order of the file. Mints, refunds, withdrawals and deposits belong to
/// Bitcoin; swaps do not.
pub fn parts_of(filter: &HistoryFilter) -> &'static [HistoryPart] {
    use HistoryPart::{Deposits, Refund, Swaps, Transactions, VirtualMint, Withdrawals, Xchain};
    match (filter.kind, filter.chain) {
        (HistoryType::Swap, _) => &[Xchain],
        (HistoryType::All, Some(HistoryChain::Id(_))) => &[Swaps],
        (_, Some(HistoryChain::Id(_))) => &[],
        (HistoryType::Withdraw, _) => &[Withdrawals],
        (HistoryType::VirtualMint, _) => &[VirtualMint],
        (HistoryType::Refund, _) => &[Refund],
        (HistoryType::All, Some(HistoryChain::Bitcoin)) => &[Transactions, Deposits],
        (HistoryType::All, None) => &[Transactions, Deposits, Swaps],
    }
}

/// How many members the lists of a history have now, in the order of [`parts_of`].
pub async fn totals(
    store: &Store,
    account: AccountId,
    filter: &HistoryFilter,
) -> Result<Vec<u64>, StoreError> {
    let mut totals = Vec::new();
    for part in parts_of(filter) {
        totals.push(lists::total(store, &part.list(account)).await?);
    }
    Ok(totals)
}

/// A message to the worker: the body in the queue, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExportMessage {
    /// Make this file: `{"export": "<id>"}`.
    Export(ExportId),
    /// Find abandoned exports: `{"sweep": true}`.
    Sweep(bool),
}

base::section! {
    /// Exports of histories: where they are asked for, and where they end up.
    pub struct ExportConfig {
        /// Bucket of export files
        pub bucket: String = "EXPORT_BUCKET",
        /// URL of the queue of exports to make
        pub queue_url: String = "EXPORT_QUEUE_URL",
    }
}

impl ExportConfig {
    /// Opens the queue and the bucket; connects only when they are used.
    pub fn open(self, core: &Core) -> (ExportQueue, Bucket) {
        let (aws, outbound) = (&core.aws, &core.outbound);
        let queue = ExportQueue::new(aws.clone(), self.queue_url, outbound.clone());
        let files = Bucket::new(aws.clone(), self.bucket, outbound.clone());
        (queue, files)
    }
}

/// The queue of the exports to make.
#[derive(Debug)]
pub struct ExportQueue(Queue);

impl ExportQueue {
    /// The queue at `url`; connects only to send.
    pub fn new(aws: Arc<AwsConfig>, url: String, outbound: Outbound) -> Self {
        Self(Queue::new(aws, url, outbound))
    }

    /// Queues an export. An export that is queued twice is made once.
    pub async fn send(&self, id: ExportId) -> Result<(), QueueError> {
        self.0.send_all(&[ExportMessage::Export(id)]).await
    }

    /// Hides a message that was received for this long.
    pub async fn hide(&self, receipt: &str, span: Duration) -> Result<(), QueueError> {
        self.0.hide(receipt, span).await
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_as_the_queue_and_the_schedule_write_them() {
        let id: ExportId = "0197d3f0-0000-7000-8000-000000000000".parse().unwrap();
        for (message, body) in [
            (ExportMessage::Export(id), json!({ "export": id })),
            (ExportMessage::Sweep(true), json!({ "sweep": true })),
        ] {
            assert_eq!(serde_json::to_value(message).unwrap(), body);
            assert_eq!(serde_json::from_value::<ExportMessage>(body).unwrap(), message);
        }
        for body in [json!({}), json!([]), json!({ "export": "x" }), json!({ "import": id })] {
            assert!(serde_json::from_value::<ExportMessage>(body).is_err());
        }
    }
}
