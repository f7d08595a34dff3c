//! The store: rows, batch reads, ranges, rate windows, turns, single-use rows, workers' queues and state
//! indexes.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use aws_sdk_dynamodb::{
    Client,
    config::Region,
    error::ProvideErrorMetadata,
    operation::{
        delete_item::DeleteItemError,
        put_item::PutItemError,
        query::builders::QueryFluentBuilder,
        transact_write_items::TransactWriteItemsError,
        update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    },
    types::{KeysAndAttributes, ReturnValue, ReturnValuesOnConditionCheckFailure, Select},
};
use aws_smithy_runtime_api::client::{
    interceptors::context::InterceptorContext,
    retries::classifiers::{ClassifyRetry, RetryAction},
};
use base::{
    aws::{AwsConfig, spans::interceptors_with},
    clock::{Clock, Timestamp},
    outbound::{Outbound, remaining},
    random::Random,
};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};

use super::{
    Key, StoreError, Table, Tables, Update,
    deployment_hooks::DeploymentHooks,
    error::{CONFLICT, IN_PROGRESS},
    fields,
    row::{Entity, FREE, Item, UntypedRow, from_item, item_of, key_item, number, place_of, text},
    spans::Units,
    update::Parts,
};
use crate::models::watch::Watch;

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

/// A row in a worker's queue: when it is due, and its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuePlace {
    due_at: Timestamp,
    pk: String,
    sk: String,
}

impl QueuePlace {
    /// The key of the row.
    pub fn key(&self) -> Key {
        Key::stored(Table::Activity, self.pk.clone(), self.sk.clone())
    }
}

/// Rows of a worker's queue that are due.
#[derive(Clone, Debug, Default)]
pub struct DuePage {
    /// Longest overdue first.
    pub places: Vec<QueuePlace>,
    /// Rows whose due time cannot be read, so that they have no place.
    pub malformed: Vec<Key>,
    /// Whether there may be more.
    pub are_more: bool,
}

/// The sparse index of rows that a worker processes: by `watch`, sorted by `dueAt`.
const WATCH_INDEX: &str = "watch";

/// The order of VM transactions in a state. Each order has a sparse index by `stateKey`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateOrder {
    /// By creation.
    Created,
    /// By the price of their new requests, lowest first. Only rows in the state `allInMempool` have it.
    Price,
}

impl StateOrder {
    /// The name and the sort key of its index.
    const fn index(self) -> (&'static str, &'static str) {
        match self {
            Self::Created => ("state", "stateAt"),
            Self::Price => ("price", "statePrice"),
        }
    }
}

/// The rows that were read of one key of such an index.
struct StatePart<'a> {
    key: &'a str,
    /// In the order of reading, each with its sort key.
    found: Vec<(String, Key)>,
    /// Where the next read begins.
    next: Option<Item>,
    is_read: bool,
}

impl<'a> StatePart<'a> {
    fn new(key: &'a str) -> Self {
        Self { key, found: Vec::new(), next: None, is_read: false }
    }
}

/// The window that [`Store::hit`] counts in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HitWindow {
    hits: u32,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for HitWindow {
    const ENTITY: &'static str = "window";
}

fields!(HitWindow { HITS: u32 = hits, EXPIRES_AT: i64 = expires_at });

/// The row that [`Store::take_turn`] counts in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Turns {
    turns: u32,
    next_at: Timestamp,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for Turns {
    const ENTITY: &'static str = "turns";
}

fields!(Turns { TURNS: u32 = turns, NEXT_AT: Timestamp = next_at });

/// Whether [`Store::claim`] wrote a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed<T> {
    /// The row was written.
    New,
    /// The place is taken by this row.
    Existing(T),
}

/// The result of [`Store::hit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Whether the window had room, so that the hits are counted.
    pub is_allowed: bool,
    /// How many more hits the window takes.
    pub left: u32,
    /// When the window ends.
    pub until: Timestamp,
}

impl Hit {
    const fn refused(until: Timestamp) -> Self {
        Self { is_allowed: false, left: 0, until }
    }

    fn counted(window: &HitWindow, most: u32) -> Self {
        let until = Timestamp::from_seconds(window.expires_at);
        Self { is_allowed: true, left: most.saturating_sub(window.hits), until }
    }
}

/// Whether [`Store::take_turn`] allows and counts an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The attempt is allowed.
    Allowed,
    /// The next one is allowed from this time.
    From(Timestamp),
}

/// Attempts to read the unprocessed rest of a batch.
const BATCH_ATTEMPTS: u32 = 6;
/// Attempts to commit despite contention.
pub(super) const COMMIT_ATTEMPTS: u32 = 8;
/// The most rows that DynamoDB reads in one batch.
const BATCH: usize = 100;

/// The store of the deployment's three tables. Cloning is cheap.
#[derive(Clone)]
pub struct Store {
    pub(super) client: Client,
    pub(super) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    tables: Arc<Tables>,
    pub(super) deployment_hooks: Arc<DeploymentHooks>,
}

impl Store {
    /// A store of `tables`. Connects only when it is used.
    pub fn new(
        aws: &AwsConfig,
        tables: Tables,
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
        let deployment_hooks = Arc::default();
        Self { client: Client::from_conf(config.build()), clock, random, tables, deployment_hooks }
    }

    /// The source of random numbers in its rows.
    pub fn random(&self) -> &dyn Random {
        self.random.as_ref()
    }

    /// The name of a table in this deployment.
    pub fn name(&self, table: Table) -> &str {
        match table {
            Table::Accounts => &self.tables.accounts,
            Table::Activity => &self.tables.activity,
            Table::Ephemeral => &self.tables.ephemeral,
        }
    }

    /// Reads a row, strongly consistent.
    pub async fn get<T: Entity>(&self, key: &Key) -> Result<Option<T>, StoreError> {
        let output = self
            .client
            .get_item()
            .table_name(self.name(key.table()))
            .set_key(Some(key_item(key)))
            .consistent_read(true)
            .send()
            .await?;
        output.item.map(from_item).transpose()
    }

    /// Reads rows with one batch for each table, strongly consistent. Returns them in the order of `keys`.
    pub async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<UntypedRow>>, StoreError> {
        // No batch spans tables: AWS does not say whether the condition `dynamodb:LeadingKeys` of a policy
        // then sees the keys of its own table only, or all of them.
        let mut by_table: BTreeMap<Table, Vec<Key>> = BTreeMap::new();
        for key in keys {
            by_table.entry(key.table()).or_default().push(key.clone());
        }
        let reads = by_table.values().map(|keys| self.get_of_table(keys));
        let found: HashMap<Key, Item> = try_join_all(reads).await?.into_iter().flatten().collect();
        Ok(keys.iter().map(|key| found.get(key).cloned().map(UntypedRow::new)).collect())
    }

    async fn get_of_table(&self, keys: &[Key]) -> Result<HashMap<Key, Item>, StoreError> {
        let mut found = HashMap::with_capacity(keys.len());
        for chunk in keys.chunks(BATCH) {
            let mut wanted = self.batch_of(chunk)?;
            for attempt in 0..BATCH_ATTEMPTS {
                let output =
                    self.client.batch_get_item().set_request_items(Some(wanted)).send().await?;
                for (name, items) in output.responses.unwrap_or_default() {
                    found.extend(
                        items
                            .into_iter()
                            .filter_map(|item| Some((self.key_of(&name, &item)?, item))),
                    );
                }
                wanted = output.unprocessed_keys.unwrap_or_default();
                if wanted.is_empty() || remaining().is_zero() {
                    break;
                }
                self.pause(attempt).await;
            }
            if !wanted.is_empty() {
                return Err(StoreError::Unavailable(
                    "part of a batch stayed unprocessed".to_owned(),
                ));
            }
        }
        Ok(found)
    }

    /// Reads rows of one type in one batch. Returns them in the order of `keys`.
    pub async fn get_many<T: Entity>(&self, keys: &[Key]) -> Result<Vec<Option<T>>, StoreError> {
        self.get_all(keys)
            .await?
            .into_iter()
            .map(|row| row.map(UntypedRow::read).transpose())
            .collect()
    }

    /// Like [`Self::get_many`], for rows of several owners: one that cannot be read hides no other.
    pub async fn get_each<T: Entity>(
        &self,
        keys: &[Key],
    ) -> Result<Vec<Option<Result<T, StoreError>>>, StoreError> {
        Ok(self.get_all(keys).await?.into_iter().map(|row| row.map(UntypedRow::read)).collect())
    }

    /// Reads two rows of different types in one batch.
    pub async fn get_both<A: Entity, B: Entity>(
        &self,
        one: &Key,
        other: &Key,
    ) -> Result<(Option<A>, Option<B>), StoreError> {
        let mut rows = self.get_all(&[one.clone(), other.clone()]).await?.into_iter();
        let (one, other) = (rows.next().flatten(), rows.next().flatten());
        Ok((one.map(UntypedRow::read).transpose()?, other.map(UntypedRow::read).transpose()?))
    }

    fn batch_of(&self, keys: &[Key]) -> Result<HashMap<String, KeysAndAttributes>, StoreError> {
        let mut by_table: HashMap<String, Vec<Item>> = HashMap::new();
        for key in keys {
            let rows = by_table.entry(self.name(key.table()).to_owned()).or_default();
            let row = key_item(key);
            // DynamoDB refuses a batch that names a row twice.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        by_table
            .into_iter()
            .map(|(name, rows)| {
                let wanted =
                    KeysAndAttributes::builder().set_keys(Some(rows)).consistent_read(true);
                Ok((name, wanted.build()?))
            })
            .collect()
    }

    fn key_of(&self, name: &str, item: &Item) -> Option<Key> {
        let table = [Table::Accounts, Table::Activity, Table::Ephemeral]
            .into_iter()
            .find(|&table| self.name(table) == name)?;
        let text = |name: &str| item.get(name)?.as_s().ok().cloned();
        Some(Key::stored(table, text("pk")?, text("sk")?))
    }

    /// Writes a row if its place is free: no row, a row past its `expiresAt`, or a row that meets the
    /// conditions of `free_when`.
    pub async fn claim<T: Entity>(
        &self,
        key: &Key,
        row: &T,
        free_when: Option<Update<T>>,
    ) -> Result<Claimed<T>, StoreError> {
        let mut item = self.item(key, row)?;
        // The SDK repeats a write whose response was lost; the random claim lets it recognise its own row.
        let claim = hex::encode(self.random.bytes::<16>());
        item.insert("claim".to_owned(), text(&claim));
        let mut condition = FREE.to_owned();
        let now = number(self.clock.now().past_seconds());
        let mut values = HashMap::from([(":now".to_owned(), now)]);
        let mut names = None;
        if let Some(also) = free_when.map(Update::into_parts).transpose()? {
            condition = format!("{condition} OR ({})", also.condition);
            values.extend(also.values);
            names = Some(also.names);
        }
        let written = self
            .client
            .put_item()
            .table_name(self.name(key.table()))
            .set_item(Some(item))
            .condition_expression(condition)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(Some(values))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match written {
            Ok(_) => Ok(Claimed::New),
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                    let item = failed.item.clone().unwrap_or_default();
                    let own = item.get("claim").and_then(|id| id.as_s().ok()) == Some(&claim);
                    if own { Ok(Claimed::New) } else { from_item(item).map(Claimed::Existing) }
                }
                _ => Err(error.into()),
            },
        }
    }

    /// Counts hits, all or none of them, in a window that the first hit opens. After `most` hits it refuses
    /// until the window ends. One atomic write, or two if the row of an ended window is still there.
    ///
    /// With `stretch`, every counted hit moves the end of the window.
    pub async fn hit(
        &self,
        key: &Key,
        (hits, most): (u32, u32),
        window: Duration,
        stretch: bool,
    ) -> Result<Hit, StoreError> {
        for _attempt in 0..COMMIT_ATTEMPTS {
            let now = self.now();
            let end = now.plus(window).seconds();
            let refusing =
                match self.hit_current_window(key, (hits, most), (now, end), stretch).await? {
                    Ok(counted) => return Ok(Hit::counted(&counted, most)),
                    Err(refusing) => refusing,
                };
            if refusing.expires_at > now.past_seconds() {
                return Ok(Hit::refused(Timestamp::from_seconds(refusing.expires_at)));
            }
            let fresh = HitWindow { hits, expires_at: end };
            if matches!(self.claim(key, &fresh, None).await?, Claimed::New) {
                return Ok(Hit::counted(&fresh, most));
            }
            // Another hit has opened the window.
        }
        // So many concurrent hits exceed every limit.
        Ok(Hit::refused(self.now().plus(Duration::from_secs(1))))
    }

    /// Counts hits in the open window, or in one that it opens in a free place, and returns the window. The
    /// inner error is the window that prevented this: it is full or has ended.
    async fn hit_current_window(
        &self,
        key: &Key,
        (hits, most): (u32, u32),
        (now, end): (Timestamp, i64),
        stretch: bool,
    ) -> Result<Result<HitWindow, HitWindow>, StoreError> {
        let hit = Update::new().create_or_change().add(HitWindow::HITS, hits.into());
        // The number of earlier hits from which on these hits would be too many.
        let full = most.saturating_add(1).saturating_sub(hits);
        let hit = match stretch {
            true => hit.expire_at(end),
            false => hit.set_if_absent(HitWindow::EXPIRES_AT, end),
        };
        let hit = hit.if_below(HitWindow::HITS, full).if_lasting(now.past_seconds());
        let mut parts = hit.into_parts()?;
        parts.condition = format!("attribute_not_exists(pk) OR ({})", parts.condition);
        let counted = self
            .update_request(key, parts)
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        let error = match counted {
            Ok(output) => return from_item(output.attributes.unwrap_or_default()).map(Ok),
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                from_item(failed.item.clone().unwrap_or_default()).map(Err)
            }
            _ => Err(error.into()),
        }
    }

    /// The open window of [`Self::hit`], as the next hit would find it; `None` if none is open. Counts
    /// nothing.
    pub async fn window(&self, key: &Key, most: u32) -> Result<Option<Hit>, StoreError> {
        let now = self.now().past_seconds();
        let open = self.get::<HitWindow>(key).await?.filter(|open| open.expires_at > now);
        Ok(open.map(|open| Hit { is_allowed: open.hits < most, ..Hit::counted(&open, most) }))
    }

    /// The same for several windows, each with the most hits that it takes. One batch read.
    pub async fn windows(&self, windows: &[(Key, u32)]) -> Result<Vec<Option<Hit>>, StoreError> {
        let now = self.now().past_seconds();
        let keys: Vec<_> = windows.iter().map(|(key, _)| key.clone()).collect();
        let found = self.get_many::<HitWindow>(&keys).await?;
        let open = |(row, (_, most)): (Option<HitWindow>, &(Key, u32))| {
            let open = row.filter(|open| open.expires_at > now)?;
            Some(Hit { is_allowed: open.hits < *most, ..Hit::counted(&open, *most) })
        };
        Ok(found.into_iter().zip(windows).map(open).collect())
    }

    /// Takes a turn; `pause` says how long to wait after the n-th one. Each concurrent turn counts. The count
    /// resets once no turn was taken for `kept`. One conditional write, or two if a turn was taken earlier.
    pub async fn take_turn(
        &self,
        key: &Key,
        pause: impl Fn(u32) -> Duration,
        kept: Duration,
    ) -> Result<Attempt, StoreError> {
        let mut last: Option<Turns> = None;
        for attempt in 0..COMMIT_ATTEMPTS {
            let now = self.now();
            let turns = last.as_ref().map_or(0, |last| last.turns).saturating_add(1);
            let next = Turns {
                turns,
                next_at: now.plus(pause(turns)),
                expires_at: now.plus(kept).seconds(),
            };
            let unchanged = last.as_ref().map(|last| {
                let update = Update::new().if_equal(Turns::TURNS, last.turns);
                update.if_equal(Turns::NEXT_AT, last.next_at)
            });
            let Claimed::Existing(other) = self.claim(key, &next, unchanged).await? else {
                return Ok(Attempt::Allowed);
            };
            if other.next_at > self.now() {
                return Ok(Attempt::From(other.next_at));
            }
            if last.is_some() {
                self.pause(attempt).await;
            }
            last = Some(other);
        }
        Ok(Attempt::From(self.now().plus(Duration::from_secs(1))))
    }

    /// Returns a turn taken by [`Self::take_turn`]; the pause after it remains.
    pub async fn give_turn_back(&self, key: &Key) -> Result<(), StoreError> {
        let update = Update::new().add(Turns::TURNS, -1).if_above(Turns::TURNS, 0);
        self.update(key, update).await
    }

    /// Updates one row if its conditions hold. A missing row is created from the values that are set.
    pub async fn update<R>(&self, key: &Key, update: Update<R>) -> Result<(), StoreError> {
        match self.update_request(key, update.into_parts()?).send().await {
            Ok(_) => Ok(()),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Updates a row that has not expired, and returns the updated row; `None` if a condition fails or there
    /// is no such row. One write, and no read.
    pub async fn change<T: Entity>(
        &self,
        key: &Key,
        update: Update<T>,
    ) -> Result<Option<T>, StoreError> {
        let parts = update.if_lasting(self.clock.now().past_seconds()).into_parts()?;
        self.updated(key, parts, ReturnValue::AllNew).await
    }

    /// Updates a row; `None` if its conditions do not hold.
    async fn updated<T: Entity>(
        &self,
        key: &Key,
        parts: Parts,
        returned: ReturnValue,
    ) -> Result<Option<T>, StoreError> {
        match self.update_request(key, parts).return_values(returned).send().await {
            Ok(output) => output.attributes.map(from_item).transpose(),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
            {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn update_request(&self, key: &Key, parts: Parts) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(self.name(key.table()))
            .set_key(Some(key_item(key)))
            .update_expression(parts.change)
            .set_condition_expression(Some(parts.condition).filter(|text| !text.is_empty()))
            .set_expression_attribute_names(Some(parts.names))
            .set_expression_attribute_values(Some(parts.values))
    }

    /// Writes a row, replacing any existing one.
    pub async fn put<T: Entity>(&self, key: &Key, row: &T) -> Result<(), StoreError> {
        let put = self.client.put_item().table_name(self.name(key.table()));
        put.set_item(Some(self.item(key, row)?)).send().await?;
        Ok(())
    }

    /// Writes a single-use row under a key that its writer drew at random. The write requires that the row is
    /// absent, and [`Self::use_up`] keeps the used row until its TTL, so a delayed retry of this write cannot
    /// revive it.
    pub async fn issue<T: Entity>(&self, key: &Key, row: &T) -> Result<(), StoreError> {
        match self.claim(key, row, None).await? {
            Claimed::New => Ok(()),
            Claimed::Existing(_) => Err(StoreError::Dynamo(format!("{} exists already", key.pk()))),
        }
    }

    /// Marks a row of [`Self::issue`] as used and returns it as it was. Of several concurrent calls exactly
    /// one gets the row. The same update makes the changes in `also`, which removes secrets. A row past its
    /// `expiresAt` is not returned.
    pub async fn use_up<T: Entity>(
        &self,
        key: &Key,
        also: Update<T>,
    ) -> Result<Option<T>, StoreError> {
        let now = self.clock.now().past_seconds();
        let parts = also.mark_used(now).if_lasting(now).into_parts()?;
        self.updated(key, parts, ReturnValue::AllOld).await
    }

    /// Deletes a row. Returns whether it existed.
    pub async fn delete(&self, key: &Key) -> Result<bool, StoreError> {
        let delete = self.client.delete_item().table_name(self.name(key.table()));
        let output =
            delete.set_key(Some(key_item(key))).return_values(ReturnValue::AllOld).send().await?;
        Ok(output.attributes.is_some_and(|attributes| !attributes.is_empty()))
    }

    /// Reads the rows between two keys of one partition, inclusive, strongly consistent: all, or the first
    /// `limit`.
    pub async fn range<T: Entity>(
        &self,
        (low, high): (&Key, &Key),
        forward: bool,
        limit: Option<usize>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        let mut from = None;
        loop {
            let left = limit.map(|limit| limit.saturating_sub(rows.len()));
            let (found, next) = self.part_of_range((low, high), forward, left, from).await?;
            for row in found {
                rows.push(from_item(row)?);
            }
            from = next;
            if from.is_none() || limit.is_some_and(|limit| rows.len() >= limit) {
                return Ok(rows);
            }
        }
    }

    /// Like [`Self::range`], forward, for rows of several owners: a row that cannot be read as `T` does not
    /// hide the others. Returns the readable rows, all or the first `limit`, and the error of the first row
    /// that could not be read.
    ///
    /// # Errors
    /// [`StoreError`] if the query itself fails.
    pub async fn readable_range<T: Entity>(
        &self,
        (low, high): (&Key, &Key),
        limit: Option<usize>,
    ) -> Result<(Vec<T>, Option<StoreError>), StoreError> {
        let (mut rows, mut malformed) = (Vec::new(), None);
        let mut from = None;
        loop {
            let left = limit.map(|limit| limit.saturating_sub(rows.len()));
            let (found, next) = self.part_of_range((low, high), true, left, from).await?;
            for item in found {
                let place = place_of(&item);
                match from_item(item) {
                    Ok(row) => rows.push(row),
                    Err(error) => {
                        tracing::error!(row = place, %error, "a malformed row was skipped");
                        malformed.get_or_insert(error);
                    }
                }
            }
            from = next;
            if from.is_none() || limit.is_some_and(|limit| rows.len() >= limit) {
                return Ok((rows, malformed));
            }
        }
    }

    /// Passes each row of a key range to `each`, in order, page by page: for ranges that may be too long for
    /// memory. A row that cannot be read is logged, and hides no other.
    pub async fn each_of_range<T: Entity>(
        &self,
        range: (&Key, &Key),
        mut each: impl FnMut(T),
    ) -> Result<(), StoreError> {
        let mut from = None;
        loop {
            let (found, next) = self.part_of_range(range, true, None, from).await?;
            for item in found {
                let place = place_of(&item);
                match from_item(item) {
                    Ok(row) => each(row),
                    Err(error) => {
                        tracing::error!(row = place, %error, "a malformed row was skipped")
                    }
                }
            }
            from = next;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    /// Reads a key range page by page and keeps the rows that `is_so` accepts, until it has about `most` of
    /// them. A row that cannot be read hides no other; the first such error is returned too.
    pub async fn range_where<T: Entity>(
        &self,
        range: (&Key, &Key),
        is_so: fn(&T) -> bool,
        most: usize,
    ) -> Result<(Vec<T>, Option<StoreError>), StoreError> {
        let (mut rows, mut malformed): (Vec<T>, _) = (Vec::new(), None);
        let mut from = None;
        loop {
            let (found, next) = self.part_of_range(range, true, None, from).await?;
            for item in found {
                let place = place_of(&item);
                match from_item(item) {
                    Ok(row) => rows.extend(Some(row).filter(is_so)),
                    Err(error) => {
                        tracing::error!(row = place, %error, "a malformed row was skipped");
                        malformed.get_or_insert(error);
                    }
                }
            }
            from = next;
            if from.is_none() || rows.len() >= most {
                return Ok((rows, malformed));
            }
        }
    }

    /// The next rows of a range, and where to continue.
    async fn part_of_range(
        &self,
        (low, high): (&Key, &Key),
        forward: bool,
        limit: Option<usize>,
        from: Option<Item>,
    ) -> Result<(Vec<Item>, Option<Item>), StoreError> {
        let output = self
            .client
            .query()
            .table_name(self.name(low.table()))
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":pk", text(low.pk()))
            .expression_attribute_values(":low", text(low.sk()))
            .expression_attribute_values(":high", text(high.sk()))
            .scan_index_forward(forward)
            .set_limit(limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX)))
            .consistent_read(true)
            .set_exclusive_start_key(from)
            .send()
            .await?;
        Ok((output.items.unwrap_or_default(), output.last_evaluated_key))
    }

    /// Keys of the rows in a worker's queue that are due, earliest first. The index may lag: the worker reads
    /// each row and changes it only if it is unchanged.
    pub async fn due(&self, watch: Watch, most: i32) -> Result<Vec<Key>, StoreError> {
        let found = self.due_query(watch, self.clock.now())?.limit(most).send().await?;
        let name = self.name(Table::Activity);
        let items = found.items.unwrap_or_default();
        Ok(items.iter().filter_map(|item| self.key_of(name, item)).collect())
    }

    /// The rows in a queue that were due at `until`, beginning after the place `after`. The index may lag.
    pub async fn due_after(
        &self,
        watch: Watch,
        after: Option<&QueuePlace>,
        until: Timestamp,
        most: i32,
    ) -> Result<DuePage, StoreError> {
        let mut query = self.due_query(watch, until)?.limit(most);
        if let Some(QueuePlace { due_at, pk, sk }) = after {
            query = query
                .exclusive_start_key("watch", serde_dynamo::to_attribute_value(watch)?)
                .exclusive_start_key("dueAt", number(due_at.0))
                .exclusive_start_key("pk", text(pk))
                .exclusive_start_key("sk", text(sk));
        }
        let found = query.send().await?;
        let name = self.name(Table::Activity);
        let mut page =
            DuePage { are_more: found.last_evaluated_key.is_some(), ..DuePage::default() };
        for item in found.items.unwrap_or_default() {
            let key = self.key_of(name, &item);
            match (from_item(item), key) {
                (Ok(place), _) => page.places.push(place),
                (Err(_), Some(key)) => page.malformed.push(key),
                (Err(error), None) => return Err(error),
            }
        }
        Ok(page)
    }

    /// The due time of the row that has been overdue longest, as far as it can be read; `None` if no row is due.
    pub async fn oldest_due(&self, watch: Watch) -> Result<Option<Timestamp>, StoreError> {
        const FEW: i32 = 10;
        let page = self.due_after(watch, None, self.clock.now(), FEW).await?;
        Ok(page.places.first().map(|place| place.due_at))
    }

    /// Keys of all rows in a queue, due or not, earliest first. The index may lag.
    pub async fn waiting(&self, watch: Watch, most: i32) -> Result<Vec<Key>, StoreError> {
        let query = self.watch_query(watch)?.key_condition_expression("watch = :watch");
        let found = query.limit(most).send().await?;
        let name = self.name(Table::Activity);
        let items = found.items.unwrap_or_default();
        Ok(items.iter().filter_map(|item| self.key_of(name, item)).collect())
    }

    /// The number of rows in a queue. If the index has more than one page (1 MB), only the first page counts.
    pub async fn watched(&self, watch: Watch) -> Result<u64, StoreError> {
        let query = self.watch_query(watch)?.key_condition_expression("watch = :watch");
        let found = query.select(Select::Count).send().await?;
        Ok(u64::try_from(found.count).unwrap_or_default())
    }

    /// Queries the rows of a queue that were due at `until`, earliest first.
    fn due_query(&self, watch: Watch, until: Timestamp) -> Result<QueryFluentBuilder, StoreError> {
        let query = self.watch_query(watch)?;
        Ok(query
            .key_condition_expression("watch = :watch AND dueAt <= :now")
            .expression_attribute_values(":now", number(until.0)))
    }

    /// Queries the rows of a queue, without a condition on the due time.
    fn watch_query(&self, watch: Watch) -> Result<QueryFluentBuilder, StoreError> {
        let query = self.client.query().table_name(self.name(Table::Activity));
        let watch = serde_dynamo::to_attribute_value(watch)?;
        Ok(query.index_name(WATCH_INDEX).expression_attribute_values(":watch", watch))
    }

    /// Keys of the VM transactions in a state, which their rows name by one of `state_keys`: in this order,
    /// or in the opposite one if not `forward`, beginning with the `skipped + 1`-th. The index may lag.
    pub async fn in_state(
        &self,
        state_keys: &[String],
        (order, forward): (StateOrder, bool),
        (skipped, most): (usize, usize),
    ) -> Result<Vec<Key>, StoreError> {
        let wanted = skipped.saturating_add(most);
        let mut parts: Vec<_> = state_keys.iter().map(|key| StatePart::new(key)).collect();
        let before = |one: &str, other: &str| if forward { one < other } else { one > other };
        loop {
            let mut places: Vec<_> = parts.iter().flat_map(|part| &part.found).collect();
            places.sort_by(
                |(one, _), (other, _)| {
                    if forward { one.cmp(other) } else { other.cmp(one) }
                },
            );
            let last = wanted.checked_sub(1).and_then(|last| places.get(last));
            let last = last.map(|(place, _)| place.clone());
            // Only a key whose rows end before the last place can have more of the wanted rows.
            let is_open = |part: &StatePart<'_>| match (&last, part.found.last()) {
                _ if part.is_read => false,
                (Some(last), Some((place, _))) => before(place, last),
                _ => true,
            };
            if most == 0 || !parts.iter().any(is_open) {
                let keys = places.into_iter().skip(skipped).take(most);
                return Ok(keys.map(|(_, key)| key.clone()).collect());
            }
            let missing = wanted.saturating_sub(places.len());
            let each = missing.div_ceil(state_keys.len()).max(most);
            let open = parts.iter_mut().filter(|part| is_open(part));
            try_join_all(open.map(|part| self.read_state_part(part, (order, forward), each)))
                .await?;
        }
    }

    /// Reads `most` more rows with an index key, or all that are left.
    async fn read_state_part(
        &self,
        part: &mut StatePart<'_>,
        (order, forward): (StateOrder, bool),
        most: usize,
    ) -> Result<(), StoreError> {
        let name = self.name(Table::Activity);
        let (index, sort_key) = order.index();
        let output = self
            .client
            .query()
            .table_name(name)
            .index_name(index)
            .key_condition_expression("stateKey = :key")
            .expression_attribute_values(":key", text(part.key))
            .scan_index_forward(forward)
            .limit(i32::try_from(most).unwrap_or(i32::MAX))
            .set_exclusive_start_key(part.next.take())
            .send()
            .await?;
        for item in output.items.unwrap_or_default() {
            let place = item.get(sort_key).and_then(|place| place.as_s().ok()).cloned();
            part.found.extend(place.zip(self.key_of(name, &item)));
        }
        part.next = output.last_evaluated_key;
        part.is_read = part.next.is_none();
        Ok(())
    }

    /// Checks that a table responds.
    pub async fn ping(&self, table: Table) -> Result<(), StoreError> {
        let get = self.client.get_item().table_name(self.name(table));
        get.set_key(Some(key_item(&Key::ping(table)))).send().await?;
        Ok(())
    }

    /// A row's attributes ([`item_of`]), with `createdAt` if the value has none.
    fn item<T: Entity>(&self, key: &Key, row: &T) -> Result<Item, StoreError> {
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
