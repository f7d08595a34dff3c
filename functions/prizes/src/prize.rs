//! Prizes: inscriptions in the treasury.

use std::{fmt, str::FromStr};

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::{InscriptionId, OutPoint};
use utoipa::ToSchema;

/// A prize's number, 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u64")]
#[schema(value_type = u8, minimum = 1, maximum = 100, example = 7)]
pub struct PrizeNumber(u8);

impl PrizeNumber {
    /// The highest number.
    pub const HIGHEST: u8 = 100;

    /// The number.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u64> for PrizeNumber {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        match u8::try_from(number) {
            Ok(number @ 1..=Self::HIGHEST) => Ok(Self(number)),
            _ => Err("must be from 1 to 100"),
        }
    }
}

impl FromStr for PrizeNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<u64>().map_err(|_| "must be a number")?.try_into()
    }
}

impl fmt::Display for PrizeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A prize's name: 1 to 100 characters, no control characters, no blank at either end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Runestone No. 7")]
pub struct PrizeName(String);

impl TryFrom<String> for PrizeName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        if !(1..=100).contains(&name.chars().count()) {
            Err("must have 1 to 100 characters")
        } else if name.trim() != name || name.chars().any(char::is_control) {
            Err("must have no control characters, and no blanks at either end")
        } else {
            Ok(Self(name))
        }
    }
}

/// An inscription that the treasury holds to give away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prize {
    /// The id: the prize number as text.
    pub id: String,
    /// From 1 to 100, unique.
    pub prize_number: PrizeNumber,
    /// The prize's name.
    pub name: PrizeName,
    /// The inscription, unique.
    pub inscription_id: InscriptionId,
    /// The treasury's output that holds the inscription, unique.
    pub controlling_utxo: OutPoint,
    /// When it was registered, ms since the epoch.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_have_limits() {
        for (json, ok) in [
            ("1", true),
            ("100", true),
            ("0", false),
            ("101", false),
            ("257", false),
            ("-1", false),
            ("1.0", false),
            ("\"1\"", false),
            ("18446744073709551616", false),
        ] {
            assert_eq!(serde_json::from_str::<PrizeNumber>(json).is_ok(), ok, "{json}");
        }
        let long = "é".repeat(101);
        for (name, ok) in [
            ("a", true),
            (&long[2..], true),
            (&long, false),
            ("", false),
            (" a", false),
            ("a\nb", false),
        ] {
            assert_eq!(PrizeName::try_from(name.to_owned()).is_ok(), ok, "{name:?}");
        }
    }
}
