//! Leases: which run works on an export. Every write of a run has the condition that its lease still holds.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use base::clock::Timestamp;
use outbox::exports::{Cursor, Export, KEPT, PATIENCE};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::{
        account::AccountId,
        event::{EventType, StateChange},
        export::{ExportId, ExportStatus},
        watch::Watch,
    },
};
use store::{CommitError, Key, Update, Writes};
use tokio::time::Instant;

use crate::{app::App, error::WorkError};

/// How long a lease is valid without renewal.
const LEASE: Duration = Duration::from_secs(45);
/// The pace at which a run renews its lease and hides its message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeasePace {
    /// Time between two renewals.
    pub(crate) beat: Duration,
    /// How long each renewal hides the message. This is longer than the lease, so if a run is killed, the
    /// next receiver of the message finds the export free.
    pub(crate) hidden: Duration,
}

pub(crate) const RHYTHM: LeasePace =
    LeasePace { beat: Duration::from_secs(15), hidden: Duration::from_secs(60) };

/// Receipt handle of the message, if the run came from the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receipt<'a>(pub(crate) Option<&'a str>);

/// The lease of an export.
pub(crate) struct Lease<'a> {
    app: &'a App,
    key: Key,
    owner: String,
    id: ExportId,
    account: AccountId,
}

impl<'a> Lease<'a> {
    /// Takes an export that has no lease, or an expired one.
    ///
    /// # Errors
    /// [`WorkError::Contended`] if other writes prevented every attempt; [`WorkError::Store`] if the store
    /// fails.
    pub(crate) async fn take(app: &'a App, export: &Export) -> Result<Option<Self>, WorkError> {
        let now = app.clock.now();
        if export.lease_until.is_some_and(|until| until > now) {
            return Ok(None);
        }
        let owner = hex::encode(app.random.bytes::<16>());
        let (id, account) = (export.id, export.account_id);
        let lease = Self { app, key: export.key(), owner, id, account };
        let taken = if_as_read(extended(Update::new(), now), export)
            .set(Export::OWNER, &lease.owner)
            .set(Export::STATUS, ExportStatus::Processing)
            .set(Export::WATCH, Watch::Export);
        match app.store.commit(Writes::new().update(&lease.key, taken, ())).await {
            Ok(()) => Ok(Some(lease)),
            Err(CommitError::Condition(())) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Renews the lease and hides the message until the lease is lost, then returns.
    pub(crate) async fn keep(
        &self,
        receipt: Receipt<'_>,
        progress: &AtomicU64,
        rhythm: LeasePace,
    ) -> WorkError {
        let mut renewed = Instant::now();
        loop {
            if let Receipt(Some(receipt)) = receipt
                && let Err(error) = self.app.export_queue.hide(receipt, rhythm.hidden).await
            {
                // A run that receives the message in the meantime finds the export held.
                tracing::warn!(%error, "failed to hide a message");
            }
            tokio::time::sleep(rhythm.beat).await;
            let before = Instant::now();
            let rows = progress.load(Ordering::Relaxed);
            let renewal =
                extended(Update::new(), self.app.clock.now()).set(Export::ROW_COUNT, rows);
            match self.write(renewal).await {
                Ok(()) => renewed = before,
                Err(error @ WorkError::Lost) => return error,
                Err(error) if renewed.elapsed().saturating_add(rhythm.beat) >= LEASE => {
                    return error;
                }
                Err(error) => tracing::warn!(%error, "failed to renew a lease"),
            }
        }
    }

    /// Records that an upload has begun.
    ///
    /// # Errors
    /// [`WorkError::Lost`] if another run holds the export, or the sweep has given it up; otherwise as
    /// [`Self::take`].
    pub(crate) async fn begin(&self, cursor: &Cursor, restarts: u32) -> Result<(), WorkError> {
        let begun = self.reached(cursor).set(Export::RESTARTS, restarts);
        self.write(begun).await
    }

    /// Records how far the upload has come.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub(crate) async fn checkpoint(&self, cursor: &Cursor) -> Result<(), WorkError> {
        self.write(self.reached(cursor).set(Export::REQUEUES, 0)).await
    }

    fn reached(&self, cursor: &Cursor) -> Update<Export> {
        let now = self.app.clock.now();
        extended(Update::new(), now).set(Export::CURSOR, cursor).set(Export::ROW_COUNT, cursor.rows)
    }

    /// Records that the file is complete.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub(crate) async fn complete(&self, cursor: &Cursor) -> Result<(), WorkError> {
        let now = self.app.clock.now();
        let completed = released(Update::new())
            .set(Export::STATUS, ExportStatus::Completed)
            .set(Export::ROW_COUNT, cursor.rows)
            .set(Export::SIZE_BYTES, cursor.bytes)
            .set(Export::COMPLETED_AT, now)
            .set(Export::DUE_AT, now.plus(KEPT))
            .remove(Export::CURSOR);
        self.write_and_tell(completed, Some(ExportStatus::Completed)).await
    }

    /// Releases the export to another run. If no message arrives for it, the sweep queues one.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub(crate) async fn release(&self) -> Result<(), WorkError> {
        let due = self.app.clock.now().plus(PATIENCE);
        self.write(released(Update::new()).set(Export::DUE_AT, due)).await
    }

    /// Gives up the export, with a reason for its owner.
    ///
    /// # Errors
    /// As [`Self::begin`]; [`WorkError::Lost`] also if the export has no row any more.
    pub(crate) async fn fail(&self, file: &str, reason: &str) -> Result<(), WorkError> {
        let export = self.app.store.get::<Export>(&self.key).await?.ok_or(WorkError::Lost)?;
        self.write_and_tell(failed(reason), Some(ExportStatus::Failed)).await?;
        give_up_upload(self.app, file, export.cursor.as_ref()).await;
        Ok(())
    }

    async fn write(&self, update: Update<Export>) -> Result<(), WorkError> {
        self.write_and_tell(update, None).await
    }

    async fn write_and_tell(
        &self,
        update: Update<Export>,
        after: Option<ExportStatus>,
    ) -> Result<(), WorkError> {
        let update = update.if_equal(Export::OWNER, &self.owner);
        let writes = Writes::new().update(&self.key, update, ());
        let told = match after {
            Some(after) => tell((self.account, self.id), ExportStatus::Processing, after),
            None => Writes::new(),
        };
        Ok(self.app.store.commit(writes.and(told)).await?)
    }
}

/// Adds the conditions that the state and the lease of an export are unchanged since it was read.
pub(crate) fn if_as_read(update: Update<Export>, export: &Export) -> Update<Export> {
    let update = update.if_equal(Export::STATUS, export.status);
    match (&export.owner, export.lease_until) {
        (Some(owner), Some(until)) => {
            update.if_equal(Export::OWNER, owner).if_equal(Export::LEASE_UNTIL, until)
        }
        _ => update.if_absent(Export::OWNER),
    }
}

/// The changes that mark an export as failed.
pub(crate) fn failed(reason: &str) -> Update<Export> {
    let update = released(Update::new())
        .set(Export::STATUS, ExportStatus::Failed)
        .set(Export::ERROR, reason);
    update.remove(Export::CURSOR).remove(Export::WATCH)
}

/// Aborts an upload, which frees its parts. If this fails, the bucket aborts it after two days.
pub(crate) async fn give_up_upload(app: &App, file: &str, cursor: Option<&Cursor>) {
    let Some(cursor) = cursor else { return };
    if let Err(error) = app.export_files.give_up(file, &cursor.upload).await {
        tracing::warn!(%error, "failed to abort an upload");
    }
}

/// Appends the event that an export has a file, or will have none.
pub(crate) fn tell(
    (account, id): (AccountId, ExportId),
    before: ExportStatus,
    after: ExportStatus,
) -> Writes<()> {
    let kind = match after {
        ExportStatus::Failed => EventType::ExportFailed,
        _ => EventType::ExportCompleted,
    };
    let change = StateChange::of_state(kind, id, Some(before), after);
    Writes::new().tell(EventList::of_account(account), change)
}

fn extended(update: Update<Export>, now: Timestamp) -> Update<Export> {
    let until = now.plus(LEASE);
    update.set(Export::LEASE_UNTIL, until).set(Export::DUE_AT, until.plus(PATIENCE))
}

fn released(update: Update<Export>) -> Update<Export> {
    update.remove(Export::OWNER).remove(Export::LEASE_UNTIL)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use base::random::{Random, SystemSource};
    use local::{LocalStack, Overheard, patience::wait_until};
    use shared::models::export::{ExportFormat, HistoryFilter, HistoryType};

    use super::*;

    /// Each renewal extends the lease, records the progress, and keeps the message hidden.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_live_run_keeps_its_lease_and_hides_its_message() {
        const HIDDEN: Duration = Duration::from_secs(60);
        let stack = LocalStack::start().await;
        let asked = Overheard::default();
        let app: &App = &stack.app().through(asked.outbound()).function();
        let now = app.clock.now();
        let random: &dyn Random = &SystemSource;
        let filter = HistoryFilter { chain: None, kind: HistoryType::Swap, from: now, to: now };
        let (id, account) = (ExportId(random.id(now)), AccountId(random.id(now)));
        let export = Export::asked_for(id, account, ExportFormat::Csv, filter, Vec::new(), now);
        app.store.put(&export.key(), &export).await.unwrap();

        let queue = &stack.app().config.exports.queue_url;
        let sqs = stack.sqs();
        app.export_queue.send(id).await.unwrap();
        let received = sqs.receive_message().queue_url(queue).send().await;
        let receipt = received.unwrap().messages().first().unwrap().receipt_handle.clone();

        let lease = Lease::take(app, &export).await.unwrap().unwrap();
        let row = async || app.store.get::<Export>(&export.key()).await.unwrap().unwrap();
        let first = row().await.lease_until.unwrap();
        let progress = AtomicU64::new(7);
        let rhythm = LeasePace { beat: Duration::from_millis(20), hidden: HIDDEN };
        let keep = lease.keep(Receipt(receipt.as_deref()), &progress, rhythm);
        let hides = || asked.of("ChangeMessageVisibility");
        let watch = async {
            let renewed = async || row().await.lease_until.unwrap() > first;
            wait_until("a longer lease", renewed).await;
            assert_eq!(row().await.row_count, 7);
            wait_until("three renewals", async || hides().len() > 3).await;
            let seen = sqs.receive_message().queue_url(queue).send().await;
            assert!(seen.unwrap().messages().is_empty(), "the message is hidden");
        };
        tokio::select! {
            lost = keep => panic!("{lost}"),
            () = watch => {}
        }
        // Each renewal hides the message only for this long. Without further renewals the queue delivers it
        // again.
        for hide in hides() {
            assert_eq!(hide["VisibilityTimeout"], HIDDEN.as_secs(), "{hide}");
            assert_eq!(hide["ReceiptHandle"].as_str(), receipt.as_deref(), "{hide}");
        }
    }
}
