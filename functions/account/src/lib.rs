//! Accounts, as their owners and as admins see them; and whether the service is well.

pub mod health;
pub mod list;
pub mod me;
#[cfg(feature = "openapi")]
mod openapi;
pub mod referral_code;

use shared::http::{
    Access::{Admin, Bearer, Public},
    Routes,
};

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new()
        .get(Public, "/api/health", health::health)
        .get(Admin, "/api/account", list::list_accounts)
        .get(Bearer, "/api/account/me", me::me)
        .get(
            Public,
            "/api/account/referral-code/{code}/verify",
            referral_code::verify_referral_code,
        )
}
