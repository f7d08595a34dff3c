//! Cross-chain transactions: withdrawals (Bitcoin transactions that the owner signs and the platform
//! co-signs), and swaps between other chains, which clients register and the service tracks.

pub mod affiliate;
mod app;
pub mod find;
pub mod list;
pub mod one;
#[cfg(feature = "openapi")]
mod openapi;
pub mod register;
pub mod sign;
pub mod status;
pub mod transaction;

use shared::http::{
    Access::{Bearer, Public},
    Routes,
};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Bearer, "/api/xchain/affiliate", affiliate::get_affiliate)
        .post_or_try(Bearer, "/api/xchain/transaction", transaction::create_xchain_withdrawal)
        .post(Bearer, "/api/xchain/transaction/sign", sign::sign_xchain_withdrawal)
        .post(Bearer, "/api/xchain/transactions/register", register::register_swap)
        .get(Bearer, "/api/xchain/transactions/{txId}/status", status::get_swap_status)
        .get(Public, "/api/xchain/transactions", list::list_xchain_transactions)
        .get(Public, "/api/xchain/transactions/{txId}", one::get_xchain_transaction)
}
