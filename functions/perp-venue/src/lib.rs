//! Deposits to the perpetuals venue, withdrawals from it, and the one-time actions a wallet signs there. The
//! service signs and sends nothing: it returns actions and transactions for the client to sign and send.

mod app;
pub mod builder_fee_approval;
pub mod deposit;
mod meta_data;
#[cfg(feature = "openapi")]
mod openapi;
pub mod referral;
pub mod status;
mod transfer;
pub mod venue;
mod wallet;
pub mod withdraw;

use shared::http::{Access::Bearer, Routes};

pub use app::App;
pub use meta_data::{Checks, Gate, VenueMetaData, VenueWarning, VenueWarningKind};
#[cfg(feature = "openapi")]
pub use openapi::openapi;
pub use transfer::VenueTransfer;
pub use wallet::EvmWallet;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .post(Bearer, "/api/perp-venue/deposit", deposit::build_venue_deposit)
        .post(Bearer, "/api/perp-venue/referral", referral::build_venue_referral)
        .post(
            Bearer,
            "/api/perp-venue/builder-fee-approval",
            builder_fee_approval::build_venue_builder_fee_approval,
        )
        .post(Bearer, "/api/perp-venue/withdraw", withdraw::build_venue_withdrawal)
        .get(Bearer, "/api/perp-venue/status", status::get_venue_status)
}
