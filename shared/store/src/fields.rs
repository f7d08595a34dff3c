//! The fields of rows: their attribute names and types, as updates and conditions take them.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserializer, Serialize,
    de::{DeserializeOwned, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// A field of rows of type `R`, which holds a `T`. [`fields!`](crate::fields) defines it.
pub struct Field<R, T> {
    /// The names of the Rust fields that lead to it; more than one leads into a map.
    path: &'static [&'static str],
    of: PhantomData<fn() -> (R, T)>,
}

impl<R, T> Field<R, T> {
    /// The field that `_typed` reads. `path` has its name in Rust, or its name in the table if serde renames
    /// it.
    pub const fn new(path: &'static [&'static str], _typed: fn(&R) -> &T) -> Self {
        Self { path, of: PhantomData }
    }

    /// An attribute that the store keeps on rows of every type.
    pub(super) const fn of_every_row(path: &'static [&'static str]) -> Self {
        Self { path, of: PhantomData }
    }

    /// The names of the attributes that lead to it.
    pub fn attributes(self) -> impl Iterator<Item = String> {
        self.path.iter().map(|field| camel_case(field))
    }
}

impl<R, T> Clone for Field<R, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, T> Copy for Field<R, T> {}

impl<R, T> fmt::Debug for Field<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.attributes().collect::<Vec<_>>().join("."))
    }
}

/// Defines the fields of a row that updates and conditions name, as constants of its type, and a test that
/// serde reads them under these names:
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// use store::{Update, fields};
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Export {
///     row_count: u64,
///     owner: Option<String>,
///     #[serde(rename = "type")]
///     kind: String,
/// }
///
/// fields!(Export {
///     ROW_COUNT: u64 = row_count,
///     OWNER: Option<String> = owner,
///     KIND: String = kind as "type",
/// });
///
/// let update = Update::new().set(Export::ROW_COUNT, 7).if_equal(Export::OWNER, "worker");
/// # let _: (Update<Export>, _) = (update, Export::KIND);
/// ```
///
/// The name of an attribute is that of its field in camel case, unless `as` says otherwise. `outer.inner`
/// leads into a map. A value of another type does not compile, nor does a field of another row:
///
/// ```compile_fail
/// # use serde::{Deserialize, Serialize};
/// # use store::{Update, fields};
/// # #[derive(Serialize, Deserialize)]
/// # struct Export { rows: u64 }
/// # fields!(Export { ROWS: u64 = rows, });
/// let update = Update::new().set(Export::ROWS, "seven");
/// ```
///
/// ```compile_fail
/// # use serde::{Deserialize, Serialize};
/// # use store::{Update, fields};
/// # #[derive(Serialize, Deserialize)]
/// # struct Export { rows: u64 }
/// # fields!(Export { ROWS: u64 = rows, });
/// # #[derive(Serialize, Deserialize)]
/// # struct Job { state: u64 }
/// # fields!(Job { STATE: u64 = state, });
/// let update = Update::new().set(Export::ROWS, 7).if_equal(Job::STATE, 1);
/// ```
#[macro_export]
macro_rules! fields {
    (@path $field:ident) => { &[stringify!($field)] };
    (@path $field:ident . $part:ident) => { &[stringify!($field), stringify!($part)] };
    (@path $field:ident as $attribute:literal) => { &[$attribute] };
    ($row:ident { $(
        $vis:vis $name:ident: $type:ty = $field:ident $(. $part:ident)? $(as $attribute:literal)?
    ),* $(,)? }) => {
        impl $row {
            $(
                #[doc = concat!("The field `", stringify!($field $(. $part)?), "`.")]
                $vis const $name: $crate::Field<$row, $type> = $crate::Field::new(
                    $crate::fields!(@path $field $(. $part)? $(as $attribute)?),
                    |row| &row.$field $(. $part)?,
                );
            )*
        }

        // Named after the row: a module can have several, and functions and types share no names.
        #[cfg(test)]
        #[test]
        #[allow(non_snake_case)]
        fn $row() {
            let of_row = $crate::attributes_at(|row: &$row| row);
            $(
                let mut names = $row::$name.attributes();
                let name = names.next().unwrap_or_default();
                assert!(of_row.contains(&name.as_str()), "{name}");
                $(
                    let _ = stringify!($part);
                    let of_part = $crate::attributes_at(|row: &$row| &row.$field);
                    let name = names.next().unwrap_or_default();
                    assert!(of_part.contains(&name.as_str()), "{name}");
                )?
            )*
        }
    };
}

/// A value that a field of type `T` can have: a `T`, a reference to one, or the content of an optional field.
#[diagnostic::on_unimplemented(
    message = "a field of type `{T}` cannot have a value of type `{Self}`"
)]
pub trait Fits<T>: Serialize {}

impl<T: Serialize> Fits<T> for T {}
impl<T: Serialize> Fits<T> for &T {}
impl<T: Serialize> Fits<Option<T>> for T {}
impl<T: Serialize> Fits<Option<T>> for &T {}
impl<T: Serialize> Fits<Option<T>> for Option<&T> {}
impl<T: Serialize> Fits<Vec<T>> for &[T] {}
impl Fits<String> for &str {}
impl Fits<Option<String>> for &str {}

/// A number that can be added to.
pub trait Number {}

impl Number for i64 {}
impl Number for u32 {}
impl Number for u64 {}

/// The name that serde's `rename_all = "camelCase"` gives a field.
fn camel_case(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

/// The names under which serde reads the fields of the type that `_typed` returns; none unless it is a struct
/// of named fields.
pub fn attributes_at<R, T: DeserializeOwned>(_typed: fn(&R) -> &T) -> &'static [&'static str] {
    let mut found = None;
    // Stops at the names: there is nothing to read.
    let _stopped = T::deserialize(Names(&mut found));
    found.unwrap_or_default()
}

/// Keeps the field names of a struct, which serde passes to its deserializer.
struct Names<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(fields);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::Update;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Part {
        key_id: String,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        #[serde(rename = "type")]
        kind: String,
        row_count: u64,
        not_before_at: Option<i64>,
        wallet: Part,
    }

    fields!(Sample {
        KIND: String = kind as "type",
        ROW_COUNT: u64 = row_count,
        NOT_BEFORE_AT: Option<i64> = not_before_at,
        WALLET_KEY_ID: String = wallet.key_id,
    });

    #[test]
    fn updates_name_attributes_as_serde_writes_them() {
        let update = Update::new()
            .set(Sample::KIND, "x")
            .set(Sample::WALLET_KEY_ID, "k")
            .add(Sample::ROW_COUNT, -1)
            .remove(Sample::NOT_BEFORE_AT)
            .if_above(Sample::ROW_COUNT, 0);
        let parts = update.into_parts().unwrap();
        assert_eq!(
            parts.change,
            "SET #type = :v0, #wallet.#keyId = :v1 ADD #rowCount :v2 REMOVE #notBeforeAt"
        );
        assert_eq!(parts.condition, "#rowCount > :v3");

        let wallet = Part { key_id: "k".to_owned() };
        let kind = "x".to_owned();
        let sample = Sample { kind, row_count: 7, not_before_at: Some(1), wallet };
        let written = serde_json::to_value(sample).unwrap();
        let mut names: Vec<_> = written.as_object().unwrap().keys().map(String::as_str).collect();
        names.extend(written["wallet"].as_object().unwrap().keys().map(String::as_str));
        for (placeholder, name) in parts.names {
            assert_eq!(placeholder, format!("#{name}"));
            assert!(names.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn serde_names_the_fields_of_structs_alone() {
        let names = attributes_at(|row: &Sample| row);
        assert_eq!(names, ["type", "rowCount", "notBeforeAt", "wallet"]);
        // The name without serde's `rename` is not one of them, so the test of `fields!` would fail.
        let wrong = Field::new(&["kind"], |row: &Sample| &row.kind);
        assert!(wrong.attributes().all(|name| !names.contains(&name.as_str())));
        assert!(attributes_at(|text: &String| text).is_empty());
        assert!(attributes_at(|row: &Option<Sample>| row).is_empty());
    }

    #[test]
    fn an_optional_field_takes_what_it_holds() {
        let update = Update::new()
            .set(Sample::NOT_BEFORE_AT, 1)
            .if_equal(Sample::NOT_BEFORE_AT, Some(1))
            .if_equal(Sample::NOT_BEFORE_AT, Some(&1));
        let parts = update.into_parts().unwrap();
        let values: std::collections::HashSet<_> =
            parts.values.values().map(|value| value.as_n().unwrap().as_str()).collect();
        assert_eq!(values, ["1"].into());
        let none = Update::new().set(Sample::NOT_BEFORE_AT, None::<i64>);
        assert!(none.into_parts().unwrap().values[":v0"].is_null());
    }
}
