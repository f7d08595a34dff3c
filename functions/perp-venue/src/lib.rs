//! Funding of the perpetuals venue, withdrawal from it, and what a wallet has to sign there once. The
//! service signs nothing and sends nothing: it answers what a client signs and sends as it is.

pub mod builder_fee_approval;
pub mod deposit;
mod meta_data;
#[cfg(feature = "openapi")]
mod openapi;
pub mod referral;
pub mod status;
mod transfer;
mod wallet;
pub mod withdraw;

use shared::http::{Access::Bearer, Routes};

pub use meta_data::{Checks, Gate, VenueMetaData, VenueWarning, VenueWarningKind};
#[cfg(feature = "openapi")]
pub use openapi::openapi;
pub use transfer::VenueTransfer;
pub use wallet::EvmWallet;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new()
        .post(Bearer, "/api/perp-venue/deposit", deposit::deposit)
        .post(Bearer, "/api/perp-venue/referral", referral::referral)
        .post(
            Bearer,
            "/api/perp-venue/builder-fee-approval",
            builder_fee_approval::approve_builder_fee,
        )
        .post(Bearer, "/api/perp-venue/withdraw", withdraw::withdraw)
        .get(Bearer, "/api/perp-venue/status", status::status)
}
