//! Several writes that are made together, all or nothing. Each write names the error of its condition.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{ConditionCheck, Delete, Put, TransactWriteItem, Update as UpdateAction},
};
use base::{clock::Timestamp, outbound::remaining};

use super::{
    CommitError, Field, Key, Store, StoreError, Table, Update,
    events::{self, EventHead},
    keys::EventList,
    row::{Entity, FREE, Item, item_of, key_item, number},
    table::COMMIT_ATTEMPTS,
    tally::{Sum, Tally},
    update::Parts,
};
use crate::models::event::Change;

/// Writes that [`Store::commit`] makes together, all or nothing. `E` is the error of a failed condition; if
/// several fail, the first one counts.
#[derive(Clone, Debug)]
pub struct Writes<E> {
    actions: Vec<(Action, E)>,
    tally: Tally,
    events: Vec<(EventList, Change)>,
    error: Option<String>,
}

/// One write.
#[derive(Clone, Debug)]
struct Action {
    key: Key,
    verb: Verb,
    conditions: Update<()>,
}

#[derive(Clone, Debug)]
enum Verb {
    /// Write a row if its place is free or the conditions hold.
    Insert(Item),
    /// Write a row if the conditions hold.
    Put(Item),
    /// Delete the row if the conditions hold.
    Delete,
    /// Change the row if the conditions hold.
    Update,
    /// Mark a single-use row as used if the conditions hold.
    UseUp,
    /// Only check the conditions.
    Check,
}

impl<E> Default for Writes<E> {
    fn default() -> Self {
        let (actions, events) = (Vec::new(), Vec::new());
        Self { actions, tally: Tally::default(), events, error: None }
    }
}

impl<E> Writes<E> {
    /// No writes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.tally.is_empty() && self.events.is_empty()
    }

    /// Appends other writes.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.actions.extend(other.actions);
        self.tally.join(other.tally);
        self.events.extend(other.events);
        self.error = self.error.or(other.error);
        self
    }

    /// Appends an event about a change that these writes make; it gets the next number of its list. That
    /// costs one or two more actions for each list.
    #[must_use]
    pub fn tell(mut self, list: EventList, change: Change) -> Self {
        self.events.push((list, change));
        self
    }

    /// Sets how many webhooks read a list of events; fails with `otherwise` if one was added or removed since
    /// its head was read.
    #[must_use]
    pub fn set_hooks(self, list: &EventList, head: &EventHead, hooks: u32, otherwise: E) -> Self {
        self.update(&list.open(), events::hooks(head, hooks), otherwise)
    }

    /// Takes a list of events out of the worker's queue; fails with `otherwise` if an event was appended
    /// since its head was read.
    #[must_use]
    pub fn told_up_to(self, list: &EventList, head: &EventHead, otherwise: E) -> Self {
        self.update(&list.open(), events::told_up_to(head), otherwise)
    }

    /// Records the last event of a list that was pushed to sockets; fails with `otherwise` if a later one is
    /// recorded already.
    #[must_use]
    pub fn pushed_up_to(self, list: &EventList, newest: u64, otherwise: E) -> Self {
        self.update(&list.open(), events::pushed_up_to(newest), otherwise)
    }

    /// Makes a list of events due at `at`; fails with `otherwise` unless it is due earlier.
    #[must_use]
    pub fn postpone_list(self, list: &EventList, at: Timestamp, otherwise: E) -> Self {
        self.update(&list.open(), events::postponed(at), otherwise)
    }

    /// Marks a list of events at `now` as read by sockets until `until`; fails with `otherwise` if another
    /// reader has changed the mark since the head was read.
    #[must_use]
    pub fn read_until(
        self,
        list: &EventList,
        head: &EventHead,
        (now, until): (Timestamp, Timestamp),
        otherwise: E,
    ) -> Self {
        self.update(&list.open(), events::read_until(head, now, until), otherwise)
    }

    /// Adds to a sum in the activity table. If many writers do so concurrently, [`super::lists`] gathers
    /// their additions.
    #[must_use]
    pub fn tally<R: Entity>(mut self, key: &Key, field: Field<R, i64>, by: i64) -> Self {
        debug_assert_eq!(key.table(), Table::Activity, "a sum in another table: {key:?}");
        self.tally.add(Sum::of(key, field), by);
        self
    }

    /// Whether there are additions to sums.
    pub fn adds_to_sums(&self) -> bool {
        !self.tally.is_empty()
    }

    /// Adds the additions of a tally.
    pub(super) fn with_tally(mut self, tally: Tally) -> Self {
        self.tally.join(tally);
        self
    }

    /// Removes the additions to sums and returns them.
    pub(super) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Converts the errors of the conditions.
    pub fn map<F>(self, name: impl Fn(E) -> F) -> Writes<F> {
        let rename = |(action, otherwise)| (action, name(otherwise));
        let actions = self.actions.into_iter().map(rename).collect();
        Writes { actions, tally: self.tally, events: self.events, error: self.error }
    }

    fn push<R>(mut self, key: &Key, verb: Verb, conditions: Update<R>, otherwise: E) -> Self {
        let conditions = conditions.erase_type();
        self.actions.push((Action { key: key.clone(), verb, conditions }, otherwise));
        self
    }

    fn push_row<T: Entity>(
        mut self,
        key: &Key,
        (row, verb): (&T, fn(Item) -> Verb),
        conditions: Update<T>,
        otherwise: E,
    ) -> Self {
        match item_of(key, row) {
            Ok(item) => self.push(key, verb(item), conditions, otherwise),
            Err(error) => {
                self.error = self.error.or(Some(error.to_string()));
                self
            }
        }
    }

    /// Writes a row whose place must be free: no row, or one past its `expiresAt`.
    #[must_use]
    pub fn insert<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        self.insert_or(key, row, None, otherwise)
    }

    /// Writes a row whose place must be free, or hold a row that meets `free_when`.
    #[must_use]
    pub fn insert_or<T: Entity>(
        self,
        key: &Key,
        row: &T,
        free_when: Option<Update<T>>,
        otherwise: E,
    ) -> Self {
        self.push_row(key, (row, Verb::Insert), free_when.unwrap_or_default(), otherwise)
    }

    /// Writes a row, replacing any existing one. `otherwise` is never used: this write cannot fail on its
    /// own.
    #[must_use]
    pub fn put<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        self.push_row(key, (row, Verb::Put), Update::new(), otherwise)
    }

    /// Replaces a row that meets the conditions.
    #[must_use]
    pub fn replace<T: Entity>(
        self,
        key: &Key,
        row: &T,
        conditions: Update<T>,
        otherwise: E,
    ) -> Self {
        self.push_row(key, (row, Verb::Put), conditions, otherwise)
    }

    /// Deletes a row that meets the conditions.
    #[must_use]
    pub fn delete<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Delete, conditions, otherwise)
    }

    /// Changes attributes of a row.
    #[must_use]
    pub fn update<R>(self, key: &Key, update: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Update, update, otherwise)
    }

    /// Marks a single-use row that meets the conditions as used (see [`Store::issue`]).
    #[must_use]
    pub fn use_up<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::UseUp, conditions, otherwise)
    }

    /// Checks conditions on a row without changing it.
    #[must_use]
    pub fn check<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Check, conditions, otherwise)
    }
}

impl Action {
    /// Builds the DynamoDB request.
    fn to_transact_item(&self, store: &Store) -> Result<TransactWriteItem, StoreError> {
        let (table, key) = (store.name(self.key.table()), Some(key_item(&self.key)));
        let action = TransactWriteItem::builder();
        let conditions = match self.verb {
            Verb::UseUp => self.conditions.clone().mark_used(store.now().past_seconds()),
            _ => self.conditions.clone(),
        };
        let Parts { change, condition, names, values } = conditions.into_parts()?;
        // DynamoDB refuses empty maps.
        let (names, mut values) = (some(names, HashMap::is_empty), values);
        let mut condition = some(condition, String::is_empty);
        if matches!(self.verb, Verb::Insert(_)) {
            values.insert(":now".to_owned(), number(store.now().past_seconds()));
            condition = Some(match condition {
                Some(also) => format!("{FREE} OR ({also})"),
                None => FREE.to_owned(),
            });
        }
        let values = some(values, HashMap::is_empty);
        Ok(match &self.verb {
            Verb::Insert(item) | Verb::Put(item) => {
                let put = Put::builder()
                    .table_name(table)
                    .set_item(Some(store.dated(item.clone())))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                action.put(put.build()?)
            }
            Verb::Delete => {
                let delete = Delete::builder()
                    .table_name(table)
                    .set_key(key)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                action.delete(delete.build()?)
            }
            Verb::Update | Verb::UseUp => {
                let update = UpdateAction::builder()
                    .table_name(table)
                    .set_key(key)
                    .update_expression(change)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                action.update(update.build()?)
            }
            Verb::Check => {
                let check = ConditionCheck::builder()
                    .table_name(table)
                    .set_key(key)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                action.condition_check(check.build()?)
            }
        }
        .build())
    }
}

fn some<T>(value: T, is_empty: impl Fn(&T) -> bool) -> Option<T> {
    Some(value).filter(|value| !is_empty(value))
}

impl Store {
    /// Commits the writes. On contention it retries after a random pause. All attempts, including the SDK's
    /// own, carry one client token: so a commit whose answer was lost is not made twice, and a failed
    /// condition shows that none was made.
    pub async fn commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        self.commit_within(COMMIT_ATTEMPTS, writes).await
    }

    /// Commits writes that postpone a failed row of a worker's queue, so that the rows behind it come first.
    /// If that fails too, it logs the error, and the row stays due.
    pub async fn postpone(&self, key: &Key, writes: Writes<()>) {
        let error = match self.commit(writes).await {
            Ok(()) | Err(CommitError::Condition(())) => return,
            Err(CommitError::Contended) => "contended".to_owned(),
            Err(CommitError::Store(error)) => error.to_string(),
        };
        tracing::error!(row = key.pk(), error, "failed to postpone a row");
    }

    /// Makes a single attempt, for a writer that finds out by other means whether it was committed.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub(super) async fn try_commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        self.commit_within(1, writes).await
    }

    async fn commit_within<E>(
        &self,
        attempts: u32,
        writes: Writes<E>,
    ) -> Result<(), CommitError<E>> {
        let actions = self.actions(&writes)?;
        if writes.events.is_empty() {
            return map_condition(self.commit_actions(attempts, actions).await, writes);
        }
        let told = self.to_tell(&writes.events).await?;
        let mut closes = true;
        loop {
            let appends = events::appends(&told, actions.len(), closes);
            let events = appends.into_iter().fold(Writes::new(), |writes, append| {
                let (open, update) = append.open;
                let writes = writes.update(&open, update, ());
                match append.closed {
                    Some((key, row)) => writes.put(&key, &row, ()),
                    None => writes,
                }
            });
            let events = self.actions(&events)?;
            let all = actions.iter().cloned().chain(events).collect();
            match self.commit_actions(attempts, all).await {
                // Another writer has appended to a row of events, or closed it. Nothing was written, so the
                // next attempt is a new commit, without that condition.
                Err(CommitError::Condition(failed)) if closes && failed >= actions.len() => {
                    closes = false;
                }
                sent => return map_condition(sent, writes),
            }
        }
    }

    async fn commit_actions(
        &self,
        attempts: u32,
        actions: Vec<TransactWriteItem>,
    ) -> Result<(), CommitError<usize>> {
        let token = hex::encode(self.random.bytes::<16>());
        for attempt in 0..attempts {
            match self.send(actions.clone(), &token).await {
                Err(CommitError::Contended)
                    if attempt.saturating_add(1) < attempts && !remaining().is_zero() =>
                {
                    self.pause(attempt).await;
                }
                sent => return sent,
            }
        }
        Err(CommitError::Contended)
    }

    fn actions<E>(&self, writes: &Writes<E>) -> Result<Vec<TransactWriteItem>, StoreError> {
        if let Some(error) = &writes.error {
            return Err(StoreError::Dynamo(error.clone()));
        }
        let sums = writes.tally.updates(Table::Activity).into_iter();
        let sums = sums.map(|(key, conditions)| Action { key, verb: Verb::Update, conditions });
        let sums: Vec<_> = sums.collect();
        let actions = writes.actions.iter().map(|(action, _)| action).chain(&sums);
        actions.map(|action| action.to_transact_item(self)).collect()
    }

    /// One attempt. The error holds the index of the first condition that failed.
    async fn send(
        &self,
        actions: Vec<TransactWriteItem>,
        token: &str,
    ) -> Result<(), CommitError<usize>> {
        let sent = self.client.transact_write_items().set_transact_items(Some(actions));
        let Err(error) = sent.client_request_token(token).send().await else { return Ok(()) };
        if let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) =
            error.as_service_error()
        {
            let reasons = cancelled.cancellation_reasons();
            let codes: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
            if let Some(failed) =
                codes.iter().position(|code| *code == Some("ConditionalCheckFailed"))
            {
                return Err(CommitError::Condition(failed));
            }
            let is_contended = |code: &Option<&str>| {
                matches!(
                    code,
                    Some(
                        "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
                    )
                )
            };
            if codes.iter().any(is_contended) {
                return Err(CommitError::Contended);
            }
        }
        Err(StoreError::from(error).into())
    }
}

/// Maps the index of the failed condition to its error.
fn map_condition<E>(
    sent: Result<(), CommitError<usize>>,
    writes: Writes<E>,
) -> Result<(), CommitError<E>> {
    sent.map_err(|error| match error {
        CommitError::Condition(failed) => match writes.actions.into_iter().nth(failed) {
            Some((_, meaning)) => CommitError::Condition(meaning),
            None => CommitError::Store(StoreError::Dynamo(
                "a failed condition belongs to no write".to_owned(),
            )),
        },
        CommitError::Contended => CommitError::Contended,
        CommitError::Store(error) => CommitError::Store(error),
    })
}
