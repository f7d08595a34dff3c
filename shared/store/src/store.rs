//! The store, and how its commits are extended.

use std::{sync::Arc, time::Duration};

use aws_sdk_dynamodb::{
    Client,
    config::Region,
    error::ProvideErrorMetadata,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError,
        transact_write_items::TransactWriteItemsError, update_item::UpdateItemError,
    },
};
use aws_smithy_runtime_api::client::{
    interceptors::context::InterceptorContext,
    retries::classifiers::{ClassifyRetry, RetryAction},
};
use base::{
    aws::{AwsConfig, spans::interceptors_with},
    clock::{Clock, Timestamp},
    outbound::Outbound,
    random::Random,
};
use futures_util::future::BoxFuture;

use super::{
    Key, Notice, StoreError, Table, Tables, Writes,
    error::{CONFLICT, IN_PROGRESS},
    row::{Entity, Item, item_of, number},
    spans::Units,
};

/// Attempts to commit despite contention.
pub(super) const COMMIT_ATTEMPTS: u32 = 8;

/// Makes the SDK retry two conflicts that it does not retry by itself: single writes that conflict with a
/// transaction, and transactions that conflict with their own first attempt (a retry carries the same client
/// token).
#[derive(Debug)]
struct RepeatConflicts;

impl ClassifyRetry for RepeatConflicts {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let error = context.output_or_error().and_then(|output| output.err());
        let error = error.and_then(|error| error.as_operation_error());
        let code = error.and_then(|error| {
            let put = error.downcast_ref::<PutItemError>().map(PutItemError::code);
            let update = error.downcast_ref::<UpdateItemError>().map(UpdateItemError::code);
            let delete = error.downcast_ref::<DeleteItemError>().map(DeleteItemError::code);
            let transact =
                error.downcast_ref::<TransactWriteItemsError>().map(TransactWriteItemsError::code);
            put.or(update).or(delete).or(transact).flatten()
        });
        match code {
            Some(CONFLICT | IN_PROGRESS) => RetryAction::transient_error(),
            _ => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "repeat conflicts"
    }
}

/// Turns the notices of a commit into writes of it.
pub trait Announcer: Send + Sync {
    /// Reads what the writes depend on. Called once a commit, unless it has no notices.
    fn announce<'a>(
        &'a self,
        store: &'a Store,
        notices: &'a [Notice],
    ) -> BoxFuture<'a, Result<Box<dyn Announcement>, StoreError>>;
}

/// The writes that announce the notices of one commit.
pub trait Announcement: Send + Sync {
    /// The writes. The commit has room for `room` more actions. `is_moved` says that a condition of these writes
    /// has failed, because what was read has changed: then they have no condition.
    fn writes(&self, room: usize, is_moved: bool) -> Writes<()>;
}

/// The store of a deployment's tables. Cloning is cheap.
#[derive(Clone)]
pub struct Store {
    pub(super) client: Client,
    pub(super) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    tables: Arc<Tables>,
    pub(super) announcer: Arc<dyn Announcer>,
}

impl Store {
    /// A store of `tables`, whose commits `announcer` extends. Connects only when it is used.
    pub fn new(
        aws: &AwsConfig,
        (tables, announcer): (Tables, Arc<dyn Announcer>),
        outbound: Outbound,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .region(Region::new(aws.region.clone()))
            .credentials_provider(aws.credentials())
            .http_client(outbound.clone())
            .retry_classifier(RepeatConflicts)
            .timeout_config(base::aws::timeouts(&outbound));
        config.set_endpoint_url(aws.dynamodb_endpoint.clone());
        let tables = Arc::new(tables);
        config.set_interceptors(interceptors_with(&outbound, || Units::new(tables.clone())));
        Self { client: Client::from_conf(config.build()), clock, random, tables, announcer }
    }

    /// The source of random numbers in its rows.
    pub fn random(&self) -> &dyn Random {
        self.random.as_ref()
    }

    /// The name of a table in this deployment.
    pub fn name(&self, table: Table) -> &str {
        self.tables.name(table)
    }

    pub(super) fn key_of(&self, name: &str, item: &Item) -> Option<Key> {
        let table = self.tables.named(name)?;
        let text = |name: &str| item.get(name)?.as_s().ok().cloned();
        Some(Key::stored(table, text("pk")?, text("sk")?))
    }

    /// A row's attributes ([`item_of`]), with `createdAt` if the value has none.
    pub(super) fn item<T: Entity>(&self, key: &Key, row: &T) -> Result<Item, StoreError> {
        item_of(key, row).map(|item| self.dated(item))
    }

    /// Adds `createdAt` if it is missing.
    pub(super) fn dated(&self, mut item: Item) -> Item {
        item.entry("createdAt".to_owned()).or_insert_with(|| number(self.clock.now().0));
        item
    }

    /// Sleeps before attempt `attempt + 1`, with full jitter so that colliding writers spread out.
    pub(super) async fn pause(&self, attempt: u32) {
        const FIRST_MS: u64 = 8;
        const LONGEST_MS: u64 = 400;
        let most =
            FIRST_MS.saturating_mul(1_u64.checked_shl(attempt).unwrap_or(u64::MAX)).min(LONGEST_MS);
        tokio::time::sleep(Duration::from_millis(self.random.up_to(most))).await;
    }

    /// The present time on the store's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
