use shared::http::{Fields, Input};
use utoipa::ToSchema;

use crate::{EvmWallet, venue::usdc::UsdcAmount};

/// `Retry-After` of a paused transfer, in seconds. The end of a pause cannot be known.
pub(crate) const PAUSE: u64 = 60;

/// Request body of a deposit or withdrawal.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct VenueTransfer {
    /// The EVM wallet that signs and owns the position. A deposit leaves from its address on the venue's EVM
    /// chain; a withdrawal arrives there.
    pub(crate) user_address: EvmWallet,
    /// In USDC: digits with at most 6 decimals; more than 0.
    #[schema(max_length = 40)]
    pub(crate) amount: UsdcAmount,
}

impl Input for VenueTransfer {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let user_address = EvmWallet::read(fields);
        let amount = fields.parsed("amount", UsdcAmount::LONGEST);
        Some(Self { user_address: user_address?, amount: amount? })
    }
}
