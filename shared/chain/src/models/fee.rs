//! How fast a transaction should confirm, and what that costs.

use std::str::FromStr;

use bitcoin::FeeRate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How fast a transaction should confirm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FeeTarget {
    /// Within a few hours.
    Economy,
    /// Within the deployment's number of blocks, usually half an hour.
    #[default]
    Normal,
    /// In the next block.
    Fast,
}

impl FromStr for FeeTarget {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "economy" => Ok(Self::Economy),
            "normal" => Ok(Self::Normal),
            "fast" => Ok(Self::Fast),
            _ => Err("must be economy, normal or fast"),
        }
    }
}

/// How the fee rate of a transaction is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeeChoice {
    /// The current rate of a target.
    Target(FeeTarget),
    /// This rate.
    Rate(FeeRate),
}

impl From<Option<FeeTarget>> for FeeChoice {
    fn from(target: Option<FeeTarget>) -> Self {
        Self::Target(target.unwrap_or_default())
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

/// The fee rate of each target; no rate is below that of a slower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetRates {
    /// The rate of [`FeeTarget::Economy`].
    pub economy: FeeRate,
    /// The rate of [`FeeTarget::Normal`].
    pub normal: FeeRate,
    /// The rate of [`FeeTarget::Fast`].
    pub fast: FeeRate,
}

impl TargetRates {
    /// The rate of a target.
    pub fn at(&self, target: FeeTarget) -> FeeRate {
        match target {
            FeeTarget::Economy => self.economy,
            FeeTarget::Normal => self.normal,
            FeeTarget::Fast => self.fast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
