//! Fees of Bitcoin transactions: what the deployment allows.

use std::str::FromStr;

use bitcoin::{Amount, FeeRate};
use serde::Serialize;
use utoipa::ToSchema;

use crate::section;

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
        /// The most that one transaction may cost in fees, in sats; a distribution may cost a twelfth of it for each recipient, a transfer a 24th for each payment
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

/// Within how many blocks transactions of each `feeTarget` should confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TargetBlocks {
    /// Of `economy`.
    #[schema(example = 24)]
    pub economy: u16,
    /// Of `normal`, the default.
    #[schema(example = 3)]
    pub normal: u16,
    /// Of `fast`.
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
        let rate = |text: &str| FeeRate::from_sat_per_vb(text.parse().ok()?);
        text.split_once('-')
            .and_then(|(lowest, highest)| {
                Some(Self { lowest: rate(lowest)?, highest: rate(highest)? })
            })
            .filter(|rates| rates.lowest <= rates.highest && rates.lowest > FeeRate::ZERO)
            .ok_or("must be two rates in sat/vB, such as 1-500")
    }
}

fn sats(text: &str) -> Result<Amount, std::num::ParseIntError> {
    text.parse().map(Amount::from_sat)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::settings::read;

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("FEE_RATE_RANGE", "5"),
            ("FEE_RATE_RANGE", "0-5"),
            ("FEE_RATE_RANGE", "6-5"),
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
            let targets = crate::settings::read::<FeeConfig>(read).unwrap().targets();
            assert_eq!((targets.economy, targets.fast), (economy, 1));
            assert_eq!(targets.normal.to_string(), blocks);
        }
    }
}
