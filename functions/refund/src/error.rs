//! Why a refund is refused.

use shared::http::{AsProblem, Problem};

/// Why a refund cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    /// No transaction of the caller is refundable.
    #[error("Nothing to refund for this address and these runes.")]
    Nothing,
    /// The fee would consume the amount.
    #[error("The refund would not cover its network fee. Try again when fees are lower.")]
    BelowFee,
    /// The amount differs from the client's expectation, or rows changed concurrently.
    #[error("The refundable amount has changed. Calculate the refund again.")]
    Changed,
}

impl AsProblem for RefundError {
    fn problem(&self) -> Problem {
        match self {
            Self::Nothing => Problem::RefundNothing,
            Self::BelowFee => Problem::RefundBelowFee,
            Self::Changed => Problem::RefundChanged,
        }
    }
}
