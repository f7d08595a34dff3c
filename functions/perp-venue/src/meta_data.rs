use serde::Serialize;
use shared::{
    models::usdc::Usdc,
    perp_venue::{BuilderFee, Facts},
};
use utoipa::ToSchema;

/// What is to be said beside what is signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueMetaData {
    /// What the wallet has yet to do before it can trade; empty says so where `checks` is `complete`, else
    /// it says nothing. Gates never stop a deposit or a withdrawal.
    gates: Vec<Gate>,
    /// Whether everything could be checked; missing where no wallet was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Checks)]
    checks: Option<Checks>,
    /// What the wallet's owner should know before signing.
    warnings: Vec<VenueWarning>,
}

/// Something that a wallet has yet to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Gate {
    /// It has not approved the builder fee: sign what `builder-fee-approval` answers.
    BuilderFeeNotApproved,
}

/// Whether everything could be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Checks {
    /// Everything was.
    Complete,
    /// The venue or its chain did not tell everything: what is signed may bounce, and a gate may be
    /// missing.
    Unavailable,
}

/// Something that the wallet's owner should know before signing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VenueWarning {
    /// What it is about.
    kind: VenueWarningKind,
    /// The same, one English sentence.
    message: String,
    /// How much, in USDC, where it is about an amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Usdc)]
    amount: Option<Usdc>,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum VenueWarningKind {
    /// The wallet has hardly enough of the chain's own coin to pay for both transactions.
    LowGas,
    /// The first deposit pays for the activation of the account.
    ActivationFee,
    /// What the account is credited with.
    NetCredited,
    /// The venue credits the spot balance, not that of perpetuals.
    CreditedToSpot,
    /// What the venue takes for the transfer, beside the amount.
    TransferFee,
}

impl VenueWarning {
    pub(crate) fn new(
        kind: VenueWarningKind,
        message: impl Into<String>,
        amount: Option<Usdc>,
    ) -> Self {
        Self { kind, message: message.into(), amount }
    }
}

impl VenueMetaData {
    /// Of a wallet of which this is known. `everything_known`: whether whatever else is checked was told.
    pub(crate) fn of(
        facts: &Facts,
        fee: BuilderFee,
        everything_known: bool,
        warnings: Vec<VenueWarning>,
    ) -> Self {
        let is_missing = facts.builder_fee.is_some_and(|approved| approved < fee.units());
        let complete = everything_known && facts.builder_fee.is_some();
        Self {
            gates: is_missing.then_some(Gate::BuilderFeeNotApproved).into_iter().collect(),
            checks: Some(if complete { Checks::Complete } else { Checks::Unavailable }),
            warnings,
        }
    }

    /// Of no wallet in particular.
    pub(crate) const fn without_wallet() -> Self {
        Self { gates: Vec::new(), checks: None, warnings: Vec::new() }
    }

    /// What the wallet has yet to do, as far as is known.
    pub(crate) fn gates(&self) -> &[Gate] {
        &self.gates
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
            let known = VenueMetaData::of(&facts, fee, true, Vec::new());
            assert_eq!(known.gates.len(), usize::from(stands), "{approved:?}");
            assert_eq!(known.checks == Some(Checks::Complete), approved.is_some());
            let told = VenueMetaData::of(&facts, fee, false, Vec::new()).checks;
            assert_eq!(told, Some(Checks::Unavailable));
        }
    }
}
