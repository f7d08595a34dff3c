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
/// Unknown fields are ignored, unless one is another spelling of a field that may be missing: the request would mean
/// something else without it. A field that is `null` counts as missing.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    errors: Vec<FieldError>,
    /// Whether they are parameters of a query. There an empty field counts as missing, because forms also
    /// send fields that were left empty.
    are_of_query: bool,
}

impl<'a> Fields<'a> {
    /// The fields of `object`.
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Self { object, errors: Vec::new(), are_of_query: false }
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        self.object.get(name).is_some_and(|value| !value.is_null())
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        if !self.has(name) {
            return self.wrong(name, "is required");
        }
        match self.optional(name)? {
            Some(value) => Some(value),
            None => self.wrong(name, "must not be empty"),
        }
    }

    /// A field that may be missing: `None` where it is wrong, `Some(None)` where it is missing. In a query an empty text
    /// counts as missing, unless `T` accepts it.
    #[allow(clippy::option_option)]
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Option<Option<T>> {
        let Some(value) = self.object.get(name).filter(|value| !value.is_null()) else {
            let misspelt = self.object.keys().find(|key| *key != name && is_spelling_of(key, name));
            return match misspelt.cloned() {
                Some(key) => self.wrong(&key, format!("must be spelled {name}")),
                None => Some(None),
            };
        };
        match serde_path_to_error::deserialize(whole_numbers(value.clone())) {
            Ok(value) => Some(Some(value)),
            Err(_) if self.are_of_query && value.as_str().is_some_and(str::is_empty) => Some(None),
            Err(error) => {
                let path = match error.path().to_string().as_str() {
                    "." => name.to_owned(),
                    inner if inner.starts_with('[') => format!("{name}{inner}"),
                    inner => format!("{name}.{inner}"),
                };
                self.wrong(&path, error.inner())
            }
        }
    }

    /// The same, and an empty text counts as missing in a body too.
    #[allow(clippy::option_option)]
    pub fn optional_unless_empty<T: DeserializeOwned>(&mut self, name: &str) -> Option<Option<T>> {
        match self.object.get(name).and_then(Value::as_str) {
            Some("") => Some(None),
            _ => self.optional(name),
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
        Some(self.optional_line(name, longest)?.filter(|text| !text.is_empty()))
    }

    /// As [`Self::optional_any`], and without control characters.
    #[allow(clippy::option_option)]
    pub fn optional_line(&mut self, name: &str, longest: usize) -> Option<Option<String>> {
        match self.optional_any(name, longest)? {
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

    /// The items of a field that is an array of `how_many` objects: each read by `T`, and
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
        inner.refuse_dry_run();
        let within = |error: FieldError| FieldError {
            field: format!("{path}.{}", error.field),
            message: error.message,
        };
        self.errors.extend(inner.errors.into_iter().map(within));
        read
    }

    /// Notes each field that asks to only try the request, because the request would be done: bodies have no such
    /// field.
    fn refuse_dry_run(&mut self) {
        for name in self.object.keys().filter(|name| is_spelling_of(name, DRY_RUN)) {
            let message = format!(
                "is not a field of a body: endpoints that can be tried have the parameter {DRY_RUN} in their query"
            );
            self.wrong::<()>(name, message);
        }
    }

    /// Notes that a field is wrong.
    pub fn wrong<T>(&mut self, field: &str, message: impl ToString) -> Option<T> {
        // Messages of the parser repeat the value, which may be as long as the body.
        let message = plain_words(&message.to_string()).chars().take(200).collect();
        self.errors.push(FieldError { field: field.to_owned(), message });
        None
    }
}

/// The parameter of a request that only shows what it would do.
pub(crate) const DRY_RUN: &str = "dryRun";

/// Whether two names differ at most in capitals and in signs, as `dryRun` and `_dry-run[]` do.
pub(crate) fn is_spelling_of(name: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    letters(name).eq(letters(other))
}

/// The same value with whole numbers as integers: JSON does not distinguish 1 and 1.0 (RFC 8259, section 6), but types of
/// Rust do. Numbers above 2^50 stay as they are: the parser may have rounded them to another whole number.
fn whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let text = number.to_string();
            match text.strip_suffix(".0").and_then(|whole| whole.parse::<i64>().ok()) {
                Some(whole) if whole.unsigned_abs() <= 1 << 50 => Value::from(whole),
                _ => Value::Number(number),
            }
        }
        Value::Array(items) => Value::Array(items.into_iter().map(whole_numbers).collect()),
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(name, value)| (name, whole_numbers(value))).collect(),
        ),
        other => other,
    }
}

/// A message about a field in words that do not mention types of the program. Messages that are not a parser's are
/// returned unchanged.
pub(crate) fn plain_words(message: &str) -> String {
    const LIBRARY: [(&str, &str); 8] = [
        ("UUID parsing failed", "must be a UUID"),
        ("invalid digit found in string", "must be a whole number"),
        ("cannot parse integer from empty string", "must be a whole number"),
        ("number too large to fit in target type", "is too large a number"),
        ("number too small to fit in target type", "is too small a number"),
        ("provided string was not `true` or `false`", "must be true or false"),
        ("failed to parse hex", "must be 64 hexadecimal digits"),
        ("invalid hex string length", "must be 64 hexadecimal digits"),
    ];
    if let Some((_, plain)) = LIBRARY.iter().find(|(start, _)| message.starts_with(start)) {
        return (*plain).to_owned();
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        // The value comes first and may contain anything; the names of the variants contain no backtick.
        let allowed = rest.rsplit_once(", expected ").map_or("", |(_, allowed)| allowed);
        let allowed: Vec<_> = allowed.split('`').skip(1).step_by(2).collect();
        return match allowed.as_slice() {
            [] => "has a value that is not allowed".to_owned(),
            [only] => format!("must be {only}"),
            several => format!("must be one of {}", several.join(", ")),
        };
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("lacks the field {}", field.trim_matches('`'));
    }
    if !["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .any(|it| message.starts_with(it))
    {
        return message.to_owned();
    }
    let expected = message.rsplit_once(", expected ").map_or("", |(_, expected)| expected);
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            let is_integer = message.starts_with("invalid value: integer");
            if is_integer { "is a number out of range" } else { "must be a whole number" }
        }
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "must be a whole number",
        "f32" | "f64" => "must be a number",
        "a string" | "a borrowed string" | "string" | "string or map" => "must be a text",
        _ if expected.contains("UUID") => "must be a text",
        "a boolean" => "must be true or false",
        "a sequence" => "must be an array",
        _ if expected.starts_with("struct ") || expected == "a map" => "must be an object",
        _ if expected.starts_with("enum ") || expected.contains("enum") => "must be a text",
        _ => "has the wrong form",
    };
    plain.to_owned()
}

/// Reads an input from its fields, or names every one that is missing or wrong.
pub(crate) fn read<T: Input>(object: &Map<String, Value>) -> Result<T, Error> {
    read_all(Fields::new(object))
}

/// The same for the parameters of a query.
pub(crate) fn read_query<T: Input>(object: &Map<String, Value>) -> Result<T, Error> {
    read_all(Fields { are_of_query: true, ..Fields::new(object) })
}

fn read_all<T: Input>(mut fields: Fields<'_>) -> Result<T, Error> {
    let read = T::read(&mut fields);
    if !fields.are_of_query {
        fields.refuse_dry_run();
    }
    match read {
        Some(input) if fields.errors.is_empty() => Ok(input),
        _ => Err(Error::fields(fields.errors)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        One,
        Other,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        count: u32,
    }

    fn read_as<T: DeserializeOwned>(value: Value) -> Result<Option<T>, (String, String)> {
        let object = json!({ "field": value });
        let mut fields = Fields::new(object.as_object().unwrap());
        match fields.optional("field") {
            Some(read) => Ok(read),
            None => {
                let error = fields.errors.pop().unwrap();
                Err((error.field, error.message))
            }
        }
    }

    #[track_caller]
    fn refused<T: DeserializeOwned + std::fmt::Debug>(value: Value, field: &str, message: &str) {
        let expected = (field.to_owned(), message.to_owned());
        assert_eq!(read_as::<T>(value).unwrap_err(), expected);
    }

    #[test]
    fn whole_numbers_may_have_a_fraction_of_zero() {
        assert_eq!(read_as(json!(1.0)), Ok(Some(1_u32)));
        assert_eq!(read_as(json!(-0.0)), Ok(Some(0_u64)));
        assert_eq!(read_as(json!(1_125_899_906_842_624.0)), Ok(Some(1_u64 << 50)));
        refused::<u64>(json!(1_125_899_906_842_625.0), "field", "must be a whole number");
        assert_eq!(read_as(json!({ "count": 3.0 })), Ok(Some(Inner { count: 3 })));
        assert_eq!(read_as(json!([1.0, 2])), Ok(Some(vec![1_u8, 2])));
        assert_eq!(read_as(json!(1.5)), Ok(Some(1.5_f64)));
        refused::<u64>(json!(1e300), "field", "must be a whole number");
        refused::<u64>(json!(1e17), "field", "must be a whole number");
    }

    #[test]
    fn messages_do_not_mention_types_of_the_program() {
        refused::<u64>(json!(1.5), "field", "must be a whole number");
        refused::<u64>(json!("146"), "field", "must be a whole number");
        refused::<u64>(json!(-1), "field", "is a number out of range");
        refused::<u8>(json!(256), "field", "is a number out of range");
        refused::<i64>(json!(true), "field", "must be a whole number");
        refused::<f64>(json!("x"), "field", "must be a number");
        refused::<String>(json!(1), "field", "must be a text");
        refused::<bool>(json!("true"), "field", "must be true or false");
        refused::<Vec<u8>>(json!({}), "field", "must be an array");
        refused::<Inner>(json!(7), "field", "must be an object");
        refused::<Inner>(json!({}), "field", "lacks the field count");
        refused::<Inner>(json!({ "count": "x" }), "field.count", "must be a whole number");
        refused::<Kind>(json!("two"), "field", "must be one of one, other");
        refused::<Kind>(json!("`a`, expected `b`"), "field", "must be one of one, other");
        refused::<Kind>(json!(1), "field", "must be a text");
        refused::<Vec<Kind>>(json!(["one", "two"]), "field[1]", "must be one of one, other");
        refused::<Vec<Inner>>(json!([{ "count": [] }]), "field[0].count", "must be a whole number");
        refused::<uuid::Uuid>(json!(1), "field", "must be a text");
        refused::<uuid::Uuid>(json!("7"), "field", "must be a UUID");
        assert_eq!(plain_words("must be a UUID"), "must be a UUID");
        let number = |text: &str| plain_words(&text.parse::<u8>().unwrap_err().to_string());
        assert_eq!(
            (number("x"), number("")),
            ("must be a whole number".into(), "must be a whole number".into())
        );
        assert_eq!(number("256"), "is too large a number");
        let truth = plain_words(&"yes".parse::<bool>().unwrap_err().to_string());
        assert_eq!(truth, "must be true or false");
        for text in ["", "zz", &"g".repeat(64)] {
            let error = text.parse::<::bitcoin::Txid>().unwrap_err().to_string();
            assert_eq!(plain_words(&error), "must be 64 hexadecimal digits", "{error}");
        }
    }

    #[test]
    fn an_empty_parameter_counts_as_missing_unless_its_type_accepts_it() {
        let object = json!({ "field": "" });
        let of_query = || {
            let object = object.as_object().unwrap();
            Fields { are_of_query: true, ..Fields::new(object) }
        };
        assert_eq!(of_query().optional::<Kind>("field"), Some(None));
        assert_eq!(of_query().optional::<u64>("field"), Some(None));
        assert_eq!(of_query().optional("field"), Some(Some(String::new())));
        // A field of a body may mean something by its absence.
        assert!(read_as::<Kind>(json!("")).is_err() && read_as::<u64>(json!("")).is_err());
        let mut body = Fields::new(object.as_object().unwrap());
        assert_eq!(body.optional_unless_empty::<u64>("field"), Some(None));
        let mut fields = of_query();
        assert_eq!(fields.required::<Kind>("field"), None);
        assert_eq!(fields.errors.first().unwrap().message, "must not be empty");
    }

    #[test]
    fn a_misspelt_field_is_not_ignored() {
        for (object, field) in [
            (json!({ "opens_at": 1 }), Some("opens_at")),
            (json!({ "OpensAt": 1 }), Some("OpensAt")),
            (json!({ "opens-at": 1, "opensAt": null }), Some("opens-at")),
            (json!({ "opensAt": 1, "opens_at": 2 }), None),
            (json!({ "opens": 1, "openAt": 2, "_": 3 }), None),
        ] {
            let mut fields = Fields::new(object.as_object().unwrap());
            let read = fields.optional::<u64>("opensAt");
            assert_eq!(read.is_none(), field.is_some(), "{object}");
            let wrong = fields.errors.first().map(|error| (&*error.field, &*error.message));
            assert_eq!(wrong, field.map(|field| (field, "must be spelled opensAt")), "{object}");
        }
    }

    proptest! {
        #[test]
        fn a_whole_number_is_read_exactly_or_not_at_all(number in any::<i64>(), zeros in 1_usize..25) {
            for number in [number, number >> 13, number >> 20] {
                let text = format!("{number}.{}", "0".repeat(zeros));
                let read = whole_numbers(serde_json::from_str(&text).unwrap());
                prop_assert!(read.is_f64() || read == json!(number), "{}: {}", text, read);
                let is_plain = zeros == 1 && number.unsigned_abs() <= 1 << 50;
                prop_assert!(read.is_i64() || !is_plain, "{}", text);
            }
        }

        #[test]
        fn no_other_number_is_read_as_a_whole_one(number in -(1_i64 << 30)..1_i64 << 30, digits in "[0-9]{0,3}[1-9]") {
            let read = whole_numbers(serde_json::from_str(&format!("{number}.{digits}")).unwrap());
            prop_assert!(read.is_f64(), "{}", read);
        }
    }
}
