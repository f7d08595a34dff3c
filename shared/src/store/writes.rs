//! Several writes, all or none. Each write names the error of its condition.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{
        AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update as UpdateAction,
    },
};
use serde::Serialize;

use super::{
    Key, Store, StoreError,
    table::{COMMIT_ATTEMPTS, Entity, FREE, Item, item_of, key_item, mark_used, number},
};
use crate::outbound::remaining;

/// Changes to one row and conditions on it.
///
/// Attribute names come from the code, never from input; values are sent as placeholders.
#[derive(Clone, Debug, Default)]
pub struct Update {
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

impl Update {
    /// No changes and no conditions.
    pub fn new() -> Self {
        Self::default()
    }

    fn name(&mut self, attribute: &str) -> String {
        let mut path = Vec::new();
        for part in attribute.split('.') {
            let placeholder = format!("#{part}");
            self.names.insert(placeholder.clone(), part.to_owned());
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

    /// Sets an attribute; a dot leads into a map.
    #[must_use]
    pub fn set(mut self, attribute: &str, value: impl Serialize) -> Self {
        let change = format!("{} = {}", self.name(attribute), self.value(value));
        self.set.push(change);
        self
    }

    /// Sets an attribute unless it exists.
    #[must_use]
    pub fn set_if_absent(mut self, attribute: &str, value: impl Serialize) -> Self {
        let (name, value) = (self.name(attribute), self.value(value));
        self.set.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Adds to a number; a missing one counts as 0.
    #[must_use]
    pub fn add(mut self, attribute: &str, number: i64) -> Self {
        let change = format!("{} {}", self.name(attribute), self.value(number));
        self.added.push(change);
        self
    }

    /// Removes an attribute.
    #[must_use]
    pub fn remove(mut self, attribute: &str) -> Self {
        let name = self.name(attribute);
        self.removed.push(name);
        self
    }

    fn compare(mut self, attribute: &str, comparison: &str, value: impl Serialize) -> Self {
        let condition = format!("{} {comparison} {}", self.name(attribute), self.value(value));
        self.conditions.push(condition);
        self
    }

    /// Requires that an attribute has this value.
    #[must_use]
    pub fn if_equal(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, "=", value)
    }

    /// Requires that an attribute has one of these values.
    #[must_use]
    pub fn if_one_of<T: Serialize>(
        mut self,
        attribute: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let values: Vec<_> = values.into_iter().map(|value| self.value(value)).collect();
        let condition = format!("{} IN ({})", self.name(attribute), values.join(", "));
        self.conditions.push(condition);
        self
    }

    /// Requires that an attribute is missing; for `pk`, that the row is missing.
    #[must_use]
    pub fn if_absent(mut self, attribute: &str) -> Self {
        let condition = format!("attribute_not_exists({})", self.name(attribute));
        self.conditions.push(condition);
        self
    }

    /// Requires that an attribute is greater than this value.
    #[must_use]
    pub fn if_above(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, ">", value)
    }

    /// Requires that an attribute is less than this value.
    #[must_use]
    pub fn if_below(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, "<", value)
    }

    /// Optimistic lock: requires the version that was read, and increments it.
    #[must_use]
    pub fn if_version(self, version: u64) -> Self {
        self.set("version", version.saturating_add(1)).if_equal("version", version)
    }

    pub(super) fn into_parts(self) -> Result<Parts, StoreError> {
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
    conditions: Update,
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

    fn push(mut self, key: &Key, verb: Verb, conditions: Update, otherwise: E) -> Self {
        self.actions.push((Action { key: key.clone(), verb, conditions }, otherwise));
        self
    }

    fn push_row<T: Entity>(
        mut self,
        key: &Key,
        (row, verb): (&T, fn(Item) -> Verb),
        conditions: Update,
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
        free_when: Option<Update>,
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
    pub fn replace<T: Entity>(self, key: &Key, row: &T, conditions: Update, otherwise: E) -> Self {
        self.push_row(key, (row, Verb::Put), conditions, otherwise)
    }

    /// Deletes a row that meets the conditions.
    #[must_use]
    pub fn delete(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        self.push(key, Verb::Delete, conditions, otherwise)
    }

    /// Changes attributes of a row.
    #[must_use]
    pub fn update(self, key: &Key, update: Update, otherwise: E) -> Self {
        self.push(key, Verb::Update, update, otherwise)
    }

    /// Marks a single-use row that meets the conditions as used (see [`Store::issue`]).
    #[must_use]
    pub fn use_up(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        self.push(key, Verb::UseUp, conditions, otherwise)
    }

    /// Checks conditions on a row without changing it.
    #[must_use]
    pub fn check(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        self.push(key, Verb::Check, conditions, otherwise)
    }
}

impl Action {
    /// Builds the DynamoDB request.
    fn to_transact_item(&self, store: &Store) -> Result<TransactWriteItem, StoreError> {
        let (table, key) = (store.name(self.key.table()), Some(key_item(&self.key)));
        let action = TransactWriteItem::builder();
        let conditions = match self.verb {
            Verb::UseUp => mark_used(self.conditions.clone(), store.now().past_seconds()),
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
