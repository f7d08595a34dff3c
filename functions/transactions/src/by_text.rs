//! Values of filters, as their texts in JSON.

/// Reads a value from its text in JSON, and shows it as that.
macro_rules! by_text {
    ($kind:ident) => {
        impl std::str::FromStr for $kind {
            type Err = serde::de::value::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::deserialize(serde::de::IntoDeserializer::into_deserializer(text))
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.serialize(f)
            }
        }
    };
}

pub(crate) use by_text;
