//! Fees of Bitcoin transactions: what the deployment allows.

use std::str::FromStr;

use base::section;
use bitcoin::{Amount, FeeRate};
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use crate::problem::{Error, Problem};

/// Blocks within which the cheapest transactions should confirm: four hours.
const ECONOMY_BLOCKS: u16 = 24;
/// Blocks within which the most urgent transactions should confirm.
const FAST_BLOCKS: u16 = 1;

section! {
    /// Fees of Bitcoin transactions.
    pub struct FeeConfig {
        /// Blocks within which a transaction should confirm; chooses the fee estimate
        pub target_blocks: u16 = "FEE_TARGET_BLOCKS" or "3",
        /// Lowest and highest fee rate that the service uses, regardless of the estimate, in sat/vB
        pub rates: FeeRates = "FEE_RATE_RANGE" or "1-500",
        /// The most that one transaction may cost in fees, in sats; a distribution may cost a twelfth of it for
        /// each recipient, a transfer a 24th for each payment
        pub cap: Amount = "FEE_CAP" or "100000" via sats,
    }
}

impl FeeConfig {
    /// The blocks within which transactions of each target should confirm.
    pub fn targets(&self) -> TargetBlocks {
        TargetBlocks {
            economy: self.target_blocks.max(ECONOMY_BLOCKS),
            normal: self.target_blocks,
            fast: FAST_BLOCKS,
        }
    }
}

/// The number of blocks within which transactions of each `feeTarget` should confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TargetBlocks {
    /// The number of blocks for `economy`.
    #[schema(example = 24)]
    pub economy: u16,
    /// The number of blocks for `normal`, the default.
    #[schema(example = 3)]
    pub normal: u16,
    /// The number of blocks for `fast`.
    #[schema(example = 1)]
    pub fast: u16,
}

/// Bounds of fee rates: the lowest is above zero, and not above the highest.
#[derive(Clone, Copy, Debug)]
pub struct FeeRates {
    /// The lowest rate.
    pub lowest: FeeRate,
    /// The highest rate.
    pub highest: FeeRate,
}

impl FromStr for FeeRates {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('-')
            .and_then(|(lowest, highest)| {
                Some(Self { lowest: parse_rate(lowest)?, highest: parse_rate(highest)? })
            })
            .filter(|rates| rates.lowest <= rates.highest && rates.lowest > FeeRate::ZERO)
            .ok_or("must be two rates in sat/vB, such as 0.5-500")
    }
}

/// Reads a decimal rate in sat/vB, rounded up to the precision of [`FeeRate`]: sats per 1,000 weight units.
pub fn parse_rate(text: &str) -> Option<FeeRate> {
    const KWU_PER_KVB: u64 = 4;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let thousandths = fraction.get(..3.min(fraction.len()))?;
    // Further digits round up.
    let more = u64::from(fraction.len() > 3);
    let per_kvb = whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000)?
        .checked_add(format!("{thousandths:0<3}").parse::<u64>().ok()?)?
        .checked_add(more)?;
    Some(FeeRate::from_sat_per_kwu(per_kvb.div_ceil(KWU_PER_KVB)))
}

/// A rate in sat/vB as a decimal number, exactly: four weight units are a virtual byte.
pub fn in_sat_per_vb(rate: FeeRate) -> String {
    let thousandths = u128::from(rate.to_sat_per_kwu()).saturating_mul(4);
    let (whole, rest) = (thousandths.div_euclid(1_000), thousandths.rem_euclid(1_000));
    match format!("{rest:03}").trim_end_matches('0') {
        "" => whole.to_string(),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// The same as a number of an answer.
pub fn number_in_sat_per_vb(rate: FeeRate) -> Result<Number, Error> {
    let number = in_sat_per_vb(rate).parse::<Number>();
    number.map_err(|error| Error::new(Problem::Internal).caused_by(error))
}

fn sats(text: &str) -> Result<Amount, std::num::ParseIntError> {
    text.parse().map(Amount::from_sat)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("FEE_RATE_RANGE", "5"),
            ("FEE_RATE_RANGE", "0-5"),
            ("FEE_RATE_RANGE", "6-5"),
            ("FEE_RATE_RANGE", "-5"),
            ("FEE_RATE_RANGE", "1-"),
            ("FEE_RATE_RANGE", "0.5-0.4"),
            ("FEE_RATE_RANGE", "1e1-50"),
            ("FEE_CAP", "1.5"),
        ] {
            let read = |name: &'static str, value: Option<&'static str>| {
                read::<FeeConfig>(move |asked| value.filter(|_| asked == name).map(str::to_owned))
            };
            let error = read(name, Some(value)).unwrap_err().to_string();
            assert!(error.contains(name), "{name}={value}: {error}");
            assert!(read("none", None).is_ok());
        }
    }

    #[test]
    fn economy_is_never_sooner_than_normal() {
        for (blocks, economy) in [("3", 24), ("144", 144)] {
            let read = |name: &str| (name == "FEE_TARGET_BLOCKS").then(|| blocks.to_owned());
            let targets = base::settings::read::<FeeConfig>(read).unwrap().targets();
            assert_eq!((targets.economy, targets.fast), (economy, 1));
            assert_eq!(targets.normal.to_string(), blocks);
        }
    }

    #[test]
    fn rates_are_parsed_exactly_and_rounded_up() {
        for (text, per_kwu) in [
            ("1", 250),
            ("1.0", 250),
            ("1.001", 251),
            ("12.345", 3_087),
            ("0.1", 25),
            ("2.0004", 501),
            ("0", 0),
        ] {
            assert_eq!(parse_rate(text), Some(FeeRate::from_sat_per_kwu(per_kwu)), "{text}");
        }
        for text in ["", "-1", "1e3", "1.2.3", "99999999999999999999", "NaN", " 1"] {
            assert_eq!(parse_rate(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_said_is_the_rate(per_kwu in 0..u64::MAX / 8) {
            let rate = FeeRate::from_sat_per_kwu(per_kwu);
            prop_assert_eq!(parse_rate(&in_sat_per_vb(rate)), Some(rate));
        }
    }

    #[test]
    fn rates_below_one_are_allowed_where_the_nodes_relay_them() {
        let rates: FeeRates = "0.1-500".parse().unwrap();
        assert_eq!(rates.lowest.to_sat_per_kwu(), 25);
        assert_eq!([rates.lowest, rates.highest].map(in_sat_per_vb), ["0.1", "500"]);
    }
}
