//! What the service is about: one noun a file. Stands on nothing of ours but the clock.

pub mod account;
pub mod bitcoin;
pub mod prize;
pub mod session;
pub mod sign_in_message;
pub mod wallet;

/// Gives a type with `FromStr` and `Display` its JSON form, a string, and its schema.
macro_rules! as_text {
    ($type:ty, $pattern:literal, $example:literal) => {
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
pub(crate) use as_text;
