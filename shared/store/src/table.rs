//! The store: rows, batch reads, ranges, rate windows, turns and single-use rows.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use aws_sdk_dynamodb::{
    operation::{
        put_item::PutItemError,
        update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    },
    types::{KeysAndAttributes, ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use base::{clock::Timestamp, outbound::remaining};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};

use super::{
    Key, Store, StoreError, Table, Update, fields,
    row::{Entity, FREE, Item, UntypedRow, from_item, key_item, number, place_of, text},
    store::COMMIT_ATTEMPTS,
    update::Parts,
};

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
/// The most rows that DynamoDB reads in one batch.
const BATCH: usize = 100;

impl Store {
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

    /// Checks that a table responds.
    pub async fn ping(&self, table: Table) -> Result<(), StoreError> {
        let get = self.client.get_item().table_name(self.name(table));
        get.set_key(Some(key_item(&Key::ping(table)))).send().await?;
        Ok(())
    }
}
