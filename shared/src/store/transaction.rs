//! Several writes, all or none, each with the domain error that its condition stands for.

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
    table::{Entity, FREE, key_item, mark_used, number},
};

/// Changes to one row, and conditions on it.
///
/// Attribute names are the code's own, never input; values travel as placeholders.
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
    /// No change and no condition yet.
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

    /// Sets an attribute; a point leads into a map.
    #[must_use]
    pub fn set(mut self, attribute: &str, value: impl Serialize) -> Self {
        let change = format!("{} = {}", self.name(attribute), self.value(value));
        self.set.push(change);
        self
    }

    /// Sets an attribute that is not there; one that is there stays as it is.
    #[must_use]
    pub fn set_if_absent(mut self, attribute: &str, value: impl Serialize) -> Self {
        let (name, value) = (self.name(attribute), self.value(value));
        self.set.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Adds to a number; one that is not there counts as 0.
    #[must_use]
    pub fn add(mut self, attribute: &str, number: i64) -> Self {
        let change = format!("{} {}", self.name(attribute), self.value(number));
        self.added.push(change);
        self
    }

    /// Takes an attribute away.
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

    /// Demands that an attribute has this value.
    #[must_use]
    pub fn if_equal(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, "=", value)
    }

    /// Demands that an attribute has one of these values.
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

    /// Demands that an attribute is not there; of `pk`, that the row is not.
    #[must_use]
    pub fn if_absent(mut self, attribute: &str) -> Self {
        let condition = format!("attribute_not_exists({})", self.name(attribute));
        self.conditions.push(condition);
        self
    }

    /// Demands that an attribute is above this value.
    #[must_use]
    pub fn if_above(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, ">", value)
    }

    /// Demands that an attribute is below this value.
    #[must_use]
    pub fn if_below(self, attribute: &str, value: impl Serialize) -> Self {
        self.compare(attribute, "<", value)
    }

    /// Optimistic lock: demands that the row has the version that was read, and raises it.
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

/// Why a transaction was not committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<E> {
    /// A condition did not hold; nothing was written.
    #[error("{0}")]
    Condition(E),
    /// Another write was in the way; nothing was written.
    #[error("contended")]
    Contended,
    /// The store failed. Whether something was written is unknown, except that it was all or none.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes to be committed together. `E` names what a failed condition means.
pub struct Transaction<'a, E> {
    store: &'a Store,
    actions: Vec<(TransactWriteItem, E)>,
    error: Option<StoreError>,
}

impl<'a, E> Transaction<'a, E> {
    /// No writes yet.
    pub fn new(store: &'a Store) -> Self {
        Self { store, actions: Vec::new(), error: None }
    }

    /// These writes and others.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.actions.extend(other.actions);
        self.error = self.error.or(other.error);
        self
    }

    /// The same writes, with other names for what their failures mean.
    pub fn map<F>(self, name: impl Fn(E) -> F) -> Transaction<'a, F> {
        let rename = |(action, otherwise)| (action, name(otherwise));
        let actions = self.actions.into_iter().map(rename).collect();
        Transaction { store: self.store, actions, error: self.error }
    }

    fn push(mut self, action: Result<TransactWriteItem, StoreError>, otherwise: E) -> Self {
        match action {
            Ok(action) => self.actions.push((action, otherwise)),
            Err(error) => self.error = Some(error),
        }
        self
    }

    /// Writes a row that must not exist yet; a row past its `expiresAt` does not count as existing.
    #[must_use]
    pub fn insert<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        self.insert_or(key, row, None, otherwise)
    }

    /// Writes a row that must not exist yet, or gives way: past its `expiresAt`, or as `free_when`
    /// describes it.
    #[must_use]
    pub fn insert_or<T: Entity>(
        self,
        key: &Key,
        row: &T,
        free_when: Option<Update>,
        otherwise: E,
    ) -> Self {
        let now = number(self.store.now().past_seconds());
        let action = self.store.item(key, row).and_then(|item| {
            let mut put = Put::builder()
                .table_name(self.store.name(key.table()))
                .set_item(Some(item))
                .expression_attribute_values(":now", now);
            let mut condition = FREE.to_owned();
            if let Some(also) = free_when.map(Update::into_parts).transpose()? {
                condition = format!("{condition} OR ({})", also.condition);
                put = put.set_expression_attribute_names(Some(also.names));
                for (name, value) in also.values {
                    put = put.expression_attribute_values(name, value);
                }
            }
            Ok(TransactWriteItem::builder()
                .put(put.condition_expression(condition).build()?)
                .build())
        });
        self.push(action, otherwise)
    }

    /// Writes a row over whatever was there. `otherwise` stands for nothing: it cannot fail alone.
    #[must_use]
    pub fn put<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        let action = self.store.item(key, row).and_then(|item| {
            let put = Put::builder().table_name(self.store.name(key.table())).set_item(Some(item));
            Ok(TransactWriteItem::builder().put(put.build()?).build())
        });
        self.push(action, otherwise)
    }

    /// Writes a row over the one that fulfils the conditions.
    #[must_use]
    pub fn replace<T: Entity>(self, key: &Key, row: &T, conditions: Update, otherwise: E) -> Self {
        let action = self.store.item(key, row).and_then(|item| {
            let parts = conditions.into_parts()?;
            let put = Put::builder()
                .table_name(self.store.name(key.table()))
                .set_item(Some(item))
                .condition_expression(parts.condition)
                .set_expression_attribute_names(Some(parts.names))
                .set_expression_attribute_values(Some(parts.values));
            Ok(TransactWriteItem::builder().put(put.build()?).build())
        });
        self.push(action, otherwise)
    }

    /// Deletes a row that fulfils the conditions.
    #[must_use]
    pub fn delete(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        let action = conditions.into_parts().and_then(|parts| {
            let delete = Delete::builder()
                .table_name(self.store.name(key.table()))
                .set_key(Some(key_item(key)))
                .condition_expression(parts.condition)
                .set_expression_attribute_names(Some(parts.names))
                .set_expression_attribute_values(Some(parts.values))
                .build()?;
            Ok(TransactWriteItem::builder().delete(delete).build())
        });
        self.push(action, otherwise)
    }

    /// Changes attributes of a row.
    #[must_use]
    pub fn update(self, key: &Key, update: Update, otherwise: E) -> Self {
        let action = update.into_parts().and_then(|parts| {
            let update = UpdateAction::builder()
                .table_name(self.store.name(key.table()))
                .set_key(Some(key_item(key)))
                .update_expression(parts.change)
                .set_condition_expression(Some(parts.condition).filter(|text| !text.is_empty()))
                .set_expression_attribute_names(Some(parts.names))
                .set_expression_attribute_values(Some(parts.values))
                .build()?;
            Ok(TransactWriteItem::builder().update(update).build())
        });
        self.push(action, otherwise)
    }

    /// Uses up a row that is good once and fulfils the conditions (see [`Store::issue`]).
    #[must_use]
    pub fn use_up(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        let used = mark_used(conditions, self.store.now().past_seconds());
        self.update(key, used, otherwise)
    }

    /// Demands something of a row that is not changed.
    #[must_use]
    pub fn check(self, key: &Key, conditions: Update, otherwise: E) -> Self {
        let action = conditions.into_parts().and_then(|parts| {
            let check = ConditionCheck::builder()
                .table_name(self.store.name(key.table()))
                .set_key(Some(key_item(key)))
                .condition_expression(parts.condition)
                .set_expression_attribute_names(Some(parts.names))
                // DynamoDB refuses an empty map.
                .set_expression_attribute_values(
                    Some(parts.values).filter(|values| !values.is_empty()),
                )
                .build()?;
            Ok(TransactWriteItem::builder().condition_check(check).build())
        });
        self.push(action, otherwise)
    }

    /// Commits, in one round trip. The SDK's own repetitions carry one client token, so that a
    /// commit whose answer was lost is not made twice.
    ///
    /// # Errors
    /// [`CommitError`].
    pub async fn commit(self) -> Result<(), CommitError<E>> {
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let (actions, meanings): (Vec<_>, Vec<_>) = self.actions.into_iter().unzip();
        let sent =
            self.store.client.transact_write_items().set_transact_items(Some(actions)).send();
        let error = match sent.await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) =
            error.as_service_error()
        {
            let codes: Vec<_> =
                cancelled.cancellation_reasons().iter().map(|reason| reason.code()).collect();
            let failed = |code: Option<&str>| code == Some("ConditionalCheckFailed");
            if let Some((meaning, _)) =
                meanings.into_iter().zip(&codes).find(|(_, code)| failed(**code))
            {
                return Err(CommitError::Condition(meaning));
            }
            let contended = |code: &Option<&str>| {
                matches!(
                    code,
                    Some(
                        "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
                    )
                )
            };
            if codes.iter().any(contended) {
                return Err(CommitError::Contended);
            }
        }
        Err(StoreError::from(error).into())
    }
}
