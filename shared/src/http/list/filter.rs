//! Filters of lists, `<name>_eq=value`: those that choose a list, and those that choose among its rows.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::input::plain_words;

/// A field by which a list can be filtered, as `<name>_eq=value`.
#[derive(Clone, Copy)]
pub struct Filter {
    name: &'static str,
    canonical: fn(&str) -> Result<String, String>,
    scope: Scope,
    /// Filters of which at least one is required with this one; if empty, it also works alone.
    requires: &'static [&'static str],
}

/// What a filter chooses.
#[derive(Clone, Copy)]
enum Scope {
    /// A list that has exactly the rows that match.
    Lists,
    /// Rows of a list, by the value of a field. If the value is an array, one of its items must match.
    Rows(&'static str),
}

impl Filter {
    /// A filter that chooses a list. A value that `T` cannot parse is a 400; the handler gets the canonical
    /// text that `T` displays.
    pub const fn of<T: FromStr<Err: Display> + Display>(name: &'static str) -> Self {
        let canonical = |text: &str| match text.parse::<T>() {
            Ok(value) => Ok(value.to_string()),
            Err(error) => Err(plain_words(&error.to_string())),
        };
        Self { name, canonical, scope: Scope::Lists, requires: &[] }
    }

    /// A filter that chooses rows whose `field` has one of the values given, separated by commas. In JSON,
    /// values are texts of type `T`.
    pub const fn of_rows<T: DeserializeOwned + Serialize>(
        name: &'static str,
        field: &'static str,
    ) -> Self {
        let canonical = |text: &str| {
            let value: T = serde_json::from_value(Value::from(text))
                .map_err(|error| plain_words(&error.to_string()))?;
            let shown = serde_json::to_value(value).ok().as_ref().and_then(text_of);
            shown.ok_or_else(|| "is not a text".to_owned())
        };
        Self { name, canonical, scope: Scope::Rows(field), requires: &[] }
    }

    /// The same for a field with a number or a truth value.
    pub const fn of_plain_rows<T: FromStr<Err: Display> + Display>(
        name: &'static str,
        field: &'static str,
    ) -> Self {
        Self { scope: Scope::Rows(field), ..Self::of::<T>(name) }
    }

    /// Makes the filter work only together with one of these.
    pub const fn with_one_of(self, requires: &'static [&'static str]) -> Self {
        Self { requires, ..self }
    }

    /// The name of its parameter.
    pub(super) fn parameter(&self) -> String {
        format!("{}_eq", self.name)
    }

    /// Whether it chooses a list, which is shorter than the one without it.
    pub(super) fn shortens(&self) -> bool {
        matches!(self.scope, Scope::Lists)
    }
}

/// The filters of a query.
#[derive(Debug, Default)]
pub(super) struct Filters {
    /// Those that choose a list, by name.
    lists: BTreeMap<&'static str, String>,
    /// Those that choose rows, by name, with their field.
    rows: BTreeMap<&'static str, (&'static str, Vec<String>)>,
}

impl Filters {
    /// Reads a parameter. The error is a message about it.
    pub(super) fn read(
        &mut self,
        known: &'static [Filter],
        parameter: &str,
        value: &str,
    ) -> Result<(), String> {
        let Some(filter) = known.iter().find(|filter| filter.parameter() == parameter) else {
            return Err(unknown("filter", known.iter().map(Filter::parameter)));
        };
        match filter.scope {
            Scope::Lists => {
                self.lists.insert(filter.name, (filter.canonical)(value)?);
            }
            Scope::Rows(field) => {
                let values = value.split(',').map(|value| (filter.canonical)(value.trim()));
                self.rows.insert(filter.name, (field, values.collect::<Result<_, _>>()?));
            }
        }
        Ok(())
    }

    /// The parameters that lack a required filter, with a message for each.
    pub(super) fn incomplete(
        &self,
        known: &'static [Filter],
    ) -> impl Iterator<Item = (String, String)> {
        let lacks = |filter: &&Filter| {
            self.has(filter.name)
                && !filter.requires.is_empty()
                && !filter.requires.iter().any(|name| self.has(name))
        };
        known.iter().filter(lacks).map(|filter| {
            let required: Vec<_> =
                filter.requires.iter().map(|name| format!("{name}_eq")).collect();
            (filter.parameter(), format!("works only together with {}", required.join(" or ")))
        })
    }

    fn has(&self, name: &str) -> bool {
        self.lists.contains_key(name) || self.rows.contains_key(name)
    }

    /// The value of a filter that chooses a list.
    pub(super) fn list(&self, name: &str) -> Option<&str> {
        self.lists.get(name).map(String::as_str)
    }

    /// The values of a filter that chooses rows.
    pub(super) fn rows(&self, name: &str) -> Option<&[String]> {
        self.rows.get(name).map(|(_, values)| values.as_slice())
    }

    /// Leaves out a filter that chooses rows.
    pub(super) fn without(&mut self, name: &str) {
        self.rows.remove(name);
    }

    /// Whether there are filters that choose rows.
    pub(super) fn choose_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Whether a row in JSON matches the filters.
    pub(super) fn match_row(&self, row: &Map<String, Value>) -> bool {
        self.rows.values().all(|(field, wanted)| {
            let is_wanted = |value: &Value| text_of(value).is_some_and(|it| wanted.contains(&it));
            match row.get(*field) {
                Some(Value::Array(values)) => values.iter().any(is_wanted),
                Some(value) => is_wanted(value),
                None => false,
            }
        })
    }
}

/// The text of a value that is neither an object nor an array.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The message about a name that the list does not know.
pub(super) fn unknown(what: &str, allowed: impl Iterator<Item = impl Into<String>>) -> String {
    let allowed: Vec<String> = allowed.map(Into::into).collect();
    match allowed.as_slice() {
        [] => format!("is not a {what}; there are none here"),
        allowed => format!("names an unknown {what}; allowed: {}", allowed.join(", ")),
    }
}
