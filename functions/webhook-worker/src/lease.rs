//! A run holds a lease on the row it works on, a webhook or one lane of a deployment-wide webhook, so no
//! other run touches it. Each write of the run extends the lease, and fails if the run has lost it. A run
//! that finds nothing more to do releases the row only if the row has not been woken in the meantime.

use std::{marker::PhantomData, time::Duration};

use base::clock::Timestamp;
use outbox::webhooks::{Webhook, WebhookLane};
use shared::models::watch::Watch;
use store::{CommitError, Entity, Field, Key, Update, Writes};

use crate::{app::App, error::RunError};

/// How long a lease lasts without another write: longer than a request may take, and longer than a round of a
/// lane including its last requests.
const LEASE: Duration = Duration::from_secs(45);

/// A row that one run holds at a time.
pub(crate) trait Leased: Entity {
    /// The run that holds it.
    const OWNER: Field<Self, Option<String>>;
    /// When the lease ends unless the run renews it.
    const LEASE_UNTIL: Field<Self, Option<Timestamp>>;
    /// How often the row was woken.
    const POKES: Field<Self, u64>;
    /// Puts the row into the worker's queue while there is something to do.
    const WATCH: Field<Self, Option<Watch>>;
    /// When the sweep queues the row next.
    const DUE_AT: Field<Self, Option<Timestamp>>;

    /// The run that holds the row, and when its lease ends.
    fn held(&self) -> (Option<&String>, Option<Timestamp>);
}

macro_rules! leased {
    ($row:ident) => {
        impl Leased for $row {
            const OWNER: Field<Self, Option<String>> = $row::OWNER;
            const LEASE_UNTIL: Field<Self, Option<Timestamp>> = $row::LEASE_UNTIL;
            const POKES: Field<Self, u64> = $row::POKES;
            const WATCH: Field<Self, Option<Watch>> = $row::WATCH;
            const DUE_AT: Field<Self, Option<Timestamp>> = $row::DUE_AT;

            fn held(&self) -> (Option<&String>, Option<Timestamp>) {
                (self.owner.as_ref(), self.lease_until)
            }
        }
    };
}

leased!(Webhook);
leased!(WebhookLane);

/// The lease that this run holds on a row.
pub(crate) struct Lease<'a, R> {
    app: &'a App,
    key: Key,
    owner: String,
    of: PhantomData<fn() -> R>,
}

impl<'a, R: Leased> Lease<'a, R> {
    /// Takes the lease on a row, provided that the condition `as_read` still holds; `None` if another run
    /// holds the row or takes it first.
    pub(crate) async fn take(
        app: &'a App,
        key: Key,
        row: &R,
        as_read: Update<R>,
    ) -> Result<Option<Self>, RunError> {
        let (owner, until) = row.held();
        if until.is_some_and(|until| until > app.clock.now()) {
            return Ok(None);
        }
        let lease =
            Self { app, key, owner: hex::encode(app.random.bytes::<16>()), of: PhantomData };
        let taken = lease.extended(as_read).set(R::OWNER, &lease.owner);
        let taken = match (owner, until) {
            (Some(owner), Some(until)) => {
                taken.if_equal(R::OWNER, owner).if_equal(R::LEASE_UNTIL, until)
            }
            _ => taken.if_absent(R::OWNER),
        };
        let is_taken = lease.changes(taken).await?;
        Ok(is_taken.then_some(lease))
    }

    /// The row as it is now.
    ///
    /// # Errors
    /// [`RunError::Lost`] if another run holds it.
    pub(crate) async fn row(&self) -> Result<R, RunError> {
        let row = self.app.store.get::<R>(&self.key).await?;
        row.filter(|row| row.held().0 == Some(&self.owner)).ok_or(RunError::Lost)
    }

    /// Commits an update of the row together with other writes, and extends the lease.
    pub(crate) async fn commit(
        &self,
        update: Update<R>,
        writes: Writes<()>,
    ) -> Result<(), RunError> {
        let update = self.extended(update).if_equal(R::OWNER, &self.owner);
        Ok(self.app.store.commit(writes.update(&self.key, update, ())).await?)
    }

    /// Releases the row: due at `until`, or not at all. Returns `false`, and changes nothing, if `pokes` is
    /// given and the row has been woken since it had that count.
    pub(crate) async fn release(
        &self,
        pokes: Option<u64>,
        until: Option<Timestamp>,
    ) -> Result<bool, RunError> {
        let update = Update::new().remove(R::OWNER).remove(R::LEASE_UNTIL);
        let update = match until {
            Some(until) => update.set(R::DUE_AT, until),
            None => update.remove(R::DUE_AT).remove(R::WATCH),
        };
        let update = update.if_equal(R::OWNER, &self.owner);
        let update = match pokes {
            Some(pokes) => update.if_equal(R::POKES, pokes),
            None => update,
        };
        self.changes(update).await
    }

    /// Extends the lease. If the run dies, the row is due again when the lease ends.
    fn extended(&self, update: Update<R>) -> Update<R> {
        let until = self.app.clock.now().plus(LEASE);
        update.set(R::LEASE_UNTIL, until).set(R::WATCH, Watch::Webhook).set(R::DUE_AT, until)
    }

    /// Commits an update of the row; returns `false` if a condition of the update fails.
    async fn changes(&self, update: Update<R>) -> Result<bool, RunError> {
        match self.app.store.commit(Writes::new().update(&self.key, update, ())).await {
            Ok(()) => Ok(true),
            Err(CommitError::Condition(())) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
