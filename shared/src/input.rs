//! The fields of a request, read so that every wrong one is named.

use std::{ops::RangeInclusive, str::FromStr};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::problem::{Error, FieldError};

/// A request body: a JSON object of named fields.
pub trait Input: Sized {
    /// Reads every field, so that every wrong one is named; `None` where one was.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;
}

/// The fields of a JSON object, and what was wrong with those that were read.
///
/// Unknown fields are ignored. A field that is `null` counts as missing.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The fields of `object`.
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Self { object, errors: Vec::new() }
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        self.object.get(name).is_some_and(|value| !value.is_null())
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        if self.has(name) { self.optional(name)? } else { self.wrong(name, "is required") }
    }

    /// A field that may be missing: `None` where it is wrong, `Some(None)` where it is missing.
    #[allow(clippy::option_option)]
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Option<Option<T>> {
        let Some(value) = self.object.get(name).filter(|value| !value.is_null()) else {
            return Some(None);
        };
        match serde_path_to_error::deserialize(value) {
            Ok(value) => Some(Some(value)),
            Err(error) => {
                let path = match error.path().to_string().as_str() {
                    "." => name.to_owned(),
                    inner => format!("{name}.{inner}"),
                };
                self.wrong(&path, error.inner())
            }
        }
    }

    /// A required text of 1 to `longest` characters.
    pub fn text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text: String = self.required(name)?;
        if text.is_empty() {
            self.wrong(name, "must not be empty")
        } else {
            self.at_most(name, longest, text)
        }
    }

    /// A required text that `T` reads, of at most `longest` characters.
    pub fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        name: &str,
        longest: usize,
    ) -> Option<T> {
        let text = self.text(name, longest)?;
        text.parse().map_err(|error| self.wrong::<()>(name, error)).ok()
    }

    /// The same, and it may be missing or empty.
    #[allow(clippy::option_option)]
    pub fn optional_parsed<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        name: &str,
        longest: usize,
    ) -> Option<Option<T>> {
        match self.optional_text(name, longest)? {
            Some(text) => {
                text.parse().map(Some).map_err(|error| self.wrong::<()>(name, error)).ok()
            }
            None => Some(None),
        }
    }

    /// A number that was read from a field and may be missing, if it is one of these.
    #[allow(clippy::option_option)]
    pub fn in_range<T: PartialOrd + std::fmt::Display>(
        &mut self,
        name: &str,
        number: Option<Option<T>>,
        allowed: RangeInclusive<T>,
    ) -> Option<Option<T>> {
        match number {
            Some(Some(number)) if !allowed.contains(&number) => {
                self.wrong(name, format!("must be {} to {}", allowed.start(), allowed.end()))
            }
            number => number,
        }
    }

    /// A required base64 text (standard alphabet, padded) of at most `longest` characters, decoded.
    pub fn base64(&mut self, name: &str, longest: usize) -> Option<Vec<u8>> {
        let text = self.text(name, longest)?;
        let decoded = BASE64_STANDARD.decode(&text);
        decoded.map_err(|_| self.wrong::<()>(name, "must be base64, padded")).ok()
    }

    /// A text of at most `longest` characters that may be missing; an empty one counts as missing.
    #[allow(clippy::option_option)]
    pub fn optional_text(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        Some(self.optional_any(name, longest)?.filter(|text| !text.is_empty()))
    }

    /// A text of at most `longest` characters that may be missing, or empty.
    #[allow(clippy::option_option)]
    pub fn optional_any(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        match self.optional::<String>(name)? {
            Some(text) => self.at_most(name, longest, text).map(Some),
            None => Some(None),
        }
    }

    /// As [`Self::optional_text`], and without control characters.
    #[allow(clippy::option_option)]
    pub fn optional_name(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        match self.optional_text(name, longest)? {
            Some(text) if text.chars().any(char::is_control) => {
                self.wrong(name, "must have no control characters")
            }
            text => Some(text),
        }
    }

    fn at_most(&mut self, name: &str, longest: usize, text: String) -> Option<String> {
        if text.chars().count() > longest {
            self.wrong(name, format!("must have at most {longest} characters"))
        } else {
            Some(text)
        }
    }

    /// The fields of a field that is an object: read by `T`, and wrong ones named by their path.
    pub fn object<T: Input>(&mut self, name: &str) -> Option<T> {
        self.within(name, self.object.get(name))
    }

    /// The items of a field that is an array of objects, so many of them: each read by `T`, and
    /// wrong ones named by their path, such as `files[0].filename`.
    pub fn objects<T: Input>(
        &mut self,
        name: &str,
        how_many: RangeInclusive<usize>,
    ) -> Option<Vec<T>> {
        let Some(Value::Array(items)) = self.object.get(name) else {
            return self.wrong(name, "must be an array of objects");
        };
        if !how_many.contains(&items.len()) {
            let (least, most) = how_many.into_inner();
            return self.wrong(name, format!("must have {least} to {most} items"));
        }
        let read = items.iter().enumerate();
        let read = read.map(|(index, item)| self.within(&format!("{name}[{index}]"), Some(item)));
        // Reads every item, so that every invalid one is named.
        read.collect::<Vec<_>>().into_iter().collect()
    }

    fn within<T: Input>(&mut self, path: &str, value: Option<&Value>) -> Option<T> {
        let Some(Value::Object(object)) = value else {
            return self.wrong(path, "must be an object");
        };
        let mut inner = Fields::new(object);
        let read = T::read(&mut inner);
        let within = |error: FieldError| FieldError {
            field: format!("{path}.{}", error.field),
            message: error.message,
        };
        self.errors.extend(inner.errors.into_iter().map(within));
        read
    }

    /// Notes that a field is wrong.
    pub fn wrong<T>(&mut self, field: &str, message: impl ToString) -> Option<T> {
        // Messages of the parser repeat the value, which may be as long as the body.
        let message = message.to_string().chars().take(200).collect();
        self.errors.push(FieldError { field: field.to_owned(), message });
        None
    }
}

/// Reads an input from its fields, or names every one that is missing or wrong.
pub(crate) fn read<T: Input>(object: &Map<String, Value>) -> Result<T, Error> {
    let mut fields = Fields::new(object);
    match T::read(&mut fields) {
        Some(input) if fields.errors.is_empty() => Ok(input),
        _ => Err(Error::fields(fields.errors)),
    }
}
