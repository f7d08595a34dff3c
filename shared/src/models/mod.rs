//! The domain types of the service, one noun per file. They depend on no other module of this workspace
//! except the clock.

pub mod account;
pub mod bitcoin;
pub mod change;
pub mod email;
pub mod event;
pub mod export;
pub mod passkey;
pub mod session;
pub mod spelling;
pub mod token;
pub mod trading_wallet;
pub mod wallet;
pub mod watch;
pub mod webhook;

pub use crate::{as_text, id};

/// Derives the JSON form (a string) and the schema of a type with `FromStr` and `Display`.
#[macro_export]
macro_rules! as_text {
    ($type:ty, $pattern:expr, $example:literal) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .pattern(Some($pattern))
                    .examples([serde_json::Value::from($example)])
                    .into()
            }
        }

        impl utoipa::ToSchema for $type {}
    };
}

/// Defines an id type: a UUID of version 7 (RFC 9562, section 5.7), a string in JSON.
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $wrong:literal, $example:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub uuid::Uuid);

        impl std::str::FromStr for $name {
            type Err = &'static str;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                // Some libraries write capitals (RFC 9562, section 4). The parser also accepts braces and
                // missing hyphens.
                match uuid::Uuid::try_parse(text) {
                    Ok(id) if id.to_string().eq_ignore_ascii_case(text) => Ok(Self(id)),
                    _ => Err($wrong),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        $crate::as_text!(
            $name,
            "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
            $example
        );
    };
}
