//! A run leases a row, so that no other run works on it: a webhook, or a lane of one of the deployment. Each write of the run
//! fails unless the run still has the lease, and extends it. A run that finds nothing more to do gives the row back only if
//! nobody has woken the row since.

use std::{marker::PhantomData, time::Duration};

use shared::{
    clock::Timestamp,
    models::watch::Watch,
    store::{CommitError, Entity, Field, Key, Update, Writes},
    webhooks::{Webhook, WebhookLane},
};

use crate::{app::App, error::RunError};

/// How long a lease is valid without another write: longer than a request may take, and than a round of a lane with its last
/// requests.
const LEASE: Duration = Duration::from_secs(45);

/// A row that one run has at a time.
pub(crate) trait Leased: Entity {
    /// The run that has it.
    const OWNER: Field<Self, Option<String>>;
    /// Until when, unless that run says something before.
    const LEASE_UNTIL: Field<Self, Option<Timestamp>>;
    /// How often it was woken.
    const POKES: Field<Self, u64>;
    /// The worker's queue, while there is something to do.
    const WATCH: Field<Self, Option<Watch>>;
    /// When the worker looks next.
    const DUE_AT: Field<Self, Option<Timestamp>>;

    /// Who has it, and until when.
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

/// A row that this run has.
pub(crate) struct Lease<'a, R> {
    app: &'a App,
    key: Key,
    owner: String,
    of: PhantomData<fn() -> R>,
}

impl<'a, R: Leased> Lease<'a, R> {
    /// Takes a row as it was read, if `same` holds; `None` if another run has it, or is faster.
    ///
    /// # Errors
    /// [`RunError`].
    pub(crate) async fn take(
        app: &'a App,
        key: Key,
        row: &R,
        same: Update<R>,
    ) -> Result<Option<Self>, RunError> {
        let (owner, until) = row.held();
        if until.is_some_and(|until| until > app.clock.now()) {
            return Ok(None);
        }
        let lease =
            Self { app, key, owner: hex::encode(app.random.bytes::<16>()), of: PhantomData };
        let taken = lease.extended(same).set(R::OWNER, &lease.owner);
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
    /// [`RunError::Lost`] if another run has it.
    pub(crate) async fn row(&self) -> Result<R, RunError> {
        let row = self.app.store.get::<R>(&self.key).await?;
        row.filter(|row| row.held().0 == Some(&self.owner)).ok_or(RunError::Lost)
    }

    /// Changes the row together with other writes, and extends the lease.
    ///
    /// # Errors
    /// [`RunError`].
    pub(crate) async fn commit(
        &self,
        update: Update<R>,
        writes: Writes<()>,
    ) -> Result<(), RunError> {
        let update = self.extended(update).if_equal(R::OWNER, &self.owner);
        Ok(self.app.store.commit(writes.update(&self.key, update, ())).await?)
    }

    /// Gives the row back, with something to do at `until` or nothing at all; returns `false` if it was woken since it had so
    /// many `pokes`.
    ///
    /// # Errors
    /// [`RunError`].
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

    /// If the run dies, the row is due again at the end of the lease.
    fn extended(&self, update: Update<R>) -> Update<R> {
        let until = self.app.clock.now().plus(LEASE);
        update.set(R::LEASE_UNTIL, until).set(R::WATCH, Watch::Webhook).set(R::DUE_AT, until)
    }

    /// Changes the row; returns `false` if it is another one by now.
    async fn changes(&self, update: Update<R>) -> Result<bool, RunError> {
        match self.app.store.commit(Writes::new().update(&self.key, update, ())).await {
            Ok(()) => Ok(true),
            Err(CommitError::Condition(())) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
