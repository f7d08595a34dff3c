//! Cross-chain withdrawals: a Bitcoin transaction that the owner signs and the platform co-signs.

pub mod affiliate;
#[cfg(feature = "openapi")]
mod openapi;
pub mod sign;
pub mod transaction;

use shared::http::{Access::Bearer, Routes};

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new()
        .get(Bearer, "/api/xchain/affiliate", affiliate::affiliate)
        .post(Bearer, "/api/xchain/transaction", transaction::create_transaction)
        .post(Bearer, "/api/xchain/transaction/sign", sign::sign_transaction)
}
