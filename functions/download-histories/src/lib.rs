//! Exports of an account's history. The export worker makes the files.

mod app;
pub mod create;
pub mod list;
#[cfg(feature = "openapi")]
mod openapi;
pub mod record;
pub mod remove;

use shared::http::{Access::Bearer, Routes};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Bearer, "/api/download-histories", list::list_download_histories)
        .post(Bearer, "/api/download-histories", create::create_download_history)
        .get(Bearer, "/api/download-histories/{id}", list::get_download_history)
        .delete(Bearer, "/api/download-histories/{id}", remove::delete_download_history)
}
