//! Transactions of trading wallets: withdrawals and renewals that the owner signs and the platform co-signs. This
//! function has no right to a key of a treasury (custody rule 11).

mod app;
pub mod create;
#[cfg(feature = "openapi")]
mod openapi;
pub mod release;
pub mod replace;
pub mod sign;

use shared::http::{Access::Bearer, Routes};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .post(Bearer, "/api/transactions", create::create_trading_transaction)
        .post(Bearer, "/api/transactions/sign", sign::sign_trading_transaction)
        .post(Bearer, "/api/transactions/{txId}/replace", replace::replace_transaction)
        .delete(Bearer, "/api/transactions/{txId}", release::release_transaction)
}
