//! Media: clients upload files directly to S3 with forms that this function signs.

mod app;
pub mod form;
pub mod media_type;
#[cfg(feature = "openapi")]
mod openapi;
pub mod presigned_url;
pub mod settings;

use shared::http::{Access::Bearer, Routes};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new().post(Bearer, "/api/medias/presigned-url", presigned_url::presigned_url)
}
