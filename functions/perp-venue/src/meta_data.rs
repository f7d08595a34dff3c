use serde::Serialize;
use utoipa::ToSchema;

use crate::venue::{BuilderFee, Facts, usdc::Usdc};

/// Information that accompanies an action to sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueMetaData {
    /// Steps that the wallet has to take before it can trade. An empty list means none only if `checks` is
    /// `complete`. Gates never stop a deposit or a withdrawal.
    gates: Vec<Gate>,
    /// Whether every check could run; missing if the request names no wallet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Checks)]
    checks: Option<Checks>,
    /// What the owner should know before signing.
    warnings: Vec<VenueWarning>,
}

/// A step that the wallet has to take before it can trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Gate {
    /// The wallet has not approved the builder fee: sign the action of `builder-fee-approval`.
    BuilderFeeNotApproved,
}

/// Whether every check could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Checks {
    /// Every check ran.
    Complete,
    /// The venue or its chain did not answer every question: the signed action may be rejected, and a gate
    /// may be missing.
    Unavailable,
}

/// Something the wallet's owner should know before signing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VenueWarning {
    kind: VenueWarningKind,
    /// The warning as one English sentence.
    message: String,
    /// The amount in USDC; missing if the warning concerns no amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Usdc)]
    amount: Option<Usdc>,
}

/// The subject of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum VenueWarningKind {
    /// The wallet may not have enough of the chain's native coin to pay the gas of both transactions.
    LowGas,
    /// The first deposit pays for the activation of the account.
    ActivationFee,
    /// The amount credited to the account.
    NetCredited,
    /// The venue credits the spot balance, not the perpetuals balance.
    CreditedToSpot,
    /// The fee that the venue takes for the transfer, on top of the amount.
    TransferFee,
    /// The wallet may not have enough left at the venue to pay the gas of the transfer.
    TransferGas,
    /// USDC that waits at the venue for its EVM chain.
    Escrowed,
    /// The venue refuses transfers of this wallet.
    Sanctioned,
    /// The configured referral code is the wallet's own.
    OwnReferralCode,
}

impl Gate {
    /// The gates of a wallet with these facts.
    pub(crate) fn for_wallet(facts: &Facts, fee: BuilderFee) -> Vec<Self> {
        let is_missing = facts.builder_fee.is_some_and(|approved| approved < fee.units());
        is_missing.then_some(Self::BuilderFeeNotApproved).into_iter().collect()
    }
}

impl Checks {
    /// For a wallet with these facts. `everything_known`: whether all other checks of the request ran too.
    pub(crate) const fn for_wallet(facts: &Facts, everything_known: bool) -> Self {
        match everything_known && facts.builder_fee.is_some() {
            true => Self::Complete,
            false => Self::Unavailable,
        }
    }
}

impl VenueWarning {
    pub(crate) fn new(
        kind: VenueWarningKind,
        message: impl Into<String>,
        amount: Option<Usdc>,
    ) -> Self {
        Self { kind, message: message.into(), amount }
    }

    /// A warning about USDC that waits at the venue for its EVM chain.
    pub(crate) fn escrowed(facts: &Facts) -> Option<Self> {
        let escrowed = facts.spot.as_ref()?.escrowed;
        (escrowed > Usdc::default()).then(|| {
            let message = format!("{escrowed} USDC wait at the venue for its EVM chain.");
            Self::new(VenueWarningKind::Escrowed, message, Some(escrowed))
        })
    }

    /// A warning about a wallet that the venue does not serve.
    pub(crate) fn sanctioned(facts: &Facts) -> Option<Self> {
        (facts.is_sanctioned == Some(true)).then(|| {
            let message = "The venue refuses transfers of this wallet.";
            Self::new(VenueWarningKind::Sanctioned, message, None)
        })
    }
}

impl VenueMetaData {
    /// For a wallet with these facts. `everything_known`: whether all other checks of the request ran too.
    pub(crate) fn for_wallet(
        facts: &Facts,
        fee: BuilderFee,
        everything_known: bool,
        warnings: Vec<VenueWarning>,
    ) -> Self {
        let checks = Checks::for_wallet(facts, everything_known);
        Self { gates: Gate::for_wallet(facts, fee), checks: Some(checks), warnings }
    }

    /// For a request that names no wallet.
    pub(crate) const fn without_wallet() -> Self {
        Self { gates: Vec::new(), checks: None, warnings: Vec::new() }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_stands_while_less_is_approved_than_is_asked() {
        let fee: BuilderFee = "0.05%".parse().unwrap();
        for (approved, stands) in [
            (Some(0), true),
            (Some(49), true),
            (Some(50), false),
            (Some(100), false),
            (None, false),
        ] {
            let facts = Facts { builder_fee: approved, ..Facts::default() };
            let known = VenueMetaData::for_wallet(&facts, fee, true, Vec::new());
            assert_eq!(known.gates.len(), usize::from(stands), "{approved:?}");
            assert_eq!(known.checks == Some(Checks::Complete), approved.is_some());
            let told = VenueMetaData::for_wallet(&facts, fee, false, Vec::new()).checks;
            assert_eq!(told, Some(Checks::Unavailable));
        }
    }
}
