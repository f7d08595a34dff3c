//! Amounts of tokens.

use std::{fmt, str::FromStr};

use shared::models::as_text;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};

/// An amount in a token's smallest unit. On the wire it is a string of digits, because it can exceed what a
/// JSON number holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Units(pub u128);

impl FromStr for Units {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be a whole number in the smallest unit, digits only";
        // Each amount has exactly one text: the parser alone would also accept `+1` and `01`.
        let amount = Self(text.parse().map_err(|_| SHAPE)?);
        if amount.to_string() == text { Ok(amount) } else { Err(SHAPE) }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

as_text!(Units, "^(0|[1-9][0-9]{0,38})$", "150000");

/// [`Units`] of which there must be at least 1, in schemas.
#[derive(Debug)]
pub struct PositiveUnits;

impl PartialSchema for PositiveUnits {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[1-9][0-9]{0,38}$"))
            .examples(["150000"])
            .into()
    }
}

impl ToSchema for PositiveUnits {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_exactly_one_text() {
        for text in ["0", "1", "340282366920938463463374607431768211455"] {
            assert_eq!(text.parse::<Units>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "-1",
            "+1",
            "01",
            "1.0",
            "1e3",
            " 1",
            "1 ",
            "0x1",
            "١",
            "340282366920938463463374607431768211456",
        ] {
            assert!(text.parse::<Units>().is_err(), "{text:?}");
        }
    }
}
