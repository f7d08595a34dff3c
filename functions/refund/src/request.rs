//! The parts that requests about refunds share.

use serde::{Deserialize, Serialize};
use shared::http::Fields;
use utoipa::ToSchema;

/// The kind of payment to refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundType {
    /// Payments for virtual mints.
    VirtualMint,
}

/// The most runes that one refund may name.
pub(crate) const MOST_RUNES: usize = 40;

/// Reads the type; only one exists so far.
pub(crate) fn read_type(fields: &mut Fields<'_>) -> Option<RefundType> {
    fields.required("type")
}
