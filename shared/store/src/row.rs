//! Rows as attributes, and as the values that they are read as.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Serialize, de::DeserializeOwned};

use super::{Key, StoreError, attributes_at};

/// A type that is stored as a row.
pub trait Entity: Serialize + DeserializeOwned {
    /// The row's `entity` attribute.
    const ENTITY: &'static str;
}

/// The condition that a place is free: no row, or one past its `expiresAt`. `:now` is the present, whole
/// seconds since the epoch.
pub(super) const FREE: &str = "attribute_not_exists(pk) OR expiresAt <= :now";

/// A row's attributes.
pub(super) type Item = HashMap<String, AttributeValue>;

/// A row's attributes: those of the value, its key, `entity`, and `version` if the value has none.
pub(super) fn item_of<T: Entity>(key: &Key, row: &T) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::to_item(row)?;
    debug_assert!(is_written_as_read::<T>(&item), "{}: {:?}", T::ENTITY, item.keys());
    item.extend(key_item(key));
    item.insert("entity".to_owned(), text(T::ENTITY));
    item.entry("version".to_owned()).or_insert_with(|| number(1));
    Ok(item)
}

/// Whether serde writes a row under the names under which it reads it, as [`fields!`] assumes.
fn is_written_as_read<T: Entity>(item: &Item) -> bool {
    let names = attributes_at(|row: &T| row);
    names.is_empty() || item.keys().all(|name| names.contains(&name.as_str()))
}

pub(super) fn key_item(key: &Key) -> Item {
    HashMap::from([("pk".to_owned(), text(key.pk())), ("sk".to_owned(), text(key.sk()))])
}

/// A row as read, before its reader says of which type it is.
#[derive(Clone, Debug)]
pub struct UntypedRow(Item);

impl UntypedRow {
    pub(super) fn new(item: Item) -> Self {
        Self(item)
    }

    /// The row as a value of its type.
    ///
    /// # Errors
    /// [`StoreError::Row`] if the attributes do not match the type.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, StoreError> {
        from_item(self.0)
    }
}

/// Converts a row's attributes to a value.
///
/// # Errors
/// [`StoreError::Row`] if the attributes do not match the type.
pub(super) fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, StoreError> {
    Ok(serde_dynamo::from_item(item)?)
}

/// Where a row is, for the log.
pub(super) fn place_of(item: &Item) -> String {
    let part = |name: &str| item.get(name)?.as_s().ok().map(String::as_str);
    ["pk", "sk"].map(|name| part(name).unwrap_or_default()).join(" ")
}

pub(super) fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

pub(super) fn number(value: i64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}
