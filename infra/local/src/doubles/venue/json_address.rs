//! Addresses in JSON.

use alloy::primitives::Address;
use serde::{Deserialize, Deserializer, de::Error};

/// An address in JSON: 20 bytes in hex, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonAddress(pub(crate) Address);

impl<'de> Deserialize<'de> for JsonAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}
