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
