//! Media: clients upload files directly to S3 with forms that this function signs, and delete them here. The
//! function also serves the reference of the API, which needs none of the service's data.

mod app;
pub mod delete;
mod documents;
pub mod form;
pub mod media_type;
pub mod name;
#[cfg(feature = "openapi")]
pub mod older;
#[cfg(feature = "openapi")]
mod openapi;
pub mod presigned_url;
pub mod reference;
pub mod settings;

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
        .post(Bearer, "/api/medias/presigned-url", presigned_url::create_media_upload)
        .delete(Bearer, "/api/medias/{name}", delete::delete_media)
        .get(Public, "/api/openapi.json", reference::get_openapi)
        .get(Public, "/api/openapi-3.0.json", reference::get_older_openapi)
        .get(Public, "/api/docs", reference::get_reference)
}
