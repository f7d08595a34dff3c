//! Refunds: payments for requests that no virtual block took are returned.

mod app;
mod build;
pub mod calculate;
pub mod create;
#[cfg(feature = "openapi")]
mod openapi;
mod quote;
pub mod sign;

use serde::Deserialize;
use shared::http::{
    Access::{Bearer, Public},
    AsProblem, Fields, Problem, Routes,
};
use utoipa::ToSchema;

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .post(Bearer, "/api/refund", create::create_refund)
        .post(Bearer, "/api/refund/sign", sign::sign_refund)
        .get(Public, "/api/refund/calculate", calculate::calculate_refund)
}

/// The kind of payment to refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundType {
    /// Payments for virtual mints.
    VirtualMint,
}

/// Most runes that one refund may name.
const MOST_RUNES: usize = 40;

/// Why a refund cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    /// No transaction of the caller is refundable.
    #[error("Nothing to refund for this address and these runes.")]
    Nothing,
    /// The fee would consume the amount.
    #[error("The refund would not cover its network fee. Try again when fees are lower.")]
    BelowFee,
    /// An account may have one open refund.
    #[error(
        "Another refund of this account is waiting for its signature. Sign it or wait until it expires."
    )]
    Open,
    /// The amount differs from the client's expectation, or rows changed concurrently.
    #[error("The refundable amount has changed. Calculate the refund again.")]
    Changed,
}

impl AsProblem for RefundError {
    fn problem(&self) -> Problem {
        match self {
            Self::Nothing => Problem::RefundNothing,
            Self::BelowFee => Problem::RefundBelowFee,
            Self::Open => Problem::RefundOpen,
            Self::Changed => Problem::RefundChanged,
        }
    }
}

/// Reads the type; only one exists so far.
fn read_type(fields: &mut Fields<'_>) -> Option<RefundType> {
    fields.required("type")
}
