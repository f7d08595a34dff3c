//! Exports: downloadable files of an account's history.

use std::{fmt, str::FromStr};

use aws_smithy_types::{DateTime, date_time::Format};
use base::clock::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use utoipa::ToSchema;

use super::as_text;

super::id!(
    /// The id of an export.
    ExportId,
    "must be an export id, a UUID",
    "0197d3f0-0000-7000-8000-000000000000"
);

/// The format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// RFC 4180, UTF-8, with a header.
    Csv,
}

/// The state of an export.
///
/// ```text
/// pending ──▶ processing ──▶ completed ──▶ expired ◀── by its owner: from every state but failed
///    │             │
///    └─────────────┴──────▶ failed
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExportStatus {
    /// No worker has started it.
    Pending,
    /// A worker is writing the file.
    Processing,
    /// The file is ready.
    Completed,
    /// No file will be written.
    Failed,
    /// The file has been deleted, after seven days or by its owner.
    Expired,
}

impl ExportStatus {
    /// Whether workers have finished with it.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Expired)
    }
}

/// The kind of history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HistoryType {
    /// All cross-chain transactions: swaps, and withdrawals through the hub.
    #[default]
    Swap,
    /// Batches of requests to virtual mints. `virtual-mint` is accepted too.
    #[serde(alias = "virtual-mint")]
    VirtualMint,
    /// Refunds of such batches.
    Refund,
    /// All withdrawals from the trading address, through the hub or plain.
    Withdraw,
    /// Everything that moved funds: Bitcoin transactions, then deposits, then swaps, each oldest first.
    All,
}

impl HistoryType {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Swap => "swap",
            Self::VirtualMint => "virtual_mint",
            Self::Refund => "refund",
            Self::Withdraw => "withdraw",
            Self::All => "all",
        }
    }
}

/// A chain: `bitcoin`, or the hub's id of another chain in digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryChain {
    /// Bitcoin.
    Bitcoin,
    /// Another chain, by the hub's id.
    Id(u64),
}

impl FromStr for HistoryChain {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be bitcoin, or a chain id in digits";
        if text == "bitcoin" {
            return Ok(Self::Bitcoin);
        }
        let id: u64 = text.parse().map_err(|_| SHAPE)?;
        if id.to_string() == text { Ok(Self::Id(id)) } else { Err(SHAPE) }
    }
}

impl fmt::Display for HistoryChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bitcoin => f.write_str("bitcoin"),
            Self::Id(id) => id.fmt(f),
        }
    }
}

as_text!(HistoryChain, "^(bitcoin|0|[1-9][0-9]{0,18}|1[0-8][0-9]{18})$", "bitcoin");

/// The part of a history to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryFilter {
    /// Only entries on this chain; null for all chains.
    #[schema(required = true)]
    pub chain: Option<HistoryChain>,
    /// Only entries of this kind.
    #[serde(rename = "type")]
    pub kind: HistoryType,
    /// Only entries created at this time or later, ms since the epoch.
    pub from: Timestamp,
    /// Only entries created at this time or earlier, ms since the epoch.
    pub to: Timestamp,
}

/// A time as sent by clients, up to the year 9999: RFC 3339, a date, or milliseconds since the epoch as a
/// number or in digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time; for a date, its first millisecond in UTC.
    first: Timestamp,
    /// The same time; for a date, its last millisecond.
    last: Timestamp,
}

/// The last millisecond of the year 9999.
const LAST: i64 = 253_402_300_799_999;
/// Numbers below this are taken for seconds that were sent by mistake. As milliseconds they would be before
/// March 1973.
const FIRST_MILLIS: i64 = 100_000_000_000;
const MILLIS_OF_A_DAY: i64 = 86_400_000;

impl FromStr for Moment {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be a date, a time of RFC 3339, or milliseconds since the epoch";
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits {
            return Self::from_millis(text.parse().map_err(|_| SHAPE)?);
        }
        let time = |text: &str| {
            let time = DateTime::from_str(text, Format::DateTimeWithOffset).ok();
            time.and_then(|time| time.to_millis().ok())
        };
        match time(text) {
            Some(millis) => Self::within(millis, millis),
            None => {
                let is_date = text.len() == "2026-01-01".len();
                let day = Some(text).filter(|_| is_date);
                let first = day.and_then(|day| time(&format!("{day}T00:00:00Z"))).ok_or(SHAPE)?;
                let last = first.saturating_add(MILLIS_OF_A_DAY).saturating_sub(1);
                Self::within(first, last)
            }
        }
    }
}

impl Moment {
    /// The time as the start of a range.
    pub fn begin(self) -> Timestamp {
        self.first
    }

    /// The time as the end of a range, which includes it.
    pub fn end(self) -> Timestamp {
        self.last
    }

    fn from_millis(millis: i64) -> Result<Self, &'static str> {
        match millis {
            0..FIRST_MILLIS => Err("must be milliseconds since the epoch; this looks like seconds"),
            _ => Self::within(millis, millis),
        }
    }

    fn within(first: i64, last: i64) -> Result<Self, &'static str> {
        let within = (0..=LAST).contains(&first) && (0..=LAST).contains(&last);
        let moment = Self { first: Timestamp(first), last: Timestamp(last) };
        within.then_some(moment).ok_or("must be between 1970 and 9999")
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse(),
            Value::Number(number) => {
                number.as_i64().ok_or("must be whole milliseconds").and_then(Self::from_millis)
            }
            _ => Err("must be a text or a number"),
        };
        read.map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_are_accepted_in_four_forms() {
        for value in [
            json!("2026-01-01T00:00:00Z"),
            json!("2026-01-01T02:00:00+02:00"),
            json!("2025-12-31T23:59:59.999999+00:00"),
            json!("1767225600000"),
            json!(1_767_225_600_000_i64),
        ] {
            let read: Moment = serde_json::from_value(value.clone()).unwrap();
            assert!((1_767_225_599_999..=1_767_225_600_000).contains(&read.begin().0), "{value}");
            assert_eq!(read.begin(), read.end(), "{value}");
        }
        let day: Moment = "2026-01-01".parse().unwrap();
        assert_eq!((day.begin().0, day.end().0), (1_767_225_600_000, 1_767_311_999_999));
        assert!("1970-01-01".parse::<Moment>().is_ok() && "9999-12-31".parse::<Moment>().is_ok());
        assert!("1973-03-03T09:46:40Z".parse::<Moment>().is_ok());
        for seconds in
            [json!(1_767_225_600), json!("1767225600"), json!(0), json!(99_999_999_999_i64)]
        {
            let error = serde_json::from_value::<Moment>(seconds.clone()).unwrap_err().to_string();
            assert!(error.contains("looks like seconds"), "{seconds}: {error}");
        }
        for value in [
            json!(""),
            json!("2026-13-01"),
            json!("2026-02-30"),
            json!("2026-1-1"),
            json!("01.01.2026"),
            json!("2026-13-01T00:00:00Z"),
            json!("2026-01-01T00:00:00"),
            json!("yesterday"),
            json!("1767225600000.5"),
            json!("99999999999999999999"),
            json!("-1"),
            json!(-1),
            json!(1.5),
            json!(1e300),
            json!(LAST + 1),
            json!("9999999999999999"),
            json!(true),
            json!({}),
            json!([]),
        ] {
            assert!(serde_json::from_value::<Moment>(value.clone()).is_err(), "{value}");
        }
    }

    #[test]
    fn a_chain_has_exactly_one_text() {
        for text in ["bitcoin", "0", "1", "18446744073709551615"] {
            assert_eq!(text.parse::<HistoryChain>().unwrap().to_string(), text);
        }
        for text in ["", "Bitcoin", "01", "+1", "-1", "1.0", "18446744073709551616", "eip155:1"] {
            assert!(text.parse::<HistoryChain>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_type_has_its_wire_name() {
        use HistoryType::{All, Refund, Swap, VirtualMint, Withdraw};
        for kind in [Swap, VirtualMint, Refund, Withdraw, All] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!(
            serde_json::from_value::<HistoryType>(json!("virtual-mint")).unwrap(),
            VirtualMint
        );
    }
}
