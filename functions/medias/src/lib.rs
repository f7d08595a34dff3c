//! Media: clients upload files directly to S3 with forms that this function signs.

pub mod form;
pub mod media_type;
#[cfg(feature = "openapi")]
mod openapi;
pub mod presigned_url;

use shared::http::{Access::Bearer, Routes};

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new().post(Bearer, "/api/medias/presigned-url", presigned_url::presigned_url)
}
