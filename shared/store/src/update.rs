//! An update of one row, and conditions on the row.

use std::{collections::HashMap, marker::PhantomData};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::{Entity, Field, Fits, Number, StoreError};

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

/// The attributes that the store keeps on rows of every type.
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

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        let Expression { set, added, removed, .. } = &self.expression;
        set.is_empty() && added.is_empty() && removed.is_empty()
    }

    /// The same, without the type of the row.
    pub(super) fn erase_type(self) -> Update<()> {
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

    /// Appends to a list; a missing one counts as empty.
    #[must_use]
    pub fn append<T: Serialize>(mut self, field: Field<R, Vec<T>>, items: &[T]) -> Self {
        let name = self.expression.name(field);
        let none: &[T] = &[];
        let (none, items) = (self.expression.value(none), self.expression.value(items));
        let change = format!("{name} = list_append(if_not_exists({name}, {none}), {items})");
        self.expression.set.push(change);
        self
    }

    /// Adds to an attribute that is a sum.
    pub(super) fn add_to(mut self, attribute: &str, number: i64) -> Self {
        let name = format!("#{attribute}");
        let change = format!("{name} {}", self.expression.value(number));
        self.expression.added.push(change);
        self.expression.names.insert(name, attribute.to_owned());
        self
    }

    /// Sets the type of a row that this update may create.
    pub(super) fn of_entity(self, entity: &str) -> Self {
        self.set(Self::ENTITY, entity)
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
