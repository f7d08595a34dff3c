//! Refunds: what was paid for requests that no virtual block took goes back.

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
    AreaError, Fields, Problem, Routes,
};
use utoipa::ToSchema;

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new()
        .post(Bearer, "/api/refund", create::create_refund)
        .post(Bearer, "/api/refund/sign", sign::sign_refund)
        .get(Public, "/api/refund/calculate", calculate::calculate_refund)
}

/// What is refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundType {
    /// VM transactions.
    VirtualMint,
}

/// Runes that one refund may name.
const MOST_RUNES: usize = 40;

/// Why there is no refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    /// None of the caller's transactions can be refunded.
    #[error("There is nothing to refund.")]
    Nothing,
    /// The fee would eat it up.
    #[error("The refund is not worth its network fee.")]
    BelowFee,
    /// One at a time.
    #[error("Another refund of the account waits for its signature.")]
    Open,
    /// Not what the caller expects, or not what it was.
    #[error("What can be refunded is not what it was. Calculate it anew.")]
    Changed,
}

impl AreaError for RefundError {
    fn problem(&self) -> Problem {
        match self {
            Self::Nothing => Problem::RefundNothing,
            Self::BelowFee => Problem::RefundBelowFee,
            Self::Open => Problem::RefundOpen,
            Self::Changed => Problem::RefundChanged,
        }
    }
}

/// Reads the type, the only one that there is.
fn read_type(fields: &mut Fields<'_>) -> Option<RefundType> {
    fields.required("type")
}
