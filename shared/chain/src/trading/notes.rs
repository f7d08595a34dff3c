//! Information that accompanies a transaction to sign.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    bitcoin::{coins::LeftAside, plan::Plan},
    models::amount::Units,
    transactions::{ChainError, Remarks},
};

/// A reason to review the transaction before signing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TransactionWarning {
    kind: TransactionWarningKind,
    /// The warning as one English sentence.
    message: &'static str,
}

/// The subject of a warning about a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TransactionWarningKind {
    /// The fee is more than a tenth of the amount.
    FeeShareHigh,
    /// Coins of the transaction will soon be spendable by the user alone; they are spent first.
    CoinsExpireSoon,
    /// No current fee estimate is available; the rate is the last one, at most six hours old.
    FeeRateStale,
    /// The recipient gets less than from the replaced transaction: that transaction has no change, and no other
    /// coin is free, so the higher fee is taken from the amount.
    AmountLowered,
}

impl From<TransactionWarningKind> for TransactionWarning {
    fn from(kind: TransactionWarningKind) -> Self {
        let message = match kind {
            TransactionWarningKind::FeeShareHigh => "The fee is more than a tenth of the amount.",
            TransactionWarningKind::CoinsExpireSoon => {
                "Your key alone can soon move some of the coins, so they are spent first."
            }
            TransactionWarningKind::FeeRateStale => {
                "No current fee estimate is available, so the last known rate is used."
            }
            TransactionWarningKind::AmountLowered => {
                "No other coin can pay the higher fee, so the recipient gets less."
            }
        };
        Self { kind, message }
    }
}

/// Information that accompanies a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notes {
    /// Reasons to review the transaction before signing.
    warnings: Vec<TransactionWarning>,
    /// Blocks until the user alone can spend the first of the coins.
    expires_in_blocks: u32,
    /// The amount that the recipient receives, in the token's smallest unit; null for a renewal.
    #[schema(required = true)]
    amount: Option<Units>,
    /// Coins that belong to the request but did not fit: with `max`, further coins with the token; in a renewal
    /// without `txIdVouts`, further coins whose delay ends soon.
    left: usize,
    /// Coins of the trading address that the transaction could not spend.
    coins_left_aside: LeftAside,
}

/// What a transaction pays.
#[derive(Clone, Copy, Debug)]
pub enum Paid {
    /// Sats.
    Sats(Units),
    /// A rune, in its smallest unit.
    Rune(Units),
    /// Only the wallet itself.
    Nobody,
}

impl Notes {
    /// The same with a further reason.
    pub(super) fn warning(mut self, kind: TransactionWarningKind) -> Self {
        self.warnings.push(kind.into());
        self
    }

    /// The notes as JSON, as their transaction's row keeps them.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the notes cannot be written as JSON.
    pub fn kept(self) -> Result<Option<Value>, ChainError> {
        let kept = serde_json::to_value(self);
        kept.map(Some).map_err(|_| ChainError::Damaged("notes have no JSON"))
    }

    /// The notes on a planned transaction that pays this, or the amount of a largest payment instead.
    pub fn of(plan: &Plan, remarks: Remarks, paid: Paid) -> Self {
        let paid = match (paid, remarks.amount) {
            (Paid::Sats(_), Some(most)) => Paid::Sats(most),
            (Paid::Rune(_), Some(most)) => Paid::Rune(most),
            (paid, _) => paid,
        };
        let fee = u128::from(plan.fee.to_sat());
        let high = matches!(paid, Paid::Sats(sats) if fee.saturating_mul(10) > sats.0);
        let expiring = plan.inputs.iter().any(|coin| coin.is_expiring());
        let warnings = [
            (high, TransactionWarningKind::FeeShareHigh),
            (expiring, TransactionWarningKind::CoinsExpireSoon),
            (remarks.is_fee_rate_stale, TransactionWarningKind::FeeRateStale),
        ];
        let warnings = warnings
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, kind)| TransactionWarning::from(kind));
        let delays = plan.inputs.iter().filter_map(|coin| coin.expires_in);
        Self {
            warnings: warnings.collect(),
            expires_in_blocks: delays.min().unwrap_or_default(),
            amount: match paid {
                Paid::Sats(amount) | Paid::Rune(amount) => Some(amount),
                Paid::Nobody => None,
            },
            left: remarks.left,
            coins_left_aside: remarks.left_aside,
        }
    }
}
