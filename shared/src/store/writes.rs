//! Several writes, all or none. Each write names the error of its condition.

use std::{collections::HashMap, marker::PhantomData};

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{
        AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update as UpdateAction,
    },
};
use serde::Serialize;

use super::{
    Field, Fits, Key, Number, Store, StoreError,
    table::{COMMIT_ATTEMPTS, Entity, FREE, Item, item_of, key_item, number},
};
use crate::outbound::remaining;

/// Changes to one row of type `R` and conditions on it.
///
/// Attribute names come from the fields of the row, never from input; values are sent as placeholders.
#[derive(Debug)]
pub struct Update<R> {
    expression: Expression,
    row: PhantomData<fn() -> R>,
}

/// The expressions of an [`Update`].
#[derive(Clone, Debug, Default)]
struct Expression {
    set: Vec<String>,
    added: Vec<String>,
    removed: Vec<String>,
    conditions: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
    error: Option<String>,
}

pub(super) struct Parts {
    pub(super) change: String,
    pub(super) condition: String,
    pub(super) names: HashMap<String, String>,
    pub(super) values: HashMap<String, AttributeValue>,
}

impl Expression {
    fn name<R, T>(&mut self, field: Field<R, T>) -> String {
        let mut path = Vec::new();
        for attribute in field.attributes() {
            let placeholder = format!("#{attribute}");
            self.names.insert(placeholder.clone(), attribute);
            path.push(placeholder);
        }
        path.join(".")
    }

    fn value(&mut self, value: impl Serialize) -> String {
        let placeholder = format!(":v{}", self.values.len());
        match serde_dynamo::to_attribute_value(value) {
            Ok(value) => {
                self.values.insert(placeholder.clone(), value);
            }
            Err(error) => self.error = Some(error.to_string()),
        }
        placeholder
    }

    fn into_parts(self) -> Result<Parts, StoreError> {
        match self.error {
            Some(error) => Err(StoreError::Dynamo(error)),
            None => Ok(Parts {
                change: [("SET", self.set), ("ADD", self.added), ("REMOVE", self.removed)]
                    .into_iter()
                    .filter(|(_, changes)| !changes.is_empty())
                    .map(|(verb, changes)| format!("{verb} {}", changes.join(", ")))
                    .collect::<Vec<_>>()
                    .join(" "),
                condition: self.conditions.join(" AND "),
                names: self.names,
                values: self.values,
            }),
        }
    }
}

impl<R> Clone for Update<R> {
    fn clone(&self) -> Self {
        Self { expression: self.expression.clone(), row: PhantomData }
    }
}

impl<R> Default for Update<R> {
    fn default() -> Self {
        Self { expression: Expression::default(), row: PhantomData }
    }
}

/// What the store keeps on rows of every type.
impl<R> Update<R> {
    const ENTITY: Field<R, String> = Field::of_every_row(&["entity"]);
    const EXPIRES_AT: Field<R, i64> = Field::of_every_row(&["expires_at"]);
    const PK: Field<R, Option<String>> = Field::of_every_row(&["pk"]);
    const USED_AT: Field<R, Option<i64>> = Field::of_every_row(&["used_at"]);
    const VERSION: Field<R, u64> = Field::of_every_row(&["version"]);
}

impl<R> Update<R> {
    /// No changes and no conditions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, without the type of the row.
    fn erase_type(self) -> Update<()> {
        Update { expression: self.expression, row: PhantomData }
    }

    pub(super) fn into_parts(self) -> Result<Parts, StoreError> {
        self.expression.into_parts()
    }

    /// Sets a field.
    #[must_use]
    pub fn set<T>(mut self, field: Field<R, T>, value: impl Fits<T>) -> Self {
        let change = format!("{} = {}", self.expression.name(field), self.expression.value(value));
        self.expression.set.push(change);
        self
    }

    /// Sets a field unless it exists.
    #[must_use]
    pub fn set_if_absent<T>(mut self, field: Field<R, T>, value: impl Fits<T>) -> Self {
        let (name, value) = (self.expression.name(field), self.expression.value(value));
        self.expression.set.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Adds to a number; a missing one counts as 0.
    #[must_use]
    pub fn add<N: Number>(mut self, field: Field<R, N>, number: i64) -> Self {
        let change = format!("{} {}", self.expression.name(field), self.expression.value(number));
        self.expression.added.push(change);
        self
    }

    /// Removes a field.
    #[must_use]
    pub fn remove<T>(mut self, field: Field<R, Option<T>>) -> Self {
        let name = self.expression.name(field);
        self.expression.removed.push(name);
        self
    }

    fn compare<T>(mut self, field: Field<R, T>, comparison: &str, value: impl Fits<T>) -> Self {
        let condition = format!(
            "{} {comparison} {}",
            self.expression.name(field),
            self.expression.value(value)
        );
        self.expression.conditions.push(condition);
        self
    }

    /// Requires that a field has this value.
    #[must_use]
    pub fn if_equal<T>(self, field: Field<R, T>, value: impl Fits<T>) -> Self {
        self.compare(field, "=", value)
    }

    /// Requires that a field has one of these values.
    #[must_use]
    pub fn if_one_of<T, V: Fits<T>>(
        mut self,
        field: Field<R, T>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(|value| self.expression.value(value));
        let values: Vec<_> = values.collect();
        let condition = format!("{} IN ({})", self.expression.name(field), values.join(", "));
        self.expression.conditions.push(condition);
        self
    }

    /// Requires that a field is missing.
    #[must_use]
    pub fn if_absent<T>(mut self, field: Field<R, Option<T>>) -> Self {
        let condition = format!("attribute_not_exists({})", self.expression.name(field));
        self.expression.conditions.push(condition);
        self
    }

    /// Requires that a field is greater than this value.
    #[must_use]
    pub fn if_above<T>(self, field: Field<R, T>, value: impl Fits<T>) -> Self {
        self.compare(field, ">", value)
    }

    /// Requires that a field is less than this value.
    #[must_use]
    pub fn if_below<T>(self, field: Field<R, T>, value: impl Fits<T>) -> Self {
        self.compare(field, "<", value)
    }

    /// Requires that there is no such row.
    #[must_use]
    pub fn if_no_row(self) -> Self {
        self.if_absent(Self::PK)
    }

    /// Optimistic lock: requires the version that was read, and increments it.
    #[must_use]
    pub fn if_version(self, version: u64) -> Self {
        self.set(Self::VERSION, version.saturating_add(1)).if_equal(Self::VERSION, version)
    }

    /// Increments the version.
    #[must_use]
    pub fn next_version(self) -> Self {
        self.add(Self::VERSION, 1)
    }

    /// Sets `expiresAt`, whole seconds since the epoch: the TTL attribute of all tables.
    #[must_use]
    pub fn expire_at(self, seconds: i64) -> Self {
        self.set(Self::EXPIRES_AT, seconds)
    }

    /// For a row that this update may create: sets its `entity`.
    #[must_use]
    pub fn create_or_change(self) -> Self
    where
        R: Entity,
    {
        self.set(Self::ENTITY, R::ENTITY)
    }

    /// Marks a single-use row as used, on the condition that it is not.
    pub(super) fn mark_used(self, now: i64) -> Self {
        self.set(Self::USED_AT, now).if_absent(Self::USED_AT)
    }

    /// Requires that the row has not expired.
    pub(super) fn if_lasting(self, now: i64) -> Self {
        self.if_above(Self::EXPIRES_AT, now)
    }
}

/// Why writes were not made.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<E> {
    /// A condition failed; nothing was written.
    #[error("{0}")]
    Condition(E),
    /// Another write was in the way; nothing was written.
    #[error("contended")]
    Contended,
    /// The store failed. Either all or nothing was written; it is unknown which.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes that [`Store::commit`] makes together, all or none. `E` is the error of a failed condition; if
/// several fail, the first one counts.
#[derive(Clone, Debug)]
pub struct Writes<E> {
    actions: Vec<(Action, E)>,
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
        Self { actions: Vec::new(), error: None }
    }
}

impl<E> Writes<E> {
    /// No writes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends other writes.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.actions.extend(other.actions);
        self.error = self.error.or(other.error);
        self
    }

    /// Converts the errors of the conditions.
    pub fn map<F>(self, name: impl Fn(E) -> F) -> Writes<F> {
        let rename = |(action, otherwise)| (action, name(otherwise));
        Writes { actions: self.actions.into_iter().map(rename).collect(), error: self.error }
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
    /// Commits the writes. On contention it retries after a random pause. The SDK's own retries carry one
    /// client token, so a commit whose response was lost is not made twice.
    ///
    /// # Errors
    /// [`CommitError`].
    pub async fn commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        for attempt in 0..COMMIT_ATTEMPTS {
            match self.send(&writes).await {
                Err(CommitError::Contended) if !remaining().is_zero() => self.pause(attempt).await,
                sent => return map_condition(sent, writes),
            }
        }
        Err(CommitError::Contended)
    }

    /// Makes one attempt to commit.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub(super) async fn try_commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        let sent = self.send(&writes).await;
        map_condition(sent, writes)
    }

    /// One round trip. The error holds the index of the first condition that failed.
    async fn send<E>(&self, writes: &Writes<E>) -> Result<(), CommitError<usize>> {
        if let Some(error) = &writes.error {
            return Err(StoreError::Dynamo(error.clone()).into());
        }
        let actions = writes.actions.iter().map(|(action, _)| action.to_transact_item(self));
        let actions = actions.collect::<Result<_, _>>()?;
        let sent = self.client.transact_write_items().set_transact_items(Some(actions)).send();
        let Err(error) = sent.await else { return Ok(()) };
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
