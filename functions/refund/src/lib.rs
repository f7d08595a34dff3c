//! Refunds of payments for requests that no virtual block took.

mod app;
mod build;
pub mod calculate;
pub mod create;
mod error;
pub mod one;
#[cfg(feature = "openapi")]
mod openapi;
mod quote;
mod request;
pub mod sign;

use shared::http::{
    Access::{Bearer, Public},
    Routes,
};

pub use app::App;
pub use error::RefundError;
#[cfg(feature = "openapi")]
pub use openapi::openapi;
pub use request::RefundType;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .post(Bearer, "/api/refund", create::create_refund)
        .post(Bearer, "/api/refund/sign", sign::sign_refund)
        .get(Public, "/api/refund/calculate", calculate::calculate_refund)
        .get(Bearer, "/api/refund/{txId}", one::get_refund)
}
